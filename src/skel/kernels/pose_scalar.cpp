// SPDX-License-Identifier: Apache-2.0
//
// Posing in plain C++, one joint of one agent at a time: the level that every machine has.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sinew/core/types.hpp"
#include "skel/kernels/pose_kernels.hpp"

namespace sinew::skel {

namespace {

// The shorter way, by the signs that clips give rotations.
void slerp(const float* a, const float* b, float alpha, float (&q)[4]) {
  const float c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  float k0 = 1.0F - alpha, k1 = alpha;
  if (1.0F - c > 1e-5F) {
    const float theta = std::acos(c);
    const float s = std::sin(theta);
    k0 = std::sin((1.0F - alpha) * theta) / s;
    k1 = std::sin(alpha * theta) / s;
  }
  for (int i = 0; i < 4; ++i) q[i] = k0 * a[i] + k1 * b[i];
}

/// Scale, then rotation, then translation, as 12 floats.
void compose(const float* t, const float* q, const float* s, float* m) {
  const float x = q[0], y = q[1], z = q[2], w = q[3];
  const float rotation[9] = {
      1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
      2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
      2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      m[4 * row + column] = rotation[3 * row + column] * s[column];
    }
    m[4 * row + 3] = t[row];
  }
}

float round_to_half(float value) {
  return static_cast<float>(static_cast<Half>(value));
}

/// The scales of one joint, null if there are none, and what interpolates them.
struct Scales {
  const float* lower;
  const float* upper;
  float alpha;
  float beta;
};

void sample_scales(const Scales& scales, float* s) {
  const bool halves = scales.lower[3] > 0.0F;
  for (int i = 0; i < 3; ++i) {
    const float a = scales.lower[i] * scales.beta, b = scales.upper[i] * scales.alpha;
    s[i] = halves ? round_to_half(round_to_half(a) + round_to_half(b)) : a + b;
  }
}

void sample(const float* lower, const float* upper, float alpha, const Scales& scales, float* m) {
  float q[4], t[3], s[3] = {1.0F, 1.0F, 1.0F};
  slerp(lower, upper, alpha, q);
  for (int i = 0; i < 3; ++i) t[i] = (1.0F - alpha) * lower[4 + i] + alpha * upper[4 + i];
  if (scales.lower != nullptr) sample_scales(scales, s);
  compose(t, q, s, m);
}

/// Where one joint's scales are, if there are any.
const float* scale_at(const float* scales, std::size_t joint) {
  return scales == nullptr ? nullptr : scales + joint * kScaleStride;
}

/// out = a * b; `out` may be either.
void concat(const float* a, const float* b, float* out) {
  float result[12];
  for (int row = 0; row < 3; ++row) {
    const float* r = a + 4 * row;
    for (int column = 0; column < 4; ++column) {
      result[4 * row + column] = r[0] * b[column] + r[1] * b[4 + column] + r[2] * b[8 + column];
    }
    result[4 * row + 3] += r[3];
  }
  for (int i = 0; i < 12; ++i) out[i] = result[i];
}

void pose_agent(const PoseHierarchy& hierarchy, const PoseAgent& agent) {
  for (std::size_t joint = 0; joint < hierarchy.joint_count; ++joint) {
    float* own = agent.skeleton + 12 * joint;
    sample(agent.lower + joint * kClipStride, agent.upper + joint * kClipStride, agent.alpha,
           {scale_at(agent.lower_scales, joint), scale_at(agent.upper_scales, joint),
            agent.scale_alpha, agent.scale_beta},
           own);
    const std::int32_t parent = hierarchy.parents[joint];
    if (parent >= 0) concat(agent.skeleton + 12 * static_cast<std::size_t>(parent), own, own);
    if (agent.palette != nullptr) {
      concat(own, hierarchy.joint_from_bind + 12 * joint, agent.palette + 12 * joint);
    }
  }
}

/// Lane by lane, with the waiting parents on the stack as in the vector kernels.
void pose_group(const PoseHierarchy& hierarchy, const PoseGroup& group) {
  for (std::size_t lane = 0; lane < kCrowdLanes; ++lane) {
    float slots[kPoseSlots][12];
    for (std::size_t i = 0; i < hierarchy.joint_count; ++i) {
      const PoseStep& step = hierarchy.steps[i];
      const std::size_t offset = step.joint * kClipStride;
      float m[12];
      sample(group.lower[lane] + offset, group.upper[lane] + offset, group.alpha[lane],
             {scale_at(group.lower_scales[lane], step.joint),
              scale_at(group.upper_scales[lane], step.joint), group.scale_alpha[lane],
              group.scale_beta[lane]},
             m);
      if (step.parent_slot != kNoSlot) concat(slots[step.parent_slot], m, m);
      for (int e = 0; e < 12; ++e) {
        if (step.slot != kNoSlot) slots[step.slot][e] = m[e];
        if (group.skeletons[lane] != nullptr)
          group.skeletons[lane][12 * step.joint + static_cast<unsigned>(e)] = m[e];
      }
      if (group.palettes[lane] != nullptr) {
        concat(m, hierarchy.joint_from_bind + 12 * step.joint,
               group.palettes[lane] + 12 * step.joint);
      }
    }
  }
}

void pose_lanes(const PoseHierarchy& hierarchy, const float* local, float* skeleton) {
  for (std::size_t joint = 0; joint < hierarchy.joint_count; ++joint) {
    for (std::size_t lane = 0; lane < kCrowdLanes; ++lane) {
      float trs[10], m[12], above[12];
      for (std::size_t i = 0; i < 10; ++i) trs[i] = local[(joint * 10 + i) * kCrowdLanes + lane];
      compose(trs, trs + 3, trs + 7, m);
      if (hierarchy.parents[joint] >= 0) {
        const auto parent = static_cast<std::size_t>(hierarchy.parents[joint]);
        for (std::size_t i = 0; i < 12; ++i)
          above[i] = skeleton[(parent * 12 + i) * kCrowdLanes + lane];
        concat(above, m, m);
      }
      for (std::size_t i = 0; i < 12; ++i) skeleton[(joint * 12 + i) * kCrowdLanes + lane] = m[i];
    }
  }
}

}  // namespace

PoseKernels scalar_pose_kernels() noexcept {
  return {pose_group, pose_agent, pose_lanes};
}

}  // namespace sinew::skel
