// SPDX-License-Identifier: Apache-2.0
#include "core/full_inverse.hpp"

#include <Eigen/LU>
#include <cmath>

#include "core/singular_inverse.hpp"

namespace sinew {

Matrix4d full_inverse(const Matrix4d& matrix) noexcept {
  const Eigen::Matrix4d m = matrix;
  if (!(std::abs(m.determinant()) > 0.0)) return singular_inverse<Matrix4d>();
  Matrix4d inverse = m.inverse();
  // What is affine stays so: no rounding may make it projective.
  const Eigen::RowVector4d affine_row(0.0, 0.0, 0.0, 1.0);
  if (m.row(3) == affine_row) inverse.row(3) = affine_row;
  return inverse;
}

}  // namespace sinew
