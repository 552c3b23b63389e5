// SPDX-License-Identifier: Apache-2.0
// Meshes, shapes and cameras on the nodes of prims.

#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "core/transform_kind.hpp"
#include "export/gltf/mesh_writer.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/plan_nodes.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/triangles.hpp"

namespace sinew::exporter {

namespace {

using stage::Prim;
using stage::SchemaType;

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
           format_text("The points of {} vary with time; they are written as at the first time.",
                       prim.path().view()));
  }
  for (const char* name :
       {"faceVertexCounts", "faceVertexIndices", "holeIndices", "primvars:skel:jointIndices",
        "primvars:skel:jointWeights", "primvars:skel:geomBindTransform"}) {
    w.tell_if_animated(prim.attribute(name));
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
           format_text("{} is skinned and shown by a PointInstancer; it is written undeformed.",
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
  if (skinned) {
    // On the stage the prim's own transform says which side of its deformed faces is the front; in
    // the file that of the node, which for skins is none.
    const bool is_seen =
        !has_skin && mirrors(w.node(skinned->rigid_joint).world * skinned->rigid_local);
    writer.is_reversed = is_seen != mirrors(geom::world_from_prim(prim, w.shown));
  }
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
  const auto same = [](const Json* a, const Json* b) {
    return a == nullptr || b == nullptr ? a == b : *a == *b;
  };
  const auto targets_of = [](const Json& mesh) {
    const Json* const extras = mesh.find("extras");
    return extras == nullptr ? nullptr : extras->find("targetNames");
  };
  const auto [first, last] = w.imported_meshes.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const Json& other = d.meshes[static_cast<std::size_t>(it->second)];
    if (!same(other.find("primitives"), made.find("primitives")) ||
        !same(targets_of(other), targets_of(made))) {
      continue;
    }
    const bool same_weights = same(other.find("weights"), made.find("weights"));
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
  for (const char* size :
       {"size", "radius", "height", "radiusTop", "radiusBottom", "width", "length"}) {
    w.tell_if_animated(node.prim.attribute(size));
  }
  const stage::Attribute double_sided = node.prim.attribute("doubleSided");
  if (double_sided) mesh.double_sided = double_sided.get<bool>(w.shown).value_or(mesh.double_sided);
  MeshWriter writer(w, node.prim, mesh, 1.0);
  writer.is_shape = true;
  if (!writer.prepare()) return;
  const auto [known, is_new] = w.known_meshes.try_emplace(writer.key(shape), kNoGlbIndex);
  if (is_new) known->second = writer.write();
  node.mesh = known->second;
  node.needed = node.needed || node.mesh != kNoGlbIndex;
}

}  // namespace

std::int32_t collider_mesh(Writer& w, const std::string& path, const geom::Mesh& mesh) {
  const Prim prim = w.stage.prim(path);
  if (!prim) return kNoGlbIndex;
  const auto [known, is_new] =
      w.known_meshes.try_emplace(format_text("collider:{}", prim.node()), kNoGlbIndex);
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
