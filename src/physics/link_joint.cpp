// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/link_joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/angles.hpp"
#include "physics/shared/frames.hpp"

namespace sinew::physics {
namespace {

// The axes about which a joint turns, in order. A twist that comes last turns nothing but itself,
// so the two swings of a cone stay where the file measures them.
std::array<int, 3> turn_order(const NormalJoint& normal) {
  const bool is_ball = normal.dof(JointDof::rot_x).state == DofState::free &&
                       normal.dof(JointDof::rot_y).state == DofState::free &&
                       normal.dof(JointDof::rot_z).state == DofState::free;
  if (!normal.cone || is_ball) return {0, 1, 2};
  const auto twist = static_cast<int>(normal.cone_axis);
  return {(twist + 1) % 3, (twist + 2) % 3, twist};
}

// The three turns about the axes of `order`, cyclic, each as turned so far, that make up a
// rotation.
Vector3d turns_of(const Quatd& rotation, const std::array<int, 3>& order) {
  const Eigen::Matrix3d r = rotation.toRotationMatrix();
  const int x = order[0];
  const int y = order[1];
  const int z = order[2];
  const double b = std::asin(std::clamp(r(x, z), -1.0, 1.0));
  const double a = std::atan2(-r(y, z), r(z, z));
  const double c = std::atan2(-r(x, y), r(x, x));
  return {a, b, c};
}

Quatd turn(int axis, double angle) {
  return Quatd(Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(axis)));
}

double angle_between(const Quatd& rotation) {
  return 2.0 * std::atan2(rotation.vec().norm(), std::abs(rotation.w()));
}

bool is_open(const DofRule& rule) {
  return rule.state == DofState::free ||
         (rule.state == DofState::limited && rule.lower < rule.upper);
}

// By whole turns into the range, if that is possible.
double within(double start, double lower, double upper, double full) {
  if (start >= lower && start <= upper) return start;
  for (const double other : {start + full, start - full}) {
    if (other >= lower && other <= upper) return other;
  }
  return start;
}

}  // namespace

LinkJoint link_joint(const PhysicsModel& model, std::int32_t joint, std::int32_t child) {
  const bool known = joint >= 0 && static_cast<std::size_t>(joint) < model.joints.size();
  NormalJoint normal;
  if (known) {
    normal = normal_form(model, model.joint(joint));
  } else {
    normal.bodies[1] = model.has_body(child) ? child : kNone;
  }
  LinkJoint link;
  link.joint = known ? joint : kNone;
  link.reversed = normal.bodies[1] != child && normal.bodies[0] == child;
  const int parent_end = link.reversed ? 1 : 0;
  link.parent = normal.bodies[parent_end];
  link.child = normal.bodies[1 - parent_end];
  link.parent_frame = to_frame(normal.frames[parent_end]);
  link.child_frame = to_frame(normal.frames[1 - parent_end]);
  link.cone = normal.cone;
  const Posed frames[2] = {
      compose(body_frame(model, normal.bodies[0]), to_frame(normal.frames[0])),
      compose(body_frame(model, normal.bodies[1]), to_frame(normal.frames[1]))};
  const Posed from_child = inverse(body_frame(model, link.child));
  const Posed from_parent = inverse(body_frame(model, link.parent));
  link.anchor = from_child.position + from_child.rotation * frames[1].position;

  const Posed relative = compose(inverse(frames[0]), frames[1]);
  const double unit = model.units.radians ? 1.0 : kDegreesPerRadian;
  const double sign = link.reversed ? -1.0 : 1.0;
  const auto add = [&](JointDof dof, const Vector3d& world_axis, double start) {
    const DofRule& rule = normal.dof(dof);
    const Vector3d axis = sign * world_axis;
    LinkDof& open = link.dofs.emplace_back();
    open.dof = dof;
    open.axis_in_child = from_child.rotation * axis;
    open.axis_in_parent = from_parent.rotation * axis;
    open.lower = static_cast<double>(rule.lower);
    open.upper = static_cast<double>(rule.upper);
    open.start = start;
    open.drive = rule.drive;
    return &open;
  };
  Vector3d apart = Vector3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const auto dof = static_cast<JointDof>(static_cast<int>(JointDof::trans_x) + axis);
    if (is_open(normal.dof(dof))) {
      add(dof, frames[0].rotation * Vector3d::Unit(axis), relative.position[axis]);
    } else {
      apart[axis] = relative.position[axis] - static_cast<double>(normal.dof(dof).lower);
    }
  }
  link.mismatch_distance = apart.norm();

  const std::array<int, 3> order = turn_order(normal);
  const auto turn_dof = [&](int i) {
    return static_cast<JointDof>(static_cast<int>(JointDof::rot_x) +
                                 order[static_cast<std::size_t>(i)]);
  };
  int open_turns = 0;
  for (int i = 0; i < 3; ++i) open_turns += is_open(normal.dof(turn_dof(i))) ? 1 : 0;
  if (open_turns == 0) {
    link.mismatch_angle = angle_between(relative.rotation) * unit;
  } else if (open_turns == 1) {
    for (int i = 0; i < 3; ++i) {
      const JointDof dof = turn_dof(i);
      if (!is_open(normal.dof(dof))) continue;
      const int axis = order[static_cast<std::size_t>(i)];
      const double twist = 2.0 * std::atan2(relative.rotation.vec()[axis], relative.rotation.w());
      const double full = 2.0 * std::numbers::pi;
      const double start = (twist > std::numbers::pi     ? twist - full
                            : twist <= -std::numbers::pi ? twist + full
                                                         : twist) *
                           unit;
      LinkDof* open = add(dof, frames[0].rotation * Vector3d::Unit(axis), start);
      open->start = within(start, open->lower, open->upper, full * unit);
      // Each body turns about the axis that the file gives it.
      const Vector3d local = sign * Vector3d::Unit(axis);
      open->axis_in_child = link.child_frame.rotation * local;
      open->axis_in_parent = link.parent_frame.rotation * local;
      const Vector3d turned = relative.rotation * Vector3d::Unit(axis);
      link.mismatch_angle =
          std::atan2(Vector3d::Unit(axis).cross(turned).norm(), turned[axis]) * unit;
    }
  } else {
    const Vector3d turns = turns_of(relative.rotation, order);
    Quatd so_far = frames[0].rotation;
    double locked = 0.0;
    for (int i = 0; i < 3; ++i) {
      const JointDof dof = turn_dof(i);
      const int axis = order[static_cast<std::size_t>(i)];
      if (is_open(normal.dof(dof))) {
        LinkDof* open = add(dof, so_far * Vector3d::Unit(axis), turns[i] * unit);
        open->start = within(open->start, open->lower, open->upper, 2.0 * std::numbers::pi * unit);
      } else {
        locked = std::max(locked,
                          std::abs(turns[i] * unit - static_cast<double>(normal.dof(dof).lower)));
      }
      so_far = so_far * turn(axis, turns[i]);
    }
    link.mismatch_angle = locked;
  }
  if (link.reversed) std::reverse(link.dofs.begin(), link.dofs.end());
  return link;
}

Posed link_pose(const LinkJoint& joint, const std::vector<double>& coordinates, bool radians) {
  const double unit = radians ? 1.0 : kRadiansPerDegree;
  Posed frame;  // Frame 1 relative to frame 0.
  const auto apply = [&](std::size_t i) {
    const LinkDof& dof = joint.dofs[i];
    const double value = i < coordinates.size() ? coordinates[i] : 0.0;
    if (dof.dof == JointDof::distance) return;
    if (dof.is_rotation()) {
      const int axis = static_cast<int>(dof.dof) - static_cast<int>(JointDof::rot_x);
      frame.rotation = frame.rotation * turn(axis, value * unit);
    } else {
      frame.position[static_cast<int>(dof.dof) - static_cast<int>(JointDof::trans_x)] = value;
    }
  };
  const std::size_t count = joint.dofs.size();
  for (std::size_t i = 0; i < count; ++i) apply(joint.reversed ? count - 1 - i : i);
  const Posed moved = joint.reversed ? inverse(frame) : frame;
  return compose(compose(joint.parent_frame, moved), inverse(joint.child_frame));
}

Posed zero_pose(const LinkJoint& joint) noexcept {
  return compose(joint.parent_frame, inverse(joint.child_frame));
}

void snap_to_joints(PhysicsModel& model, const std::vector<LinkChoice>& order) {
  // Coordinates are those of the file: they are read before anything moves.
  std::vector<LinkJoint> links;
  std::vector<std::vector<double>> starts;
  for (const LinkChoice& choice : order) {
    const LinkJoint& link = links.emplace_back(link_joint(model, choice.joint, choice.child));
    std::vector<double>& values = starts.emplace_back();
    for (const LinkDof& dof : link.dofs) values.push_back(dof.start);
  }
  const bool radians = model.units.radians;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkJoint& link = links[i];
    if (!model.has_body(link.child)) continue;
    Posed pose = compose(body_frame(model, link.parent), link_pose(link, starts[i], radians));
    // The first joint of a stack says where the child is with all coordinates 0, the others where
    // their axes are in the child.
    for (; i + 1 < links.size() && links[i + 1].child == link.child; ++i) {
      LinkJoint next = links[i + 1];
      next.parent_frame = next.child_frame;
      pose = compose(pose, link_pose(next, starts[i + 1], radians));
    }
    model.rigid_bodies[static_cast<std::size_t>(link.child)].pose = to_pose(pose);
  }
}

}  // namespace sinew::physics
