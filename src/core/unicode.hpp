// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinew {

/// One code point of UTF-8 text.
struct CodePoint {
  std::uint32_t value = 0;
  std::uint32_t size = 0;  ///< Bytes; 0 if the bytes are not valid UTF-8 or there are none.
};

/// Decodes the code point at the start of `text`. Overlong forms, surrogates, values above U+10FFFF
/// and truncated sequences are not valid.
CodePoint decode_utf8(std::string_view text) noexcept;

/// Index of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text) noexcept;

bool is_xid_start(std::uint32_t code) noexcept;     ///< '_' not included.
bool is_xid_continue(std::uint32_t code) noexcept;  ///< '_' included.

/// Bytes of the longest identifier at the start of `text`; 0 if there is none.
std::size_t identifier_length(std::string_view text) noexcept;

/// Whether a text can name a variant set or a variant: [ '.' ] { XID_Continue | '|' | '-' }.
bool is_variant_name(std::string_view name) noexcept;

}  // namespace sinew
