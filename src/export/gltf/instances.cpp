// SPDX-License-Identifier: Apache-2.0
// What PointInstancers show, and instances for GPUs.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "export/gltf/plan_nodes.hpp"
#include "export/gltf/writer.hpp"
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
              fmt::format("{} shows itself; its instances are left out.", prim_.path().view()));
      return;
    }
    read();
    w_.node(node_).is_instancer = true;
    const bool visible = w_.node(node_).visible;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < indices_.size() && !w_.error; ++i) {
      if (is_hidden(i)) continue;
      const std::int32_t prototype = indices_[i];
      if (i >= positions_.size() || prototype < 0 ||
          static_cast<std::size_t>(prototype) >= prototypes_.size() ||
          !prototypes_[static_cast<std::size_t>(prototype)]) {
        ++bad;
        continue;
      }
      add(i, prototypes_[static_cast<std::size_t>(prototype)], visible);
    }
    if (bad > 0) {
      w_.warn("gltf-instancer", prim_,
              fmt::format("{} instances of {} have no position or no prototype; they are left out.",
                          bad, prim_.path().view()));
    }
  }

 private:
  bool is_inside_itself() const {
    for (std::int32_t p = w_.node(node_).parent; p != kTop; p = w_.node(p).parent) {
      if (w_.node(p).prim == prim_) return true;
    }
    return false;
  }

  template <typename T>
  std::vector<T> array(const char* name) {
    const stage::Attribute attribute = prim_.attribute(name);
    if (!attribute) return {};
    if (attribute.time_sample_count() > 1) {
      w_.warn("gltf-instancer-animation", prim_,
              fmt::format("The instances of {} move; they are written as at the first time.",
                          prim_.path().view()));
    }
    const auto value = attribute.get_array<T>(w_.shown);
    return value ? std::vector<T>(value->begin(), value->end()) : std::vector<T>();
  }

  void read() {
    if (const stage::Relationship targets = prim_.relationship("prototypes")) {
      for (const layer::Path& path : targets.forwarded_targets()) {
        prototypes_.push_back(w_.stage.prim(path));
      }
    }
    indices_ = array<std::int32_t>("protoIndices");
    positions_ = array<Vector3f>("positions");
    scales_ = array<Vector3f>("scales");
    for (const Quatf& q : array<Quatf>("orientationsf")) orientations_.push_back(q.cast<double>());
    if (orientations_.empty()) {
      for (const Quath& q : array<Quath>("orientations")) {
        orientations_.push_back(q.cast<float>().cast<double>());
      }
    }
    ids_ = array<std::int64_t>("ids");
    for (const std::int64_t id : array<std::int64_t>("invisibleIds")) hidden_.insert(id);
    add_inactive();
  }

  // A list of edits to nothing: what it adds.
  void add_inactive() {
    const layer::Value value = prim_.metadata("inactiveIds");
    const layer::ListOp<layer::Value>* const list = value.as_list_op();
    if (list == nullptr) return;
    for (const auto* items :
         {&list->explicit_items, &list->prepended, &list->added, &list->appended}) {
      for (const layer::Value& item : *items) {
        if (const auto id = item.get<std::int64_t>()) hidden_.insert(*id);
      }
    }
  }

  std::int64_t id(std::size_t i) const {
    return i < ids_.size() && ids_.size() == indices_.size() ? ids_[i]
                                                             : static_cast<std::int64_t>(i);
  }
  bool is_hidden(std::size_t i) const { return hidden_.count(id(i)) > 0; }

  void add(std::size_t i, const Prim& prototype, bool visible) {
    GlbTransform transform;
    transform.translation = positions_[i].cast<double>() * w_.meters;
    if (orientations_.size() == indices_.size()) transform.rotation = orientations_[i];
    if (scales_.size() == indices_.size()) transform.scale = scales_[i].cast<double>();
    if (!(transform.rotation.norm() > 0.0)) transform.rotation.setIdentity();
    const Matrix4d matrix = matrix_of(transform);
    if (!matrix.allFinite()) {
      w_.warn("gltf-not-finite", prim_,
              fmt::format("Instances of {} stand nowhere finite; they are left out.",
                          prim_.path().view()));
      return;
    }
    const std::int32_t instance = w_.add_node(node_, fmt::format("instance_{}", id(i)), matrix);
    if (w_.error) return;
    w_.node(instance).is_copy = true;
    w_.node(instance).instance_id = id(i);
    ++w_.document.summary.instances;
    plan_copy(w_, prototype, instance, visible);
  }

  Writer& w_;
  std::int32_t node_;
  Prim prim_;
  std::vector<Prim> prototypes_;
  std::vector<std::int32_t> indices_;
  std::vector<Vector3f> positions_, scales_;
  std::vector<Quatd> orientations_;
  std::vector<std::int64_t> ids_;
  std::unordered_set<std::int64_t> hidden_;
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
    return !geom::local_transform_might_vary(node.prim) &&
           !(w_.options.physics && node.prim.has_api("PhysicsRigidBodyAPI"));
  }

  void consider(std::int32_t index) {
    const PlanNode& node = w_.node(index);
    if (node.mesh == kNoGlbIndex || node.skin >= 0 || has_child(index) ||
        morphs_.count(index) > 0 || !is_still(node)) {
      return;
    }
    // Up to the instancer, if there is one; else to the parent.
    std::int32_t anchor = node.parent;
    Matrix4d local = node.local;
    float id = 0.0F;
    if (node.is_copy) {
      for (; anchor != kTop && !w_.node(anchor).is_instancer; anchor = w_.node(anchor).parent) {
        if (!is_still(w_.node(anchor))) return;
        local = w_.node(anchor).local * local;
        if (w_.node(anchor).instance_id) id = static_cast<float>(*w_.node(anchor).instance_id);
      }
    }
    const Factors factors = factor(local);
    if (!factors.exact) return;
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
