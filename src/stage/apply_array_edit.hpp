// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sinew/core/rules.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::stage {

/// Applies the edits of several opinions, the strongest first, to the array that is weaker than all
/// of them; anything that is not an array of an edit's type counts as the empty array.
///
/// OpenUSD makes one edit of them first, whose literals are those of all, the weakest edit's first.
/// The fills of sizes keep their numbers among the literals of their own edit, so over an edit with
/// literals they are others than authored. Rules::openusd does the same.
layer::Value apply_array_edits(std::span<const layer::Value> edits, layer::Value weaker,
                               Rules rules);

}  // namespace sinew::stage
