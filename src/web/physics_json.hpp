// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/physics/mass.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "web/json_writer.hpp"

namespace sinew::web {

/// Writes a model: gravity, scenes, materials, bodies with their mass, colliders, joints as
/// authored and in one form, articulations, groups. Members are named as the tool names them.
/// @param masses  Those of body_masses() for this model.
void write_physics(JsonWriter& json, const physics::PhysicsModel& model,
                   std::span<const physics::BodyMass> masses);

/// Writes the mass of every body, each step that led to it, and the explanation for people.
void write_masses(JsonWriter& json, const physics::PhysicsModel& model,
                  std::span<const physics::BodyMass> masses);

/// Writes whether any of some colliders touches any of others, and every reason that was found.
void write_collision(JsonWriter& json, const physics::PhysicsModel& model,
                     const physics::PairFilter& filter, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second);

}  // namespace sinew::web
