// SPDX-License-Identifier: Apache-2.0
// From the plan to the document.

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"

namespace sinew::exporter {

namespace {

// Every joint of a skin that is used leads to something.
void mark_skins(Writer& w) {
  for (const PlanNode& node : w.nodes) {
    if (!node.needed || node.skin < 0) continue;
    const PlanSkin& skin = w.skins[static_cast<std::size_t>(node.skin)];
    for (const std::int32_t joint : skin.joints) w.node(joint).needed = true;
    // All of a skeleton that moves something is there, also where the skin names less.
    for (const std::int32_t joint : w.skeletons[skin.plan].joints) w.node(joint).needed = true;
    if (skin.skeleton != kTop) w.node(skin.skeleton).needed = true;
  }
}

// The prim that a node is there for, or what is above.
layer::Path path_of(const Writer& w, const PlanNode& node) {
  const PlanNode* at = &node;
  while (at->source_path.empty() && at->parent != kTop) {
    at = &w.nodes[static_cast<std::size_t>(at->parent)];
  }
  return layer::Path::from_trusted(at->source_path);
}

// Clips move what is written as translation, rotation and scale.
void keep_factors(Writer& w) {
  for (const PlanClip& clip : w.clips) {
    for (const PlanChannel& channel : clip.channels) {
      if (channel.path == GlbChannelPath::weights) continue;
      PlanNode& node = w.node(channel.node);
      if (std::exchange(node.keeps_factors, true)) continue;
      const Factors factors = factor(node.local);
      if (factors.exact) continue;
      w.reporter.add(
          Severity::warning, "gltf-shear", path_of(w, node),
          format_text("The node '{}' shears by {} degrees, and a clip moves it; it is written "
                      "as the closest translation, rotation and scale.",
                      node.name, rounded_text(factors.shear, 3)));
    }
  }
}

// What loads a file takes matrices apart, so that none may shear: one node more for each.
void split_what_shears(Writer& w) {
  const std::size_t count = w.nodes.size();
  for (std::size_t i = 0; i < count && !w.error; ++i) {
    const PlanNode& node = w.nodes[i];
    if (!node.needed || node.keeps_factors || !fits_floats(node.local)) continue;
    if (factor(node.local).exact) continue;
    const ShearParts parts = split_shear(node.local);
    const std::int32_t outer = w.add_node(node.parent, node.name + "_shear", parts.outer);
    if (w.error) return;
    w.node(outer).needed = true;
    w.node(outer).in_scene = w.nodes[i].in_scene;
    w.nodes[i].parent = outer;
    w.nodes[i].local = parts.inner;
  }
}

void emit_node(Writer& w, PlanNode& node) {
  GlbNode out;
  out.name = node.name;
  out.parent = node.parent == kTop ? kNoGlbIndex : w.node(node.parent).gltf;
  out.in_scene = node.in_scene;
  if (!fits_floats(node.local)) {
    w.reporter.add(
        Severity::warning, "gltf-not-finite", path_of(w, node),
        format_text("The transform of the node '{}' is not finite; it is left out.", node.name));
    node.local = Matrix4d::Identity();
  }
  out.transform = factor(node.local).transform;
  out.mesh = node.mesh;
  out.camera = node.camera;
  out.target_weights = node.target_weights;
  if (w.options.extras) out.source_path = node.source_path;
  node.gltf = w.builder.add_node(out);
  Json& json = w.document.node(node.gltf);
  add_extras(json, node.imported_extras);
  if (!node.extras.empty()) {
    for (const auto& [key, value] : node.extras.members()) json["extras"][key] = value;
  }
  for (const auto& [name, extension] : node.extensions.members()) {
    w.document.node_extension(node.gltf, name) = extension;
  }
}

// Physics names nodes of the plan until they are numbered.
void number_physics(Writer& w, Json& physics) {
  const auto number = [&](Json& object, const char* key) {
    object[key] = w.node(static_cast<std::int32_t>(object[key].integer())).gltf;
  };
  if (physics.contains("joint")) number(physics["joint"], "connectedNode");
  if (physics.contains("collider") && physics["collider"]["geometry"].contains("node")) {
    number(physics["collider"]["geometry"], "node");
  }
}

void number_physics(Writer& w, const PlanNode& node) {
  constexpr const char* kBodies = "KHR_physics_rigid_bodies";
  if (node.gltf == kNoGlbIndex) return;
  if (node.extensions.contains(kBodies)) {
    number_physics(w, w.document.node(node.gltf)["extensions"][kBodies]);
  }
  const Json* const kept = node.extras.find("sinew");
  if (kept != nullptr && kept->contains("disabled")) {
    number_physics(w, w.document.node(node.gltf)["extras"]["sinew"]["disabled"]);
  }
}

}  // namespace

void mark_needed(Writer& w) {
  mark_skins(w);
  for (std::size_t i = 0; i < w.nodes.size(); ++i) {
    if (!w.nodes[i].needed) continue;
    for (std::int32_t p = w.nodes[i].parent; p != kTop && !w.node(p).needed; p = w.node(p).parent) {
      w.node(p).needed = true;
    }
  }
}

void emit(Writer& w) {
  mark_needed(w);
  keep_factors(w);
  split_what_shears(w);
  // Depth first, children in the order in which they were planned.
  std::vector<std::vector<std::int32_t>> children(w.nodes.size());
  std::vector<std::int32_t> stack;
  for (std::size_t i = w.nodes.size(); i-- > 0;) {
    const PlanNode& node = w.nodes[i];
    if (!node.needed) continue;
    if (node.parent == kTop) {
      stack.push_back(static_cast<std::int32_t>(i));
    } else {
      children[static_cast<std::size_t>(node.parent)].push_back(static_cast<std::int32_t>(i));
    }
  }
  while (!stack.empty()) {
    const std::int32_t index = stack.back();
    stack.pop_back();
    emit_node(w, w.node(index));
    const auto& below = children[static_cast<std::size_t>(index)];
    stack.insert(stack.end(), below.begin(), below.end());
  }

  for (const PlanNode& node : w.nodes) number_physics(w, node);

  // Skins that something uses.
  std::vector<std::int32_t> numbers(w.skins.size(), kNoGlbIndex);
  for (PlanNode& node : w.nodes) {
    if (!node.needed || node.skin < 0) continue;
    const auto s = static_cast<std::size_t>(node.skin);
    if (numbers[s] == kNoGlbIndex) {
      const PlanSkin& skin = w.skins[s];
      std::vector<std::int32_t> joints;
      for (const std::int32_t joint : skin.joints) joints.push_back(w.node(joint).gltf);
      GlbSkin out;
      out.name = skin.name;
      out.joints = joints;
      out.inverse_bind_matrices = skin.inverse_binds;
      if (skin.skeleton != kTop) out.skeleton = w.node(skin.skeleton).gltf;
      if (w.options.extras) out.source_path = skin.source_path;
      numbers[s] = w.builder.add_skin(out);
    }
    w.document.node(node.gltf)["skin"] = numbers[s];
  }

  for (const PlanClip& clip : w.clips) {
    std::vector<GlbChannel> channels;
    for (const PlanChannel& channel : clip.channels) {
      const std::int32_t node = w.node(channel.node).gltf;
      if (node == kNoGlbIndex) continue;
      channels.push_back({node, channel.path, channel.step, channel.times, channel.values});
    }
    GlbClip out;
    out.name = clip.name;
    out.channels = channels;
    w.builder.add_clip(out);
  }
}

}  // namespace sinew::exporter
