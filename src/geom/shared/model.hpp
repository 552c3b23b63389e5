// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sinew/stage/prim.hpp"

namespace sinew::geom {

/// Whether a kind is another one or a case of it: an assembly is a group, and groups and components
/// are models. Kinds that are not of the standard are themselves only.
/// @par Source  KindRegistry::IsA.
bool is_kind(std::string_view kind, std::string_view base) noexcept;

/// Whether a kind is one of the standard: model, group, assembly, component, subcomponent.
bool is_known_kind(std::string_view kind) noexcept;

/// Whether a prim is a model: its kind is one, and those above it are groups.
/// @par Source  UsdPrim::IsModel.
bool is_model(const stage::Prim& prim);

/// Whether a prim is a model that is a group.
/// @par Source  UsdPrim::IsGroup.
bool is_group(const stage::Prim& prim);

}  // namespace sinew::geom
