// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "physics/mesh_moments.hpp"
#include "physics/shared/hull_triangles.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// The moments of the convex hull of finite points. Flat and failed hulls have volume 0.
HullStatus hull_moments(const std::vector<Vector3d>& points, Moments& moments);

}  // namespace sinew::physics
