// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::physics {

/// A hash table from ordered pairs of 32-bit indices to a value: built once, then only asked.
///
/// Open addressing in one array, at most half full, so that a look-up costs one or two cache
/// lines and the memory is proportional to the number of pairs, not to the range of the indices.
///
/// Const functions may run concurrently.
class PairSet {
 public:
  static constexpr std::int32_t kAbsent = -1;

  /// Adds a pair; the value of a pair that is there already stays. `value` is not negative.
  void insert(std::uint32_t first, std::uint32_t second, std::int32_t value = 0);

  /// The value of a pair, kAbsent if it is not there.
  std::int32_t find(std::uint32_t first, std::uint32_t second) const noexcept {
    if (slots_.empty()) return kAbsent;
    for (std::size_t i = home(first, second);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.value == kAbsent) return kAbsent;
      if (slot.first == first && slot.second == second) return slot.value;
    }
  }

  bool contains(std::uint32_t first, std::uint32_t second) const noexcept {
    return find(first, second) != kAbsent;
  }

  std::size_t size() const noexcept { return size_; }

 private:
  struct Slot {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::int32_t value = kAbsent;
  };

  std::size_t home(std::uint32_t first, std::uint32_t second) const noexcept {
    // Two rounds, because pairs of neighbours, as in chains, must not land side by side.
    std::uint64_t key = (std::uint64_t{first} << 32U) | second;
    key = (key ^ (key >> 32U)) * 0xFF51AFD7ED558CCDULL;
    key = (key ^ (key >> 32U)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(key >> shift_);
  }
  void grow();

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  unsigned shift_ = 63;  // 64 minus the logarithm of the number of slots.
};

}  // namespace sinew::physics
