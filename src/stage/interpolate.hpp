// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/layer/layer.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Between two samples of one attribute: (1 - alpha) * lower + alpha * upper per component,
/// evaluated in double and rounded once (quaternions: slerp, the shorter way, not renormalised).
/// The lower value where the type does not interpolate, or types or array lengths differ.
layer::Value interpolate(const layer::Value& lower, const layer::Value& upper, double alpha);

/// The value of samples at a time of the stage, which is layer time * scale + offset: held before
/// the first and after the last. At the stage time of a sample it is that sample, however the way
/// there and back rounds to. No value where a block is in force.
/// @par Cost  O(log n) of samples.
layer::Value sample_at(const layer::TimeSamples& samples, double stage_time,
                       const layer::LayerOffset& offset, Interpolation mode);

}  // namespace sinew::stage
