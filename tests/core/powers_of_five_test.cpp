// SPDX-License-Identifier: Apache-2.0
#include "core/powers_of_five.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/fast_float.hpp"

namespace {

using namespace sinew;

TEST(PowersOfFive, AreThoseOfTheLibraryThatReadsNumbers) {
  std::vector<std::uint64_t> words(kPowersOfFiveWords);
  write_powers_of_five(std::span<std::uint64_t, kPowersOfFiveWords>(words));
  // Known without it: 1, 10 / 16 and the first.
  EXPECT_EQ(words[2 * 342], std::uint64_t{1} << 63);
  EXPECT_EQ(words[2 * 342 + 1], 0U);
  EXPECT_EQ(words[2 * 343], std::uint64_t{5} << 61);
  EXPECT_EQ(words[0], 0xeef453d6923bd65aU);
  ASSERT_EQ(fast_float::powers::smallest_power_of_five, kSmallestPowerOfFive);
  ASSERT_EQ(fast_float::powers::largest_power_of_five, kLargestPowerOfFive);
  for (std::size_t i = 0; i < kPowersOfFiveWords; ++i) {
    ASSERT_EQ(words[i], fast_float::powers::power_of_five_128[i]) << i;
  }
}

}  // namespace
