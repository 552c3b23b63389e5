// SPDX-License-Identifier: Apache-2.0
// Nodes of colliders.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/physics_writer.hpp"
#include "physics/shared/scale.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter {

using physics::Shape;

namespace {

// Nothing is between what stands for a scale of zero and 1e-5.
constexpr double kFlatScale = 10.0 * physics::kSmallestScale;

}  // namespace

/// Whether a node is where `local` is in another.
bool PhysicsWriter::stands_at(std::int32_t node, std::int32_t parent, const Matrix4d& local) {
  const Matrix4d wanted = parent == kTop ? local : Matrix4d(w_.node(parent).world * local);
  const Matrix4d& world = w_.node(node).world;
  const double size = std::max(1.0, wanted.cwiseAbs().maxCoeff());
  return (world - wanted).cwiseAbs().maxCoeff() <= 1e-5 * size;
}

/// A node for a collider; its frame is that of the shape.
std::int32_t PhysicsWriter::shape_node(const Shape& shape, const Matrix4d& more) {
  const bool has_body = model_.has_body(shape.body);
  const std::int32_t parent =
      has_body ? body_nodes_[static_cast<std::size_t>(shape.body)] : w_.root;
  const Matrix4d pose = matrix_of_pose(shape.local_pose);
  const Matrix4d local = (has_body ? pose : shown_frame(shape.path, pose)) * more;
  const stage::Prim prim = w_.stage.prim(shape.path.view());
  const Origin origin = prim ? read_origin(prim) : Origin();
  if (origin.collider) {
    const std::int32_t own = node_of(shape.path);
    if (own != kTop && has_room(own, "collider") && stands_at(own, parent, local)) return own;
  }
  const std::int32_t node = w_.add_node(
      parent, origin.name.value_or(std::string(layer::Path::from_trusted(shape.path.str()).name())),
      local);
  w_.node(node).source_path = shape.path.str();
  w_.node(node).keeps_factors = true;
  w_.node(node).needed = true;
  return node;
}

void PhysicsWriter::write_shape(std::size_t index) {
  const Shape& shape = model_.shapes[index];
  if (node_of(shape.path) == kTop) return;
  if (!is_kept(shape.collision_enabled)) return;
  if (!shape.is_valid || std::holds_alternative<physics::CustomShape>(shape.geometry)) {
    return warn("gltf-collider", shape.path,
                format_text("The collider {} is of a kind that glTF has no place for, or not "
                            "usable; it is left out.",
                            shape.path.view()));
  }
  if (model_.has_body(shape.body) && body_nodes_[static_cast<std::size_t>(shape.body)] == kTop) {
    return warn("gltf-collider", shape.path,
                format_text("The collider {} is of the body {}, which is not written; it is left "
                            "out.",
                            shape.path.view(),
                            model_.rigid_bodies[static_cast<std::size_t>(shape.body)].path.view()));
  }
  if (!finite_pose(shape.local_pose)) return warn_of_size(shape);
  if (const auto* points = std::get_if<physics::SpherePointsShape>(&shape.geometry)) {
    return write_points(index, shape, *points);
  }
  const ColliderGeometry geometry = collider_geometry(shape);
  if (const auto* mesh = std::get_if<physics::MeshShape>(&shape.geometry)) {
    if (geometry.shape.is_null()) return write_mesh(index, shape, *mesh);
  }
  if (geometry.shape.is_null()) return warn_of_size(shape);
  const std::int32_t node = shape_node(shape, geometry.shape_from_collider);
  Json json = Json::object();
  json["geometry"]["shape"] = shape_index(geometry.shape);
  finish_collider(index, shape, std::move(json), node);
}

void PhysicsWriter::warn_of_size(const Shape& shape) {
  warn("gltf-collider-size", shape.path,
       format_text("The collider {} has a size or place that is not positive and finite; it is "
                   "left out.",
                   shape.path.view()));
}

void PhysicsWriter::write_points(std::size_t index, const Shape& shape,
                                 const physics::SpherePointsShape& points) {
  const std::int32_t parent = shape_node(shape, Matrix4d::Identity());
  std::size_t bad = 0;
  for (const physics::SpherePoint& point : points.sphere_points) {
    if (!(point.radius > 0.0F) || !std::isfinite(point.radius) ||
        !point.scaled_center.allFinite()) {
      ++bad;
      continue;
    }
    Matrix4d local = Matrix4d::Identity();
    local.block<3, 1>(0, 3) = point.scaled_center.cast<double>();
    const std::int32_t node = w_.add_node(parent, "point", local);
    if (w_.error) return;
    Json sphere = Json::object();
    sphere["type"] = "sphere";
    sphere["sphere"]["radius"] = json_number(point.radius);
    Json json = Json::object();
    json["geometry"]["shape"] = shape_index(sphere);
    finish_collider(index, shape, std::move(json), node);
  }
  if (bad > 0) warn_of_size(shape);
}

void PhysicsWriter::write_mesh(std::size_t index, const Shape& shape,
                               const physics::MeshShape& mesh) {
  const physics::MeshApproximation kind = physics::mesh_approximation(mesh.approximation);
  const Vector3d scale = mesh.mesh_scale.cast<double>() / w_.meters;
  if (mesh.geometry == nullptr || !scale.allFinite() || scale.cwiseAbs().minCoeff() <= kFlatScale) {
    return warn_of_size(shape);
  }
  const auto [number, shown] = mesh_of(shape, *mesh.geometry);
  if (number == kNoGlbIndex) return warn_of_size(shape);
  Matrix4d scaling = Matrix4d::Identity();
  scaling.block<3, 3>(0, 0) = scale.asDiagonal();
  const std::int32_t node = shape_node(shape, scaling);
  if (w_.error) return;
  Json json = Json::object();
  json["geometry"]["mesh"] = number;
  json["geometry"]["node"] = shown;  // In the plan; emit() numbers it.
  json["geometry"]["convexHull"] = kind == physics::MeshApproximation::convex_hull;
  if (kind != physics::MeshApproximation::none && kind != physics::MeshApproximation::convex_hull) {
    warn("gltf-mesh-approximation", shape.path,
         format_text("The collider {} is approximated by \"{}\", which glTF cannot say; it is "
                     "written as its triangles.",
                     shape.path.view(), mesh.approximation.view()));
    if (w_.options.extras) {
      w_.node(node).extras["sinew"]["approximation"] = mesh.approximation.view();
    }
  }
  finish_collider(index, shape, std::move(json), node);
}

/// The mesh of a collider, and a node that has it: the one that shows it, or one of no scene.
std::pair<std::int32_t, std::int32_t> PhysicsWriter::mesh_of(const Shape& shape,
                                                             const geom::Mesh& mesh) {
  std::int32_t shown = node_of(shape.path);
  const stage::Prim prim = w_.stage.prim(shape.path.view());
  const std::vector<stage::Prim>& parts = w_.node(shown).parts;
  // A part that is not shown is not what its node shows.
  const bool is_own =
      w_.node(shown).prim == prim || std::find(parts.begin(), parts.end(), prim) != parts.end();
  const auto scaled = scale_nodes_.find(shown);
  if (scaled != scale_nodes_.end()) shown = scaled->second;
  if (is_own && w_.node(shown).mesh != kNoGlbIndex && w_.node(shown).skin < 0) {
    return {w_.node(shown).mesh, shown};
  }
  const std::int32_t number = collider_mesh(w_, shape.path.str(), mesh);
  if (number == kNoGlbIndex) return {number, kTop};
  const auto [known, is_new] = hidden_nodes_.try_emplace(number, kTop);
  if (is_new) {
    known->second = w_.add_node(kTop, w_.node(shown).name + "_collider", Matrix4d::Identity());
    PlanNode& hidden = w_.node(known->second);
    hidden.mesh = number;
    hidden.in_scene = false;
    hidden.needed = true;
  }
  return {number, known->second};
}

std::int32_t PhysicsWriter::shape_index(const Json& shape) {
  return known_shapes_.place(shapes_, shape);
}

void PhysicsWriter::finish_collider(std::size_t index, const Shape& shape, Json collider,
                                    std::int32_t node) {
  if (w_.error) return;
  w_.document.summary.colliders += shape.collision_enabled ? 1 : 0;
  if (shape.bound_material >= 0 &&
      static_cast<std::size_t>(shape.bound_material) < materials_.size()) {
    collider["physicsMaterial"] = shape.bound_material;
  }
  if (filters_.filter_of_shape[index] >= 0) {
    collider["collisionFilter"] = filters_.filter_of_shape[index];
  }
  extension(node, shape.collision_enabled)["collider"] = std::move(collider);
}

}  // namespace sinew::exporter
