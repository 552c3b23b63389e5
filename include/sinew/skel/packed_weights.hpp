// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/skel/sample_times.hpp"

namespace sinew::skel {

/// What is packed into PackedWeights: a row of weights per sample.
struct PackedWeightsDesc {
  std::size_t width = 0;                    ///< Weights per row.
  std::span<const double> times = {};       ///< As PackedClipDesc::times.
  std::span<const std::uint8_t> held = {};  ///< As PackedClipDesc::held.
  std::span<const float> weights = {};      ///< m * width.
  /// How many weights of each row count, where rows differ; negative: the row gives none. m, or
  /// empty: all of them.
  std::span<const std::int32_t> counts = {};
};

/// Animated weights of blend shapes, or other rows of numbers that belong together.
///
/// Between samples numbers are interpolated linearly, in double precision and rounded once, as USD
/// does; where two rows differ in length, the earlier one is held. Immutable after construction;
/// safe to share between threads.
class SINEW_API PackedWeights {
 public:
  /// No samples: sample() gives nothing.
  PackedWeights() = default;

  /// @return The weights; invalid_argument or size_mismatch as PackedClip::pack(); or
  ///         index_out_of_range for a count above `width`.
  static Result<PackedWeights> pack(const PackedWeightsDesc& desc);

  /// Weights per row, at most.
  std::size_t width() const noexcept { return width_; }
  /// Rows of samples, m.
  std::size_t sample_count() const noexcept { return times_.size(); }
  /// m times, ascending.
  std::span<const double> times() const noexcept { return times_.times(); }
  /// The weights of one sample, nothing if it gives none. Precondition: index < sample_count().
  std::optional<std::span<const float>> row(std::size_t index) const noexcept;

  /// The weights at a time.
  /// @param out   At least width() entries; the first of them are written.
  /// @return How many were written; nothing if there are no weights then.
  std::optional<std::size_t> sample(double time, std::span<float> out) const noexcept;
  /// The same with a hint, as SampleTimes::bracket().
  std::optional<std::size_t> sample(double time, std::size_t& hint,
                                    std::span<float> out) const noexcept;

 private:
  std::optional<std::size_t> sample(const SampleTimes::Bracket& bracket,
                                    std::span<float> out) const noexcept;

  SampleTimes times_;
  std::vector<float> weights_;
  std::vector<std::int32_t> counts_;
  std::size_t width_ = 0;
};

}  // namespace sinew::skel
