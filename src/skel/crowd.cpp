// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/crowd.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "skel/kernels/pose_kernels.hpp"

namespace sinew::skel {

static_assert(BakedClip::kStride == kClipStride && BakedClip::kScaleStride == kScaleStride);

/// What CrowdSkeleton::bake() makes.
struct BakedHierarchy {
  SimdLevel level = SimdLevel::scalar;
  PoseKernels kernels;
  std::vector<PoseStep> steps;
  std::vector<std::int32_t> parents;
  std::vector<std::uint32_t> by_depth;
  std::vector<Affine34f> joint_from_bind;
  std::vector<float> unit_scales;  // One sample of scales for clips without.

  PoseHierarchy view() const {
    return {steps.data(), parents.size(), parents.data(), by_depth.data(),
            joint_from_bind.empty() ? nullptr : joint_from_bind.front().m};
  }
};

namespace {

/// Groups worth a task: 16 agents of 100 joints take a few microseconds.
constexpr std::size_t kGrain = 4;

Status check_hierarchy(const CrowdSkeletonDesc& desc) {
  if (desc.joint_from_bind.size() != desc.parents.size()) {
    return {ErrorCode::size_mismatch,
            fmt::format("joint_from_bind has {} entries, but there are {} joints.",
                        desc.joint_from_bind.size(), desc.parents.size())};
  }
  for (std::size_t j = 0; j < desc.parents.size(); ++j) {
    if (desc.parents[j] >= 0 && static_cast<std::size_t>(desc.parents[j]) >= j) {
      return {ErrorCode::bad_topology,
              fmt::format("The parent of joint {} is {}, which does not come before it.", j,
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
    std::stable_sort(children.joints.begin() + children.first[p],
                     children.joints.begin() + children.first[p + 1],
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
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return depth[a] < depth[b]; });
  return order;
}

Status check_agent(const CrowdAgent& agent, std::size_t index, std::size_t joints) {
  if (agent.clip == nullptr || agent.clip->sample_count() == 0) {
    return {ErrorCode::invalid_argument, fmt::format("Agent {} has no clip.", index)};
  }
  if (agent.clip->joint_count() != joints) {
    return {ErrorCode::size_mismatch,
            fmt::format("The clip of agent {} has {} joints, but the skeleton has {}.", index,
                        agent.clip->joint_count(), joints)};
  }
  return {};
}

Status check_size(const char* member, std::size_t size, std::size_t expected) {
  if (size == expected) return {};
  return {ErrorCode::size_mismatch,
          fmt::format("{} has {} entries, but {} are needed.", member, size, expected)};
}

Status check_skeleton(const CrowdSkeleton* skeleton) {
  if (skeleton == nullptr || skeleton->baked() == nullptr) {
    return {ErrorCode::invalid_argument, "skeleton is null or was not baked."};
  }
  return {};
}

float* transform_of(std::span<Affine34f> transforms, std::size_t index) {
  return transforms.empty() ? nullptr : transforms[index].m;
}

}  // namespace

Result<CrowdSkeleton> CrowdSkeleton::bake(const CrowdSkeletonDesc& desc) {
  if (Status status = check_hierarchy(desc); !status) return std::move(status).error();
  auto baked = std::make_shared<BakedHierarchy>();
  // Asking the machine takes microseconds, so it is done here and not in the jobs.
  baked->level = desc.level == SimdLevel::best ? best_simd_level() : desc.level;
  if (is_supported(baked->level)) baked->kernels = pose_kernels(baked->level);
  if (baked->kernels.group == nullptr) {
    if (desc.level != SimdLevel::best) {
      return {ErrorCode::unsupported,
              fmt::format("SIMD level {} is not available here.", to_string(desc.level))};
    }
    baked->level = SimdLevel::scalar;
    baked->kernels = scalar_pose_kernels();
  }
  baked->parents.assign(desc.parents.begin(), desc.parents.end());
  for (const Matrix4d& m : desc.joint_from_bind) baked->joint_from_bind.emplace_back(m);
  baked->steps = evaluation_order(desc.parents);
  baked->by_depth = depth_order(desc.parents);
  baked->unit_scales.assign(desc.parents.size() * kScaleStride, 1.0F);
  CrowdSkeleton skeleton;
  skeleton.baked_ = std::move(baked);
  return skeleton;
}

std::size_t CrowdSkeleton::joint_count() const noexcept {
  return baked_ ? baked_->parents.size() : 0;
}

SimdLevel CrowdSkeleton::level() const noexcept {
  return baked_ ? baked_->level : SimdLevel::scalar;
}

Status PoseCrowdJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t n = skeleton->joint_count();
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (Status s = check_agent(agents[i], i, n); !s) return s;
  }
  if (!palettes.empty()) {
    if (Status s = check_size("palettes", palettes.size(), agents.size() * n); !s) return s;
  }
  if (!skel_from_joint.empty()) {
    if (Status s = check_size("skel_from_joint", skel_from_joint.size(), agents.size() * n); !s) {
      return s;
    }
  }
  return {};
}

Status PoseCrowdJob::run() const {
  return run(Executor{});
}

Status PoseCrowdJob::run(const Executor& executor) const {
  Status status = validate();
  if (!status) return status;
  parallel_for(executor, block_count(), kGrain,
               [this](std::size_t first, std::size_t last) { run_blocks(first, last); });
  return status;
}

void PoseCrowdJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const BakedHierarchy& baked = *skeleton->baked();
  const PoseHierarchy hierarchy = baked.view();
  const std::size_t n = hierarchy.joint_count;
  if (n == 0) return;
  PoseGroup group;
  for (std::size_t g = first; g < last; ++g) {
    bool scaled = false;
    for (std::size_t lane = 0; lane < kCrowdLanes; ++lane) {
      const std::size_t index = std::min(g * kCrowdLanes + lane, agents.size() - 1);
      const BakedClip& clip = *agents[index].clip;
      const BakedClip::Bracket bracket = clip.bracket(agents[index].time);
      group.lower[lane] = clip.sample(bracket.lower);
      group.upper[lane] = clip.sample(bracket.upper);
      group.lower_scales[lane] = clip.scales(bracket.lower);
      group.upper_scales[lane] = clip.scales(bracket.upper);
      group.alpha[lane] = bracket.alpha;
      scaled = scaled || clip.has_scales();
      group.palettes[lane] = transform_of(palettes, index * n);
      group.skeletons[lane] = transform_of(skel_from_joint, index * n);
    }
    for (std::size_t lane = 0; scaled && lane < kCrowdLanes; ++lane) {
      if (group.lower_scales[lane] != nullptr) continue;
      group.lower_scales[lane] = group.upper_scales[lane] = baked.unit_scales.data();
    }
    group.to_next_group = g + 1 < last ? 12 * n * kCrowdLanes : 0;
    baked.kernels.group(hierarchy, group);
  }
}

Status PoseAgentJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t n = skeleton->joint_count();
  if (Status s = check_agent(agent, 0, n); !s) return s;
  if (Status s = check_size("skel_from_joint", skel_from_joint.size(), n); !s) return s;
  if (!palette.empty()) {
    if (Status s = check_size("palette", palette.size(), n); !s) return s;
  }
  return {};
}

Status PoseAgentJob::run() const {
  Status status = validate();
  if (!status || skel_from_joint.empty()) return status;
  const BakedClip::Bracket bracket = agent.clip->bracket(agent.time);
  skeleton->baked()->kernels.agent(
      skeleton->baked()->view(),
      {agent.clip->sample(bracket.lower), agent.clip->sample(bracket.upper),
       agent.clip->scales(bracket.lower), agent.clip->scales(bracket.upper), bracket.alpha,
       skel_from_joint.front().m, transform_of(palette, 0)});
  return status;
}

Status LocalToSkeletonJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t group = skeleton->joint_count() * 10 * kCrowdLanes;
  if (group == 0 ? !local.empty() : local.size() % group != 0) {
    return {ErrorCode::size_mismatch,
            fmt::format("local has {} entries, not a multiple of {}.", local.size(), group)};
  }
  if (Status s = check_size("skel_from_joint", skel_from_joint.size(), local.size() / 10 * 12);
      !s) {
    return s;
  }
  return {};
}

Status LocalToSkeletonJob::run() const {
  return run(Executor{});
}

Status LocalToSkeletonJob::run(const Executor& executor) const {
  Status status = validate();
  if (!status) return status;
  parallel_for(executor, block_count(), kGrain,
               [this](std::size_t first, std::size_t last) { run_blocks(first, last); });
  return status;
}

std::size_t LocalToSkeletonJob::block_count() const {
  const std::size_t joints = skeleton == nullptr ? 0 : skeleton->joint_count();
  return joints == 0 ? 0 : local.size() / (joints * 10 * kCrowdLanes);
}

void LocalToSkeletonJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const PoseKernels& kernels = skeleton->baked()->kernels;
  const PoseHierarchy hierarchy = skeleton->baked()->view();
  const std::size_t lanes = hierarchy.joint_count * kCrowdLanes;
  for (std::size_t g = first; g < last; ++g) {
    kernels.local_to_skeleton(hierarchy, local.data() + g * lanes * 10,
                              skel_from_joint.data() + g * lanes * 12);
  }
}

}  // namespace sinew::skel
