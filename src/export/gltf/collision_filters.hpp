// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/gltf/writer.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

/// Which colliders do not collide, as filters of classes: colliders of one class collide with the
/// same others.
struct CollisionFilters {
  std::vector<Json> filters;
  std::vector<std::int32_t> filter_of_shape;  ///< One for each shape of the model; -1: none.
};

/// Same body, both static and jointed are no reasons: engines and joints say that themselves.
/// @param model  Comes back as it was; without its joints in between.
CollisionFilters collision_filters(Writer& writer, physics::PhysicsModel& model);

}  // namespace sinew::exporter
