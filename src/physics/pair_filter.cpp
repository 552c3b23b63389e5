// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/pair_filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew::physics {

std::string_view to_string(PairReason reason) noexcept {
  static constexpr std::array<std::string_view, 9> kNames = {
      "collide",     "same-shape",    "shape-invalid", "collision-disabled", "same-body",
      "both-static", "filtered-pair", "jointed",       "collision-groups"};
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : std::string_view{};
}

std::span<const std::int32_t> PairFilter::body_nodes(std::int32_t body) const noexcept {
  if (body == kNone || body_nodes_.empty()) return {};
  const auto index = static_cast<std::size_t>(body);
  return std::span(body_nodes_)
      .subspan(first_body_node_[index], first_body_node_[index + 1] - first_body_node_[index]);
}

template <typename Visit>
void PairFilter::for_each_node(const Entry& entry, Visit&& visit) const noexcept {
  std::int32_t node = entry.prim_node;
  for (; node != kNone; node = nodes_[static_cast<std::size_t>(node)].parent) visit(node);
  for (const std::int32_t body_node : body_nodes(entry.body)) visit(body_node);
}

std::span<const std::uint32_t> PairFilter::group_ids(std::uint32_t list) const noexcept {
  return std::span(group_lists_)
      .subspan(first_group_[list], first_group_[list + 1] - first_group_[list]);
}

// The rule between two shapes. Of several the lowest is told, so that their order does not matter.
std::int32_t PairFilter::find_rule(const Entry& a, const Entry& b) const noexcept {
  std::int32_t best = kNone;
  for_each_node(a, [&](std::int32_t x) {
    for_each_node(b, [&](std::int32_t y) {
      const auto low = static_cast<std::uint32_t>(std::min(x, y));
      const auto high = static_cast<std::uint32_t>(std::max(x, y));
      const std::int32_t rule = rules_.find(low, high);
      if (rule != kNone && (best == kNone || rule < best)) best = rule;
    });
  });
  return best;
}

bool PairFilter::lists_collide(std::uint32_t list_a, std::uint32_t list_b) const noexcept {
  for (const std::uint32_t x : group_ids(list_a)) {
    for (const std::uint32_t y : group_ids(list_b)) {
      if (!groups_.ids_enabled(x, y)) return false;
    }
  }
  return true;
}

bool PairFilter::groups_collide(const Entry& a, const Entry& b) const noexcept {
  if (!apart_.empty()) {
    const std::size_t bit = a.group_list * list_count() + b.group_list;
    return (apart_[bit / 64] >> (bit % 64) & 1U) == 0;
  }
  // Most groups say nothing of most others.
  const auto one_way = [](std::uint8_t from, std::uint8_t to) {
    return (from & CollisionGroupTable::kFilters) != 0 &&
           (to & CollisionGroupTable::kFiltered) != 0;
  };
  const bool may_differ = ((a.group_flags | b.group_flags) & CollisionGroupTable::kInverted) != 0 ||
                          one_way(a.group_flags, b.group_flags) ||
                          one_way(b.group_flags, a.group_flags);
  return !may_differ || lists_collide(a.group_list, b.group_list);
}

PairDecision PairFilter::decide(std::int32_t shape_a, std::int32_t shape_b) const noexcept {
  const auto index_a = static_cast<std::size_t>(shape_a);
  const auto index_b = static_cast<std::size_t>(shape_b);
  if (shape_a < 0 || shape_b < 0 || index_a >= entries_.size() || index_b >= entries_.size()) {
    return {false, PairReason::shape_invalid};
  }
  const Entry& a = entries_[index_a];
  const Entry& b = entries_[index_b];
  if (index_a == index_b) return {false, PairReason::same_shape};
  if (!a.usable || !b.usable) return {false, PairReason::shape_invalid};
  if (!a.enabled || !b.enabled) return {false, PairReason::collision_disabled};
  if (a.body == b.body && a.body != kNone) return {false, PairReason::same_body};
  if (a.is_static && b.is_static) return {false, PairReason::both_static};
  // Cheap proof that no rule speaks of the pair; hashes may agree by chance.
  if ((a.partner_mask & b.self_mask) != 0 && (b.partner_mask & a.self_mask) != 0) {
    const std::int32_t rule = find_rule(a, b);
    if (rule != kNone) {
      const auto pairs = static_cast<std::int32_t>(filtered_pairs_.size());
      if (rule < pairs) return {false, PairReason::filtered_pair, rule};
      return {false, PairReason::jointed, rule - pairs};
    }
  }
  if (!groups_collide(a, b)) return {false, PairReason::collision_groups};
  return {};
}

}  // namespace sinew::physics
