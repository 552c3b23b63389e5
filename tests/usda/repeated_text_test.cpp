// SPDX-License-Identifier: Apache-2.0
// Values that a file states again and again are held once, and nobody can tell.
#include <gtest/gtest.h>

#include <string>

#include "sinew/layer/layer.hpp"
#include "sinew/usda/parser.hpp"

namespace sinew::usda::repeated_text_test {
using namespace layer;
namespace {

LayerPtr read(const std::string& body) {
  Diagnostics diagnostics;
  Result<LayerPtr> layer = parse("#usda 1.0\n" + body, "test.usda", diagnostics);
  EXPECT_TRUE(layer) << (diagnostics.empty() ? "" : diagnostics.front().message);
  EXPECT_TRUE(diagnostics.empty());
  return layer ? *layer : nullptr;
}

const PropertySpec& property(const Layer& layer, std::string_view prim, std::string_view name) {
  const PropertySpec* found =
      layer.find_property(*layer.find_prim(prim), layer.tokens()->find(name));
  EXPECT_NE(found, nullptr) << prim << '.' << name;
  return *found;
}

std::string first_text(const PropertySpec& property) {
  return std::string(property.default_value.as_array<Token>().front().view());
}

TEST(RepeatedText, EqualArraysOfOneAttributeAreHeldOnce) {
  const LayerPtr layer = read(R"(def "A" {
uniform token[] order = ["x", "y"]
}
def "B" {
uniform token[] order = ["x", "y"]
}
def "C" {
uniform token[] order = ["x", "z"]
}
)");
  ASSERT_NE(layer, nullptr);
  const auto a = property(*layer, "/A", "order").default_value.as_array<Token>();
  const auto b = property(*layer, "/B", "order").default_value.as_array<Token>();
  const auto c = property(*layer, "/C", "order").default_value.as_array<Token>();
  EXPECT_EQ(a.data(), b.data());
  EXPECT_NE(a.data(), c.data());
  ASSERT_EQ(c.size(), 2U);
  EXPECT_EQ(c[1].view(), "z");
}

TEST(RepeatedText, TheSameTextOfAnotherTypeIsReadAnew) {
  const LayerPtr layer = read(R"(def "A" {
int[] n = [1, 2]
}
def "B" {
float[] n = [1, 2]
}
def "C" {
double2[] n = [(1, 2)]
}
def "D" {
float2[] n = [(1, 2)]
}
)");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(property(*layer, "/A", "n").default_value.as_array<std::int32_t>()[1], 2);
  EXPECT_EQ(property(*layer, "/B", "n").default_value.as_array<float>()[1], 2.0F);
  EXPECT_EQ(property(*layer, "/C", "n").default_value.as_array<Vector2d>()[0].y(), 2.0);
  EXPECT_EQ(property(*layer, "/D", "n").default_value.as_array<Vector2f>()[0].y(), 2.0F);
}

TEST(RepeatedText, ATextThatBeginsWithAKnownOneIsReadToItsEnd) {
  const LayerPtr layer = read(R"(def "A" {
string[] s = ["a"]
}
def "B" {
string[] s = ["a]", "b"]
}
def "C" {
string[] s = ["a" ]
}
def "D" { string[] s = ["a"]
  int after = 4
}
)");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(property(*layer, "/B", "s").default_value.size(), 2U);
  EXPECT_EQ(first_text(property(*layer, "/C", "s")), "a");
  EXPECT_EQ(first_text(property(*layer, "/D", "s")), "a");
  EXPECT_EQ(property(*layer, "/D", "after").line, 12U);
}

TEST(RepeatedText, ListOpsDifferByTheirEdit) {
  const LayerPtr layer = read(R"(def "A" (prepend apiSchemas = ["S"]) {}
def "B" (append apiSchemas = ["S"]) {}
def "C" (prepend apiSchemas = ["S"]) {}
def "D" (
    prepend apiSchemas = ["S"]
    append apiSchemas = ["T"]
) {}
def "E" (prepend apiSchemas = ["S"]) {}
)");
  ASSERT_NE(layer, nullptr);
  const auto op = [&](std::string_view prim) {
    return layer->find_prim(prim)->field("apiSchemas")->as_token_list_op();
  };
  EXPECT_EQ(op("/A"), op("/C"));  // One object.
  EXPECT_EQ(op("/A"), op("/E"));
  EXPECT_EQ(op("/B")->prepended.size(), 0U);
  EXPECT_EQ(op("/B")->appended.size(), 1U);
  EXPECT_EQ(op("/D")->prepended.size(), 1U);
  EXPECT_EQ(op("/D")->appended.size(), 1U);
  EXPECT_EQ(op("/E")->appended.size(), 0U);  // Not changed through D.
}

TEST(RepeatedText, ListOpsThatWereAddedToOthersAreReadAnew) {
  const LayerPtr layer = read(R"(def "A" (
    prepend apiSchemas = ["S"]
    append apiSchemas = ["T"]
) {}
def "B" (append apiSchemas = ["T"]) {}
)");
  ASSERT_NE(layer, nullptr);
  const ListOp<Token>& b = *layer->find_prim("/B")->field("apiSchemas")->as_token_list_op();
  EXPECT_TRUE(b.prepended.empty());
  ASSERT_EQ(b.appended.size(), 1U);
  EXPECT_EQ(b.appended[0].view(), "T");
}

TEST(RepeatedText, SharedTargetsAreNotChangedByALaterStatement) {
  const LayerPtr layer = read(R"(def "A" {
rel r = </T>
}
def "A2" {
rel r = </T>
}
def "B" {
    rel r = </T>
    append rel r = </U>
}
def "C" {
rel r = </T>
}
def "D" {
    prepend rel r = </T>
    append rel r = </U>
}
def "E" {
prepend rel r = </T>
}
def "F" {
rel r = </T>
}
)");
  ASSERT_NE(layer, nullptr);
  const auto targets = [&](std::string_view prim) -> const ListOp<Path>& {
    return *property(*layer, prim, "r").targets();
  };
  for (const char* prim : {"/A", "/A2", "/C", "/F"}) {
    ASSERT_EQ(targets(prim).explicit_items.size(), 1U) << prim;
    EXPECT_EQ(targets(prim).explicit_items[0].view(), "/T");
    EXPECT_TRUE(targets(prim).appended.empty()) << prim;
  }
  EXPECT_EQ(targets("/B").appended.size(), 1U);
  EXPECT_FALSE(targets("/B").is_explicit);
  EXPECT_EQ(targets("/D").appended.size(), 1U);
  EXPECT_EQ(targets("/E").prepended.size(), 1U);
  EXPECT_TRUE(targets("/E").appended.empty());
  EXPECT_EQ(property(*layer, "/A", "r").extra, property(*layer, "/A2", "r").extra);
}

TEST(RepeatedText, AVariantStatedAgainKeepsItsOwnTargets) {
  const LayerPtr layer = read(R"(def "A" (variantSets = "v") {
    variantSet "v" = {
        "one" {
rel r = </T>
}
        "two" {
rel r = </T>
}
        "one" {
prepend rel r = </U>
}
    }
}
def "B" {
rel r = </T>
}
)");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(property(*layer, "/A{v=one}", "r").targets()->prepended.size(), 1U);
  EXPECT_TRUE(property(*layer, "/A{v=two}", "r").targets()->prepended.empty());
  EXPECT_EQ(property(*layer, "/A{v=two}", "r").targets()->explicit_items.size(), 1U);
  EXPECT_EQ(property(*layer, "/B", "r").targets()->explicit_items.size(), 1U);
}

TEST(RepeatedText, RelativeTargetsMeanSomethingElseInEveryPrim) {
  const LayerPtr layer = read(R"(def "A" { rel r = <child>
 rel s = [</T>, <other>]
}
def "B" { rel r = <child>
 rel s = [</T>, <other>]
}
)");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(property(*layer, "/A", "r").targets()->explicit_items[0].view(), "/A/child");
  EXPECT_EQ(property(*layer, "/B", "r").targets()->explicit_items[0].view(), "/B/child");
  EXPECT_EQ(property(*layer, "/B", "s").targets()->explicit_items[1].view(), "/B/other");
}

TEST(RepeatedText, SamplesThatDoNotChangeAreHeldOnce) {
  const LayerPtr layer = read(R"(def "A" {
    half3[] scales.timeSamples = {
        0: [(1, 1, 1), (2, 2, 2)],
        1: [(1, 1, 1), (2, 2, 2)],
        2: None,
        3: [(1, 1, 1), (2, 2, 2)],
        4: [(1, 1, 1), (2, 2, 2), (3, 3, 3)],
        5: [(1, 1, 1)],
    }
    double d.timeSamples = { 0: 1, 1: 12 }
}
)");
  ASSERT_NE(layer, nullptr);
  const TimeSamples& samples = *property(*layer, "/A", "scales").time_samples();
  ASSERT_EQ(samples.values.size(), 6U);
  EXPECT_EQ(samples.values[0].bytes().data(), samples.values[1].bytes().data());
  EXPECT_TRUE(samples.values[2].is_block());
  EXPECT_EQ(samples.values[3], samples.values[0]);
  EXPECT_EQ(samples.values[4].size(), 3U);
  EXPECT_EQ(samples.values[5].size(), 1U);
  EXPECT_EQ(property(*layer, "/A", "d").time_samples()->values[1].get<double>(), 12.0);
}

TEST(RepeatedText, WarningsAreGivenEachTime) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(R"(#usda 1.0
def "A" {
half[] d = [99999999999999999999999]
}
def "B" {
half[] d = [99999999999999999999999]
}
def "C" (prepend apiSchemas = ["S", "S"]) {}
def "D" (prepend apiSchemas = ["S", "S"]) {}
)",
                                       "test.usda", diagnostics);
  ASSERT_TRUE(layer);
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(diagnostic.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{3, 6, 8, 9}));
}

}  // namespace
}  // namespace sinew::usda::repeated_text_test
