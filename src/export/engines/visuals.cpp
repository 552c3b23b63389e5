// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "core/transform_kind.hpp"
#include "core/usable_unit.hpp"
#include "export/engines/engine_world.hpp"
#include "physics/shared/frames.hpp"
#include "physics/shared/scale.hpp"
#include "physics/shared/under_scale.hpp"
#include "sinew/export/engine_visuals.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/physics/decompose.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

using stage::Prim;
using stage::SchemaType;

class VisualFinder {
 public:
  VisualFinder(const PhysicsModel& model, const stage::Stage& stage, double unit,
               Diagnostics& diagnostics)
      : model_(model), unit_(unit), report_(diagnostics, unused_), materials_(stage, "preview") {
    for (std::size_t i = 0; i < model.rigid_bodies.size(); ++i) {
      bodies_.emplace(model.rigid_bodies[i].path.view(), static_cast<std::int32_t>(i));
    }
    for (const auto* list : {&model.shapes, &model.unreported_shapes}) {
      for (const Shape& shape : *list) colliders_.insert(shape.path.view());
    }
    // What is read as a material collides with nothing, though it may weigh as a collider.
    for (const auto& material : model.materials) colliders_.erase(material.path.view());
  }

  std::vector<Shape> find(const Prim& root) {
    const Prim above = root.is_root() ? root : root.parent();
    if (geom::compute_visibility(above) == geom::Visibility::invisible) return {};
    Pending first{root, kNone, geom::compute_purpose(above)};
    for (Prim at = above; first.body == kNone && !at.is_root(); at = at.parent()) {
      first.body = body_of(at, kNone);
    }
    std::vector<Pending> stack = {first};
    while (!stack.empty()) {
      Pending item = std::move(stack.back());
      stack.pop_back();
      if (!visit(item)) continue;
      const auto children = item.prim.children(stage::Traversal::with_instance_proxies());
      for (auto it = children.rbegin(); it != children.rend(); ++it) {
        stack.push_back({*it, item.body, item.purpose});
      }
    }
    report_.finish_counted();
    return std::move(found_);
  }

 private:
  /// A prim to be visited, and what holds for the one above it.
  struct Pending {
    Prim prim;
    std::int32_t body = kNone;
    geom::PurposeInfo purpose;
  };

  std::int32_t body_of(const Prim& prim, std::int32_t above) const {
    const auto found = bodies_.find(prim.path().view());
    return found == bodies_.end() ? above : found->second;
  }

  // Whether to go on below the prim.
  bool visit(Pending& item) {
    const Prim& prim = item.prim;
    if (geom::own_visibility(prim) == geom::Visibility::invisible) return false;
    if (prim.is_a(SchemaType::point_instancer)) return false;
    item.body = body_of(prim, item.body);
    item.purpose = geom::compute_purpose(prim, item.purpose);
    const bool shown = item.purpose.purpose == geom::Purpose::default_ ||
                       item.purpose.purpose == geom::Purpose::render;
    if (shown && prim.is_a(SchemaType::gprim) && !colliders_.contains(prim.path().view())) {
      add(prim, item.body);
    }
    return true;
  }

  void add(const Prim& prim, std::int32_t body) {
    Matrix4d world = transforms_.world_from_prim(prim);
    world.topRows<3>() *= unit_;
    Shape shape;
    shape.path = prim.path().str();
    shape.body = model_.has_body(body) ? body : kNone;
    if (shape.body != kNone) shape.body_path = model_.body(body).path;
    const Decomposition parts = decompose(world);
    const Posed pose = to_frame({parts.translation.cast<float>(), parts.rotation.cast<float>()});
    const Posed from_world = inverse(body_frame(model_, shape.body));
    shape.local_pose = to_pose(compose(from_world, pose));
    const Vector3f scale = parts.scale.cast<float>();
    const bool made = world.allFinite() &&
                      (prim.is_a(SchemaType::mesh) ? add_mesh(prim, world, parts, from_world, shape)
                                                   : add_solid(prim, scale, shape));
    if (made) {
      const stage::Attribute color = prim.attribute("primvars:displayColor");
      if ((color && color.has_authored_value()) || materials_.resolve(prim).material) {
        report_.add_counted("engine-feature-dropped", prim.path().view(),
                            "The colour of what is shown is left out");
      }
      found_.push_back(std::move(shape));
      return;
    }
    report_.add_counted("engine-visual-skipped", prim.path().view(),
                        "The prim is shown and has no counterpart; it is left out");
  }

  bool add_mesh(const Prim& prim, const Matrix4d& world, const Decomposition& parts,
                const Posed& from_world, Shape& shape) {
    auto mesh = std::make_shared<geom::Mesh>(
        geom::read_mesh(prim, {}, nullptr, {.normals = false, .uvs = false, .subsets = false}));
    if (mesh->points.empty() || mesh->face_counts.empty()) return false;
    MeshShape geometry;
    geometry.double_sided = mesh->double_sided;
    if (is_axis_aligned(parts)) {
      geometry.mesh_scale = parts.scale.cast<float>();
    } else {
      mesh = sheared(*mesh, world, from_world);
      shape.local_pose = {};
    }
    geometry.geometry = std::move(mesh);
    shape.geometry = std::move(geometry);
    return true;
  }

  // Points in the frame of the body: no pose and scale along axes says what a shear does.
  static std::shared_ptr<geom::Mesh> sheared(const geom::Mesh& mesh, const Matrix4d& world,
                                             const Posed& from_world) {
    std::vector<Vector3f> points;
    points.reserve(mesh.points.size());
    for (const Vector3f& point : mesh.points) {
      const Vector3d in_world =
          world.topLeftCorner<3, 3>() * point.cast<double>() + world.topRightCorner<3, 1>();
      points.push_back((from_world.position + from_world.rotation * in_world).cast<float>());
    }
    auto result = std::make_shared<geom::Mesh>(
        geom::Mesh::copy_of(points, mesh.face_counts, mesh.face_indices));
    result->hole_faces = mesh.hole_faces;
    result->owners.insert(result->owners.end(), mesh.owners.begin(), mesh.owners.end());
    result->left_handed = mesh.left_handed != mirrors(world);
    return result;
  }

  bool add_solid(const Prim& prim, const Vector3f& scale, Shape& shape) {
    const std::optional<geom::Shape> solid = geom::read_shape(prim);
    if (!solid || std::holds_alternative<geom::Plane>(*solid)) return false;
    const SchemaType type = prim.schema_type();
    const bool tapered = type == SchemaType::capsule_1 || type == SchemaType::cylinder_1;
    shape.geometry = std::visit(UnderScale(scale, tapered), *solid);
    if (!std::holds_alternative<geom::Cube>(*solid) && !is_uniform(scale.cast<double>())) {
      report_.add_counted(
          "engine-shape-approximated", prim.path().view(),
          "A round shape cannot follow its scale; the largest factor is used across");
    }
    return true;
  }

  const PhysicsModel& model_;
  const double unit_;  // From the units of the stage to those of the model.
  EngineFile unused_;
  EngineReport report_;
  geom::MaterialBindings materials_;
  geom::TransformCache transforms_;
  std::unordered_map<std::string_view, std::int32_t> bodies_;
  std::unordered_set<std::string_view> colliders_;
  std::vector<Shape> found_;
};

}  // namespace

std::vector<Shape> visual_shapes(const Prim& root, const PhysicsModel& model,
                                 Diagnostics& diagnostics) {
  if (!root) return {};
  const double unit = root.stage().metrics().meters_per_unit / model.units.meters_per_unit;
  return VisualFinder(model, root.stage(), is_usable_unit(unit) ? unit : 1.0, diagnostics)
      .find(root);
}

}  // namespace sinew::exporter
