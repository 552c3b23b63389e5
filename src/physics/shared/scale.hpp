// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"
#include "sinew/physics/decompose.hpp"

namespace sinew::physics {

/// The magnitude that decompose() gives to scales below 1e-5, zero among them.
inline constexpr double kSmallestScale = 1e-10;

/// Whether the components, signs included, agree within 1e-5 of the smaller magnitude.
inline bool is_uniform(const Vector3d& scale) noexcept {
  const double low = scale.minCoeff();
  const double high = scale.maxCoeff();
  if (low * high < 0.0) return false;
  return high > 0.0 ? high - low <= 1e-5 * low : low - high >= 1e-5 * high;
}

/// Whether the scale of a transform acts along the prim's own axes.
inline bool is_axis_aligned(const Decomposition& transform) noexcept {
  return quaternion_from_rotation(transform.scale_orientation).vec().norm() <= 1e-10;
}

/// A position within a body, in lengths of the world: both factors are floats in OpenUSD, so what
/// is too far for one is infinite.
inline Vector3f scaled_position(const Vector3d& position, const Vector3d& body_scale) noexcept {
  return position.cast<float>().cwiseProduct(body_scale.cast<float>());
}

}  // namespace sinew::physics
