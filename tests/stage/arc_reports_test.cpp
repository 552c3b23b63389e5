// SPDX-License-Identifier: Apache-2.0
// What is told of arcs, sublayers and relocates that cannot be followed: where they are written and
// how they are reached. And what those bring that can be followed only in part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "stage/prim_index.hpp"
#include "stage/support.hpp"

namespace sinew::stage::arc_reports_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Layers = std::initializer_list<std::pair<const char*, const char*>>;

std::vector<std::string> told(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(format(diagnostic));
  return lines;
}

std::vector<std::string> told_of(Layers layers, OpenOptions options = {}) {
  Diagnostics diagnostics;
  open_layers(layers, diagnostics, std::move(options));
  return told(diagnostics);
}

TEST(ArcReports, NameTheArcAndTheLineOfTheItemAndWhyItLeadsNowhere) {
  EXPECT_THAT(
      told_of({{"root.usda", R"(
def "A" (
    references = [
        </None>,
        @ref.usda@</None>,
        @none.usda@</None>,
        @empty.usda@,
        @bad.usda@,
        @slash.usda@,
        @void.usda@
    ]
) {}
def "B" (payload = @ref.usda@</R/K/L>) {}
)"},
               {"ref.usda", "def \"R\" {\ndef \"K\" {}\n}\n"},
               {"empty.usda", ""},
               {"bad.usda", "(defaultPrim = \"a b\")\n"},
               {"slash.usda", "(defaultPrim = \"/\")\n"},
               {"void.usda", "(defaultPrim = \"\")\n"}}),
      UnorderedElementsAre(
          "root.usda:5:1: error: </A>: The reference to @@</None> is left out: there is no such "
          "prim. [stage-unresolved-arc]",
          "root.usda:6:1: error: </A>: The reference to @ref.usda@</None> is left out: there is no "
          "such prim. [stage-unresolved-arc]",
          "root.usda:7:1: error: </A>: The reference to @none.usda@</None> is left out: cannot "
          "find 'none.usda' among the layers in memory. [stage-unresolved-arc]",
          "root.usda:8:1: error: </A>: The reference to @empty.usda@<> is left out: the layer has "
          "no defaultPrim. [stage-unresolved-arc]",
          "root.usda:9:1: error: </A>: The reference to @bad.usda@<> is left out: its defaultPrim "
          "'a b' is not the path of a prim. [stage-unresolved-arc]",
          "root.usda:10:1: error: </A>: The reference to @slash.usda@<> is left out: its "
          "defaultPrim '/' is not the path of a prim. [stage-unresolved-arc]",
          "root.usda:11:1: error: </A>: The reference to @void.usda@<> is left out: the layer has "
          "no defaultPrim. [stage-unresolved-arc]",
          "root.usda:14:1: error: </B>: The payload to @ref.usda@</R/K/L> is left out: there is no "
          "such prim. [stage-unresolved-arc]"));
}

TEST(ArcReports, OfArcsInOtherLayersTellHowTheyAreReached) {
  EXPECT_THAT(
      told_of({{"root.usda", "def \"B\" (references = @ref.usda@</R>) {}\n"}, {"ref.usda", R"(
def "R" (references = </S>) {
    def "K" (references = </Gone>) {}
}
def "S" (
    payload = </Gone>
) {}
)"}}),
      UnorderedElementsAre(
          "ref.usda:7:1: error: </S>: The payload to @@</Gone> is left out: there is no such prim; "
          "reached by @root.usda@</B> -> @ref.usda@</R> -> @ref.usda@</S>. [stage-unresolved-arc]",
          "ref.usda:4:1: error: </R/K>: The reference to @@</Gone> is left out: there is no such "
          "prim; reached by @root.usda@</B/K> -> @ref.usda@</R/K>. [stage-unresolved-arc]"));
}

TEST(ArcReports, OfCyclesNameTheKindOfArc) {
  for (const auto& [field, kind] : {std::pair{"references", "reference"},
                                    {"payload", "payload"},
                                    {"inherits", "inherit"},
                                    {"specializes", "specialize"}}) {
    const std::string root = std::string("def \"D\" (") + field + " = </D/K>) {}\n";
    EXPECT_THAT(told_of({{"root.usda", root.c_str()}}),
                ElementsAre(std::string("root.usda:2:1: error: </D>: The ") + kind +
                            " to </D/K> is left out: the prim would be composed from itself. "
                            "[stage-cycle]"));
  }
}

TEST(ArcReports, OfPrimsThatARelocateMovedSayThat) {
  EXPECT_THAT(told_of({{"root.usda", R"(
( relocates = { </A/K>: </A/L> } )
def "A" (references = </S>) {}
def "S" {
    def "K" {}
}
def "B" (references = </A/K>) {}
def "C" (inherits = </A/K>) {}
def "D" (references = </A/L>) {}
)"}}),
              UnorderedElementsAre(
                  "root.usda:8:1: error: </B>: The reference to </A/K> is left out: a relocate "
                  "moved the prim away. [stage-unresolved-arc]",
                  "root.usda:9:1: error: </C>: The inherit to </A/K> is left out: a relocate moved "
                  "the prim away. [stage-unresolved-arc]"));
}

TEST(ArcReports, OfExpressionsSayWhetherTheyFailOrGiveNoString) {
  EXPECT_THAT(told_of({{"root.usda", R"(
def "E" (references = @`1`@</A>) {}
def "F" (references = @`${x}`@</A>) {}
def "G" (references = @`None`@</A>) {}
)"}}),
              UnorderedElementsAre(
                  "root.usda: error: The expression '`1`' does not give a string. "
                  "[stage-bad-expression]",
                  "root.usda: error: The expression '`${x}`' cannot be evaluated: the expression "
                  "variable 'x' is not defined. [stage-bad-expression]"));
}

TEST(ArcReports, OfALayerThatCannotBeReadComeForEveryArcButItsOwnErrorOnce) {
  EXPECT_THAT(
      told_of({{"root.usda",
                "def \"A\" (references = @b.usda@) {}\ndef \"B\" (payload = @b.usda@) {}\n"},
               {"b.usda", "def \"X\" {\ntoken t =\n}\n"}}),
      ElementsAre("b.usda:3:10: error: </X.t>: Expected a string in quotes, found the end of the "
                  "line. [usda-syntax]",
                  "root.usda:2:1: error: </A>: The reference to @b.usda@<> is left out: Expected a "
                  "string in quotes, found the end of the line. [stage-unresolved-arc]",
                  "root.usda:3:1: error: </B>: The payload to @b.usda@<> is left out: Expected a "
                  "string in quotes, found the end of the line. [stage-unresolved-arc]"));
}

TEST(SublayerReports, AreWarningsOfWhatIsMissingAndErrorsOfWhatIsWrong) {
  EXPECT_THAT(
      told_of({{"root.usda", R"(
(
    subLayers = [
        @none.usda@,
        @a.usda@,
        @@,
        @root.usda@
    ]
)
)"},
               {"a.usda", "(\nsubLayers = [\n@root.usda@\n]\n)\n"}}),
      ElementsAre("root.usda:5:1: warning: The sublayer @none.usda@ is left out: cannot find "
                  "'none.usda' among the layers in memory. [stage-missing-sublayer]",
                  "a.usda:4:1: error: The sublayer @root.usda@ contains itself; it is left out "
                  "there. [stage-sublayer-cycle]",
                  "root.usda:7:1: warning: A sublayer that is named by an empty path is left out. "
                  "[stage-missing-sublayer]",
                  "root.usda:8:1: error: The sublayer @root.usda@ contains itself; it is left out "
                  "there. [stage-sublayer-cycle]"));
}

TEST(SublayerReports, OfALimitAreErrorsAndSoAreThoseOfArcsToTheLayer) {
  OpenOptions options;
  options.limits.layers = 2;
  EXPECT_THAT(told_of({{"root.usda", R"(
(subLayers = [@a.usda@, @b.usda@])
def "A" (references = @b.usda@</A>) {}
)"},
                       {"a.usda", ""},
                       {"b.usda", ""}},
                      options),
              ElementsAre("root.usda:3:1: error: The sublayer @b.usda@ is left out: the stage has "
                          "more layers than the limit of 2. [stage-missing-sublayer]",
                          "root.usda:4:1: error: </A>: The reference to @b.usda@</A> is left out: "
                          "the stage has more layers than the limit of 2. [stage-unresolved-arc]"));
}

TEST(SublayerReports, OfOneLayerNamedAgainAndAgainComePastTheLimitOfLayers) {
  OpenOptions options;
  options.limits.layers = 3;
  const char* const a = "def \"A\" {}\n";
  EXPECT_THAT(
      told_of({{"root.usda", "(subLayers = [@a.usda@, @a.usda@])\n"}, {"a.usda", a}}, options),
      IsEmpty());
  EXPECT_THAT(
      told_of({{"root.usda", "(subLayers = [@a.usda@, @a.usda@, @a.usda@])\n"}, {"a.usda", a}},
              options),
      ElementsAre("a.usda: error: A layer stack has more layers than the limit of 3. "
                  "[stage-limit]"));
}

// A layer has the offset of its first place in each stack, whatever its place in others is.
TEST(SublayerOffsets, OfALayerInTwoStacksAreThoseOfEachStack) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@x.usda@ (offset = 10)])\n"
        "def \"P\" (references = @asset.usda@</A>) {}\n"},
       {"asset.usda", "(subLayers = [@pad.usda@ (offset = 100), @x.usda@ (offset = 3)])\n"},
       {"pad.usda", ""},
       {"x.usda", "def \"A\" {\ndouble x.timeSamples = { 0: 1 }\n}\n"}},
      diagnostics);
  EXPECT_EQ(stage->prim("/A").attribute("x").time_samples(), std::vector<double>{10.0});
  EXPECT_EQ(stage->prim("/P").attribute("x").time_samples(), std::vector<double>{3.0});
}

TEST(ArcLimits, LetArcsLeadOnFromOneAnother128Times) {
  const auto told_of_chain = [](int arcs) {
    std::string text = "def \"P0\" {}\n";
    for (int i = 1; i <= arcs; ++i) {
      text += "def \"P" + std::to_string(i) + "\" (references = </P" + std::to_string(i - 1) +
              ">) {}\n";
    }
    return told_of({{"root.usda", text.c_str()}});
  };
  EXPECT_THAT(told_of_chain(128), IsEmpty());
  EXPECT_THAT(
      told_of_chain(129),
      ElementsAre("root.usda:3:1: error: </P1>: Arcs lead on from one another more than 128 times; "
                  "further ones are left out; reached by ... -> @root.usda@</P8> -> "
                  "@root.usda@</P7> -> @root.usda@</P6> -> @root.usda@</P5> -> @root.usda@</P4> -> "
                  "@root.usda@</P3> -> @root.usda@</P2> -> @root.usda@</P1>. [stage-limit]"));
}

TEST(ArcLimits, AreToldWithThePrimThatMeetsThem) {
  const char* const text =
      "def \"A\" {}\ndef \"B\" {}\ndef \"C\" {\ndef \"K\" (references = [</A>, </B>]) {}\n}\n";
  OpenOptions of_prim;
  of_prim.limits.arcs_per_prim = 2;
  EXPECT_THAT(told_of({{"root.usda", text}}, of_prim),
              ElementsAre("root.usda:5:1: error: </C/K>: The prim has more arcs than the limit of "
                          "2; the rest are left out. [stage-limit]"));
  OpenOptions of_stage;
  of_stage.limits.arcs_per_stage = 1;
  EXPECT_THAT(told_of({{"root.usda", text}}, of_stage),
              ElementsAre("root.usda:5:1: error: </C/K>: The stage has more arcs than the limit of "
                          "1; the rest are left out. [stage-limit]"));
}

TEST(ArcLimits, OfPrimsAreToldOnceHoweverManyArePast) {
  OpenOptions options;
  options.limits.prims = 4;
  EXPECT_THAT(told_of({{"root.usda",
                        "def \"S\" {\ndef \"T\" {}\n}\n"
                        "def \"R\" (references = </S>) {}\ndef \"Q\" (references = </S>) {}\n"}},
                      options),
              ElementsAre("root.usda: error: The stage has more prims than the limit of 4. "
                          "[stage-limit]"));
}

TEST(StageLimits, AreToldOnceAndSayWhatIsMissing) {
  const char* const text =
      "def \"S\" {\ndef \"A\" {}\ndef \"B\" {}\n}\n"
      "def \"I\" (instanceable = true; references = </S>) {}\n"
      "def \"J\" (instanceable = true; references = </S>) {}\n";
  OpenOptions of_instances;
  of_instances.limits.instance_proxies = 3;
  EXPECT_THAT(told_of({{"root.usda", text}}, of_instances),
              ElementsAre("root.usda: error: The stage has more prims below instances than the "
                          "limit of 3; none of them is shown. [stage-limit]"));
  OpenOptions of_steps;
  of_steps.limits.composition_steps = 0;
  of_steps.limits.composition_steps_per_prim = 0;
  EXPECT_THAT(told_of({{"root.usda", text}}, of_steps),
              ElementsAre("root.usda: error: Composing the stage takes more steps than the limit "
                          "of 0; what comes after </I> is left out. [stage-limit]"));
}

TEST(StageLimits, OfNestingLeaveOutWhatIsDeeperOnly) {
  OpenOptions options;
  options.limits.prim_nesting = 3;
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"S\" {\ndef \"A\" {\ndef \"B\" {}\n}\n}\n"
        "def \"X\" {\ndef \"Y\" (references = </S>) {}\ndef \"Z\" (references = </S>) {}\n}\n"}},
      diagnostics, options);
  EXPECT_TRUE(stage->prim("/X/Z/A").valid());
  EXPECT_FALSE(stage->prim("/X/Z/A/B").valid());
  EXPECT_THAT(told(diagnostics), ElementsAre("root.usda: error: Composed prims nest deeper than "
                                             "the limit of 3. [stage-limit]"));
}

TEST(RelocateReports, NameTheLayerThatStatesTheEntry) {
  EXPECT_THAT(
      told_of({{"root.usda", R"((
    subLayers = [@sub.usda@]
    relocates = { </A/B>: </A/C>, </A/D>: </A/C> }
)
def "A" {
    def "B" {}
    def "D" {}
}
)"},
               {"sub.usda",
                "(relocates = { </Q/B>: </Q/C>, </R>: </S> })\ndef \"Q\" {\ndef \"B\" {}\n}\n"}}),
      UnorderedElementsAre(
          "root.usda: error: The relocate from </A/B> to </A/C> is not valid and is ignored. "
          "[stage-bad-relocate]",
          "root.usda: error: The relocate from </A/D> to </A/C> is not valid and is ignored. "
          "[stage-bad-relocate]",
          "sub.usda: error: The relocate from </R> to </S> is not valid and is ignored. "
          "[stage-bad-relocate]"));
}

// Each list of names orders what is there when its layer is reached, from the weakest on: a name
// takes those along that stand behind it.
TEST(OrderOfChildren, IsChangedByEachLayerInTurn) {  // stage 3.6
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@weak.usda@])\nover \"A\" {\nreorder nameChildren = [\"c\", \"a\"]\n"
        "def \"new\" {}\n}\n"},
       {"weak.usda",
        "def \"A\" {\nreorder nameChildren = [\"b\", \"c\"]\n"
        "def \"a\" {}\ndef \"c\" {}\ndef \"b\" {}\n}\n"
        "def \"L\" {\nreorder nameChildren = [\"z\", \"x\"]\n"
        "def \"x\" {}\ndef \"y\" {}\ndef \"z\" {}\n}\n"}},
      diagnostics);
  EXPECT_EQ(children_of(*stage, "/A"), "c new a b ");
  EXPECT_EQ(children_of(*stage, "/L"), "z x y ");
}

// Each source lies below the next one's target: the last is where it was after one move less than
// there are entries.
TEST(Relocates, ThatMove64TimesAreRefused) {
  const auto told_of_moves = [](int entries) {
    std::string moves;
    for (int i = 0; i < entries; ++i) {
      moves += "</M/t" + std::to_string(i + 1) + "/a>: </M/t" + std::to_string(i) + ">, ";
    }
    const std::string text = "(relocates = { " + moves + "})\n";
    return told_of({{"root.usda", text.c_str()}});
  };
  EXPECT_THAT(told_of_moves(64), IsEmpty());
  EXPECT_THAT(told_of_moves(65),
              ElementsAre("root.usda: error: The relocate from </M/t1/a> to </M/t0> is not valid "
                          "and is ignored. [stage-bad-relocate]"));
}

// stage 3.7
TEST(Relocates, OfTheStrongestLayerCountForOneSource) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(subLayers = [@weak.usda@]\nrelocates = { </M/A>: </M/X> })\n"
                    "def \"M\" (references = @asset.usda@</R>) {}\n"},
                   {"weak.usda", "(relocates = { </M/A>: </M/Y>, </M/B>: <> })\n"},
                   {"asset.usda", "def \"R\" {\ndef \"A\" {}\ndef \"B\" {}\ndef \"C\" {}\n}\n"}},
                  diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(children_of(*stage, "/M"), "X C ");
}

TEST(Relocates, BelowTheirOwnSourceStandInNobodysWay) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(relocates = { </M/A>: </M/A/B>, </M/A/c>: </M/Y> })\n"
                    "def \"M\" (references = @asset.usda@</R>) {}\n"},
                   {"asset.usda", "def \"R\" {\ndef \"A\" {\ndef \"c\" {}\n}\n}\n"}},
                  diagnostics);
  EXPECT_THAT(told(diagnostics),
              ElementsAre("root.usda: error: The relocate from </M/A> to </M/A/B> is not valid and "
                          "is ignored. [stage-bad-relocate]"));
  EXPECT_EQ(children_of(*stage, "/M"), "A Y ");
}

TEST(Relocates, ToANameThatIsThereAlreadyNameItOnce) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "(relocates = { </M/A>: </M/C> })\n"
                                       "def \"M\" (references = @asset.usda@</R>) {}\n"},
                                      {"asset.usda",
                                       "def \"R\" {\ndef \"A\" {\ntoken t = \"a\"\n}\n"
                                       "def \"B\" {}\ndef \"C\" {\ntoken t = \"c\"\n}\n}\n"}},
                                     diagnostics);
  EXPECT_EQ(children_of(*stage, "/M"), "B C ");
  EXPECT_EQ(text_at(*stage, "/M/C", "t"), "a") << "What was moved takes the place.";
}

TEST(DefaultPrims, OfArcsMayBePathsOfPrims) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "def \"P\" (references = @a.usda@) {}\ndef \"Q\" (payload = @b.usda@) {}\n"},
       {"a.usda", "(defaultPrim = \"/A/B\")\ndef \"A\" {\ndef \"B\" {\ntoken t = \"b\"\n}\n}\n"},
       {"b.usda", "(defaultPrim = \"A/B\")\ndef \"A\" {\ndef \"B\" {\ntoken t = \"b\"\n}\n}\n"}},
      diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(text_at(*stage, "/P", "t"), "b");
  EXPECT_EQ(text_at(*stage, "/Q", "t"), "b");
}

// The options name prims of the stage. What is above an arc's target is none.
TEST(SelectionsOfOptions, AreNotForWhatIsAboveTheTargetOfAnArc) {
  OpenOptions options;
  options.variant_selections["/S"]["v"] = "two";
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"P\" (references = @a.usda@</S/K>) {}\n"}, {"a.usda", R"(
def "S" (variants = { string v = "one" }; variantSets = "v") {
    def "K" {}
    variantSet "v" = {
        "one" {
            over "K" {
                token t = "one"
            }
        }
        "two" {
            over "K" {
                token t = "two"
            }
        }
    }
}
)"}},
                  diagnostics, options);
  EXPECT_EQ(text_at(*stage, "/P", "t"), "one");
}

// Opinions, and fallbacks where there are none, count for what is above an arc's target too; that
// none is selected is an opinion.
TEST(Fallbacks, CountAboveTheTargetOfAnArcUnlessNoneIsSelected) {
  for (const auto& [selected, expected] : {std::pair{"", "low"},
                                           {"variants = { string lod = \"\" }; ", "no attribute"},
                                           {"variants = { string lod = \"high\" }; ", "high"}}) {
    OpenOptions options;
    options.variant_fallbacks["lod"] = {"nowhere", "low"};
    Diagnostics diagnostics;
    const std::string asset = std::string("def \"S\" (") + selected + R"(variantSets = "lod") {
    def "K" {}
    variantSet "lod" = {
        "high" {
            over "K" {
                token t = "high"
            }
        }
        "low" {
            over "K" {
                token t = "low"
            }
        }
    }
}
)";
    const StagePtr stage = open_layers(
        {{"root.usda", "def \"P\" (references = @a.usda@</S/K>) {}\n"}, {"a.usda", asset.c_str()}},
        diagnostics, options);
    EXPECT_EQ(text_at(*stage, "/P", "t"), expected) << selected;
  }
}

// What is below an instance is that of the arcs, their offsets and the selections.
TEST(InstancesWithOnePrototype, AgreeInArcsOffsetsAndSelections) {
  Diagnostics diagnostics;
  const auto instance = [](const std::string& name, const std::string& rest) {
    return "def \"" + name + "\" (instanceable = true; " + rest + ") {}\n";
  };
  const std::string s = "references = </S>";
  const std::string root =
      "(subLayers = [@weak.usda@])\n" +
      instance("A", "variants = { string a = \"x\"; string b = \"y\" }; " + s) +
      instance("Turned", "variants = { string b = \"y\"; string a = \"x\" }; " + s) +
      instance("OtherVariant", "variants = { string a = \"x\"; string b = \"x\" }; " + s) +
      instance("Swapped", "variants = { string a = \"y\"; string b = \"x\" }; " + s) +
      instance("Fewer", "variants = { string a = \"x\" }; " + s) +
      instance("Over", "variants = { string a = \"x\"; string b = \"y\" }; " + s) +
      instance("Offset",
               "variants = { string a = \"x\"; string b = \"y\" }; " + s + " (offset = 1)") +
      instance("Scale",
               "variants = { string a = \"x\"; string b = \"y\" }; " + s + " (scale = 2)") +
      instance("Payload", "variants = { string a = \"x\"; string b = \"y\" }; payload = </S>") +
      instance("OtherPrim",
               "variants = { string a = \"x\"; string b = \"y\" }; references = </T>") +
      "def \"S\" {\ndef \"K\" {}\n}\ndef \"T\" {\ndef \"K\" {}\n}\n";
  const StagePtr stage = open_layers(
      {{"root.usda", root.c_str()},
       {"weak.usda",
        "over \"Over\" (variants = { string b = \"weak\"; string a = \"weak\" }) {}\n"}},
      diagnostics);
  const auto shown_by = [&](const std::string& name) {
    const Prim child = stage->prim("/" + name + "/K");
    EXPECT_TRUE(child.is_instance_proxy()) << name;
    return child.node();
  };
  for (const char* same : {"Turned", "Over"}) EXPECT_EQ(shown_by(same), shown_by("A")) << same;
  for (const char* other :
       {"OtherVariant", "Swapped", "Fewer", "Offset", "Scale", "Payload", "OtherPrim"}) {
    EXPECT_NE(shown_by(other), shown_by("A")) << other;
  }
}

TEST(DepthOfPaths, CountsPrimsButNoVariants) {
  for (const auto& [path, depth, elements] : {std::tuple{"/", 0u, 0u},
                                              {"/A", 1u, 1u},
                                              {"/A/Bc/D", 3u, 3u},
                                              {"/A{v=a}", 1u, 2u},
                                              {"/A{v=a}B", 2u, 3u},
                                              {"/A{v=a}{w=b}", 1u, 3u},
                                              {"/A{v=a}{w=b}B/C", 3u, 5u},
                                              {"/A/B{v=}C{w=b}", 3u, 5u}}) {
    EXPECT_EQ(depth_of(layer::Path::from_trusted(path)), depth) << path;
    EXPECT_EQ(element_count(layer::Path::from_trusted(path)), elements) << path;
  }
}

}  // namespace
}  // namespace sinew::stage::arc_reports_test
