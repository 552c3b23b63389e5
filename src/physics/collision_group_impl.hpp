// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "physics/pair_set.hpp"
#include "sinew/physics/collision_group_table.hpp"

namespace sinew::physics {

/// Groups that are merged share an id, and ids are what rules speak of.
struct CollisionGroupTable::Impl {
  /// Bits that say whether an id can be part of a disabled pair at all.
  static constexpr std::uint8_t kFilters = 1;   ///< Filters some id.
  static constexpr std::uint8_t kFiltered = 2;  ///< Is filtered by some id.
  static constexpr std::uint8_t kInverted = 4;  ///< Filters all but some ids.

  std::vector<Text> paths;
  std::vector<std::uint32_t> by_path;  ///< Indices of paths, sorted by path.
  std::vector<std::uint32_t> ids;      ///< Of each group.
  std::vector<std::uint8_t> flags;     ///< Of each id.
  PairSet filtered;                    ///< (id, id that it filters)
  PairSet allowed;                     ///< (inverted id, id that all its groups list)
  std::vector<std::pair<std::uint32_t, std::uint32_t>> filter_pairs;  ///< Contents of `filtered`.

  std::int32_t find(std::string_view path) const noexcept;

  bool ids_enabled(std::uint32_t a, std::uint32_t b) const noexcept {
    return !filters(a, b) && !filters(b, a);
  }

  /// What ids with these flags, of one shape and of another, may have against each other.
  static bool may_differ(std::uint8_t a, std::uint8_t b) noexcept {
    const auto one_way = [](std::uint8_t from, std::uint8_t to) {
      return (from & kFilters) != 0 && (to & kFiltered) != 0;
    };
    return ((a | b) & kInverted) != 0 || one_way(a, b) || one_way(b, a);
  }

 private:
  bool filters(std::uint32_t a, std::uint32_t b) const noexcept {
    if ((flags[a] & kInverted) != 0 && !allowed.contains(a, b)) return true;
    return (flags[a] & kFilters) != 0 && filtered.contains(a, b);
  }
};

}  // namespace sinew::physics
