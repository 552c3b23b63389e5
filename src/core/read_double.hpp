// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/fast_float.hpp"

namespace sinew {

/// The number that a whole text is; nothing if it is none, or beyond the range of double. Not every
/// standard library can read numbers with a fraction.
inline std::optional<double> read_double(std::string_view text) noexcept {
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = fast_float::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  // Versions of the reader differ in whether too large a number is an error.
  const bool has_digit = text.find_first_of("0123456789") != std::string_view::npos;
  if (std::isinf(value) && has_digit) return std::nullopt;
  return value;
}

}  // namespace sinew
