// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/core/token.hpp"

namespace sinew::stage {

/// Prim types that this library knows, abstract ones included. `unknown` is every other name, and
/// no name.
enum class SchemaType : std::uint8_t {
  unknown,
  typed,
  imageable,
  scope,
  xformable,
  xform,
  camera,
  spatial_audio,
  light_filter,
  plugin_light_filter,
  plugin_light,
  nonboundable_light_base,
  distant_light,
  geometry_light,
  dome_light,
  dome_light_1,
  volume_field_base,
  field_base,
  volume_field_asset,
  field_asset,
  field_3d_asset,
  open_vdb_asset,
  boundable,
  skel_root,
  skeleton,
  point_instancer,
  generative_procedural,
  boundable_light_base,
  disk_light,
  rect_light,
  sphere_light,
  cylinder_light,
  portal_light,
  gprim,
  cube,
  sphere,
  cylinder,
  cylinder_1,
  capsule,
  capsule_1,
  cone,
  plane,
  volume,
  point_based,
  mesh,
  tet_mesh,
  points,
  nurbs_patch,
  curves,
  basis_curves,
  nurbs_curves,
  hermite_curves,
  particle_field,
  particle_field_3d_gaussian_splat,
  physics_joint,
  physics_revolute_joint,
  physics_prismatic_joint,
  physics_spherical_joint,
  physics_distance_joint,
  physics_fixed_joint,
  geom_subset,
  skel_animation,
  blend_shape,
  node_graph,
  material,
  shader,
  physics_scene,
  physics_collision_group,
  render_settings_base,
  render_settings,
  render_product,
  render_var,
  render_pass,
  backdrop,
};

/// The type of that name ("Mesh"), or unknown. O(1).
SINEW_API SchemaType find_schema_type(std::string_view name) noexcept;

/// Whether `type` is `base` or derives from it. unknown derives from nothing. O(1).
SINEW_API bool derives_from(SchemaType type, SchemaType base) noexcept;

/// The name in .usda files, e.g. "Mesh"; empty for unknown.
SINEW_API std::string_view to_string(SchemaType type) noexcept;

/// Whether prims are of that very type, not only of types that derive from it ("Gprim"): false for
/// unknown. O(1).
SINEW_API bool is_concrete(SchemaType type) noexcept;

/// API schemas built into a type, e.g. "CollectionAPI:colliders" for PhysicsCollisionGroup.
SINEW_API std::span<const std::string_view> built_in_api_schemas(SchemaType type) noexcept;

/// API schemas built into another one, e.g. "LightAPI" and its collections into "MeshLightAPI".
SINEW_API std::span<const std::string_view> built_in_api_schemas(std::string_view api) noexcept;

/// Whether the library knows an API schema of that name (instance name after ':' ignored).
SINEW_API bool is_known_api_schema(std::string_view name) noexcept;

/// Whether a property is a relationship by schema: that of a type, or of an API schema, applied or
/// built in ("CollectionAPI:hands" has "collection:hands:includes").
SINEW_API bool is_schema_relationship(SchemaType type, std::span<const Token> api_schemas,
                                      std::string_view property) noexcept;

/// Whether a property is an attribute by schema, likewise.
SINEW_API bool is_schema_attribute(SchemaType type, std::span<const Token> api_schemas,
                                   std::string_view property) noexcept;

}  // namespace sinew::stage
