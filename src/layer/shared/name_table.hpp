// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/prefetch.hpp"
#include "sinew/core/token.hpp"

namespace sinew::layer {

struct PrimSpec;

/// Finds names in prims that have many of them: (prim, name) gives the place of a child or property
/// in the prim's list. Prims and names stay where they are; the table only says where to look, so
/// it needs 8 bytes per slot and can be filled while the list grows.
class NameTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// The place of `name`, or kNone. `name_at(i)` gives the name at place i of the prim's list,
  /// which has `count`.
  template <typename NameAt>
  std::uint32_t find(const PrimSpec* prim, Token name, std::size_t count,
                     NameAt name_at) const noexcept {
    if (slots_.empty()) return kNone;
    const std::uint32_t hash = hash_of(prim, name);
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.place == kNone) return kNone;
      // It may be the place of another prim, and then of another name.
      if (slot.hash == hash && slot.place < count && name_at(slot.place) == name) return slot.place;
    }
  }

  /// Makes room for that many more names at once.
  void reserve(std::size_t more) {
    std::size_t slots = slots_.empty() ? 64 : slots_.size();
    while (3 * slots < 4 * (count_ + more)) slots *= 2;
    if (slots != slots_.size()) resize(slots);
  }

  /// Begins to fetch the slot of a name that will be entered or looked for soon.
  void prefetch(const PrimSpec* prim, Token name) const noexcept {
    if (!slots_.empty()) prefetch_memory(&slots_[hash_of(prim, name) & (slots_.size() - 1)]);
  }

  /// Enters a name that is not there yet.
  void insert(const PrimSpec* prim, Token name, std::uint32_t place) {
    reserve(1);
    put({hash_of(prim, name), place});
    ++count_;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = kNone;  // kNone: unused.
  };

  // The hash of a token is that of its text under the seed of its table, so no one can choose
  // names that collide.
  static std::uint32_t hash_of(const PrimSpec* prim, Token name) noexcept {
    const std::uint64_t mixed =
        (reinterpret_cast<std::uintptr_t>(prim) ^ name.hash()) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
  void put(const Slot& slot) noexcept {
    std::size_t i = slot.hash & (slots_.size() - 1);
    while (slots_[i].place != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
  void resize(std::size_t slot_count) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slot_count));
    for (const Slot& slot : old) {
      if (slot.place != kNone) put(slot);
    }
  }

  std::vector<Slot> slots_;  // A power of two of them.
  std::size_t count_ = 0;
};

}  // namespace sinew::layer
