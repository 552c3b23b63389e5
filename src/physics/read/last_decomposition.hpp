// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "sinew/physics/decompose.hpp"

namespace sinew::physics {

/// Takes transforms apart, and keeps the last one: shapes often stand like their body.
class LastDecomposition {
 public:
  /// As decompose(). Valid until the next call.
  const Decomposition& of(const Matrix4d& matrix) {
    const Matrix3d linear = matrix.block<3, 3>(0, 0);
    if (!known_ || std::memcmp(linear.data(), linear_.data(), sizeof(double) * 9) != 0) {
      linear_ = linear;
      parts_ = decompose(matrix);
      known_ = true;
    }
    parts_.translation = matrix.block<3, 1>(0, 3);
    return parts_;
  }

 private:
  Matrix3d linear_ = Matrix3d::Zero();
  Decomposition parts_;
  bool known_ = false;
};

}  // namespace sinew::physics
