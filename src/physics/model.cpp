// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/model.hpp"

#include <cstddef>

namespace sinew::physics {

std::span<const MassNode> PhysicsModel::mass_nodes_of(std::int32_t body) const noexcept {
  if (body < 0 || static_cast<std::size_t>(body) >= rigid_bodies.size()) return {};
  const RigidBody& rigid_body = rigid_bodies[static_cast<std::size_t>(body)];
  const std::size_t first = rigid_body.first_mass_node;
  const std::size_t count = rigid_body.mass_node_count;
  if (first > mass_nodes.size() || count > mass_nodes.size() - first) return {};
  return {mass_nodes.data() + first, count};
}

const Shape* PhysicsModel::node_shape(const MassNode& node) const noexcept {
  if (node.shape < 0) return nullptr;
  const auto index = static_cast<std::size_t>(node.shape);
  if (index < shapes.size()) return &shapes[index];
  const std::size_t unreported = index - shapes.size();
  return unreported < unreported_shapes.size() ? &unreported_shapes[unreported] : nullptr;
}

std::string_view PhysicsModel::node_path(std::int32_t body, const MassNode& node) const noexcept {
  if (!node.path.empty()) return node.path;
  if (const Shape* shape = node_shape(node)) return shape->path;
  if (body < 0 || static_cast<std::size_t>(body) >= rigid_bodies.size()) return {};
  return rigid_bodies[static_cast<std::size_t>(body)].path;
}

}  // namespace sinew::physics
