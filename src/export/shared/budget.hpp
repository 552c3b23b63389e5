// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "sinew/core/limits.hpp"

namespace sinew::exporter {

/// What may still be made of a file and of those that it names, in bytes.
class Budget {
 public:
  Budget(const Limits& limits, std::uint64_t file_bytes) : limits_(limits) {
    files_bytes_ = file_bytes;
    update();
  }

  /// Another file is read: there may be as much more of it. Once for each name, so that what is
  /// read again and again does not raise it.
  void add_file(std::string_view name, std::uint64_t file_bytes) {
    if (!files_.emplace(name).second) return;
    files_bytes_ += std::min(file_bytes, std::numeric_limits<std::uint64_t>::max() - files_bytes_);
    update();
  }
  /// @return Whether there was as much left.
  bool spend(std::uint64_t count, std::uint64_t bytes_each = 1) {
    if (is_spent_ || (bytes_each != 0 && count > (most_ - spent_) / bytes_each)) {
      is_spent_ = true;
      return false;
    }
    spent_ += count * bytes_each;
    return true;
  }
  /// Once a request was refused, all are, so that the reason is told once.
  bool is_spent() const { return is_spent_; }

 private:
  void update() {
    most_ = limits_.decoded_bytes;
    if (limits_.decoded_per_byte == 0) return;
    constexpr std::uint64_t kBase = 64ULL << 20;
    const std::uint64_t all = most_ > kBase ? (most_ - kBase) / limits_.decoded_per_byte : 0;
    if (files_bytes_ < all) most_ = kBase + files_bytes_ * limits_.decoded_per_byte;
  }

  Limits limits_;
  std::set<std::string, std::less<>> files_;
  std::uint64_t files_bytes_ = 0;
  std::uint64_t most_ = 0;
  std::uint64_t spent_ = 0;
  bool is_spent_ = false;
};

}  // namespace sinew::exporter
