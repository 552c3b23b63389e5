// SPDX-License-Identifier: Apache-2.0
//
// Linear blend skinning in plain C++, one point at a time: the level that every machine has.

#include <cmath>
#include <cstddef>

#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

namespace {

constexpr std::size_t kWidth = 8;

/// The blended matrix of one point, row by row. Without influences the palette's first serves all.
void blend_point(const SkinArgs& args, std::size_t point, float (&sum)[12]) {
  if (args.offsets == nullptr) {
    for (int e = 0; e < 12; ++e) sum[e] = args.palette[e];
    return;
  }
  for (float& element : sum) element = 0.0F;
  for (std::size_t i = args.offsets[point]; i < args.offsets[point + 1]; ++i) {
    const float weight = args.influences[i].weight;
    const float* m = args.palette + std::size_t{args.influences[i].joint} * 12;
    for (int e = 0; e < 12; ++e) sum[e] += weight * m[e];
  }
}

float affine_row(const float* m, const float (&p)[3]) {
  return m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
}

float linear_row(const float* m, const float (&v)[3]) {
  return m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
}

void deform_point(const SkinStage& stage, const float (&m)[12], const float* in, float* out) {
  float p[3] = {in[0], in[1], in[2]};
  if (stage.kind != SkinStage::none) {
    const float q[3] = {p[0], p[1], p[2]};
    for (int row = 0; row < 3; ++row) p[row] = affine_row(stage.m + 4 * row, q);
    if (stage.kind == SkinStage::projective) {
      const float w = affine_row(stage.m + 12, q);
      for (float& component : p) component /= w;
    }
  }
  for (int row = 0; row < 3; ++row) out[row] = affine_row(m + 4 * row, p);
}

void deform_vector(const SkinStage& stage, const float (&m)[12], const float* in, float* out) {
  float v[3] = {in[0], in[1], in[2]};
  if (stage.kind != SkinStage::none) {
    const float u[3] = {v[0], v[1], v[2]};
    for (int row = 0; row < 3; ++row) v[row] = linear_row(stage.m + 4 * row, u);
  }
  float r[3];
  for (int row = 0; row < 3; ++row) r[row] = linear_row(m + 4 * row, v);
  const float length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const float factor = 1.0F / (length > 1e-10F ? length : 1e-10F);
  for (int row = 0; row < 3; ++row) out[row] = r[row] * factor;
}

template <bool kPoints, bool kVectors>
void deform(const SkinArgs& args, std::size_t first, std::size_t last) {
  const std::size_t end = last * kWidth < args.point_count ? last * kWidth : args.point_count;
  for (std::size_t point = first * kWidth; point < end; ++point) {
    float m[12];
    blend_point(args, point, m);
    const std::size_t offset = 3 * point;
    if (kPoints && args.points.out != nullptr) {
      deform_point(args.stage, m, args.points.in + offset, args.points.out + offset);
    }
    for (const SkinStream& stream : args.vectors) {
      if (!kVectors || stream.out == nullptr) continue;
      deform_vector(args.stage, m, stream.in + offset, stream.out + offset);
    }
  }
}

}  // namespace

SkinKernel linear_scalar_kernel(SkinOutput output) noexcept {
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
