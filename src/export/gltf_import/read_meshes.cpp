// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "core/format_text.hpp"
#include "export/gltf_import/document.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::array<std::string_view, 2> kColors = {"VEC3", "VEC4"};

class MeshReader {
 public:
  MeshReader(const ReadContext& context) : context_(context), reader_(*context.reader) {}

  Mesh read(const Cursor& at);

 private:
  void read_primitive(const Cursor& at, Mesh& mesh);
  std::int32_t vertex_data(const Cursor& at, Mesh& mesh);
  std::optional<VertexData> read_vertex_data(const Cursor& at);
  /// One attribute with as many elements as there are positions, or nothing.
  Floats attribute(const Cursor& user, std::span<const std::string_view> types,
                   std::size_t vertices);
  template <typename Read>
  auto numbered(const Cursor& attributes, std::string_view name, const Read& read);
  void read_influences(const Cursor& attributes, std::size_t vertices, Attributes& out);
  void read_targets(const Cursor& at, std::size_t vertices, VertexData& data);
  void tell_ignored(const Cursor& attributes, std::span<const std::string_view> read);

  const ReadContext& context_;
  const JsonReader& reader_;
  std::map<std::string, std::int32_t> known_;  // Vertex data by the text that names it.
};

Floats MeshReader::attribute(const Cursor& user, std::span<const std::string_view> types,
                             std::size_t vertices) {
  if (!user) return {};
  const auto found = context_.accessors->floats(user, types);
  if (!found || !check_finite(context_, user, *found)) return {};
  if (found->size() != vertices) {
    context_.faults().error(
        user.pointer(), "gltf-attribute-count",
        format_text("There are {} elements for {} vertices.", found->size(), vertices));
    return {};
  }
  return *found;
}

// NAME_0, NAME_1, ... until one is missing.
template <typename Read>
auto MeshReader::numbered(const Cursor& attributes, std::string_view name, const Read& read) {
  std::vector<decltype(read(attributes))> result;
  for (std::size_t i = 0;; ++i) {
    const Cursor user = attributes[format_text("{}_{}", name, i)];
    if (!user) return result;
    result.push_back(read(user));
  }
}

void MeshReader::read_influences(const Cursor& attributes, std::size_t vertices, Attributes& out) {
  const auto joints = numbered(attributes, "JOINTS", [&](const Cursor& user) {
    const auto found = context_.accessors->integers(user, "VEC4");
    if (found && found->size() == vertices) return *found;
    if (found) {
      context_.faults().error(
          user.pointer(), "gltf-attribute-count",
          format_text("There are {} elements for {} vertices.", found->size(), vertices));
    }
    return Integers();
  });
  const auto weights = numbered(
      attributes, "WEIGHTS", [&](const Cursor& user) { return attribute(user, kVec4, vertices); });
  if (joints.size() != weights.size()) {
    context_.faults().error(attributes.pointer(), "gltf-influences",
                            format_text("There are {} sets of joints and {} of weights.",
                                        joints.size(), weights.size()));
  }
  for (std::size_t i = 0; i < std::min(joints.size(), weights.size()); ++i) {
    if (!joints[i] || !weights[i]) continue;
    out.joints.push_back(joints[i]);
    out.weights.push_back(weights[i]);
  }
}

// What no prim can say: attributes of applications, second colours, tangents of targets.
void MeshReader::tell_ignored(const Cursor& attributes, std::span<const std::string_view> read) {
  std::set<std::string, std::less<>> known(read.begin(), read.end());
  for (const char* numbered : {"TEXCOORD", "JOINTS", "WEIGHTS"}) {
    for (std::size_t i = 0;; ++i) {
      std::string name = format_text("{}_{}", numbered, i);
      if (!attributes[name]) break;
      known.insert(std::move(name));
    }
  }
  for (const auto& [name, value] : attributes.value()->members()) {
    if (known.contains(name)) continue;
    context_.faults().info(attributes[name].pointer(), "gltf-attribute-ignored",
                           format_text("The attribute '{}' is left out.", name));
  }
}

void MeshReader::read_targets(const Cursor& at, std::size_t vertices, VertexData& data) {
  for (std::size_t i = 0; i < reader_.list(at); ++i) {
    Target target;
    if (reader_.object(at[i])) {
      target.positions = attribute(at[i]["POSITION"], kVec3, vertices);
      target.normals = attribute(at[i]["NORMAL"], kVec3, vertices);
      tell_ignored(at[i], std::array<std::string_view, 2>{"POSITION", "NORMAL"});
    }
    data.targets.push_back(std::move(target));
  }
}

std::optional<VertexData> MeshReader::read_vertex_data(const Cursor& at) {
  const Cursor attributes = at["attributes"];
  const Cursor positions = attributes["POSITION"];
  if (!positions) {
    context_.faults().error(positions.pointer(), "gltf-missing",
                            "A primitive without positions shows nothing.");
    return std::nullopt;
  }
  VertexData data;
  const auto found = context_.accessors->floats(positions, kVec3);
  if (!found || !check_finite(context_, positions, *found)) return std::nullopt;
  const std::size_t vertices = found->size();
  Attributes& out = data.attributes;
  out.positions = *found;
  out.normals = attribute(attributes["NORMAL"], kVec3, vertices);
  out.tangents = attribute(attributes["TANGENT"], kVec4, vertices);
  out.uvs = numbered(attributes, "TEXCOORD",
                     [&](const Cursor& user) { return attribute(user, kVec2, vertices); });
  out.colors = numbered(attributes, "COLOR",
                        [&](const Cursor& user) { return attribute(user, kColors, vertices); });
  read_influences(attributes, vertices, out);
  constexpr std::array<std::string_view, 4> kRead = {"POSITION", "NORMAL", "TANGENT", "COLOR_0"};
  tell_ignored(attributes, kRead);
  if (at["targets"]) read_targets(at["targets"], vertices, data);
  return data;
}

std::int32_t MeshReader::vertex_data(const Cursor& at, Mesh& mesh) {
  if (!reader_.object(at["attributes"])) {
    if (!at["attributes"]) {
      context_.faults().error(at["attributes"].pointer(), "gltf-missing",
                              "The attributes are missing.");
    }
    return kNothing;
  }
  std::string key = json_text(*at["attributes"].value());
  if (at["targets"]) key += json_text(*at["targets"].value());
  const auto [known, is_new] = known_.try_emplace(std::move(key), kNothing);
  if (!is_new) return known->second;
  std::optional<VertexData> data = read_vertex_data(at);
  if (!data) return kNothing;
  known->second = static_cast<std::int32_t>(mesh.attributes.size());
  mesh.attributes.push_back(*std::move(data));
  return known->second;
}

void MeshReader::read_primitive(const Cursor& at, Mesh& mesh) {
  if (!reader_.object(at)) return;
  Primitive primitive;
  const auto mode = at["mode"] ? reader_.count(at["mode"], 6) : std::uint64_t{4};
  if (!mode) return;
  primitive.mode = static_cast<Mode>(*mode);
  primitive.attributes = vertex_data(at, mesh);
  if (primitive.attributes == kNothing) return;
  const std::size_t vertices =
      mesh.attributes[static_cast<std::size_t>(primitive.attributes)].attributes.positions.size();
  if (const Cursor indices = at["indices"]; indices) {
    const auto found = context_.accessors->integers(indices, "SCALAR");
    if (!found) return;
    for (std::size_t i = 0; i < found->values->size(); ++i) {
      const std::uint32_t vertex = (*found->values)[i];
      if (vertex < vertices) continue;
      context_.faults().error(
          indices.pointer(), "gltf-vertex-index",
          format_text("Index {} (number {}) names none of the {} vertices.", vertex, i, vertices));
      return;
    }
    if (!context_.budget->spend(found->size(), sizeof(std::uint32_t))) return;
    primitive.vertices = *found->values;
  } else {
    if (!context_.budget->spend(vertices, sizeof(std::uint32_t))) return;
    primitive.vertices.resize(vertices);
    std::iota(primitive.vertices.begin(), primitive.vertices.end(), 0U);
  }
  if (const auto material =
          reader_.index(at["material"], context_.root["materials"].size(), "materials")) {
    primitive.material = static_cast<std::int32_t>(*material);
  }
  const bool is_points = primitive.mode == Mode::points;
  const bool is_lines = primitive.mode == Mode::lines || primitive.mode == Mode::line_loop ||
                        primitive.mode == Mode::line_strip;
  const std::size_t least = is_points ? 1 : is_lines ? 2 : 3;
  if (primitive.vertices.size() < least) {
    context_.faults().error((at["indices"] ? at["indices"] : at).pointer(), "gltf-vertex-count",
                            format_text("{} vertices show nothing; the primitive is left out.",
                                        primitive.vertices.size()));
    return;
  }
  if (primitive.mode == Mode::triangles && primitive.vertices.size() % 3 != 0) {
    context_.faults().warning(
        (at["indices"] ? at["indices"] : at).pointer(), "gltf-triangles",
        format_text("{} corners are not a whole number of triangles; the last ones are left out.",
                    primitive.vertices.size()));
  }
  mesh.primitives.push_back(std::move(primitive));
}

Mesh MeshReader::read(const Cursor& at) {
  Mesh mesh;
  if (!reader_.object(at)) return mesh;
  mesh.name = name_of(context_, at);
  mesh.usd_path = usd_path_of(context_, at);
  mesh.extras = extras_of(context_, at);
  const Cursor primitives = at["primitives"];
  if (reader_.list(primitives) == 0) {
    context_.faults().error(primitives.pointer(), "gltf-missing", "The mesh has no primitives.");
  }
  for (std::size_t i = 0; i < primitives.size(); ++i) read_primitive(primitives[i], mesh);
  std::size_t targets = 0;
  for (const VertexData& data : mesh.attributes) targets = std::max(targets, data.targets.size());
  for (VertexData& data : mesh.attributes) {
    if (data.targets.size() == targets) continue;
    context_.faults().error(primitives.pointer(), "gltf-morph-targets",
                            format_text("One primitive has {} morph targets, another {}.",
                                        data.targets.size(), targets));
    if (!context_.budget->spend(targets, sizeof(Target))) break;
    data.targets.resize(targets);
  }
  const Cursor weights = at["weights"];
  if (weights && reader_.list(weights) != targets) {
    context_.faults().error(
        weights.pointer(), "gltf-morph-targets",
        format_text("There are {} weights for {} morph targets.", weights.size(), targets));
  }
  for (std::size_t i = 0; i < targets; ++i) {
    mesh.weights.push_back(weights[i] ? static_cast<float>(reader_.number(weights[i]).value_or(0.0))
                                      : 0.0F);
    const Cursor name = at["extras"]["targetNames"][i];
    mesh.target_names.push_back(name && name.value()->is_string()
                                    ? std::string(name.value()->text())
                                    : format_text("target_{}", i));
  }
  return mesh;
}

}  // namespace

bool check_finite(const ReadContext& context, const Cursor& user, const Floats& values) {
  for (std::size_t i = 0; i < values.values->size(); ++i) {
    if (std::isfinite((*values.values)[i])) continue;
    context.faults().error(
        user.pointer(), "gltf-not-finite",
        format_text("Element {} has a number that is not finite.", i / values.width));
    return false;
  }
  return true;
}

void read_meshes(const ReadContext& context, Document& document) {
  const Cursor meshes = context.root["meshes"];
  for (std::size_t i = 0; i < context.reader->list(meshes); ++i) {
    document.meshes.push_back(MeshReader(context).read(meshes[i]));
  }
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    Node& node = document.nodes[i];
    if (node.weights.empty()) continue;
    const std::size_t targets =
        node.mesh == kNothing ? 0
                              : document.meshes[static_cast<std::size_t>(node.mesh)].weights.size();
    if (node.weights.size() == targets) continue;
    context.faults().error(
        context.root["nodes"][i]["weights"].pointer(), "gltf-morph-targets",
        format_text("There are {} weights for {} morph targets.", node.weights.size(), targets));
    node.weights.clear();
  }
}

void read_skins(const ReadContext& context, Document& document) {
  const JsonReader& reader = *context.reader;
  const Cursor skins = context.root["skins"];
  for (std::size_t i = 0; i < reader.list(skins); ++i) {
    Skin& skin = document.skins.emplace_back();
    const Cursor at = skins[i];
    if (!reader.object(at)) continue;
    skin.name = name_of(context, at);
    const Cursor joints = at["joints"];
    if (reader.list(joints) == 0) {
      context.faults().error(joints.pointer(), "gltf-missing", "The skin has no joints.");
      continue;
    }
    std::set<std::uint32_t> seen;
    bool good = true;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const auto node = reader.index(joints[k], document.nodes.size(), "nodes");
      good = good && node;
      if (!node) continue;
      if (!seen.insert(*node).second) {
        context.faults().error(joints[k].pointer(), "gltf-skin-joint",
                               "The node is a joint of this skin already.");
        good = false;
      }
      skin.joints.push_back(*node);
    }
    constexpr std::array<std::string_view, 1> kMat4 = {"MAT4"};
    if (const Cursor binds = at["inverseBindMatrices"]; binds && good) {
      const auto found = context.accessors->floats(binds, kMat4);
      if (found && found->size() < skin.joints.size()) {
        context.faults().error(
            binds.pointer(), "gltf-inverse-binds",
            format_text("There are {} matrices for {} joints.", found->size(), skin.joints.size()));
      }
      good = found && found->size() >= skin.joints.size();
      if (good) skin.inverse_binds = *found;
    }
    if (!good) skin.joints.clear();
  }
}

}  // namespace sinew::exporter::gltf_import
