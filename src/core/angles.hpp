// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

namespace sinew {

inline constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
inline constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

}  // namespace sinew
