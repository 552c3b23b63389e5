// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "export/gltf_import/scene_writer.hpp"

namespace sinew::exporter::gltf_import {

/// The arrays of a group of primitives, once: what does not differ between the nodes that show it.
void make_group(WriteContext& context, const Mesh& mesh, MeshGroup& group);

/// The rows of the vertices that a group keeps, `width` values each.
template <typename T>
std::vector<T> gather(const MeshGroup& group, const std::vector<T>& values, std::size_t width) {
  if (group.vertices.empty()) return values;
  std::vector<T> result;
  result.reserve(group.vertices.size() * width);
  for (const std::uint32_t vertex : group.vertices) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(vertex * width);
    result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

/// Takes numbers times a factor; what single precision cannot hold becomes its largest number.
void scale_within_range(std::vector<float>& numbers, float factor);

}  // namespace sinew::exporter::gltf_import
