// SPDX-License-Identifier: Apache-2.0
#include "export/engines/shared_meshes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>

namespace sinew::exporter {

namespace {

using physics::HullMesh;
using physics::MeshShape;
using physics::Shape;

SharedMeshes::Parts made(SharedMeshes::Kind kind, const Shape& shape) {
  if (kind == SharedMeshes::Kind::hull) return {physics::hull_of(shape)};
  if (kind == SharedMeshes::Kind::triangles) return {physics::triangles_of(shape)};
  return physics::parts_of(shape);
}

std::size_t hash_of(const HullMesh& mesh) {
  const auto* const bytes = reinterpret_cast<const char*>(mesh.points.data());
  const std::size_t size = mesh.points.size() * sizeof(mesh.points[0]);
  return std::hash<std::string_view>()({bytes, size});
}

}  // namespace

const SharedMeshes::Parts& SharedMeshes::make(Kind kind, const Shape& shape) {
  const auto* const mesh = std::get_if<MeshShape>(&shape.geometry);
  if (mesh == nullptr || mesh->geometry == nullptr) {
    return of_others_.emplace_back(made(kind, shape));
  }
  const geom::Mesh& arrays = *mesh->geometry;
  const auto scale = std::bit_cast<std::array<std::uint32_t, 3>>(
      std::array{mesh->mesh_scale.x(), mesh->mesh_scale.y(), mesh->mesh_scale.z()});
  const Key key(kind, arrays.points.data(), arrays.face_counts.data(), arrays.face_indices.data(),
                arrays.hole_faces.data(), arrays.left_handed, scale);
  const auto [at, is_new] = of_meshes_.try_emplace(key);
  if (is_new) at->second = made(kind, shape);
  return at->second;
}

const std::string& SharedMeshes::find_or_add(const HullMesh& mesh, const std::string& name) {
  const std::size_t hash = hash_of(mesh);
  const auto [first, last] = names_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const HullMesh& known = *at->second.mesh;
    if (known.points == mesh.points && known.triangles == mesh.triangles) return at->second.name;
  }
  return names_.emplace(hash, Named{&mesh, name})->second.name;
}

}  // namespace sinew::exporter
