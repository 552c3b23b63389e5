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

}  // namespace
}  // namespace sinew::stage::explain_test
