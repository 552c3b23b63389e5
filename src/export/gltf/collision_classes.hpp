// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/gltf/writer.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

/// Which colliders do not collide, as filters of classes: colliders of one class collide with the
/// same others.
struct CollisionClasses {
  std::vector<Json> filters;
  std::vector<std::int32_t> filter_of_shape;  ///< One for each shape of the model; -1: none.
};

/// Same body, both static and jointed are no reasons: engines and joints say that themselves.
CollisionClasses collision_classes(Writer& writer, const physics::PhysicsModel& model);

}  // namespace sinew::exporter
