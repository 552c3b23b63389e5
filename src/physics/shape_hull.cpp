// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/shape_hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>
#include <variant>

#include "core/sort.hpp"
#include "physics/hull.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::physics {
namespace {

using Triangle = std::array<std::int32_t, 3>;

double magnitude(float value) {
  return std::abs(static_cast<double>(value));
}

// A point on a circle around an axis, at a height along it.
Vector3d around(Axis axis, double height, double radius, double angle) {
  const int k = static_cast<int>(axis);
  Vector3d point;
  point[k] = height;
  point[(k + 1) % 3] = radius * std::cos(angle);
  point[(k + 2) % 3] = radius * std::sin(angle);
  return point;
}

void add_circle(std::vector<Vector3d>& points, Axis axis, double height, double radius,
                int segments) {
  if (radius == 0.0) {
    points.push_back(around(axis, height, 0.0, 0.0));
    return;
  }
  for (int i = 0; i < segments; ++i) {
    points.push_back(around(axis, height, radius, 2.0 * std::numbers::pi * i / segments));
  }
}

// The part of a ball beyond a height, measured as an angle from the axis, 0 at the pole.
void add_cap(std::vector<Vector3d>& points, Axis axis, double center, double radius, double side,
             double angle, int segments) {
  const int rings =
      std::max(1, static_cast<int>(std::ceil(segments * angle / (2.0 * std::numbers::pi))));
  points.push_back(around(axis, center + side * radius, 0.0, 0.0));
  for (int i = 1; i <= rings; ++i) {
    const double a = angle * i / rings;
    add_circle(points, axis, center + side * radius * std::cos(a), radius * std::sin(a), segments);
  }
}

struct AddPoints {
  std::vector<Vector3d>& points;
  int segments;

  void operator()(const SphereShape& s) const { ball(Vector3d::Zero(), magnitude(s.radius)); }
  void operator()(const CubeShape& s) const {
    const Vector3d half = s.half_extents.cast<double>().cwiseAbs();
    for (int i = 0; i < 8; ++i) {
      points.emplace_back((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                          (i & 4) != 0 ? half.z() : -half.z());
    }
  }
  void operator()(const CapsuleShape& s) const {
    const double half = magnitude(s.half_height);
    const double quarter = std::numbers::pi / 2.0;
    add_cap(points, s.axis, half, magnitude(s.radius), 1.0, quarter, segments);
    add_cap(points, s.axis, -half, magnitude(s.radius), -1.0, quarter, segments);
  }
  void operator()(const Capsule1Shape& s) const {
    // The caps are parts of the two balls that touch the frustum smoothly.
    const double top = magnitude(s.top_radius);
    const double bottom = magnitude(s.bottom_radius);
    const double half = magnitude(s.half_height);
    const double slope = half == 0.0 ? 0.0 : (bottom - top) / (2.0 * half);
    const double n = std::sqrt(1.0 + slope * slope);
    const double tilt = std::atan(slope);
    add_cap(points, s.axis, half - slope * top, top * n, 1.0, std::numbers::pi / 2.0 - tilt,
            segments);
    add_cap(points, s.axis, -half - slope * bottom, bottom * n, -1.0, std::numbers::pi / 2.0 + tilt,
            segments);
  }
  void operator()(const CylinderShape& s) const {
    frustum(s.axis, magnitude(s.radius), magnitude(s.radius), magnitude(s.half_height));
  }
  void operator()(const Cylinder1Shape& s) const {
    frustum(s.axis, magnitude(s.top_radius), magnitude(s.bottom_radius), magnitude(s.half_height));
  }
  void operator()(const ConeShape& s) const {
    frustum(s.axis, 0.0, magnitude(s.radius), magnitude(s.half_height));
  }
  void operator()(const PlaneShape&) const {}
  void operator()(const MeshShape& s) const {
    if (s.geometry == nullptr) return;
    for (const Vector3f& point : s.geometry->points) {
      const Vector3d scaled = point.cast<double>().cwiseProduct(s.mesh_scale.cast<double>());
      if (scaled.allFinite()) points.push_back(scaled);
    }
  }
  void operator()(const SpherePointsShape& s) const {
    for (const SpherePoint& point : s.sphere_points) {
      ball(point.scaled_center.cast<double>(), magnitude(point.radius));
    }
  }
  void operator()(const CustomShape&) const {}

  void frustum(Axis axis, double top, double bottom, double half) const {
    add_circle(points, axis, half, top, segments);
    add_circle(points, axis, -half, bottom, segments);
  }
  void ball(const Vector3d& center, double radius) const {
    const std::size_t first = points.size();
    add_cap(points, Axis::z, 0.0, radius, 1.0, std::numbers::pi / 2.0, segments);
    add_cap(points, Axis::z, 0.0, radius, -1.0, std::numbers::pi / 2.0, segments);
    for (std::size_t i = first; i < points.size(); ++i) points[i] += center;
  }
};

double volume_of(const HullMesh& mesh) {
  double sum = 0.0;
  if (mesh.points.empty()) return sum;
  const Vector3d origin = mesh.points.front();
  for (const Triangle& t : mesh.triangles) {
    const Vector3d a = at(mesh.points, t[0]) - origin;
    sum += a.dot((at(mesh.points, t[1]) - origin).cross(at(mesh.points, t[2]) - origin)) / 6.0;
  }
  return sum;
}

// Leaves out the points that no triangle uses.
void compact(HullMesh& mesh) {
  std::vector<std::int32_t> index(mesh.points.size(), -1);
  std::vector<Vector3d> used;
  for (Triangle& triangle : mesh.triangles) {
    for (std::int32_t& corner : triangle) {
      std::int32_t& target = at(index, corner);
      if (target < 0) {
        target = static_cast<std::int32_t>(used.size());
        used.push_back(at(mesh.points, corner));
      }
      corner = target;
    }
  }
  mesh.points = std::move(used);
}

HullMesh hull_of_points(std::vector<Vector3d> points) {
  HullMesh hull;
  hull.points = std::move(points);
  if (hull_triangles(hull.points, hull.triangles) != HullStatus::ok) {
    hull.triangles.clear();
    hull.is_flat = true;
    return hull;
  }
  compact(hull);
  return hull;
}

// The faces of a mesh as fans, outwards where the mesh is mirrored or left-handed.
HullMesh mesh_triangles(const MeshShape& shape) {
  HullMesh result;
  if (shape.geometry == nullptr) return result;
  const geom::Mesh& mesh = *shape.geometry;
  const Vector3d scale = shape.mesh_scale.cast<double>();
  for (const Vector3f& point : mesh.points) {
    result.points.push_back(point.cast<double>().cwiseProduct(scale));
  }
  const bool turned = (scale.prod() < 0.0) != mesh.left_handed;
  const auto is_point = [&](std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < result.points.size() &&
           at(result.points, index).allFinite();
  };
  std::vector<bool> is_hole(mesh.face_counts.size(), false);
  for (const std::int32_t face : mesh.hole_faces) {
    if (face >= 0 && static_cast<std::size_t>(face) < is_hole.size()) at(is_hole, face) = true;
  }
  std::size_t corner = 0;
  for (std::size_t face = 0; face < mesh.face_counts.size(); ++face) {
    const std::int32_t count = mesh.face_counts[face];
    if (count < 0 || corner + static_cast<std::size_t>(count) > mesh.face_indices.size()) break;
    for (std::int32_t i = 2; i < count && !is_hole[face]; ++i) {
      const std::int32_t a = mesh.face_indices[corner];
      const std::int32_t b = mesh.face_indices[corner + static_cast<std::size_t>(i) - 1];
      const std::int32_t c = mesh.face_indices[corner + static_cast<std::size_t>(i)];
      if (!is_point(a) || !is_point(b) || !is_point(c) || a == b || b == c || a == c) continue;
      if (turned) {
        result.triangles.push_back({a, c, b});
      } else {
        result.triangles.push_back({a, b, c});
      }
    }
    corner += static_cast<std::size_t>(count);
  }
  return result;
}

bool is_closed(const std::vector<Triangle>& triangles) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
  }
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto back = edges.find({edge.first.second, edge.first.first});
    return edge.second == 1 && back != edges.end() && back->second == 1;
  });
}

// Of a hull and what it is the hull of.
double ratio(double hull, double solid) {
  return solid > 0.0 && std::isfinite(hull / solid) ? hull / solid : 1.0;
}

}  // namespace

HullMesh hull_of(const Shape& shape, int segments) {
  std::vector<Vector3d> points;
  std::visit(AddPoints{points, std::max(3, segments)}, shape.geometry);
  HullMesh hull = hull_of_points(std::move(points));
  Diagnostics unused;
  if (std::holds_alternative<MeshShape>(shape.geometry)) {
    const HullMesh surface = mesh_triangles(std::get<MeshShape>(shape.geometry));
    if (is_closed(surface.triangles)) {
      hull.volume_ratio = ratio(volume_of(hull), std::abs(volume_of(surface)));
    }
  } else if (const std::optional<Solid> solid = solid_of(shape, unused)) {
    hull.volume_ratio = ratio(volume_of(hull), solid->volume);
  }
  return hull;
}

HullMesh triangles_of(const Shape& shape, int segments) {
  if (!std::holds_alternative<MeshShape>(shape.geometry)) return hull_of(shape, segments);
  HullMesh mesh = mesh_triangles(std::get<MeshShape>(shape.geometry));
  if (is_closed(mesh.triangles) && volume_of(mesh) < 0.0) {
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  compact(mesh);
  return mesh;
}

std::vector<HullMesh> parts_of(const Shape& shape, int segments) {
  if (!std::holds_alternative<MeshShape>(shape.geometry)) return {hull_of(shape, segments)};
  const HullMesh surface = mesh_triangles(std::get<MeshShape>(shape.geometry));
  std::vector<std::int32_t> leader(surface.points.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](std::int32_t i) {
    while (at(leader, i) != i) i = at(leader, i) = at(leader, at(leader, i));
    return i;
  };
  for (const Triangle& t : surface.triangles) {
    at(leader, find(t[1])) = find(t[0]);
    at(leader, find(t[2])) = find(t[0]);
  }
  std::map<std::int32_t, std::vector<Triangle>> pieces;
  for (const Triangle& t : surface.triangles) pieces[find(t[0])].push_back(t);
  std::vector<HullMesh> parts;
  for (auto& [root, triangles] : pieces) {
    HullMesh piece{surface.points, triangles};
    compact(piece);
    HullMesh hull = hull_of_points(piece.points);
    if (is_closed(triangles))
      hull.volume_ratio = ratio(volume_of(hull), std::abs(volume_of(piece)));
    if (hull.is_flat) hull.triangles = piece.triangles;
    parts.push_back(std::move(hull));
  }
  if (parts.empty() && !surface.points.empty()) parts.push_back(hull_of(shape, segments));
  return parts;
}

namespace {

// The corners of the convex outline of points in a plane, around it.
std::vector<Vector2d> outline_of(std::vector<Vector2d> points) {
  sort_range(points.begin(), points.end(), [](const Vector2d& a, const Vector2d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  std::vector<Vector2d> outline;
  const auto add_side = [&](auto first, auto last) {
    const std::size_t start = outline.size();
    for (; first != last; ++first) {
      while (outline.size() > start + 1) {
        const Vector2d u = outline.back() - outline[outline.size() - 2];
        const Vector2d v = *first - outline.back();
        if (u.x() * v.y() - u.y() * v.x() > 0.0) break;
        outline.pop_back();
      }
      outline.push_back(*first);
    }
    outline.pop_back();  // The other side begins with it.
  };
  add_side(points.begin(), points.end());
  add_side(points.rbegin(), points.rend());
  if (outline.empty()) outline.push_back(points.front());
  return outline;
}

}  // namespace

HullBox flat_box(const HullMesh& mesh, double thickness) {
  HullBox box;
  box.half_extents.setConstant(thickness / 2.0);
  if (mesh.points.empty()) return box;
  const Vector3d origin = mesh.points.front();
  Vector3d up = Vector3d::Zero();
  for (const Triangle& t : mesh.triangles) {
    up += (at(mesh.points, t[1]) - at(mesh.points, t[0]))
              .cross(at(mesh.points, t[2]) - at(mesh.points, t[0]));
  }
  // Two directions in the plane: the longest from the first point, and the one farthest off it.
  Vector3d along = Vector3d::Zero();
  for (const Vector3d& point : mesh.points) {
    if ((point - origin).squaredNorm() > along.squaredNorm()) along = point - origin;
  }
  const double reach = along.norm();
  if (along.squaredNorm() == 0.0) along = Vector3d::UnitX();
  along.normalize();
  Vector3d across = Vector3d::Zero();
  for (const Vector3d& point : mesh.points) {
    const Vector3d off = point - origin - along * along.dot(point - origin);
    if (off.squaredNorm() > across.squaredNorm()) across = off;
  }
  if (across.norm() <= 1e-9 * reach) across = along.unitOrthogonal();
  across.normalize();
  Vector3d normal = along.cross(across);
  if (normal.dot(up) < 0.0) {
    normal = -normal;
    across = -across;
  }
  double low_z = std::numeric_limits<double>::infinity();
  double high_z = -low_z;
  std::vector<Vector2d> flat;
  flat.reserve(mesh.points.size());
  for (const Vector3d& point : mesh.points) {
    const Vector3d local = point - origin;
    if (!local.allFinite()) continue;
    flat.emplace_back(along.dot(local), across.dot(local));
    low_z = std::min(low_z, normal.dot(local));
    high_z = std::max(high_z, normal.dot(local));
  }
  if (flat.empty()) return box;
  low_z = std::min(low_z, high_z - thickness);
  // The smallest rectangle around the points has a side along one of their outline.
  const std::vector<Vector2d> outline = outline_of(std::move(flat));
  double best = std::numeric_limits<double>::infinity();
  const auto try_direction = [&](const Vector2d& direction) {
    const Vector2d x = direction.normalized();
    if (!x.allFinite() || x.squaredNorm() < 0.5) return;
    const Vector2d y(-x.y(), x.x());
    Vector2d low = Vector2d::Constant(std::numeric_limits<double>::infinity());
    Vector2d high = -low;
    for (const Vector2d& point : outline) {
      const Vector2d local(x.dot(point), y.dot(point));
      low = low.cwiseMin(local);
      high = high.cwiseMax(local);
    }
    const double area = (high - low).prod();
    if (!(area < best * (1.0 - 1e-9))) return;
    best = area;
    const Vector3d lowest(low.x(), low.y(), low_z);
    const Vector3d highest(high.x(), high.y(), high_z);
    Eigen::Matrix3d axes;
    axes.col(0) = along * x.x() + across * x.y();
    axes.col(1) = along * y.x() + across * y.y();
    axes.col(2) = normal;
    box.pose.rotation = Quatd(axes);
    box.pose.position = origin + axes * ((lowest + highest) / 2.0);
    box.half_extents = ((highest - lowest) / 2.0).cwiseMax(thickness / 2.0);
  };
  constexpr std::size_t kMostTried = 256;
  const std::size_t step = outline.size() / kMostTried + 1;
  for (std::size_t i = 0; i < outline.size(); i += step) {
    try_direction(outline[(i + 1) % outline.size()] - outline[i]);
  }
  try_direction(Vector2d::UnitX());
  return box;
}

HullBox bounding_box(const MeshShape& mesh) noexcept {
  HullBox box;
  if (mesh.geometry == nullptr || mesh.geometry->points.empty()) return box;
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = -low;
  for (const Vector3f& point : mesh.geometry->points) {
    const Vector3d p = point.cast<double>().cwiseProduct(mesh.mesh_scale.cast<double>());
    if (!p.allFinite()) continue;
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if (!low.allFinite()) return box;
  box.pose.position = (low + high) / 2.0;
  box.half_extents = (high - low) / 2.0;
  return box;
}

double bounding_radius(const MeshShape& mesh) noexcept {
  if (mesh.geometry == nullptr) return 0.0;
  const Vector3d center = bounding_box(mesh).pose.position;
  double radius = 0.0;
  for (const Vector3f& point : mesh.geometry->points) {
    const Vector3d p = point.cast<double>().cwiseProduct(mesh.mesh_scale.cast<double>());
    if (p.allFinite()) radius = std::max(radius, (p - center).norm());
  }
  return radius;
}

}  // namespace sinew::physics
