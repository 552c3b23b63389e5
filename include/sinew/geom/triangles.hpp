// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/mesh.hpp"

namespace sinew::geom {

/// The faces of a mesh cut into triangles.
struct Triangles {
  /// Three for each triangle, counter-clockwise seen from the front: places in Mesh::face_indices,
  /// so that data of points and of corners follow.
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> faces;  ///< The face each triangle is a part of.

  // Faces that were left out.
  std::size_t hole_faces = 0;        ///< Named by Mesh::hole_faces.
  std::size_t small_faces = 0;       ///< Of fewer than three corners.
  std::size_t broken_faces = 0;      ///< With corners that do not exist, or that have no point.
  std::size_t not_finite_faces = 0;  ///< With points that are not finite.

  // Faces that are there, but not as anybody would draw them.
  std::size_t flat_faces = 0;    ///< Without area, so that all cuts are alike: cut as fans.
  std::size_t folded_faces = 0;  ///< Crossing themselves: triangles overlap or face backwards.

  /// The number of triangles.
  std::size_t size() const noexcept { return faces.size(); }
};

/// Cuts the faces of a mesh into triangles, a face of n corners into n - 2, in the order of the
/// faces. Every corner is used. Faces of left-handed meshes are turned.
///
/// Quads are cut along the shorter diagonal, or the first (corners 0 and 2) if they differ by less
/// than rounding, unless only the other one gives two triangles that face the same way. Faces of
/// more corners are cut by ears in the plane of their Newell normal. A simple face is cut without
/// overlaps and flips, also if it is concave or passes through a point twice; one that crosses
/// itself is cut somehow and counted.
///
/// The result is the same on every machine. Meshes of 2^32 corners or more end there.
/// @par Cost  O(corners); a fixed number of allocations. Of faces with n corners n^2, and at most
///            some thousand steps for each corner: faces that would need more are cut somehow, and
///            counted as folded.
SINEW_API Triangles triangulate(const Mesh& mesh);

/// The points of the corners, three for each triangle: what collision meshes need.
SINEW_API std::vector<std::uint32_t> triangle_points(const Mesh& mesh, const Triangles& triangles);

/// Smooth normals, one for each point: the mean of the faces around it weighted by area, of length
/// 1; zero at points without faces, or where they cancel.
/// @param triangles  Of this mesh; those of one face one after the other.
/// @par Cost  O(points + triangles).
SINEW_API std::vector<Vector3f> smooth_normals(const Mesh& mesh, const Triangles& triangles);

}  // namespace sinew::geom
