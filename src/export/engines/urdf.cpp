// SPDX-License-Identifier: Apache-2.0
// URDF from a world: links and the whole. Joints are in urdf_joints.cpp, shapes in urdf_shapes.cpp.
#include "sinew/export/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "export/engines/urdf_writer.hpp"
#include "physics/shared/frames.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

// Roll, pitch and yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
Vector3d roll_pitch_yaw(const Quatd& rotation) {
  const Eigen::Matrix3d r = rotation.toRotationMatrix();
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  if (std::hypot(r(0, 0), r(1, 0)) < 1e-9) {  // Only the sum of the other two is known.
    return {0.0, pitch, std::atan2(-r(0, 1), r(1, 1))};
  }
  return {std::atan2(r(2, 1), r(2, 2)), pitch, std::atan2(r(1, 0), r(0, 0))};
}

}  // namespace

std::string urdf_origin(const Posed& pose) {
  return "<origin xyz=\"" + numbers(pose.position) + "\" rpy=\"" +
         numbers(roll_pitch_yaw(pose.rotation.normalized())) + "\"/>";
}

UrdfWriter::UrdfWriter(const PhysicsModel& source, const EngineOptions& options,
                       Diagnostics& diagnostics)
    : options_(options),
      report_(diagnostics, file_),
      world_(source, options, report_, diagnostics),
      robot_name_(options.robot_name.empty() ? "robot" : escaped(options.robot_name)) {
  link_names_ = names_of(world_.model.rigid_bodies, options_.names, {"world"});
  joint_names_ = names_of(world_.model.joints, options_.names);
  shape_names_ = names_of(world_.model.shapes, options_.names);
  list_axes();
}

EngineFile UrdfWriter::run() {
  world_.show(options_, shape_names_);
  std::string& out = file_.text;
  out = "<?xml version=\"1.0\"?>\n<robot name=\"" + robot_name_ + "\">\n  <link name=\"world\">\n";
  write_shapes(world_.static_shapes, world_.static_shown, Posed{});
  out += "  </link>\n";
  frames_.resize(world_.forest.links.size());
  for (std::size_t i = 0; i < world_.forest.links.size(); ++i) write_link(i);
  for (const std::int32_t j : world_.forest.loop_joints) refuse_loop(j);
  for (const Site& site : world_.model.sites) report_.became(site.path, "nothing: a marker");
  tell_filters();
  tell_features();
  report_.finish_counted();
  out += "</robot>\n";
  return std::move(file_);
}

void UrdfWriter::write_link(std::size_t index) {
  const ForestLink& link = world_.forest.links[index];
  const RigidBody& body = world_.model.body(link.body);
  // The link's frame stands where the last joint does, along the axes of the body.
  Posed& frame = frames_[index];
  if (keeps_pose(index)) {
    frame.position = axes_[index].back().joint->anchor;
  } else if (!world_.joints[index].empty()) {
    frame.position = world_.joints[index].front().child_frame.position;
  }
  const std::string name = escaped(at(link_names_, link.body));
  add("  <link name=\"" + name + "\">");
  const Posed into = inverse(frame);
  if (link.state != LinkState::is_static && link.state != LinkState::kinematic) {
    write_inertial(link.body, into);
  }
  write_shapes(at(world_.shapes_of_body, link.body), at(world_.shown_of_body, link.body), into);
  add("  </link>");
  write_joint(index, name);
  if (!body.linear_velocity.isZero() || !body.angular_velocity.isZero()) {
    report_.add("engine-start-dropped", body.path, "The file holds no velocities.");
  }
  report_.became(body.path, link.state == LinkState::free ? "floating link" : "link");
}

void UrdfWriter::write_inertial(std::int32_t body, const Posed& into) {
  const MassFrame& mass = at(world_.masses, body);
  const Matrix3d& i = mass.inertia;
  add("    <inertial>\n      " +
      urdf_origin({into.position + into.rotation * mass.center, {1, 0, 0, 0}}) +
      "\n      <mass value=\"" + number(mass.mass) + "\"/>\n      <inertia ixx=\"" +
      number(i(0, 0)) + "\" ixy=\"" + number(i(0, 1)) + "\" ixz=\"" + number(i(0, 2)) +
      "\" iyy=\"" + number(i(1, 1)) + "\" iyz=\"" + number(i(1, 2)) + "\" izz=\"" +
      number(i(2, 2)) + "\"/>\n    </inertial>");
}

void UrdfWriter::refuse_loop(std::int32_t index) {
  const Joint& prim = world_.model.joint(index);
  const NormalJoint normal = normal_form(world_.model, prim);
  const bool is_free = !std::holds_alternative<CustomJoint>(prim.kind) &&
                       std::all_of(normal.dofs.begin(), normal.dofs.end(),
                                   [](const DofRule& dof) { return dof.state == DofState::free; });
  if (is_free) {
    report_.add("engine-joint-free", prim.path,
                "The joint locks and limits nothing; nothing is written for it.");
    return report_.became(prim.path, "nothing");
  }
  report_.add("engine-loop-unsupported", prim.path,
              "The joint closes a loop, or holds nothing in a tree; the file is a tree, so it is "
              "left out.");
  report_.became(prim.path, "nothing", false, "engine-loop-unsupported");
}

void UrdfWriter::tell_filters() {
  std::size_t ruled = 0;
  for (std::size_t i = 0; i < world_.model.shapes.size(); ++i) {
    const bool groups = !world_.model.shapes[i].collision_groups.empty() ||
                        !world_.model.shapes[i].filtered_collision_paths.empty();
    ruled += groups ? 1 : 0;
  }
  for (const RigidBody& body : world_.model.rigid_bodies) {
    ruled += body.filtered_collision_paths.empty() ? 0 : 1;
  }
  for (const Articulation& articulation : world_.model.articulations) {
    ruled += articulation.filtered_collision_paths.empty() ? 0 : 1;
  }
  if (ruled == 0) return;
  report_.add("engine-filter-dropped", "",
              fmt::format("The file holds no filters: those of {} prims are left out.", ruled));
}

// What MJCF has a place for and this format has not.
void UrdfWriter::tell_features() {
  const std::string_view code = "engine-feature-dropped";
  const PhysicsModel& model = world_.model;
  const Vector3f gravity = world_.gravity.magnitude * world_.gravity.direction;
  // What readers take where nothing is said.
  constexpr float kSame = 0.02F;
  if (!model.scenes.empty() && (gravity - Vector3f(0.0F, 0.0F, -9.81F)).norm() > kSame) {
    report_.add(code, model.scenes.front().path,
                fmt::format("The file holds no gravity: that of the stage is ({:g}, {:g}, {:g}) "
                            "m/s2.",
                            gravity.x(), gravity.y(), gravity.z()));
  }
  for (const SceneExtras& extras : model.scene_extras) {
    const auto index = static_cast<std::size_t>(&extras - model.scene_extras.data());
    const Text& scene = model.scenes[index].path;
    if (extras.time_step) report_.add_counted(code, scene, "The file holds no time step");
    const auto& [elliptic, impratio, noslip_iterations] = extras.friction;
    if (elliptic || impratio || noslip_iterations) {
      report_.add_counted(code, scene, "The file holds nothing of how friction is solved");
    }
  }
  for (const RigidBodyMaterial& material : model.materials) {
    if (material.static_friction > 0.0F || material.dynamic_friction > 0.0F) {
      report_.add_counted(code, material.path, "The file holds no friction of materials");
    }
  }
  for (std::size_t i = 0; i < model.shape_extras.size(); ++i) {
    const ShapeExtras& extras = model.shape_extras[i];
    const MjcContact& contact = extras.contact;
    if (extras.margin || extras.gap || extras.torsional_friction || extras.rolling_friction ||
        contact.condim || contact.priority || contact.solmix || !contact.solver.empty()) {
      report_.add_counted(code, model.shapes[i].path,
                          "The file holds nothing of what a vendor says of contacts");
    }
  }
  for (std::size_t i = 0; i < model.joint_extras.size(); ++i) {
    const JointExtras& extras = model.joint_extras[i];
    const std::string_view path = model.joints[i].path;
    const auto has = [&](std::optional<float> DofExtras::*field) {
      return std::any_of(extras.dofs.begin(), extras.dofs.end(),
                         [&](const DofExtras& dof) { return (dof.*field).value_or(0.0F) != 0.0F; });
    };
    if (has(&DofExtras::armature)) {
      report_.add_counted(code, path, "The file holds no inertia of motors");
    }
    if (has(&DofExtras::stiffness)) report_.add_counted(code, path, "The file holds no springs");
    if (!extras.limit.empty()) {
      report_.add_counted(code, path, "The file holds no numbers of MuJoCo's solver");
    }
  }
  for (const Actuator& actuator : model.actuators) {
    report_.add_counted(code, actuator.path, "The file holds no actuators");
    report_.became(actuator.path, "nothing", false, code);
  }
}

EngineFile write_urdf(const PhysicsModel& model, const EngineOptions& options,
                      Diagnostics& diagnostics) {
  return UrdfWriter(model, options, diagnostics).run();
}

}  // namespace sinew::exporter
