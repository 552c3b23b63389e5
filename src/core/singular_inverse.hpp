// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sinew/core/types.hpp"

namespace sinew {

/// What USD takes for the inverse of a transform that flattens space: a scaling by the largest
/// float. `Matrix` is Matrix3d or Matrix4d.
template <typename Matrix>
Matrix singular_inverse() noexcept {
  Matrix result = Matrix::Identity();
  for (int i = 0; i < 3; ++i) result(i, i) = static_cast<double>(std::numeric_limits<float>::max());
  return result;
}

}  // namespace sinew
