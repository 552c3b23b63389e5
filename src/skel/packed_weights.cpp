// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_weights.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"
#include "skel/job.hpp"

namespace sinew::skel {

Result<PackedWeights> PackedWeights::pack(const PackedWeightsDesc& desc) {
  Result<SampleTimes> times = SampleTimes::make(desc.times, desc.held);
  if (!times) return std::move(times).error();
  const std::size_t rows = times->size();
  const bool fits = desc.width == 0 ? desc.weights.empty()
                                    : desc.weights.size() % desc.width == 0 &&
                                          desc.weights.size() / desc.width == rows;
  if (!fits) {
    return {ErrorCode::size_mismatch, format_text("weights has {} entries, not {} samples of {}.",
                                                  desc.weights.size(), rows, desc.width)};
  }
  if (Status status = check_optional("counts", desc.counts.size(), rows); !status) {
    return std::move(status).error();
  }
  for (std::size_t i = 0; i < desc.counts.size(); ++i) {
    if (desc.counts[i] < 0 || static_cast<std::size_t>(desc.counts[i]) <= desc.width) continue;
    return {ErrorCode::index_out_of_range,
            format_text("Row {} counts {} weights, but has {}.", i, desc.counts[i], desc.width)};
  }
  PackedWeights packed;
  packed.times_ = *std::move(times);
  packed.weights_.assign(desc.weights.begin(), desc.weights.end());
  packed.counts_.assign(desc.counts.begin(), desc.counts.end());
  packed.width_ = desc.width;
  return packed;
}

std::optional<std::span<const float>> PackedWeights::row(std::size_t index) const noexcept {
  const float* const first = weights_.data() + index * width_;
  if (counts_.empty()) return std::span<const float>(first, width_);
  if (counts_[index] < 0) return std::nullopt;
  return std::span<const float>(first, static_cast<std::size_t>(counts_[index]));
}

std::optional<std::size_t> PackedWeights::sample(const SampleTimes::Bracket& bracket,
                                                 std::span<float> out) const noexcept {
  SINEW_ASSERT(out.size() >= width_);
  const auto lower = row(bracket.lower);
  if (!lower) return std::nullopt;
  const auto upper = row(bracket.upper);
  if (bracket.alpha == 0.0 || !upper || upper->size() != lower->size()) {
    std::copy(lower->begin(), lower->end(), out.begin());
    return lower->size();
  }
  for (std::size_t i = 0; i < lower->size(); ++i) {
    out[i] = static_cast<float>((1.0 - bracket.alpha) * static_cast<double>((*lower)[i]) +
                                bracket.alpha * static_cast<double>((*upper)[i]));
  }
  return lower->size();
}

std::optional<std::size_t> PackedWeights::sample(double time, std::span<float> out) const noexcept {
  if (sample_count() == 0) return std::nullopt;
  return sample(times_.bracket(time), out);
}

std::optional<std::size_t> PackedWeights::sample(double time, std::size_t& hint,
                                                 std::span<float> out) const noexcept {
  if (sample_count() == 0) return std::nullopt;
  return sample(times_.bracket(time, hint), out);
}

}  // namespace sinew::skel
