// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/batches.hpp"

#include <utility>

namespace sinew::physics {

namespace {

constexpr ObjectType kOrder[] = {ObjectType::scene,
                                 ObjectType::collision_group,
                                 ObjectType::rigid_body_material,
                                 ObjectType::sphere_shape,
                                 ObjectType::cube_shape,
                                 ObjectType::capsule_shape,
                                 ObjectType::capsule1_shape,
                                 ObjectType::cylinder_shape,
                                 ObjectType::cylinder1_shape,
                                 ObjectType::cone_shape,
                                 ObjectType::plane_shape,
                                 ObjectType::mesh_shape,
                                 ObjectType::sphere_points_shape,
                                 ObjectType::custom_shape,
                                 ObjectType::articulation,
                                 ObjectType::rigid_body,
                                 ObjectType::fixed_joint,
                                 ObjectType::revolute_joint,
                                 ObjectType::prismatic_joint,
                                 ObjectType::spherical_joint,
                                 ObjectType::distance_joint,
                                 ObjectType::d6_joint,
                                 ObjectType::custom_joint};

}  // namespace

std::vector<Batch> batches(const PhysicsModel& model) {
  std::vector<std::int32_t> by_type[static_cast<std::size_t>(ObjectType::last)];
  const auto add = [&](ObjectType type, std::size_t index) {
    by_type[static_cast<std::size_t>(type)].push_back(static_cast<std::int32_t>(index));
  };
  for (std::size_t i = 0; i < model.scenes.size(); ++i) add(ObjectType::scene, i);
  for (std::size_t i = 0; i < model.materials.size(); ++i) add(ObjectType::rigid_body_material, i);
  for (std::size_t i = 0; i < model.collision_groups.size(); ++i) {
    add(ObjectType::collision_group, i);
  }
  for (std::size_t i = 0; i < model.rigid_bodies.size(); ++i) add(ObjectType::rigid_body, i);
  for (std::size_t i = 0; i < model.shapes.size(); ++i) add(model.shapes[i].type(), i);
  for (std::size_t i = 0; i < model.joints.size(); ++i) add(model.joints[i].type(), i);
  for (std::size_t i = 0; i < model.articulations.size(); ++i) add(ObjectType::articulation, i);

  std::vector<Batch> result;
  for (const ObjectType type : kOrder) {
    std::vector<std::int32_t>& indices = by_type[static_cast<std::size_t>(type)];
    if (!indices.empty()) result.push_back({type, std::move(indices)});
  }
  return result;
}

std::string_view Batch::path(const PhysicsModel& model, std::size_t i) const noexcept {
  const auto at = [&](const auto& list) -> std::string_view {
    const auto index = static_cast<std::size_t>(indices[i]);
    return index < list.size() ? std::string_view(list[index].path) : std::string_view();
  };
  switch (type) {
    case ObjectType::scene:
      return at(model.scenes);
    case ObjectType::collision_group:
      return at(model.collision_groups);
    case ObjectType::rigid_body_material:
      return at(model.materials);
    case ObjectType::articulation:
      return at(model.articulations);
    case ObjectType::rigid_body:
      return at(model.rigid_bodies);
    case ObjectType::undefined:
    case ObjectType::last:
      return {};
    default:
      // Joint types are one run of the enumeration.
      if (type >= ObjectType::fixed_joint && type <= ObjectType::custom_joint) {
        return at(model.joints);
      }
      return at(model.shapes);
  }
}

}  // namespace sinew::physics
