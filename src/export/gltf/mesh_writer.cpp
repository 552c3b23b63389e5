// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/mesh_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "export/gltf/materials.hpp"
#include "sinew/geom/primvars.hpp"

namespace sinew::exporter {

namespace {

using geom::MeshPrimvar;
using stage::Prim;

/// A morph target of vertices.
struct VertexTarget {
  std::string_view name;
  std::vector<Vector3f> positions, normals;
  std::vector<std::uint32_t> vertices;
};

template <typename T>
std::span<T> new_block(std::vector<Buffer>& blocks, std::size_t size) {
  Buffer& block = blocks.emplace_back(Buffer::in_pages(size * sizeof(T)));
  return {reinterpret_cast<T*>(block.mutable_data()), size};
}

// Offsets of points become offsets of the vertices that stand for them.
std::vector<VertexTarget> vertex_targets(const geom::Vertices& vertices,
                                         const std::vector<PointTarget>* targets,
                                         std::size_t point_count) {
  std::vector<VertexTarget> result;
  if (targets == nullptr) return result;
  std::vector<std::uint32_t> first(point_count + 1, 0);
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

}  // namespace

bool MeshWriter::prepare() {
  if (mesh_.points.size() > w_.options.limits.vertices ||
      mesh_.face_indices.size() > 4 * w_.options.limits.vertices) {
    w_.fail(ErrorCode::limit_exceeded,
            format_text("{} has more than {} vertices.", prim_.path().view(),
                        w_.options.limits.vertices));
    return false;
  }
  triangles_ = geom::triangulate(mesh_);
  if (triangles_.broken_faces > 0) {
    w_.reporter.add(Severity::error, "gltf-bad-mesh", prim_,
                    format_text("{} of the faces of {} have corners or points that do not exist; "
                                "the mesh is left out.",
                                triangles_.broken_faces, prim_.path().view()));
    return false;
  }
  report_faces();
  groups_ = geom::group_by_subset(mesh_, "materialBind", triangles_);
  if (groups_.shared_faces > 0) {
    w_.warn("gltf-shared-faces", prim_,
            format_text("{} faces of {} are in several subsets; the first has them.",
                        groups_.shared_faces, prim_.path().view()));
  }
  if (triangles_.size() > 0) return true;
  w_.warn("gltf-empty-mesh", prim_,
          format_text("{} has no triangles; it is left out.", prim_.path().view()));
  return false;
}

std::string MeshWriter::key() {
  find_materials();
  std::string key = format_text("{}:{}", prim_.node(), mesh_.double_sided ? "double" : "single");
  for (const stage::Prim& material : group_materials_) {
    key += ':' + w_.materials->key(material);
  }
  key += inherited_key();
  if (skinned != nullptr) {
    key += ":skinned";
    for (const std::int32_t joint : skinned->numbering) key += format_text(",{}", joint);
  }
  if (targets != nullptr) key += ":morphed";
  if (is_reversed) key += ":reversed";
  return key;
}

std::string MeshWriter::key(const geom::Shape& shape) {
  read();
  std::string key =
      format_text("{}:{}", shape_key(shape), mesh_.double_sided ? "double" : "single");
  for (const stage::Prim& material : group_materials_) {
    key += ':' + w_.materials->key(material);
  }
  if (attributes_.color) {
    for (int i = 0; i < 4; ++i) key += format_text(":{}", (*attributes_.color)[i]);
  }
  if (!attributes_.named.empty()) key += format_text("@{}{}", prim_.node(), inherited_key());
  return key;
}

// What comes from outside of the instance, if the prim is in one, by value: all else is the same
// for what shares the prim's node.
std::string MeshWriter::inherited_key() const {
  constexpr std::size_t kMostBytes = 1024;  // More is told apart by where it is.
  std::string key;
  for (const geom::Primvar& primvar : geom::find_inherited_primvars(prim_)) {
    const stage::Attribute attribute = primvar.attribute();
    const Prim owner = attribute.prim();
    if (owner.instance_context() == prim_.instance_context()) continue;
    key += format_text(":{} {} {}", primvar.name(), attribute.type_name(), primvar.element_size());
    const stage::Attribute indices = primvar.indices_attribute();
    const layer::Value values[] = {primvar.value(w_.shown),
                                   indices ? indices.value(w_.shown) : layer::Value()};
    if (values[0].size_in_bytes() + values[1].size_in_bytes() > kMostBytes) {
      key += format_text("@{}", owner.path().view());
      continue;
    }
    for (const layer::Value& value : values) {
      const std::span<const std::byte> bytes = value.bytes();
      key += format_text(" {}=", bytes.size());
      key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }
  return key;
}

void MeshWriter::read() {
  if (std::exchange(is_read_, true)) return;
  find_materials();
  attributes_ = read_attributes(w_, prim_, mesh_, triangles_, group_materials_, is_shape);
}

std::int32_t MeshWriter::write() {
  read();
  // After the normals, which are of the mesh as the stage has it.
  for (std::size_t i = 0; is_reversed && i < triangles_.size(); ++i) {
    std::swap(triangles_.corners[3 * i + 1], triangles_.corners[3 * i + 2]);
  }
  return split_and_add();
}

void MeshWriter::report_faces() {
  const auto path = prim_.path();
  const auto warn = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    w_.warn("gltf-degenerate-face", prim_,
            format_text("{} faces of {} {}.", count, path.view(), what));
  };
  warn(triangles_.flat_faces, "have no area");
  warn(triangles_.folded_faces, "cross themselves");
  if (triangles_.small_faces > 0) {
    w_.warn("gltf-small-face", prim_,
            format_text("{} faces of {} have fewer than three corners; they are left out.",
                        triangles_.small_faces, path.view()));
  }
  if (triangles_.not_finite_faces > 0) {
    w_.warn("gltf-not-finite", prim_,
            format_text("{} faces of {} have points that are not finite; they are left out.",
                        triangles_.not_finite_faces, path.view()));
  }
  if (mesh_.subdivision != geom::SubdivisionScheme::none) {
    w_.inform("gltf-subdivision-cage", prim_,
              format_text("{} is a subdivision surface ({}); its cage is written.", path.view(),
                          to_string(mesh_.subdivision)));
  }
}

void MeshWriter::find_materials() {
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

// Values of the vertices, in a block that goes into the file.
template <typename T>
std::span<T> MeshWriter::values_of(const geom::Vertices& vertices, const MeshPrimvar<T>& primvar) {
  if (primvar.empty()) return {};
  const std::span<T> values = new_block<T>(blocks_, vertices.size());
  const geom::VertexField field{primvar, 0};
  const Status written =
      geom::write_vertices(vertices, {&field, 1}, sizeof(T), std::as_writable_bytes(values));
  if (!written) return {};  // Not so: the primvar was read for this mesh.
  for (T& value : values) {
    for (Eigen::Index i = 0; i < value.size(); ++i) {
      if (!std::isfinite(value[i])) value[i] = 0.0F;
    }
  }
  return values;
}

std::int32_t MeshWriter::split_and_add() {
  std::vector<geom::VertexAttribute> all;
  if (!attributes_.normals.empty()) all.emplace_back(attributes_.normals.primvar);
  if (!attributes_.tangents.empty()) all.emplace_back(attributes_.tangents.primvar);
  if (!attributes_.colors.empty()) all.emplace_back(attributes_.colors.primvar);
  for (const auto& uvs : attributes_.uvs) all.emplace_back(uvs.primvar);
  for (const auto& attribute : attributes_.named) all.push_back(attribute.source);
  Result<geom::Vertices> vertices = geom::split_corners(mesh_, std::move(triangles_), all);
  if (!vertices) {
    w_.reporter.add(
        Severity::error, "gltf-bad-mesh", prim_,
        format_text("{} is left out: {}.", prim_.path().view(), vertices.error().message));
    return kNoGlbIndex;
  }
  return add(*vertices);
}

std::int32_t MeshWriter::add(const geom::Vertices& vertices) {
  const std::size_t count = vertices.size();
  const std::span<Vector3f> positions = new_block<Vector3f>(blocks_, count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = scaled_point(mesh_.points[vertices.points[i]], meters_);
  }
  // What was read goes as soon as it is written.
  const std::span<const Vector3f> normals = values_of(vertices, attributes_.normals.primvar);
  attributes_.normals = {};
  const std::span<const Vector4f> tangents = values_of(vertices, attributes_.tangents.primvar);
  attributes_.tangents = {};
  const std::span<const Vector4f> colors = values_of(vertices, attributes_.colors.primvar);
  attributes_.colors = {};
  std::vector<std::span<const Vector2f>> uvs;
  for (auto& set : attributes_.uvs) {
    const std::span<Vector2f> values = values_of(vertices, set.primvar);
    for (Vector2f& uv : values) uv.y() = static_cast<float>(1.0 - static_cast<double>(uv.y()));
    uvs.emplace_back(values);
    set = {};
  }
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
  out.uvs = uvs;
  out.joints = joints;
  out.weights = weights;
  out.influence_sets = skinned == nullptr ? 0 : skinned->sets;
  const std::vector<GlbAttribute> attributes = write_attributes(vertices);
  out.attributes = attributes;
  if (normals.empty()) tell_lost_normals();
  std::vector<VertexTarget> moved = vertex_targets(vertices, targets, mesh_.points.size());
  std::vector<GlbMorphTarget> targets_out;
  for (const VertexTarget& target : moved) {
    targets_out.push_back({target.name, target.positions, target.normals, target.vertices});
  }
  out.targets = targets_out;
  out.target_weights = target_weights;
  const std::vector<GlbPrimitive> primitives = write_primitives(vertices, colors);
  out.primitives = primitives;
  const std::int32_t made = add_mesh_of_blocks(w_.document, out, append_to, blocks_);
  if (append_to != kNoGlbIndex) return made;
  if (made != kNoGlbIndex && w_.options.extras) {
    add_extras(w_.document.meshes[static_cast<std::size_t>(made)], origin_.mesh_extras);
  }
  return made;
}

void MeshWriter::tell_lost_normals() {
  if (targets == nullptr) return;
  const auto lost = std::count_if(targets->begin(), targets->end(),
                                  [](const PointTarget& t) { return !t.normals.empty(); });
  if (lost == 0) return;
  w_.warn("gltf-blend-shape", prim_,
          format_text("{} has no normals; those of {} of its morph targets are left out.",
                      prim_.path().view(), lost));
}

void MeshWriter::gather_influences(const geom::Vertices& vertices,
                                   std::vector<std::uint16_t>& joints,
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

std::vector<GlbAttribute> MeshWriter::write_attributes(const geom::Vertices& vertices) {
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

std::vector<GlbPrimitive> MeshWriter::write_primitives(const geom::Vertices& vertices,
                                                       std::span<const Vector4f> colors) {
  std::vector<GlbPrimitive> primitives;
  const bool is_translucent =
      std::any_of(colors.begin(), colors.end(), [](const Vector4f& c) { return c.w() < 1.0F; });
  for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
    const geom::TriangleGroup& group = groups_.groups[g];
    if (group.count == 0) continue;
    GlbPrimitive primitive;
    primitive.indices = std::span<const std::uint32_t>(vertices.indices)
                            .subspan(std::size_t{group.first} * 3, std::size_t{group.count} * 3);
    const Prim& material = group_materials_[g];
    const bool is_colored = material && w_.materials->gives_color(material);
    primitive.colors = !colors.empty() && (origin_.colors || !is_colored);
    if (w_.options.materials) {
      Materials::Use use;
      use.material = material;
      use.double_sided = mesh_.double_sided;
      use.uv_names = attributes_.uv_names;
      use.color = attributes_.color;
      use.had_none = origin_.mesh.has_value();
      // Where the colours of the vertices are all there is, nothing dims them. What came without a
      // material, from another file, goes back without.
      if (primitive.colors && !is_colored && (material || !origin_.mesh)) {
        use.color = Vector4f::Ones();
        use.is_translucent = is_translucent;
      }
      use.user = prim_;
      primitive.material = w_.materials->index(use);
    }
    primitives.push_back(primitive);
  }
  return primitives;
}

}  // namespace sinew::exporter
