// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skeleton.hpp"

#include <utility>

#include "core/format_text.hpp"
#include "sinew/skel/joint_transforms.hpp"

namespace sinew::skel {
namespace {

Status check_sizes(const Skeleton& skeleton, std::span<const Matrix4d> in,
                   std::span<const Matrix4d> out) {
  const std::size_t count = skeleton.joint_count();
  if (in.size() == count && out.size() == count) return {};
  return {ErrorCode::size_mismatch,
          format_text("There are {} transforms instead of {}, one per joint.",
                      in.size() != count ? in.size() : out.size(), count)};
}

}  // namespace

Result<Skeleton> Skeleton::make(SkeletonDesc desc) {
  Skeleton skeleton;
  skeleton.topology_ = Topology::from_joint_paths(desc.joints, desc.rules);
  if (Status status = skeleton.topology_.validate(); !status) return std::move(status).error();
  skeleton.joints_ = std::move(desc.joints);
  const std::size_t count = skeleton.joints_.size();
  skeleton.has_bind_ = desc.bind_transforms.size() == count;
  skeleton.has_rest_ = desc.rest_transforms.size() == count;
  if (skeleton.has_bind_) {
    skeleton.bind_ = std::move(desc.bind_transforms);
    skeleton.inverse_bind_.reserve(count);
    for (const Matrix4d& bind : skeleton.bind_) {
      skeleton.inverse_bind_.push_back(inverse_transform(bind));
    }
  }
  if (skeleton.has_rest_) {
    skeleton.rest_ = std::move(desc.rest_transforms);
    skeleton.rest_skel_.resize(count);
    Status status =
        concat_joint_transforms(skeleton.topology_, skeleton.rest_, skeleton.rest_skel_);
    if (!status) return std::move(status).error();
  }
  return skeleton;
}

Status skinning_transforms(const Skeleton& skeleton, std::span<const Matrix4d> skel,
                           std::span<Matrix4d> skinning) {
  if (!skeleton.has_bind_pose()) return {ErrorCode::no_value, "The skeleton has no bind pose."};
  if (Status status = check_sizes(skeleton, skel, skinning); !status) return status;
  for (std::size_t j = 0; j < skel.size(); ++j) {
    skinning[j] = skel[j] * skeleton.inverse_bind_transforms()[j];
  }
  return {};
}

Status rest_relative_transforms(const Skeleton& skeleton, std::span<const Matrix4d> local,
                                std::span<Matrix4d> relative) {
  if (!skeleton.has_rest_pose()) return {ErrorCode::no_value, "The skeleton has no rest pose."};
  if (Status status = check_sizes(skeleton, local, relative); !status) return status;
  for (std::size_t j = 0; j < local.size(); ++j) {
    relative[j] = inverse_transform(skeleton.rest_transforms()[j]) * local[j];
  }
  return {};
}

}  // namespace sinew::skel
