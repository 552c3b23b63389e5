// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/packed_vectors.hpp"
#include "sinew/skel/skin_palette.hpp"

namespace sinew::skel {

/// What happens to the output next.
enum class OutputUse : std::uint8_t {
  cached,    ///< Read again soon by this core.
  streamed,  ///< Written past the caches: faster for results much larger than the cache (from
             ///< about a million points), slower otherwise. Needs 16-byte aligned outputs to have
             ///< an effect; 64-byte alignment is best.
};

/// Deforms points, normals and tangents of a mesh with the joints of a skeleton.
///
///     linear:           p'[i] = sum over k of w[i,k] * M[j(i,k)] * p[i]
///     dual quaternion:  p'[i] = rotate(b, s) + translation(b),
///                       b = normalised sum of +-w[i,k] * dq[j(i,k)], s = sum of w[i,k] * S[j] p[i]
///
/// Normals use their own transforms, are summed the same way and renormalised; tangents are
/// directions in the surface, moved by the linear part of the points' transforms and renormalised.
/// A direction of length zero stays zero. Weights are used as authored.
///
/// The job owns nothing and allocates nothing. Every output may be the same memory as its input,
/// but must not overlap it partially, and no other input or output at all. The last bits of the
/// result depend on the influences, their SIMD level and on which of the three are asked for; never
/// on threads or on how the blocks are split.
///
/// Error of points against exact arithmetic, with u = 2^-24 and m the largest sum over a matrix row
/// of |element * coordinate| among the point's joints: linear (k + 6) * u * m * sum |w| for k
/// influences; dual quaternion 32 * u * m. Directions: 32 * u relative to 1, times the largest
/// ratio of input to blended length. tests/skel/skinning_levels_test.cpp checks this on all levels.
struct SINEW_API SkinPointsJob {
  const PackedInfluences* influences = nullptr;  ///< Packed for n points.
  SkinPaletteView palette;                       ///< influences->joint_count() transforms.
  std::span<const Vector3f> points = {};         ///< n rest points, mesh space; may be empty.
  std::span<Vector3f> points_out = {};           ///< As many deformed points, skeleton space.
  std::span<const Vector3f> normals = {};        ///< n normals, or empty.
  std::span<Vector3f> normals_out = {};          ///< As many.
  std::span<const Vector3f> tangents = {};       ///< n tangents, or empty.
  std::span<Vector3f> tangents_out = {};         ///< As many.
  /// What happens to the outputs next; affects speed alone.
  OutputUse output_use = OutputUse::cached;
  /// The values of `points` once more, packed for `influences`, or null. Linear skinning may read
  /// them in their place, which is faster (rows `packed` of bench/skinning.cpp), where all that
  /// moves by the same transforms is packed and no output takes the place of its input; they make
  /// no difference to the result. They must still be the same values: not in place, then, from
  /// frame to frame.
  const PackedVectors* packed_points = nullptr;
  const PackedVectors* packed_normals = nullptr;   ///< As packed_points, of `normals`.
  const PackedVectors* packed_tangents = nullptr;  ///< As packed_points, of `tangents`.

  /// Checks sizes and null members; O(1). Joint indices were checked once, when packing.
  /// @return ok, invalid_argument without influences or with values packed for blocks of another
  ///         width, or size_mismatch naming the wrong member.
  Status validate() const;

  /// Validates, then deforms everything on the executor's threads, by default on this one. Nothing
  /// is written if validation fails.
  Status run(const Executor& executor = {}) const;

  /// Number of independent parts, influences->block_count().
  std::size_t block_count() const;

  /// Deforms blocks [first, last) only; different ranges may run at the same time.
  /// Precondition: validate() is ok and first <= last <= block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

}  // namespace sinew::skel
