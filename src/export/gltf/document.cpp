// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/document.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "sinew/version.hpp"

namespace sinew::exporter {

namespace {

/// Checks objects of one document.
class Checker {
 public:
  explicit Checker(const GlbBuilder::Impl& document) : d_(document) {}

  Status run() {
    for (std::size_t i = 0; i < d_.nodes.size(); ++i) check_node(i);
    check_trees();
    for (std::size_t i = 0; i < d_.skins.size(); ++i) check_skin(i);
    if (!error_) {
      for (std::size_t i = 0; i < d_.nodes.size(); ++i) check_skinned(i);
    }
    for (const Json& mesh : d_.meshes) check_mesh(mesh);
    for (const Json& animation : d_.animations) check_animation(animation);
    for (const Json& texture : d_.textures) {
      check_index(texture, "source", d_.images.size(), "texture");
      check_index(texture, "sampler", d_.samplers.size(), "texture");
      if (const Json* webp = find(texture, "extensions", "EXT_texture_webp")) {
        check_index(*webp, "source", d_.images.size(), "texture");
      }
    }
    for (const Json& material : d_.materials) check_textures(material);
    check_physics();
    if (error_) return *std::move(error_);
    return {};
  }

 private:
  static const Json* find(const Json& object, const char* key, const char* inner) {
    const Json* const value = object.find(key);
    return value == nullptr ? nullptr : value->find(inner);
  }

  static std::size_t index_of(const Json& value) {
    return static_cast<std::size_t>(value.integer());
  }

  void fail(ErrorCode code, std::string message) {
    if (!error_) error_ = Error{code, std::move(message), 0, 0};
  }

  /// Whether an object names one of `count` things, or none.
  bool check_index(const Json& object, const char* key, std::size_t count, const char* what) {
    const Json* const value = object.find(key);
    if (value == nullptr) return true;
    return check_number(*value, count, key, what);
  }
  bool check_number(const Json& value, std::size_t count, const char* key, const char* what) {
    if (value.is_integer()) {
      const std::int64_t index = value.integer();
      if (index >= 0 && static_cast<std::uint64_t>(index) < count) return true;
      fail(ErrorCode::index_out_of_range,
           format_text("A {} names '{}' {}, but there are {}.", what, key, index, count));
    }
    return false;
  }

  void check_node(std::size_t i) {
    const Json& node = d_.nodes[i];
    const std::int32_t parent = d_.parents[i];
    if (parent < kNoGlbIndex || parent >= static_cast<std::int64_t>(d_.nodes.size())) {
      fail(ErrorCode::index_out_of_range,
           format_text("Node {} has the parent {}, but there are {}.", i, parent, d_.nodes.size()));
    }
    check_index(node, "mesh", d_.meshes.size(), "node");
    check_index(node, "skin", d_.skins.size(), "node");
    check_index(node, "camera", d_.cameras.size(), "node");
  }

  // Every node must reach the top.
  void check_trees() {
    if (error_) return;
    enum class State : std::uint8_t { unseen, open, done };
    std::vector<State> states(d_.nodes.size(), State::unseen);
    for (std::size_t start = 0; start < d_.nodes.size(); ++start) {
      std::vector<std::size_t> chain;
      std::size_t i = start;
      while (states[i] == State::unseen) {
        states[i] = State::open;
        chain.push_back(i);
        if (d_.parents[i] == kNoGlbIndex) break;
        i = static_cast<std::size_t>(d_.parents[i]);
        if (states[i] == State::open) {
          return fail(ErrorCode::bad_topology, format_text("Node {} is below itself.", i));
        }
      }
      for (const std::size_t done : chain) states[done] = State::done;
    }
  }

  void check_skin(std::size_t i) {
    const Json& skin = d_.skins[i];
    std::vector<std::int64_t> joints;
    for (const Json& joint : skin.find("joints")->items()) {
      if (check_number(joint, d_.nodes.size(), "joints", "skin")) {
        joints.push_back(joint.integer());
      }
    }
    sort_range(joints.begin(), joints.end());
    if (std::adjacent_find(joints.begin(), joints.end()) != joints.end()) {
      fail(ErrorCode::invalid_argument, format_text("Skin {} names a joint twice.", i));
    }
    check_index(skin, "skeleton", d_.nodes.size(), "skin");
  }

  void check_skinned(std::size_t i) {
    const Json& node = d_.nodes[i];
    const Json* const mesh = node.find("mesh");
    const Json* const skin = node.find("skin");
    const GlbBuilder::Impl::MeshFacts facts =
        mesh == nullptr ? GlbBuilder::Impl::MeshFacts() : d_.mesh_facts[index_of(*mesh)];
    if (skin != nullptr) {
      const std::size_t joints = d_.skins[index_of(*skin)].find("joints")->size();
      if (!facts.has_joints || facts.joints > joints) {
        fail(ErrorCode::index_out_of_range,
             format_text("Node {} has a skin of {} joints for a mesh that names {}.", i, joints,
                         facts.joints));
      }
    }
    const Json* const weights = node.find("weights");
    if (weights != nullptr && weights->size() != facts.targets) {
      fail(ErrorCode::size_mismatch, format_text("Node {} has {} weights for {} morph targets.", i,
                                                 weights->size(), facts.targets));
    }
  }

  void check_mesh(const Json& mesh) {
    for (const Json& primitive : mesh.find("primitives")->items()) {
      check_index(primitive, "material", d_.materials.size(), "mesh");
    }
  }

  void check_animation(const Json& animation) {
    std::vector<std::pair<std::int64_t, std::string>> targets;
    const Json& samplers = *animation.find("samplers");
    for (const Json& channel : animation.find("channels")->items()) {
      const Json& target = *channel.find("target");
      if (!check_index(target, "node", d_.nodes.size(), "channel")) continue;
      const std::size_t node = index_of(*target.find("node"));
      const std::string path = std::string(target.find("path")->text());
      targets.emplace_back(node, path);
      if (path != "weights") continue;
      const Json* const mesh = d_.nodes[node].find("mesh");
      std::size_t count = 0;
      if (mesh != nullptr && index_of(*mesh) < d_.mesh_facts.size()) {
        count = d_.mesh_facts[index_of(*mesh)].targets;
      }
      const Json& sampler = samplers[index_of(*channel.find("sampler"))];
      if (!d_.container.weights_fit(index_of(*sampler.find("input")),
                                    index_of(*sampler.find("output")), count)) {
        fail(ErrorCode::size_mismatch,
             format_text("A clip has other than {} weights for each time for node {}.", count,
                         node));
      }
    }
    sort_range(targets.begin(), targets.end());
    if (std::adjacent_find(targets.begin(), targets.end()) != targets.end()) {
      fail(ErrorCode::invalid_argument, "A clip moves one property of a node twice.");
    }
  }

  // Whatever ends in "Texture" names one.
  void check_textures(const Json& object) {
    for (const auto& [key, value] : object.members()) {
      if (!value.is_object()) continue;
      if (key.ends_with("Texture")) check_index(value, "index", d_.textures.size(), "material");
      check_textures(value);
    }
  }

  std::size_t root_count(const char* extension, const char* list) const {
    const Json* const object = find(d_.extensions, extension, list);
    return object == nullptr ? 0 : object->size();
  }

  void check_geometry(const Json& holder) {
    const Json* const geometry = holder.find("geometry");
    if (geometry == nullptr) return;
    check_index(*geometry, "shape", root_count("KHR_implicit_shapes", "shapes"), "collider");
    check_index(*geometry, "mesh", d_.meshes.size(), "collider");
    check_index(*geometry, "node", d_.nodes.size(), "collider");
  }

  void check_physics() {
    constexpr const char* kBodies = "KHR_physics_rigid_bodies";
    const std::size_t filters = root_count(kBodies, "collisionFilters");
    for (const Json& node : d_.nodes) {
      const Json* const body = find(node, "extensions", kBodies);
      if (body == nullptr) continue;
      if (const Json* const collider = body->find("collider")) {
        check_geometry(*collider);
        check_index(*collider, "physicsMaterial", root_count(kBodies, "physicsMaterials"),
                    "collider");
        check_index(*collider, "collisionFilter", filters, "collider");
      }
      if (const Json* const joint = body->find("joint")) {
        check_index(*joint, "connectedNode", d_.nodes.size(), "joint");
        check_index(*joint, "joint", root_count(kBodies, "physicsJoints"), "joint");
      }
    }
  }

  const GlbBuilder::Impl& d_;
  std::optional<Error> error_;
};

void put_list(Json& document, const char* key, std::vector<Json>& list) {
  if (!list.empty()) document[key] = std::move(list);
}

}  // namespace

Status check_document(const GlbBuilder::Impl& document) {
  return Checker(document).run();
}

Json assemble_document(GlbBuilder::Impl& d) {
  std::vector<std::vector<std::int32_t>> children(d.nodes.size());
  std::vector<std::int32_t> roots;
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    if (d.parents[i] != kNoGlbIndex) {
      children[static_cast<std::size_t>(d.parents[i])].push_back(static_cast<std::int32_t>(i));
    } else if (d.in_scene[i]) {
      roots.push_back(static_cast<std::int32_t>(i));
    }
  }
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    if (!children[i].empty()) d.nodes[i]["children"] = Json::list(children[i]);
  }
  Json document = Json::object();
  document["asset"]["version"] = "2.0";
  document["asset"]["generator"] = "Sinew " SINEW_VERSION;
  if (!d.asset_extras.empty()) document["asset"]["extras"] = std::move(d.asset_extras);
  if (!d.extensions_used.empty()) document["extensionsUsed"] = Json::list(d.extensions_used);
  if (!d.extensions_required.empty())
    document["extensionsRequired"] = Json::list(d.extensions_required);
  if (!d.extensions.empty()) document["extensions"] = std::move(d.extensions);
  Json scene = Json::object();
  if (!d.scene_name.empty()) scene["name"] = d.scene_name;
  if (!roots.empty()) scene["nodes"] = Json::list(roots);
  if (!d.scene_extras.empty()) scene["extras"] = std::move(d.scene_extras);
  document["scene"] = 0;
  document["scenes"] = Json::list({std::move(scene)});
  put_list(document, "nodes", d.nodes);
  put_list(document, "meshes", d.meshes);
  put_list(document, "skins", d.skins);
  put_list(document, "cameras", d.cameras);
  put_list(document, "materials", d.materials);
  put_list(document, "textures", d.textures);
  put_list(document, "images", d.images);
  put_list(document, "samplers", d.samplers);
  put_list(document, "animations", d.animations);
  return document;
}

}  // namespace sinew::exporter
