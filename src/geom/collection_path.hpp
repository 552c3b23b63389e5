// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "sinew/layer/path.hpp"

namespace sinew::geom {

/// The name of the collection that a path stands for, "x:y" of </P.collection:x:y>; empty if it is
/// the path of anything else. Properties of the schema itself are no collections.
/// @par Source  UsdCollectionAPI::IsCollectionAPIPath.
inline std::string_view collection_named(const layer::Path& path) noexcept {
  constexpr std::string_view kPrefix = "collection:";
  constexpr std::string_view kOfSchema[] = {"excludes", "expansionRule",        "includeRoot",
                                            "includes", "membershipExpression", "mode"};
  if (!path.is_property() || !path.name().starts_with(kPrefix)) return {};
  const std::string_view name = path.name().substr(kPrefix.size());
  const std::string_view last = name.substr(name.rfind(':') + 1);
  const bool is_of_schema =
      std::find(std::begin(kOfSchema), std::end(kOfSchema), last) != std::end(kOfSchema);
  return is_of_schema ? std::string_view() : name;
}

}  // namespace sinew::geom
