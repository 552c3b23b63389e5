// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/pair_filter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "physics/pair_filter_impl.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {

std::string_view to_string(PairReason reason) noexcept {
  static constexpr std::array<std::string_view, 10> kNames = {
      "collide",     "same-shape",    "shape-invalid", "collision-disabled", "same-body",
      "both-static", "filtered-pair", "jointed",       "collision-groups",   "self-collision"};
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : std::string_view{};
}

std::span<const std::int32_t> PairFilter::Impl::body_nodes(std::int32_t body) const noexcept {
  if (body == kNone || all_body_nodes.empty()) return {};
  const auto index = static_cast<std::size_t>(body);
  return std::span(all_body_nodes)
      .subspan(first_body_node[index], first_body_node[index + 1] - first_body_node[index]);
}

template <typename Visit>
void PairFilter::Impl::for_each_node(const Entry& entry, Visit&& visit) const noexcept {
  std::int32_t node = entry.prim_node;
  for (; node != kNone; node = at(nodes, node).parent) visit(node);
  for (const std::int32_t body_node : body_nodes(entry.body)) visit(body_node);
}

std::span<const std::uint32_t> PairFilter::Impl::group_ids(std::uint32_t list) const noexcept {
  return std::span(group_lists)
      .subspan(first_group[list], first_group[list + 1] - first_group[list]);
}

// The rule between two shapes, or kNone. Of several the lowest is told, so that their order does
// not matter.
std::int32_t PairFilter::Impl::find_rule(const Entry& a, const Entry& b) const noexcept {
  std::int32_t best = kNone;
  for_each_node(a, [&](std::int32_t x) {
    for_each_node(b, [&](std::int32_t y) {
      const auto low = static_cast<std::uint32_t>(std::min(x, y));
      const auto high = static_cast<std::uint32_t>(std::max(x, y));
      const std::int32_t rule = rules.find(low, high);
      if (rule != kNone && (best == kNone || rule < best)) best = rule;
    });
  });
  return best;
}

bool PairFilter::Impl::lists_collide(std::uint32_t list_a, std::uint32_t list_b) const noexcept {
  for (const std::uint32_t x : group_ids(list_a)) {
    for (const std::uint32_t y : group_ids(list_b)) {
      if (!group_rules().ids_enabled(x, y)) return false;
    }
  }
  return true;
}

PairDecision PairFilter::Impl::decide(std::size_t shape_a, std::size_t shape_b) const noexcept {
  const Entry& a = entries[shape_a];
  const Entry& b = entries[shape_b];
  if (shape_a == shape_b) return {false, PairReason::same_shape};
  if (!a.usable || !b.usable) return {false, PairReason::shape_invalid};
  if (!a.enabled || !b.enabled) return {false, PairReason::collision_disabled};
  if (a.body == b.body && a.body != kNone) return {false, PairReason::same_body};
  if (a.is_static && b.is_static) return {false, PairReason::both_static};
  const std::int32_t rule = may_have_rule(a, b) ? find_rule(a, b) : kNone;
  if (rule != kNone) {
    const auto pairs = static_cast<std::int32_t>(filtered_pairs.size());
    if (rule < pairs) {
      const bool is_own = std::binary_search(self_pairs.begin(), self_pairs.end(), rule);
      return {false, is_own ? PairReason::self_collision : PairReason::filtered_pair, rule};
    }
    return {false, PairReason::jointed, rule - pairs};
  }
  if (!groups_collide(a, b)) return {false, PairReason::collision_groups};
  return {};
}

PairDecision PairFilter::decide(std::int32_t shape_a, std::int32_t shape_b) const noexcept {
  if (impl_ == nullptr || !impl_->has_shape(shape_a) || !impl_->has_shape(shape_b)) {
    return {false, PairReason::shape_invalid};
  }
  return impl_->decide(static_cast<std::size_t>(shape_a), static_cast<std::size_t>(shape_b));
}

// What decide() asks, the cheapest first; what entries say is not worth a jump each. A shape and
// itself have the same body, or none: then they are static.
bool PairFilter::collides(std::int32_t shape_a, std::int32_t shape_b) const noexcept {
  if (impl_ == nullptr || !impl_->has_shape(shape_a) || !impl_->has_shape(shape_b)) return false;
  const Impl::Entry& a = at(impl_->entries, shape_a);
  const Impl::Entry& b = at(impl_->entries, shape_b);
  const bool take_part = a.usable & a.enabled & b.usable & b.enabled;
  const bool are_apart = (a.body != b.body) & !(a.is_static & b.is_static);
  return (take_part & are_apart) && impl_->groups_collide(a, b) &&
         !(Impl::may_have_rule(a, b) && impl_->find_rule(a, b) != kNone);
}

bool PairFilter::has_rules(std::int32_t shape) const noexcept {
  if (impl_ == nullptr || !impl_->has_shape(shape)) return false;
  const Impl::Entry& entry = at(impl_->entries, shape);
  return entry.partner_mask != 0 || impl_->has_groups(entry);
}

std::span<const FilteredPair> PairFilter::filtered_pairs() const noexcept {
  if (impl_ == nullptr) return {};
  return impl_->filtered_pairs;
}

CollisionGroupTable PairFilter::groups() const noexcept {
  return impl_ == nullptr ? CollisionGroupTable() : impl_->groups;
}

}  // namespace sinew::physics
