// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sinew/geom/collections.hpp"

namespace sinew::geom {

/// What the expansionRule of a collection says of its members; an empty one says what the schema
/// does.
inline MembershipRule expansion_rule(std::string_view text) noexcept {
  if (text == "explicitOnly") return MembershipRule::explicit_only;
  if (text == "expandPrimsAndProperties") return MembershipRule::expand_prims_and_properties;
  if (text.empty() || text == "expandPrims") return MembershipRule::expand_prims;
  return MembershipRule::unknown;
}

}  // namespace sinew::geom
