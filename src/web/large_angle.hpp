// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sinew::web {

/// An angle less whole quarter turns.
struct ReducedAngle {
  int quarters = 0;    ///< That were taken off, of four.
  double angle = 0.0;  ///< In radians, from -pi/4 to pi/4, rounded;
  double rest = 0.0;   ///< and what rounding took off.
};

/// Of mantissa * 2^exponent radians. What is left has a relative error below 2^-100, however large
/// the angle is. Precondition: mantissa is below 2^62, and exponent from -60 to 971.
ReducedAngle reduce_angle(std::uint64_t mantissa, int exponent) noexcept;

}  // namespace sinew::web
