// SPDX-License-Identifier: Apache-2.0
// Colliders: geometry, pose and materials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/reader.hpp"
#include "physics/scale.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

// What the smallest block of memory holds anyway.
constexpr std::size_t kFewShapes = 6;

constexpr auto kVectors = stage::ValueTypes::array_of<Vector3f>();
constexpr auto kIntegers = stage::ValueTypes::array_of<std::int32_t>();
constexpr auto kFloats = stage::ValueTypes::array_of<float>();

// Sizes of shapes with a spine: the factor along it, and the larger of the other two.
struct SpineScale {
  float along;
  float across;
};

SpineScale spine_scale(const Vector3f& scale, Axis axis) noexcept {
  const int a = static_cast<int>(axis);
  return {scale[a], std::max(std::fabs(scale[(a + 1) % 3]), std::fabs(scale[(a + 2) % 3]))};
}

}  // namespace

std::int32_t Reader::add_shape(const Prim& prim, const Context& context, std::uint16_t apis,
                               const Placement& placement) {
  std::vector<Shape>& list = context.reported ? model_.shapes : model_.unreported_shapes;
  Shape& shape = list.emplace_back();
  shape.path = texts_.make(path_);
  shape.collision_enabled = read(prim, names_.collision_enabled, true);
  shape.simulation_owners = targets(prim, names_.simulation_owner);
  if ((apis & kFilteredPairsApi) != 0) {
    shape.filtered_collisions = targets(prim, names_.filtered_pairs);
  }
  if (!read_geometry(prim, placement.world.scale, apis, shape)) {
    list.pop_back();
    return kNone;
  }
  read_materials(prim, context, apis, shape);
  const bool has_body = context.body != kNone;
  if (shape.is_valid) {
    if (has_body) {
      RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(context.body)];
      shape.body = context.body;
      shape.rigid_body = body.path;
      if (context.reported) {
        if (body.shapes.empty()) body.shapes.reserve(kFewShapes);
        body.shapes.push_back(static_cast<std::int32_t>(list.size() - 1));
      }
    }
    shape.local_pos = placement.local.position;
    shape.local_rot = placement.local.rotation;
    shape.local_scale = placement.local.scale;
    if (documented()) check_scale(prim, parts_of(context.world, last_world_).scale, shape);
  }
  const auto index = static_cast<std::int32_t>(list.size() - 1);
  return context.reported ? index : -2 - index;
}

// Documented rules: a scale that the geometry cannot follow is worth a warning.
void Reader::check_scale(const Prim& prim, const Vector3d& scale, const Shape& shape) {
  const bool follows = std::holds_alternative<CubeShape>(shape.geometry) ||
                       std::holds_alternative<MeshShape>(shape.geometry) ||
                       std::holds_alternative<PlaneShape>(shape.geometry) ||
                       std::holds_alternative<CustomShape>(shape.geometry);
  if (follows || is_uniform(scale)) return;
  report(Severity::warning, "physics-nonuniform-scale", prim,
         fmt::format("a scale of ({}, {}, {}) makes no shape of this type; the largest factor is "
                     "used across",
                     static_cast<float>(scale.x()), static_cast<float>(scale.y()),
                     static_cast<float>(scale.z())),
         "scale uniformly, or use a mesh");
}

bool Reader::read_geometry(const Prim& prim, const Vector3f& scale, std::uint16_t apis,
                           Shape& shape) {
  for (const std::string& token : options_.shape_tokens) {
    const auto apis_of_prim = prim.authored_api_schemas();
    const bool applied = std::any_of(apis_of_prim.begin(), apis_of_prim.end(),
                                     [&](Token api) { return api.view() == token; });
    if (applied || prim.type_name().view() == token) {
      shape.geometry = CustomShape{token};
      return true;
    }
  }
  const float largest = scale.cwiseAbs().maxCoeff();
  const auto number = [&](const Name& name, double fallback) {
    return static_cast<float>(read(prim, name, fallback));
  };
  const auto axis = [&] { return read_axis(prim, names_.axis, Axis::z); };
  // The half height and the factor for radii of a shape with a spine.
  const auto spine = [&](Axis a, double height) {
    const SpineScale s = spine_scale(scale, a);
    return SpineScale{std::fabs(number(names_.height, height) / 2.0F * s.along), s.across};
  };
  const auto radius = [&](const Name& name, double fallback, float factor) {
    return std::fabs(number(name, fallback) * factor);
  };
  // No known type derives from any of these.
  switch (prim.schema_type()) {
    case SchemaType::mesh:
      read_mesh(prim, scale, apis, shape);
      return true;
    case SchemaType::cube:
      shape.geometry = CubeShape{scale * (std::fabs(number(names_.size, 2.0)) / 2.0F)};
      return true;
    case SchemaType::sphere:
      shape.geometry = SphereShape{radius(names_.radius, 1.0, largest)};
      return true;
    case SchemaType::capsule: {
      const Axis a = axis();
      const SpineScale s = spine(a, 1.0);
      shape.geometry = CapsuleShape{radius(names_.radius, 0.5, s.across), s.along, a};
      return true;
    }
    case SchemaType::capsule_1: {
      const Axis a = axis();
      const SpineScale s = spine(a, 1.0);
      shape.geometry = Capsule1Shape{radius(names_.radius_top, 0.5, s.across),
                                     radius(names_.radius_bottom, 0.5, s.across), s.along, a};
      return true;
    }
    case SchemaType::cylinder: {
      const Axis a = axis();
      const SpineScale s = spine(a, 2.0);
      shape.geometry = CylinderShape{radius(names_.radius, 1.0, s.across), s.along, a};
      return true;
    }
    case SchemaType::cylinder_1: {
      const Axis a = axis();
      const SpineScale s = spine(a, 2.0);
      shape.geometry = Cylinder1Shape{radius(names_.radius_top, 1.0, s.across),
                                      radius(names_.radius_bottom, 1.0, s.across), s.along, a};
      return true;
    }
    case SchemaType::cone: {
      const Axis a = axis();
      const SpineScale s = spine(a, 2.0);
      shape.geometry = ConeShape{radius(names_.radius, 1.0, s.across), s.along, a};
      return true;
    }
    case SchemaType::plane:
      shape.geometry = PlaneShape{axis()};
      return true;
    case SchemaType::points:
      read_sphere_points(prim, scale, shape);
      return true;
    default:
      break;
  }
  report(Severity::warning, "physics-unknown-collider-geometry", prim,
         fmt::format("PhysicsCollisionAPI is applied to a prim of type '{}', which has no "
                     "geometry to collide with; it is left out",
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

void Reader::read_sphere_points(const Prim& prim, const Vector3f& scale, Shape& shape) {
  const layer::Value points_value = value_of(prim, names_.points, kVectors);
  const std::span<const Vector3f> points = points_value.as_array<Vector3f>();
  std::vector<float> widths;
  if (has_value(prim, names_.primvars_widths)) {
    const layer::Value widths_value = value_of(prim, names_.primvars_widths, kFloats);
    const std::span<const float> values = widths_value.as_array<float>();
    if (has_value(prim, names_.primvars_widths_indices)) {
      const layer::Value indices_value = value_of(prim, names_.primvars_widths_indices, kIntegers);
      for (const std::int32_t index : indices_value.as_array<std::int32_t>()) {
        const bool in_range = index >= 0 && static_cast<std::size_t>(index) < values.size();
        if (!in_range) {
          report(Severity::warning, "physics-primvar-index", prim,
                 fmt::format("index {} of primvars:widths is out of range; the width is 0", index));
        }
        widths.push_back(in_range ? values[static_cast<std::size_t>(index)] : 0.0F);
      }
    } else {
      widths.assign(values.begin(), values.end());
    }
  } else {
    const layer::Value widths_value = value_of(prim, names_.widths, kFloats);
    const std::span<const float> values = widths_value.as_array<float>();
    widths.assign(values.begin(), values.end());
  }
  SpherePointsShape spheres;
  if (widths.empty() || widths.size() != points.size()) {
    shape.is_valid = false;
    report(Severity::warning, "physics-sphere-points", prim,
           fmt::format("there are {} widths for {} points; the shape is not usable", widths.size(),
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
           "a material is bound, but MaterialBindingAPI is not applied", "apply it");
  }
  return binding.material ? bound_material(binding.material).path : Text();
}

// Read once per material, so that what is wrong with it is reported once.
const Reader::BoundMaterial& Reader::bound_material(const Prim& material) {
  const auto [found, added] = bound_materials_.try_emplace(material);
  BoundMaterial& entry = found->second;
  if (added && (apis_of(material) & kMaterialApi) != 0) {
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
    shape.bound_material = material.path;
    shape.bound_material_density = material.density;
  }
  if (MeshShape* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    for (Prim child = prim.first_child(); child; child = child.next_sibling()) {
      const bool subset = child.is_a(SchemaType::geom_subset) &&
                          child.matches(stage::Traversal::with_instance_proxies()) &&
                          read_token(child, names_.element_type, "face") == "face";
      if (!subset) continue;
      Text material = listed_material(child, apis_of(child), bindings_.resolve(child));
      if (!material.empty()) shape.materials.push_back(material);
      mesh->subset_materials.push_back({child.path().str(), std::move(material)});
    }
  }
  Text own = listed_material(prim, apis, binding);
  // Documented rules: the last entry is the prim's own, empty if it has none.
  if (!own.empty() || documented()) shape.materials.push_back(std::move(own));
  shape.material_indices.assign(shape.materials.size(), kNone);
}

}  // namespace sinew::physics
