// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::physics {

/// Whether `path` is `ancestor` or lies below it, as a prim or a property.
///
/// Names hold neither '/' nor '.', and every other character of a name sorts after both, so that
/// in byte order a prim and all that lies below it are neighbours.
inline bool is_at_or_below(std::string_view path, std::string_view ancestor) noexcept {
  if (ancestor == "/") return path.starts_with('/');
  if (ancestor.empty() || !path.starts_with(ancestor)) return false;
  return path.size() == ancestor.size() || path[ancestor.size()] == '/' ||
         path[ancestor.size()] == '.';
}

}  // namespace sinew::physics
