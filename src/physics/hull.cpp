// SPDX-License-Identifier: Apache-2.0
#include "physics/hull.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "core/files.hpp"
#include "physics/hull_box.hpp"

namespace sinew::physics {
namespace {

// Where Qhull writes its complaints: it insists on a stream, and this library prints nothing.
class NullStream {
 public:
  NullStream() : stream_(open_null_file()) {}
  NullStream(const NullStream&) = delete;
  NullStream& operator=(const NullStream&) = delete;
  ~NullStream() {
    if (stream_ != nullptr) std::fclose(stream_);
  }
  std::FILE* get() const noexcept { return stream_; }

 private:
  std::FILE* stream_;
};

// One Qhull run. Qhull leaves errors by longjmp, which qh_new_qhull itself catches.
class Qhull {
 public:
  Qhull(std::vector<double>& coordinates, std::FILE* errors)
      : coordinates_(coordinates), errors_(errors) {}
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  ~Qhull() { free(); }

  // 0 on success, else Qhull's exit code; 2 means that the points are flat.
  int run(const char* options) {
    free();
    std::array<char, 32> command{};
    std::snprintf(command.data(), command.size(), "%s", options);
    qh_zero(&qh_, errors_);
    live_ = true;
    return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates_.size() / 3), coordinates_.data(),
                        False, command.data(), nullptr, errors_);
  }

  // A facet: its corners relative to a point inside, outwards, and the points that they are.
  struct Facet {
    std::array<Vector3d, 3> corners;
    std::array<std::int32_t, 3> points;
  };

  // Calls `visit` with every facet, seen from `inside`.
  template <typename Visit>
  void for_each_facet(const Vector3d& inside, Visit visit) {
    // FORALLfacets and the like refer to a variable of this name.
    qhT* qh = &qh_;
    facetT* facet = nullptr;
    FORALLfacets {
      if (!facet->simplicial || qh_setsize(qh, facet->vertices) != 3) continue;
      Facet found{};
      std::size_t count = 0;
      vertexT* vertex = nullptr;
      vertexT** vertexp = nullptr;
      FOREACHvertex_(facet->vertices) {
        found.points[count] = static_cast<std::int32_t>(qh_pointid(qh, vertex->point));
        found.corners[count++] =
            Vector3d(vertex->point[0], vertex->point[1], vertex->point[2]) - inside;
      }
      // Seen from inside, every facet adds a positive volume.
      if (found.corners[0].dot(found.corners[1].cross(found.corners[2])) < 0.0) {
        std::swap(found.corners[1], found.corners[2]);
        std::swap(found.points[1], found.points[2]);
      }
      visit(found);
    }
  }

 private:
  void free() {
    if (!live_) return;
    live_ = false;
    qh_freeqhull(&qh_, !qh_ALL);
    int blocks = 0;
    int bytes = 0;
    qh_memfreeshort(&qh_, &blocks, &bytes);
  }

  std::vector<double>& coordinates_;
  std::FILE* errors_;
  qhT qh_{};
  bool live_ = false;
};

}  // namespace

namespace {

// Brings the points into a cube. Calls `use` with the finished run, the box and a point inside the
// cube's hull.
template <typename Use>
HullStatus run_in_cube(const std::vector<Vector3d>& points, Use use) {
  HullBounds box;
  const HullStatus status = HullBounds::of(points, box);
  if (status != HullStatus::ok) return status;

  std::vector<double> coordinates;
  coordinates.reserve(points.size() * 3);
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& point : points) {
    for (int i = 0; i < 3; ++i) {
      coordinates.push_back(box.in_cube(point, i));
    }
    const std::size_t last = coordinates.size() - 3;
    inside += Vector3d(coordinates[last], coordinates[last + 1], coordinates[last + 2]);
  }
  inside /= static_cast<double>(points.size());  // The mean of all points is inside.

  const NullStream errors;
  if (errors.get() == nullptr) return HullStatus::failed;
  Qhull qhull(coordinates, errors.get());
  int exit_code = qhull.run("qhull Qt Pp");
  if (exit_code == qh_ERRsingular) return HullStatus::flat;
  if (exit_code != 0) exit_code = qhull.run("qhull QJ Pp");
  if (exit_code != 0) return HullStatus::failed;
  use(qhull, box, inside);
  return HullStatus::ok;
}

}  // namespace

HullStatus hull_moments(const std::vector<Vector3d>& points, Moments& moments) {
  moments = Moments{};
  return run_in_cube(points, [&](Qhull& qhull, const HullBounds& box, const Vector3d& inside) {
    Moments unit;
    unit.origin = inside;
    qhull.for_each_facet(inside, [&](const Qhull::Facet& facet) {
      unit.add_tetrahedron(facet.corners[0], facet.corners[1], facet.corners[2]);
    });
    box.take_moments(unit, moments);
  });
}

HullStatus hull_triangles(const std::vector<Vector3d>& points,
                          std::vector<std::array<std::int32_t, 3>>& triangles) {
  triangles.clear();
  return run_in_cube(points, [&](Qhull& qhull, const HullBounds&, const Vector3d& inside) {
    qhull.for_each_facet(inside,
                         [&](const Qhull::Facet& facet) { triangles.push_back(facet.points); });
  });
}

}  // namespace sinew::physics
