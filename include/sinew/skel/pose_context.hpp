// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/anim_mapper.hpp"
#include "sinew/skel/skeleton.hpp"

namespace sinew::skel {

/// The pose of one character from frame to frame, for engines that keep clips of their own: joint
/// components in an animation's order go in, transforms of every space come out.
///
/// Memory is allocated when the context is made, and never again. Not thread-safe; use one per
/// character or thread.
class SINEW_API PoseContext {
 public:
  /// @param skeleton          Shared, not copied.
  /// @param animation_joints  The order of what pose() gets; joints in any order, some or all.
  PoseContext(std::shared_ptr<const Skeleton> skeleton,
              std::span<const std::string> animation_joints);

  /// Poses the skeleton. Joints that the animation does not have are at rest.
  /// @return ok; size_mismatch if an array does not have one entry per joint of the animation; or
  ///         no_value if joints are missing and there is no rest pose. The last pose stays then.
  /// @par Cost  One matrix per joint composed and two products; no allocation.
  Status pose(std::span<const Vector3f> translations, std::span<const Quatf> rotations,
              std::span<const Vector3h> scales);

  /// Puts the skeleton at rest. @return ok, or no_value without a rest pose.
  Status rest();

  /// The one it was made with.
  const Skeleton& skeleton() const noexcept { return *skeleton_; }
  /// Parent from joint, in joint order; identities before the first pose.
  std::span<const Matrix4d> joint_local() const noexcept { return local_; }
  /// Skeleton from joint.
  std::span<const Matrix4d> joint_skel() const noexcept { return skel_; }
  /// Skeleton from bind space: what SkinPalette::prepare() takes. Empty without a bind pose.
  std::span<const Matrix4d> skinning() const noexcept { return skinning_; }

 private:
  Status finish();

  std::shared_ptr<const Skeleton> skeleton_;
  AnimMapper mapper_;
  std::vector<Matrix4d> animation_;  // In the animation's order.
  std::vector<Matrix4d> local_;
  std::vector<Matrix4d> skel_;
  std::vector<Matrix4d> skinning_;
};

}  // namespace sinew::skel
