// SPDX-License-Identifier: Apache-2.0
#include "physics/mesh_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/report.hpp"
#include "core/sort.hpp"
#include "physics/hull.hpp"

namespace sinew::physics {
namespace {

// Volumes below this fraction of diameter^3 are rounding noise of a flat mesh.
constexpr double kFlat = 1e-12;

bool is_finite(const Vector3f& point) {
  return std::isfinite(point.x()) && std::isfinite(point.y()) && std::isfinite(point.z());
}

// Calls visit(corners) for every usable face: not a hole, at least three corners, indices in range,
// points finite. Notes what it passes over.
template <typename Visit>
void for_each_face(const geom::Mesh& mesh, std::uint8_t& issues, Visit&& visit) {
  std::vector<std::int32_t> holes(mesh.hole_faces.begin(), mesh.hole_faces.end());
  sort_range(holes.begin(), holes.end());
  std::size_t first = 0;
  for (std::size_t face = 0; face < mesh.face_counts.size(); ++face) {
    const std::int32_t count = mesh.face_counts[face];
    const std::size_t left = mesh.face_indices.size() - first;
    if (count < 0 || static_cast<std::size_t>(count) > left) {
      issues |= kMeshBadTopology;
      return;
    }
    const auto corners = mesh.face_indices.subspan(first, static_cast<std::size_t>(count));
    first += corners.size();
    if (corners.size() < 3) continue;
    if (std::binary_search(holes.begin(), holes.end(), static_cast<std::int32_t>(face))) continue;
    bool usable = true;
    for (const std::int32_t index : corners) {
      if (index < 0 || static_cast<std::size_t>(index) >= mesh.points.size()) {
        issues |= kMeshBadTopology;
        usable = false;
      } else if (!is_finite(mesh.points[static_cast<std::size_t>(index)])) {
        issues |= kMeshNotFinite;
        usable = false;
      }
    }
    if (usable) visit(corners);
  }
  if (first != mesh.face_indices.size()) issues |= kMeshBadTopology;
}

// Removes corners that repeat their predecessor, cyclically. Fewer than three left: degenerate.
void distinct_corners(std::span<const std::int32_t> corners, std::vector<std::int32_t>& out) {
  out.clear();
  for (const std::int32_t corner : corners) {
    if (out.empty() || out.back() != corner) out.push_back(corner);
  }
  while (out.size() > 1 && out.back() == out.front()) out.pop_back();
}

struct Edge {
  std::int32_t low;
  std::int32_t high;
  bool forward;  // Runs from low to high.
};

// Whether every edge has exactly one opposite. The edges are sorted by bucket of their lower point,
// which takes linear time for meshes whose points have few faces each.
bool edges_pair_up(const std::vector<Edge>& edges, std::size_t point_count) {
  std::vector<std::uint32_t> start(point_count + 1, 0);
  for (const Edge& edge : edges) ++start[static_cast<std::size_t>(edge.low) + 1];
  for (std::size_t i = 0; i < point_count; ++i) start[i + 1] += start[i];
  std::vector<std::int64_t> keys(edges.size());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  for (const Edge& edge : edges) {
    const std::int64_t key = 2 * static_cast<std::int64_t>(edge.high) + (edge.forward ? 1 : 0);
    keys[next[static_cast<std::size_t>(edge.low)]++] = key;
  }
  for (std::size_t point = 0; point < point_count; ++point) {
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(start[point]);
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(start[point + 1]);
    sort_range(begin, end);
    if ((end - begin) % 2 != 0) return false;
    for (auto key = begin; key != end; key += 2) {
      // A backward edge (even), then a forward one to the same point; a third breaks the rhythm.
      if (key[0] % 2 != 0 || key[1] != key[0] + 1) return false;
    }
  }
  return true;
}

bool closed(const geom::Mesh& mesh, std::uint8_t& issues) {
  std::vector<Edge> edges;
  edges.reserve(mesh.face_indices.size());
  std::vector<std::int32_t> distinct;
  std::uint8_t found = 0;
  for_each_face(mesh, found, [&](std::span<const std::int32_t> corners) {
    distinct_corners(corners, distinct);
    if (distinct.size() < 3) return;
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      const std::int32_t a = distinct[i];
      const std::int32_t b = distinct[i + 1 == distinct.size() ? 0 : i + 1];
      edges.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  });
  issues |= found;
  return found == 0 && edges_pair_up(edges, mesh.points.size());
}

void enclosed_moments(const geom::Mesh& mesh, Moments& moments) {
  std::uint8_t ignored = 0;
  bool first_face = true;
  for_each_face(mesh, ignored, [&](std::span<const std::int32_t> corners) {
    const auto point = [&](std::size_t i) -> Vector3d {
      return mesh.points[static_cast<std::size_t>(corners[i])].cast<double>();
    };
    if (first_face) {
      moments.origin = point(0);
      first_face = false;
    }
    const Vector3d a = point(0) - moments.origin;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      moments.add_tetrahedron(a, point(i - 1) - moments.origin, point(i) - moments.origin);
    }
  });
  moments.make_positive();
}

bool fills_exactly(MeshApproximation approximation) {
  return approximation != MeshApproximation::convex_hull &&
         approximation != MeshApproximation::bounding_cube &&
         approximation != MeshApproximation::bounding_sphere;
}

void convex_moments(const geom::Mesh& mesh, MeshMoments& result) {
  std::vector<Vector3d> points;
  points.reserve(mesh.points.size());
  for (const Vector3f& point : mesh.points) {
    if (is_finite(point)) points.push_back(point.cast<double>());
  }
  if (hull_moments(points, result.moments) == HullStatus::failed) result.issues |= kMeshHullFailed;
}

}  // namespace

void Moments::add_tetrahedron(const Vector3d& a, const Vector3d& b, const Vector3d& c) noexcept {
  const double v = a.dot(b.cross(c));
  const Vector3d sum = a + b + c;
  volume += v / 6.0;
  first += v / 24.0 * sum;
  second += v / 120.0 *
            (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
}

void Moments::make_positive() noexcept {
  if (!(volume < 0.0)) return;
  volume = -volume;
  first = -first;
  second = -second;
}

MeshMoments compute_mesh_moments(const geom::Mesh& mesh, MeshApproximation approximation) {
  MeshMoments result;
  bool any = false;
  for (const Vector3f& point : mesh.points) {
    if (!is_finite(point)) {
      result.issues |= kMeshNotFinite;
      continue;
    }
    const Vector3d p = point.cast<double>();
    result.min = any ? Vector3d(result.min.cwiseMin(p)) : p;
    result.max = any ? Vector3d(result.max.cwiseMax(p)) : p;
    any = true;
  }
  if (approximation == MeshApproximation::unknown) result.issues |= kMeshUnknownApproximation;
  if (is_subdivided(mesh)) result.issues |= kMeshSubdivided;
  if (approximation == MeshApproximation::convex_hull) {
    convex_moments(mesh, result);
  } else if (fills_exactly(approximation)) {
    if (closed(mesh, result.issues)) {
      enclosed_moments(mesh, result.moments);
    } else {
      result.issues |= kMeshOpen;
      convex_moments(mesh, result);
    }
  }
  return result;
}

Solid scaled_solid(const MeshMoments& mesh_moments, const geom::Mesh& mesh,
                   MeshApproximation approximation, const Vector3d& scale) noexcept {
  const Vector3d box_center = scale.cwiseProduct((mesh_moments.min + mesh_moments.max) / 2.0);
  const Vector3d extent = scale.cwiseProduct(mesh_moments.max - mesh_moments.min).cwiseAbs();
  Solid solid;
  if (approximation == MeshApproximation::bounding_cube) {
    solid = solid_box(extent / 2.0);
    solid.center = box_center;
  } else if (approximation == MeshApproximation::bounding_sphere) {
    double squared_radius = 0.0;
    for (const Vector3f& point : mesh.points) {
      if (!is_finite(point)) continue;
      const Vector3d offset = scale.cwiseProduct(point.cast<double>()) - box_center;
      squared_radius = std::max(squared_radius, offset.squaredNorm());
    }
    solid = solid_sphere(std::sqrt(squared_radius));
    solid.center = box_center;
  } else {
    const Moments& m = mesh_moments.moments;
    const double det = std::abs(scale.prod());
    solid.volume = det * m.volume;
    const double diameter = extent.norm();
    if (!(solid.volume > kFlat * diameter * diameter * diameter)) return Solid{};
    const Vector3d center = scale.cwiseProduct(m.first) / m.volume;
    const Matrix3d second = det * (scale.asDiagonal() * m.second * scale.asDiagonal()) -
                            solid.volume * center * center.transpose();
    solid.center = scale.cwiseProduct(m.origin) + center;
    solid.inertia = second.trace() * Matrix3d::Identity() - second;
  }
  return solid;
}

void report_mesh_issues(std::uint8_t issues, std::string_view path, Diagnostics& diagnostics) {
  if (issues == 0) return;
  const auto warn = [&](MeshIssue issue, std::string_view code, const char* message,
                        std::string_view hint) {
    if ((issues & issue) == 0) return;
    const Severity severity = issue == kMeshSubdivided ? Severity::info : Severity::warning;
    report(&diagnostics, severity, code, {.path = path}, message, hint);
  };
  warn(kMeshOpen, "physics-open-mesh-volume",
       "The mesh is not closed; its convex hull is used for mass.",
       "Close the mesh, or give the collider a mass.");
  warn(kMeshBadTopology, "physics-mesh-bad-topology",
       "faceVertexCounts or faceVertexIndices do not fit each other or the points.",
       "Every count must be covered by indices, every index by a point.");
  warn(kMeshNotFinite, "physics-mesh-not-finite",
       "Some points are not finite; they and their faces are ignored.", {});
  warn(kMeshHullFailed, "physics-hull-failed", "The convex hull could not be computed.", {});
  warn(kMeshUnknownApproximation, "physics-unknown-approximation",
       "physics:approximation is not a known token; the mesh itself is used for mass.", {});
  warn(kMeshSubdivided, "physics-subdivided-mesh",
       "The mesh is a subdivision surface; its control cage is used for mass.",
       "Set subdivisionScheme to \"none\" if the cage is the collider.");
}

bool is_closed(const geom::Mesh& mesh) {
  std::uint8_t issues = 0;
  return closed(mesh, issues);
}

Solid solid_mesh(const geom::Mesh& mesh, MeshApproximation approximation, const Vector3d& scale,
                 std::string_view path, Diagnostics& diagnostics) {
  const MeshMoments moments = compute_mesh_moments(mesh, approximation);
  report_mesh_issues(moments.issues, path, diagnostics);
  return scaled_solid(moments, mesh, approximation, scale);
}

}  // namespace sinew::physics
