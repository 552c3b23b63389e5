// SPDX-License-Identifier: Apache-2.0
// What an animation gives at one time.
#pragma once

#include <optional>

#include "sinew/core/types.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// The components of every joint of an animation, in its order.
struct JointValues {
  stage::ArrayValue<Vector3f> translations;
  stage::ArrayValue<Quatf> rotations;
  stage::ArrayValue<Vector3h> scales;
};

/// Nothing where the animation cannot be used at this time: silently if a component has no value,
/// with a warning if their sizes disagree.
std::optional<JointValues> read_joint_values(const stage::Prim& prim,
                                             const StageAnimation& animation, stage::Time time,
                                             Reporter& reporter);

/// The weights of an animation, in its order. As many as are authored: that there are not as many
/// as blend shapes is reported, no more.
std::optional<stage::ArrayValue<float>> read_blend_shape_weights(const stage::Prim& prim,
                                                                 const StageAnimation& animation,
                                                                 stage::Time time,
                                                                 Reporter& reporter);

/// Says that joints which an animation leaves out have no rest transforms to take.
void report_missing_rest_pose(const stage::Prim& skeleton, const stage::Prim& animation,
                              Reporter& reporter);

}  // namespace sinew::skel
