// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "physics/shared/scale.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::physics {

/// Whether the geometry of a collider keeps its kind only under uniform scale.
inline bool is_round(const stage::Prim& prim) noexcept {
  using stage::SchemaType;
  for (const SchemaType type :
       {SchemaType::sphere, SchemaType::capsule, SchemaType::capsule_1, SchemaType::cylinder,
        SchemaType::cylinder_1, SchemaType::cone, SchemaType::points}) {
    if (prim.is_a(type)) return true;
  }
  return false;
}

}  // namespace sinew::physics
