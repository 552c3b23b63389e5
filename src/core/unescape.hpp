// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// The value of a hexadecimal digit, or -1.
int hex_digit(char c) noexcept;

/// Evaluates the escapes of the contents of a string literal: \n and the like of C, \x with up to
/// two digits, up to three octal digits. Before any other character a backslash is left out.
void unescape(std::string_view text, std::string& out);

}  // namespace sinew
