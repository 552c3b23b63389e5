// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: KHR_physics_rigid_bodies and KHR_implicit_shapes.

#include "export/gltf/physics_writer.hpp"
#include "export/gltf/plan_nodes.hpp"
#include "export/gltf/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"
#include "core/full_inverse.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace sinew::exporter {

namespace {

constexpr const char* kDraft =
    "KHR_physics_rigid_bodies as of 2026, colliders by geometry.mesh and geometry.node";
constexpr double kEarthGravity = 9.81;

// The matrix without the scale that factor() finds.
Matrix4d rigid_of(const Matrix4d& matrix) {
  GlbTransform transform = factor(matrix).transform;
  transform.scale = Vector3d::Ones();
  return matrix_of(transform);
}

// The matrix without what rounding leaves of a translation that is none, among places of a size.
Matrix4d without_rounding(Matrix4d matrix, double size) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(matrix(i, 3)) < 1e-12 * size) matrix(i, 3) = 0.0;
  }
  return matrix;
}

// Whether a PointInstancer shows something that is a body or collides.
bool shows_physics(const stage::Stage& stage, const stage::Prim& instancer) {
  const stage::Relationship prototypes = instancer.relationship("prototypes");
  if (!prototypes) return false;
  stage::Traversal all = stage::Traversal::with_instance_proxies();
  all.undefined = all.abstract = true;
  for (const layer::Path& path : prototypes.targets()) {
    const stage::Prim prototype = stage.prim(path);
    if (!prototype) continue;
    for (const stage::Prim prim : prototype.descendants(all)) {
      if (is_physical(prim)) return true;
    }
  }
  return false;
}

// What PointInstancers show is not part of the model.
void tell_instancers(Writer& w) {
  for (const PlanNode& node : w.nodes) {
    if (!node.prim || node.is_copy || !node.prim.is_a(stage::SchemaType::point_instancer) ||
        !shows_physics(w.stage, node.prim)) {
      continue;
    }
    const stage::Attribute indices = node.prim.attribute("protoIndices");
    w.warn("gltf-instancer-physics", node.prim,
           format_text("{} shows bodies or colliders; its {} instances have no physics.",
                       node.prim.path().view(), indices ? indices.value(w.shown).size() : 0));
  }
}

}  // namespace

PhysicsWriter::PhysicsWriter(Writer& writer) : w_(writer) {
  physics::ReadOptions read;
  read.nested_bodies = w_.options.nested_bodies;
  physics::PhysicsModel model = physics::read_physics(w_.stage, w_.diagnostics, read);
  model.units.meters_per_unit = w_.meters;
  model_ = model.to_si();
}

void PhysicsWriter::run() {
  if (model_.rigid_bodies.empty() && model_.shapes.empty() && model_.joints.empty()) return;
  read_gravity();
  for (std::size_t i = 0; i < model_.rigid_bodies.size() && !w_.error; ++i) place_body(i);
  write_bodies();
  write_materials();
  filters_ = collision_filters(w_, model_);
  for (std::size_t i = 0; i < model_.shapes.size() && !w_.error; ++i) write_shape(i);
  write_joints();
  write_root();
}

std::int32_t PhysicsWriter::node_of(std::string_view path) const {
  const auto found = w_.node_of_prim.find(w_.stage.prim(path));
  return found == w_.node_of_prim.end() ? kTop : found->second;
}

void PhysicsWriter::warn(std::string_view code, std::string_view path, std::string message) {
  w_.reporter.add(Severity::warning, code, layer::Path::from_trusted(std::string(path)),
                  std::move(message));
}

void PhysicsWriter::tell_of_extras(std::string_view path) {
  if (std::exchange(told_of_extras_, true)) return;
  w_.reporter.add(Severity::info, "gltf-joint-extras", layer::Path::from_trusted(std::string(path)),
                  "Forces that break joints, and articulations, are kept in extras alone.");
}

bool PhysicsWriter::is_kept(bool enabled) {
  if (enabled) return true;
  keeps_disabled_ = keeps_disabled_ || w_.options.extras;
  return w_.options.extras;
}

Json& PhysicsWriter::extension(std::int32_t node, bool enabled) {
  PlanNode& on = w_.node(node);
  on.needed = true;
  return enabled ? on.extensions["KHR_physics_rigid_bodies"] : on.extras["sinew"]["disabled"];
}

bool PhysicsWriter::has_room(std::int32_t node, const char* member) const {
  const PlanNode& on = w_.nodes[static_cast<std::size_t>(node)];
  const Json* const extension = on.extensions.find("KHR_physics_rigid_bodies");
  if (extension != nullptr && extension->contains(member)) return false;
  const Json* const kept = on.extras.find("sinew");
  return kept == nullptr || !kept->contains("disabled") ||
         !kept->find("disabled")->contains(member);
}

// Gravity has no place of its own: each body has a share of that of the earth.
void PhysicsWriter::read_gravity() {
  if (model_.scenes.empty()) return;
  const physics::Scene& scene = model_.scenes.front();
  if (model_.scenes.size() > 1) {
    warn("gltf-several-scenes", model_.scenes[1].path,
         format_text("There are {} physics scenes; the gravity of {} is written.",
                     model_.scenes.size(), scene.path.view()));
  }
  Vector3f down = Vector3f::Zero();
  down[static_cast<int>(model_.units.up_axis)] = -1.0F;
  // Less than nothing pulls the other way.
  const bool is_negative = scene.gravity_magnitude < 0.0F;
  Vector3f direction = is_negative ? Vector3f(-scene.gravity_direction) : scene.gravity_direction;
  const double magnitude = std::abs(static_cast<double>(scene.gravity_magnitude));
  if (!std::isfinite(magnitude)) return;
  const double difference = std::abs(magnitude / kEarthGravity - 1.0);
  if ((direction - down).norm() < 1e-3F) {
    if (difference > 1e-3) gravity_factor_ = magnitude / kEarthGravity;
    if (difference < 1e-6) return;
  } else {
    warn("gltf-gravity", scene.path,
         format_text("Gravity of {} does not point down, which glTF cannot say.",
                     scene.path.view()));
  }
  if (!w_.options.extras || !direction.allFinite()) return;
  if (w_.root != kTop) {  // In the axes of the file.
    direction = w_.node(w_.root).local.topLeftCorner<3, 3>().cast<float>() * direction;
  }
  Json& gravity = w_.document.scene_extras["sinew"]["gravity"];
  gravity["direction"] = json_floats(direction);
  gravity["magnitude"] = json_float(magnitude);
}

// Where a frame that follows a prim is at the time that is shown; physics is read at the default
// time.
Matrix4d PhysicsWriter::shown_frame(std::string_view path, const Matrix4d& frame) const {
  const stage::Prim prim = w_.stage.prim(path);
  if (!prim || !geom::world_transform_might_vary(prim)) return frame;
  const auto at = [&](stage::Time time) {
    return rigid_of(scaled_translation(geom::world_from_prim(prim, time), w_.meters));
  };
  return at(w_.shown) * full_inverse(at(stage::Time())) * frame;
}

// Whether something above a node, or the node, has another scale than 1.
bool PhysicsWriter::is_scaled(std::int32_t node) const {
  for (; node != kTop; node = w_.nodes[static_cast<std::size_t>(node)].parent) {
    const Factors factors = factor(w_.nodes[static_cast<std::size_t>(node)].local);
    if (!factors.exact) return true;
    if ((factors.transform.scale - Vector3d::Ones()).cwiseAbs().maxCoeff() >= 1e-6) return true;
  }
  return false;
}

// The node of a body has no scale; a node below takes it, with all that the body holds.
void PhysicsWriter::place_body(std::size_t index) {
  const physics::RigidBody& body = model_.rigid_bodies[index];
  const std::int32_t at = node_of(body.path);
  body_nodes_.push_back(at);
  if (at == kTop || !body.is_valid) return;
  const Matrix4d world = w_.node(at).world;
  Matrix4d rigid = shown_frame(body.path, matrix_of_pose(body.pose));
  const Matrix4d own = rigid_of(world);
  const double size = 1.0 + own.block<3, 1>(0, 3).norm();
  PlanNode& node = w_.node(at);
  if ((own - rigid).cwiseAbs().maxCoeff() < 1e-4 * size) {
    rigid = own;  // The same, but for rounding: more exact.
  } else {
    node.body_axes = factor(full_inverse(own) * rigid).transform.rotation;
    const Vector3d off = (own - rigid).topRightCorner<3, 1>();
    if (off.cwiseAbs().maxCoeff() < 1e-4 * size) {
      rigid.topRightCorner<3, 1>() = own.topRightCorner<3, 1>();
    }
  }
  const std::int32_t parent = node.parent;
  const Matrix4d above = parent == kTop ? Matrix4d(Matrix4d::Identity()) : w_.node(parent).world;
  node.keeps_factors = true;
  node.needed = true;
  if (is_scaled(parent)) {
    node.parent = w_.root;
    node.local = rigid;
    node.motion = PlanNode::Motion::world;
  } else {
    node.local = without_rounding(full_inverse(above) * rigid, size);
  }
  node.world = rigid;
  const Matrix4d rest = without_rounding(full_inverse(rigid) * world, size);
  const bool grows = scale_varies(w_, node);
  node.share = PlanNode::Share::rigid;
  if (!grows && (rest - Matrix4d::Identity()).cwiseAbs().maxCoeff() < 1e-6) return;
  const std::int32_t below = w_.add_node(at, node.name + "_scale", rest);
  if (w_.error) return;
  PlanNode& from = w_.node(at);
  PlanNode& to = w_.node(below);
  to.world = world;
  if (grows) {
    to.prim = from.prim;
    to.motion = from.motion;
    to.share = PlanNode::Share::scale;
    to.body_axes = from.body_axes;
  }
  std::swap(to.mesh, from.mesh);
  std::swap(to.skin, from.skin);
  std::swap(to.camera, from.camera);
  std::swap(to.target_weights, from.target_weights);
  to.needed = to.mesh != kNoGlbIndex || to.camera != kNoGlbIndex;
  for (std::size_t i = 0; i < w_.nodes.size(); ++i) {
    if (w_.nodes[i].parent == at && static_cast<std::int32_t>(i) != below)
      w_.nodes[i].parent = below;
  }
  for (MorphUse& use : w_.morphs) {
    if (use.node == at) use.node = below;
  }
  scale_nodes_[at] = below;
}

void PhysicsWriter::write_bodies() {
  const std::vector<physics::BodyMass> masses = physics::body_masses(model_, w_.diagnostics);
  for (std::size_t i = 0; i < model_.rigid_bodies.size(); ++i) {
    const physics::RigidBody& body = model_.rigid_bodies[i];
    if (body_nodes_[i] == kTop || !body.is_valid || !is_kept(body.rigid_body_enabled)) continue;
    w_.document.summary.bodies += body.rigid_body_enabled ? 1 : 0;
    Json motion = Json::object();
    if (body.kinematic_body) motion["isKinematic"] = true;
    write_mass(masses[i], motion);
    if (!body.linear_velocity.isZero(0.0F) && body.linear_velocity.allFinite()) {
      motion["linearVelocity"] = json_floats(body.linear_velocity);
    }
    if (!body.angular_velocity.isZero(0.0F) && body.angular_velocity.allFinite()) {
      motion["angularVelocity"] = json_floats(body.angular_velocity);
    }
    if (gravity_factor_) motion["gravityFactor"] = json_float(*gravity_factor_);
    extension(body_nodes_[i], body.rigid_body_enabled)["motion"] = std::move(motion);
    if (body.starts_asleep && w_.options.extras) {
      w_.node(body_nodes_[i]).extras["sinew"]["startsAsleep"] = true;
    }
  }
}

// 0 means infinite there: what is not positive is left out.
void PhysicsWriter::write_mass(const physics::BodyMass& mass, Json& motion) {
  const auto rounded = static_cast<float>(mass.mass);
  if (!(rounded > 0.0F) || !std::isfinite(rounded)) return;
  motion["mass"] = json_number(rounded);
  const Vector3f centre = mass.center_of_mass.cast<float>();
  if (centre.allFinite() && !centre.isZero(0.0F)) motion["centerOfMass"] = json_floats(centre);
  const Vector3f inertia = mass.diagonal_inertia.cast<float>();
  if (!inertia.allFinite() || !(inertia.minCoeff() > 0.0F)) return;
  motion["inertiaDiagonal"] = json_floats(inertia);
  const std::array<float, 4> axes = gltf_quaternion(mass.principal_axes);
  if (axes[0] == 0.0F && axes[1] == 0.0F && axes[2] == 0.0F) return;
  Json list = Json::array();
  for (const float component : axes) list.push_back(json_number(component));
  motion["inertiaOrientation"] = std::move(list);
}

void PhysicsWriter::write_materials() {
  for (const physics::RigidBodyMaterial& material : model_.materials) {
    Json json = Json::object();
    const auto put = [&json](const char* key, float value) {
      if (std::isfinite(value) && value >= 0.0F) json[key] = json_number(value);
    };
    put("staticFriction", material.static_friction);
    put("dynamicFriction", material.dynamic_friction);
    put("restitution", std::min(material.restitution, 1.0F));
    if (w_.options.extras) {
      add_source_path(json, material.path.view());
      if (material.density > 0.0F && std::isfinite(material.density)) {
        json["extras"]["sinew"]["density"] = json_number(material.density);
      }
    }
    materials_.push_back(std::move(json));
  }
}

void PhysicsWriter::write_root() {
  GlbBuilder::Impl& d = w_.document;
  for (const physics::Articulation& articulation : model_.articulations) {
    for (const Text& path : articulation.root_prim_paths) {
      tell_of_extras(path.view());
      if (w_.options.extras) d.scene_extras["sinew"]["articulationRoots"].push_back(path.view());
    }
  }
  if (!shapes_.empty()) {
    d.extensions["KHR_implicit_shapes"]["shapes"] = shapes_;
    d.extensions_used.emplace("KHR_implicit_shapes");
  }
  Json root = Json::object();
  if (!materials_.empty()) root["physicsMaterials"] = materials_;
  if (!filters_.filters.empty()) root["collisionFilters"] = filters_.filters;
  if (!joints_.empty()) root["physicsJoints"] = joints_;
  const bool used = d.summary.bodies + d.summary.colliders + d.summary.physics_joints > 0;
  if (!used && (!keeps_disabled_ || root.empty())) return;
  d.extensions_used.emplace("KHR_physics_rigid_bodies");
  if (!root.empty()) d.extensions["KHR_physics_rigid_bodies"] = std::move(root);
  if (w_.options.extras) d.asset_extras["sinew"]["physicsDraft"] = kDraft;
}

Matrix4d matrix_of_pose(const physics::Pose& pose) {
  GlbTransform transform;
  transform.translation = pose.position.cast<double>();
  transform.rotation = pose.rotation.cast<double>();
  if (!(transform.rotation.norm() > 0.0)) transform.rotation.setIdentity();
  return matrix_of(transform);
}

bool finite_pose(const physics::Pose& pose) {
  return pose.position.allFinite() && pose.rotation.coeffs().allFinite();
}

void add_physics(Writer& w) {
  tell_instancers(w);
  PhysicsWriter(w).run();
}

}  // namespace sinew::exporter
