// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/gltf/collision_filters.hpp"
#include "export/gltf/physics.hpp"
#include "sinew/physics/mass.hpp"

namespace sinew::exporter {

/// The bodies, colliders and joints of a stage on their way into the file.
class PhysicsWriter {
 public:
  explicit PhysicsWriter(Writer& writer);

  void run();

 private:
  std::int32_t node_of(std::string_view path) const;
  void warn(std::string_view code, std::string_view path, std::string message);
  /// Says once for the file what is kept in extras alone.
  void tell_of_extras(std::string_view path);
  /// Whether something is written: what is disabled goes to extras, if there are any.
  bool is_kept(bool enabled);
  /// What a node says of physics; of what is disabled, its extras in the same form.
  Json& extension(std::int32_t node, bool enabled);
  bool has_room(std::int32_t node, const char* member) const;

  void read_gravity();
  void place_body(std::size_t index);
  Matrix4d shown_frame(std::string_view path, const Matrix4d& frame) const;
  bool is_scaled(std::int32_t node) const;
  void write_bodies();
  static void write_mass(const physics::BodyMass& mass, Json& motion);
  void write_materials();
  void write_root();

  // physics_colliders.cpp
  bool stands_at(std::int32_t node, std::int32_t parent, const Matrix4d& local);
  std::int32_t shape_node(const physics::Shape& shape, const Matrix4d& more);
  void write_shape(std::size_t index);
  void warn_of_size(const physics::Shape& shape);
  void write_points(std::size_t index, const physics::Shape& shape,
                    const physics::SpherePointsShape& points);
  void write_mesh(std::size_t index, const physics::Shape& shape, const physics::MeshShape& mesh);
  std::pair<std::int32_t, std::int32_t> mesh_of(const physics::Shape& shape,
                                                const geom::Mesh& mesh);
  std::int32_t shape_index(const Json& shape);
  void finish_collider(std::size_t index, const physics::Shape& shape, Json collider,
                       std::int32_t node);

  // physics_joints.cpp
  std::int32_t joint_node(const physics::Joint& joint, int side, const std::string& name,
                          bool on_body);
  void write_joints();
  void keep_in_extras(const physics::Joint& joint, std::int32_t node);

  Writer& w_;
  physics::PhysicsModel model_;
  std::optional<double> gravity_factor_;
  std::vector<std::int32_t> body_nodes_;
  std::map<std::int32_t, std::int32_t> scale_nodes_;   // Below the node of a body.
  std::map<std::int32_t, std::int32_t> hidden_nodes_;  // By mesh.
  std::vector<Json> shapes_;
  std::vector<Json> materials_;
  std::vector<Json> joints_;
  JsonIndex known_shapes_, known_joints_;
  CollisionFilters filters_;
  bool told_of_extras_ = false;
  bool keeps_disabled_ = false;
};

}  // namespace sinew::exporter
