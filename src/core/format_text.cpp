// SPDX-License-Identifier: Apache-2.0
#include "core/format_text.hpp"

#include <charconv>

#include "core/shortest_text.hpp"

namespace sinew {

namespace {

template <std::integral T>
void append_integer(T value, std::string& out) {
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

}  // namespace

void TextArgument::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::text:
      out.append(value_.text.data, value_.text.size);
      break;
    case Kind::character:
      out += value_.character;
      break;
    case Kind::signed_number:
      append_integer(value_.signed_number, out);
      break;
    case Kind::unsigned_number:
      append_integer(value_.unsigned_number, out);
      break;
    // Very large and very small numbers with an exponent, the others without.
    case Kind::single:
      out += shortest_text(value_.single);
      break;
    case Kind::real:
      out += shortest_text(value_.real);
      break;
  }
}

void append_arguments(std::string& out, std::string_view pattern,
                      std::span<const TextArgument> arguments) {
  for (const TextArgument& argument : arguments) {
    const std::size_t place = pattern.find("{}");
    out += pattern.substr(0, place);
    argument.append_to(out);
    pattern.remove_prefix(place + 2);
  }
  out += pattern;
}

std::string join_arguments(std::string_view pattern, std::span<const TextArgument> arguments) {
  std::string out;
  out.reserve(pattern.size() + 16 * arguments.size());
  append_arguments(out, pattern, arguments);
  return out;
}

}  // namespace sinew
