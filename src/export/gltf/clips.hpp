// SPDX-License-Identifier: Apache-2.0
// What clips are put together of, those that the stage plays and those that are asked for.
#pragma once

#include "export/gltf/writer.hpp"
#include "sinew/skel/read/clip.hpp"

namespace sinew::exporter {

/// The skeleton of a binding that is written, or null.
const PlanSkeleton* planned(const Writer& w, const skel::SkeletonBinding& binding);

/// Whether morph targets that are written get their weights through a binding.
bool drives_morphs(const Writer& w, const skel::SkeletonBinding& binding);

/// Adds channels of the joints of a skeleton, in whose order those of `joints` are.
/// @param animation  What `joints` was made of, whose components have sample times of their own; or
///                   null.
void add_joints(Writer& w, const PlanSkeleton& skeleton, const skel::PackedClip& joints,
                const skel::StageAnimation* animation, PlanClip& clip);

/// Adds channels of the morph targets that a binding drives, with the weights of a clip.
void add_morphs(Writer& w, const skel::SkeletonBinding& binding, const skel::Clip& from,
                PlanClip& clip);

/// Adds a channel in which a node stays where it is, so that a clip in which nothing moves is as
/// long as others; none if there is no node.
void stand_still(Writer& w, std::int32_t node, PlanClip& clip);

/// Adds the clip of an animation of the stage, played by every skeleton it fits.
void add_requested_clip(Writer& w, const GlbClipRequest& request);

}  // namespace sinew::exporter
