// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Warns of units that nothing can be measured in (`stage-bad-units`: not a finite number above 0)
/// and of an up axis that there is not (`stage-bad-up-axis`), or that only this library understands
/// because it is in lower case (`stage-lower-case-up-axis`). Metrics are as written all the same.
SINEW_API void check_metrics(const Stage& stage, Diagnostics& diagnostics);

}  // namespace sinew::stage
