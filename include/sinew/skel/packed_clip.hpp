// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/sample_times.hpp"

namespace sinew::skel {

/// What is packed into a PackedClip: whole poses, in skeleton joint order.
///
/// Joints that an animation leaves out must be filled in with their rest values, so that posing
/// needs no second source.
struct PackedClipDesc {
  std::size_t joint_count = 0;                  ///< Entries of each row.
  std::span<const double> times = {};           ///< m >= 1 sample times, ascending, finite.
  std::span<const Vector3f> translations = {};  ///< m * joint_count, a row per sample; joint-local.
  std::span<const Quatf> rotations = {};        ///< As many; need not be unit length.
  std::span<const Vector3f> scales = {};        ///< As many, or empty for 1.
  /// m, or empty: nonzero where a sample holds until the next one.
  std::span<const std::uint8_t> held = {};

  /// Sample times of the scales and which of them hold, if they have some of their own: `scales`
  /// then has a row for each of these. Empty: as above.
  std::span<const double> scale_times = {};
  std::span<const std::uint8_t> scale_held = {};  ///< As `held`, for scale_times.
  /// joint_count, or empty: nonzero for joints whose scales are rounded to half precision between
  /// samples, as USD does with half3: both products, and their sum. Counts where the earlier sample
  /// is a half itself.
  std::span<const std::uint8_t> half_scales = {};
};

/// Where in a clip the last frame was, so that the next one is found at once; see
/// SampleTimes::bracket(). May be kept when the clip changes.
struct ClipCursor {
  std::size_t sample = 0;        ///< The lower sample of the last frame.
  std::size_t scale_sample = 0;  ///< The same among scale_times().
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
  using Bracket = SampleTimes::Bracket;  ///< Which samples a time lies between.

  /// Floats per joint and sample: rotation x y z w, translation x y z 0.
  static constexpr std::size_t kStride = 8;
  /// Floats per joint and sample of the scales: x y z, and 1 where they are rounded to half
  /// precision on the way to the next sample, else 0.
  static constexpr std::size_t kScaleStride = 4;

  /// A clip without samples; jobs reject it.
  PackedClip() = default;

  /// @return The clip, or
  ///         - invalid_argument if there is no sample, or times are not finite and ascending;
  ///         - size_mismatch naming the array whose length is not m * joint_count.
  /// @par Cost    O(m * joint_count).
  static Result<PackedClip> pack(const PackedClipDesc& desc);

  /// Joints of the skeleton it was packed for.
  std::size_t joint_count() const noexcept { return joint_count_; }
  /// Rows of samples, m.
  std::size_t sample_count() const noexcept { return times_.size(); }
  /// m times, ascending.
  std::span<const double> times() const noexcept { return times_.times(); }
  /// Whether any scale differs from 1.
  bool has_scales() const noexcept { return !scales_.empty(); }
  /// Whether scales of any joint are rounded to half precision between samples.
  bool has_half_scales() const noexcept { return has_half_scales_; }
  /// Whether scales have sample times of their own.
  bool has_scale_times() const noexcept { return scale_times_.size() > 0; }
  /// Sample times of scales; times() if they have none of their own.
  std::span<const double> scale_times() const noexcept {
    return has_scale_times() ? scale_times_.times() : times();
  }

  /// The samples around a time; see SampleTimes::bracket(). Precondition: sample_count() > 0.
  Bracket bracket(double time) const noexcept { return times_.bracket(time); }
  /// The same with a hint, see SampleTimes::bracket().
  Bracket bracket(double time, std::size_t& hint) const noexcept {
    return times_.bracket(time, hint);
  }
  /// The same of the samples of scales.
  Bracket scale_bracket(double time) const noexcept {
    return has_scale_times() ? scale_times_.bracket(time) : times_.bracket(time);
  }
  /// The same with a hint.
  Bracket scale_bracket(double time, std::size_t& hint) const noexcept {
    return has_scale_times() ? scale_times_.bracket(time, hint) : times_.bracket(time, hint);
  }

  /// One sample: joint_count() * kStride floats. Rotations may be negated, so that from each to the
  /// next is the shorter way.
  const float* sample(std::size_t index) const noexcept {
    return reinterpret_cast<const float*>(samples_.data()) + index * joint_count_ * kStride;
  }

  /// The scales of one sample: joint_count() * kScaleStride floats, or null if all are 1.
  const float* scales(std::size_t index) const noexcept {
    if (scales_.empty()) return nullptr;
    return reinterpret_cast<const float*>(scales_.data()) + index * joint_count_ * kScaleStride;
  }

 private:
  SampleTimes times_;
  SampleTimes scale_times_;  // None: as times_.
  Buffer samples_;
  Buffer scales_;
  std::size_t joint_count_ = 0;
  bool has_half_scales_ = false;
};

}  // namespace sinew::skel
