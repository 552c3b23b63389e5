// SPDX-License-Identifier: Apache-2.0
// GlbBuilder::add_mesh: checks, accessors of vertices, indices and morph targets.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/document.hpp"

namespace sinew::exporter {

namespace {

template <typename T>
std::span<const float> floats_of(std::span<const T> values) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float)};
}

bool all_unit(std::span<const Vector3f> vectors) {
  return std::all_of(vectors.begin(), vectors.end(),
                     [](const Vector3f& v) { return std::abs(v.squaredNorm() - 1.0F) < 2e-3F; });
}

class MeshAdder {
 public:
  MeshAdder(GlbBuilder::Impl& document, const GlbMesh& mesh, std::span<const Buffer> blocks = {})
      : d_(document),
        container_(document.container),
        mesh_(mesh),
        blocks_(blocks),
        count_(mesh.positions.size()) {}

  /// @param to  The mesh that gets the primitives; kNoGlbIndex: a new one.
  std::int32_t run(std::int32_t to = kNoGlbIndex) {
    check();
    if (bad_) return kNoGlbIndex;
    Json attributes = Json::object();
    add_vertices(attributes);
    Json targets = Json::array(), names = Json::array();
    for (const GlbMorphTarget& target : mesh_.targets) {
      targets.push_back(add_target(target));
      names.push_back(target.name);
    }
    Json primitives = Json::array();
    for (const GlbPrimitive& primitive : mesh_.primitives) {
      if (primitive.indices.empty()) continue;
      Json json = Json::object();
      json["attributes"] = attributes;
      if (!primitive.colors) json["attributes"].erase("COLOR_0");
      json["indices"] = add_indices(primitive.indices);
      if (primitive.material != kNoGlbIndex) json["material"] = primitive.material;
      if (!targets.empty()) json["targets"] = targets;
      primitives.push_back(std::move(json));
    }
    if (bad_ || primitives.empty()) return kNoGlbIndex;
    if (to != kNoGlbIndex) return append(std::move(primitives), to);
    return finish(std::move(primitives), std::move(names));
  }

 private:
  void fail(ErrorCode code, std::string_view what) {
    bad_ = true;
    d_.fail(code, format_text("The mesh '{}' {}.", mesh_.name, what));
  }

  void check_size(std::size_t size, std::size_t wanted, std::string_view what) {
    if (size != 0 && size != wanted) {
      fail(ErrorCode::size_mismatch, format_text("has {} {} for {} vertices", size, what, count_));
    }
  }

  void check() {
    check_size(mesh_.normals.size(), count_, "normals");
    check_size(mesh_.tangents.size(), count_, "tangents");
    check_size(mesh_.colors.size(), count_, "colours");
    for (const auto& uvs : mesh_.uvs) {
      if (uvs.size() == count_) continue;
      fail(ErrorCode::size_mismatch,
           format_text("has {} texture coordinates for {} vertices", uvs.size(), count_));
    }
    for (const GlbAttribute& attribute : mesh_.attributes) {
      if (attribute.components < 1 || attribute.components > 4 || attribute.name.empty()) {
        fail(ErrorCode::invalid_argument,
             "has an attribute without a name or with other than 1 to "
             "4 components");
      }
      check_size(attribute.values.size(), count_ * attribute.components, "attribute values");
      check_finite(attribute.values, "attribute values");
    }
    const std::size_t influences = mesh_.influence_sets * 4 * count_;
    if (mesh_.joints.size() != influences || mesh_.weights.size() != influences) {
      fail(ErrorCode::size_mismatch,
           "has another number of joints or weights than its sets of "
           "influences ask for");
    }
    check_finite(floats_of(mesh_.positions), "positions");
    check_finite(floats_of(mesh_.normals), "normals");
    check_finite(floats_of(mesh_.tangents), "tangents");
    check_finite(floats_of(mesh_.colors), "colours");
    check_finite(mesh_.weights, "weights");
    for (const auto& uvs : mesh_.uvs) check_finite(floats_of(uvs), "texture coordinates");
    if (!all_unit(mesh_.normals)) {
      fail(ErrorCode::invalid_argument, "has normals that are not of length 1");
    }
    if (!mesh_.target_weights.empty() && mesh_.target_weights.size() != mesh_.targets.size()) {
      fail(ErrorCode::size_mismatch, "has another number of weights than of morph targets");
    }
    check_finite(mesh_.target_weights, "weights of morph targets");
  }

  void check_finite(std::span<const float> values, std::string_view what) {
    if (!all_finite(values)) {
      fail(ErrorCode::invalid_argument, format_text("has {} that are not finite", what));
    }
  }

  // The block that these values are, or a copy of them.
  template <typename T>
  Buffer block_of(std::span<const T> values) const {
    const std::span<const std::byte> bytes = std::as_bytes(values);
    for (const Buffer& block : blocks_) {
      if (block.data() == bytes.data() && block.size() == bytes.size()) return block;
    }
    return copy_in_pages(bytes);
  }

  template <typename T>
  std::int32_t add_floats(std::span<const T> values, bool bounds = false) {
    return container_.add({.use = GlbUse::vertices,
                           .width = sizeof(T) / sizeof(float),
                           .count = count_,
                           .bounds = bounds},
                          block_of(values));
  }

  void add_vertices(Json& attributes) {
    attributes["POSITION"] = add_floats(mesh_.positions, true);
    if (!mesh_.normals.empty()) attributes["NORMAL"] = add_floats(mesh_.normals);
    if (!mesh_.tangents.empty()) attributes["TANGENT"] = add_floats(mesh_.tangents);
    for (std::size_t i = 0; i < mesh_.uvs.size(); ++i) {
      attributes[format_text("TEXCOORD_{}", i)] = add_floats(mesh_.uvs[i]);
    }
    if (!mesh_.colors.empty()) attributes["COLOR_0"] = add_colors();
    for (std::size_t set = 0; set < mesh_.influence_sets; ++set) {
      attributes[format_text("JOINTS_{}", set)] = add_joints(set);
      attributes[format_text("WEIGHTS_{}", set)] = add_weights(set);
    }
    for (const GlbAttribute& attribute : mesh_.attributes) {
      attributes[format_text("_{}", attribute.name)] = container_.add_copy<float>(
          {.use = GlbUse::vertices, .width = attribute.components, .count = count_},
          attribute.values);
    }
  }

  // Shorts where they can hold the range.
  std::int32_t add_colors() {
    const auto values = floats_of(mesh_.colors);
    const bool fit =
        std::all_of(values.begin(), values.end(), [](float v) { return v >= 0.0F && v <= 1.0F; });
    if (!fit) return add_floats(mesh_.colors);
    Buffer bytes = Buffer::in_pages(values.size() * sizeof(std::uint16_t));
    auto* out = reinterpret_cast<std::uint16_t*>(bytes.mutable_data());
    for (const float v : values) *out++ = static_cast<std::uint16_t>(std::lround(v * 65535.0F));
    return container_.add({.use = GlbUse::vertices,
                           .component = GlbComponent::uint16,
                           .width = 4,
                           .count = count_,
                           .normalized = true},
                          std::move(bytes));
  }

  template <typename T>
  Buffer set_of_joints(std::size_t set) const {
    Buffer bytes = Buffer::in_pages(count_ * 4 * sizeof(T));
    T* out = reinterpret_cast<T*>(bytes.mutable_data());
    for (std::size_t v = 0; v < count_; ++v) {
      const std::uint16_t* from = mesh_.joints.data() + (v * mesh_.influence_sets + set) * 4;
      for (std::size_t i = 0; i < 4; ++i) *out++ = static_cast<T>(from[i]);
    }
    return bytes;
  }

  std::int32_t add_joints(std::size_t set) {
    const auto highest = std::max_element(mesh_.joints.begin(), mesh_.joints.end());
    const bool is_small = highest == mesh_.joints.end() || *highest < 256;
    return container_.add(
        {.use = GlbUse::vertices,
         .component = is_small ? GlbComponent::uint8 : GlbComponent::uint16,
         .width = 4,
         .count = count_},
        is_small ? set_of_joints<std::uint8_t>(set) : set_of_joints<std::uint16_t>(set));
  }

  std::int32_t add_weights(std::size_t set) {
    Buffer bytes = Buffer::in_pages(count_ * 4 * sizeof(float));
    auto* out = reinterpret_cast<float*>(bytes.mutable_data());
    for (std::size_t v = 0; v < count_; ++v) {
      const float* from = mesh_.weights.data() + (v * mesh_.influence_sets + set) * 4;
      out = std::copy_n(from, 4, out);
    }
    return container_.add({.use = GlbUse::vertices, .width = 4, .count = count_}, std::move(bytes));
  }

  std::int32_t add_indices(std::span<const std::uint32_t> indices) {
    for (const std::uint32_t index : indices) {
      if (index < count_) continue;
      fail(ErrorCode::index_out_of_range,
           format_text("has a triangle of vertex {}, but {} vertices", index, count_));
      return kNoGlbIndex;
    }
    if (indices.size() % 3 != 0) fail(ErrorCode::size_mismatch, "has a part of a triangle");
    d_.summary.triangles += indices.size() / 3;
    const GlbContainer::Elements elements = {
        .use = GlbUse::indices,
        .component = count_ <= 65535 ? GlbComponent::uint16 : GlbComponent::uint32,
        .width = 1,
        .count = indices.size()};
    if (count_ > 65535) return container_.add(elements, block_of(indices));
    Buffer bytes = Buffer::in_pages(indices.size() * sizeof(std::uint16_t));
    auto* out = reinterpret_cast<std::uint16_t*>(bytes.mutable_data());
    for (const std::uint32_t index : indices) *out++ = static_cast<std::uint16_t>(index);
    return container_.add(elements, std::move(bytes));
  }

  std::int32_t add_offsets(const GlbMorphTarget& target, std::span<const Vector3f> offsets,
                           bool bounds) {
    const GlbContainer::Elements elements = {
        .use = GlbUse::vertices, .width = 3, .count = count_, .bounds = bounds};
    std::vector<std::uint32_t> rows;
    std::vector<Vector3f> moved;
    std::size_t moving = 0;
    for (const Vector3f& offset : offsets) moving += offset.isZero(0.0F) ? 0 : 1;
    const bool is_sparse = moving * 2 < count_;
    if (is_sparse) {
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (offsets[i].isZero(0.0F)) continue;
        rows.push_back(target.vertices.empty() ? static_cast<std::uint32_t>(i)
                                               : target.vertices[i]);
        moved.push_back(offsets[i]);
      }
      return container_.add_sparse(elements, rows, floats_of<Vector3f>(moved));
    }
    if (target.vertices.empty()) return container_.add_copy<Vector3f>(elements, offsets);
    moved.assign(count_, Vector3f::Zero());
    for (std::size_t i = 0; i < offsets.size(); ++i) moved[target.vertices[i]] = offsets[i];
    return container_.add_copy<Vector3f>(elements, moved);
  }

  Json add_target(const GlbMorphTarget& target) {
    const bool is_listed = !target.vertices.empty();
    const std::size_t wanted = is_listed ? target.vertices.size() : count_;
    check_size(target.positions.size(), wanted, "morph offsets");
    check_size(target.normals.size(), wanted, "morph offsets of normals");
    check_finite(floats_of(target.positions), "morph offsets");
    check_finite(floats_of(target.normals), "morph offsets of normals");
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      if (target.vertices[i] < count_ && (i == 0 || target.vertices[i] > target.vertices[i - 1])) {
        continue;
      }
      fail(ErrorCode::index_out_of_range,
           "has morph offsets of vertices that do not exist or "
           "do not ascend");
      break;
    }
    Json json = Json::object();
    if (bad_) return json;
    json["POSITION"] = add_offsets(target, target.positions, true);
    if (any_target_normals()) json["NORMAL"] = add_offsets(target, target.normals, false);
    return json;
  }

  bool any_target_normals() const {
    return !mesh_.normals.empty() &&
           std::any_of(mesh_.targets.begin(), mesh_.targets.end(),
                       [](const GlbMorphTarget& target) { return !target.normals.empty(); });
  }

  std::int32_t finish(Json primitives, Json names) {
    Json json = Json::object();
    if (!mesh_.name.empty()) json["name"] = mesh_.name;
    d_.summary.primitives += primitives.size();
    d_.summary.vertices += count_;
    d_.summary.morph_targets += names.size();
    json["primitives"] = std::move(primitives);
    if (!names.empty()) {
      Json weights = Json::array();
      for (std::size_t i = 0; i < mesh_.targets.size(); ++i) {
        weights.push_back(mesh_.target_weights.empty() ? Json(0.0)
                                                       : json_number(mesh_.target_weights[i]));
      }
      json["weights"] = std::move(weights);
      json["extras"]["targetNames"] = std::move(names);
    }
    add_source_path(json, mesh_.source_path);
    d_.meshes.push_back(std::move(json));
    d_.mesh_facts.push_back(facts());
    return static_cast<std::int32_t>(d_.meshes.size() - 1);
  }

  GlbBuilder::Impl::MeshFacts facts() const {
    GlbBuilder::Impl::MeshFacts facts;
    facts.targets = mesh_.targets.size();
    facts.has_joints = mesh_.influence_sets > 0;
    const auto highest = std::max_element(mesh_.joints.begin(), mesh_.joints.end());
    if (highest != mesh_.joints.end()) facts.joints = std::size_t{*highest} + 1;
    return facts;
  }

  std::int32_t append(Json primitives, std::int32_t to) {
    const auto index = static_cast<std::size_t>(to);
    d_.summary.primitives += primitives.size();
    d_.summary.vertices += count_;
    for (Json& primitive : primitives.items()) {
      d_.meshes[index]["primitives"].push_back(std::move(primitive));
    }
    d_.mesh_facts[index].joints = std::max(d_.mesh_facts[index].joints, facts().joints);
    return to;
  }

  GlbBuilder::Impl& d_;
  GlbContainer& container_;
  const GlbMesh& mesh_;
  std::span<const Buffer> blocks_;
  std::size_t count_;
  bool bad_ = false;
};

}  // namespace

std::int32_t add_mesh_of_blocks(GlbBuilder::Impl& document, const GlbMesh& mesh, std::int32_t to,
                                std::span<const Buffer> blocks) {
  return MeshAdder(document, mesh, blocks).run(to);
}

std::int32_t GlbBuilder::add_mesh(const GlbMesh& mesh) {
  return MeshAdder(*impl_, mesh).run();
}

}  // namespace sinew::exporter
