// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The vocabulary of physics: names of schemas, properties and values.
/// @par Source  UsdPhysicsTokens.
namespace sinew::physics::tokens {

/// @name Types of prims
/// @{

/// The type of a prim.
inline constexpr std::string_view kScene = "PhysicsScene";
inline constexpr std::string_view kCollisionGroup = "PhysicsCollisionGroup";
inline constexpr std::string_view kJoint = "PhysicsJoint";
inline constexpr std::string_view kFixedJoint = "PhysicsFixedJoint";
inline constexpr std::string_view kRevoluteJoint = "PhysicsRevoluteJoint";
inline constexpr std::string_view kPrismaticJoint = "PhysicsPrismaticJoint";
inline constexpr std::string_view kSphericalJoint = "PhysicsSphericalJoint";
inline constexpr std::string_view kDistanceJoint = "PhysicsDistanceJoint";
/// @}

/// @name API schemas
/// @{

/// A schema that is applied to prims.
inline constexpr std::string_view kRigidBodyApi = "PhysicsRigidBodyAPI";
inline constexpr std::string_view kMassApi = "PhysicsMassAPI";
inline constexpr std::string_view kCollisionApi = "PhysicsCollisionAPI";
inline constexpr std::string_view kMeshCollisionApi = "PhysicsMeshCollisionAPI";
inline constexpr std::string_view kMaterialApi = "PhysicsMaterialAPI";
inline constexpr std::string_view kFilteredPairsApi = "PhysicsFilteredPairsAPI";
inline constexpr std::string_view kArticulationRootApi = "PhysicsArticulationRootAPI";
inline constexpr std::string_view kLimitApi = "PhysicsLimitAPI";
inline constexpr std::string_view kDriveApi = "PhysicsDriveAPI";
/// @}

/// @name Properties
/// @{

/// An attribute or relationship of the schemas above.
inline constexpr std::string_view kGravityDirection = "physics:gravityDirection";
inline constexpr std::string_view kGravityMagnitude = "physics:gravityMagnitude";
inline constexpr std::string_view kFilteredGroups = "physics:filteredGroups";
inline constexpr std::string_view kMergeGroup = "physics:mergeGroup";
inline constexpr std::string_view kInvertFilteredGroups = "physics:invertFilteredGroups";
inline constexpr std::string_view kBody0 = "physics:body0";
inline constexpr std::string_view kBody1 = "physics:body1";
inline constexpr std::string_view kLocalPos0 = "physics:localPos0";
inline constexpr std::string_view kLocalRot0 = "physics:localRot0";
inline constexpr std::string_view kLocalPos1 = "physics:localPos1";
inline constexpr std::string_view kLocalRot1 = "physics:localRot1";
inline constexpr std::string_view kJointEnabled = "physics:jointEnabled";
inline constexpr std::string_view kCollisionEnabled = "physics:collisionEnabled";
inline constexpr std::string_view kExcludeFromArticulation = "physics:excludeFromArticulation";
inline constexpr std::string_view kBreakForce = "physics:breakForce";
inline constexpr std::string_view kBreakTorque = "physics:breakTorque";
inline constexpr std::string_view kAxis = "physics:axis";
inline constexpr std::string_view kLowerLimit = "physics:lowerLimit";
inline constexpr std::string_view kUpperLimit = "physics:upperLimit";
inline constexpr std::string_view kConeAngle0Limit = "physics:coneAngle0Limit";
inline constexpr std::string_view kConeAngle1Limit = "physics:coneAngle1Limit";
inline constexpr std::string_view kMinDistance = "physics:minDistance";
inline constexpr std::string_view kMaxDistance = "physics:maxDistance";
inline constexpr std::string_view kRigidBodyEnabled = "physics:rigidBodyEnabled";
inline constexpr std::string_view kKinematicEnabled = "physics:kinematicEnabled";
inline constexpr std::string_view kSimulationOwner = "physics:simulationOwner";
inline constexpr std::string_view kStartsAsleep = "physics:startsAsleep";
inline constexpr std::string_view kVelocity = "physics:velocity";
inline constexpr std::string_view kAngularVelocity = "physics:angularVelocity";
inline constexpr std::string_view kMass = "physics:mass";
inline constexpr std::string_view kDensity = "physics:density";
inline constexpr std::string_view kCenterOfMass = "physics:centerOfMass";
inline constexpr std::string_view kDiagonalInertia = "physics:diagonalInertia";
inline constexpr std::string_view kPrincipalAxes = "physics:principalAxes";
inline constexpr std::string_view kApproximation = "physics:approximation";
inline constexpr std::string_view kDynamicFriction = "physics:dynamicFriction";
inline constexpr std::string_view kStaticFriction = "physics:staticFriction";
inline constexpr std::string_view kRestitution = "physics:restitution";
inline constexpr std::string_view kFilteredPairs = "physics:filteredPairs";
/// @}

/// @name Degrees of freedom
/// @{

/// Instance name of a limit or drive.
inline constexpr std::string_view kTransX = "transX";
inline constexpr std::string_view kTransY = "transY";
inline constexpr std::string_view kTransZ = "transZ";
inline constexpr std::string_view kRotX = "rotX";
inline constexpr std::string_view kRotY = "rotY";
inline constexpr std::string_view kRotZ = "rotZ";
inline constexpr std::string_view kDistance = "distance";
inline constexpr std::string_view kLinear = "linear";
inline constexpr std::string_view kAngular = "angular";
/// @}

/// @name Kinds of drives
/// @{

/// A value of drive:*:physics:type.
inline constexpr std::string_view kForce = "force";
inline constexpr std::string_view kAcceleration = "acceleration";
/// @}

/// @name Approximations of meshes
/// @{

/// A value of physics:approximation.
inline constexpr std::string_view kConvexDecomposition = "convexDecomposition";
inline constexpr std::string_view kConvexHull = "convexHull";
inline constexpr std::string_view kBoundingSphere = "boundingSphere";
inline constexpr std::string_view kBoundingCube = "boundingCube";
inline constexpr std::string_view kMeshSimplification = "meshSimplification";
inline constexpr std::string_view kNone = "none";
/// @}
/// The collection of a PhysicsCollisionGroup that names its members.
inline constexpr std::string_view kColliders = "colliders";
/// Metadata of the root layer.
inline constexpr std::string_view kKilogramsPerUnit = "kilogramsPerUnit";
/// The purpose of material bindings that mean physics, before the general ones.
inline constexpr std::string_view kPhysics = "physics";

/// @name Axes
/// @{

/// A value of physics:axis.
inline constexpr std::string_view kX = "X";
inline constexpr std::string_view kY = "Y";
inline constexpr std::string_view kZ = "Z";
/// @}

/// @name Properties with an instance name
/// @{

/// A property of a schema that is applied with an instance name, which stands where the '*' is.
inline constexpr std::string_view kLimitLow = "limit:*:physics:low";
inline constexpr std::string_view kLimitHigh = "limit:*:physics:high";
inline constexpr std::string_view kDriveType = "drive:*:physics:type";
inline constexpr std::string_view kDriveMaxForce = "drive:*:physics:maxForce";
inline constexpr std::string_view kDriveTargetPosition = "drive:*:physics:targetPosition";
inline constexpr std::string_view kDriveTargetVelocity = "drive:*:physics:targetVelocity";
inline constexpr std::string_view kDriveDamping = "drive:*:physics:damping";
inline constexpr std::string_view kDriveStiffness = "drive:*:physics:stiffness";
/// @}

}  // namespace sinew::physics::tokens
