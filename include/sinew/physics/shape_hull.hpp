// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/pose.hpp"
#include "sinew/physics/shape.hpp"

namespace sinew::physics {

/// Points and triangles in the frame of a shape, its scale applied.
struct HullMesh {
  std::vector<Vector3d> points;  ///< Corners; there also where is_flat leaves no triangles.
  /// Indices of points, counter-clockwise seen from outside, also where the shape is mirrored or
  /// left-handed.
  std::vector<std::array<std::int32_t, 3>> triangles;
  /// Volume of this over the volume of what it stands for: how much heavier it would be. 1 if that
  /// is not known.
  double volume_ratio = 1.0;
  /// All points lie in a plane, or there are fewer than four: no triangles.
  bool is_flat = false;
};

/// Corners on a full circle of a round shape.
inline constexpr int kHullSegments = 64;

/// The convex hull of a shape. Round shapes get `segments` corners on each circle, at least three,
/// so they lose a little; of a mesh it is the hull of all points. A plane, a custom shape and one
/// without points have none.
/// @par Cost  O(points log points) expected. There is no hull rather than one that takes many
///            times as long.
SINEW_API HullMesh hull_of(const Shape& shape, int segments = kHullSegments);

/// The surface of a shape: the faces of a mesh cut into triangles; the hull of any other shape.
/// A mesh that is neither closed nor wound one way has no outside: its faces stay as they are.
/// @par Cost  O(corners).
SINEW_API HullMesh triangles_of(const Shape& shape, int segments = kHullSegments);

/// The hull of each connected piece of a mesh; of other shapes the hull. What is concave is not
/// taken apart: `volume_ratio` of a closed piece tells how much its hull adds.
/// @par Cost  O(corners + points log points).
SINEW_API std::vector<HullMesh> parts_of(const Shape& shape, int segments = kHullSegments);

/// A box in the frame of a shape.
struct HullBox {
  Posed pose;                                ///< Of its centre.
  Vector3d half_extents = Vector3d::Zero();  ///< Half its edges, along the axes of `pose`.
};

/// A box that holds flat points: as long and as wide as they need, and this thick, its upper side
/// in their plane. Which side is up follows the first triangle.
/// @param mesh  With triangles, or points alone.
SINEW_API HullBox flat_box(const HullMesh& mesh, double thickness);

/// The box of a mesh along its own axes, as the approximation boundingCube means it.
SINEW_API HullBox bounding_box(const MeshShape& mesh) noexcept;

/// The radius of the ball around that box's centre that reaches the farthest point, as the
/// approximation boundingSphere means it.
SINEW_API double bounding_radius(const MeshShape& mesh) noexcept;

}  // namespace sinew::physics
