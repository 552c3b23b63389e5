// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sinew/core/limits.hpp"

namespace sinew::exporter {

/// What may still be made of a file, in bytes.
class Budget {
 public:
  Budget(const Limits& limits, std::uint64_t file_bytes) : left_(limits.decoded_bytes) {
    if (limits.decoded_per_byte == 0) return;
    constexpr std::uint64_t kBase = 64ULL << 20;
    const std::uint64_t most = left_ > kBase ? (left_ - kBase) / limits.decoded_per_byte : 0;
    if (file_bytes < most) left_ = kBase + file_bytes * limits.decoded_per_byte;
  }

  /// @return Whether there was as much left.
  bool spend(std::uint64_t count, std::uint64_t bytes_each = 1) {
    if (is_spent_ || (bytes_each != 0 && count > left_ / bytes_each)) {
      is_spent_ = true;
      return false;
    }
    left_ -= count * bytes_each;
    return true;
  }
  /// Once a request was refused, all are, so that the reason is told once.
  bool is_spent() const { return is_spent_; }

 private:
  std::uint64_t left_;
  bool is_spent_ = false;
};

}  // namespace sinew::exporter
