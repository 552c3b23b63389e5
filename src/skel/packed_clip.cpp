// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_clip.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/format_text.hpp"
#include "skel/job.hpp"

namespace sinew::skel {

namespace {

Status check_rows(std::string_view name, std::size_t size, std::size_t rows, std::size_t joints) {
  const bool fits = joints == 0 ? size == 0 : size % joints == 0 && size / joints == rows;
  if (fits) return {};
  return {ErrorCode::size_mismatch,
          format_text("{} has {} entries, not {} samples of {} joints.", name, size, rows, joints)};
}

Status check(const PackedClipDesc& desc) {
  const std::size_t rows = desc.times.size();
  const std::size_t scale_rows = desc.scale_times.empty() ? rows : desc.scale_times.size();
  const std::size_t joints = desc.joint_count;
  if (Status s = check_rows("translations", desc.translations.size(), rows, joints); !s) return s;
  if (Status s = check_rows("rotations", desc.rotations.size(), rows, joints); !s) return s;
  if (!desc.scales.empty()) {
    if (Status s = check_rows("scales", desc.scales.size(), scale_rows, joints); !s) return s;
  }
  return check_optional("half_scales", desc.half_scales.size(), joints);
}

bool is_half(float value) {
  return static_cast<float>(static_cast<Half>(value)) == value;
}

bool is_half(const Vector3f& scale) {
  return is_half(scale.x()) && is_half(scale.y()) && is_half(scale.z());
}

/// Whether a rotation is negated on the way from one sample to the next, so that the way is the
/// shorter one. Half turns are ties: they go the way that USD goes, which the sum decides as it
/// stands here, not contracted.
bool turns_over(const Quatf& from, const Quatf& to) {
  const float imaginary = from.x() * to.x() + from.y() * to.y() + from.z() * to.z();
  return imaginary + from.w() * to.w() < 0.0F;
}

/// Rotations are stored with the sign that the one before asks for: kernels need not look.
Buffer pack_transforms(const PackedClipDesc& desc) {
  constexpr std::size_t kStride = PackedClip::kStride;
  Buffer samples(desc.translations.size() * kStride * sizeof(float));
  auto* out = reinterpret_cast<float*>(samples.mutable_data());
  std::vector<float> signs(desc.joint_count, 1.0F);
  for (std::size_t i = 0; i < desc.translations.size(); ++i, out += kStride) {
    const Vector3f& t = desc.translations[i];
    const Quatf& q = desc.rotations[i];
    float& sign = signs[i % desc.joint_count];
    if (i >= desc.joint_count && turns_over(desc.rotations[i - desc.joint_count], q)) sign = -sign;
    const float values[kStride] = {sign * q.x(), sign * q.y(), sign * q.z(), sign * q.w(),
                                   t.x(),        t.y(),        t.z(),        0.0F};
    std::copy(std::begin(values), std::end(values), out);
  }
  return samples;
}

/// @param any_half  Set if a scale is rounded on the way to the next sample.
Buffer pack_scales(const PackedClipDesc& desc, bool& any_half) {
  constexpr std::size_t kStride = PackedClip::kScaleStride;
  Buffer scales(desc.scales.size() * kStride * sizeof(float));
  auto* out = reinterpret_cast<float*>(scales.mutable_data());
  for (std::size_t i = 0; i < desc.scales.size(); ++i, out += kStride) {
    const Vector3f& scale = desc.scales[i];
    const bool half =
        !desc.half_scales.empty() && desc.half_scales[i % desc.joint_count] != 0 && is_half(scale);
    any_half = any_half || half;
    std::copy(scale.data(), scale.data() + 3, out);
    out[3] = half ? 1.0F : 0.0F;
  }
  return scales;
}

}  // namespace

Result<PackedClip> PackedClip::pack(const PackedClipDesc& desc) {
  Result<SampleTimes> times = SampleTimes::make(desc.times, desc.held);
  if (!times) return std::move(times).error();
  if (Status status = check(desc); !status) return std::move(status).error();
  PackedClip clip;
  clip.joint_count_ = desc.joint_count;
  clip.times_ = *std::move(times);
  clip.samples_ = pack_transforms(desc);
  if (!desc.scale_times.empty()) {
    Result<SampleTimes> scale_times = SampleTimes::make(desc.scale_times, desc.scale_held);
    if (!scale_times) return std::move(scale_times).error();
    clip.scale_times_ = *std::move(scale_times);
  }
  // Ones stay ones, rounded or not.
  const auto differs = [](const Vector3f& scale) { return scale != Vector3f::Ones(); };
  if (std::any_of(desc.scales.begin(), desc.scales.end(), differs)) {
    clip.scales_ = pack_scales(desc, clip.has_half_scales_);
  }
  return clip;
}

}  // namespace sinew::skel
