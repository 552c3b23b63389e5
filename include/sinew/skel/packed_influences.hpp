// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "sinew/core/assert.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"

namespace sinew::skel {

/// How many rows of influences there are: one per point, or one for the whole mesh.
enum class InfluenceScope : std::uint8_t {
  per_point,  ///< USD interpolation "vertex".
  constant,   ///< USD interpolation "constant": every point moves with the same transform.
};

/// In which order packed influences hold their points.
enum class PointOrder : std::uint8_t {
  keep,      ///< As given.
  by_joint,  ///< By dominant joint, then by joint set: faster by a tenth to a half, see the rows
             ///< `order:by_joint` of bench/skinning.cpp. Points go in and come out in the new
             ///< order; see PackedInfluences::new_from_old().
};

/// How influences are stored. Chosen by pack(); of interest to those who measure.
enum class InfluenceForm : std::uint8_t {
  blocks,    ///< Blocks of points that share a short joint list and a dense tile of weights.
  rows,      ///< A list of influences per point: where neighbours do not share joints.
  constant,  ///< One row of influences.
};

/// Joint indices in the width that a file or an engine holds them in.
using JointIndices = std::variant<std::span<const std::int32_t>, std::span<const std::uint16_t>,
                                  std::span<const std::uint8_t>>;

/// What is packed into PackedInfluences.
struct PackedInfluencesDesc {
  JointIndices joint_indices = {};            ///< n * influences, row per point.
  std::span<const float> joint_weights = {};  ///< n * influences, need not sum to 1.
  std::size_t influences = 0;                 ///< Influences per point, >= 1.
  /// How far apart the rows begin, in indices and in weights, where they stand among other values
  /// as in a vertex buffer; the arrays then end with the last row, or later. 0: `influences`.
  std::size_t index_stride = 0;
  std::size_t weight_stride = 0;                     ///< As index_stride, for weights.
  std::size_t joint_count = 0;                       ///< Every index must be below this.
  InfluenceScope scope = InfluenceScope::per_point;  ///< `constant`: one row for the whole mesh.

  /// Points of the mesh. Needed for a constant scope; otherwise 0 (as many as there are rows) or
  /// exactly the number of rows.
  std::size_t point_count = 0;

  /// Which row each element uses, empty if element i uses row i. With a mesh's face-vertex indices
  /// they deform face-varying normals. Per-point scope only.
  std::span<const std::int32_t> row_of_element = {};

  /// `by_joint` costs a reordering of all arrays at load time.
  PointOrder order = PointOrder::keep;
  SimdLevel level = SimdLevel::best;  ///< Force one to get the same bits on every machine.
};

/// Joint influences of a mesh, checked once and packed for the kernels of one SIMD level.
///
/// Zero weights are dropped, repeated joints of a row are added up, and the points are cut into
/// blocks as wide as the machine's registers (32, 16 or 8 points). Weights are used as authored:
/// nothing is normalised. The packed form depends on the machine, so it is not a file format.
///
/// Copying shares the data. Immutable after construction; safe to share between threads.
class SINEW_API PackedInfluences {
 public:
  /// Influences of no points.
  PackedInfluences() = default;

  /// Checks every index once and packs the influences.
  ///
  /// @return The influences, or
  ///         - invalid_argument if `influences` is 0 or a stride is less;
  ///         - size_mismatch if the arrays differ in length, the length is not a multiple of
  ///           `influences`, or `point_count` does not fit;
  ///         - index_out_of_range with the first offending position, whatever its weight;
  ///         - unsupported if the machine or the build lacks `level`;
  ///         - limit_exceeded past 2^32 - 1 influences, joints or points.
  /// @par Cost    O(n * influences + joint_count), under 50 ns per point with four influences.
  static Result<PackedInfluences> pack(const PackedInfluencesDesc& desc);

  /// Number of points, n.
  std::size_t point_count() const noexcept;
  /// Number of joints that a palette must have.
  std::size_t joint_count() const noexcept;
  /// Number of blocks that jobs split into. Block b holds points [b * block_width(), ...).
  std::size_t block_count() const noexcept;
  /// Points per block; the last block may hold fewer.
  std::size_t block_width() const noexcept;
  /// The level they were packed for; never SimdLevel::best.
  SimdLevel level() const noexcept;
  /// Which form pack() chose.
  InfluenceForm form() const noexcept;
  /// Mean number of joints per block: what is stored. 0 for other forms.
  double joints_per_block() const noexcept;
  /// Mean number of joints that move a register of points, half a block; the figure that decides
  /// the speed. Less than joints_per_block() where blocks have 16 points or more, as joints of one
  /// half are kept apart from those of the other. 0 for other forms.
  double joints_per_register() const noexcept;

  /// With PointOrder::by_joint: point v of the source is point new_from_old()[v] here. Apply it
  /// once, at load time, with remap_values() and remap_indices(). Empty if the order was kept.
  std::span<const std::uint32_t> new_from_old() const noexcept;

 private:
  friend struct PackedInfluencesAccess;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Orders points so that neighbours share joints: by dominant joint, then by joint set.
///
/// Fills `new_from_old` with a permutation: point v of the input becomes point new_from_old[v].
/// PackedInfluences::pack() does this itself when asked to; call it to order meshes offline.
///
/// new_from_old:   point_count entries, completely overwritten
/// joint_indices:  point_count * influences entries, row per point
/// joint_weights:  as many; joints with weight 0 are ignored
///
/// @return ok, invalid_argument, size_mismatch or index_out_of_range as PackedInfluences::pack().
SINEW_API Status order_points_by_joint(std::span<std::uint32_t> new_from_old,
                                       std::span<const std::int32_t> joint_indices,
                                       std::span<const float> joint_weights, std::size_t influences,
                                       std::size_t joint_count);

/// Moves per-point values to a new order: `out[new_from_old[i]] = in[i]`. The three must have the
/// same length; `out` must not overlap `in`.
template <typename T>
void remap_values(std::span<T> out, std::span<const T> in,
                  std::span<const std::uint32_t> new_from_old) {
  SINEW_ASSERT(out.size() == in.size() && in.size() == new_from_old.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[new_from_old[i]] = in[i];
}

/// Renames the points of an index buffer (face-vertex indices) in place. Indices that name no
/// point are left as they are.
template <typename Index>
void remap_indices(std::span<Index> indices, std::span<const std::uint32_t> new_from_old) {
  for (Index& index : indices) {
    const auto position = static_cast<std::size_t>(index);
    if (index >= Index{0} && position < new_from_old.size()) {
      index = static_cast<Index>(new_from_old[position]);
    }
  }
}

}  // namespace sinew::skel
