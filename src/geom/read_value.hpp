// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/stage/attribute.hpp"

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

}  // namespace sinew::geom
