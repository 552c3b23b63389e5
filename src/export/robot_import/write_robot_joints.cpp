// SPDX-License-Identifier: Apache-2.0
// Joints of a robot: what holds its bodies, drives, couplings and loops.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/format_text.hpp"
#include "core/shortest_turn.hpp"
#include "export/robot_import/robot_writer.hpp"

namespace sinew::exporter::robot_import {

namespace {

constexpr double kDegreesPerTurnUnit = 180.0 / std::numbers::pi;
constexpr std::array<std::string_view, 6> kDofs = {"transX", "transY", "transZ",
                                                   "rotX",   "rotY",   "rotZ"};

double in_file_unit(double value, bool turns) {
  return turns ? value * kDegreesPerTurnUnit : value;
}

// An axis along which a frame can stand, and how it is turned for that.
struct AxisFrame {
  int axis = 0;
  Quatd rotation = Quatd::Identity();
};

AxisFrame frame_of_axis(const Vector3d& axis) {
  for (int k = 0; k < 3; ++k) {
    if (axis == Vector3d::Unit(k)) return {k, Quatd::Identity()};
  }
  return {0, shortest_turn(Vector3d::UnitX(), axis)};
}

std::string_view joint_leaf(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  return name.substr(0, name.find(':'));
}

bool same_extras(const RobotJoint& a, const RobotJoint& b) {
  return a.armature == b.armature && a.damping == b.damping && a.stiffness == b.stiffness &&
         a.spring_rest == b.spring_rest && a.friction == b.friction &&
         a.velocity_limit == b.velocity_limit && a.solver == b.solver;
}

}  // namespace

OutPrim* RobotWriter::add_joint(std::string_view type, std::string_view name, std::int32_t body0,
                                const Posed& frame0, std::int32_t body1, const Posed& frame1) {
  if (joints_scope_ == nullptr) joints_scope_ = out_.add(root_, "Scope", "joints", "joints");
  OutPrim* const prim = out_.add(joints_scope_, type, joint_leaf(name), "joint");
  ++counts_.joints;
  const auto end = [&](int which, std::int32_t body, const Posed& frame) {
    if (body != 0) out_.relate(prim, format_text("physics:body{}", which), at(bodies_, body));
    out_.set(prim, "point3f", format_text("physics:localPos{}", which),
             value_of(Vector3f(frame.position.cast<float>())));
    out_.set(prim, "quatf", format_text("physics:localRot{}", which),
             value_of(Quatf(frame.rotation.normalized().cast<float>())));
  };
  end(0, body0, frame0);
  end(1, body1, frame1);
  return prim;
}

void RobotWriter::write_joints(std::int32_t index) {
  const RobotBody& body = at(robot_.bodies, index);
  if (body.state != BodyState::jointed) return;
  const std::int32_t parent = carrier(body.parent);
  const Posed child_in_parent =
      compose_poses(inverse_pose(at(robot_.bodies, parent).world), body.world);
  const std::size_t before = counts_.joints;
  if (body.joints.empty()) {
    const std::string name = body.fixed_by.empty() ? body.name + "_fixed" : body.fixed_by;
    at(body_joints_, index) =
        add_joint("PhysicsFixedJoint", name, parent, child_in_parent, index, Posed{});
  } else if (body.joints.size() == 1) {
    const std::int32_t joint = body.joints.front();
    if (at(robot_.joints, joint).kind == JointKind::ball) {
      write_ball(joint, parent, child_in_parent);
    } else {
      write_one_axis(joint, parent, child_in_parent, false);
    }
    at(body_joints_, index) = at(joints_, joint);
  } else if (const auto plan = joint_frame(body)) {
    write_general(body, *plan, parent, child_in_parent);
  } else {
    for (const std::int32_t joint : body.joints) {
      const RobotJoint& from = at(robot_.joints, joint);
      if (from.kind == JointKind::ball) {
        in_.faults->error("robot-joint", from.where,
                          "A ball joint among others has no counterpart; it is left out.");
        continue;
      }
      write_one_axis(joint, parent, child_in_parent, true);
      if (at(body_joints_, index) == nullptr) at(body_joints_, index) = at(joints_, joint);
    }
  }
  // Whether the two may touch is said by each of their joints.
  if (counts_.joints == before || parent == 0 || joint_filters(index)) return;
  const auto collide = [&](OutPrim* prim) {
    if (prim != nullptr) out_.set(prim, "bool", "physics:collisionEnabled", value_of(true));
  };
  for (const std::int32_t joint : body.joints) collide(at(joints_, joint));
  const bool is_shared = body.joints.empty() || at(joints_, body.joints.front()) == nullptr;
  if (is_shared) collide(at(body_joints_, index));
}

void RobotWriter::write_one_axis(std::int32_t index, std::int32_t parent,
                                 const Posed& child_in_parent, bool is_stacked) {
  const RobotJoint& joint = at(robot_.joints, index);
  const bool turns = joint.kind == JointKind::hinge;
  const AxisFrame frame = frame_of_axis(joint.axis);
  // The coordinate at the start is what the two frames differ by.
  Posed first{joint.anchor, frame.rotation};
  Posed second = first;
  if (turns) {
    second.rotation =
        first.rotation * Quatd(Eigen::AngleAxisd(joint.start, Vector3d::Unit(frame.axis)));
  } else {
    first.position -= joint.start * joint.axis;
  }
  OutPrim* const prim =
      add_joint(turns ? "PhysicsRevoluteJoint" : "PhysicsPrismaticJoint", joint.name, parent,
                compose_poses(child_in_parent, first), joint.body, second);
  at(joints_, index) = prim;
  constexpr std::array<std::string_view, 3> kLetters = {"X", "Y", "Z"};
  out_.set_uniform(prim, "token", "physics:axis",
                   out_.token(kLetters[static_cast<std::size_t>(frame.axis)]));
  const auto limit = [&](std::string_view name, double value) {
    if (std::isfinite(value)) {
      out_.set(prim, "float", name, float_value(in_file_unit(value, turns)));
    }
  };
  limit("physics:lowerLimit", joint.lower);
  limit("physics:upperLimit", joint.upper);
  const std::string_view dof = turns ? "angular" : "linear";
  write_drive(joint, dof, prim);
  write_state(joint, dof, prim);
  write_extras(joint, prim, is_stacked);
}

void RobotWriter::write_ball(std::int32_t index, std::int32_t parent,
                             const Posed& child_in_parent) {
  const RobotJoint& joint = at(robot_.joints, index);
  const Posed frame{joint.anchor, Quatd::Identity()};
  OutPrim* const prim = add_joint("PhysicsSphericalJoint", joint.name, parent,
                                  compose_poses(child_in_parent, frame), joint.body, frame);
  at(joints_, index) = prim;
  if (std::isfinite(joint.upper)) {
    for (const char* name : {"physics:coneAngle0Limit", "physics:coneAngle1Limit"}) {
      out_.set(prim, "float", name, float_value(in_file_unit(joint.upper, true)));
    }
  }
  write_extras(joint, prim, false);
}

// --- Several joints at once

// With the axes of a frame F a joint moves by translations along them, then turns by x, y and z,
// each about the axes as turned so far. Joints that stand one after the other are that if their
// axes, with what those before have turned at the start taken back, are axes of one frame.
std::optional<JointFrame> RobotWriter::joint_frame(const RobotBody& body) const {
  std::vector<Vector3d> slides;
  std::vector<Vector3d> turns;
  JointFrame plan;
  const RobotJoint& first = at(robot_.joints, body.joints.front());
  Quatd turned = Quatd::Identity();
  const Vector3d* anchor = nullptr;
  for (const std::int32_t index : body.joints) {
    const RobotJoint& joint = at(robot_.joints, index);
    // What follows, is followed or has an actuator must be a joint of its own.
    const bool is_plain = joint.leader == kNothing && !at(leads_, index) && !joint.has_actuator;
    if (!is_plain || !same_extras(joint, first) || plan.is_ball) return std::nullopt;
    if (joint.kind == JointKind::slide) {
      if (!turns.empty()) return std::nullopt;
      slides.push_back(joint.axis);
      continue;
    }
    if (anchor != nullptr && (*anchor - joint.anchor).norm() > 1e-9) return std::nullopt;
    anchor = &joint.anchor;
    if (joint.kind == JointKind::ball) {
      if (!turns.empty() || std::isfinite(joint.upper)) return std::nullopt;
      plan.is_ball = true;
      continue;
    }
    const Vector3d axis = turned.conjugate() * joint.axis;
    turned = turned * Quatd(Eigen::AngleAxisd(joint.start, axis));
    turns.push_back(axis);
  }
  if (slides.size() > 3 || turns.size() > 3) return std::nullopt;
  std::vector<Vector3d> axes = slides;
  axes.insert(axes.end(), turns.begin(), turns.end());
  constexpr double kNear = 1e-6;
  const auto fits = [&](const Eigen::Matrix3d& frame) {
    plan.dofs.fill(kNothing);
    int least = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const bool is_turn = i >= slides.size();
      int found = -1;
      for (int k = is_turn ? least : 0; k < 3; ++k) {
        if ((frame.col(k) - axes[i]).norm() < kNear) found = k;
      }
      if (found < 0) return false;
      std::int32_t& dof = plan.dofs[static_cast<std::size_t>(found + (is_turn ? 3 : 0))];
      if (dof != kNothing) return false;
      dof = body.joints[i];
      if (is_turn) least = found + 1;
    }
    plan.frame = Quatd(frame).normalized();
    return true;
  };
  const auto frame_with = [](int i, const Vector3d& a, int k, const Vector3d& b) {
    Eigen::Matrix3d frame;
    frame.col(i) = a;
    frame.col(k) = b;
    const int left = 3 - i - k;
    frame.col(left) = frame.col((left + 1) % 3).cross(frame.col((left + 2) % 3));
    return frame;
  };
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (std::size_t b = 0; b <= axes.size(); ++b) {
      const bool is_alone = b == axes.size();
      if (b == a) continue;
      const Vector3d other = is_alone ? Vector3d(axes[a].unitOrthogonal()) : axes[b];
      if (std::abs(axes[a].dot(other)) > kNear) continue;
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
          if (i != k && fits(frame_with(i, axes[a], k, other))) return plan;
        }
      }
    }
  }
  return std::nullopt;
}

void RobotWriter::write_general(const RobotBody& body, const JointFrame& plan, std::int32_t parent,
                                const Posed& child_in_parent) {
  const RobotJoint& first_joint = at(robot_.joints, body.joints.front());
  const RobotJoint& last_joint = at(robot_.joints, body.joints.back());
  Posed first{last_joint.anchor, plan.frame};
  Quatd turn = plan.frame;
  for (std::size_t i = 0; i < 6; ++i) {
    if (plan.dofs[i] == kNothing) continue;
    const RobotJoint& joint = at(robot_.joints, plan.dofs[i]);
    const Vector3d axis = Vector3d::Unit(static_cast<int>(i % 3));
    if (i < 3) {
      first.position -= plan.frame * (joint.start * axis);
    } else {
      turn = turn * Quatd(Eigen::AngleAxisd(joint.start, axis));
    }
  }
  // "hip:rotX" and "hip:rotY" are parts of "hip".
  std::string name(joint_leaf(first_joint.name));
  if (first_joint.name.find(':') == std::string::npos) {
    name = std::string(joint_leaf(body.name)) + "_joint";
  }
  OutPrim* const prim =
      add_joint("PhysicsJoint", name, parent, compose_poses(child_in_parent, first),
                first_joint.body, {last_joint.anchor, turn});
  at(body_joints_, first_joint.body) = prim;
  for (std::size_t i = 0; i < 6; ++i) {
    const bool turns = i >= 3;
    const std::string dof(kDofs[i]);
    const auto limit = [&](double low, double high) {
      out_.apply(prim, "PhysicsLimitAPI:" + dof);
      out_.set(prim, "float", "limit:" + dof + ":physics:low", float_value(low));
      out_.set(prim, "float", "limit:" + dof + ":physics:high", float_value(high));
    };
    if (plan.dofs[i] == kNothing) {
      if (!(plan.is_ball && turns)) limit(1.0, -1.0);  // Lower above upper: locked.
      continue;
    }
    const RobotJoint& joint = at(robot_.joints, plan.dofs[i]);
    if (std::isfinite(joint.lower) || std::isfinite(joint.upper)) {
      limit(in_file_unit(joint.lower, turns), in_file_unit(joint.upper, turns));
    }
    write_drive(joint, dof, prim);
    write_state(joint, dof, prim);
  }
  write_extras(first_joint, prim, false);
}

// --- What joints have besides

void RobotWriter::write_drive(const RobotJoint& joint, std::string_view dof, OutPrim* prim) {
  if (!joint.drive) return;
  ++counts_.drives;
  const bool turns = joint.kind != JointKind::slide;
  const RobotDrive& drive = *joint.drive;
  const std::string prefix = "drive:" + std::string(dof) + ":physics:";
  out_.apply(prim, "PhysicsDriveAPI:" + std::string(dof));
  out_.set_uniform(prim, "token", prefix + "type", out_.token("force"));
  const auto set = [&](std::string_view name, double value) {
    out_.set(prim, "float", prefix + std::string(name), float_value(value));
  };
  const double per_unit = turns ? 1.0 / kDegreesPerTurnUnit : 1.0;
  if (drive.force_limit) set("maxForce", *drive.force_limit);
  if (drive.target != 0.0) set("targetPosition", in_file_unit(drive.target, turns));
  if (drive.speed != 0.0) set("targetVelocity", in_file_unit(drive.speed, turns));
  set("stiffness", drive.stiffness * per_unit);
  set("damping", drive.damping * per_unit);
}

void RobotWriter::write_state(const RobotJoint& joint, std::string_view dof, OutPrim* prim) {
  if (!joint.stated && joint.speed == 0.0) return;
  const bool turns = joint.kind != JointKind::slide;
  const std::string prefix = "state:" + std::string(dof) + ":physics:";
  out_.apply(prim, "PhysicsJointStateAPI:" + std::string(dof));
  if (joint.stated) {
    out_.set(prim, "float", prefix + "position", float_value(in_file_unit(*joint.stated, turns)));
  }
  if (joint.speed != 0.0) {
    out_.set(prim, "float", prefix + "velocity", float_value(in_file_unit(joint.speed, turns)));
  }
}

void RobotWriter::write_extras(const RobotJoint& joint, OutPrim* prim, bool is_stacked) {
  const bool turns = joint.kind != JointKind::slide;
  if (robot_.adds_newton) {
    const auto set = [&](std::string_view name, double value) {
      if (value == 0.0) return;
      out_.apply(prim, "NewtonJointAPI");
      out_.set(prim, "float", name, float_value(value));
    };
    set("newton:damping", joint.damping / in_file_unit(1.0, turns));
    set("newton:friction", joint.friction);
    set("newton:velocityLimit", in_file_unit(joint.velocity_limit.value_or(0.0), turns));
    if (!is_stacked) return;
  }
  if (is_stacked) out_.apply(prim, "MjcJointAPI");
  const auto set = [&](std::string_view name, double value) {
    if (value == 0.0 || robot_.adds_newton) return;
    out_.apply(prim, "MjcJointAPI");
    out_.set_uniform(prim, "double", name, value_of(value));
  };
  set("mjc:armature", joint.armature);
  set("mjc:damping", joint.damping);
  set("mjc:frictionloss", joint.friction);
  set("mjc:stiffness", joint.stiffness);
  set("mjc:springref", in_file_unit(joint.spring_rest, turns));
  for (const auto& [name, values] : joint.solver) write_mjc(prim, "MjcJointAPI", name, values);
}

void RobotWriter::write_mimics() {
  for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
    const RobotJoint& joint = robot_.joints[i];
    if (joint.leader == kNothing || joints_[i] == nullptr) continue;
    OutPrim* const leader = at(joints_, joint.leader);
    if (leader == nullptr) continue;
    const bool turns = joint.kind == JointKind::hinge;
    if (!joint.coupling.empty()) {  // Newton has no place for the numbers of the solver.
      constexpr const char* kApi = "MjcEqualityJointAPI";
      out_.apply(joints_[i], kApi);
      out_.relate(joints_[i], "mjc:target", leader);
      out_.set_uniform(joints_[i], "double", "mjc:coef0", value_of(joint.offset));
      out_.set_uniform(joints_[i], "double", "mjc:coef1", value_of(joint.ratio));
      for (const auto& [name, values] : joint.coupling) write_mjc(joints_[i], kApi, name, values);
      continue;
    }
    out_.apply(joints_[i], "NewtonMimicAPI");
    out_.relate(joints_[i], "newton:mimicJoint", leader);
    out_.set(joints_[i], "float", "newton:mimicCoef1", float_value(joint.ratio));
    out_.set(joints_[i], "float", "newton:mimicCoef0",
             float_value(in_file_unit(joint.offset, turns)));
  }
}

// --- Loops and actuators

void RobotWriter::write_loop(const RobotLoop& loop) {
  constexpr std::array<std::string_view, 3> kTypes = {"PhysicsFixedJoint", "PhysicsSphericalJoint",
                                                      "PhysicsDistanceJoint"};
  std::array<Posed, 2> frames;
  std::array<std::int32_t, 2> bodies = {0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    bodies[i] = carrier(loop.bodies[i]);
    frames[i] = compose_poses(in_carrier(loop.bodies[i]), loop.frames[i]);
    // The world as a body of the file has its own pose.
    if (bodies[i] == 0)
      frames[i] = compose_poses(at(robot_.bodies, loop.bodies[i]).world, loop.frames[i]);
  }
  if (is_over() || bodies[0] == bodies[1]) return;
  OutPrim* const prim = add_joint(kTypes[static_cast<std::size_t>(loop.kind)], loop.name, bodies[0],
                                  frames[0], bodies[1], frames[1]);
  out_.set_uniform(prim, "bool", "physics:excludeFromArticulation", value_of(true));
  out_.set(prim, "bool", "physics:collisionEnabled", value_of(true));
  if (!loop.enabled) out_.set(prim, "bool", "physics:jointEnabled", value_of(false));
  const bool is_weld = loop.kind == RobotLoop::Kind::weld;
  for (const auto& [name, values] : loop.solver) {
    write_mjc(prim, is_weld ? "MjcEqualityWeldAPI" : "MjcEqualityConnectAPI", name, values);
  }
  if (loop.kind != RobotLoop::Kind::distance) return;
  out_.set(prim, "float", "physics:minDistance", float_value(loop.lower));
  if (std::isfinite(loop.upper)) {
    out_.set(prim, "float", "physics:maxDistance", float_value(loop.upper));
  }
}

void RobotWriter::write_actuators() {
  OutPrim* scope = nullptr;
  std::vector<double> controls;
  std::vector<double> activations;
  for (const RobotActuator& actuator : robot_.actuators) {
    if (is_over() || at(joints_, actuator.joint) == nullptr) continue;
    if (scope == nullptr) scope = out_.add(root_, "Scope", "actuators", "actuators");
    OutPrim* const prim = out_.add(scope, "MjcActuator", joint_leaf(actuator.name), "actuator");
    ++counts_.actuators;
    const auto list = [&](std::string_view name, std::span<const double> numbers) {
      out_.set_uniform(prim, "double[]", name, out_.array(layer::ElementType::double_, numbers));
    };
    out_.relate(prim, "mjc:target", at(joints_, actuator.joint));
    list("mjc:gear", std::span(&actuator.gear, 1));
    const auto word = [&](std::string_view name, std::string_view value) {
      out_.set_uniform(prim, "token", name, out_.token(value));
    };
    if (actuator.law) {
      const physics::ActuatorLaw& law = *actuator.law;
      word("mjc:gainType", law.gain_type);
      word("mjc:biasType", law.bias_type);
      word("mjc:dynType", law.dynamics_type);
      if (!law.gain.empty()) list("mjc:gainPrm", law.gain);
      if (!law.bias.empty()) list("mjc:biasPrm", law.bias);
      if (!law.dynamics.empty()) list("mjc:dynPrm", law.dynamics);
    } else {
      const std::array<double, 3> gain = {actuator.gain, actuator.gain_slopes[0],
                                          actuator.gain_slopes[1]};
      const bool is_affine = gain[1] != 0.0 || gain[2] != 0.0;
      if (is_affine) word("mjc:gainType", "affine");
      list("mjc:gainPrm", std::span(gain).first(is_affine ? 3 : 1));
      if (actuator.bias != std::array<double, 3>{0.0, 0.0, 0.0}) {
        word("mjc:biasType", "affine");
        list("mjc:biasPrm", actuator.bias);
      }
      if (actuator.has_activation()) {
        word("mjc:dynType", physics::to_string(actuator.dynamics));
        list("mjc:dynPrm", std::span(&actuator.time_constant, 1));
      }
    }
    const auto range = [&](const std::string& name, std::string_view limited,
                           const std::optional<std::array<double, 2>>& values) {
      if (!values) return;
      if (!limited.empty()) word(limited, "true");
      out_.set_uniform(prim, "double", name + ":min", value_of((*values)[0]));
      out_.set_uniform(prim, "double", name + ":max", value_of((*values)[1]));
    };
    range("mjc:ctrlRange", "mjc:ctrlLimited", actuator.control_range);
    range("mjc:forceRange", "mjc:forceLimited", actuator.force_range);
    range("mjc:lengthRange", {}, actuator.length_range);
    if (actuator.has_activation()) {
      range("mjc:actRange", "mjc:actLimited", actuator.activation_range);
      if (actuator.acts_early) out_.set_uniform(prim, "bool", "mjc:actEarly", value_of(true));
      activations.push_back(actuator.activation);
    }
    controls.push_back(actuator.control);
  }
  OutPrim* keyframe = nullptr;
  for (const auto& [name, numbers] : {std::pair("mjc:ctrl", std::span<const double>(controls)),
                                      std::pair("mjc:act", std::span<const double>(activations))}) {
    if (std::all_of(numbers.begin(), numbers.end(), [](double n) { return n == 0.0; })) continue;
    if (keyframe == nullptr) {
      OutPrim* const keyframes = out_.add(root_, "Scope", "keyframes", "keyframes");
      keyframe = out_.add(keyframes, "MjcKeyframe", "start", "start");
    }
    out_.set(keyframe, "double[]", name, out_.array(layer::ElementType::double_, numbers));
  }
}

}  // namespace sinew::exporter::robot_import
