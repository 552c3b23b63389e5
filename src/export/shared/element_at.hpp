// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::exporter {

/// The element of a list that an index names; precondition: it does.
template <typename List>
decltype(auto) at(List& list, std::int32_t index) {
  return list[static_cast<std::size_t>(index)];
}

}  // namespace sinew::exporter
