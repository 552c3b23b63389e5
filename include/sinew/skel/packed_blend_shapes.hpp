// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skinning.hpp"

namespace sinew::skel {

/// The offsets of one sub-shape: a blend shape at weight 1, or one of its in-betweens.
struct SubShapeDesc {
  std::span<const Vector3f> offsets = {};            ///< One per point or per index, or none.
  std::span<const Vector3f> normal_offsets = {};     ///< Likewise.
  std::span<const std::int32_t> point_indices = {};  ///< Which points move; empty: all, in order.
};

/// What is packed into PackedBlendShapes.
struct PackedBlendShapesDesc {
  /// In the order of the weights that jobs get. Points that a shape names repeatedly get the sum of
  /// their offsets.
  std::span<const SubShapeDesc> sub_shapes = {};
  std::size_t point_count = 0;  ///< n points of the mesh.
  /// PackedInfluences::new_from_old() if the points were reordered, else empty.
  std::span<const std::uint32_t> new_from_old = {};
  /// Those of the mesh, if BlendAndSkinJob is to blend it while it is skinned from
  /// SkinPointsJob::packed_points, or null. Offsets are then held once more, in the layout of the
  /// kernels, where that is faster: as for PackedVectors, and if they lie so close together that at
  /// least a quarter of that room is used. They make no difference to the result.
  const PackedInfluences* influences = nullptr;
};

/// Blend shapes of one mesh, checked once and packed for adding: sorted by point, cut into blocks
/// of 1024 points, each shape's offsets within a block as runs of consecutive points; and, if
/// wanted, once more in the layout of the kernels that skin the mesh.
///
/// Copying shares the data. Immutable after construction; safe to share between threads.
class SINEW_API PackedBlendShapes {
 public:
  /// Points per block: 12 KB, so that a block stays in the first-level cache while all shapes are
  /// added and the result is skinned.
  static constexpr std::size_t kBlockPoints = 1024;

  PackedBlendShapes() = default;

  /// @return The shapes, or
  ///         - size_mismatch naming the sub-shape whose offsets fit neither the points nor the
  ///           indices, or if `new_from_old` does not have n entries or `influences` n points;
  ///         - index_out_of_range naming the sub-shape and the first offending position;
  ///         - limit_exceeded past 2^32 - 1 offsets.
  /// @par Cost    O(m log m) for m offsets.
  static Result<PackedBlendShapes> pack(const PackedBlendShapesDesc& desc);

  /// Packs a set; jobs then take the weights that BlendShapeSet::flatten() writes.
  static Result<PackedBlendShapes> pack(const BlendShapeSet& shapes, std::size_t point_count,
                                        std::span<const std::uint32_t> new_from_old = {});

  /// Likewise, of a mesh that has influences: for its points, in their order, to be skinned from
  /// packed points; see PackedBlendShapesDesc::influences.
  static Result<PackedBlendShapes> pack(const BlendShapeSet& shapes,
                                        const PackedInfluences& influences);

  /// Points that jobs must be given.
  std::size_t point_count() const noexcept;
  /// Weights that jobs must be given.
  std::size_t sub_shape_count() const noexcept;
  /// Points per block of the influences for which the offsets are held once more, see
  /// PackedBlendShapesDesc::influences; 0 if they are not.
  std::size_t influence_block_width() const noexcept;
  /// Blocks of kBlockPoints points; the last may be shorter.
  std::size_t block_count() const noexcept {
    return (point_count() + kBlockPoints - 1) / kBlockPoints;
  }

 private:
  friend struct PackedBlendShapesAccess;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Adds blend shapes to the points and normals of a mesh.
///
///     p'[i] = p[i] + sum over s of weight[s] * offset[s, i]      normals: then renormalised
///
/// Where no shape has offsets for normals, they stay as they are.
/// Sub-shapes are added in order and weights below 1e-6 do nothing, so the result does not depend
/// on threads. The job owns nothing and allocates nothing. Outputs may be their inputs.
struct SINEW_API BlendShapesJob {
  const PackedBlendShapes* shapes = nullptr;  ///< Needed; packed for as many points as there are.
  std::span<const float> weights = {};        ///< shapes->sub_shape_count(), in-betweens resolved.
  std::span<const Vector3f> points = {};      ///< shapes->point_count(), or empty.
  std::span<Vector3f> points_out = {};        ///< As many.
  std::span<const Vector3f> normals = {};     ///< shapes->point_count(), or empty.
  std::span<Vector3f> normals_out = {};       ///< As many.

  /// Checks sizes and null members; O(1).
  /// @return ok, invalid_argument without shapes, or size_mismatch naming the wrong member.
  Status validate() const;
  /// Validates, then blends all blocks on the executor's threads, by default on this one.
  Status run(const Executor& executor = {}) const;
  /// Number of independent parts.
  std::size_t block_count() const { return shapes == nullptr ? 0 : shapes->block_count(); }
  /// Blends blocks [first, last) only. Precondition: validate() is ok, last <= block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

/// Blends, then skins, block by block: blended points live in the first-level cache only and are
/// never written to memory.
///
/// `skin` is a complete job on the rest points and normals, with the influences' order of points.
/// Tangents are skinned as they are. The result is that of the two jobs one after the other.
struct SINEW_API BlendAndSkinJob {
  SkinPointsJob skin;  ///< With outputs; its points and normals are those at rest.
  const PackedBlendShapes* shapes = nullptr;  ///< For as many points as the influences.
  std::span<const float> weights = {};        ///< shapes->sub_shape_count().

  /// @return As the two jobs' validate(), or size_mismatch if they differ in the number of points.
  Status validate() const;
  /// Validates, then blends and skins on the executor's threads, by default on this one.
  Status run(const Executor& executor = {}) const;
  /// Number of independent parts.
  std::size_t block_count() const { return shapes == nullptr ? 0 : shapes->block_count(); }
  /// Blends and skins blocks [first, last) only. Precondition: validate() is ok, last <=
  /// block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

}  // namespace sinew::skel
