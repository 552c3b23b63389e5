// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::skel {

using stage::Reporter;

/// Reads attributes of the schemas of UsdSkel.
inline stage::TypedReader typed(Reporter& reporter) noexcept {
  return {reporter, "skel-value-type"};
}

}  // namespace sinew::skel
