// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/layer/value.hpp"

namespace sinew::stage {

/// Applies an array edit to the array that weaker opinions give; anything that is not an array of
/// the edit's type counts as the empty array.
layer::Value apply_array_edit(const layer::ArrayEdit& edit, const layer::Value& weaker);

}  // namespace sinew::stage
