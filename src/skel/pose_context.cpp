// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/pose_context.hpp"

#include <algorithm>
#include <utility>

#include "sinew/skel/joint_transforms.hpp"

namespace sinew::skel {

PoseContext::PoseContext(std::shared_ptr<const Skeleton> skeleton,
                         std::span<const std::string> animation_joints)
    : skeleton_(std::move(skeleton)),
      mapper_(animation_joints, skeleton_->joints()),
      animation_(mapper_.is_identity() ? 0 : animation_joints.size(), Matrix4d::Identity()),
      local_(skeleton_->joint_count(), Matrix4d::Identity()),
      skel_(skeleton_->joint_count(), Matrix4d::Identity()),
      skinning_(skeleton_->has_bind_pose() ? skeleton_->joint_count() : 0, Matrix4d::Identity()) {}

Status PoseContext::pose(std::span<const Vector3f> translations, std::span<const Quatf> rotations,
                         std::span<const Vector3h> scales) {
  if (mapper_.is_sparse() && skeleton_->joint_count() > 0 && !skeleton_->has_rest_pose()) {
    return {ErrorCode::no_value, "The animation lacks joints and the skeleton has no rest pose."};
  }
  if (mapper_.is_identity()) {
    Status status = make_transforms(translations, rotations, scales, local_);
    return status ? finish() : std::move(status);
  }
  Status status = make_transforms(translations, rotations, scales, animation_);
  if (!status) return status;
  if (mapper_.is_sparse()) {
    std::copy(skeleton_->rest_transforms().begin(), skeleton_->rest_transforms().end(),
              local_.begin());
  }
  status = mapper_.remap<Matrix4d>(animation_, local_);
  return status ? finish() : std::move(status);
}

Status PoseContext::rest() {
  if (!skeleton_->has_rest_pose()) return {ErrorCode::no_value, "The skeleton has no rest pose."};
  std::copy(skeleton_->rest_transforms().begin(), skeleton_->rest_transforms().end(),
            local_.begin());
  return finish();
}

Status PoseContext::finish() {
  Status status = concat_joint_transforms(skeleton_->topology(), local_, skel_);
  if (!status) return status;
  return skeleton_->has_bind_pose() ? skinning_transforms(*skeleton_, skel_, skinning_) : Status();
}

}  // namespace sinew::skel
