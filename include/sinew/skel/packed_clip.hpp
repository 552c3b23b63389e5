// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// What is packed into a PackedClip: whole poses, in skeleton joint order.
///
/// Joints that an animation leaves out must be filled in with their rest values, so that posing
/// needs no second source.
struct PackedClipDesc {
  std::size_t joint_count = 0;
  std::span<const double> times = {};           ///< m >= 1 sample times, ascending, finite.
  std::span<const Vector3f> translations = {};  ///< m * joint_count, a row per sample; joint-local.
  std::span<const Quatf> rotations = {};        ///< As many; need not be unit length.
  std::span<const Vector3f> scales = {};        ///< As many, or empty for 1.
};

/// An animation of one skeleton, packed for posing: 32 bytes per joint and sample, and 16 more if
/// any scale differs from 1.
///
/// Between samples, translations and scales are interpolated linearly and rotations by slerp the
/// shorter way (lerp where the quaternions are closer than 1e-5 in dot product), without
/// normalising, as USD does. Before the first and after the last sample the nearest is held.
///
/// Copying shares the data. Immutable after construction; safe to share between threads.
class SINEW_API PackedClip {
 public:
  /// Where a time lies: between two samples, `alpha` of the way to the second.
  struct Bracket {
    std::size_t lower = 0;
    std::size_t upper = 0;
    float alpha = 0.0F;
  };

  /// Floats per joint and sample: rotation x y z w, translation x y z 0.
  static constexpr std::size_t kStride = 8;
  /// Floats per joint and sample of the scales: x y z 0.
  static constexpr std::size_t kScaleStride = 4;

  /// A clip without samples; jobs reject it.
  PackedClip() = default;

  /// @return The clip, or
  ///         - invalid_argument if there is no sample, or times are not finite and ascending;
  ///         - size_mismatch naming the array whose length is not m * joint_count.
  /// @par Cost    O(m * joint_count), at most three allocations.
  static Result<PackedClip> pack(const PackedClipDesc& desc);

  std::size_t joint_count() const noexcept { return joint_count_; }
  std::size_t sample_count() const noexcept { return times_.size(); }
  std::span<const double> times() const noexcept { return times_; }
  /// Whether any scale differs from 1.
  bool has_scales() const noexcept { return !scales_.empty(); }

  /// The samples around a time. Times that are not a number count as the first sample. O(1) if the
  /// samples are evenly spaced, else O(log m). Precondition: sample_count() > 0.
  Bracket bracket(double time) const noexcept;

  /// One sample: joint_count() * kStride floats.
  const float* sample(std::size_t index) const noexcept {
    return reinterpret_cast<const float*>(samples_.data()) + index * joint_count_ * kStride;
  }

  /// The scales of one sample: joint_count() * kScaleStride floats, or null if all are 1.
  const float* scales(std::size_t index) const noexcept {
    if (scales_.empty()) return nullptr;
    return reinterpret_cast<const float*>(scales_.data()) + index * joint_count_ * kScaleStride;
  }

 private:
  std::vector<double> times_;
  Buffer samples_;
  Buffer scales_;
  std::size_t joint_count_ = 0;
  double samples_per_time_ = 0.0;  // 0 if the samples are not evenly spaced.
};

}  // namespace sinew::skel
