// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::physics {

/// The state of one open degree of freedom at the start.
struct DofState0 {
  JointDof dof = JointDof::distance;  ///< As LinkDof::dof of the same joint.
  double position = 0.0;              ///< By the poses of the bodies. Distance or angle.
  double velocity = 0.0;              ///< What a dialect says, else 0.
  /// What a dialect says the position is; an engine that takes it must move the links below.
  std::optional<double> stated;
  std::int32_t joint = kNone;  ///< The joint that it is of, into PhysicsModel::joints.
};

/// The motion of one link at the start.
struct LinkStart {
  Vector3d velocity = Vector3d::Zero();  ///< Of the centre of mass, world space. Distance / s.
  Vector3d angular_velocity = Vector3d::Zero();  ///< World space. Angle / s.
  std::vector<DofState0> dofs;  ///< Of all its joints, in the order of link_joint().
};

/// The state in which a simulation starts.
///
/// The file gives velocities in the space of the body's prim. Its rotation turns them into world
/// space; its scale does not change them, for a velocity is a distance of the stage per second.
///
/// @return One per link of the forest.
/// @par Cost  O(links).
SINEW_API std::vector<LinkStart> initial_state(const PhysicsModel& model,
                                               const JointForest& forest);

/// The gravity of a whole model: of the scene that most bodies name, the first of equals; without a
/// scene that of the earth, against the up axis.
SINEW_API Gravity model_gravity(const PhysicsModel& model) noexcept;

}  // namespace sinew::physics
