// SPDX-License-Identifier: Apache-2.0
// Time samples. Attributes that have the same times share one list of them in the file.

#include <cmath>
#include <numeric>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::TimeSamples;
using layer::Value;

namespace {

bool ascends(const std::vector<double>& times) noexcept {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i]) || (i != 0 && !(times[i - 1] < times[i]))) return false;
  }
  return true;
}

// Ascending and distinct, without NaN. Of equal times the last counts, or the first.
void put_in_order(TimeSamples& samples, bool first_counts) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    if (!std::isnan(samples.times[i])) order.push_back(i);
  }
  stable_sort_range(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return samples.times[a] < samples.times[b];
  });
  TimeSamples sorted;
  for (const std::size_t i : order) {
    const bool repeats = !sorted.times.empty() && sorted.times.back() == samples.times[i];
    if (!repeats) {
      sorted.times.push_back(samples.times[i]);
      sorted.values.push_back(std::move(samples.values[i]));
    } else if (!first_counts) {
      sorted.values.back() = std::move(samples.values[i]);
    }
  }
  samples = std::move(sorted);
}

}  // namespace

// Null if they are damaged.
const std::vector<double>* ValueReader::times(std::uint64_t bits, std::uint64_t at) {
  const auto known = known_times_.find(bits);
  if (known != known_times_.end()) return &known->second;
  const Representation rep{bits};
  const bool is_vector =
      rep.type() == Type::double_vector && !rep.is_array() && !rep.is_array_edit();
  const bool is_array =
      rep.type() == Type::double_ && rep.is_array() && !rep.is_compressed() && c_.file.since(7);
  if (!rep.is_sound() || rep.is_inlined() || !(is_vector || is_array)) {
    wrong_type(rep);
    return nullptr;
  }
  ByteReader reader = c_.file.value_at(rep.payload());
  std::uint64_t count = 0;
  const bool is_empty = is_array && rep.payload() == 0;
  if (!is_empty && !reader.count(sizeof(double), count)) {
    fail(at, format_text("{} times do not lie in the file", count));
    return nullptr;
  }
  if (!charge_bytes(at, count * sizeof(double))) return nullptr;
  std::vector<double> times(static_cast<std::size_t>(count));
  for (double& time : times) reader.read(time);
  return &known_times_.emplace(bits, std::move(times)).first->second;
}

bool ValueReader::samples(std::uint64_t bits, TimeSamples& samples) {
  ByteReader reader;
  if (!open(bits, Type::time_samples, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t times_bits = 0;
  std::uint64_t count = 0;
  std::int64_t jump = 0;
  if (!nested(reader, times_bits)) return false;
  if (!reader.read(jump) || jump < static_cast<std::int64_t>(sizeof jump) ||
      !reader.skip(static_cast<std::uint64_t>(jump) - sizeof jump) ||
      !reader.count(sizeof(std::uint64_t), count)) {
    return fail(at, "the samples do not lie in the file");
  }
  const std::vector<double>* const known = times(times_bits, at);
  if (known == nullptr) return false;
  if (known->size() != count) {
    return fail(at, format_text("{} samples have {} times", count, known->size()));
  }
  if (!charge_items(at, count, sizeof(double) + sizeof(Value))) return false;
  samples.times.reserve(known->size());
  samples.values.reserve(known->size());
  for (std::size_t i = 0; i < known->size(); ++i) {
    std::uint64_t value_bits = 0;
    Value value;
    reader.read(value_bits);
    if (!read(value_bits, value)) continue;
    if (!may_be_sample(value)) {
      wrong_type({value_bits});
      continue;
    }
    samples.times.push_back((*known)[i]);
    samples.values.push_back(std::move(value));
  }
  if (!ascends(samples.times)) {
    warn("usdc-value", "the times of samples do not ascend; they are put in order");
    put_in_order(samples, c_.options.rules == Rules::openusd);
  }
  return true;
}

}  // namespace sinew::usdc
