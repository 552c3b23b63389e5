// SPDX-License-Identifier: Apache-2.0
// The joints of a block as kernels of linear skinning go through them, and blend shapes in its
// layout. Compiled once per instruction set: include it in every pass of foreach_target.

#if defined(SINEW_SKEL_KERNELS_LINEAR_JOINTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKEL_KERNELS_LINEAR_JOINTS_INL
#undef SINEW_SKEL_KERNELS_LINEAR_JOINTS_INL
#else
#define SINEW_SKEL_KERNELS_LINEAR_JOINTS_INL
#endif

#include "skel/kernels/block_frames-inl.hpp"
#include "skel/kernels/triples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

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

/// Which registers of a block.
enum class BlockHalf { first, both, second };

/// Joints by where their matrices begin in the palette, in floats.
using Matrices = JointRange<std::uint32_t>;

/// Calls add(m, w0, w1) for the next of `joints`, up to `end`: the matrix, and the weights of the
/// wanted halves of the block.
template <BlockHalf kHalf, typename Add>
HWY_INLINE void for_joints(const float* palette, Matrices& joints, const std::uint32_t* end,
                           const Add& add) {
  const Tag d;
  for (; joints.row != end; ++joints.row, joints.tile += kWidth) {
    fetch_ahead<kWidth>(joints.tile);
    Vec w0 = hn::Zero(d), w1 = w0;
    if constexpr (kHalf != BlockHalf::second) w0 = hn::Load(d, joints.tile);
    if constexpr (kHalf != BlockHalf::first) w1 = hn::Load(d, joints.tile + kLanes);
    add(palette + *joints.row, w0, w1);
  }
}

HWY_INLINE bool any_nan(Vec v) {
  return !hn::AllFalse(Tag(), hn::IsNaN(v));
}

/// Whether jobs of has_joints_only() have kernels of their own. On WebAssembly code must be short.
#if defined(__wasm__)
inline constexpr bool kSpecialises = false;
#else
inline constexpr bool kSpecialises = true;
#endif

/// Whether joints move the points of a job and nothing else happens to them: no transform before,
/// no output that takes the place of its input.
HWY_INLINE bool has_joints_only(const SkinArgs& args) {
  if (args.blocks == nullptr || args.pre_transform.kind != PreTransform::none) return false;
  const auto is_in_place = [](const SkinStream& stream) HWY_ATTR {
    return stream.out != nullptr && stream.in == stream.out;
  };
  return !is_in_place(args.points) && !is_in_place(args.vectors[0]) &&
         !is_in_place(args.vectors[1]);
}

/// Whether a blend shape does anything with this weight.
HWY_INLINE bool moves(float weight) {
  return !(weight < kNoShapeWeight && weight > -kNoShapeWeight);
}

/// Calls add(weight, x) for tiles [tile, end) of blend shapes whose weights do anything; `tile`
/// moves past them. The offsets begin with those of x.
template <typename Add>
HWY_INLINE void for_tiles(const ShapeTiles& shapes, std::uint32_t& tile, std::uint32_t end,
                          const Add& add) {
  for (; tile != end; ++tile) {
    const float weight = shapes.weights[shapes.sub_shapes[tile]];
    if (!moves(weight)) continue;
    add(hn::Set(Tag(), weight), shapes.tiles + std::size_t{tile} * 3 * kWidth);
  }
}

/// Adds a weighted register of offsets, from that of x on, to one of points.
HWY_INLINE void add_tile(Vec weight, const float* x, Triples& p) {
  const Triples offset = load_packed(x);
  p.x = hn::MulAdd(weight, offset.x, p.x);
  p.y = hn::MulAdd(weight, offset.y, p.y);
  p.z = hn::MulAdd(weight, offset.z, p.z);
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
