// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::exporter {

/// What stands in files of engines for an end of a range that is open, and for a speed without a
/// cap; what is read from there as none.
inline constexpr double kFarAngle = 1e3;     ///< Radians.
inline constexpr double kFarDistance = 1e6;  ///< Metres.

}  // namespace sinew::exporter
