// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of points and directions at once: the matrices of a block's joints are
// blended for each of its points, then applied to every stream. Zero weights and values that are
// not finite: see linear_blocks.cpp.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/skin_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/linear_frames.cpp"
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

void linear_block_frame(const SkinArgs&, std::size_t, std::size_t) {}

#else

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
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void blend_row(const float* m, Vec w0, Vec w1, Row& a, Row& b) {
  const auto add = [&](Vec element, Vec& sum0, Vec& sum1) SINEW_KERNEL_LAMBDA {
    if constexpr (kHalf != BlockHalf::second) sum0 = add_weighted<kGuarded>(w0, element, sum0);
    if constexpr (kHalf != BlockHalf::first) sum1 = add_weighted<kGuarded>(w1, element, sum1);
  };
  add(broadcast(m), a.x, b.x);
  add(broadcast(m + 1), a.y, b.y);
  add(broadcast(m + 2), a.z, b.z);
  add(broadcast(m + 3), a.t, b.t);
}

/// Adds the matrices of the next of `joints`, up to `end`, to those of the wanted halves.
template <BlockHalf kHalf, bool kGuarded>
HWY_INLINE void blend_joints(const float* palette, Matrices& joints, const std::uint32_t* end,
                             Blend& a, Blend& b) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) SINEW_KERNEL_LAMBDA {
    blend_row<kHalf, kGuarded>(m, w0, w1, a.r0, b.r0);
    blend_row<kHalf, kGuarded>(m + 4, w0, w1, a.r1, b.r1);
    blend_row<kHalf, kGuarded>(m + 8, w0, w1, a.r2, b.r2);
  });
}

/// The blended matrices of the register at `lane`, whose block has these joints.
template <bool kGuarded>
HWY_INLINE Blend blend_register(const float* palette, const SkinBlock& block,
                                const Matrices& joints, std::size_t lane) {
  Matrices own = of_register(joints, block, lane);
  Blend blend = zero_blend(), unused = blend;
  blend_joints<BlockHalf::first, kGuarded>(palette, own, own.row + own.count, blend, unused);
  return blend;
}

/// Those of both registers at once.
HWY_INLINE void blend_block(const float* palette, const SkinBlock& block, Matrices joints, Blend& a,
                            Blend& b) {
  using enum BlockHalf;
  a = b = zero_blend();
  const std::uint32_t* end = joints.row;
  if constexpr (kSplitsBlocks) {
    end += block.first_half_count;
    blend_joints<first, false>(palette, joints, end, a, b);
  }
  end += block.shared_count;
  blend_joints<both, false>(palette, joints, end, a, b);
  if constexpr (kSplitsBlocks) {
    end += block.second_half_count;
    blend_joints<second, false>(palette, joints, end, a, b);
  }
}

/// The blended matrices of a register with the zero weights masked out. Not inlined, so that those
/// of others never need an address.
HWY_NOINLINE void blend_guarded(const SkinArgs& args, std::size_t index, std::size_t lane,
                                Blend& blend) {
  const SkinBlock& block = args.blocks[index];
  blend = blend_register<true>(args.palette, block, joints_of(args, args.matrices, block), lane);
}

HWY_INLINE Row broadcast_row(const float* m) {
  return {broadcast(m), broadcast(m + 1), broadcast(m + 2), broadcast(m + 3)};
}

/// The blended matrices of a register of any job.
HWY_INLINE Blend blend_of(const SkinArgs& args, std::size_t index, std::size_t lane) {
  const float* m = args.palette;
  if (args.blocks == nullptr) return {broadcast_row(m), broadcast_row(m + 4), broadcast_row(m + 8)};
  const SkinBlock& block = args.blocks[index];
  return blend_register<false>(m, block, joints_of(args, args.matrices, block), lane);
}

HWY_INLINE Vec apply_row(const Row& r, const Triples& p) {
  return hn::MulAdd(r.x, p.x, hn::MulAdd(r.y, p.y, hn::MulAdd(r.z, p.z, r.t)));
}

HWY_INLINE Triples deform_points(const Blend& b, const Triples& p) {
  return {apply_row(b.r0, p), apply_row(b.r1, p), apply_row(b.r2, p)};
}

HWY_INLINE Triples deform_vectors(const Blend& b, const Triples& v) {
  const auto row = [&v](const Row& r) SINEW_KERNEL_LAMBDA {
    return hn::MulAdd(r.x, v.x, hn::MulAdd(r.y, v.y, hn::Mul(r.z, v.z)));
  };
  return {row(b.r0), row(b.r1), row(b.r2)};
}

/// Whether every wanted stream may be read packed.
HWY_INLINE bool all_packed(const SkinArgs& args) {
  const auto is_packed = [](const SkinStream& stream) SINEW_KERNEL_LAMBDA {
    return stream.out == nullptr || stream.packed != nullptr;
  };
  return is_packed(args.points) && is_packed(args.vectors[0]) && is_packed(args.vectors[1]);
}

/// Adds the blend shapes of a block to the register of its points at `lane`.
HWY_INLINE Triples with_shapes(const ShapeTiles& shapes, std::size_t block, std::size_t lane,
                               Triples p) {
  std::uint32_t tile = shapes.first_tile[block];
  for_tiles(shapes, tile, shapes.first_tile[block + 1],
            [&](Vec weight, const float* x) SINEW_KERNEL_LAMBDA { add_tile(weight, x + lane, p); });
  return p;
}

/// A block under way.
template <bool kAnyJob, bool kPacked>
struct FrameBlock {
  const SkinArgs& args;
  std::size_t index;
  std::size_t at;      ///< Floats from the first block of the turn.
  const float* in[3];  ///< Points and directions, from that block on; null: not wanted.
  float* out;          ///< Points.
  float* raw[2];       ///< Directions before they have unit length.

  HWY_INLINE Triples load(std::size_t stream, std::size_t lane) const {
    return kPacked ? load_packed(in[stream] + at + lane)
                   : load_triples(triple_order(), in[stream] + at + 3 * lane);
  }

  /// Deforms the register at `lane`. A NaN in any element of the matrix leads to one in the point;
  /// of any job that is looked for at once, of others it is added to `seen`.
  HWY_INLINE void deform(Blend blend, std::size_t lane, Vec& seen) const {
    const bool prepares = kAnyJob && args.pre_transform.kind != PreTransform::none;
    Triples p = load(0, lane);
    if (kReadsPacked && args.shapes.tiles != nullptr) p = with_shapes(args.shapes, index, lane, p);
    if (prepares) p = pre_transformed_point(args.pre_transform, p);
    Triples moved = deform_points(blend, p);
    const Vec sum = hn::Add(hn::Add(moved.x, moved.y), moved.z);
    if constexpr (!kAnyJob) {
      seen = hn::Add(seen, sum);
    } else if (HWY_UNLIKELY(args.blocks != nullptr && any_nan(sum))) {
      blend_guarded(args, index, lane, blend);
      moved = deform_points(blend, p);
    }
    store_triples(triple_order(), moved, out + at + 3 * lane);
    for (std::size_t s = 0; s < 2; ++s) {
      if (in[1 + s] == nullptr) continue;
      Triples v = load(1 + s, lane);
      if (prepares) v = pre_transformed_vector(args.pre_transform, v);
      put_raw(deform_vectors(blend, v), raw[s] + at + 3 * lane);
    }
  }

  HWY_INLINE void advance() {
    ++index;
    at += 3 * kWidth;
  }
};

/// Deforms a turn of whole blocks [first, last) of any job or of one of has_joints_only().
/// @return Whether any blended matrix may be NaN; of any job, that is seen to already.
template <bool kAnyJob, bool kPacked>
HWY_NOINLINE bool deform_turn(const SkinArgs& args, std::size_t first, std::size_t last) {
  const float* const palette = args.palette;
  const std::size_t offset = first * 3 * kWidth;
  const auto input = [offset](const SkinStream& stream) SINEW_KERNEL_LAMBDA {
    if (stream.out == nullptr) return static_cast<const float*>(nullptr);
    return (kPacked ? stream.packed : stream.in) + offset;
  };
  const SkinStream(&vectors)[2] = args.vectors;
  RawVectors raw;
  FrameBlock<kAnyJob, kPacked> turn = {args,
                                       first,
                                       0,
                                       {input(args.points), input(vectors[0]), input(vectors[1])},
                                       args.points.out + offset,
                                       {raw.values[0], raw.values[1]}};
  Vec seen = hn::Zero(Tag());
  Matrices joints = {};
  if constexpr (!kAnyJob) joints = joints_of(args, args.matrices, args.blocks[first]);
  for (; turn.index < last; turn.advance()) {
    if constexpr (kAnyJob) {
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        turn.deform(blend_of(args, turn.index, lane), lane, seen);
      }
    } else {
      const SkinBlock& block = args.blocks[turn.index];
      joints.count = joint_count(block);
      if constexpr (kManyRegisters) {
        Blend a = zero_blend(), b = a;
        blend_block(palette, block, joints, a, b);
        turn.deform(a, 0, seen);
        turn.deform(b, kLanes, seen);
      } else {
        turn.deform(blend_register<false>(palette, block, joints, 0), 0, seen);
        turn.deform(blend_register<false>(palette, block, joints, kLanes), kLanes, seen);
      }
      joints.row += joints.count;
      joints.tile += joints.count * kWidth;
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    if (vectors[s].out == nullptr) continue;
    finish_vectors(raw.values[s], last - first, vectors[s].out + offset, false);
  }
  return any_nan(seen);
}

/// Deforms whole blocks [first, last) of any job.
void deform_any_job(const SkinArgs& args, std::size_t first, std::size_t last) {
  for (std::size_t end = first; first < last; first = end) {
    end = end_of_turn(first, last);
    deform_turn<true, false>(args, first, end);
  }
}

/// Those of a job of has_joints_only().
template <bool kPacked>
void deform_joints_only(const SkinArgs& args, std::size_t first, std::size_t last) {
  for (std::size_t end = first; first < last; first = end) {
    end = end_of_turn(first, last);
    if (HWY_LIKELY((!deform_turn<false, kPacked>(args, first, end)))) continue;
    deform_turn<true, false>(args, first, end);
  }
}

/// Points and directions by the same matrix: blend twelve elements once, then nine per stream.
void linear_block_frame(const SkinArgs& args, std::size_t first, std::size_t last) {
  SkinKernel deform = deform_any_job;
  if (kSpecialises && has_joints_only(args)) {
    deform = kReadsPacked && all_packed(args) ? deform_joints_only<kReadsPacked>
                                              : deform_joints_only<false>;
  }
  deform_frames(deform, deform_any_job, args, first, last);
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

SkinKernel linear_frames_kernel(SimdLevel level) noexcept {
  return SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_frame);
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
