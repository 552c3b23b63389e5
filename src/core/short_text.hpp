// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

namespace sinew {

/// Whether two texts are equal. Names are short: calling memcmp would cost more than comparing
/// them.
inline bool equal_text(std::string_view x, std::string_view y) noexcept {
  const std::size_t size = x.size();
  if (size != y.size()) return false;
  // Whether the first bytes are equal and the last ones are; in the middle they overlap.
  const auto equal_ends = [&](auto word) {
    auto from_x = word;
    auto from_y = word;
    std::memcpy(&from_x, x.data(), sizeof word);
    std::memcpy(&from_y, y.data(), sizeof word);
    auto differing = from_x ^ from_y;
    std::memcpy(&from_x, x.data() + size - sizeof word, sizeof word);
    std::memcpy(&from_y, y.data() + size - sizeof word, sizeof word);
    return (differing | (from_x ^ from_y)) == 0;
  };
  if (size > 16) return std::memcmp(x.data(), y.data(), size) == 0;
  if (size >= 8) return equal_ends(std::uint64_t{});
  if (size >= 4) return equal_ends(std::uint32_t{});
  for (std::size_t i = 0; i < size; ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

/// Copies bytes that do not overlap and are few: calling memcpy would cost more than copying them.
inline void copy_few(const void* from, std::size_t size, void* to) noexcept {
  const auto* const source = static_cast<const char*>(from);
  auto* const target = static_cast<char*>(to);
  // The first bytes and the last ones; in the middle they overlap.
  const auto copy_ends = [&](auto word) {
    auto last = word;
    std::memcpy(&word, source, sizeof word);
    std::memcpy(&last, source + size - sizeof last, sizeof last);
    std::memcpy(target, &word, sizeof word);
    std::memcpy(target + size - sizeof last, &last, sizeof last);
  };
  if (size > 32) {
    std::memcpy(target, source, size);
  } else if (size >= 16) {
    copy_ends(std::array<std::uint64_t, 2>{});
  } else if (size >= 8) {
    copy_ends(std::uint64_t{});
  } else if (size >= 4) {
    copy_ends(std::uint32_t{});
  } else {
    for (std::size_t i = 0; i < size; ++i) target[i] = source[i];
  }
}

/// Finds words in a sorted table of at most 255: by the first letter, then one by one.
class WordIndex {
 public:
  /// Precondition: the words begin with ASCII. `word_of` gives that of an entry.
  template <typename Table, typename WordOf>
  constexpr WordIndex(const Table& table, WordOf word_of) {
    std::size_t entry = 0;
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
      begin_[letter] = static_cast<std::uint8_t>(entry);
      while (entry < std::size(table) &&
             static_cast<std::size_t>(word_of(table[entry]).front()) == letter) {
        ++entry;
      }
    }
    begin_[kLetters] = static_cast<std::uint8_t>(entry);
  }

  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  /// The entries that begin with the same letter.
  constexpr Range range(std::string_view word) const noexcept {
    if (word.empty()) return {};
    const auto letter = static_cast<unsigned char>(word.front());
    if (letter >= kLetters) return {};
    return {begin_[letter], begin_[letter + std::size_t{1}]};
  }

 private:
  static constexpr std::size_t kLetters = 128;
  std::array<std::uint8_t, kLetters + 1> begin_{};
};

}  // namespace sinew
