// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "physics/shared/scale.hpp"
#include "sinew/physics/enums.hpp"
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

/// is_uniform() of the two factors across an axis.
inline bool is_uniform_across(Vector3d scale, Axis axis) noexcept {
  const auto along = static_cast<int>(axis);
  scale[along] = scale[(along + 1) % 3];
  return is_uniform(scale);
}

/// Whether the axes of a transform are off right angles by more than 1e-5.
inline bool is_skewed(const Matrix3d& linear) noexcept {
  for (int i = 0; i < 3; ++i) {
    const Vector3d a = linear.col(i);
    const Vector3d b = linear.col((i + 1) % 3);
    if (std::abs(a.dot(b)) > 1e-5 * a.norm() * b.norm()) return true;
  }
  return false;
}

}  // namespace sinew::physics
