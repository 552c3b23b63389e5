// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stage/shared/local_value.hpp"
#include "stage/support.hpp"

namespace sinew::stage::explain_test {
namespace {

TEST(Explain, NamesTheArcsThatLedToAnOpinion) {
  Diagnostics diagnostics;
  const auto stage = open_layers({{"root.usda", R"(
def "P" (
    references = @asset.usda@</Model>
) {}
)"},
                                  {"asset.usda", R"(
def "Model" (
    variantSets = "look"
    variants = { string look = "red" }
) {
    variantSet "look" = {
        "red" {
            int x = 1
        }
    }
}
)"}},
                                 diagnostics);

  const auto opinions = stage->prim("/P").attribute("x").explain();

  ASSERT_EQ(opinions.size(), 1U);
  EXPECT_EQ(opinions[0].arcs, "reference @asset.usda@</Model> > variant look=red");
}

TEST(DefaultValue, IsNotGivenForARelationshipOverAnAttribute) {
  Diagnostics diagnostics;
  const auto stage = open_layers({{"root.usda", R"(
def "A" {
    int x = 1
}
def "P" (
    references = </A>
) {
    rel x
}
)"}},
                                 diagnostics);
  layer::Value made;

  EXPECT_EQ(default_value(stage->prim("/P"), stage->find_token("x"), made), nullptr);
  EXPECT_NE(default_value(stage->prim("/A"), stage->find_token("x"), made), nullptr);
}

// stage 5.3: the shorter way is taken; of two equal ones, the one towards the sample as it stands.
TEST(Interpolation, OfOppositeRotationsGoesTowardsTheSampleAsItStands) {
  Diagnostics diagnostics;
  const auto stage = open_layers({{"root.usda", R"(
def "P" {
    quatf q.timeSamples = { 0: (1, 0, 0, 0), 2: (0, 1, 0, 0) }
}
)"}},
                                 diagnostics);

  const auto q = stage->prim("/P").attribute("q").get<Quatf>(1.0);

  ASSERT_TRUE(q);
  EXPECT_FLOAT_EQ(q->w(), std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(q->x(), std::sqrt(0.5F));
}

std::size_t errors_of_nested_sublayers(int depth) {
  MemoryResolver resolver;
  for (int i = 0; i < depth; ++i) {
    const std::string next =
        i + 1 < depth ? fmt::format("(\n subLayers = [@{}.usda@]\n)\n", i + 1) : "";
    resolver.add(fmt::format("{}.usda", i), "#usda 1.0\n" + next);
  }
  OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  EXPECT_TRUE(Stage::open("0.usda", diagnostics, options));
  return count(diagnostics, Severity::error);
}

TEST(StageLimits, SublayersNestAThousandDeep) {
  EXPECT_EQ(errors_of_nested_sublayers(1000), 0U);
  EXPECT_EQ(errors_of_nested_sublayers(1001), 1U);
}

TEST(Explain, SaysWhereAnOpinionIsWrittenAndHowItsTimesAreMoved) {
  Diagnostics diagnostics;
  const auto stage = open_layers(
      {{"root.usda",
        "(subLayers = [@sub.usda@ (offset = 10; scale = 2)])\n"
        "over \"P\" (references = @asset.usda@</Model> (offset = 1)) {\n    int x\n}\n"},
       {"sub.usda", "def \"P\" {\n\n    int x.timeSamples = { 0: 1 }\n}\n"},
       {"asset.usda", "def \"Model\" {\n    int x = 3\n}\n"}},
      diagnostics);
  const auto opinions = stage->prim("/P").attribute("x").explain(0);
  ASSERT_EQ(opinions.size(), 3U);
  const char* const layers[] = {"root.usda", "sub.usda", "asset.usda"};
  const std::uint32_t lines[] = {4, 4, 3};
  const layer::LayerOffset offsets[] = {{}, {10.0, 2.0}, {1.0, 1.0}};
  const char* const paths[] = {"/P.x", "/P.x", "/Model.x"};
  const char* const notes[] = {"no value", "time samples", "hidden by a stronger opinion"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(opinions[i].layer, layers[i]);
    EXPECT_EQ(opinions[i].line, lines[i]) << i;
    EXPECT_EQ(opinions[i].offset, offsets[i]) << i;
    EXPECT_EQ(opinions[i].spec_path.view(), paths[i]);
    EXPECT_EQ(opinions[i].note, notes[i]);
    EXPECT_EQ(opinions[i].wins, i == 1) << i;
  }
  EXPECT_EQ(opinions[0].arcs, "");
  EXPECT_EQ(opinions[2].arcs, "reference @asset.usda@</Model>");
}

// Whatever a relationship's opinions are, none of them gives a value.
TEST(Explain, OfARelationshipNamesItsOpinions) {
  Diagnostics diagnostics;
  const auto stage =
      open_layers({{"root.usda", "(subLayers = [@weak.usda@])\nover \"P\" { rel r = </P>; }\n"},
                   {"weak.usda", "def \"P\" { rel r = </Q>; }\n"}},
                  diagnostics);
  const auto opinions = stage->prim("/P").relationship("r").explain();
  ASSERT_EQ(opinions.size(), 2U);
  for (const Opinion& opinion : opinions) {
    EXPECT_FALSE(opinion.wins);
    EXPECT_EQ(opinion.note, "no value");
  }
}

}  // namespace
}  // namespace sinew::stage::explain_test
