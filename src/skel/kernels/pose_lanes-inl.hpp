// SPDX-License-Identifier: Apache-2.0
// Lanes from and to places all over memory, and what is interpolated between two samples. Compiled
// once per instruction set: include it after hwy/highway.h in every pass of foreach_target.

#if defined(SINEW_SKEL_KERNELS_POSE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKEL_KERNELS_POSE_LANES_INL
#undef SINEW_SKEL_KERNELS_POSE_LANES_INL
#else
#define SINEW_SKEL_KERNELS_POSE_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Tag>;
using Tag4 = hn::CappedTag<float, 4>;
using Vec4 = hn::Vec<Tag4>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag());

struct Four {
  Vec x, y, z, w;
};

/// A 3x4 matrix per lane, row by row.
struct Affine {
  Four r0, r1, r2;
};

/// Where every lane reads or writes: anywhere, or in even steps.
template <typename Float>
struct Scattered {
  Float* const* lanes;
  std::size_t offset;
  HWY_INLINE Float* operator()(std::size_t lane) const { return lanes[lane] + offset; }
};

template <typename Float, std::size_t kStride>
struct Strided {
  Float* first;
  HWY_INLINE Float* operator()(std::size_t lane) const { return first + lane * kStride; }
};

template <typename From>
HWY_INLINE Vec4 load_quad(const From& from, std::size_t lane, std::size_t offset) {
  return hn::LoadU(Tag4(), from(lane) + offset);
}

/// Register `k` of four: places k, k + 4, k + 8, ...
template <typename From>
HWY_INLINE Vec load_every_fourth(const From& from, std::size_t k, std::size_t offset) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::CappedTag<float, 8> d8;
  return hn::Combine(
      Tag(), hn::Combine(d8, load_quad(from, k + 12, offset), load_quad(from, k + 8, offset)),
      hn::Combine(d8, load_quad(from, k + 4, offset), load_quad(from, k, offset)));
#elif HWY_TARGET == HWY_AVX2
  return hn::Combine(Tag(), load_quad(from, k + 4, offset), load_quad(from, k, offset));
#else
  return load_quad(from, k, offset);
#endif
}

HWY_INLINE Vec lower_pairs(Vec a, Vec b) {
  const hn::Repartition<double, Tag> d2;
  return hn::BitCast(Tag(), hn::InterleaveLower(d2, hn::BitCast(d2, a), hn::BitCast(d2, b)));
}

HWY_INLINE Vec upper_pairs(Vec a, Vec b) {
  const hn::Repartition<double, Tag> d2;
  return hn::BitCast(Tag(), hn::InterleaveUpper(d2, hn::BitCast(d2, a), hn::BitCast(d2, b)));
}

/// Transposes the 4x4 floats in each 128-bit block.
HWY_INLINE Four transpose(const Four& v) {
  const Tag d;
  const Vec xy_low = hn::InterleaveLower(d, v.x, v.y), xy_high = hn::InterleaveUpper(d, v.x, v.y);
  const Vec zw_low = hn::InterleaveLower(d, v.z, v.w), zw_high = hn::InterleaveUpper(d, v.z, v.w);
  return {lower_pairs(xy_low, zw_low), upper_pairs(xy_low, zw_low), lower_pairs(xy_high, zw_high),
          upper_pairs(xy_high, zw_high)};
}

/// Four consecutive floats of every lane's place, one component per register.
template <typename From>
HWY_INLINE Four gather_four(const From& from, std::size_t offset) {
  return transpose({load_every_fourth(from, 0, offset), load_every_fourth(from, 1, offset),
                    load_every_fourth(from, 2, offset), load_every_fourth(from, 3, offset)});
}

/// A rotation and a translation per lane.
struct RotationAndTranslation {
  Four q, t;
};

template <typename From>
HWY_INLINE RotationAndTranslation gather_eight(const From& from) {
  return {gather_four(from, 0), gather_four(from, 4)};
}

/// Three rows of places k, k + 4, ..., each row in a register.
template <typename To>
HWY_INLINE void store_every_fourth(Vec r0, Vec r1, Vec r2, const To& to, std::size_t k) {
  const Tag4 d4;
  const auto store = [&d4](Vec4 a, Vec4 b, Vec4 c, float* out) HWY_ATTR {
    hn::StoreU(a, d4, out);
    hn::StoreU(b, d4, out + 4);
    hn::StoreU(c, d4, out + 8);
  };
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::CappedTag<float, 8> d8;
  const auto a = hn::LowerHalf(d8, r0), b = hn::LowerHalf(d8, r1), c = hn::LowerHalf(d8, r2);
  const auto e = hn::UpperHalf(d8, r0), f = hn::UpperHalf(d8, r1), g = hn::UpperHalf(d8, r2);
  store(hn::LowerHalf(d4, a), hn::LowerHalf(d4, b), hn::LowerHalf(d4, c), to(k));
  store(hn::UpperHalf(d4, a), hn::UpperHalf(d4, b), hn::UpperHalf(d4, c), to(k + 4));
  store(hn::LowerHalf(d4, e), hn::LowerHalf(d4, f), hn::LowerHalf(d4, g), to(k + 8));
  store(hn::UpperHalf(d4, e), hn::UpperHalf(d4, f), hn::UpperHalf(d4, g), to(k + 12));
#elif HWY_TARGET == HWY_AVX2
  store(hn::LowerHalf(d4, r0), hn::LowerHalf(d4, r1), hn::LowerHalf(d4, r2), to(k));
  store(hn::UpperHalf(d4, r0), hn::UpperHalf(d4, r1), hn::UpperHalf(d4, r2), to(k + 4));
#else
  store(r0, r1, r2, to(k));
#endif
}

/// Twelve consecutive floats of every lane's place: a matrix, row by row.
template <typename To>
HWY_INLINE void scatter_affine(const Affine& m, const To& to) {
  const Four r0 = transpose(m.r0), r1 = transpose(m.r1), r2 = transpose(m.r2);
  store_every_fourth(r0.x, r1.x, r2.x, to, 0);
  store_every_fourth(r0.y, r1.y, r2.y, to, 1);
  store_every_fourth(r0.z, r1.z, r2.z, to, 2);
  store_every_fourth(r0.w, r1.w, r2.w, to, 3);
}

HWY_INLINE Four lerp(const Four& a, const Four& b, Vec k0, Vec k1) {
  return {hn::MulAdd(a.x, k0, hn::Mul(b.x, k1)), hn::MulAdd(a.y, k0, hn::Mul(b.y, k1)),
          hn::MulAdd(a.z, k0, hn::Mul(b.z, k1)), hn::MulAdd(a.w, k0, hn::Mul(b.w, k1))};
}

/// The nearest half, ties to even, as floats.
HWY_INLINE Vec round_to_half(Vec v) {
  const Tag d;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::PromoteTo(d, hn::DemoteTo(hn::Rebind<hwy::float16_t, Tag>(), v));
#else
  const hn::RebindToUnsigned<Tag> du;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1));
  const auto nearest =
      hn::AndNot(hn::Set(du, 0x1fff), hn::Add(hn::Add(bits, hn::Set(du, 0xfff)), odd));
  const Vec magnitude = hn::Abs(v);
  const Vec normal = hn::Abs(hn::BitCast(d, nearest));
  // Where halves are 2^-24 apart, and so are floats next to 0.5.
  const Vec half = hn::Set(d, 0.5F);
  const Vec subnormal = hn::Sub(hn::Add(magnitude, half), half);
  Vec result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0x1p-14F)), subnormal, normal);
  result = hn::IfThenElse(hn::Ge(result, hn::Set(d, 65536.0F)), hn::Inf(d), result);
  return hn::IfThenElse(hn::Eq(v, v), hn::CopySign(result, v), v);
#endif
}

/// Between two halves as USD does: products and sum are rounded to half.
HWY_INLINE Vec lerp_halves(Vec a, Vec b, Vec k0, Vec k1) {
  return round_to_half(hn::Add(round_to_half(hn::Mul(a, k0)), round_to_half(hn::Mul(b, k1))));
}

// Slerp weighs its ends with sin(t theta) / sin(theta), t = alpha and 1 - alpha. As a function of
// y = 1 - cos(theta) and of t that is t + t (1 - t^2) y r(t^2, y), where r is smooth for angles up
// to 90 degrees: the nearest pole is at 180. r is a polynomial fitted by least squares, made even
// by reweighting: 8 terms in y, 4 in t^2, largest error of the weights 3e-8, and 8e-8 with
// rounding. What depends on t is computed once for all joints, so that a joint needs a term in y
// each.
inline constexpr std::size_t kSlerpTerms = 8;

/// For one end: t, then the coefficients of y, y^2, ...
struct SlerpWeight {
  HWY_ALIGN float terms[kSlerpTerms + 1][kLanes];
};

struct SlerpWeights {
  SlerpWeight lower, upper;
};

HWY_INLINE void prepare_slerp(Vec t, SlerpWeight& weight) {
  static constexpr float kTerms[kSlerpTerms][4] = {
      {0.333324363F, 3.30366893e-06F, 6.32229738e-06F, -9.36487431e-06F},
      {0.133606373F, -0.0334404723F, -0.00016552806F, 0.000251429828F},
      {0.0543190927F, -0.0194661244F, 0.00304454126F, -0.0022754966F},
      {0.0393584198F, -0.0168197465F, -0.00473082641F, 0.00967106779F},
      {-0.0258870593F, 0.0116237091F, 0.0137964752F, -0.0221070556F},
      {0.0617362895F, -0.0292537114F, -0.0146547091F, 0.0273623163F},
      {-0.0433624687F, 0.0212096319F, 0.00882262374F, -0.0175402918F},
      {0.0177011862F, -0.00902382786F, -0.00159641891F, 0.00449541175F}};
  const Tag d;
  const Vec s = hn::Mul(t, t);
  const Vec common = hn::NegMulAdd(t, s, t);
  hn::Store(t, d, weight.terms[0]);
  for (std::size_t i = 0; i < kSlerpTerms; ++i) {
    const float* c = kTerms[i];
    const Vec low = hn::MulAdd(hn::Set(d, c[1]), s, hn::Set(d, c[0]));
    const Vec high = hn::MulAdd(hn::Set(d, c[3]), s, hn::Set(d, c[2]));
    hn::Store(hn::Mul(common, hn::MulAdd(high, hn::Mul(s, s), low)), d, weight.terms[i + 1]);
  }
}

HWY_INLINE void prepare_slerp(Vec alpha, SlerpWeights& weights) {
  prepare_slerp(hn::Sub(hn::Set(Tag(), 1.0F), alpha), weights.lower);
  prepare_slerp(alpha, weights.upper);
}

/// Even and odd powers apart, so that half as many multiply-adds wait for each other.
HWY_INLINE Vec slerp_weight(const SlerpWeight& weight, Vec y, Vec y2) {
  const Tag d;
  static_assert(kSlerpTerms % 2 == 0);
  Vec even = hn::Load(d, weight.terms[kSlerpTerms]);
  Vec odd = hn::Load(d, weight.terms[kSlerpTerms - 1]);
  for (std::size_t i = kSlerpTerms - 2; i > 0; i -= 2) {
    even = hn::MulAdd(even, y2, hn::Load(d, weight.terms[i]));
    odd = hn::MulAdd(odd, y2, hn::Load(d, weight.terms[i - 1]));
  }
  even = hn::MulAdd(even, y2, hn::Load(d, weight.terms[0]));
  return hn::MulAdd(odd, y, even);
}

/// Slerp, the shorter way by the signs that clips give rotations; lerp where the two are close. Not
/// normalised.
HWY_INLINE Four slerp(const Four& a, const Four& b, const SlerpWeights& weights) {
  const Tag d;
  const Vec product =
      hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
  const Vec y = hn::Sub(hn::Set(d, 1.0F), product);
  // Products above 1, of longer quaternions, count as close.
  const Vec far = hn::IfThenElseZero(hn::Gt(y, hn::Set(d, 1e-5F)), y);
  const Vec square = hn::Mul(far, far);
  const Vec k0 = slerp_weight(weights.lower, far, square);
  const Vec k1 = slerp_weight(weights.upper, far, square);
  return lerp(a, b, k0, k1);
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
