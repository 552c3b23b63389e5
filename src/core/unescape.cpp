// SPDX-License-Identifier: Apache-2.0
#include "core/unescape.hpp"

#include <cstddef>

namespace sinew {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

namespace {

bool is_octal(char c) noexcept {
  return c >= '0' && c <= '7';
}

}  // namespace

void unescape(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    switch (c) {
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'v':
        out += '\v';
        break;
      case 'x': {
        int value = 0;
        for (int n = 0; n < 2 && i + 1 < text.size() && hex_digit(text[i + 1]) >= 0; ++n) {
          value = 16 * value + hex_digit(text[++i]);
        }
        out += static_cast<char>(value);
        break;
      }
      default:
        if (is_octal(c)) {
          int value = c - '0';
          for (int n = 1; n < 3 && i + 1 < text.size() && is_octal(text[i + 1]); ++n) {
            value = 8 * value + (text[++i] - '0');
          }
          out += static_cast<char>(value & 0xFF);
        } else {
          out += c;
        }
    }
  }
}

}  // namespace sinew
