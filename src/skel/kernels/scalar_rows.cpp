// SPDX-License-Identifier: Apache-2.0
//
// Skinning in plain C++, one point at a time: the level that every machine has. Both methods blend
// one affine matrix per point and apply it to every stream. With dual quaternions all levels use
// this for the per-point form, which only meshes without any order among their points have.

#include <cmath>
#include <cstddef>

#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

namespace {

void blend_linear(const SkinArgs& args, std::size_t row, float (&sum)[12]) {
  for (float& element : sum) element = 0.0F;
  for (std::size_t i = args.offsets[row]; i < args.offsets[row + 1]; ++i) {
    const float weight = args.influences[i].weight;
    const float* m = args.palette + std::size_t{args.influences[i].joint} * 12;
    for (int e = 0; e < 12; ++e) sum[e] += weight * m[e];
  }
}

/// The sum of a point's dual quaternions, each on the same side as the one of largest weight.
void sum_motions(const SkinArgs& args, std::size_t row, float (&sum)[8]) {
  for (float& element : sum) element = 0.0F;
  if (args.offsets[row] == args.offsets[row + 1]) return;
  const float* pivot = args.motions + std::size_t{args.pivots[row]} * 8;
  for (std::size_t i = args.offsets[row]; i < args.offsets[row + 1]; ++i) {
    const float* q = args.motions + std::size_t{args.influences[i].joint} * 8;
    const float side = q[0] * pivot[0] + q[1] * pivot[1] + q[2] * pivot[2] + q[3] * pivot[3];
    const float weight = side < 0.0F ? -args.influences[i].weight : args.influences[i].weight;
    for (int e = 0; e < 8; ++e) sum[e] += weight * q[e];
  }
}

void sum_scales(const SkinArgs& args, std::size_t row, float (&sum)[9]) {
  for (float& element : sum) element = 0.0F;
  for (std::size_t i = args.offsets[row]; i < args.offsets[row + 1]; ++i) {
    const float* m = args.scales + std::size_t{args.influences[i].joint} * 9;
    for (int e = 0; e < 9; ++e) sum[e] += args.influences[i].weight * m[e];
  }
}

/// Rotation and translation of a dual quaternion of any length; identity if it is shorter than
/// 1e-10. Everything in the result is quadratic in the quaternion, so dividing by the square of
/// the length takes the place of normalising.
void motion_matrix(const float (&q)[8], float (&m)[12]) {
  const float x = q[0], y = q[1], z = q[2], w = q[3];
  const float square = x * x + y * y + z * z + w * w;
  const float f = square < 1e-20F ? 0.0F : 2.0F / square;
  const float dx = q[4], dy = q[5], dz = q[6], dw = q[7];
  const float result[12] = {1 - f * (y * y + z * z), f * (x * y - z * w),
                            f * (x * z + y * w),     f * (w * dx - dw * x + y * dz - z * dy),
                            f * (x * y + z * w),     1 - f * (x * x + z * z),
                            f * (y * z - x * w),     f * (w * dy - dw * y + z * dx - x * dz),
                            f * (x * z - y * w),     f * (y * z + x * w),
                            1 - f * (x * x + y * y), f * (w * dz - dw * z + x * dy - y * dx)};
  for (int e = 0; e < 12; ++e) m[e] = result[e];
}

void blend_dual(const SkinArgs& args, std::size_t row, float (&sum)[12]) {
  float motion[8];
  sum_motions(args, row, motion);
  motion_matrix(motion, sum);
  if (args.scales == nullptr) return;
  float scale[9];
  sum_scales(args, row, scale);
  for (int r = 0; r < 3; ++r) {
    const float a = sum[4 * r], b = sum[4 * r + 1], c = sum[4 * r + 2];
    for (int k = 0; k < 3; ++k) sum[4 * r + k] = a * scale[k] + b * scale[3 + k] + c * scale[6 + k];
  }
}

/// The blended matrix of one point. Without influences the palette's first serves all.
void blend_point(const SkinArgs& args, std::size_t point, float (&sum)[12]) {
  if (args.offsets == nullptr) {
    for (int e = 0; e < 12; ++e) sum[e] = args.palette[e];
  } else {
    blend_row(args, point, sum);
  }
}

float affine_row(const float* m, const float (&p)[3]) {
  return m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
}

float linear_row(const float* m, const float (&v)[3]) {
  return m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
}

void pre_transform_point(const PreTransform& pre, float (&p)[3]) {
  if (pre.kind == PreTransform::none) return;
  const float q[3] = {p[0], p[1], p[2]};
  for (int row = 0; row < 3; ++row) p[row] = affine_row(pre.m + 4 * row, q);
  if (pre.kind != PreTransform::projective) return;
  float w = affine_row(pre.m + 12, q);
  if (w == 0.0F) w = 1.0F;
  for (float& component : p) component /= w;
}

void deform_point(const PreTransform& pre, const float (&m)[12], const float* in, float* out) {
  float p[3] = {in[0], in[1], in[2]};
  pre_transform_point(pre, p);
  for (int row = 0; row < 3; ++row) out[row] = affine_row(m + 4 * row, p);
}

/// With an infinite weight, the elements of a blended matrix that should be zero are not numbers.
void move_and_weigh_point(const SkinArgs& args, std::size_t row, const float* in, float* out) {
  float p[3] = {in[0], in[1], in[2]};
  pre_transform_point(args.pre_transform, p);
  float sum[3] = {};
  for (std::size_t i = args.offsets[row]; i < args.offsets[row + 1]; ++i) {
    const float* m = args.palette + std::size_t{args.influences[i].joint} * 12;
    for (int r = 0; r < 3; ++r) sum[r] += affine_row(m + 4 * r, p) * args.influences[i].weight;
  }
  for (int r = 0; r < 3; ++r) out[r] = sum[r];
}

void deform_vector(const PreTransform& pre, const float (&m)[12], const float* in, float* out) {
  float v[3] = {in[0], in[1], in[2]};
  if (pre.kind != PreTransform::none) {
    const float u[3] = {v[0], v[1], v[2]};
    for (int row = 0; row < 3; ++row) v[row] = linear_row(pre.m + 4 * row, u);
  }
  float r[3];
  for (int row = 0; row < 3; ++row) r[row] = linear_row(m + 4 * row, v);
  const float length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const float factor = 1.0F / (length > 1e-10F ? length : 1e-10F);
  for (int row = 0; row < 3; ++row) out[row] = r[row] * factor;
}

template <bool kPoints, bool kVectors>
void deform(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t width = args.block_width;
  const std::size_t end = last * width < args.point_count ? last * width : args.point_count;
  for (std::size_t point = first * width; point < end; ++point) {
    float m[12];
    blend_point(args, point, m);
    const std::size_t offset = 3 * point;
    if (kPoints && args.moves_before_weighing) {
      move_and_weigh_point(args, point, args.points.in + offset, args.points.out + offset);
    } else if (kPoints && args.points.out != nullptr) {
      deform_point(args.pre_transform, m, args.points.in + offset, args.points.out + offset);
    }
    for (const SkinStream& stream : args.vectors) {
      if (!kVectors || stream.out == nullptr) continue;
      deform_vector(args.pre_transform, m, stream.in + offset, stream.out + offset);
    }
  }
}

}  // namespace

void blend_row(const SkinArgs& args, std::size_t row, float (&matrix)[12]) noexcept {
  if (args.motions == nullptr) {
    blend_linear(args, row, matrix);
  } else {
    blend_dual(args, row, matrix);
  }
}

SkinKernel scalar_rows_kernel(SkinOutput output) noexcept {
  switch (output) {
    case SkinOutput::points:
      return deform<true, false>;
    case SkinOutput::vectors:
      return deform<false, true>;
    case SkinOutput::frame:
      return deform<true, true>;
  }
  return nullptr;
}

}  // namespace sinew::skel
