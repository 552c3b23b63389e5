// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/mesh.hpp"

namespace sinew::geom {
namespace {

template <typename T>
std::span<const T> adopt_copy(std::span<const T> values, std::vector<Buffer>& owners) {
  if (values.empty()) return {};
  owners.push_back(Buffer::copy_of(std::as_bytes(values)));
  return {reinterpret_cast<const T*>(owners.back().data()), values.size()};
}

}  // namespace

Mesh Mesh::copy_of(std::span<const Vector3f> points, std::span<const std::int32_t> face_counts,
                   std::span<const std::int32_t> face_indices) {
  Mesh mesh;
  mesh.points = adopt_copy(points, mesh.owners);
  mesh.face_counts = adopt_copy(face_counts, mesh.owners);
  mesh.face_indices = adopt_copy(face_indices, mesh.owners);
  return mesh;
}

}  // namespace sinew::geom
