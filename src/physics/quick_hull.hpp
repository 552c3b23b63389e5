// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/shared/hull_triangles.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// Faces made and heights looked at, for each point. Spheres, tubes and cones of 64,000 points take
/// fifty; no order of points is known that takes many more, nor proven that none does.
inline constexpr std::uint64_t kHullWork = 1000;

/// The convex hull of points in the cube from -1 to 1, by quickhull on a grid of 2^30 steps along
/// each edge, where it is exact: a closed surface without folds, on every machine the same.
///
/// @param facets  Triangles of the hull, indices of points, counter-clockwise seen from outside.
/// @param work    Bounds the time, see kHullWork.
/// @return ok; flat if all points lie in a plane; or failed if it takes more than the work.
/// @par Cost  O(n log n) expected, O(n work) at most; memory in proportion to n, and a
///            number for each face made.
HullStatus quick_hull(const std::vector<Vector3d>& points,
                      std::vector<std::array<std::int32_t, 3>>& facets,
                      std::uint64_t work = kHullWork);

}  // namespace sinew::physics
