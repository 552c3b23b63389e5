// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sinew {

inline constexpr char kLowerHex[] = "0123456789abcdef";
inline constexpr char kUpperHex[] = "0123456789ABCDEF";

/// Appends both hexadecimal digits of a byte, of one of the two above.
inline void append_hex(unsigned char byte, const char* digits, std::string& out) {
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

}  // namespace sinew
