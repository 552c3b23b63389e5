// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/layer/value.hpp"

namespace sinew::stage {

/// Whether a value means the same on the stage as in its layer, at a first look.
inline bool is_local(const layer::Value& value) noexcept {
  switch (value.type()) {
    case layer::ElementType::timecode:
    case layer::ElementType::asset:
    case layer::ElementType::dictionary:
    case layer::ElementType::array_edit:
      return false;
    default:
      return true;
  }
}

}  // namespace sinew::stage
