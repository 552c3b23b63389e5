// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_skeleton.hpp"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "skel/packed_skeleton_impl.hpp"

namespace sinew::skel {

namespace {

Status check_hierarchy(const PackedSkeletonDesc& desc) {
  if (desc.joint_from_bind.size() != desc.parents.size()) {
    return {ErrorCode::size_mismatch,
            format_text("joint_from_bind has {} entries, but there are {} joints.",
                        desc.joint_from_bind.size(), desc.parents.size())};
  }
  for (std::size_t j = 0; j < desc.parents.size(); ++j) {
    if (desc.parents[j] >= 0 && static_cast<std::size_t>(desc.parents[j]) >= j) {
      return {ErrorCode::bad_topology,
              format_text("The parent of joint {} is {}, which does not come before it.", j,
                          desc.parents[j])};
    }
  }
  return {};
}

/// Children of every joint, the one with the largest subtree last; roots are those of joint n.
struct Children {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> joints;
};

Children sorted_children(std::span<const std::int32_t> parents) {
  const std::size_t n = parents.size();
  const auto parent_of = [&](std::size_t j) {
    return parents[j] < 0 ? n : static_cast<std::size_t>(parents[j]);
  };
  std::vector<std::uint32_t> subtree(n + 1, 1);
  for (std::size_t j = n; j-- > 0;) subtree[parent_of(j)] += subtree[j];
  Children children;
  children.first.assign(n + 2, 0);
  for (std::size_t j = 0; j < n; ++j) ++children.first[parent_of(j) + 1];
  std::partial_sum(children.first.begin(), children.first.end(), children.first.begin());
  children.joints.resize(n);
  std::vector<std::uint32_t> next(children.first.begin(), children.first.end() - 1);
  for (std::size_t j = 0; j < n; ++j) {
    children.joints[next[parent_of(j)]++] = static_cast<std::uint32_t>(j);
  }
  for (std::size_t p = 0; p <= n; ++p) {
    stable_sort_range(children.joints.begin() + static_cast<std::ptrdiff_t>(children.first[p]),
                      children.joints.begin() + static_cast<std::ptrdiff_t>(children.first[p + 1]),
                      [&](std::uint32_t a, std::uint32_t b) { return subtree[a] < subtree[b]; });
  }
  return children;
}

/// Depth first, the largest subtree last. A joint keeps a slot until its last child was posed, and
/// that child may take it over; all but the last of a joint's subtrees hold at most half of its
/// descendants, so joints that wait at the same time are log2(n) at most.
std::vector<PoseStep> evaluation_order(std::span<const std::int32_t> parents) {
  const std::size_t n = parents.size();
  const Children children = sorted_children(parents);
  std::vector<PoseStep> steps;
  steps.reserve(n);
  std::vector<std::uint16_t> slot_of_joint(n, kNoSlot);
  std::vector<std::uint16_t> free_slots(kPoseSlots);
  for (std::size_t i = 0; i < kPoseSlots; ++i) {
    free_slots[i] = static_cast<std::uint16_t>(kPoseSlots - 1 - i);
  }
  const auto push_children = [&](std::size_t p, std::vector<std::uint32_t>& stack) {
    for (std::uint32_t i = children.first[p + 1]; i-- > children.first[p];) {
      stack.push_back(children.joints[i]);
    }
  };
  std::vector<std::uint32_t> stack;
  push_children(n, stack);
  while (!stack.empty()) {
    const std::uint32_t joint = stack.back();
    stack.pop_back();
    PoseStep step = {joint, kNoSlot, kNoSlot};
    if (parents[joint] >= 0) {
      const auto parent = static_cast<std::size_t>(parents[joint]);
      step.parent_slot = slot_of_joint[parent];
      const bool last = children.joints[children.first[parent + 1] - 1] == joint;
      if (last) free_slots.push_back(step.parent_slot);
    }
    if (children.first[joint + 1] != children.first[joint]) {
      step.slot = free_slots.back();
      free_slots.pop_back();
      slot_of_joint[joint] = step.slot;
      push_children(joint, stack);
    }
    steps.push_back(step);
  }
  return steps;
}

/// Joints by distance from the root, so that neighbours in this order do not wait for each other.
std::vector<std::uint32_t> depth_order(std::span<const std::int32_t> parents) {
  std::vector<std::uint32_t> depth(parents.size(), 0), order(parents.size());
  for (std::size_t j = 0; j < parents.size(); ++j) {
    if (parents[j] >= 0) depth[j] = depth[static_cast<std::size_t>(parents[j])] + 1;
  }
  std::iota(order.begin(), order.end(), 0U);
  stable_sort_range(order.begin(), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return depth[a] < depth[b]; });
  return order;
}

}  // namespace

Result<PackedSkeleton> PackedSkeleton::pack(const PackedSkeletonDesc& desc) {
  if (Status status = check_hierarchy(desc); !status) return std::move(status).error();
  auto packed = std::make_shared<PackedSkeleton::Impl>();
  // Asking the machine takes microseconds, so it is done here and not in the jobs.
  packed->level = desc.level == SimdLevel::best ? best_simd_level() : desc.level;
  if (is_supported(packed->level)) packed->kernels = pose_kernels(packed->level);
  if (packed->kernels.agent == nullptr && desc.level == SimdLevel::best) {
    packed->level = SimdLevel::scalar;
    packed->kernels = pose_kernels(packed->level);
  }
  if (packed->kernels.agent == nullptr) {
    return {ErrorCode::unsupported,
            format_text("SIMD level {} is not available here.", to_string(desc.level))};
  }
  packed->parents.assign(desc.parents.begin(), desc.parents.end());
  for (const Matrix4d& m : desc.joint_from_bind) packed->joint_from_bind.emplace_back(m);
  packed->steps = evaluation_order(desc.parents);
  packed->by_depth = depth_order(desc.parents);
  packed->unit_scales.assign(desc.parents.size() * kScaleStride, 1.0F);
  for (std::size_t j = 0; j < desc.parents.size(); ++j) {
    packed->unit_scales[j * kScaleStride + 3] = 0.0F;
  }
  PackedSkeleton skeleton;
  skeleton.impl_ = std::move(packed);
  return skeleton;
}

std::size_t PackedSkeleton::joint_count() const noexcept {
  return impl_ ? impl_->parents.size() : 0;
}

SimdLevel PackedSkeleton::level() const noexcept {
  return impl_ ? impl_->level : SimdLevel::scalar;
}

}  // namespace sinew::skel
