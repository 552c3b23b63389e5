// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"

namespace sinew {

/// The turn by the smallest angle that brings the direction of `from` to that of `to`, of unit
/// length; neither may be zero, else the identity. Opposite directions: half a turn about the axis
/// of coordinates that is the farthest from theirs, made square to it.
///
/// Quaternion::FromTwoVectors() of Eigen does the same by a decomposition of matrices of any size,
/// which is 25 kB of code in each program.
Quatd shortest_turn(const Vector3d& from, const Vector3d& to) noexcept;

}  // namespace sinew
