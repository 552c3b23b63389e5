// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"

namespace sinew::physics {

/// Where something stands: first rotated, then moved.
struct Pose {
  Vector3f position = Vector3f::Zero();   ///< Distance.
  Quatf rotation = Quatf(1.0F, 0, 0, 0);  ///< Unit quaternion.
};

/// The same in double precision.
struct Posed {
  Vector3d position = Vector3d::Zero();  ///< Distance.
  Quatd rotation = Quatd(1.0, 0, 0, 0);  ///< Unit quaternion.
};

/// A pose and the scale that a transform has besides.
struct ScaledPose {
  Pose pose;                          ///< Without scale.
  Vector3f scale = Vector3f::Ones();  ///< Along the axes of the pose, signed.
};

}  // namespace sinew::physics
