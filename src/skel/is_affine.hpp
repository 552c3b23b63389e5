// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"

namespace sinew::skel {

/// Whether a matrix, in the column-vector convention, moves points without a division.
inline bool is_affine(const Matrix4d& matrix) {
  return matrix.row(3) == Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
}

}  // namespace sinew::skel
