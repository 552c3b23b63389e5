// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <system_error>
#include <type_traits>

namespace sinew {

/// As std::from_chars() to base ten, which in WebAssembly brings products of 128 bits along.
template <std::integral T>
std::from_chars_result read_integer(const char* first, const char* last, T& value) noexcept {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const bool negative = std::is_signed_v<T> && first != last && *first == '-';
  const char* const digits = negative ? first + 1 : first;
  const char* at = digits;
  std::uint64_t magnitude = 0;
  bool fits = true;
  for (; at != last && *at >= '0' && *at <= '9'; ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    fits = fits && (magnitude < kMost / 10 || (magnitude == kMost / 10 && digit <= kMost % 10));
    magnitude = magnitude * 10 + digit;
  }
  if (at == digits) return {first, std::errc::invalid_argument};
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + (negative ? 1 : 0);
  if (!fits || magnitude > most) return {at, std::errc::result_out_of_range};
  value = static_cast<T>(negative ? 0 - magnitude : magnitude);
  return {at, std::errc()};
}

}  // namespace sinew
