// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_skeleton.hpp"
#include "skel/kernels/pose_kernels.hpp"

namespace sinew::skel {

/// The order of evaluation, and what kernels need beside it.
struct PackedSkeleton::Impl {
  SimdLevel level = SimdLevel::scalar;
  PoseKernels kernels;
  std::vector<PoseStep> steps;
  std::vector<std::int32_t> parents;
  std::vector<std::uint32_t> by_depth;
  std::vector<Affine34f> joint_from_bind;
  std::vector<float> unit_scales;  // One sample of scales, for clips that have none.

  PoseHierarchy view() const {
    return {steps.data(), parents.size(), parents.data(), by_depth.data(),
            joint_from_bind.empty() ? nullptr : joint_from_bind.front().m};
  }
};

struct PackedSkeletonAccess {
  /// Null for a default-constructed skeleton.
  static const PackedSkeleton::Impl* impl(const PackedSkeleton& skeleton) noexcept {
    return skeleton.impl_.get();
  }
};

}  // namespace sinew::skel
