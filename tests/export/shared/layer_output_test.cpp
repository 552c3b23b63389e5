// SPDX-License-Identifier: Apache-2.0
// Names and room of what importers make.
#include "export/shared/layer_output.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "export/shared/budget.hpp"
#include "sinew/core/limits.hpp"

namespace sinew::exporter::layer_output_test {
namespace {

TEST(IdentifierOf, ReplacesEachCharacterThatDoesNotFit) {
  const std::pair<std::string, std::string> rows[] = {
      {"", "none"},
      {"a_1", "a_1"},
      {"a b.c", "a_b_c"},
      {"1a", "_1a"},
      {"-", "_"},
      {"gr\xC3\xBCn", "gr\xC3\xBCn"},                            // Of two bytes.
      {"\xE6\x97\xA5\xE6\x9C\xAC", "\xE6\x97\xA5\xE6\x9C\xAC"},  // Of three.
      {"\xF0\xA0\x80\x80z", "\xF0\xA0\x80\x80z"},                // Of four.
      {"a\xC2\xA0z", "a_z"},
      {"a\xE2\x80\x94z", "a_z"},
      {"a\xF0\x9F\x98\x80z", "a_z"},
      {"a\xC3", "a_"},  // A part of a character.
  };
  for (const auto& [text, name] : rows) EXPECT_EQ(identifier_of(text, "none"), name) << text;
}

TEST(IdentifierOf, EndsAfterTheCharacterThatReaches200Bytes) {
  const std::string long_name(199, 'a');
  EXPECT_EQ(identifier_of(long_name + "bc", ""), long_name + "b");
  EXPECT_EQ(identifier_of(long_name + "\xC3\xBC" + "c", ""), long_name + "\xC3\xBC");
  EXPECT_EQ(identifier_of(long_name + "b", ""), long_name + "b");
}

TEST(DistinctName, CountsFromOneAndPassesOverWhatIsTaken) {
  std::map<std::string, std::size_t, std::less<>> taken;
  EXPECT_EQ(distinct_name(taken, "a"), "a");
  EXPECT_EQ(distinct_name(taken, "a_2"), "a_2");
  EXPECT_EQ(distinct_name(taken, "a"), "a_1");
  EXPECT_EQ(distinct_name(taken, "a"), "a_3");
  EXPECT_EQ(distinct_name(taken, "a_1"), "a_1_1");
  EXPECT_EQ(distinct_name(taken, "b"), "b");
}

// What may still be spent, found by trying.
std::uint64_t room(std::uint64_t decoded_bytes, std::uint64_t decoded_per_byte,
                   std::uint64_t file_bytes) {
  Limits limits;
  limits.decoded_bytes = decoded_bytes;
  limits.decoded_per_byte = decoded_per_byte;
  std::uint64_t most = 0;
  for (int bit = 40; bit >= 0; --bit) {
    const std::uint64_t next = most | std::uint64_t{1} << bit;
    if (Budget(limits, file_bytes).spend(next)) most = next;
  }
  return most;
}

TEST(Budget, IsAMultipleOfTheFileBeside64MibAndNoMoreThanTheLimit) {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  EXPECT_EQ(room(100 * kMib, 10, kMib), 74 * kMib);
  EXPECT_EQ(room(100 * kMib, 10, 0), 64 * kMib);
  EXPECT_EQ(room(100 * kMib, 10, 10 * kMib), 100 * kMib);
  EXPECT_EQ(room(100 * kMib, 0, kMib), 100 * kMib);  // No such limit.
  EXPECT_EQ(room(10, 10, kMib), 10U);
  EXPECT_EQ(room(100 * kMib, 10, std::numeric_limits<std::uint64_t>::max()), 100 * kMib);
}

TEST(Budget, RefusesAllOnceItRefused) {
  Limits limits;
  limits.decoded_bytes = 100;
  Budget budget(limits, 0);
  EXPECT_TRUE(budget.spend(5, 16));
  EXPECT_TRUE(budget.spend(7, 0));
  EXPECT_TRUE(budget.spend(20));
  EXPECT_FALSE(budget.is_spent());
  EXPECT_TRUE(budget.spend(0));
  EXPECT_FALSE(budget.spend(1));
  EXPECT_TRUE(budget.is_spent());
  EXPECT_FALSE(budget.spend(0));

  Budget large(limits, 0);
  EXPECT_FALSE(large.spend(std::numeric_limits<std::uint64_t>::max() / 2, 4));
  Budget uneven(limits, 0);
  EXPECT_FALSE(uneven.spend(34, 3));
  Budget even(limits, 0);
  EXPECT_TRUE(even.spend(33, 3));
  EXPECT_TRUE(even.spend(1));
  EXPECT_FALSE(even.spend(1));
}

TEST(LayerOutput, MakesNoPrimsOnceTheBudgetIsSpent) {
  Limits limits;
  limits.decoded_bytes = 2 * 512;  // Of two prims.
  Budget budget(limits, 0);
  LayerOutput output("a.usda", budget);
  OutPrim* const first = output.add(output.root(), "Xform", "a", "prim");
  OutPrim* const second = output.add(first, "Xform", "", "prim");
  ASSERT_NE(first, output.root());
  ASSERT_NE(second, first);
  EXPECT_EQ(second->name, "prim");
  EXPECT_FALSE(budget.is_spent());
  EXPECT_EQ(output.add(second, "Xform", "c", "prim"), second);
  EXPECT_TRUE(budget.is_spent());
}

TEST(LayerOutput, NamesPathsFromTheRoot) {
  Budget budget(Limits(), 0);
  LayerOutput output("a.usda", budget);
  OutPrim* const first = output.add(output.root(), "Xform", "a", "prim");
  OutPrim* const second = output.add(first, "Xform", "b", "prim");
  OutPrim* const again = output.add(first, "Xform", "b", "prim");
  EXPECT_EQ(output.path(*output.root()).str(), "/");
  EXPECT_EQ(output.path(*first).str(), "/a");
  EXPECT_EQ(output.path(*second).str(), "/a/b");
  EXPECT_EQ(output.path(*again).str(), "/a/b_1");
}

TEST(LayerOutput, NumbersStayFinite) {
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(finite_float(1e300), kMost);
  EXPECT_EQ(finite_float(-1e300), -kMost);
  EXPECT_EQ(finite_float(0.5), 0.5F);
  EXPECT_EQ(finite_float(std::numeric_limits<double>::infinity()),
            std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace sinew::exporter::layer_output_test
