// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/core/export.hpp"

namespace sinew::physics {

/// What of a path becomes a name, before names are made unique.
enum class NameStyle : std::uint8_t {
  path,        ///< "/Arm/base", as it is.
  leaf,        ///< "base": the last element.
  identifier,  ///< "Arm_base": letters, digits and '_', not beginning with a digit.
};

/// A name for each of several paths, no two the same.
struct UniqueNames {
  std::vector<std::string> names;  ///< Parallel to the paths.
  /// Back from a name to the index of its path.
  std::unordered_map<std::string, std::size_t> index_of;
};

/// Makes names of paths. Of paths that would get the same name the first in path order keeps it,
/// the others get "_2", "_3" and so on, in path order; so what the names are depends on the set of
/// paths alone, not on their order.
/// @param reserved  Names that may not be used, such as "world".
/// @par Cost  O(paths), times log.
SINEW_API UniqueNames unique_names(const std::vector<std::string>& paths, NameStyle style,
                                   const std::vector<std::string>& reserved = {});

}  // namespace sinew::physics
