// SPDX-License-Identifier: Apache-2.0
// The evaluation functions with a reporter that tells each thing once over many calls.
#pragma once

#include <optional>

#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

void evaluate_pose(const SkeletonBinding& binding, stage::Time time, SkeletonPose& pose,
                   Reporter& reporter, PoseSource which = PoseSource::animated);

std::optional<JointInfluences> read_influences(const SkinTarget& target, stage::Time time,
                                               Reporter& reporter);

Matrix4d read_geom_bind(const SkinTarget& target, stage::Time time, Reporter& reporter);

/// What blend shapes change, where they are applied at all.
struct Blending {
  bool points = true;
  bool normals = true;
};

void evaluate_target(const SkinTarget& target, const SkeletonPose& pose, DeformedPrim& deformed,
                     Reporter& reporter, const DeformOptions& options = {},
                     const Blending& blending = {});

}  // namespace sinew::skel
