// SPDX-License-Identifier: Apache-2.0
// Which bodies and colliders of a robot may not touch.

#include <algorithm>
#include <map>

#include "core/format_text.hpp"
#include "export/robot_import/robot_writer.hpp"

namespace sinew::exporter::robot_import {

// Bodies without a joint between them move as one: the engine takes them for one when it looks for
// contacts, and each next to what carries the whole.
void RobotWriter::find_welds() {
  weld_.resize(robot_.bodies.size(), 0);
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    const RobotBody& body = robot_.bodies[i];
    const bool moves = body.state != BodyState::jointed || !body.joints.empty();
    weld_[i] = moves ? static_cast<std::int32_t>(i) : at(weld_, body.parent);
  }
  for (const auto& [a, b] : robot_.excluded) {
    const std::pair<std::int32_t, std::int32_t> pair = std::minmax({carrier(a), carrier(b)});
    if (pair.first != pair.second) excluded_.insert(pair);
  }
}

// Whether the joint between a body and what carries it keeps them from touching.
bool RobotWriter::joint_filters(std::int32_t body) const {
  if (!robot_.has_masks) return true;
  const std::int32_t parent = carrier(at(robot_.bodies, body).parent);
  if (at(weld_, body) == at(weld_, parent)) return true;
  if (!robot_.neighbours_collide && at(weld_, parent) != 0) return true;
  return excluded_.count(std::minmax(body, parent)) != 0;
}

void RobotWriter::write_filters() {
  if (!robot_.has_masks) return;
  std::map<std::int32_t, std::set<std::int32_t>> pairs;
  const auto add = [&](std::int32_t a, std::int32_t b) {
    const std::int32_t low = std::min(a, b);
    const std::int32_t high = std::max(a, b);
    if (low == high || !out_.budget().spend(64)) return;
    // Those that a joint keeps apart need nothing more.
    const RobotBody& body = at(robot_.bodies, high);
    const bool is_jointed = body.state == BodyState::jointed && low != 0 &&
                            carrier(body.parent) == low && joint_filters(high);
    if (!is_jointed) pairs[high].insert(low);
  };
  for (const auto& [a, b] : excluded_) add(a, b);
  std::map<std::int32_t, std::vector<std::int32_t>> welded;
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    if (is_rigid(static_cast<std::int32_t>(i)))
      welded[weld_[i]].push_back(static_cast<std::int32_t>(i));
  }
  for (const auto& [weld, members] : welded) {
    if (members.size() == 2) add(members[0], members[1]);
    if (members.size() > 2) write_weld(members);
    if (weld == 0 || robot_.neighbours_collide) continue;
    const std::int32_t below = at(weld_, at(robot_.bodies, weld).parent);
    const auto carrying = welded.find(below);
    if (below == 0 || carrying == welded.end()) continue;
    for (const std::int32_t a : members) {
      for (const std::int32_t b : carrying->second) {
        if (is_over()) return;
        add(a, b);
      }
    }
  }
  for (const auto& [body, others] : pairs) {
    std::vector<OutPrim*> targets;
    for (const std::int32_t other : others) {
      OutPrim* const prim = other == 0 ? world_ : at(bodies_, other);
      if (prim != nullptr) targets.push_back(prim);
    }
    if (targets.empty()) continue;
    out_.apply(at(bodies_, body), "PhysicsFilteredPairsAPI");
    out_.relate(at(bodies_, body), "physics:filteredPairs", targets);
  }
  filter_moved_geoms();
}

// What a body excludes holds for those of its geoms that are the world's instead.
void RobotWriter::filter_moved_geoms() {
  std::map<std::int32_t, std::set<std::int32_t>> excluded;
  for (const auto& [a, b] : robot_.excluded) {
    excluded[a].insert(carrier(b));
    excluded[b].insert(carrier(a));
  }
  for (std::size_t i = 0; i < robot_.geoms.size(); ++i) {
    const auto found = excluded.find(robot_.geoms[i].moved_from);
    if (found == excluded.end() || geoms_[i] == nullptr) continue;
    std::vector<OutPrim*> targets;
    for (const std::int32_t other : found->second) {
      if (!out_.budget().spend(64)) return;
      if (other != 0 && at(bodies_, other) != nullptr) targets.push_back(at(bodies_, other));
    }
    if (targets.empty()) continue;
    out_.apply(geoms_[i], "PhysicsFilteredPairsAPI");
    out_.relate(geoms_[i], "physics:filteredPairs", targets);
  }
}

// A group that does not meet itself: every pair of many bodies at once.
void RobotWriter::write_weld(const std::vector<std::int32_t>& members) {
  if (!out_.budget().spend(members.size(), sizeof(OutPrim*))) return;
  OutPrim* const group = out_.add(root_, "PhysicsCollisionGroup", "welded", "welded");
  std::vector<OutPrim*> prims;
  for (const std::int32_t body : members) prims.push_back(at(bodies_, body));
  out_.apply(group, "CollectionAPI:colliders");
  out_.relate(group, "collection:colliders:includes", prims);
  out_.relate(group, "physics:filteredGroups", group);
}

// A group for each pair of bit sets, which says exactly which others it does not meet.
void RobotWriter::write_groups() {
  if (!robot_.has_masks) return;
  using Masks = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Masks, std::vector<OutPrim*>> colliders;
  for (std::size_t i = 0; i < robot_.geoms.size(); ++i) {
    const RobotGeom& geom = robot_.geoms[i];
    if (geom.collides && geom.is_collider && geoms_[i] != nullptr) {
      colliders[{geom.type_bits, geom.affinity_bits}].push_back(geoms_[i]);
    }
  }
  const auto meet = [](const Masks& a, const Masks& b) {
    return (a.first & b.second) != 0 || (b.first & a.second) != 0;
  };
  const std::vector<std::pair<Masks, std::vector<OutPrim*>>> list(colliders.begin(),
                                                                  colliders.end());
  if (!out_.budget().spend(list.size(), list.size())) return;
  bool any = false;
  for (const auto& a : list) {
    for (const auto& b : list) any = any || !meet(a.first, b.first);
  }
  if (!any) return;
  std::vector<OutPrim*> groups;
  for (std::size_t i = 0; i < list.size(); ++i) {
    OutPrim* const group =
        out_.add(root_, "PhysicsCollisionGroup",
                 format_text("bits_{}_{}", list[i].first.first, list[i].first.second), "bits");
    out_.apply(group, "CollectionAPI:colliders");
    out_.relate(group, "collection:colliders:includes", list[i].second);
    groups.push_back(group);
    std::vector<OutPrim*> apart;
    for (std::size_t k = 0; k <= i; ++k) {
      if (!meet(list[i].first, list[k].first)) apart.push_back(groups[k]);
    }
    if (!apart.empty()) out_.relate(group, "physics:filteredGroups", apart);
    if (is_over()) return;
  }
}

}  // namespace sinew::exporter::robot_import
