// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Looks at what the layers of a stage say of the whole. Metrics are as written all the same.
///
/// - stage-bad-units: a unit that nothing can be measured in, not a finite number above 0.
/// - stage-bad-up-axis: an up axis that there is not.
/// - stage-lower-case-up-axis: one that only this library understands, as it is in lower case.
/// - stage-bad-time-codes: a rate that is no finite number above 0; a start after the end.
/// - stage-bad-default-prim: a default prim that is not there.
/// - stage-metrics-differ (info): a sublayer, or a layer that is referred to, has another unit or
///   up axis than the stage. Composition converts neither; a transform may do so, or nobody did.
SINEW_API void check_metrics(const Stage& stage, Diagnostics& diagnostics);

}  // namespace sinew::stage
