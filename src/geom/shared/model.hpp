// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/stage/prim.hpp"

namespace sinew::geom {

/// Whether a prim is a model: of kind component, group or assembly, below nothing but groups and
/// assemblies.
/// @par Source  UsdPrim::IsModel.
bool is_model(const stage::Prim& prim);

}  // namespace sinew::geom
