// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/descriptors.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/joint.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// How far a degree of freedom is free.
enum class DofState : std::uint8_t {
  free,     ///< Anywhere.
  limited,  ///< Within the range of the rule.
  locked,   ///< Where the two frames coincide.
};

/// What a joint says about one degree of freedom.
struct DofRule {
  DofState state = DofState::free;  ///< Decides what the range means.
  /// limited: the range, an infinite end is open; free: infinite; locked: 0. Distance or angle.
  float lower = -std::numeric_limits<float>::infinity();
  float upper = std::numeric_limits<float>::infinity();  ///< The upper end, as `lower`.
  JointDrive drive;  ///< drive.enabled is false if there is none.
};

/// A joint of any type in one form: frame 1 may move relative to frame 0 as the rules of the seven
/// degrees of freedom allow, all measured along the axes of frame 0.
///
/// A revolute joint about Y has every translation and rot_x and rot_z locked; its limit and drive
/// are those of rot_y. A spherical joint limits the two swings. A distance joint limits nothing but
/// the distance of the two origins, and one whose smallest is above its largest limits nothing. A
/// cone of no angle locks its swing, one of half a turn or more frees it. A custom joint is free in
/// everything.
struct NormalJoint {
  /// Into PhysicsModel::rigid_bodies; kNone: fixed in the world.
  std::int32_t bodies[2] = {kNone, kNone};
  Pose frames[2];  ///< Each in the frame of its body; in world space if that is kNone.
  std::array<DofRule, kJointDofCount> dofs;  ///< Indexed by JointDof.
  /// The two swing limits are the half-angles of one elliptic cone instead of two separate ranges.
  bool cone = false;
  Axis cone_axis = Axis::x;  ///< The middle of the cone, about which it may twist, in frame 0.
  bool enabled = true;       ///< False: holds nothing together.
  bool reversed = false;     ///< End 0 is end 1 of the joint that it was made from; see reverse().

  /// The rule of one degree of freedom.
  const DofRule& dof(JointDof which) const noexcept {
    return dofs[static_cast<std::size_t>(which)];
  }
};

/// @param model  Gives the world pose of joint ends at disabled or static prims. Bodies are kept as
///               ends whether they are enabled or not.
/// @param joint  One of model.joints.
SINEW_API NormalJoint normal_form(const PhysicsModel& model, const Joint& joint) noexcept;

/// The same joint seen from its other end: bodies and frames change places, ranges and targets
/// their sign, and `reversed` flips. Exact where the joint leaves one axis free, or only the
/// distance. Where it leaves several free, their ranges are now along the axes of what was frame 1.
SINEW_API NormalJoint reverse(const NormalJoint& joint) noexcept;

/// The same joint with the axes of both frames renamed in a circle, so that what turns turns about
/// X: the axis of its cone, else the first one about which it turns at all. Engines that twist
/// about X by up to half a turn, and swing about Y and Z by less, want it so.
///
/// Exact for every joint: coordinates keep their values and signs, several turns their order. One
/// that cannot turn stays as it is.
SINEW_API NormalJoint twist_about_x(const NormalJoint& joint) noexcept;

/// Both frames of a joint in world space, as the file poses the bodies, and how far they are apart.
struct JointWorldFrames {
  Pose frames[2];                         ///< In the order of the joint's ends.
  Vector3f offset = Vector3f::Zero();     ///< Origin of frame 1 along the axes of frame 0.
  Quatf rotation = Quatf(1.0F, 0, 0, 0);  ///< Frame 1 relative to frame 0, w >= 0.
  float distance = 0.0F;                  ///< Length of offset.
  float angle = 0.0F;                     ///< Angle of rotation, in the model's unit.

  /// How much of that the joint does not allow. Translation: beyond the ranges of the three
  /// translations, and of the distance. Rotation: with all three rotations locked the whole angle;
  /// with two locked the angle between the third axes, and what the turn about it exceeds its range
  /// by, whichever is more; otherwise not judged, 0.
  float translation_error = 0.0F;
  float rotation_error = 0.0F;  ///< In the model's unit of angles.
};

/// @par Source  The frames of a well-made file coincide but for the free degrees of freedom;
///              anything else makes bodies jump when the simulation starts.
SINEW_API JointWorldFrames world_frames(const PhysicsModel& model, const Joint& joint) noexcept;

}  // namespace sinew::physics
