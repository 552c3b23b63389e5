// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

// The parts of a model as engines take them that number bodies and hold them together by
// constraints. For those that build trees there is joint_forest.hpp.

/// A body, or the world: all that belongs to none.
struct EngineBody {
  std::int32_t body = kNone;  ///< Into PhysicsModel::rigid_bodies; kNone: the world.
  /// Whether forces move it: enabled, not kinematic, and of a mass that MassFrame calls usable. All
  /// else stands still until the application moves it.
  bool moves = false;
  Pose pose;                                     ///< Of the body's frame, in world space.
  MassFrame mass;                                ///< Of what moves; else all 0, and identity.
  Vector3f velocity = Vector3f::Zero();          ///< Of the centre of mass, in world space.
  Vector3f angular_velocity = Vector3f::Zero();  ///< In world space. Angle / s.
  /// Into PhysicsModel::shapes: those of it that are valid and switched on.
  std::vector<std::int32_t> colliders;
  /// The dynamic friction, from 0, of the first of these that is bound to a material, for engines
  /// that have one per body.
  std::optional<float> friction;
  std::optional<float> restitution;  ///< Of the same material, from 0 to 1.
};

/// The world, and then the bodies of a model: body i is at i + 1, and kNone at 0.
///
/// @param masses  Of body_masses(). A body without one does not move.
/// @par Cost  O(bodies + shapes).
SINEW_API std::vector<EngineBody> engine_bodies(const PhysicsModel& model,
                                                std::span<const BodyMass> masses);

/// A joint of any kind.
struct EngineJoint {
  std::int32_t joint = kNone;      ///< Into PhysicsModel::joints.
  std::size_t bodies[2] = {0, 0};  ///< Into engine_bodies().
  NormalJoint form;                ///< By twist_about_x(), its frames in those of the bodies.
  Pose world[2];  ///< The same frames in world space, as the file poses the bodies.
};

/// The joints of a model that hold two different bodies, or a body and the world, and are enabled.
/// @return In the order of the model.
/// @par Cost  O(joints).
SINEW_API std::vector<EngineJoint> engine_joints(const PhysicsModel& model);

}  // namespace sinew::physics
