// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/initial_state.hpp"

#include <algorithm>
#include <limits>

#include "physics/shared/frames.hpp"

namespace sinew::physics {

std::vector<LinkStart> initial_state(const PhysicsModel& model, const JointForest& forest) {
  std::vector<LinkStart> result(forest.links.size());
  for (std::size_t i = 0; i < forest.links.size(); ++i) {
    const ForestLink& link = forest.links[i];
    if (!model.has_body(link.body)) continue;
    const RigidBody& body = model.body(link.body);
    const Quatd world = to_frame(body.pose).rotation;
    result[i].velocity = world * body.linear_velocity.cast<double>();
    result[i].angular_velocity = world * body.angular_velocity.cast<double>();
    for (const std::int32_t j : link.joints) {
      for (const LinkDof& dof : link_joint(model, j, link.body).dofs) {
        DofState0& state = result[i].dofs.emplace_back();
        state.dof = dof.dof;
        state.joint = j;
        state.position = dof.start;
        const DofExtras said = model.dof_extras(j, dof.dof);
        if (said.start) state.stated = static_cast<double>(*said.start);
        if (said.start_velocity) state.velocity = static_cast<double>(*said.start_velocity);
      }
    }
  }
  return result;
}

Gravity model_gravity(const PhysicsModel& model) noexcept {
  if (model.scenes.empty()) {
    return resolve_gravity(Vector3f::Zero(), -std::numeric_limits<float>::infinity(), model.units,
                           model.rules);
  }
  std::vector<std::size_t> bodies(model.scenes.size(), 0);
  for (const RigidBody& body : model.rigid_bodies) {
    for (std::size_t i = 0; i < model.scenes.size(); ++i) {
      for (const Text& owner : body.simulation_owner_paths) {
        if (owner == model.scenes[i].path) ++bodies[i];
      }
    }
  }
  const auto most = std::max_element(bodies.begin(), bodies.end()) - bodies.begin();
  const Scene& scene = model.scenes[static_cast<std::size_t>(most)];
  return {scene.gravity_direction, scene.gravity_magnitude};
}

}  // namespace sinew::physics
