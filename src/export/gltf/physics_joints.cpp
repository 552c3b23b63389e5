// SPDX-License-Identifier: Apache-2.0
// Joints: their descriptions, and the nodes of their two sides.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/physics_writer.hpp"
#include "sinew/physics/joint.hpp"

namespace sinew::exporter {

namespace {

using physics::JointDof;
using physics::JointDrive;
using physics::JointLimit;

bool limits(float value) {
  return std::isfinite(value) && std::abs(value) < physics::kUnlimited;
}

/// Collects limits and drives.
class JointWriter {
 public:
  void add(const char* axes, std::initializer_list<int> which, std::optional<float> low,
           std::optional<float> high) {
    if (low && !limits(*low)) low.reset();
    if (high && !limits(*high)) high.reset();
    if (!low && !high) return;
    Json limit = Json::object();
    limit[axes] = Json::list(which);
    if (low) limit["min"] = json_number(*low);
    if (high) limit["max"] = json_number(*high);
    limits_.push_back(std::move(limit));
  }
  void lock(const char* axes, std::initializer_list<int> which) { add(axes, which, 0.0F, 0.0F); }
  void add(const char* axes, int axis, const JointLimit& limit) {
    if (!limit.enabled) return;
    if (limit.lower > limit.upper) {
      lock(axes, {axis});
    } else {
      add(axes, {axis}, limit.lower, limit.upper);
    }
  }
  void add_drive(const char* type, int axis, const JointDrive& drive) {
    if (!drive.enabled) return;
    Json json = Json::object();
    json["type"] = type;
    json["mode"] = drive.acceleration ? "acceleration" : "force";
    json["axis"] = axis;
    if (limits(drive.force_limit)) json["maxForce"] = json_number(std::abs(drive.force_limit));
    if (std::isfinite(drive.stiffness) && drive.stiffness > 0.0F && limits(drive.target_position)) {
      json["positionTarget"] = json_number(drive.target_position);
      json["stiffness"] = json_number(drive.stiffness);
    }
    if (std::isfinite(drive.damping) && drive.damping > 0.0F && limits(drive.target_velocity)) {
      json["velocityTarget"] = json_number(drive.target_velocity);
      json["damping"] = json_number(drive.damping);
    }
    drives_.push_back(std::move(json));
  }
  void add_distance(std::optional<float> low, std::optional<float> high) {
    add("linearAxes", {0, 1, 2}, low, high);
  }

  void operator()(const physics::FixedJoint&) {
    lock("linearAxes", {0, 1, 2});
    lock("angularAxes", {0, 1, 2});
  }
  void operator()(const physics::RevoluteJoint& joint) {
    const auto a = static_cast<int>(joint.axis);
    lock("linearAxes", {0, 1, 2});
    lock_others("angularAxes", a);
    add("angularAxes", a, joint.limit);
    add_drive("angular", a, joint.drive);
  }
  void operator()(const physics::PrismaticJoint& joint) {
    const auto a = static_cast<int>(joint.axis);
    lock("angularAxes", {0, 1, 2});
    lock_others("linearAxes", a);
    add("linearAxes", a, joint.limit);
    add_drive("linear", a, joint.drive);
  }
  void operator()(const physics::SphericalJoint& joint) {
    const auto a = static_cast<int>(joint.axis);
    const int next = (a + 1) % 3, last = (a + 2) % 3;
    lock("linearAxes", {0, 1, 2});
    if (!joint.limit.enabled) return;
    const auto cone = [](float angle) { return limits(angle) && angle >= 0.0F; };
    const float low = joint.limit.lower, high = joint.limit.upper;
    if (low == high && cone(low)) {
      add("angularAxes", {std::min(next, last), std::max(next, last)}, 0.0F, low);
      return;
    }
    // Towards the next axis is a turn about the one after it.
    if (cone(low)) add("angularAxes", {last}, -low, low);
    if (cone(high)) add("angularAxes", {next}, -high, high);
  }
  void operator()(const physics::DistanceJoint& joint) {
    add_distance(joint.min_enabled ? std::optional<float>(joint.limit.lower) : std::nullopt,
                 joint.max_enabled ? std::optional<float>(joint.limit.upper) : std::nullopt);
  }
  void operator()(const physics::D6Joint& joint) {
    for (const physics::DofLimit& dof : joint.limits) {
      if (dof.dof == JointDof::distance) {
        if (dof.limit.enabled) add_distance(dof.limit.lower, dof.limit.upper);
        continue;
      }
      add(axes_of(dof.dof), axis_of(dof.dof), dof.limit);
    }
    for (const physics::DofDrive& dof : joint.drives) {
      if (dof.dof == JointDof::distance) continue;  // Along no axis.
      add_drive(is_linear(dof.dof) ? "linear" : "angular", axis_of(dof.dof), dof.drive);
    }
  }
  void operator()(const physics::CustomJoint&) {}

  Json description() {
    Json json = Json::object();
    if (!limits_.empty()) json["limits"] = std::move(limits_);
    if (!drives_.empty()) json["drives"] = std::move(drives_);
    return json;
  }

 private:
  static bool is_linear(JointDof dof) { return dof <= JointDof::trans_z; }
  static const char* axes_of(JointDof dof) { return is_linear(dof) ? "linearAxes" : "angularAxes"; }
  static int axis_of(JointDof dof) {
    return is_linear(dof) ? static_cast<int>(dof) - static_cast<int>(JointDof::trans_x)
                          : static_cast<int>(dof) - static_cast<int>(JointDof::rot_x);
  }
  void lock_others(const char* axes, int axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    lock(axes, {std::min(next, last), std::max(next, last)});
  }

  std::vector<Json> limits_;
  std::vector<Json> drives_;
};

}  // namespace

Json joint_description(const physics::Joint& joint) {
  JointWriter writer;
  std::visit(writer, joint.kind);
  return writer.description();
}

/// The node of one side of a joint.
std::int32_t PhysicsWriter::joint_node(const physics::Joint& joint, int side,
                                       const std::string& name, bool on_body) {
  const physics::JointEnd& end = joint.ends[side];
  Matrix4d frame = matrix_of_pose(end.frame);
  std::int32_t parent = w_.root;
  if (model_.has_body(end.body)) {
    parent = body_nodes_[static_cast<std::size_t>(end.body)];
    on_body = on_body && frame.isIdentity(1e-6) && (side == 1 || has_room(parent, "joint"));
    if (on_body) return parent;
  } else if (!end.body_path.empty()) {
    frame = shown_frame(end.body_path, matrix_of_pose(end.body_world)) * frame;
  }
  const std::int32_t node = w_.add_node(parent, name, frame);
  PlanNode& made = w_.node(node);
  made.keeps_factors = true;
  made.needed = true;
  // A static collider, with which the other side then does not collide.
  const bool is_static = !model_.has_body(end.body) && !end.body_path.empty();
  if (is_static && w_.options.extras) made.extras["sinew"]["body"] = end.body_path.view();
  return node;
}

void PhysicsWriter::write_joints() {
  for (const physics::Joint& joint : model_.joints) {
    if (w_.error) return;
    if (!is_kept(joint.joint_enabled)) continue;
    bool is_usable = joint.is_valid && !std::holds_alternative<physics::CustomJoint>(joint.kind);
    for (const physics::JointEnd& end : joint.ends) {
      is_usable =
          is_usable && finite_pose(end.frame) && finite_pose(end.body_world) &&
          (!model_.has_body(end.body) || body_nodes_[static_cast<std::size_t>(end.body)] != kTop);
    }
    if (!is_usable) {
      warn("gltf-joint", joint.path,
           format_text("The joint {} is not valid, of a kind that glTF has no place for, or "
                       "between bodies that are not written; it is left out.",
                       joint.path.view()));
      continue;
    }
    const std::int32_t held = joint.ends[0].body;
    if (model_.has_body(held) && held == joint.ends[1].body) {
      warn("gltf-joint", joint.path,
           format_text("Both ends of the joint {} are on the body {}; it is left out.",
                       joint.path.view(), model_.body(held).path.view()));
      continue;
    }
    w_.document.summary.physics_joints += joint.joint_enabled ? 1 : 0;
    const stage::Prim prim = w_.stage.prim(joint.path.view());
    const Origin origin = prim ? read_origin(prim) : Origin();
    const std::string name =
        origin.name.value_or(std::string(layer::Path::from_trusted(joint.path.str()).name()));
    const std::int32_t first = joint_node(joint, 0, name, origin.on_body[0]);
    const std::int32_t second =
        joint_node(joint, 1, origin.connected.value_or(name + "_1"), origin.on_body[1]);
    if (w_.error) return;
    if (w_.node(first).source_path.empty()) w_.node(first).source_path = joint.path.str();
    Json json = Json::object();
    json["connectedNode"] = second;  // In the plan; emit() numbers it.
    json["joint"] = known_joints_.place(joints_, joint_description(joint));
    if (joint.collision_enabled) json["enableCollision"] = true;
    extension(first, joint.joint_enabled)["joint"] = std::move(json);
    keep_in_extras(joint, first);
  }
}

void PhysicsWriter::keep_in_extras(const physics::Joint& joint, std::int32_t node) {
  // Read back, one that leaves a single turn or slide free would become the special kind.
  if (w_.options.extras && std::holds_alternative<physics::D6Joint>(joint.kind)) {
    w_.node(node).extras["sinew"]["genericJoint"] = true;
  }
  const bool breaks =
      joint.break_force < physics::kUnlimited || joint.break_torque < physics::kUnlimited;
  if (!breaks && !joint.exclude_from_articulation) return;
  tell_of_extras(joint.path.view());
  if (!w_.options.extras) return;
  Json& extras = w_.node(node).extras["sinew"];
  if (joint.break_force < physics::kUnlimited && std::isfinite(joint.break_force)) {
    extras["breakForce"] = json_number(joint.break_force);
  }
  if (joint.break_torque < physics::kUnlimited && std::isfinite(joint.break_torque)) {
    extras["breakTorque"] = json_number(joint.break_torque);
  }
  if (joint.exclude_from_articulation) extras["excludeFromArticulation"] = true;
}

}  // namespace sinew::exporter
