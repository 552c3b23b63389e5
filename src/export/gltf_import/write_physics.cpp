// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/format_text.hpp"
#include "export/gltf_import/scene_writer.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::Value;

constexpr double kEarth = 9.81;
// Authored moments shorter than this count as none, whatever the unit: see physics::Units.
constexpr double kLeastInertia = 1e-5;

class PhysicsWriter {
 public:
  explicit PhysicsWriter(WriteContext& context)
      : context_(context), out_(*context.out), document_(*context.document) {}

  void run();

 private:
  void write_scene();
  void write_materials();
  void write_body(std::uint32_t index, OutPrim* prim);
  void write_collider(std::uint32_t index, OutPrim* prim);
  void write_shape(const ImplicitShape& shape, OutPrim* prim);
  void finish_collider(std::uint32_t index, OutPrim* prim, const Vector3d& size);
  void write_groups();

  WriteContext& context_;
  LayerOutput& out_;
  const Document& document_;
  std::vector<OutPrim*> materials_;
  std::map<std::int32_t, std::vector<OutPrim*>> by_filter_;
};

// Earth's gravity, or what all bodies agree on.
void PhysicsWriter::write_scene() {
  std::optional<double> factor;
  bool differ = false;
  for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
    const Node& node = document_.nodes[i];
    if (!node.motion || !node.motion->is_enabled || !document_.in_scene[i]) continue;
    differ = differ || (factor && *factor != node.motion->gravity_factor);
    factor = node.motion->gravity_factor;
  }
  if (differ || (factor && *factor < 0.0)) {
    context_.faults().warning("/nodes", "gltf-physics-gravity",
                              "Bodies have different shares of gravity, which USD cannot say; all "
                              "fall as on earth.");
    factor = 1.0;
  }
  OutPrim* const scene = out_.add(context_.scene, "PhysicsScene", "PhysicsScene", "PhysicsScene");
  Gravity gravity;
  gravity.magnitude = kEarth * factor.value_or(1.0);
  // What is kept counts unless the bodies say otherwise by now.
  if (document_.gravity && !differ) {
    const Gravity& kept = *document_.gravity;
    const bool is_down = (kept.direction - gravity.direction).norm() < 1e-3;
    const double said = is_down ? kept.magnitude : kEarth;
    if (!factor || std::abs(gravity.magnitude - said) <= 2e-3 * kEarth) gravity = kept;
  }
  // 0 is added, so that none of them is -0.
  const Vector3d direction =
      context_.turn.topLeftCorner<3, 3>() * gravity.direction + Vector3d::Zero();
  out_.set(scene, "vector3f", "physics:gravityDirection",
           value_of(Vector3f(direction.cast<float>())));
  out_.set(scene, "float", "physics:gravityMagnitude",
           float_value(gravity.magnitude * context_.per_metre));
}

void PhysicsWriter::write_materials() {
  if (document_.physics_materials.empty()) return;
  OutPrim* const scope = out_.add(context_.scene, "Scope", "PhysicsMaterials", "PhysicsMaterials");
  for (std::size_t i = 0; i < document_.physics_materials.size(); ++i) {
    if (context_.is_over()) return;
    const PhysicsMaterial& from = document_.physics_materials[i];
    const std::string_view usd = from.usd_path;
    OutPrim* const prim = out_.add(scope, "Material", usd.substr(usd.rfind('/') + 1),
                                   "material_" + std::to_string(i));
    out_.apply(prim, "PhysicsMaterialAPI");
    const auto set = [&](std::string_view name, const std::optional<double>& value) {
      if (value) out_.set(prim, "float", name, float_value(*value));
    };
    set("physics:staticFriction", from.static_friction);
    set("physics:dynamicFriction", from.dynamic_friction);
    set("physics:restitution", from.restitution);
    if (from.density) {
      const double length = context_.per_metre;
      set("physics:density", *from.density / (length * length * length));
    }
    materials_.push_back(prim);
  }
}

void PhysicsWriter::write_body(std::uint32_t index, OutPrim* prim) {
  const Motion& motion = *context_.node(index).motion;
  ++context_.counts->bodies;
  out_.apply(prim, "PhysicsRigidBodyAPI");
  if (!motion.is_enabled) out_.set(prim, "bool", "physics:rigidBodyEnabled", value_of(false));
  if (motion.is_kinematic) {
    out_.set(prim, "bool", "physics:kinematicEnabled", value_of(true));
  }
  if (motion.starts_asleep) {
    out_.set_uniform(prim, "bool", "physics:startsAsleep", value_of(true));
  }
  const double length = context_.per_metre;
  if (!motion.linear_velocity.isZero(0.0F)) {
    out_.set(prim, "vector3f", "physics:velocity",
             floats_value(motion.linear_velocity.cast<double>() * length));
  }
  if (!motion.angular_velocity.isZero(0.0F)) {
    out_.set(prim, "vector3f", "physics:angularVelocity",
             floats_value(motion.angular_velocity.cast<double>() * kDegreesPerRadian));
  }
  const bool is_finite = !motion.mass || std::isfinite(*motion.mass);
  if (!is_finite && !motion.is_kinematic) {
    context_.faults().warning("/nodes/" + std::to_string(index), "gltf-physics-mass",
                              "The body's mass is infinite, which USD cannot say; it is derived "
                              "from the colliders.");
  }
  const bool has_mass = motion.mass && is_finite;
  if (!has_mass && !motion.center_of_mass && !motion.inertia_diagonal &&
      !motion.inertia_orientation) {
    return;
  }
  out_.apply(prim, "PhysicsMassAPI");
  if (has_mass) out_.set(prim, "float", "physics:mass", value_of(*motion.mass));
  if (motion.center_of_mass) {
    out_.set(prim, "point3f", "physics:centerOfMass",
             floats_value(motion.center_of_mass->cast<double>() * length));
  }
  if (motion.inertia_diagonal) {
    const Vector3d diagonal = motion.inertia_diagonal->cast<double>() * length * length;
    if (!(diagonal.norm() > kLeastInertia)) {
      context_.faults().warning(
          "/nodes/" + std::to_string(index), "gltf-physics-inertia",
          "USD takes moments as small as these for none; they are derived from the colliders. A "
          "smaller unit of length keeps them.");
    }
    out_.set(prim, "float3", "physics:diagonalInertia", floats_value(diagonal));
  }
  // The schema wants the axes beside the moments, also where they are the prim's own.
  if (motion.inertia_diagonal || motion.inertia_orientation) {
    out_.set(prim, "quatf", "physics:principalAxes",
             value_of(motion.inertia_orientation.value_or(Quatf(1.0F, 0.0F, 0.0F, 0.0F))));
  }
}

void PhysicsWriter::write_shape(const ImplicitShape& shape, OutPrim* prim) {
  using Kind = ImplicitShape::Kind;
  const double length = context_.per_metre;
  const auto set = [&](std::string_view name, double value) {
    out_.set(prim, "double", name, value_of(value * length));
  };
  const auto along_y = [&] { out_.set_uniform(prim, "token", "axis", out_.token("Y")); };
  switch (shape.kind) {
    case Kind::sphere:
      return set("radius", shape.radius);
    case Kind::box: {
      const Vector3f& size = shape.size;
      if (size.x() == size.y() && size.y() == size.z()) {
        return set("size", static_cast<double>(size.x()));
      }
      out_.set(prim, "double", "size", value_of(1.0));
      const std::string order[] = {"xformOp:scale"};
      out_.set(prim, "float3", order[0], floats_value(size.cast<double>() * length));
      return out_.set_uniform(prim, "token[]", "xformOpOrder", out_.tokens(order));
    }
    case Kind::capsule:
    case Kind::cylinder:
      along_y();
      set("height", shape.height);
      if (shape.radius_top == shape.radius_bottom) return set("radius", shape.radius_top);
      set("radiusTop", shape.radius_top);
      return set("radiusBottom", shape.radius_bottom);
    case Kind::plane:
      return along_y();
  }
}

void PhysicsWriter::finish_collider(std::uint32_t index, OutPrim* prim, const Vector3d& size) {
  const Collider& collider = *context_.node(index).collider;
  const std::string& path = context_.node(index).usd_path;
  if (!path.empty()) context_.colliders.try_emplace(path, OutCollider{prim, index, size});
  ++context_.counts->colliders;
  out_.apply(prim, "PhysicsCollisionAPI");
  if (!collider.is_enabled) out_.set(prim, "bool", "physics:collisionEnabled", value_of(false));
  if (collider.material != kNothing &&
      static_cast<std::size_t>(collider.material) < materials_.size()) {
    out_.apply(prim, "MaterialBindingAPI");
    out_.relate(prim, "material:binding:physics",
                materials_[static_cast<std::size_t>(collider.material)]);
  }
  if (collider.filter != kNothing) by_filter_[collider.filter].push_back(prim);
}

void PhysicsWriter::write_collider(std::uint32_t index, OutPrim* prim) {
  const Collider& collider = *context_.node(index).collider;
  if (collider.shape != kNothing) {
    const ImplicitShape& shape = document_.shapes[static_cast<std::size_t>(collider.shape)];
    OutPrim* target = prim;
    if (!is_shape_prim(context_, index)) {
      target = out_.add(prim, shape_type(shape), "collider", "collider");
      out_.note(target, origin::kPart, true);
    }
    out_.note(target, origin::kCollider, true);
    if (target == prim && context_.is_over()) return;
    out_.set_uniform(target, "token", "purpose", out_.token("guide"));
    write_shape(shape, target);
    const bool is_scaled = shape.kind == ImplicitShape::Kind::box &&
                           !is_shape_prim(context_, index) &&
                           !(shape.size.x() == shape.size.y() && shape.size.y() == shape.size.z());
    const Vector3d size = shape.size.cast<double>() * context_.per_metre;
    return finish_collider(index, target, is_scaled ? size : Vector3d(Vector3d::Ones()));
  }
  std::vector<OutPrim*> meshes = context_.node_meshes[index];
  if (collider.mesh != context_.node(index).mesh || context_.node(index).instances) {
    meshes = write_collider_mesh(context_, index, collider.mesh, prim);
    for (OutPrim* mesh : meshes) {
      out_.set_uniform(mesh, "token", "purpose", out_.token("guide"));
      out_.note(mesh, origin::kPart, true);
    }
  }
  if (meshes.empty() && !context_.is_over()) {
    context_.faults().error("/nodes/" + std::to_string(index), "gltf-physics-geometry",
                            "The mesh of the collider has no triangles.");
  }
  for (OutPrim* mesh : meshes) {
    out_.note(mesh, origin::kCollider, true);
    out_.apply(mesh, "PhysicsMeshCollisionAPI");
    std::string_view approximation = collider.convex_hull ? "convexHull" : "none";
    if (!collider.approximation.empty()) approximation = collider.approximation;
    out_.set_uniform(mesh, "token", "physics:approximation", out_.token(approximation));
    finish_collider(index, mesh, Vector3d::Ones());
  }
}

// Which of the filters each of them accepts, by the systems that they name. Nothing if that takes
// too long.
std::optional<std::vector<std::vector<bool>>> acceptance(
    const std::vector<const CollisionFilter*>& filters) {
  constexpr std::uint64_t kMostSteps = 300'000'000;
  std::map<std::string_view, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    for (const std::string& system : filters[i]->systems) members[system].push_back(i);
  }
  std::uint64_t steps = filters.size() * filters.size();
  std::vector<std::vector<bool>> accepts;
  for (const CollisionFilter* filter : filters) {
    if (steps > kMostSteps) return std::nullopt;
    const bool is_named = filter->has_collide_with;
    std::vector<bool>& row = accepts.emplace_back(filters.size(), !is_named);
    for (const std::string& system : is_named ? filter->collide_with : filter->not_collide_with) {
      const auto found = members.find(system);
      if (found == members.end()) continue;
      steps += found->second.size();
      if (steps > kMostSteps) return std::nullopt;
      for (const std::size_t member : found->second) row[member] = is_named;
    }
  }
  return accepts;
}

// A group for each filter, which says exactly which others it does not meet: colliders meet where
// each accepts a system of the other.
void PhysicsWriter::write_groups() {
  std::vector<const CollisionFilter*> filters;
  for (const auto& [filter, colliders] : by_filter_) {
    filters.push_back(&document_.filters[static_cast<std::size_t>(filter)]);
  }
  const auto accepts = acceptance(filters);
  if (!accepts) {
    return context_.faults().warning(
        "/extensions/KHR_physics_rigid_bodies/collisionFilters", "gltf-physics-filters",
        "There are too many filters to compare them all; they are left out.");
  }
  std::vector<OutPrim*> groups;
  for (const auto& [filter, colliders] : by_filter_) {
    if (context_.is_over()) return;
    OutPrim* const group = out_.add(context_.scene, "PhysicsCollisionGroup",
                                    format_text("filter_{}", filter), "filter");
    out_.apply(group, "CollectionAPI:colliders");
    out_.relate(group, "collection:colliders:includes", colliders);
    groups.push_back(group);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::vector<OutPrim*> others;
    for (std::size_t k = i; k < groups.size(); ++k) {
      if (!(*accepts)[i][k] || !(*accepts)[k][i]) others.push_back(groups[k]);
    }
    if (!others.empty()) out_.relate(groups[i], "physics:filteredGroups", others);
    if (context_.is_over()) return;
  }
}

void PhysicsWriter::run() {
  bool has_physics = false;
  for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
    const Node& node = document_.nodes[i];
    has_physics =
        has_physics || (document_.in_scene[i] && (node.motion || node.collider || node.joint));
  }
  if (!has_physics) return;
  write_scene();
  write_materials();
  for (std::uint32_t i = 0; i < document_.nodes.size(); ++i) {
    if (context_.is_over()) return;
    OutPrim* const prim = context_.nodes[i];
    if (prim == nullptr) continue;
    if (context_.node(i).motion) write_body(i, prim);
    if (context_.node(i).collider) write_collider(i, prim);
    const Node& node = context_.node(i);
    if ((node.motion || !node.joint) && is_articulation_root(context_, i)) {
      out_.apply(prim, "PhysicsArticulationRootAPI");
    }
  }
  write_physics_joints(context_);
  write_groups();
}

}  // namespace

std::string_view shape_type(const ImplicitShape& shape) {
  using Kind = ImplicitShape::Kind;
  const bool is_even = shape.radius_top == shape.radius_bottom;
  switch (shape.kind) {
    case Kind::sphere:
      return "Sphere";
    case Kind::box:
      return "Cube";
    case Kind::capsule:
      return is_even ? "Capsule" : "Capsule_1";
    case Kind::cylinder:
      return is_even ? "Cylinder" : "Cylinder_1";
    case Kind::plane:
      return "Plane";
  }
  return "Sphere";
}

bool is_shape_prim(const WriteContext& context, std::uint32_t index) {
  const Node& node = context.node(index);
  if (!node.collider || node.collider->shape == kNothing || node.mesh != kNothing ||
      node.camera != kNothing || node.joint || !node.children.empty()) {
    return false;
  }
  const ImplicitShape& shape =
      context.document->shapes[static_cast<std::size_t>(node.collider->shape)];
  return shape.kind != ImplicitShape::Kind::box ||
         (shape.size.x() == shape.size.y() && shape.size.y() == shape.size.z());
}

bool is_articulation_root(const WriteContext& context, std::uint32_t index) {
  const auto root = context.document->articulation_roots.find(context.node(index).usd_path);
  return root != context.document->articulation_roots.end() &&
         root->second == static_cast<std::int32_t>(index);
}

void write_physics(WriteContext& context) {
  if (context.options().physics) PhysicsWriter(context).run();
}

}  // namespace sinew::exporter::gltf_import
