// SPDX-License-Identifier: Apache-2.0
// Cube, Sphere and so on as meshes.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/writer.hpp"

namespace sinew::exporter {

namespace {

constexpr int kSides = 32;
constexpr int kBands = 16;  // Of a sphere, from pole to pole.
constexpr double kPi = 3.14159265358979323846;

/// A circle around the axis, and the normal there in its half plane.
struct Ring {
  double radius;
  double height;
  double normal_radius;
  double normal_height;
};

/// Makes a surface of bands between rings.
class Lathe {
 public:
  Lathe(Axis axis, std::vector<Vector3f>& normals) : axis_(axis), normals_(normals) {}

  void add_band(const Ring& low, const Ring& high) {
    if (!(low.radius > 0.0) && !(high.radius > 0.0)) return;
    const std::int32_t a = points_of(low), b = points_of(high);
    for (int side = 0; side < kSides; ++side) {
      const int next = (side + 1) % kSides;
      if (low.radius > 0.0) {
        add_corner(a + side, low, side);
        add_corner(a + next, low, side + 1);
      } else {
        add_corner(a, low, side);
      }
      if (high.radius > 0.0) {
        add_corner(b + next, high, side + 1);
        add_corner(b + side, high, side);
      } else {
        add_corner(b, high, side);
      }
      counts_.push_back(low.radius > 0.0 && high.radius > 0.0 ? 4 : 3);
    }
  }

  /// A flat disc; `up`: seen from above.
  void add_disc(double radius, double height, bool up) {
    const double normal = up ? 1.0 : -1.0;
    const Ring rim = {radius, height, 0.0, normal}, centre = {0.0, height, 0.0, normal};
    if (up) {
      add_band(rim, centre);
    } else {
      add_band(centre, rim);
    }
  }

  geom::Mesh mesh() const { return geom::Mesh::copy_of(points_, counts_, indices_); }

 private:
  Vector3f placed(double x, double y, double z) const {
    const Vector3f v = Vector3d(x, y, z).cast<float>();
    switch (axis_) {
      case Axis::x:
        return {v.z(), v.x(), v.y()};
      case Axis::y:
        return {v.y(), v.z(), v.x()};
      case Axis::z:
        break;
    }
    return v;
  }

  std::int32_t points_of(const Ring& ring) {
    if (last_ && last_->radius == ring.radius && last_->height == ring.height) return last_start_;
    const auto start = static_cast<std::int32_t>(points_.size());
    const int count = ring.radius > 0.0 ? kSides : 1;
    for (int side = 0; side < count; ++side) {
      const auto [cosine, sine] = direction(side);
      points_.push_back(placed(ring.radius * cosine, ring.radius * sine, ring.height));
    }
    last_ = ring;
    last_start_ = start;
    return start;
  }

  // Exact at the quarters, so that boxes around shapes are.
  static std::pair<double, double> direction(int side) {
    constexpr std::array<std::pair<double, double>, 4> kQuarters = {
        {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}}};
    side %= kSides;
    if (side % (kSides / 4) == 0) return kQuarters[static_cast<std::size_t>(side / (kSides / 4))];
    const double angle = 2.0 * kPi * side / kSides;
    return {std::cos(angle), std::sin(angle)};
  }

  void add_corner(std::int32_t point, const Ring& ring, int side) {
    const auto [cosine, sine] = direction(side);
    indices_.push_back(point);
    normals_.push_back(
        placed(ring.normal_radius * cosine, ring.normal_radius * sine, ring.normal_height)
            .normalized());
  }

  Axis axis_;
  std::vector<Vector3f>& normals_;
  std::vector<Vector3f> points_;
  std::vector<std::int32_t> counts_, indices_;
  std::optional<Ring> last_;
  std::int32_t last_start_ = 0;
};

/// Part of a ball, from one latitude to another, in degrees.
void add_ball(Lathe& lathe, double radius, double centre, int first, int last, int bands) {
  const auto ring = [&](int i) -> Ring {
    const int degrees = first + (last - first) * i / bands;
    const double fraction = first + (last - first) * static_cast<double>(i) / bands;
    const double angle = fraction * kPi / 180.0;
    if (degrees == 90 || degrees == -90)
      return {0.0, centre + radius * degrees / 90, 0.0, degrees / 90.0};
    if (fraction == 0.0) return {radius, centre, 1.0, 0.0};
    return {radius * std::cos(angle), centre + radius * std::sin(angle), std::cos(angle),
            std::sin(angle)};
  };
  for (int i = 0; i < bands; ++i) lathe.add_band(ring(i), ring(i + 1));
}

void add_side(Lathe& lathe, double bottom, double top, double height) {
  const double length = std::hypot(height, bottom - top);
  const double normal_radius = length > 0.0 ? height / length : 1.0;
  const double normal_height = length > 0.0 ? (bottom - top) / length : 0.0;
  lathe.add_band({bottom, -height / 2, normal_radius, normal_height},
                 {top, height / 2, normal_radius, normal_height});
}

geom::Mesh cube_mesh(double size) {
  const auto h = static_cast<float>(size / 2);
  std::vector<Vector3f> points;
  for (int i = 0; i < 8; ++i) {
    points.emplace_back((i & 1) != 0 ? h : -h, (i & 2) != 0 ? h : -h, (i & 4) != 0 ? h : -h);
  }
  const std::vector<std::int32_t> counts(6, 4);
  const std::vector<std::int32_t> indices = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                             2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return geom::Mesh::copy_of(points, counts, indices);
}

geom::Mesh plane_mesh(const geom::Plane& plane, double meters) {
  const auto w = static_cast<float>(std::abs(plane.width) * meters / 2);
  const auto l = static_cast<float>(std::abs(plane.length) * meters / 2);
  std::vector<Vector3f> points;
  switch (plane.axis) {
    case Axis::x:  // Width along z, length along y.
      points = {{0, -l, -w}, {0, l, -w}, {0, l, w}, {0, -l, w}};
      break;
    case Axis::y:  // Width along x, length along z.
      points = {{-w, 0, l}, {w, 0, l}, {w, 0, -l}, {-w, 0, -l}};
      break;
    case Axis::z:
      points = {{-w, -l, 0}, {w, -l, 0}, {w, l, 0}, {-w, l, 0}};
      break;
  }
  const std::vector<std::int32_t> counts = {4}, indices = {0, 1, 2, 3};
  geom::Mesh mesh = geom::Mesh::copy_of(points, counts, indices);
  mesh.double_sided = plane.double_sided;
  return mesh;
}

}  // namespace

std::string shape_key(const geom::Shape& shape) {
  std::string key = format_text("shape:{}", shape.index());
  const auto add = [&key](double value) { key += format_text(":{}", value); };
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.axis; }) add(static_cast<double>(s.axis));
        if constexpr (requires { s.size; }) add(s.size);
        if constexpr (requires { s.radius; }) add(s.radius);
        if constexpr (requires { s.height; }) add(s.height);
        if constexpr (requires { s.radius_top; }) {
          add(s.radius_bottom);
          add(s.radius_top);
        }
        if constexpr (requires { s.width; }) {
          add(s.width);
          add(s.length);
        }
      },
      shape);
  return key;
}

geom::Mesh shape_mesh(const geom::Shape& shape, double meters, std::vector<Vector3f>& normals) {
  const auto size = [meters](double value) { return std::min(std::abs(value) * meters, 1e30); };
  geom::Mesh mesh;
  if (const auto* sphere = std::get_if<geom::Sphere>(&shape)) {
    Lathe lathe(Axis::z, normals);
    add_ball(lathe, size(sphere->radius), 0.0, -90, 90, kBands);
    mesh = lathe.mesh();
  } else if (const auto* cube = std::get_if<geom::Cube>(&shape)) {
    return cube_mesh(size(cube->size));
  } else if (const auto* cylinder = std::get_if<geom::Cylinder>(&shape)) {
    Lathe lathe(cylinder->axis, normals);
    const double height = size(cylinder->height);
    const double bottom = size(cylinder->radius_bottom), top = size(cylinder->radius_top);
    if (bottom > 0.0) lathe.add_disc(bottom, -height / 2, false);
    add_side(lathe, bottom, top, height);
    if (top > 0.0) lathe.add_disc(top, height / 2, true);
    mesh = lathe.mesh();
  } else if (const auto* cone = std::get_if<geom::Cone>(&shape)) {
    Lathe lathe(cone->axis, normals);
    const double height = size(cone->height), radius = size(cone->radius);
    if (radius > 0.0) lathe.add_disc(radius, -height / 2, false);
    add_side(lathe, radius, 0.0, height);
    mesh = lathe.mesh();
  } else if (const auto* capsule = std::get_if<geom::Capsule>(&shape)) {
    Lathe lathe(capsule->axis, normals);
    const double height = size(capsule->height);
    const double bottom = size(capsule->radius_bottom), top = size(capsule->radius_top);
    add_ball(lathe, bottom, -height / 2, -90, 0, kBands / 2);
    add_side(lathe, bottom, top, height);
    add_ball(lathe, top, height / 2, 0, 90, kBands / 2);
    mesh = lathe.mesh();
  } else if (const auto* plane = std::get_if<geom::Plane>(&shape)) {
    return plane_mesh(*plane, meters);
  }
  mesh.normals.values = normals;
  mesh.normals.interpolation = geom::PrimvarInterpolation::face_varying;
  return mesh;
}

}  // namespace sinew::exporter
