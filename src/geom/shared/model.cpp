// SPDX-License-Identifier: Apache-2.0
#include "geom/shared/model.hpp"

#include <string_view>

namespace sinew::geom {

namespace {

// The kind that a kind is a case of; empty if there is none.
std::string_view base_of(std::string_view kind) noexcept {
  if (kind == "assembly") return "group";
  if (kind == "component" || kind == "group") return "model";
  return {};
}

bool is_of_kind(const stage::Prim& prim, std::string_view base) {
  const auto kind = prim.metadata("kind");
  return is_kind(kind.text().value_or(""), base);
}

// The root of a prototype counts as a group, whatever the kind of its instance.
bool has_groups_above(const stage::Prim& prim) {
  for (stage::Prim p = prim.parent(); p && !p.is_root(); p = p.parent()) {
    if (p.is_instance()) return true;
    if (!is_of_kind(p, "group")) return false;
  }
  return true;
}

}  // namespace

bool is_kind(std::string_view kind, std::string_view base) noexcept {
  while (!kind.empty() && kind != base) kind = base_of(kind);
  return !kind.empty();
}

bool is_known_kind(std::string_view kind) noexcept {
  return kind == "subcomponent" || is_kind(kind, "model");
}

bool is_model(const stage::Prim& prim) {
  return is_of_kind(prim, "model") && has_groups_above(prim);
}

bool is_group(const stage::Prim& prim) {
  return is_of_kind(prim, "group") && has_groups_above(prim);
}

}  // namespace sinew::geom
