// SPDX-License-Identifier: Apache-2.0
#pragma once

// nlohmann-json for this module: without exceptions, in a namespace of its own, so that a program
// that links the library and uses nlohmann-json with exceptions gets its own functions.

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#define NLOHMANN_JSON_NAMESPACE nlohmann::sinew_private
#define NLOHMANN_JSON_NAMESPACE_BEGIN \
  namespace nlohmann {                \
  inline namespace sinew_private {
#define NLOHMANN_JSON_NAMESPACE_END \
  }                                 \
  }
#include <fast_float/fast_float.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/shortest_text.hpp"

namespace sinew::exporter {

/// Keeps keys in the order they were added.
using Json = nlohmann::sinew_private::ordered_json;

/// A number whose text is the shortest that reads back to the same float. Finite.
inline Json json_number(float value) {
  const std::string text = shortest_text(value);
  double nearest = 0.0;
  fast_float::from_chars(text.data(), text.data() + text.size(), nearest);
  if (nearest == 0.0) nearest = 0.0;  // Not -0.
  return nearest;
}

/// The text of a document. Names that are not UTF-8 get replacement characters.
inline std::string json_text(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sinew::exporter
