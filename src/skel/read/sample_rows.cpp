// SPDX-License-Identifier: Apache-2.0
#include "skel/read/sample_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/sort.hpp"

namespace sinew::skel {
namespace {

// A jump smaller than this, relative to the numbers around it, is rounding.
constexpr float kSmallestJump = 0x1p-20F;

class RowSampler {
 public:
  explicit RowSampler(const RowReader& reader) : reader_(reader), before_(reader.width) {
    rows_.width = reader.width;
  }

  SampledRows run(std::span<const double> times) {
    for (const double time : times) {
      const std::size_t previous = rows_.times.size();
      append(time);
      if (previous > 0) connect(previous - 1);
    }
    return std::move(rows_);
  }

 private:
  void append(double time) {
    rows_.times.push_back(time);
    rows_.held.push_back(0);
    const std::size_t first = rows_.values.size();
    rows_.values.resize(first + rows_.width);
    rows_.counts.push_back(reader_.read(time, std::span<float>(rows_.values).subspan(first)));
  }

  // Finds out how the last sample but one leads to the last.
  void connect(std::size_t index) {
    const double time = rows_.times[index + 1];
    if (reader_.interpolation == stage::Interpolation::held || time <= reader_.varies_from ||
        rows_.times[index] >= reader_.varies_to) {
      rows_.held[index] = 1;
      return;
    }
    const double just_before = std::nextafter(time, -std::numeric_limits<double>::infinity());
    if (!(just_before > rows_.times[index])) return;
    const std::int32_t count = reader_.read(just_before, before_);
    if (count == rows_.counts[index + 1] && leads_to(index)) return;
    const std::span<const float> start = rows_.row(index);
    if (count == rows_.counts[index] && std::equal(start.begin(), start.end(), before_.begin())) {
      rows_.held[index] = 1;
      return;
    }
    insert(index + 1, just_before, count);
  }

  // Whether what was read just before the sample after `index` is that sample, but for rounding.
  bool leads_to(std::size_t index) const {
    const std::span<const float> start = rows_.row(index), end = rows_.row(index + 1);
    const auto near = [&](std::size_t i, float sign) {
      const float size = std::abs(start[i]) + std::abs(end[i]) + std::abs(before_[i]);
      return std::abs(before_[i] - sign * end[i]) <= kSmallestJump * size || before_[i] == end[i];
    };
    for (std::size_t i = 0; i < std::min(rows_.width, reader_.quaternions_from); ++i) {
      if (!near(i, 1.0F)) return false;
    }
    for (std::size_t q = reader_.quaternions_from; q < rows_.width; q += 4) {
      const auto all_near = [&](float sign) {
        return near(q, sign) && near(q + 1, sign) && near(q + 2, sign) && near(q + 3, sign);
      };
      if (!all_near(1.0F) && !all_near(-1.0F)) return false;
    }
    return true;
  }

  void insert(std::size_t index, double time, std::int32_t count) {
    const auto at = static_cast<std::ptrdiff_t>(index);
    rows_.times.insert(rows_.times.begin() + at, time);
    rows_.held.insert(rows_.held.begin() + at, 1);
    rows_.counts.insert(rows_.counts.begin() + at, count);
    rows_.values.insert(rows_.values.begin() + at * static_cast<std::ptrdiff_t>(rows_.width),
                        before_.begin(), before_.end());
  }

  const RowReader& reader_;
  SampledRows rows_;
  std::vector<float> before_;
};

}  // namespace

SampledRows sample_rows(std::span<const double> times, const RowReader& reader) {
  return RowSampler(reader).run(times);
}

std::vector<double> times_within(std::vector<double> times, double first, double last) {
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<double> result;
  for (const double time : times) {
    if (time >= first && time <= last) result.push_back(time);
  }
  if (times.empty()) return result;
  if (times.front() < first && (result.empty() || result.front() > first)) {
    result.insert(result.begin(), first);
  }
  if (times.back() > last && (result.empty() || result.back() < last)) result.push_back(last);
  return result;
}

}  // namespace sinew::skel
