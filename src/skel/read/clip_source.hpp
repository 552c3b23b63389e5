// SPDX-License-Identifier: Apache-2.0
// What clips are read from.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// An animation, and the skeleton that it is to move.
struct ClipSource {
  stage::Prim skeleton_prim;
  const Skeleton* skeleton = nullptr;  ///< Null if it is invalid.
  stage::Prim animation_prim;
  const StageAnimation* animation = nullptr;  ///< Null: the skeleton stays at rest.
  /// Which joint of the animation each joint of the skeleton follows, -1 for none. Empty: the
  /// animation moves no joints.
  std::vector<std::int32_t> animation_joint;

  bool is_animated() const { return animation != nullptr && !animation_joint.empty(); }
  stage::Interpolation interpolation() const;
};

/// Which joint of the animation of a binding each joint of its skeleton follows, -1 for none: of
/// those that rest, and of all if nothing moves them.
std::vector<std::int32_t> animation_joints(const SkeletonBinding& binding);

Result<Clip> read_clip(const ClipSource& source, Reporter& reporter, const ClipOptions& options);

}  // namespace sinew::skel
