// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/export/engine_file.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

/// The world of a model as MJCF, the format of MuJoCo 2.2 and later.
///
/// Bodies stay where the file poses them, joint values keep its sign and zero, masses and inertias
/// are written out. A keyframe "start" holds positions, velocities and the targets of drives. What
/// MuJoCo cannot say is told as a diagnostic with the size of the difference: see
/// engine_diagnostics().
///
/// @param model  Of any units; in the file they are SI and radians.
/// @return Text that MuJoCo loads, also after errors: what they name is left out or stands still.
///         The same model gives the same bytes.
/// @par Cost  O(size of the model); pairs of shapes that filters speak of.
SINEW_API EngineFile write_mjcf(const physics::PhysicsModel& model, const EngineOptions& options,
                                Diagnostics& diagnostics);

}  // namespace sinew::exporter
