// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <system_error>

#if defined(__wasi__)
#include <fmt/format.h>
#endif

namespace sinew {

// The shortest text that reads back to the same number. On WASI fmt writes it, which the library
// has in it anyway: the tables of the standard library are a tenth of a module.

/// Without an exponent from 1e-4 up to 1e16, with one elsewhere. Finite numbers.
template <std::floating_point T>
std::string shortest_text(T value) {
#if defined(__wasi__)
  return fmt::format("{}", value);
#else
  const T magnitude = value < 0 ? -value : value;
  const bool plain = magnitude == 0 || (magnitude >= T(1e-4) && magnitude < T(1e16));
  char digits[64];
  const std::to_chars_result end =
      plain ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
            : std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
  return end.ec == std::errc() ? std::string(digits, end.ptr) : std::string();
#endif
}

/// Whichever form is shorter, but whole numbers below 2^63 with all their digits. Finite numbers.
template <std::floating_point T>
std::string shortest_literal(T value) {
  constexpr T kFirstBeyond = static_cast<T>(std::uint64_t{1} << 63);
  const bool beyond = std::fabs(value) >= kFirstBeyond;
#if defined(__wasi__)
  const bool is_long = std::fabs(value) >= T(1e16) && !beyond;
  return is_long ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
#else
  char buffer[64];
  const auto [end, error] =
      beyond ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific)
             : std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
#endif
}

}  // namespace sinew
