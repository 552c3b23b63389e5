// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/influences.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"

namespace sinew::skel {
namespace {

// One large block can be named again and again; nothing sensible expands to more.
constexpr std::size_t kLargestExpansion = std::size_t{1} << 28;

Status check_shape(std::size_t size, std::size_t count) {
  if (count == 0) return {ErrorCode::invalid_argument, "There are 0 influences per point."};
  if (size % count != 0) {
    return {ErrorCode::size_mismatch,
            format_text("{} influences are not a multiple of {} per point.", size, count)};
  }
  return {};
}

template <typename T>
Status resize(std::vector<T>& values, std::size_t count, std::size_t new_count) {
  if (count == new_count) return {};
  if (Status status = check_shape(values.size(), count); !status) return status;
  if (new_count == 0) return {ErrorCode::invalid_argument, "There are 0 influences per point."};
  const std::size_t points = values.size() / count;
  if (points > 0 && new_count > values.max_size() / points) {
    return {ErrorCode::invalid_argument,
            format_text("{} influences per point are too many.", new_count)};
  }
  const std::size_t kept = std::min(count, new_count);
  if (new_count < count) {
    for (std::size_t p = 0; p < points; ++p) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(p * count), kept,
                  values.begin() + static_cast<std::ptrdiff_t>(p * new_count));
    }
    values.resize(points * new_count);
    return {};
  }
  std::vector<T> grown(points * new_count, T{});
  for (std::size_t p = 0; p < points; ++p) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(p * count), kept,
                grown.begin() + static_cast<std::ptrdiff_t>(p * new_count));
  }
  values = std::move(grown);
  return {};
}

template <typename T>
Result<std::vector<T>> expand(std::span<const T> values, std::span<const std::int32_t> blocks,
                              std::size_t count) {
  if (count == 0) return {ErrorCode::invalid_argument, "There are 0 influences per block."};
  if (values.empty()) return {ErrorCode::no_value, "There is no block to index."};
  const std::size_t available = values.size() / count;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] >= 0 && static_cast<std::size_t>(blocks[i]) < available) continue;
    return {ErrorCode::index_out_of_range,
            format_text("Block {} at position {} is not in [0, {}).", blocks[i], i, available)};
  }
  if (count > kLargestExpansion / std::max<std::size_t>(blocks.size(), 1)) {
    return {ErrorCode::limit_exceeded, format_text("{} blocks of {} values are more than {}.",
                                                   blocks.size(), count, kLargestExpansion)};
  }
  std::vector<T> result;
  result.reserve(blocks.size() * count);
  for (const std::int32_t block : blocks) {
    const auto own = values.subspan(static_cast<std::size_t>(block) * count, count);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

template <typename T>
std::vector<T> repeat(std::span<const T> values, std::size_t times) {
  std::vector<T> result;
  result.reserve(values.size() * times);
  for (std::size_t i = 0; i < times; ++i) result.insert(result.end(), values.begin(), values.end());
  return result;
}

}  // namespace

Status normalize_weights(std::span<float> weights, std::size_t count, float epsilon) {
  if (Status status = check_shape(weights.size(), count); !status) return status;
  for (std::size_t first = 0; first < weights.size(); first += count) {
    const std::span<float> own = weights.subspan(first, count);
    float sum = 0.0F;
    for (const float weight : own) sum += weight;
    const bool usable = std::abs(sum) > epsilon;  // False for NaN.
    for (float& weight : own) weight = usable ? weight / sum : 0.0F;
  }
  return {};
}

Status sort_influences(std::span<std::int32_t> indices, std::span<float> weights,
                       std::size_t count) {
  if (indices.size() != weights.size()) {
    return {ErrorCode::size_mismatch, format_text("There are {} joint indices but {} weights.",
                                                  indices.size(), weights.size())};
  }
  if (Status status = check_shape(indices.size(), count); !status) return status;
  if (count == 1 || indices.empty()) return {};
  std::vector<std::pair<float, std::int32_t>> own(count);
  for (std::size_t first = 0; first < indices.size(); first += count) {
    for (std::size_t i = 0; i < count; ++i) own[i] = {weights[first + i], indices[first + i]};
    // NaN sorts last, so that the order is one.
    sort_range(own.begin(), own.end(), [](const auto& a, const auto& b) {
      const bool a_nan = std::isnan(a.first);
      const bool b_nan = std::isnan(b.first);
      if (a_nan || b_nan) return a_nan == b_nan ? a.second > b.second : b_nan;
      return a > b;
    });
    for (std::size_t i = 0; i < count; ++i) {
      weights[first + i] = own[i].first;
      indices[first + i] = own[i].second;
    }
  }
  return {};
}

Status resize_influences(std::vector<std::int32_t>& indices, std::size_t count,
                         std::size_t new_count) {
  return resize(indices, count, new_count);
}

Status resize_influences(std::vector<float>& weights, std::size_t count, std::size_t new_count) {
  if (Status status = resize(weights, count, new_count); !status) return status;
  return new_count < count ? normalize_weights(weights, new_count) : Status();
}

Status keep_strongest_influences(std::vector<std::int32_t>& indices, std::vector<float>& weights,
                                 std::size_t count, std::size_t new_count) {
  if (new_count == 0) return {ErrorCode::invalid_argument, "There are 0 influences per point."};
  if (Status status = sort_influences(indices, weights, count); !status) return status;
  const std::size_t kept = std::min(count, new_count);
  if (Status status = resize(indices, count, kept); !status) return status;
  if (Status status = resize(weights, count, kept); !status) return status;
  return normalize_weights(weights, kept);
}

Result<std::vector<std::int32_t>> expand_indexed_influences(std::span<const std::int32_t> values,
                                                            std::span<const std::int32_t> blocks,
                                                            std::size_t count) {
  return expand(values, blocks, count);
}

Result<std::vector<float>> expand_indexed_influences(std::span<const float> values,
                                                     std::span<const std::int32_t> blocks,
                                                     std::size_t count) {
  return expand(values, blocks, count);
}

std::vector<std::int32_t> expand_constant_influences(std::span<const std::int32_t> indices,
                                                     std::size_t point_count) {
  return repeat(indices, point_count);
}

std::vector<float> expand_constant_influences(std::span<const float> weights,
                                              std::size_t point_count) {
  return repeat(weights, point_count);
}

Result<GpuInfluences> gpu_influences(std::span<const std::int32_t> indices,
                                     std::span<const float> weights, std::size_t influences) {
  if (Status status = validate_joint_indices(indices, std::size_t{1} << 16); !status) {
    return std::move(status).error();
  }
  std::vector<std::int32_t> joints(indices.begin(), indices.end());
  std::vector<float> shares(weights.begin(), weights.end());
  Status status = keep_strongest_influences(joints, shares, influences, 4);
  if (status && influences < 4) status = resize_influences(joints, influences, 4);
  if (status && influences < 4) status = resize_influences(shares, influences, 4);
  if (!status) return std::move(status).error();
  GpuInfluences result;
  result.joints.resize(joints.size() / 4);
  result.weights.resize(joints.size() / 4);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool used = shares[i] != 0.0F;
    result.joints[i / 4][i % 4] = used ? static_cast<std::uint16_t>(joints[i]) : std::uint16_t{0};
    result.weights[i / 4][i % 4] = shares[i];
  }
  return result;
}

Status interleave_influences(std::span<const std::int32_t> indices, std::span<const float> weights,
                             std::span<Vector2f> interleaved) {
  if (indices.size() != weights.size() || interleaved.size() != indices.size()) {
    return {ErrorCode::size_mismatch,
            format_text("There are {} joint indices, {} weights and room for {} pairs.",
                        indices.size(), weights.size(), interleaved.size())};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    interleaved[i] = {static_cast<float>(indices[i]), weights[i]};
  }
  return {};
}

Status validate_joint_indices(std::span<const std::int32_t> indices, std::size_t joint_count) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < joint_count) continue;
    return {ErrorCode::index_out_of_range,
            format_text("Joint index {} at position {} is not in [0, {}).", indices[i], i,
                        joint_count)};
  }
  return {};
}

}  // namespace sinew::skel
