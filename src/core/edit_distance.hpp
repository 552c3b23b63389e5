// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

/// Letters (bytes) to insert, remove, replace or swap with their neighbour to make one word of the
/// other, no letter more than once. Some number above `limit` if there are more, or if a word has
/// more than 128 letters. Time is the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) noexcept;

/// Of the words that are offered the one that takes the fewest edits to become another word; of two
/// that take as many the first. Words are views: what they show must last.
class ClosestWord {
 public:
  /// @param limit  Words that take more edits are not close.
  ClosestWord(std::string_view word, std::size_t limit) noexcept : word_(word), limit_(limit) {}

  void offer(std::string_view candidate) noexcept {
    if (is_exact_) return;
    const std::size_t distance = edit_distance(word_, candidate, limit_);
    if (distance > limit_) return;
    closest_ = candidate;
    is_exact_ = distance == 0;
    if (!is_exact_) limit_ = distance - 1;
  }

  /// Empty if none was close.
  std::string_view closest() const noexcept { return closest_; }

 private:
  std::string_view word_;
  std::string_view closest_;
  std::size_t limit_;
  bool is_exact_ = false;
};

}  // namespace sinew
