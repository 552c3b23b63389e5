// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/singular_inverse.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// The transposed inverse, which moves normals. A singular matrix has, as in USD, the inverse that
/// scales by the largest float.
inline Matrix3d inverse_transpose(const Matrix3d& m) {
  Matrix3d cofactors;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int c = (j + 1) % 3, d = (j + 2) % 3;
      cofactors(i, j) = m(a, c) * m(b, d) - m(a, d) * m(b, c);
    }
  }
  const double determinant =
      m(0, 0) * cofactors(0, 0) + m(0, 1) * cofactors(0, 1) + m(0, 2) * cofactors(0, 2);
  if (determinant == 0.0) return singular_inverse<Matrix3d>();
  return cofactors / determinant;
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
