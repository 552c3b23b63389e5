// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/types.hpp"

#include <gtest/gtest.h>

namespace sinew::types_test {
namespace {

TEST(Affine34f, TransformsPointsAsTheMatrixDoes) {
  Matrix4d matrix = Matrix4d::Identity();
  matrix(0, 1) = 2.0;
  matrix(2, 3) = 5.0;
  const Affine34f affine(matrix);

  EXPECT_EQ(affine * Vector3f(1, 2, 3), Vector3f(5, 2, 8));
  EXPECT_EQ(affine.matrix(), matrix);
}

TEST(Range3f, IsEmptyUntilSomethingIsAdded) {
  Range3f range;
  EXPECT_TRUE(range.empty());

  range.add(Vector3f(1, -2, 3));
  EXPECT_FALSE(range.empty());
  EXPECT_EQ(range.min, range.max);
}

TEST(Quatf, ConvertsToAndFromAlignedEigenTypes) {
  const Eigen::Quaternionf aligned(1, 2, 3, 4);
  const Quatf ours(aligned);
  const Eigen::Quaternionf back(ours);

  EXPECT_EQ(back.coeffs(), aligned.coeffs());
}

}  // namespace
}  // namespace sinew::types_test
