// SPDX-License-Identifier: Apache-2.0
#include "core/format_text.hpp"

#include <charconv>

#include "core/shortest_text.hpp"

namespace sinew {

namespace {

void append(std::string_view value, std::string& out) {
  out += value;
}

template <std::integral T>
void append(T value, std::string& out) {
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

/// Very large and very small numbers with an exponent, the others without.
template <std::floating_point T>
void append(T value, std::string& out) {
  out += shortest_text(value);
}

}  // namespace

void TextArgument::append_to(std::string& out) const {
  std::visit([&out](const auto value) { append(value, out); }, value_);
}

std::string format_text(std::string_view pattern, std::initializer_list<TextArgument> arguments) {
  std::string out;
  out.reserve(pattern.size() + 16 * arguments.size());
  for (const TextArgument& argument : arguments) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) break;
    out += pattern.substr(0, place);
    argument.append_to(out);
    pattern.remove_prefix(place + 2);
  }
  out += pattern;
  return out;
}

}  // namespace sinew
