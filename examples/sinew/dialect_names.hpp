// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/physics/dialects.hpp"

namespace sinew::tool {

/// What --dialect takes: "auto" for all, "none", or names between commas, the first of which wins.
/// Returns a sentence if a name is unknown.
inline std::string parse_dialects(const std::string& text,
                                  std::vector<physics::Dialect>& dialects) {
  dialects.clear();
  if (text == "none") return {};
  if (text == "auto") {
    dialects = physics::all_dialects();
    return {};
  }
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string name = text.substr(start, end - start);
    const auto dialect = physics::parse_dialect(name);
    if (!dialect) {
      return "--dialect takes auto, none, or some of newton, mjc, physx, isaac and apple between "
             "commas, not '" +
             name + "'";
    }
    dialects.push_back(*dialect);
    start = end + 1;
  }
  return {};
}

}  // namespace sinew::tool
