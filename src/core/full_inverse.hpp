// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"

namespace sinew {

/// The inverse of any transform, also of one whose last row is not (0, 0, 0, 1). What has that row
/// keeps it, and what cannot be undone becomes singular_inverse(): what has the determinant 0, or
/// NaN, which is told on request.
Matrix4d full_inverse(const Matrix4d& matrix, double* determinant_of = nullptr) noexcept;

}  // namespace sinew
