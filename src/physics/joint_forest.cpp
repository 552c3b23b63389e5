// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/joint_forest.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "physics/articulation_island.hpp"
#include "physics/shared/indexed.hpp"
#include "physics/shared/one_axis.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/joint_frames.hpp"

namespace sinew::physics {
namespace {

class ForestBuilder {
 public:
  ForestBuilder(const PhysicsModel& model, const ForestOptions& options)
      : model_(model), options_(options) {}

  JointForest run() {
    forest_.link_of_body.assign(model_.rigid_bodies.size(), kNone);
    holds_.assign(model_.joints.size(), false);
    connect();
    for (std::int32_t body = 0; body < body_count(); ++body) {
      if (!moves(body)) add_link(body, kNone, kNone);
    }
    for (const ArticulationTree& tree : all_articulation_trees(model_)) add_tree(tree);
    span_rest();
    list_loops();
    return std::move(forest_);
  }

 private:
  std::int32_t body_count() const { return static_cast<std::int32_t>(model_.rigid_bodies.size()); }
  const ForestLink& link_of(std::int32_t body) const {
    return at(forest_.links, at(forest_.link_of_body, body));
  }
  bool is_linked(std::int32_t body) const { return at(forest_.link_of_body, body) != kNone; }
  bool is_disabled(std::int32_t body) const { return !model_.body(body).rigid_body_enabled; }
  bool moves(std::int32_t body) const {
    return !is_disabled(body) && !model_.body(body).kinematic_body;
  }
  // A body that moves, at an end of a joint; kNone for whatever stands still.
  std::int32_t end(std::int32_t joint, int which) const {
    const std::int32_t body = model_.joint(joint).ends[which].body;
    return model_.has_body(body) && !is_disabled(body) ? body : kNone;
  }

  bool is_usable(std::int32_t joint) const {
    const Joint& j = model_.joint(joint);
    return j.is_valid && j.joint_enabled;
  }

  // Whether a joint may hold a link: it locks something, and says so in terms of axes.
  bool can_hold(std::int32_t joint) const {
    const Joint& j = model_.joint(joint);
    if (!is_usable(joint) || j.exclude_from_articulation) return false;
    if (std::holds_alternative<DistanceJoint>(j.kind) ||
        std::holds_alternative<CustomJoint>(j.kind)) {
      return false;
    }
    if (at_extras(joint).is_equality) return false;
    const NormalJoint normal = normal_form(model_, j);
    return std::any_of(normal.dofs.begin() + 1, normal.dofs.end(),
                       [](const DofRule& dof) { return dof.state != DofState::free; }) ||
           std::any_of(normal.dofs.begin() + 1, normal.dofs.end(),
                       [](const DofRule& dof) { return dof.drive.enabled; });
  }
  JointExtras at_extras(std::int32_t joint) const {
    return static_cast<std::size_t>(joint) < model_.joint_extras.size()
               ? at(model_.joint_extras, joint)
               : JointExtras{};
  }

  // Joints by the bodies that they connect, in the order of the model.
  void connect() {
    joints_of_.resize(model_.rigid_bodies.size());
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(model_.joints.size()); ++j) {
      const std::int32_t a = end(j, 0);
      const std::int32_t b = end(j, 1);
      if (a == b || !can_hold(j)) continue;
      if (a != kNone) at(joints_of_, a).push_back(j);
      if (b != kNone) at(joints_of_, b).push_back(j);
      parallel_[std::minmax(a, b)].push_back(j);
    }
  }

  std::int32_t add_link(std::int32_t body, std::int32_t parent, std::int32_t joint) {
    ForestLink link;
    link.body = body;
    link.parent = parent;
    if (!moves(body)) {
      link.state = is_disabled(body) ? LinkState::is_static : LinkState::kinematic;
    } else if (joint != kNone) {
      link.state = LinkState::jointed;
      const std::int32_t a = end(joint, 0);
      const std::int32_t b = end(joint, 1);
      const auto found = parallel_.find(std::minmax(a, b));
      link.joints = {joint};
      if (found != parallel_.end() && found->second.size() > 1 &&
          serial_joints(model_, found->second, options_.stacked)) {
        link.joints = found->second;
      }
      if (parent == kNone && link.joints.size() == 1 && locks_all(joint)) {
        link.state = LinkState::fixed_to_world;
      }
      for (const std::int32_t j : link.joints) at(holds_, j) = true;
    }
    const auto index = static_cast<std::int32_t>(forest_.links.size());
    at(forest_.link_of_body, body) = index;
    forest_.links.push_back(std::move(link));
    return index;
  }

  bool locks_all(std::int32_t joint) const {
    const NormalJoint normal = normal_form(model_, model_.joint(joint));
    return std::all_of(normal.dofs.begin() + 1, normal.dofs.end(), [](const DofRule& dof) {
      return dof.state == DofState::locked ||
             (dof.state == DofState::limited && dof.lower >= dof.upper);
    });
  }

  // The first joint that holds a body to the world, to a disabled body or to a static collider.
  std::int32_t anchor_of(std::int32_t body) const {
    for (const std::int32_t j : at(joints_of_, body)) {
      if ((end(j, 0) == kNone) != (end(j, 1) == kNone)) return j;
    }
    return kNone;
  }

  // A body that its tree does not hold hangs on the world if a joint holds it there. Else the base
  // is free, and any other body is left to what may hold it besides. A kinematic base carries what
  // hangs on it, as the world would.
  void add_tree(const ArticulationTree& tree) {
    std::vector<std::int32_t> index(tree.links.size(), kNone);
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const ArticulationLink& link = tree.links[i];
      if (is_linked(link.body)) {
        index[i] = at(forest_.link_of_body, link.body);
        continue;
      }
      const bool is_base = link.parent == kNone;
      const std::int32_t parent = is_base ? kNone : at(index, link.parent);
      const bool carries = is_base || (parent != kNone && carries_in(tree, link.parent));
      const bool held = link.joint != kNone && can_hold(link.joint) && carries;
      const std::int32_t joint = held ? link.joint : anchor_of(link.body);
      if (joint == kNone && !is_base) {
        unheld_.push_back(link.body);
        continue;
      }
      index[i] = add_link(link.body, held ? parent : kNone, joint);
    }
  }

  bool carries_in(const ArticulationTree& tree, std::int32_t parent) const {
    const ArticulationLink& link = at(tree.links, parent);
    return moves(link.body) || (link.parent == kNone && !is_disabled(link.body));
  }

  void span_rest() {
    std::vector<std::int32_t> queue;
    const auto spread = [&] {
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const std::int32_t body = queue[next];
        for (const std::int32_t j : at(joints_of_, body)) {
          const std::int32_t other = end(j, 0) == body ? end(j, 1) : end(j, 0);
          if (other == kNone || is_linked(other) || !moves(other)) continue;
          add_link(other, at(forest_.link_of_body, body), j);
          queue.push_back(other);
        }
      }
      queue.clear();
    };
    for (std::int32_t body = 0; body < body_count(); ++body) {
      if (is_linked(body)) continue;
      const std::int32_t anchor = anchor_of(body);
      if (anchor == kNone) continue;
      add_link(body, kNone, anchor);
      queue.push_back(body);
    }
    spread();
    // What hangs on an articulation without being part of it, then what floats.
    for (const ForestLink& link : forest_.links) {
      if (moves(link.body)) queue.push_back(link.body);
    }
    spread();
    const auto float_off = [&](std::int32_t body) {
      if (is_linked(body)) return;
      add_link(body, kNone, kNone);
      queue.push_back(body);
      spread();
    };
    for (const std::int32_t body : unheld_) float_off(body);
    for (std::int32_t body = 0; body < body_count(); ++body) float_off(body);
  }

  void list_loops() {
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(model_.joints.size()); ++j) {
      if (!is_usable(j) || at(holds_, j)) continue;
      if (end(j, 0) == end(j, 1)) continue;
      forest_.loop_joints.push_back(j);
    }
  }

  const PhysicsModel& model_;
  const ForestOptions options_;
  JointForest forest_;
  std::vector<std::vector<std::int32_t>> joints_of_;  // Per body, those that can hold.
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> parallel_;
  std::vector<bool> holds_;
  std::vector<std::int32_t> unheld_;  // Of trees, parents first.
};

}  // namespace

bool serial_joints(const PhysicsModel& model, const std::vector<std::int32_t>& joints,
                   StackedJoints stacked) noexcept {
  if (stacked == StackedJoints::never) return false;
  return std::all_of(joints.begin(), joints.end(), [&](std::int32_t j) {
    if (!model.has_joint(j)) return false;
    const Joint& joint = model.joint(j);
    if (!has_one_axis(joint) || !joint.is_valid || !joint.joint_enabled ||
        joint.exclude_from_articulation) {
      return false;
    }
    const bool known = static_cast<std::size_t>(j) < model.joint_extras.size();
    if (known && at(model.joint_extras, j).is_equality) return false;
    return stacked == StackedJoints::always || (known && at(model.joint_extras, j).stacks);
  });
}

JointForest joint_forest(const PhysicsModel& model, const ForestOptions& options) {
  return ForestBuilder(model, options).run();
}

std::vector<std::int32_t> JointForest::links_below(std::int32_t link) const {
  std::vector<std::int32_t> result;
  if (link < 0 || static_cast<std::size_t>(link) >= links.size()) return result;
  std::vector<bool> below(links.size(), false);
  for (std::size_t i = static_cast<std::size_t>(link); i < links.size(); ++i) {
    const std::int32_t parent = links[i].parent;
    below[i] = static_cast<std::int32_t>(i) == link ||
               (parent >= 0 && static_cast<std::size_t>(parent) < i && at(below, parent));
    if (below[i]) result.push_back(static_cast<std::int32_t>(i));
  }
  return result;
}

}  // namespace sinew::physics
