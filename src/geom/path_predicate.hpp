// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {

/// Whether a prim satisfies the predicate of a path pattern, the text between its braces:
/// `isa:Cube and not hasAPI:PhysicsMassAPI`. Functions: abstract, defined, model, group, kind,
/// specifier, isa, hasAPI, variant. What is not a predicate, or names any other function, holds for
/// no prim.
/// @par Source  UsdGetCollectionPredicateLibrary.
bool satisfies(std::string_view predicate, const stage::Prim& prim);

/// Whether a text is a predicate that can be asked; `prim` is any prim of the stage.
bool is_predicate(std::string_view text, const stage::Prim& prim);

/// Whether every predicate of a path expression can be asked; of others nothing of it is left.
bool can_be_asked(std::string_view expression, const stage::Stage& stage);

/// One name against one pattern element with '*', '?' and character classes.
bool matches_name(std::string_view pattern, std::string_view name);

}  // namespace sinew::geom
