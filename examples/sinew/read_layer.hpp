// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::tool {

/// Reads one layer, text or binary as its first bytes tell, with all that is wrong in it.
Result<layer::LayerPtr> read_layer(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics);

}  // namespace sinew::tool
