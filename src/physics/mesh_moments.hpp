// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::physics {

/// Volume integrals of a solid up to second order, relative to `origin`: enough to scale the solid
/// along the axes afterwards, so that instances of one mesh share the work.
struct Moments {
  Vector3d origin = Vector3d::Zero();
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();   ///< Integral of x.
  Matrix3d second = Matrix3d::Zero();  ///< Integral of x x^T.

  /// Adds the tetrahedron between the origin and a triangle relative to it.
  void add_tetrahedron(const Vector3d& a, const Vector3d& b, const Vector3d& c) noexcept;
  /// Turns a solid with inward faces outside in.
  void make_positive() noexcept;
};

/// Things worth telling about a mesh, as bits.
enum MeshIssue : std::uint8_t {
  kMeshOpen = 1,
  kMeshBadTopology = 2,
  kMeshNotFinite = 4,
  kMeshHullFailed = 8,
  kMeshUnknownApproximation = 16,
  kMeshSubdivided = 32,
};

/// Whether the faces of a mesh are meant as the cage of a smooth surface. The fallback of the
/// schema alone does not say so: colliders are made without it.
inline bool is_subdivided(const geom::Mesh& mesh) noexcept {
  return mesh.subdivision_authored && mesh.subdivision != geom::SubdivisionScheme::none;
}

/// What can be computed of a mesh without knowing its scale.
struct MeshMoments {
  Moments moments;
  Vector3d min = Vector3d::Zero();  ///< Box of the finite points.
  Vector3d max = Vector3d::Zero();
  std::uint8_t issues = 0;  ///< MeshIssue bits.
};

MeshMoments compute_mesh_moments(const geom::Mesh& mesh, MeshApproximation approximation);

/// The solid of a mesh under a scale. `mesh` is needed for bounding spheres, which do not scale.
Solid scaled_solid(const MeshMoments& mesh_moments, const geom::Mesh& mesh,
                   MeshApproximation approximation, const Vector3d& scale) noexcept;

void report_mesh_issues(std::uint8_t issues, std::string_view path, Diagnostics& diagnostics);

}  // namespace sinew::physics
