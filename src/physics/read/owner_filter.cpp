// SPDX-License-Identifier: Apache-2.0
#include "physics/read/owner_filter.hpp"
#include "physics/shared/indexed.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::physics {

namespace {

// Which elements of a list stay, and where they go.
class Selection {
 public:
  template <typename T, typename Predicate>
  Selection(const std::vector<T>& items, Predicate keep) {
    indices_.reserve(items.size());
    for (const T& item : items) indices_.push_back(keep(item) ? kept_++ : kNone);
  }

  bool keeps(std::int32_t index) const { return at(indices_, index) != kNone; }
  std::int32_t kept() const noexcept { return kept_; }

  /// What is not an index into the list stays as it is.
  void renumber(std::int32_t& index) const {
    if (index >= 0 && static_cast<std::size_t>(index) < indices_.size()) {
      index = at(indices_, index);
    }
  }
  void renumber(std::vector<std::int32_t>& list) const {
    for (std::int32_t& index : list) renumber(index);
  }

  template <typename T>
  void apply(std::vector<T>& items) const {
    std::size_t to = 0;
    for (std::size_t from = 0; from < items.size(); ++from) {
      if (indices_[from] == kNone) continue;
      if (to != from) items[to] = std::move(items[from]);
      ++to;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(to), items.end());
  }

 private:
  std::vector<std::int32_t> indices_;
  std::int32_t kept_ = 0;
};

// What the owners that are asked for mean to the objects of a model.
class Owners {
 public:
  Owners(const PhysicsModel& model, std::span<const std::string> owners)
      : owners_(owners), keeps_unowned_(wanted("")) {
    // Documented rules: the only scene there is owns what names none.
    if (model.rules == Rules::documented && model.scenes.size() == 1) {
      keeps_unowned_ = wanted(model.scenes.front().path);
    }
  }

  bool wanted(std::string_view scene) const {
    return std::find(owners_.begin(), owners_.end(), scene) != owners_.end();
  }
  bool own(const std::vector<Text>& scenes) const {
    if (scenes.empty()) return keeps_unowned_;
    return std::any_of(scenes.begin(), scenes.end(),
                       [&](std::string_view scene) { return !scene.empty() && wanted(scene); });
  }

 private:
  std::span<const std::string> owners_;
  bool keeps_unowned_;
};

bool keeps_joint(const Joint& joint, const Selection& bodies, Rules rules) {
  const auto keeps_end = [&](const JointEnd& end) {
    if (end.body_path.empty()) return true;
    // Documented rules: a static end takes the owner of the dynamic one.
    if (end.body == kNone) return rules == Rules::documented;
    return bodies.keeps(end.body);
  };
  return joint.is_valid && std::all_of(std::begin(joint.ends), std::end(joint.ends), keeps_end);
}

bool keeps_articulation(const Articulation& articulation, const Selection& bodies) {
  return !articulation.is_valid ||
         std::all_of(articulation.bodies.begin(), articulation.bodies.end(),
                     [&](std::int32_t body) { return body == kNone || bodies.keeps(body); });
}

// Mass nodes number the shapes that are not reported after all that are.
void renumber_nodes(PhysicsModel& model, const Selection& shapes) {
  const auto all = static_cast<std::int32_t>(model.shapes.size());
  for (MassNode& node : model.mass_nodes) {
    if (node.shape >= all) {
      node.shape += shapes.kept() - all;
    } else {
      shapes.renumber(node.shape);
    }
  }
}

// What dialects add to bodies and joints goes with them; markers that stand still stay.
void keep_couplings(PhysicsModel& model, const Selection& bodies, const Selection& joints) {
  std::erase_if(model.mimics, [&](const Mimic& mimic) {
    return !joints.keeps(mimic.follower) || !joints.keeps(mimic.leader);
  });
  for (Mimic& mimic : model.mimics) {
    joints.renumber(mimic.follower);
    joints.renumber(mimic.leader);
  }
  std::erase_if(model.actuators, [&](const Actuator& actuator) {
    return actuator.joint != kNone && !joints.keeps(actuator.joint);
  });
  for (Actuator& actuator : model.actuators) joints.renumber(actuator.joint);
  std::erase_if(model.sites,
                [&](const Site& site) { return site.body != kNone && !bodies.keeps(site.body); });
  for (Site& site : model.sites) bodies.renumber(site.body);
}

}  // namespace

void keep_owned(PhysicsModel& model, std::span<const std::string> owners) {
  const Owners asked(model, owners);
  const Selection scenes(model.scenes,
                         [&](const Scene& scene) { return asked.wanted(scene.path); });

  const Selection bodies(model.rigid_bodies, [&](const RigidBody& body) {
    return body.is_valid && asked.own(body.simulation_owner_paths);
  });
  const Selection shapes(model.shapes, [&](const Shape& shape) {
    return shape.is_valid && (shape.body != kNone ? bodies.keeps(shape.body)
                                                  : asked.own(shape.simulation_owner_paths));
  });
  const Selection joints(
      model.joints, [&](const Joint& joint) { return keeps_joint(joint, bodies, model.rules); });
  const Selection articulations(model.articulations, [&](const Articulation& articulation) {
    return keeps_articulation(articulation, bodies);
  });

  renumber_nodes(model, shapes);
  scenes.apply(model.scenes);
  bodies.apply(model.rigid_bodies);
  shapes.apply(model.shapes);
  joints.apply(model.joints);
  articulations.apply(model.articulations);
  scenes.apply(model.scene_extras);
  bodies.apply(model.body_extras);
  shapes.apply(model.shape_extras);
  joints.apply(model.joint_extras);
  articulations.apply(model.articulation_extras);
  keep_couplings(model, bodies, joints);
  for (RigidBody& body : model.rigid_bodies) shapes.renumber(body.shapes);
  for (Shape& shape : model.shapes) bodies.renumber(shape.body);
  for (Joint& joint : model.joints) {
    for (JointEnd& end : joint.ends) bodies.renumber(end.body);
  }
  for (Articulation& articulation : model.articulations) {
    bodies.renumber(articulation.bodies);
    joints.renumber(articulation.joints);
  }
}

}  // namespace sinew::physics
