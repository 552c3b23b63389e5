// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/geom/vertices.hpp"

namespace sinew::geom {

TriangleGroups group_by_subset(const Mesh& mesh, std::string_view family, Triangles& triangles) {
  TriangleGroups result;
  // The group of each face; the last one until a subset takes it.
  std::vector<std::size_t> group_of(mesh.face_counts.size());
  std::vector<TriangleGroup>& groups = result.groups;
  for (std::size_t i = 0; i < mesh.subsets.size(); ++i) {
    if (mesh.subsets[i].family == family) groups.push_back({static_cast<std::int32_t>(i), 0, 0});
  }
  const std::size_t unassigned = groups.size();
  std::fill(group_of.begin(), group_of.end(), unassigned);
  std::vector<bool> shared(group_of.size());
  for (std::size_t group = 0; group < unassigned; ++group) {
    const auto subset = static_cast<std::size_t>(groups[group].subset);
    for (const std::int32_t index : mesh.subsets[subset].faces) {
      const auto face = static_cast<std::size_t>(index);  // Huge if negative.
      if (face >= group_of.size() || group_of[face] == group) continue;
      if (group_of[face] == unassigned) {
        group_of[face] = group;
      } else if (!shared[face]) {
        shared[face] = true;
        ++result.shared_faces;
      }
    }
  }
  groups.push_back({});
  const auto group_at = [&](std::size_t triangle) {
    const std::size_t face = triangles.faces[triangle];
    return face < group_of.size() ? group_of[face] : unassigned;
  };
  for (std::size_t i = 0; i < triangles.size(); ++i) ++groups[group_at(i)].count;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    groups[i].first = groups[i - 1].first + groups[i - 1].count;
  }
  if (groups[unassigned].count != triangles.size()) {
    std::vector<std::size_t> next(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) next[i] = groups[i].first;
    std::vector<std::uint32_t> corners(triangles.corners.size());
    std::vector<std::uint32_t> faces(triangles.faces.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      const std::size_t to = next[group_at(i)]++;
      for (std::size_t k = 0; k < 3; ++k) corners[3 * to + k] = triangles.corners[3 * i + k];
      faces[to] = triangles.faces[i];
    }
    triangles.corners = std::move(corners);
    triangles.faces = std::move(faces);
  }
  if (groups[unassigned].count == 0) groups.pop_back();
  return result;
}

}  // namespace sinew::geom
