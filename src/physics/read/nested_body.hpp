// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/geom/transforms.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics {

/// Whether a body lies inside an enabled one without a transform reset between, so that it is
/// ignored where nested bodies are. Walks over the stage know this of what they meet on their way
/// down; here it is asked of a prim that a joint names.
/// @param is_enabled_body  Asked of prims above the body.
template <typename IsEnabledBody>
bool is_nested_body(const stage::Prim& body, const IsEnabledBody& is_enabled_body) {
  for (stage::Prim outer = body.parent(); outer && !outer.is_root(); outer = outer.parent()) {
    if (!is_enabled_body(outer)) continue;
    for (stage::Prim at = body; !(at == outer); at = at.parent()) {
      const bool is_placed = at.is_a(stage::SchemaType::xformable);
      if (is_placed && geom::local_transform(at, {}, nullptr).resets_stack) return false;
    }
    return true;
  }
  return false;
}

}  // namespace sinew::physics
