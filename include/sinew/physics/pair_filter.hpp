// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/collision_group_table.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_set.hpp"

namespace sinew::physics {

/// Why two shapes collide or not; the first that applies, in this order.
enum class PairReason : std::uint8_t {
  collide,             ///< Nothing keeps them apart.
  same_shape,          ///< A shape and itself.
  shape_invalid,       ///< One of them is unusable, or is no shape of the model.
  collision_disabled,  ///< (physics:collisionEnabled) is false on one of them.
  same_body,           ///< Both belong to one body.
  both_static,         ///< Neither belongs to an enabled body.
  filtered_pair,       ///< (physics:filteredPairs) somewhere above them.
  jointed,             ///< A joint connects their bodies and does not ask for collisions.
  collision_groups,    ///< A group of the one and a group of the other are disabled.
};

/// "collide", "same-body" ...: for messages and JSON.
SINEW_API std::string_view to_string(PairReason reason) noexcept;

/// The answer for a pair of shapes.
struct PairDecision {
  bool collides = true;
  PairReason reason = PairReason::collide;
  /// filtered_pair: index into PairFilter::filtered_pairs(); jointed: index into
  /// PhysicsModel::joints; else kNone.
  std::int32_t rule = kNone;

  explicit operator bool() const noexcept { return collides; }
};

/// One entry of a filteredPairs list: everything at or below the two prims is kept apart. If a prim
/// is an articulation root, its bodies count as below it.
struct FilteredPair {
  std::string owner;
  std::string target;
};

/// Decides for any two shapes of a model whether they may collide.
///
/// Made for the inner loop of a broad phase: all paths are resolved by build(), and a query
/// touches a few dozen bytes per shape. It does not follow later changes of the model.
///
/// Immutable after construction; safe to share between threads.
class PairFilter {
 public:
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

  bool collides(std::int32_t shape_a, std::int32_t shape_b) const noexcept {
    return decide(shape_a, shape_b).collides;
  }

  /// What PairDecision::rule refers to.
  std::span<const FilteredPair> filtered_pairs() const noexcept { return filtered_pairs_; }

  const CollisionGroupTable& groups() const noexcept { return groups_; }

 private:
  // A set of shapes that rules speak of: all below a prim, those of a body, of an articulation.
  struct Node {
    std::int32_t parent = kNone;  // The next node up for prims; kNone for the other kinds.
  };
  // What a query reads of a shape.
  struct Entry {
    std::uint64_t self_mask = 0;     // Hashes of the nodes it is in.
    std::uint64_t partner_mask = 0;  // Hashes of the nodes that those are kept apart from.
    std::int32_t body = kNone;
    std::int32_t prim_node = kNone;  // Deepest prim node it is below.
    std::uint32_t group_list = 0;    // Into group_lists_.
    std::uint8_t group_flags = 0;    // Of all its groups together.
    bool usable = false;
    bool enabled = false;
    bool is_static = true;
  };
  friend class PairFilterBuilder;

  std::int32_t find_rule(const Entry& a, const Entry& b) const noexcept;
  template <typename Visit>
  void for_each_node(const Entry& entry, Visit&& visit) const noexcept;
  bool groups_collide(const Entry& a, const Entry& b) const noexcept;
  bool lists_collide(std::uint32_t list_a, std::uint32_t list_b) const noexcept;
  std::span<const std::int32_t> body_nodes(std::int32_t body) const noexcept;
  std::span<const std::uint32_t> group_ids(std::uint32_t list) const noexcept;
  std::size_t list_count() const noexcept { return first_group_.size() - 1; }

  std::vector<Entry> entries_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_body_node_;  // Per body, into body_nodes_.
  std::vector<std::int32_t> body_nodes_;
  PairSet rules_;  // (smaller node, larger node) to a rule: joints after the filtered pairs.
  std::vector<FilteredPair> filtered_pairs_;
  std::vector<std::uint32_t> first_group_;  // Per list, into group_lists_.
  std::vector<std::uint32_t> group_lists_;
  // Bit a * lists + b: list a keeps its shapes apart from those of list b. Empty if that is many.
  std::vector<std::uint64_t> apart_;
  CollisionGroupTable groups_;
};

}  // namespace sinew::physics
