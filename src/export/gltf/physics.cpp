// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: KHR_physics_rigid_bodies and KHR_implicit_shapes.

#include "export/gltf/physics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "export/gltf/collision_classes.hpp"
#include "export/gltf/origin.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter {

namespace {

using physics::PhysicsModel;
using physics::Shape;

constexpr const char* kDraft =
    "KHR_physics_rigid_bodies as of 2026, colliders by geometry.mesh and geometry.node";
constexpr double kEarthGravity = 9.81;

/// Where one prim's shapes, bodies and joints go.
class PhysicsWriter {
 public:
  explicit PhysicsWriter(Writer& writer) : w_(writer) {
    PhysicsModel model = physics::read_physics(w_.stage, w_.diagnostics);
    model.units.meters_per_unit = w_.meters;
    model_ = model.to_si();
  }

  void run() {
    if (model_.rigid_bodies.empty() && model_.shapes.empty() && model_.joints.empty()) return;
    read_gravity();
    for (std::size_t i = 0; i < model_.rigid_bodies.size() && !w_.error; ++i) place_body(i);
    write_bodies();
    write_materials();
    filters_ = collision_classes(w_, model_);
    for (std::size_t i = 0; i < model_.shapes.size() && !w_.error; ++i) write_shape(i);
    write_joints();
    write_root();
  }

 private:
  std::int32_t node_of(std::string_view path) const {
    const auto found = w_.node_of_prim.find(w_.stage.prim(path));
    return found == w_.node_of_prim.end() ? kTop : found->second;
  }

  void warn(std::string_view code, std::string_view path, std::string message) {
    w_.reporter.add(Severity::warning, code, layer::Path::from_trusted(std::string(path)),
                    std::move(message));
  }

  void list_in_extras(const char* key, std::string_view path) {
    if (w_.options.extras) w_.document.scene_extras["sinew"][key].push_back(path);
  }

  // Gravity has no place of its own.
  void read_gravity() {
    if (model_.scenes.empty()) return;
    const physics::Scene& scene = model_.scenes.front();
    if (model_.scenes.size() > 1) {
      warn("gltf-several-scenes", model_.scenes[1].path,
           fmt::format("There are {} physics scenes; the gravity of {} is written.",
                       model_.scenes.size(), scene.path.view()));
    }
    Vector3f down = Vector3f::Zero();
    down[static_cast<int>(model_.units.up_axis)] = -1.0F;
    const auto magnitude = static_cast<double>(scene.gravity_magnitude);
    if (!std::isfinite(magnitude)) return;
    if ((scene.gravity_direction - down).norm() < 1e-3F) {
      if (std::abs(magnitude / kEarthGravity - 1.0) > 1e-3)
        gravity_factor_ = magnitude / kEarthGravity;
      return;
    }
    warn("gltf-gravity", scene.path,
         fmt::format("Gravity of {} does not point down, which glTF cannot say.",
                     scene.path.view()));
    if (!w_.options.extras) return;
    Json& gravity = w_.document.scene_extras["sinew"]["gravity"];
    gravity["direction"] = numbers(scene.gravity_direction);
    gravity["magnitude"] = json_number(scene.gravity_magnitude);
  }

  // The node of a body has no scale; a node below takes it, with all that the body holds.
  void place_body(std::size_t index) {
    const physics::RigidBody& body = model_.rigid_bodies[index];
    const std::int32_t at = node_of(body.path);
    body_nodes_.push_back(at);
    if (at == kTop || !body.is_valid) return;
    const Matrix4d world = w_.node(at).world;
    Matrix4d rigid = matrix_of_pose(body.pose);
    GlbTransform own = factor(world).transform;
    own.scale = Vector3d::Ones();
    // The same, but for rounding: more exact.
    if ((matrix_of(own) - rigid).cwiseAbs().maxCoeff() < 1e-4 * (1.0 + own.translation.norm())) {
      rigid = matrix_of(own);
    }
    const std::int32_t parent = w_.node(at).parent;
    const Matrix4d above = parent == kTop ? Matrix4d(Matrix4d::Identity()) : w_.node(parent).world;
    const Factors outer = factor(above);
    const bool keeps_parent =
        outer.exact && (outer.transform.scale - Vector3d::Ones()).cwiseAbs().maxCoeff() < 1e-6;
    PlanNode& node = w_.node(at);
    node.keeps_factors = true;
    node.needed = true;
    if (keeps_parent) {
      node.local = above.inverse() * rigid;
      node.motion = PlanNode::Motion::rigid;
    } else {
      node.parent = w_.root;
      node.local = rigid;
      node.motion = PlanNode::Motion::world;
    }
    node.world = rigid;
    const Matrix4d rest = rigid.inverse() * world;
    if ((rest - Matrix4d::Identity()).cwiseAbs().maxCoeff() < 1e-6) return;
    const std::int32_t below = w_.add_node(at, node.name + "_scale", rest);
    if (w_.error) return;
    PlanNode& from = w_.node(at);
    PlanNode& to = w_.node(below);
    to.world = world;
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

  Json& extension(std::int32_t node) {
    w_.node(node).needed = true;
    return w_.node(node).extensions["KHR_physics_rigid_bodies"];
  }

  void write_bodies() {
    const std::vector<physics::BodyMass> masses = physics::body_masses(model_, w_.diagnostics);
    for (std::size_t i = 0; i < model_.rigid_bodies.size(); ++i) {
      const physics::RigidBody& body = model_.rigid_bodies[i];
      if (body_nodes_[i] == kTop || !body.is_valid || !body.rigid_body_enabled) continue;
      ++w_.document.summary.bodies;
      Json motion = Json::object();
      if (body.kinematic_body) motion["isKinematic"] = true;
      write_mass(masses[i], motion);
      if (!body.linear_velocity.isZero(0.0F) && body.linear_velocity.allFinite()) {
        motion["linearVelocity"] = numbers(body.linear_velocity);
      }
      if (!body.angular_velocity.isZero(0.0F) && body.angular_velocity.allFinite()) {
        motion["angularVelocity"] = numbers(body.angular_velocity);
      }
      if (gravity_factor_) motion["gravityFactor"] = number(*gravity_factor_);
      extension(body_nodes_[i])["motion"] = std::move(motion);
      if (body.starts_asleep && w_.options.extras) {
        w_.node(body_nodes_[i]).extras["sinew"]["startsAsleep"] = true;
      }
    }
  }

  // 0 means infinite there: what is not positive is left out.
  static void write_mass(const physics::BodyMass& mass, Json& motion) {
    const auto rounded = static_cast<float>(mass.mass);
    if (!(rounded > 0.0F) || !std::isfinite(rounded)) return;
    motion["mass"] = json_number(rounded);
    const Vector3f centre = mass.center_of_mass.cast<float>();
    if (centre.allFinite() && !centre.isZero(0.0F)) motion["centerOfMass"] = numbers(centre);
    const Vector3f inertia = mass.diagonal_inertia.cast<float>();
    if (!inertia.allFinite() || !(inertia.minCoeff() > 0.0F)) return;
    motion["inertiaDiagonal"] = numbers(inertia);
    const std::array<float, 4> axes = gltf_quaternion(mass.principal_axes);
    if (axes[0] == 0.0F && axes[1] == 0.0F && axes[2] == 0.0F) return;
    Json list = Json::array();
    for (const float component : axes) list.push_back(json_number(component));
    motion["inertiaOrientation"] = std::move(list);
  }

  void write_materials() {
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

  bool has_room(std::int32_t node, const char* member) const {
    const Json& extensions = w_.nodes[static_cast<std::size_t>(node)].extensions;
    const auto body = extensions.find("KHR_physics_rigid_bodies");
    return body == extensions.end() || !body->contains(member);
  }

  /// Whether a node is where `local` is in another.
  bool stands_at(std::int32_t node, std::int32_t parent, const Matrix4d& local) {
    const Matrix4d wanted = parent == kTop ? local : Matrix4d(w_.node(parent).world * local);
    const Matrix4d& world = w_.node(node).world;
    const double size = std::max(1.0, wanted.cwiseAbs().maxCoeff());
    return (world - wanted).cwiseAbs().maxCoeff() <= 1e-5 * size;
  }

  /// A node for a collider; its frame is that of the shape.
  std::int32_t shape_node(const Shape& shape, const Matrix4d& more) {
    const bool has_body = model_.has_body(shape.body);
    const std::int32_t parent =
        has_body ? body_nodes_[static_cast<std::size_t>(shape.body)] : w_.root;
    const Matrix4d local = matrix_of_pose(shape.local_pose) * more;
    const stage::Prim prim = w_.stage.prim(shape.path.view());
    const Origin origin = prim ? read_origin(prim) : Origin();
    if (origin.collider) {
      const std::int32_t own = node_of(shape.path);
      if (own != kTop && has_room(own, "collider") && stands_at(own, parent, local)) return own;
    }
    const std::int32_t node = w_.add_node(
        parent,
        origin.name.value_or(std::string(layer::Path::from_trusted(shape.path.str()).name())),
        local);
    w_.node(node).source_path = shape.path.str();
    w_.node(node).keeps_factors = true;
    w_.node(node).needed = true;
    return node;
  }

  void write_shape(std::size_t index) {
    const Shape& shape = model_.shapes[index];
    if (node_of(shape.path) == kTop) return;
    if (model_.has_body(shape.body) && body_nodes_[static_cast<std::size_t>(shape.body)] == kTop)
      return;
    if (!shape.collision_enabled) return list_in_extras("disabledColliders", shape.path);
    if (!shape.is_valid || std::holds_alternative<physics::CustomShape>(shape.geometry)) {
      return warn("gltf-collider", shape.path,
                  fmt::format("The collider {} is of a kind that glTF has no place for, or not "
                              "usable; it is left out.",
                              shape.path.view()));
    }
    if (!finite_pose(shape.local_pose)) return warn_of_size(shape);
    if (const auto* points = std::get_if<physics::SpherePointsShape>(&shape.geometry)) {
      return write_points(index, shape, *points);
    }
    const ColliderGeometry geometry = collider_geometry(shape);
    if (const auto* mesh = std::get_if<physics::MeshShape>(&shape.geometry)) {
      if (geometry.shape.is_null()) return write_mesh(index, shape, *mesh);
    }
    if (geometry.shape.is_null()) return warn_of_size(shape);
    const std::int32_t node = shape_node(shape, geometry.shape_from_collider);
    Json json = Json::object();
    json["geometry"]["shape"] = shape_index(geometry.shape);
    finish_collider(index, shape, std::move(json), node);
  }

  void warn_of_size(const Shape& shape) {
    warn("gltf-collider-size", shape.path,
         fmt::format("The collider {} has a size or place that is not positive and finite; it is "
                     "left out.",
                     shape.path.view()));
  }

  void write_points(std::size_t index, const Shape& shape,
                    const physics::SpherePointsShape& points) {
    const std::int32_t parent = shape_node(shape, Matrix4d::Identity());
    std::size_t bad = 0;
    for (const physics::SpherePoint& point : points.sphere_points) {
      if (!(point.radius > 0.0F) || !std::isfinite(point.radius) ||
          !point.scaled_center.allFinite()) {
        ++bad;
        continue;
      }
      Matrix4d local = Matrix4d::Identity();
      local.block<3, 1>(0, 3) = point.scaled_center.cast<double>();
      const std::int32_t node = w_.add_node(parent, "point", local);
      if (w_.error) return;
      Json sphere = Json::object();
      sphere["type"] = "sphere";
      sphere["sphere"]["radius"] = json_number(point.radius);
      Json json = Json::object();
      json["geometry"]["shape"] = shape_index(sphere);
      finish_collider(index, shape, std::move(json), node);
    }
    if (bad > 0) warn_of_size(shape);
  }

  void write_mesh(std::size_t index, const Shape& shape, const physics::MeshShape& mesh) {
    const physics::MeshApproximation kind = physics::mesh_approximation(mesh.approximation);
    const Vector3d scale = mesh.mesh_scale.cast<double>() / w_.meters;
    if (mesh.geometry == nullptr || !scale.allFinite() || scale.cwiseAbs().minCoeff() <= 0.0) {
      return warn_of_size(shape);
    }
    const auto [number, shown] = mesh_of(shape, *mesh.geometry);
    if (number == kNoGlbIndex) return warn_of_size(shape);
    Matrix4d scaling = Matrix4d::Identity();
    scaling.block<3, 3>(0, 0) = scale.asDiagonal();
    const std::int32_t node = shape_node(shape, scaling);
    if (w_.error) return;
    Json json = Json::object();
    json["geometry"]["mesh"] = number;
    json["geometry"]["node"] = shown;  // In the plan; emit() numbers it.
    json["geometry"]["convexHull"] = kind == physics::MeshApproximation::convex_hull;
    if (kind != physics::MeshApproximation::none &&
        kind != physics::MeshApproximation::convex_hull) {
      warn("gltf-mesh-approximation", shape.path,
           fmt::format("The collider {} is approximated by \"{}\", which glTF cannot say; it is "
                       "written as its triangles.",
                       shape.path.view(), mesh.approximation.view()));
      if (w_.options.extras) {
        w_.node(node).extras["sinew"]["approximation"] = mesh.approximation.view();
      }
    }
    finish_collider(index, shape, std::move(json), node);
  }

  /// The mesh of a collider, and a node that has it: the one that shows it, or one of no scene.
  std::pair<std::int32_t, std::int32_t> mesh_of(const Shape& shape, const geom::Mesh& mesh) {
    std::int32_t shown = node_of(shape.path);
    const stage::Prim prim = w_.stage.prim(shape.path.view());
    const std::vector<stage::Prim>& parts = w_.node(shown).parts;
    // A part that is not shown is not what its node shows.
    const bool is_own =
        w_.node(shown).prim == prim || std::find(parts.begin(), parts.end(), prim) != parts.end();
    const auto scaled = scale_nodes_.find(shown);
    if (scaled != scale_nodes_.end()) shown = scaled->second;
    if (is_own && w_.node(shown).mesh != kNoGlbIndex && w_.node(shown).skin < 0) {
      return {w_.node(shown).mesh, shown};
    }
    const std::int32_t number = collider_mesh(w_, shape.path.str(), mesh);
    if (number == kNoGlbIndex) return {number, kTop};
    const auto [known, is_new] = hidden_nodes_.try_emplace(number, kTop);
    if (is_new) {
      known->second = w_.add_node(kTop, w_.node(shown).name + "_collider", Matrix4d::Identity());
      PlanNode& hidden = w_.node(known->second);
      hidden.mesh = number;
      hidden.in_scene = false;
      hidden.needed = true;
    }
    return {number, known->second};
  }

  std::int32_t shape_index(const Json& shape) {
    const auto found = std::find(shapes_.begin(), shapes_.end(), shape);
    const auto index = static_cast<std::int32_t>(found - shapes_.begin());
    if (found == shapes_.end()) shapes_.push_back(shape);
    return index;
  }

  void finish_collider(std::size_t index, const Shape& shape, Json collider, std::int32_t node) {
    if (w_.error) return;
    ++w_.document.summary.colliders;
    if (shape.bound_material >= 0 &&
        static_cast<std::size_t>(shape.bound_material) < materials_.size()) {
      collider["physicsMaterial"] = shape.bound_material;
    }
    if (filters_.filter_of_shape[index] >= 0) {
      collider["collisionFilter"] = filters_.filter_of_shape[index];
    }
    extension(node)["collider"] = std::move(collider);
  }

  /// The node of one side of a joint.
  std::int32_t joint_node(const physics::Joint& joint, int side, const std::string& name,
                          bool on_body) {
    const physics::JointEnd& end = joint.ends[side];
    Matrix4d frame = matrix_of_pose(end.frame);
    std::int32_t parent = w_.root;
    if (model_.has_body(end.body)) {
      parent = body_nodes_[static_cast<std::size_t>(end.body)];
      on_body = on_body && frame.isIdentity(1e-6) && (side == 1 || has_room(parent, "joint"));
      if (on_body) return parent;
    } else if (!end.body_path.empty()) {
      frame = matrix_of_pose(end.body_world) * frame;
    }
    const std::int32_t node = w_.add_node(parent, name, frame);
    w_.node(node).keeps_factors = true;
    w_.node(node).needed = true;
    return node;
  }

  void write_joints() {
    for (const physics::Joint& joint : model_.joints) {
      if (w_.error) return;
      if (!joint.joint_enabled) {
        list_in_extras("disabledJoints", joint.path);
        continue;
      }
      bool is_usable = joint.is_valid && !std::holds_alternative<physics::CustomJoint>(joint.kind);
      for (const physics::JointEnd& end : joint.ends) {
        is_usable =
            is_usable && finite_pose(end.frame) && finite_pose(end.body_world) &&
            (!model_.has_body(end.body) || body_nodes_[static_cast<std::size_t>(end.body)] != kTop);
      }
      if (!is_usable) {
        warn("gltf-joint", joint.path,
             fmt::format("The joint {} is not valid, of a kind that glTF has no place for, or "
                         "between bodies that are not written; it is left out.",
                         joint.path.view()));
        continue;
      }
      ++w_.document.summary.physics_joints;
      const stage::Prim prim = w_.stage.prim(joint.path.view());
      const Origin origin = prim ? read_origin(prim) : Origin();
      const std::string name =
          origin.name.value_or(std::string(layer::Path::from_trusted(joint.path.str()).name()));
      const std::int32_t first = joint_node(joint, 0, name, origin.on_body[0]);
      const std::int32_t second =
          joint_node(joint, 1, origin.connected.value_or(name + "_1"), origin.on_body[1]);
      if (w_.error) return;
      if (w_.node(first).source_path.empty()) w_.node(first).source_path = joint.path.str();
      Json description = joint_description(joint);
      const auto found = std::find(joints_.begin(), joints_.end(), description);
      const auto index = found - joints_.begin();
      if (found == joints_.end()) joints_.push_back(std::move(description));
      Json json = Json::object();
      json["connectedNode"] = second;  // In the plan; emit() numbers it.
      json["joint"] = index;
      if (joint.collision_enabled) json["enableCollision"] = true;
      extension(first)["joint"] = std::move(json);
      keep_in_extras(joint, first);
    }
  }

  void keep_in_extras(const physics::Joint& joint, std::int32_t node) {
    // Read back, one that leaves a single turn or slide free would become the special kind.
    if (w_.options.extras && std::holds_alternative<physics::D6Joint>(joint.kind)) {
      w_.node(node).extras["sinew"]["genericJoint"] = true;
    }
    const bool breaks =
        joint.break_force < physics::kUnlimited || joint.break_torque < physics::kUnlimited;
    if (!breaks && !joint.exclude_from_articulation) return;
    if (!told_of_extras_) {
      w_.reporter.add(Severity::info, "gltf-joint-extras",
                      layer::Path::from_trusted(joint.path.str()),
                      "Forces that break joints, and articulations, are kept in extras alone.");
      told_of_extras_ = true;
    }
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

  void write_root() {
    GlbBuilder::Impl& d = w_.document;
    for (const physics::Articulation& articulation : model_.articulations) {
      for (const Text& path : articulation.root_prim_paths)
        list_in_extras("articulationRoots", path);
    }
    if (!shapes_.empty()) {
      d.extensions["KHR_implicit_shapes"]["shapes"] = shapes_;
      d.extensions_used.emplace("KHR_implicit_shapes");
    }
    const bool used = d.summary.bodies + d.summary.colliders + d.summary.physics_joints > 0;
    if (!used) return;
    d.extensions_used.emplace("KHR_physics_rigid_bodies");
    Json root = Json::object();
    if (!materials_.empty()) root["physicsMaterials"] = materials_;
    if (!filters_.filters.empty()) root["collisionFilters"] = filters_.filters;
    if (!joints_.empty()) root["physicsJoints"] = joints_;
    if (!root.empty()) d.extensions["KHR_physics_rigid_bodies"] = std::move(root);
    if (w_.options.extras) d.asset_extras["sinew"]["physicsDraft"] = kDraft;
  }

  Writer& w_;
  PhysicsModel model_;
  std::optional<double> gravity_factor_;
  std::vector<std::int32_t> body_nodes_;
  std::map<std::int32_t, std::int32_t> scale_nodes_;   // Below the node of a body.
  std::map<std::int32_t, std::int32_t> hidden_nodes_;  // By mesh.
  std::vector<Json> shapes_;
  std::vector<Json> materials_;
  std::vector<Json> joints_;
  CollisionClasses filters_;
  bool told_of_extras_ = false;
};

}  // namespace

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
  PhysicsWriter(w).run();
}

}  // namespace sinew::exporter
