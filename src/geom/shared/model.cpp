// SPDX-License-Identifier: Apache-2.0
#include "geom/shared/model.hpp"

#include <string_view>

namespace sinew::geom {

bool is_model(const stage::Prim& prim) {
  const auto kind = prim.metadata("kind");
  const std::string_view own = kind.text().value_or("");
  if (own != "component" && own != "group" && own != "assembly") return false;
  for (stage::Prim p = prim.parent(); p && !p.is_root(); p = p.parent()) {
    const auto above = p.metadata("kind");
    const std::string_view name = above.text().value_or("");
    if (name != "group" && name != "assembly") return false;
  }
  return true;
}

}  // namespace sinew::geom
