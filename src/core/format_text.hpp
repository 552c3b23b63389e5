// SPDX-License-Identifier: Apache-2.0
// Messages with values in them, for the half of the library that does without a formatting library.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace sinew {

/// A value to put into a text. Borrows texts: it lives for one call.
class TextArgument {
 public:
  template <std::integral T>
  TextArgument(T value) {
    static_assert(!std::is_same_v<T, bool> && !std::is_same_v<T, char>, "Not a number.");
    if constexpr (std::is_signed_v<T>) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<std::uint64_t>(value);
    }
  }
  TextArgument(float value) : value_(value) {}
  TextArgument(double value) : value_(value) {}
  template <typename T>
  requires std::convertible_to<const T&, std::string_view> TextArgument(const T& value)
      : value_(std::string_view(value)) {}

  void append_to(std::string& out) const;

 private:
  std::variant<std::int64_t, std::uint64_t, float, double, std::string_view> value_;
};

/// `pattern` with its n-th "{}" replaced by the n-th argument. Floating-point numbers are written
/// with the fewest digits that read back as the same value. There must be as many arguments as
/// places; a surplus of either is left as it is.
std::string format_text(std::string_view pattern, std::initializer_list<TextArgument> arguments);

template <typename... T>
std::string format_text(std::string_view pattern, const T&... arguments) {
  return format_text(pattern, {TextArgument(arguments)...});
}

}  // namespace sinew
