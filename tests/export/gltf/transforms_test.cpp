// SPDX-License-Identifier: Apache-2.0
// Matrices taken apart are what they were.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew::exporter::transforms_test
