// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/types.hpp"

namespace sinew::physics {

enum class HullStatus : std::uint8_t { ok, flat, failed };

/// The triangles of the convex hull of finite points, seen from outside counter-clockwise: three
/// indices of points each. Empty if the hull is flat or failed.
HullStatus hull_triangles(const std::vector<Vector3d>& points,
                          std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace sinew::physics
