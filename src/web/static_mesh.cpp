// SPDX-License-Identifier: Apache-2.0
#include "web/static_mesh.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "sinew/core/axis.hpp"
#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/stage/stage.hpp"
#include "web/mesh_copies.hpp"

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

// Walks over a stage, and over prototypes as often as instancers have them.
class MeshFinder {
 public:
  MeshFinder(const std::unordered_set<stage::Prim>& others, geom::MaterialBindings& materials,
             std::size_t limit, Diagnostics& diagnostics, std::vector<StaticMesh>& meshes)
      : others_(others),
        materials_(materials),
        limit_(limit),
        diagnostics_(diagnostics),
        meshes_(meshes) {}

  void walk(const stage::Prim& top) {
    stage::Traversal traversal = stage::Traversal::with_instance_proxies();
    traversal.undefined = !way_.empty();  // An `over` keeps prototypes from being shown elsewhere.
    const stage::PrimRange prims = top.descendants(traversal);
    for (auto at = prims.begin(); at != prims.end() && !is_cut_; ++at) {
      const stage::Prim prim = *at;
      if (!way_.empty() && !afford(prim, 1)) return;
      if (prim.is_a(SchemaType::point_instancer)) {
        at.skip_descendants();
        enter(prim);
      } else if (prim.is_a(SchemaType::gprim)) {
        add(prim);
      }
    }
  }

 private:
  void enter(const stage::Prim& instancer) {
    // One inside itself is reported by whoever asks for its bounds.
    const auto is_it = [&](const ShownBy& by) { return by.instancer == instancer; };
    if (std::any_of(way_.begin(), way_.end(), is_it)) return;
    if (way_.size() == kDeepest) return cut(instancer);
    const auto [known, is_new] = prototypes_.try_emplace(instancer);
    if (is_new) {
      known->second =
          geom::read_point_instances(instancer, stage::Time::earliest(), &diagnostics_)->prototypes;
    }
    const std::vector<stage::Prim>& prototypes = known->second;
    if (!way_.empty() && !afford(instancer, prototypes.size())) return;
    for (std::uint32_t i = 0; i < prototypes.size(); ++i) {
      if (!prototypes[i]) continue;
      way_.push_back({instancer, i, prototypes[i]});
      walk(prototypes[i]);
      way_.pop_back();
    }
  }

  void add(const stage::Prim& prim) {
    if ((way_.empty() && others_.contains(prim)) || !is_drawn(prim)) return;
    StaticMesh found;
    found.prim = prim;
    if (prim.is_a(SchemaType::mesh)) {
      const auto [cost, is_new] = costs_.try_emplace(prim, 0);
      if (!is_new && (cost->second == 0 || !afford(prim, cost->second))) return;
      found.mesh.read(prim, stage::Time::earliest(), materials_);
      if (found.mesh.triangles().empty()) return;
      cost->second = found.mesh.vertex_count();
      found.mesh.place(Matrix4d::Identity());
      const stage::Attribute points = prim.attribute("points");
      found.moves = points && points.might_be_time_varying();
    } else {
      found.shape = geom::read_shape(prim, stage::Time::earliest());
      if (!found.shape) return;
      found.color = one_color(prim);
      const geom::MaterialBinding binding = materials_.resolve(prim);
      if (binding.material) found.material = binding.material.path().str();
    }
    if (meshes_.size() == limit_) return cut(prim);
    found.shown_by = way_;
    found.copies_stay = MeshCopies::stay(found);
    meshes_.push_back(std::move(found));
  }

  // Ways to show the same are counted, as few instancers inside each other make very many.
  bool afford(const stage::Prim& prim, std::size_t cost) {
    if (cost > left_) {
      cut(prim);
      return false;
    }
    left_ -= cost;
    return true;
  }

  void cut(const stage::Prim& prim) {
    if (std::exchange(is_cut_, true)) return;
    const std::string_view path = prim.path().view();
    report(&diagnostics_, Severity::warning, "web-limit", {.path = path},
           format_text("{} and what comes after it are not shown: there is too much.", path));
  }

  static constexpr std::size_t kDeepest = 16;  // Instancers inside each other.

  const std::unordered_set<stage::Prim>& others_;
  geom::MaterialBindings& materials_;
  std::size_t limit_;
  Diagnostics& diagnostics_;
  std::vector<StaticMesh>& meshes_;
  std::vector<ShownBy> way_;
  std::unordered_map<stage::Prim, std::vector<stage::Prim>> prototypes_;  // Of an instancer.
  std::unordered_map<stage::Prim, std::size_t> costs_;  // Vertices of meshes; 0: nothing to draw.
  std::size_t left_ = 1'000'000;  // Prims of prototypes, and vertices of meshes read again.
  bool is_cut_ = false;
};

}  // namespace

void StaticMeshes::read(const stage::Stage& stage, std::span<const stage::Prim> skinned,
                        geom::MaterialBindings& materials, std::size_t limit,
                        Diagnostics& diagnostics) {
  const std::unordered_set<stage::Prim> others(skinned.begin(), skinned.end());
  MeshFinder(others, materials, limit, diagnostics, meshes_).walk(stage.root());
  matrices_.resize(16 * meshes_.size());
}

void StaticMeshes::pose(stage::Time time, double meters_per_unit,
                        geom::MaterialBindings& materials) {
  geom::TransformCache transforms(time);
  MeshCopies copies(transforms, meters_per_unit);
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    StaticMesh& mesh = meshes_[i];
    bool hidden = false;
    Matrix4d world = Matrix4d::Identity();
    if (mesh.is_instanced()) {
      if (!mesh.copies_stay || mesh.copies.empty()) copies.place(mesh);
    } else {
      hidden = geom::compute_visibility(mesh.prim, time) == geom::Visibility::invisible;
      world = transforms.world_from_prim(mesh.prim);
      world.topRows<3>() *= meters_per_unit;
    }
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
    json.member("instanced", mesh.is_instanced());
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
