// SPDX-License-Identifier: Apache-2.0
#include "core/full_inverse.hpp"

#include <cmath>

#include "core/singular_inverse.hpp"
#include "core/transform_kind.hpp"

namespace sinew {

namespace {

// In this file rows and columns are those of USD, whose vectors are rows: one column is four
// numbers in a row of ours.
using Column = const double*;

// The determinants of two rows, by their indices, of two columns.
struct Minors {
  Minors(Column a, Column b) noexcept
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
void cofactors(Column c, const Minors& m, double* out) noexcept {
  out[0] = c[2] * m.m13 - c[3] * m.m12 - c[1] * m.m23;
  out[1] = c[0] * m.m23 - c[2] * m.m03 + c[3] * m.m02;
  out[2] = c[1] * m.m03 - c[3] * m.m01 - c[0] * m.m13;
  out[3] = c[0] * m.m12 - c[1] * m.m02 + c[2] * m.m01;
}

void negative_cofactors(Column c, const Minors& m, double* out) noexcept {
  out[0] = c[1] * m.m23 - c[2] * m.m13 + c[3] * m.m12;
  out[1] = c[2] * m.m03 - c[3] * m.m02 - c[0] * m.m23;
  out[2] = c[0] * m.m13 - c[1] * m.m03 + c[3] * m.m01;
  out[3] = c[1] * m.m02 - c[2] * m.m01 - c[0] * m.m12;
}

}  // namespace

// By cofactors, and every sum in the order of OpenUSD: of what has no inverse but for rounding, the
// rounding decides what that is.
Matrix4d full_inverse(const Matrix4d& matrix, double* determinant_of) noexcept {
  const Matrix4d columns = matrix.transpose();
  const Column c0 = columns.data();
  const Minors left(c0, c0 + 4), right(c0 + 8, c0 + 12);
  Matrix4d inverse;
  double* const out = inverse.data();
  negative_cofactors(c0 + 4, right, out);
  cofactors(c0, right, out + 4);
  negative_cofactors(c0 + 12, left, out + 8);
  cofactors(c0 + 8, left, out + 12);
  const double determinant = c0[3] * out[3] + c0[2] * out[2] + c0[1] * out[1] + c0[0] * out[0];
  if (determinant_of != nullptr) *determinant_of = determinant;
  if (!(std::abs(determinant) > 0.0)) return singular_inverse<Matrix4d>();
  const double reciprocal = 1.0 / determinant;
  for (int i = 0; i < 16; ++i) out[i] *= reciprocal;
  // What is affine stays so: no rounding may make it projective.
  if (is_affine(matrix)) inverse.row(3) = Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
  return inverse;
}

}  // namespace sinew
