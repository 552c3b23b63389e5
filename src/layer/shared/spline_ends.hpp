// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/layer/spline.hpp"

namespace sinew::layer {

/// Whether the curve is repeated beyond its end.
inline bool loops(const Spline::Extrapolate& end) noexcept {
  return end.mode >= Spline::Extrapolation::loop_repeat;
}

/// Whether it is repeated up to a time that is stated.
inline bool loops_to_boundary(const Spline::Extrapolate& end) noexcept {
  return loops(end) && end.parameter.has_value();
}

}  // namespace sinew::layer
