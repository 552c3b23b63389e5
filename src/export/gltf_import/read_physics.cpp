// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/format_text.hpp"
#include "export/gltf_import/document.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::string_view kBodies = "KHR_physics_rigid_bodies";

class PhysicsReader {
 public:
  PhysicsReader(const ReadContext& context, const JsonReader& reader, Document& document)
      : context_(context), reader_(reader), document_(document) {}

  void read();

 private:
  std::optional<double> number(const Cursor& at, double least);
  std::optional<Vector3f> vector(const Cursor& at);
  std::int32_t index(const Cursor& at, std::size_t end, std::string_view what);
  std::vector<std::string> names(const Cursor& at);
  ImplicitShape read_shape(const Cursor& at);
  void read_size(const Cursor& at, ImplicitShape& shape);
  JointDescription read_joint(const Cursor& at);
  JointLimit read_limit(const Cursor& at);
  void read_axes(const Cursor& at, std::array<bool, 3>& axes);
  JointDrive read_drive(const Cursor& at);
  void read_node(const Cursor& at, Node& node);
  static void read_kept(const Cursor& kept, Node& node);
  void read_disabled(const Cursor& at, Node& node);
  Motion read_motion(const Cursor& at);
  std::optional<Collider> read_collider(const Cursor& at);
  void find_articulation_roots();

  const ReadContext& context_;
  const JsonReader& reader_;
  Document& document_;
};

std::optional<double> PhysicsReader::number(const Cursor& at, double least) {
  const auto value = reader_.number(at);
  if (!value) return std::nullopt;
  if (*value >= least && std::isfinite(static_cast<float>(*value))) return value;
  reader_.faults().error(at.pointer(), "gltf-number",
                         format_text("{} is outside the range of this number.", *value));
  return std::nullopt;
}

std::optional<Vector3f> PhysicsReader::vector(const Cursor& at) {
  std::array<double, 3> numbers{};
  if (!at || !reader_.numbers(at, numbers)) return std::nullopt;
  const Vector3f result = Vector3d(numbers[0], numbers[1], numbers[2]).cast<float>();
  if (result.allFinite()) return result;
  reader_.faults().error(at.pointer(), "gltf-number", "These numbers are not finite.");
  return std::nullopt;
}

std::int32_t PhysicsReader::index(const Cursor& at, std::size_t end, std::string_view what) {
  const auto found = reader_.index(at, end, what);
  return found ? static_cast<std::int32_t>(*found) : kNothing;
}

std::vector<std::string> PhysicsReader::names(const Cursor& at) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < reader_.list(at); ++i) {
    if (auto name = reader_.text(at[i])) result.push_back(*std::move(name));
  }
  return result;
}

void PhysicsReader::read_size(const Cursor& at, ImplicitShape& shape) {
  constexpr double kTiny = 0.0;
  const auto positive = [&](std::string_view key, double& out) {
    const Cursor size = at[key];
    if (!size) return;
    const auto value = number(size, kTiny);
    shape.is_valid = shape.is_valid && value;
    out = value.value_or(out);
  };
  if (!at) return;
  if (!reader_.object(at)) {
    shape.is_valid = false;
    return;
  }
  positive("radius", shape.radius);
  positive("height", shape.height);
  positive("radiusTop", shape.radius_top);
  positive("radiusBottom", shape.radius_bottom);
  if (shape.kind == ImplicitShape::Kind::box && at["size"]) {
    const auto size = vector(at["size"]);
    shape.is_valid = shape.is_valid && size;
    shape.size = size.value_or(shape.size).cwiseAbs();
  }
}

ImplicitShape PhysicsReader::read_shape(const Cursor& at) {
  using Kind = ImplicitShape::Kind;
  ImplicitShape shape;
  const std::string type = reader_.text(at["type"]).value_or(std::string());
  if (type == "sphere") {
    shape.kind = Kind::sphere;
  } else if (type == "box") {
    shape.kind = Kind::box;
  } else if (type == "capsule") {
    shape.kind = Kind::capsule;
  } else if (type == "cylinder") {
    shape.kind = Kind::cylinder;
  } else if (type == "plane") {
    shape.kind = Kind::plane;
  } else {
    reader_.faults().error(at["type"].pointer(), "gltf-physics-shape",
                           format_text("'{}' is no shape.", type));
    shape.is_valid = false;
  }
  if (!type.empty()) read_size(at[type], shape);
  return shape;
}

void PhysicsReader::read_axes(const Cursor& at, std::array<bool, 3>& axes) {
  for (std::size_t i = 0; i < reader_.list(at); ++i) {
    if (const auto axis = reader_.index(at[i], 3, "axes")) axes[*axis] = true;
  }
}

JointLimit PhysicsReader::read_limit(const Cursor& at) {
  constexpr double kLeast = std::numeric_limits<double>::lowest();
  JointLimit limit;
  read_axes(at["linearAxes"], limit.linear);
  read_axes(at["angularAxes"], limit.angular);
  limit.min = number(at["min"], kLeast);
  limit.max = number(at["max"], kLeast);
  limit.stiffness = number(at["stiffness"], 0.0);
  limit.damping = number(at["damping"], 0.0).value_or(0.0);
  return limit;
}

JointDrive PhysicsReader::read_drive(const Cursor& at) {
  constexpr double kLeast = std::numeric_limits<double>::lowest();
  JointDrive drive;
  drive.is_angular = reader_.text(at["type"]).value_or("linear") == "angular";
  drive.is_acceleration = reader_.text(at["mode"]).value_or("force") == "acceleration";
  drive.axis = static_cast<int>(reader_.index(at["axis"], 3, "axes").value_or(0));
  drive.max_force = number(at["maxForce"], 0.0);
  drive.position_target = number(at["positionTarget"], kLeast);
  drive.velocity_target = number(at["velocityTarget"], kLeast);
  drive.stiffness = number(at["stiffness"], 0.0).value_or(0.0);
  drive.damping = number(at["damping"], 0.0).value_or(0.0);
  return drive;
}

JointDescription PhysicsReader::read_joint(const Cursor& at) {
  JointDescription joint;
  for (std::size_t i = 0; i < reader_.list(at["limits"]); ++i) {
    joint.limits.push_back(read_limit(at["limits"][i]));
  }
  for (std::size_t i = 0; i < reader_.list(at["drives"]); ++i) {
    joint.drives.push_back(read_drive(at["drives"][i]));
  }
  return joint;
}

Motion PhysicsReader::read_motion(const Cursor& at) {
  Motion motion;
  motion.is_kinematic = reader_.boolean(at["isKinematic"]).value_or(false);
  if (const auto mass = number(at["mass"], 0.0)) {
    motion.mass = *mass > 0.0 ? static_cast<float>(*mass) : std::numeric_limits<float>::infinity();
  }
  motion.center_of_mass = vector(at["centerOfMass"]);
  motion.inertia_diagonal = vector(at["inertiaDiagonal"]);
  if (motion.inertia_diagonal && !(motion.inertia_diagonal->array() > 0.0F).all()) {
    reader_.faults().warning(at["inertiaDiagonal"].pointer(), "gltf-physics-inertia",
                             "Moments of 0 are infinite, which USD cannot say; they are left out.");
    motion.inertia_diagonal.reset();
  }
  std::array<double, 4> quaternion{};
  if (at["inertiaOrientation"] && reader_.numbers(at["inertiaOrientation"], quaternion)) {
    Quatd rotation(quaternion[3], quaternion[0], quaternion[1], quaternion[2]);
    const double length = rotation.norm();
    if (length > 0.0 && std::isfinite(length)) {
      rotation.coeffs() /= length;
      motion.inertia_orientation = rotation.cast<float>();
    }
  }
  motion.linear_velocity = vector(at["linearVelocity"]).value_or(Vector3f::Zero());
  motion.angular_velocity = vector(at["angularVelocity"]).value_or(Vector3f::Zero());
  motion.gravity_factor =
      number(at["gravityFactor"], std::numeric_limits<double>::lowest()).value_or(1.0);
  return motion;
}

std::optional<Collider> PhysicsReader::read_collider(const Cursor& at) {
  Collider collider;
  const Cursor geometry = at["geometry"];
  collider.shape = index(geometry["shape"], document_.shapes.size(), "shapes");
  collider.mesh = index(geometry["mesh"], document_.meshes.size(), "meshes");
  const std::int32_t node = index(geometry["node"], document_.nodes.size(), "nodes");
  if (collider.mesh == kNothing && node != kNothing) {
    collider.mesh = document_.nodes[static_cast<std::size_t>(node)].mesh;
  }
  collider.convex_hull = reader_.boolean(geometry["convexHull"]).value_or(false);
  if (collider.shape != kNothing &&
      !document_.shapes[static_cast<std::size_t>(collider.shape)].is_valid) {
    collider.shape = kNothing;  // That it is broken is told.
    if (collider.mesh == kNothing) return std::nullopt;
  }
  if (collider.shape == kNothing && collider.mesh == kNothing) {
    reader_.faults().error(geometry.pointer(), "gltf-physics-geometry",
                           "The collider has neither a shape nor a mesh.");
    return std::nullopt;
  }
  collider.material =
      index(at["physicsMaterial"], document_.physics_materials.size(), "physics materials");
  collider.filter = index(at["collisionFilter"], document_.filters.size(), "collision filters");
  return collider;
}

void PhysicsReader::read_node(const Cursor& at, Node& node) {
  if (!at || !reader_.object(at)) return;
  if (at["motion"] && reader_.object(at["motion"])) node.motion = read_motion(at["motion"]);
  if (at["collider"] && reader_.object(at["collider"])) {
    node.collider = read_collider(at["collider"]);
  }
  if (at["trigger"]) {
    reader_.faults().warning(at["trigger"].pointer(), "gltf-physics-trigger",
                             "USD knows no triggers; this one is left out.");
  }
  const Cursor joint = at["joint"];
  if (!joint || !reader_.object(joint)) return;
  JointUse use;
  use.connected_node = index(joint["connectedNode"], document_.nodes.size(), "nodes");
  use.joint = index(joint["joint"], document_.joints.size(), "joints");
  use.enable_collision = reader_.boolean(joint["enableCollision"]).value_or(false);
  if (use.connected_node == kNothing || use.joint == kNothing) {
    reader_.faults().error(joint.pointer(), "gltf-physics-joint",
                           "The joint lacks its connected node or its description.");
    return;
  }
  node.joint = use;
}

// What glTF has no place for.
void PhysicsReader::read_kept(const Cursor& kept, Node& node) {
  node.static_body = kept_text(kept, "body");
  if (node.motion) node.motion->starts_asleep = kept_flag(kept, "startsAsleep");
  if (node.joint) {
    node.joint->break_force = kept_number(kept, "breakForce", 0.0);
    node.joint->break_torque = kept_number(kept, "breakTorque", 0.0);
    node.joint->exclude_from_articulation = kept_flag(kept, "excludeFromArticulation");
    node.joint->is_generic = kept_flag(kept, "genericJoint");
  }
  if (!node.collider) return;
  std::string name = kept_text(kept, "approximation");
  using physics::MeshApproximation;
  const MeshApproximation kind = physics::mesh_approximation(name);
  // The others glTF can say.
  const bool is_kept = kind != MeshApproximation::unknown && kind != MeshApproximation::none &&
                       kind != MeshApproximation::convex_hull;
  if (is_kept) node.collider->approximation = std::move(name);
}

// Bodies, colliders and joints that are switched off stand in extras in the form that they would
// have. Extras are anybody's: what is not sound is passed over in silence.
void PhysicsReader::read_disabled(const Cursor& at, Node& node) {
  if (!at.is_object()) return;
  Diagnostics ignored;
  Faults faults(ignored, {});
  const JsonReader quiet(faults);
  Node off;
  PhysicsReader(context_, quiet, document_).read_node(at, off);
  if (!ignored.empty()) return;
  if (off.motion && !node.motion) {
    node.motion = std::move(off.motion);
    node.motion->is_enabled = false;
  }
  if (off.collider && !node.collider) {
    node.collider = std::move(off.collider);
    node.collider->is_enabled = false;
  }
  if (off.joint && !node.joint) {
    node.joint = off.joint;
    node.joint->is_enabled = false;
  }
}

void PhysicsReader::read() {
  const Cursor& root = context_.root;
  const Cursor shapes = root.extension("KHR_implicit_shapes")["shapes"];
  for (std::size_t i = 0; i < reader_.list(shapes); ++i) {
    document_.shapes.push_back(read_shape(shapes[i]));
  }
  const Cursor physics = root.extension(kBodies);
  const Cursor materials = physics["physicsMaterials"];
  for (std::size_t i = 0; i < reader_.list(materials); ++i) {
    PhysicsMaterial& material = document_.physics_materials.emplace_back();
    material.usd_path = usd_path_of(context_, materials[i]);
    material.static_friction = number(materials[i]["staticFriction"], 0.0);
    material.dynamic_friction = number(materials[i]["dynamicFriction"], 0.0);
    material.restitution = number(materials[i]["restitution"], 0.0);
    material.density = kept_number(kept_extras(materials[i]), "density", 0.0);
  }
  const Cursor filters = physics["collisionFilters"];
  for (std::size_t i = 0; i < reader_.list(filters); ++i) {
    CollisionFilter& filter = document_.filters.emplace_back();
    filter.systems = names(filters[i]["collisionSystems"]);
    filter.has_collide_with = static_cast<bool>(filters[i]["collideWithSystems"]);
    filter.collide_with = names(filters[i]["collideWithSystems"]);
    filter.not_collide_with = names(filters[i]["notCollideWithSystems"]);
  }
  const Cursor joints = physics["physicsJoints"];
  for (std::size_t i = 0; i < reader_.list(joints); ++i) {
    document_.joints.push_back(read_joint(joints[i]));
  }
  const Cursor nodes = root["nodes"];
  for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
    Node& node = document_.nodes[i];
    read_node(nodes[i].extension(kBodies), node);
    const Cursor kept = kept_extras(nodes[i]);
    if (!kept.is_object()) continue;
    read_disabled(kept["disabled"], node);
    read_kept(kept, node);
  }
  find_articulation_roots();
}

// A body and its colliders may have come from one prim: the body is the root.
void PhysicsReader::find_articulation_roots() {
  for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
    const Node& node = document_.nodes[i];
    if (node.usd_path.empty()) continue;
    const auto root = document_.articulation_roots.find(node.usd_path);
    if (root == document_.articulation_roots.end() || !document_.in_scene[i]) continue;
    const bool is_better =
        root->second == kNothing ||
        (node.motion && !document_.nodes[static_cast<std::size_t>(root->second)].motion);
    if (is_better) root->second = static_cast<std::int32_t>(i);
  }
}

}  // namespace

void read_physics(const ReadContext& context, Document& document) {
  PhysicsReader(context, *context.reader, document).read();
}

}  // namespace sinew::exporter::gltf_import
