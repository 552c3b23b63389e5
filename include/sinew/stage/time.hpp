// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace sinew::stage {

/// When to read a value: a time code, or the default time, at which animation does not exist.
class Time {
 public:
  /// The default time: defaults count, time samples do not.
  constexpr Time() noexcept = default;
  /// A time code, in the stage's time codes per second.
  constexpr Time(double code) noexcept : code_(code) {}  // NOLINT: implicit on purpose

  /// The same as a default-constructed one, to say so.
  static constexpr Time default_time() noexcept { return {}; }
  /// Before every sample: the first sample where there are samples, the default elsewhere.
  static constexpr Time earliest() noexcept { return {std::numeric_limits<double>::lowest()}; }

  /// Whether it is the default time.
  bool is_default() const noexcept { return std::isnan(code_); }
  /// The time code; NaN at the default time.
  constexpr double code() const noexcept { return code_; }

  /// Whether both are the same time code, or both the default time.
  friend bool operator==(Time a, Time b) noexcept {
    return a.is_default() ? b.is_default() : a.code_ == b.code_;
  }

 private:
  double code_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace sinew::stage
