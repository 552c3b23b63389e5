// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer/shared/element_table.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::usda {

// The text spells the data model and nothing else: inside this module its names need no prefix.
using namespace layer;

}  // namespace sinew::usda
