// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/anim_mapper.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"

namespace sinew::skel {

AnimMapper::AnimMapper(std::size_t size)
    : target_size_(size), all_(true), covers_target_(true), ordered_(true) {}

AnimMapper::AnimMapper(std::span<const std::string> source_order,
                       std::span<const std::string> target_order)
    : target_size_(target_order.size()) {
  if (source_order.empty() || target_order.empty()) return;
  const auto start = std::find(target_order.begin(), target_order.end(), source_order.front());
  const auto offset = static_cast<std::size_t>(start - target_order.begin());
  if (offset + source_order.size() <= target_order.size() &&
      std::equal(source_order.begin(), source_order.end(), start)) {
    ordered_ = all_ = true;
    offset_ = offset;
    covers_target_ = source_order.size() == target_order.size();
    return;
  }
  std::unordered_map<std::string_view, std::size_t> index_of;
  index_of.reserve(target_order.size());
  for (std::size_t i = 0; i < target_order.size(); ++i) {
    index_of.insert_or_assign(target_order[i], i);
  }
  std::vector<bool> hit(target_order.size(), false);
  std::size_t found_count = 0;
  for (std::size_t i = 0; i < source_order.size(); ++i) {
    const auto found = index_of.find(source_order[i]);
    if (found == index_of.end()) continue;
    const std::size_t target = found->second;
    hit[target] = true;
    ++found_count;
    if (!runs_.empty() && runs_.back().source + runs_.back().count == i &&
        runs_.back().target + runs_.back().count == target) {
      ++runs_.back().count;
    } else {
      runs_.push_back({i, target, 1});
    }
  }
  all_ = found_count == source_order.size();
  some_ = !all_;
  covers_target_ = std::find(hit.begin(), hit.end(), false) == hit.end();
}

Status AnimMapper::remap_bytes(std::span<const std::byte> source, std::span<std::byte> target,
                               std::size_t value_size, std::size_t element_size) const {
  if (element_size == 0)
    return {ErrorCode::invalid_argument, "element_size must be at least 1, but is 0."};
  const std::size_t block = value_size * element_size;
  if (target.size() != target_size_ * block) {
    return {ErrorCode::size_mismatch,
            format_text("target has {} values instead of {}.", target.size() / value_size,
                        target_size_ * element_size)};
  }
  if (is_null()) return {};
  if (ordered_) {
    const std::size_t room = target.size() - offset_ * block;
    const std::size_t size = std::min(source.size(), room);
    if (size > 0) std::memcpy(target.data() + offset_ * block, source.data(), size);
    return {};
  }
  const std::size_t available = source.size() / block;
  for (const Run& run : runs_) {
    if (run.source >= available) break;
    const std::size_t count = std::min(run.count, available - run.source);
    std::memcpy(target.data() + run.target * block, source.data() + run.source * block,
                count * block);
  }
  return {};
}

void remap_transforms(const AnimMapper& mapper, std::span<const Matrix4d> source,
                      std::vector<Matrix4d>& target) {
  const Status status =
      mapper.remap_resized<Matrix4d>(source, target, 1, Matrix4d(Matrix4d::Identity()));
  SINEW_ASSERT(status.has_value());  // The target has just been made to fit.
  (void)status;
}

}  // namespace sinew::skel
