// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/physics/collision_group_table.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Why two shapes collide or not; the first that applies, in this order.
enum class PairReason : std::uint8_t {
  collide,             ///< Nothing keeps them apart.
  same_shape,          ///< A shape and itself.
  shape_invalid,       ///< One of them is unusable, or is not a shape of the model.
  collision_disabled,  ///< (physics:collisionEnabled) is false on one of them.
  same_body,           ///< Both belong to one body.
  both_static,         ///< Neither belongs to an enabled body.
  filtered_pair,       ///< (physics:filteredPairs) somewhere above them.
  jointed,             ///< A joint connects their bodies and does not ask for collisions.
  collision_groups,    ///< A group of the one and a group of the other are disabled.
  self_collision,      ///< Both are of an articulation that keeps its bodies apart; before jointed.
};

/// "collide", "same-body" ...: for messages and JSON.
SINEW_API std::string_view to_string(PairReason reason) noexcept;

/// The answer for a pair of shapes.
struct PairDecision {
  bool collides = true;                     ///< Whether the two may touch.
  PairReason reason = PairReason::collide;  ///< The rule that decided.
  /// filtered_pair, self_collision: index into PairFilter::filtered_pairs(); jointed: index into
  /// PhysicsModel::joints; else kNone.
  std::int32_t rule = kNone;

  /// The same as `collides`.
  explicit operator bool() const noexcept { return collides; }
};

/// One entry of a filteredPairs list: everything at or below the two prims is kept apart. If a prim
/// is an articulation root, its bodies count as below it.
struct FilteredPair {
  Text owner_path;   ///< The prim whose list it is.
  Text target_path;  ///< The prim in the list.
};

/// Decides for any two shapes of a model whether they may collide.
///
/// Made for the inner loop of a broad phase: all paths are resolved by build(), and a query
/// touches a few dozen bytes per shape. It does not follow later changes of the model.
///
/// A handle to what build() made: cheap to copy, never changed, safe to share between threads.
class PairFilter {
 public:
  /// A filter without shapes.
  PairFilter() = default;

  /// @param diagnostics  Those of CollisionGroupTable::build().
  /// @par Cost  O(n log n) in shapes, bodies, joints, groups and filter targets; memory is linear
  ///            in them, whatever they say, and 128 KiB at most for the groups that shapes are in.
  SINEW_API static PairFilter build(const PhysicsModel& model, Diagnostics& diagnostics);

  /// Whether two shapes collide, and why not. The order does not matter.
  /// @param shape_a, shape_b  Indices into PhysicsModel::shapes.
  /// @par Cost  Constant for shapes that no pair or joint rule covers; else the product of the
  ///            numbers of rules' prims above the two shapes, which are rarely more than two.
  SINEW_API PairDecision decide(std::int32_t shape_a, std::int32_t shape_b) const noexcept;

  /// Whether any rule may speak of a shape: pairs, joints, groups. Of two shapes of which one has
  /// none only the bodies count, and whether they collide at all. False out of range.
  SINEW_API bool has_rules(std::int32_t shape) const noexcept;

  /// decide() without the reason, for less: groups are asked before pairs and joints.
  SINEW_API bool collides(std::int32_t shape_a, std::int32_t shape_b) const noexcept;

  /// What PairDecision::rule refers to.
  SINEW_API std::span<const FilteredPair> filtered_pairs() const noexcept;

  /// The table that the collision groups of the model give.
  SINEW_API CollisionGroupTable groups() const noexcept;

 private:
  struct Impl;
  class Builder;

  std::shared_ptr<const Impl> impl_;  // Null: no shapes.
};

}  // namespace sinew::physics
