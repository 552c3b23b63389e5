// SPDX-License-Identifier: Apache-2.0
// Joints of KHR_physics_rigid_bodies, whose kind is what their limits leave free.

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "core/format_text.hpp"
#include "export/gltf_import/scene_writer.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::Value;

constexpr std::array<std::string_view, 3> kAxes = {"X", "Y", "Z"};

// The rotation of a transform without its scale.
Quatd rotation_of(const Matrix4d& matrix) {
  Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  for (int i = 0; i < 3; ++i) {
    const double length = linear.col(i).norm();
    if (!(length > 0.0)) return Quatd::Identity();
    linear.col(i) /= length;
  }
  if (linear.determinant() < 0.0) linear.col(0) = -linear.col(0);
  Quatd rotation(linear);
  rotation.normalize();
  return rotation;
}

// One degree of freedom of a joint. Metres and radians.
struct Freedom {
  enum class State { free, locked, limited } state = State::free;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// What the limits of a joint say together: x, y, z, then turns about x, y, z.
struct Freedoms {
  std::array<Freedom, 6> dofs;
  std::optional<Freedom> distance;
  std::optional<std::array<int, 2>> cone_axes;
  double cone_angle = 0.0;

  bool locked(int dof) const {
    return dofs[static_cast<std::size_t>(dof)].state == Freedom::State::locked;
  }
  bool free(int dof) const {
    return dofs[static_cast<std::size_t>(dof)].state == Freedom::State::free;
  }
  int locked_count(int first) const {
    return int{locked(first)} + int{locked(first + 1)} + int{locked(first + 2)};
  }
  int free_count(int first) const {
    return int{free(first)} + int{free(first + 1)} + int{free(first + 2)};
  }
};

enum class JointKind { fixed, revolute, prismatic, spherical, distance, d6 };

struct JointPlan {
  JointKind kind = JointKind::d6;
  int axis = 0;
};

class JointWriter {
 public:
  explicit JointWriter(WriteContext& context)
      : context_(context), out_(*context.out), document_(*context.document) {}

  void write_joint(std::uint32_t index);

 private:
  Freedoms freedoms_of(const JointDescription& joint, std::int32_t index);
  static JointPlan plan_of(const Freedoms& freedoms, const JointDescription& joint);
  void write_end(std::uint32_t node, int end, OutPrim* prim);
  OutPrim* static_body(std::uint32_t node, Matrix4d& world) const;
  void write_limits(const JointPlan& plan, const Freedoms& freedoms, OutPrim* prim);
  void write_drive(const JointPlan& plan, const JointDrive& drive, OutPrim* prim);
  double in_unit(double value, bool is_angle) const {
    return is_angle ? value * kDegreesPerRadian : value * context_.per_metre;
  }
  Matrix4d stage_world(std::int32_t node) const {
    return in_layer_units(context_, Matrix4d(context_.turn * world_of(document_, node)));
  }

  WriteContext& context_;
  LayerOutput& out_;
  const Document& document_;
};

Freedoms JointWriter::freedoms_of(const JointDescription& joint, std::int32_t index) {
  Freedoms result;
  for (std::size_t i = 0; i < joint.limits.size(); ++i) {
    const JointLimit& limit = joint.limits[i];
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis) {
      if (limit.linear[static_cast<std::size_t>(axis)]) axes.push_back(axis);
    }
    const std::size_t linear = axes.size();
    for (int axis = 0; axis < 3; ++axis) {
      if (limit.angular[static_cast<std::size_t>(axis)]) axes.push_back(3 + axis);
    }
    const std::size_t angular = axes.size() - linear;
    if (axes.empty() || (!limit.min && !limit.max)) continue;
    const std::string pointer =
        format_text("/extensions/KHR_physics_rigid_bodies/physicsJoints/{}/limits/{}", index, i);
    if (limit.stiffness || limit.damping > 0.0) {
      context_.faults().warning(pointer, "gltf-physics-soft-limit",
                                "USD knows no soft limits; this one is hard.");
    }
    Freedom freedom;
    freedom.state = Freedom::State::limited;
    freedom.low = limit.min.value_or(freedom.low);
    freedom.high = limit.max.value_or(freedom.high);
    if (freedom.low == 0.0 && freedom.high == 0.0) {
      freedom.state = Freedom::State::locked;
      for (const int axis : axes) result.dofs[static_cast<std::size_t>(axis)] = freedom;
    } else if (axes.size() == 1) {
      result.dofs[static_cast<std::size_t>(axes[0])] = freedom;
    } else if (linear == 3 && angular == 0 && freedom.high >= 0.0) {
      result.distance = freedom;
    } else if (angular == 2 && linear == 0 && limit.max && freedom.low <= 0.0 &&
               freedom.high >= 0.0) {
      result.cone_axes = {axes[0] - 3, axes[1] - 3};
      result.cone_angle = *limit.max;
    } else {
      context_.faults().warning(pointer, "gltf-physics-limit",
                                "USD has no limit of these axes together; it is left out.");
    }
  }
  return result;
}

JointPlan JointWriter::plan_of(const Freedoms& freedoms, const JointDescription& joint) {
  JointPlan plan;
  const int linear = freedoms.locked_count(0);
  const int angular = freedoms.locked_count(3);
  const auto unlocked = [&](int first) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!freedoms.locked(first + axis)) return axis;
    }
    return 0;
  };
  const bool is_plain = !freedoms.distance && !freedoms.cone_axes;
  if (linear == 3 && angular == 3) {
    plan.kind = JointKind::fixed;
  } else if (linear == 3 && angular == 2 && is_plain) {
    plan = {JointKind::revolute, unlocked(3)};
  } else if (linear == 2 && angular == 3 && is_plain) {
    plan = {JointKind::prismatic, unlocked(0)};
  } else if (linear == 3 && angular == 0 && !freedoms.distance && freedoms.free_count(3) == 3) {
    plan.kind = JointKind::spherical;
    if (freedoms.cone_axes) plan.axis = 3 - (*freedoms.cone_axes)[0] - (*freedoms.cone_axes)[1];
  } else if (freedoms.distance && !freedoms.cone_axes && freedoms.free_count(0) == 3 &&
             freedoms.free_count(3) == 3) {
    plan.kind = JointKind::distance;
  } else if (linear == 3 && freedoms.free_count(3) == 1 && is_plain) {
    // Two symmetric limits: a cone that is not round.
    int axis = 0;
    bool is_cone = true;
    for (int i = 0; i < 3; ++i) {
      const Freedom& turn = freedoms.dofs[static_cast<std::size_t>(3 + i)];
      if (turn.state == Freedom::State::free) {
        axis = i;
      } else {
        is_cone = is_cone && turn.state == Freedom::State::limited && turn.low == -turn.high &&
                  turn.high > 0.0 && std::isfinite(turn.high);
      }
    }
    if (is_cone) plan = {JointKind::spherical, axis};
  }
  // Drives of other axes than the joint's own need the general kind.
  for (const JointDrive& drive : joint.drives) {
    const bool fits =
        (plan.kind == JointKind::revolute && drive.is_angular && drive.axis == plan.axis) ||
        (plan.kind == JointKind::prismatic && !drive.is_angular && drive.axis == plan.axis);
    if (!fits) plan.kind = JointKind::d6;
  }
  return plan;
}

// The static collider that a side belongs to by its extras, and where that stands.
OutPrim* JointWriter::static_body(std::uint32_t node, Matrix4d& world) const {
  const auto found = context_.colliders.find(context_.node(node).static_body);
  if (found == context_.colliders.end()) return nullptr;
  const auto [prim, at, size] = found->second;
  world = stage_world(static_cast<std::int32_t>(at));
  world.topLeftCorner<3, 3>() *= size.asDiagonal();
  return prim;
}

void JointWriter::write_end(std::uint32_t node, int end, OutPrim* prim) {
  std::int32_t body = static_cast<std::int32_t>(node);
  while (body != kNothing && !context_.node(static_cast<std::size_t>(body)).motion) {
    body = context_.node(static_cast<std::size_t>(body)).parent;
  }
  Matrix4d frame = stage_world(static_cast<std::int32_t>(node));
  Matrix4d world = Matrix4d::Identity();
  OutPrim* target = nullptr;
  if (body != kNothing) {
    world = stage_world(body);
    target = context_.nodes[static_cast<std::size_t>(body)];
  } else {
    target = static_body(node, world);
  }
  Quatd rotation = rotation_of(frame);
  if (std::abs(world.determinant()) > 1e-30) {
    frame = Matrix4d(world.inverse() * frame);
    rotation = rotation_of(world).conjugate() * rotation;
  }
  if (target != nullptr) out_.relate(prim, format_text("physics:body{}", end), target);
  out_.set(prim, "point3f", format_text("physics:localPos{}", end),
           floats_value(frame.topRightCorner<3, 1>()));
  out_.set(prim, "quatf", format_text("physics:localRot{}", end),
           value_of(Quatf(rotation.cast<float>())));
}

void JointWriter::write_limits(const JointPlan& plan, const Freedoms& freedoms, OutPrim* prim) {
  const auto axis_token = [&] {
    out_.set_uniform(prim, "token", "physics:axis",
                     out_.token(kAxes[static_cast<std::size_t>(plan.axis)]));
  };
  const auto range = [&](const Freedom& freedom, bool is_angle, std::string_view low,
                         std::string_view high) {
    if (freedom.state != Freedom::State::limited) return;
    out_.set(prim, "float", low, float_value(in_unit(freedom.low, is_angle)));
    out_.set(prim, "float", high, float_value(in_unit(freedom.high, is_angle)));
  };
  const auto turn = [&](int axis) -> const Freedom& {
    return freedoms.dofs[static_cast<std::size_t>(3 + axis % 3)];
  };
  switch (plan.kind) {
    case JointKind::fixed:
      return;
    case JointKind::revolute:
    case JointKind::prismatic: {
      axis_token();
      const bool is_angle = plan.kind == JointKind::revolute;
      return range(freedoms.dofs[static_cast<std::size_t>(plan.axis + (is_angle ? 3 : 0))],
                   is_angle, "physics:lowerLimit", "physics:upperLimit");
    }
    case JointKind::spherical: {
      axis_token();
      // Tilting the axis towards the next one is a turn about the third.
      double angles[2] = {turn(plan.axis + 2).high, turn(plan.axis + 1).high};
      if (freedoms.cone_axes) angles[0] = angles[1] = freedoms.cone_angle;
      if (!std::isfinite(angles[0]) || !std::isfinite(angles[1])) return;
      out_.set(prim, "float", "physics:coneAngle0Limit",
               float_value(angles[0] * kDegreesPerRadian));
      return out_.set(prim, "float", "physics:coneAngle1Limit",
                      float_value(angles[1] * kDegreesPerRadian));
    }
    case JointKind::distance: {
      const Freedom& distance = *freedoms.distance;
      if (std::isfinite(distance.low) && distance.low >= 0.0) {
        out_.set(prim, "float", "physics:minDistance", float_value(in_unit(distance.low, false)));
      }
      if (std::isfinite(distance.high)) {
        out_.set(prim, "float", "physics:maxDistance", float_value(in_unit(distance.high, false)));
      }
      return;
    }
    case JointKind::d6:
      break;
  }
  const auto limit = [&](const std::string& dof, double low, double high) {
    out_.apply(prim, "PhysicsLimitAPI:" + dof);
    out_.set(prim, "float", "limit:" + dof + ":physics:low", float_value(low));
    out_.set(prim, "float", "limit:" + dof + ":physics:high", float_value(high));
  };
  for (int i = 0; i < 6; ++i) {
    const Freedom& freedom = freedoms.dofs[static_cast<std::size_t>(i)];
    const bool is_angle = i >= 3;
    const std::string dof =
        (is_angle ? "rot" : "trans") + std::string(kAxes[static_cast<std::size_t>(i % 3)]);
    if (freedom.state == Freedom::State::locked) {
      limit(dof, 1.0, -1.0);  // Lower above upper: locked.
    } else if (freedom.state == Freedom::State::limited) {
      limit(dof, in_unit(freedom.low, is_angle), in_unit(freedom.high, is_angle));
    }
  }
  if (freedoms.cone_axes) {
    for (const int axis : *freedoms.cone_axes) {
      const double angle = freedoms.cone_angle * kDegreesPerRadian;
      limit("rot" + std::string(kAxes[static_cast<std::size_t>(axis)]), -angle, angle);
    }
  }
  if (freedoms.distance) {
    limit("distance", in_unit(freedoms.distance->low, false),
          in_unit(freedoms.distance->high, false));
  }
}

void JointWriter::write_drive(const JointPlan& plan, const JointDrive& drive, OutPrim* prim) {
  const std::string axis(kAxes[static_cast<std::size_t>(drive.axis)]);
  const std::string dof = plan.kind != JointKind::d6 ? (drive.is_angular ? "angular" : "linear")
                          : drive.is_angular         ? "rot" + axis
                                                     : "trans" + axis;
  const std::string prefix = "drive:" + dof + ":physics:";
  out_.apply(prim, "PhysicsDriveAPI:" + dof);
  out_.set_uniform(prim, "token", prefix + "type",
                   out_.token(drive.is_acceleration ? "acceleration" : "force"));
  const double length = context_.per_metre;
  const double force = drive.is_angular ? length * length : length;
  // Of an angle in degrees; torques hold a square of lengths that forces hold none of.
  double coefficient = drive.is_angular ? 1.0 / kDegreesPerRadian : 1.0;
  if (drive.is_angular && !drive.is_acceleration) coefficient *= length * length;
  const auto set = [&](std::string_view name, double value) {
    out_.set(prim, "float", prefix + std::string(name), float_value(value));
  };
  if (drive.max_force) set("maxForce", *drive.max_force * force);
  if (drive.position_target) {
    set("targetPosition", in_unit(*drive.position_target, drive.is_angular));
  }
  if (drive.velocity_target) {
    set("targetVelocity", in_unit(*drive.velocity_target, drive.is_angular));
  }
  set("stiffness", drive.stiffness * coefficient);
  set("damping", drive.damping * coefficient);
}

void JointWriter::write_joint(std::uint32_t index) {
  const JointUse& use = *context_.node(index).joint;
  OutPrim* prim = context_.nodes[index];
  const JointDescription& joint = document_.joints[static_cast<std::size_t>(use.joint)];
  JointPlan plan = plan_of(freedoms_of(joint, use.joint), joint);
  if (use.is_generic) plan.kind = JointKind::d6;
  constexpr std::array<std::string_view, 6> kTypes = {
      "PhysicsFixedJoint",     "PhysicsRevoluteJoint", "PhysicsPrismaticJoint",
      "PhysicsSphericalJoint", "PhysicsDistanceJoint", "PhysicsJoint"};
  // Below the node, or for a mere frame in its place.
  const std::int32_t above = context_.node(index).parent;
  if (prim == nullptr && above != kNothing) prim = context_.nodes[static_cast<std::size_t>(above)];
  prim = out_.add(prim != nullptr ? prim : context_.scene,
                  kTypes[static_cast<std::size_t>(plan.kind)], context_.node(index).name, "joint");
  const std::string& name = context_.node(index).name;
  const Node& connected = context_.node(static_cast<std::size_t>(use.connected_node));
  if (name != prim->name) out_.note(prim, origin::kName, name);
  if (connected.name != name + "_1") out_.note(prim, origin::kConnected, connected.name);
  if (context_.node(index).motion) out_.note(prim, origin::kOnBody0, true);
  if (connected.motion) out_.note(prim, origin::kOnBody1, true);
  ++context_.counts->physics_joints;
  write_end(index, 0, prim);
  write_end(static_cast<std::uint32_t>(use.connected_node), 1, prim);
  if (!use.is_enabled) out_.set(prim, "bool", "physics:jointEnabled", value_of(false));
  if (use.enable_collision) out_.set(prim, "bool", "physics:collisionEnabled", value_of(true));
  const double length = context_.per_metre;
  if (use.break_force) {
    out_.set(prim, "float", "physics:breakForce", float_value(*use.break_force * length));
  }
  if (use.break_torque) {
    out_.set(prim, "float", "physics:breakTorque",
             float_value(*use.break_torque * length * length));
  }
  if (use.exclude_from_articulation) {
    out_.set_uniform(prim, "bool", "physics:excludeFromArticulation", value_of(true));
  }
  if (!context_.node(index).motion && is_articulation_root(context_, index))
    out_.apply(prim, "PhysicsArticulationRootAPI");
  write_limits(plan, freedoms_of(joint, use.joint), prim);
  for (const JointDrive& drive : joint.drives) write_drive(plan, drive, prim);
}

}  // namespace

void write_physics_joints(WriteContext& context) {
  JointWriter writer(context);
  for (std::uint32_t i = 0; i < context.document->nodes.size(); ++i) {
    if (context.is_over()) return;
    if (context.document->in_scene[i] && context.node(i).joint) writer.write_joint(i);
  }
}

}  // namespace sinew::exporter::gltf_import
