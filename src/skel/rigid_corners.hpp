// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sinew/core/types.hpp"

namespace sinew::skel {

/// Where a prim that moves as one piece is measured: the ends of the axes of its mesh space in bind
/// space, and then the origin.
using RigidCorners = std::array<Vector3f, 4>;

RigidCorners rigid_corners(const Matrix4d& geom_bind);

/// Skeleton space from mesh space, out of what skinning made of the corners.
Matrix4d transform_of_corners(const RigidCorners& skinned);

}  // namespace sinew::skel
