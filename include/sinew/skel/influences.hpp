// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

// Tools for arrays of joint influences: `count` entries per point, point after point. Nothing that
// skins or reads calls them; they are for those who write influences or have limits to respect.

namespace sinew::skel {

/// Influences as PackedInfluences::pack() takes them.
struct InfluenceArrays {
  std::vector<std::int32_t> indices;  ///< Joints, row per point.
  std::vector<float> weights;         ///< As many; need not sum to 1.
  std::size_t influences = 0;         ///< Per point.
};

/// Scales the weights of every point so that they sum to 1; points whose weights sum to less than
/// `epsilon` in magnitude, or to NaN, get all zeros.
/// @return ok; invalid_argument if `count` is 0; size_mismatch if it does not divide the number of
///         weights.
SINEW_API Status normalize_weights(std::span<float> weights, std::size_t count,
                                   float epsilon = std::numeric_limits<float>::epsilon());

/// Sorts the influences of every point, the largest weight first; of equal weights the larger index
/// first.
/// @return ok; size_mismatch if the arrays differ in length; or as normalize_weights().
SINEW_API Status sort_influences(std::span<std::int32_t> indices, std::span<float> weights,
                                 std::size_t count);

/// Changes the number of influences per point, in place: the first of every point are kept, missing
/// ones are 0. keep_strongest_influences() looks at the weights. Weights that lose some are
/// normalised again.
/// @return ok; invalid_argument if either count is 0, or the new one more than a vector can count;
///         size_mismatch if `count` does not divide the size. Nothing is changed then.
SINEW_API Status resize_influences(std::vector<std::int32_t>& indices, std::size_t count,
                                   std::size_t new_count);
/// The same for weights; points that lose some are normalised again.
SINEW_API Status resize_influences(std::vector<float>& weights, std::size_t count,
                                   std::size_t new_count);

/// Leaves every point with its `new_count` strongest influences, normalised, the largest weight
/// first; of equal weights the larger index. Points get no more influences than they have.
/// @return ok; otherwise as sort_influences() and resize_influences(). Nothing is changed then.
SINEW_API Status keep_strongest_influences(std::vector<std::int32_t>& indices,
                                           std::vector<float>& weights, std::size_t count,
                                           std::size_t new_count);

/// Expands an indexed primvar: block i of the result is block `blocks[i]` of `values`, of `count`
/// values each. UsdSkel: primvars:skel:jointIndices and primvars:skel:jointWeights with :indices.
/// @return The blocks one after the other; invalid_argument if `count` is 0; no_value if `values`
/// is
///         empty; index_out_of_range naming the first block that is not there; or limit_exceeded
///         above 2^28 values.
SINEW_API Result<std::vector<std::int32_t>> expand_indexed_influences(
    std::span<const std::int32_t> values, std::span<const std::int32_t> blocks, std::size_t count);
/// The same for weights.
SINEW_API Result<std::vector<float>> expand_indexed_influences(std::span<const float> values,
                                                               std::span<const std::int32_t> blocks,
                                                               std::size_t count);

/// Repeats the influences of a whole prim for every one of `point_count` points.
SINEW_API std::vector<std::int32_t> expand_constant_influences(
    std::span<const std::int32_t> indices, std::size_t point_count);
/// The same for weights.
SINEW_API std::vector<float> expand_constant_influences(std::span<const float> weights,
                                                        std::size_t point_count);

/// Four influences per vertex, as GPUs and glTF exporters want them.
struct GpuInfluences {
  std::vector<std::array<std::uint16_t, 4>> joints;  ///< 0 where there is no influence.
  std::vector<std::array<float, 4>> weights;         ///< Sum to 1, or all 0.
};

/// Keeps the four strongest influences of every point and normalises them. Unused places are 0.
/// @return The table, invalid_argument, size_mismatch, or index_out_of_range for an index that is
///         negative or above 65535.
SINEW_API Result<GpuInfluences> gpu_influences(std::span<const std::int32_t> indices,
                                               std::span<const float> weights,
                                               std::size_t influences);

/// Pairs of (index, weight), as some shaders want them.
/// @return ok, or size_mismatch.
SINEW_API Status interleave_influences(std::span<const std::int32_t> indices,
                                       std::span<const float> weights,
                                       std::span<Vector2f> interleaved);

/// Whether every index is in [0, joint_count).
/// @return ok, or index_out_of_range with the first that is not, its position and the range.
SINEW_API Status validate_joint_indices(std::span<const std::int32_t> indices,
                                        std::size_t joint_count);

}  // namespace sinew::skel
