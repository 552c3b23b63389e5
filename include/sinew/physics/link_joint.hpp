// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

/// A degree of freedom of a joint that is not locked, as an engine takes it.
///
/// Values are coordinates as the file measures them, frame 1 relative to frame 0, also where the
/// parent stands at frame 1: then the axis is turned round, and limits, targets and states can be
/// copied from the file and back as they are.
struct LinkDof {
  JointDof dof = JointDof::distance;  ///< Of link_joint(): trans_x to rot_z, in frame 0.
  /// Unit axes along or about which the child moves when the coordinate grows, with the bodies as
  /// the file poses them, in the frame of the child and of the parent. Where several turns are
  /// open each axis is the one that the turns listed before have already turned.
  Vector3d axis_in_child = Vector3d::UnitX();
  Vector3d axis_in_parent = Vector3d::UnitX();  ///< The same axis, in the parent's frame.
  double start = 0.0;  ///< The coordinate in the poses of the file. Distance or angle.
  double lower = 0.0;  ///< -infinity where it is open.
  double upper = 0.0;  ///< +infinity where it is open.
  JointDrive drive;    ///< drive.enabled is false if there is none.

  /// Whether the coordinate is an angle, in the model's unit, rather than a distance.
  bool is_rotation() const noexcept { return dof >= JointDof::rot_x; }
};

/// A joint seen from a parent to a child, whichever way round the file states it.
struct LinkJoint {
  std::int32_t joint = kNone;   ///< Into PhysicsModel::joints.
  std::int32_t parent = kNone;  ///< Body that holds; kNone: the world.
  std::int32_t child = kNone;   ///< Body that is held.
  bool reversed = false;        ///< The parent is the file's body1.
  Posed parent_frame;           ///< Joint frame in the body frame of the parent.
  Posed child_frame;            ///< Joint frame in the body frame of the child.
  /// Origin of the file's frame 1, about which the child turns, in the child's frame at the start.
  Vector3d anchor = Vector3d::Zero();
  /// What is open, in the order in which it moves the child: translations X, Y, Z, then turns X,
  /// Y, Z, each about the axes as turned so far; the other way round if reversed. The turns of a
  /// spherical joint with a cone are its two swings, then the twist.
  std::vector<LinkDof> dofs;
  bool cone = false;  ///< The swings are limited by one elliptic cone, not each on its own.
  /// How far the frames of the file stand apart in what the joint locks.
  double mismatch_distance = 0.0;
  double mismatch_angle = 0.0;  ///< In the model's unit.
  /// Where the joint locks its translations along X, Y and Z of frame 0; 0 where they are open.
  Vector3d locked_position = Vector3d::Zero();
  /// The same of its turns about X, Y and Z. Radians, whatever the model's unit.
  Vector3d locked_turns = Vector3d::Zero();
  /// The axis, 0 to 2, about which frame 1 turns first; the others follow in the order X, Y, Z, X.
  int first_turn = 0;
};

/// The joint between its two bodies, seen from the one that is not `child`.
///
/// A limited range that holds a single value counts as locked, at that value. A start angle of one
/// open turn is given within its range if a whole number of turns brings it there.
///
/// @param joint  Index into model.joints; out of range: everything open from the world to `child`.
/// @param child  One of the bodies of the joint; else body 1 is the child.
SINEW_API LinkJoint link_joint(const PhysicsModel& model, std::int32_t joint, std::int32_t child);

/// Pose of the child's body frame in the parent's where the coordinates have these values, and
/// what is locked stands where it is locked.
/// @param coordinates  Parallel to joint.dofs; fewer: the rest are 0. In the model's unit.
SINEW_API Posed link_pose(const LinkJoint& joint, const std::vector<double>& coordinates,
                          bool radians);

/// link_pose() with every coordinate of joint.dofs 0: the pose that URDF and reduced-coordinate
/// solvers start from.
SINEW_API Posed zero_pose(const LinkJoint& joint) noexcept;

/// A joint and which of its bodies it holds, as link_joint() takes them.
struct LinkChoice {
  std::int32_t joint = kNone;  ///< Into PhysicsModel::joints.
  std::int32_t child = kNone;  ///< Into PhysicsModel::rigid_bodies.
};
/// Moves the bodies of a model so that joint frames agree: what a solver does in its first step.
/// @param order  Joints and their children, parents first: those of a tree. Several in a row with
///               one child are a stack: each moves it after the one before. Coordinates stay.
SINEW_API void snap_to_joints(PhysicsModel& model, const std::vector<LinkChoice>& order);

}  // namespace sinew::physics
