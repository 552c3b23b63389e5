// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/element_table.hpp"

#include <algorithm>

namespace sinew::layer {

void real_parts_last(ElementType component, std::byte* quaternions, std::size_t count) noexcept {
  const std::size_t size = element_size(component);
  for (std::byte* q = quaternions; count > 0; --count, q += 4 * size) {
    std::rotate(q, q + size, q + 4 * size);
  }
}

}  // namespace sinew::layer
