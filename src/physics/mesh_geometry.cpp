// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/mesh_geometry.hpp"

#include <cstddef>

namespace sinew::physics {
namespace {

template <typename T>
std::span<const T> adopt_copy(std::span<const T> values, std::vector<Buffer>& owners) {
  if (values.empty()) return {};
  owners.push_back(Buffer::copy_of(std::as_bytes(values)));
  return {reinterpret_cast<const T*>(owners.back().data()), values.size()};
}

}  // namespace

std::shared_ptr<const MeshGeometry> MeshGeometry::copy_of(
    std::span<const Vector3f> points, std::span<const std::int32_t> face_counts,
    std::span<const std::int32_t> face_indices) {
  auto mesh = std::make_shared<MeshGeometry>();
  mesh->points = adopt_copy(points, mesh->owners);
  mesh->face_counts = adopt_copy(face_counts, mesh->owners);
  mesh->face_indices = adopt_copy(face_indices, mesh->owners);
  return mesh;
}

}  // namespace sinew::physics
