// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/physics/decompose.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::test {}

/// Beside what all tests share.
namespace sinew::physics::test {
using namespace sinew::test;

inline Matrix4d translate(double x, double y, double z) {
  Matrix4d m = Matrix4d::Identity();
  m.block<3, 1>(0, 3) = Vector3d(x, y, z);
  return m;
}

inline Matrix4d scale(double x, double y, double z) {
  Matrix4d m = Matrix4d::Identity();
  m.block<3, 3>(0, 0) = Vector3d(x, y, z).asDiagonal();
  return m;
}

/// Turns about x, then y, then z, in degrees.
inline Matrix4d rotate_xyz(double x, double y, double z) {
  const double radians = std::numbers::pi / 180.0;
  Matrix4d m = Matrix4d::Identity();
  m.block<3, 3>(0, 0) = (Eigen::AngleAxisd(z * radians, Vector3d::UnitZ()) *
                         Eigen::AngleAxisd(y * radians, Vector3d::UnitY()) *
                         Eigen::AngleAxisd(x * radians, Vector3d::UnitX()))
                            .toRotationMatrix();
  return m;
}

/// Authored figures of a prim; `api` false means no PhysicsMassAPI.
struct Api {
  bool api = true;
  AuthoredMass authored;

  Api& mass(float value) { return authored.mass = value, *this; }
  Api& density(float value) { return authored.density = value, *this; }
  Api& center(float x, float y, float z) {
    return authored.center_of_mass = Vector3f(x, y, z), *this;
  }
  Api& inertia(float x, float y, float z) {
    return authored.diagonal_inertia = Vector3f(x, y, z), *this;
  }
  Api& axes(float w, float x, float y, float z) {
    return authored.principal_axes = Quatf(w, x, y, z), *this;
  }
};

inline Api no_api() {
  Api api;
  api.api = false;
  return api;
}

/// One body made of cubes, built as the reading half builds it: poses from world matrices.
class MassScene {
 public:
  explicit MassScene(Rules rules = Rules::openusd) {
    model.rules = rules;
    model.units.meters_per_unit = 1.0;
    model.rigid_bodies.emplace_back().path = "/body";
  }

  /// The body prim; with a cube size it is its own collider. Call first.
  MassScene& body(const Matrix4d& world, const Api& api = no_api(), double cube_size = -1.0) {
    body_world_ = world;
    const ScaledPose pose = world_pose(world);
    model.rigid_bodies[0].pose = pose.pose;
    model.rigid_bodies[0].scale = pose.scale;
    add(kNone, world, api, cube_size);
    return *this;
  }

  /// A prim between the body and colliders. @return its node.
  std::int32_t xform(std::int32_t parent, const Matrix4d& world, const Api& api) {
    return add(parent, world, api, -1.0);
  }

  std::int32_t cube(std::int32_t parent, const Matrix4d& world, const Api& api = no_api(),
                    double size = 1.0) {
    return add(parent, world, api, size);
  }

  Shape& last_shape() { return model.shapes.back(); }

  BodyMass solve(const MassOptions& options = {}) {
    diagnostics.clear();
    return sinew::physics::body_mass(model, 0, diagnostics, options);
  }

  PhysicsModel model;
  Diagnostics diagnostics;

 private:
  std::int32_t add(std::int32_t parent, const Matrix4d& world, const Api& api, double cube_size) {
    MassNode node;
    node.parent = parent;
    node.has_mass_api = api.api;
    if (api.api) node.authored = api.authored;
    node.world_scale = world_pose(world).scale;
    if (parent != kNone) {
      const ScaledPose pose = local_pose(body_world_, world);
      node.local_pose = pose.pose;
    }
    const auto index = static_cast<std::int32_t>(model.mass_nodes.size());
    if (cube_size >= 0.0) {
      node.is_collider = true;
      node.shape = static_cast<std::int32_t>(model.shapes.size());
      Shape shape;
      shape.path = "/body/cube" + std::to_string(index);
      shape.body = 0;
      shape.geometry = CubeShape{node.world_scale * static_cast<float>(cube_size / 2.0)};
      model.shapes.push_back(shape);
    } else if (parent != kNone) {
      node.path = "/body/prim" + std::to_string(index);
    }
    model.mass_nodes.push_back(node);
    model.rigid_bodies[0].mass_node_count = static_cast<std::uint32_t>(model.mass_nodes.size());
    return index;
  }

  Matrix4d body_world_ = Matrix4d::Identity();
};

inline Matrix3d tensor(const BodyMass& mass) {
  const Matrix3d r = mass.principal_axes.toRotationMatrix();
  return r * mass.diagonal_inertia.asDiagonal() * r.transpose();
}

}  // namespace sinew::physics::test
