// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/engine_parts.hpp"

#include <algorithm>
#include <cstddef>

#include "physics/shared/frames.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {

std::vector<EngineBody> engine_bodies(const PhysicsModel& model, std::span<const BodyMass> masses) {
  std::vector<EngineBody> result(model.rigid_bodies.size() + 1);
  for (const BodyMass& mass : masses) {
    if (model.has_body(mass.body)) at(result, mass.body + 1).mass = mass_frame(mass);
  }
  for (std::size_t i = 0; i < model.rigid_bodies.size(); ++i) {
    const RigidBody& from = model.rigid_bodies[i];
    EngineBody& to = result[i + 1];
    to.body = static_cast<std::int32_t>(i);
    to.moves = from.rigid_body_enabled && !from.kinematic_body && to.mass.usable;
    if (!to.moves) to.mass = {};
    to.pose = from.pose;
    const Quatd world = to_frame(from.pose).rotation;
    to.velocity = (world * from.linear_velocity.cast<double>()).cast<float>();
    to.angular_velocity = (world * from.angular_velocity.cast<double>()).cast<float>();
  }
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    const Shape& shape = model.shapes[i];
    if (!shape.is_valid || !shape.collision_enabled) continue;
    const std::int32_t body = model.has_body(shape.body) ? shape.body : kNone;
    EngineBody& to = at(result, body + 1);
    to.colliders.push_back(static_cast<std::int32_t>(i));
    if (to.friction || shape.bound_material == kNone) continue;
    const RigidBodyMaterial& material = at(model.materials, shape.bound_material);
    to.friction = std::max(0.0F, material.dynamic_friction);
    to.restitution = std::clamp(material.restitution, 0.0F, 1.0F);
  }
  return result;
}

std::vector<EngineJoint> engine_joints(const PhysicsModel& model) {
  std::vector<EngineJoint> result;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const NormalJoint form = twist_about_x(normal_form(model, model.joints[i]));
    if (!form.enabled || form.bodies[0] == form.bodies[1]) continue;
    EngineJoint& joint = result.emplace_back();
    joint.joint = static_cast<std::int32_t>(i);
    joint.form = form;
    for (int end = 0; end < 2; ++end) {
      joint.bodies[end] = static_cast<std::size_t>(form.bodies[end] + 1);
      joint.world[end] =
          to_pose(compose(body_frame(model, form.bodies[end]), to_frame(form.frames[end])));
    }
  }
  return result;
}

}  // namespace sinew::physics
