// SPDX-License-Identifier: Apache-2.0
#include "web/static_mesh.hpp"

#include <unordered_set>
#include <variant>

#include "sinew/core/axis.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::web {

namespace {

using stage::SchemaType;

bool is_drawn(const stage::Prim& prim) {
  const geom::Purpose purpose = geom::compute_purpose(prim).purpose;
  return purpose == geom::Purpose::default_ || purpose == geom::Purpose::render;
}

std::optional<Vector3f> one_color(const stage::Prim& prim) {
  const auto colors = prim.attribute("primvars:displayColor");
  if (!colors) return std::nullopt;
  const auto values = colors.get_array<Vector3f>(stage::Time::earliest());
  if (!values || values->empty()) return std::nullopt;
  return (*values)[0];
}

/// The fields of each shape, as members of an object.
struct ShapeMembers {
  exporter::JsonSink& json;

  void spine(std::string_view type, double height, double top, double bottom, Axis axis) const {
    json.member("type", type);
    json.member("height", height);
    json.member("radiusTop", top);
    json.member("radiusBottom", bottom);
    json.member("axis", to_string(axis));
  }
  void operator()(const geom::Sphere& s) const {
    json.member("type", "sphere");
    json.member("radius", s.radius);
  }
  void operator()(const geom::Cube& s) const {
    json.member("type", "cube");
    json.member("size", s.size);
  }
  void operator()(const geom::Cylinder& s) const {
    spine("cylinder", s.height, s.radius_top, s.radius_bottom, s.axis);
  }
  void operator()(const geom::Capsule& s) const {
    spine("capsule", s.height, s.radius_top, s.radius_bottom, s.axis);
  }
  void operator()(const geom::Cone& s) const { spine("cone", s.height, 0.0, s.radius, s.axis); }
  void operator()(const geom::Plane& s) const {
    json.member("type", "plane");
    json.member("width", s.width);
    json.member("length", s.length);
    json.member("axis", to_string(s.axis));
  }
};

}  // namespace

void StaticMeshes::read(const stage::Stage& stage, std::span<const stage::Prim> skinned,
                        geom::MaterialBindings& materials, std::size_t limit) {
  const std::unordered_set<stage::Prim> others(skinned.begin(), skinned.end());
  const stage::PrimRange prims =
      stage.root().descendants(stage::Traversal::with_instance_proxies());
  for (const stage::Prim prim : prims) {
    if (prim.is_root() || !prim.is_a(SchemaType::gprim)) continue;
    if (others.contains(prim) || !is_drawn(prim)) continue;
    StaticMesh found;
    found.prim = prim;
    if (prim.is_a(SchemaType::mesh)) {
      found.mesh.read(prim, stage::Time::earliest(), materials);
      if (found.mesh.triangles().empty()) continue;
      found.mesh.place(Matrix4d::Identity());
      const stage::Attribute points = prim.attribute("points");
      found.moves = points && points.might_be_time_varying();
    } else {
      found.shape = geom::read_shape(prim, stage::Time::earliest());
      if (!found.shape) continue;
      found.color = one_color(prim);
      const geom::MaterialBinding binding = materials.resolve(prim);
      if (binding.material) found.material = binding.material.path().str();
    }
    if (meshes_.size() == limit) {
      is_cut_ = true;
      break;
    }
    meshes_.push_back(std::move(found));
  }
  matrices_.resize(16 * meshes_.size());
}

void StaticMeshes::pose(stage::Time time, double meters_per_unit,
                        geom::MaterialBindings& materials) {
  geom::TransformCache transforms(time);
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    StaticMesh& mesh = meshes_[i];
    const bool hidden = geom::compute_visibility(mesh.prim, time) == geom::Visibility::invisible;
    Matrix4d world = transforms.world_from_prim(mesh.prim);
    world.topRows<3>() *= meters_per_unit;
    for (std::size_t k = 0; k < 16; ++k) {
      matrices_[16 * i + k] = hidden ? 0.0F : static_cast<float>(world.data()[k]);
    }
    if (!mesh.moves || hidden) continue;
    const std::size_t vertices = mesh.mesh.vertex_count();
    SurfaceMesh now;
    now.read(mesh.prim, time, materials);
    if (now.vertex_count() != vertices) continue;  // A renderer keeps what it was told.
    now.place(Matrix4d::Identity());
    mesh.mesh = std::move(now);
  }
}

void StaticMeshes::write(exporter::JsonSink& json) const {
  json.begin_array();
  for (const StaticMesh& mesh : meshes_) {
    json.begin_object();
    json.member("path", mesh.prim.path().view());
    json.member("moves", mesh.moves);
    json.key("shape");
    if (mesh.shape) {
      json.begin_object();
      std::visit(ShapeMembers{json}, *mesh.shape);
      json.end_object();
      json.key("color");
      if (mesh.color) {
        json.value(*mesh.color);
      } else {
        json.null();
      }
      json.key("groups");
      json.begin_array();
      if (!mesh.material.empty()) {
        json.begin_object();
        json.member("material", mesh.material);
        json.end_object();
      }
      json.end_array();
    } else {
      json.null();
      mesh.mesh.write_members(json);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::web
