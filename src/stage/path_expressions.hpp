// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// What the expressions of a layer mean on the stage: the arcs of a site map their paths.
layer::Value map_expressions(const Stage::Impl& impl, layer::Value expressions,
                             std::uint32_t mapping);

/// The expressions of a prim, composed in a prototype, as they are seen from a place below
/// instances.
layer::Value place_expressions(const Stage& stage, layer::Value expressions, std::uint32_t node,
                               std::uint64_t context);

}  // namespace sinew::stage
