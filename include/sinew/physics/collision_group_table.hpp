// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Which pairs of collision groups collide.
///
/// Groups with the same authored merge name, "" included, act as one and share an id. A group
/// switches off its filtered groups, or, inverted, all others (itself too, unless listed). What one
/// group switches off no other switches on, and the order of the pair does not matter.
///
/// Memory is proportional to the groups and their filter targets, never to the number of pairs.
///
/// A handle to what build() made: cheap to copy, never changed, safe to share between threads.
class CollisionGroupTable {
 public:
  /// A table without groups.
  CollisionGroupTable() = default;

  /// @param groups       Every group of the stage, in namespace order.
  /// @param diagnostics  physics-unknown-filter-target: a filtered group that is not a group of the
  ///                     stage; it is ignored.
  SINEW_API static CollisionGroupTable build(std::span<const CollisionGroupPrim> groups,
                                             Diagnostics& diagnostics);

  /// Paths of the groups, in the order given to build().
  SINEW_API std::span<const Text> group_paths() const noexcept;

  /// Index of a group, kNone for any other path.
  SINEW_API std::int32_t find(std::string_view path) const noexcept;

  /// Whether members of two groups collide. True for indices out of range.
  SINEW_API bool enabled(std::size_t group_a, std::size_t group_b) const noexcept;

  /// The same by path. True for paths that are not groups.
  SINEW_API bool enabled(std::string_view group_a, std::string_view group_b) const noexcept;

  /// The pairs of groups that do not collide, each once with the smaller index first, in order.
  ///
  /// Inverted groups can make this quadratic in the number of groups, so it is cut off.
  /// @par Cost  O(groups + pairs returned).
  SINEW_API std::vector<std::pair<std::uint32_t, std::uint32_t>> disabled_pairs(
      std::size_t max_pairs = 10'000'000) const;

 private:
  friend class PairFilter;
  struct Impl;

  std::shared_ptr<const Impl> impl_;  // Null: no groups.
};

}  // namespace sinew::physics
