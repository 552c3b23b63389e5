// SPDX-License-Identifier: Apache-2.0
#include "physics/qhull_facets.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "core/files.hpp"

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

  // The points of every facet, in the order that `inside` is behind it.
  void take(const Vector3d& inside, std::vector<std::array<std::int32_t, 3>>& facets) {
    // FORALLfacets and the like refer to a variable of this name.
    qhT* qh = &qh_;
    facetT* facet = nullptr;
    FORALLfacets {
      if (!facet->simplicial || qh_setsize(qh, facet->vertices) != 3) continue;
      std::array<std::int32_t, 3> points{};
      std::array<Vector3d, 3> corners;
      std::size_t count = 0;
      vertexT* vertex = nullptr;
      vertexT** vertexp = nullptr;
      FOREACHvertex_(facet->vertices) {
        points[count] = static_cast<std::int32_t>(qh_pointid(qh, vertex->point));
        corners[count++] = Vector3d(vertex->point[0], vertex->point[1], vertex->point[2]) - inside;
      }
      // Seen from inside, every facet adds a positive volume.
      if (corners[0].dot(corners[1].cross(corners[2])) < 0.0) std::swap(points[1], points[2]);
      facets.push_back(points);
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

HullStatus qhull_facets(const std::vector<Vector3d>& points,
                        std::vector<std::array<std::int32_t, 3>>& facets) {
  facets.clear();
  std::vector<double> coordinates;
  coordinates.reserve(points.size() * 3);
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& point : points) {
    for (int i = 0; i < 3; ++i) coordinates.push_back(point[i]);
    inside += point;
  }
  inside /= static_cast<double>(points.size());  // The mean of all points is inside.

  const NullStream errors;
  if (errors.get() == nullptr) return HullStatus::failed;
  Qhull qhull(coordinates, errors.get());
  int exit_code = qhull.run("qhull Qt Pp");
  if (exit_code == qh_ERRsingular) return HullStatus::flat;
  if (exit_code != 0) exit_code = qhull.run("qhull QJ Pp");
  if (exit_code != 0) return HullStatus::failed;
  qhull.take(inside, facets);
  return HullStatus::ok;
}

}  // namespace sinew::physics
