// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/skin_palette.hpp"

namespace sinew::skel {

/// Skeleton space from mesh space of a prim that moves as one piece: of those whose influences are
/// constant.
///
/// One influence of weight 1 gives the joint's own matrix; anything else is what skinning makes of
/// the four corners of the bind frame.
/// @param geom_bind      Bind space from mesh space.
/// @param skinning       Skeleton space from bind space, one per joint; affine.
/// @param joint_indices  All influences of the prim.
/// @param joint_weights  As many.
/// @return The transform, or index_out_of_range or size_mismatch as PackedInfluences::pack().
/// @par Source  UsdSkel, SkinTransform.
SINEW_API Result<Matrix4d> rigid_transform(SkinningMethod method, const Matrix4d& geom_bind,
                                           std::span<const Matrix4d> skinning,
                                           std::span<const std::int32_t> joint_indices,
                                           std::span<const float> joint_weights);

}  // namespace sinew::skel
