// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/crowd.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "skel/job.hpp"
#include "skel/kernels/pose_kernels.hpp"
#include "skel/packed_skeleton_impl.hpp"

namespace sinew::skel {

static_assert(PackedClip::kStride == kClipStride && PackedClip::kScaleStride == kScaleStride);

namespace {

/// Groups worth a task: 16 agents of 100 joints take a few microseconds.
constexpr std::size_t kCrowdGrain = 4;

Status check_agent(const CrowdAgent& agent, std::size_t index, std::size_t joints) {
  if (agent.clip == nullptr || agent.clip->sample_count() == 0) {
    return {ErrorCode::invalid_argument, format_text("Agent {} has no clip.", index)};
  }
  if (agent.clip->joint_count() != joints) {
    return {ErrorCode::size_mismatch,
            format_text("The clip of agent {} has {} joints, but the skeleton has {}.", index,
                        agent.clip->joint_count(), joints)};
  }
  return {};
}

Status check_skeleton(const PackedSkeleton* skeleton) {
  if (skeleton == nullptr || PackedSkeletonAccess::impl(*skeleton) == nullptr) {
    return {ErrorCode::invalid_argument, "skeleton is null or was not packed."};
  }
  return {};
}

/// What a clip's scales are interpolated by, with what is left rounded once: the rounding to half
/// precision that follows shows the last bit.
struct ScaleBracket {
  const float* lower;
  const float* upper;
  float alpha;
  float beta;
};

ScaleBracket scale_bracket(const PackedClip& clip, double time, const PackedClip::Bracket& bracket,
                           ClipCursor& cursor) {
  if (!clip.has_scales()) return {nullptr, nullptr, 0.0F, 1.0F};
  const PackedClip::Bracket at =
      clip.has_scale_times() ? clip.scale_bracket(time, cursor.scale_sample) : bracket;
  return {clip.scales(at.lower), clip.scales(at.upper), static_cast<float>(at.alpha),
          static_cast<float>(1.0 - at.alpha)};
}

float* transform_of(std::span<Affine34f> transforms, std::size_t index) {
  return transforms.empty() ? nullptr : transforms[index].m;
}

}  // namespace

Status PoseCrowdJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t n = skeleton->joint_count();
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (Status s = check_agent(agents[i], i, n); !s) return s;
  }
  if (Status s = check_optional("palettes", palettes.size(), agents.size() * n); !s) return s;
  if (Status s = check_optional("cursors", cursors.size(), agents.size()); !s) return s;
  return check_optional("skel_from_joint", skel_from_joint.size(), agents.size() * n);
}

Status PoseCrowdJob::run(const Executor& executor) const {
  return run_job(*this, executor, kCrowdGrain);
}

void PoseCrowdJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const auto& packed = *PackedSkeletonAccess::impl(*skeleton);
  const PoseHierarchy hierarchy = packed.view();
  const std::size_t n = hierarchy.joint_count;
  if (n == 0) return;
  PoseGroup group;
  for (std::size_t g = first; g < last; ++g) {
    bool scaled = false;
    group.half_scales = false;
    for (std::size_t lane = 0; lane < kCrowdLanes; ++lane) {
      const std::size_t index = std::min(g * kCrowdLanes + lane, agents.size() - 1);
      const PackedClip& clip = *agents[index].clip;
      ClipCursor nowhere;
      ClipCursor& cursor = cursors.empty() ? nowhere : cursors[index];
      const PackedClip::Bracket bracket = clip.bracket(agents[index].time, cursor.sample);
      group.lower[lane] = clip.sample(bracket.lower);
      group.upper[lane] = clip.sample(bracket.upper);
      group.alpha[lane] = static_cast<float>(bracket.alpha);
      const ScaleBracket scales = scale_bracket(clip, agents[index].time, bracket, cursor);
      group.lower_scales[lane] = scales.lower;
      group.upper_scales[lane] = scales.upper;
      group.scale_alpha[lane] = scales.alpha;
      group.scale_beta[lane] = scales.beta;
      scaled = scaled || clip.has_scales();
      group.half_scales = group.half_scales || clip.has_half_scales();
      group.palettes[lane] = transform_of(palettes, index * n);
      group.skeletons[lane] = transform_of(skel_from_joint, index * n);
    }
    for (std::size_t lane = 0; scaled && lane < kCrowdLanes; ++lane) {
      if (group.lower_scales[lane] != nullptr) continue;
      group.lower_scales[lane] = group.upper_scales[lane] = packed.unit_scales.data();
    }
    group.to_next_group = g + 1 < last ? 12 * n * kCrowdLanes : 0;
    packed.kernels.group(hierarchy, group);
  }
}

Status PoseAgentJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t n = skeleton->joint_count();
  if (Status s = check_agent(agent, 0, n); !s) return s;
  if (Status s = check_size("skel_from_joint", skel_from_joint.size(), n); !s) return s;
  return check_optional("palette", palette.size(), n);
}

Status PoseAgentJob::run() const {
  Status status = validate();
  if (!status || skel_from_joint.empty()) return status;
  const PackedClip& clip = *agent.clip;
  ClipCursor nowhere;
  ClipCursor& at = cursor == nullptr ? nowhere : *cursor;
  const PackedClip::Bracket bracket = clip.bracket(agent.time, at.sample);
  const ScaleBracket scales = scale_bracket(clip, agent.time, bracket, at);
  PackedSkeletonAccess::impl(*skeleton)->kernels.agent(
      PackedSkeletonAccess::impl(*skeleton)->view(),
      {clip.sample(bracket.lower), clip.sample(bracket.upper), scales.lower, scales.upper,
       static_cast<float>(bracket.alpha), scales.alpha, scales.beta, clip.has_half_scales(),
       skel_from_joint.front().m, transform_of(palette, 0)});
  return status;
}

Status LocalToSkeletonJob::validate() const {
  if (Status s = check_skeleton(skeleton); !s) return s;
  const std::size_t group = skeleton->joint_count() * 10 * kCrowdLanes;
  if (group == 0 ? !local.empty() : local.size() % group != 0) {
    return {ErrorCode::size_mismatch,
            format_text("local has {} entries, not a multiple of {}.", local.size(), group)};
  }
  return check_size("skel_from_joint", skel_from_joint.size(), local.size() / 10 * 12);
}

Status LocalToSkeletonJob::run(const Executor& executor) const {
  return run_job(*this, executor, kCrowdGrain);
}

std::size_t LocalToSkeletonJob::block_count() const {
  const std::size_t joints = skeleton == nullptr ? 0 : skeleton->joint_count();
  return joints == 0 ? 0 : local.size() / (joints * 10 * kCrowdLanes);
}

void LocalToSkeletonJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const PoseKernels& kernels = PackedSkeletonAccess::impl(*skeleton)->kernels;
  const PoseHierarchy hierarchy = PackedSkeletonAccess::impl(*skeleton)->view();
  const std::size_t lanes = hierarchy.joint_count * kCrowdLanes;
  for (std::size_t g = first; g < last; ++g) {
    kernels.local_to_skeleton(hierarchy, local.data() + g * lanes * 10,
                              skel_from_joint.data() + g * lanes * 12);
  }
}

}  // namespace sinew::skel
