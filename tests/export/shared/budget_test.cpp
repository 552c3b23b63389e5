// SPDX-License-Identifier: Apache-2.0
#include "export/shared/budget.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace sinew::exporter::budget_test {
namespace {

constexpr std::uint64_t kBase = 64ULL << 20;

TEST(Budget, GrowsWithEachFileThatIsRead) {
  Limits limits;
  limits.decoded_bytes = std::numeric_limits<std::uint64_t>::max();
  limits.decoded_per_byte = 10;
  Budget budget(limits, 100);
  EXPECT_TRUE(budget.spend(kBase));
  EXPECT_TRUE(budget.spend(1000));
  budget.add_file("a.stl", 50);
  for (int i = 0; i < 1000; ++i) budget.add_file("a.stl", 50);  // Once, however often it is read.
  EXPECT_TRUE(budget.spend(50, 10));
  EXPECT_FALSE(budget.spend(1));
  EXPECT_TRUE(budget.is_spent());
  budget.add_file("b.stl", 50);
  EXPECT_FALSE(budget.spend(1));  // What was refused stays so.
}

TEST(Budget, StaysBelowWhatAllMayAskFor) {
  Limits limits;
  limits.decoded_bytes = kBase + 100;
  limits.decoded_per_byte = 10;
  Budget budget(limits, 5);
  for (const std::uint64_t size : {std::uint64_t{9}, std::numeric_limits<std::uint64_t>::max()}) {
    budget.add_file(std::to_string(size), size);
  }
  EXPECT_TRUE(budget.spend(kBase + 100));
  EXPECT_FALSE(budget.spend(1));
}

TEST(Budget, CountsNoFilesWithoutAShareOfThem) {
  Limits limits;
  limits.decoded_bytes = 1000;
  limits.decoded_per_byte = 0;
  Budget budget(limits, 1);
  budget.add_file("a", 100000);
  EXPECT_TRUE(budget.spend(1000));
  EXPECT_FALSE(budget.spend(1));
}

}  // namespace
}  // namespace sinew::exporter::budget_test
