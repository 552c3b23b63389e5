// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "physics/mesh_moments.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

enum class HullStatus : std::uint8_t { ok, flat, failed };

/// The moments of the convex hull of finite points. Flat and failed hulls have volume 0.
HullStatus hull_moments(const std::vector<Vector3d>& points, Moments& moments);

}  // namespace sinew::physics
