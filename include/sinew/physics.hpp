// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::physics
/// UsdPhysics as plain structs, with mass, filters and frames. physics/read/ reads a stage.

#include "sinew/physics/articulation.hpp"           // IWYU pragma: export
#include "sinew/physics/batches.hpp"                // IWYU pragma: export
#include "sinew/physics/collision_classes.hpp"      // IWYU pragma: export
#include "sinew/physics/collision_group_table.hpp"  // IWYU pragma: export
#include "sinew/physics/decompose.hpp"              // IWYU pragma: export
#include "sinew/physics/describe.hpp"               // IWYU pragma: export
#include "sinew/physics/descriptors.hpp"            // IWYU pragma: export
#include "sinew/physics/dialects.hpp"               // IWYU pragma: export
#include "sinew/physics/effective_inertia.hpp"      // IWYU pragma: export
#include "sinew/physics/engine_parts.hpp"           // IWYU pragma: export
#include "sinew/physics/enums.hpp"                  // IWYU pragma: export
#include "sinew/physics/inertia.hpp"                // IWYU pragma: export
#include "sinew/physics/initial_state.hpp"          // IWYU pragma: export
#include "sinew/physics/joint.hpp"                  // IWYU pragma: export
#include "sinew/physics/joint_forest.hpp"           // IWYU pragma: export
#include "sinew/physics/joint_frames.hpp"           // IWYU pragma: export
#include "sinew/physics/link_joint.hpp"             // IWYU pragma: export
#include "sinew/physics/lookup.hpp"                 // IWYU pragma: export
#include "sinew/physics/mass.hpp"                   // IWYU pragma: export
#include "sinew/physics/mass_frame.hpp"             // IWYU pragma: export
#include "sinew/physics/model.hpp"                  // IWYU pragma: export
#include "sinew/physics/names.hpp"                  // IWYU pragma: export
#include "sinew/physics/pair_filter.hpp"            // IWYU pragma: export
#include "sinew/physics/pose.hpp"                   // IWYU pragma: export
#include "sinew/physics/read/check_physics.hpp"     // IWYU pragma: export
#include "sinew/physics/read/read_dialects.hpp"     // IWYU pragma: export
#include "sinew/physics/read/read_physics.hpp"      // IWYU pragma: export
#include "sinew/physics/read/schemas.hpp"           // IWYU pragma: export
#include "sinew/physics/shape.hpp"                  // IWYU pragma: export
#include "sinew/physics/shape_hull.hpp"             // IWYU pragma: export
#include "sinew/physics/tokens.hpp"                 // IWYU pragma: export
#include "sinew/physics/units.hpp"                  // IWYU pragma: export
#include "sinew/physics/volumes.hpp"                // IWYU pragma: export
