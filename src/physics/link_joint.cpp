// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/link_joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "core/angles.hpp"
#include "physics/shared/frames.hpp"

namespace sinew::physics {
namespace {

// The axis about which a joint turns first. A twist that comes last turns nothing but itself, so
// the two swings of a cone stay where the file measures them.
int first_turn(const NormalJoint& normal) {
  const bool is_ball = normal.dof(JointDof::rot_x).state == DofState::free &&
                       normal.dof(JointDof::rot_y).state == DofState::free &&
                       normal.dof(JointDof::rot_z).state == DofState::free;
  if (!normal.cone || is_ball) return 0;
  return (static_cast<int>(normal.cone_axis) + 1) % 3;
}

// The axes about which a joint turns, in order.
std::array<int, 3> turn_order(const LinkJoint& joint) {
  return {joint.first_turn, (joint.first_turn + 1) % 3, (joint.first_turn + 2) % 3};
}

// The three turns about the axes of `order`, cyclic, each as turned so far, that make up a
// rotation. Of the two ways there are, the one whose second turn is within a quarter; the other one
// turns by half a turn more, by what is left of a half, and by half a turn more.
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

// A value beyond all numbers locks nothing anywhere else.
double locked_at(const DofRule& rule) {
  return std::isfinite(rule.lower) ? static_cast<double>(rule.lower) : 0.0;
}

// The rotation that locked turns about some of the axes of `order` make, one after the other.
Quatd locked_rotation(const LinkJoint& joint, std::span<const int> order) {
  Quatd result = Quatd::Identity();
  for (const int axis : order) result = result * turn(axis, joint.locked_turns[axis]);
  return result;
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
  const bool known = model.has_joint(joint);
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
  link.first_turn = first_turn(normal);
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
      link.locked_position[axis] = locked_at(normal.dof(dof));
      apart[axis] = relative.position[axis] - link.locked_position[axis];
    }
  }
  link.mismatch_distance = apart.norm();

  const std::array<int, 3> order = turn_order(link);
  const auto turn_dof = [](int axis) {
    return static_cast<JointDof>(static_cast<int>(JointDof::rot_x) + axis);
  };
  std::size_t open_turns = 0;
  std::size_t last_open = 0;  // Into `order`.
  for (std::size_t i = 0; i < order.size(); ++i) {
    const DofRule& rule = normal.dof(turn_dof(order[i]));
    if (is_open(rule)) {
      ++open_turns;
      last_open = i;
    } else {
      link.locked_turns[order[i]] = locked_at(rule) / unit;
    }
  }
  const double full = 2.0 * std::numbers::pi;
  if (open_turns == 0) {
    const Quatd off = locked_rotation(link, order).conjugate() * relative.rotation;
    link.mismatch_angle = angle_between(off) * unit;
  } else if (open_turns == 1) {
    const int axis = order[last_open];
    // What is locked turns the axis in frame 0 before, and in frame 1 after it.
    const Quatd before = locked_rotation(link, std::span(order).first(last_open));
    const Quatd after = locked_rotation(link, std::span(order).subspan(last_open + 1));
    const Quatd rest = before.conjugate() * relative.rotation * after.conjugate();
    const double twist = 2.0 * std::atan2(rest.vec()[axis], rest.w());
    const double start = (twist > std::numbers::pi     ? twist - full
                          : twist <= -std::numbers::pi ? twist + full
                                                       : twist) *
                         unit;
    const Vector3d in_frames[2] = {before * Vector3d::Unit(axis),
                                   after.conjugate() * Vector3d::Unit(axis)};
    LinkDof* open = add(turn_dof(axis), frames[0].rotation * in_frames[0], start);
    open->start = within(start, open->lower, open->upper, full * unit);
    // Each body turns about the axis that the file gives it.
    open->axis_in_child = sign * (link.child_frame.rotation * in_frames[1 - parent_end]);
    open->axis_in_parent = sign * (link.parent_frame.rotation * in_frames[parent_end]);
    const Vector3d turned = rest * Vector3d::Unit(axis);
    link.mismatch_angle =
        std::atan2(Vector3d::Unit(axis).cross(turned).norm(), turned[axis]) * unit;
  } else {
    const auto locked_off = [&](const Vector3d& turns) {
      double most = 0.0;
      for (int i = 0; i < 3; ++i) {
        const int axis = order[static_cast<std::size_t>(i)];
        if (is_open(normal.dof(turn_dof(axis)))) continue;
        most = std::max(most, std::abs(std::remainder(turns[i] - link.locked_turns[axis], full)));
      }
      return most;
    };
    Vector3d turns = turns_of(relative.rotation, order);
    const double half = full / 2.0;
    const Vector3d other(std::remainder(turns[0] + half, full), half - turns[1],
                         std::remainder(turns[2] + half, full));
    if (locked_off(other) < locked_off(turns) - 1e-9) turns = other;
    link.mismatch_angle = locked_off(turns) * unit;
    Quatd so_far = frames[0].rotation;
    for (int i = 0; i < 3; ++i) {
      const int axis = order[static_cast<std::size_t>(i)];
      const JointDof dof = turn_dof(axis);
      if (is_open(normal.dof(dof))) {
        LinkDof* open = add(dof, so_far * Vector3d::Unit(axis), turns[i] * unit);
        open->start = within(open->start, open->lower, open->upper, full * unit);
      }
      so_far = so_far * turn(axis, turns[i]);
    }
  }
  if (link.reversed) std::reverse(link.dofs.begin(), link.dofs.end());
  return link;
}

Posed link_pose(const LinkJoint& joint, const std::vector<double>& coordinates, bool radians) {
  const double unit = radians ? 1.0 : kRadiansPerDegree;
  Posed frame;  // Frame 1 relative to frame 0.
  frame.position = joint.locked_position;
  Vector3d turns = joint.locked_turns;
  for (std::size_t i = 0; i < joint.dofs.size(); ++i) {
    const LinkDof& dof = joint.dofs[i];
    const double value = i < coordinates.size() ? coordinates[i] : 0.0;
    if (dof.dof == JointDof::distance) continue;
    if (dof.is_rotation()) {
      turns[static_cast<int>(dof.dof) - static_cast<int>(JointDof::rot_x)] = value * unit;
    } else {
      frame.position[static_cast<int>(dof.dof) - static_cast<int>(JointDof::trans_x)] = value;
    }
  }
  for (const int axis : turn_order(joint))
    frame.rotation = frame.rotation * turn(axis, turns[axis]);
  const Posed moved = joint.reversed ? inverse(frame) : frame;
  return compose(compose(joint.parent_frame, moved), inverse(joint.child_frame));
}

Posed zero_pose(const LinkJoint& joint) noexcept {
  return link_pose(joint, {}, true);
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
