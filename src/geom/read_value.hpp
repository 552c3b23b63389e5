// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {

/// The value of the strongest opinion that holds one of the wanted types; where none does, what
/// there is, so that a reader can tell that it is of no use.
inline layer::Value read_value(const stage::Attribute& attribute, stage::Time time,
                               stage::ValueTypes wanted) {
  if (!attribute) return {};
  layer::Value value = attribute.value(time);
  if (!value.has_value() || wanted.accept(value)) return value;
  layer::Value fitting = attribute.value(time, wanted);
  return fitting.has_value() ? fitting : value;
}

/// The token that an attribute of a schema holds; what is of another type is passed over.
/// @param diagnostics  Null, or where that is told, under `code`.
inline std::string read_token(const stage::Prim& prim, std::string_view name,
                              std::string_view fallback = {}, Diagnostics* diagnostics = nullptr,
                              std::string_view code = {}) {
  stage::Reporter reporter(prim, diagnostics);
  const stage::TypedReader values(reporter, code);
  return values.token(prim.attribute(name)).value_or(std::string(fallback));
}

}  // namespace sinew::geom
