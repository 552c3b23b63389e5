// SPDX-License-Identifier: Apache-2.0
#include "web/large_angle.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew::web::large_angle_test {
namespace {

constexpr int kBits = 53;

ReducedAngle reduce(double angle) {
  int exponent = 0;
  const double mantissa = std::frexp(angle, &exponent);
  return reduce_angle(static_cast<std::uint64_t>(std::ldexp(mantissa, kBits)), exponent - kBits);
}

/// The sine of the whole angle, by what is left of it.
long double sine_of(const ReducedAngle& reduced) {
  const long double left = static_cast<long double>(reduced.angle) + reduced.rest;
  const long double turned = reduced.quarters % 2 == 0 ? std::sin(left) : std::cos(left);
  return reduced.quarters % 4 < 2 ? turned : -turned;
}

void expect_reduced(double angle) {
  const ReducedAngle reduced = reduce(angle);
  const long double expected = std::sin(static_cast<long double>(angle));
  EXPECT_NEAR(static_cast<double>(sine_of(reduced) / expected), 1.0,
              8 * static_cast<double>(std::numeric_limits<long double>::epsilon()))
      << angle;
  EXPECT_LE(std::abs(reduced.angle), 0.78539816339744831) << angle;
  EXPECT_LE(std::abs(reduced.rest), std::abs(reduced.angle) * 0x1p-53) << angle;
}

TEST(ReduceAngle, LeavesWhatSinesAreMadeOf) {
  std::mt19937_64 random(7);
  for (int exponent = 20; exponent < 1024; ++exponent) {
    for (int i = 0; i < 20; ++i) {
      const double mantissa = 1.0 + std::ldexp(static_cast<double>(random() >> 12), -52);
      expect_reduced(std::ldexp(mantissa, exponent));
    }
  }
  expect_reduced(std::numeric_limits<double>::max());
}

TEST(ReduceAngle, KeepsItsDigitsBesideWholeQuarters) {
  // Of all doubles the one that is nearest to a multiple of a quarter turn.
  const double nearest = std::ldexp(6381956970095103.0, 797);
  expect_reduced(nearest);
  EXPECT_NEAR(std::abs(reduce(nearest).angle), 4.6871659242546277e-19, 1e-33);
  for (double quarters = 1e6; quarters < 1e15; quarters *= 1.25) {
    const double near_quarter = std::round(quarters) * 1.5707963267948966;
    expect_reduced(near_quarter);
    expect_reduced(std::nextafter(near_quarter, 0.0));
  }
}

TEST(ReduceAngle, TakesMantissasOfAnyForm) {
  const ReducedAngle few = reduce_angle(1, 40);
  const ReducedAngle many = reduce_angle(std::uint64_t{1} << 52, -12);
  EXPECT_EQ(few.quarters % 4, many.quarters % 4);
  EXPECT_EQ(few.angle, many.angle);
  EXPECT_EQ(few.rest, many.rest);
}

TEST(ReduceAngle, TakesSmallAngles) {
  EXPECT_EQ(reduce_angle(1, 0).quarters, 1);
  EXPECT_DOUBLE_EQ(reduce_angle(1, 0).angle, -0.57079632679489656);
  EXPECT_EQ(reduce_angle(1, -1).quarters, 0);
  EXPECT_EQ(reduce_angle(1, -1).angle, 0.5);
}

}  // namespace
}  // namespace sinew::web::large_angle_test
