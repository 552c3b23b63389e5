// SPDX-License-Identifier: Apache-2.0
// Arcs that meet: what counts as the same site, how the functions of all arcs compose, what list
// edits of references match by, and what belongs to the place of a prim.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support.hpp"

namespace sinew::stage::arcs_test {
namespace {

std::string car(const char* specifier, bool instanceable) {
  const std::string instance = instanceable ? "instanceable = true; " : "";
  const std::string keyword = specifier;
  return "def \"World\" {\ndef \"Car\" (" + instance + "references = </Asset>) {}\n}\n" + keyword +
         " \"Asset\" {\ndef \"Wheel\" (" + instance + "references = </Part>) {}\n}\n" + keyword +
         " \"Part\" {\ndef \"Tyre\" {}\n}\n";
}

std::vector<std::string> shown(const Stage& stage, const char* top) {
  std::vector<std::string> paths;
  for (const Prim prim : stage.prim(top).descendants(Traversal::with_instance_proxies())) {
    paths.push_back(prim.path().str());
  }
  return paths;
}

TEST(Places, InstancesOfClassesShowTheSameAsCopiesOfPrims) {
  const std::vector<std::string> expected{"/World", "/World/Car", "/World/Car/Wheel",
                                          "/World/Car/Wheel/Tyre"};
  for (const char* specifier : {"def", "class"}) {
    for (const bool instanceable : {false, true}) {
      Diagnostics diagnostics;
      const std::string text = car(specifier, instanceable);
      const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
      ASSERT_NE(stage, nullptr);
      EXPECT_EQ(shown(*stage, "/World"), expected) << text;
    }
  }
}

TEST(Places, BelowAClassTheSharedPrimsAreAbstractOnlyThere) {
  Diagnostics diagnostics;
  const std::string text = car("class", true);
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/Asset/Wheel/Tyre").is_abstract());
  EXPECT_FALSE(stage->prim("/World/Car/Wheel/Tyre").is_abstract());
}

TEST(Places, BelowAnOverTheSharedPrimsAreUndefinedOnlyThere) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "over \"Off\" {\ndef \"I\" (instanceable = true; references = </Part>) {}\n}\n"
                    "def \"On\" {\ndef \"I\" (instanceable = true; references = </Part>) {}\n}\n"
                    "def \"Part\" {\ndef \"Tyre\" {}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/Off/I/Tyre").is_defined());
  EXPECT_TRUE(stage->prim("/On/I/Tyre").is_defined());
}

TEST(ReferenceEdits, MatchByTheOffsetAsAuthored) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(subLayers = [@sub.usda@ (offset = 10; scale = 2)])\n"
                    "over \"A\" (delete references = @ref.usda@</B>) {}\n"
                    "over \"C\" (delete references = @ref.usda@</B> (offset = 5)) {}\n"
                    "over \"K\" (delete references = @ref.usda@</B> (offset = 6)) {}\n"},
                   {"sub.usda",
                    "(timeCodesPerSecond = 30)\ndef \"A\" (references = @ref.usda@</B>) {}\n"
                    "def \"C\" (references = @ref.usda@</B> (offset = 5)) {}\n"
                    "def \"K\" (references = @ref.usda@</B> (offset = 5)) {}\n"},
                   {"ref.usda", "def \"B\" {\ntoken t = \"there\"\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/C", "t"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/K", "t"), "there");
}

TEST(ReferenceRates, AreThoseOfTheAuthoringLayer) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "(subLayers = [@sub.usda@])\n"},
       {"sub.usda", "(timeCodesPerSecond = 30)\ndef \"K\" (references = @ref.usda@</B>) {}\n"},
       {"ref.usda", "def \"B\" {\ndouble x.timeSamples = { 2: 1 }\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  // 2 of 24 is 2.5 of 30, and that is 2 of the stage's 24 again.
  EXPECT_EQ(stage->prim("/K").attribute("x").time_samples(), std::vector<double>{2.0});
}

TEST(ReferenceOffsets, ThatAreNotUsableTakeTheLayersOffsetWithThem) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "(subLayers = [@sub.usda@ (offset = 10; scale = 2)])\n"},
       {"sub.usda", "def \"A\" (references = @ref.usda@</C> (offset = 1; scale = -1)) {}\n"},
       {"ref.usda", "def \"C\" {\ndouble x.timeSamples = { 4: 1 }\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->prim("/A").attribute("x").time_samples(), std::vector<double>{4.0});
}

TEST(Targets, AreMappedByTheFunctionOfAllArcsTogether) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"C\" {\ndef \"b\" (inherits = </D>) {}\n}\n"
                                       "def \"D\" (references = </E>) {}\n"
                                       "def \"E\" {\ndef \"Sub\" {\nrel r = </D/c>\n}\n}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  // Where the reference leads, </D/c> has no place; on the stage it is what it is.
  EXPECT_EQ(first_target(*stage, "/D/Sub", "r"), "nothing");
  EXPECT_EQ(first_target(*stage, "/C/b/Sub", "r"), "/D/c");
}

TEST(Targets, OutsideAReferenceToTheSameFileByNameHaveNoPlace) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"B\" (references = @own.usda@</A>) {}\n"},
                   {"own.usda",
                    "def \"A\" {\ndef \"ByName\" (references = @own.usda@</D>) {}\n"
                    "def \"Internal\" (references = </D>) {}\n}\n"
                    "def \"D\" {\nrel outside = </A/K>\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(first_target(*stage, "/B/ByName", "outside"), "nothing");
  EXPECT_EQ(first_target(*stage, "/B/Internal", "outside"), "/B/K");
}

TEST(Classes, ReachedByAReferenceAlreadyStayWhereTheyAre) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"C\" {\ntoken t = \"c\"\n}\n"
                                       "def \"B\" (references = </C>) {\ntoken t = \"b\"\n}\n"
                                       "def \"A\" (references = </B>; inherits = </C>) {}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "b");
}

TEST(Classes, WithoutSpecsAreImpliedOutwards) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"K\" {\ndef \"Sub\" {\ntoken t = \"root\"\n}\n}\n"
                                       "def \"C\" (references = @ref.usda@</B/Sub>) {}\n"},
                                      {"ref.usda", "def \"B\" (inherits = </K>) {}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/C", "t"), "root");
}

TEST(Variants, EnteredForASetHoldForEverySetOfItsName) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"C\" (variants = { string w = \"two\" }; variantSets = [\"v\", \"w\"]) {\n"
        "variantSet \"v\" = {\n\"two\" (references = </D>) {\n}\n}\n"
        "variantSet \"w\" = {\n\"two\" (variants = { string v = \"two\" }) {\n}\n}\n}\n"
        "def \"D\" (variantSets = \"v\"; variants = { string v = \"one\" }) {\n"
        "variantSet \"v\" = {\n\"one\" {\ntoken t = \"one\"\n}\n\"two\" {\ntoken t = \"two\"\n}\n"
        "}\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/C", "t"), "two");
  EXPECT_EQ(text_at(*stage, "/D", "t"), "one");
}

TEST(ArcsBelowInstances, IgnoreWhatTheInstanceSaysOfItsDescendants) {
  for (const bool instanceable : {true, false}) {
    Diagnostics diagnostics;
    const std::string text =
        std::string(
            "def \"Proto\" {\ndef \"Child\" {\ntoken t = \"proto\"\n}\n}\n"
            "def \"I\" (instanceable = ") +
        (instanceable ? "true" : "false") +
        "; references = </Proto>) {\nover \"Child\" {\ntoken t = \"own\"\n}\n}\n"
        "def \"A\" (references = </I/Child>) {}\ndef \"B\" (inherits = </I/Child>) {}\n";
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
    ASSERT_NE(stage, nullptr);
    const char* expected = instanceable ? "proto" : "own";
    EXPECT_EQ(text_at(*stage, "/A", "t"), expected);
    EXPECT_EQ(text_at(*stage, "/B", "t"), expected);
  }
}

TEST(RelocatedPrims, LeaveNothingToInheritAtTheirOldPlace) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(relocates = { </M/P> : </M/Q/P> })\n"
                    "def \"M\" (references = @ref.usda@</M>) {\ndef \"Q\" {\n"
                    "def \"New\" (inherits = </M/Q/P>) {}\ndef \"Old\" (inherits = </M/P>) {}\n"
                    "}\n}\n"},
                   {"ref.usda", "def \"M\" {\ndef \"P\" {\ntoken t = \"moved\"\n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/M/Q/New", "t"), "moved");
  EXPECT_EQ(text_at(*stage, "/M/Q/Old", "t"), "no attribute");
}

std::vector<std::string> targets_of(const Stage& stage, const char* prim) {
  std::vector<std::string> paths;
  for (const layer::Path& path : stage.prim(prim).relationship("r").targets()) {
    paths.push_back(path.str());
  }
  return paths;
}

TEST(TargetsInInstances, AreMovedWhenTheListsHaveBeenComposed) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "class \"Src\" {\ndef \"c\" {\nrel r = [</Src/Other>, </I1/Other>, </Z>]\n}\n}\n"
        "class \"Mid\" (references = </Src>) {\nover \"c\" {\ndelete rel r = </I1/Other>\n}\n}\n"
        "def \"I1\" (instanceable = true; references = </Mid>) {}\n"
        "def \"I2\" (instanceable = true; references = </Mid>) {}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(targets_of(*stage, "/I1/c"), (std::vector<std::string>{"/I1/Other", "/Z"}));
  EXPECT_EQ(targets_of(*stage, "/I2/c"), (std::vector<std::string>{"/I2/Other", "/Z"}));
}

// Whatever is an instance: what a prim names inside its asset, or inside the asset around that, it
// names on its own side.
TEST(TargetsInInstances, AreTheSameAsThoseOfCopies) {
  for (int instances = 0; instances < 8; ++instances) {
    const auto flag = [&](int bit) {
      return (instances >> bit & 1) != 0 ? "instanceable = true; " : "";
    };
    const auto text = [&](const char* top) {
      return std::string("def \"") + top + "\" (" + flag(0) +
             "references = @outer.usda@</Outer>) {}\n";
    };
    const std::string root = text("A") + text("B") + text("C");
    const std::string outer = std::string("def \"Outer\" {\ndef \"X\" {}\ndef \"In\" (") + flag(1) +
                              "references = @inner.usda@</Inner>) {}\n}\n"
                              "def \"Inner\" {\ndef \"m\" {\nprepend rel r = </Outer/X>\n}\n}\n";
    const std::string inner = std::string("def \"Inner\" {\ndef \"Y\" {}\ndef \"m\" (") + flag(2) +
                              "references = </Leaf>) {\nrel r = [</Inner/Y>, </Inner/m>]\n}\n}\n"
                              "def \"Leaf\" {\ndef \"n\" {\nrel r = </Leaf/n>\n}\n}\n";
    const std::string both = outer.substr(0, outer.find("references = @inner")) +
                             "references = [</Inner>, @inner.usda@</Inner>]) {}\n}\n" +
                             "class \"Inner\" {\nover \"m\" {\nprepend rel r = </Outer/X>\n}\n}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers(
        {{"root.usda", root.c_str()}, {"outer.usda", both.c_str()}, {"inner.usda", inner.c_str()}},
        diagnostics);
    ASSERT_NE(stage, nullptr);
    for (const std::string top : {"/A", "/B", "/C"}) {
      std::vector<std::string> targets = targets_of(*stage, (top + "/In/m").c_str());
      // Copies of what is around an instance share what is in it, and so do not agree on this one.
      const bool shares = (instances & 1) == 0 && (instances & 2) != 0;
      if (shares) targets.at(0) = top + "/X";
      EXPECT_EQ(targets, (std::vector<std::string>{top + "/X", top + "/In/Y", top + "/In/m"}))
          << instances;
      EXPECT_EQ(targets_of(*stage, (top + "/In/m/n").c_str()),
                std::vector<std::string>{top + "/In/m/n"})
          << instances;
    }
  }
}

TEST(TargetsOutsideOfAnArc, MayBeDeletedWithoutAnError) {
  const auto errors = [](const std::string& edit) {
    const std::string asset = "def \"Asset\" {\ndef \"c\" {\n" + edit + " = </Outside>\n}\n}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers(
        {{"root.usda", "def \"A\" (references = @a.usda@</Asset>) {}"}, {"a.usda", asset.c_str()}},
        diagnostics);
    diagnostics.clear();
    EXPECT_TRUE(stage->prim("/A/c").relationship("r").targets(&diagnostics).empty());
    return count(diagnostics, Severity::error);
  };
  EXPECT_EQ(errors("rel r"), 1U);
  EXPECT_EQ(errors("append rel r"), 1U);
  EXPECT_EQ(errors("delete rel r"), 0U);
}

TEST(TargetsWithPathsInBrackets, AreMappedInsideToo) {
  using Paths = std::vector<std::string>;
  const char* asset =
      "def \"R\" {\n"
      "rel r = [</R.b[/R/C].d>, </R.b[/Out].d>, </R.b[/R/C.e[/R/D]].d>]\n"
      "double x.connect = </R.b[/R/C].d>\ndef \"K\" {\nrel r = </R.b[/R/K].d>\n}\n}\n";
  const std::string inside = asset;
  const std::string root =
      inside +
      "def \"P\" (references = @asset.usda@</R>) {}\ndef \"I\" (references = </R>) {}\n"
      "def \"A\" (references = </R>\ninstanceable = true) {}\n"
      "def \"B\" (references = </R>\ninstanceable = true) {}\n";
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", root.c_str()}, {"asset.usda", asset}}, diagnostics);
  EXPECT_EQ(targets_of(*stage, "/P"),
            (Paths{"/P.b[/P/C].d", "/P.b[/P/C.e[/P/D]].d"}));  // One lies outside.
  EXPECT_EQ(targets_of(*stage, "/I"),
            (Paths{"/I.b[/I/C].d", "/I.b[/Out].d", "/I.b[/I/C.e[/I/D]].d"}));
  ASSERT_EQ(stage->prim("/P").attribute("x").connections().size(), 1u);
  EXPECT_EQ(stage->prim("/P").attribute("x").connections()[0].view(), "/P.b[/P/C].d");
  EXPECT_EQ(targets_of(*stage, "/A/K"), (Paths{"/A.b[/A/K].d"}));
  EXPECT_EQ(targets_of(*stage, "/B/K"), (Paths{"/B.b[/B/K].d"}));
}

TEST(SelectionsByExpression, ThatFailLeaveTheChoiceToWeakerOpinions) {
  const auto picked = [](const std::string& expression) {
    const std::string root =
        "(\nexpressionVariables = { string V = \"two\" }\n)\n"
        "def \"A\" (references = @ref.usda@</A>; variants = { string v = \"`" +
        expression + "`\" }) {}\n";
    Diagnostics diagnostics;
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()},
                     {"ref.usda",
                      "def \"A\" (variantSets = \"v\"; variants = { string v = \"one\" }) {\n"
                      "variantSet \"v\" = {\n\"one\" {\ntoken t = \"one\"\n}\n"
                      "\"two\" {\ntoken t = \"two\"\n}\n}\n}\n"}},
                    diagnostics);
    return text_at(*stage, "/A", "t");
  };
  EXPECT_EQ(picked("${V}"), "two");
  EXPECT_EQ(picked("${MISSING}"), "one");
  EXPECT_EQ(picked("1"), "one");
  EXPECT_EQ(picked("None"), "no attribute");
  EXPECT_EQ(picked("''"), "no attribute");
}

TEST(EditsOfReferences, MatchByAssetArgumentsOffsetAndTheSizeOfCustomData) {
  const auto remains = [](const std::string& added, const std::string& deleted) {
    const std::string weak = "def \"A\" (prepend references = " + added + ") {}\n";
    const std::string strong =
        "(\nsubLayers = [@weak.usda@]\n)\nover \"A\" (delete references = " + deleted + ") {}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", strong.c_str()},
                                        {"weak.usda", weak.c_str()},
                                        {"ref.usda", "def \"R\" {\ntoken t = \"kept\"\n}\n"}},
                                       diagnostics);
    return text_at(*stage, "/A", "t") == "kept";
  };
  EXPECT_FALSE(remains("@ref.usda@</R>", "@ref.usda@</R>"));
  EXPECT_TRUE(remains("@ref.usda:SDF_FORMAT_ARGS:x=1@</R>", "@ref.usda@</R>"));
  EXPECT_FALSE(remains("@ref.usda:SDF_FORMAT_ARGS:x=1@</R>", "@ref.usda:SDF_FORMAT_ARGS:x=1@</R>"));
  EXPECT_TRUE(remains("@ref.usda@</R> (offset = 1)", "@ref.usda@</R>"));
  EXPECT_FALSE(remains("@ref.usda@</R> (offset = 1.0000001)", "@ref.usda@</R> (offset = 1)"));
  EXPECT_FALSE(remains("@ref.usda@</R> (offset = inf)", "@ref.usda@</R> (scale = nan)"));
  EXPECT_TRUE(remains("@ref.usda@</R> (customData = { int a = 1 })", "@ref.usda@</R>"));
  EXPECT_FALSE(remains("@ref.usda@</R> (customData = { int a = 1 })",
                       "@ref.usda@</R> (customData = { int b = 2 })"));
}

TEST(EditsOfReferences, TakeOffsetsForOneThatDifferByLessThanAMillionth) {
  const auto remains = [](const std::string& added, const std::string& deleted) {
    const std::string weak = "def \"A\" (prepend references = @ref.usda@</R> (" + added + ")) {}\n";
    const std::string strong =
        "(\nsubLayers = [@weak.usda@]\n)\nover \"A\" (delete references = "
        "@ref.usda@</R> (" +
        deleted + ")) {}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", strong.c_str()},
                                        {"weak.usda", weak.c_str()},
                                        {"ref.usda", "def \"R\" {\ntoken t = \"kept\"\n}\n"}},
                                       diagnostics);
    return text_at(*stage, "/A", "t") == "kept";
  };
  for (const char* word : {"offset", "scale"}) {
    const std::string is = std::string(word) + " = ";
    for (const char* near : {"2.0000009", "1.9999991"}) {
      EXPECT_FALSE(remains(is + "2", is + near)) << word << near;
    }
    for (const char* far : {"2.0000011", "1.9999989"}) {
      EXPECT_TRUE(remains(is + "2", is + far)) << word << far;
    }
    for (const char* infinite : {"inf", "-inf", "nan"}) {
      EXPECT_TRUE(remains(is + "2", is + infinite)) << word << infinite;
      EXPECT_TRUE(remains(is + infinite, is + "2")) << word << infinite;
      EXPECT_FALSE(remains("offset = nan", is + infinite)) << word << infinite;
    }
  }
}

TEST(ReferenceOffsets, ThatAreNotUsableAreToldAndIgnored) {
  for (const auto& [offset, expected] : {std::pair{"offset = 10", 14.0},
                                         {"scale = 0.5", 2.0},
                                         {"offset = inf", 4.0},
                                         {"offset = nan", 4.0},
                                         {"scale = inf", 4.0},
                                         {"scale = nan", 4.0},
                                         {"scale = 0", 4.0},
                                         {"scale = -1", 4.0}}) {
    SCOPED_TRACE(offset);
    Diagnostics diagnostics;
    const std::string root =
        std::string("def \"A\" (references = @ref.usda@</C> (") + offset + ")) {}\n";
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()},
                     {"ref.usda", "def \"C\" {\ndouble x.timeSamples = { 4: 1 }\n}\n"}},
                    diagnostics);
    EXPECT_EQ(stage->prim("/A").attribute("x").time_samples(), std::vector<double>{expected});
    ASSERT_EQ(diagnostics.size(), expected == 4.0 ? 1u : 0u);
    if (!diagnostics.empty()) {
      EXPECT_EQ(diagnostics[0].code, "stage-bad-offset");
      EXPECT_EQ(diagnostics[0].path, "/A");
    }
  }
}

}  // namespace
}  // namespace sinew::stage::arcs_test
