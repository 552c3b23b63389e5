// SPDX-License-Identifier: Apache-2.0
// Colliders: geometry, pose and materials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/indexed.hpp"
#include "physics/read/reader.hpp"
#include "physics/read/scale.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

// What the smallest block of memory holds anyway.
constexpr std::size_t kFewShapes = 6;

constexpr auto kVectors = stage::ValueTypes::array_of<Vector3f>();
constexpr auto kIntegers = stage::ValueTypes::array_of<std::int32_t>();
constexpr auto kFloats = stage::ValueTypes::array_of<float>();

}  // namespace

Reader::ShapeRef Reader::add_shape(const Prim& prim, const Context& context, std::uint16_t apis,
                                   const Placement& placement) {
  std::vector<Shape>& list = context.reported ? model_.shapes : model_.unreported_shapes;
  Shape& shape = list.emplace_back();
  shape.path = texts_.make(path_);
  shape.collision_enabled = read(prim, names_.collision_enabled, true);
  shape.simulation_owner_paths = targets(prim, names_.simulation_owner);
  if ((apis & kFilteredPairsApi) != 0) {
    shape.filtered_collision_paths = targets(prim, names_.filtered_pairs);
  }
  if (!read_geometry(prim, placement.world.scale, apis, shape)) {
    list.pop_back();
    return {};
  }
  read_materials(prim, context, apis, shape);
  const auto index = static_cast<std::int32_t>(list.size() - 1);
  if (shape.is_valid) {
    if (context.body != kNone) {
      RigidBody& body = at(model_.rigid_bodies, context.body);
      shape.body = context.body;
      shape.body_path = body.path;
      if (context.reported) {
        if (body.shapes.empty()) body.shapes.reserve(kFewShapes);
        body.shapes.push_back(index);
      }
    }
    shape.local_pose = placement.local.pose;
    shape.local_scale = placement.local.scale;
    if (documented()) check_scale(prim, last_world_.of(context.world).scale, shape);
  }
  return {index, context.reported};
}

// Documented rules: a scale that the geometry cannot follow is worth a warning.
void Reader::check_scale(const Prim& prim, const Vector3d& scale, const Shape& shape) {
  const bool follows = std::holds_alternative<CubeShape>(shape.geometry) ||
                       std::holds_alternative<MeshShape>(shape.geometry) ||
                       std::holds_alternative<PlaneShape>(shape.geometry) ||
                       std::holds_alternative<CustomShape>(shape.geometry);
  if (follows || is_uniform(scale)) return;
  report(
      Severity::warning, "physics-nonuniform-scale", prim,
      fmt::format("A shape of this type cannot follow a scale of ({}, {}, {}); the largest factor "
                  "is used across.",
                  static_cast<float>(scale.x()), static_cast<float>(scale.y()),
                  static_cast<float>(scale.z())),
      "Scale uniformly, or use a mesh.");
}

// The schema or type of the application that makes a prim a shape of its own; empty if none does.
std::string_view Reader::custom_token(const Prim& prim) const {
  for (const std::string& token : options_.shape_tokens) {
    const std::span<const Token> apis = prim.authored_api_schemas();
    const bool applied =
        std::any_of(apis.begin(), apis.end(), [&](Token api) { return api.view() == token; });
    if (applied || prim.type_name().view() == token) return token;
  }
  return {};
}

float Reader::read_size(const Prim& prim, const Name& name, double fallback) {
  return static_cast<float>(read(prim, name, fallback));
}

Reader::Spine Reader::read_spine(const Prim& prim, const Vector3f& scale, double height) {
  Spine spine;
  spine.axis = read_axis(prim, names_.axis, Axis::z);
  const int along = static_cast<int>(spine.axis);
  spine.half_height = std::fabs(read_size(prim, names_.height, height) / 2.0F * scale[along]);
  spine.radius_scale =
      std::max(std::fabs(scale[(along + 1) % 3]), std::fabs(scale[(along + 2) % 3]));
  return spine;
}

bool Reader::read_geometry(const Prim& prim, const Vector3f& scale, std::uint16_t apis,
                           Shape& shape) {
  if (const std::string_view token = custom_token(prim); !token.empty()) {
    shape.geometry = CustomShape{token};
    return true;
  }
  const auto radius = [&](const Name& name, double fallback, float factor) {
    return std::fabs(read_size(prim, name, fallback) * factor);
  };
  // A shape of a spine and one radius, or of a spine and a radius at each end.
  const auto straight = [&]<typename T>(T, double height, double fallback) {
    const Spine s = read_spine(prim, scale, height);
    shape.geometry = T{radius(names_.radius, fallback, s.radius_scale), s.half_height, s.axis};
    return true;
  };
  const auto tapered = [&]<typename T>(T, double height, double fallback) {
    const Spine s = read_spine(prim, scale, height);
    shape.geometry =
        T{radius(names_.radius_top, fallback, s.radius_scale),
          radius(names_.radius_bottom, fallback, s.radius_scale), s.half_height, s.axis};
    return true;
  };
  // No known type derives from any of these.
  switch (prim.schema_type()) {
    case SchemaType::mesh:
      read_mesh(prim, scale, apis, shape);
      return true;
    case SchemaType::cube:
      shape.geometry = CubeShape{scale * (std::fabs(read_size(prim, names_.size, 2.0)) / 2.0F)};
      return true;
    case SchemaType::sphere:
      shape.geometry = SphereShape{radius(names_.radius, 1.0, scale.cwiseAbs().maxCoeff())};
      return true;
    case SchemaType::capsule:
      return straight(CapsuleShape{}, 1.0, 0.5);
    case SchemaType::capsule_1:
      return tapered(Capsule1Shape{}, 1.0, 0.5);
    case SchemaType::cylinder:
      return straight(CylinderShape{}, 2.0, 1.0);
    case SchemaType::cylinder_1:
      return tapered(Cylinder1Shape{}, 2.0, 1.0);
    case SchemaType::cone:
      return straight(ConeShape{}, 2.0, 1.0);
    case SchemaType::plane:
      shape.geometry = PlaneShape{read_axis(prim, names_.axis, Axis::z)};
      return true;
    case SchemaType::points:
      read_sphere_points(prim, scale, shape);
      return true;
    default:
      break;
  }
  report(Severity::warning, "physics-unknown-collider-geometry", prim,
         fmt::format("PhysicsCollisionAPI is applied to a prim of type '{}', which has no "
                     "geometry to collide with; it is left out.",
                     prim.type_name().view()));
  return false;
}

void Reader::read_mesh(const Prim& prim, const Vector3f& scale, std::uint16_t apis, Shape& shape) {
  MeshShape mesh;
  if ((apis & kMeshCollisionApi) != 0) {
    mesh.approximation = read_token(prim, names_.approximation, "none");
  }
  mesh.mesh_scale = scale;
  mesh.double_sided = read(prim, names_.double_sided, false);
  const layer::Value points = value_of(prim, names_.points, kVectors);
  const layer::Value counts = value_of(prim, names_.face_vertex_counts, kIntegers);
  const layer::Value indices = value_of(prim, names_.face_vertex_indices, kIntegers);
  const layer::Value holes = value_of(prim, names_.hole_indices, kIntegers);
  if (points.is_array() && counts.is_array() && indices.is_array()) {
    auto geometry = std::make_shared<MeshGeometry>();
    geometry->points = points.as_array<Vector3f>();
    geometry->face_counts = counts.as_array<std::int32_t>();
    geometry->face_indices = indices.as_array<std::int32_t>();
    geometry->hole_faces = holes.as_array<std::int32_t>();
    geometry->left_handed = read_token(prim, names_.orientation, "rightHanded") == "leftHanded";
    const stage::Attribute scheme = prim.attribute(names_.subdivision_scheme.token);
    geometry->subdivided = scheme && scheme.get_text().value_or("none") != "none";
    geometry->owners = {points.buffer(), counts.buffer(), indices.buffer(), holes.buffer()};
    mesh.geometry = std::move(geometry);
  }
  shape.geometry = std::move(mesh);
}

// The widths of a Points prim, one per point if the file is right.
std::vector<float> Reader::read_widths(const Prim& prim) {
  const bool is_primvar = has_value(prim, names_.primvars_widths);
  const layer::Value value =
      value_of(prim, is_primvar ? names_.primvars_widths : names_.widths, kFloats);
  const std::span<const float> widths = value.as_array<float>();
  if (!is_primvar || !has_value(prim, names_.primvars_widths_indices)) {
    return {widths.begin(), widths.end()};
  }
  const layer::Value indices = value_of(prim, names_.primvars_widths_indices, kIntegers);
  std::vector<float> result;
  for (const std::int32_t index : indices.as_array<std::int32_t>()) {
    const bool in_range = index >= 0 && static_cast<std::size_t>(index) < widths.size();
    if (!in_range) {
      report(Severity::warning, "physics-primvar-index", prim,
             fmt::format("Index {} of primvars:widths is out of range; the width is 0.", index));
    }
    result.push_back(in_range ? at(widths, index) : 0.0F);
  }
  return result;
}

void Reader::read_sphere_points(const Prim& prim, const Vector3f& scale, Shape& shape) {
  const layer::Value points_value = value_of(prim, names_.points, kVectors);
  const std::span<const Vector3f> points = points_value.as_array<Vector3f>();
  const std::vector<float> widths = read_widths(prim);
  SpherePointsShape spheres;
  if (widths.empty() || widths.size() != points.size()) {
    shape.is_valid = false;
    report(Severity::warning, "physics-sphere-points", prim,
           fmt::format("There are {} widths for {} points; the shape is not usable.", widths.size(),
                       points.size()));
  } else {
    const float factor = scale.cwiseAbs().maxCoeff();
    spheres.sphere_points.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vector3f scaled = scale.cwiseProduct(points[i]);
      spheres.sphere_points.push_back(
          {documented() ? scaled : points[i], scaled, factor * widths[i] / 2.0F});
    }
  }
  shape.geometry = std::move(spheres);
}

// The physics material that a prim shows in its list; empty if it has none.
Text Reader::listed_material(const Prim& prim, std::uint16_t apis,
                             const geom::MaterialBinding& binding) {
  const bool applied = (apis & kMaterialBindingApi) != 0;
  if (!applied && !documented()) return {};
  if (!applied && binding.bound && prim.has_property_in_namespace("material:binding")) {
    report(Severity::warning, "physics-material-binding-api", prim,
           "A material is bound, but MaterialBindingAPI is not applied.", "Apply it.");
  }
  return binding.material ? bound_material(binding.material).path : Text();
}

// Read once per material, so that what is wrong with it is reported once.
const Reader::BoundMaterial& Reader::bound_material(const Prim& material) {
  const auto [found, added] = bound_materials_.try_emplace(material);
  BoundMaterial& entry = found->second;
  if (added && (apis_.of(material) & kMaterialApi) != 0) {
    entry.path = texts_.make(material.path().view());
    entry.density = read(material, names_.density, 0.0F);
  }
  return entry;
}

void Reader::read_materials(const Prim& prim, const Context& context, std::uint16_t apis,
                            Shape& shape) {
  geom::MaterialBinding binding;
  if (context.binds_material) binding = bindings_.resolve(prim);
  if (binding.material) {
    const BoundMaterial& material = bound_material(binding.material);
    shape.bound_material_path = material.path;
    shape.bound_material_density = material.density;
  }
  if (MeshShape* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    for (Prim child = prim.first_child(); child; child = child.next_sibling()) {
      const bool subset = child.is_a(SchemaType::geom_subset) &&
                          child.matches(stage::Traversal::with_instance_proxies()) &&
                          read_token(child, names_.element_type, "face") == "face";
      if (!subset) continue;
      Text material = listed_material(child, apis_.of(child), bindings_.resolve(child));
      if (!material.empty()) shape.material_paths.push_back(material);
      mesh->subset_materials.push_back({child.path().str(), std::move(material)});
    }
  }
  Text own = listed_material(prim, apis, binding);
  // Documented rules: the last entry is the prim's own, empty if it has none.
  if (!own.empty() || documented()) shape.material_paths.push_back(std::move(own));
  shape.materials.assign(shape.material_paths.size(), kNone);
}

}  // namespace sinew::physics
