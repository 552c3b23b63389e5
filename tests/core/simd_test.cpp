// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sinew::simd_test {
namespace {

TEST(SimdLevels, StartWithScalarAndEndWithTheBest) {
  const std::vector<SimdLevel> levels = supported_simd_levels();

  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::scalar);
  EXPECT_EQ(levels.back(), best_simd_level());
  EXPECT_NE(best_simd_level(), SimdLevel::best);
}

TEST(SimdLevels, AreSupportedIfTheyAreListed) {
  const std::vector<SimdLevel> levels = supported_simd_levels();

  for (int i = 0; to_string(static_cast<SimdLevel>(i)) != "unknown"; ++i) {
    const auto level = static_cast<SimdLevel>(i);
    const bool listed = std::find(levels.begin(), levels.end(), level) != levels.end();
    EXPECT_EQ(is_supported(level), listed || level == SimdLevel::best) << to_string(level);
  }
}

// What a processor of another kind has is never there.
TEST(SimdLevels, AreThoseOfTheProcessor) {
#if defined(__x86_64__) || defined(_M_X64)
  EXPECT_FALSE(is_supported(SimdLevel::neon));
  EXPECT_FALSE(is_supported(SimdLevel::sve));
  EXPECT_FALSE(is_supported(SimdLevel::wasm));
#elif defined(__aarch64__)
  EXPECT_TRUE(is_supported(SimdLevel::neon));
  EXPECT_FALSE(is_supported(SimdLevel::sse4));
#else
  GTEST_SKIP() << "not known what this one has";
#endif
}

// GCC for Windows misaligns the stack for them.
TEST(SimdLevels, LeaveOutWideRegistersWhereTheStackIsNotAligned) {
#if defined(__MINGW32__) && !defined(__clang__) && !defined(SINEW_MINGW_WIDE)
  EXPECT_FALSE(is_supported(SimdLevel::avx2));
  EXPECT_FALSE(is_supported(SimdLevel::avx512));
#else
  GTEST_SKIP() << "this compiler aligns it";
#endif
}

}  // namespace
}  // namespace sinew::simd_test
