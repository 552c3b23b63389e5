// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/sort.hpp"
#include "physics/pair_filter_impl.hpp"
#include "physics/path_order.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {

class PairFilter::Builder {
 public:
  Builder(const PhysicsModel& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  PairFilter run() {
    filter_.groups = CollisionGroupTable::build(model_.group_prims, diagnostics_);
    read_bodies();
    collect_rules();
    make_prim_nodes();
    make_body_nodes();
    connect_rules();
    enter_shapes();
    assign_groups();
    compare_groups();
    PairFilter result;
    result.impl_ = std::make_shared<const Impl>(std::move(filter_));
    return result;
  }

 private:
  // A set of shapes before it has a node: a prim path, or a body, or an articulation.
  struct Side {
    std::string_view prim;
    std::int32_t body = kNone;
    std::int32_t articulation = kNone;
  };
  struct Rule {
    Side a;
    Side b;
    std::int32_t number;
  };

  void read_bodies();
  void collect_rules();
  void add_filtered_pairs(const Text& owner, const std::vector<Text>& targets);
  void make_prim_nodes();
  void make_body_nodes();
  void connect_rules();
  void enter_shapes();
  void assign_groups();
  void compare_groups();
  std::int32_t node_of(const Side& side);
  // Where a name is among those met of late: pairs repeat few names very often.
  std::size_t recent_place(std::string_view name) const noexcept {
    std::uint32_t hash = 2166136261U;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    return (hash ^ (hash >> 15U)) & (recent_nodes_.size() - 1);
  }
  std::int32_t valid_body(std::int32_t body) const { return model_.has_body(body) ? body : kNone; }
  static std::uint64_t bit(std::int32_t node) {
    return std::uint64_t{1} << ((static_cast<std::uint64_t>(node) * 0x9E3779B97F4A7C15ULL) >> 58U);
  }
  std::int32_t new_node() {
    filter_.nodes.emplace_back();
    return static_cast<std::int32_t>(filter_.nodes.size()) - 1;
  }

  const PhysicsModel& model_;
  Diagnostics& diagnostics_;
  Impl filter_;
  std::map<std::string_view, std::int32_t> articulations_;  // By path.
  std::vector<Rule> rules_;
  std::vector<std::string_view> prims_;          // Sorted; the node of prims_[i] is i.
  std::vector<std::int32_t> recent_nodes_;       // By recent_place().
  std::vector<std::int32_t> body_node_;          // Per body; kNone without one.
  std::vector<std::int32_t> articulation_node_;  // Per articulation.
  std::vector<std::uint64_t> partner_mask_;      // Per node.
};

void PairFilter::Builder::read_bodies() {
  filter_.entries.resize(model_.shapes.size());
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const Shape& shape = model_.shapes[i];
    Impl::Entry& entry = filter_.entries[i];
    entry.body = valid_body(shape.body);
    entry.usable = shape.is_valid;
    entry.enabled = shape.collision_enabled;
    entry.is_static = entry.body == kNone || !model_.body(entry.body).rigid_body_enabled;
  }
  for (std::size_t i = 0; i < model_.articulations.size(); ++i) {
    articulations_.try_emplace(model_.articulations[i].path, static_cast<std::int32_t>(i));
  }
}

void PairFilter::Builder::add_filtered_pairs(const Text& owner, const std::vector<Text>& targets) {
  const auto articulation = [&](std::string_view path) {
    const auto found = articulations_.find(path);
    return found == articulations_.end() ? kNone : found->second;
  };
  const std::int32_t of_owner = articulation(owner);
  for (const Text& target : targets) {
    const auto number = static_cast<std::int32_t>(filter_.filtered_pairs.size());
    filter_.filtered_pairs.push_back({owner, target});
    // The views refer to the model, whose strings stay where they are.
    const Side sides[2][2] = {{{owner}, {{}, kNone, of_owner}},
                              {{target}, {{}, kNone, articulation(target)}}};
    for (const Side& a : sides[0]) {
      if (a.prim.empty() && a.articulation == kNone) continue;
      for (const Side& b : sides[1]) {
        if (b.prim.empty() && b.articulation == kNone) continue;
        rules_.push_back({a, b, number});
      }
    }
  }
}

void PairFilter::Builder::collect_rules() {
  std::size_t pair_count = 0;
  const auto count = [&](const auto& owners) {
    for (const auto& owner : owners) pair_count += owner.filtered_collision_paths.size();
  };
  count(model_.rigid_bodies);
  count(model_.shapes);
  count(model_.articulations);
  filter_.filtered_pairs.reserve(pair_count);
  rules_.reserve(pair_count + model_.joints.size());
  for (const RigidBody& body : model_.rigid_bodies) {
    add_filtered_pairs(body.path, body.filtered_collision_paths);
  }
  for (const Shape& shape : model_.shapes) {
    add_filtered_pairs(shape.path, shape.filtered_collision_paths);
  }
  for (std::size_t i = 0; i < model_.articulations.size(); ++i) {
    const Articulation& articulation = model_.articulations[i];
    const std::vector<Text>& targets = articulation.filtered_collision_paths;
    add_filtered_pairs(articulation.path, targets);
    // What a dialect says of one is a pair of its root with itself, the last one.
    const bool is_apart = i < model_.articulation_extras.size() &&
                          !model_.articulation_extras[i].self_collision.value_or(true);
    if (is_apart && !targets.empty() && targets.back() == articulation.path) {
      filter_.self_pairs.push_back(static_cast<std::int32_t>(filter_.filtered_pairs.size()) - 1);
    }
  }
  const auto pairs = static_cast<std::int32_t>(filter_.filtered_pairs.size());
  for (std::size_t i = 0; i < model_.joints.size(); ++i) {
    const Joint& joint = model_.joints[i];
    if (!joint.is_valid || !joint.joint_enabled || joint.collision_enabled) continue;
    if (joint.ends[0].prim_path.empty() || joint.ends[1].prim_path.empty()) continue;
    // A body stands for the shapes it carries; without one, the static prims below the relation.
    const auto side = [&](const JointEnd& end) {
      if (model_.has_body(end.body)) return Side{{}, end.body, kNone};
      return Side{(end.body_path.empty() ? end.prim_path : end.body_path).view(), kNone, kNone};
    };
    rules_.push_back(
        {side(joint.ends[0]), side(joint.ends[1]), pairs + static_cast<std::int32_t>(i)});
  }
}

// Sorted by path, the prims of the rules form a forest that one pass with a stack links up.
void PairFilter::Builder::make_prim_nodes() {
  // The same names stand in very many pairs: most are left out before they are sorted.
  constexpr std::size_t kMostRecent = std::size_t{1} << 14;
  recent_nodes_.assign(std::bit_ceil(std::min(rules_.size() + 1, kMostRecent)), kNone);
  std::vector<std::string_view> recent(recent_nodes_.size());
  const auto add = [&](std::string_view prim) {
    std::string_view& known = recent[recent_place(prim)];
    if (prim.empty() || known == prim) return;
    known = prim;
    prims_.push_back(prim);
  };
  for (const Rule& rule : rules_) {
    add(rule.a.prim);
    add(rule.b.prim);
  }
  sort_range(prims_.begin(), prims_.end());
  prims_.erase(std::unique(prims_.begin(), prims_.end()), prims_.end());
  std::int32_t above = kNone;
  for (const std::string_view prim : prims_) {
    while (above != kNone && !is_at_or_below(prim, at(prims_, above))) {
      above = at(filter_.nodes, above).parent;
    }
    const std::int32_t node = new_node();
    at(filter_.nodes, node).parent = above;
    above = node;
  }
}

void PairFilter::Builder::make_body_nodes() {
  std::vector<std::pair<std::int32_t, std::int32_t>> memberships;  // (body, node)
  body_node_.assign(model_.rigid_bodies.size(), kNone);
  articulation_node_.assign(model_.articulations.size(), kNone);
  for (const Rule& rule : rules_) {
    for (const Side* side : {&rule.a, &rule.b}) {
      if (side->body != kNone && at(body_node_, side->body) == kNone) {
        const std::int32_t node = new_node();
        at(body_node_, side->body) = node;
        memberships.emplace_back(side->body, node);
      }
      if (side->articulation != kNone && at(articulation_node_, side->articulation) == kNone) {
        const std::int32_t node = new_node();
        at(articulation_node_, side->articulation) = node;
        const auto index = static_cast<std::size_t>(side->articulation);
        for (const std::int32_t body : model_.articulations[index].bodies) {
          if (valid_body(body) != kNone) memberships.emplace_back(body, node);
        }
      }
    }
  }
  sort_range(memberships.begin(), memberships.end());
  memberships.erase(std::unique(memberships.begin(), memberships.end()), memberships.end());
  filter_.first_body_node.assign(model_.rigid_bodies.size() + 1, 0);
  for (const auto& [body, node] : memberships) {
    ++filter_.first_body_node[static_cast<std::size_t>(body) + 1];
    filter_.all_body_nodes.push_back(node);
  }
  std::partial_sum(filter_.first_body_node.begin(), filter_.first_body_node.end(),
                   filter_.first_body_node.begin());
}

std::int32_t PairFilter::Builder::node_of(const Side& side) {
  if (side.body != kNone) return at(body_node_, side.body);
  if (side.articulation != kNone) return at(articulation_node_, side.articulation);
  std::int32_t& known = recent_nodes_[recent_place(side.prim)];
  if (known == kNone || at(prims_, known) != side.prim) {
    const auto found = std::lower_bound(prims_.begin(), prims_.end(), side.prim);
    known = static_cast<std::int32_t>(found - prims_.begin());
  }
  return known;
}

void PairFilter::Builder::connect_rules() {
  partner_mask_.assign(filter_.nodes.size(), 0);
  for (const Rule& rule : rules_) {
    const std::int32_t a = node_of(rule.a);
    const std::int32_t b = node_of(rule.b);
    at(partner_mask_, a) |= bit(b);
    at(partner_mask_, b) |= bit(a);
    filter_.rules.insert(static_cast<std::uint32_t>(std::min(a, b)),
                         static_cast<std::uint32_t>(std::max(a, b)), rule.number);
  }
}

// Finds the deepest prim node above every shape, both in path order, and gathers the masks.
void PairFilter::Builder::enter_shapes() {
  // A node's mask of itself and all nodes above it, and of their partners.
  std::vector<std::uint64_t> self(filter_.nodes.size(), 0);
  std::vector<std::uint64_t> partners = partner_mask_;
  for (std::size_t i = 0; i < filter_.nodes.size(); ++i) {
    self[i] = bit(static_cast<std::int32_t>(i));
    const std::int32_t parent = filter_.nodes[i].parent;
    if (parent == kNone) continue;
    self[i] |= at(self, parent);
    partners[i] |= at(partners, parent);
  }
  std::vector<std::uint32_t> order(model_.shapes.size());
  std::iota(order.begin(), order.end(), 0U);
  if (!prims_.empty()) {
    sort_range(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return model_.shapes[a].path < model_.shapes[b].path;
    });
  }
  std::size_t next = 0;
  std::int32_t above = kNone;
  for (const std::uint32_t index : order) {
    const std::string_view path = model_.shapes[index].path;
    while (next < prims_.size() && prims_[next] <= path) above = static_cast<std::int32_t>(next++);
    std::int32_t node = above;
    while (node != kNone && !is_at_or_below(path, at(prims_, node))) {
      node = at(filter_.nodes, node).parent;
    }
    above = node;
    Impl::Entry& entry = filter_.entries[index];
    entry.prim_node = node;
    if (node != kNone) {
      entry.self_mask = at(self, node);
      entry.partner_mask = at(partners, node);
    }
    for (const std::int32_t n : filter_.body_nodes(entry.body)) {
      entry.self_mask |= at(self, n);
      entry.partner_mask |= at(partners, n);
    }
  }
}

// Shapes that are members of the same groups share one list of merge ids.
void PairFilter::Builder::assign_groups() {
  std::map<std::vector<std::uint32_t>, std::uint32_t> lists;
  std::vector<std::uint32_t> ids;
  const CollisionGroupTable::Impl& rules = filter_.group_rules();
  filter_.first_group = {0, 0};
  lists.emplace(ids, 0U);
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    ids.clear();
    Impl::Entry& entry = filter_.entries[i];
    for (const Text& path : model_.shapes[i].collision_group_paths) {
      const std::int32_t group = rules.find(path);
      if (group != kNone) ids.push_back(at(rules.ids, group));
    }
    sort_range(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const auto [found, added] = lists.try_emplace(ids, static_cast<std::uint32_t>(lists.size()));
    if (added) {
      filter_.group_lists.insert(filter_.group_lists.end(), ids.begin(), ids.end());
      filter_.first_group.push_back(static_cast<std::uint32_t>(filter_.group_lists.size()));
    }
    entry.group_list = found->second;
    for (const std::uint32_t id : ids) entry.group_flags |= rules.flags[id];
  }
}

// Decides every pair of lists beforehand, unless that takes longer than the rest.
void PairFilter::Builder::compare_groups() {
  constexpr std::size_t kMostLists = 1024;  // 128 KiB of bits.
  const std::size_t lists = filter_.list_count();
  const std::size_t ids = filter_.group_lists.size();
  const std::size_t affordable = 8 * model_.shapes.size() + 16384;
  if (lists == 1 || lists > kMostLists || ids > affordable / ids) return;
  filter_.apart.assign((lists * lists + 63) / 64, 0);
  for (std::uint32_t a = 0; a < lists; ++a) {
    for (std::uint32_t b = 0; b < lists; ++b) {
      const std::size_t bit = a * lists + b;
      const auto apart = static_cast<std::uint64_t>(!filter_.lists_collide(a, b));
      filter_.apart[bit / 64] |= apart << (bit % 64);
    }
  }
}

PairFilter PairFilter::build(const PhysicsModel& model, Diagnostics& diagnostics) {
  return Builder(model, diagnostics).run();
}

}  // namespace sinew::physics
