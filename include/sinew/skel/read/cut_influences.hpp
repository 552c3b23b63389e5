// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/read/pack.hpp"

namespace sinew::skel {

/// Influences with fewer joints per point than a prim has, and what that costs.
struct InfluenceCut {
  TargetInfluences influences;  ///< The strongest of every point, normalised, packed.

  /// The most of its weights that a point loses, as a part of their sum.
  double largest_weight_lost = 0.0;
  std::size_t weight_lost_at = 0;  ///< Which point that is.

  /// How far the cut moves a point from where it was at most, in units of skeleton space, in any
  /// sample of any clip; and where and when that is.
  double largest_displacement = 0.0;
  std::size_t displaced_point = 0;  ///< Index of the point.
  std::size_t clip = 0;             ///< Index in `clips`; 0 where the skeleton is at rest.
  double time = 0.0;                ///< In time codes of that clip.
};

/// Cuts the influences of a prim to the `count` strongest of each point, and deforms it with all
/// and with those through every sample of clips to tell how far apart the two get. The weight lost
/// alone does not tell: where joints move alike, much of it costs nothing.
///
/// Blend shapes take no part; points are taken at the earliest time.
///
/// @param target  One of `binding`.
/// @param clips   Of the skeleton of `binding`; none: where it is at rest.
/// @return The cut, or
///         - invalid_argument if `count` is 0;
///         - size_mismatch for a clip of another number of joints;
///         - what pack_influences(), pack_skeleton() or read_clip() return.
/// @par Cost  Two deformations per sample.
SINEW_API Result<InfluenceCut> cut_influences(const SkeletonBinding& binding,
                                              const SkinTarget& target, std::size_t count,
                                              std::span<const Clip> clips,
                                              Diagnostics& diagnostics);

}  // namespace sinew::skel
