// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_set.hpp"

namespace sinew::physics {

/// Which pairs of collision groups collide.
///
/// Groups with the same authored merge name, "" included, act as one and share an id. A group
/// switches off its filtered groups, or, inverted, all others (itself too, unless listed). What one
/// group switches off no other switches on, and the order of the pair does not matter.
///
/// Memory is proportional to the groups and their filter targets, never to the number of pairs.
///
/// Immutable after construction; safe to share between threads.
class CollisionGroupTable {
 public:
  CollisionGroupTable() = default;

  /// @param groups       Every group of the stage, in namespace order.
  /// @param diagnostics  physics-unknown-filter-target: a filtered group that is no group of the
  ///                     stage; it is ignored.
  SINEW_API static CollisionGroupTable build(std::span<const CollisionGroupPrim> groups,
                                             Diagnostics& diagnostics);

  /// Paths of the groups, in the order given to build().
  std::span<const std::string> groups() const noexcept { return paths_; }

  /// Index of a group, kNone for any other path.
  SINEW_API std::int32_t find(std::string_view path) const noexcept;

  /// Whether members of two groups collide. True for indices out of range.
  SINEW_API bool enabled(std::size_t group_a, std::size_t group_b) const noexcept;

  /// The same by path. True for paths that are no groups.
  SINEW_API bool enabled(std::string_view group_a, std::string_view group_b) const noexcept;

  /// The pairs of groups that do not collide, each once with the smaller index first, in order.
  ///
  /// Inverted groups can make this quadratic in the number of groups, so it is cut off.
  /// @par Cost  O(groups + pairs returned).
  SINEW_API std::vector<std::pair<std::uint32_t, std::uint32_t>> disabled_pairs(
      std::size_t max_pairs = 10'000'000) const;

  /// The id that a group shares with those it is merged with. Precondition: group <
  /// groups().size().
  std::uint32_t merge_id(std::size_t group) const noexcept { return ids_[group]; }
  std::size_t id_count() const noexcept { return flags_.size(); }

  /// Bits that say whether an id can be part of a disabled pair at all.
  static constexpr std::uint8_t kFilters = 1;   ///< Filters some id.
  static constexpr std::uint8_t kFiltered = 2;  ///< Is filtered by some id.
  static constexpr std::uint8_t kInverted = 4;  ///< Filters all but some ids.
  std::uint8_t id_flags(std::uint32_t id) const noexcept { return flags_[id]; }

  bool ids_enabled(std::uint32_t a, std::uint32_t b) const noexcept {
    return !filters(a, b) && !filters(b, a);
  }

 private:
  bool filters(std::uint32_t a, std::uint32_t b) const noexcept {
    if ((flags_[a] & kInverted) != 0 && !allowed_.contains(a, b)) return true;
    return (flags_[a] & kFilters) != 0 && filtered_.contains(a, b);
  }

  std::vector<std::string> paths_;
  std::vector<std::uint32_t> by_path_;  // Indices of paths_, sorted by path.
  std::vector<std::uint32_t> ids_;      // Of each group.
  std::vector<std::uint8_t> flags_;     // Of each id.
  PairSet filtered_;                    // (id, id that it filters)
  PairSet allowed_;                     // (inverted id, id that all its groups list)
  std::vector<std::pair<std::uint32_t, std::uint32_t>> filter_pairs_;  // Contents of filtered_.
};

}  // namespace sinew::physics
