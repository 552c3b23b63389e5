// SPDX-License-Identifier: Apache-2.0
// What the standard library makes of the text of a number, to compare with.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

namespace sinew::test {

/// The number that the whole text stands for; nothing if it is none, or out of range.
template <typename T>
std::optional<T> standard_number(const std::string& text) {
#if defined(_LIBCPP_VERSION)  // Reads integers only that way.
  char* end = nullptr;
  const T value = std::is_same_v<T, float> ? static_cast<T>(std::strtof(text.c_str(), &end))
                                           : static_cast<T>(std::strtod(text.c_str(), &end));
  const bool has_digits = text.find_first_of("123456789") < text.find_first_of("eE");
  if (end != text.c_str() + text.size() || std::isinf(value) || (value == 0 && has_digits)) {
    return std::nullopt;
  }
#else
  T value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
#endif
  return value;
}

/// The same number as it stands in the text of a layer: what is no integer is a double first.
template <typename T>
std::optional<T> standard_literal(const std::string& text) {
  if (std::is_same_v<T, float> && text.find_first_not_of("-0123456789") != std::string::npos) {
    const std::optional<double> wide = standard_number<double>(text);
    if (!wide || !std::isfinite(static_cast<float>(*wide))) return std::nullopt;
    return static_cast<T>(*wide);
  }
  return standard_number<T>(text);
}

}  // namespace sinew::test
