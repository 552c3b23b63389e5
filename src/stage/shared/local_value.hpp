// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/value_types.hpp"

namespace sinew::stage {

/// Whether a value means the same on the stage as in its layer, at a first look.
inline bool is_local(const layer::Value& value) noexcept {
  switch (value.type()) {
    case layer::ElementType::timecode:
    case layer::ElementType::asset:
    case layer::ElementType::path_expression:
    case layer::ElementType::dictionary:
    case layer::ElementType::array_edit:
      return false;
    default:
      return true;
  }
}

/// Whether the default of a property that one opinion alone is about is its value on the stage,
/// at a first look. The stage is asked in every other case.
inline bool holds_value(const layer::PropertySpec& only) noexcept {
  const layer::Value& value = only.default_value;
  return only.is_attribute() && value.has_value() && is_local(value) && !value.is_block() &&
         value.type() != layer::ElementType::animation_block;
}

/// What prim.attribute(name).value(Time::default_time(), wanted) gives, found in one look and not
/// copied; null where it gives no value. `made` holds the value where it has to be made (array
/// edits, time codes under an offset); else the layer does.
const layer::Value* default_value(const Prim& prim, Token name, layer::Value& made,
                                  ValueTypes wanted = ValueTypes::any());

}  // namespace sinew::stage
