// SPDX-License-Identifier: Apache-2.0
// Which properties schemas have, by kind.
#include <algorithm>
#include <deque>
#include <iterator>

#include "sinew/stage/schema.hpp"
#include "stage/schema_names.hpp"

namespace sinew::stage {

namespace {

using Type = SchemaType;

// Names are separated by blanks; '*' stands for the instance of an API schema that has some.
struct TypeProperties {
  SchemaType type;
  std::string_view names;
};

struct ApiProperties {
  std::string_view api;
  std::string_view names;
};

constexpr TypeProperties kTypeRelationships[] = {
    {Type::dome_light, "portals"},
    {Type::dome_light_1, "portals"},
    {Type::geometry_light, "geometry"},
    {Type::imageable, "proxyPrim"},
    {Type::physics_collision_group, "physics:filteredGroups"},
    {Type::physics_joint, "physics:body0 physics:body1"},
    {Type::point_instancer, "prototypes"},
    {Type::render_pass, "inputPasses renderSource"},
    {Type::render_product, "orderedVars"},
    {Type::render_settings, "products"},
    {Type::render_settings_base, "camera"},
};

constexpr ApiProperties kApiRelationships[] = {
    {"CollectionAPI", "collection:*:includes collection:*:excludes"},
    {"CoordSysAPI", "coordSys:*:binding"},
    {"LightAPI", "light:filters"},
    {"LightListAPI", "lightList"},
    {"ListAPI", "lightList"},
    {"PhysicsCollisionAPI", "physics:simulationOwner"},
    {"PhysicsFilteredPairsAPI", "physics:filteredPairs"},
    {"PhysicsRigidBodyAPI", "physics:simulationOwner"},
    {"SkelBindingAPI", "skel:animationSource skel:blendShapeTargets skel:skeleton"},
};

constexpr TypeProperties kTypeAttributes[] = {
    {Type::backdrop, "ui:description"},
    {Type::basis_curves, "basis type wrap"},
    {Type::blend_shape, "normalOffsets offsets pointIndices"},
    {Type::boundable, "extent"},
    {Type::camera,
     "clippingPlanes clippingRange exposure fStop focalLength focusDistance "
     "horizontalAperture horizontalApertureOffset projection shutter:close shutter:open "
     "stereoRole verticalAperture verticalApertureOffset"},
    {Type::capsule, "axis height radius"},
    {Type::capsule_1, "axis height radiusBottom radiusTop"},
    {Type::cone, "axis height radius"},
    {Type::cube, "size"},
    {Type::curves, "curveVertexCounts widths"},
    {Type::cylinder, "axis height radius"},
    {Type::cylinder_1, "axis height radiusBottom radiusTop"},
    {Type::cylinder_light, "inputs:length inputs:radius light:shaderId treatAsLine"},
    {Type::disk_light, "inputs:radius light:shaderId"},
    {Type::distant_light, "inputs:angle inputs:intensity light:shaderId"},
    {Type::dome_light, "guideRadius inputs:texture:file inputs:texture:format light:shaderId"},
    {Type::dome_light_1,
     "guideRadius inputs:texture:file inputs:texture:format light:shaderId poleAxis"},
    {Type::field_3d_asset, "fieldPurpose"},
    {Type::field_asset, "fieldDataType fieldIndex fieldName filePath vectorDataRoleHint"},
    {Type::generative_procedural, "proceduralSystem"},
    {Type::geom_subset, "elementType familyName indices"},
    {Type::geometry_light, "light:shaderId"},
    {Type::gprim, "doubleSided orientation primvars:displayColor primvars:displayOpacity"},
    {Type::hermite_curves, "tangents"},
    {Type::imageable, "purpose visibility"},
    {Type::light_filter, "lightFilter:shaderId"},
    {Type::material, "outputs:displacement outputs:surface outputs:volume"},
    {Type::mesh,
     "cornerIndices cornerSharpnesses creaseIndices creaseLengths creaseSharpnesses "
     "faceVaryingLinearInterpolation faceVertexCounts faceVertexIndices holeIndices "
     "interpolateBoundary subdivisionScheme triangleSubdivisionRule"},
    {Type::nurbs_curves, "knots order pointWeights ranges"},
    {Type::nurbs_patch,
     "pointWeights trimCurve:counts trimCurve:knots trimCurve:orders trimCurve:points "
     "trimCurve:ranges trimCurve:vertexCounts uForm uKnots uOrder uRange uVertexCount vForm "
     "vKnots vOrder vRange vVertexCount"},
    {Type::open_vdb_asset, "fieldClass"},
    {Type::physics_collision_group, "physics:invertFilteredGroups physics:mergeGroup"},
    {Type::physics_distance_joint, "physics:maxDistance physics:minDistance"},
    {Type::physics_joint,
     "physics:breakForce physics:breakTorque physics:collisionEnabled "
     "physics:excludeFromArticulation physics:jointEnabled physics:localPos0 "
     "physics:localPos1 physics:localRot0 physics:localRot1"},
    {Type::physics_prismatic_joint, "physics:axis physics:lowerLimit physics:upperLimit"},
    {Type::physics_revolute_joint, "physics:axis physics:lowerLimit physics:upperLimit"},
    {Type::physics_scene, "physics:gravityDirection physics:gravityMagnitude"},
    {Type::physics_spherical_joint, "physics:axis physics:coneAngle0Limit physics:coneAngle1Limit"},
    {Type::plane, "axis length width"},
    {Type::point_based, "accelerations normals points velocities"},
    {Type::point_instancer,
     "accelerations angularVelocities ids invisibleIds orientations orientationsf positions "
     "protoIndices scales velocities"},
    {Type::points, "ids widths"},
    {Type::portal_light, "inputs:height inputs:width light:shaderId"},
    {Type::rect_light, "inputs:height inputs:texture:file inputs:width light:shaderId"},
    {Type::render_pass, "command denoise:enable fileName passType"},
    {Type::render_product, "productName productType"},
    {Type::render_settings, "includedPurposes materialBindingPurposes renderingColorSpace"},
    {Type::render_settings_base,
     "aspectRatioConformPolicy dataWindowNDC disableDepthOfField disableMotionBlur "
     "instantaneousShutter pixelAspectRatio resolution"},
    {Type::render_var, "dataType sourceName sourceType"},
    {Type::skel_animation, "blendShapeWeights blendShapes joints rotations scales translations"},
    {Type::skeleton, "bindTransforms jointNames joints restTransforms"},
    {Type::spatial_audio, "auralMode endTime filePath gain mediaOffset playbackMode startTime"},
    {Type::sphere, "radius"},
    {Type::sphere_light, "inputs:radius light:shaderId treatAsPoint"},
    {Type::tet_mesh, "surfaceFaceVertexIndices tetVertexIndices"},
    {Type::xformable, "xformOpOrder"},
};

constexpr ApiProperties kApiAttributes[] = {
    {"CollectionAPI",
     "collection:* collection:*:expansionRule collection:*:includeRoot "
     "collection:*:membershipExpression collection:*:mode"},
    {"GeomModelAPI",
     "model:applyDrawMode model:cardGeometry model:cardTextureXNeg model:cardTextureXPos "
     "model:cardTextureYNeg model:cardTextureYPos model:cardTextureZNeg "
     "model:cardTextureZPos model:drawMode model:drawModeColor"},
    {"LightAPI",
     "inputs:color inputs:colorTemperature inputs:diffuse inputs:enableColorTemperature "
     "inputs:exposure inputs:intensity inputs:normalize inputs:specular "
     "light:materialSyncMode light:shaderId"},
    {"LightListAPI", "lightList:cacheBehavior"},
    {"ListAPI", "lightList:cacheBehavior"},
    {"MotionAPI", "motion:blurScale motion:nonlinearSampleCount motion:velocityScale"},
    {"NodeDefAPI", "info:id info:implementationSource"},
    {"NodeGraphNodeAPI",
     "ui:nodegraph:node:displayColor ui:nodegraph:node:expansionState ui:nodegraph:node:icon "
     "ui:nodegraph:node:pos ui:nodegraph:node:size ui:nodegraph:node:stackingOrder"},
    {"PhysicsCollisionAPI", "physics:collisionEnabled"},
    {"PhysicsDriveAPI",
     "drive:*:physics:damping drive:*:physics:maxForce drive:*:physics:stiffness "
     "drive:*:physics:targetPosition drive:*:physics:targetVelocity drive:*:physics:type"},
    {"PhysicsLimitAPI", "limit:*:physics:high limit:*:physics:low"},
    {"PhysicsMassAPI",
     "physics:centerOfMass physics:density physics:diagonalInertia physics:mass "
     "physics:principalAxes"},
    {"PhysicsMaterialAPI",
     "physics:density physics:dynamicFriction physics:restitution physics:staticFriction"},
    {"PhysicsMeshCollisionAPI", "physics:approximation"},
    {"PhysicsRigidBodyAPI",
     "physics:angularVelocity physics:kinematicEnabled physics:rigidBodyEnabled "
     "physics:startsAsleep physics:velocity"},
    {"SceneGraphPrimAPI", "ui:displayGroup ui:displayName"},
    {"ShadowAPI",
     "inputs:shadow:color inputs:shadow:distance inputs:shadow:enable inputs:shadow:falloff "
     "inputs:shadow:falloffGamma"},
    {"ShapingAPI",
     "inputs:shaping:cone:angle inputs:shaping:cone:softness inputs:shaping:focus "
     "inputs:shaping:focusTint inputs:shaping:ies:angleScale inputs:shaping:ies:file "
     "inputs:shaping:ies:normalize"},
    {"SkelBindingAPI",
     "primvars:skel:geomBindTransform primvars:skel:jointIndices primvars:skel:jointWeights "
     "primvars:skel:skinningMethod skel:blendShapes skel:joints"},
    {"VisibilityAPI", "guideVisibility proxyVisibility renderVisibility"},
};

bool is_property(std::string_view name, std::string_view instance, std::string_view property) {
  const std::size_t star = name.find('*');
  if (star == std::string_view::npos) return name == property;
  const std::string_view before = name.substr(0, star);
  const std::string_view after = name.substr(star + 1);
  return property.size() == before.size() + instance.size() + after.size() &&
         property.starts_with(before) && property.ends_with(after) &&
         property.substr(before.size(), instance.size()) == instance;
}

bool has_name(std::string_view names, std::string_view instance, std::string_view property) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (is_property(names.substr(0, end), instance, property)) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// Whether a type, or an API schema that is applied or built in, has a property by these tables.
bool has_property(std::span<const TypeProperties> of_types, std::span<const ApiProperties> of_apis,
                  SchemaType type, std::span<const Token> apis, std::string_view property) {
  for (const TypeProperties& row : of_types) {
    if (derives_from(type, row.type) && has_name(row.names, {}, property)) return true;
  }
  const auto has_it = [&](std::string_view api) {
    const std::size_t colon = std::min(api.find(':'), api.size());
    const std::string_view instance = api.substr(std::min(colon + 1, api.size()));
    return std::any_of(of_apis.begin(), of_apis.end(), [&](const ApiProperties& row) {
      return row.api == api.substr(0, colon) && has_name(row.names, instance, property);
    });
  };
  const auto any_has_it = [&](std::span<const std::string_view> all) {
    return std::any_of(all.begin(), all.end(), has_it);
  };
  if (any_has_it(built_in_api_schemas(type))) return true;
  return std::any_of(apis.begin(), apis.end(), [&](Token api) {
    return has_it(api.view()) || any_has_it(built_in_api_schemas(api.view()));
  });
}

// Calls a function with each name in a list.
template <typename Function>
void for_each_name(std::string_view names, const Function& function) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    function(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

template <typename Function>
void for_each_type_row(const Function& function) {
  for (const TypeProperties& row : kTypeRelationships) function(row);
  for (const TypeProperties& row : kTypeAttributes) function(row);
}

template <typename Function>
void for_each_api_row(const Function& function) {
  for (const ApiProperties& row : kApiRelationships) function(row);
  for (const ApiProperties& row : kApiAttributes) function(row);
}

// The second element of a name, where properties of schemas have their instance: "drive:rotX:...".
std::string_view instance_in(std::string_view property) {
  const std::size_t begin = std::min(property.find(':'), property.size() - 1) + 1;
  return property.substr(begin, std::min(property.find(':', begin), property.size()) - begin);
}

std::string with_instance(std::string_view name, std::string_view instance) {
  const std::size_t star = name.find('*');
  if (star == std::string_view::npos) return std::string(name);
  return std::string(name.substr(0, star)).append(instance).append(name.substr(star + 1));
}

bool is_of_physics(std::string_view property) {
  return property.starts_with("physics:") || property.starts_with("drive:") ||
         property.starts_with("limit:");
}

}  // namespace

KnownProperties::KnownProperties(SchemaType type, std::span<const Token> api_schemas)
    : type_(type) {
  const auto apply = [this](std::string_view api) {
    applied_.emplace(api);
    schemas_.emplace(api.substr(0, api.find(':')));
  };
  for (const std::string_view api : built_in_api_schemas(type)) apply(api);
  for (const Token api : api_schemas) {
    apply(api.view());
    for (const std::string_view included : built_in_api_schemas(api.view())) apply(included);
  }
}

bool KnownProperties::has(std::string_view property) const {
  bool found = false;
  for_each_type_row([&](const TypeProperties& row) {
    found = found || (derives_from(type_, row.type) && has_name(row.names, {}, property));
  });
  const std::string_view instance = instance_in(property);
  for_each_api_row([&](const ApiProperties& row) {
    if (found || !schemas_.contains(row.api)) return;
    for_each_name(row.names, [&](std::string_view name) {
      if (!is_property(name, instance, property)) return;
      found = found || name.find('*') == std::string_view::npos ||
              applied_.contains(std::string(row.api).append(":").append(instance));
    });
  });
  return found;
}

std::string KnownProperties::similar(std::string_view property) const {
  SimilarName similar(property);
  std::deque<std::string> with_instances;  // What is offered must last.
  const std::string_view instance = instance_in(property);
  const auto offer = [&](std::string_view names) {
    for_each_name(names, [&](std::string_view name) {
      if (name.ends_with('*')) return;
      const bool has_instance = name.find('*') != std::string_view::npos;
      similar.offer(has_instance ? with_instances.emplace_back(with_instance(name, instance))
                                 : name);
    });
  };
  for_each_type_row([&](const TypeProperties& row) {
    if (derives_from(type_, row.type)) offer(row.names);
  });
  for_each_api_row([&](const ApiProperties& row) {
    const bool would_be = is_of_physics(property) && row.api.starts_with("Physics");
    if (would_be || schemas_.contains(row.api)) offer(row.names);
  });
  return std::string(similar.closest());
}

bool is_like_a_property(std::string_view name) {
  bool found = false;
  const std::string_view instance = instance_in(name);
  const auto look = [&](const auto& row) {
    for_each_name(row.names, [&](std::string_view known) {
      if (found || known.ends_with('*')) return;
      SimilarName similar(name);
      if (known.find('*') == std::string_view::npos) {
        similar.offer(known);
        found = !similar.closest().empty();
      } else if (!instance.empty()) {
        const std::string whole = with_instance(known, instance);
        similar.offer(whole);
        found = !similar.closest().empty();
      }
    });
  };
  for_each_type_row(look);
  for_each_api_row(look);
  return found;
}

std::vector<std::string> api_schemas_that_have(std::string_view property) {
  std::vector<std::string> result;
  if (!is_of_physics(property) && !property.starts_with("collection:")) return result;
  const std::string_view instance = instance_in(property);
  for_each_api_row([&](const ApiProperties& row) {
    for_each_name(row.names, [&](std::string_view name) {
      if (name.ends_with('*') || !is_property(name, instance, property)) return;
      result.emplace_back(row.api);
      if (name.find('*') != std::string_view::npos) result.back().append(":").append(instance);
    });
  });
  return result;
}

bool is_schema_relationship(SchemaType type, std::span<const Token> api_schemas,
                            std::string_view property) noexcept {
  return has_property(kTypeRelationships, kApiRelationships, type, api_schemas, property);
}

bool is_schema_attribute(SchemaType type, std::span<const Token> api_schemas,
                         std::string_view property) noexcept {
  return has_property(kTypeAttributes, kApiAttributes, type, api_schemas, property);
}

}  // namespace sinew::stage
