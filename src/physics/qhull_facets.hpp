// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/shared/hull_triangles.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// The same as quick_hull(), by Qhull, which merges faces that are one but for rounding.
/// @par Cost  O(n^2) where many points lie in a plane, as the ends of a tube do.
HullStatus qhull_facets(const std::vector<Vector3d>& points,
                        std::vector<std::array<std::int32_t, 3>>& facets);

}  // namespace sinew::physics
