// SPDX-License-Identifier: Apache-2.0
// Blocks that deform points and directions with one blended motion per point. Compiled once per
// instruction set: include it in every pass of foreach_target.

#if defined(SINEW_SKEL_KERNELS_BLOCK_FRAMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKEL_KERNELS_BLOCK_FRAMES_INL
#undef SINEW_SKEL_KERNELS_BLOCK_FRAMES_INL
#else
#define SINEW_SKEL_KERNELS_BLOCK_FRAMES_INL
#endif

#include "skel/kernels/triples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

/// One register of points, at float `offset`. `motion` is what a method blends:
/// deform_points(motion, p) and deform_vectors(motion, v) apply it.
template <typename Motion>
HWY_INLINE Triples deformed_points(const SkinArgs& args, const TripleOrder& order,
                                   const Motion& motion, std::size_t offset) {
  Triples p = load_triples(order, args.points.in + offset);
  if (HWY_UNLIKELY(args.pre_transform.kind != PreTransform::none))
    p = pre_transformed_point(args.pre_transform, p);
  return deform_points(motion, p);
}

/// Likewise of directions, before they are made unit length.
template <typename Motion>
HWY_INLINE Triples deformed_vectors(const SkinArgs& args, const SkinStream& stream,
                                    const TripleOrder& order, const Motion& motion,
                                    std::size_t offset) {
  Triples v = load_triples(order, stream.in + offset);
  if (HWY_UNLIKELY(args.pre_transform.kind != PreTransform::none))
    v = pre_transformed_vector(args.pre_transform, v);
  return deform_vectors(motion, v);
}

/// Deforms one register of every wanted stream.
template <typename Motion>
HWY_INLINE void deform_register(const SkinArgs& args, const TripleOrder& order,
                                const Motion& motion, std::size_t offset) {
  if (args.points.out != nullptr) {
    store_triples(order, deformed_points(args, order, motion, offset), args.points.out + offset);
  }
  for (const SkinStream& stream : args.vectors) {
    if (stream.out == nullptr) continue;
    store_triples(order, normalised(deformed_vectors(args, stream, order, motion, offset)),
                  stream.out + offset);
  }
}

/// Moves the streams of `args` to `blocks`, so that one of them is as long as a whole block.
HWY_INLINE void redirect(SkinStream& stream, ShortBlock& block, std::size_t offset,
                         std::size_t count) {
  if (stream.out == nullptr) return;
  zero_floats(block.values, 3 * kWidth);
  copy_floats(stream.in + offset, block.values, count);
  stream = {block.values, block.values};
}

/// Works on one block in buffers on the stack and hands over the `count` floats that exist. Used
/// for the last block, if it is short, and for blocks to be streamed.
template <typename Method>
HWY_NOINLINE void deform_frame_in_copy(const SkinArgs& args, std::size_t index, std::size_t count) {
  const std::size_t offset = index * 3 * kWidth;
  const bool whole = count == 3 * kWidth;
  ShortBlock blocks[3];
  SkinArgs local = args;
  redirect(local.points, blocks[0], offset, count);
  redirect(local.vectors[0], blocks[1], offset, count);
  redirect(local.vectors[1], blocks[2], offset, count);
  Method::deform(local, triple_order(), index, 0);
  float* const outs[3] = {args.points.out, args.vectors[0].out, args.vectors[1].out};
  for (int i = 0; i < 3; ++i) {
    if (outs[i] == nullptr) continue;
    if (whole && args.streamed && can_stream(outs[i])) {
      stream_block(blocks[i].values, outs[i] + offset);
    } else {
      copy_floats(blocks[i].values, outs[i] + offset, count);
    }
  }
}

/// Deforms every wanted stream of blocks [first, last).
/// Method::deform(args, order, index, offset) deforms one block, whose triples start at float
/// `offset` of every stream.
template <typename Method>
HWY_INLINE void deform_frames(const SkinArgs& args, std::size_t first, std::size_t last) {
  const TripleOrder order = triple_order();
  const std::size_t whole = args.point_count / kWidth;
  std::size_t index = first;
  for (const std::size_t end = last < whole ? last : whole; index < end; ++index) {
    if (HWY_UNLIKELY(args.streamed)) {
      deform_frame_in_copy<Method>(args, index, 3 * kWidth);
    } else {
      Method::deform(args, order, index, index * 3 * kWidth);
    }
  }
  if (index < last) {
    deform_frame_in_copy<Method>(args, index, (args.point_count - index * kWidth) * 3);
  }
  if (args.streamed) hwy::FlushStream();
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
