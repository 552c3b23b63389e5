// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of points in blocks: all points of a block, two registers of them, go
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

#else

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

/// Both registers of the points of a block.
struct PointBlock {
  Triples p0, p1;
};

HWY_INLINE PointBlock load_block(const TripleOrder& order, const float* in) {
  return {load_triples(order, in), load_triples(order, in + 3 * kLanes)};
}

HWY_INLINE PointBlock load_packed_block(const float* x) {
  return {load_packed(x), load_packed(x + kLanes)};
}

HWY_INLINE PointBlock transform_block(const float* m, const PointBlock& in) {
  return {transform_register(m, in.p0), transform_register(m, in.p1)};
}

/// What the next of `joints`, up to `end`, add to the wanted halves of a block.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void add_joints(const float* palette, Matrices& joints, const std::uint32_t* end,
                           const PointBlock& in, PointBlock& sum) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) HWY_ATTR {
    add_row<kHalf, kGuarded>(m, in.p0, in.p1, w0, w1, sum.p0.x, sum.p1.x);
    add_row<kHalf, kGuarded>(m + 4, in.p0, in.p1, w0, w1, sum.p0.y, sum.p1.y);
    add_row<kHalf, kGuarded>(m + 8, in.p0, in.p1, w0, w1, sum.p0.z, sum.p1.z);
  });
}

/// The points of a block moved by its joints, which are the next of `joints`.
template <bool kGuarded>
HWY_INLINE PointBlock moved_points(const float* palette, const SkinBlock& block, Matrices& joints,
                                   const PointBlock& in) {
  if (block.rigid != 0) {
    const float* m = palette + *joints.row;
    ++joints.row;
    joints.tile += kWidth;
    return transform_block(m, in);
  }
  using enum BlockHalf;
  PointBlock sum = {zero_triples(), zero_triples()};
  const std::uint32_t* end = joints.row;
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
  PointBlock p = {zero_triples(), zero_triples()};
  if (kReadsPacked && args.points.packed != nullptr) {
    p = load_packed_block(args.points.packed + offset);
  } else {
    zero_floats(block.values, 3 * kWidth);
    copy_floats(args.points.in + offset, block.values, count);
    p = load_block(order, block.values);
  }
  if (kReadsPacked && args.shapes.tiles != nullptr) {
    std::uint32_t tile = args.shapes.first_tile[index];
    add_shapes(args.shapes, tile, args.shapes.first_tile[index + 1], p);
  }
  if (args.pre_transform.kind != PreTransform::none) p = pre_transformed(args.pre_transform, p);
  if (args.blocks == nullptr) {
    p = transform_block(args.palette, p);
  } else {
    Matrices joints = joints_of(args, args.matrices, args.blocks[index]);
    p = moved_points<true>(args.palette, args.blocks[index], joints, p);
  }
  if (count == 3 * kWidth) return store_block(order, p.p0, p.p1, args.points.out + offset, false);
  store_block(order, p.p0, p.p1, block.values, false);
  copy_floats(block.values, args.points.out + offset, count);
}

/// Deforms whole blocks [first, last) of any job, or of one of has_joints_only().
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
  Matrices joints = {};
  if (has_joints) joints = joints_of(args, args.matrices, *block);
  const ShapeTiles shapes = args.shapes;
  std::uint32_t tile = kBlended ? shapes.first_tile[first] : 0;
  Vec seen = hn::Zero(Tag());
  for (std::size_t index = first; index < last; ++index, in += 3 * kWidth, out += 3 * kWidth) {
    fetch_ahead<3 * kWidth>(in);
    PointBlock p = kPacked ? load_packed_block(in) : load_block(order, in);
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

/// The kernel for the whole blocks of a job.
HWY_INLINE auto point_blocks_kernel(const SkinArgs& args) {
  auto* const any_job = deform_point_blocks<true, false>;
#if !defined(__wasm__)  // Where code must be short.
  if (!has_joints_only(args)) return any_job;
  if constexpr (kReadsPacked) {
    if (args.points.packed != nullptr) {
      return args.shapes.tiles == nullptr ? deform_point_blocks<false, true>
                                          : deform_point_blocks<false, true, true>;
    }
  }
  return deform_point_blocks<false, false>;
#else
  return any_job;
#endif
}

/// How many blocks are checked at once.
inline constexpr std::size_t kBlocksPerCheck = 64;

/// Points only: transform, then weight. 12 multiply-adds per joint and nothing at the end.
void linear_block_points(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  auto* const deform = point_blocks_kernel(args);
  for (std::size_t begin = first; begin < end; begin += kBlocksPerCheck) {
    const std::size_t stop = end - begin < kBlocksPerCheck ? end : begin + kBlocksPerCheck;
    if (HWY_LIKELY(!deform(args, begin, stop))) continue;
    for (std::size_t i = begin; i < stop; ++i) deform_point_block_guarded(args, i);
  }
  if (first < last && end < last) deform_point_block_guarded(args, end);
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

SkinKernel linear_blocks_kernel(SimdLevel level, SkinOutput output) noexcept {
  if (output != SkinOutput::points) return linear_frames_kernel(level, output);
  return SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_points);
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
