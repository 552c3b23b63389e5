// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::exporter {

/// What a stage shows and what collides with nothing, for EngineOptions::visuals: meshes as they
/// are, also the cages of subdivided ones, and spheres, cubes, cylinders, capsules and cones.
///
/// Each belongs to the nearest body of the model at or above its prim, else to the world. What is
/// invisible, is of the purposes proxy and guide, lies below a point instancer or is a collider of
/// the model is passed over. Everything is taken at the default time.
///
/// @param root         Where to look: the root of a stage or a prim, with all below it.
/// @param model        Read from that stage; converted to other units since or not.
/// @param diagnostics  What is shown and is of another kind: "engine-visual-skipped", once with a
///                     count. A round shape that is scaled unevenly: "engine-shape-approximated".
/// @return In the order of the prims, with path, body, local_pose and geometry, in the units of the
///         model. Meshes share the arrays of the stage, but for those that are sheared.
/// @par Cost  O(prims below root); points of sheared meshes are copied.
SINEW_API std::vector<physics::Shape> visual_shapes(const stage::Prim& root,
                                                    const physics::PhysicsModel& model,
                                                    Diagnostics& diagnostics);

}  // namespace sinew::exporter
