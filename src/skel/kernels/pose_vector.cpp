// SPDX-License-Identifier: Apache-2.0
//
// Posing with vectors. In a crowd, lanes are agents: nothing branches, nothing is shuffled because
// of the hierarchy, and a parent's transform is a plain load. For a single agent, lanes are joints
// while sampling, and matrix columns while walking the hierarchy.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/pose_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/pose_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "skel/kernels/pose_lanes-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void pose_group(const PoseHierarchy&, const PoseGroup&) {}
void pose_agent(const PoseHierarchy&, const PoseAgent&) {}
void pose_lanes(const PoseHierarchy&, const float*, float*) {}

#else

/// Scale, then rotation, then translation. Quaternions are not normalised.
HWY_INLINE Affine compose(const Four& q, Vec tx, Vec ty, Vec tz) {
  const Tag d;
  const Vec one = hn::Set(d, 1.0F);
  const Vec x2 = hn::Add(q.x, q.x), y2 = hn::Add(q.y, q.y), z2 = hn::Add(q.z, q.z);
  const Vec xx = hn::Mul(q.x, x2), yy = hn::Mul(q.y, y2), zz = hn::Mul(q.z, z2);
  const Vec wx = hn::Mul(q.w, x2), wy = hn::Mul(q.w, y2), wz = hn::Mul(q.w, z2);
  return {{hn::Sub(one, hn::Add(yy, zz)), hn::MulSub(q.x, y2, wz), hn::MulAdd(q.x, z2, wy), tx},
          {hn::MulAdd(q.x, y2, wz), hn::Sub(one, hn::Add(xx, zz)), hn::MulSub(q.y, z2, wx), ty},
          {hn::MulSub(q.x, z2, wy), hn::MulAdd(q.y, z2, wx), hn::Sub(one, hn::Add(xx, yy)), tz}};
}

HWY_INLINE Four scaled_row(const Four& r, Vec sx, Vec sy, Vec sz) {
  return {hn::Mul(r.x, sx), hn::Mul(r.y, sy), hn::Mul(r.z, sz), r.w};
}

HWY_INLINE Affine scaled(const Affine& m, Vec sx, Vec sy, Vec sz) {
  return {scaled_row(m.r0, sx, sy, sz), scaled_row(m.r1, sx, sy, sz), scaled_row(m.r2, sx, sy, sz)};
}

/// What interpolates between the samples of every lane.
struct Between {
  Vec alpha, beta;
  const SlerpWeights* slerp;
};

/// `weights` takes what the result refers to.
HWY_INLINE Between prepare(Vec alpha, SlerpWeights& weights) {
  prepare_slerp(alpha, weights);
  return {alpha, hn::Sub(hn::Set(Tag(), 1.0F), alpha), &weights};
}

/// The local transforms of one joint of every lane, sampled, without scales.
template <typename From>
HWY_INLINE Affine sample(const From& lower, const From& upper, const Between& between) {
  const RotationAndTranslation a = gather_eight(lower), b = gather_eight(upper);
  const Four q = slerp(a.q, b.q, *between.slerp);
  const Four t = lerp(a.t, b.t, between.beta, between.alpha);
  return compose(q, t.x, t.y, t.z);
}

/// The same for scales, which may have sample times of their own.
struct ScaleBetween {
  Vec alpha, beta;
  bool halves;
};

template <typename From>
HWY_INLINE Affine scaled(const Affine& m, const From& lower, const From& upper,
                         const ScaleBetween& between) {
  const Four a = gather_four(lower, 0), b = gather_four(upper, 0);
  const Vec k0 = between.beta, k1 = between.alpha;
  Four s = lerp(a, b, k0, k1);
  if (between.halves) {
    const auto rounded = hn::Gt(a.w, hn::Zero(Tag()));
    s.x = hn::IfThenElse(rounded, lerp_halves(a.x, b.x, k0, k1), s.x);
    s.y = hn::IfThenElse(rounded, lerp_halves(a.y, b.y, k0, k1), s.y);
    s.z = hn::IfThenElse(rounded, lerp_halves(a.z, b.z, k0, k1), s.z);
  }
  return scaled(m, s.x, s.y, s.z);
}

/// One row of parent * local.
HWY_INLINE Four concat_row(const Four& p, const Affine& m) {
  return {hn::MulAdd(p.x, m.r0.x, hn::MulAdd(p.y, m.r1.x, hn::Mul(p.z, m.r2.x))),
          hn::MulAdd(p.x, m.r0.y, hn::MulAdd(p.y, m.r1.y, hn::Mul(p.z, m.r2.y))),
          hn::MulAdd(p.x, m.r0.z, hn::MulAdd(p.y, m.r1.z, hn::Mul(p.z, m.r2.z))),
          hn::MulAdd(p.x, m.r0.w, hn::MulAdd(p.y, m.r1.w, hn::MulAdd(p.z, m.r2.w, p.w)))};
}

/// One row of m * (the same 12 floats in every lane).
HWY_INLINE Four concat_row_uniform(const Four& p, const float* m) {
  const Tag d;
  const auto column = [&p, m, d](int i) HWY_ATTR {
    return hn::MulAdd(p.x, hn::Set(d, m[i]),
                      hn::MulAdd(p.y, hn::Set(d, m[4 + i]), hn::Mul(p.z, hn::Set(d, m[8 + i]))));
  };
  return {column(0), column(1), column(2), hn::Add(column(3), p.w)};
}

/// Rows of `stride` floats between components.
HWY_INLINE Four load_row(const float* from, std::size_t stride) {
  const Tag d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + stride), hn::LoadU(d, from + 2 * stride),
          hn::LoadU(d, from + 3 * stride)};
}

HWY_INLINE void store_row(const Four& r, float* to, std::size_t stride) {
  const Tag d;
  hn::StoreU(r.x, d, to);
  hn::StoreU(r.y, d, to + stride);
  hn::StoreU(r.z, d, to + 2 * stride);
  hn::StoreU(r.w, d, to + 3 * stride);
}

/// The same address, as far as the compiler can tell another one for every joint: otherwise it
/// keeps the places of all lanes in registers that the arithmetic needs.
template <typename T>
HWY_INLINE T* const* read_again(T* const* lanes) {
#if defined(__GNUC__)
  asm("" : "+r"(lanes));
#endif
  return lanes;
}

/// Asks for the lines that the next group will write where this one writes a joint, so that they
/// are there by then: a crowd writes more places at a time than the machine itself looks ahead for.
HWY_INLINE void expect_output(float* const* lanes, std::size_t joint, std::size_t to_next_group) {
#if defined(__GNUC__)
  // Three lines of 64 bytes hold four transforms.
  if (to_next_group == 0 || joint % 4 == 3) return;
  const std::size_t line = sizeof(float) * to_next_group + 64 * (joint - joint / 4);
  for (std::size_t i = 0; i < kLanes; ++i) {
    // A number, since the last agents have no place there.
    const auto place = reinterpret_cast<std::uintptr_t>(lanes[i]) + line;
    __builtin_prefetch(reinterpret_cast<const void*>(place), 1, 2);
  }
#else
  (void)lanes, (void)joint, (void)to_next_group;
#endif
}

/// The lanes of a group that fit one register, from `lane`, for all joints.
HWY_INLINE void pose_lanes_of_group(const PoseHierarchy& hierarchy, const PoseGroup& group,
                                    std::size_t lane) {
  using From = Scattered<const float>;
  using To = Scattered<float>;
  HWY_ALIGN float slots[kPoseSlots][12 * kLanes];
  SlerpWeights weights;
  const Between between = prepare(hn::LoadU(Tag(), group.alpha + lane), weights);
  const bool palettes = group.palettes[0] != nullptr;
  const bool skeletons = group.skeletons[0] != nullptr;
  const bool scales = group.lower_scales[0] != nullptr;
  const ScaleBetween scale_between = {hn::LoadU(Tag(), group.scale_alpha + lane),
                                      hn::LoadU(Tag(), group.scale_beta + lane), group.half_scales};
  const PoseStep* const end = hierarchy.steps + hierarchy.joint_count;
  for (const PoseStep* step = hierarchy.steps; step != end; ++step) {
    const std::size_t joint = step->joint;
    const std::size_t at = joint * kClipStride;
    Affine m = sample(From{read_again(group.lower + lane), at},
                      From{read_again(group.upper + lane), at}, between);
    if (scales) {
      const std::size_t from = joint * kScaleStride;
      m = scaled(m, From{group.lower_scales + lane, from}, From{group.upper_scales + lane, from},
                 scale_between);
    }
    if (step->parent_slot != kNoSlot) {
      const float* parent = slots[step->parent_slot];
      m = {concat_row(load_row(parent, kLanes), m),
           concat_row(load_row(parent + 4 * kLanes, kLanes), m),
           concat_row(load_row(parent + 8 * kLanes, kLanes), m)};
    }
    if (step->slot != kNoSlot) {
      float* own = slots[step->slot];
      store_row(m.r0, own, kLanes);
      store_row(m.r1, own + 4 * kLanes, kLanes);
      store_row(m.r2, own + 8 * kLanes, kLanes);
    }
    if (skeletons) {
      expect_output(read_again(group.skeletons + lane), joint, group.to_next_group);
      scatter_affine(m, To{read_again(group.skeletons + lane), 12 * joint});
    }
    if (palettes) {
      expect_output(read_again(group.palettes + lane), joint, group.to_next_group);
      const float* bind = hierarchy.joint_from_bind + 12 * joint;
      scatter_affine({concat_row_uniform(m.r0, bind), concat_row_uniform(m.r1, bind),
                      concat_row_uniform(m.r2, bind)},
                     To{read_again(group.palettes + lane), 12 * joint});
    }
  }
}

void pose_group(const PoseHierarchy& hierarchy, const PoseGroup& group) {
  for (std::size_t lane = 0; lane < kCrowdLanes; lane += kLanes) {
    pose_lanes_of_group(hierarchy, group, lane);
  }
}

/// Local to skeleton space, lanes in and out.
void pose_lanes(const PoseHierarchy& hierarchy, const float* local, float* skeleton) {
  const Tag d;
  for (std::size_t lane = 0; lane < kCrowdLanes; lane += kLanes) {
    for (std::size_t joint = 0; joint < hierarchy.joint_count; ++joint) {
      const float* in = local + joint * 10 * kCrowdLanes + lane;
      const auto component = [in, d](std::size_t i)
                                 HWY_ATTR { return hn::LoadU(d, in + i * kCrowdLanes); };
      const Four q = {component(3), component(4), component(5), component(6)};
      Affine m = scaled(compose(q, component(0), component(1), component(2)), component(7),
                        component(8), component(9));
      if (hierarchy.parents[joint] >= 0) {
        const float* parent =
            skeleton + lane + static_cast<std::size_t>(hierarchy.parents[joint]) * 12 * kCrowdLanes;
        m = {concat_row(load_row(parent, kCrowdLanes), m),
             concat_row(load_row(parent + 4 * kCrowdLanes, kCrowdLanes), m),
             concat_row(load_row(parent + 8 * kCrowdLanes, kCrowdLanes), m)};
      }
      float* out = skeleton + joint * 12 * kCrowdLanes + lane;
      store_row(m.r0, out, kCrowdLanes);
      store_row(m.r1, out + 4 * kCrowdLanes, kCrowdLanes);
      store_row(m.r2, out + 8 * kCrowdLanes, kCrowdLanes);
    }
  }
}

/// One row of a * b, both as three rows of four.
HWY_INLINE Vec4 concat_row4(const float* a, Vec4 b0, Vec4 b1, Vec4 b2) {
  const Tag4 d;
  const auto fourth = hn::Eq(hn::Iota(d, 0), hn::Set(d, 3.0F));
  const Vec4 translation = hn::IfThenElseZero(fourth, hn::Set(d, a[3]));
  return hn::MulAdd(
      hn::Set(d, a[0]), b0,
      hn::MulAdd(hn::Set(d, a[1]), b1, hn::MulAdd(hn::Set(d, a[2]), b2, translation)));
}

/// out = a * b; `out` may be either.
HWY_INLINE void concat_affine(const float* a, const float* b, float* out) {
  const Tag4 d;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // The first two rows in one register.
  const hn::CappedTag<float, 8> d8;
  const auto b0 = hn::LoadDup128(d8, b), b1 = hn::LoadDup128(d8, b + 4);
  const auto b2 = hn::LoadDup128(d8, b + 8);
  const auto rows = hn::LoadU(d8, a);
  HWY_ALIGN static constexpr float kFourth[8] = {0, 0, 0, 1, 0, 0, 0, 1};
  const auto fourth = hn::Ne(hn::Load(d8, kFourth), hn::Zero(d8));
  const auto r01 = hn::MulAdd(
      hn::Broadcast<0>(rows), b0,
      hn::MulAdd(hn::Broadcast<1>(rows), b1,
                 hn::MulAdd(hn::Broadcast<2>(rows), b2, hn::IfThenElseZero(fourth, rows))));
  const Vec4 r2 =
      concat_row4(a + 8, hn::LowerHalf(d, b0), hn::LowerHalf(d, b1), hn::LowerHalf(d, b2));
  hn::StoreU(r01, d8, out);
  hn::StoreU(r2, d, out + 8);
#else
  const Vec4 b0 = hn::LoadU(d, b), b1 = hn::LoadU(d, b + 4), b2 = hn::LoadU(d, b + 8);
  const Vec4 r0 = concat_row4(a, b0, b1, b2);
  const Vec4 r1 = concat_row4(a + 4, b0, b1, b2);
  const Vec4 r2 = concat_row4(a + 8, b0, b1, b2);
  hn::StoreU(r0, d, out);
  hn::StoreU(r1, d, out + 4);
  hn::StoreU(r2, d, out + 8);
#endif
}

/// Samples as many joints as there are lanes, from `first`.
HWY_INLINE void sample_joints(const PoseAgent& agent, const Between& between,
                              const ScaleBetween& scale_between, std::size_t first) {
  using From = Strided<const float, kClipStride>;
  using Scale = Strided<const float, kScaleStride>;
  const std::size_t at = first * kClipStride;
  Affine m = sample(From{agent.lower + at}, From{agent.upper + at}, between);
  if (agent.lower_scales != nullptr) {
    const std::size_t from = first * kScaleStride;
    m = scaled(m, Scale{agent.lower_scales + from}, Scale{agent.upper_scales + from},
               scale_between);
  }
  const Strided<float, 12> to = {agent.skeleton + first * 12};
  scatter_affine(m, to);
}

/// Samples the joints from `first` on, fewer than there are lanes; those beyond repeat the last.
HWY_NOINLINE void sample_last_joints(const PoseAgent& agent, const Between& between,
                                     const ScaleBetween& scale_between, std::size_t first,
                                     std::size_t count) {
  using From = Scattered<const float>;
  const float *lower[kLanes], *upper[kLanes], *lower_scales[kLanes], *upper_scales[kLanes];
  float* out[kLanes];
  const bool scales = agent.lower_scales != nullptr;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t joint = first + i < count ? first + i : count - 1;
    lower[i] = agent.lower + joint * kClipStride;
    upper[i] = agent.upper + joint * kClipStride;
    lower_scales[i] = scales ? agent.lower_scales + joint * kScaleStride : nullptr;
    upper_scales[i] = scales ? agent.upper_scales + joint * kScaleStride : nullptr;
    out[i] = agent.skeleton + joint * 12;
  }
  Affine m = sample(From{lower, 0}, From{upper, 0}, between);
  if (scales) m = scaled(m, From{lower_scales, 0}, From{upper_scales, 0}, scale_between);
  const Scattered<float> to = {out, 0};
  scatter_affine(m, to);
}

void pose_agent(const PoseHierarchy& hierarchy, const PoseAgent& agent) {
  const std::size_t n = hierarchy.joint_count;
  SlerpWeights weights;
  const Between between = prepare(hn::Set(Tag(), agent.alpha), weights);
  const ScaleBetween scale_between = {hn::Set(Tag(), agent.scale_alpha),
                                      hn::Set(Tag(), agent.scale_beta), agent.half_scales};
  std::size_t first = 0;
  for (; first + kLanes <= n; first += kLanes) {
    sample_joints(agent, between, scale_between, first);
  }
  if (first < n) sample_last_joints(agent, between, scale_between, first, n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t joint = hierarchy.by_depth[i];
    float* own = agent.skeleton + joint * 12;
    const std::int32_t parent = hierarchy.parents[joint];
    if (parent >= 0)
      concat_affine(agent.skeleton + static_cast<std::size_t>(parent) * 12, own, own);
  }
  if (agent.palette == nullptr) return;
  for (std::size_t joint = 0; joint < n; ++joint) {
    concat_affine(agent.skeleton + joint * 12, hierarchy.joint_from_bind + joint * 12,
                  agent.palette + joint * 12);
  }
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

PoseKernels pose_kernels(SimdLevel level) noexcept {
  PoseKernels kernels;
#if !defined(SINEW_NO_CROWDS)
  if (level == SimdLevel::scalar) return scalar_pose_kernels();
  kernels.group = SINEW_SELECT_KERNEL(decltype(kernels.group), level, pose_group);
  kernels.local_to_skeleton =
      SINEW_SELECT_KERNEL(decltype(kernels.local_to_skeleton), level, pose_lanes);
#endif
  kernels.agent = SINEW_SELECT_KERNEL(decltype(kernels.agent), level, pose_agent);
  return kernels;
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
