// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/assert.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

// Joint-local transforms of the animation in its own order. False where it gives none at this time:
// silently if a component has no value, with a warning if their sizes disagree.
bool animation_transforms(const SkeletonBinding& binding, stage::Time time,
                          std::vector<Matrix4d>& result, Reporter& reporter) {
  const StageAnimation& animation = *binding.animation;
  const auto translations = typed(reporter).array<Vector3f>(animation.translations, time);
  const auto rotations = typed(reporter).array<Quatf>(animation.rotations, time);
  const auto scales = typed(reporter).array<Vector3h>(animation.scales, time);
  if (!translations || !rotations || !scales) return false;
  const std::size_t count = translations->size();
  if (rotations->size() != count || scales->size() != count) {
    reporter.add(Severity::warning, "skel-animation-size-mismatch", binding.animation_prim,
                 fmt::format("{} has {} translations, {} rotations and {} scales; it is ignored.",
                             binding.animation_prim.path().view(), count, rotations->size(),
                             scales->size()));
    return false;
  }
  if (count != animation.joints.size()) {
    if (count != 0) {
      reporter.add(
          Severity::warning, "skel-animation-size-mismatch", binding.animation_prim,
          fmt::format("{} has {} transforms for {} joints; it is ignored.",
                      binding.animation_prim.path().view(), count, animation.joints.size()));
    }
    return false;
  }
  result.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = make_transform((*translations)[i], (*rotations)[i], (*scales)[i]);
  }
  return true;
}

// Parent from joint, for every joint of the skeleton.
bool joint_local_transforms(const SkeletonBinding& binding, stage::Time time, bool animated,
                            std::vector<Matrix4d>& result, Reporter& reporter) {
  const Skeleton& skeleton = *binding.skeleton;
  const auto rest = [&] {
    if (!skeleton.has_rest_pose()) return false;
    result.assign(skeleton.rest_transforms().begin(), skeleton.rest_transforms().end());
    return true;
  };
  if (!animated) return rest();
  const bool sparse = binding.mapper.is_sparse();
  if (sparse && !rest()) {
    reporter.add(
        Severity::warning, "skel-rest-pose-missing", binding.skeleton_prim,
        fmt::format("{} has no rest pose, but {} does not cover all of its joints.",
                    binding.skeleton_prim.path().view(), binding.animation_prim.path().view()));
    return false;
  }
  std::vector<Matrix4d> transforms;
  if (!animation_transforms(binding, time, transforms, reporter)) return sparse || rest();
  remap_transforms(binding.mapper, std::span<const Matrix4d>(transforms), result);
  return true;
}

}  // namespace

void evaluate_pose(const SkeletonBinding& binding, stage::Time time, SkeletonPose& pose,
                   Diagnostics& diagnostics, PoseSource which) {
  Reporter reporter(binding.skeleton_prim.stage(), diagnostics, Reporter::Repeats::once_per_prim);
  evaluate_pose(binding, time, pose, reporter, which);
}

void evaluate_pose(const SkeletonBinding& binding, stage::Time time, SkeletonPose& pose,
                   Reporter& reporter, PoseSource which) {
  pose.time = time;
  pose.status = PoseStatus::none;
  pose.joint_local.clear();
  pose.joint_skel.clear();
  pose.skinning.clear();
  pose.joint_world.clear();
  std::vector<float> kept = std::move(pose.blend_shape_weights).value_or(std::vector<float>());
  pose.blend_shape_weights.reset();
  pose.world_from_skel = geom::world_from_prim(binding.skeleton_prim, time);
  if (binding.skeleton == nullptr) return;

  if (binding.animation != nullptr && which == PoseSource::animated) {
    if (auto weights = typed(reporter).array<float>(binding.animation->blend_shape_weights, time)) {
      kept.assign(weights->begin(), weights->end());
      pose.blend_shape_weights = std::move(kept);
      const std::size_t shapes = binding.animation->blend_shapes.size();
      if (weights->size() != shapes) {
        reporter.add(Severity::warning, "skel-blend-shape-weights-size", binding.animation_prim,
                     fmt::format("{} has {} blendShapeWeights for {} blendShapes.",
                                 binding.animation_prim.path().view(), weights->size(), shapes));
      }
    }
  }

  const Skeleton& skeleton = *binding.skeleton;
  const bool animated =
      which == PoseSource::animated && binding.animation != nullptr && !binding.mapper.is_null();
  if (!joint_local_transforms(binding, time, animated, pose.joint_local, reporter)) {
    pose.joint_local.clear();
    return;
  }
  const std::size_t count = pose.joint_local.size();
  pose.joint_skel.resize(count);
  pose.joint_world.resize(count);
  const Status status =
      concat_joint_transforms(skeleton.topology(), pose.joint_local, pose.joint_skel);
  SINEW_ASSERT(status.has_value());  // The topology is valid and every array made to fit.
  (void)status;
  for (std::size_t j = 0; j < count; ++j) {
    pose.joint_world[j] = pose.world_from_skel * pose.joint_skel[j];
  }
  pose.status = PoseStatus::posed;
  if (!skeleton.has_bind_pose()) {
    reporter.add(Severity::warning, "skel-bind-pose-missing", binding.skeleton_prim,
                 fmt::format("{} has no bind pose, so nothing can be skinned with it.",
                             binding.skeleton_prim.path().view()));
    return;
  }
  pose.skinning.resize(count);
  if (skinning_transforms(skeleton, pose.joint_skel, pose.skinning)) {
    pose.status = PoseStatus::skinnable;
  }
}

std::vector<Matrix4d> rest_relative(const SkeletonBinding& binding, const SkeletonPose& pose) {
  if (binding.skeleton == nullptr) return {};
  const Skeleton& skeleton = *binding.skeleton;
  if (binding.animation == nullptr || binding.mapper.is_null()) {
    return std::vector<Matrix4d>(skeleton.joint_count(), Matrix4d::Identity());
  }
  if (!skeleton.has_rest_pose() || pose.status == PoseStatus::none) return {};
  std::vector<Matrix4d> result(skeleton.joint_count());
  if (!rest_relative_transforms(skeleton, pose.joint_local, result)) return {};
  return result;
}

}  // namespace sinew::skel
