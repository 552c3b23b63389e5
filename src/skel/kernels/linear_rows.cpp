// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning with a list of influences per point, for meshes whose neighbours share no
// joints. Every influence loads a whole matrix as three rows; the blended rows of four points are
// transposed, so that the four points are transformed together.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/skin_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/linear_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void linear_row_points(const SkinArgs&, std::size_t, std::size_t) {}
void linear_row_vectors(const SkinArgs&, std::size_t, std::size_t) {}
void linear_row_frame(const SkinArgs&, std::size_t, std::size_t) {}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Tag4 = hn::CappedTag<float, 4>;
using Vec4 = hn::Vec<Tag4>;

/// Four of something, one per lane: the columns of a matrix row, or the components of four points.
struct FourColumns {
  Vec4 x, y, z, t;
};

struct Matrix {
  Vec4 r0, r1, r2;
};

/// The blended matrix of one point.
HWY_INLINE Matrix blend_point(const SkinArgs& args, std::size_t point) {
  const Tag4 d;
  const SkinInfluence* influence = args.influences + args.offsets[point];
  const SkinInfluence* const end = args.influences + args.offsets[point + 1];
  Matrix sum = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (; influence != end; ++influence) {
    const float* m = args.palette + std::size_t{influence->joint} * 12;
    const Vec4 weight = hn::Set(d, influence->weight);
    sum.r0 = hn::MulAdd(weight, hn::LoadU(d, m), sum.r0);
    sum.r1 = hn::MulAdd(weight, hn::LoadU(d, m + 4), sum.r1);
    sum.r2 = hn::MulAdd(weight, hn::LoadU(d, m + 8), sum.r2);
  }
  return sum;
}

HWY_INLINE FourColumns transpose(Vec4 a, Vec4 b, Vec4 c, Vec4 e) {
  const Tag4 d;
  const hn::Repartition<double, Tag4> d2;
  const auto lower = [d2](Vec4 u, Vec4 v) HWY_ATTR {
    return hn::BitCast(Tag4(), hn::InterleaveLower(d2, hn::BitCast(d2, u), hn::BitCast(d2, v)));
  };
  const auto upper = [d2](Vec4 u, Vec4 v) HWY_ATTR {
    return hn::BitCast(Tag4(), hn::InterleaveUpper(d2, hn::BitCast(d2, u), hn::BitCast(d2, v)));
  };
  const Vec4 ab_low = hn::InterleaveLower(d, a, b), ab_high = hn::InterleaveUpper(d, a, b);
  const Vec4 ce_low = hn::InterleaveLower(d, c, e), ce_high = hn::InterleaveUpper(d, c, e);
  return {lower(ab_low, ce_low), upper(ab_low, ce_low), lower(ab_high, ce_high),
          upper(ab_high, ce_high)};
}

/// The matrices of four points, lane by lane.
struct FourMatrices {
  FourColumns r0, r1, r2;
};

HWY_INLINE FourMatrices blend_four(const SkinArgs& args, const std::size_t (&point)[4]) {
  const Matrix a = blend_point(args, point[0]);
  const Matrix b = blend_point(args, point[1]);
  const Matrix c = blend_point(args, point[2]);
  const Matrix e = blend_point(args, point[3]);
  return {transpose(a.r0, b.r0, c.r0, e.r0), transpose(a.r1, b.r1, c.r1, e.r1),
          transpose(a.r2, b.r2, c.r2, e.r2)};
}

HWY_INLINE Vec4 dot(const FourColumns& row, const FourColumns& p) {
  return hn::MulAdd(row.x, p.x, hn::MulAdd(row.y, p.y, hn::MulAdd(row.z, p.z, row.t)));
}

HWY_INLINE Vec4 dot_linear(const FourColumns& row, const FourColumns& p) {
  return hn::MulAdd(row.x, p.x, hn::MulAdd(row.y, p.y, hn::Mul(row.z, p.z)));
}

HWY_INLINE FourColumns pre_transform_row(const float* m) {
  const Tag4 d;
  return {hn::Set(d, m[0]), hn::Set(d, m[1]), hn::Set(d, m[2]), hn::Set(d, m[3])};
}

HWY_INLINE FourColumns load_four(const float* in) {
  const Tag4 d;
  Vec4 x, y, z;
  hn::LoadInterleaved3(d, in, x, y, z);
  return {x, y, z, hn::Zero(d)};
}

HWY_INLINE void deform_four_points(const PreTransform& pre, const FourMatrices& m, const float* in,
                                   float* out) {
  FourColumns p = load_four(in);
  if (HWY_UNLIKELY(pre.kind != PreTransform::none)) {
    const FourColumns q = p;
    p = {dot(pre_transform_row(pre.m), q), dot(pre_transform_row(pre.m + 4), q),
         dot(pre_transform_row(pre.m + 8), q), q.t};
    if (pre.kind == PreTransform::projective) {
      Vec4 w = dot(pre_transform_row(pre.m + 12), q);
      w = hn::IfThenElse(hn::Eq(w, hn::Zero(Tag4())), hn::Set(Tag4(), 1.0F), w);
      p = {hn::Div(p.x, w), hn::Div(p.y, w), hn::Div(p.z, w), q.t};
    }
  }
  hn::StoreInterleaved3(dot(m.r0, p), dot(m.r1, p), dot(m.r2, p), Tag4(), out);
}

HWY_INLINE void deform_four_vectors(const PreTransform& pre, const FourMatrices& m, const float* in,
                                    float* out) {
  const Tag4 d;
  FourColumns v = load_four(in);
  if (HWY_UNLIKELY(pre.kind != PreTransform::none)) {
    const FourColumns u = v;
    v = {dot_linear(pre_transform_row(pre.m), u), dot_linear(pre_transform_row(pre.m + 4), u),
         dot_linear(pre_transform_row(pre.m + 8), u), u.t};
  }
  const Vec4 x = dot_linear(m.r0, v), y = dot_linear(m.r1, v), z = dot_linear(m.r2, v);
  const Vec4 square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
  const Vec4 length = hn::Max(hn::Sqrt(square), hn::Set(d, 1e-10F));
  const Vec4 factor = hn::Div(hn::Set(d, 1.0F), length);
  hn::StoreInterleaved3(hn::Mul(x, factor), hn::Mul(y, factor), hn::Mul(z, factor), d, out);
}

HWY_INLINE void deform_streams(const SkinArgs& args, const FourMatrices& m, std::size_t offset) {
  if (args.points.out != nullptr) {
    deform_four_points(args.pre_transform, m, args.points.in + offset, args.points.out + offset);
  }
  for (const SkinStream& stream : args.vectors) {
    if (stream.out == nullptr) continue;
    deform_four_vectors(args.pre_transform, m, stream.in + offset, stream.out + offset);
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// A whole matrix fits one register, row by row: an influence is one load and one multiply-add. The
// transposed matrices of four points have x', y' and z' of the four in one 128-bit block each, so
// one permutation interleaves the result.

using Tag16 = hn::CappedTag<float, 16>;
using Vec16 = hn::Vec<Tag16>;

struct WideOrder {
  hn::Mask<Tag16> twelve;
  hn::Indices512<float> x, y, z, interleave;
};

HWY_INLINE WideOrder wide_order() {
  alignas(64) static constexpr std::int32_t kLoad[3][16] = {
      {0, 3, 6, 9, 0, 3, 6, 9, 0, 3, 6, 9, 0, 3, 6, 9},
      {1, 4, 7, 10, 1, 4, 7, 10, 1, 4, 7, 10, 1, 4, 7, 10},
      {2, 5, 8, 11, 2, 5, 8, 11, 2, 5, 8, 11, 2, 5, 8, 11}};
  alignas(64) static constexpr std::int32_t kStore[16] = {0,  4, 8, 1,  5, 9, 2, 6,
                                                          10, 3, 7, 11, 0, 0, 0, 0};
  const Tag16 d;
  return {hn::FirstN(d, 12), hn::SetTableIndices(d, kLoad[0]), hn::SetTableIndices(d, kLoad[1]),
          hn::SetTableIndices(d, kLoad[2]), hn::SetTableIndices(d, kStore)};
}

HWY_INLINE Vec16 blend_wide(const SkinArgs& args, const WideOrder& order, std::size_t point) {
  const Tag16 d;
  const SkinInfluence* influence = args.influences + args.offsets[point];
  const SkinInfluence* const end = args.influences + args.offsets[point + 1];
  Vec16 sum = hn::Zero(d);
  for (; influence != end; ++influence) {
    const float* m = args.palette + std::size_t{influence->joint} * 12;
    sum = hn::MulAdd(hn::Set(d, influence->weight), hn::MaskedLoad(order.twelve, d, m), sum);
  }
  return sum;
}

/// Points only, without a pre-transform: four at a time.
HWY_INLINE std::size_t deform_points_wide(const SkinArgs& args, std::size_t point,
                                          std::size_t end) {
  const Tag16 d;
  const hn::Repartition<double, Tag16> d2;
  const WideOrder order = wide_order();
  const auto lower = [d2](Vec16 u, Vec16 v) HWY_ATTR {
    return hn::BitCast(Tag16(), hn::InterleaveLower(d2, hn::BitCast(d2, u), hn::BitCast(d2, v)));
  };
  const auto upper = [d2](Vec16 u, Vec16 v) HWY_ATTR {
    return hn::BitCast(Tag16(), hn::InterleaveUpper(d2, hn::BitCast(d2, u), hn::BitCast(d2, v)));
  };
  for (; point + 4 <= end; point += 4) {
    const Vec16 a = blend_wide(args, order, point), b = blend_wide(args, order, point + 1);
    const Vec16 c = blend_wide(args, order, point + 2), e = blend_wide(args, order, point + 3);
    const Vec16 ab_low = hn::InterleaveLower(d, a, b), ab_high = hn::InterleaveUpper(d, a, b);
    const Vec16 ce_low = hn::InterleaveLower(d, c, e), ce_high = hn::InterleaveUpper(d, c, e);
    const Vec16 p = hn::MaskedLoad(order.twelve, d, args.points.in + 3 * point);
    const Vec16 q =
        hn::MulAdd(lower(ab_low, ce_low), hn::TableLookupLanes(p, order.x),
                   hn::MulAdd(upper(ab_low, ce_low), hn::TableLookupLanes(p, order.y),
                              hn::MulAdd(lower(ab_high, ce_high), hn::TableLookupLanes(p, order.z),
                                         upper(ab_high, ce_high))));
    hn::BlendedStore(hn::TableLookupLanes(q, order.interleave), order.twelve, d,
                     args.points.out + 3 * point);
  }
  return point;
}

#else

HWY_INLINE std::size_t deform_points_wide(const SkinArgs&, std::size_t point, std::size_t) {
  return point;
}

#endif

/// The last one to three points, in copies as long as four.
HWY_NOINLINE void deform_rest(const SkinArgs& args, std::size_t point, std::size_t count) {
  SkinStream* streams[3];
  SkinArgs local = args;
  streams[0] = &local.points;
  streams[1] = &local.vectors[0];
  streams[2] = &local.vectors[1];
  float copies[3][12] = {};
  float* outs[3] = {};
  for (int s = 0; s < 3; ++s) {
    outs[s] = streams[s]->out;
    if (outs[s] == nullptr) continue;
    for (std::size_t i = 0; i < 3 * count; ++i) copies[s][i] = streams[s]->in[3 * point + i];
    *streams[s] = {copies[s], copies[s]};
  }
  std::size_t points[4];
  for (std::size_t i = 0; i < 4; ++i) points[i] = point + (i < count ? i : 0);
  deform_streams(local, blend_four(args, points), 0);
  for (int s = 0; s < 3; ++s) {
    if (outs[s] == nullptr) continue;
    for (std::size_t i = 0; i < 3 * count; ++i) outs[s][3 * point + i] = copies[s][i];
  }
}

/// Blocks are as wide as those of the block form, so that jobs split alike.
SINEW_KERNEL_INLINE void deform_rows(const SkinArgs& args, std::size_t first, std::size_t last) {
  constexpr std::size_t kWidth = 2 * hn::MaxLanes(hn::ScalableTag<float>());
  std::size_t point = first * kWidth;
  const std::size_t end = last * kWidth < args.point_count ? last * kWidth : args.point_count;
  const bool points_only = args.vectors[0].out == nullptr && args.vectors[1].out == nullptr;
  if (points_only && args.pre_transform.kind == PreTransform::none)
    point = deform_points_wide(args, point, end);
  for (; point + 4 <= end; point += 4) {
    const std::size_t points[4] = {point, point + 1, point + 2, point + 3};
    deform_streams(args, blend_four(args, points), 3 * point);
  }
  if (point < end) deform_rest(args, point, end - point);
}

void linear_row_points(const SkinArgs& args, std::size_t first, std::size_t last) {
  SkinArgs local = args;
  local.vectors[0] = local.vectors[1] = {};
  deform_rows(local, first, last);
}

void linear_row_vectors(const SkinArgs& args, std::size_t first, std::size_t last) {
  SkinArgs local = args;
  local.points = {};
  deform_rows(local, first, last);
}

void linear_row_frame(const SkinArgs& args, std::size_t first, std::size_t last) {
  deform_rows(args, first, last);
}

#endif  // vectors

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

namespace {

SkinKernel vector_rows_kernel(SimdLevel level, SkinOutput output) noexcept {
  switch (output) {
    case SkinOutput::points:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_row_points);
    case SkinOutput::vectors:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_row_vectors);
    case SkinOutput::frame:
      return SINEW_SELECT_KERNEL(SkinKernel, level, linear_row_frame);
  }
  return nullptr;
}

}  // namespace

SkinKernel linear_rows_kernel(SimdLevel level, SkinOutput output) noexcept {
  if (level == SimdLevel::scalar) return scalar_rows_kernel(output);
  return vector_rows_kernel(level, output);
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
