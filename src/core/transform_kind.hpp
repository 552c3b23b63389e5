// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/LU>

#include "sinew/core/types.hpp"

namespace sinew {

/// Whether a matrix, in the column-vector convention, moves points without a division.
inline bool is_affine(const Matrix4d& matrix) {
  return matrix.row(3) == Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
}

/// Whether a transform turns left hands into right ones.
inline bool mirrors(const Matrix4d& matrix) {
  return matrix.topLeftCorner<3, 3>().determinant() < 0.0;
}

}  // namespace sinew
