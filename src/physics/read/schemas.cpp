// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/read/schemas.hpp"

#include <algorithm>
#include <iterator>

#include "core/usable_unit.hpp"

namespace sinew::physics {

namespace {

using layer::Variability;
using stage::SchemaType;

constexpr SchemaProperty kScene[] = {
    {tokens::kGravityDirection, "vector3f", "(0, 0, 0)", Variability::varying},
    {tokens::kGravityMagnitude, "float", "-inf", Variability::varying},
};
constexpr SchemaProperty kCollisionGroup[] = {
    {tokens::kFilteredGroups, "", "", Variability::uniform},
    {tokens::kMergeGroup, "string", "", Variability::varying},
    {tokens::kInvertFilteredGroups, "bool", "", Variability::varying},
};
constexpr SchemaProperty kJoint[] = {
    {tokens::kBody0, "", "", Variability::uniform},
    {tokens::kBody1, "", "", Variability::uniform},
    {tokens::kLocalPos0, "point3f", "(0, 0, 0)", Variability::varying},
    {tokens::kLocalRot0, "quatf", "(1, 0, 0, 0)", Variability::varying},
    {tokens::kLocalPos1, "point3f", "(0, 0, 0)", Variability::varying},
    {tokens::kLocalRot1, "quatf", "(1, 0, 0, 0)", Variability::varying},
    {tokens::kJointEnabled, "bool", "true", Variability::varying},
    {tokens::kCollisionEnabled, "bool", "false", Variability::varying},
    {tokens::kExcludeFromArticulation, "bool", "false", Variability::uniform},
    {tokens::kBreakForce, "float", "inf", Variability::varying},
    {tokens::kBreakTorque, "float", "inf", Variability::varying},
};
constexpr SchemaProperty kRevoluteJoint[] = {
    {tokens::kAxis, "token", "\"X\"", Variability::uniform},
    {tokens::kLowerLimit, "float", "-inf", Variability::varying},
    {tokens::kUpperLimit, "float", "inf", Variability::varying},
};
constexpr SchemaProperty kPrismaticJoint[] = {
    {tokens::kAxis, "token", "\"X\"", Variability::uniform},
    {tokens::kLowerLimit, "float", "-inf", Variability::varying},
    {tokens::kUpperLimit, "float", "inf", Variability::varying},
};
constexpr SchemaProperty kSphericalJoint[] = {
    {tokens::kAxis, "token", "\"X\"", Variability::uniform},
    {tokens::kConeAngle0Limit, "float", "-1", Variability::varying},
    {tokens::kConeAngle1Limit, "float", "-1", Variability::varying},
};
constexpr SchemaProperty kDistanceJoint[] = {
    {tokens::kMinDistance, "float", "-1", Variability::varying},
    {tokens::kMaxDistance, "float", "-1", Variability::varying},
};
constexpr SchemaProperty kRigidBodyAPI[] = {
    {tokens::kRigidBodyEnabled, "bool", "true", Variability::varying},
    {tokens::kKinematicEnabled, "bool", "false", Variability::varying},
    {tokens::kSimulationOwner, "", "", Variability::uniform},
    {tokens::kStartsAsleep, "bool", "false", Variability::uniform},
    {tokens::kVelocity, "vector3f", "(0, 0, 0)", Variability::varying},
    {tokens::kAngularVelocity, "vector3f", "(0, 0, 0)", Variability::varying},
};
constexpr SchemaProperty kMassAPI[] = {
    {tokens::kMass, "float", "0", Variability::varying},
    {tokens::kDensity, "float", "0", Variability::varying},
    {tokens::kCenterOfMass, "point3f", "(-inf, -inf, -inf)", Variability::varying},
    {tokens::kDiagonalInertia, "float3", "(0, 0, 0)", Variability::varying},
    {tokens::kPrincipalAxes, "quatf", "(0, 0, 0, 0)", Variability::varying},
};
constexpr SchemaProperty kCollisionAPI[] = {
    {tokens::kCollisionEnabled, "bool", "true", Variability::varying},
    {tokens::kSimulationOwner, "", "", Variability::uniform},
};
constexpr SchemaProperty kMeshCollisionAPI[] = {
    {tokens::kApproximation, "token", "\"none\"", Variability::uniform},
};
constexpr SchemaProperty kMaterialAPI[] = {
    {tokens::kDynamicFriction, "float", "0", Variability::varying},
    {tokens::kStaticFriction, "float", "0", Variability::varying},
    {tokens::kRestitution, "float", "0", Variability::varying},
    {tokens::kDensity, "float", "0", Variability::varying},
};
constexpr SchemaProperty kFilteredPairsAPI[] = {
    {tokens::kFilteredPairs, "", "", Variability::uniform},
};
constexpr SchemaProperty kLimitAPI[] = {
    {tokens::kLimitLow, "float", "-inf", Variability::varying},
    {tokens::kLimitHigh, "float", "inf", Variability::varying},
};
constexpr SchemaProperty kDriveAPI[] = {
    {tokens::kDriveType, "token", "\"force\"", Variability::uniform},
    {tokens::kDriveMaxForce, "float", "inf", Variability::varying},
    {tokens::kDriveTargetPosition, "float", "0", Variability::varying},
    {tokens::kDriveTargetVelocity, "float", "0", Variability::varying},
    {tokens::kDriveDamping, "float", "0", Variability::varying},
    {tokens::kDriveStiffness, "float", "0", Variability::varying},
};

constexpr Schema kSchemas[] = {
    {tokens::kScene, SchemaKind::typed, "Typed", SchemaType::unknown, kScene},
    {tokens::kCollisionGroup, SchemaKind::typed, "Typed", SchemaType::unknown, kCollisionGroup},
    {tokens::kJoint, SchemaKind::typed, "Imageable", SchemaType::unknown, kJoint},
    {tokens::kFixedJoint, SchemaKind::typed, tokens::kJoint, SchemaType::unknown, {}},
    {tokens::kRevoluteJoint, SchemaKind::typed, tokens::kJoint, SchemaType::unknown,
     kRevoluteJoint},
    {tokens::kPrismaticJoint, SchemaKind::typed, tokens::kJoint, SchemaType::unknown,
     kPrismaticJoint},
    {tokens::kSphericalJoint, SchemaKind::typed, tokens::kJoint, SchemaType::unknown,
     kSphericalJoint},
    {tokens::kDistanceJoint, SchemaKind::typed, tokens::kJoint, SchemaType::unknown,
     kDistanceJoint},
    {tokens::kRigidBodyApi, SchemaKind::single_apply, "", SchemaType::xformable, kRigidBodyAPI},
    {tokens::kMassApi, SchemaKind::single_apply, "", SchemaType::xformable, kMassAPI},
    {tokens::kCollisionApi, SchemaKind::single_apply, "", SchemaType::gprim, kCollisionAPI},
    {tokens::kMeshCollisionApi, SchemaKind::single_apply, "", SchemaType::mesh, kMeshCollisionAPI},
    {tokens::kMaterialApi, SchemaKind::single_apply, "", SchemaType::material, kMaterialAPI},
    {tokens::kFilteredPairsApi, SchemaKind::single_apply, "", SchemaType::unknown,
     kFilteredPairsAPI},
    {tokens::kArticulationRootApi, SchemaKind::single_apply, "", SchemaType::unknown, {}},
    {tokens::kLimitApi, SchemaKind::multiple_apply, "", SchemaType::physics_joint, kLimitAPI},
    {tokens::kDriveApi, SchemaKind::multiple_apply, "", SchemaType::physics_joint, kDriveAPI},
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

std::string property_name(std::string_view property, std::string_view instance) {
  std::string name(property);
  const std::size_t star = name.find('*');
  if (star != std::string::npos) name.replace(star, 1, instance);
  return name;
}

std::string property_name(const SchemaProperty& property, std::string_view instance) {
  return property_name(property.name, instance);
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

bool set_kilograms_per_unit(layer::LayerBuilder& builder, double kilograms_per_unit) {
  if (!is_usable_unit(kilograms_per_unit)) return false;
  builder.set_field(builder.root(), tokens::kKilogramsPerUnit,
                    layer::Value::scalar(layer::ElementType::double_, kilograms_per_unit));
  return true;
}

bool is_meant_for(const Schema& schema, const stage::Prim& prim) noexcept {
  if (schema.kind == SchemaKind::typed) return false;
  return schema.meant_for == SchemaType::unknown || prim.is_a(schema.meant_for);
}

}  // namespace sinew::physics
