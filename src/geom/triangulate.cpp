// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/sort.hpp"
#include "geom/ear_clipper.hpp"
#include "sinew/geom/triangles.hpp"

namespace sinew::geom {
namespace {

// Diagonals that differ by less, squared, are equally long but for rounding.
constexpr double kEqualDiagonals = 1.0 - 1e-5;
// A face whose area is below this part of the squares of its sides has none but for rounding.
constexpr double kNoArea = 1e-14;

// What rounding to single precision may move a point off a line, as a part of its largest number.
constexpr double kRounding = 0x1p-21;

bool is_finite(const Vector3d& v) {
  return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

// Cuts one face after the other.
class Triangulator {
 public:
  Triangulator(const Mesh& mesh, Triangles& triangles)
      : mesh_(mesh),
        triangles_(triangles),
        second_(mesh.left_handed ? 2 : 1),
        third_(mesh.left_handed ? 1 : 2),
        holes_(mesh.hole_faces.begin(), mesh.hole_faces.end()) {
    sort_range(holes_.begin(), holes_.end());
  }

  void run() {
    find_faces();
    triangles_.corners.resize(3 * triangle_count_);
    triangles_.faces.resize(triangle_count_);
    out_ = triangles_.corners.data();
    face_out_ = triangles_.faces.data();
    auto hole = holes_.begin();
    for (face_ = 0; face_ < face_count_; ++face_) {
      count_ = static_cast<std::uint32_t>(mesh_.face_counts[face_]);
      while (hole != holes_.end() && *hole < static_cast<std::int64_t>(face_)) ++hole;
      if (hole != holes_.end() && *hole == static_cast<std::int64_t>(face_)) {
        ++triangles_.hole_faces;
      } else {
        cut_face();
      }
      first_ += count_;
    }
    const auto size = static_cast<std::size_t>(face_out_ - triangles_.faces.data());
    triangles_.corners.resize(3 * size);
    triangles_.faces.resize(size);
  }

 private:
  // Faces up to the first whose corners do not exist.
  void find_faces() {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
    const std::size_t corners = std::min(mesh_.face_indices.size(), kMost);
    const std::size_t faces = std::min(mesh_.face_counts.size(), kMost);
    std::size_t sum = 0;
    for (face_count_ = 0; face_count_ < faces; ++face_count_) {
      const std::int32_t count = mesh_.face_counts[face_count_];
      if (count < 0 || static_cast<std::size_t>(count) > corners - sum) break;
      sum += static_cast<std::size_t>(count);
      triangle_count_ += static_cast<std::size_t>(std::max(count - 2, 0));
    }
    triangles_.broken_faces = mesh_.face_counts.size() - face_count_;
  }

  void cut_face() {
    if (count_ < 3) {
      ++triangles_.small_faces;
      return;
    }
    const std::int32_t* indices = mesh_.face_indices.data() + first_;
    Vector3d sum = Vector3d::Zero();
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto index = static_cast<std::size_t>(indices[i]);  // Huge if negative.
      if (index >= mesh_.points.size()) {
        ++triangles_.broken_faces;
        return;
      }
      sum += point(i);  // Finite numbers of single precision cannot add up to anything else.
    }
    if (!is_finite(sum)) {
      ++triangles_.not_finite_faces;
    } else if (count_ == 3) {
      add(0, 1, 2);
    } else if (count_ == 4) {
      cut_quad();
    } else {
      cut_polygon();
    }
  }

  Vector3d point(std::uint32_t i) const {
    return mesh_.points[static_cast<std::size_t>(mesh_.face_indices[first_ + i])].cast<double>();
  }

  // A triangle of three corners of the face.
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto first = static_cast<std::uint32_t>(first_);
    out_[0] = first + a;
    out_[second_] = first + b;
    out_[third_] = first + c;
    out_ += 3;
    *face_out_++ = static_cast<std::uint32_t>(face_);
  }

  void cut_quad() {
    const Vector3d p0 = point(0);
    const Vector3d a = point(1) - p0;
    const Vector3d b = point(2) - p0;
    const Vector3d c = point(3) - p0;
    const Vector3d across = c - a;
    const Vector3d normal = b.cross(across);
    const double area = normal.squaredNorm();
    const double first_length = b.squaredNorm();
    const double second_length = across.squaredNorm();
    if (area <= kNoArea * kNoArea * first_length * second_length) ++triangles_.flat_faces;
    // How much of the normal the two triangles of each cut have; together they have all of it.
    const double first_share = a.cross(b).dot(normal);
    const double second_share = a.cross(c).dot(normal);
    const double first_worst = std::min(first_share, area - first_share);
    const double second_worst = std::min(second_share, area - second_share);
    const bool both = first_worst > 0.0 && second_worst > 0.0;
    const bool second =
        both ? second_length < kEqualDiagonals * first_length : second_worst > first_worst;
    if (second) {
      add(0, 1, 3);
      add(1, 2, 3);
    } else {
      add(0, 1, 2);
      add(0, 2, 3);
    }
    if (std::max(first_worst, second_worst) < -kNoArea * area) ++triangles_.folded_faces;
  }

  void cut_polygon() {
    // The Newell normal, relative to a corner: exact where all corners are in a coordinate plane.
    const Vector3d origin = point(0);
    Vector3d normal = Vector3d::Zero();
    Vector3d farthest = origin.cwiseAbs();
    double sides = 0.0;
    Vector3d last = Vector3d::Zero();
    for (std::uint32_t i = 1; i <= count_; ++i) {
      const Vector3d next = i == count_ ? Vector3d(Vector3d::Zero()) : point(i) - origin;
      normal += last.cross(next);
      sides += (next - last).squaredNorm();
      farthest = farthest.cwiseMax((next + origin).cwiseAbs());
      last = next;
    }
    const double length = normal.norm();
    if (!(length > kNoArea * sides)) {
      ++triangles_.flat_faces;
      for (std::uint32_t i = 2; i < count_; ++i) add(0, i - 1, i);
      return;
    }
    project(origin, normal / length);
    cuts_.resize(3 * std::size_t{count_ - 2});
    if (!clipper_.clip(flat_, kRounding * farthest.maxCoeff(), cuts_.data()))
      ++triangles_.folded_faces;
    for (std::size_t i = 0; i < cuts_.size(); i += 3) add(cuts_[i], cuts_[i + 1], cuts_[i + 2]);
  }

  // Into the plane across a normal.
  void project(const Vector3d& origin, const Vector3d& normal) {
    Eigen::Index axis = 0;
    normal.cwiseAbs().minCoeff(&axis);
    const Vector3d x = (Vector3d::Unit(axis) - normal[axis] * normal).normalized();
    const Vector3d y = normal.cross(x);
    flat_.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Vector3d offset = point(i) - origin;
      flat_[i] = {x.dot(offset), y.dot(offset)};
    }
  }

  const Mesh& mesh_;
  Triangles& triangles_;
  const std::size_t second_;  // Where the second corner of a triangle is written, and the third.
  const std::size_t third_;
  std::vector<std::int32_t> holes_;  // Ascending.
  std::size_t face_count_ = 0;
  std::size_t triangle_count_ = 0;
  std::uint32_t* out_ = nullptr;
  std::uint32_t* face_out_ = nullptr;

  // The face at hand.
  std::size_t face_ = 0;
  std::size_t first_ = 0;
  std::uint32_t count_ = 0;

  std::vector<Vector2d> flat_;
  std::vector<std::uint32_t> cuts_;
  EarClipper clipper_;
};

}  // namespace

Triangles triangulate(const Mesh& mesh) {
  Triangles triangles;
  Triangulator(mesh, triangles).run();
  return triangles;
}

std::vector<std::uint32_t> triangle_points(const Mesh& mesh, const Triangles& triangles) {
  std::vector<std::uint32_t> points(triangles.corners.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = static_cast<std::uint32_t>(mesh.face_indices[triangles.corners[i]]);
  }
  return points;
}

std::vector<Vector3f> smooth_normals(const Mesh& mesh, const Triangles& triangles) {
  std::vector<Vector3d> sums(mesh.points.size(), Vector3d::Zero());
  const auto point_of = [&](std::size_t corner) {
    return static_cast<std::size_t>(mesh.face_indices[corner]);
  };
  for (std::size_t first = 0; first < triangles.size();) {
    // All triangles of one face. They have n - 2 triangles and each of its n corners, in a row.
    std::size_t end = first;
    std::uint32_t first_corner = triangles.corners[3 * first];
    Vector3d area = Vector3d::Zero();
    for (; end < triangles.size() && triangles.faces[end] == triangles.faces[first]; ++end) {
      const std::uint32_t* corners = &triangles.corners[3 * end];
      first_corner = std::min({first_corner, corners[0], corners[1], corners[2]});
      const Vector3d a = mesh.points[point_of(corners[0])].cast<double>();
      const Vector3d b = mesh.points[point_of(corners[1])].cast<double>() - a;
      const Vector3d c = mesh.points[point_of(corners[2])].cast<double>() - a;
      area += b.cross(c);
    }
    const std::size_t corner_count = end - first + 2;
    for (std::size_t i = 0; i < corner_count; ++i) sums[point_of(first_corner + i)] += area;
    first = end;
  }
  std::vector<Vector3f> normals(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double length = sums[i].norm();
    normals[i] =
        length > 0.0 ? Vector3f((sums[i] / length).cast<float>()) : Vector3f(Vector3f::Zero());
  }
  return normals;
}

}  // namespace sinew::geom
