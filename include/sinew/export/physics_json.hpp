// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/core/export.hpp"
#include "sinew/export/json.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

/// What is told of a physics model.
enum class PhysicsJsonForm : std::uint8_t {
  /// The descriptors, field by field: what `sinew physics --json` prints.
  descriptors,
  /// All of their members and what an engine wants besides: gravity and angles of the model,
  /// velocities of the world, materials and bodies of shapes by index, boxes and balls of meshes
  /// that stand for them, scaled points, every joint in one form and its frames in the world.
  resolved,
};

/// Writes the members of an object that describes a model: units, scenes, materials, collision
/// groups, rigid bodies, shapes, joints, articulations, sites, actuators and the mass of each body.
/// The caller begins and ends the object. Members are named for the attributes of USD where it has
/// them; integers that stand for objects are indices into the lists, -1 for none.
/// @param masses  Those of physics::body_masses() for this model.
SINEW_API void write_physics_json(JsonSink& json, const physics::PhysicsModel& model,
                                  std::span<const physics::BodyMass> masses, PhysicsJsonForm form);

/// Writes a list of the mass of every body with each step that led to it, and the explanation for
/// people, physics::explain_mass().
/// @param masses  Those of physics::body_masses() for this model.
SINEW_API void write_masses_json(JsonSink& json, const physics::PhysicsModel& model,
                                 std::span<const physics::BodyMass> masses);

}  // namespace sinew::exporter
