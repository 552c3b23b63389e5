// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/skin_palette.hpp"

namespace sinew::skel {

/// Skeleton space from mesh space of a prim that moves as one piece.
///
/// One influence of weight 1 gives the joint's own matrix; anything else is what skinning makes of
/// the four corners of the bind frame.
/// @return The transform, or index_out_of_range or size_mismatch as SkinBinding::bake().
/// @par Source  UsdSkel, SkinTransform.
Result<Matrix4d> rigid_transform(SkinningMethod method, const Matrix4d& geom_bind,
                                 std::span<const Matrix4d> skinning,
                                 std::span<const std::int32_t> joint_indices,
                                 std::span<const float> joint_weights);

}  // namespace sinew::skel
