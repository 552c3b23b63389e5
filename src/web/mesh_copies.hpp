// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>

#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/stage/prim.hpp"
#include "web/static_mesh.hpp"

namespace sinew::web {

/// Places the copies of what PointInstancers show, at one time.
class MeshCopies {
 public:
  /// @param transforms  Of the time; must outlive this.
  MeshCopies(geom::TransformCache& transforms, double meters_per_unit)
      : transforms_(transforms), meters_(meters_per_unit) {}

  /// Writes StaticMesh::copies. Of all meshes together, instances beyond a million that would have
  /// to be looked at are left out.
  void place(StaticMesh& mesh);

  /// Whether the copies are the same at all times.
  static bool stay(const StaticMesh& mesh);

 private:
  void place(StaticMesh& mesh, std::size_t step, const Matrix4d& world);
  const geom::PointInstances& shown_by(const stage::Prim& instancer);

  geom::TransformCache& transforms_;
  double meters_;
  std::unordered_map<stage::Prim, geom::PointInstances> shown_;
  std::size_t left_ = 1'000'000;
};

}  // namespace sinew::web
