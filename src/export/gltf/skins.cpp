// SPDX-License-Identifier: Apache-2.0
// Joint nodes, skins and the influences of meshes.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "core/sort.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/evaluate.hpp"

namespace sinew::exporter {

namespace {

using skel::SkeletonBinding;
using skel::SkinTarget;

std::string_view last_element(std::string_view joint) {
  const std::size_t slash = joint.find_last_of('/');
  return slash == std::string_view::npos ? joint : joint.substr(slash + 1);
}

/// The node of a Skeleton prim; one of its own for each animation that drives it.
std::int32_t skeleton_node(Writer& w, const SkeletonBinding& binding) {
  const stage::Prim& prim = binding.skeleton_prim;
  const auto known = w.node_of_prim.find(prim);
  const bool is_taken = std::any_of(
      w.skeletons.begin(), w.skeletons.end(),
      [&](const PlanSkeleton& skeleton) { return skeleton.binding->skeleton_prim == prim; });
  const auto part = w.part_of.find(prim);
  if (part != w.part_of.end() && !is_taken) return part->second;
  if (known != w.node_of_prim.end() && !is_taken) return known->second;
  std::int32_t node = kTop;
  const std::string name(prim.name().view());
  if (is_taken) {
    node = w.add_node(part != w.part_of.end() ? part->second : known->second, name,
                      Matrix4d::Identity());
  } else {  // Outside of what is written: by itself.
    node = w.add_node(w.root, name,
                      scaled_translation(geom::world_from_prim(prim, w.shown), w.meters));
    w.node_of_prim.emplace(prim, node);
    w.node(node).prim = prim;
    w.node(node).motion = PlanNode::Motion::world;
  }
  w.node(node).source_path = prim.path().str();
  return node;
}

/// The node of a prim that is a joint, if there is one in that place; see origin::kJoint.
std::int32_t joint_node(Writer& w, const stage::Prim& skeleton, std::string_view joint,
                        std::int32_t parent) {
  for (const std::int32_t index : w.joint_nodes) {
    const PlanNode& node = w.node(index);
    if (node.joint == joint && node.parent == parent && node.skeleton == skeleton.name().view() &&
        node.motion != PlanNode::Motion::none) {
      return index;
    }
  }
  return kTop;
}

/// What the joint nodes hold: rest, else how the animation has them at first, else bind.
std::vector<Matrix4d> shown_locals(Writer& w, const SkeletonBinding& binding) {
  const skel::Skeleton& skeleton = *binding.skeleton;
  if (skeleton.has_rest_pose()) {
    return {skeleton.rest_transforms().begin(), skeleton.rest_transforms().end()};
  }
  skel::SkeletonPose pose;
  Diagnostics unheard;  // The clip will say it.
  skel::evaluate_pose(binding, w.shown, pose, unheard);
  if (pose.joint_local.size() == skeleton.joint_count()) return pose.joint_local;
  std::vector<Matrix4d> locals(skeleton.joint_count(), Matrix4d::Identity());
  if (skeleton.has_bind_pose()) {
    (void)skel::joint_local_from_skel(skeleton.topology(), skeleton.bind_transforms(), locals);
  }
  w.warn("gltf-no-rest-pose", binding.skeleton_prim,
         format_text("{} has no rest pose; its joints are written as they are bound.",
                     binding.skeleton_prim.path().view()));
  return locals;
}

/// The skeleton of a binding, planned if it is not yet.
std::optional<std::size_t> plan_skeleton(Writer& w, const SkeletonBinding& binding) {
  for (std::size_t i = 0; i < w.skeletons.size(); ++i) {
    if (w.skeletons[i].binding == &binding) return i;
  }
  const skel::Skeleton& skeleton = *binding.skeleton;
  const std::size_t count = skeleton.joint_count();
  constexpr std::size_t kMostJoints = 65534;  // Two more may stand for what has no joint.
  if (count > std::min<std::uint64_t>(w.options.limits.joints, kMostJoints)) {
    w.fail(ErrorCode::limit_exceeded,
           format_text("{} has {} joints; at most {} can be written.",
                       binding.skeleton_prim.path().view(), count,
                       std::min<std::uint64_t>(w.options.limits.joints, kMostJoints)));
    return std::nullopt;
  }
  PlanSkeleton plan;
  plan.binding = &binding;
  plan.node = skeleton_node(w, binding);
  const std::vector<Matrix4d> locals = shown_locals(w, binding);
  // As the joints were called where they come from.
  std::vector<std::string> names;
  if (auto given = read_origin(binding.skeleton_prim).joints; given && given->size() == count) {
    names = *std::move(given);
  }
  for (std::size_t j = 0; j < count && !w.error; ++j) {
    const std::int32_t parent = skeleton.topology().parent(j);
    Matrix4d local = scaled_translation(locals[j], w.meters);
    const Factors factors = factor(local);
    if (factors.exact) local = matrix_of(factors.transform);
    const std::int32_t above =
        parent < 0 ? plan.node : plan.joints[static_cast<std::size_t>(parent)];
    std::int32_t node = joint_node(w, binding.skeleton_prim, skeleton.joints()[j], above);
    if (node == kTop) {
      node = w.add_node(
          above, names.empty() ? std::string(last_element(skeleton.joints()[j])) : names[j], local);
    }
    w.node(node).local = local;
    w.node(node).motion = PlanNode::Motion::none;
    plan.joints.push_back(node);
    plan.rest.push_back(factors.transform);
  }
  if (w.error) return std::nullopt;
  w.skeletons.push_back(std::move(plan));
  return w.skeletons.size() - 1;
}

/// Joints of one point, and their weights.
using Row = std::vector<std::pair<std::int32_t, double>>;

/// Makes rows of influences as glTF wants them.
class InfluenceWriter {
 public:
  InfluenceWriter(Writer& writer, const SkeletonBinding& binding, const SkinTarget& target,
                  const skel::JointInfluences& influences)
      : w_(writer),
        target_(target),
        skin_(*target.skin),
        indices_(influences.indices.span()),
        weights_(influences.weights.span()),
        joint_count_(binding.skeleton->joint_count()) {
    map_joints(binding);
  }

  bool uses_still = false;
  bool uses_origin = false;
  /// The joints of the skin, of the skeleton's, where the mesh brings a list of its own.
  std::optional<std::vector<std::int32_t>> own_joints;

  /// Whether every index names a joint; reported if not.
  bool is_sound() {
    for (const std::int32_t index : indices_) {
      if (index >= 0 && static_cast<std::size_t>(index) < joints_.size()) continue;
      w_.reporter.add(Severity::error, "gltf-joint-index", target_.prim,
                      format_text("{} names joint {}, but there are {}; it is written unskinned.",
                                  target_.prim.path().view(), index, joints_.size()));
      return false;
    }
    return true;
  }

  /// Repeated joints added up, those without a positive weight dropped, the strongest first.
  Row row(std::size_t point) {
    Row row;
    for (std::size_t i = point * skin_.influences; i < (point + 1) * skin_.influences; ++i) {
      const auto weight = static_cast<double>(weights_[i]);
      if (weight == 0.0 || !std::isfinite(weight)) continue;
      has_negative_ = has_negative_ || weight < 0.0;
      const std::int32_t joint = joints_[static_cast<std::size_t>(indices_[i])];
      const auto same =
          std::find_if(row.begin(), row.end(), [joint](const auto& e) { return e.first == joint; });
      if (same == row.end()) {
        row.emplace_back(joint, weight);
      } else {
        same->second += weight;
      }
    }
    row.erase(
        std::remove_if(row.begin(), row.end(), [](const auto& e) { return !(e.second > 0.0); }),
        row.end());
    sort_range(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return row;
  }

  void write(std::size_t point_count, SkinnedMesh& out) {
    std::size_t most = 4;
    if (w_.options.influences == GlbInfluences::eight) most = 8;
    if (w_.options.influences == GlbInfluences::all) most = skin_.influences;
    const bool is_constant = skin_.scope == skel::InfluenceScope::constant;
    const std::size_t rows = is_constant ? 1 : point_count;
    std::size_t widest = 1;
    std::vector<Row> all(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      has_negative_ = false;
      all[r] = row(r);
      if (has_negative_) ++negative_;
      finish(all[r], most, r);
      widest = std::max(widest, all[r].size());
    }
    out.sets = (widest + 3) / 4;
    const std::size_t width = out.sets * 4;
    out.joints.assign(point_count * width, 0);
    out.weights.assign(point_count * width, 0.0F);
    for (std::size_t p = 0; p < point_count; ++p) {
      const Row& from = all[is_constant ? 0 : p];
      for (std::size_t i = 0; i < from.size(); ++i) {
        const auto weight = static_cast<float>(from[i].second);
        if (!(weight > 0.0F)) continue;  // Too little for a float: joint 0, as unused places.
        out.joints[p * width + i] = static_cast<std::uint16_t>(from[i].first);
        out.weights[p * width + i] = weight;
      }
    }
    if (skin_.joint_order) out.numbering = joints_;
    if (uses_still || uses_origin) out.numbering.push_back(still_joint());
    report();
  }

  std::int32_t still_joint() const { return static_cast<std::int32_t>(joint_count_); }
  std::int32_t origin_joint() const { return static_cast<std::int32_t>(joint_count_ + 1); }

 private:
  // What the mesh calls 0, 1, ... in the order of the skeleton.
  void map_joints(const SkeletonBinding& binding) {
    const std::vector<std::string>& names = binding.skeleton->joints();
    if (!skin_.joint_order) {
      for (std::size_t j = 0; j < joint_count_; ++j) {
        joints_.push_back(static_cast<std::int32_t>(j));
      }
      return;
    }
    // What the mapper makes of the skeleton's numbers; of the last of equal names, as it does.
    std::vector<std::int32_t> own(joint_count_);
    for (std::size_t j = 0; j < joint_count_; ++j) own[j] = static_cast<std::int32_t>(j);
    (void)skin_.joint_mapper.remap_resized<std::int32_t>(own, joints_, 1, -1);
    joints_.resize(skin_.joint_order->size(), -1);
    std::string missing;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (joints_[j] >= 0) continue;
      missing = (*skin_.joint_order)[j];
      const bool is_documented = w_.reporter.documented();
      joints_[j] =
          is_documented || j >= names.size() ? still_joint() : static_cast<std::int32_t>(j);
    }
    if (!missing.empty()) {
      w_.warn(
          "gltf-missing-joint", target_.prim,
          format_text("{} follows joint \"{}\", which its skeleton lacks; a joint that does not "
                      "move stands for it.",
                      target_.prim.path().view(), missing));
    }
    if (missing.empty() && skin_.scope != skel::InfluenceScope::constant) keep_order();
  }

  // The joints of an imported skin are what the mesh lists.
  void keep_order() {
    if (!read_origin(target_.prim).skin) return;
    std::vector<std::int32_t> sorted = joints_;
    sort_range(sorted.begin(), sorted.end());
    const bool are_distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (sorted.empty() || sorted.front() < 0 || !are_distinct) return;
    own_joints = joints_;
    joint_count_ = joints_.size();
    for (std::size_t j = 0; j < joint_count_; ++j) joints_[j] = static_cast<std::int32_t>(j);
  }

  void finish(Row& row, std::size_t most, std::size_t point) {
    double sum = 0.0;
    for (const auto& entry : row) sum += entry.second;
    if (!(sum > 1e-9)) {
      ++empty_;
      row = {{origin_joint(), 1.0}};
      uses_origin = true;
      return;
    }
    if (std::abs(sum - 1.0) > 1e-3) {
      ++unnormalized_;
      if (std::abs(sum - 1.0) > std::abs(worst_sum_ - 1.0)) worst_sum_ = sum;
    }
    if (row.size() > most) {
      double kept = 0.0;
      for (std::size_t i = 0; i < most; ++i) kept += row[i].second;
      const double lost = 1.0 - kept / sum;
      row.resize(most);
      sum = kept;
      ++cut_;
      if (lost > most_lost_) {
        most_lost_ = lost;
        lost_at_ = point;
      }
    }
    for (auto& entry : row) {
      entry.second /= sum;
      uses_still = uses_still || entry.first == still_joint();
    }
  }

  void report() {
    const auto path = target_.prim.path();
    if (negative_ > 0) {
      w_.warn("gltf-weights-negative", target_.prim,
              format_text("{} points of {} have weights below 0, which are left out.", negative_,
                          path.view()));
    }
    if (unnormalized_ > 0) {
      w_.warn("gltf-weights-normalized", target_.prim,
              format_text("The weights of {} points of {} do not add up to 1, but to {} at "
                          "worst; they are written as if they did.",
                          unnormalized_, path.view(), rounded_text(worst_sum_)));
    }
    if (empty_ > 0) {
      w_.warn("gltf-weights-missing", target_.prim,
              format_text("{} points of {} follow no joint; they stand at the origin of the "
                          "skeleton.",
                          empty_, path.view()));
    }
    if (cut_ > 0) {
      w_.inform("gltf-influences-reduced", target_.prim,
                format_text("{} points of {} follow more joints than are written and lose up to "
                            "{} of their weight (point {}).",
                            cut_, path.view(), rounded_text(most_lost_, 4), lost_at_));
    }
  }

  Writer& w_;
  const SkinTarget& target_;
  const skel::SkinnedPrim& skin_;
  std::span<const std::int32_t> indices_;
  std::span<const float> weights_;
  std::size_t joint_count_;
  std::vector<std::int32_t> joints_;
  std::size_t empty_ = 0, negative_ = 0, unnormalized_ = 0, cut_ = 0, lost_at_ = 0;
  double worst_sum_ = 1.0, most_lost_ = 0.0;
  bool has_negative_ = false;  // Of the last row.
};

/// The skin for one way to bind meshes to a skeleton.
std::int32_t find_skin(Writer& w, std::size_t skeleton, const Matrix4d& geom_bind,
                       const InfluenceWriter& rows, const std::optional<std::string>& name) {
  const bool still = rows.uses_still, origin = rows.uses_origin;
  const SkeletonBinding& binding = *w.skeletons[skeleton].binding;
  PlanSkin skin;
  skin.name = name.value_or(std::string(binding.skeleton_prim.name().view()));
  skin.source_path = binding.skeleton_prim.path().str();
  skin.skeleton = w.skeletons[skeleton].node;
  skin.plan = skeleton;
  const std::vector<std::int32_t>& joints = w.skeletons[skeleton].joints;
  const auto inverses = binding.skeleton->inverse_bind_transforms();
  const std::size_t count = rows.own_joints ? rows.own_joints->size() : joints.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = rows.own_joints ? static_cast<std::size_t>((*rows.own_joints)[i]) : i;
    skin.joints.push_back(joints[j]);
    skin.inverse_binds.push_back(scaled_translation(inverses[j] * geom_bind, w.meters));
  }
  const auto add_extra = [&](std::int32_t& node, const char* extra) {
    if (node < 0) node = w.add_node(skin.skeleton, extra, Matrix4d::Identity());
    skin.joints.push_back(node);
  };
  if (still || origin) {  // Numbers of the second come after those of the first.
    std::int32_t node = w.skeletons[skeleton].still_joint;
    add_extra(node, "still");
    w.skeletons[skeleton].still_joint = node;
    skin.inverse_binds.push_back(scaled_translation(geom_bind, w.meters));
  }
  if (origin) {
    std::int32_t node = w.skeletons[skeleton].origin_joint;
    add_extra(node, "origin");
    w.skeletons[skeleton].origin_joint = node;
    Matrix4d collapse = Matrix4d::Zero();
    collapse(3, 3) = 1.0;
    skin.inverse_binds.push_back(collapse);
  }
  for (std::size_t i = 0; i < w.skins.size(); ++i) {
    if (w.skins[i].joints == skin.joints && w.skins[i].skeleton == skin.skeleton &&
        w.skins[i].name == skin.name && w.skins[i].inverse_binds == skin.inverse_binds) {
      return static_cast<std::int32_t>(i);
    }
  }
  w.skins.push_back(std::move(skin));
  return static_cast<std::int32_t>(w.skins.size() - 1);
}

bool all_fit(std::span<const Matrix4d> matrices, double meters,
             const Matrix4d& from = Matrix4d::Identity()) {
  return std::all_of(matrices.begin(), matrices.end(), [&](const Matrix4d& m) {
    return fits_floats(scaled_translation(m * from, meters));
  });
}

/// Whether the skeleton can move a mesh; reported if not.
bool can_skin(Writer& w, const SkeletonBinding& binding, const SkinTarget& target) {
  const auto unskinned = [&](Severity severity, const char* code, std::string_view why) {
    w.reporter.add(
        severity, code, target.prim,
        format_text("{} is written where its points are: {}.", target.prim.path().view(), why));
    return false;
  };
  if (binding.skeleton == nullptr) {
    return unskinned(Severity::error, "gltf-bad-skeleton",
                     "the joints of its skeleton form no valid hierarchy");
  }
  if (binding.skeleton->joint_count() == 0) {
    return unskinned(Severity::warning, "gltf-bad-skeleton", "its skeleton has no joints");
  }
  if (!binding.skeleton->has_bind_pose()) {
    return unskinned(Severity::warning, "gltf-no-bind-pose", "its skeleton has no bind pose");
  }
  if (!all_fit(binding.skeleton->inverse_bind_transforms(), w.meters) ||
      !all_fit(binding.skeleton->rest_transforms(), w.meters)) {
    return unskinned(Severity::error, "gltf-bad-skeleton",
                     "bind or rest transforms of its skeleton are not finite");
  }
  if (!target.skin->known_method) {
    return unskinned(Severity::warning, "gltf-skinning-method", "its skinning method is not known");
  }
  return true;
}

}  // namespace

std::optional<SkinnedMesh> bind_mesh(Writer& w, const stage::Prim& prim, std::size_t point_count) {
  const auto [b, t] = w.targets.at(prim);
  const SkeletonBinding& binding = w.bindings[b];
  const SkinTarget& target = binding.targets[t];
  if (!target.skin->has_joint_influences || !can_skin(w, binding, target)) return std::nullopt;
  const auto influences = skel::read_influences(target, w.shown, &w.diagnostics);
  if (!influences) return std::nullopt;
  const std::size_t per_point = target.skin->influences;
  const bool is_constant = target.skin->scope == skel::InfluenceScope::constant;
  const std::size_t rows = is_constant ? 1 : point_count;
  if (per_point == 0 || influences->indices.size() != rows * per_point ||
      influences->weights.size() != rows * per_point) {
    w.warn("gltf-influences", prim,
           format_text("{} has {} points, but joint influences for {}; it is written unskinned.",
                       prim.path().view(), point_count,
                       per_point == 0 ? 0 : influences->indices.size() / per_point));
    return std::nullopt;
  }
  InfluenceWriter rows_of(w, binding, target, *influences);
  if (!rows_of.is_sound()) return std::nullopt;
  const Matrix4d geom_bind = skel::read_geom_bind(target, w.shown, &w.diagnostics);
  if (!all_fit(binding.skeleton->inverse_bind_transforms(), w.meters, geom_bind) ||
      !fits_floats(scaled_translation(geom_bind, w.meters))) {
    w.warn("gltf-not-finite", prim,
           format_text("The geomBindTransform of {} is not finite; it is written unskinned.",
                       prim.path().view()));
    return std::nullopt;
  }
  const auto skeleton = plan_skeleton(w, binding);
  if (!skeleton) return std::nullopt;
  if (target.skin->method == skel::SkinningMethod::dual_quaternion) {
    w.warn(
        "gltf-dual-quaternion", prim,
        format_text("{} is skinned by dual quaternions, glTF skins linearly.", prim.path().view()));
  }
  SkinnedMesh skinned;
  skinned.skeleton = *skeleton;
  if (is_constant) {
    const Row row = rows_of.row(0);
    const bool is_joint = row.size() == 1 && row[0].first != rows_of.still_joint();
    if (is_joint && std::abs(row[0].second - 1.0) < 1e-6) {
      const auto joint = static_cast<std::size_t>(row[0].first);
      const Matrix4d local = scaled_translation(
          binding.skeleton->inverse_bind_transforms()[joint] * geom_bind, w.meters);
      if (factor(local).exact) {  // Nodes cannot shear; what skins hold can.
        skinned.rigid_joint = w.skeletons[*skeleton].joints[joint];
        skinned.rigid_local = local;
        return skinned;
      }
    }
  }
  rows_of.write(point_count, skinned);
  skinned.skin = find_skin(w, *skeleton, geom_bind, rows_of, read_origin(prim).skin);
  if (w.error) return std::nullopt;
  return skinned;
}

}  // namespace sinew::exporter
