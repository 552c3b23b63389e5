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

/// The joints that move one register of a block, or both.
template <typename Row>
struct JointRange {
  const Row* row;
  std::size_t count;
  const float* tile;  ///< Weights of the first one, `kWidth` floats before those of the next.
};

HWY_INLINE std::size_t joint_count(const SkinBlock& block) {
  return std::size_t{block.first_half_count} + block.shared_count + block.second_half_count;
}

/// Those of a block, whose rows are among `rows`: of joints or of their matrices.
template <typename Row>
HWY_INLINE JointRange<Row> joints_of(const SkinArgs& args, const Row* rows,
                                     const SkinBlock& block) {
  return {rows + block.first_row, joint_count(block),
          args.tiles + std::size_t{block.first_row} * kWidth};
}

/// Of the joints of a block, those that move the register that starts at point `lane`.
template <typename Row>
HWY_INLINE JointRange<Row> of_register(JointRange<Row> joints, const SkinBlock& block,
                                       std::size_t lane) {
  if constexpr (kSplitsBlocks) {
    const std::size_t before = lane == 0 ? 0 : block.first_half_count;
    joints.row += before;
    joints.tile += before * kWidth;
    joints.count -= lane == 0 ? block.second_half_count : before;
  }
  joints.tile += lane;
  return joints;
}

/// Blocks whose directions are normalised one after the other. To normalise is a long chain of
/// instructions that wait for each other, and what waits keeps a processor from seeing the sums of
/// the blocks that follow; of several blocks, there are many such chains to work on at once.
inline constexpr std::size_t kBlocksPerTurn = 8;

/// The block after the next ones of [first, last) that make a turn.
HWY_INLINE std::size_t end_of_turn(std::size_t first, std::size_t last) {
  return last - first < kBlocksPerTurn ? last : first + kBlocksPerTurn;
}

/// Directions of a turn before they have unit length: of each stream register by register, all x,
/// all y, all z.
struct RawVectors {
  HWY_ALIGN float values[2][kBlocksPerTurn * 3 * kWidth];
};

HWY_INLINE void put_raw(const Triples& t, float* values) {
  const Tag d;
  hn::Store(t.x, d, values);
  hn::Store(t.y, d, values + kLanes);
  hn::Store(t.z, d, values + 2 * kLanes);
}

/// Gives the directions of `count` blocks unit length, and stores or streams them as triples.
HWY_INLINE void finish_vectors(const float* raw, std::size_t count, float* out, bool streamed) {
  const Tag d;
  const TripleOrder order = triple_order();
  const auto unit = [&](const float* v) SINEW_KERNEL_LAMBDA {
    return normalised({hn::Load(d, v), hn::Load(d, v + kLanes), hn::Load(d, v + 2 * kLanes)});
  };
  for (std::size_t i = 0; i < count; ++i, raw += 3 * kWidth, out += 3 * kWidth) {
    store_block(order, unit(raw), unit(raw + 3 * kLanes), out, streamed);
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

/// Has `deform` work on one block in buffers on the stack and hands over the `count` floats that
/// exist. Used for the last block, if it is short, and for blocks to be streamed.
inline HWY_NOINLINE void deform_frame_in_copy(SkinKernel deform, const SkinArgs& args,
                                              std::size_t index, std::size_t count) {
  const std::size_t offset = index * 3 * kWidth;
  const bool whole = count == 3 * kWidth;
  ShortBlock blocks[3];
  SkinArgs local = args;
  if (local.blocks != nullptr) local.blocks += index;
  if (local.shapes.tiles != nullptr) local.shapes.first_tile += index;
  redirect(local.points, blocks[0], offset, count);
  redirect(local.vectors[0], blocks[1], offset, count);
  redirect(local.vectors[1], blocks[2], offset, count);
  deform(local, 0, 1);
  float* const outs[3] = {args.points.out, args.vectors[0].out, args.vectors[1].out};
  for (int i = 0; i < 3; ++i) {
    if (outs[i] == nullptr) continue;
    if (kStreams && whole && args.streamed && can_stream(outs[i])) {
      stream_block(blocks[i].values, outs[i] + offset);
    } else {
      copy_floats(blocks[i].values, outs[i] + offset, count);
    }
  }
}

/// Has `deform` deform every wanted stream of blocks [first, last): whole ones in their place, and
/// `deform_in_place`, whose results take the place of what they are computed from, those that need
/// a copy.
HWY_INLINE void deform_frames(SkinKernel deform, SkinKernel deform_in_place, const SkinArgs& args,
                              std::size_t first, std::size_t last) {
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  if (HWY_UNLIKELY(kStreams && args.streamed)) {
    for (std::size_t i = first; i < end; ++i) {
      deform_frame_in_copy(deform_in_place, args, i, 3 * kWidth);
    }
  } else if (first < end) {
    deform(args, first, end);
  }
  if (first < last && end < last) {
    deform_frame_in_copy(deform_in_place, args, end, (args.point_count - end * kWidth) * 3);
  }
  if (args.streamed) hwy::FlushStream();
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
