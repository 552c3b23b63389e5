// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_clip.hpp"
#include "sinew/skel/packed_skeleton.hpp"

namespace sinew::skel {

/// One character of a crowd.
struct CrowdAgent {
  /// What it plays; borrowed, and of as many joints as the skeleton.
  const PackedClip* clip = nullptr;
  double time = 0.0;  ///< In the units of the clip's times.
};

/// Samples, poses and makes the palette of every agent of a crowd: 16 agents at a time, an agent
/// per lane, from clip to palette in one go.
///
/// The job owns nothing and allocates nothing. An agent's result depends on its clip, its time and
/// the SIMD level only: not on its neighbours, on threads, or on how the groups are split.
/// Rotations differ from exact slerp by less than 1e-6 per component.
struct SINEW_API PoseCrowdJob {
  const PackedSkeleton* skeleton = nullptr;  ///< n joints.
  std::span<const CrowdAgent> agents = {};   ///< a agents with clips of n joints.
  /// a * n, agent by agent, or empty: skeleton space from bind space, the transforms of a
  /// SkinPaletteView.
  std::span<Affine34f> palettes = {};
  std::span<Affine34f> skel_from_joint = {};  ///< a * n, or empty: where the joints are.
  /// a, or empty: kept from frame to frame, they make clips whose samples are not evenly spaced as
  /// cheap as others.
  std::span<ClipCursor> cursors = {};

  /// Checks sizes and clips; O(a).
  /// @return ok, invalid_argument for a missing skeleton or clip (naming the agent), or
  ///         size_mismatch naming the wrong member or agent.
  Status validate() const;
  /// Validates, then poses all agents on the executor's threads, by default on this one.
  Status run(const Executor& executor = {}) const;
  /// Number of independent parts: groups of 16 agents.
  std::size_t block_count() const { return (agents.size() + 15) / 16; }
  /// Poses groups [first, last) only. Precondition: validate() is ok, last <= block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

/// Samples, poses and makes the palette of one agent, vectorised across its joints.
struct SINEW_API PoseAgentJob {
  const PackedSkeleton* skeleton = nullptr;   ///< n joints.
  CrowdAgent agent = {};                      ///< Its clip has n joints.
  std::span<Affine34f> skel_from_joint = {};  ///< n: where the joints are. Needed.
  std::span<Affine34f> palette = {};          ///< n, or empty.
  ClipCursor* cursor = nullptr;               ///< As in a crowd, or null.

  /// As PoseCrowdJob::validate(), O(1).
  Status validate() const;
  /// Validates, then poses.
  Status run() const;
};

/// Local transforms of many agents to skeleton space, for those who make local transforms
/// themselves. Lanes are agents: element [g][j][c][i] belongs to agent 16 g + i.
struct SINEW_API LocalToSkeletonJob {
  const PackedSkeleton* skeleton = nullptr;  ///< n joints.
  /// Groups of n * 10 * 16 floats: per joint translation x y z, rotation x y z w, scale x y z.
  std::span<const float> local = {};
  /// As many groups of n * 12 * 16 floats: per joint a 3x4 matrix, row by row.
  std::span<float> skel_from_joint = {};

  /// @return ok, invalid_argument without a skeleton, or size_mismatch naming the wrong member.
  Status validate() const;
  /// Validates, then transforms all groups on the executor's threads, by default on this one.
  Status run(const Executor& executor = {}) const;
  /// Number of independent parts: groups of 16 agents in `local`.
  std::size_t block_count() const;
  /// Transforms groups [first, last) only. Precondition: validate() is ok, last <= block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

}  // namespace sinew::skel
