// SPDX-License-Identifier: Apache-2.0
// The layer of a robot: the scene, and bodies with their masses.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "export/robot_import/robot_writer.hpp"
#include "sinew/physics/inertia.hpp"

namespace sinew::exporter::robot_import {

namespace {

constexpr double kDegreesInRadian = 180.0 / std::numbers::pi;

// Of names that are paths the last element.
std::string_view leaf_of(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

std::string_view stem_of_file(std::string_view file) {
  file = file.substr(file.find_last_of("/\\") + 1);
  return file.substr(0, file.rfind('.'));
}

}  // namespace

Posed RobotWriter::in_carrier(std::int32_t body) const {
  const RobotBody& from = at(robot_.bodies, body);
  if (from.carrier == body) return {};
  return compose_poses(inverse_pose(at(robot_.bodies, from.carrier).world), from.world);
}

OutPrim* RobotWriter::prim_of(std::int32_t carrier) {
  if (carrier != 0) return at(bodies_, carrier);
  if (world_ == nullptr) world_ = out_.add(root_, "Xform", "world", "world");
  return world_;
}

void RobotWriter::run() {
  write_root();
  write_scene();
  bodies_.resize(robot_.bodies.size());
  body_joints_.resize(robot_.bodies.size());
  joints_.resize(robot_.joints.size());
  geoms_.resize(robot_.geoms.size());
  leads_.resize(robot_.joints.size());
  for (const RobotJoint& joint : robot_.joints) {
    if (joint.leader != kNothing) at(leads_, joint.leader) = true;
  }
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    if (is_over()) return;
    write_body(static_cast<std::int32_t>(i));
  }
  find_welds();
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    if (is_over()) return;
    if (is_rigid(static_cast<std::int32_t>(i))) write_joints(static_cast<std::int32_t>(i));
  }
  write_mimics();
  for (const RobotLoop& loop : robot_.loops) write_loop(loop);
  write_actuators();
  write_articulations();
  write_filters();
  write_groups();
}

void RobotWriter::write_root() {
  const ImportRobotOptions& options = *in_.options;
  std::string_view name = options.prim_name;
  if (name.empty()) name = leaf_of(robot_.name);
  if (name.empty()) name = stem_of_file(options.file);
  root_ = out_.add(out_.root(), "Xform", name, "Robot");
  out_.set_field(out_.root(), "defaultPrim", out_.token(root_->name));
  out_.set_field(out_.root(), "upAxis", out_.token("Z"));
  out_.set_field(out_.root(), "metersPerUnit", value_of(1.0));
  out_.set_field(out_.root(), "kilogramsPerUnit", value_of(1.0));
}

void RobotWriter::write_scene() {
  OutPrim* const scene = out_.add(root_, "PhysicsScene", "PhysicsScene", "PhysicsScene");
  const double magnitude = robot_.gravity.norm();
  const Vector3d direction =
      magnitude > 0.0 ? Vector3d(robot_.gravity / magnitude) : Vector3d(0, 0, -1);
  out_.set(scene, "vector3f", "physics:gravityDirection",
           value_of(Vector3f(direction.cast<float>())));
  out_.set(scene, "float", "physics:gravityMagnitude", float_value(magnitude));
  const auto& [elliptic, impratio, noslip_iterations] = robot_.friction;
  if (!robot_.time_step && !elliptic && !impratio && !noslip_iterations) return;
  out_.apply(scene, "MjcSceneAPI");
  if (robot_.time_step) {
    out_.set_uniform(scene, "double", "mjc:option:timestep", value_of(*robot_.time_step));
  }
  if (elliptic) {
    out_.set_uniform(scene, "token", "mjc:option:cone",
                     out_.token(*elliptic ? "elliptic" : "pyramidal"));
  }
  if (impratio) {
    out_.set_uniform(scene, "double", "mjc:option:impratio", value_of(*impratio));
  }
  if (noslip_iterations) {
    out_.set_uniform(scene, "int", "mjc:option:noslip_iterations",
                     layer::Value::scalar(layer::ElementType::int_, *noslip_iterations));
  }
}

void RobotWriter::write_pose(OutPrim* prim, const Posed& pose, const Vector3d& scale) {
  std::vector<std::string> order;
  if (!pose.position.isZero(0.0)) {
    order.emplace_back("xformOp:translate");
    out_.set(prim, "double3", order.back(), value_of(pose.position));
  }
  if (!(pose.rotation.w() == 1.0 && pose.rotation.vec().isZero(0.0))) {
    order.emplace_back("xformOp:orient");
    out_.set(prim, "quatd", order.back(), value_of(pose.rotation));
  }
  if (scale != Vector3d::Ones()) {
    order.emplace_back("xformOp:scale");
    out_.set(prim, "double3", order.back(), value_of(scale));
  }
  if (!order.empty()) out_.set_uniform(prim, "token[]", "xformOpOrder", out_.tokens(order));
}

// Whether a body has a site that is written.
bool RobotWriter::marks(const RobotBody& body) const {
  return std::any_of(body.sites.begin(), body.sites.end(),
                     [&](std::int32_t site) { return !at(robot_.sites, site).is_rope_end; });
}

void RobotWriter::write_body(std::int32_t index) {
  const RobotBody& body = at(robot_.bodies, index);
  OutPrim* parent = nullptr;
  if (is_rigid(index)) {
    OutPrim* const prim = out_.add(root_, "Xform", leaf_of(body.name), "body");
    at(bodies_, index) = parent = prim;
    ++counts_.bodies;
    write_pose(prim, body.world, Vector3d::Ones());
    out_.apply(prim, "PhysicsRigidBodyAPI");
    if (body.state == BodyState::kinematic) {
      out_.set(prim, "bool", "physics:kinematicEnabled", value_of(true));
    }
    const Quatd back = body.world.rotation.conjugate();
    if (!body.velocity.isZero(0.0)) {
      out_.set(prim, "vector3f", "physics:velocity",
               value_of(Vector3f((back * body.velocity).cast<float>())));
    }
    if (!body.angular_velocity.isZero(0.0)) {
      out_.set(prim, "vector3f", "physics:angularVelocity",
               value_of(Vector3f((body.angular_velocity * kDegreesInRadian).cast<float>())));
    }
    if (body.floats) {
      out_.apply(prim, "NewtonRigidBodyAPI");
      out_.set_uniform(prim, "bool", "newton:gravityEnabled", value_of(false));
    }
    write_mass(body, prim);
  } else if (index != 0 || !body.geoms.empty() || marks(body)) {
    parent = prim_of(body.carrier);
    if (index != 0) {
      parent = out_.add(parent, "Xform", leaf_of(body.name), "frame");
      write_pose(parent, in_carrier(index), Vector3d::Ones());
    }
  }
  const bool has_visuals = std::any_of(body.geoms.begin(), body.geoms.end(), [&](std::int32_t g) {
    return !at(robot_.geoms, g).is_collider;
  });
  for (const std::int32_t geom : body.geoms) {
    if (is_over()) return;
    if (in_.options->visuals || at(robot_.geoms, geom).is_collider) {
      write_geom(geom, parent, has_visuals);
    }
  }
  for (const std::int32_t site : body.sites) {
    if (is_over()) return;
    if (!at(robot_.sites, site).is_rope_end) write_site(at(robot_.sites, site), parent);
  }
}

void RobotWriter::write_mass(const RobotBody& body, OutPrim* prim) {
  if (!body.has_mass || !(body.mass.mass > 0.0)) return;
  const physics::PrincipalInertia principal = physics::diagonalize(body.mass.inertia);
  out_.apply(prim, "PhysicsMassAPI");
  out_.set(prim, "float", "physics:mass", float_value(body.mass.mass));
  out_.set(prim, "point3f", "physics:centerOfMass",
           value_of(Vector3f(body.mass.center.cast<float>())));
  const Vector3f diagonal = principal.diagonal.cast<float>();
  if (!(diagonal.minCoeff() > 0.0F)) return;
  out_.set(prim, "float3", "physics:diagonalInertia", value_of(diagonal));
  out_.set(prim, "quatf", "physics:principalAxes",
           value_of(Quatf(principal.axes.normalized().cast<float>())));
  // Readers of the standard take what is shorter than this for not given.
  constexpr double kThreshold = 1e-5;
  if (principal.diagonal.norm() > 1.0001 * kThreshold) return;
  const Matrix3d& i = body.mass.inertia;
  const std::array<double, 6> six = {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)};
  out_.apply(prim, "NewtonMassAPI");
  out_.set_uniform(prim, "double[]", "newton:inertia",
                   out_.array(layer::ElementType::double_, std::span<const double>(six)));
}

// A tree of joints is solved as one: from the body that floats, or the joint that holds it.
void RobotWriter::write_articulations() {
  std::vector<bool> carries(robot_.bodies.size(), false);
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    const RobotBody& body = robot_.bodies[i];
    if (is_rigid(static_cast<std::int32_t>(i)) && body.state == BodyState::jointed) {
      at(carries, carrier(body.parent)) = true;
    }
  }
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    const RobotBody& body = robot_.bodies[i];
    if (!is_rigid(static_cast<std::int32_t>(i)) || body.state == BodyState::kinematic) continue;
    const bool is_free = body.state == BodyState::free;
    if (!is_free && carrier(body.parent) != 0) continue;
    if (!carries[i] && (is_free || body.joints.empty())) continue;
    OutPrim* const prim = is_free ? bodies_[i] : body_joints_[i];
    if (prim != nullptr) out_.apply(prim, "PhysicsArticulationRootAPI");
  }
}

Result<layer::LayerPtr> write_robot(const RobotInput& input, RobotCounts& counts) {
  LayerOutput out(input.options->identifier, *input.budget);
  RobotWriter(input, out, counts).run();
  return std::move(out).finish();
}

}  // namespace sinew::exporter::robot_import
