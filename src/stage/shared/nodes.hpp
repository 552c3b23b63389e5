// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// How many composed prims there are, the root and those of prototypes included: Prim::node() is
/// below that.
std::size_t node_count(const Stage& stage) noexcept;

/// A composed prim by its number, to be asked for what all prims that show it have in common: its
/// types, schemas and opinions, but neither path nor parent.
Prim prim_of_node(const Stage& stage, std::uint32_t node) noexcept;

}  // namespace sinew::stage
