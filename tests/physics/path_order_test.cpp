// SPDX-License-Identifier: Apache-2.0
#include "physics/path_order.hpp"

#include <gtest/gtest.h>

namespace sinew::physics::path_order_test {
namespace {

TEST(PathOrder, APrimIsAtAndAboveWhatBeginsWithItsWholePath) {
  EXPECT_TRUE(is_at_or_below("/arm", "/arm"));
  EXPECT_TRUE(is_at_or_below("/arm/hand", "/arm"));
  EXPECT_TRUE(is_at_or_below("/arm.size", "/arm"));
  EXPECT_FALSE(is_at_or_below("/armor", "/arm"));
  EXPECT_FALSE(is_at_or_below("/arm", "/arm/hand"));
}

TEST(PathOrder, TheRootIsAboveAllAndNothingIsBelowTheEmptyPath) {
  EXPECT_TRUE(is_at_or_below("/arm", "/"));
  EXPECT_TRUE(is_at_or_below("/", "/"));
  EXPECT_FALSE(is_at_or_below("/arm", ""));
  EXPECT_FALSE(is_at_or_below("", "/"));
}

}  // namespace
}  // namespace sinew::physics::path_order_test
