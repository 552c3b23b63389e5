// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "physics/mesh_moments.hpp"
#include "physics/shared/hull_triangles.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// The box around points. Hulls follow affine maps, so they are made in a cube, where tolerances
/// suit thin plates and long rods as well as anything else.
struct HullBounds {
  Vector3d min = Vector3d::Zero();     ///< Lower corner.
  Vector3d extent = Vector3d::Zero();  ///< Length of the edges.

  /// @return ok; flat if there are too few points or the box has no volume; failed for more than
  ///         can be counted.
  static HullStatus of(const std::vector<Vector3d>& points, HullBounds& box) {
    if (points.size() < 4) return HullStatus::flat;
    if (points.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 3) {
      return HullStatus::failed;
    }
    box.min = points.front();
    Vector3d max = points.front();
    for (const Vector3d& point : points) {
      box.min = box.min.cwiseMin(point);
      max = max.cwiseMax(point);
    }
    box.extent = max - box.min;
    return box.extent.minCoeff() > 0.0 ? HullStatus::ok : HullStatus::flat;
  }

  /// A coordinate of a point in the cube from -1 to 1.
  double in_cube(const Vector3d& point, int i) const {
    return 2.0 * ((point[i] - min[i]) / extent[i]) - 1.0;
  }

  /// The moments outside of the cube of something that has these in it.
  void take_moments(const Moments& unit, Moments& moments) const {
    const Vector3d half = extent / 2.0;
    const double det = half.prod();
    moments.origin = min + half + half.cwiseProduct(unit.origin);
    moments.volume = det * unit.volume;
    moments.first = det * half.cwiseProduct(unit.first);
    moments.second = det * (half.asDiagonal() * unit.second * half.asDiagonal());
  }
};

}  // namespace sinew::physics
