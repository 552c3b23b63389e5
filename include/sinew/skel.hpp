// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::skel
/// Skeletons, clips, influences, blend shapes; posing, skinning. skel/read/ finds them on a stage.

#include "sinew/skel/anim_mapper.hpp"          // IWYU pragma: export
#include "sinew/skel/blend_shapes.hpp"         // IWYU pragma: export
#include "sinew/skel/crowd.hpp"                // IWYU pragma: export
#include "sinew/skel/gltf.hpp"                 // IWYU pragma: export
#include "sinew/skel/influences.hpp"           // IWYU pragma: export
#include "sinew/skel/joint_transforms.hpp"     // IWYU pragma: export
#include "sinew/skel/match_joints.hpp"         // IWYU pragma: export
#include "sinew/skel/packed_blend_shapes.hpp"  // IWYU pragma: export
#include "sinew/skel/packed_clip.hpp"          // IWYU pragma: export
#include "sinew/skel/packed_influences.hpp"    // IWYU pragma: export
#include "sinew/skel/packed_skeleton.hpp"      // IWYU pragma: export
#include "sinew/skel/packed_vectors.hpp"       // IWYU pragma: export
#include "sinew/skel/packed_weights.hpp"       // IWYU pragma: export
#include "sinew/skel/playback.hpp"             // IWYU pragma: export
#include "sinew/skel/pose_context.hpp"         // IWYU pragma: export
#include "sinew/skel/read/bake_skinning.hpp"   // IWYU pragma: export
#include "sinew/skel/read/bindings.hpp"        // IWYU pragma: export
#include "sinew/skel/read/character.hpp"       // IWYU pragma: export
#include "sinew/skel/read/check_bindings.hpp"  // IWYU pragma: export
#include "sinew/skel/read/clip.hpp"            // IWYU pragma: export
#include "sinew/skel/read/crowd.hpp"           // IWYU pragma: export
#include "sinew/skel/read/cut_influences.hpp"  // IWYU pragma: export
#include "sinew/skel/read/evaluate.hpp"        // IWYU pragma: export
#include "sinew/skel/read/extents.hpp"         // IWYU pragma: export
#include "sinew/skel/read/pack.hpp"            // IWYU pragma: export
#include "sinew/skel/read/vertex_buffer.hpp"   // IWYU pragma: export
#include "sinew/skel/rigid_transform.hpp"      // IWYU pragma: export
#include "sinew/skel/sample_times.hpp"         // IWYU pragma: export
#include "sinew/skel/skeleton.hpp"             // IWYU pragma: export
#include "sinew/skel/skin_many.hpp"            // IWYU pragma: export
#include "sinew/skel/skin_palette.hpp"         // IWYU pragma: export
#include "sinew/skel/skinning.hpp"             // IWYU pragma: export
#include "sinew/skel/topology.hpp"             // IWYU pragma: export
