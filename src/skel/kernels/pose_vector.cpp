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

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void pose_group(const PoseHierarchy&, const PoseGroup&) {}
void pose_agent(const PoseHierarchy&, const PoseAgent&) {}
void pose_lanes(const PoseHierarchy&, const float*, float*) {}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
using Tag4 = hn::CappedTag<float, 4>;
using Vec4 = hn::Vec<Tag4>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag());

struct Four {
  Vec x, y, z, w;
};

/// A 3x4 matrix per lane, row by row.
struct Affine {
  Four r0, r1, r2;
};

HWY_INLINE Vec4 load_quad(const float* const* from, std::size_t index, std::size_t offset) {
  return hn::LoadU(Tag4(), from[index] + offset);
}

/// Register `k` of four: places k, k + 4, k + 8, ...
HWY_INLINE Vec load_every_fourth(const float* const* from, std::size_t k, std::size_t offset) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::CappedTag<float, 8> d8;
  return hn::Combine(
      Tag(), hn::Combine(d8, load_quad(from, k + 12, offset), load_quad(from, k + 8, offset)),
      hn::Combine(d8, load_quad(from, k + 4, offset), load_quad(from, k, offset)));
#elif HWY_TARGET == HWY_AVX2
  return hn::Combine(Tag(), load_quad(from, k + 4, offset), load_quad(from, k, offset));
#else
  return load_quad(from, k, offset);
#endif
}

HWY_INLINE Vec lower_pairs(Vec a, Vec b) {
  const hn::Repartition<double, Tag> d2;
  return hn::BitCast(Tag(), hn::InterleaveLower(d2, hn::BitCast(d2, a), hn::BitCast(d2, b)));
}

HWY_INLINE Vec upper_pairs(Vec a, Vec b) {
  const hn::Repartition<double, Tag> d2;
  return hn::BitCast(Tag(), hn::InterleaveUpper(d2, hn::BitCast(d2, a), hn::BitCast(d2, b)));
}

/// Transposes the 4x4 floats in each 128-bit block.
HWY_INLINE Four transpose(const Four& v) {
  const Tag d;
  const Vec xy_low = hn::InterleaveLower(d, v.x, v.y), xy_high = hn::InterleaveUpper(d, v.x, v.y);
  const Vec zw_low = hn::InterleaveLower(d, v.z, v.w), zw_high = hn::InterleaveUpper(d, v.z, v.w);
  return {lower_pairs(xy_low, zw_low), upper_pairs(xy_low, zw_low), lower_pairs(xy_high, zw_high),
          upper_pairs(xy_high, zw_high)};
}

/// Four consecutive floats of every lane's place, one component per register.
HWY_INLINE Four gather_four(const float* const* from, std::size_t offset) {
  return transpose({load_every_fourth(from, 0, offset), load_every_fourth(from, 1, offset),
                    load_every_fourth(from, 2, offset), load_every_fourth(from, 3, offset)});
}

HWY_INLINE void store_every_fourth(Vec v, float* const* to, std::size_t k, std::size_t offset) {
  const Tag4 d4;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::CappedTag<float, 8> d8;
  const auto low = hn::LowerHalf(d8, v);
  const auto high = hn::UpperHalf(d8, v);
  hn::StoreU(hn::LowerHalf(d4, low), d4, to[k] + offset);
  hn::StoreU(hn::UpperHalf(d4, low), d4, to[k + 4] + offset);
  hn::StoreU(hn::LowerHalf(d4, high), d4, to[k + 8] + offset);
  hn::StoreU(hn::UpperHalf(d4, high), d4, to[k + 12] + offset);
#elif HWY_TARGET == HWY_AVX2
  hn::StoreU(hn::LowerHalf(d4, v), d4, to[k] + offset);
  hn::StoreU(hn::UpperHalf(d4, v), d4, to[k + 4] + offset);
#else
  hn::StoreU(v, d4, to[k] + offset);
#endif
}

/// The inverse of gather_four().
HWY_INLINE void scatter_four(const Four& v, float* const* to, std::size_t offset) {
  const Four t = transpose(v);
  store_every_fourth(t.x, to, 0, offset);
  store_every_fourth(t.y, to, 1, offset);
  store_every_fourth(t.z, to, 2, offset);
  store_every_fourth(t.w, to, 3, offset);
}

HWY_INLINE Four lerp(const Four& a, const Four& b, Vec k0, Vec k1) {
  return {hn::MulAdd(a.x, k0, hn::Mul(b.x, k1)), hn::MulAdd(a.y, k0, hn::Mul(b.y, k1)),
          hn::MulAdd(a.z, k0, hn::Mul(b.z, k1)), hn::MulAdd(a.w, k0, hn::Mul(b.w, k1))};
}

/// Sine on [0, pi / 2]: the Taylor series to x^11, whose next term is below 6e-8.
HWY_INLINE Vec sine(Vec x) {
  const Tag d;
  const Vec s = hn::Mul(x, x);
  Vec p = hn::Set(d, -1.0F / 39916800.0F);
  p = hn::MulAdd(p, s, hn::Set(d, 1.0F / 362880.0F));
  p = hn::MulAdd(p, s, hn::Set(d, -1.0F / 5040.0F));
  p = hn::MulAdd(p, s, hn::Set(d, 1.0F / 120.0F));
  p = hn::MulAdd(p, s, hn::Set(d, -1.0F / 6.0F));
  return hn::MulAdd(hn::Mul(p, s), x, x);
}

/// Arc cosine on [0, 1]: sqrt(1 - x) times a polynomial; error below 2e-8 before rounding
/// (Abramowitz and Stegun, 4.4.46).
HWY_INLINE Vec arc_cosine(Vec x) {
  const Tag d;
  Vec p = hn::Set(d, -0.0012624911F);
  p = hn::MulAdd(p, x, hn::Set(d, 0.0066700901F));
  p = hn::MulAdd(p, x, hn::Set(d, -0.0170881256F));
  p = hn::MulAdd(p, x, hn::Set(d, 0.0308918810F));
  p = hn::MulAdd(p, x, hn::Set(d, -0.0501743046F));
  p = hn::MulAdd(p, x, hn::Set(d, 0.0889789874F));
  p = hn::MulAdd(p, x, hn::Set(d, -0.2145988016F));
  p = hn::MulAdd(p, x, hn::Set(d, 1.5707963050F));
  const Vec rest = hn::Max(hn::Sub(hn::Set(d, 1.0F), x), hn::Zero(d));
  return hn::Mul(hn::Sqrt(rest), p);
}

/// Slerp the shorter way; lerp where the two are close. Not normalised.
HWY_INLINE Four slerp(const Four& a, const Four& b, Vec alpha) {
  const Tag d;
  const Vec one = hn::Set(d, 1.0F);
  const Vec product =
      hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
  const Vec c = hn::Abs(product);
  const Vec beta = hn::Sub(one, alpha);
  // Products above 1, of longer quaternions, count as close.
  const Vec theta = arc_cosine(hn::Min(c, one));
  const Vec factor = hn::Div(one, sine(theta));
  const auto far = hn::Gt(hn::Sub(one, c), hn::Set(d, 1e-5F));
  const Vec k0 = hn::IfThenElse(far, hn::Mul(sine(hn::Mul(beta, theta)), factor), beta);
  const Vec k1 = hn::IfThenElse(far, hn::Mul(sine(hn::Mul(alpha, theta)), factor), alpha);
  const auto opposite = hn::Lt(product, hn::Zero(d));
  return lerp(a, b, k0, hn::IfThenElse(opposite, hn::Neg(k1), k1));
}

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

/// The local transforms of one joint of every lane, sampled.
HWY_INLINE Affine sample(const float* const* lower, const float* const* upper, std::size_t offset,
                         Vec alpha, bool with_scales) {
  const Vec beta = hn::Sub(hn::Set(Tag(), 1.0F), alpha);
  const Four q = slerp(gather_four(lower, offset), gather_four(upper, offset), alpha);
  const Four t = lerp(gather_four(lower, offset + 4), gather_four(upper, offset + 4), beta, alpha);
  const Affine m = compose(q, t.x, t.y, t.z);
  if (!with_scales) return m;
  const Four s = lerp(gather_four(lower, offset + 8), gather_four(upper, offset + 8), beta, alpha);
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

/// The lanes of a group that fit one register, from `lane`, for all joints.
HWY_INLINE void pose_lanes_of_group(const PoseHierarchy& hierarchy, const PoseGroup& group,
                                    std::size_t lane) {
  HWY_ALIGN float slots[kPoseSlots][12 * kLanes];
  const Vec alpha = hn::LoadU(Tag(), group.alpha + lane);
  const float* const* lower = group.lower + lane;
  const float* const* upper = group.upper + lane;
  const bool palettes = group.palettes[0] != nullptr;
  const bool skeletons = group.skeletons[0] != nullptr;
  const PoseStep* const end = hierarchy.steps + hierarchy.joint_count;
  for (const PoseStep* step = hierarchy.steps; step != end; ++step) {
    const std::size_t joint = step->joint;
    Affine m = sample(lower, upper, joint * kClipStride, alpha, group.scaled);
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
    const std::size_t out = 12 * joint;
    if (skeletons) {
      scatter_four(m.r0, group.skeletons + lane, out);
      scatter_four(m.r1, group.skeletons + lane, out + 4);
      scatter_four(m.r2, group.skeletons + lane, out + 8);
    }
    if (palettes) {
      const float* bind = hierarchy.joint_from_bind + 12 * joint;
      scatter_four(concat_row_uniform(m.r0, bind), group.palettes + lane, out);
      scatter_four(concat_row_uniform(m.r1, bind), group.palettes + lane, out + 4);
      scatter_four(concat_row_uniform(m.r2, bind), group.palettes + lane, out + 8);
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

HWY_INLINE void concat_affine(const float* a, const float* b, float* out) {
  const Tag4 d;
  const Vec4 b0 = hn::LoadU(d, b), b1 = hn::LoadU(d, b + 4), b2 = hn::LoadU(d, b + 8);
  const Vec4 r0 = concat_row4(a, b0, b1, b2);
  const Vec4 r1 = concat_row4(a + 4, b0, b1, b2);
  const Vec4 r2 = concat_row4(a + 8, b0, b1, b2);
  hn::StoreU(r0, d, out);
  hn::StoreU(r1, d, out + 4);
  hn::StoreU(r2, d, out + 8);
}

void pose_agent(const PoseHierarchy& hierarchy, const PoseAgent& agent) {
  const std::size_t n = hierarchy.joint_count;
  const Vec alpha = hn::Set(Tag(), agent.alpha);
  for (std::size_t first = 0; first < n; first += kLanes) {
    // Lanes are joints; lanes beyond the last joint repeat it.
    const float* lower[kLanes];
    const float* upper[kLanes];
    float* out[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t joint = first + i < n ? first + i : n - 1;
      lower[i] = agent.lower + joint * kClipStride;
      upper[i] = agent.upper + joint * kClipStride;
      out[i] = agent.skeleton + joint * 12;
    }
    const Affine m = sample(lower, upper, 0, alpha, agent.scaled);
    scatter_four(m.r0, out, 0);
    scatter_four(m.r1, out, 4);
    scatter_four(m.r2, out, 8);
  }
  for (std::size_t joint = 0; joint < n; ++joint) {
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
  if (level == SimdLevel::scalar) return scalar_pose_kernels();
  PoseKernels kernels;
  kernels.group = SINEW_SELECT_KERNEL(decltype(kernels.group), level, pose_group);
  kernels.agent = SINEW_SELECT_KERNEL(decltype(kernels.agent), level, pose_agent);
  kernels.local_to_skeleton =
      SINEW_SELECT_KERNEL(decltype(kernels.local_to_skeleton), level, pose_lanes);
  return kernels;
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
