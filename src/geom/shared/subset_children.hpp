// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"

namespace sinew::geom {

/// Calls visit(child) for the subsets of a prim: its GeomSubset children that are active, not
/// abstract and no mere `over`, in order, also below an instance and below prims that are `over`s.
/// @par Source  UsdGeomSubset::GetAllGeomSubsets.
template <typename Visit>
void for_each_subset(const stage::Prim& prim, Visit&& visit) {
  for (stage::Prim child = prim.first_child(); child; child = child.next_sibling()) {
    if (child.is_a(stage::SchemaType::geom_subset) && child.specifier() != layer::Specifier::over &&
        child.matches({.undefined = true, .instance_proxies = true})) {
      visit(child);
    }
  }
}

}  // namespace sinew::geom
