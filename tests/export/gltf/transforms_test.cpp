// SPDX-License-Identifier: Apache-2.0
// Matrices taken apart are what they were.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
    const double half = degrees / 2.0 * 3.14159265358979323846 / 180.0;
    const Quatd start = Quatd(0.5, 0.5, 0.5, 0.5);
    Quatd end = start * Quatd(std::cos(half), 0.0, std::sin(half), 0.0);
    EXPECT_NEAR(angle_between(start, end), degrees, 1e-12 + degrees * 1e-12);
    end.coeffs() = -end.coeffs();
    EXPECT_NEAR(angle_between(start, end), degrees, 1e-12 + degrees * 1e-12);
  }
}

}  // namespace
}  // namespace sinew::exporter::transforms_test
