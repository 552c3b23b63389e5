// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of blocks: all points of a block, two registers of them, go through the
// block's short joint list. An element of a matrix that moves both is broadcast once, and weights
// are whole rows of a dense tile, so nothing is gathered and nothing is indexed per point.
//
// A weight of zero must have no effect, but zero times an infinite or overflowing transform is not
// a number. Results are therefore checked, one comparison per block; a block that fails is
// computed again with the zero weights masked out.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/skin_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/linear_blocks.cpp"
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

void linear_block_points(const SkinArgs&, std::size_t, std::size_t) {}
void linear_block_vectors(const SkinArgs&, std::size_t, std::size_t) {}
void linear_block_frame(const SkinArgs&, std::size_t, std::size_t) {}

#else

/// How many bytes ahead of its work a kernel asks for memory.
inline constexpr std::size_t kFetchAhead = 6144;

/// Asks for `kCount` floats that will be read `kFetchAhead` bytes after `values`. Registers of 64
/// bytes read points faster than processors fetch them by themselves; narrower ones gain nothing.
/// Past the end of an array that is an address only, from which nothing is read.
template <std::size_t kCount>
HWY_INLINE void fetch_ahead(const float* values) {
  constexpr std::size_t kLine = 64;
  if constexpr (kLanes * sizeof(float) < kLine) return;
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(values) + kFetchAhead;
  for (std::size_t i = 0; i < kCount * sizeof(float); i += kLine) {
    hwy::Prefetch(reinterpret_cast<const void*>(address + i));
  }
}

/// sum + weight * value, where a weight of zero changes nothing if guarded.
template <bool kGuarded>
HWY_INLINE Vec add_weighted(Vec weight, Vec value, Vec sum) {
  const Vec result = hn::MulAdd(weight, value, sum);
  if constexpr (kGuarded) {
    return hn::IfThenElse(hn::Eq(weight, hn::Zero(Tag())), sum, result);
  } else {
    return result;
  }
}

HWY_INLINE Vec transform_row(const float* m, const Triples& p) {
  return hn::MulAdd(
      broadcast(m), p.x,
      hn::MulAdd(broadcast(m + 1), p.y, hn::MulAdd(broadcast(m + 2), p.z, broadcast(m + 3))));
}

/// One row of one joint's matrix applied to the wanted halves of a block, weighted and added. Its
/// elements are taken one after the other: with all four at once, 16 registers do not suffice.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_row(const float* m, const Triples& p0, const Triples& p1, Vec w0, Vec w1,
                        Vec& sum0, Vec& sum1) {
  constexpr bool kFirst = kHalf != BlockHalf::second, kSecond = kHalf != BlockHalf::first;
  Vec q0 = broadcast(m + 3), q1 = q0;
  const auto add = [&](Vec element, Vec v0, Vec v1) HWY_ATTR {
    if constexpr (kFirst) q0 = hn::MulAdd(element, v0, q0);
    if constexpr (kSecond) q1 = hn::MulAdd(element, v1, q1);
  };
  add(broadcast(m + 2), p0.z, p1.z);
  add(broadcast(m + 1), p0.y, p1.y);
  add(broadcast(m), p0.x, p1.x);
  if constexpr (kFirst) sum0 = add_weighted<kGuarded>(w0, q0, sum0);
  if constexpr (kSecond) sum1 = add_weighted<kGuarded>(w1, q1, sum1);
}

/// What the next `count` of `joints` add to the wanted halves of a block.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_joints(const SkinArgs& args, JointRange& joints, std::size_t count,
                           const Triples& p0, const Triples& p1, Triples& sum0, Triples& sum1) {
  const Tag d;
  const SkinRow* const end = joints.row + count;
  for (; joints.row != end; ++joints.row, joints.tile += kWidth) {
    const float* m = args.palette + std::size_t{joints.row->joint} * 12;
    fetch_ahead<kWidth>(joints.tile);
    Vec w0 = hn::Zero(d), w1 = w0;
    if constexpr (kHalf != BlockHalf::second) w0 = hn::Load(d, joints.tile);
    if constexpr (kHalf != BlockHalf::first) w1 = hn::Load(d, joints.tile + kLanes);
    add_row<kHalf, kGuarded>(m, p0, p1, w0, w1, sum0.x, sum1.x);
    add_row<kHalf, kGuarded>(m + 4, p0, p1, w0, w1, sum0.y, sum1.y);
    add_row<kHalf, kGuarded>(m + 8, p0, p1, w0, w1, sum0.z, sum1.z);
  }
}

template <bool kGuarded>
HWY_INLINE void sum_points(const SkinArgs& args, const SkinBlock& block, const Triples& p0,
                           const Triples& p1, Triples& sum0, Triples& sum1) {
  using enum BlockHalf;
  sum0 = sum1 = zero_triples();
  JointRange joints = joints_of(args, block);
  if constexpr (!kSplitsBlocks) {
    add_joints<both, kGuarded>(args, joints, joints.count, p0, p1, sum0, sum1);
    return;
  }
  add_joints<first, kGuarded>(args, joints, block.first_half_count, p0, p1, sum0, sum1);
  add_joints<both, kGuarded>(args, joints, block.shared_count, p0, p1, sum0, sum1);
  add_joints<second, kGuarded>(args, joints, block.second_half_count, p0, p1, sum0, sum1);
}

/// Whether any component may be NaN. Infinities and products that overflow raise a false alarm,
/// which is harmless: the guarded sum gives the same result.
HWY_INLINE bool may_be_nan(const Triples& a, const Triples& b) {
  // Half as many instructions as adding them up.
  const Vec all = hn::MulAdd(a.x, a.y, hn::MulAdd(a.z, b.x, hn::Mul(b.y, b.z)));
  return !hn::AllFalse(Tag(), hn::IsNaN(all));
}

void deform_point_block_guarded(const SkinArgs& args, std::size_t index, const float* in,
                                float* out);

/// Deforms the points at `in`, or at `packed` if kPacked.
template <bool kPacked, bool kGuarded>
SINEW_KERNEL_INLINE void deform_point_block(const SkinArgs& args, const TripleOrder& order,
                                            std::size_t index, const float* in, const float* packed,
                                            float* out, bool streamed) {
  Triples p0 = kPacked ? load_packed(packed) : load_triples(order, in);
  Triples p1 = kPacked ? load_packed(packed + kLanes) : load_triples(order, in + 3 * kLanes);
  if (HWY_UNLIKELY(args.pre_transform.kind != PreTransform::none)) {
    p0 = pre_transformed_point(args.pre_transform, p0);
    p1 = pre_transformed_point(args.pre_transform, p1);
  }
  const SkinBlock* block = args.blocks == nullptr ? nullptr : args.blocks + index;
  Triples sum0 = zero_triples(), sum1 = sum0;
  if (block == nullptr || block->rigid != 0) {
    const float* m = args.palette;
    if (block != nullptr) m += std::size_t{args.rows[block->first_row].joint} * 12;
    sum0 = {transform_row(m, p0), transform_row(m + 4, p0), transform_row(m + 8, p0)};
    sum1 = {transform_row(m, p1), transform_row(m + 4, p1), transform_row(m + 8, p1)};
  } else {
    sum_points<kGuarded>(args, *block, p0, p1, sum0, sum1);
    if constexpr (!kGuarded) {
      if (HWY_UNLIKELY(may_be_nan(sum0, sum1))) {
        deform_point_block_guarded(args, index, in, out);
        return;
      }
    }
  }
  store_block(order, sum0, sum1, out, streamed);
}

/// From the start again, so that the registers of the fast path never need an address.
HWY_NOINLINE void deform_point_block_guarded(const SkinArgs& args, std::size_t index,
                                             const float* in, float* out) {
  deform_point_block<false, true>(args, triple_order(), index, in, nullptr, out, false);
}

/// The last block, if it is short.
HWY_NOINLINE void deform_short_point_block(const SkinArgs& args, std::size_t index) {
  const std::size_t offset = index * 3 * kWidth;
  const std::size_t count = args.point_count * 3 - offset;
  ShortBlock block;
  zero_floats(block.values, 3 * kWidth);
  copy_floats(args.points.in + offset, block.values, count);
  deform_point_block<false, false>(args, triple_order(), index, block.values, nullptr, block.values,
                                   false);
  copy_floats(block.values, args.points.out + offset, count);
}

/// Whole blocks [first, last).
template <bool kPacked>
HWY_INLINE void deform_point_blocks(const SkinArgs& args, std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  const SkinStream& points = args.points;
  const bool streamed = args.streamed && can_stream(points.out);
  for (std::size_t index = first; index < last; ++index) {
    const std::size_t offset = index * 3 * kWidth;
    const float* const in = points.in + offset;
    const float* const packed = kPacked ? points.packed + offset : nullptr;
    fetch_ahead<3 * kWidth>(kPacked ? packed : in);
    deform_point_block<kPacked, false>(args, order, index, in, packed, points.out + offset,
                                       streamed);
  }
  if (streamed) hwy::FlushStream();
}

/// Points only: transform, then weight. 12 multiply-adds per joint and nothing at the end.
void linear_block_points(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  if (kReadsPacked && args.points.packed != nullptr) {
    deform_point_blocks<kReadsPacked>(args, first, end);
  } else {
    deform_point_blocks<false>(args, first, end);
  }
  if (first < last && end < last) deform_short_point_block(args, end);
}

/// One row of a blended matrix.
struct Row {
  Vec x, y, z, t;
};

struct Blend {
  Row r0, r1, r2;
};

HWY_INLINE Blend zero_blend() {
  const Vec zero = hn::Zero(Tag());
  const Row row = {zero, zero, zero, zero};
  return {row, row, row};
}

/// Adds one row of one joint's matrix to those of the wanted halves of a block.
template <BlockHalf kHalf, bool kTranslate, bool kGuarded>
HWY_INLINE void blend_row(const float* m, Vec w0, Vec w1, Row& a, Row& b) {
  const auto add = [&](Vec element, Vec& sum0, Vec& sum1) HWY_ATTR {
    if constexpr (kHalf != BlockHalf::second) sum0 = add_weighted<kGuarded>(w0, element, sum0);
    if constexpr (kHalf != BlockHalf::first) sum1 = add_weighted<kGuarded>(w1, element, sum1);
  };
  add(broadcast(m), a.x, b.x);
  add(broadcast(m + 1), a.y, b.y);
  add(broadcast(m + 2), a.z, b.z);
  if constexpr (kTranslate) add(broadcast(m + 3), a.t, b.t);
}

/// Adds the matrices of the next `count` of `joints` to those of the wanted halves.
template <BlockHalf kHalf, bool kTranslate, bool kGuarded>
HWY_INLINE void blend_joints(const SkinArgs& args, JointRange& joints, std::size_t count, Blend& a,
                             Blend& b) {
  const Tag d;
  const SkinRow* const end = joints.row + count;
  for (; joints.row != end; ++joints.row, joints.tile += kWidth) {
    const float* m = args.palette + std::size_t{joints.row->joint} * 12;
    Vec w0 = hn::Zero(d), w1 = w0;
    if constexpr (kHalf != BlockHalf::second) w0 = hn::Load(d, joints.tile);
    if constexpr (kHalf != BlockHalf::first) w1 = hn::Load(d, joints.tile + kLanes);
    blend_row<kHalf, kTranslate, kGuarded>(m, w0, w1, a.r0, b.r0);
    blend_row<kHalf, kTranslate, kGuarded>(m + 4, w0, w1, a.r1, b.r1);
    blend_row<kHalf, kTranslate, kGuarded>(m + 8, w0, w1, a.r2, b.r2);
  }
}

/// The blended matrices of the register at `lane`.
template <bool kTranslate, bool kGuarded>
HWY_INLINE void blend_register(const SkinArgs& args, const SkinBlock& block, std::size_t lane,
                               Blend& blend) {
  blend = zero_blend();
  Blend unused = blend;
  JointRange joints = joints_of_register(args, block, lane);
  blend_joints<BlockHalf::first, kTranslate, kGuarded>(args, joints, joints.count, blend, unused);
}

/// Those of both registers at once.
template <bool kTranslate>
HWY_INLINE void blend_block(const SkinArgs& args, const SkinBlock& block, Blend& a, Blend& b) {
  using enum BlockHalf;
  a = b = zero_blend();
  JointRange joints = joints_of(args, block);
  if constexpr (!kSplitsBlocks) {
    blend_joints<both, kTranslate, false>(args, joints, joints.count, a, b);
    return;
  }
  blend_joints<first, kTranslate, false>(args, joints, block.first_half_count, a, b);
  blend_joints<both, kTranslate, false>(args, joints, block.shared_count, a, b);
  blend_joints<second, kTranslate, false>(args, joints, block.second_half_count, a, b);
}

HWY_INLINE Row broadcast_row(const float* m) {
  return {broadcast(m), broadcast(m + 1), broadcast(m + 2), broadcast(m + 3)};
}

HWY_INLINE Vec apply_row(const Row& r, const Triples& p) {
  return hn::MulAdd(r.x, p.x, hn::MulAdd(r.y, p.y, hn::MulAdd(r.z, p.z, r.t)));
}

HWY_INLINE Triples deform_points(const Blend& b, const Triples& p) {
  return {apply_row(b.r0, p), apply_row(b.r1, p), apply_row(b.r2, p)};
}

HWY_INLINE Triples deform_vectors(const Blend& b, const Triples& v) {
  const auto row = [&v](const Row& r) HWY_ATTR {
    return hn::MulAdd(r.x, v.x, hn::MulAdd(r.y, v.y, hn::Mul(r.z, v.z)));
  };
  return {row(b.r0), row(b.r1), row(b.r2)};
}

/// From the start again, with the zero weights masked out.
template <bool kTranslate>
HWY_NOINLINE void deform_register_guarded(const SkinArgs& args, std::size_t index,
                                          std::size_t offset, std::size_t lane, RawVectors& raw) {
  Blend blend = zero_blend();
  blend_register<kTranslate, true>(args, args.blocks[index], lane, blend);
  deform_register<false>(args, triple_order(), blend, offset, lane, raw);
}

HWY_INLINE bool may_be_nan(const Triples& t) {
  return !hn::AllFalse(Tag(), hn::IsNaN(hn::MulAdd(t.x, t.y, t.z)));
}

/// Deforms one register of every wanted stream, unless the first of them shows that the blended
/// matrix may hold a NaN: each of its elements leads to one there.
template <bool kTranslate, bool kPacked>
HWY_INLINE void deform_or_guard(const SkinArgs& args, const TripleOrder& order, const Blend& blend,
                                std::size_t index, std::size_t offset, std::size_t lane,
                                RawVectors& raw) {
  bool checked = kTranslate;
  if constexpr (kTranslate) {
    const Triples p = deformed_points<kPacked>(args, order, blend, offset, lane);
    if (HWY_UNLIKELY(may_be_nan(p))) {
      return deform_register_guarded<kTranslate>(args, index, offset, lane, raw);
    }
    store_triples(order, p, args.points.out + offset + 3 * lane);
  }
  for (std::size_t s = 0; s < 2; ++s) {
    if (args.vectors[s].out == nullptr) continue;
    const Triples v = deformed_vectors<kPacked>(args, args.vectors[s], order, blend, offset, lane);
    if (!checked && HWY_UNLIKELY(may_be_nan(v))) {
      return deform_register_guarded<kTranslate>(args, index, offset, lane, raw);
    }
    checked = true;
    put_raw(v, raw.values[s][lane / kLanes]);
  }
}

/// Deforms one block, whose triples start at float `offset` of every stream.
template <bool kTranslate>
struct LinearFrame {
  template <bool kPacked>
  static SINEW_KERNEL_INLINE void deform(const SkinArgs& args, const TripleOrder& order,
                                         std::size_t index, std::size_t offset, RawVectors& raw) {
    const SkinBlock* block = args.blocks == nullptr ? nullptr : args.blocks + index;
    Blend a = zero_blend(), b = a;
    if (block == nullptr || block->rigid != 0) {
      const float* m = args.palette;
      if (block != nullptr) m += std::size_t{args.rows[block->first_row].joint} * 12;
      a = {broadcast_row(m), broadcast_row(m + 4), broadcast_row(m + 8)};
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        deform_register<kPacked>(args, order, a, offset, lane, raw);
      }
    } else if constexpr (kManyRegisters) {
      blend_block<kTranslate>(args, *block, a, b);
      deform_or_guard<kTranslate, kPacked>(args, order, a, index, offset, 0, raw);
      deform_or_guard<kTranslate, kPacked>(args, order, b, index, offset, kLanes, raw);
    } else {
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        blend_register<kTranslate, false>(args, *block, lane, a);
        deform_or_guard<kTranslate, kPacked>(args, order, a, index, offset, lane, raw);
      }
    }
  }
};

template <typename Frame>
HWY_INLINE void deform_linear(const SkinArgs& args, std::size_t first, std::size_t last) {
  if (kReadsPacked && all_packed(args)) {
    deform_frames<Frame, kReadsPacked>(args, first, last);
  } else {
    deform_frames<Frame>(args, first, last);
  }
}

/// Directions only: blend nine elements once, apply, renormalise.
void linear_block_vectors(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_linear<LinearFrame<false>>(args, first, last);
}

/// Points and directions by the same matrix: blend twelve elements once, then nine per stream.
void linear_block_frame(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_linear<LinearFrame<true>>(args, first, last);
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

SkinKernel linear_blocks_kernel(SimdLevel level, SkinOutput output) noexcept {
  switch (output) {
    case SkinOutput::points:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_points);
    case SkinOutput::vectors:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_vectors);
    case SkinOutput::frame:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_frame);
  }
  return nullptr;
}

std::size_t skin_block_width(SimdLevel level) noexcept {
  switch (level) {
    case SimdLevel::avx512:
      return 32;
    case SimdLevel::avx2:
      return 16;
    default:
      return 8;
  }
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
