// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/one_line.hpp"

#include "core/hex.hpp"

namespace sinew {

std::string one_line(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (c == '\r') {
      result += "\\r";
    } else {
      result += "\\x";
      append_hex(byte, kUpperHex, result);
    }
  }
  return result;
}

}  // namespace sinew
