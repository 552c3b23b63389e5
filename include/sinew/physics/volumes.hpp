// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/shape.hpp"

namespace sinew::physics {

/// A homogeneous solid of density 1: its mass is its volume.
struct Solid {
  double volume = 0.0;                  ///< Distance^3.
  Vector3d center = Vector3d::Zero();   ///< Centre of mass in the shape's frame.
  Matrix3d inertia = Matrix3d::Zero();  ///< About the centre, axes of the shape's frame.
};

// Exact solids. Sizes are taken by absolute value; a spine runs along `axis` through the origin
// from -half_height to +half_height.

/// A ball around the origin.
SINEW_API Solid solid_sphere(double radius) noexcept;
/// A box around the origin.
SINEW_API Solid solid_box(const Vector3d& half_extents) noexcept;
/// A cylinder with flat ends.
SINEW_API Solid solid_cylinder(double radius, double half_height, Axis axis) noexcept;
/// A cylinder with half balls on both ends; half_height is the cylinder's.
SINEW_API Solid solid_capsule(double radius, double half_height, Axis axis) noexcept;
/// Apex at +half_height.
SINEW_API Solid solid_cone(double radius, double half_height, Axis axis) noexcept;
/// A cone cut off at both ends.
SINEW_API Solid solid_frustum(double top_radius, double bottom_radius, double half_height,
                              Axis axis) noexcept;
/// A frustum whose ends are covered by the parts of two balls that meet its side smoothly.
SINEW_API Solid solid_tapered_capsule(double top_radius, double bottom_radius, double half_height,
                                      Axis axis) noexcept;
/// Balls at their scaled centres. What overlaps counts as often as it is covered.
SINEW_API Solid solid_sphere_points(std::span<const SpherePoint> points) noexcept;

/// What a mesh collider stands for.
enum class MeshApproximation : std::uint8_t {
  none,
  convex_decomposition,
  convex_hull,
  bounding_sphere,
  bounding_cube,
  mesh_simplification,
  unknown,
};

/// The meaning of a physics:approximation token.
SINEW_API MeshApproximation mesh_approximation(std::string_view token) noexcept;

/// Whether a mesh encloses something: every directed edge of its faces is met by exactly one edge
/// in the other direction. Faces with fewer than three different corners and faces listed as holes
/// are passed over. False if an index is out of range or a point is not finite.
/// @par Cost  O(corners), two allocations.
SINEW_API bool is_closed(const geom::Mesh& mesh);

/// The solid of a mesh collider.
///
/// none, convex_decomposition, mesh_simplification and unknown: what the control cage encloses, by
/// signed tetrahedra, if it is closed; else its convex hull. convex_hull: the hull of all points.
/// bounding_cube: the box of the points along the mesh's own axes. bounding_sphere: the ball around
/// that box's centre that reaches the farthest point. Flat and empty meshes have volume 0.
/// Winding does not matter.
///
/// @param scale  Applied to the points; may mirror.
/// @param path   Names the mesh in diagnostics: physics-open-mesh-volume,
///               physics-mesh-bad-topology, physics-mesh-not-finite, physics-hull-failed,
///               physics-unknown-approximation (warnings), physics-subdivided-mesh (info).
/// @par Cost     O(corners), O(points log points) expected for a hull, see hull_of().
SINEW_API Solid solid_mesh(const geom::Mesh& mesh, MeshApproximation approximation,
                           const Vector3d& scale, std::string_view path, Diagnostics& diagnostics);

/// The solid of any shape, in the shape's frame.
/// @return nullopt for custom shapes, invalid shapes, and sizes that give a volume that is not
///         finite. A plane and a mesh without geometry have volume 0.
SINEW_API std::optional<Solid> solid_of(const Shape& shape, Diagnostics& diagnostics);

}  // namespace sinew::physics
