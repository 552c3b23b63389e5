// SPDX-License-Identifier: Apache-2.0
// Float triples in memory, components in registers. Compiled once per instruction set: include it
// after hwy/highway.h in every pass of foreach_target.

#if defined(SINEW_SKEL_KERNELS_TRIPLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKEL_KERNELS_TRIPLES_INL
#undef SINEW_SKEL_KERNELS_TRIPLES_INL
#else
#define SINEW_SKEL_KERNELS_TRIPLES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag());
inline constexpr std::size_t kWidth = 2 * kLanes;  ///< Points per block.

/// Whether two registers of points can be worked on at once with a blended matrix for each.
inline constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL ||
#if defined(HWY_NEON_WITHOUT_AES)
                                       HWY_TARGET == HWY_NEON_WITHOUT_AES ||
#endif
                                       HWY_TARGET == HWY_NEON;

/// Whether joints that move half a block are kept apart, and whether packed streams are read. With
/// four lanes the one costs as much as it saves, and triples are taken apart in few steps.
inline constexpr bool kSplitsBlocks = kLanes >= kWideBlock / 2;
inline constexpr bool kReadsPacked = kSplitsBlocks;

/// As many triples as a register has lanes.
///
/// Structs of registers are never made without values: their default constructors would belong to
/// no instruction set, and GCC for Arm cannot inline into them.
struct Triples {
  Vec x, y, z;
};

HWY_INLINE Triples zero_triples() {
  const Vec zero = hn::Zero(Tag());
  return {zero, zero, zero};
}

HWY_INLINE Vec broadcast(const float* value) {
  return hn::Set(Tag(), *value);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Three registers of 16 floats hold 16 triples. Component c lies in lanes of one residue modulo 3
// in each of them, and the three residues differ, so two blends collect it in one register and one
// permutation sorts it: 9 instructions, against about 24 for the general form.
struct TripleOrder {
  hn::Mask<Tag> m0, m1, m2;  // Lanes with this residue modulo 3.
  hn::Indices512<float> load_x, load_y, load_z;
  hn::Indices512<float> store_x, store_y, store_z;
};

HWY_INLINE TripleOrder triple_order() {
  alignas(64) static constexpr std::int32_t kLoad[3][16] = {
      {0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13},
      {1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14},
      {2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15}};
  alignas(64) static constexpr std::int32_t kStore[3][16] = {
      {0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10, 5},
      {5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10},
      {10, 5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15}};
  constexpr std::uint8_t kResidue0[8] = {0x49, 0x92};
  constexpr std::uint8_t kResidue1[8] = {0x92, 0x24};
  constexpr std::uint8_t kResidue2[8] = {0x24, 0x49};
  const Tag d;
  return {hn::LoadMaskBits(d, kResidue0),    hn::LoadMaskBits(d, kResidue1),
          hn::LoadMaskBits(d, kResidue2),    hn::SetTableIndices(d, kLoad[0]),
          hn::SetTableIndices(d, kLoad[1]),  hn::SetTableIndices(d, kLoad[2]),
          hn::SetTableIndices(d, kStore[0]), hn::SetTableIndices(d, kStore[1]),
          hn::SetTableIndices(d, kStore[2])};
}

HWY_INLINE Triples load_triples(const TripleOrder& order, const float* in) {
  const Tag d;
  const Vec a = hn::LoadU(d, in);
  const Vec b = hn::LoadU(d, in + kLanes);
  const Vec c = hn::LoadU(d, in + 2 * kLanes);
  const Vec x = hn::IfThenElse(order.m0, a, hn::IfThenElse(order.m2, b, c));
  const Vec y = hn::IfThenElse(order.m1, a, hn::IfThenElse(order.m0, b, c));
  const Vec z = hn::IfThenElse(order.m2, a, hn::IfThenElse(order.m1, b, c));
  return {hn::TableLookupLanes(x, order.load_x), hn::TableLookupLanes(y, order.load_y),
          hn::TableLookupLanes(z, order.load_z)};
}

HWY_INLINE void store_triples(const TripleOrder& order, const Triples& t, float* out) {
  const Tag d;
  const Vec x = hn::TableLookupLanes(t.x, order.store_x);
  const Vec y = hn::TableLookupLanes(t.y, order.store_y);
  const Vec z = hn::TableLookupLanes(t.z, order.store_z);
  hn::StoreU(hn::IfThenElse(order.m0, x, hn::IfThenElse(order.m1, y, z)), d, out);
  hn::StoreU(hn::IfThenElse(order.m0, y, hn::IfThenElse(order.m1, z, x)), d, out + kLanes);
  hn::StoreU(hn::IfThenElse(order.m0, z, hn::IfThenElse(order.m1, x, y)), d, out + 2 * kLanes);
}

#else

struct TripleOrder {};
HWY_INLINE TripleOrder triple_order() {
  return {};
}

HWY_INLINE Triples load_triples(const TripleOrder&, const float* in) {
  Vec x, y, z;
  hn::LoadInterleaved3(Tag(), in, x, y, z);
  return {x, y, z};
}

#if HWY_TARGET == HWY_AVX2

// Within each half of the registers: triples 0 and 1, 2, 3 of it are spread over three registers,
// whose halves are then put in order. A quarter fewer instructions than the general form.
HWY_INLINE void store_triples(const TripleOrder&, const Triples& t, float* out) {
  const Tag d;
  const __m256 x = t.x.raw, y = t.y.raw, z = t.z.raw;
  const __m256 even = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));          // x0 x2 y0 y2
  const __m256 odd = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));           // y1 y3 z1 z3
  const __m256 mixed = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));         // z0 z2 x1 x3
  const __m256 begin = _mm256_shuffle_ps(even, mixed, _MM_SHUFFLE(2, 0, 2, 0));  // x0 y0 z0 x1
  const __m256 middle = _mm256_shuffle_ps(odd, even, _MM_SHUFFLE(3, 1, 2, 0));   // y1 z1 x2 y2
  const __m256 end = _mm256_shuffle_ps(mixed, odd, _MM_SHUFFLE(3, 1, 3, 1));     // z2 x3 y3 z3
  hn::StoreU(Vec{_mm256_permute2f128_ps(begin, middle, 0x20)}, d, out);
  hn::StoreU(Vec{_mm256_blend_ps(end, begin, 0xf0)}, d, out + kLanes);
  hn::StoreU(Vec{_mm256_permute2f128_ps(middle, end, 0x31)}, d, out + 2 * kLanes);
}

#else

HWY_INLINE void store_triples(const TripleOrder&, const Triples& t, float* out) {
  hn::StoreInterleaved3(t.x, t.y, t.z, Tag(), out);
}

#endif

#endif

/// A register of each component of a packed block, from that of x on.
HWY_INLINE Triples load_packed(const float* x) {
  const Tag d;
  return {hn::Load(d, x), hn::Load(d, x + kWidth), hn::Load(d, x + 2 * kWidth)};
}

/// Whether the machine can write past the caches.
inline constexpr bool kStreams = HWY_TARGET != HWY_WASM && HWY_TARGET != HWY_WASM_EMU256;

/// Copies one finished block past the caches. `block` is aligned.
HWY_INLINE void stream_block(const float* block, float* out) {
  const Tag d;
  const hn::CappedTag<float, 4> d4;
  if (reinterpret_cast<std::uintptr_t>(out) % (kLanes * sizeof(float)) == 0) {
    for (std::size_t i = 0; i < 3 * kWidth; i += kLanes)
      hn::Stream(hn::Load(d, block + i), d, out + i);
  } else {
    for (std::size_t i = 0; i < 3 * kWidth; i += 4)
      hn::Stream(hn::Load(d4, block + i), d4, out + i);
  }
}

/// The two registers of one block, stored or streamed.
HWY_INLINE void store_block(const TripleOrder& order, const Triples& t0, const Triples& t1,
                            float* out, bool streamed) {
  if (HWY_UNLIKELY(kStreams && streamed)) {
    HWY_ALIGN float block[3 * kWidth];
    store_triples(order, t0, block);
    store_triples(order, t1, block + 3 * kLanes);
    stream_block(block, out);
  } else {
    store_triples(order, t0, out);
    store_triples(order, t1, out + 3 * kLanes);
  }
}

/// Whether an output can be streamed at all.
HWY_INLINE bool can_stream(const float* out) {
  return reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
}

/// The last block may be short: it is worked on in a copy as long as a whole one.
struct ShortBlock {
  HWY_ALIGN float values[3 * kWidth];
};

HWY_INLINE void copy_floats(const float* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

HWY_INLINE void zero_floats(float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = 0.0F;
}

/// Divides by the length, which is taken to be at least 1e-10. Zero stays zero.
HWY_INLINE Triples normalised(const Triples& t) {
  const Tag d;
  const Vec square = hn::MulAdd(t.x, t.x, hn::MulAdd(t.y, t.y, hn::Mul(t.z, t.z)));
  const Vec factor = hn::Div(hn::Set(d, 1.0F), hn::Sqrt(hn::Max(square, hn::Set(d, 1e-20F))));
  return {hn::Mul(t.x, factor), hn::Mul(t.y, factor), hn::Mul(t.z, factor)};
}

/// The first transform of a point: geomBindTransform where it is not folded into the joints.
HWY_INLINE Triples pre_transformed_point(const PreTransform& pre, const Triples& p) {
  const float* m = pre.m;
  const auto row = [&p](const float* r) HWY_ATTR {
    return hn::MulAdd(
        broadcast(r), p.x,
        hn::MulAdd(broadcast(r + 1), p.y, hn::MulAdd(broadcast(r + 2), p.z, broadcast(r + 3))));
  };
  Triples q = {row(m), row(m + 4), row(m + 8)};
  if (pre.kind == PreTransform::projective) {
    Vec w = row(m + 12);
    w = hn::IfThenElse(hn::Eq(w, hn::Zero(Tag())), hn::Set(Tag(), 1.0F), w);
    q = {hn::Div(q.x, w), hn::Div(q.y, w), hn::Div(q.z, w)};
  }
  return q;
}

/// The linear part of the same.
HWY_INLINE Triples pre_transformed_vector(const PreTransform& pre, const Triples& v) {
  const float* m = pre.m;
  const auto row = [&v](const float* r) HWY_ATTR {
    return hn::MulAdd(broadcast(r), v.x,
                      hn::MulAdd(broadcast(r + 1), v.y, hn::Mul(broadcast(r + 2), v.z)));
  };
  return {row(m), row(m + 4), row(m + 8)};
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
