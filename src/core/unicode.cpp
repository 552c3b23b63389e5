// SPDX-License-Identifier: Apache-2.0
#include "core/unicode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <span>

#include "core/xid_ranges.hpp"

namespace sinew {

namespace {

#if defined(__wasm__)

/// Calls `byte` with what each range is from the end of the one before, and how long: seven bits at
/// a time, the lowest first, with the top bit where more follow.
template <typename Byte>
constexpr void pack(std::span<const CodeRange> ranges, const Byte& byte) {
  const auto number = [&](std::uint32_t value) {
    for (; value > 0x7F; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  };
  std::uint32_t end = 0;
  for (const CodeRange& range : ranges) {
    number(range.first - end);
    number(range.last - range.first);
    end = range.last;
  }
}

constexpr std::size_t packed_size(std::span<const CodeRange> ranges) {
  std::size_t size = 0;
  pack(ranges, [&](std::uint8_t) { ++size; });
  return size;
}

/// The ranges, unpacked when they are first asked for: a module for browsers has a third of them.
template <const auto& kRanges>
std::span<const CodeRange> table() noexcept {
  static constexpr auto kPacked = [] {
    std::array<std::uint8_t, packed_size(kRanges)> bytes{};
    std::size_t at = 0;
    pack(kRanges, [&](std::uint8_t byte) { bytes[at++] = byte; });
    return bytes;
  }();
  static CodeRange ranges[std::size(kRanges)];
  if (ranges[0].last != 0) return ranges;
  const std::uint8_t* at = kPacked.data();
  std::uint32_t end = 0;
  const auto number = [&] {
    std::uint32_t value = *at & 0x7FU;
    for (int shift = 7; (*at++ & 0x80) != 0; shift += 7) value |= (*at & 0x7FU) << shift;
    return value;
  };
  for (CodeRange& range : ranges) {
    range.first = end + number();
    range.last = end = range.first + number();
  }
  return ranges;
}

#else

template <const auto& kRanges>
std::span<const CodeRange> table() noexcept {
  return kRanges;
}

#endif

bool contains(std::span<const CodeRange> ranges, std::uint32_t code) noexcept {
  const auto* found =
      std::upper_bound(ranges.data(), ranges.data() + ranges.size(), code,
                       [](std::uint32_t c, const CodeRange& range) { return c < range.first; });
  return found != ranges.data() && code <= (found - 1)->last;
}

bool is_letter(std::uint32_t c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// One bit for each character below 128 that identifiers may hold: digits, letters and '_'.
constexpr std::uint64_t kIdentifierChars[2] = {0x03FF'0000'0000'0000, 0x07FF'FFFE'87FF'FFFE};

// Of a byte: whether it is such a character by itself.
constexpr bool is_identifier_char(std::uint32_t c) noexcept {
  return c < 0x80 && (kIdentifierChars[c / 64] >> (c % 64) & 1) != 0;
}

// Which of the eight bytes at `text` are not such characters: the top bits of theirs.
std::uint64_t other_chars(const char* text) noexcept {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  constexpr std::uint64_t kTop = 0x80 * kEach;
  std::uint64_t eight = 0;
  std::memcpy(&eight, text, sizeof eight);
  // The top bit of each byte tells whether its other seven are at least a character; what is above
  // 127 is none of those that are looked for.
  const std::uint64_t low = eight & ~kTop;
  const std::uint64_t lower = low | 0x20 * kEach;
  const auto from = [](std::uint64_t bytes, std::uint64_t first) {
    return bytes + (0x80 - first) * kEach;
  };
  const std::uint64_t letters = from(lower, 'a') & ~from(lower, 'z' + 1);
  const std::uint64_t digits = from(low, '0') & ~from(low, '9' + 1);
  const std::uint64_t underscores = from(low, '_') & ~from(low, '_' + 1);
  return (~(letters | digits | underscores) | eight) & kTop;
}

// How many of such characters a text begins with.
std::size_t leading_identifier_chars(std::string_view text) noexcept {
  std::size_t i = 0;
  if (std::endian::native == std::endian::little && text.size() >= 8) {
    for (; i < text.size(); i += 8) {
      const std::size_t at = std::min(i, text.size() - 8);  // Of the last ones some are known.
      const std::uint64_t others = other_chars(text.data() + at) >> 8 * (i - at);
      if (others != 0) return i + static_cast<std::size_t>(std::countr_zero(others)) / 8;
    }
    return text.size();
  }
  while (i < text.size() && is_identifier_char(static_cast<std::uint8_t>(text[i]))) ++i;
  return i;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) noexcept {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t b0 = byte(0);
  if (b0 < 0x80) return {b0, 1};
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  if (b0 >= 0xC2 && b0 <= 0xDF && continues(1)) return {(b0 & 0x1F) << 6 | (byte(1) & 0x3FU), 2};
  if (b0 >= 0xE0 && b0 <= 0xEF && continues(1) && continues(2)) {
    const std::uint32_t code = (b0 & 0x0F) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF)) return {};
    return {code, 3};
  }
  if (b0 >= 0xF0 && b0 <= 0xF4 && continues(1) && continues(2) && continues(3)) {
    const std::uint32_t code =
        (b0 & 0x07) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 | (byte(3) & 0x3FU);
    if (code < 0x10000 || code > 0x10FFFF) return {};
    return {code, 4};
  }
  return {};
}

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<std::uint8_t>(text[i]) < 0x80) {
      // Most text is ASCII: eight bytes at a time while none has its top bit set.
      std::uint64_t eight = 0;
      while (i + sizeof eight <= text.size()) {
        std::memcpy(&eight, text.data() + i, sizeof eight);
        if ((eight & 0x8080808080808080U) != 0) break;
        i += sizeof eight;
      }
      while (i < text.size() && static_cast<std::uint8_t>(text[i]) < 0x80) ++i;
      continue;
    }
    const CodePoint point = decode_utf8(text.substr(i));
    if (point.size == 0) return i;
    i += point.size;
  }
  return std::string_view::npos;
}

bool is_xid_start(std::uint32_t code) noexcept {
  return code < 0x80 ? is_letter(code) : contains(table<kXidStart>(), code);
}

bool is_xid_continue(std::uint32_t code) noexcept {
  if (code < 0x80) return is_identifier_char(code);
  return contains(table<kXidStart>(), code) || contains(table<kXidContinueOnly>(), code);
}

namespace {

// The same for text of any characters, from a place up to which it is one.
std::size_t identifier_length_from(std::string_view text, std::size_t i) noexcept {
  while (i < text.size()) {
    const CodePoint point = decode_utf8(text.substr(i));
    if (point.size == 0 || !(i == 0 ? is_xid_start(point.value) : is_xid_continue(point.value))) {
      break;
    }
    i += point.size;
  }
  return i;
}

}  // namespace

std::size_t identifier_length(std::string_view text) noexcept {
  const std::size_t i = leading_identifier_chars(text);
  if (i != 0 && text[0] <= '9') return 0;  // A digit, as it is a character of identifiers.
  if (i == text.size() || static_cast<std::uint8_t>(text[i]) < 0x80) return i;
  return identifier_length_from(text, i);
}

bool is_variant_name(std::string_view name) noexcept {
  if (name.starts_with('.')) name.remove_prefix(1);
  while (!name.empty()) {
    const CodePoint point = decode_utf8(name);
    if (point.size == 0) return false;
    if (name.front() != '|' && name.front() != '-' && !is_xid_continue(point.value)) return false;
    name.remove_prefix(point.size);
  }
  return true;
}

}  // namespace sinew
