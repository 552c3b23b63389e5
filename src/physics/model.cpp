// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/model.hpp"

#include <cstddef>

#include "physics/path_order.hpp"

namespace sinew::physics {

std::int32_t PhysicsModel::find_body(std::string_view path) const noexcept {
  std::int32_t nearest = kNone;
  std::size_t length = 0;
  for (std::size_t i = 0; i < rigid_bodies.size(); ++i) {
    const std::string_view body = rigid_bodies[i].path;
    if (body.size() <= length || !is_at_or_below(path, body)) continue;
    nearest = static_cast<std::int32_t>(i);
    length = body.size();
  }
  return nearest;
}

DofExtras PhysicsModel::dof_extras(std::int32_t joint, JointDof dof) const noexcept {
  const bool known = joint >= 0 && static_cast<std::size_t>(joint) < joint_extras.size();
  if (!known) return JointExtras().of(dof);
  return joint_extras[static_cast<std::size_t>(joint)].of(dof);
}

std::span<const MassNode> PhysicsModel::mass_nodes_of(std::int32_t body) const noexcept {
  if (!has_body(body)) return {};
  const std::size_t first = this->body(body).first_mass_node;
  const std::size_t count = this->body(body).mass_node_count;
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
  return has_body(body) ? this->body(body).path.view() : std::string_view();
}

}  // namespace sinew::physics
