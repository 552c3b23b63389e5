// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/export/engine_file.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

/// The trees of a model as URDF, below one link "world".
///
/// Link frames stand at the joints, along the axes of the bodies, and the pose that is written is
/// that of all coordinates 0: a URDF holds no other. Stacked joints, and with
/// StackedJoints::always every joint of several axes, become a chain of joints, with links between
/// that weigh a millionth of the body; without it such a joint holds its body fixed. Loops,
/// filters, friction, starts and gains of drives have no place in it; each is told as a diagnostic.
/// Meshes are .obj files next to the file.
///
/// @param model  Of any units; in the file they are SI and radians.
/// @return Text; the same model gives the same bytes.
/// @par Cost  O(size of the model).
SINEW_API EngineFile write_urdf(const physics::PhysicsModel& model, const EngineOptions& options,
                                Diagnostics& diagnostics);

}  // namespace sinew::exporter
