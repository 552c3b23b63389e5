// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew::skel {

/// When the samples of an animation are, and which two of them a time lies between.
///
/// Before the first and after the last sample the nearest is held. Immutable after construction;
/// safe to share between threads.
class SINEW_API SampleTimes {
 public:
  /// Where a time lies: between two samples, `alpha` of the way to the second.
  struct Bracket {
    std::size_t lower = 0;  ///< The last sample at or before the time; the first if there is none.
    std::size_t upper = 0;  ///< `lower` where the sample is held.
    double alpha = 0.0;     ///< In [0, 1).
  };

  /// No samples.
  SampleTimes() = default;

  /// @param times  m >= 1, finite, ascending.
  /// @param held   m, or empty: nonzero where a sample holds until the next one.
  /// @return The times, invalid_argument if there are none or they are not as above, or
  ///         size_mismatch.
  static Result<SampleTimes> make(std::span<const double> times,
                                  std::span<const std::uint8_t> held = {});

  /// Number of samples, m.
  std::size_t size() const noexcept { return times_.size(); }
  /// m times, ascending.
  std::span<const double> times() const noexcept { return times_; }
  /// Whether a sample holds until the next one. Precondition: sample < size().
  bool holds(std::size_t sample) const noexcept { return !held_.empty() && held_[sample] != 0; }

  /// The samples around a time. Times that are not a number count as the first sample; samples
  /// closer than 1e-6 are one. O(1) if the samples are evenly spaced, else O(log m).
  /// Precondition: size() > 0.
  Bracket bracket(double time) const noexcept;

  /// The same for those who ask from frame to frame: O(1) where the time has not left the last
  /// answer by more than one sample.
  /// @param hint  The lower sample of the last answer, any number at first; updated.
  Bracket bracket(double time, std::size_t& hint) const noexcept;

 private:
  Bracket between(double time, std::size_t lower) const noexcept;
  std::size_t find_lower(double time) const noexcept;

  std::vector<double> times_;
  std::vector<std::uint8_t> held_;  // Empty: none.
  double samples_per_time_ = 0.0;   // 0 if the samples are not evenly spaced.
};

}  // namespace sinew::skel
