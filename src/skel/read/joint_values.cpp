// SPDX-License-Identifier: Apache-2.0
#include "skel/read/joint_values.hpp"

#include <utility>

#include "core/format_text.hpp"

namespace sinew::skel {

std::optional<JointValues> read_joint_values(const stage::Prim& prim,
                                             const StageAnimation& animation, stage::Time time,
                                             Reporter& reporter) {
  const stage::TypedReader reader = looked_up_first(reporter);
  auto translations = reader.array<Vector3f>(animation.translations, time);
  auto rotations = reader.array<Quatf>(animation.rotations, time);
  auto scales = reader.array<Vector3h>(animation.scales, time);
  if (!translations || !rotations || !scales) return std::nullopt;
  const std::size_t count = translations->size();
  if (rotations->size() != count || scales->size() != count) {
    reporter.add(Severity::warning, "skel-animation-size-mismatch", prim,
                 format_text("{} has {} translations, {} rotations and {} scales; it is ignored.",
                             prim.path().view(), count, rotations->size(), scales->size()));
    return std::nullopt;
  }
  if (count != animation.joints.size()) {
    if (count != 0) {
      reporter.add(Severity::warning, "skel-animation-size-mismatch", prim,
                   format_text("{} has {} transforms for {} joints; it is ignored.",
                               prim.path().view(), count, animation.joints.size()));
    }
    return std::nullopt;
  }
  return JointValues{*std::move(translations), *std::move(rotations), *std::move(scales)};
}

std::optional<stage::ArrayValue<float>> read_blend_shape_weights(const stage::Prim& prim,
                                                                 const StageAnimation& animation,
                                                                 stage::Time time,
                                                                 Reporter& reporter) {
  auto weights = looked_up_first(reporter).array<float>(animation.blend_shape_weights, time);
  if (!weights) return std::nullopt;
  const std::size_t shapes = animation.blend_shapes.size();
  if (weights->size() != shapes) {
    reporter.add(Severity::warning, "skel-blend-shape-weights-size", prim,
                 format_text("{} has {} blendShapeWeights for {} blendShapes.", prim.path().view(),
                             weights->size(), shapes));
  }
  return weights;
}

void report_missing_rest_pose(const stage::Prim& skeleton, const stage::Prim& animation,
                              Reporter& reporter) {
  reporter.add(Severity::warning, "skel-rest-pose-missing", skeleton,
               format_text("{} has no rest pose, but {} does not cover all of its joints.",
                           skeleton.path().view(), animation.path().view()));
}

}  // namespace sinew::skel
