// SPDX-License-Identifier: Apache-2.0
#include "physics/hull.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace sinew::physics {
namespace {

// Where Qhull writes its complaints: it insists on a stream, and this library prints nothing.
class NullStream {
 public:
#if defined(_WIN32)
  NullStream() : stream_(std::fopen("NUL", "w")) {}
#else
  NullStream() : stream_(std::fopen("/dev/null", "w")) {}
#endif
  NullStream(const NullStream&) = delete;
  NullStream& operator=(const NullStream&) = delete;
  ~NullStream() {
    if (stream_ != nullptr) std::fclose(stream_);
  }
  std::FILE* get() const noexcept {
    return stream_;
  }

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

  // Adds the hull, seen from the origin of `moments`, which must lie inside it.
  void add_facets(Moments& moments) {
    // FORALLfacets and the like refer to a variable of this name.
    qhT* qh = &qh_;
    facetT* facet = nullptr;
    FORALLfacets {
      if (!facet->simplicial || qh_setsize(qh, facet->vertices) != 3) continue;
      std::array<Vector3d, 3> corner;
      std::size_t count = 0;
      vertexT* vertex = nullptr;
      vertexT** vertexp = nullptr;
      FOREACHvertex_(facet->vertices) {
        corner[count++] =
            Vector3d(vertex->point[0], vertex->point[1], vertex->point[2]) - moments.origin;
      }
      // Seen from inside, every facet adds a positive volume.
      if (corner[0].dot(corner[1].cross(corner[2])) < 0.0) std::swap(corner[1], corner[2]);
      moments.add_tetrahedron(corner[0], corner[1], corner[2]);
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

HullStatus hull_moments(const std::vector<Vector3d>& points, Moments& moments) {
  moments = Moments{};
  if (points.size() < 4) return HullStatus::flat;
  if (points.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 3) {
    return HullStatus::failed;
  }
  Vector3d min = points.front();
  Vector3d max = points.front();
  for (const Vector3d& point : points) {
    min = min.cwiseMin(point);
    max = max.cwiseMax(point);
  }
  const Vector3d extent = max - min;
  if (!(extent.minCoeff() > 0.0)) return HullStatus::flat;

  // Hulls follow affine maps, so the points are brought into a cube, where Qhull's tolerances suit
  // thin plates and long rods as well as anything else. The volume integrals are mapped back.
  std::vector<double> coordinates;
  coordinates.reserve(points.size() * 3);
  Moments unit;
  for (const Vector3d& point : points) {
    for (int i = 0; i < 3; ++i) {
      coordinates.push_back(2.0 * ((point[i] - min[i]) / extent[i]) - 1.0);
    }
    const std::size_t last = coordinates.size() - 3;
    unit.origin += Vector3d(coordinates[last], coordinates[last + 1], coordinates[last + 2]);
  }
  unit.origin /= static_cast<double>(points.size());  // The mean of all points is inside.

  const NullStream errors;
  if (errors.get() == nullptr) return HullStatus::failed;
  Qhull qhull(coordinates, errors.get());
  int exit_code = qhull.run("qhull Qt Pp");
  if (exit_code == qh_ERRsingular) return HullStatus::flat;
  if (exit_code != 0) exit_code = qhull.run("qhull QJ Pp");
  if (exit_code != 0) return HullStatus::failed;
  qhull.add_facets(unit);

  const Vector3d half = extent / 2.0;
  const double det = half.prod();
  moments.origin = min + half + half.cwiseProduct(unit.origin);
  moments.volume = det * unit.volume;
  moments.first = det * half.cwiseProduct(unit.first);
  moments.second = det * (half.asDiagonal() * unit.second * half.asDiagonal());
  return HullStatus::ok;
}

}  // namespace sinew::physics
