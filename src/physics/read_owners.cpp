// SPDX-License-Identifier: Apache-2.0
// Keeping only what belongs to given scenes.
#include <algorithm>

#include "physics/reader.hpp"

namespace sinew::physics {

namespace {

// Where each element goes when some are dropped; kNone for those.
std::vector<std::int32_t> new_indices(const std::vector<char>& keep) {
  std::vector<std::int32_t> result(keep.size(), kNone);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] != 0) result[i] = next++;
  }
  return result;
}

template <typename T>
void drop(std::vector<T>& items, const std::vector<char>& keep) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < items.size(); ++from) {
    if (keep[from] == 0) continue;
    if (to != from) items[to] = std::move(items[from]);
    ++to;
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(to), items.end());
}

void renumber(std::int32_t& index, const std::vector<std::int32_t>& indices) {
  if (index >= 0 && static_cast<std::size_t>(index) < indices.size()) {
    index = indices[static_cast<std::size_t>(index)];
  }
}

}  // namespace

void Reader::filter_by_owner() {
  const std::vector<std::string>& owners = *options_.simulation_owners;
  const bool unowned = std::find(owners.begin(), owners.end(), "") != owners.end();
  // Documented rules: the only scene there is owns what names none; bodies say so already.
  const bool by_default = documented() && model_.scenes.size() == 1;
  const bool unnamed =
      by_default ? std::find(owners.begin(), owners.end(), model_.scenes[0].path) != owners.end()
                 : unowned;
  const auto owned = [&](const std::vector<Text>& own) {
    if (own.empty()) return unnamed;
    return std::any_of(own.begin(), own.end(), [&](std::string_view owner) {
      return !owner.empty() && std::find(owners.begin(), owners.end(), owner) != owners.end();
    });
  };
  std::erase_if(model_.scenes, [&](const Scene& scene) {
    return std::find(owners.begin(), owners.end(), scene.path) == owners.end();
  });

  std::vector<char> keep_body;
  for (const RigidBody& body : model_.rigid_bodies) {
    keep_body.push_back(body.is_valid && owned(body.simulation_owners) ? 1 : 0);
  }
  std::vector<char> keep_shape;
  for (const Shape& shape : model_.shapes) {
    const bool kept = shape.body != kNone ? keep_body[static_cast<std::size_t>(shape.body)] != 0
                                          : owned(shape.simulation_owners);
    keep_shape.push_back(shape.is_valid && kept ? 1 : 0);
  }
  std::vector<char> keep_joint;
  for (const Joint& joint : model_.joints) {
    const auto end = [&](const Text& path, std::int32_t index) {
      if (path.empty()) return true;
      // Documented rules: a static end takes the owner of the dynamic one.
      if (index == kNone) return documented();
      return keep_body[static_cast<std::size_t>(index)] != 0;
    };
    const bool kept = end(joint.body0, joint.body0_index) && end(joint.body1, joint.body1_index);
    keep_joint.push_back(joint.is_valid && kept ? 1 : 0);
  }
  std::vector<char> keep_articulation;
  for (const Articulation& articulation : model_.articulations) {
    const bool kept =
        !articulation.is_valid ||
        std::all_of(articulation.bodies.begin(), articulation.bodies.end(), [&](std::int32_t b) {
          return b == kNone || keep_body[static_cast<std::size_t>(b)] != 0;
        });
    keep_articulation.push_back(kept ? 1 : 0);
  }

  const std::vector<std::int32_t> bodies = new_indices(keep_body);
  const std::vector<std::int32_t> shapes = new_indices(keep_shape);
  const std::vector<std::int32_t> joints = new_indices(keep_joint);
  const auto kept_shapes =
      static_cast<std::int32_t>(std::count(keep_shape.begin(), keep_shape.end(), 1));
  const auto all_shapes = static_cast<std::int32_t>(model_.shapes.size());
  for (MassNode& node : model_.mass_nodes) {
    if (node.shape >= all_shapes) {
      node.shape += kept_shapes - all_shapes;
    } else {
      renumber(node.shape, shapes);
    }
  }
  drop(model_.rigid_bodies, keep_body);
  drop(model_.shapes, keep_shape);
  drop(model_.joints, keep_joint);
  drop(model_.articulations, keep_articulation);
  for (RigidBody& body : model_.rigid_bodies) {
    for (std::int32_t& shape : body.shapes) renumber(shape, shapes);
  }
  for (Shape& shape : model_.shapes) renumber(shape.body, bodies);
  for (Joint& joint : model_.joints) {
    renumber(joint.body0_index, bodies);
    renumber(joint.body1_index, bodies);
  }
  for (Articulation& articulation : model_.articulations) {
    for (std::int32_t& body : articulation.bodies) renumber(body, bodies);
    for (std::int32_t& joint : articulation.joints) renumber(joint, joints);
  }
}

}  // namespace sinew::physics
