// SPDX-License-Identifier: Apache-2.0
#include "physics/hull.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "physics/hull_box.hpp"
#include "physics/quick_hull.hpp"
#ifdef SINEW_WITH_QHULL
#include "physics/qhull_facets.hpp"
#endif

namespace sinew::physics {

namespace {

using Facets = std::vector<std::array<std::int32_t, 3>>;

#ifdef SINEW_WITH_QHULL
// Where many points lie in a plane, as the ends of a tube do, the time of Qhull grows by their
// square.
constexpr std::size_t kMostForQhull = 500;
#endif

/// The hull of points, and the points in the cube that it was made in.
HullStatus facets_of(const std::vector<Vector3d>& points, HullBounds& box,
                     std::vector<Vector3d>& in_cube, Facets& facets) {
  facets.clear();
  const HullStatus status = HullBounds::of(points, box);
  if (status != HullStatus::ok) return status;
  in_cube.reserve(points.size());
  for (const Vector3d& point : points) {
    in_cube.emplace_back(box.in_cube(point, 0), box.in_cube(point, 1), box.in_cube(point, 2));
  }
#ifdef SINEW_WITH_QHULL
  if (in_cube.size() <= kMostForQhull) {
    const HullStatus merged = qhull_facets(in_cube, facets);
    if (merged != HullStatus::failed) return merged;
  }
#endif
  return quick_hull(in_cube, facets);
}

}  // namespace

HullStatus hull_moments(const std::vector<Vector3d>& points, Moments& moments) {
  moments = Moments{};
  HullBounds box;
  std::vector<Vector3d> in_cube;
  Facets facets;
  const HullStatus status = facets_of(points, box, in_cube, facets);
  if (status != HullStatus::ok) return status;
  Moments unit;
  for (const Vector3d& point : in_cube) unit.origin += point;
  unit.origin /= static_cast<double>(in_cube.size());  // The mean of all points is inside.
  const auto corner = [&](std::int32_t i) -> Vector3d {
    return in_cube[static_cast<std::size_t>(i)] - unit.origin;
  };
  for (const auto& facet : facets) {
    unit.add_tetrahedron(corner(facet[0]), corner(facet[1]), corner(facet[2]));
  }
  box.take_moments(unit, moments);
  return HullStatus::ok;
}

HullStatus hull_triangles(const std::vector<Vector3d>& points, Facets& triangles) {
  HullBounds box;
  std::vector<Vector3d> in_cube;
  return facets_of(points, box, in_cube, triangles);
}

}  // namespace sinew::physics
