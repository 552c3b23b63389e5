// SPDX-License-Identifier: Apache-2.0
#include "web/mesh_copies.hpp"

#include <optional>

#include "sinew/geom/transforms.hpp"
#include "sinew/geom/visibility.hpp"

namespace sinew::web {

namespace {

using stage::Prim;

// To the space in which a prototype stands, by its own transform last; nothing if it is hidden.
std::optional<Matrix4d> instancer_from(const Prim& shown, const Prim& prototype, stage::Time time) {
  Matrix4d to_prototype = Matrix4d::Identity();
  for (Prim prim = shown;; prim = prim.parent()) {
    if (geom::own_visibility(prim, time) == geom::Visibility::invisible) return std::nullopt;
    to_prototype = geom::local_transform(prim, time).parent_from_prim * to_prototype;
    if (prim == prototype) return to_prototype;
  }
}

bool might_vary(const Prim& prim) {
  return geom::local_transform_might_vary(prim) || geom::point_instances_might_vary(prim) ||
         geom::own_visibility_might_vary(prim);
}

}  // namespace

bool MeshCopies::stay(const StaticMesh& mesh) {
  Prim prim = mesh.prim;
  for (std::size_t step = mesh.shown_by.size(); step-- > 0; prim = mesh.shown_by[step].instancer) {
    for (; prim != mesh.shown_by[step].root; prim = prim.parent()) {
      if (might_vary(prim)) return false;
    }
    if (might_vary(prim)) return false;
  }
  for (; !prim.is_root(); prim = prim.parent()) {
    if (might_vary(prim)) return false;
  }
  return true;
}

void MeshCopies::place(StaticMesh& mesh) {
  mesh.copies.clear();
  const Prim& outermost = mesh.shown_by.front().instancer;
  if (geom::compute_visibility(outermost, transforms_.time()) == geom::Visibility::invisible) {
    return;
  }
  Matrix4d world = transforms_.world_from_prim(outermost);
  world.topRows<3>() *= meters_;
  place(mesh, 0, world);
}

void MeshCopies::place(StaticMesh& mesh, std::size_t step, const Matrix4d& world) {
  const ShownBy& by = mesh.shown_by[step];
  const bool is_last = step + 1 == mesh.shown_by.size();
  const auto below = instancer_from(is_last ? mesh.prim : mesh.shown_by[step + 1].instancer,
                                    by.root, transforms_.time());
  if (!below) return;
  for (const geom::PointInstance& instance : shown_by(by.instancer).instances) {
    if (left_ == 0) return;
    --left_;
    if (instance.prototype != by.prototype) continue;
    const Matrix4d copy = world * instance.transform() * *below;
    if (!is_last) {
      place(mesh, step + 1, copy);
      continue;
    }
    for (Eigen::Index k = 0; k < copy.size(); ++k) {
      mesh.copies.push_back(static_cast<float>(copy.data()[k]));
    }
  }
}

const geom::PointInstances& MeshCopies::shown_by(const Prim& instancer) {
  const auto [place, is_new] = shown_.try_emplace(instancer);
  if (is_new) place->second = *geom::read_point_instances(instancer, transforms_.time());
  return place->second;
}

}  // namespace sinew::web
