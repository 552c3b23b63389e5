// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the skinning kernels read. Plain structs and pointers only: this header is compiled for
// every instruction set, so it must not bring in inline functions of other headers.

#include <cstddef>
#include <cstdint>

#include "sinew/core/simd.hpp"

namespace sinew::skel {

/// Blocks of fewer points are of narrow registers.
inline constexpr std::size_t kWideBlock = 16;

/// Whether any kernel of this machine may have wide ones.
#if defined(__wasm__)
inline constexpr bool kHasWideBlocks = false;
#else
inline constexpr bool kHasWideBlocks = true;
#endif

/// Of a joint in the palette, row by row.
inline constexpr std::uint32_t kFloatsPerMatrix = 12;

/// Points [b * width, (b + 1) * width) and the joints that move any of them. The halves of a block
/// fill a register each. In wide blocks rows of joints that move the first half alone come first,
/// then those that move both, then those of the second half; in others all count as moving both.
struct SkinBlock {
  std::uint32_t first_row;  ///< Into the joint rows, and in rows of `width` floats into the tiles.
  std::uint32_t first_half_count;
  std::uint32_t shared_count;
  std::uint32_t second_half_count : 31;
  std::uint32_t rigid : 1;  ///< One joint, every weight exactly 1.
};

/// One joint of a block.
struct SkinRow {
  std::uint32_t joint;
  std::uint32_t pivot_lanes;  ///< Bit i: this joint has the largest weight of the block's point i.
};

/// One influence of the per-point form.
struct SkinInfluence {
  std::uint32_t joint;
  float weight;
};

/// What happens to points and vectors before their joints: geomBindTransform.
struct PreTransform {
  enum Kind : std::uint32_t { none, affine, projective };
  Kind kind = none;
  float m[16];  ///< Row by row, 4x4. Of none: not there.
};

/// One array of float triples to deform. `in` and `out` may be equal.
struct SkinStream {
  const float* in = nullptr;
  float* out = nullptr;  ///< Null: not wanted.
  /// The values of `in` block by block, all x, all y, all z; or null. Whole blocks, aligned.
  const float* packed = nullptr;
};

/// Weights below it do nothing.
inline constexpr float kNoShapeWeight = 1e-6F;

/// Blend shapes in the blocks of the influences: tiles of offsets, all x, all y, all z of a block,
/// zero for a point that the sub-shape does not move. Those of block b are [first_tile[b],
/// first_tile[b + 1]), by sub-shape.
struct ShapeTiles {
  const std::uint32_t* first_tile = nullptr;
  const std::uint32_t* sub_shapes = nullptr;  ///< Per tile.
  const float* tiles = nullptr;               ///< Aligned; null: there are no shapes.
  const float* weights = nullptr;             ///< Per sub-shape; finite.
};

/// Inputs and outputs of a kernel. Which members count is said at each kernel.
struct SkinArgs {
  std::size_t point_count = 0;
  std::size_t block_width = 8;  ///< Points per packed block, whatever the kernel's own.
  // Block form. Null blocks: transform 0 of the palette moves every point with weight 1.
  const SkinBlock* blocks = nullptr;
  const SkinRow* rows = nullptr;
  const std::uint32_t* matrices = nullptr;  ///< Per row: where its matrix begins in the palette.
  const float* tiles = nullptr;
  // Per-point form: influences of point i are [offsets[i], offsets[i + 1]).
  const std::uint32_t* offsets = nullptr;
  const SkinInfluence* influences = nullptr;
  const std::uint32_t* pivots = nullptr;  ///< Joint with the largest weight, per point.

  const float* palette = nullptr;  ///< Linear: 12 floats per joint, row by row.
  const float* motions = nullptr;  ///< Dual quaternion: 8 floats per joint, x y z w twice.
  const float* scales = nullptr;   ///< Dual quaternion: 9 floats per joint, or null.

  PreTransform pre_transform;  ///< Applied to points, its linear part to frame vectors.
  SkinStream points;
  SkinStream vectors[2];  ///< Directions, renormalised.
  bool streamed = false;
  /// Linear, wide blocks: added to points before anything else. Of packed points that nothing else
  /// happens to before their joints, are not streamed and do not stay in their place.
  ShapeTiles shapes;
  /// Per-point form, linear, in plain C++: joints move a point before weights count, not after.
  bool moves_before_weighing = false;
};

/// Deforms blocks [first, last).
using SkinKernel = void (*)(const SkinArgs& args, std::size_t first, std::size_t last);

/// What a kernel writes.
enum class SkinOutput : std::uint8_t {
  points,   ///< args.points.
  vectors,  ///< Every vector that is wanted, by the upper 3x3 of the palette, renormalised.
  frame,    ///< args.points and every vector that is wanted, by the same blended transform.
};

/// Kernels of a level, null if the build lacks it. The scalar level has the per-point form only.
SkinKernel linear_blocks_kernel(SimdLevel level, SkinOutput output) noexcept;
/// What linear_blocks_kernel() returns for points and directions at once.
SkinKernel linear_frames_kernel(SimdLevel level) noexcept;
SkinKernel linear_rows_kernel(SimdLevel level, SkinOutput output) noexcept;
/// Per-point form of both methods, or one matrix for everything, in plain C++.
SkinKernel scalar_rows_kernel(SkinOutput output) noexcept;

/// Dual quaternions, block form. args.motions and args.scales take the place of args.palette; for
/// SkinOutput::vectors only the rotations count.
SkinKernel dual_blocks_kernel(SimdLevel level, SkinOutput output) noexcept;

/// The blended matrix of one row of the per-point form: linear unless args.motions is given.
void blend_row(const SkinArgs& args, std::size_t row, float (&matrix)[12]) noexcept;

/// Points per block: twice the lanes of a register of floats.
std::size_t skin_block_width(SimdLevel level) noexcept;

}  // namespace sinew::skel
