// SPDX-License-Identifier: Apache-2.0
#include "layer/element_shape.hpp"

#include <algorithm>

namespace sinew::layer {

ElementShape shape_of(ElementType type) noexcept {
  const ElementInfo& info = info_of(type);
  if (info.component == ElementType::none || info.component == ElementType::bool_) return {};
  return {info.component, info.columns, info.rows};
}

void real_parts_last(ElementType component, std::byte* quaternions, std::size_t count) noexcept {
  const std::size_t size = element_size(component);
  for (std::byte* q = quaternions; count > 0; --count, q += 4 * size) {
    std::rotate(q, q + size, q + 4 * size);
  }
}

}  // namespace sinew::layer
