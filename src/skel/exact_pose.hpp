// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sinew/core/types.hpp"
#include "sinew/skel/packed_clip.hpp"

namespace sinew::skel {

/// Parent from joint at a time: components as a stage interpolates them, transforms as
/// make_transform() makes them. For what needs more than floats; the kernels take a hundredth of
/// the time.
///
/// @param local  joint_count() entries. Precondition: sample_count() > 0.
void exact_local_transforms(const PackedClip& clip, double time, ClipCursor& cursor,
                            std::span<Matrix4d> local);

}  // namespace sinew::skel
