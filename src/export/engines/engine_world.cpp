// SPDX-License-Identifier: Apache-2.0
#include "export/engines/engine_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "core/report.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

bool is_finite(const Pose& pose) {
  return pose.position.allFinite() && pose.rotation.coeffs().allFinite();
}

bool is_finite(const JointDrive& drive) {
  return std::isfinite(drive.target_position) && std::isfinite(drive.target_velocity) &&
         std::isfinite(drive.stiffness) && std::isfinite(drive.damping);
}

template <typename F>
void for_each_drive(Joint& joint, const F& f) {
  if (auto* revolute = std::get_if<RevoluteJoint>(&joint.kind)) f(revolute->drive);
  if (auto* prismatic = std::get_if<PrismaticJoint>(&joint.kind)) f(prismatic->drive);
  if (auto* generic = std::get_if<D6Joint>(&joint.kind)) {
    for (DofDrive& drive : generic->drives) f(drive.drive);
  }
}

bool is_unlimited(float force) {
  return !(std::abs(force) < kUnlimited);
}

}  // namespace

std::string mesh_file_name(const EngineOptions& options, const std::string& name,
                           std::size_t number) {
  const bool is_short = options.names == NameStyle::leaf;
  const std::string robot = options.robot_name.empty() ? "robot" : options.robot_name;
  return unique_names({is_short ? robot + "_" + name : name}, NameStyle::identifier).names.front() +
         "_" + std::to_string(number) + ".obj";
}

bool loses_distance(const Joint& joint) {
  const auto* generic = std::get_if<D6Joint>(&joint.kind);
  if (generic == nullptr) return false;
  const auto is_distance = [](const auto& item) { return item.dof == JointDof::distance; };
  return std::any_of(generic->limits.begin(), generic->limits.end(),
                     [&](const DofLimit& l) { return is_distance(l) && l.limit.enabled; }) ||
         std::any_of(generic->drives.begin(), generic->drives.end(),
                     [&](const DofDrive& d) { return is_distance(d) && d.drive.enabled; });
}

void EngineReport::add(std::string_view code, std::string_view path, std::string message,
                       std::string_view hint) {
  const auto known = engine_diagnostics();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const EngineDiagnostic& d) { return d.code == code; });
  const Severity severity = found == known.end() ? Severity::error : found->severity;
  report(&diagnostics_, severity, code, {.path = path}, std::move(message), hint);
}

void EngineReport::add_counted(std::string_view code, std::string_view path,
                               std::string_view what) {
  for (Counted& counted : counted_) {
    if (counted.code == code && counted.what == what) {
      ++counted.count;
      return;
    }
  }
  counted_.push_back({std::string(code), std::string(path), std::string(what), 1});
}

void EngineReport::finish_counted() {
  for (const Counted& counted : counted_) {
    add(counted.code, counted.path,
        counted.count == 1
            ? counted.what + "."
            : fmt::format("{} ({} of them, this is the first).", counted.what, counted.count));
  }
  counted_.clear();
}

void EngineReport::became(std::string_view path, std::string_view what, bool exact,
                          std::string_view code) {
  file_.mapping.push_back(
      {std::string(path), prefix_ + std::string(what), exact, std::string(code)});
}

EngineWorld::EngineWorld(const PhysicsModel& source, const EngineOptions& options,
                         EngineReport& report, Diagnostics& diagnostics)
    : model(source.units.radians ? source : source.to_si()),
      meters_per_unit_(source.units.radians ? 1.0 : source.units.meters_per_unit),
      collider_count_(model.shapes.size()) {
  drop_unusable(report);
  weld_kinematic(report);
  forest = joint_forest(model, {options.stacked});
  if (options.snap) {
    std::vector<LinkChoice> order;
    for (const ForestLink& link : forest.links) {
      for (const std::int32_t joint : link.joints) order.push_back({joint, link.body});
    }
    snap_to_joints(model, order);
  }
  children.resize(forest.links.size());
  joints.resize(forest.links.size());
  for (std::size_t i = 0; i < forest.links.size(); ++i) {
    const ForestLink& link = forest.links[i];
    if (link.parent == kNone) {
      roots.push_back(static_cast<std::int32_t>(i));
    } else {
      at(children, link.parent).push_back(static_cast<std::int32_t>(i));
    }
    for (const std::int32_t j : link.joints) joints[i].push_back(link_joint(model, j, link.body));
  }
  starts = initial_state(model, forest);
  filter = PairFilter::build(model, diagnostics);
  gravity = model_gravity(model);
  weigh(report, diagnostics);
  sort_shapes(report);
  tell_about_scenes(report);
  tell_about_joints(report);
  tell_about_loops(report);
  tell_about_features(report);
}

void EngineWorld::show(const EngineOptions& options, std::vector<std::string>& shape_names) {
  PhysicsModel shown;
  shown.shapes = options.visuals;
  shown.units.meters_per_unit = meters_per_unit_;
  shown = shown.to_si();
  shown_of_body.resize(model.rigid_bodies.size());
  const auto names = names_of(shown.shapes, options.names, shape_names);
  shape_names.insert(shape_names.end(), names.begin(), names.end());
  for (Shape& shape : shown.shapes) {
    if (!is_finite(shape.local_pose)) shape.local_pose = {};
    const auto index = static_cast<std::int32_t>(model.shapes.size());
    (model.has_body(shape.body) ? at(shown_of_body, shape.body) : static_shown).push_back(index);
    model.shapes.push_back(std::move(shape));
  }
  shape_mass.resize(model.shapes.size(), 0.0);
}

Posed EngineWorld::parent_frame(std::size_t link) const {
  const std::int32_t parent = forest.links[link].parent;
  return parent == kNone ? Posed{} : body_frame(model, at(forest.links, parent).body);
}

// Numbers that are none may not reach a file.
void EngineWorld::drop_unusable(EngineReport& report) {
  for (RigidBody& body : model.rigid_bodies) {
    if (is_finite(body.pose)) continue;
    body.pose = {};
    report.add("engine-not-finite", body.path,
               "The pose of the body is not finite; it is put at the origin.");
  }
  for (Joint& joint : model.joints) {
    const bool one_body = model.has_body(joint.ends[0].body) &&
                          joint.ends[0].body == joint.ends[1].body && joint.is_valid;
    if (one_body) {
      joint.is_valid = false;
      report.add("engine-joint-one-body", joint.path,
                 "Both ends of the joint are the same body; it is left out.");
    }
    for (JointEnd& end : joint.ends) {
      if (is_finite(end.frame) && is_finite(end.body_world)) continue;
      end.frame = {};
      end.body_world = {};
      if (!joint.is_valid) continue;
      joint.is_valid = false;
      report.add("engine-not-finite", joint.path,
                 "A frame of the joint is not finite; the joint is left out.");
    }
    const auto* distance = std::get_if<DistanceJoint>(&joint.kind);
    if (distance != nullptr && is_inverted(*distance) && joint.is_valid) {
      joint.is_valid = false;
      report.add(
          "engine-joint-inconsistent", joint.path,
          fmt::format("The smallest distance, {} m, is above the largest, {} m; the joint is "
                      "left out.",
                      distance->limit.lower, distance->limit.upper));
    }
    for_each_drive(joint, [&](JointDrive& drive) {
      if (is_finite(drive)) return;
      drive = {};
      report.add("engine-not-finite", joint.path,
                 "A figure of a drive is not finite; the drive is left out.");
    });
  }
  for (Scene& scene : model.scenes) {
    constexpr float kNotSaid = -std::numeric_limits<float>::infinity();
    const bool has_direction = scene.gravity_direction.allFinite();
    const bool is_said = scene.gravity_magnitude != kNotSaid;
    if (has_direction && is_said && std::isfinite(scene.gravity_magnitude)) continue;
    const Gravity earth =
        resolve_gravity(has_direction ? scene.gravity_direction : Vector3f(Vector3f::Zero()),
                        kNotSaid, model.units, model.rules);
    scene.gravity_direction = earth.direction;
    scene.gravity_magnitude = earth.magnitude;
    if (has_direction && !is_said) continue;
    report.add("engine-not-finite", scene.path,
               "The gravity of the scene is not finite; that of the earth is taken.");
  }
  std::erase_if(model.sites, [&](const Site& site) {
    if (is_finite(site.local_pose)) return false;
    report.add("engine-not-finite", site.path,
               "The place of the marker is not finite; it is left out.");
    return true;
  });
  for (RigidBody& body : model.rigid_bodies) {
    if (!body.linear_velocity.allFinite()) body.linear_velocity.setZero();
    if (!body.angular_velocity.allFinite()) body.angular_velocity.setZero();
  }
}

void EngineWorld::weigh(EngineReport& report, Diagnostics& diagnostics) {
  body_masses = physics::body_masses(model, diagnostics);
  shape_mass.assign(model.shapes.size(), 0.0);
  has_mass.assign(model.rigid_bodies.size(), false);
  for (std::size_t i = 0; i < body_masses.size(); ++i) {
    MassFrame& frame = masses.emplace_back(mass_frame(body_masses[i]));
    const RigidBody& body = model.rigid_bodies[i];
    const auto nodes = model.mass_nodes_of(static_cast<std::int32_t>(i));
    for (std::size_t n = 0; n < nodes.size() && n < body_masses[i].steps.size(); ++n) {
      const std::int32_t shape = nodes[n].shape;
      if (shape < 0 || static_cast<std::size_t>(shape) >= shape_mass.size()) continue;
      at(shape_mass, shape) += body_masses[i].steps[n].share;
    }
    if (i < model.body_extras.size() && model.body_extras[i].inertia) {
      const std::array<float, 6>& given = *model.body_extras[i].inertia;
      Matrix3d tensor;
      const auto value = [&](std::size_t k) { return static_cast<double>(given[k]); };
      tensor << value(0), value(3), value(4), value(3), value(1), value(5), value(4), value(5),
          value(2);
      const PrincipalInertia principal = diagonalize(tensor);
      BodyMass replaced = body_masses[i];
      replaced.diagonal_inertia = principal.diagonal;
      replaced.principal_axes = principal.axes;
      frame = mass_frame(replaced);
    }
    // Thin things lie on the border; single precision takes them across.
    const Vector3d& m = frame.moments;
    if (m[0] <= (m[1] + m[2]) * (1.0 + 1e-6)) frame.triangle = true;
    if (!body.rigid_body_enabled) continue;
    const bool usable =
        frame.usable && frame.mass > kLeastMass && frame.moments.minCoeff() > kLeastMass;
    has_mass[i] = usable;
    if (body.kinematic_body) continue;
    if (!usable) {
      report.add(
          "engine-no-mass", body.path,
          fmt::format("The body has a mass of {:g} kg and moments of {:g}, {:g} and {:g} kg "
                      "m2, with which nothing can be moved; a ball of 1 g and 1 cm stands in.",
                      frame.mass, frame.moments[0], frame.moments[1], frame.moments[2]),
          "Give it a collider with a volume, or PhysicsMassAPI.");
      frame.mass = 1e-3;
      if (!frame.center.allFinite()) frame.center.setZero();
      frame.moments.setConstant(4e-8);
      frame.inertia = 4e-8 * Matrix3d::Identity();
      frame.axes.setIdentity();
      frame.triangle = true;
    } else if (!frame.triangle) {
      report.add(
          "engine-inertia-triangle", body.path,
          fmt::format("No solid has the moments {:g}, {:g} and {:g} kg m2: the first is above "
                      "the sum of the others by {:g}; the engine balances them.",
                      frame.moments[0], frame.moments[1], frame.moments[2],
                      frame.moments[0] - frame.moments[1] - frame.moments[2]));
    }
  }
}

void EngineWorld::sort_shapes(EngineReport& report) {
  shapes_of_body.resize(model.rigid_bodies.size());
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    const Shape& shape = model.shapes[i];
    const auto index = static_cast<std::int32_t>(i);
    const bool has_points = !std::holds_alternative<MeshShape>(shape.geometry) ||
                            (std::get<MeshShape>(shape.geometry).geometry != nullptr &&
                             !std::get<MeshShape>(shape.geometry).geometry->points.empty());
    if (!shape.is_valid || std::holds_alternative<CustomShape>(shape.geometry) || !has_points ||
        !is_finite(shape.local_pose)) {
      report.add("engine-shape-unsupported", shape.path,
                 "The collider has no geometry that can be written; it is left out.");
      report.became(shape.path, "nothing", false, "engine-shape-unsupported");
      continue;
    }
    if (model.has_body(shape.body)) {
      at(shapes_of_body, shape.body).push_back(index);
    } else {
      static_shapes.push_back(index);
    }
  }
}

void EngineWorld::tell_about_scenes(EngineReport& report) const {
  const Vector3f& d = gravity.direction;
  if (model.scenes.empty() && !model.rigid_bodies.empty()) {
    report.add("engine-no-scene", "",
               fmt::format("The stage has no scene: gravity is {:g} m/s2 along ({:g}, {:g}, {:g}), "
                           "that of the earth.",
                           gravity.magnitude, d.x(), d.y(), d.z()));
  } else if (model.scenes.size() > 1) {
    report.add("engine-many-scenes", model.scenes.front().path,
               fmt::format("There are {} scenes and engines take one: gravity is {:g} m/s2 along "
                           "({:g}, {:g}, {:g}), as most bodies want it.",
                           model.scenes.size(), gravity.magnitude, d.x(), d.y(), d.z()));
  }
}

void EngineWorld::tell_about_features(EngineReport& report) const {
  const std::string_view code = "engine-feature-dropped";
  for (const Joint& joint : model.joints) {
    if (!is_unlimited(joint.break_force) || !is_unlimited(joint.break_torque)) {
      report.add_counted(code, joint.path, "The joint does not break");
    }
    if (loses_distance(joint)) {
      report.add_counted(code, joint.path, "The distance of a generic joint's ends is free");
    }
  }
  for (const JointExtras& extras : model.joint_extras) {
    for (const DofExtras& dof : extras.dofs) {
      const auto index = static_cast<std::size_t>(&extras - model.joint_extras.data());
      if (dof.limit_stiffness && *dof.limit_stiffness > 0.0F) {
        report.add_counted(code, model.joints[index].path,
                           "The limits are as soft as the engine makes them");
      }
    }
  }
  for (const RigidBody& body : model.rigid_bodies) {
    if (body.starts_asleep) report.add_counted(code, body.path, "The body starts awake");
  }
  for (std::size_t i = 0; i < model.body_extras.size(); ++i) {
    const BodyExtras& extras = model.body_extras[i];
    const std::string_view path = model.rigid_bodies[i].path;
    if (extras.gravity_scale && *extras.gravity_scale != 1.0F) {
      report.add_counted(code, path, "Gravity acts on the body");
    }
    if (extras.linear_damping.value_or(0.0F) > 0.0F ||
        extras.angular_damping.value_or(0.0F) > 0.0F) {
      report.add_counted(code, path, "The body is not damped");
    }
  }
  for (const RigidBodyMaterial& material : model.materials) {
    if (material.restitution > 0.0F) {
      report.add_counted("engine-restitution-dropped", material.path,
                         fmt::format("A restitution of {:g} is not written", material.restitution));
    }
  }
}

// Of engines that take the dynamic friction.
void EngineWorld::tell_about_friction(EngineReport& report) const {
  std::optional<std::array<float, 2>> seen;
  bool differ = false;
  for (const RigidBodyMaterial& material : model.materials) {
    if (material.static_friction != material.dynamic_friction) {
      report.add_counted("engine-friction-single", material.path,
                         fmt::format("Engines take one friction: {:g}, not {:g} at rest",
                                     material.dynamic_friction, material.static_friction));
    }
    const std::array<float, 2> both = {material.static_friction, material.dynamic_friction};
    differ = differ || (seen && *seen != both);
    seen = both;
  }
  if (differ) {
    report.add("engine-friction-combine", model.materials.front().path,
               fmt::format("Of two materials in contact the engine takes the larger friction where "
                           "USD implementations average: there are {} materials that differ.",
                           model.materials.size()));
  }
}

void EngineWorld::tell_about_speeds(EngineReport& report) const {
  for (std::size_t i = 0; i < model.joint_extras.size(); ++i) {
    for (const DofExtras& dof : model.joint_extras[i].dofs) {
      if (!dof.velocity_limit || *dof.velocity_limit >= 1e5F) continue;
      report.add_counted("engine-feature-dropped", model.joints[i].path,
                         "The speed of the joint is not capped");
    }
  }
}

bool is_solid(const SpherePoint& point) {
  return point.radius != 0.0F && std::isfinite(point.radius) && point.scaled_center.allFinite();
}

bool is_solid(const Vector3d& half_extents) {
  return half_extents.allFinite() && half_extents.cwiseAbs().minCoeff() > 0.0;
}

std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  return fmt::format("{}", value == 0.0 ? 0.0 : value);
}

std::string numbers(const Vector3d& v) {
  return number(v.x()) + " " + number(v.y()) + " " + number(v.z());
}

std::string numbers(const Quatd& q) {
  const Quatd unit = q.normalized();
  return number(unit.w()) + " " + number(unit.x()) + " " + number(unit.y()) + " " +
         number(unit.z());
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

std::string obj_text(const std::vector<Vector3d>& points,
                     const std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::string out;
  for (const Vector3d& p : points) out += "v " + numbers(p) + "\n";
  for (const std::array<std::int32_t, 3>& t : triangles) {
    fmt::format_to(std::back_inserter(out), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return out;
}

Quatd from_z(Axis axis) {
  const double half = std::numbers::sqrt2 / 2.0;
  if (axis == Axis::x) return {half, 0.0, half, 0.0};
  if (axis == Axis::y) return {half, -half, 0.0, 0.0};
  return Quatd::Identity();
}

}  // namespace sinew::exporter
