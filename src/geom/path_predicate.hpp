// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sinew/stage/prim.hpp"

namespace sinew::geom {

/// Whether a prim satisfies the predicate of a path pattern, the text between its braces:
/// `isa:Cube and not hasAPI:PhysicsMassAPI`. Functions: abstract, defined, specifier, isa, hasAPI.
/// Any other function, and what is not a predicate, holds for no prim.
bool satisfies(std::string_view predicate, const stage::Prim& prim);

}  // namespace sinew::geom
