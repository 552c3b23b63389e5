// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/simd.hpp"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(SimdLevels, StartWithScalarAndEndWithTheBest) {
  const std::vector<SimdLevel> levels = supported_simd_levels();

  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::scalar);
  EXPECT_EQ(levels.back(), best_simd_level());
  EXPECT_NE(best_simd_level(), SimdLevel::best);
}

}  // namespace
}  // namespace sinew
