// SPDX-License-Identifier: Apache-2.0
// What PointInstancers show, and instances for GPUs.

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/plan_nodes.hpp"
#include "export/gltf/tracks.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::exporter {

namespace {

using stage::Prim;

constexpr std::size_t kFewestInstances = 8;

/// The instances of one PointInstancer.
class Instancer {
 public:
  Instancer(Writer& writer, std::int32_t node)
      : w_(writer), node_(node), prim_(writer.node(node).prim) {}

  void run() {
    if (is_inside_itself()) {
      w_.warn("gltf-instancer", prim_,
              format_text("{} shows itself; its instances are left out.", prim_.path().view()));
      return;
    }
    w_.node(node_).is_instancer = true;
    if (geom::point_instances_might_vary(prim_)) {
      w_.warn("gltf-instancer-animation", prim_,
              format_text("The instances of {} move; they are written as at the first time.",
                          prim_.path().view()));
    }
    const auto shown = geom::read_point_instances(prim_, w_.shown, &w_.diagnostics);
    const bool visible = w_.node(node_).visible;
    for (const geom::PointInstance& instance : shown->instances) {
      if (w_.error) return;
      add(instance, shown->prototypes[instance.prototype], visible);
    }
  }

 private:
  bool is_inside_itself() const {
    for (std::int32_t p = w_.node(node_).parent; p != kTop; p = w_.node(p).parent) {
      if (w_.node(p).prim == prim_) return true;
    }
    return false;
  }

  void add(const geom::PointInstance& instance, const Prim& prototype, bool visible) {
    const Matrix4d place = scaled_translation(instance.transform(), w_.meters);
    const std::int32_t node = w_.add_node(node_, format_text("instance_{}", instance.id), place);
    if (w_.error) return;
    w_.node(node).is_copy = true;
    w_.node(node).instance_id = instance.id;
    ++w_.document.summary.instances;
    plan_copy(w_, prototype, node, visible);
  }

  Writer& w_;
  std::int32_t node_;
  Prim prim_;
};

/// Instances of one mesh below one node.
struct Group {
  std::vector<std::int32_t> nodes;
  std::vector<GlbTransform> transforms;
  std::vector<float> ids;
};

class Merger {
 public:
  explicit Merger(Writer& writer) : w_(writer), has_children_(writer.nodes.size(), false) {
    for (const PlanNode& node : w_.nodes) {
      if (node.parent != kTop && (node.mesh != kNoGlbIndex || node.camera != kNoGlbIndex)) {
        for (std::int32_t p = node.parent; p != kTop && !has_child(p); p = w_.node(p).parent) {
          has_children_[static_cast<std::size_t>(p)] = true;
        }
      }
    }
    for (const MorphUse& use : w_.morphs) morphs_.insert(use.node);
  }

  void run() {
    for (std::size_t i = 0; i < w_.nodes.size(); ++i) consider(static_cast<std::int32_t>(i));
    for (auto& [key, group] : groups_) {
      const bool is_instancer = key.first != kTop && w_.node(key.first).is_instancer;
      if (group.nodes.size() >= (is_instancer ? 1 : kFewestInstances))
        merge(key.first, key.second, group);
    }
  }

 private:
  bool has_child(std::int32_t node) const { return has_children_[static_cast<std::size_t>(node)]; }

  bool is_still(const PlanNode& node) const {
    if (!node.prim) return true;
    return !might_move(node) && node.joint.empty() &&
           !(w_.options.physics && node.prim.has_api("PhysicsRigidBodyAPI"));
  }

  static bool is_of_instance(const PlanNode& node) {
    return node.prim && (node.prim.is_instance() || node.prim.is_instance_proxy());
  }

  void consider(std::int32_t index) {
    const PlanNode& node = w_.node(index);
    if (node.mesh == kNoGlbIndex || node.skin >= 0 || has_child(index) ||
        morphs_.count(index) > 0 || !is_still(node)) {
      return;
    }
    // Up to the instancer, if there is one; else out of instances; else to the parent.
    std::int32_t anchor = node.parent;
    Matrix4d local = node.local;
    float id = 0.0F;
    if (node.is_copy) {
      for (; anchor != kTop && !w_.node(anchor).is_instancer; anchor = w_.node(anchor).parent) {
        if (!is_still(w_.node(anchor))) return;
        local = w_.node(anchor).local * local;
        if (w_.node(anchor).instance_id) id = static_cast<float>(*w_.node(anchor).instance_id);
      }
      // Instances of instances stay nodes.
      if (anchor != kTop && w_.node(anchor).is_copy) return;
    } else {
      for (; anchor != kTop && is_of_instance(w_.node(anchor)) && is_still(w_.node(anchor));
           anchor = w_.node(anchor).parent) {
        const Matrix4d above = w_.node(anchor).local * local;
        if (!factor(above).exact || !fits_floats(above)) break;
        local = above;
      }
    }
    const Factors factors = factor(local);
    if (!factors.exact || !fits_floats(local)) return;
    Group& group = groups_[{anchor, node.mesh}];
    group.nodes.push_back(index);
    group.transforms.push_back(factors.transform);
    group.ids.push_back(id);
  }

  void merge(std::int32_t anchor, std::int32_t mesh, const Group& group) {
    const std::size_t count = group.nodes.size();
    const std::string name = w_.node(group.nodes.front()).name + "_instances";
    const std::string path = w_.node(group.nodes.front()).source_path;
    const std::int32_t made = w_.add_node(anchor, name, Matrix4d::Identity());
    if (w_.error) return;
    std::vector<Vector3f> translations(count), scales(count);
    std::vector<std::array<float, 4>> rotations(count);
    for (std::size_t i = 0; i < count; ++i) {
      translations[i] = group.transforms[i].translation.cast<float>();
      scales[i] = group.transforms[i].scale.cast<float>();
      rotations[i] = gltf_quaternion(group.transforms[i].rotation);
      w_.node(group.nodes[i]).mesh = kNoGlbIndex;
      w_.node(group.nodes[i]).needed = w_.node(group.nodes[i]).camera != kNoGlbIndex;
    }
    PlanNode& node = w_.node(made);
    node.mesh = mesh;
    node.needed = true;
    node.source_path = path;
    Json attributes = Json::object();
    GlbContainer& container = w_.document.container;
    attributes["TRANSLATION"] =
        container.add_copy<Vector3f>({.width = 3, .count = count}, translations);
    attributes["ROTATION"] =
        container.add_copy<std::array<float, 4>>({.width = 4, .count = count}, rotations);
    attributes["SCALE"] = container.add_copy<Vector3f>({.width = 3, .count = count}, scales);
    if (anchor != kTop && w_.node(anchor).is_instancer) {
      attributes["_ID"] = container.add_copy<float>({.width = 1, .count = count}, group.ids);
    }
    node.extensions["EXT_mesh_gpu_instancing"]["attributes"] = std::move(attributes);
    w_.document.extensions_required.emplace("EXT_mesh_gpu_instancing");
  }

  Writer& w_;
  std::vector<bool> has_children_;
  std::unordered_set<std::int32_t> morphs_;
  std::map<std::pair<std::int32_t, std::int32_t>, Group> groups_;
};

}  // namespace

void plan_instancers(Writer& w) {
  // Copies may hold instancers again, which stand behind them.
  for (std::size_t i = 0; i < w.nodes.size() && !w.error; ++i) {
    const PlanNode& node = w.nodes[i];
    if (node.prim && node.visible && node.prim.is_a(stage::SchemaType::point_instancer)) {
      Instancer(w, static_cast<std::int32_t>(i)).run();
    }
  }
}

void merge_instances(Writer& w) {
  Merger(w).run();
}

}  // namespace sinew::exporter
