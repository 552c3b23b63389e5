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

/// Which registers of a block.
enum class BlockHalf { first, both, second };

/// Whether a blend shape does anything with this weight.
HWY_INLINE bool moves(float weight) {
  return !(weight < kNoShapeWeight && weight > -kNoShapeWeight);
}

/// Adds a weighted register of offsets, from that of x on, to one of points.
HWY_INLINE void add_tile(Vec weight, const float* x, Triples& p) {
  const Triples offset = load_packed(x);
  p.x = hn::MulAdd(weight, offset.x, p.x);
  p.y = hn::MulAdd(weight, offset.y, p.y);
  p.z = hn::MulAdd(weight, offset.z, p.z);
}

/// The joints that move one register of a block, or both.
struct JointRange {
  const SkinRow* row;
  std::size_t count;
  const float* tile;  ///< Weights of the first one, `kWidth` floats before those of the next.
};

HWY_INLINE JointRange joints_of(const SkinArgs& args, const SkinBlock& block) {
  return {args.rows + block.first_row,
          std::size_t{block.first_half_count} + block.shared_count + block.second_half_count,
          args.tiles + std::size_t{block.first_row} * kWidth};
}

/// Those of the register that starts at point `lane`.
HWY_INLINE JointRange joints_of_register(const SkinArgs& args, const SkinBlock& block,
                                         std::size_t lane) {
  if constexpr (!kSplitsBlocks) {
    JointRange joints = joints_of(args, block);
    joints.tile += lane;
    return joints;
  }
  const std::size_t first = lane == 0 ? 0 : block.first_half_count;
  const std::size_t count = lane == 0 ? block.first_half_count : block.second_half_count;
  return {args.rows + block.first_row + first, count + block.shared_count,
          args.tiles + (std::size_t{block.first_row} + first) * kWidth + lane};
}

/// Whether every wanted stream may be read packed.
HWY_INLINE bool all_packed(const SkinArgs& args) {
  const auto is_packed = [](const SkinStream& stream)
                             HWY_ATTR { return stream.out == nullptr || stream.packed != nullptr; };
  return is_packed(args.points) && is_packed(args.vectors[0]) && is_packed(args.vectors[1]);
}

/// Whether a wanted stream takes the place of what it is computed from.
HWY_INLINE bool any_in_place(const SkinArgs& args) {
  const auto is_in_place = [](const SkinStream& stream) HWY_ATTR {
    return stream.out != nullptr && stream.in == stream.out;
  };
  return is_in_place(args.points) || is_in_place(args.vectors[0]) || is_in_place(args.vectors[1]);
}

/// The register of a stream that starts at point `lane` of the block whose triples start at float
/// `offset`.
template <bool kPacked>
HWY_INLINE Triples load_register(const SkinStream& stream, const TripleOrder& order,
                                 std::size_t offset, std::size_t lane) {
  return kPacked ? load_packed(stream.packed + offset + lane)
                 : load_triples(order, stream.in + offset + 3 * lane);
}

/// Adds blend shapes to one register of points of a block, counted from first_tile.
HWY_INLINE Triples add_shapes(const ShapeTiles& shapes, std::size_t block, std::size_t lane,
                              Triples p) {
  for (std::uint32_t t = shapes.first_tile[block]; t != shapes.first_tile[block + 1]; ++t) {
    const float weight = shapes.weights[shapes.sub_shapes[t]];
    if (!moves(weight)) continue;
    add_tile(hn::Set(Tag(), weight), shapes.tiles + std::size_t{t} * 3 * kWidth + lane, p);
  }
  return p;
}

/// Such a register of points. `motion` is what a method blends:
/// deform_points(motion, p) and deform_vectors(motion, v) apply it.
template <bool kPacked, typename Motion>
HWY_INLINE Triples deformed_points(const SkinArgs& args, const TripleOrder& order,
                                   const Motion& motion, std::size_t offset, std::size_t lane) {
  Triples p = load_register<kPacked>(args.points, order, offset, lane);
  if (kReadsPacked && HWY_UNLIKELY(args.shapes.tiles != nullptr))
    p = add_shapes(args.shapes, offset / (3 * kWidth), lane, p);
  if (HWY_UNLIKELY(args.pre_transform.kind != PreTransform::none))
    p = pre_transformed_point(args.pre_transform, p);
  return deform_points(motion, p);
}

/// Likewise of directions, before they are made unit length.
template <bool kPacked, typename Motion>
HWY_INLINE Triples deformed_vectors(const SkinArgs& args, const SkinStream& stream,
                                    const TripleOrder& order, const Motion& motion,
                                    std::size_t offset, std::size_t lane) {
  Triples v = load_register<kPacked>(stream, order, offset, lane);
  if (HWY_UNLIKELY(args.pre_transform.kind != PreTransform::none))
    v = pre_transformed_vector(args.pre_transform, v);
  return deform_vectors(motion, v);
}

/// Directions of a block before they have unit length: component by component, for each stream and
/// register.
struct RawVectors {
  HWY_ALIGN float values[2][2][3 * kLanes];
};

HWY_INLINE void put_raw(const Triples& t, float* values) {
  const Tag d;
  hn::Store(t.x, d, values);
  hn::Store(t.y, d, values + kLanes);
  hn::Store(t.z, d, values + 2 * kLanes);
}

/// Deforms the register of a block that starts at point `lane`, in every wanted stream. The block's
/// triples start at float `offset`. Directions go to `raw`.
template <bool kPacked, typename Motion>
HWY_INLINE void deform_register(const SkinArgs& args, const TripleOrder& order,
                                const Motion& motion, std::size_t offset, std::size_t lane,
                                RawVectors& raw) {
  if (args.points.out != nullptr) {
    store_triples(order, deformed_points<kPacked>(args, order, motion, offset, lane),
                  args.points.out + offset + 3 * lane);
  }
  for (std::size_t s = 0; s < 2; ++s) {
    if (args.vectors[s].out == nullptr) continue;
    put_raw(deformed_vectors<kPacked>(args, args.vectors[s], order, motion, offset, lane),
            raw.values[s][lane / kLanes]);
  }
}

/// Gives the directions of a block unit length, and stores them.
HWY_INLINE void finish_vectors(const SkinArgs& args, const TripleOrder& order,
                               const RawVectors& raw, std::size_t offset) {
  const Tag d;
  for (std::size_t s = 0; s < 2; ++s) {
    if (args.vectors[s].out == nullptr) continue;
    float* const out = args.vectors[s].out + offset;
    for (std::size_t r = 0; r < 2; ++r) {
      const float* const v = raw.values[s][r];
      const Triples t = {hn::Load(d, v), hn::Load(d, v + kLanes), hn::Load(d, v + 2 * kLanes)};
      store_triples(order, normalised(t), out + 3 * kLanes * r);
    }
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
HWY_NOINLINE void deform_frame_in_copy(Method method, const SkinArgs& args, std::size_t index,
                                       std::size_t count) {
  const std::size_t offset = index * 3 * kWidth;
  const bool whole = count == 3 * kWidth;
  ShortBlock blocks[3];
  SkinArgs local = args;
  if (args.shapes.tiles != nullptr) local.shapes.first_tile += index;
  redirect(local.points, blocks[0], offset, count);
  redirect(local.vectors[0], blocks[1], offset, count);
  redirect(local.vectors[1], blocks[2], offset, count);
  RawVectors raw;
  method.template deform<false>(local, triple_order(), index, 0, raw);
  finish_vectors(local, triple_order(), raw, 0);
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

/// Deforms every wanted stream of blocks [first, last), read packed if kPacked.
/// method.deform<kPacked>(args, order, index, offset, raw) deforms one block, whose triples start
/// at float `offset` of every stream, and leaves its directions in `raw`. In copies, results take
/// the place of what they are computed from: method.in_place() does so there.
///
/// To normalise is a long chain of instructions that wait for each other. That of a block is begun
/// after the sums of the next one, so that a processor works on both at once.
template <bool kPacked, typename Method>
HWY_INLINE void deform_frames(Method& method, const SkinArgs& args, std::size_t first,
                              std::size_t last) {
  const TripleOrder order = triple_order();
  const std::size_t whole = args.point_count / kWidth;
  const std::size_t end = last < whole ? last : whole;
  std::size_t index = first;
  if (HWY_UNLIKELY(args.streamed)) {
    for (; index < end; ++index) deform_frame_in_copy(method.in_place(), args, index, 3 * kWidth);
  } else {
    RawVectors raw[2];
    const bool directed = args.vectors[0].out != nullptr || args.vectors[1].out != nullptr;
    const auto finish = [&](std::size_t block) HWY_ATTR {
      finish_vectors(args, order, raw[block % 2], block * 3 * kWidth);
    };
    for (; index < end; ++index) {
      method.template deform<kPacked>(args, order, index, index * 3 * kWidth, raw[index % 2]);
      if (directed && index > first) finish(index - 1);
    }
    if (directed && index > first) finish(index - 1);
  }
  if (index < last) {
    deform_frame_in_copy(method.in_place(), args, index, (args.point_count - index * kWidth) * 3);
  }
  if (args.streamed) hwy::FlushStream();
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
