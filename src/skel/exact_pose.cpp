// SPDX-License-Identifier: Apache-2.0
#include "skel/exact_pose.hpp"

#include <cmath>
#include <cstddef>

#include "sinew/skel/joint_transforms.hpp"

namespace sinew::skel {
namespace {

// The shorter way, by the signs that clips give rotations.
Quatf slerp(const float* a, const float* b, double alpha) {
  const float imaginary = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const float dot = imaginary + a[3] * b[3];
  double k0 = 1.0 - alpha;
  double k1 = alpha;
  if (1.0F - dot > 1e-5F) {
    const float angle = std::acos(dot);
    const auto theta = static_cast<double>(angle);
    const auto sine = static_cast<double>(std::sin(angle));
    k0 = std::sin((1.0 - alpha) * theta) / sine;
    k1 = std::sin(alpha * theta) / sine;
  }
  Quatf result;
  for (int i = 0; i < 4; ++i) {
    result.coeffs()[i] =
        static_cast<float>(k0 * static_cast<double>(a[i]) + k1 * static_cast<double>(b[i]));
  }
  return result;
}

float lerp(float a, float b, double alpha) {
  return static_cast<float>((1.0 - alpha) * static_cast<double>(a)) +
         static_cast<float>(alpha * static_cast<double>(b));
}

float round_to_half(float value) {
  return static_cast<float>(static_cast<Half>(value));
}

float lerp_halves(float a, float b, double alpha) {
  return round_to_half(round_to_half(a * static_cast<float>(1.0 - alpha)) +
                       round_to_half(b * static_cast<float>(alpha)));
}

void scale(const float* lower, const float* upper, double alpha, Matrix4d& transform) {
  const bool halves = lower[3] > 0.0F;
  for (int column = 0; column < 3; ++column) {
    const float a = lower[column];
    const float b = upper[column];
    const float factor = halves ? lerp_halves(a, b, alpha) : lerp(a, b, alpha);
    for (int row = 0; row < 3; ++row) {
      double& element = transform(row, column);
      element = static_cast<double>(static_cast<float>(element) * factor);
    }
  }
}

}  // namespace

void exact_local_transforms(const PackedClip& clip, double time, ClipCursor& cursor,
                            std::span<Matrix4d> local) {
  const PackedClip::Bracket at = clip.bracket(time, cursor.sample);
  const PackedClip::Bracket scales = clip.scale_bracket(time, cursor.scale_sample);
  const Vector3h one(Half(1.0F), Half(1.0F), Half(1.0F));
  for (std::size_t j = 0; j < local.size(); ++j) {
    const float* a = clip.sample(at.lower) + j * PackedClip::kStride;
    const float* b = clip.sample(at.upper) + j * PackedClip::kStride;
    const Vector3f translation(lerp(a[4], b[4], at.alpha), lerp(a[5], b[5], at.alpha),
                               lerp(a[6], b[6], at.alpha));
    local[j] = make_transform(translation, slerp(a, b, at.alpha), one);
    if (!clip.has_scales()) continue;
    const std::size_t offset = j * PackedClip::kScaleStride;
    scale(clip.scales(scales.lower) + offset, clip.scales(scales.upper) + offset, scales.alpha,
          local[j]);
  }
}

}  // namespace sinew::skel
