// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of one stream in blocks: all points of a block, two registers of them, go
// through the block's short joint list. An element of a matrix that moves both is broadcast once,
// and weights are whole rows of a dense tile, so nothing is gathered and nothing is indexed per
// point.
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
#include "skel/kernels/linear_joints-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void linear_block_points(const SkinArgs&, std::size_t, std::size_t) {}
void linear_block_vectors(const SkinArgs&, std::size_t, std::size_t) {}

#else

// Whether a stream is one of points or of directions is `points`, which kernels for jobs of
// has_joints_only() know when they are compiled.

/// One row of a matrix applied to the wanted halves of a block. Its elements are taken one after
/// the other: with all at once, 16 registers do not suffice.
template <BlockHalf kHalf>
HWY_INLINE void apply_row(bool points, const float* m, const Triples& t0, const Triples& t1,
                          Vec& q0, Vec& q1) {
  constexpr bool kFirst = kHalf != BlockHalf::second, kSecond = kHalf != BlockHalf::first;
  const auto add = [&](Vec element, Vec v0, Vec v1) SINEW_KERNEL_LAMBDA {
    if constexpr (kFirst) q0 = hn::MulAdd(element, v0, q0);
    if constexpr (kSecond) q1 = hn::MulAdd(element, v1, q1);
  };
  if (points) {
    q0 = q1 = broadcast(m + 3);
    add(broadcast(m + 2), t0.z, t1.z);
  } else {
    const Vec element = broadcast(m + 2);
    if constexpr (kFirst) q0 = hn::Mul(element, t0.z);
    if constexpr (kSecond) q1 = hn::Mul(element, t1.z);
  }
  add(broadcast(m + 1), t0.y, t1.y);
  add(broadcast(m), t0.x, t1.x);
}

/// Likewise, weighted and added.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_row(bool points, const float* m, const Triples& t0, const Triples& t1, Vec w0,
                        Vec w1, Vec& sum0, Vec& sum1) {
  Vec q0 = w0, q1 = w1;
  apply_row<kHalf>(points, m, t0, t1, q0, q1);
  if constexpr (kHalf != BlockHalf::second) sum0 = add_weighted<kGuarded>(w0, q0, sum0);
  if constexpr (kHalf != BlockHalf::first) sum1 = add_weighted<kGuarded>(w1, q1, sum1);
}

/// Both registers of a stream of a block.
struct BlockTriples {
  Triples t0, t1;
};

HWY_INLINE BlockTriples load_block(const TripleOrder& order, const float* in) {
  return {load_triples(order, in), load_triples(order, in + 3 * kLanes)};
}

HWY_INLINE BlockTriples load_packed_block(const float* x) {
  return {load_packed(x), load_packed(x + kLanes)};
}

HWY_INLINE BlockTriples transform_block(bool points, const float* m, const BlockTriples& in) {
  BlockTriples out = in;
  apply_row<BlockHalf::both>(points, m, in.t0, in.t1, out.t0.x, out.t1.x);
  apply_row<BlockHalf::both>(points, m + 4, in.t0, in.t1, out.t0.y, out.t1.y);
  apply_row<BlockHalf::both>(points, m + 8, in.t0, in.t1, out.t0.z, out.t1.z);
  return out;
}

/// What the next of `joints`, up to `end`, add to the wanted halves of a block.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_joints(bool points, const float* palette, Matrices& joints,
                           const std::uint32_t* end, const BlockTriples& in, BlockTriples& sum) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) SINEW_KERNEL_LAMBDA {
    add_row<kHalf, kGuarded>(points, m, in.t0, in.t1, w0, w1, sum.t0.x, sum.t1.x);
    add_row<kHalf, kGuarded>(points, m + 4, in.t0, in.t1, w0, w1, sum.t0.y, sum.t1.y);
    add_row<kHalf, kGuarded>(points, m + 8, in.t0, in.t1, w0, w1, sum.t0.z, sum.t1.z);
  });
}

/// A block moved by its joints, which are the next of `joints`.
template <bool kGuarded>
HWY_INLINE BlockTriples moved_block(bool points, const float* palette, const SkinBlock& block,
                                    Matrices& joints, const BlockTriples& in) {
  if (block.rigid != 0) {
    const float* m = palette + *joints.row;
    ++joints.row;
    joints.tile += kWidth;
    return transform_block(points, m, in);
  }
  using enum BlockHalf;
  BlockTriples sum = {zero_triples(), zero_triples()};
  const std::uint32_t* end = joints.row;
  if constexpr (kSplitsBlocks) {
    end += block.first_half_count;
    add_joints<first, kGuarded>(points, palette, joints, end, in, sum);
  }
  end += block.shared_count;
  add_joints<both, kGuarded>(points, palette, joints, end, in, sum);
  if constexpr (kSplitsBlocks) {
    end += block.second_half_count;
    add_joints<second, kGuarded>(points, palette, joints, end, in, sum);
  }
  return sum;
}

/// NaN where a component is, and perhaps where two are infinite: a false alarm, which is harmless,
/// since the guarded sum gives the same result.
HWY_INLINE Vec sum_of_components(const BlockTriples& b) {
  return hn::Add(hn::Add(hn::Add(b.t0.x, b.t0.y), hn::Add(b.t0.z, b.t1.x)),
                 hn::Add(b.t1.y, b.t1.z));
}

/// Adds the blend shapes of a block to its points. Its first tile is `tile`, which moves past them.
HWY_INLINE void add_shapes(const ShapeTiles& shapes, std::uint32_t& tile, std::uint32_t end,
                           BlockTriples& p) {
  for_tiles(shapes, tile, end, [&](Vec weight, const float* x) SINEW_KERNEL_LAMBDA {
    add_tile(weight, x, p.t0);
    add_tile(weight, x + kLanes, p.t1);
  });
}

/// What happens to a block before its joints.
HWY_INLINE void prepare(bool points, const SkinArgs& args, std::size_t index, BlockTriples& block) {
  if (kReadsPacked && points && args.shapes.tiles != nullptr) {
    std::uint32_t tile = args.shapes.first_tile[index];
    add_shapes(args.shapes, tile, args.shapes.first_tile[index + 1], block);
  }
  const PreTransform& pre = args.pre_transform;
  if (pre.kind == PreTransform::none) return;
  if (points) {
    block = {pre_transformed_point(pre, block.t0), pre_transformed_point(pre, block.t1)};
  } else {
    block = {pre_transformed_vector(pre, block.t0), pre_transformed_vector(pre, block.t1)};
  }
}

/// One block or what there is of it, with the zero weights masked out. Not inlined, so that the
/// registers of others never need an address.
HWY_NOINLINE void move_guarded(bool points, const SkinArgs& args, const SkinStream& stream,
                               std::size_t index, BlockTriples& result) {
  const TripleOrder order = triple_order();
  const std::size_t offset = index * 3 * kWidth, left = args.point_count * 3 - offset;
  BlockTriples block = {zero_triples(), zero_triples()};
  if (kReadsPacked && stream.packed != nullptr) {
    block = load_packed_block(stream.packed + offset);
  } else {
    ShortBlock copy;
    zero_floats(copy.values, 3 * kWidth);
    copy_floats(stream.in + offset, copy.values, left < 3 * kWidth ? left : 3 * kWidth);
    block = load_block(order, copy.values);
  }
  prepare(points, args, index, block);
  if (args.blocks == nullptr) {
    result = transform_block(points, args.palette, block);
  } else {
    Matrices joints = joints_of(args, args.matrices, args.blocks[index]);
    result = moved_block<true>(points, args.palette, args.blocks[index], joints, block);
  }
}

/// The last block, if it is short.
HWY_NOINLINE void deform_short_block(bool points, const SkinArgs& args, const SkinStream& stream,
                                     std::size_t index) {
  const std::size_t offset = index * 3 * kWidth;
  BlockTriples block = {zero_triples(), zero_triples()};
  move_guarded(points, args, stream, index, block);
  if (!points) block = {normalised(block.t0), normalised(block.t1)};
  ShortBlock copy;
  store_block(triple_order(), block.t0, block.t1, copy.values, false);
  copy_floats(copy.values, stream.out + offset, args.point_count * 3 - offset);
}

/// How many blocks are checked at once.
inline constexpr std::size_t kPointBlocksPerCheck = 64;

/// Deforms whole blocks [first, last), of directions at most a turn, of any job or of one of
/// has_joints_only(), whose points are streamed if kStreamed.
/// @return Whether any result may be NaN; of any job, that is seen to already.
template <bool kAnyJob, bool kPacked, bool kBlended, bool kStreamed>
HWY_INLINE bool deform_blocks(bool points, const SkinArgs& args, const SkinStream& stream,
                              std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  const float* const palette = args.palette;
  const float* in = (kPacked ? stream.packed : stream.in) + first * 3 * kWidth;
  float* out = stream.out + first * 3 * kWidth;
  const bool may_stream = kStreams && (kAnyJob || kStreamed || !points);
  const bool streamed = may_stream && args.streamed && can_stream(out);
  const bool has_joints = !kAnyJob || args.blocks != nullptr;
  const SkinBlock* block = has_joints ? args.blocks + first : nullptr;
  Matrices joints = {};
  if (has_joints) joints = joints_of(args, args.matrices, *block);
  const ShapeTiles shapes = args.shapes;
  std::uint32_t tile = kBlended ? shapes.first_tile[first] : 0;
  RawVectors raw;
  float* values = raw.values[0];
  Vec seen = hn::Zero(Tag());
  for (std::size_t index = first; index < last; ++index, in += 3 * kWidth) {
    fetch_ahead<3 * kWidth>(in);
    BlockTriples t = kPacked ? load_packed_block(in) : load_block(order, in);
    if constexpr (kBlended) add_shapes(shapes, tile, shapes.first_tile[index + 1], t);
    if constexpr (kAnyJob) prepare(points, args, index, t);
    if (has_joints) {
      t = moved_block<false>(points, palette, *block++, joints, t);
    } else {
      t = transform_block(points, palette, t);
    }
    const Vec sum = sum_of_components(t);
    if constexpr (kAnyJob) {
      if (HWY_UNLIKELY(any_nan(sum))) move_guarded(points, args, stream, index, t);
    } else {
      seen = hn::Add(seen, sum);
    }
    if (points) {
      store_block(order, t.t0, t.t1, out, streamed);
      out += 3 * kWidth;
    } else {
      put_raw(t.t0, values);
      put_raw(t.t1, values + 3 * kLanes);
      values += 3 * kWidth;
    }
  }
  if (!points) finish_vectors(raw.values[0], last - first, out, streamed);
  return any_nan(seen);
}

/// Of any job.
HWY_NOINLINE void deform_any_blocks(bool points, const SkinArgs& args, const SkinStream& stream,
                                    std::size_t first, std::size_t last) {
  deform_blocks<true, false, false, false>(points, args, stream, first, last);
}

using DeformBlocks = bool (*)(const SkinArgs&, const SkinStream&, std::size_t, std::size_t);

/// Of a job of has_joints_only().
template <bool kPoints, bool kPacked, bool kBlended = false, bool kStreamed = false>
HWY_NOINLINE bool deform_joint_blocks(const SkinArgs& args, const SkinStream& stream,
                                      std::size_t first, std::size_t last) {
  return deform_blocks<false, kPacked, kBlended, kStreamed>(kPoints, args, stream, first, last);
}

/// The fastest one; null: only deform_any_blocks() will do.
template <bool kPoints>
HWY_INLINE DeformBlocks joint_blocks_kernel(const SkinArgs& args, const SkinStream& stream) {
  if constexpr (kSpecialises) {
    constexpr bool kMayBlend = kPoints && kReadsPacked, kMayStream = kPoints && kStreams;
    if (!has_joints_only(args)) return nullptr;
    const bool packed = kReadsPacked && stream.packed != nullptr;
    if (kMayStream && args.streamed) {
      return packed ? deform_joint_blocks<kPoints, kReadsPacked, false, kMayStream>
                    : deform_joint_blocks<kPoints, false, false, kMayStream>;
    }
    if (!packed) return deform_joint_blocks<kPoints, false>;
    if (kMayBlend && args.shapes.tiles != nullptr) {
      return deform_joint_blocks<kPoints, kReadsPacked, kMayBlend>;
    }
    return deform_joint_blocks<kPoints, kReadsPacked>;
  }
  return nullptr;
}

/// `deform` is joint_blocks_kernel().
HWY_NOINLINE void deform_stream(bool points, DeformBlocks deform, const SkinArgs& args,
                                const SkinStream& stream, std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  const std::size_t turn = points ? kPointBlocksPerCheck : kBlocksPerTurn;
  for (std::size_t begin = first; begin < end; begin += turn) {
    const std::size_t stop = end - begin < turn ? end : begin + turn;
    if (kSpecialises && deform != nullptr && HWY_LIKELY(!deform(args, stream, begin, stop))) {
      continue;
    }
    deform_any_blocks(points, args, stream, begin, stop);
  }
  if (first < last && end < last) deform_short_block(points, args, stream, end);
  if (args.streamed) hwy::FlushStream();
}

/// Points only: transform, then weight. 12 multiply-adds per joint and nothing at the end.
void linear_block_points(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_stream(true, joint_blocks_kernel<true>(args, args.points), args, args.points, first, last);
}

/// Directions only, one stream after the other: the same without translations.
void linear_block_vectors(const SkinArgs& args, std::size_t first, std::size_t last) {
  for (const SkinStream& stream : args.vectors) {
    if (stream.out == nullptr) continue;
    deform_stream(false, joint_blocks_kernel<false>(args, stream), args, stream, first, last);
  }
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
      return linear_frames_kernel(level);
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
