// SPDX-License-Identifier: Apache-2.0
#include "core/full_inverse.hpp"

#include <array>
#include <cmath>

#include "core/singular_inverse.hpp"
#include "core/transform_kind.hpp"

namespace sinew {

namespace {

// In this file rows and columns are those of USD, whose vectors are rows.
using Column = std::array<double, 4>;

Column column(const Matrix4d& matrix, int index) noexcept {
  return {matrix(index, 0), matrix(index, 1), matrix(index, 2), matrix(index, 3)};
}

// The determinants of two rows, by their indices, of two columns.
struct Minors {
  Minors(const Column& a, const Column& b) noexcept
      : m01(a[0] * b[1] - a[1] * b[0]),
        m02(a[0] * b[2] - a[2] * b[0]),
        m03(a[0] * b[3] - a[3] * b[0]),
        m12(a[1] * b[2] - a[2] * b[1]),
        m13(a[1] * b[3] - a[3] * b[1]),
        m23(a[2] * b[3] - a[3] * b[2]) {}

  double m01, m02, m03, m12, m13, m23;
};

// What the determinants of two columns and a third one give: the cofactors of a first or third
// column, and with the other sign those of a second or fourth.
Column cofactors(const Column& c, const Minors& m) noexcept {
  return {c[2] * m.m13 - c[3] * m.m12 - c[1] * m.m23, c[0] * m.m23 - c[2] * m.m03 + c[3] * m.m02,
          c[1] * m.m03 - c[3] * m.m01 - c[0] * m.m13, c[0] * m.m12 - c[1] * m.m02 + c[2] * m.m01};
}

Column negative_cofactors(const Column& c, const Minors& m) noexcept {
  return {c[1] * m.m23 - c[2] * m.m13 + c[3] * m.m12, c[2] * m.m03 - c[3] * m.m02 - c[0] * m.m23,
          c[0] * m.m13 - c[1] * m.m03 + c[3] * m.m01, c[1] * m.m02 - c[2] * m.m01 - c[0] * m.m12};
}

}  // namespace

// By cofactors, and every sum in the order of OpenUSD: of what has no inverse but for rounding, the
// rounding decides what that is.
Matrix4d full_inverse(const Matrix4d& matrix) noexcept {
  const Column c0 = column(matrix, 0), c1 = column(matrix, 1);
  const Column c2 = column(matrix, 2), c3 = column(matrix, 3);
  const Minors left(c0, c1), right(c2, c3);
  const std::array<Column, 4> all = {negative_cofactors(c1, right), cofactors(c0, right),
                                     negative_cofactors(c3, left), cofactors(c2, left)};
  const Column& of_first = all[0];
  const double determinant =
      c0[3] * of_first[3] + c0[2] * of_first[2] + c0[1] * of_first[1] + c0[0] * of_first[0];
  if (!(std::abs(determinant) > 0.0)) return singular_inverse<Matrix4d>();
  const double reciprocal = 1.0 / determinant;
  Matrix4d inverse;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      inverse(i, j) = all[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] * reciprocal;
    }
  }
  // What is affine stays so: no rounding may make it projective.
  if (is_affine(matrix)) inverse.row(3) = Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
  return inverse;
}

}  // namespace sinew
