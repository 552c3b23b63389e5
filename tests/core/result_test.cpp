// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace sinew::result_test {
namespace {

TEST(Result, HoldsAValue) {
  const Result<int> result = 7;

  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 7);
}

TEST(Result, HoldsAnErrorWithCodeAndSentence) {
  const Result<int> result(ErrorCode::size_mismatch, "points has 3 elements, expected 4.");

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(result.value_or(9), 9);
}

TEST(Result, MovesOutMoveOnlyValues) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> value = *std::move(result);

  EXPECT_EQ(*value, 3);
}

TEST(Status, IsOkByDefaultAndFalseWithAnError) {
  const Status ok;
  const Status failed(ErrorCode::io_failed, "cannot open x");

  EXPECT_TRUE(ok);
  EXPECT_FALSE(failed);
}

TEST(ErrorCode, HasADistinctNameForEveryValue) {
  std::set<std::string_view> names{"", "unknown"};
  for (int i = 0; i <= static_cast<int>(ErrorCode::limit_exceeded); ++i) {
    EXPECT_TRUE(names.insert(to_string(static_cast<ErrorCode>(i))).second) << i;
  }
}

}  // namespace
}  // namespace sinew::result_test
