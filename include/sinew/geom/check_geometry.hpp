// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {

/// Finds what is wrong with the geometry of a stage at its earliest time: transform operations,
/// shapes, extents, meshes, subsets and point instancers, of every prim that may be seen.
///
/// @param diagnostics  What read_mesh(), local_transform(), read_shape(), read_extent(),
///                     check_subset_family() and read_point_instances() report, and a visibility
///                     or purpose that the schema does not have as "geom-token-value"; of each
///                     composed prim once: instances of one prototype complain once.
/// @par Cost  A look at every element of every mesh.
SINEW_API void check_geometry(const stage::Stage& stage, Diagnostics& diagnostics);

}  // namespace sinew::geom
