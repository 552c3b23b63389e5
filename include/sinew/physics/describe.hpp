// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

// Descriptors as text for logs, test failures and bug reports: the type and path, then one
// indented "name: value" line per field, every field, in the order of the struct. Names are those
// of USD where USD has one. Quaternions are written (w, x, y, z). Numbers read back to the same
// value. Made for people: the layout may change, so do not parse it.

/// Gravity, resolved.
SINEW_API std::string describe(const Scene& scene);
/// Friction, restitution and density.
SINEW_API std::string describe(const RigidBodyMaterial& material);
/// Members and filters of a merged group.
SINEW_API std::string describe(const CollisionGroup& group);
/// Shapes, pose, velocities and state.
SINEW_API std::string describe(const RigidBody& body);
/// What all colliders have, then the geometry.
SINEW_API std::string describe(const Shape& shape);
/// Both ends, what all joints have, then limits and drives.
SINEW_API std::string describe(const Joint& joint);
/// Roots, joints and bodies.
SINEW_API std::string describe(const Articulation& articulation);

/// Every descriptor of a model, by type in the order of batches().
SINEW_API std::string describe(const PhysicsModel& model);

}  // namespace sinew::physics
