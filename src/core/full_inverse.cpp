// SPDX-License-Identifier: Apache-2.0
#include "core/full_inverse.hpp"

#include <Eigen/LU>
#include <cmath>

#include "core/singular_inverse.hpp"
#include "core/transform_kind.hpp"

namespace sinew {

Matrix4d full_inverse(const Matrix4d& matrix) noexcept {
  const Eigen::Matrix4d m = matrix;
  if (!(std::abs(m.determinant()) > 0.0)) return singular_inverse<Matrix4d>();
  Matrix4d inverse = m.inverse();
  // What is affine stays so: no rounding may make it projective.
  if (is_affine(matrix)) inverse.row(3) = Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
  return inverse;
}

}  // namespace sinew
