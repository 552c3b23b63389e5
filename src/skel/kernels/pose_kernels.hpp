// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the posing kernels read. Plain structs and pointers only: this header is compiled for every
// instruction set.

#include <cstddef>
#include <cstdint>

#include "sinew/core/simd.hpp"

namespace sinew::skel {

inline constexpr std::size_t kCrowdLanes = 16;  ///< Agents per group.
inline constexpr std::size_t kClipStride = 8;   ///< Floats per joint and sample of a clip.
inline constexpr std::size_t kScaleStride = 4;  ///< The same of its scales: x y z, and 1 where
                                                ///< they are rounded to half precision, else 0.

/// Skeleton-space transforms that may be waiting for children at any time. With the largest subtree
/// visited last, log2 of the number of joints is enough.
inline constexpr std::size_t kPoseSlots = 34;
inline constexpr std::uint16_t kNoSlot = 0xffff;

/// One joint, in the order of evaluation.
struct PoseStep {
  std::uint32_t joint;
  std::uint16_t parent_slot;  ///< kNoSlot for roots.
  std::uint16_t slot;         ///< Where children find this joint; kNoSlot for leaves.
};

struct PoseHierarchy {
  const PoseStep* steps = nullptr;
  std::size_t joint_count = 0;
  const std::int32_t* parents = nullptr;    ///< By joint, for the walk in joint order.
  const std::uint32_t* by_depth = nullptr;  ///< Joints by their distance from the root.
  const float* joint_from_bind = nullptr;   ///< 12 floats per joint.
};

/// The agents of one group. Lanes beyond the last agent repeat it.
struct PoseGroup {
  const float* lower[kCrowdLanes];  ///< Sample of each agent, kClipStride floats per joint.
  const float* upper[kCrowdLanes];
  const float* lower_scales[kCrowdLanes];  ///< kScaleStride floats per joint; all null if no clip
  const float* upper_scales[kCrowdLanes];  ///< of the group has scales.
  float alpha[kCrowdLanes];
  float scale_alpha[kCrowdLanes];
  float scale_beta[kCrowdLanes];  ///< 1 - scale_alpha, rounded once.
  bool half_scales;               ///< Some clip has scales that are rounded to half precision.
  float* palettes[kCrowdLanes];   ///< 12 floats per joint each, or all null.
  float* skeletons[kCrowdLanes];  ///< As palettes.
  /// Floats from a place in these to that of the group which will be posed next; 0 if there is
  /// none.
  std::size_t to_next_group;
};

/// One agent.
struct PoseAgent {
  const float* lower;
  const float* upper;
  const float* lower_scales;  ///< As in a group, or null.
  const float* upper_scales;
  float alpha;
  float scale_alpha;
  float scale_beta;
  bool half_scales;
  float* skeleton;
  float* palette;  ///< Or null.
};

struct PoseKernels {
  void (*group)(const PoseHierarchy&, const PoseGroup&) = nullptr;
  void (*agent)(const PoseHierarchy&, const PoseAgent&) = nullptr;
  /// One group of lanes: 10 floats in and 12 out per joint and lane.
  void (*local_to_skeleton)(const PoseHierarchy&, const float* local, float* skeleton) = nullptr;
};

/// The kernels of a level; null members if the build lacks it.
PoseKernels pose_kernels(SimdLevel level) noexcept;
PoseKernels scalar_pose_kernels() noexcept;

}  // namespace sinew::skel
