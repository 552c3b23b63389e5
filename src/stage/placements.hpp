// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/layer/path.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// A prototype is composed where its first instance stands; its prims may be seen below another.
struct Placement {
  layer::Path composed;
  layer::Path seen;
};

/// Of the instances around a prim, one for each.
std::vector<Placement> placements(const Stage& stage, std::uint32_t node, std::uint64_t context);

/// Where a path that may lie in one of the prototypes is seen; the innermost counts.
layer::Path place(const std::vector<Placement>& places, layer::Path path);

}  // namespace sinew::stage
