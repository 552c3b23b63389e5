// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/joint_frames.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include "core/angles.hpp"
#include "physics/shared/frames.hpp"

namespace sinew::physics {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

DofRule& rule(NormalJoint& joint, JointDof dof) {
  return joint.dofs[static_cast<std::size_t>(dof)];
}

JointDof translation(int axis) {
  return static_cast<JointDof>(static_cast<int>(JointDof::trans_x) + axis % 3);
}
JointDof rotation(int axis) {
  return static_cast<JointDof>(static_cast<int>(JointDof::rot_x) + axis % 3);
}

void lock(DofRule& dof) {
  dof.state = DofState::locked;
  dof.lower = 0.0F;
  dof.upper = 0.0F;
}

// Lets an axis loose again as far as a limit allows. A value that is not a number limits nothing.
void apply_limit(DofRule& dof, const JointLimit& limit) {
  dof.state = DofState::free;
  dof.lower = -kInfinity;
  dof.upper = kInfinity;
  if (!limit.enabled) return;
  if (limit.lower > limit.upper) {
    lock(dof);
    return;
  }
  if (limit.lower > -kUnlimited) dof.lower = limit.lower;
  if (limit.upper < kUnlimited) dof.upper = limit.upper;
  if (dof.lower > -kInfinity || dof.upper < kInfinity) dof.state = DofState::limited;
}

// One of the cone angles of a spherical joint; negative means free, and so does half a turn. No
// angle at all leaves nothing to swing.
void apply_cone(DofRule& dof, bool enabled, float angle, float half_turn) {
  dof = DofRule{};
  if (!enabled || !(angle >= 0.0F) || angle >= half_turn) return;
  if (angle == 0.0F) return lock(dof);
  dof.state = DofState::limited;
  dof.lower = -angle;
  dof.upper = angle;
}

void lock_all(NormalJoint& joint) {
  for (int axis = 0; axis < 3; ++axis) {
    lock(rule(joint, translation(axis)));
    lock(rule(joint, rotation(axis)));
  }
}

struct ApplyKind {
  NormalJoint& joint;
  float half_turn;  // In the unit of angles.

  void operator()(const FixedJoint&) const { lock_all(joint); }

  void operator()(const RevoluteJoint& j) const {
    lock_all(joint);
    DofRule& dof = rule(joint, rotation(static_cast<int>(j.axis)));
    apply_limit(dof, j.limit);
    dof.drive = j.drive;
  }

  void operator()(const PrismaticJoint& j) const {
    lock_all(joint);
    DofRule& dof = rule(joint, translation(static_cast<int>(j.axis)));
    apply_limit(dof, j.limit);
    dof.drive = j.drive;
  }

  void operator()(const SphericalJoint& j) const {
    lock_all(joint);
    const auto axis = static_cast<int>(j.axis);
    rule(joint, rotation(axis)) = DofRule{};
    // Tilting an axis towards the next one is a turn about the third.
    apply_cone(rule(joint, rotation(axis + 2)), j.limit.enabled, j.limit.lower, half_turn);
    apply_cone(rule(joint, rotation(axis + 1)), j.limit.enabled, j.limit.upper, half_turn);
    joint.cone = true;
    joint.cone_axis = j.axis;
  }

  void operator()(const DistanceJoint& j) const {
    DofRule& dof = rule(joint, JointDof::distance);
    // No distance is both above and below: such a joint holds nothing.
    if (is_inverted(j)) return;
    dof.lower = 0.0F;
    if (j.min_enabled && j.limit.lower > 0.0F) dof.lower = j.limit.lower;
    if (j.max_enabled && j.limit.upper < kUnlimited) dof.upper = j.limit.upper;
    if (j.min_enabled || j.max_enabled) dof.state = DofState::limited;
  }

  void operator()(const D6Joint& j) const {
    for (const DofLimit& limit : j.limits) {
      if (static_cast<int>(limit.dof) < kJointDofCount) {
        apply_limit(rule(joint, limit.dof), limit.limit);
      }
    }
    for (const DofDrive& drive : j.drives) {
      if (static_cast<int>(drive.dof) < kJointDofCount) rule(joint, drive.dof).drive = drive.drive;
    }
  }

  void operator()(const CustomJoint&) const {}
};

float outside(const DofRule& dof, float value) {
  if (dof.state == DofState::free) return 0.0F;
  return std::max({dof.lower - value, value - dof.upper, 0.0F});
}

// Angle of a rotation in radians, 0 to pi.
double angle_of(const Quatd& q) {
  return 2.0 * std::atan2(q.vec().norm(), std::abs(q.w()));
}

float rotation_error(const NormalJoint& joint, const Quatd& relative, double unit) {
  int open_axis = kNone;
  int open_count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (joint.dof(rotation(axis)).state == DofState::locked) continue;
    open_axis = axis;
    ++open_count;
  }
  if (open_count == 0) return static_cast<float>(angle_of(relative) * unit);
  if (open_count > 1) return 0.0F;
  const Vector3d axis = Vector3d::Unit(open_axis);
  const Vector3d turned = relative * axis;
  const double swing = std::atan2(axis.cross(turned).norm(), axis.dot(turned));
  const double twist = 2.0 * std::atan2(relative.vec()[open_axis], relative.w());
  const DofRule& dof = joint.dof(rotation(open_axis));
  // A turn by 350 degrees looks like one by -10: only the angle within one turn is known.
  const float beyond = outside(dof, static_cast<float>(twist * unit));
  const auto full = static_cast<float>(2.0 * std::numbers::pi * unit);
  const float beyond_up = outside(dof, static_cast<float>(twist * unit) + full);
  const float beyond_down = outside(dof, static_cast<float>(twist * unit) - full);
  return std::max(static_cast<float>(swing * unit), std::min({beyond, beyond_up, beyond_down}));
}

}  // namespace

NormalJoint normal_form(const PhysicsModel& model, const Joint& joint) noexcept {
  NormalJoint normal;
  normal.enabled = joint.joint_enabled && joint.is_valid;
  for (int i = 0; i < 2; ++i) {
    const JointEnd& end = joint.ends[i];
    const Posed frame = to_frame(end.frame);
    if (model.has_body(end.body)) {
      normal.bodies[i] = end.body;
      normal.frames[i] = to_pose(frame);
    } else {
      // Ends at static prims are told relative to that prim; here they stand in the world.
      normal.frames[i] = to_pose(compose(to_frame(end.body_world), frame));
    }
  }
  const double half_turn = model.units.radians ? std::numbers::pi : 180.0;
  std::visit(ApplyKind{normal, static_cast<float>(half_turn)}, joint.kind);
  return normal;
}

NormalJoint reverse(const NormalJoint& joint) noexcept {
  NormalJoint result = joint;
  std::swap(result.bodies[0], result.bodies[1]);
  std::swap(result.frames[0], result.frames[1]);
  result.reversed = !joint.reversed;
  for (int i = 0; i < kJointDofCount; ++i) {
    const auto dof = static_cast<JointDof>(i);
    if (dof == JointDof::distance) continue;  // The same from both ends.
    const DofRule& from = joint.dof(dof);
    DofRule& to = rule(result, dof);
    // Subtracted, so that 0 does not become -0.
    to.lower = 0.0F - from.upper;
    to.upper = 0.0F - from.lower;
    to.drive.target_position = 0.0F - from.drive.target_position;
    to.drive.target_velocity = 0.0F - from.drive.target_velocity;
  }
  return result;
}

NormalJoint twist_about_x(const NormalJoint& joint) noexcept {
  int first = static_cast<int>(joint.cone_axis);
  if (!joint.cone) {
    first = 0;
    while (first < 3 && joint.dof(rotation(first)).state == DofState::locked) ++first;
  }
  first %= 3;  // None is open: as it is.
  if (first == 0) return joint;
  NormalJoint result = joint;
  result.cone_axis = Axis::x;
  for (int axis = 0; axis < 3; ++axis) {
    rule(result, translation(axis)) = joint.dof(translation(first + axis));
    rule(result, rotation(axis)) = joint.dof(rotation(first + axis));
  }
  // A third of a turn about (1, 1, 1) takes X to Y, Y to Z and Z to X; two thirds X to Z.
  const Quatd renamed(first == 1 ? 0.5 : -0.5, 0.5, 0.5, 0.5);
  for (Pose& frame : result.frames) {
    frame.rotation = (to_frame(frame).rotation * renamed).cast<float>();
  }
  return result;
}

JointWorldFrames world_frames(const PhysicsModel& model, const Joint& joint) noexcept {
  const Posed world0 = world_frame(model, joint.ends[0]);
  const Posed world1 = world_frame(model, joint.ends[1]);
  const Quatd inverse0 = world0.rotation.conjugate();
  const Vector3d offset = inverse0 * (world1.position - world0.position);
  Quatd relative = inverse0 * world1.rotation;
  if (relative.w() < 0.0) relative.coeffs() = -relative.coeffs();

  JointWorldFrames result;
  result.frames[0] = to_pose(world0);
  result.frames[1] = to_pose(world1);
  result.offset = offset.cast<float>();
  result.rotation = relative.cast<float>();
  result.distance = static_cast<float>(offset.norm());
  const double unit = model.units.radians ? 1.0 : kDegreesPerRadian;
  result.angle = static_cast<float>(angle_of(relative) * unit);

  const NormalJoint normal = normal_form(model, joint);
  Vector3f beyond;
  for (int axis = 0; axis < 3; ++axis) {
    beyond[axis] = outside(normal.dof(translation(axis)), result.offset[axis]);
  }
  result.translation_error =
      std::max(beyond.norm(), outside(normal.dof(JointDof::distance), result.distance));
  result.rotation_error = rotation_error(normal, relative, unit);
  return result;
}

}  // namespace sinew::physics
