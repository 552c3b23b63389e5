// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning of directions, alone or with points: the matrices of a block's joints are
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

void linear_block_vectors(const SkinArgs&, std::size_t, std::size_t) {}
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
HWY_INLINE void blend_joints(const float* palette, Matrices& joints, const std::uint32_t* end,
                             Blend& a, Blend& b) {
  for_joints<kHalf>(palette, joints, end, [&](const float* m, Vec w0, Vec w1) HWY_ATTR {
    blend_row<kHalf, kTranslate, kGuarded>(m, w0, w1, a.r0, b.r0);
    blend_row<kHalf, kTranslate, kGuarded>(m + 4, w0, w1, a.r1, b.r1);
    blend_row<kHalf, kTranslate, kGuarded>(m + 8, w0, w1, a.r2, b.r2);
  });
}

/// The blended matrices of the register at `lane`, whose block has these joints.
template <bool kTranslate, bool kGuarded>
HWY_INLINE Blend blend_register(const float* palette, const SkinBlock& block,
                                const Matrices& joints, std::size_t lane) {
  Matrices own = joints;
  const std::uint32_t* end = joints.row + joints.count;
  if constexpr (kSplitsBlocks) {
    const std::size_t others = lane == 0 ? 0 : block.first_half_count;
    own.row += others;
    own.tile += others * kWidth;
    if (lane == 0) end -= block.second_half_count;
  }
  own.tile += lane;
  Blend blend = zero_blend(), unused = blend;
  blend_joints<BlockHalf::first, kTranslate, kGuarded>(palette, own, end, blend, unused);
  return blend;
}

/// Those of both registers at once.
template <bool kTranslate>
HWY_INLINE void blend_block(const float* palette, const SkinBlock& block, Matrices joints, Blend& a,
                            Blend& b) {
  using enum BlockHalf;
  a = b = zero_blend();
  const std::uint32_t* end = joints.row;
  if constexpr (kSplitsBlocks) {
    end += block.first_half_count;
    blend_joints<first, kTranslate, false>(palette, joints, end, a, b);
  }
  end += block.shared_count;
  blend_joints<both, kTranslate, false>(palette, joints, end, a, b);
  if constexpr (kSplitsBlocks) {
    end += block.second_half_count;
    blend_joints<second, kTranslate, false>(palette, joints, end, a, b);
  }
}

/// The blended matrices of a register with the zero weights masked out. Not inlined, so that those
/// of others never need an address.
template <bool kTranslate>
HWY_NOINLINE void blend_guarded(const SkinArgs& args, std::size_t index, std::size_t lane,
                                Blend& blend) {
  const SkinBlock& block = args.blocks[index];
  blend = blend_register<kTranslate, true>(args.palette, block,
                                           joints_of(args, args.matrices, block), lane);
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

HWY_INLINE Vec sum_of_components(const Triples& t) {
  return hn::Add(hn::Add(t.x, t.y), t.z);
}

/// Whether every wanted stream may be read packed.
HWY_INLINE bool all_packed(const SkinArgs& args) {
  const auto is_packed = [](const SkinStream& stream)
                             HWY_ATTR { return stream.out == nullptr || stream.packed != nullptr; };
  return is_packed(args.points) && is_packed(args.vectors[0]) && is_packed(args.vectors[1]);
}

/// Adds the blend shapes of a block to the register of its points at `lane`.
HWY_INLINE Triples with_shapes(const ShapeTiles& shapes, std::size_t block, std::size_t lane,
                               Triples p) {
  for (std::uint32_t t = shapes.first_tile[block]; t != shapes.first_tile[block + 1]; ++t) {
    const float weight = shapes.weights[shapes.sub_shapes[t]];
    if (!moves(weight)) continue;
    add_tile(hn::Set(Tag(), weight), shapes.tiles + std::size_t{t} * 3 * kWidth + lane, p);
  }
  return p;
}

/// Deforms a turn of whole blocks [first, last), points only if kTranslate, of any job or of one of
/// has_joints_only().
/// @return Whether any blended matrix may be NaN; of any job, that is seen to already. A NaN in any
///         element leads to one in the first stream.
template <bool kTranslate, bool kAnyJob, bool kPacked>
HWY_NOINLINE bool deform_turn(const SkinArgs& args, std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  const float* const palette = args.palette;
  const bool has_joints = !kAnyJob || args.blocks != nullptr;
  const bool prepares = kAnyJob && args.pre_transform.kind != PreTransform::none;
  const bool has_shapes = kTranslate && kReadsPacked && args.shapes.tiles != nullptr;
  const auto load = [&](const SkinStream& stream, std::size_t offset, std::size_t lane) HWY_ATTR {
    return kPacked ? load_packed(stream.packed + offset + lane)
                   : load_triples(order, stream.in + offset + 3 * lane);
  };
  const SkinStream points = args.points, vectors[2] = {args.vectors[0], args.vectors[1]};
  RawVectors raw[kBlocksPerTurn];
  Matrices joints = {};
  if (has_joints) joints = joints_of(args, args.matrices, args.blocks[first]);
  Vec seen = hn::Zero(Tag());
  for (std::size_t index = first; index < last; ++index) {
    const std::size_t offset = index * 3 * kWidth;
    const SkinBlock* const block = has_joints ? args.blocks + index : nullptr;
    const bool is_rigid = block == nullptr || block->rigid != 0;
    if (block != nullptr) joints.count = joint_count(*block);
    Blend next = zero_blend();
    for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
      Blend blend = next;
      if (is_rigid) {
        const float* const m = block == nullptr ? palette : palette + *joints.row;
        blend = {broadcast_row(m), broadcast_row(m + 4), broadcast_row(m + 8)};
      } else if constexpr (kManyRegisters) {
        if (lane == 0) blend_block<kTranslate>(palette, *block, joints, blend, next);
      } else {
        blend = blend_register<kTranslate, false>(palette, *block, joints, lane);
      }
      const auto must_guard = [&](const Triples& result) HWY_ATTR {
        const Vec sum = sum_of_components(result);
        if constexpr (kAnyJob) return !is_rigid && any_nan(sum);
        seen = hn::Add(seen, sum);
        return false;
      };
      if constexpr (kTranslate) {
        Triples p = load(points, offset, lane);
        if (has_shapes) p = with_shapes(args.shapes, index, lane, p);
        if (prepares) p = pre_transformed_point(args.pre_transform, p);
        Triples result = deform_points(blend, p);
        if (HWY_UNLIKELY(must_guard(result))) {
          blend_guarded<kTranslate>(args, index, lane, blend);
          result = deform_points(blend, p);
        }
        store_triples(order, result, points.out + offset + 3 * lane);
      }
      bool is_first = !kTranslate;
      for (std::size_t s = 0; s < 2; ++s) {
        if (vectors[s].out == nullptr) continue;
        Triples v = load(vectors[s], offset, lane);
        if (prepares) v = pre_transformed_vector(args.pre_transform, v);
        Triples result = deform_vectors(blend, v);
        if (HWY_UNLIKELY(is_first && must_guard(result))) {
          blend_guarded<kTranslate>(args, index, lane, blend);
          result = deform_vectors(blend, v);
        }
        is_first = false;
        put_raw(result, raw[index - first].values[s][lane / kLanes]);
      }
    }
    joints.row += joints.count;
    joints.tile += joints.count * kWidth;
  }
  finish_vectors(args, order, raw, first, last);
  return any_nan(seen);
}

/// Deforms whole blocks [first, last) of any job.
template <bool kTranslate>
void deform_any_job(const SkinArgs& args, std::size_t first, std::size_t last) {
  for (std::size_t end = first; first < last; first = end) {
    end = end_of_turn(first, last);
    deform_turn<kTranslate, true, false>(args, first, end);
  }
}

/// Those of a job of has_joints_only().
template <bool kTranslate, bool kPacked>
void deform_joints_only(const SkinArgs& args, std::size_t first, std::size_t last) {
  for (std::size_t end = first; first < last; first = end) {
    end = end_of_turn(first, last);
    if (HWY_LIKELY((!deform_turn<kTranslate, false, kPacked>(args, first, end)))) continue;
    deform_turn<kTranslate, true, false>(args, first, end);
  }
}

template <bool kTranslate>
HWY_INLINE void deform_linear(const SkinArgs& args, std::size_t first, std::size_t last) {
  SkinKernel deform = deform_any_job<kTranslate>;
#if !defined(__wasm__)  // Where code must be short.
  if (has_joints_only(args)) {
    deform = kReadsPacked && all_packed(args) ? deform_joints_only<kTranslate, kReadsPacked>
                                              : deform_joints_only<kTranslate, false>;
  }
#endif
  deform_frames(deform, deform_any_job<kTranslate>, args, first, last);
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

SkinKernel linear_frames_kernel(SimdLevel level, SkinOutput output) noexcept {
  return output == SkinOutput::vectors
             ? SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_vectors)
             : SINEW_SELECT_KERNEL(SkinKernel, level, linear_block_frame);
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
