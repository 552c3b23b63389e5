// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/schemas.hpp"

#include <algorithm>
#include <iterator>

namespace sinew::physics {

namespace {

using layer::Variability;
using stage::SchemaType;

constexpr SchemaProperty kScene[] = {
    {"physics:gravityDirection", "vector3f", "(0, 0, 0)", Variability::varying},
    {"physics:gravityMagnitude", "float", "-inf", Variability::varying},
};
constexpr SchemaProperty kCollisionGroup[] = {
    {"physics:filteredGroups", "", "", Variability::uniform},
    {"physics:mergeGroup", "string", "", Variability::varying},
    {"physics:invertFilteredGroups", "bool", "", Variability::varying},
};
constexpr SchemaProperty kJoint[] = {
    {"physics:body0", "", "", Variability::uniform},
    {"physics:body1", "", "", Variability::uniform},
    {"physics:localPos0", "point3f", "(0, 0, 0)", Variability::varying},
    {"physics:localRot0", "quatf", "(1, 0, 0, 0)", Variability::varying},
    {"physics:localPos1", "point3f", "(0, 0, 0)", Variability::varying},
    {"physics:localRot1", "quatf", "(1, 0, 0, 0)", Variability::varying},
    {"physics:jointEnabled", "bool", "true", Variability::varying},
    {"physics:collisionEnabled", "bool", "false", Variability::varying},
    {"physics:excludeFromArticulation", "bool", "false", Variability::uniform},
    {"physics:breakForce", "float", "inf", Variability::varying},
    {"physics:breakTorque", "float", "inf", Variability::varying},
};
constexpr SchemaProperty kRevoluteJoint[] = {
    {"physics:axis", "token", "\"X\"", Variability::uniform},
    {"physics:lowerLimit", "float", "-inf", Variability::varying},
    {"physics:upperLimit", "float", "inf", Variability::varying},
};
constexpr SchemaProperty kPrismaticJoint[] = {
    {"physics:axis", "token", "\"X\"", Variability::uniform},
    {"physics:lowerLimit", "float", "-inf", Variability::varying},
    {"physics:upperLimit", "float", "inf", Variability::varying},
};
constexpr SchemaProperty kSphericalJoint[] = {
    {"physics:axis", "token", "\"X\"", Variability::uniform},
    {"physics:coneAngle0Limit", "float", "-1", Variability::varying},
    {"physics:coneAngle1Limit", "float", "-1", Variability::varying},
};
constexpr SchemaProperty kDistanceJoint[] = {
    {"physics:minDistance", "float", "-1", Variability::varying},
    {"physics:maxDistance", "float", "-1", Variability::varying},
};
constexpr SchemaProperty kRigidBodyAPI[] = {
    {"physics:rigidBodyEnabled", "bool", "true", Variability::varying},
    {"physics:kinematicEnabled", "bool", "false", Variability::varying},
    {"physics:simulationOwner", "", "", Variability::uniform},
    {"physics:startsAsleep", "bool", "false", Variability::uniform},
    {"physics:velocity", "vector3f", "(0, 0, 0)", Variability::varying},
    {"physics:angularVelocity", "vector3f", "(0, 0, 0)", Variability::varying},
};
constexpr SchemaProperty kMassAPI[] = {
    {"physics:mass", "float", "0", Variability::varying},
    {"physics:density", "float", "0", Variability::varying},
    {"physics:centerOfMass", "point3f", "(-inf, -inf, -inf)", Variability::varying},
    {"physics:diagonalInertia", "float3", "(0, 0, 0)", Variability::varying},
    {"physics:principalAxes", "quatf", "(0, 0, 0, 0)", Variability::varying},
};
constexpr SchemaProperty kCollisionAPI[] = {
    {"physics:collisionEnabled", "bool", "true", Variability::varying},
    {"physics:simulationOwner", "", "", Variability::uniform},
};
constexpr SchemaProperty kMeshCollisionAPI[] = {
    {"physics:approximation", "token", "\"none\"", Variability::uniform},
};
constexpr SchemaProperty kMaterialAPI[] = {
    {"physics:dynamicFriction", "float", "0", Variability::varying},
    {"physics:staticFriction", "float", "0", Variability::varying},
    {"physics:restitution", "float", "0", Variability::varying},
    {"physics:density", "float", "0", Variability::varying},
};
constexpr SchemaProperty kFilteredPairsAPI[] = {
    {"physics:filteredPairs", "", "", Variability::uniform},
};
constexpr SchemaProperty kLimitAPI[] = {
    {"limit:*:physics:low", "float", "-inf", Variability::varying},
    {"limit:*:physics:high", "float", "inf", Variability::varying},
};
constexpr SchemaProperty kDriveAPI[] = {
    {"drive:*:physics:type", "token", "\"force\"", Variability::uniform},
    {"drive:*:physics:maxForce", "float", "inf", Variability::varying},
    {"drive:*:physics:targetPosition", "float", "0", Variability::varying},
    {"drive:*:physics:targetVelocity", "float", "0", Variability::varying},
    {"drive:*:physics:damping", "float", "0", Variability::varying},
    {"drive:*:physics:stiffness", "float", "0", Variability::varying},
};

constexpr Schema kSchemas[] = {
    {"PhysicsScene", SchemaKind::typed, "Typed", SchemaType::unknown, kScene},
    {"PhysicsCollisionGroup", SchemaKind::typed, "Typed", SchemaType::unknown, kCollisionGroup},
    {"PhysicsJoint", SchemaKind::typed, "Imageable", SchemaType::unknown, kJoint},
    {"PhysicsFixedJoint", SchemaKind::typed, "PhysicsJoint", SchemaType::unknown, {}},
    {"PhysicsRevoluteJoint", SchemaKind::typed, "PhysicsJoint", SchemaType::unknown,
     kRevoluteJoint},
    {"PhysicsPrismaticJoint", SchemaKind::typed, "PhysicsJoint", SchemaType::unknown,
     kPrismaticJoint},
    {"PhysicsSphericalJoint", SchemaKind::typed, "PhysicsJoint", SchemaType::unknown,
     kSphericalJoint},
    {"PhysicsDistanceJoint", SchemaKind::typed, "PhysicsJoint", SchemaType::unknown,
     kDistanceJoint},
    {"PhysicsRigidBodyAPI", SchemaKind::single_apply, "", SchemaType::xformable, kRigidBodyAPI},
    {"PhysicsMassAPI", SchemaKind::single_apply, "", SchemaType::xformable, kMassAPI},
    {"PhysicsCollisionAPI", SchemaKind::single_apply, "", SchemaType::gprim, kCollisionAPI},
    {"PhysicsMeshCollisionAPI", SchemaKind::single_apply, "", SchemaType::mesh, kMeshCollisionAPI},
    {"PhysicsMaterialAPI", SchemaKind::single_apply, "", SchemaType::material, kMaterialAPI},
    {"PhysicsFilteredPairsAPI", SchemaKind::single_apply, "", SchemaType::unknown,
     kFilteredPairsAPI},
    {"PhysicsArticulationRootAPI", SchemaKind::single_apply, "", SchemaType::unknown, {}},
    {"PhysicsLimitAPI", SchemaKind::multiple_apply, "", SchemaType::physics_joint, kLimitAPI},
    {"PhysicsDriveAPI", SchemaKind::multiple_apply, "", SchemaType::physics_joint, kDriveAPI},
};

}  // namespace

std::span<const Schema> schemas() noexcept {
  return kSchemas;
}

const Schema* find_schema(std::string_view name) noexcept {
  const auto* found = std::find_if(std::begin(kSchemas), std::end(kSchemas),
                                   [&](const Schema& schema) { return schema.name == name; });
  return found == std::end(kSchemas) ? nullptr : found;
}

std::string property_name(const SchemaProperty& property, std::string_view instance) {
  std::string name(property.name);
  const std::size_t star = name.find('*');
  if (star != std::string::npos) name.replace(star, 1, instance);
  return name;
}

std::vector<std::string> property_names(const Schema& schema, bool inherited,
                                        std::string_view instance) {
  std::vector<std::string> names;
  if (inherited) {
    if (const Schema* base = find_schema(schema.base)) names = property_names(*base, true);
  }
  for (const SchemaProperty& property : schema.properties) {
    names.push_back(property_name(property, instance));
  }
  return names;
}

bool is_meant_for(const Schema& schema, const stage::Prim& prim) noexcept {
  if (schema.kind == SchemaKind::typed) return false;
  return schema.meant_for == SchemaType::unknown || prim.is_a(schema.meant_for);
}

}  // namespace sinew::physics
