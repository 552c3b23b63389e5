// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/enums.hpp"

#include <array>
#include <cstddef>

#include "sinew/physics/joint.hpp"
#include "sinew/physics/shape.hpp"

namespace sinew::physics {
namespace {

template <typename Enum, std::size_t n>
std::string_view name_of(Enum value, const std::array<std::string_view, n>& names) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < n ? names[index] : std::string_view{};
}

}  // namespace

std::string_view to_string(ObjectType type) noexcept {
  static constexpr std::array<std::string_view, 25> kNames = {"",
                                                              "Scene",
                                                              "RigidBody",
                                                              "Sphere",
                                                              "Cube",
                                                              "Capsule",
                                                              "Capsule1",
                                                              "Cylinder",
                                                              "Cylinder1",
                                                              "Cone",
                                                              "Mesh",
                                                              "Plane",
                                                              "Custom",
                                                              "SpherePoints",
                                                              "Fixed",
                                                              "Revolute",
                                                              "Prismatic",
                                                              "Spherical",
                                                              "Distance",
                                                              "D6",
                                                              "Custom",
                                                              "RigidBodyMaterial",
                                                              "Articulation",
                                                              "CollisionGroup",
                                                              ""};
  return name_of(type, kNames);
}

std::string_view to_string(JointDof dof) noexcept {
  static constexpr std::array<std::string_view, kJointDofCount> kNames = {
      "distance", "transX", "transY", "transZ", "rotX", "rotY", "rotZ"};
  return name_of(dof, kNames);
}

ObjectType type_of(const Geometry& geometry) noexcept {
  // In the order of its alternatives.
  static constexpr std::array<ObjectType, std::variant_size_v<Geometry>> kTypes = {
      ObjectType::sphere_shape,        ObjectType::cube_shape,     ObjectType::capsule_shape,
      ObjectType::capsule1_shape,      ObjectType::cylinder_shape, ObjectType::cylinder1_shape,
      ObjectType::cone_shape,          ObjectType::plane_shape,    ObjectType::mesh_shape,
      ObjectType::sphere_points_shape, ObjectType::custom_shape};
  return geometry.valueless_by_exception() ? ObjectType::undefined : kTypes[geometry.index()];
}

ObjectType Joint::type() const noexcept {
  // In the order of the alternatives of `kind`.
  static constexpr std::array<ObjectType, std::variant_size_v<decltype(kind)>> kTypes = {
      ObjectType::fixed_joint,     ObjectType::revolute_joint, ObjectType::prismatic_joint,
      ObjectType::spherical_joint, ObjectType::distance_joint, ObjectType::d6_joint,
      ObjectType::custom_joint};
  return kind.valueless_by_exception() ? ObjectType::undefined : kTypes[kind.index()];
}

}  // namespace sinew::physics
