// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sinew/core/types.hpp"

namespace sinew::skel {

/// A joint's transform as a clip holds it.
struct JointComponents {
  Vector3f translation = Vector3f::Zero();
  Quatf rotation = Quatf::Identity();
  Vector3f scale = Vector3f::Ones();
};

/// Takes a transform apart into scale, rotation and translation, in that order.
/// @return Nothing if they do not make the transform again, to within a few roundings to float: it
///         shears, is projective, or is not finite.
std::optional<JointComponents> components_of(const Matrix4d& transform);

}  // namespace sinew::skel
