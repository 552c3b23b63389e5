// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::stage {

/// Gives a diagnostic the file and line of the strongest opinion about a prim; of a prim without
/// any, the root layer.
void locate(Diagnostic& diagnostic, const Prim& prim);

/// Gives a diagnostic the file and line of the opinion that supplies the default value of a
/// property, else of the strongest.
void locate(Diagnostic& diagnostic, const Property& property);

}  // namespace sinew::stage
