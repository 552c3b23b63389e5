// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// The objects of one type: what an engine that builds its world type by type wants next.
///
/// Element i is `list[indices[i]]` of the list of the model that the type belongs to: scenes,
/// materials, collision_groups, rigid_bodies, shapes, joints or articulations.
struct Batch {
  ObjectType type = ObjectType::undefined;  ///< Of every element.
  std::vector<std::int32_t> indices;        ///< Ascending, at least one.

  /// Number of elements.
  std::size_t size() const noexcept { return indices.size(); }

  /// The path of element i, which must be below size().
  SINEW_API std::string_view path(const PhysicsModel& model, std::size_t i) const noexcept;
};

/// All objects by type. Types without any are left out, invalid objects are not.
///
/// The order is fixed: scenes, collision groups, materials; spheres, cubes, capsules, tapered
/// capsules, cylinders, tapered cylinders, cones, planes, meshes, sphere points, custom shapes;
/// articulations, rigid bodies; fixed, revolute, prismatic, spherical, distance, generic and custom
/// joints. Within a type it is that of the model.
///
/// @par Cost    O(objects); one allocation per type.
/// @par Source  The reports of the UsdPhysics parsing utilities, as arrays and as a dictionary.
SINEW_API std::vector<Batch> batches(const PhysicsModel& model);

/// Calls `callback(const Batch&)` once per type, in the order of batches(). The batch is valid
/// during the call.
template <typename Callback>
void for_each_batch(const PhysicsModel& model, Callback&& callback) {
  for (const Batch& batch : batches(model)) callback(batch);
}

}  // namespace sinew::physics
