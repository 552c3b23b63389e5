// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/skeletons.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/format_text.hpp"
#include "export/shared/layer_output.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr double kSameBind = 1e-5;
// Skins of which none fits another are no real ones; each gets a skeleton of its own then.
constexpr std::size_t kMostTried = 64;

std::optional<Matrix4d> inverse_of(const Matrix4d& matrix) {
  const Matrix4d inverse = matrix.inverse();
  return inverse.allFinite() ? std::optional(inverse) : std::nullopt;
}

Matrix4d matrix_of(const float* numbers) {
  Matrix4d matrix;
  for (int i = 0; i < 16; ++i) matrix.data()[i] = static_cast<double>(numbers[i]);
  return matrix;
}

class Planner {
 public:
  Planner(const ReadContext& context, const Document& document)
      : context_(context), document_(document) {
    plans_.skins.resize(document.skins.size());
    plans_.is_joint.resize(document.nodes.size());
    plans_.morph_skeletons.resize(document.nodes.size(), kNothing);
  }

  SkeletonPlans run() {
    find_used_skins();
    group_skins();
    for (const auto& [first, skins] : groups_) plan_group(skins);
    for (SkeletonPlan& skeleton : plans_.skeletons) {
      if (context_.budget->is_spent()) break;
      take_bare_children(skeleton);
      name_joints(skeleton);
    }
    plan_morphs();
    return std::move(plans_);
  }

 private:
  const Node& node(std::uint32_t index) const { return document_.nodes[index]; }

  // A skin can be used if all its joints are in the scene.
  void find_used_skins() {
    used_.resize(document_.skins.size());
    for (std::size_t i = 0; i < document_.nodes.size(); ++i) {
      if (document_.in_scene[i] && node(static_cast<std::uint32_t>(i)).skin != kNothing) {
        used_[static_cast<std::size_t>(document_.nodes[i].skin)] = true;
      }
    }
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Skin& skin = document_.skins[i];
      used_[i] = used_[i] && !skin.joints.empty();
      if (!used_[i]) continue;
      const auto outside =
          std::find_if(skin.joints.begin(), skin.joints.end(),
                       [&](std::uint32_t joint) { return !document_.in_scene[joint]; });
      if (outside == skin.joints.end()) continue;
      used_[i] = false;
      context_.faults().error(context_.root["skins"][i]["joints"].pointer(), "gltf-skin-joint",
                              format_text("Node {} is not in the scene.", *outside));
    }
  }

  std::uint32_t leader(std::uint32_t skin) {
    while (leaders_[skin] != skin) skin = leaders_[skin] = leaders_[leaders_[skin]];
    return skin;
  }

  // Skins that have joints in common.
  void group_skins() {
    leaders_.resize(document_.skins.size());
    std::iota(leaders_.begin(), leaders_.end(), 0U);
    std::unordered_map<std::uint32_t, std::uint32_t> skin_of_joint;
    for (std::uint32_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) continue;
      for (const std::uint32_t joint : document_.skins[i].joints) {
        const auto [found, is_new] = skin_of_joint.try_emplace(joint, i);
        if (is_new) continue;
        const std::uint32_t a = leader(found->second);
        const std::uint32_t b = leader(i);
        leaders_[std::max(a, b)] = std::min(a, b);
      }
    }
    for (std::uint32_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) groups_[leader(i)].push_back(i);
    }
  }

  // From the root to the parent of a node.
  std::vector<std::uint32_t> ancestors(std::uint32_t index) const {
    std::vector<std::uint32_t> chain;
    for (std::int32_t at = node(index).parent; at != kNothing;
         at = node(static_cast<std::uint32_t>(at)).parent) {
      chain.push_back(static_cast<std::uint32_t>(at));
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  void plan_group(const std::vector<std::uint32_t>& skins) {
    // The nearest node that all joints lie below.
    std::vector<std::uint32_t> common;
    bool is_first = true;
    for (const std::uint32_t skin : skins) {
      for (const std::uint32_t joint : document_.skins[skin].joints) {
        const std::vector<std::uint32_t> chain = ancestors(joint);
        if (std::exchange(is_first, false)) {
          common = chain;
          continue;
        }
        const auto ends = std::mismatch(common.begin(), common.end(), chain.begin(), chain.end());
        common.erase(ends.first, common.end());
      }
    }
    const std::int32_t parent =
        common.empty() ? kNothing : static_cast<std::int32_t>(common.back());
    const std::size_t first = plans_.skeletons.size();
    for (const std::uint32_t skin : skins) {
      if (context_.budget->is_spent()) return;
      bool is_placed = false;
      const std::size_t end = std::min(plans_.skeletons.size(), first + kMostTried);
      for (std::size_t i = first; i < end && !is_placed; ++i) {
        is_placed = join(skin, i);
      }
      if (is_placed) continue;
      SkeletonPlan& plan = plans_.skeletons.emplace_back();
      plan.parent_node = parent;
      plan.name = document_.skins[skin].name;
      places_.emplace_back();
      has_bind_.emplace_back();
      rests_.emplace_back();
      join(skin, plans_.skeletons.size() - 1);
    }
  }

  Matrix4d inverse_bind(std::uint32_t skin, std::size_t joint) const {
    const Skin& from = document_.skins[skin];
    return from.inverse_binds ? matrix_of(from.inverse_binds[joint])
                              : Matrix4d(Matrix4d::Identity());
  }

  // Whether a joint puts all points to where the skeleton's space begins, as USD does with those
  // that follow no joint.
  bool draws_to_origin(const SkeletonPlan& plan, std::uint32_t skin, std::size_t joint) const {
    // The skeleton needs one at least.
    if (joint == 0 || !inverse_bind(skin, joint).topRows<3>().isZero(0.0)) return false;
    const std::uint32_t at = document_.skins[skin].joints[joint];
    if (node(at).parent != plan.parent_node || !node(at).local().isIdentity(1e-9)) return false;
    return std::none_of(document_.animations.begin(), document_.animations.end(),
                        [at](const Animation& animation) {
                          return std::any_of(animation.channels.begin(), animation.channels.end(),
                                             [at](const Channel& c) { return c.node == at; });
                        });
  }

  // Whether the skin fits the skeleton; then it has joined it.
  bool join(std::uint32_t skin, std::size_t index) {
    SkeletonPlan& plan = plans_.skeletons[index];
    std::unordered_map<std::uint32_t, std::int32_t>& places = places_[index];
    const Skin& from = document_.skins[skin];
    Matrix4d geom_bind = Matrix4d::Identity();
    bool has_common = plan.joints.empty();
    bool is_determined = false;
    for (std::size_t i = 0; i < from.joints.size(); ++i) {
      const auto place = places.find(from.joints[i]);
      if (place == places.end() || !has_bind_[index][static_cast<std::size_t>(place->second)]) {
        continue;
      }
      has_common = true;
      const Matrix4d here =
          plan.binds[static_cast<std::size_t>(place->second)] * inverse_bind(skin, i);
      if (!is_determined) {
        geom_bind = here;
        is_determined = true;
      }
      const double size = std::max(1.0, geom_bind.cwiseAbs().maxCoeff());
      if (!((here - geom_bind).cwiseAbs().maxCoeff() <= kSameBind * size)) return false;
    }
    if (!has_common) return false;
    // What differs from none by rounding is none.
    if ((geom_bind - Matrix4d(Matrix4d::Identity())).cwiseAbs().maxCoeff() <= kSameBind) {
      geom_bind.setIdentity();
    }
    SkinPlan& out = plans_.skins[skin];
    out.skeleton = static_cast<std::int32_t>(index);
    out.geom_bind = geom_bind;
    for (std::size_t i = 0; i < from.joints.size(); ++i) {
      if (draws_to_origin(plan, skin, i)) {
        out.joint_from_skin.push_back(kNothing);
        continue;
      }
      const std::int32_t place = add_joint(index, from.joints[i]);
      if (place == kNothing) return true;
      out.joint_from_skin.push_back(place);
      const auto at = static_cast<std::size_t>(place);
      if (has_bind_[index][at]) continue;
      has_bind_[index][at] = true;
      const auto bind = inverse_of(inverse_bind(skin, i));
      if (bind) {
        plan.binds[at] = geom_bind * *bind;
        continue;
      }
      context_.faults().error(
          context_.root["skins"][skin]["inverseBindMatrices"].pointer(), "gltf-inverse-binds",
          format_text("Matrix {} has no inverse; the joint's rest pose is taken.", i));
    }
    return true;
  }

  // The joint's number in the skeleton. Joints above it that are missing are added before it.
  std::int32_t add_joint(std::size_t index, std::uint32_t joint) {
    SkeletonPlan& plan = plans_.skeletons[index];
    std::unordered_map<std::uint32_t, std::int32_t>& places = places_[index];
    std::vector<std::uint32_t> missing;
    for (auto at = static_cast<std::int32_t>(joint);
         at != plan.parent_node && !places.contains(static_cast<std::uint32_t>(at));
         at = node(static_cast<std::uint32_t>(at)).parent) {
      missing.push_back(static_cast<std::uint32_t>(at));
    }
    for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
      if (!context_.budget->spend(1, 2 * sizeof(Matrix4d) + 64)) return kNothing;
      const std::int32_t above = node(*at).parent;
      const std::int32_t parent =
          above == plan.parent_node ? kNothing : places.at(static_cast<std::uint32_t>(above));
      // Until a skin says otherwise, the rest pose.
      Matrix4d rest = node(*at).local();
      if (parent != kNothing) rest = rests_[index][static_cast<std::size_t>(parent)] * rest;
      rests_[index].push_back(rest);
      places.emplace(*at, static_cast<std::int32_t>(plan.joints.size()));
      plan.joints.push_back(*at);
      plan.parents.push_back(parent);
      plan.binds.push_back(inverse_of(rest) ? rest : Matrix4d(Matrix4d::Identity()));
      has_bind_[index].push_back(false);
      plans_.is_joint[*at] = true;
    }
    return places.at(joint);
  }

  static bool shows_something(const Node& node) {
    return node.mesh != kNothing || node.camera != kNothing || node.motion || node.collider ||
           node.joint;
  }

  // Nodes below joints that lead to nothing, such as the ends of fingers, are joints.
  void take_bare_children(SkeletonPlan& plan) {
    const auto index = static_cast<std::size_t>(&plan - plans_.skeletons.data());
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
      for (const std::uint32_t child : node(plan.joints[i]).children) {
        if (!plans_.is_joint[child] && is_bare(child)) add_joint(index, child);
      }
    }
  }

  bool is_bare(std::uint32_t root) {
    if (bare_.empty()) bare_.resize(document_.nodes.size(), 0);
    if (bare_[root] != 0) return bare_[root] == 1;
    bool result = !shows_something(node(root)) && !plans_.is_joint[root];
    for (const std::uint32_t child : node(root).children) result = is_bare(child) && result;
    bare_[root] = result ? 1 : 2;
    return result;
  }

  void name_joints(SkeletonPlan& plan) {
    std::vector<std::map<std::string, std::size_t, std::less<>>> taken(plan.joints.size() + 1);
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
      const auto above = static_cast<std::size_t>(plan.parents[i] + 1);
      std::string name = distinct_name(
          taken[above],
          identifier_of(node(plan.joints[i]).name, "joint_" + std::to_string(plan.joints[i])));
      if (plan.parents[i] != kNothing) {
        const std::string& parent = plan.paths[static_cast<std::size_t>(plan.parents[i])];
        if (!context_.budget->spend(parent.size())) return;
        name.insert(0, parent + "/");
      }
      plan.paths.push_back(std::move(name));
    }
  }

  // Every mesh with morph targets gets channels in the skeleton that deforms it, or in one of its
  // own.
  void plan_morphs() {
    std::map<std::size_t, std::map<std::string, std::size_t, std::less<>>> taken;
    for (std::uint32_t i = 0; i < document_.nodes.size(); ++i) {
      const Node& from = node(i);
      if (!document_.in_scene[i] || from.mesh == kNothing || context_.budget->is_spent()) continue;
      const Mesh& mesh = document_.meshes[static_cast<std::size_t>(from.mesh)];
      if (mesh.weights.empty()) continue;
      std::int32_t skeleton = from.skin == kNothing
                                  ? kNothing
                                  : plans_.skins[static_cast<std::size_t>(from.skin)].skeleton;
      if (skeleton == kNothing) {
        skeleton = static_cast<std::int32_t>(plans_.skeletons.size());
        SkeletonPlan& plan = plans_.skeletons.emplace_back();
        plan.parent_node = static_cast<std::int32_t>(i);
        plan.name = identifier_of(from.name, "mesh") + "_morphs";
      }
      plans_.morph_skeletons[i] = skeleton;
      const auto index = static_cast<std::size_t>(skeleton);
      for (std::uint32_t k = 0; k < mesh.weights.size(); ++k) {
        if (!context_.budget->spend(sizeof(MorphChannel) + mesh.target_names[k].size())) return;
        plans_.skeletons[index].morphs.push_back(
            {i, k, distinct_name(taken[index], identifier_of(mesh.target_names[k], "target"))});
      }
    }
  }

  const ReadContext& context_;
  const Document& document_;
  SkeletonPlans plans_;
  std::vector<bool> used_;
  std::vector<std::uint32_t> leaders_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups_;
  // Of each skeleton: where a node is among the joints, which binds skins gave, rest poses.
  std::vector<std::unordered_map<std::uint32_t, std::int32_t>> places_;
  std::vector<std::vector<bool>> has_bind_;
  std::vector<std::vector<Matrix4d>> rests_;
  std::vector<signed char> bare_;
};

}  // namespace

SkeletonPlans plan_skeletons(const ReadContext& context, const Document& document) {
  return Planner(context, document).run();
}

}  // namespace sinew::exporter::gltf_import
