// SPDX-License-Identifier: Apache-2.0
// From values at any time to samples between which everything is linear, or held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "sinew/stage/stage.hpp"

namespace sinew::skel {

/// Rows of `width` numbers, one per time, and whether each holds until the next.
struct SampledRows {
  std::size_t width = 0;
  std::vector<double> times;
  std::vector<std::uint8_t> held;
  std::vector<float> values;
  std::vector<std::int32_t> counts;  ///< Numbers of each row that mean something; -1: no value.

  std::span<const float> row(std::size_t index) const {
    return std::span<const float>(values).subspan(index * width, width);
  }
};

/// What rows are read with.
struct RowReader {
  std::size_t width = 0;
  /// From here on numbers are quaternions, which mean the same negated.
  std::size_t quaternions_from = std::numeric_limits<std::size_t>::max();
  stage::Interpolation interpolation = stage::Interpolation::linear;
  /// Outside of these times nothing is interpolated.
  double varies_from = -std::numeric_limits<double>::infinity();
  double varies_to = std::numeric_limits<double>::infinity();
  /// Fills a row; returns how many numbers of it mean something, or -1.
  std::function<std::int32_t(double time, std::span<float> row)> read;
};

/// Samples at all of `times`, between which nothing jumps but just before one of them: where it
/// does, the last value before the jump becomes a sample of its own, unless the earlier sample is
/// held up to there.
/// @param times  At least one; finite, ascending.
SampledRows sample_rows(std::span<const double> times, const RowReader& reader);

/// The times of several attributes, sorted, each once; those outside of [first, last] are left out,
/// and the ends of the range take their place.
std::vector<double> times_within(std::vector<double> times, double first, double last);

}  // namespace sinew::skel
