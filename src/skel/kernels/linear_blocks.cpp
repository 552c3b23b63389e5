// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of blocks: all points of a block, two registers of them, go through the
// block's short joint list. An element of a matrix that moves both is broadcast once, and weights
// are whole rows of a dense tile, so nothing is gathered and nothing is indexed per point.
//
// A weight of zero must have no effect, but zero times an infinite or overflowing transform is not
// a number. Results are therefore checked, those of many blocks at once: a branch on the sums of
// each would wait for them. What fails is computed again with the zero weights masked out.

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

HWY_INLINE Triples transform_register(const float* m, const Triples& p) {
  return {transform_row(m, p), transform_row(m + 4, p), transform_row(m + 8, p)};
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

/// Calls add(m, w0, w1) for the next of `joints`, up to `end`: the matrix, and the weights of the
/// wanted halves of the block.
template <BlockHalf kHalf, typename Add>
HWY_INLINE void for_joints(const float* palette, JointRange& joints, const SkinRow* end,
                           const Add& add) {
  const Tag d;
  for (; joints.row != end; ++joints.row, joints.tile += kWidth) {
    fetch_ahead<kWidth>(joints.tile);
    Vec w0 = hn::Zero(d), w1 = w0;
    if constexpr (kHalf != BlockHalf::second) w0 = hn::Load(d, joints.tile);
    if constexpr (kHalf != BlockHalf::first) w1 = hn::Load(d, joints.tile + kLanes);
    add(palette + std::size_t{joints.row->joint} * 12, w0, w1);
  }
}

/// Both registers of the points of a block.
struct PointBlock {
  Triples p0, p1;
};

HWY_INLINE PointBlock transform_block(const float* m, const PointBlock& in) {
  return {transform_register(m, in.p0), transform_register(m, in.p1)};
}

/// What the next of `joints`, up to `end`, add to the wanted halves of a block.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_joints(const float* palette, JointRange& joints, const SkinRow* end,
                           const PointBlock& in, PointBlock& sum) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) HWY_ATTR {
    add_row<kHalf, kGuarded>(m, in.p0, in.p1, w0, w1, sum.p0.x, sum.p1.x);
    add_row<kHalf, kGuarded>(m + 4, in.p0, in.p1, w0, w1, sum.p0.y, sum.p1.y);
    add_row<kHalf, kGuarded>(m + 8, in.p0, in.p1, w0, w1, sum.p0.z, sum.p1.z);
  });
}

/// The points of a block moved by its joints, which are the next of `joints`.
template <bool kGuarded>
HWY_INLINE PointBlock moved_points(const float* palette, const SkinBlock& block, JointRange& joints,
                                   const PointBlock& in) {
  if (block.rigid != 0) {
    const float* m = palette + std::size_t{joints.row->joint} * 12;
    ++joints.row;
    joints.tile += kWidth;
    return transform_block(m, in);
  }
  using enum BlockHalf;
  PointBlock sum = {zero_triples(), zero_triples()};
  const SkinRow* end = joints.row;
  if constexpr (kSplitsBlocks) {
    end += block.first_half_count;
    add_joints<first, kGuarded>(palette, joints, end, in, sum);
  }
  end += block.shared_count;
  add_joints<both, kGuarded>(palette, joints, end, in, sum);
  if constexpr (kSplitsBlocks) {
    end += block.second_half_count;
    add_joints<second, kGuarded>(palette, joints, end, in, sum);
  }
  return sum;
}

/// NaN where a component is, and perhaps where two are infinite: a false alarm, which is harmless,
/// since the guarded sum gives the same result.
HWY_INLINE Vec sum_of_components(const PointBlock& p) {
  return hn::Add(hn::Add(hn::Add(p.p0.x, p.p0.y), hn::Add(p.p0.z, p.p1.x)),
                 hn::Add(p.p1.y, p.p1.z));
}

HWY_INLINE bool any_nan(Vec v) {
  return !hn::AllFalse(Tag(), hn::IsNaN(v));
}

HWY_INLINE PointBlock pre_transformed(const PreTransform& pre, const PointBlock& in) {
  return {pre_transformed_point(pre, in.p0), pre_transformed_point(pre, in.p1)};
}

/// Adds the blend shapes of a block to its points. Its first tile is `tile`, which moves past them.
HWY_INLINE void add_shapes(const ShapeTiles& shapes, std::uint32_t& tile, std::uint32_t end,
                           PointBlock& p) {
  for (; tile != end; ++tile) {
    const float weight = shapes.weights[shapes.sub_shapes[tile]];
    if (!moves(weight)) continue;
    const float* const x = shapes.tiles + std::size_t{tile} * 3 * kWidth;
    const Vec w = hn::Set(Tag(), weight);
    add_tile(w, x, p.p0);
    add_tile(w, x + kLanes, p.p1);
  }
}

/// One block or what there is of it, from the start again, with the zero weights masked out.
HWY_NOINLINE void deform_point_block_guarded(const SkinArgs& args, std::size_t index) {
  const TripleOrder order = triple_order();
  const std::size_t offset = index * 3 * kWidth, left = args.point_count * 3 - offset;
  const std::size_t count = left < 3 * kWidth ? left : 3 * kWidth;
  ShortBlock block;
  zero_floats(block.values, 3 * kWidth);
  copy_floats(args.points.in + offset, block.values, count);
  PointBlock p = {load_triples(order, block.values),
                  load_triples(order, block.values + 3 * kLanes)};
  if (kReadsPacked && args.shapes.tiles != nullptr) {
    std::uint32_t tile = args.shapes.first_tile[index];
    add_shapes(args.shapes, tile, args.shapes.first_tile[index + 1], p);
  }
  if (args.pre_transform.kind != PreTransform::none) p = pre_transformed(args.pre_transform, p);
  if (args.blocks == nullptr) {
    p = transform_block(args.palette, p);
  } else {
    JointRange joints = joints_of(args, args.blocks[index]);
    p = moved_points<true>(args.palette, args.blocks[index], joints, p);
  }
  store_block(order, p.p0, p.p1, block.values, false);
  copy_floats(block.values, args.points.out + offset, count);
}

/// Deforms whole blocks [first, last) of any job, or of one with joints and nothing else: points
/// that are not moved before their joints, stay where they are and are written through the caches.
/// @return Whether any result may be NaN. Where it takes its place, that is seen to already.
template <bool kAnyJob, bool kPacked, bool kBlended = false>
HWY_NOINLINE bool deform_point_blocks(const SkinArgs& args, std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  const float* const palette = args.palette;
  const float* in = (kPacked ? args.points.packed : args.points.in) + first * 3 * kWidth;
  float* out = args.points.out + first * 3 * kWidth;
  const bool streamed = kAnyJob && args.streamed && can_stream(out);
  const bool has_joints = !kAnyJob || args.blocks != nullptr;
  const SkinBlock* block = has_joints ? args.blocks + first : nullptr;
  JointRange joints = {};
  if (has_joints) joints = joints_of(args, *block);
  const ShapeTiles shapes = args.shapes;
  std::uint32_t tile = kBlended ? shapes.first_tile[first] : 0;
  Vec seen = hn::Zero(Tag());
  for (std::size_t index = first; index < last; ++index, in += 3 * kWidth, out += 3 * kWidth) {
    fetch_ahead<3 * kWidth>(in);
    PointBlock p = {kPacked ? load_packed(in) : load_triples(order, in),
                    kPacked ? load_packed(in + kLanes) : load_triples(order, in + 3 * kLanes)};
    if constexpr (kBlended) add_shapes(shapes, tile, shapes.first_tile[index + 1], p);
    if (kAnyJob && args.pre_transform.kind != PreTransform::none) {
      p = pre_transformed(args.pre_transform, p);
    }
    if (has_joints) {
      p = moved_points<false>(palette, *block++, joints, p);
    } else {
      p = transform_block(palette, p);
    }
    const Vec sum = sum_of_components(p);
    if (kAnyJob && in == out) {
      if (HWY_UNLIKELY(any_nan(sum))) {
        deform_point_block_guarded(args, index);
        continue;
      }
    } else {
      seen = hn::Add(seen, sum);
    }
    store_block(order, p.p0, p.p1, out, streamed);
  }
  if (streamed) hwy::FlushStream();
  return any_nan(seen);
}

/// How many blocks are checked at once.
inline constexpr std::size_t kBlocksPerCheck = 64;

/// Points only: transform, then weight. 12 multiply-adds per joint and nothing at the end.
void linear_block_points(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  auto* deform = deform_point_blocks<false, false>;
  if (args.blocks == nullptr || args.pre_transform.kind != PreTransform::none || args.streamed ||
      args.points.in == args.points.out) {
    deform = deform_point_blocks<true, false>;
  } else if (kReadsPacked && args.points.packed != nullptr) {
    deform = args.shapes.tiles == nullptr ? deform_point_blocks<false, kReadsPacked>
                                          : deform_point_blocks<false, kReadsPacked, kReadsPacked>;
  }
  for (std::size_t begin = first; begin < end; begin += kBlocksPerCheck) {
    const std::size_t stop = end - begin < kBlocksPerCheck ? end : begin + kBlocksPerCheck;
    if (HWY_LIKELY(!deform(args, begin, stop))) continue;
    for (std::size_t i = begin; i < stop; ++i) deform_point_block_guarded(args, i);
  }
  if (first < last && end < last) deform_point_block_guarded(args, end);
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

/// Adds the matrices of the next of `joints`, up to `end`, to those of the wanted halves.
template <BlockHalf kHalf, bool kTranslate, bool kGuarded>
HWY_INLINE void blend_joints(const float* palette, JointRange& joints, const SkinRow* end, Blend& a,
                             Blend& b) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) HWY_ATTR {
    blend_row<kHalf, kTranslate, kGuarded>(m, w0, w1, a.r0, b.r0);
    blend_row<kHalf, kTranslate, kGuarded>(m + 4, w0, w1, a.r1, b.r1);
    blend_row<kHalf, kTranslate, kGuarded>(m + 8, w0, w1, a.r2, b.r2);
  });
}

/// The blended matrices of the register at `lane`.
template <bool kTranslate, bool kGuarded>
HWY_INLINE Blend blend_register(const SkinArgs& args, const SkinBlock& block, std::size_t lane) {
  Blend blend = zero_blend(), unused = blend;
  JointRange joints = joints_of_register(args, block, lane);
  blend_joints<BlockHalf::first, kTranslate, kGuarded>(args.palette, joints,
                                                       joints.row + joints.count, blend, unused);
  return blend;
}

/// Those of both registers at once.
template <bool kTranslate>
HWY_INLINE void blend_block(const SkinArgs& args, const SkinBlock& block, Blend& a, Blend& b) {
  using enum BlockHalf;
  a = b = zero_blend();
  JointRange joints = joints_of(args, block);
  const SkinRow* end = joints.row;
  if constexpr (kSplitsBlocks) {
    end += block.first_half_count;
    blend_joints<first, kTranslate, false>(args.palette, joints, end, a, b);
  }
  end += block.shared_count;
  blend_joints<both, kTranslate, false>(args.palette, joints, end, a, b);
  if constexpr (kSplitsBlocks) {
    end += block.second_half_count;
    blend_joints<second, kTranslate, false>(args.palette, joints, end, a, b);
  }
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
  const Blend blend = blend_register<kTranslate, true>(args, args.blocks[index], lane);
  deform_register<false>(args, triple_order(), blend, offset, lane, raw);
}

HWY_INLINE Vec sum_of_components(const Triples& t) {
  return hn::Add(hn::Add(t.x, t.y), t.z);
}

/// Deforms points by blended matrices, if kTranslate, and directions.
template <bool kTranslate>
struct LinearFrame {
  bool checks_at_once;  ///< Results take the place of what they are computed from.
  Vec seen;             ///< NaN if any blended matrix may have been, and was not checked at once.

  HWY_INLINE LinearFrame in_place() const { return {true, hn::Zero(Tag())}; }

  /// Deforms one register of every wanted stream. A NaN in any element of the matrix leads to one
  /// in the first of the streams.
  template <bool kPacked>
  HWY_INLINE void deform_or_guard(const SkinArgs& args, const TripleOrder& order,
                                  const Blend& blend, std::size_t index, std::size_t offset,
                                  std::size_t lane, RawVectors& raw) {
    bool first = true;
    const auto must_guard = [&](const Triples& t) HWY_ATTR {
      if (!first) return false;
      first = false;
      const Vec sum = sum_of_components(t);
      if (HWY_UNLIKELY(checks_at_once)) return any_nan(sum);
      seen = hn::Add(seen, sum);
      return false;
    };
    if constexpr (kTranslate) {
      const Triples p = deformed_points<kPacked>(args, order, blend, offset, lane);
      if (HWY_UNLIKELY(must_guard(p))) {
        return deform_register_guarded<kTranslate>(args, index, offset, lane, raw);
      }
      store_triples(order, p, args.points.out + offset + 3 * lane);
    }
    for (std::size_t s = 0; s < 2; ++s) {
      if (args.vectors[s].out == nullptr) continue;
      const Triples v =
          deformed_vectors<kPacked>(args, args.vectors[s], order, blend, offset, lane);
      if (HWY_UNLIKELY(must_guard(v))) {
        return deform_register_guarded<kTranslate>(args, index, offset, lane, raw);
      }
      put_raw(v, raw.values[s][lane / kLanes]);
    }
  }

  /// Deforms one block, whose triples start at float `offset` of every stream.
  template <bool kPacked>
  SINEW_KERNEL_INLINE void deform(const SkinArgs& args, const TripleOrder& order, std::size_t index,
                                  std::size_t offset, RawVectors& raw) {
    const SkinBlock* block = args.blocks == nullptr ? nullptr : args.blocks + index;
    if (block == nullptr || block->rigid != 0) {
      const float* m = args.palette;
      if (block != nullptr) m += std::size_t{args.rows[block->first_row].joint} * 12;
      const Blend a = {broadcast_row(m), broadcast_row(m + 4), broadcast_row(m + 8)};
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        deform_register<kPacked>(args, order, a, offset, lane, raw);
      }
    } else if constexpr (kManyRegisters) {
      Blend a = zero_blend(), b = a;
      blend_block<kTranslate>(args, *block, a, b);
      deform_or_guard<kPacked>(args, order, a, index, offset, 0, raw);
      deform_or_guard<kPacked>(args, order, b, index, offset, kLanes, raw);
    } else {
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        const Blend a = blend_register<kTranslate, false>(args, *block, lane);
        deform_or_guard<kPacked>(args, order, a, index, offset, lane, raw);
      }
    }
  }
};

/// Blocks [first, last) from the start again, with the zero weights masked out.
template <bool kTranslate>
HWY_NOINLINE void deform_frames_guarded(const SkinArgs& args, std::size_t first, std::size_t last) {
  RawVectors raw;
  for (std::size_t index = first; index < last; ++index) {
    if (args.blocks[index].rigid != 0) continue;
    const std::size_t offset = index * 3 * kWidth;
    for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
      deform_register_guarded<kTranslate>(args, index, offset, lane, raw);
    }
    finish_vectors(args, triple_order(), raw, offset);
  }
}

template <bool kTranslate, bool kPacked>
HWY_INLINE void deform_in_turns(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  LinearFrame<kTranslate> method = {any_in_place(args), hn::Zero(Tag())};
  while (first < last) {
    const std::size_t end = last - first < kBlocksPerCheck ? last : first + kBlocksPerCheck;
    deform_frames<kPacked>(method, args, first, end);
    if (HWY_UNLIKELY(any_nan(method.seen))) {
      deform_frames_guarded<kTranslate>(args, first, end < whole ? end : whole);
      method.seen = hn::Zero(Tag());
    }
    first = end;
  }
}

template <bool kTranslate>
HWY_INLINE void deform_linear(const SkinArgs& args, std::size_t first, std::size_t last) {
  if (kReadsPacked && all_packed(args)) {
    deform_in_turns<kTranslate, kReadsPacked>(args, first, last);
  } else {
    deform_in_turns<kTranslate, false>(args, first, last);
  }
}

/// Directions only: blend nine elements once, apply, renormalise.
void linear_block_vectors(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_linear<false>(args, first, last);
}

/// Points and directions by the same matrix: blend twelve elements once, then nine per stream.
void linear_block_frame(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_linear<true>(args, first, last);
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
