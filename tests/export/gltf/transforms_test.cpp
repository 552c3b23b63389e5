// SPDX-License-Identifier: Apache-2.0
// Matrices taken apart are what they were.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "export/gltf/transforms.hpp"
#include "support/random.hpp"

namespace sinew::exporter::transforms_test {
namespace {

Quatd turn(test::Random& random) {
  Quatd turn(0.5, 0.0, 0.0, 0.0);
  for (double& part : turn.vec()) part = random.eighths(-2, 2);
  return turn.normalized();
}

TEST(GltfTransforms, ScalesOfZeroTakeNothingFromTheOthers) {
  test::Random random(5);
  for (int i = 0; i < 400; ++i) {
    Matrix4d matrix = Matrix4d::Identity();
    // Along the axes too, where directions are easily lost.
    const Quatd rotation = i % 4 == 0 ? Quatd(Quatd::Identity()) : turn(random);
    Vector3d scale;
    for (int c = 0; c < 3; ++c) {
      scale[c] = (i >> (c + 2)) % 2 == 0 ? 0.0 : random.eighths(1, 9) * (i % 3 == c ? -1.0 : 1.0);
    }
    matrix.block<3, 3>(0, 0) = rotation.toRotationMatrix() * scale.asDiagonal();
    matrix.block<3, 1>(0, 3) << 1.0, 2.0, 3.0;

    const Factors factors = factor(matrix);

    EXPECT_TRUE(factors.exact) << matrix;
    EXPECT_EQ(factors.shear, 0.0) << matrix;
    EXPECT_LT((matrix_of(factors.transform) - matrix).cwiseAbs().maxCoeff(), 1e-12) << matrix;
    EXPECT_NEAR(factors.transform.rotation.norm(), 1.0, 1e-12) << matrix;
    EXPECT_LT((factors.transform.scale.cwiseAbs() - scale.cwiseAbs()).norm(), 1e-12) << matrix;
  }
}

TEST(GltfTransforms, WhatIsNotFiniteIsNoTransform) {
  for (const double odd :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (const int column : {1, 3}) {
      Matrix4d matrix = Matrix4d::Identity() * 2.0;
      matrix(2, column) = odd;
      const Factors factors = factor(matrix);
      EXPECT_FALSE(factors.exact);
      EXPECT_EQ(matrix_of(factors.transform), Matrix4d(Matrix4d::Identity()));
    }
  }
}

TEST(GltfTransforms, PointsStayWithinWhatFloatsHold) {
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(scaled_point({1.5F, -2.0F, 0.25F}, 4.0), Vector3f(6.0F, -8.0F, 1.0F));
  EXPECT_EQ(scaled_point({1e38F, -1e38F, 2.0F}, 1000.0), Vector3f(kMost, -kMost, 2000.0F));
  EXPECT_EQ(scaled_point({kInfinity, std::numeric_limits<float>::quiet_NaN(), 1.0F}, 2.0),
            Vector3f(0.0F, 0.0F, 2.0F));
}

TEST(GltfTransforms, AnglesAreThoseOfTheShorterWay) {
  for (const double degrees : {0.0, 1e-9, 1.0, 90.0, 179.0}) {
    const double half = degrees / 2.0 * std::numbers::pi / 180.0;
    const Quatd start = Quatd(0.5, 0.5, 0.5, 0.5);
    Quatd end = start * Quatd(std::cos(half), 0.0, std::sin(half), 0.0);
    EXPECT_NEAR(angle_between(start, end), degrees, 1e-12 + degrees * 1e-12);
    end.coeffs() = -end.coeffs();
    EXPECT_NEAR(angle_between(start, end), degrees, 1e-12 + degrees * 1e-12);
  }
}

// Of two axes that are less than a right angle apart, each turns by half of what is missing.
TEST(GltfTransforms, ShearGivesTheClosestRotationAndTheScalesAlongIt) {
  for (const double degrees : {10.0, 1.0, -20.0}) {
    const double missing = degrees * std::numbers::pi / 180.0;
    Matrix4d matrix = Matrix4d::Identity();
    matrix.block<3, 1>(0, 1) << 3.0 * std::sin(missing), 3.0 * std::cos(missing), 0.0;
    matrix(0, 0) = 2.0;
    matrix(2, 2) = 5.0;
    const Factors factors = factor(matrix);
    EXPECT_FALSE(factors.exact);
    EXPECT_NEAR(factors.shear, std::abs(degrees), 1e-9);
    const Vector3d scale = std::cos(missing / 2.0) * Vector3d(2.0, 3.0, 0.0) + Vector3d(0, 0, 5);
    EXPECT_LT((factors.transform.scale - scale).norm(), 1e-12);
    const Quatd turn(std::cos(missing / 4.0), 0.0, 0.0, -std::sin(missing / 4.0));
    EXPECT_LT(angle_between(factors.transform.rotation, turn), 1e-9);
  }
}

TEST(GltfTransforms, ShearThatFloatsCannotTellIsNone) {
  for (const auto& [shear, is_exact] : {std::pair(1e-5, false), std::pair(1e-7, true)}) {
    Matrix4d matrix = Matrix4d::Identity();
    matrix(0, 1) = shear;
    EXPECT_EQ(factor(matrix).exact, is_exact) << shear;
    EXPECT_EQ(factor(matrix).shear > 0.0, !is_exact) << shear;
  }
}

TEST(GltfTransforms, FitFloatsBelowTheirLargest) {
  const auto fits = [](double value) {
    Matrix4d matrix = Matrix4d::Identity();
    matrix(1, 3) = value;
    return fits_floats(matrix);
  };
  EXPECT_TRUE(fits(1e38));
  EXPECT_TRUE(fits(-1e38));
  EXPECT_FALSE(fits(1.1e38));
  EXPECT_FALSE(fits(-1.1e38));
  EXPECT_FALSE(fits(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(fits(std::numeric_limits<double>::quiet_NaN()));
}

TEST(GltfTransforms, AreBetweenTwoByTheShareOfTheSecond) {
  GlbTransform a, b;
  a.translation = {1.0, 2.0, 3.0};
  b.translation = {5.0, 2.0, -1.0};
  b.scale = {3.0, 1.0, 5.0};
  b.rotation = Quatd(0.0, 0.0, 0.0, 1.0);  // Half a turn about z.
  const GlbTransform made = interpolate(a, b, 0.25);
  EXPECT_EQ(made.translation, Vector3d(2.0, 2.0, 2.0));
  EXPECT_EQ(made.scale, Vector3d(1.5, 1.0, 2.0));
  const double eighth = std::numbers::pi / 8.0;
  EXPECT_LT(angle_between(made.rotation, Quatd(std::cos(eighth), 0.0, 0.0, std::sin(eighth))),
            1e-9);
}

}  // namespace
}  // namespace sinew::exporter::transforms_test
