// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace sinew {

/// Whether something can be measured in a unit, or timed at a rate: a finite number above 0.
inline bool is_usable_unit(double unit) noexcept {
  return unit > 0.0 && std::isfinite(unit);
}

}  // namespace sinew
