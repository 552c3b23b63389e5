// SPDX-License-Identifier: Apache-2.0
// Colliders: geometry, pose and materials.

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "core/format_text.hpp"
#include "geom/shared/gather.hpp"
#include "geom/shared/shape_attributes.hpp"
#include "geom/shared/subset_children.hpp"
#include "physics/read/apple.hpp"
#include "physics/read/reader.hpp"
#include "physics/read/scale.hpp"
#include "physics/shared/indexed.hpp"
#include "physics/shared/under_scale.hpp"
#include "sinew/geom/mesh.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

constexpr float kInitialDensity = -1.0F;  // Of the descriptor of a material.

// What the smallest block of memory holds anyway.
constexpr std::size_t kFewShapes = 6;

constexpr std::string_view kFace = "face";

bool is_apple_plane(const Prim& prim, std::uint16_t apis) {
  return (apis & kAppleCollider) != 0 && prim.type_name().view() == apple::kPlane;
}

// The axis along which a shape only becomes longer, whatever its scale across.
std::optional<Axis> spine_of(const Geometry& geometry) {
  return std::visit(
      []([[maybe_unused]] const auto& solid) -> std::optional<Axis> {
        if constexpr (requires { solid.axis; }) {
          return solid.axis;
        } else {
          return std::nullopt;
        }
      },
      geometry);
}

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
    if (is_apple_plane(prim, apis)) place_apple_plane(prim, shape);
    if (documented()) check_scale(prim, context.world, shape);
  }
  return {index, context.reported};
}

// Documented rules: a scale that the geometry cannot follow is worth a warning, and so is skew.
void Reader::check_scale(const Prim& prim, const Matrix4d& world, const Shape& shape) {
  if (std::holds_alternative<PlaneShape>(shape.geometry) ||
      std::holds_alternative<CustomShape>(shape.geometry)) {
    return;
  }
  if (is_skewed(world.block<3, 3>(0, 0))) {
    report(Severity::warning, "physics-skewed-collider", prim,
           "Its world transform skews the shape, which no collider can follow; its scale alone is "
           "used.",
           "Scale uniformly above rotated prims.");
  }
  const bool is_free = std::holds_alternative<CubeShape>(shape.geometry) ||
                       std::holds_alternative<MeshShape>(shape.geometry);
  const Vector3d scale = last_world_.of(world).scale;
  if (is_free || is_uniform(scale)) return;
  const std::optional<Axis> spine = spine_of(shape.geometry);
  if (spine && is_uniform_across(scale, *spine)) return;
  report(
      Severity::warning, "physics-nonuniform-scale", prim,
      format_text("A shape of this type cannot follow a scale of ({}, {}, {}); the largest factor "
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

// Answers what geom asks about the attributes of a shape, as those of colliders are read. What no
// collider has a use for is not looked at.
class Reader::GprimAttributes {
 public:
  GprimAttributes(Reader& reader, const Prim& prim) : reader_(reader), prim_(prim) {}

  double number(geom::ShapeAttribute attribute, double fallback) {
    const Name* const name = name_of(attribute);
    return name != nullptr ? reader_.read(prim_, *name, fallback) : fallback;
  }
  bool flag(geom::ShapeAttribute, bool fallback) { return fallback; }
  Axis axis(Axis fallback) { return reader_.read_axis(prim_, reader_.names_.axis, fallback); }

 private:
  const Name* name_of(geom::ShapeAttribute attribute) const {
    const Names& names = reader_.names_;
    switch (attribute) {
      case geom::ShapeAttribute::height:
        return &names.height;
      case geom::ShapeAttribute::radius:
        return &names.radius;
      case geom::ShapeAttribute::radius_bottom:
        return &names.radius_bottom;
      case geom::ShapeAttribute::radius_top:
        return &names.radius_top;
      case geom::ShapeAttribute::size:
        return &names.size;
      default:
        return nullptr;
    }
  }

  Reader& reader_;
  const Prim& prim_;
};

bool Reader::read_geometry(const Prim& prim, const Vector3f& scale, std::uint16_t apis,
                           Shape& shape) {
  if (const std::string_view token = custom_token(prim); !token.empty()) {
    shape.geometry = CustomShape{token};
    return true;
  }
  const SchemaType type = prim.schema_type();
  if (read_gprim(prim, scale, shape.geometry)) return true;
  // No known type derives from any of these.
  switch (type) {
    case SchemaType::mesh:
      read_mesh(prim, scale, apis, shape);
      return true;
    case SchemaType::points:
      read_sphere_points(prim, scale, shape);
      return true;
    default:
      break;
  }
  if (is_apple_plane(prim, apis)) {
    shape.geometry = PlaneShape{Axis::z};
    return true;
  }
  report(Severity::warning, "physics-unknown-collider-geometry", prim,
         format_text("PhysicsCollisionAPI is applied to a prim of type '{}', which has no "
                     "geometry to collide with; it is left out.",
                     prim.type_name().view()));
  return false;
}

// Whether a prim is of a type with a size.
bool Reader::read_gprim(const Prim& prim, const Vector3f& scale, Geometry& geometry) {
  const SchemaType type = prim.schema_type();
  const auto gprim = geom::shape_of(type, GprimAttributes(*this, prim));
  if (!gprim) return false;
  const bool tapered = type == SchemaType::capsule_1 || type == SchemaType::cylinder_1;
  geometry = std::visit(UnderScale(scale, tapered), *gprim);
  return true;
}

void Reader::add_site(const Prim& prim, const Context& context, const Placement& placement) {
  Site& site = model_.sites.emplace_back();
  site.path = texts_.make(path_);
  site.body = context.body;
  site.local_pose = placement.local.pose;
  read_gprim(prim, placement.world.scale, site.geometry);
}

void Reader::read_mesh(const Prim& prim, const Vector3f& scale, std::uint16_t apis, Shape& shape) {
  MeshShape mesh;
  if ((apis & kMeshCollisionApi) != 0) {
    mesh.approximation = read_token(prim, names_.approximation, "none");
  } else if ((apis & kAppleCollider) != 0) {
    mesh.approximation = "boundingCube";
  }
  mesh.mesh_scale = scale;
  mesh.double_sided = read(prim, names_.double_sided, false);
  const layer::Value points = read_array<Vector3f>(prim, names_.points);
  const layer::Value counts = read_array<std::int32_t>(prim, names_.face_vertex_counts);
  const layer::Value indices = read_array<std::int32_t>(prim, names_.face_vertex_indices);
  const layer::Value holes = read_array<std::int32_t>(prim, names_.hole_indices);
  if (points.is_array() && counts.is_array() && indices.is_array()) {
    auto geometry = std::make_shared<geom::Mesh>();
    geometry->points = points.as_array<Vector3f>();
    geometry->face_counts = counts.as_array<std::int32_t>();
    geometry->face_indices = indices.as_array<std::int32_t>();
    geometry->hole_faces = holes.as_array<std::int32_t>();
    geometry->double_sided = mesh.double_sided;
    geometry->left_handed = read_token(prim, names_.orientation, "rightHanded") == "leftHanded";
    read_subdivision(prim, *geometry);
    geometry->owners = {points.buffer(), counts.buffer(), indices.buffer(), holes.buffer()};
    mesh.geometry = std::move(geometry);
  }
  shape.geometry = std::move(mesh);
}

void Reader::read_subdivision(const Prim& prim, geom::Mesh& mesh) {
  layer::Value made;
  const std::optional<std::string_view> scheme = read_text(prim, names_.subdivision_scheme, made);
  mesh.subdivision_authored = scheme.has_value();
  mesh.subdivision = geom::parse_subdivision_scheme(scheme.value_or(std::string_view()))
                         .value_or(geom::SubdivisionScheme::catmull_clark);
}

// The widths of a Points prim, an array of float; one per point if the file is right. A primvar
// counts that has a value at any time, also where it has none at the default time.
layer::Value Reader::read_widths(const Prim& prim, std::size_t point_count) {
  const auto is_authored = [&](const Name& name) {
    const stage::Attribute attribute = prim.attribute(name.view());
    return attribute && attribute.has_authored_value();
  };
  if (!is_authored(names_.primvars_widths)) return read_array<float>(prim, names_.widths);
  layer::Value widths = read_array<float>(prim, names_.primvars_widths);
  if (!widths.is_array() || !is_authored(names_.primvars_widths_indices)) return widths;
  const layer::Value indices_value = read_array<std::int32_t>(prim, names_.primvars_widths_indices);
  // Nothing can be chosen from no widths.
  if (!indices_value.is_array() || widths.size() == 0) return {};
  const auto indices = indices_value.as_array<std::int32_t>();
  // An index chooses as many widths as make one element.
  const stage::Attribute primvar = prim.attribute(names_.primvars_widths.view());
  const std::int32_t authored_size =
      primvar.metadata("elementSize").get<std::int32_t>().value_or(1);
  if (authored_size < 1) return {};
  const auto size = static_cast<std::size_t>(authored_size);
  // Few indices can name many widths: more than there are points are of no use.
  if (size > 1 && indices.size() > point_count / size) return {};
  for (const std::size_t place : geom::out_of_range(indices, widths.size() / size)) {
    report(Severity::warning, "physics-primvar-index", prim,
           format_text("Index {} of primvars:widths is out of range; the width is 0.",
                       indices[place]));
  }
  return geom::gather(widths, indices, size);
}

void Reader::read_sphere_points(const Prim& prim, const Vector3f& scale, Shape& shape) {
  const layer::Value points_value = read_array<Vector3f>(prim, names_.points);
  const std::span<const Vector3f> points = points_value.as_array<Vector3f>();
  const layer::Value widths_value = read_widths(prim, points.size());
  const std::span<const float> widths = widths_value.as_array<float>();
  SpherePointsShape spheres;
  if (widths.empty() || widths.size() != points.size()) {
    shape.is_valid = false;
    report(Severity::warning, "physics-sphere-points", prim,
           format_text("There are {} widths for {} points; the shape is not usable.", widths.size(),
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
    entry.density = read(material, names_.density, 0.0F, kInitialDensity);
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
  MeshShape* const mesh = std::get_if<MeshShape>(&shape.geometry);
  // OpenUSD does not look below a prim that is an instance, unless from below another one.
  const bool hides_subsets = !documented() && prim.is_instance() && !prim.is_instance_proxy();
  if (mesh != nullptr && !hides_subsets) {
    geom::for_each_subset(prim, [&](const Prim& child) {
      // Blocked, it is empty.
      const bool is_blocked =
          properties_.is_blocked(child, names_.element_type, stage::tokens_read(model_.rules));
      if (is_blocked || read_token(child, names_.element_type, kFace) != kFace) return;
      Text material = listed_material(child, apis_.of(child), bindings_.resolve(child));
      if (!material.empty()) shape.material_paths.push_back(material);
      mesh->subset_materials.push_back({child.path().str(), std::move(material)});
    });
  }
  Text own = listed_material(prim, apis, binding);
  // Documented rules: the last entry is the prim's own, empty if it has none.
  if (!own.empty() || documented()) shape.material_paths.push_back(std::move(own));
  shape.materials.assign(shape.material_paths.size(), kNone);
}

}  // namespace sinew::physics
