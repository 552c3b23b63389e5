// SPDX-License-Identifier: Apache-2.0
// The scenes of stage.md section 10, and what must not break composition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "stage/support.hpp"

namespace sinew::stage::composition_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> child_names(const Stage& stage, const char* path) {
  std::vector<std::string> names;
  for (const Prim child : stage.prim(path).children(Traversal::all())) {
    names.push_back(child.name().str());
  }
  return names;
}

TEST(Composition, WhatIsOfAnyTypeHasTheTypeOfAWeakerOpinion) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"P\" (references = </Q>\ntypeName = \"__AnyType__\") {}\ndef Cube \"Q\" {}\n"
        "def \"R\" (typeName = \"__AnyType__\") {}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->prim("/P").type_name().view(), "Cube");
  EXPECT_EQ(stage->prim("/R").type_name().view(), "");
}

TEST(Composition, ScalesSublayersByOffsetAndRate) {  // stage 10.1
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    timeCodesPerSecond = 48
    subLayers = [@sub.usda@ (offset = 10; scale = 2)]
)
over "A" { double b.timeSamples = { 0: 100, 10: 200 }; double c = 7; }
)"},
                                      {"sub.usda", R"((
    timeCodesPerSecond = 24
)
def "A" {
    double a.timeSamples = { 0: 0, 10: 10 }
    double b.timeSamples = { 0: 1, 10: 2 }
    double c.timeSamples = { 0: 1, 10: 2 }
    timecode t = 5
    timecode[] ts.timeSamples = { 0: [1, 2], 10: [3, 4] }
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  const Prim prim = stage->prim("/A");

  EXPECT_THAT(prim.attribute("a").time_samples(), ElementsAre(10, 50));
  EXPECT_EQ(prim.attribute("a").get<double>(20), 2.5);
  EXPECT_THAT(prim.attribute("b").time_samples(), ElementsAre(0, 10));
  EXPECT_EQ(prim.attribute("c").get<double>(20), 7);
  EXPECT_EQ(prim.attribute("t").get<double>(), 30);
  EXPECT_EQ((*prim.attribute("ts").get_array<double>(20))[0], 16);
}

TEST(Composition, ReferencesMapPathsAndReportWhatTheyCannotMap) {  // stage 10.2
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "W" {
    def "M" (references = @ref.usda@ (offset = 100; scale = 2)) {}
    def "N" (references = @ref.usda@</Other>) {}
    def "I" (references = </W/Src>) {}
    def "Src" { rel inside = </W/Src/X>; rel outside = </W/N>
        def "X" {}
    }
    def "Bad" (references = @ref.usda@</Missing>) {}
}
)"},
                                      {"ref.usda", R"((
    defaultPrim = "Root"
)
def Xform "Root" { double a.timeSamples = { 1: 10, 2: 20 }
    rel in = </Root/Child>; rel out = [</Other>, </Root/Child.x>]
    def "Child" { double x.connect = <../Child.y>; }
}
def "Other" { token n = "other"; }
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(stage->prim("/W/M").type_name().view(), "Xform");
  EXPECT_EQ(stage->prim("/W/M").attribute("a").get<double>(103), 15);
  EXPECT_EQ(first_target(*stage, "/W/M", "in"), "/W/M/Child");
  Diagnostics unmapped;
  EXPECT_EQ(stage->prim("/W/M").relationship("out").targets(&unmapped).size(), 1u);
  EXPECT_EQ(unmapped.size(), 1u);
  EXPECT_EQ(text_at(*stage, "/W/N", "n"), "other");
  EXPECT_EQ(first_target(*stage, "/W/I", "inside"), "/W/I/X");
  EXPECT_EQ(first_target(*stage, "/W/I", "outside"), "/W/N");
  EXPECT_TRUE(stage->prim("/W/Bad"));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_THAT(diagnostics[0].message, HasSubstr("/Missing"));
}

TEST(Composition, ClassesAreAlsoLookedForInReferencingLayers) {  // stage 10.3
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
class "Cls" { token fromRootCls = "root"; token both = "root"; }
def "A" (references = @ref.usda@</R>) {}
def "B" (references = @ref.usda@</R>) { token both = "local"
    over "Sub" { token q = "localB"; }
}
)"},
                                      {"ref.usda", R"(
class "Cls" { token both = "refCls"; token onlyRefCls = "refCls"
    class "Sub" { token q = "clsSub"; }
}
def "R" (inherits = </Cls>) { token both = "R"; token onlyRefCls = "R"; }
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(text_at(*stage, "/A", "both"), "root");
  EXPECT_EQ(text_at(*stage, "/A", "fromRootCls"), "root");
  EXPECT_EQ(text_at(*stage, "/A", "onlyRefCls"), "R");
  EXPECT_EQ(text_at(*stage, "/A/Sub", "q"), "clsSub");
  EXPECT_TRUE(stage->prim("/A/Sub").is_abstract());
  EXPECT_EQ(text_at(*stage, "/B", "both"), "local");
  EXPECT_EQ(text_at(*stage, "/B/Sub", "q"), "localB");
}

TEST(Composition, VariantsStandBetweenInheritsAndReferences) {  // stage 10.4
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
class "C" { token p = "inherit"; }
def "Ref" (variants = { string w = "b" }) { token p = "ref"; token q = "ref"; token r = "ref"; }
def "Extra" { token q = "extra"; token r = "extra"; token e = "extra"; }
def "A" (
    inherits = </C>
    references = </Ref>
    variants = { string v = "one" }
    prepend variantSets = ["v", "w"]
)
{
    token s = "local"
    variantSet "v" = {
        "one" (references = </Extra>) { token p = "variant"; token q = "variant"; token s = "variant"; }
        "two" {}
    }
    variantSet "w" = {
        "a" { token chosen = "a"; }
        "b" { token chosen = "b"; }
    }
}
def "None" (references = </A>; variants = { string v = "" }) {}
def "Unknown" (references = </A>; variants = { string v = "nope" }) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(text_at(*stage, "/A", "s"), "local");
  EXPECT_EQ(text_at(*stage, "/A", "p"), "inherit");
  EXPECT_EQ(text_at(*stage, "/A", "q"), "variant");
  EXPECT_EQ(text_at(*stage, "/A", "r"), "extra");
  EXPECT_EQ(text_at(*stage, "/A", "chosen"), "b");
  for (const char* prim : {"/None", "/Unknown"}) {
    EXPECT_EQ(text_at(*stage, prim, "q"), "ref") << prim;
    EXPECT_EQ(text_at(*stage, prim, "e"), "no attribute") << prim;
  }
}

TEST(Composition, SpecializesIsWeakerThanEverything) {  // stage 10.5
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "Base" { token a = "base"; token b = "base"; token c = "base"; }
def "Mid" (specializes = </Base>) { token b = "mid"; }
def "Ref" { token a = "ref"; }
def "X" (references = [</Ref>, </Mid>]) {}
def "Y" (references = [</Mid>, </Ref>]) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(text_at(*stage, "/X", "a"), "ref");
  EXPECT_EQ(text_at(*stage, "/X", "b"), "mid");
  EXPECT_EQ(text_at(*stage, "/X", "c"), "base");
  EXPECT_EQ(text_at(*stage, "/Y", "a"), "ref");
}

TEST(Composition, SpecifiersFollowTheStrongestDefinition) {  // stage 10.6
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
class "K" { def "Child" {}
}
def "D" {}
class "L" (references = </D>) {}
over "O" (inherits = </K>) {}
over "P" (references = </D>) {}
over "Q" { def "Child" {}
}
def "R" (active = false) { def "Child" {}
}
def "S" (references = </K>) {}
over "T" (references = </K>) {}
over "U" (specializes = </K>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto specifier = [&](const char* path) { return stage->prim(path).specifier(); };

  EXPECT_EQ(specifier("/L"), layer::Specifier::class_);
  EXPECT_EQ(specifier("/O"), layer::Specifier::class_);
  EXPECT_EQ(specifier("/O/Child"), layer::Specifier::def);
  EXPECT_TRUE(stage->prim("/O/Child").is_abstract());
  EXPECT_EQ(specifier("/P"), layer::Specifier::def);
  EXPECT_FALSE(stage->prim("/Q/Child").is_defined());
  EXPECT_FALSE(stage->prim("/R/Child"));
  EXPECT_EQ(specifier("/S"), layer::Specifier::def);
  EXPECT_EQ(specifier("/T"), layer::Specifier::class_);
  EXPECT_EQ(specifier("/U"), layer::Specifier::class_);
}

TEST(Composition, InstancesShareAndIgnoreLocalOpinionsBelow) {  // stage 10.8
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "Proto" { token k = "proto"; rel toChild = </Proto/Child>; rel toRoot = </Proto>
    def "Child" { token c = "child"; rel sib = </Proto/Other.x>; rel self = </Proto>; }
    def "Other" {}
}
def "I1" (instanceable = true; references = </Proto>) { token k = "local"
    over "Child" { token c = "localchild"; token new = "n"; }
    def "NewChild" {}
}
def "I2" (instanceable = true; references = </Proto>) {}
def "N" (instanceable = true) { def "Child" {}
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_TRUE(stage->prim("/I1").is_instance());
  EXPECT_FALSE(stage->prim("/N").is_instance());
  EXPECT_EQ(text_at(*stage, "/I1", "k"), "local");
  EXPECT_EQ(text_at(*stage, "/I1/Child", "c"), "child");
  EXPECT_FALSE(stage->prim("/I1/NewChild"));
  EXPECT_TRUE(stage->prim("/I1/Child").is_instance_proxy());
  EXPECT_EQ(first_target(*stage, "/I1", "toChild"), "/I1/Child");
  EXPECT_EQ(first_target(*stage, "/I2", "toRoot"), "/I2");
  EXPECT_EQ(first_target(*stage, "/I1/Child", "sib"), "/I1/Other.x");
  EXPECT_EQ(first_target(*stage, "/I2/Child", "self"), "/I2");
  EXPECT_EQ(stage->prim("/I1/Child").node(), stage->prim("/I2/Child").node());
  EXPECT_NE(stage->prim("/I1/Child"), stage->prim("/I2/Child"));
  EXPECT_EQ(stage->prim("/I2/Child").path().str(), "/I2/Child");
  EXPECT_EQ(stage->prim("/I2/Child").parent(), stage->prim("/I2"));
}

// An arc to the default prim of a layer without one brings nothing, as one to a prim or layer that
// is not there.
TEST(Composition, AnArcToNoDefaultPrimMakesNoInstance) {
  for (const bool payload : {false, true}) {
    const auto instance = [&](const std::string& name, const std::string& arc) {
      return "def \"" + name + "\" (instanceable = true; " +
             (payload ? "payload = " : "references = ") + arc +
             ") {\ntoken k = \"own\"\ndef \"Child\" {}\n}\n";
    };
    Diagnostics diagnostics;
    const std::string root = instance("None", "@none.usda@") + instance("Bad", "@bad.usda@") +
                             instance("Own", "<>") + instance("Missing", "@none.usda@</No>") +
                             instance("Nowhere", "@nowhere.usda@");
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()},
                     {"none.usda", "def \"A\" {\ndef \"B\" {}\n}\n"},
                     {"bad.usda", "(defaultPrim = \"no path\")\ndef \"A\" {}\n"}},
                    diagnostics);
    ASSERT_NE(stage, nullptr);
    for (const char* path : {"/None", "/Bad", "/Missing", "/Nowhere", "/Own"}) {
      EXPECT_FALSE(stage->prim(path).is_instance()) << path;
      EXPECT_EQ(text_at(*stage, path, "k"), "own");
      EXPECT_EQ(stage->prim(path).children().size(), 1u) << path;
    }
    EXPECT_EQ(diagnostics.size(), 5u);
  }
}

TEST(Composition, NestedInstancesKeepTheirOwnPaths) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "Wheel" { def "Hub" {}
}
def "Bike" {
    def "Front" (instanceable = true; references = </Wheel>) {}
    def "Rear" (instanceable = true; references = </Wheel>) {}
}
def "B1" (instanceable = true; references = </Bike>) {}
def "B2" (instanceable = true; references = </Bike>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  std::vector<std::string> hubs;
  for (const Prim prim : stage->root().descendants(Traversal::with_instance_proxies())) {
    if (prim.name().view() == "Hub") hubs.push_back(prim.path().str());
  }

  EXPECT_THAT(hubs, ElementsAre("/Wheel/Hub", "/Bike/Front/Hub", "/Bike/Rear/Hub", "/B1/Front/Hub",
                                "/B1/Rear/Hub", "/B2/Front/Hub", "/B2/Rear/Hub"));
  for (const std::string& path : hubs) EXPECT_EQ(stage->prim(path).path().str(), path);
}

TEST(Composition, RelocatesMoveAndRemove) {  // stage 10.10
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    relocates = { </M/Rig/Arm>: </M/Arm>, </M/Rig/Leg>: <> }
)
def "M" (references = </Src>) { rel toArm = </M/Arm>
    over "Arm" { token t = "over"; }
}
def "Src" {
    def "Rig" { rel arm = </Src/Rig/Arm>
        def "Arm" { token t = "src"; token u = "src"; rel self = </Src/Rig/Arm>; }
        def "Leg" {}
    }
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_TRUE(child_names(*stage, "/M/Rig").empty());
  EXPECT_EQ(text_at(*stage, "/M/Arm", "t"), "over");
  EXPECT_EQ(text_at(*stage, "/M/Arm", "u"), "src");
  EXPECT_EQ(first_target(*stage, "/M/Arm", "self"), "/M/Arm");
  EXPECT_EQ(child_names(*stage, "/Src/Rig").size(), 2u);
}

TEST(Composition, ListsDictionariesAndOrdersCompose) {  // stage 10.11
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    subLayers = [@middle.usda@, @weak.usda@]
)
over "P" (prepend apiSchemas = ["Top"]; customData = { string a = "top"; dictionary d = { int x = 1 } }) {
    prepend rel r = </X/Top>
    delete rel r = </X/B2>
    reorder nameChildren = ["c", "a"]
    def "d" {}
}
)"},
                                      {"middle.usda", R"(
over "P" (append apiSchemas = ["Mid"]; delete apiSchemas = ["B1"]; customData = { string a = "mid"; string b = "mid"; dictionary d = { int x = 2; int y = 2 } }) {
    append rel r = </X/Mid>
    token zeta; token Alpha; token alpha2; token alpha10; token _u
    reorder properties = ["zeta", "alpha10"]
    def "c" {}
}
)"},
                                      {"weak.usda", R"(
def "P" (apiSchemas = ["B1", "B2"]; customData = { string c = "bot"; dictionary d = { int z = 3 } }) {
    rel r = [</X/B1>, </X/B2>, </X/Top>]
    def "a" {}
    def "b" {}
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  const Prim prim = stage->prim("/P");
  std::vector<std::string> apis;
  for (const Token api : prim.authored_api_schemas()) apis.push_back(api.str());
  std::vector<std::string> properties;
  for (const Token name : prim.property_names()) properties.push_back(name.str());
  std::vector<std::string> targets;
  for (const auto& target : prim.relationship("r").targets()) targets.push_back(target.str());
  const layer::Value data = prim.metadata("customData");

  EXPECT_THAT(apis, ElementsAre("Top", "B2", "Mid"));
  EXPECT_THAT(targets, ElementsAre("/X/Top", "/X/B1", "/X/Mid"));
  EXPECT_THAT(child_names(*stage, "/P"), ElementsAre("c", "d", "a", "b"));
  EXPECT_THAT(properties, ElementsAre("zeta", "alpha10", "_u", "Alpha", "alpha2", "r"));
  EXPECT_EQ(find(*data.as_dictionary(), "a")->value.text(), "top");
  EXPECT_EQ(find(*data.as_dictionary(), "d")->value.as_dictionary()->size(), 3u);
}

// Paths are compared as the layers see them that wrote them; what is searched for, as written.
TEST(Composition, ListEditsOfReferencesKeepWhatIsSearchedForApart) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    subLayers = [@sub/other.usda@, @sub/sub.usda@]
)
over "Searched" (delete references = @a.usda@) {}
over "Anchored" (delete references = @a.usda@) {}
over "Beside" (delete references = @./sub/b.usda@) {}
def "Both" (references = [@a.usda@, @./a.usda@]) {}
)"},
                                      {"sub/sub.usda", R"(
def "Searched" (references = @a.usda@) {}
def "Anchored" (references = @../a.usda@) {}
def "Beside" (references = @b.usda@) {}
def "Twice" (references = @a.usda@) {}
)"},
                                      {"sub/other.usda", R"(
over "Twice" (delete references = @a.usda@) {}
)"},
                                      {"sub/b.usda", R"((
    defaultPrim = "A"
)
def "A" { token t = "b"; }
)"},
                                      {"a.usda", R"((
    defaultPrim = "A"
)
def "A" { token t = "a"; }
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Searched", "t"), "a");
  EXPECT_EQ(text_at(*stage, "/Anchored", "t"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/Beside", "t"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/Twice", "t"), "no attribute");
  EXPECT_EQ(stage->prim("/Both").explain().size(), 2u);
}

TEST(Composition, ReportsCyclesAndGoesOn) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    subLayers = [@root.usda@, @missing.usda@]
)
def "Self" (references = </Self>) {}
def "A" (references = </B>) {}
def "B" (references = </A>) {}
def "Up" { def "Down" (references = </Up>) {}
}
def "Fine" { token t = "fine"; }
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(text_at(*stage, "/Fine", "t"), "fine");
  EXPECT_GE(count(diagnostics, Severity::error), 4u);
}

TEST(Composition, TellsOfSublayersThatNameNothing) {
  Diagnostics diagnostics;
  ASSERT_NE(open_layers({{"root.usda", "(subLayers = [@@])\n"}}, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "stage-missing-sublayer");
  EXPECT_EQ(diagnostics[0].severity, Severity::warning);
}

TEST(Composition, StopsAtLimitsInBoundedTime) {
  std::string chain;
  for (int i = 0; i < 3000; ++i) {
    chain +=
        "def \"P" + std::to_string(i) + "\" (references = </P" + std::to_string(i + 1) + ">) {}\n";
  }
  chain += "def \"P3000\" { token t = \"end\"; }\n";
  std::string fan = "def \"L0\" {}\n";
  for (int i = 1; i < 30; ++i) {
    const std::string below = "</L" + std::to_string(i - 1) + ">";
    fan += "def \"L" + std::to_string(i) + "\" (references = [" + below + ", " + below +
           " (offset = 1)]) {}\n";
  }
  Diagnostics diagnostics;
  OpenOptions options;
  options.limits.arcs_per_stage = 1'000'000;
  options.limits.arcs_per_prim = 4000;
  const StagePtr stage = open_layers({{"root.usda", "(subLayers = [@chain.usda@, @fan.usda@])\n"},
                                      {"chain.usda", chain.c_str()},
                                      {"fan.usda", fan.c_str()}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);

  EXPECT_EQ(text_at(*stage, "/P2990", "t"), "end");
  EXPECT_GT(count(diagnostics, Severity::error), 0u);
}

TEST(Resolver, ReportsUnresolvedAddressesWithLineAndChain) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "def \"A\" (\n    references = @omniverse://host/a.usda@\n) {}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);

  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].line, 3u);
  EXPECT_EQ(diagnostics[0].path, "/A");
}

// One prim for each reason to leave a prim out, and what stands below it.
constexpr const char* kOfEveryKind = R"(
def "A" {
    def "Off" (active = false) {}
    over "Ghost" {}
    class "Pattern" {
        def "In" {}
    }
    def "Late" (payload = </P>) {
        def "Own" {}
    }
    def "Inst" (instanceable = true; references = </S>) {}
    def "Plain" {
        def "Deep" {}
    }
    def "Last" {
        def "Leaf" {}
    }
}
def "S" {
    def "K" {}
}
def "P" {}
)";

class Traversals : public ::testing::Test {
 protected:
  Traversals() {
    OpenOptions options;
    options.payloads = Payloads::skip;
    stage_ = open_layers({{"root.usda", kOfEveryKind}}, diagnostics_, options);
  }
  std::vector<std::string> below(const char* top, const Traversal& traversal = {}) const {
    std::vector<std::string> paths;
    for (const Prim prim : stage_->prim(top).descendants(traversal)) {
      paths.push_back(prim.path().str());
    }
    return paths;
  }
  std::vector<std::string> children(const char* path, const Traversal& traversal = {}) const {
    std::vector<std::string> names;
    for (const Prim prim : stage_->prim(path).children(traversal)) {
      names.push_back(prim.name().str());
    }
    return names;
  }

  Diagnostics diagnostics_;
  StagePtr stage_;
};

TEST_F(Traversals, LeaveOutWhatIsNotAskedForAndAllBelowIt) {
  EXPECT_THAT(below("/A"),
              ElementsAre("/A", "/A/Inst", "/A/Plain", "/A/Plain/Deep", "/A/Last", "/A/Last/Leaf"));
  const auto more = [&](const Traversal& traversal) {
    std::vector<std::string> paths = below("/A", traversal);
    for (const std::string& standard : below("/A")) std::erase(paths, standard);
    return paths;
  };
  EXPECT_THAT(more({.inactive = true}), ElementsAre("/A/Off"));
  EXPECT_THAT(more({.undefined = true}), ElementsAre("/A/Ghost"));
  EXPECT_THAT(more({.abstract = true}), ElementsAre("/A/Pattern", "/A/Pattern/In"));
  EXPECT_THAT(more({.unloaded = true}), ElementsAre("/A/Late", "/A/Late/Own"));
  EXPECT_THAT(more({.instance_proxies = true}), ElementsAre("/A/Inst/K"));
}

TEST_F(Traversals, OfChildrenFollowTheSameChoice) {
  EXPECT_THAT(children("/A"), ElementsAre("Inst", "Plain", "Last"));
  EXPECT_THAT(children("/A", {.inactive = true}), ElementsAre("Off", "Inst", "Plain", "Last"));
  EXPECT_THAT(children("/A", {.unloaded = true}), ElementsAre("Late", "Inst", "Plain", "Last"));
  EXPECT_THAT(children("/A/Inst"), ElementsAre());
  EXPECT_THAT(children("/A/Inst", Traversal::with_instance_proxies()), ElementsAre("K"));
}

TEST_F(Traversals, StartWithAPrimThatIsAskedForOrAreEmpty) {
  EXPECT_EQ(below("/").front(), "/");
  EXPECT_THAT(below("/A/Inst/K"), ElementsAre("/A/Inst/K"))
      << "A walk may start below an instance that it would not enter.";
  for (const char* path : {"/A/Off", "/A/Ghost", "/A/Pattern", "/A/Late"}) {
    EXPECT_THAT(below(path), ElementsAre()) << path;
    EXPECT_EQ(below(path, Traversal::all()).front(), path);
  }
}

TEST_F(Traversals, PassOverWhatIsBelowOnePrimIfAsked) {
  std::vector<std::string> paths;
  const PrimRange range = stage_->prim("/A").descendants();
  for (auto at = range.begin(); at != range.end(); ++at) {
    paths.push_back((*at).path().str());
    if ((*at).name().view() == "Plain") at.skip_descendants();
  }
  EXPECT_THAT(paths, ElementsAre("/A", "/A/Inst", "/A/Plain", "/A/Last", "/A/Last/Leaf"));
}

TEST(Places, BelowAnInstanceWithoutItsPayloadAreNotLoaded) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.payloads = Payloads::skip;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "I" (instanceable = true; references = </S>; payload = </P>) {}
def "J" (instanceable = true; references = </S>) {}
def "S" {
    def "K" {}
}
def "P" {}
)"}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);
  ASSERT_TRUE(stage->prim("/I/K").is_instance_proxy());
  EXPECT_FALSE(stage->prim("/I/K").is_loaded());
  EXPECT_TRUE(stage->prim("/J/K").is_loaded());
}

TEST(Composition, TellsOnceOfASublayerWhoseExpressionFailsAndNotOfOneThatGivesNothing) {
  for (const auto& [expression, code] :
       {std::pair{"${NOPE}", "stage-bad-expression"}, {"if(False, \"a.usda\")", ""}}) {
    Diagnostics diagnostics;
    const std::string root = std::string("(subLayers = [@`") + expression + "`@])\n";
    ASSERT_NE(open_layers({{"root.usda", root.c_str()}}, diagnostics), nullptr);
    ASSERT_EQ(diagnostics.size(), std::string_view(code).empty() ? 0u : 1u) << expression;
    if (!diagnostics.empty()) {
      EXPECT_EQ(diagnostics[0].code, code);
    }
  }
}

TEST(Prims, TakeWhatTheStrongestOpinionSaysOfThem) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
(subLayers = [@weak.usda@])
over "A" (active = true; instanceable = false) {
    def "K" {}
}
over "B" (active = false; instanceable = true) {}
over Mesh "C" {}
)"},
                                      {"weak.usda", R"(
def Cube "A" (active = false; instanceable = true; references = </S>) {}
def "B" (active = true; instanceable = false) {
    def "Gone" {}
}
def Cube "C" {}
def "S" {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/A").is_active());
  EXPECT_FALSE(stage->prim("/A").instanceable());
  EXPECT_FALSE(stage->prim("/A").is_instance());
  EXPECT_EQ(stage->prim("/A").type_name().view(), "Cube");
  EXPECT_TRUE(stage->prim("/A/K"));
  EXPECT_FALSE(stage->prim("/B").is_active());
  EXPECT_TRUE(stage->prim("/B").instanceable());
  EXPECT_FALSE(stage->prim("/B").is_instance()) << "There is no arc.";
  EXPECT_FALSE(stage->prim("/B/Gone"));
  EXPECT_EQ(stage->prim("/C").type_name().view(), "Mesh");
}

TEST(Prims, StandBesideOneAnotherUpToTheLastChild) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "A" {
    def "B" {}
    def "C" {
        def "D" {}
    }
}
def "Empty" {}
def "I" (instanceable = true; references = </A>) {}
def "J" (instanceable = true; references = </Empty>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  for (const char* top : {"/A", "/I"}) {
    const Prim first = stage->prim(top).first_child();
    ASSERT_TRUE(first);
    EXPECT_EQ(first.path().str(), std::string(top) + "/B");
    EXPECT_EQ(first.next_sibling().path().str(), std::string(top) + "/C");
    EXPECT_FALSE(first.next_sibling().next_sibling());
    EXPECT_FALSE(first.first_child());
    EXPECT_EQ(first.parent().path().str(), top);
  }
  ASSERT_TRUE(stage->prim("/J").is_instance());
  EXPECT_FALSE(stage->prim("/J").first_child());
  EXPECT_FALSE(stage->prim("/J").next_sibling());
  EXPECT_FALSE(stage->root().next_sibling());
  EXPECT_FALSE(stage->root().parent());
}

TEST(Prims, HavePropertiesInANamespaceByAnyOpinion) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "(subLayers = [@weak.usda@])\nover \"A\" { int one:x = 1; }\n"},
                   {"weak.usda", "def \"A\" { int w = 1; rel two:y; }\n"}},
                  diagnostics);
  const Prim prim = stage->prim("/A");
  EXPECT_TRUE(prim.has_property_in_namespace("one:"));
  EXPECT_TRUE(prim.has_property_in_namespace("two:"));
  EXPECT_FALSE(prim.has_property_in_namespace("x"));
  EXPECT_FALSE(prim.has_property_in_namespace("two:y:"));
}

// stage 3: custom if any spec says so, and as variable as the weakest says.
TEST(PropertiesOfSeveralSpecs, AreCustomByAnyOfThemAndVaryByTheWeakest) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
(subLayers = [@weak.usda@])
over "A" {
    custom double strong = 1
    double weak = 1
    double neither = 1
    uniform double fixed_above = 1
    double fixed_below = 1
}
)"},
                                      {"weak.usda", R"(
def "A" {
    double strong = 2
    custom double weak = 2
    double neither = 2
    double fixed_above = 2
    uniform double fixed_below = 2
}
)"}},
                                     diagnostics);
  const Prim prim = stage->prim("/A");
  EXPECT_TRUE(prim.attribute("strong").is_custom());
  EXPECT_TRUE(prim.attribute("weak").is_custom());
  EXPECT_FALSE(prim.attribute("neither").is_custom());
  EXPECT_EQ(prim.attribute("fixed_above").variability(), layer::Variability::varying);
  EXPECT_EQ(prim.attribute("fixed_below").variability(), layer::Variability::uniform);
}

// stage 3.9
TEST(ForwardedTargets, AreFollowedDepthFirstOnceEachThroughCircles) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "A" {
    rel r = [</A.s>, </B>, </C>, </A.none>]
    rel s = [</C>, </A.x>, </A.t>, </A.r>]
    rel t = [</D>, </D.gone>]
    rel none
    double x = 1
}
def "B" {}
def "C" {}
def "D" {}
)"}},
                                     diagnostics);
  std::vector<std::string> paths;
  for (const layer::Path& path : stage->prim("/A").relationship("r").forwarded_targets()) {
    paths.push_back(path.str());
  }
  EXPECT_THAT(paths, ElementsAre("/C", "/A.x", "/D", "/D.gone", "/B"));
}

TEST(Targets, ThatAnArcCannotMapAreToldWhereTheyAreWrittenUnlessTheyAreDeleted) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"P\" (references = @ref.usda@</R>) {}\n"}, {"ref.usda", R"(
def "R" {
    rel r = [</R/In>, </Out>]
    delete rel d = </Out>
    prepend rel e = [</Out>, </R>]
}
)"}},
                  diagnostics);
  const Prim prim = stage->prim("/P");
  EXPECT_THAT(prim.relationship("r").targets(), ElementsAre(*layer::Path::parse("/P/In")));
  ASSERT_TRUE(diagnostics.empty());
  EXPECT_THAT(prim.relationship("r").targets(&diagnostics),
              ElementsAre(*layer::Path::parse("/P/In")));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(format(diagnostics[0]),
            "ref.usda:4:1: error: </P.r>: The target </Out> lies outside of what the arc brings in "
            "and is left out. [stage-unmappable-target]");
  diagnostics.clear();
  EXPECT_TRUE(prim.relationship("d").targets(&diagnostics).empty());
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_THAT(prim.relationship("e").targets(&diagnostics), ElementsAre(*layer::Path::parse("/P")));
  EXPECT_EQ(diagnostics.size(), 1u);
}

}  // namespace
}  // namespace sinew::stage::composition_test
