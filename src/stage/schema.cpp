// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/schema.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/edit_distance.hpp"
#include "stage/schema_names.hpp"

namespace sinew::stage {

namespace {

using T = SchemaType;

struct TypeInfo {
  std::string_view name;
  SchemaType type;
  SchemaType base;
  bool is_concrete = true;  ///< Whether prims can be of it.
};

constexpr bool kAbstract = false;

// Sorted by name for look-up.
constexpr TypeInfo kTypes[] = {
    {"Backdrop", T::backdrop, T::typed},
    {"BasisCurves", T::basis_curves, T::curves},
    {"BlendShape", T::blend_shape, T::typed},
    {"Boundable", T::boundable, T::xformable, kAbstract},
    {"BoundableLightBase", T::boundable_light_base, T::boundable, kAbstract},
    {"Camera", T::camera, T::xformable},
    {"Capsule", T::capsule, T::gprim},
    {"Capsule_1", T::capsule_1, T::gprim},
    {"Cone", T::cone, T::gprim},
    {"Cube", T::cube, T::gprim},
    {"Curves", T::curves, T::point_based, kAbstract},
    {"Cylinder", T::cylinder, T::gprim},
    {"CylinderLight", T::cylinder_light, T::boundable_light_base},
    {"Cylinder_1", T::cylinder_1, T::gprim},
    {"DiskLight", T::disk_light, T::boundable_light_base},
    {"DistantLight", T::distant_light, T::nonboundable_light_base},
    {"DomeLight", T::dome_light, T::nonboundable_light_base},
    {"DomeLight_1", T::dome_light_1, T::nonboundable_light_base},
    {"Field3DAsset", T::field_3d_asset, T::field_asset},
    {"FieldAsset", T::field_asset, T::volume_field_asset, kAbstract},
    {"FieldBase", T::field_base, T::volume_field_base, kAbstract},
    {"GenerativeProcedural", T::generative_procedural, T::boundable},
    {"GeomSubset", T::geom_subset, T::typed},
    {"GeometryLight", T::geometry_light, T::nonboundable_light_base},
    {"Gprim", T::gprim, T::boundable, kAbstract},
    {"HermiteCurves", T::hermite_curves, T::curves},
    {"Imageable", T::imageable, T::typed, kAbstract},
    {"LightFilter", T::light_filter, T::xformable},
    {"Material", T::material, T::node_graph},
    {"Mesh", T::mesh, T::point_based},
    {"NodeGraph", T::node_graph, T::typed},
    {"NonboundableLightBase", T::nonboundable_light_base, T::xformable, kAbstract},
    {"NurbsCurves", T::nurbs_curves, T::curves},
    {"NurbsPatch", T::nurbs_patch, T::point_based},
    {"OpenVDBAsset", T::open_vdb_asset, T::field_asset},
    {"ParticleField", T::particle_field, T::gprim},
    {"ParticleField3DGaussianSplat", T::particle_field_3d_gaussian_splat, T::particle_field},
    {"PhysicsCollisionGroup", T::physics_collision_group, T::typed},
    {"PhysicsDistanceJoint", T::physics_distance_joint, T::physics_joint},
    {"PhysicsFixedJoint", T::physics_fixed_joint, T::physics_joint},
    {"PhysicsJoint", T::physics_joint, T::imageable},
    {"PhysicsPrismaticJoint", T::physics_prismatic_joint, T::physics_joint},
    {"PhysicsRevoluteJoint", T::physics_revolute_joint, T::physics_joint},
    {"PhysicsScene", T::physics_scene, T::typed},
    {"PhysicsSphericalJoint", T::physics_spherical_joint, T::physics_joint},
    {"Plane", T::plane, T::gprim},
    {"PluginLight", T::plugin_light, T::xformable},
    {"PluginLightFilter", T::plugin_light_filter, T::light_filter},
    {"PointBased", T::point_based, T::gprim, kAbstract},
    {"PointInstancer", T::point_instancer, T::boundable},
    {"Points", T::points, T::point_based},
    {"PortalLight", T::portal_light, T::boundable_light_base},
    {"RectLight", T::rect_light, T::boundable_light_base},
    {"RenderPass", T::render_pass, T::typed},
    {"RenderProduct", T::render_product, T::render_settings_base},
    {"RenderSettings", T::render_settings, T::render_settings_base},
    {"RenderSettingsBase", T::render_settings_base, T::typed, kAbstract},
    {"RenderVar", T::render_var, T::typed},
    {"Scope", T::scope, T::imageable},
    {"Shader", T::shader, T::typed},
    {"SkelAnimation", T::skel_animation, T::typed},
    {"SkelRoot", T::skel_root, T::boundable},
    {"Skeleton", T::skeleton, T::boundable},
    {"SpatialAudio", T::spatial_audio, T::xformable},
    {"Sphere", T::sphere, T::gprim},
    {"SphereLight", T::sphere_light, T::boundable_light_base},
    {"TetMesh", T::tet_mesh, T::point_based},
    {"Typed", T::typed, T::unknown, kAbstract},
    {"Volume", T::volume, T::gprim},
    {"VolumeFieldAsset", T::volume_field_asset, T::field_base, kAbstract},
    {"VolumeFieldBase", T::volume_field_base, T::xformable, kAbstract},
    {"Xform", T::xform, T::xformable},
    {"Xformable", T::xformable, T::imageable, kAbstract},
};
static_assert(std::is_sorted(std::begin(kTypes), std::end(kTypes),
                             [](const TypeInfo& a, const TypeInfo& b) { return a.name < b.name; }));

constexpr std::size_t kTypeCount = static_cast<std::size_t>(T::backdrop) + 1;
static_assert(std::size(kTypes) + 1 == kTypeCount, "every type but unknown has a row");

// Row of kTypes for each SchemaType.
constexpr std::array<std::uint8_t, kTypeCount> kRows = [] {
  std::array<std::uint8_t, kTypeCount> rows{};
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    rows[static_cast<std::size_t>(kTypes[i].type)] = static_cast<std::uint8_t>(i);
  }
  return rows;
}();

// Of each type, a bit for each that it is or derives from.
constexpr std::size_t kWordBits = 64;
using TypeBits = std::array<std::uint64_t, kTypeCount / kWordBits + 1>;
constexpr std::array<TypeBits, kTypeCount> kBases = [] {
  std::array<TypeBits, kTypeCount> bases{};
  for (std::size_t i = 1; i < kTypeCount; ++i) {
    for (std::size_t at = i; at != 0; at = static_cast<std::size_t>(kTypes[kRows[at]].base)) {
      bases[i][at / kWordBits] |= std::uint64_t{1} << (at % kWordBits);
    }
  }
  return bases;
}();

// What is built into light plugins, and, from somewhere on, into lights and LightAPI.
constexpr std::string_view kOfPluginLights[] = {"NodeDefAPI", "LightAPI", "CollectionAPI:lightLink",
                                                "CollectionAPI:shadowLink"};
constexpr std::span kOfLights = std::span(kOfPluginLights).subspan(1);
constexpr std::string_view kOfPluginFilters[] = {"NodeDefAPI", "CollectionAPI:filterLink"};
constexpr std::string_view kOfCollisionGroups[] = {"CollectionAPI:colliders"};
constexpr std::string_view kOfRenderPasses[] = {"CollectionAPI:renderVisibility",
                                                "CollectionAPI:prune"};

constexpr std::string_view kApis[] = {
    "AssetPreviewsAPI",
    "ClipsAPI",
    "CollectionAPI",
    "ColorSpaceAPI",
    "ColorSpaceDefinitionAPI",
    "ConnectableAPI",
    "CoordSysAPI",
    "GeomModelAPI",
    "LightAPI",
    "LightListAPI",
    "ListAPI",
    "MaterialBindingAPI",
    "MeshLightAPI",
    "ModelAPI",
    "MotionAPI",
    "NodeDefAPI",
    "PhysicsArticulationRootAPI",
    "PhysicsCollisionAPI",
    "PhysicsDriveAPI",
    "PhysicsFilteredPairsAPI",
    "PhysicsLimitAPI",
    "PhysicsMassAPI",
    "PhysicsMaterialAPI",
    "PhysicsMeshCollisionAPI",
    "PhysicsRigidBodyAPI",
    "PrimvarsAPI",
    "SceneGraphPrimAPI",
    "ShadowAPI",
    "ShapingAPI",
    "SkelBindingAPI",
    "VisibilityAPI",
    "VolumeLightAPI",
    "XformCommonAPI",
};
static_assert(std::is_sorted(std::begin(kApis), std::end(kApis)));

}  // namespace

SchemaType find_schema_type(std::string_view name) noexcept {
  const auto* found =
      std::lower_bound(std::begin(kTypes), std::end(kTypes), name,
                       [](const TypeInfo& info, std::string_view n) { return info.name < n; });
  return found != std::end(kTypes) && found->name == name ? found->type : SchemaType::unknown;
}

bool derives_from(SchemaType type, SchemaType base) noexcept {
  const auto bit = static_cast<std::size_t>(base);
  return (kBases[static_cast<std::size_t>(type)][bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
}

bool is_concrete(SchemaType type) noexcept {
  return type != SchemaType::unknown && kTypes[kRows[static_cast<std::size_t>(type)]].is_concrete;
}

std::string_view to_string(SchemaType type) noexcept {
  if (type == SchemaType::unknown) return {};
  return kTypes[kRows[static_cast<std::size_t>(type)]].name;
}

std::span<const std::string_view> built_in_api_schemas(SchemaType type) noexcept {
  switch (type) {
    case T::physics_collision_group:
      return kOfCollisionGroups;
    case T::shader:
      return std::span(kOfPluginFilters).first(1);
    case T::plugin_light:
      return kOfPluginLights;
    case T::light_filter:
      return std::span(kOfPluginFilters).subspan(1);
    case T::plugin_light_filter:
      return kOfPluginFilters;
    case T::render_pass:
      return kOfRenderPasses;
    default:
      return derives_from(type, T::boundable_light_base) ||
                     derives_from(type, T::nonboundable_light_base)
                 ? kOfLights
                 : std::span<const std::string_view>();
  }
}

std::span<const std::string_view> built_in_api_schemas(std::string_view api) noexcept {
  if (api == "LightAPI") return kOfLights.subspan(1);
  if (api == "MeshLightAPI" || api == "VolumeLightAPI") return kOfLights;
  return {};
}

bool is_known_api_schema(std::string_view name) noexcept {
  return std::binary_search(std::begin(kApis), std::end(kApis), name.substr(0, name.find(':')));
}

void SimilarName::offer(std::string_view known) noexcept {
  const std::size_t shorter = std::min(name_.size(), known.size());
  if (std::max(name_.size(), known.size()) - shorter > 1) return;
  const bool is_same = shorter == name_.size() && shorter == known.size() &&
                       std::equal(name_.begin(), name_.end(), known.begin(),
                                  [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  const std::size_t limit = shorter < 5 ? 0 : shorter < 8 ? 1 : 2;
  const std::size_t distance = is_same ? 0 : edit_distance(name_, known, limit);
  if (distance >= distance_ || (distance > limit)) return;
  distance_ = distance;
  closest_ = known;
}

std::string_view similar_type(std::string_view name) noexcept {
  SimilarName similar(name);
  for (const TypeInfo& info : kTypes) {
    if (info.is_concrete) similar.offer(info.name);
  }
  return similar.closest();
}

std::string_view similar_api_schema(std::string_view name) noexcept {
  constexpr std::string_view kEnd = "API";  // As all of them have it, it makes none similar.
  if (!name.ends_with(kEnd)) return {};
  SimilarName similar(name.substr(0, name.size() - kEnd.size()));
  for (const std::string_view api : kApis) similar.offer(api.substr(0, api.size() - kEnd.size()));
  const std::string_view closest = similar.closest();
  for (const std::string_view api : kApis) {
    if (!closest.empty() && api.data() == closest.data()) return api;
  }
  return {};
}

bool is_multiple_apply(std::string_view api_schema) noexcept {
  constexpr std::string_view kMultiple[] = {"CollectionAPI", "ColorSpaceDefinitionAPI",
                                            "CoordSysAPI", "PhysicsDriveAPI", "PhysicsLimitAPI"};
  return std::find(std::begin(kMultiple), std::end(kMultiple), api_schema) != std::end(kMultiple);
}

}  // namespace sinew::stage
