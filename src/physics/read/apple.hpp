// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Names of Apple's preliminary physics schemas, which stand in place of the standard ones. Read
/// only if the dialect is asked for.
namespace sinew::physics::apple {

inline constexpr std::string_view kRigidBodyApi = "Preliminary_PhysicsRigidBodyAPI";
inline constexpr std::string_view kColliderApi = "Preliminary_PhysicsColliderAPI";
inline constexpr std::string_view kMaterialApi = "Preliminary_PhysicsMaterialAPI";
inline constexpr std::string_view kPlane = "Preliminary_InfiniteColliderPlane";
inline constexpr std::string_view kGravity = "Preliminary_PhysicsGravitationalForce";

inline constexpr std::string_view kMass = "preliminary:physics:rigidBody:mass";
inline constexpr std::string_view kInitiallyActive =
    "preliminary:physics:rigidBody:initiallyActive";
inline constexpr std::string_view kConvexShape = "preliminary:physics:collider:convexShape";
inline constexpr std::string_view kStaticFriction = "preliminary:physics:material:friction:static";
inline constexpr std::string_view kDynamicFriction =
    "preliminary:physics:material:friction:dynamic";
inline constexpr std::string_view kRestitution = "preliminary:physics:material:restitution";
inline constexpr std::string_view kAcceleration = "physics:gravitationalForce:acceleration";

inline constexpr double kDefaultMass = 1.0;            ///< Kilograms.
inline constexpr float kDefaultAcceleration = -9.81F;  ///< m / s^2, along Y.

}  // namespace sinew::physics::apple
