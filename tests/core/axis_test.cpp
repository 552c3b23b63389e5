// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/axis.hpp"

#include <gtest/gtest.h>

namespace sinew::axis_test {
namespace {

TEST(Axis, IsSpelledAsInUsd) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) EXPECT_EQ(parse_axis(to_string(axis)), axis);
  EXPECT_EQ(to_string(Axis::y), "Y");
}

TEST(Axis, IsNothingElse) {
  for (const char* text : {"", "x", "XY", "W", "X "}) EXPECT_EQ(parse_axis(text), std::nullopt);
}

}  // namespace
}  // namespace sinew::axis_test
