// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_clip.hpp"

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"

namespace sinew::skel {

namespace {

/// Samples closer than this are one sample.
constexpr double kSameTime = 1e-6;

Status check(const PackedClipDesc& desc) {
  if (desc.times.empty()) return {ErrorCode::invalid_argument, "A clip needs at least one sample."};
  for (std::size_t i = 0; i < desc.times.size(); ++i) {
    if (!std::isfinite(desc.times[i]) || (i > 0 && !(desc.times[i] > desc.times[i - 1]))) {
      return {ErrorCode::invalid_argument,
              format_text("times must be finite and ascending, but times[{}] is {}.", i,
                          desc.times[i])};
    }
  }
  const auto fits = [&desc](std::size_t size) {
    return desc.joint_count == 0
               ? size == 0
               : size % desc.joint_count == 0 && size / desc.joint_count == desc.times.size();
  };
  const auto error = [&desc](const char* name, std::size_t size) {
    return Status(ErrorCode::size_mismatch,
                  format_text("{} has {} entries, not {} samples of {} joints.", name, size,
                              desc.times.size(), desc.joint_count));
  };
  if (!fits(desc.translations.size())) return error("translations", desc.translations.size());
  if (!fits(desc.rotations.size())) return error("rotations", desc.rotations.size());
  if (!desc.scales.empty() && !fits(desc.scales.size())) return error("scales", desc.scales.size());
  return {};
}

/// Samples per unit of time if every sample is where even spacing puts it, else 0.
double even_spacing(std::span<const double> times) {
  if (times.size() < 2) return 0.0;
  const double per_time = static_cast<double>(times.size() - 1) / (times.back() - times.front());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double place = (times[i] - times.front()) * per_time;
    if (!(std::abs(place - static_cast<double>(i)) < 0.25)) return 0.0;
  }
  return std::isfinite(per_time) ? per_time : 0.0;
}

}  // namespace

Result<PackedClip> PackedClip::pack(const PackedClipDesc& desc) {
  if (Status status = check(desc); !status) return std::move(status).error();
  PackedClip clip;
  clip.joint_count_ = desc.joint_count;
  clip.times_.assign(desc.times.begin(), desc.times.end());
  clip.samples_per_time_ = even_spacing(desc.times);
  clip.samples_ = Buffer(desc.translations.size() * kStride * sizeof(float));
  auto* out = reinterpret_cast<float*>(clip.samples_.mutable_data());
  for (std::size_t i = 0; i < desc.translations.size(); ++i, out += kStride) {
    const Vector3f& t = desc.translations[i];
    const Quatf& q = desc.rotations[i];
    const float values[kStride] = {q.x(), q.y(), q.z(), q.w(), t.x(), t.y(), t.z(), 0.0F};
    std::copy(std::begin(values), std::end(values), out);
  }
  const auto differs = [](const Vector3f& scale) { return scale != Vector3f::Ones(); };
  if (std::any_of(desc.scales.begin(), desc.scales.end(), differs)) {
    clip.scales_ = Buffer(desc.scales.size() * kScaleStride * sizeof(float));
    out = reinterpret_cast<float*>(clip.scales_.mutable_data());
    for (const Vector3f& scale : desc.scales) {
      std::copy(scale.data(), scale.data() + 3, out);
      out[3] = 0.0F;
      out += kScaleStride;
    }
  }
  return clip;
}

PackedClip::Bracket PackedClip::bracket(double time) const noexcept {
  if (!(time > times_.front())) return {0, 0, 0.0F};
  const std::size_t last = times_.size() - 1;
  if (time >= times_.back()) return {last, last, 0.0F};
  std::size_t lower = 0;
  if (samples_per_time_ > 0.0) {
    lower = std::min(static_cast<std::size_t>((time - times_.front()) * samples_per_time_), last);
    // Even to a quarter of a step, so the right sample is this one or a neighbour.
    if (lower > 0 && times_[lower] > time) --lower;
    if (lower < last && times_[lower + 1] <= time) ++lower;
  } else {
    const auto above = std::upper_bound(times_.begin(), times_.end(), time);
    lower = static_cast<std::size_t>(above - times_.begin()) - 1;
  }
  const double span = times_[lower + 1] - times_[lower];
  if (span < kSameTime) return {lower, lower, 0.0F};
  return {lower, lower + 1, static_cast<float>((time - times_[lower]) / span)};
}

}  // namespace sinew::skel
