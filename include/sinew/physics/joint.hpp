// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/descriptors.hpp"
#include "sinew/physics/enums.hpp"

namespace sinew::physics {

/// A range. Not enabled: free. Enabled with lower <= upper: limited. Enabled with lower > upper:
/// locked. Values are kept as authored, also while not enabled.
///
/// Angles for rotations, distance for translations. For a spherical joint `lower` and `upper` are
/// the two cone angles, for a distance joint the smallest and the largest distance.
struct JointLimit {
  bool enabled = false;  ///< Whether it counts.
  float lower = 90.0F;   ///< Angle or distance.
  float upper = -90.0F;  ///< Angle or distance; below `lower`: locked.
};

/// An implicit spring, limited in force, that pulls a degree of freedom towards a target:
/// f = stiffness * (target_position - p) + damping * (target_velocity - v).
struct JointDrive {
  bool enabled = false;  ///< Whether there is one; the other members keep their fallbacks if not.
  float target_position = 0.0F;  ///< Distance or angle.
  float target_velocity = 0.0F;  ///< Distance / s or angle / s.
  /// Mass * distance / s^2, or mass * distance^2 / s^2 for a rotation.
  float force_limit = (std::numeric_limits<float>::max)();
  float stiffness = 0.0F;     ///< Mass / s^2, or mass * distance^2 / (angle * s^2).
  float damping = 0.0F;       ///< Mass / s, or mass * distance^2 / (angle * s).
  bool acceleration = false;  ///< f is an acceleration: the masses do not matter.
};

/// Leaves nothing free: it has no limits and no drives.
struct FixedJoint {};

/// Turns about one axis.
struct RevoluteJoint {
  Axis axis = Axis::x;  ///< Of frame 0, about which frame 1 turns.
  JointLimit limit;     ///< Angles.
  JointDrive drive;     ///< Of the angle.
};

/// Slides along one axis.
struct PrismaticJoint {
  Axis axis = Axis::x;  ///< Of frame 0, along which frame 1 slides.
  JointLimit limit;     ///< Distances.
  JointDrive drive;     ///< Of the distance.
};

/// Turns about a point, its axis kept in a cone.
struct SphericalJoint {
  Axis axis = Axis::x;  ///< The middle of the cone, in frame 0.
  /// lower: cone angle from `axis` towards the next axis (x to y, y to z, z to x) of frame 0;
  /// upper: towards the one after that.
  JointLimit limit;
};

/// Keeps the origins of the two frames at a distance; they may turn as they like.
struct DistanceJoint {
  bool min_enabled = false;  ///< Whether limit.lower counts.
  bool max_enabled = false;  ///< Whether limit.upper counts.
  JointLimit limit;          ///< Distances; limit.enabled is never set, see the two flags.
};

/// Whether the smallest distance is above the largest, so that no pose satisfies the joint.
inline bool is_inverted(const DistanceJoint& joint) noexcept {
  return joint.min_enabled && joint.max_enabled && joint.limit.lower > joint.limit.upper;
}

/// The limit of one degree of freedom of a D6 joint.
struct DofLimit {
  JointDof dof = JointDof::distance;  ///< Along or about which axis of frame 0.
  JointLimit limit;                   ///< Its range.
};

/// The drive of one degree of freedom of a D6 joint.
struct DofDrive {
  JointDof dof = JointDof::distance;  ///< Along or about which axis of frame 0.
  JointDrive drive;                   ///< Its spring.
};

/// The generic joint: a degree of freedom that is not listed is free.
struct D6Joint {
  std::vector<DofLimit> limits;  ///< In the order of JointDof.
  std::vector<DofDrive> drives;  ///< In the order of JointDof.
};

/// A joint type that only the application knows.
struct CustomJoint {
  Text type_name;  ///< Of the prim: one of ReadOptions::joint_tokens.
};

/// One of the two things that a joint holds together.
struct JointEnd {
  Text prim_path;  ///< The prim that the file names (physics:body0 or body1), empty if none.
  std::int32_t body = kNone;  ///< Into PhysicsModel::rigid_bodies; kNone: static, or the world.
  Text body_path;  ///< The rigid body, else the static collider, that carries the prim; empty:
                   ///< world.

  /// The joint frame relative to the carrier, in its orientation, its scale applied; in world space
  /// if body_path is empty.
  Pose frame;
  /// World pose of the carrier as it was read, also of a static collider; identity without one.
  Pose body_world;
};

/// A constraint between two bodies, or a body and the world. joint_frames.hpp brings all types to
/// one form.
struct Joint {
  Text path;             ///< Of the prim.
  bool is_valid = true;  ///< False: unusable, as a diagnostic says.

  JointEnd ends[2];  ///< (physics:body0, body1) In this order.

  bool joint_enabled = true;               ///< False: holds nothing together.
  bool collision_enabled = false;          ///< False: the two jointed subtrees do not collide.
  bool exclude_from_articulation = false;  ///< Closes a loop: left to the ordinary solver.
  float break_force = (std::numeric_limits<float>::max)();   ///< Mass * distance / s^2.
  float break_torque = (std::numeric_limits<float>::max)();  ///< Mass * distance^2 / s^2.

  std::variant<FixedJoint, RevoluteJoint, PrismaticJoint, SphericalJoint, DistanceJoint, D6Joint,
               CustomJoint>
      kind;  ///< The type, and what only that type has.

  /// The ObjectType that belongs to `kind`.
  SINEW_API ObjectType type() const noexcept;
};

}  // namespace sinew::physics
