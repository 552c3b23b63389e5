// SPDX-License-Identifier: Apache-2.0
#include "physics/small_hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sinew::physics {

namespace {

constexpr double kTolerance = 1e-12;  // Of coordinates between -1 and 1.

/// A triangle of the hull so far, with the points outside of it that no other face has.
struct Face {
  std::array<std::int32_t, 3> corners{};
  std::array<std::int32_t, 3> neighbors{};  // Beyond the edge from corner i to corner i + 1.
  Vector3d normal = Vector3d::Zero();
  double offset = 0.0;
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
  explicit QuickHull(const std::vector<Vector3d>& points) : points_(points) {}

  HullStatus run() {
    if (!begin()) return HullStatus::flat;
    while (!pending_.empty()) {
      const std::int32_t face = pending_.back();
      pending_.pop_back();
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
  double height(const Face& face, std::int32_t i) const {
    return face.normal.dot(point(i)) - face.offset;
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

  std::int32_t make_face(std::int32_t a, std::int32_t b, std::int32_t c) {
    Face& face = faces_.emplace_back();
    face.corners = {a, b, c};
    const Vector3d normal = (point(b) - point(a)).cross(point(c) - point(a));
    const double length = normal.norm();
    if (length > 0.0) face.normal = normal / length;
    face.offset = face.normal.dot(point(a));
    return static_cast<std::int32_t>(faces_.size()) - 1;
  }

  /// A tetrahedron of points far from each other, and who lies outside of it.
  bool begin() {
    const auto [a, unused] = farthest([](const Vector3d& p) { return 2.0 - p.x(); });
    const Vector3d first = point(a);
    const auto [b, length] = farthest([&](const Vector3d& p) { return (p - first).norm(); });
    if (length <= kTolerance) return false;
    const Vector3d along = (point(b) - first) / length;
    const auto [c, width] =
        farthest([&](const Vector3d& p) { return (p - first).cross(along).norm(); });
    if (width <= kTolerance) return false;
    const Vector3d across = (point(c) - first).cross(along).normalized();
    const auto [d, depth] =
        farthest([&](const Vector3d& p) { return std::abs((p - first).dot(across)); });
    if (depth <= kTolerance) return false;
    std::int32_t e = b;
    std::int32_t f = c;
    // The fourth point must be behind the face of the first three.
    const Vector3d normal = (point(e) - first).cross(point(f) - first);
    if (normal.dot(point(d) - first) > 0.0) std::swap(e, f);
    make_face(a, e, f);
    make_face(a, d, e);
    make_face(e, d, f);
    make_face(f, d, a);
    faces_[0].neighbors = {1, 2, 3};
    faces_[1].neighbors = {3, 2, 0};
    faces_[2].neighbors = {1, 3, 0};
    faces_[3].neighbors = {2, 1, 0};
    std::vector<std::int32_t> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    assign(all, 0);
    return true;
  }

  /// Gives each point to the first face from `first` on that it lies outside of.
  void assign(const std::vector<std::int32_t>& points, std::size_t first) {
    for (const std::int32_t i : points) {
      for (std::size_t f = first; f < faces_.size(); ++f) {
        Face& face = faces_[f];
        const double above = height(face, i);
        if (above <= kTolerance) continue;
        if (face.outside.empty()) pending_.push_back(static_cast<std::int32_t>(f));
        face.outside.push_back(i);
        if (above > face.height) {
          face.height = above;
          face.farthest = i;
        }
        break;
      }
    }
  }

  /// Replaces all that the farthest point of a face sees by faces to that point.
  bool add(std::int32_t start) {
    const std::int32_t eye = faces_[index(start)].farthest;
    std::vector<HorizonEdge> horizon;
    std::vector<std::int32_t> orphans;
    find_horizon(start, eye, horizon, orphans);
    // The edges are one closed loop, in order; anything else comes of rounding.
    if (horizon.size() < 3) return false;
    for (std::size_t i = 0; i < horizon.size(); ++i) {
      if (horizon[i].to != horizon[(i + 1) % horizon.size()].from) return false;
    }
    const std::size_t first = faces_.size();
    const auto count = static_cast<std::int32_t>(horizon.size());
    for (std::int32_t i = 0; i < count; ++i) {
      const HorizonEdge& edge = horizon[index(i)];
      const std::int32_t made = make_face(edge.from, edge.to, eye);
      const auto base = static_cast<std::int32_t>(first);
      faces_[index(made)].neighbors = {edge.beyond, base + (i + 1) % count,
                                       base + (i + count - 1) % count};
      Face& beyond = faces_[index(edge.beyond)];
      for (std::size_t k = 0; k < 3; ++k) {
        if (beyond.corners[k] == edge.to && beyond.corners[(k + 1) % 3] == edge.from) {
          beyond.neighbors[k] = made;
        }
      }
    }
    assign(orphans, first);
    return true;
  }

  /// Walks over all faces that a point sees, in such an order that the edges around them follow
  /// each other.
  void find_horizon(std::int32_t start, std::int32_t eye, std::vector<HorizonEdge>& horizon,
                    std::vector<std::int32_t>& orphans) {
    struct Step {
      std::int32_t face;
      std::size_t edge;   // The next to look at,
      std::size_t count;  // of so many.
    };
    std::vector<Step> steps;
    const auto enter = [&](std::int32_t which, std::size_t edge, std::size_t count) {
      Face& face = faces_[index(which)];
      face.is_gone = true;
      for (const std::int32_t i : face.outside) {
        if (i != eye) orphans.push_back(i);
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
      if (height(other, eye) <= kTolerance) {
        horizon.push_back({from, to, next});
        continue;
      }
      std::size_t entry = 0;
      while (entry < 2 && other.corners[entry] != to) ++entry;
      enter(next, (entry + 1) % 3, 2);
    }
  }

  const std::vector<Vector3d>& points_;
  std::vector<Face> faces_;
  std::vector<std::int32_t> pending_;
};

}  // namespace

HullStatus small_hull(const std::vector<Vector3d>& points,
                      std::vector<std::array<std::int32_t, 3>>& facets) {
  facets.clear();
  if (points.size() < 4) return HullStatus::flat;
  QuickHull hull(points);
  const HullStatus status = hull.run();
  if (status == HullStatus::ok) {
    hull.take(facets);
    return status;
  }
  if (status == HullStatus::flat) return status;
  // Once more with every point moved a little, each time in the same way: rounding is what failed.
  std::vector<Vector3d> moved = points;
  std::uint32_t state = 1;
  for (Vector3d& point : moved) {
    for (int i = 0; i < 3; ++i) {
      state = state * 1664525U + 1013904223U;
      point[i] += 1e-9 * (static_cast<double>(state >> 8) / 16777216.0 - 0.5);
    }
  }
  QuickHull again(moved);
  const HullStatus second = again.run();
  if (second == HullStatus::ok) again.take(facets);
  return second;
}

}  // namespace sinew::physics
