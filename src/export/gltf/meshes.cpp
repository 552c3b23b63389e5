// SPDX-License-Identifier: Apache-2.0
// Meshes, shapes and cameras on the nodes of prims.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/sort.hpp"
#include "export/gltf/materials.hpp"
#include "export/gltf/mesh_attributes.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/plan_nodes.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"

namespace sinew::exporter {

namespace {

using geom::MeshPrimvar;
using geom::PrimvarInterpolation;
using stage::Prim;
using stage::SchemaType;

/// One mesh of a stage on its way into the file.
class MeshWriter {
 public:
  MeshWriter(Writer& writer, const Prim& prim, const geom::Mesh& mesh, double meters)
      : w_(writer), prim_(prim), mesh_(mesh), meters_(meters), origin_(read_origin(prim)) {}

  const SkinnedMesh* skinned = nullptr;
  const std::vector<PointTarget>* targets = nullptr;
  std::span<const float> target_weights;
  bool is_shape = false;  ///< Of known normals; no primvars but constant ones.
  /// The mesh of the file that gets the primitives; kNoGlbIndex: one of their own.
  std::int32_t append_to = kNoGlbIndex;

  /// Triangles and their groups; false if there is nothing to draw.
  bool prepare() {
    if (mesh_.points.size() > w_.options.limits.vertices ||
        mesh_.face_indices.size() > 4 * w_.options.limits.vertices) {
      w_.fail(ErrorCode::limit_exceeded,
              fmt::format("{} has more than {} vertices.", prim_.path().view(),
                          w_.options.limits.vertices));
      return false;
    }
    triangles_ = geom::triangulate(mesh_);
    if (triangles_.broken_faces > 0) {
      w_.reporter.add(Severity::error, "gltf-bad-mesh", prim_,
                      fmt::format("{} of the faces of {} have corners or points that do not exist; "
                                  "the mesh is left out.",
                                  triangles_.broken_faces, prim_.path().view()));
      return false;
    }
    report_faces();
    groups_ = geom::group_by_subset(mesh_, "materialBind", triangles_);
    if (groups_.shared_faces > 0) {
      w_.warn("gltf-shared-faces", prim_,
              fmt::format("{} faces of {} are in several subsets; the first has them.",
                          groups_.shared_faces, prim_.path().view()));
    }
    if (triangles_.size() > 0) return true;
    w_.warn("gltf-empty-mesh", prim_,
            fmt::format("{} has no triangles; it is left out.", prim_.path().view()));
    return false;
  }

  /// What tells one use of the mesh from another: its materials, and what it inherits.
  std::string key() {
    find_materials();
    std::string key = fmt::format("{}:{}", prim_.node(), mesh_.double_sided);
    for (const stage::Prim& material : group_materials_) {
      key += ':';
      if (material) key += material.path().view();
    }
    for (const geom::Primvar& primvar : geom::find_inherited_primvars(prim_)) {
      const Prim owner = primvar.attribute().prim();
      if (owner != prim_) key += fmt::format(":{}@{}", primvar.name(), owner.path().view());
    }
    if (skinned != nullptr) key += ":skinned";
    return key;
  }

  std::int32_t write() {
    find_materials();
    attributes_ = read_attributes(w_, prim_, mesh_, triangles_, group_materials_, is_shape);
    return split_and_add();
  }

 private:
  void report_faces() {
    const auto path = prim_.path();
    if (triangles_.flat_faces + triangles_.folded_faces > 0) {
      w_.warn("gltf-degenerate-face", prim_,
              fmt::format("{} faces of {} have no area and {} cross themselves.",
                          triangles_.flat_faces, path.view(), triangles_.folded_faces));
    }
    if (triangles_.small_faces > 0) {
      w_.warn("gltf-small-face", prim_,
              fmt::format("{} faces of {} have fewer than three corners; they are left out.",
                          triangles_.small_faces, path.view()));
    }
    if (triangles_.not_finite_faces > 0) {
      w_.warn("gltf-not-finite", prim_,
              fmt::format("{} faces of {} have points that are not finite; they are left out.",
                          triangles_.not_finite_faces, path.view()));
    }
    if (mesh_.subdivision != geom::SubdivisionScheme::none) {
      w_.inform("gltf-subdivision-cage", prim_,
                fmt::format("{} is a subdivision surface ({}); its cage is written.", path.view(),
                            to_string(mesh_.subdivision)));
    }
  }

  void find_materials() {
    if (!group_materials_.empty()) return;
    for (const geom::TriangleGroup& group : groups_.groups) {
      Prim bound;
      if (w_.options.materials && group.count > 0) {
        Prim holder = prim_;
        if (group.subset != geom::TriangleGroup::kUnassigned) {
          const auto subset = static_cast<std::size_t>(group.subset);
          const Prim named = w_.stage.prim(mesh_.subsets[subset].path.view());
          if (named) holder = named;
        }
        bound = w_.materials->bound(holder);
      }
      group_materials_.push_back(bound);
    }
  }

  template <typename T>
  std::vector<T> values_of(const geom::Vertices& vertices, const MeshPrimvar<T>& primvar) {
    if (primvar.empty()) return {};
    Result<std::vector<T>> values = geom::vertex_values(vertices, primvar);
    if (!values) {
      w_.warn("gltf-primvar", prim_,
              fmt::format("A primvar of {} is left out: {}.", prim_.path().view(),
                          values.error().message));
      return {};
    }
    for (T& value : *values) {
      for (Eigen::Index i = 0; i < value.size(); ++i) {
        if (!std::isfinite(value[i])) value[i] = 0.0F;
      }
    }
    return *std::move(values);
  }

  std::int32_t split_and_add() {
    std::vector<geom::VertexAttribute> all;
    if (!attributes_.normals.empty()) all.emplace_back(attributes_.normals.primvar);
    if (!attributes_.tangents.empty()) all.emplace_back(attributes_.tangents.primvar);
    if (!attributes_.colors.empty()) all.emplace_back(attributes_.colors.primvar);
    for (const auto& uvs : attributes_.uvs) all.emplace_back(uvs.primvar);
    for (const auto& attribute : attributes_.named) all.push_back(attribute.source);
    Result<geom::Vertices> vertices = geom::split_corners(mesh_, triangles_, all);
    if (!vertices) {
      w_.reporter.add(
          Severity::error, "gltf-bad-mesh", prim_,
          fmt::format("{} is left out: {}.", prim_.path().view(), vertices.error().message));
      return kNoGlbIndex;
    }
    triangles_ = geom::Triangles();  // Memory for what comes.
    return add(*vertices);
  }

  std::int32_t add(const geom::Vertices& vertices) {
    const std::size_t count = vertices.size();
    std::vector<Vector3f> positions(count);
    for (std::size_t i = 0; i < count; ++i) {
      positions[i] = scaled_point(mesh_.points[vertices.points[i]], meters_);
    }
    const std::vector<Vector3f> normals = values_of(vertices, attributes_.normals.primvar);
    const std::vector<Vector4f> tangents = values_of(vertices, attributes_.tangents.primvar);
    const std::vector<Vector4f> colors = values_of(vertices, attributes_.colors.primvar);
    std::vector<std::vector<Vector2f>> uvs;
    std::vector<std::span<const Vector2f>> uv_views;
    for (const auto& set : attributes_.uvs) {
      uvs.push_back(values_of(vertices, set.primvar));
      for (Vector2f& uv : uvs.back())
        uv.y() = static_cast<float>(1.0 - static_cast<double>(uv.y()));
    }
    for (const auto& set : uvs) uv_views.emplace_back(set);
    attributes_.normals = {};
    attributes_.tangents = {};
    attributes_.colors = {};
    attributes_.uvs.clear();
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    if (skinned != nullptr) gather_influences(vertices, joints, weights);

    GlbMesh out;
    const std::string name = origin_.mesh.value_or(std::string(prim_.name().view()));
    const std::string path = w_.options.extras ? prim_.path().str() : std::string();
    out.name = name;
    out.source_path = path;
    out.positions = positions;
    out.normals = normals;
    out.tangents = tangents;
    out.colors = colors;
    out.uvs = uv_views;
    out.joints = joints;
    out.weights = weights;
    out.influence_sets = skinned == nullptr ? 0 : skinned->sets;
    const std::vector<GlbAttribute> attributes = write_attributes(vertices);
    out.attributes = attributes;
    std::vector<VertexTarget> moved = vertex_targets(vertices);
    std::vector<GlbMorphTarget> targets_out;
    for (const VertexTarget& target : moved) {
      targets_out.push_back({target.name, target.positions, target.normals, target.vertices});
    }
    out.targets = targets_out;
    out.target_weights = target_weights;
    const std::vector<GlbPrimitive> primitives = write_primitives(vertices, !colors.empty());
    out.primitives = primitives;
    if (append_to != kNoGlbIndex) return append_primitives(w_.document, out, append_to);
    const std::int32_t made = w_.builder.add_mesh(out);
    if (made != kNoGlbIndex && w_.options.extras) {
      add_extras(w_.document.meshes[static_cast<std::size_t>(made)], origin_.mesh_extras);
    }
    return made;
  }

  void gather_influences(const geom::Vertices& vertices, std::vector<std::uint16_t>& joints,
                         std::vector<float>& weights) const {
    const std::size_t width = skinned->sets * 4;
    joints.resize(vertices.size() * width);
    weights.resize(joints.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const std::size_t from = vertices.points[i] * width;
      std::copy_n(skinned->joints.data() + from, width, joints.data() + i * width);
      std::copy_n(skinned->weights.data() + from, width, weights.data() + i * width);
    }
  }

  std::vector<GlbAttribute> write_attributes(const geom::Vertices& vertices) {
    std::vector<GlbAttribute> result;
    for (auto& attribute : attributes_.named) {
      attribute.values.assign(vertices.size() * attribute.components, 0.0F);
      const geom::VertexField field{attribute.source, 0};
      const Status written =
          geom::write_vertices(vertices, {&field, 1}, attribute.components * sizeof(float),
                               std::as_writable_bytes(std::span<float>(attribute.values)));
      if (!written) continue;
      for (float& value : attribute.values) {
        if (!std::isfinite(value)) value = 0.0F;
      }
      result.push_back({attribute.name, attribute.values, attribute.components});
    }
    return result;
  }

  struct VertexTarget {
    std::string_view name;
    std::vector<Vector3f> positions, normals;
    std::vector<std::uint32_t> vertices;
  };

  // Offsets of points become offsets of the vertices that stand for them.
  std::vector<VertexTarget> vertex_targets(const geom::Vertices& vertices) const {
    std::vector<VertexTarget> result;
    if (targets == nullptr) return result;
    std::vector<std::uint32_t> first(mesh_.points.size() + 1, 0);
    for (const std::uint32_t point : vertices.points) ++first[point + 1];
    for (std::size_t p = 1; p < first.size(); ++p) first[p] += first[p - 1];
    std::vector<std::uint32_t> of_points(vertices.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t v = 0; v < vertices.size(); ++v) of_points[next[vertices.points[v]]++] = v;
    for (const PointTarget& target : *targets) {
      VertexTarget& made = result.emplace_back();
      made.name = target.name;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;  // Vertex, entry of the target.
      for (std::uint32_t i = 0; i < target.points.size(); ++i) {
        for (std::uint32_t k = first[target.points[i]]; k < first[target.points[i] + 1]; ++k) {
          moved.emplace_back(of_points[k], i);
        }
      }
      sort_range(moved.begin(), moved.end());
      for (const auto& [vertex, entry] : moved) {
        made.vertices.push_back(vertex);
        made.positions.push_back(target.positions[entry]);
        if (!target.normals.empty()) made.normals.push_back(target.normals[entry]);
      }
    }
    return result;
  }

  std::vector<GlbPrimitive> write_primitives(const geom::Vertices& vertices, bool has_colors) {
    std::vector<GlbPrimitive> primitives;
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      const geom::TriangleGroup& group = groups_.groups[g];
      if (group.count == 0) continue;
      GlbPrimitive primitive;
      primitive.indices = std::span<const std::uint32_t>(vertices.indices)
                              .subspan(std::size_t{group.first} * 3, std::size_t{group.count} * 3);
      const Prim& material = group_materials_[g];
      if (w_.options.materials) {
        Materials::Use use;
        use.material = material;
        use.double_sided = mesh_.double_sided;
        use.uv_names = attributes_.uv_names;
        use.color = attributes_.color;
        use.user = prim_;
        primitive.material = w_.materials->index(use);
      }
      primitive.colors =
          has_colors && (origin_.colors || !material || !w_.materials->has_surface(material));
      primitives.push_back(primitive);
    }
    return primitives;
  }

  Writer& w_;
  Prim prim_;
  const geom::Mesh& mesh_;
  double meters_;
  Origin origin_;
  geom::Triangles triangles_;
  geom::TriangleGroups groups_;
  std::vector<Prim> group_materials_;
  MeshAttributes attributes_;
};

bool points_vary(const Prim& prim) {
  const stage::Attribute points = prim.attribute("points");
  return points && points.time_sample_count() > 1;
}

/// The mesh of one node while prims are added to it.
struct NodeMesh {
  std::int32_t at = kTop;  ///< The node that shows it: not the prim's own if joints move it.
  std::int32_t mesh = kNoGlbIndex;
  std::int32_t skin = -1;
  std::size_t targets = 0;
  bool is_new = false;
  std::string key;  ///< In Writer::known_meshes.
  std::vector<float> weights;
};

// A mesh, with what deforms it. The second prim of a node, and those after it, become primitives of
// the first one's mesh if the same deforms them; else nodes below.
void add_mesh(Writer& w, std::int32_t index, const Prim& prim, NodeMesh& shown) {
  geom::ReadMeshOptions read;
  read.uvs = false;
  const geom::Mesh mesh = geom::read_mesh(prim, w.shown, &w.diagnostics, read);
  if (mesh.points.empty() || mesh.face_counts.empty()) return;
  const auto bound = w.targets.find(prim);
  if (points_vary(prim)) {
    w.warn("gltf-deforming-points", prim,
           fmt::format("The points of {} vary with time; they are written as at the first time.",
                       prim.path().view()));
  }
  MeshWriter writer(w, prim, mesh, w.meters);
  if (!writer.prepare()) return;

  std::optional<SkinnedMesh> skinned;
  std::vector<PointTarget> targets;
  MorphUse morph;
  std::vector<float> weights;
  const bool is_copy = w.node(index).is_copy;
  if (bound != w.targets.end() && is_copy) {
    w.warn("gltf-instanced-skin", prim,
           fmt::format("{} is skinned and shown by a PointInstancer; it is written undeformed.",
                       prim.path().view()));
  }
  if (bound != w.targets.end() && !is_copy) {
    const skel::SkeletonBinding& binding = w.bindings[bound->second.first];
    const skel::SkinTarget& target = binding.targets[bound->second.second];
    skinned = bind_mesh(w, prim, mesh.points.size());
    if (w.error) return;
    targets = read_targets(w, target, mesh.points.size());
    if (!targets.empty()) {
      morph.binding = &binding;
      morph.target = &target;
      for (const PointTarget& t : targets) morph.sub_shapes.push_back(t.sub_shape);
      const auto authored = shown_weights(w, binding);
      weights = target_weights(binding, target, morph, authored);
    }
  }
  const bool has_skin = skinned && skinned->skin >= 0;
  if (has_skin) writer.skinned = &*skinned;
  writer.targets = targets.empty() ? nullptr : &targets;
  writer.target_weights = weights;

  bool is_first = shown.mesh == kNoGlbIndex;
  if (!is_first) {
    const bool same = shown.skin == (skinned ? skinned->skin : -1) &&
                      has_skin == skinned.has_value() && shown.targets == targets.size() &&
                      shown.weights == weights;
    if (same && !shown.is_new) return;  // All of it was written for another node.
    if (same) {
      writer.append_to = shown.mesh;
      writer.write();
      return;
    }
    index = w.add_node(index, std::string(prim.name().view()), Matrix4d::Identity());
    if (w.error) return;
    w.node(index).source_path = prim.path().str();
  }
  std::string key = writer.key() + (is_copy ? ":copy" : "");
  const auto [known, is_new] = w.known_meshes.try_emplace(key, kNoGlbIndex);
  if (is_new) known->second = writer.write();
  if (known->second == kNoGlbIndex) return;

  std::int32_t at = index;
  if (skinned) {
    const std::string name = w.node(index).name;
    at = has_skin ? w.add_node(kTop, name, Matrix4d::Identity())
                  : w.add_node(skinned->rigid_joint, name, skinned->rigid_local);
    if (w.error) return;
    w.node(at).source_path = prim.path().str();
    w.node(at).skin = has_skin ? skinned->skin : -1;
    // What is shown there is all that the prim's own node was about.
    std::swap(w.node(at).imported_extras, w.node(index).imported_extras);
  }
  w.node(at).mesh = known->second;
  w.node(at).needed = true;
  if (!is_new) w.node(at).target_weights = weights;
  if (!targets.empty()) {
    morph.node = at;
    w.morphs.push_back(std::move(morph));
  }
  if (is_first) {
    shown = {at,
             known->second,
             has_skin ? skinned->skin : -1,
             targets.size(),
             is_new,
             std::move(key),
             std::move(weights)};
  }
}

// Meshes that were one in an imported file, and still are equal, are one again.
void share_imported(Writer& w, const NodeMesh& shown, const std::string& name,
                    const GltfSummary& before) {
  GlbBuilder::Impl& d = w.document;
  if (static_cast<std::size_t>(shown.mesh) + 1 != d.meshes.size()) return;
  const Json& made = d.meshes.back();
  const auto targets_of = [](const Json& mesh) {
    const auto extras = mesh.find("extras");
    return extras == mesh.end() ? Json() : extras->value("targetNames", Json());
  };
  const auto [first, last] = w.imported_meshes.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const Json& other = d.meshes[static_cast<std::size_t>(it->second)];
    if (other["primitives"] != made["primitives"] || targets_of(other) != targets_of(made)) {
      continue;
    }
    const bool same_weights = other.value("weights", Json()) == made.value("weights", Json());
    w.node(shown.at).mesh = it->second;
    if (!same_weights) w.node(shown.at).target_weights = shown.weights;
    w.known_meshes[shown.key] = it->second;
    d.meshes.pop_back();
    d.mesh_facts.pop_back();
    d.summary = before;
    return;
  }
  w.imported_meshes.emplace(name, shown.mesh);
}

void add_meshes(Writer& w, std::int32_t index, const std::vector<Prim>& prims) {
  const GltfSummary before = w.document.summary;
  NodeMesh shown;
  for (const Prim& prim : prims) {
    if (w.error) return;
    add_mesh(w, index, prim, shown);
  }
  if (shown.mesh == kNoGlbIndex || !shown.is_new || w.error) return;
  if (const auto name = read_origin(prims.front()).mesh) share_imported(w, shown, *name, before);
}

void add_shape(Writer& w, PlanNode& node, const geom::Shape& shape) {
  std::vector<Vector3f> normals;
  geom::Mesh mesh = shape_mesh(shape, w.meters, normals);
  const stage::Attribute double_sided = node.prim.attribute("doubleSided");
  if (double_sided) mesh.double_sided = double_sided.get<bool>(w.shown).value_or(mesh.double_sided);
  MeshWriter writer(w, node.prim, mesh, 1.0);
  writer.is_shape = true;
  if (!writer.prepare()) return;
  node.mesh = writer.write();
  node.needed = node.needed || node.mesh != kNoGlbIndex;
}

}  // namespace

std::int32_t collider_mesh(Writer& w, const std::string& path, const geom::Mesh& mesh) {
  const Prim prim = w.stage.prim(path);
  if (!prim) return kNoGlbIndex;
  const auto [known, is_new] =
      w.known_meshes.try_emplace(fmt::format("collider:{}", prim.node()), kNoGlbIndex);
  if (!is_new) return known->second;
  const geom::Triangles triangles = geom::triangulate(mesh);
  const std::vector<std::uint32_t> indices = geom::triangle_points(mesh, triangles);
  std::vector<Vector3f> positions(mesh.points.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = scaled_point(mesh.points[i], w.meters);
  }
  const GlbPrimitive primitive = {indices};
  const std::string name(prim.name().view());
  GlbMesh out;
  out.name = name;
  out.positions = positions;
  out.primitives = {&primitive, 1};
  if (w.options.extras) out.source_path = path;
  known->second = w.builder.add_mesh(out);
  return known->second;
}

void add_shapes(Writer& w) {
  const std::size_t count = w.nodes.size();
  for (std::size_t i = 0; i < count && !w.error; ++i) {
    w.progress("meshes", i, count);
    const Prim prim = w.nodes[i].prim;
    if (!prim || w.error) continue;
    std::vector<Prim> meshes;
    for (const Prim& part : w.nodes[i].parts) {
      if (part.is_a(SchemaType::camera)) {
        add_camera(w, w.nodes[i], part);
      } else {
        meshes.push_back(part);
      }
    }
    if (!meshes.empty()) add_meshes(w, static_cast<std::int32_t>(i), meshes);
    if (!w.nodes[i].visible) continue;
    if (prim.is_a(SchemaType::mesh)) {
      add_meshes(w, static_cast<std::int32_t>(i), {prim});
    } else if (prim.is_a(SchemaType::camera)) {
      add_camera(w, w.nodes[i], prim);
    } else if (is_simple_shape(prim)) {
      if (const auto shape = geom::read_shape(prim, w.shown, &w.diagnostics)) {
        add_shape(w, w.nodes[i], *shape);
      }
    }
  }
}

}  // namespace sinew::exporter
