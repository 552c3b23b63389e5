// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/joint_values.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

// Joint-local transforms of the animation in its own order. False where it gives none at this time.
bool animation_transforms(const SkeletonBinding& binding, stage::Time time,
                          std::vector<Matrix4d>& result, Reporter& reporter) {
  const auto values = read_joint_values(binding.animation_prim, *binding.animation, time, reporter);
  if (!values) return false;
  const std::size_t count = values->translations.size();
  result.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = make_transform(values->translations[i], values->rotations[i], values->scales[i]);
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
    report_missing_rest_pose(binding.skeleton_prim, binding.animation_prim, reporter);
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
  Reporter reporter(binding.skeleton_prim, diagnostics, Reporter::Repeats::once_per_prim);
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
    if (const auto weights =
            read_blend_shape_weights(binding.animation_prim, *binding.animation, time, reporter)) {
      kept.assign(weights->begin(), weights->end());
      pose.blend_shape_weights = std::move(kept);
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
                 format_text("{} has no bind pose, so nothing can be skinned with it.",
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
