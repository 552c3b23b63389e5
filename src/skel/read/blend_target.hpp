// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sinew/core/types.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// Which results of blend_target() there are.
struct BlendedTarget {
  bool points = false;
  bool normals = false;
};

/// Applies the blend shapes of a prim: fills sub_shape_weights, blended_points and, if `normals` is
/// not empty and a shape has offsets for them, blended_normals.
BlendedTarget blend_target(const SkinTarget& target, std::span<const float> animation_weights,
                           std::span<const Vector3f> points, std::span<const Vector3f> normals,
                           DeformedPrim& deformed, Reporter& reporter);

}  // namespace sinew::skel
