// SPDX-License-Identifier: Apache-2.0
#include "skel/read/read_skeleton.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/format_text.hpp"

namespace sinew::skel {
namespace {

std::vector<Matrix4d> read_matrices(const stage::Prim& prim, std::string_view name,
                                    Reporter& reporter) {
  const auto values = typed(reporter).array<Matrix4d>(prim.attribute(name), stage::Time());
  if (!values) return {};
  return {values->begin(), values->end()};
}

// OpenUSD makes roots of joints whose names are not identifiers; the documented rules do not.
void report_odd_names(const stage::Prim& prim, const std::vector<std::string>& joints,
                      Reporter& reporter) {
  for (const std::string& joint : joints) {
    if (is_joint_path(joint)) continue;
    reporter.add(Severity::warning, "skel-joint-name", prim,
                 format_text("The joint name \"{}\" of {} is not a path of identifiers; {}.", joint,
                             prim.path().view(),
                             reporter.documented() ? "its parts are read as they stand"
                                                   : "the joint has neither parent nor children"),
                 "OpenUSD makes such joints roots");
    return;
  }
}

// Only the last of joints listed twice can be a parent or be found by its name.
void report_repeated_joints(const stage::Prim& prim, const std::vector<std::string>& joints,
                            Reporter& reporter) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto [first, is_new] = seen.try_emplace(joints[j], j);
    if (is_new) continue;
    reporter.add(
        Severity::warning, "skel-joint-repeated", prim,
        format_text("Joints {} and {} of {} are both \"{}\"; animation moves the last one.",
                    first->second, j, prim.path().view(), joints[j]));
    return;
  }
}

void report_singular_bind_transforms(const stage::Prim& prim, const Skeleton& skeleton,
                                     Reporter& reporter) {
  const auto bind = skeleton.bind_transforms();
  for (std::size_t j = 0; j < bind.size(); ++j) {
    const double determinant = bind[j].topLeftCorner<3, 3>().determinant();
    if (determinant != 0.0 && std::isfinite(determinant)) continue;
    reporter.add(Severity::warning, "skel-bind-transform-singular",
                 prim.attribute("bindTransforms"),
                 format_text("bindTransforms[{}] of {} (\"{}\") has no inverse; what follows the "
                             "joint cannot be skinned.",
                             j, prim.path().view(), skeleton.joints()[j]));
    return;
  }
}

// An animation of joints needs all three components, blocked or not.
void report_missing_components(const stage::Prim& prim, const StageAnimation& animation,
                               Reporter& reporter) {
  if (animation.joints.empty()) return;
  const auto report = [&](const stage::Attribute& component, std::string_view name) {
    if (component) return;
    reporter.add(Severity::warning, "skel-animation-component-missing", prim,
                 format_text("{} has joints but no {}; it is ignored.", prim.path().view(), name));
  };
  report(animation.translations, "translations");
  report(animation.rotations, "rotations");
  report(animation.scales, "scales");
}

}  // namespace

std::shared_ptr<const Skeleton> read_skeleton(const stage::Prim& prim, Reporter& reporter) {
  SkeletonDesc desc;
  desc.rules = reporter.rules();
  if (auto joints = typed(reporter).tokens(prim.attribute("joints"))) {
    desc.joints = *std::move(joints);
  }
  report_odd_names(prim, desc.joints, reporter);
  report_repeated_joints(prim, desc.joints, reporter);
  desc.bind_transforms = read_matrices(prim, "bindTransforms", reporter);
  desc.rest_transforms = read_matrices(prim, "restTransforms", reporter);
  const std::size_t joint_count = desc.joints.size();
  const std::size_t bind_count = desc.bind_transforms.size();
  const std::size_t rest_count = desc.rest_transforms.size();
  const std::vector<std::string> joints = desc.joints;
  Result<Skeleton> skeleton = Skeleton::make(std::move(desc));
  if (!skeleton) {
    const Topology topology = Topology::from_joint_paths(joints, reporter.rules());
    std::string reason;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const std::int32_t parent = topology.parent(j);
      if (parent < 0 || static_cast<std::size_t>(parent) < j) continue;
      reason = format_text("joint {} (\"{}\") comes before its parent, joint {} (\"{}\")", j,
                           joints[j], parent, joints[static_cast<std::size_t>(parent)]);
      break;
    }
    reporter.add(Severity::error, "skel-invalid-topology", prim,
                 format_text("The joints of {} do not form a valid hierarchy: {}.",
                             prim.path().view(), reason),
                 "list every joint after its parent");
    return nullptr;
  }
  if (!skeleton->has_bind_pose()) {
    reporter.add(Severity::warning, "skel-bind-transforms-size", prim,
                 format_text("{} has {} bindTransforms for {} joints; it has no bind pose.",
                             prim.path().view(), bind_count, joint_count));
  }
  // The documents call the rest pose optional: only one of the wrong length is worth a word.
  if (!skeleton->has_rest_pose() && (rest_count > 0 || !reporter.documented())) {
    reporter.add(Severity::warning, "skel-rest-transforms-size", prim,
                 format_text("{} has {} restTransforms for {} joints; it has no rest pose.",
                             prim.path().view(), rest_count, joint_count));
  }
  report_singular_bind_transforms(prim, *skeleton, reporter);
  return std::make_shared<const Skeleton>(*std::move(skeleton));
}

std::shared_ptr<const StageAnimation> read_animation(const stage::Prim& prim, Reporter& reporter) {
  auto animation = std::make_shared<StageAnimation>();
  const std::vector<std::string> none;
  animation->joints = typed(reporter).tokens(prim.attribute("joints")).value_or(none);
  animation->blend_shapes = typed(reporter).tokens(prim.attribute("blendShapes")).value_or(none);
  animation->translations = prim.attribute("translations");
  animation->rotations = prim.attribute("rotations");
  animation->scales = prim.attribute("scales");
  animation->blend_shape_weights = prim.attribute("blendShapeWeights");
  report_missing_components(prim, *animation, reporter);
  return animation;
}

}  // namespace sinew::skel
