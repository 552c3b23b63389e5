// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/core/axis.hpp"
#include "sinew/core/export.hpp"

namespace sinew::physics {

/// An index into one of the vectors of a PhysicsModel that points nowhere: the world, a prim that
/// is not part of the model, or nothing authored.
inline constexpr std::int32_t kNone = -1;

/// A limit whose magnitude is this large, or larger, does not limit anything.
inline constexpr float kUnlimited = 0.5e38F;

/// What a descriptor describes. The order is part of the interface: results are reported by type.
enum class ObjectType : std::uint8_t {
  undefined,
  scene,
  rigid_body,
  sphere_shape,
  cube_shape,
  capsule_shape,
  capsule1_shape,
  cylinder_shape,
  cylinder1_shape,
  cone_shape,
  mesh_shape,
  plane_shape,
  custom_shape,
  sphere_points_shape,
  fixed_joint,
  revolute_joint,
  prismatic_joint,
  spherical_joint,
  distance_joint,
  d6_joint,
  custom_joint,
  rigid_body_material,
  articulation,
  collision_group,
  last,
};

/// A degree of freedom of a joint: the distance of the two anchors, a translation along an axis of
/// the first joint frame, or a rotation about it.
enum class JointDof : std::uint8_t { distance, trans_x, trans_y, trans_z, rot_x, rot_y, rot_z };

/// Number of values of JointDof.
inline constexpr int kJointDofCount = 7;

/// "Sphere", "RigidBody", "D6", "CollisionGroup": the short names that the command-line tool
/// prints. Empty for undefined and last.
SINEW_API std::string_view to_string(ObjectType type) noexcept;

/// "distance", "transX" ... "rotZ": the instance names of the limit and drive schemas.
SINEW_API std::string_view to_string(JointDof dof) noexcept;

}  // namespace sinew::physics
