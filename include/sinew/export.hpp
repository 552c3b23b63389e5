// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::exporter
/// Writers of the formats of other programs, and what makes layers of such files.

#include "sinew/export/engine_file.hpp"     // IWYU pragma: export
#include "sinew/export/engine_visuals.hpp"  // IWYU pragma: export
#include "sinew/export/glb.hpp"             // IWYU pragma: export
#include "sinew/export/glb_builder.hpp"     // IWYU pragma: export
#include "sinew/export/import_glb.hpp"      // IWYU pragma: export
#include "sinew/export/import_robot.hpp"    // IWYU pragma: export
#include "sinew/export/json.hpp"            // IWYU pragma: export
#include "sinew/export/mjcf.hpp"            // IWYU pragma: export
#include "sinew/export/obj.hpp"             // IWYU pragma: export
#include "sinew/export/physics_json.hpp"    // IWYU pragma: export
#include "sinew/export/urdf.hpp"            // IWYU pragma: export
