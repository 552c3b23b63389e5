// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>
#include <variant>

#include "export/engines/engine_world.hpp"
#include "export/engines/shared_meshes.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/shape_hull.hpp"
#include "sinew/physics/volumes.hpp"

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

std::string origin(const Posed& pose) {
  return "<origin xyz=\"" + numbers(pose.position) + "\" rpy=\"" +
         numbers(roll_pitch_yaw(pose.rotation.normalized())) + "\"/>";
}

class UrdfWriter {
 public:
  UrdfWriter(const PhysicsModel& source, const EngineOptions& options, Diagnostics& diagnostics)
      : robot_name_(options.robot_name.empty() ? "robot" : escaped(options.robot_name)),
        report_(diagnostics, file_),
        world_(source, options, report_, diagnostics) {
    const auto names_of = [&](const auto& list, const std::vector<std::string>& reserved) {
      std::vector<std::string> paths;
      for (const auto& element : list) paths.push_back(element.path.str());
      return unique_names(paths, options.names, reserved).names;
    };
    link_names_ = names_of(world_.model.rigid_bodies, {"world"});
    joint_names_ = names_of(world_.model.joints, {});
    shape_names_ = names_of(world_.model.shapes, {});
    for (const std::vector<LinkJoint>& of_link : world_.joints) {
      if (of_link.size() == 1 && of_link.front().dofs.size() == 1) {
        one_axis_.insert(of_link.front().joint);
      }
    }
  }

  EngineFile run() {
    std::string& out = file_.text;
    out =
        "<?xml version=\"1.0\"?>\n<robot name=\"" + robot_name_ + "\">\n  <link name=\"world\">\n";
    for (const std::int32_t shape : world_.static_shapes) write_shape(shape, Posed{});
    out += "  </link>\n";
    frames_.resize(world_.forest.links.size());
    for (std::size_t i = 0; i < world_.forest.links.size(); ++i) write_link(i);
    for (const std::int32_t j : world_.forest.loop_joints) refuse_loop(j);
    tell_filters();
    report_.finish_counted();
    out += "</robot>\n";
    return std::move(file_);
  }

 private:
  void add(const std::string& text) { file_.text += text + "\n"; }

  void write_link(std::size_t index) {
    const ForestLink& link = world_.forest.links[index];
    const RigidBody& body = world_.model.body(link.body);
    const LinkJoint* joint = world_.joints[index].empty() ? nullptr : &world_.joints[index].front();
    // The link's frame stands where the joint does, along the axes of the body.
    Posed& frame = frames_[index];
    if (joint != nullptr) frame.position = joint->child_frame.position;
    const std::string name = escaped(at(link_names_, link.body));
    add("  <link name=\"" + name + "\">");
    const Posed into = inverse(frame);
    if (link.state != LinkState::is_static && link.state != LinkState::kinematic) {
      write_inertial(link.body, into);
    }
    for (const std::int32_t shape : at(world_.shapes_of_body, link.body)) write_shape(shape, into);
    add("  </link>");
    write_joint(index, joint, name);
    const bool moves = link.state == LinkState::free;
    if (!body.linear_velocity.isZero() || !body.angular_velocity.isZero()) {
      report_.add("engine-start-dropped", body.path, "The file holds no velocities.");
    }
    report_.became(body.path, moves ? "floating link" : "link");
  }

  void write_inertial(std::int32_t body, const Posed& into) {
    const MassFrame& mass = at(world_.masses, body);
    const Matrix3d& i = mass.inertia;
    add("    <inertial>\n      " +
        origin({into.position + into.rotation * mass.center, {1, 0, 0, 0}}) +
        "\n      <mass value=\"" + number(mass.mass) + "\"/>\n      <inertia ixx=\"" +
        number(i(0, 0)) + "\" ixy=\"" + number(i(0, 1)) + "\" ixz=\"" + number(i(0, 2)) +
        "\" iyy=\"" + number(i(1, 1)) + "\" iyz=\"" + number(i(1, 2)) + "\" izz=\"" +
        number(i(2, 2)) + "\"/>\n    </inertial>");
  }

  // The joint that holds a link; every link has one, be it to the world.
  void write_joint(std::size_t index, const LinkJoint* joint, const std::string& child) {
    const ForestLink& link = world_.forest.links[index];
    const RigidBody& body = world_.model.body(link.body);
    const Posed pose = body_frame(world_.model, link.body);
    const std::string parent =
        link.parent == kNone ? "world"
                             : escaped(at(link_names_, at(world_.forest.links, link.parent).body));
    const auto simple = [&](const std::string& name, const char* type, const Posed& where) {
      add("  <joint name=\"" + name + "\" type=\"" + type + "\">\n    " + origin(where) +
          "\n    <parent link=\"" + parent + "\"/>\n    <child link=\"" + child +
          "\"/>\n  </joint>");
    };
    if (joint == nullptr) {
      const bool floats = link.state == LinkState::free;
      if (link.state == LinkState::kinematic) {
        report_.add_counted("engine-feature-dropped", body.path,
                            "A kinematic body stands still in the file");
      }
      return simple(child + "_to_world", floats ? "floating" : "fixed", pose);
    }
    const Joint& prim = world_.model.joint(joint->joint);
    const std::string name = escaped(at(joint_names_, joint->joint));
    const bool from_body = link.parent != kNone;
    // A joint to a static prim or a disabled body hangs on the world.
    const Posed base = from_body ? Posed{} : body_frame(world_.model, joint->parent);
    const Posed parent_link = from_body ? at(frames_, link.parent) : Posed{};
    const auto placed = [&](const Posed& child_in_parent) {
      return compose(inverse(parent_link), compose(compose(base, child_in_parent), frames_[index]));
    };
    if (joint->dofs.empty()) {
      const Posed start = from_body ? compose(inverse(world_.parent_frame(index)), pose)
                                    : compose(inverse(base), pose);
      report_.became(prim.path, "fixed");
      return simple(name, "fixed", placed(start));
    }
    if (joint->dofs.size() > 1 || world_.joints[index].size() > 1) {
      const std::size_t open = joint->dofs.size();
      report_.add(
          "engine-joint-unsupported", prim.path,
          fmt::format("The joint leaves {} degrees of freedom open and the format knows one; "
                      "the body is fixed as it stands.",
                      open * world_.joints[index].size()));
      report_.became(prim.path, "fixed", false, "engine-joint-unsupported");
      const Posed start = from_body ? compose(inverse(world_.parent_frame(index)), pose)
                                    : compose(inverse(base), pose);
      return simple(name, "fixed", placed(start));
    }
    write_one_axis(*joint, name, parent, child, placed(zero_pose(*joint)));
  }

  void write_one_axis(const LinkJoint& joint, const std::string& name, const std::string& parent,
                      const std::string& child, const Posed& where) {
    const LinkDof& dof = joint.dofs.front();
    const Joint& prim = world_.model.joint(joint.joint);
    const bool turns = dof.is_rotation();
    const bool open = !std::isfinite(dof.lower) && !std::isfinite(dof.upper);
    const char* type = !turns ? "prismatic" : open ? "continuous" : "revolute";
    // At zero nothing has turned: the axis is that of the child's joint frame.
    const int k = (static_cast<int>(dof.dof) - static_cast<int>(JointDof::trans_x)) % 3;
    const Vector3d axis =
        (joint.reversed ? -1.0 : 1.0) * (joint.child_frame.rotation * Vector3d::Unit(k));
    std::string text = "  <joint name=\"" + name + "\" type=\"" + type + "\">\n    " +
                       origin(where) + "\n    <parent link=\"" + parent +
                       "\"/>\n    <child link=\"" + child + "\"/>\n    <axis xyz=\"" +
                       numbers(axis) + "\"/>";
    const auto force = static_cast<double>(dof.drive.force_limit);
    const bool has_effort =
        dof.drive.enabled && force > 0.0 && force < static_cast<double>(kUnlimited);
    if (!has_effort) {
      report_.add_counted("engine-effort-unset", prim.path,
                          "The file wants an effort and no drive limits its force: 0 is written");
    }
    double velocity = 0.0;
    const DofExtras extras = world_.model.dof_extras(joint.joint, dof.dof);
    if (extras.velocity_limit && std::isfinite(*extras.velocity_limit)) {
      velocity = static_cast<double>(*extras.velocity_limit);
    }
    const double far = turns ? 1e3 : 1e6;
    text += "\n    <limit effort=\"" + number(has_effort ? force : 0.0) + "\" velocity=\"" +
            number(velocity) + "\"";
    if (std::string_view(type) != "continuous") {
      text += " lower=\"" + number(std::isfinite(dof.lower) ? dof.lower : -far) + "\" upper=\"" +
              number(std::isfinite(dof.upper) ? dof.upper : far) + "\"";
    }
    text += "/>";
    if (extras.damping || extras.friction) {
      text += "\n    <dynamics damping=\"" +
              number(static_cast<double>(extras.damping.value_or(0.0F))) + "\" friction=\"" +
              number(static_cast<double>(extras.friction.value_or(0.0F))) + "\"/>";
    }
    for (const Mimic& mimic : world_.model.mimics) {
      if (mimic.follower != joint.joint) continue;
      if (one_axis_.count(mimic.leader) == 0) {
        report_.add_counted("engine-feature-dropped", prim.path,
                            "The joint does not follow the other one, which is not in the file");
        continue;
      }
      text += "\n    <mimic joint=\"" + escaped(at(joint_names_, mimic.leader)) +
              "\" multiplier=\"" + number(static_cast<double>(mimic.ratio)) + "\" offset=\"" +
              number(static_cast<double>(mimic.offset)) + "\"/>";
    }
    add(text + "\n  </joint>");
    // Frames in single precision are off by less.
    constexpr double kNoStart = 1e-6;
    const double start = extras.start ? static_cast<double>(*extras.start) : dof.start;
    const bool starts_at_zero = std::abs(start) <= kNoStart;
    if (!starts_at_zero) {
      report_.add("engine-start-dropped", prim.path,
                  fmt::format("The joint starts at {:g} {}; the file holds its pose at 0.", start,
                              turns ? "radians" : "m"));
    }
    if (dof.drive.enabled && (dof.drive.stiffness > 0.0F || dof.drive.damping > 0.0F)) {
      report_.add(
          "engine-drive-gains-dropped", prim.path,
          fmt::format("The drive has a stiffness of {:g} and a damping of {:g}, for which the "
                      "file has no place.",
                      dof.drive.stiffness, dof.drive.damping));
    }
    report_.became(prim.path, type, starts_at_zero, starts_at_zero ? "" : "engine-start-dropped");
  }

  void refuse_loop(std::int32_t index) {
    const Joint& prim = world_.model.joint(index);
    report_.add("engine-loop-unsupported", prim.path,
                "The joint closes a loop, or holds nothing in a tree; the file is a tree, so it is "
                "left out.");
    report_.became(prim.path, "nothing", false, "engine-loop-unsupported");
  }

  void tell_filters() {
    std::size_t ruled = 0;
    for (std::size_t i = 0; i < world_.model.shapes.size(); ++i) {
      const bool groups = !world_.model.shapes[i].collision_groups.empty() ||
                          !world_.model.shapes[i].filtered_collision_paths.empty();
      ruled += groups ? 1 : 0;
    }
    for (const RigidBody& body : world_.model.rigid_bodies) {
      ruled += body.filtered_collision_paths.empty() ? 0 : 1;
    }
    if (ruled == 0) return;
    report_.add("engine-filter-dropped", "",
                fmt::format("The file holds no filters: those of {} prims are left out.", ruled));
  }

  // --- Shapes

  void collision(const std::string& name, const Posed& pose, const std::string& geometry) {
    add("    <collision name=\"" + escaped(name) + "\">\n      " + origin(pose) +
        "\n      <geometry>" + geometry + "</geometry>\n    </collision>");
  }

  void mesh(const std::string& name, const HullMesh& surface, const Posed& pose) {
    const std::string own = unique_names({name}, NameStyle::identifier).names.front() + "_" +
                            std::to_string(file_.meshes.size()) + ".obj";
    const std::string& file = meshes_.find_or_add(surface, own);
    if (file == own) file_.meshes.push_back({file, obj_text(surface.points, surface.triangles)});
    collision(name, pose, "<mesh filename=\"" + escaped(file) + "\"/>");
  }

  // Whether a shape leaves room for a solid in all that the format can write.
  bool has_size(const Shape& shape) {
    const auto solid = [](double a, double b) {
      return std::abs(a) > 0.0 && std::abs(b) > 0.0 && std::isfinite(a) && std::isfinite(b);
    };
    const auto both = [&](float a, float b) {
      return solid(static_cast<double>(a), static_cast<double>(b));
    };
    if (const auto* s = std::get_if<SphereShape>(&shape.geometry)) {
      return both(s->radius, s->radius);
    }
    if (const auto* c = std::get_if<CubeShape>(&shape.geometry)) {
      const Vector3f half = c->half_extents.cwiseAbs();
      return both(half.minCoeff(), half.maxCoeff()) && half.allFinite();
    }
    if (const auto* y = std::get_if<CylinderShape>(&shape.geometry)) {
      return both(y->radius, y->half_height);
    }
    if (const auto* k = std::get_if<CapsuleShape>(&shape.geometry)) {
      return both(k->radius, k->radius) && std::isfinite(k->half_height);
    }
    const auto* m = std::get_if<MeshShape>(&shape.geometry);
    if (m == nullptr) return true;
    const MeshApproximation approximation = mesh_approximation(m->approximation);
    if (approximation == MeshApproximation::bounding_sphere) {
      return solid(bounding_radius(*m), 1.0);
    }
    if (approximation == MeshApproximation::bounding_cube) {
      const Vector3d half = bounding_box(*m).half_extents;
      return solid(half.minCoeff(), half.maxCoeff());
    }
    return !meshes_.make(mesh_kind(*m), shape).front().triangles.empty();
  }

  static SharedMeshes::Kind mesh_kind(const MeshShape& mesh) {
    const bool is_hull = mesh_approximation(mesh.approximation) == MeshApproximation::convex_hull;
    return is_hull ? SharedMeshes::Kind::hull : SharedMeshes::Kind::triangles;
  }

  static std::string sphere(float radius) {
    return "<sphere radius=\"" + number(std::abs(static_cast<double>(radius))) + "\"/>";
  }
  static std::string box(const Vector3d& half) {
    return "<box size=\"" + numbers(Vector3d(2.0 * half.cwiseAbs())) + "\"/>";
  }

  void write_shape(std::int32_t index, const Posed& into) {
    const Shape& shape = world_.model.shape(index);
    if (!shape.collision_enabled) {
      return report_.became(shape.path, "nothing: switched off");
    }
    if (!has_size(shape)) {
      report_.add("engine-shape-unsupported", shape.path,
                  "A size is 0 or not finite; the collider is left out.");
      return report_.became(shape.path, "nothing", false, "engine-shape-unsupported");
    }
    const Posed pose = compose(into, to_frame(shape.local_pose));
    const std::string& name = at(shape_names_, index);
    const auto cylinder = [&](const std::string& part, float radius, float half, Axis axis) {
      const Posed turned{pose.position, pose.rotation * from_z(axis)};
      collision(part, turned,
                "<cylinder radius=\"" + number(std::abs(static_cast<double>(radius))) +
                    "\" length=\"" + number(2.0 * std::abs(static_cast<double>(half))) + "\"/>");
    };
    if (const auto* s = std::get_if<SphereShape>(&shape.geometry)) {
      collision(name, pose, sphere(s->radius));
      report_.became(shape.path, "sphere");
    } else if (const auto* c = std::get_if<CubeShape>(&shape.geometry)) {
      collision(name, pose, box(c->half_extents.cast<double>()));
      report_.became(shape.path, "box");
    } else if (const auto* y = std::get_if<CylinderShape>(&shape.geometry)) {
      cylinder(name, y->radius, y->half_height, y->axis);
      report_.became(shape.path, "cylinder");
    } else if (const auto* k = std::get_if<CapsuleShape>(&shape.geometry)) {
      if (k->half_height != 0.0F) cylinder(name, k->radius, k->half_height, k->axis);
      for (const double side : {1.0, -1.0}) {
        Posed end = pose;
        end.position += pose.rotation * (side * static_cast<double>(k->half_height) *
                                         Vector3d::Unit(static_cast<int>(k->axis)));
        collision(name + (side > 0.0 ? "#top" : "#bottom"), end, sphere(k->radius));
      }
      report_.became(shape.path, "cylinder and two spheres");
    } else if (std::holds_alternative<PlaneShape>(shape.geometry)) {
      report_.add("engine-shape-unsupported", shape.path,
                  "The format has no infinite planes; it is left out.");
      report_.became(shape.path, "nothing", false, "engine-shape-unsupported");
    } else if (const auto* p = std::get_if<SpherePointsShape>(&shape.geometry)) {
      for (std::size_t i = 0; i < p->sphere_points.size(); ++i) {
        Posed center = pose;
        center.position += pose.rotation * p->sphere_points[i].scaled_center.cast<double>();
        collision(name + "#" + std::to_string(i), center, sphere(p->sphere_points[i].radius));
      }
      report_.became(shape.path, "spheres");
    } else if (const auto* m = std::get_if<MeshShape>(&shape.geometry)) {
      const MeshApproximation approximation = mesh_approximation(m->approximation);
      if (approximation == MeshApproximation::bounding_cube) {
        const HullBox bounds = bounding_box(*m);
        collision(name, compose(pose, bounds.pose), box(bounds.half_extents));
        return report_.became(shape.path, "box");
      }
      if (approximation == MeshApproximation::bounding_sphere) {
        collision(name, compose(pose, bounding_box(*m).pose),
                  sphere(static_cast<float>(bounding_radius(*m))));
        return report_.became(shape.path, "sphere");
      }
      mesh(name, meshes_.make(mesh_kind(*m), shape).front(), pose);
      report_.became(shape.path, "mesh");
    } else {
      const HullMesh& hull = meshes_.make(SharedMeshes::Kind::hull, shape).front();
      report_.add("engine-shape-approximated", shape.path,
                  fmt::format("A {} becomes a mesh of {} corners, {:.2g} % smaller.",
                              to_string(shape.type()), hull.points.size(),
                              100.0 * (1.0 - hull.volume_ratio)));
      mesh(name, hull, pose);
      report_.became(shape.path, "mesh", false, "engine-shape-approximated");
    }
  }

  const std::string robot_name_;
  EngineFile file_;
  SharedMeshes meshes_;
  EngineReport report_;
  EngineWorld world_;
  std::set<std::int32_t> one_axis_;  // Joints that are written with their axis.
  std::vector<Posed> frames_;        // Of the links, in their bodies.
  std::vector<std::string> link_names_;
  std::vector<std::string> joint_names_;
  std::vector<std::string> shape_names_;
};

}  // namespace

EngineFile write_urdf(const PhysicsModel& model, const EngineOptions& options,
                      Diagnostics& diagnostics) {
  return UrdfWriter(model, options, diagnostics).run();
}

}  // namespace sinew::exporter
