// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/shared/hull_triangles.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// The convex hull of points in the cube from -1 to 1, by quickhull: what takes Qhull's place where
/// programs must be small. Points within 1e-12 of a face are taken to lie in it.
///
/// @param facets  Triangles of the hull, indices of points, counter-clockwise seen from outside.
/// @return ok; flat if all points lie in a plane; or failed if rounding leaves no hull.
/// @par Cost  O(n log n) expected.
HullStatus small_hull(const std::vector<Vector3d>& points,
                      std::vector<std::array<std::int32_t, 3>>& facets);

}  // namespace sinew::physics
