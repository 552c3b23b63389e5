// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::geom
/// UsdGeom and bindings of UsdShade: transforms, meshes, primvars, bounds, visibility, materials.

#include "sinew/geom/bounds.hpp"            // IWYU pragma: export
#include "sinew/geom/check_geometry.hpp"    // IWYU pragma: export
#include "sinew/geom/collections.hpp"       // IWYU pragma: export
#include "sinew/geom/extents.hpp"           // IWYU pragma: export
#include "sinew/geom/gprims.hpp"            // IWYU pragma: export
#include "sinew/geom/interpolation.hpp"     // IWYU pragma: export
#include "sinew/geom/material_binding.hpp"  // IWYU pragma: export
#include "sinew/geom/mesh.hpp"              // IWYU pragma: export
#include "sinew/geom/point_instancer.hpp"   // IWYU pragma: export
#include "sinew/geom/primvars.hpp"          // IWYU pragma: export
#include "sinew/geom/read_mesh.hpp"         // IWYU pragma: export
#include "sinew/geom/subsets.hpp"           // IWYU pragma: export
#include "sinew/geom/transform_cache.hpp"   // IWYU pragma: export
#include "sinew/geom/transforms.hpp"        // IWYU pragma: export
#include "sinew/geom/triangles.hpp"         // IWYU pragma: export
#include "sinew/geom/vertices.hpp"          // IWYU pragma: export
#include "sinew/geom/visibility.hpp"        // IWYU pragma: export
