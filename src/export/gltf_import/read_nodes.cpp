// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/format_text.hpp"
#include "export/gltf_import/document.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::array<std::string_view, 12> kKnownExtensions = {
    "EXT_mesh_gpu_instancing", "KHR_implicit_shapes",
    "KHR_materials_clearcoat", "KHR_materials_emissive_strength",
    "KHR_materials_ior",       "KHR_materials_unlit",
    "KHR_mesh_quantization",   "KHR_physics_rigid_bodies",
    "KHR_texture_transform",   "EXT_texture_webp",
    "KHR_materials_specular",  "KHR_node_visibility"};
// Of these, what the file says is passed over, and told so.
constexpr std::array<std::string_view, 3> kPassedOver = {
    "KHR_materials_unlit", "KHR_materials_specular", "KHR_node_visibility"};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& names, std::string_view name) {
  for (const std::string_view known : names) {
    if (known == name) return true;
  }
  return false;
}

bool finite(std::span<const double> numbers) {
  for (const double number : numbers) {
    if (!std::isfinite(static_cast<float>(number))) return false;
  }
  return true;
}

// The rows of EXT_mesh_gpu_instancing.
std::optional<Instances> read_instances(const ReadContext& context, const Cursor& at) {
  if (!at) return std::nullopt;
  const Cursor attributes = at["attributes"];
  if (!context.reader->object(attributes)) return std::nullopt;
  Instances instances;
  const auto read = [&](std::string_view name, std::span<const std::string_view> types,
                        Floats& out) {
    const Cursor user = attributes[name];
    if (!user) return true;
    const auto found = context.accessors->floats(user, types);
    if (!found || !check_finite(context, user, *found)) return false;
    if (instances.count != 0 && instances.count != found->size()) {
      context.faults().error(
          user.pointer(), "gltf-attribute-count",
          format_text("There are {} instances, not {}.", found->size(), instances.count));
      return false;
    }
    instances.count = found->size();
    out = *found;
    return true;
  };
  if (!read("TRANSLATION", kVec3, instances.translations) ||
      !read("ROTATION", kVec4, instances.rotations) || !read("SCALE", kVec3, instances.scales) ||
      instances.count == 0) {
    return std::nullopt;
  }
  return instances;
}

void read_transform(const ReadContext& context, const Cursor& at, Node& node) {
  const JsonReader& reader = *context.reader;
  std::array<double, 16> numbers{};
  const auto read = [&](std::string_view key, std::size_t count) {
    const Cursor place = at[key];
    const std::span<double> out(numbers.data(), count);
    if (!place || !reader.numbers(place, out)) return false;
    if (finite(out)) return true;
    context.faults().error(place.pointer(), "gltf-number", "These numbers are not finite.");
    return false;
  };
  if (read("matrix", 16)) {
    if (numbers[3] != 0.0 || numbers[7] != 0.0 || numbers[11] != 0.0 || numbers[15] != 1.0) {
      context.faults().warning(at["matrix"].pointer(), "gltf-matrix",
                               "The last row of the matrix is not 0 0 0 1; it is taken so.");
      numbers[3] = numbers[7] = numbers[11] = 0.0;
      numbers[15] = 1.0;
    }
    node.has_matrix = true;
    for (int i = 0; i < 16; ++i) node.matrix.data()[i] = numbers[static_cast<std::size_t>(i)];
  }
  if (read("translation", 3)) node.translation = {numbers[0], numbers[1], numbers[2]};
  if (read("scale", 3)) node.scale = {numbers[0], numbers[1], numbers[2]};
  if (read("rotation", 4)) {
    const Quatd rotation(numbers[3], numbers[0], numbers[1], numbers[2]);
    const double length = rotation.norm();
    if (length > 0.0) {
      if (std::abs(length - 1.0) > 1e-3) {
        context.faults().warning(at["rotation"].pointer(), "gltf-rotation",
                                 format_text("The rotation has length {}, not 1.", length));
      }
      node.rotation.coeffs() = rotation.coeffs() / length;
    } else {
      context.faults().error(at["rotation"].pointer(), "gltf-rotation",
                             "The rotation is zero; it is taken for none.");
    }
  }
}

Camera read_camera(const ReadContext& context, const Cursor& at) {
  const JsonReader& reader = *context.reader;
  Camera camera;
  camera.name = name_of(context, at);
  const std::string type = reader.text(at["type"]).value_or("perspective");
  camera.is_perspective = type != "orthographic";
  const Cursor lens = at[camera.is_perspective ? "perspective" : "orthographic"];
  if (!reader.object(lens)) {
    context.faults().error(lens.pointer(), "gltf-missing", "The camera has no lens.");
  }
  const auto positive = [&](std::string_view key, double fallback) {
    const double value = reader.number(lens[key]).value_or(fallback);
    if (value > 0.0 && std::isfinite(static_cast<float>(value))) return value;
    context.faults().error(lens[key].pointer(), "gltf-camera",
                           format_text("{} is not positive.", value));
    return fallback;
  };
  constexpr double kUsualFov = 0.8;
  camera.y_fov = camera.is_perspective ? positive("yfov", kUsualFov) : 0.0;
  if (camera.y_fov >= 3.14) {
    context.faults().error(lens["yfov"].pointer(), "gltf-camera",
                           "The field of view is no less than half a turn.");
    camera.y_fov = kUsualFov;
  }
  if (camera.is_perspective && lens["aspectRatio"]) {
    camera.aspect_ratio = positive("aspectRatio", 1.0);
  }
  if (!camera.is_perspective) {
    camera.x_mag = positive("xmag", 1.0);
    camera.y_mag = positive("ymag", 1.0);
  }
  camera.z_near = std::max(reader.number(lens["znear"]).value_or(0.01), 0.0);
  camera.z_far = reader.number(lens["zfar"]);
  if (camera.z_far && !(*camera.z_far > camera.z_near)) {
    context.faults().warning(lens["zfar"].pointer(), "gltf-camera",
                             "The far plane is not behind the near one; it is left out.");
    camera.z_far.reset();
  }
  return camera;
}

Node read_node(const ReadContext& context, const Cursor& at) {
  const JsonReader& reader = *context.reader;
  Node node;
  if (!reader.object(at)) return node;
  const Cursor& root = context.root;
  node.name = name_of(context, at);
  node.usd_path = usd_path_of(context, at);
  node.extras = extras_of(context, at);
  const auto index = [&](std::string_view key, std::string_view list) {
    const auto found = reader.index(at[key], root[list].size(), list);
    return found ? static_cast<std::int32_t>(*found) : kNothing;
  };
  node.mesh = index("mesh", "meshes");
  node.skin = index("skin", "skins");
  node.camera = index("camera", "cameras");
  if (node.skin != kNothing && node.mesh == kNothing) {
    context.faults().warning(at["skin"].pointer(), "gltf-skin-without-mesh",
                             "The skin has no mesh to deform.");
    node.skin = kNothing;
  }
  read_transform(context, at, node);
  const Cursor weights = at["weights"];
  for (std::size_t i = 0; i < reader.list(weights); ++i) {
    node.weights.push_back(static_cast<float>(reader.number(weights[i]).value_or(0.0)));
  }
  node.instances = read_instances(context, at.extension("EXT_mesh_gpu_instancing"));
  return node;
}

// Links parents and children. Nodes form trees: each has one parent, and none is its own ancestor.
Status link(const ReadContext& context, Document& document) {
  const JsonReader& reader = *context.reader;
  const Cursor nodes = context.root["nodes"];
  std::vector<Node>& all = document.nodes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Cursor children = nodes[i]["children"];
    for (std::size_t k = 0; k < reader.list(children); ++k) {
      const auto child = reader.index(children[k], all.size(), "nodes");
      if (!child) {
        return Error{ErrorCode::corrupt, children[k].pointer() + ": This node does not exist."};
      }
      if (all[*child].parent != kNothing) {
        return context.reader->faults().refuse(
            ErrorCode::corrupt, children[k].pointer(), "gltf-node-tree",
            format_text("Node {} has a parent already.", *child));
      }
      all[*child].parent = static_cast<std::int32_t>(i);
      all[i].children.push_back(*child);
    }
  }
  // Every node has at most one parent, so what is not reached from those without one is a ring.
  std::vector<bool> reached(all.size());
  struct Step {
    std::uint32_t node;
    std::uint32_t depth;
  };
  std::vector<Step> steps;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].parent == kNothing) steps.push_back({static_cast<std::uint32_t>(i), 1});
  }
  // The prims around the nodes take some levels too.
  constexpr std::uint32_t kOtherLevels = 8;
  const std::uint32_t nesting = context.options->limits.prim_nesting;
  const std::uint32_t deepest = nesting > kOtherLevels ? nesting - kOtherLevels : 1;
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    reached[step.node] = true;
    if (step.depth > deepest) {
      return context.faults().refuse(
          ErrorCode::limit_exceeded, nodes[step.node].pointer(), "gltf-node-depth",
          format_text("The node lies deeper than {} levels; Limits::prim_nesting is {}.", deepest,
                      nesting));
    }
    for (const std::uint32_t child : all[step.node].children) {
      steps.push_back({child, step.depth + 1});
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (reached[i]) continue;
    return context.faults().refuse(ErrorCode::corrupt, nodes[i].pointer(), "gltf-node-tree",
                                   "The node is its own ancestor.");
  }
  return {};
}

// Gravity that the shares of bodies do not say.
std::optional<Gravity> kept_gravity(const Cursor& kept) {
  const auto magnitude = kept_number(kept, "magnitude", 0.0);
  const Cursor direction = kept["direction"];
  if (!magnitude || direction.size() != 3) return std::nullopt;
  Gravity gravity;
  gravity.magnitude = *magnitude;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!direction[i].is_number()) return std::nullopt;
    gravity.direction[static_cast<int>(i)] = direction[i].value()->number();
  }
  const double length = gravity.direction.norm();
  if (!(length > 1e-6) || !std::isfinite(length)) return std::nullopt;
  gravity.direction /= length;
  return gravity;
}

Status choose_scene(const ReadContext& context, Document& document) {
  const JsonReader& reader = *context.reader;
  const Cursor scenes = context.root["scenes"];
  const std::size_t count = reader.list(scenes);
  document.in_scene.resize(document.nodes.size());
  if (count == 0) {
    if (context.options->scene) {
      return Error{ErrorCode::invalid_argument, "The file has no scenes to choose from."};
    }
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      if (document.nodes[i].parent == kNothing) {
        document.roots.push_back(static_cast<std::uint32_t>(i));
      }
    }
  } else {
    std::uint32_t chosen = 0;
    if (context.options->scene) {
      chosen = *context.options->scene;
      if (chosen >= count) {
        return Error{ErrorCode::invalid_argument,
                     format_text("There is no scene {}; the file has {}.", chosen, count)};
      }
    } else {
      chosen = reader.index(context.root["scene"], count, "scenes").value_or(0);
    }
    if (count > 1) {
      context.faults().info(scenes.pointer(), "gltf-scenes",
                            format_text("Of {} scenes, number {} is taken.", count, chosen));
    }
    const Cursor scene = scenes[chosen];
    const Cursor articulations = kept_extras(scene)["articulationRoots"];
    for (std::size_t i = 0; i < articulations.size(); ++i) {
      const Json& path = *articulations[i].value();
      if (path.is_string()) document.articulation_roots.emplace(path.text(), kNothing);
    }
    document.gravity = kept_gravity(kept_extras(scene)["gravity"]);
    document.scene_name = name_of(context, scene);
    const Cursor nodes = scene["nodes"];
    std::vector<bool> seen(document.nodes.size());
    for (std::size_t i = 0; i < reader.list(nodes); ++i) {
      const auto node = reader.index(nodes[i], document.nodes.size(), "nodes");
      if (!node) continue;
      if (document.nodes[*node].parent != kNothing || seen[*node]) {
        context.faults().error(nodes[i].pointer(), "gltf-scene-root",
                               "The node is no root, or listed twice; it is left out here.");
        continue;
      }
      seen[*node] = true;
      document.roots.push_back(*node);
    }
  }
  std::vector<std::uint32_t> left = document.roots;
  while (!left.empty()) {
    const std::uint32_t node = left.back();
    left.pop_back();
    document.in_scene[node] = true;
    left.insert(left.end(), document.nodes[node].children.begin(),
                document.nodes[node].children.end());
  }
  return {};
}

}  // namespace

Matrix4d Node::local() const {
  if (has_matrix) return matrix;
  Matrix4d result = Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = rotation.toRotationMatrix() * scale.asDiagonal();
  result.topRightCorner<3, 1>() = translation;
  return result;
}

std::string name_of(const ReadContext& context, const Cursor& at) {
  return context.reader->text(at["name"]).value_or(std::string());
}

std::string usd_path_of(const ReadContext&, const Cursor& at) {
  // Extras are anybody's: what does not look like ours is none of our business.
  return kept_text(at["extras"]["usd"], "path");
}

Cursor kept_extras(const Cursor& at) {
  return at["extras"]["sinew"];
}

bool kept_flag(const Cursor& kept, std::string_view key) {
  const Cursor value = kept[key];
  return value && value.value()->is_boolean() && value.value()->boolean();
}

std::optional<double> kept_number(const Cursor& kept, std::string_view key, double least) {
  const Cursor value = kept[key];
  if (!value.is_number()) return std::nullopt;
  const double number = value.value()->number();
  if (!(number >= least) || !std::isfinite(static_cast<float>(number))) return std::nullopt;
  return number;
}

std::string kept_text(const Cursor& kept, std::string_view key) {
  const Cursor value = kept[key];
  return value ? std::string(value.value()->text()) : std::string();
}

std::string extras_of(const ReadContext& context, const Cursor& at) {
  const Cursor extras = at["extras"];
  if (!extras.is_object()) return {};
  Json others = *extras.value();
  others.erase("usd");
  others.erase("sinew");
  others.erase("targetNames");
  if (others.empty()) return {};
  std::string text = json_text(others);
  return context.budget->spend(text.size()) ? text : std::string();
}

Status check_asset(const ReadContext& context) {
  const JsonReader& reader = *context.reader;
  const Cursor version_at = context.root["asset"]["version"];
  const auto version = reader.text(version_at);
  if (!version) {
    return context.faults().refuse(ErrorCode::corrupt, version_at.pointer(), "gltf-version",
                                   "The version of glTF is missing.");
  }
  if (!version->starts_with("2.")) {
    return context.faults().refuse(ErrorCode::unsupported, version_at.pointer(), "gltf-version",
                                   format_text("Version '{}' is not known; 2.0 is.", *version));
  }
  const Cursor required = context.root["extensionsRequired"];
  for (std::size_t i = 0; i < reader.list(required); ++i) {
    const auto name = reader.text(required[i]);
    if (name && contains(kKnownExtensions, *name)) continue;
    return context.faults().refuse(
        ErrorCode::unsupported, required[i].pointer(), "gltf-extension-required",
        format_text("The file needs {}, which is not known.", name.value_or("an extension")));
  }
  const Cursor used = context.root["extensionsUsed"];
  for (std::size_t i = 0; i < reader.list(used); ++i) {
    const auto name = reader.text(used[i]);
    if (!name || (contains(kKnownExtensions, *name) && !contains(kPassedOver, *name))) continue;
    context.faults().info(used[i].pointer(), "gltf-extension-ignored",
                          format_text("What {} says is left out.", *name));
  }
  return {};
}

Status read_nodes(const ReadContext& context, Document& document) {
  const Cursor nodes = context.root["nodes"];
  const std::size_t count = context.reader->list(nodes);
  document.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) document.nodes.push_back(read_node(context, nodes[i]));
  const Cursor cameras = context.root["cameras"];
  for (std::size_t i = 0; i < context.reader->list(cameras); ++i) {
    document.cameras.push_back(read_camera(context, cameras[i]));
  }
  if (Status linked = link(context, document); !linked) return linked;
  return choose_scene(context, document);
}

}  // namespace sinew::exporter::gltf_import
