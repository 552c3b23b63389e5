// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/gltf/container.hpp"
#include "export/json.hpp"
#include "sinew/export/glb_builder.hpp"

namespace sinew::exporter {

/// The file under construction: what a GlbBuilder holds. The writer of stages adds to it what has
/// no function of its own there.
struct GlbBuilder::Impl {
  /// What finish() compares with the nodes and clips that use a mesh.
  struct MeshFacts {
    std::size_t targets = 0;
    bool has_joints = false;
    std::size_t joints = 0;  ///< One past the highest that is named.
  };

  GlbContainer container;
  GltfSummary summary;
  std::string scene_name;

  std::vector<Json> nodes;
  std::vector<std::int32_t> parents;  ///< Of the nodes.
  std::vector<bool> in_scene;
  std::vector<Json> meshes;
  std::vector<MeshFacts> mesh_facts;
  std::vector<Json> skins;
  std::vector<Json> cameras;
  std::vector<Json> materials;
  std::vector<Json> textures;
  std::vector<Json> images;
  std::vector<Json> samplers;
  std::vector<Json> animations;
  Json extensions = Json::object();  ///< Of the document.
  Json asset_extras = Json::object();
  Json scene_extras = Json::object();
  std::set<std::string, std::less<>> extensions_used;
  std::set<std::string, std::less<>> extensions_required;

  std::optional<Error> fault;  ///< The first.

  void fail(ErrorCode code, std::string message) {
    if (!fault) fault = Error{code, std::move(message), 0, 0};
  }
  /// An extension object of a node, made if it is not there.
  Json& node_extension(std::int32_t node, std::string_view name);
  Json& node(std::int32_t index) { return nodes[static_cast<std::size_t>(index)]; }
};

/// Finds values in a list of the document, by their text.
class JsonIndex {
 public:
  /// Where a value is in the list, which gets it if it is not there. Always of one list.
  std::int32_t place(std::vector<Json>& list, Json value) {
    const auto [known, is_new] =
        known_.try_emplace(json_text(value), static_cast<std::uint32_t>(list.size()));
    if (is_new) list.push_back(std::move(value));
    return static_cast<std::int32_t>(known->second);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
};

struct GlbBuilderAccess {
  static GlbBuilder::Impl& of(GlbBuilder& builder) { return *builder.impl_; }
};

/// GlbBuilder::add_mesh(), which does not copy arrays that are whole blocks.
/// @param to      The mesh that gets the primitives and has as many morph targets; kNoGlbIndex: a
///                new one.
/// @param blocks  Of arrays of the mesh: they are shared, and never written to again.
/// @return The mesh.
std::int32_t add_mesh_of_blocks(GlbBuilder::Impl& document, const GlbMesh& mesh, std::int32_t to,
                                std::span<const Buffer> blocks);

/// Whether all are finite.
inline bool all_finite(std::span<const float> values) {
  // x - x is 0 for all finite numbers and NaN for others; the sum is one test for all.
  float sum = 0.0F;
  for (const float value : values) sum += value - value;
  return sum == 0.0F;
}

/// Adds {"usd": {"path": PATH}} to the extras of an object; nothing for an empty path.
void add_source_path(Json& object, std::string_view path);

/// Writes translation, rotation and scale, identities left out.
/// @return False if a number is not finite.
bool put_transform(Json& node, const GlbTransform& transform);

/// The quaternion x y z w as glTF wants it: of length 1, no component beyond 1.
std::array<float, 4> gltf_quaternion(const Quatd& rotation);

/// Whether every index names something, nodes form trees, and what belongs together fits.
Status check_document(const GlbBuilder::Impl& document);

/// The JSON of the accessor-independent parts, in the order of the specification.
Json assemble_document(GlbBuilder::Impl& document);

/// Checks the document and writes it, piece by piece. Nothing is put if it is not sound.
Result<GltfSummary> write_document(GlbBuilder::Impl& document, GlbOutput& output);

}  // namespace sinew::exporter
