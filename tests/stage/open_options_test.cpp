// SPDX-License-Identifier: Apache-2.0
// What a program decides about a stage when it opens it: payloads, variants, layers without effect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "stage/support.hpp"

namespace sinew::stage::open_options_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<std::string, std::string>> selections(const Stage& stage, const char* path) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [set, variant] : stage.prim(path).variant_selections()) {
    result.emplace_back(set.str(), variant.str());
  }
  return result;
}

// A prim of `head` with the variants low, mid and high, each of which names itself in `t`.
std::string with_lods(const std::string& head, const std::string& inside = "") {
  std::string text = head + " {\n" + inside + "variantSet \"lod\" = {\n";
  for (const char* name : {"low", "mid", "high"}) {
    text += std::string("\"") + name + "\" {\ntoken t = \"" + name + "\"\n}\n";
  }
  return text + "}\n}\n";
}

TEST(VariantFallbacks, AreTheFirstThatExistsWhereNothingIsSelected) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.variant_fallbacks["lod"] = {"nowhere", "t", "mid", "low"};
  const std::string root = with_lods("def \"Unsaid\" (variantSets = \"lod\")") +
                           with_lods(
                               "def \"Said\" (variantSets = \"lod\"; variants = {\n"
                               "string lod = \"high\"\n})") +
                           with_lods(
                               "def \"None\" (variantSets = \"lod\"; variants = {\n"
                               "string lod = \"\"\n})");
  const StagePtr stage = open_layers({{"root.usda", root.c_str()}}, diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Unsaid", "t"), "mid");
  EXPECT_EQ(text_at(*stage, "/Said", "t"), "high");
  EXPECT_EQ(text_at(*stage, "/None", "t"), "no attribute");
  EXPECT_THAT(selections(*stage, "/Unsaid"), ElementsAre(Pair("lod", "mid")));
  EXPECT_THAT(selections(*stage, "/Said"), ElementsAre(Pair("lod", "high")));
  EXPECT_THAT(selections(*stage, "/None"), ElementsAre(Pair("lod", "")));
}

TEST(VariantFallbacks, ReachVariantsOfWhatIsReferenced) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.variant_fallbacks["lod"] = {"low"};
  const std::string asset =
      "(defaultPrim = \"A\")\n" + with_lods("def \"A\" (variantSets = \"lod\")");
  const StagePtr stage = open_layers(
      {{"root.usda", "def \"R\" (references = @asset.usda@) {}\n"}, {"asset.usda", asset.c_str()}},
      diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/R", "t"), "low");
}

TEST(VariantSelections, OfTheProgramWinOverAuthoredOnesAndFallbacks) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.variant_fallbacks["lod"] = {"mid"};
  options.variant_selections["/A"]["lod"] = "low";
  options.variant_selections["/B"]["lod"] = "";
  options.variant_selections["/C"]["other"] = "low";
  options.variant_selections["/D/Inside"]["lod"] = "low";
  options.variant_selections["/Source"]["lod"] = "low";
  const std::string high = "(variantSets = \"lod\"; variants = {\nstring lod = \"high\"\n})";
  const std::string root =
      with_lods("def \"A\" " + high) + with_lods("def \"B\" " + high) +
      with_lods("def \"C\" " + high) +
      with_lods("def \"D\" (variantSets = \"lod\")", with_lods("def \"Inside\" " + high)) +
      "def \"User\" (references = @asset.usda@</Source>) {}\n";
  const std::string asset = with_lods("def \"Source\" " + high);
  const StagePtr stage = open_layers({{"root.usda", root.c_str()}, {"asset.usda", asset.c_str()}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "low");
  EXPECT_EQ(text_at(*stage, "/B", "t"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/C", "t"), "high");
  EXPECT_EQ(text_at(*stage, "/D", "t"), "mid");
  EXPECT_EQ(text_at(*stage, "/D/Inside", "t"), "low");
  EXPECT_EQ(text_at(*stage, "/User", "t"), "high") << "The path is one of the stage.";
  EXPECT_THAT(selections(*stage, "/A"), ElementsAre(Pair("lod", "low")));
  EXPECT_THAT(selections(*stage, "/B"), ElementsAre(Pair("lod", "")));
}

TEST(VariantSelections, ListEverySetInComposedOrder) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
(subLayers = [@weak.usda@])
over "A" (prepend variantSets = "strong"; variants = { string shape = "b" }) {
    variantSet "strong" = { "on" {
        token s = "on"
    } }
}
)"},
                                      {"weak.usda", R"(
def "A" (append variantSets = ["shape", "look"]; variants = { string shape = "a"; string strong = "on" }) {
    variantSet "shape" = { "a" {
        token t = "a"
    } "b" {
        token t = "b"
    } }
    variantSet "look" = { "red" {} }
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_THAT(selections(*stage, "/A"),
              ElementsAre(Pair("strong", "on"), Pair("shape", "b"), Pair("look", "")));
  EXPECT_EQ(text_at(*stage, "/A", "s"), "on");
  EXPECT_EQ(text_at(*stage, "/A", "t"), "b");
}

constexpr const char* kWithPayload = R"(
def "A" (payload = @payload.usda@</P>; references = @asset.usda@</R>) {
    def "Own" {}
}
def "Plain" {
    def "Below" {}
}
)";

StagePtr open_with_payload(Payloads payloads, Diagnostics& diagnostics) {
  OpenOptions options;
  options.payloads = payloads;
  return open_layers({{"root.usda", kWithPayload},
                      {"payload.usda", "def \"P\" {\ndef \"FromPayload\" {}\n}\n"},
                      {"asset.usda", "def \"R\" {\ndef \"FromReference\" {}\n}\n"}},
                     diagnostics, options);
}

TEST(Payloads, BringWhatTheyHoldIfLoaded) {
  Diagnostics diagnostics;
  const StagePtr stage = open_with_payload(Payloads::load, diagnostics);
  ASSERT_NE(stage, nullptr);
  ASSERT_THAT(diagnostics, IsEmpty());
  EXPECT_TRUE(stage->prim("/A").is_loaded());
  EXPECT_TRUE(stage->prim("/A/FromPayload").is_loaded());
  EXPECT_TRUE(stage->prim("/A/FromReference"));
}

TEST(Payloads, LeaveTheirPrimsAndAllBelowUnloadedIfSkipped) {
  Diagnostics diagnostics;
  const StagePtr stage = open_with_payload(Payloads::skip, diagnostics);
  ASSERT_NE(stage, nullptr);
  ASSERT_THAT(diagnostics, IsEmpty());
  EXPECT_FALSE(stage->prim("/A").is_loaded());
  EXPECT_FALSE(stage->prim("/A/Own").is_loaded());
  EXPECT_FALSE(stage->prim("/A/FromPayload"));
  EXPECT_TRUE(stage->prim("/A/FromReference")) << "References are no payloads.";
  EXPECT_TRUE(stage->prim("/Plain").is_loaded());
  EXPECT_TRUE(stage->prim("/Plain/Below").is_loaded());
}

TEST(MutedLayers, AreAsIfEmpty) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.muted_layers = {"muted.usda"};
  const StagePtr stage = open_layers({{"root.usda",
                                       "(subLayers = [@muted.usda@, @weak.usda@])\n"
                                       "def \"R\" (references = @muted.usda@</A>) {}\n"},
                                      {"muted.usda", "def \"A\" { token t = \"muted\"; }\n"},
                                      {"weak.usda", "def \"A\" { token t = \"weak\"; }\n"}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "weak");
  EXPECT_EQ(text_at(*stage, "/R", "t"), "no attribute");
}

// Of the session layer its timeCodesPerSecond counts, then that of the root layer, then its
// framesPerSecond: sublayers are scaled to what results.
TEST(SessionLayer, SaysHowFastTimeRuns) {
  const struct {
    const char* session;
    const char* root;
    double second;  // Time code of the stage at which the sublayer's code 10 lies.
  } cases[] = {
      {"", "", 10.0},
      {"(timeCodesPerSecond = 48)\n", "", 20.0},
      {"(timeCodesPerSecond = 48)\n", "timeCodesPerSecond = 12; ", 20.0},
      {"(framesPerSecond = 48)\n", "", 20.0},
      {"(framesPerSecond = 48)\n", "timeCodesPerSecond = 12; ", 5.0},
      {"", "timeCodesPerSecond = 12; ", 5.0},
      {"", "framesPerSecond = 12; ", 5.0},
      {"(timeCodesPerSecond = 0)\n", "timeCodesPerSecond = 12; ", 10.0},  // Of no use.
      {"(timeCodesPerSecond = -48)\n", "", 10.0},
      {"(framesPerSecond = inf)\n", "framesPerSecond = 12; ", 10.0},
      {"", "timeCodesPerSecond = 0; framesPerSecond = 12; ", 10.0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.session) + c.root);
    Diagnostics diagnostics;
    OpenOptions options;
    options.session_layer = "session.usda";
    const std::string root = std::string("(") + c.root + "subLayers = [@sub.usda@])\n";
    const StagePtr stage = open_layers({{"root.usda", root.c_str()},
                                        {"session.usda", c.session},
                                        {"sub.usda",
                                         "(timeCodesPerSecond = 24)\n"
                                         "def \"A\" { double x.timeSamples = { 10: 1 }; }\n"}},
                                       diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_THAT(stage->prim("/A").attribute("x").time_samples(), ElementsAre(c.second));
  }
}

TEST(SessionLayer, IsStrongerThanTheRootLayer) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.session_layer = "session.usda";
  const StagePtr stage = open_layers({{"root.usda", R"((
    upAxis = "Y"
    metersPerUnit = 0.01
    kilogramsPerUnit = 3
    defaultPrim = "A"
    expressionVariables = { string WHO = "root"; string OWN = "root" }
)
def "A" {
    token t = "root"
    asset who = @`"${WHO}_${OWN}_${NEW}"`@
}
def "B" {}
)"},
                                      {"session.usda", R"((
    upAxis = "Z"
    metersPerUnit = 1
    defaultPrim = "B"
    expressionVariables = { string WHO = "session"; string NEW = "session" }
)
over "A" {
    token t = "session"
}
)"}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->metrics().up_axis, "Z");
  EXPECT_EQ(stage->metrics().meters_per_unit, 1.0);
  EXPECT_EQ(stage->metrics().kilograms_per_unit, 3.0);
  EXPECT_EQ(stage->default_prim().path().view(), "/B");
  EXPECT_EQ(text_at(*stage, "/A", "t"), "session");
  EXPECT_EQ(text_at(*stage, "/A", "who"), "session_root_session");
}

TEST(RootLayer, MayNotBeMissing) {
  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open(layer::LayerPtr(), diagnostics);
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code, ErrorCode::invalid_argument);
}

TEST(SessionLayer, MayNotBeMissing) {
  MemoryResolver resolver;
  resolver.add("root.usda", std::string("#usda 1.0\ndef \"A\" {}\n"));
  OpenOptions options;
  options.resolver = &resolver;
  options.session_layer = "session.usda";
  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace sinew::stage::open_options_test
