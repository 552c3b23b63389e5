// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/gltf/writer.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::exporter {

/// Whether a prim is a shape that geom::read_shape() reads.
bool is_simple_shape(const stage::Prim& prim);

/// Whether a prim is a body or collides.
bool is_physical(const stage::Prim& prim);

/// Nodes for a prim and all below it once more, e.g. for one instance of a prototype.
/// @return The nodes, parents first.
std::vector<std::int32_t> plan_copy(Writer& writer, const stage::Prim& prim, std::int32_t parent,
                                    bool visible);

}  // namespace sinew::exporter
