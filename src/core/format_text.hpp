// SPDX-License-Identifier: Apache-2.0
// Messages with values in them. A formatting library does more, and would be 9 kB of a module for
// browsers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sinew {

/// A value to put into a text. Borrows texts: it lives for one call.
class TextArgument {
 public:
  template <std::integral T>
  constexpr TextArgument(T value) noexcept {
    static_assert(!std::is_same_v<T, bool>, "Say what it means.");
    if constexpr (std::is_same_v<T, char>) {
      kind_ = Kind::character;
      value_.character = value;
    } else if constexpr (std::is_signed_v<T>) {
      kind_ = Kind::signed_number;
      value_.signed_number = value;
    } else {
      kind_ = Kind::unsigned_number;
      value_.unsigned_number = value;
    }
  }
  constexpr TextArgument(float value) noexcept : value_{.single = value}, kind_(Kind::single) {}
  constexpr TextArgument(double value) noexcept : value_{.real = value}, kind_(Kind::real) {}
  template <typename T>
  requires std::convertible_to<const T&, std::string_view>
  constexpr TextArgument(const T& value) noexcept : TextArgument(std::string_view(value), 0) {}

  void append_to(std::string& out) const;

 private:
  enum class Kind : std::uint8_t { text, character, signed_number, unsigned_number, single, real };
  struct Text {
    const char* data;
    std::size_t size;
  };
  union Payload {
    Text text;
    char character;
    std::int64_t signed_number;
    std::uint64_t unsigned_number;
    float single;
    double real;
  };

  constexpr TextArgument(std::string_view text, int) noexcept
      : value_{.text = {text.data(), text.size()}}, kind_(Kind::text) {}

  Payload value_;
  Kind kind_;
};

/// A text with "{}" in it for each of the arguments: a place too few or too many does not compile.
template <typename... T>
class Pattern {
 public:
  template <std::convertible_to<std::string_view> S>
  consteval Pattern(const S& text) : text_(text) {
    std::size_t places = 0;
    for (std::size_t at = text_.find("{}"); at != std::string_view::npos;
         at = text_.find("{}", at + 2)) {
      ++places;
    }
    if (places != sizeof...(T)) number_of_places_and_of_arguments_differ();
  }

  constexpr std::string_view text() const noexcept { return text_; }

 private:
  static void number_of_places_and_of_arguments_differ() {}

  std::string_view text_;
};

/// What the functions below call, once for all types of arguments.
void append_arguments(std::string& out, std::string_view pattern,
                      std::span<const TextArgument> arguments);
std::string join_arguments(std::string_view pattern, std::span<const TextArgument> arguments);

/// Appends `pattern` with its n-th "{}" replaced by the n-th argument. Floating-point numbers are
/// written with the fewest digits that read back as the same value.
template <typename... T>
void append_text(std::string& out, Pattern<std::type_identity_t<T>...> pattern,
                 const T&... arguments) {
  const std::array<TextArgument, sizeof...(T)> list = {TextArgument(arguments)...};
  append_arguments(out, pattern.text(), list);
}

/// The same as a text of its own.
template <typename... T>
std::string format_text(Pattern<std::type_identity_t<T>...> pattern, const T&... arguments) {
  const std::array<TextArgument, sizeof...(T)> list = {TextArgument(arguments)...};
  return join_arguments(pattern.text(), list);
}

/// Appends an item to a list, after a comma if it is not the first.
inline void append_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

/// The texts of `items`, with `separator` between them.
template <typename Items>
std::string joined(const Items& items, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const std::string_view item : items) {
    if (!first) out += separator;
    first = false;
    out += item;
  }
  return out;
}

}  // namespace sinew
