// SPDX-License-Identifier: Apache-2.0
#include "physics/pair_set.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sinew::physics::pair_set_test {
namespace {

TEST(PairSet, KeepsTheFirstValueOfAPair) {
  PairSet set;
  set.insert(1, 2, 7);
  set.insert(1, 2, 8);
  for (std::uint32_t i = 0; i < 1000; ++i) set.insert(i, i + 3, static_cast<std::int32_t>(i));

  EXPECT_EQ(set.find(1, 2), 7);
  EXPECT_EQ(set.find(2, 1), PairSet::kAbsent);
  EXPECT_EQ(set.find(999, 1002), 999);
  EXPECT_EQ(set.size(), 1001U);
}

TEST(PairSet, AnEmptySetHoldsNothing) {
  const PairSet set;

  EXPECT_FALSE(set.contains(0, 0));
  EXPECT_EQ(set.size(), 0U);
}

}  // namespace
}  // namespace sinew::physics::pair_set_test
