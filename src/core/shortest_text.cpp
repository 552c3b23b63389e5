// SPDX-License-Identifier: Apache-2.0
// On WASI fmt writes numbers: the tables of the standard library are a tenth of a module.
#include "core/shortest_text.hpp"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#if defined(__wasi__)
#include <fmt/compile.h>
#else
#include <charconv>
#include <system_error>
#endif

namespace sinew {

namespace {

/// Floating-point numbers from here on are not written digit by digit.
template <std::floating_point T>
constexpr T kFirstBeyond = static_cast<T>(std::uint64_t{1} << 63);

#if defined(__wasi__)

template <std::floating_point T>
std::string shortest(T value) {
  return fmt::to_string(value);
}

template <std::floating_point T>
std::string literal(T value) {
  const T magnitude = std::fabs(value);
  const bool is_long = magnitude >= T(1e16) && magnitude < kFirstBeyond<T>;
  return is_long ? std::to_string(static_cast<std::int64_t>(value)) : fmt::to_string(value);
}

#else

template <std::floating_point T>
std::string shortest(T value) {
  const T magnitude = std::fabs(value);
  const bool plain = magnitude == 0 || (magnitude >= T(1e-4) && magnitude < T(1e16));
  char digits[64];
  const std::to_chars_result end =
      plain ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
            : std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
  return end.ec == std::errc() ? std::string(digits, end.ptr) : std::string();
}

template <std::floating_point T>
std::string literal(T value) {
  char digits[64];
  const std::to_chars_result end =
      std::fabs(value) >= kFirstBeyond<T>
          ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific)
          : std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

std::string precise(double value, std::chars_format format, int precision) {
  constexpr std::size_t kMostBeforePoint = 330;
  std::string text(static_cast<std::size_t>(precision) + kMostBeforePoint, '\0');
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  text.resize(static_cast<std::size_t>(end.ptr - text.data()));
  return text;
}

#endif

}  // namespace

std::string shortest_text(float value) {
  return shortest(value);
}

std::string shortest_text(double value) {
  return shortest(value);
}

std::string shortest_literal(float value) {
  return literal(value);
}

std::string shortest_literal(double value) {
  return literal(value);
}

std::string rounded_text(double value, int digits) {
#if defined(__wasi__)
  return fmt::format(FMT_COMPILE("{:.{}g}"), value, digits);
#else
  return precise(value, std::chars_format::general, digits);
#endif
}

std::string fixed_text(double value, int decimals) {
#if defined(__wasi__)
  return fmt::format(FMT_COMPILE("{:.{}f}"), value, decimals);
#else
  return precise(value, std::chars_format::fixed, decimals);
#endif
}

}  // namespace sinew
