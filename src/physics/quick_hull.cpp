// SPDX-License-Identifier: Apache-2.0
#include "physics/quick_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace sinew::physics {

namespace {

constexpr double kFlatHull = 1e-12;  // Of coordinates between -1 and 1.

/// A place on a grid of 2^30 steps along each edge of the cube, a fiftieth of what floats in it are
/// apart. Then on which side of a plane it lies is told by whole numbers of 64 bits, exactly:
/// rounding can neither fold a face over nor open a gap beside it.
using Place = std::array<std::int64_t, 3>;

Place grid_place(const Vector3d& point) {
  constexpr double kSteps = 536'870'912.0;  // From the middle.
  Place place{};
  for (int i = 0; i < 3; ++i) {
    const double inside = std::max(-1.0, std::min(1.0, point[i]));  // Also of what is no number.
    place[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::nearbyint(inside * kSteps));
  }
  return place;
}

Place operator-(const Place& a, const Place& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Of differences of places, which are 2^30 at most: below 2^62.
Place cross(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The product of a cross() and a difference, which has up to 94 bits. The sign is exact.
double dot(const Place& normal, const Place& difference) {
  constexpr std::int64_t kLow = (std::int64_t{1} << 31) - 1;
  std::int64_t high = 0;
  std::int64_t low = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    high += (normal[i] >> 31) * difference[i];
    low += (normal[i] & kLow) * difference[i];
  }
  high += low >> 31;
  return static_cast<double>(high) * 2'147'483'648.0 + static_cast<double>(low & kLow);
}

/// A triangle of the hull so far, with the points outside of it that no other face has.
struct Face {
  std::array<std::int32_t, 3> corners{};
  std::array<std::int32_t, 3> neighbors{};  // Beyond the edge from corner i to corner i + 1.
  Place normal{};
  double per_length = 0.0;  // One by the length of the normal.
  std::vector<std::int32_t> outside;
  std::int32_t farthest = 0;
  double height = 0.0;
  bool is_gone = false;
};

/// An edge between what a point sees and what it does not.
struct HorizonEdge {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int32_t beyond = 0;  // The face that stays.
};

class QuickHull {
 public:
  QuickHull(const std::vector<Vector3d>& points, std::uint64_t work)
      : points_(points), work_left_(work * points.size()) {}

  HullStatus run() {
    if (!begin()) return HullStatus::flat;
    std::vector<std::int32_t> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    if (!assign(all)) return HullStatus::failed;
    // In the order in which faces were made, so that the hull grows everywhere alike. The last
    // first would lead around a circle of points, and each would see most of its fan of faces.
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      const std::int32_t face = pending_[next];
      if (faces_[index(face)].is_gone || faces_[index(face)].outside.empty()) continue;
      if (!add(face)) return HullStatus::failed;
    }
    return HullStatus::ok;
  }

  void take(std::vector<std::array<std::int32_t, 3>>& facets) const {
    for (const Face& face : faces_) {
      if (!face.is_gone) facets.push_back(face.corners);
    }
  }

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  const Vector3d& point(std::int32_t i) const { return points_[index(i)]; }
  const Place& place(std::int32_t i) const { return places_[index(i)]; }
  /// In steps of the grid; its sign is exact.
  double height(const Face& face, std::int32_t i) const {
    return dot(face.normal, place(i) - place(face.corners[0])) * face.per_length;
  }

  /// The point that `measure` is largest of, and by how much.
  template <typename Measure>
  std::pair<std::int32_t, double> farthest(Measure measure) const {
    std::pair<std::int32_t, double> best{0, -1.0};
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double value = measure(points_[i]);
      if (value > best.second) best = {static_cast<std::int32_t>(i), value};
    }
    return best;
  }

  Place normal_of(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return cross(place(b) - place(a), place(c) - place(a));
  }

  /// Adds a face to those that were made last.
  std::int32_t make_face(std::int32_t a, std::int32_t b, std::int32_t c) {
    if (gone_.empty()) {
      gone_.push_back(static_cast<std::int32_t>(faces_.size()));
      faces_.emplace_back();
    }
    const std::int32_t which = gone_.back();
    gone_.pop_back();
    Face& face = faces_[index(which)];  // What is gone has no points.
    face.is_gone = false;
    face.height = 0.0;
    face.corners = {a, b, c};
    face.normal = normal_of(a, b, c);
    const Vector3d normal(static_cast<double>(face.normal[0]), static_cast<double>(face.normal[1]),
                          static_cast<double>(face.normal[2]));
    face.per_length = 1.0 / normal.norm();
    made_.push_back(which);
    return which;
  }

  /// A tetrahedron of points far from each other.
  bool begin() {
    const auto [a, unused] = farthest([](const Vector3d& p) { return 2.0 - p.x(); });
    const Vector3d first = point(a);
    const auto [b, length] = farthest([&](const Vector3d& p) { return (p - first).norm(); });
    if (length <= kFlatHull) return false;
    const Vector3d along = (point(b) - first) / length;
    const auto [c, width] =
        farthest([&](const Vector3d& p) { return (p - first).cross(along).norm(); });
    if (width <= kFlatHull) return false;
    const Vector3d across = (point(c) - first).cross(along).normalized();
    const auto [d, depth] =
        farthest([&](const Vector3d& p) { return std::abs((p - first).dot(across)); });
    if (depth <= kFlatHull) return false;
    places_.reserve(points_.size());
    for (const Vector3d& p : points_) places_.push_back(grid_place(p));
    // The fourth point must be behind the face of the first three.
    const double side = dot(normal_of(a, b, c), place(d) - place(a));
    if (side == 0.0) return false;
    const std::int32_t e = side > 0.0 ? c : b;
    const std::int32_t f = side > 0.0 ? b : c;
    make_face(a, e, f);
    make_face(a, d, e);
    make_face(e, d, f);
    make_face(f, d, a);
    faces_[0].neighbors = {1, 2, 3};
    faces_[1].neighbors = {3, 2, 0};
    faces_[2].neighbors = {1, 3, 0};
    faces_[3].neighbors = {2, 1, 0};
    return true;
  }

  /// Gives each point to the first of the faces made last that it lies outside of.
  /// @return Whether there was work left for it.
  bool assign(const std::vector<std::int32_t>& points) {
    if (work_left_ < made_.size()) return false;
    work_left_ -= made_.size();
    for (const std::int32_t i : points) {
      for (const std::int32_t f : made_) {
        if (work_left_-- == 0) return false;
        Face& face = faces_[index(f)];
        const double above = height(face, i);
        if (above <= 0.0) continue;
        if (face.outside.empty()) pending_.push_back(f);
        face.outside.push_back(i);
        if (above > face.height) {
          face.height = above;
          face.farthest = i;
        }
        break;
      }
    }
    return true;
  }

  /// Replaces all that the farthest point of a face sees by faces to that point.
  bool add(std::int32_t start) {
    const std::int32_t eye = faces_[index(start)].farthest;
    find_horizon(start, eye);
    made_.clear();
    // The edges are one closed loop, in order.
    const auto count = static_cast<std::int32_t>(horizon_.size());
    for (const HorizonEdge& edge : horizon_) make_face(edge.from, edge.to, eye);
    for (std::int32_t i = 0; i < count; ++i) {
      const HorizonEdge& edge = horizon_[index(i)];
      const std::int32_t made = made_[index(i)];
      faces_[index(made)].neighbors = {edge.beyond, made_[index((i + 1) % count)],
                                       made_[index((i + count - 1) % count)]};
      Face& beyond = faces_[index(edge.beyond)];
      for (std::size_t k = 0; k < 3; ++k) {
        if (beyond.corners[k] == edge.to && beyond.corners[(k + 1) % 3] == edge.from) {
          beyond.neighbors[k] = made;
        }
      }
    }
    return assign(orphans_);
  }

  /// Walks over all faces that a point sees, in such an order that the edges around them follow
  /// each other.
  void find_horizon(std::int32_t start, std::int32_t eye) {
    struct Step {
      std::int32_t face;
      std::size_t edge;   // The next to look at,
      std::size_t count;  // of so many.
    };
    horizon_.clear();
    orphans_.clear();
    std::vector<Step> steps;
    const auto enter = [&](std::int32_t which, std::size_t edge, std::size_t count) {
      Face& face = faces_[index(which)];
      face.is_gone = true;
      gone_.push_back(which);
      for (const std::int32_t i : face.outside) {
        if (i != eye) orphans_.push_back(i);
      }
      face.outside = {};
      steps.push_back({which, edge, count});
    };
    enter(start, 0, 3);
    while (!steps.empty()) {
      Step& step = steps.back();
      if (step.count == 0) {
        steps.pop_back();
        continue;
      }
      const std::size_t k = step.edge;
      step.edge = (k + 1) % 3;
      --step.count;
      const Face& face = faces_[index(step.face)];
      const std::int32_t from = face.corners[k];
      const std::int32_t to = face.corners[(k + 1) % 3];
      const std::int32_t next = face.neighbors[k];
      Face& other = faces_[index(next)];
      if (other.is_gone) continue;
      if (height(other, eye) <= 0.0) {
        horizon_.push_back({from, to, next});
        continue;
      }
      std::size_t entry = 0;
      while (entry < 2 && other.corners[entry] != to) ++entry;
      enter(next, (entry + 1) % 3, 2);
    }
  }

  const std::vector<Vector3d>& points_;
  std::vector<Place> places_;
  std::vector<Face> faces_;
  std::vector<std::int32_t> gone_;  // Faces whose place may be taken by others.
  std::vector<std::int32_t> made_;
  std::vector<std::int32_t> pending_;  // Faces that got points, in the order in which they did.
  std::vector<HorizonEdge> horizon_;
  std::vector<std::int32_t> orphans_;  // Points that were outside of what is gone.
  std::uint64_t work_left_;
};

}  // namespace

HullStatus quick_hull(const std::vector<Vector3d>& points,
                      std::vector<std::array<std::int32_t, 3>>& facets, std::uint64_t work) {
  facets.clear();
  if (points.size() < 4) return HullStatus::flat;
  QuickHull hull(points, work);
  const HullStatus status = hull.run();
  if (status == HullStatus::ok) hull.take(facets);
  return status;
}

}  // namespace sinew::physics
