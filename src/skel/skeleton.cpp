// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skeleton.hpp"

#include <utility>

#include "sinew/skel/joint_transforms.hpp"

namespace sinew::skel {

Result<Skeleton> Skeleton::make(Desc desc) {
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

}  // namespace sinew::skel
