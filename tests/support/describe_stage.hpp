// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/stage/stage.hpp"
#include "support/scene_text.hpp"

namespace sinew::test {

/// Everything that composes on a prim and on those below it, instances entered, as text: prims with
/// type, API schemas and metadata; values at several times, samples, targets, connections;
/// transforms, visibility and purpose; the members of the collection "c". Numbers are written so
/// that they read back to the same bits. Whether something is an instance is not said.
std::string describe(const stage::Prim& top);

/// The same scene as one layer without arcs: what is composed and resolved stands there as it is,
/// instances as plain prims. Blocks stay blocks.
Scene flatten(const stage::Stage& stage);

}  // namespace sinew::test
