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

/// Reads those of which OpenUSD looks up the strongest opinion before it asks for its type: where
/// that is another one, no weaker opinion counts.
/// @par Source  UsdAttributeQuery; UsdSkelBlendShapeQuery::ComputeBlendShapePointIndices.
inline stage::TypedReader looked_up_first(Reporter& reporter) noexcept {
  using Instead = stage::TypedReader::Instead;
  return {reporter, "skel-value-type", reporter.documented() ? Instead::weaker : Instead::nothing};
}

}  // namespace sinew::skel
