// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

namespace sinew::stage {

/// Appends the bytes of values to a key, which is compared with others that are made the same way.
template <typename... T>
void append_bytes(std::string& key, const T&... values) {
  static_assert(((std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>)&&...),
                "bytes between members would tell apart what is the same");
  (key.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

}  // namespace sinew::stage
