// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/singular_inverse.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// The transposed inverse, which moves normals. A singular matrix has, as in USD, the inverse that
/// scales by the largest float; whether a matrix is singular but for rounding, and what it does to
/// normals then, depends on the order of the sums, which is that of GfMatrix3d::GetInverse.
inline Matrix3d inverse_transpose(const Matrix3d& m) {
  // The elements of USD's matrix, whose vectors are rows, and the cofactors at their places.
  const double a00 = m(0, 0), a01 = m(1, 0), a02 = m(2, 0);
  const double a10 = m(0, 1), a11 = m(1, 1), a12 = m(2, 1);
  const double a20 = m(0, 2), a21 = m(1, 2), a22 = m(2, 2);
  const double determinant = -(a02 * a11 * a20) + a01 * a12 * a20 + a02 * a10 * a21 -
                             a00 * a12 * a21 - a01 * a10 * a22 + a00 * a11 * a22;
  if (!(std::abs(determinant) > 0.0)) return singular_inverse<Matrix3d>();
  Matrix3d cofactors;
  cofactors << a11 * a22 - a12 * a21, a02 * a21 - a01 * a22, a01 * a12 - a02 * a11,
      a12 * a20 - a10 * a22, a00 * a22 - a02 * a20, a02 * a10 - a00 * a12, a10 * a21 - a11 * a20,
      a01 * a20 - a00 * a21, a00 * a11 - a01 * a10;
  return cofactors * (1.0 / determinant);
}

/// The same as a transform that does not translate.
inline Affine34f normal_transform(const Matrix3d& linear) {
  const Matrix3d normal = inverse_transpose(linear);
  Affine34f result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result.m[4 * row + column] = static_cast<float>(normal(row, column));
    }
    result.m[4 * row + 3] = 0.0F;
  }
  return result;
}

}  // namespace sinew::skel
