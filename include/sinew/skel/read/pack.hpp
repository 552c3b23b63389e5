// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/packed_skeleton.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// Packs the skeleton of a binding for posing.
///
/// @param geom_bind  Folded into the palette, if all that follows it is bound with one; affine.
/// @return The skeleton, or
///         - bad_topology if the joints form no valid hierarchy;
///         - no_value if there is no bind pose, so that there can be no palette;
///         - unsupported if a bind transform is not affine or the machine lacks `level`.
SINEW_API Result<PackedSkeleton> pack_skeleton(const SkeletonBinding& binding,
                                               const Matrix4d& geom_bind = Matrix4d::Identity(),
                                               SimdLevel level = SimdLevel::best);

/// How influences are packed.
struct PackOptions {
  PointOrder order = PointOrder::keep;  ///< As PackedInfluencesDesc::order.
  SimdLevel level = SimdLevel::best;    ///< As PackedInfluencesDesc::level.
};

/// The influences of a prim, for palettes in the order of its skeleton's joints.
struct TargetInfluences {
  /// For palettes of the skeleton's joints, and one more if has_still_joint.
  PackedInfluences packed;
  /// The prim names joints that the skeleton lacks, which therefore do not move: palettes need one
  /// more entry behind those of the joints, of skinning transform identity.
  bool has_still_joint = false;
  Matrix4d geom_bind = Matrix4d::Identity();  ///< Bind space from mesh space.
};

/// Packs the influences of a prim as they are at a time, in the order of the skeleton's joints
/// whatever order the prim has of its own. What the prim shares with others is packed once.
///
/// @param target  One of `binding`.
/// @return The influences, or
///         - no_value if the prim does not follow joints, or has no points;
///         - bad_topology if the skeleton is invalid;
///         - size_mismatch if there are not as many rows as points;
///         - index_out_of_range, or what else PackedInfluences::pack() returns.
SINEW_API Result<TargetInfluences> pack_influences(const SkeletonBinding& binding,
                                                   const SkinTarget& target, stage::Time time,
                                                   const PackOptions& options = {},
                                                   Diagnostics* diagnostics = nullptr);

/// Packs the blend shapes of a prim, in-betweens included. Jobs take weights in sub-shape order:
/// what BlendShapeSet::flatten() of the prim's set makes.
///
/// @param point_count   Points of the prim: those that offsets must fit.
/// @param new_from_old  PackedInfluences::new_from_old() if points were reordered, else empty.
/// @return The shapes; no_value if the prim has none; or, under Rules::openusd, size_mismatch or
///         index_out_of_range for offsets that do not fit, where deforming fails as soon as such a
///         shape has a weight. Under Rules::documented they are reported and left out.
SINEW_API Result<PackedBlendShapes> pack_blend_shapes(
    const SkinTarget& target, std::size_t point_count,
    std::span<const std::uint32_t> new_from_old = {}, Diagnostics* diagnostics = nullptr);

/// Likewise, for the points of the prim's packed influences, in their order, to be skinned from
/// packed points; see PackedBlendShapesDesc::influences.
SINEW_API Result<PackedBlendShapes> pack_blend_shapes(const SkinTarget& target,
                                                      const PackedInfluences& influences,
                                                      Diagnostics* diagnostics = nullptr);

}  // namespace sinew::skel
