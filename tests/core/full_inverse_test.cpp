// SPDX-License-Identifier: Apache-2.0
#include "core/full_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/singular_inverse.hpp"

namespace sinew::full_inverse_test {
namespace {

// Of what is flat but for rounding the determinant decides alone, and it is told.
TEST(FullInverse, TellsTheDeterminantThatItGoesBy) {
  std::mt19937 random(20261129);
  std::uniform_int_distribution<int> tenths(-30, 30);
  int singular = 0;
  for (int i = 0; i < 4000; ++i) {
    Matrix4d m = Matrix4d::Identity();
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) m(row, column) = tenths(random) / 10.0;
    }
    const bool is_flat = i % 2 == 0;
    if (is_flat) m.row(2).head<3>() = tenths(random) / 10.0 * m.row(1).head<3>();
    double determinant = std::numeric_limits<double>::quiet_NaN();
    const Matrix4d inverse = full_inverse(m, &determinant);
    EXPECT_EQ(full_inverse(m), inverse);
    const bool is_singular = inverse == singular_inverse<Matrix4d>();
    EXPECT_EQ(is_singular, determinant == 0.0) << m;
    singular += is_singular ? 1 : 0;
    if (is_flat) {
      EXPECT_LT(std::abs(determinant), 1e-13) << m;
    } else if (std::abs(determinant) > 0.1) {
      EXPECT_LT((m * inverse - Matrix4d::Identity()).cwiseAbs().maxCoeff(), 1e-10) << m;
      EXPECT_EQ(inverse.row(3), Matrix4d::Identity().row(3));
    }
  }
  EXPECT_GT(singular, 500);
}

TEST(FullInverse, OfNoNumberIsThatOfNothing) {
  Matrix4d m = Matrix4d::Identity();
  m(1, 2) = std::numeric_limits<double>::quiet_NaN();
  double determinant = 1.0;
  EXPECT_EQ(full_inverse(m, &determinant), singular_inverse<Matrix4d>());
  EXPECT_TRUE(std::isnan(determinant));
}

}  // namespace
}  // namespace sinew::full_inverse_test
