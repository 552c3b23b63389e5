// SPDX-License-Identifier: Apache-2.0
//
// Dual quaternion skinning of blocks.
//
// A quaternion and its negative are the same rotation, so before adding them up every joint's is
// turned to the side of the joint with the largest weight, the pivot, which differs from point to
// point. Where all joints of a block, or of its half, lie within 45 degrees of the first (as
// quaternions: 90 degrees of rotation), up to sign, any two of them agree on their side, and
// turning all to the side of the first gives the same sum up to a sign that does not matter. That
// is nearly every block of a character; the others look up each point's pivot.
//
// The result is quadratic in the quaternion, so dividing by the square of the length takes the
// place of normalising, and no root is needed.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/skin_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/dual_blocks.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "skel/kernels/block_frames-inl.hpp"
#include "skel/kernels/triples-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void dual_block_vectors(const SkinArgs&, std::size_t, std::size_t) {}
void dual_block_frame(const SkinArgs&, std::size_t, std::size_t) {}

#else

/// Just above the cosine of 45 degrees.
inline constexpr float kSameSide = 0.7072F;

struct Quaternions {
  Vec x, y, z, w;
};

/// One blended dual quaternion per lane, of any length, and the scale that goes before it.
template <bool kScaled>
struct Motion {
  Quaternions real, dual;
  Triples s0, s1, s2;  // Only if kScaled.
};

HWY_INLINE Quaternions zero_quaternions() {
  const Vec zero = hn::Zero(Tag());
  return {zero, zero, zero, zero};
}

template <bool kScaled>
HWY_INLINE Motion<kScaled> zero_motion() {
  const Quaternions q = zero_quaternions();
  const Triples t = zero_triples();
  return {q, q, t, t, t};
}

HWY_INLINE Vec dot(const Quaternions& a, const Quaternions& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
}

HWY_INLINE Quaternions load_quaternion(const float* q) {
  return {broadcast(q), broadcast(q + 1), broadcast(q + 2), broadcast(q + 3)};
}

HWY_INLINE void add_weighted(Vec weight, const Quaternions& q, Quaternions& sum) {
  sum.x = hn::MulAdd(weight, q.x, sum.x);
  sum.y = hn::MulAdd(weight, q.y, sum.y);
  sum.z = hn::MulAdd(weight, q.z, sum.z);
  sum.w = hn::MulAdd(weight, q.w, sum.w);
}

HWY_INLINE Quaternions weighted(Vec weight, const Quaternions& q) {
  return {hn::Mul(weight, q.x), hn::Mul(weight, q.y), hn::Mul(weight, q.z), hn::Mul(weight, q.w)};
}

HWY_INLINE bool may_be_nan(const Quaternions& a, const Quaternions& b) {
  const Vec sum = hn::Add(hn::Add(hn::Add(a.x, a.y), hn::Add(a.z, a.w)),
                          hn::Add(hn::Add(b.x, b.y), hn::Add(b.z, b.w)));
  return !hn::AllFalse(Tag(), hn::IsNaN(sum));
}

/// The joints that move the register of a block that starts at point `lane`.
HWY_INLINE JointRange<SkinRow> joints_of_register(const SkinArgs& args, const SkinBlock& block,
                                                  std::size_t lane) {
  return of_register(joints_of(args, args.rows, block), block, lane);
}

/// Sums the dual quaternions of a block or of a register, all on the side of its first joint.
/// @return Whether that is right for every point.
template <bool kTwo, bool kDual, typename AnyMotion>
HWY_INLINE bool sum_one_sided(const SkinArgs& args, const JointRange<SkinRow>& joints, AnyMotion& a,
                              AnyMotion& b) {
  if (joints.count == 0) return false;
  const Tag d;
  const SkinRow* row = joints.row;
  const SkinRow* const end = row + joints.count;
  const float* tile = joints.tile;
  const float* q = args.motions + std::size_t{row->joint} * 8;
  const Quaternions first = load_quaternion(q);  // On its own side: the sums begin with it.
  const Vec v0 = hn::Load(d, tile);
  a.real = weighted(v0, first);
  if constexpr (kDual) a.dual = weighted(v0, load_quaternion(q + 4));
  if constexpr (kTwo) {
    const Vec v1 = hn::Load(d, tile + kLanes);
    b.real = weighted(v1, first);
    if constexpr (kDual) b.dual = weighted(v1, load_quaternion(q + 4));
  }
  Vec least = hn::Set(d, 1.0F);
  for (++row, tile += kWidth; row != end; ++row, tile += kWidth) {
    q = args.motions + std::size_t{row->joint} * 8;
    const Quaternions real = load_quaternion(q);
    const Vec side = dot(first, real);
    least = hn::Min(hn::Abs(side), least);
    const Vec sign = hn::And(side, hn::SignBit(d));
    const Vec w0 = hn::Xor(hn::Load(d, tile), sign);
    add_weighted(w0, real, a.real);
    if constexpr (kDual) add_weighted(w0, load_quaternion(q + 4), a.dual);
    if constexpr (kTwo) {
      const Vec w1 = hn::Xor(hn::Load(d, tile + kLanes), sign);
      add_weighted(w1, real, b.real);
      if constexpr (kDual) add_weighted(w1, load_quaternion(q + 4), b.dual);
    }
  }
  if (!hn::AllTrue(d, hn::Ge(least, hn::Set(d, kSameSide)))) return false;
  if (may_be_nan(a.real, a.dual)) return false;
  return !kTwo || !may_be_nan(b.real, b.dual);
}

/// Sums the dual quaternions of one register of points, each on the side of its point's pivot.
/// Joints of weight zero have no effect, even if they are not finite.
template <bool kDual, typename AnyMotion>
HWY_INLINE void sum_by_pivot(const SkinArgs& args, const SkinBlock& block, std::size_t lane,
                             AnyMotion& result) {
  const Tag d;
  const JointRange<SkinRow> joints = joints_of_register(args, block, lane);
  const SkinRow* const rows = joints.row;
  Quaternions pivot = zero_quaternions();
  for (std::size_t i = 0; i < joints.count; ++i) {
    const std::uint32_t lanes = rows[i].pivot_lanes >> lane;
    const std::uint8_t bits[8] = {static_cast<std::uint8_t>(lanes & 0xff),
                                  static_cast<std::uint8_t>((lanes >> 8) & 0xff)};
    const auto mask = hn::LoadMaskBits(d, bits);
    const Quaternions q = load_quaternion(args.motions + std::size_t{rows[i].joint} * 8);
    pivot.x = hn::IfThenElse(mask, q.x, pivot.x);
    pivot.y = hn::IfThenElse(mask, q.y, pivot.y);
    pivot.z = hn::IfThenElse(mask, q.z, pivot.z);
    pivot.w = hn::IfThenElse(mask, q.w, pivot.w);
  }
  const Vec zero = hn::Zero(d);
  result.real = result.dual = zero_quaternions();
  for (std::size_t i = 0; i < joints.count; ++i) {
    const float* q = args.motions + std::size_t{rows[i].joint} * 8;
    const Quaternions real = load_quaternion(q);
    const Vec weight = hn::Load(d, joints.tile + i * kWidth);
    const auto unused = hn::Eq(weight, zero);
    const auto opposite = hn::Lt(dot(real, pivot), zero);
    const Vec turned = hn::IfThenElse(opposite, hn::Neg(weight), weight);
    const auto add = [&](const Quaternions& value, Quaternions& sum) HWY_ATTR {
      Quaternions next = sum;
      add_weighted(turned, value, next);
      sum = {hn::IfThenElse(unused, sum.x, next.x), hn::IfThenElse(unused, sum.y, next.y),
             hn::IfThenElse(unused, sum.z, next.z), hn::IfThenElse(unused, sum.w, next.w)};
    };
    add(real, result.real);
    if constexpr (kDual) add(load_quaternion(q + 4), result.dual);
  }
}

/// Sums the scales of one register of points.
template <bool kGuarded>
HWY_INLINE void sum_scales(const SkinArgs& args, const SkinBlock& block, std::size_t lane,
                           Motion<true>& result) {
  const Tag d;
  const Vec zero = hn::Zero(d);
  const JointRange<SkinRow> joints = joints_of_register(args, block, lane);
  const SkinRow* row = joints.row;
  const SkinRow* const end = row + joints.count;
  const float* tile = joints.tile;
  Triples s0 = {zero, zero, zero}, s1 = s0, s2 = s0;
  for (; row != end; ++row, tile += kWidth) {
    const float* m = args.scales + std::size_t{row->joint} * 9;
    const Vec weight = hn::Load(d, tile);
    const auto add = [&](int i, Vec sum) HWY_ATTR {
      const Vec next = hn::MulAdd(weight, broadcast(m + i), sum);
      return kGuarded ? hn::IfThenElse(hn::Eq(weight, hn::Zero(Tag())), sum, next) : next;
    };
    s0 = {add(0, s0.x), add(1, s0.y), add(2, s0.z)};
    s1 = {add(3, s1.x), add(4, s1.y), add(5, s1.z)};
    s2 = {add(6, s2.x), add(7, s2.y), add(8, s2.z)};
  }
  result.s0 = s0;
  result.s1 = s1;
  result.s2 = s2;
}

HWY_INLINE bool scale_may_be_nan(const Motion<true>& motion) {
  const Triples &s0 = motion.s0, &s1 = motion.s1, &s2 = motion.s2;
  const Vec sum =
      hn::Add(hn::Add(hn::Add(s0.x, s0.y), s0.z),
              hn::Add(hn::Add(hn::Add(s1.x, s1.y), s1.z), hn::Add(hn::Add(s2.x, s2.y), s2.z)));
  return !hn::AllFalse(Tag(), hn::IsNaN(sum));
}

/// 2 / |real|^2, or 0 if |real| < 1e-10: then the motion is the identity.
HWY_INLINE Vec inverse_square(const Quaternions& real) {
  const Tag d;
  const Vec square = dot(real, real);
  return hn::IfThenZeroElse(hn::Lt(square, hn::Set(d, 1e-20F)), hn::Div(hn::Set(d, 2.0F), square));
}

HWY_INLINE Triples scaled_by(const Motion<false>&, const Triples& p) {
  return p;
}

HWY_INLINE Triples scaled_by(const Motion<true>& motion, const Triples& p) {
  const auto row = [&p](const Triples& s) HWY_ATTR {
    return hn::MulAdd(s.x, p.x, hn::MulAdd(s.y, p.y, hn::Mul(s.z, p.z)));
  };
  return {row(motion.s0), row(motion.s1), row(motion.s2)};
}

/// (v x s) + w * s, of which v x (...) is half of what the rotation adds to s.
HWY_INLINE Triples half_turn(const Quaternions& q, const Triples& s) {
  return {hn::MulAdd(q.w, s.x, hn::MulSub(q.y, s.z, hn::Mul(q.z, s.y))),
          hn::MulAdd(q.w, s.y, hn::MulSub(q.z, s.x, hn::Mul(q.x, s.z))),
          hn::MulAdd(q.w, s.z, hn::MulSub(q.x, s.y, hn::Mul(q.y, s.x)))};
}

HWY_INLINE Triples cross(const Quaternions& q, const Triples& a) {
  return {hn::MulSub(q.y, a.z, hn::Mul(q.z, a.y)), hn::MulSub(q.z, a.x, hn::Mul(q.x, a.z)),
          hn::MulSub(q.x, a.y, hn::Mul(q.y, a.x))};
}

/// rotate(s) + translation = s + f * (v x (v x s + w s) + (w dv - dw v + v x dv)), f = 2 / |q|^2.
template <bool kScaled>
HWY_INLINE Triples deform_points(const Motion<kScaled>& motion, const Triples& p) {
  const Quaternions& q = motion.real;
  const Quaternions& e = motion.dual;
  const Triples s = scaled_by(motion, p);
  const Vec f = inverse_square(q);
  Triples a = half_turn(q, s);
  a = {hn::Add(a.x, e.x), hn::Add(a.y, e.y), hn::Add(a.z, e.z)};
  const Triples c = cross(q, a);
  const auto sum = [&](Vec cross_part, Vec dual, Vec real, Vec start) HWY_ATTR {
    const Vec total = hn::MulAdd(q.w, dual, hn::NegMulAdd(e.w, real, cross_part));
    return hn::MulAdd(f, total, start);
  };
  return {sum(c.x, e.x, q.x, s.x), sum(c.y, e.y, q.y, s.y), sum(c.z, e.z, q.z, s.z)};
}

template <bool kScaled>
HWY_INLINE Triples deform_vectors(const Motion<kScaled>& motion, const Triples& v) {
  const Triples s = scaled_by(motion, v);
  const Vec f = inverse_square(motion.real);
  const Triples c = cross(motion.real, half_turn(motion.real, s));
  return {hn::MulAdd(f, c.x, s.x), hn::MulAdd(f, c.y, s.y), hn::MulAdd(f, c.z, s.z)};
}

/// Deforms the register of block `index` that starts at point `lane`, in every wanted stream.
/// Directions go to `raw`, of a turn that begins with block `first`.
template <bool kScaled>
HWY_INLINE void deform_register(const SkinArgs& args, const TripleOrder& order,
                                const Motion<kScaled>& motion, std::size_t index, std::size_t lane,
                                std::size_t first, RawVectors& raw) {
  const std::size_t offset = index * 3 * kWidth + 3 * lane;
  const bool prepares = args.pre_transform.kind != PreTransform::none;
  if (args.points.out != nullptr) {
    Triples p = load_triples(order, args.points.in + offset);
    if (HWY_UNLIKELY(prepares)) p = pre_transformed_point(args.pre_transform, p);
    store_triples(order, deform_points(motion, p), args.points.out + offset);
  }
  for (std::size_t s = 0; s < 2; ++s) {
    if (args.vectors[s].out == nullptr) continue;
    Triples v = load_triples(order, args.vectors[s].in + offset);
    if (HWY_UNLIKELY(prepares)) v = pre_transformed_vector(args.pre_transform, v);
    put_raw(deform_vectors(motion, v), raw.values[s] + (offset - first * 3 * kWidth));
  }
}

/// One register from the start again: by pivot, with the zero weights masked out.
template <bool kDual, bool kScaled>
HWY_NOINLINE void deform_register_by_pivot(const SkinArgs& args, std::size_t index,
                                           std::size_t lane, std::size_t first, RawVectors& raw) {
  const SkinBlock& block = args.blocks[index];
  Motion<kScaled> motion = zero_motion<kScaled>();
  sum_by_pivot<kDual>(args, block, lane, motion);
  if constexpr (kScaled) sum_scales<true>(args, block, lane, motion);
  deform_register(args, triple_order(), motion, index, lane, first, raw);
}

/// Deforms one block of a turn that begins with block `first`.
template <bool kDual, bool kScaled>
SINEW_KERNEL_INLINE void deform_block(const SkinArgs& args, const TripleOrder& order,
                                      std::size_t index, std::size_t first, RawVectors& raw) {
  constexpr std::size_t kStep = kManyRegisters ? kWidth : kLanes;
  const SkinBlock& block = args.blocks[index];
  for (std::size_t lane = 0; lane < kWidth; lane += kStep) {
    Motion<kScaled> a = zero_motion<kScaled>(), b = a;
    const JointRange<SkinRow> joints =
        kManyRegisters ? joints_of(args, args.rows, block) : joints_of_register(args, block, lane);
    bool right = sum_one_sided<kManyRegisters, kDual>(args, joints, a, b);
    if constexpr (kScaled) {
      sum_scales<false>(args, block, lane, a);
      right = right && !scale_may_be_nan(a);
      if constexpr (kManyRegisters) {
        sum_scales<false>(args, block, lane + kLanes, b);
        right = right && !scale_may_be_nan(b);
      }
    }
    if (HWY_LIKELY(right)) {
      deform_register(args, order, a, index, lane, first, raw);
      if constexpr (kManyRegisters) {
        deform_register(args, order, b, index, lane + kLanes, first, raw);
      }
    } else {
      deform_register_by_pivot<kDual, kScaled>(args, index, lane, first, raw);
      if constexpr (kManyRegisters) {
        deform_register_by_pivot<kDual, kScaled>(args, index, lane + kLanes, first, raw);
      }
    }
  }
}

/// Deforms whole blocks [first, last).
template <bool kDual, bool kScaled>
void deform_blocks(const SkinArgs& args, std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  RawVectors raw;
  for (std::size_t end = first; first < last; first = end) {
    end = end_of_turn(first, last);
    for (std::size_t index = first; index < end; ++index) {
      deform_block<kDual, kScaled>(args, order, index, first, raw);
    }
    for (std::size_t s = 0; s < 2; ++s) {
      if (args.vectors[s].out == nullptr) continue;
      finish_vectors(raw.values[s], end - first, args.vectors[s].out + first * 3 * kWidth, false);
    }
  }
}

template <bool kDual>
HWY_INLINE void deform_dual(const SkinArgs& args, std::size_t first, std::size_t last) {
  const SkinKernel deform =
      args.scales == nullptr ? deform_blocks<kDual, false> : deform_blocks<kDual, true>;
  deform_frames(deform, deform, args, first, last);
}

/// Directions only: rotations. On WebAssembly, where code must be short, by whole motions.
void dual_block_vectors(const SkinArgs& args, std::size_t first, std::size_t last) {
#if defined(__wasm__)
  deform_dual<true>(args, first, last);
#else
  deform_dual<false>(args, first, last);
#endif
}

/// Points, with or without directions moved by the same rotation.
void dual_block_frame(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_dual<true>(args, first, last);
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

SkinKernel dual_blocks_kernel(SimdLevel level, SkinOutput output) noexcept {
  return output == SkinOutput::vectors ? SINEW_SELECT_KERNEL(SkinKernel, level, dual_block_vectors)
                                       : SINEW_SELECT_KERNEL(SkinKernel, level, dual_block_frame);
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
