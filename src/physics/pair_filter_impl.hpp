// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "physics/collision_group_impl.hpp"
#include "physics/pair_set.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::physics {

struct PairFilter::Impl {
  /// A set of shapes that rules speak of: all below a prim, those of a body, of an articulation.
  struct Node {
    std::int32_t parent = kNone;  ///< The next node up for prims; kNone for the other kinds.
  };
  /// What a query reads of a shape.
  struct Entry {
    std::uint64_t self_mask = 0;     ///< Hashes of the nodes it is in.
    std::uint64_t partner_mask = 0;  ///< Hashes of the nodes that those are kept apart from.
    std::int32_t body = kNone;
    std::int32_t prim_node = kNone;  ///< Deepest prim node it is below.
    std::uint32_t group_list = 0;    ///< Into group_lists.
    std::uint8_t group_flags = 0;    ///< Of all its groups together.
    bool usable = false;
    bool enabled = false;
    bool is_static = true;
  };

  std::vector<Entry> entries;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> first_body_node;  ///< Per body, into all_body_nodes.
  std::vector<std::int32_t> all_body_nodes;
  PairSet rules;  ///< (smaller node, larger node) to a rule: joints after the filtered pairs.
  std::vector<FilteredPair> filtered_pairs;
  std::vector<std::int32_t> self_pairs;    // Those of articulations that keep their bodies apart.
  std::vector<std::uint32_t> first_group;  ///< Per list, into group_lists.
  std::vector<std::uint32_t> group_lists;
  /// Bit a * lists + b: list a keeps its shapes apart from those of list b. Empty if that is many.
  std::vector<std::uint64_t> apart;
  CollisionGroupTable groups;

  /// Negative indices are large ones.
  bool has_shape(std::int32_t shape) const noexcept {
    return static_cast<std::size_t>(shape) < entries.size();
  }
  PairDecision decide(std::size_t shape_a, std::size_t shape_b) const noexcept;
  bool lists_collide(std::uint32_t list_a, std::uint32_t list_b) const noexcept;
  bool has_groups(const Entry& entry) const noexcept {
    return first_group[entry.group_list] != first_group[entry.group_list + 1];
  }
  std::size_t list_count() const noexcept { return first_group.size() - 1; }
  std::span<const std::int32_t> body_nodes(std::int32_t body) const noexcept;
  const CollisionGroupTable::Impl& group_rules() const noexcept { return *groups.impl_; }

  bool groups_collide(const Entry& a, const Entry& b) const noexcept {
    if (!apart.empty()) {
      const std::size_t bit = a.group_list * list_count() + b.group_list;
      return (apart[bit / 64] >> (bit % 64) & 1U) == 0;
    }
    // Most groups say nothing of most others.
    return !CollisionGroupTable::Impl::may_differ(a.group_flags, b.group_flags) ||
           lists_collide(a.group_list, b.group_list);
  }
  /// If false, cheap proof that no rule speaks of two shapes; hashes may agree by chance.
  static bool may_have_rule(const Entry& a, const Entry& b) noexcept {
    return (a.partner_mask & b.self_mask) != 0 && (b.partner_mask & a.self_mask) != 0;
  }
  std::int32_t find_rule(const Entry& a, const Entry& b) const noexcept;

 private:
  template <typename Visit>
  void for_each_node(const Entry& entry, Visit&& visit) const noexcept;
  std::span<const std::uint32_t> group_ids(std::uint32_t list) const noexcept;
};

}  // namespace sinew::physics
