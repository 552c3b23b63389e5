// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::physics {

/// The element of a list that an index names. Indices are signed, because kNone is one of them;
/// precondition: this one is not.
template <typename List>
decltype(auto) at(List& list, std::int32_t index) {
  return list[static_cast<std::size_t>(index)];
}

}  // namespace sinew::physics
