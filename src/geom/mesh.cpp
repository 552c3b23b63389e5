// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/mesh.hpp"

#include <algorithm>
#include <array>

namespace sinew::geom {
namespace {

// In the order of SubdivisionScheme.
constexpr std::array<std::string_view, 4> kSchemes = {"none", "catmullClark", "loop", "bilinear"};

template <typename T>
std::span<const T> adopt_copy(std::span<const T> values, std::vector<Buffer>& owners) {
  if (values.empty()) return {};
  owners.push_back(Buffer::copy_of(std::as_bytes(values)));
  return {reinterpret_cast<const T*>(owners.back().data()), values.size()};
}

}  // namespace

std::string_view to_string(SubdivisionScheme scheme) noexcept {
  const auto i = static_cast<std::size_t>(scheme);
  return i < kSchemes.size() ? kSchemes[i] : std::string_view();
}

std::optional<SubdivisionScheme> parse_subdivision_scheme(std::string_view text) noexcept {
  const auto found = std::find(kSchemes.begin(), kSchemes.end(), text);
  if (found == kSchemes.end()) return std::nullopt;
  return static_cast<SubdivisionScheme>(found - kSchemes.begin());
}

Mesh Mesh::copy_of(std::span<const Vector3f> points, std::span<const std::int32_t> face_counts,
                   std::span<const std::int32_t> face_indices) {
  Mesh mesh;
  mesh.points = adopt_copy(points, mesh.owners);
  mesh.face_counts = adopt_copy(face_counts, mesh.owners);
  mesh.face_indices = adopt_copy(face_indices, mesh.owners);
  return mesh;
}

}  // namespace sinew::geom
