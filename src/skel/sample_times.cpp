// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/sample_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"

namespace sinew::skel {

namespace {

/// Samples closer than this are one sample.
constexpr double kSameTime = 1e-6;

/// Samples per unit of time if every sample is where even spacing puts it, else 0. It is finite:
/// the place of the first sample is no number otherwise.
double even_spacing(std::span<const double> times) {
  if (times.size() < 2) return 0.0;
  const double per_time = static_cast<double>(times.size() - 1) / (times.back() - times.front());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double place = (times[i] - times.front()) * per_time;
    if (!(std::abs(place - static_cast<double>(i)) < 0.25)) return 0.0;
  }
  return per_time;
}

}  // namespace

Result<SampleTimes> SampleTimes::make(std::span<const double> times,
                                      std::span<const std::uint8_t> held) {
  if (times.empty()) return {ErrorCode::invalid_argument, "A clip needs at least one sample."};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) {
      return {ErrorCode::invalid_argument,
              format_text("times must be finite and ascending, but times[{}] is {}.", i, times[i])};
    }
  }
  if (!held.empty() && held.size() != times.size()) {
    return {ErrorCode::size_mismatch, format_text("held has {} entries, but there are {} samples.",
                                                  held.size(), times.size())};
  }
  SampleTimes result;
  result.times_.assign(times.begin(), times.end());
  if (std::any_of(held.begin(), held.end(), [](std::uint8_t flag) { return flag != 0; })) {
    result.held_.assign(held.begin(), held.end());
  }
  result.samples_per_time_ = even_spacing(times);
  return result;
}

// Precondition: the time lies between the first sample and the last.
std::size_t SampleTimes::find_lower(double time) const noexcept {
  if (samples_per_time_ > 0.0) {
    const std::size_t last = times_.size() - 1;
    std::size_t lower =
        std::min(static_cast<std::size_t>((time - times_.front()) * samples_per_time_), last);
    // Even to a quarter of a step, so the right sample is this one or a neighbour.
    if (lower > 0 && times_[lower] > time) --lower;
    if (lower < last && times_[lower + 1] <= time) ++lower;
    return lower;
  }
  const auto above = std::upper_bound(times_.begin(), times_.end(), time);
  return static_cast<std::size_t>(above - times_.begin()) - 1;
}

SampleTimes::Bracket SampleTimes::between(double time, std::size_t lower) const noexcept {
  const double span = times_[lower + 1] - times_[lower];
  if (span < kSameTime || holds(lower)) return {lower, lower, 0.0};
  return {lower, lower + 1, (time - times_[lower]) / span};
}

SampleTimes::Bracket SampleTimes::bracket(double time) const noexcept {
  if (!(time > times_.front())) return {};
  const std::size_t last = times_.size() - 1;
  if (time >= times_.back()) return {last, last, 0.0};
  return between(time, find_lower(time));
}

SampleTimes::Bracket SampleTimes::bracket(double time, std::size_t& hint) const noexcept {
  const std::size_t last = times_.size() - 1;
  if (!(time > times_.front())) {
    hint = 0;
    return {};
  }
  if (time >= times_.back()) {
    hint = last;
    return {last, last, 0.0};
  }
  const auto holds_time = [&](std::size_t lower) {
    return lower < last && times_[lower] <= time && time < times_[lower + 1];
  };
  if (!holds_time(hint)) {
    if (hint < last && holds_time(hint + 1)) {
      ++hint;
    } else if (hint > 0 && holds_time(hint - 1)) {
      --hint;
    } else {
      hint = find_lower(time);
    }
  }
  return between(time, hint);
}

}  // namespace sinew::skel
