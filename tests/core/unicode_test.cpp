// SPDX-License-Identifier: Apache-2.0
#include "core/unicode.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/xid_ranges.hpp"

namespace sinew::unicode_test {
namespace {

using namespace std::string_view_literals;

// In as many bytes as asked for, however few would do.
std::string encoded(std::uint32_t code, std::size_t size) {
  if (size == 1) return std::string(1, static_cast<char>(code));
  constexpr std::uint32_t kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  std::string bytes(size, '\0');
  for (std::size_t i = size; i-- > 1; code >>= 6)
    bytes[i] = static_cast<char>(0x80 | (code & 0x3F));
  bytes[0] = static_cast<char>(kLead[size] | code);
  return bytes;
}

std::size_t size_of(std::uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

TEST(DecodeUtf8, ReadsEveryCodePoint) {
  for (std::uint32_t code = 0; code <= 0x1FFFFF; ++code) {
    const bool is_one = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    const std::string bytes = encoded(code, size_of(code));
    const CodePoint point = decode_utf8(bytes + '\x80');
    ASSERT_EQ(point.size, is_one ? bytes.size() : 0U) << code;
    ASSERT_EQ(point.value, is_one ? code : 0U) << code;
    ASSERT_EQ(find_invalid_utf8(bytes), is_one ? std::string_view::npos : 0U) << code;
  }
}

TEST(DecodeUtf8, RefusesWhatIsCutShortOrLongerThanNeeded) {
  for (const std::uint32_t code :
       {0x0U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const std::size_t size = size_of(code);
    for (std::size_t longer = size + 1; longer <= 4; ++longer) {
      EXPECT_EQ(decode_utf8(encoded(code, longer)).size, 0U) << code << ' ' << longer;
    }
    const std::string bytes = encoded(code, size);
    for (std::size_t cut = 0; cut < size; ++cut) {
      EXPECT_EQ(decode_utf8(bytes.substr(0, cut)).size, 0U) << code << ' ' << cut;
      if (cut > 0) {
        EXPECT_EQ(decode_utf8(bytes.substr(0, cut) + "aaa").size, 0U) << code << ' ' << cut;
        EXPECT_EQ(decode_utf8(bytes.substr(0, cut) + "\xC3\xC3\xC3").size, 0U) << code;
      }
    }
  }
  for (int byte = 0x80; byte <= 0xFF; ++byte) {
    if (byte >= 0xC2 && byte <= 0xF4) continue;
    EXPECT_EQ(decode_utf8(static_cast<char>(byte) + std::string(5, '\x80')).size, 0U) << byte;
  }
}

TEST(FindInvalidUtf8, NamesTheFirstByte) {
  for (std::size_t before = 0; before < 20; ++before) {
    for (const std::string_view character : {""sv, "\u00E4"sv, "\u2028"sv, "\U0001F600"sv}) {
      const std::string good = std::string(before, 'a') + std::string(character) + "aaaaaaaaa";
      EXPECT_EQ(find_invalid_utf8(good), std::string_view::npos);
      EXPECT_EQ(find_invalid_utf8(good + "\xFFz\xFF"), good.size());
      EXPECT_EQ(find_invalid_utf8(good + "\xE2\x80"), good.size());
    }
  }
}

TEST(Identifiers, AreOfTheLettersThatUnicodeGivesThem) {
  struct Case {
    std::uint32_t code;
    bool starts, continues;
  };
  const Case cases[] = {{'_', false, true},      {'a', true, true},       {'z', true, true},
                        {'A', true, true},       {'Z', true, true},       {'0', false, true},
                        {'9', false, true},      {'@', false, false},     {'[', false, false},
                        {'`', false, false},     {'{', false, false},     {'/', false, false},
                        {':', false, false},     {0x80, false, false},    {0xA9, false, false},
                        {0xAA, true, true},      {0xAB, false, false},    {0xB7, false, true},
                        {0xD6, true, true},      {0xD7, false, false},    {0xD8, true, true},
                        {0x300, false, true},    {0x2028, false, false},  {0x4E00, true, true},
                        {0x3134A, true, true},   {0x3134B, false, false}, {0x323AF, true, true},
                        {0x323B0, false, false}, {0x30FA, true, true},    {0x30FB, false, true},
                        {0x200C, false, true},   {0x200E, false, false},  {0x2EE5D, true, true},
                        {0x2EE5E, false, false}, {0xE00FF, false, false}, {0xE0100, false, true},
                        {0xE01EF, false, true},  {0xE01F0, false, false}, {0x10FFFF, false, false},
                        {0x1F600, false, false}};
  for (const Case& each : cases) {
    EXPECT_EQ(is_xid_start(each.code), each.starts) << each.code;
    EXPECT_EQ(is_xid_continue(each.code), each.continues) << each.code;
  }
}

TEST(Identifiers, AreOfTheLettersOfTheTables) {
  const CodeRange* start = kXidStart;
  const CodeRange* next = kXidContinueOnly;
  for (std::uint32_t code = 0x80; code <= 0x110000; ++code) {
    if (start != std::end(kXidStart) && code > start->last) ++start;
    if (next != std::end(kXidContinueOnly) && code > next->last) ++next;
    const bool starts = start != std::end(kXidStart) && code >= start->first;
    const bool continues_only = next != std::end(kXidContinueOnly) && code >= next->first;
    ASSERT_EQ(is_xid_start(code), starts) << code;
    ASSERT_EQ(is_xid_continue(code), starts || continues_only) << code;
    ASSERT_FALSE(starts && continues_only) << code;
  }
  for (const std::uint32_t code : {0x200000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_FALSE(is_xid_start(code) || is_xid_continue(code)) << code;
  }
}

TEST(IdentifierLength, IsThatOfTheLongestAtTheStart) {
  EXPECT_EQ(identifier_length(""), 0U);
  EXPECT_EQ(identifier_length("_a0 b"), 3U);
  EXPECT_EQ(identifier_length("0a"), 0U);
  EXPECT_EQ(identifier_length("a:b"), 1U);
  EXPECT_EQ(identifier_length("\u00E4\u0300b\u2028"), 5U);
  EXPECT_EQ(identifier_length("\u0300a"), 0U);
  EXPECT_EQ(identifier_length("ab\xC3"), 2U);
  EXPECT_EQ(identifier_length("\xC3"), 0U);
  for (int i = 0; i < 128; ++i) {
    const char c = static_cast<char>(i);
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    EXPECT_EQ(identifier_length(std::string(1, c)), is_letter ? 1U : 0U) << i;
    EXPECT_EQ(identifier_length(std::string("a") + c), is_letter || is_digit ? 2U : 1U) << i;
  }
}

// Several characters are looked at together: where they end and what follows makes no difference.
TEST(IdentifierLength, IsTheSameWhereverCharactersLie) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_part = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
  };
  for (std::size_t size = 1; size <= 26; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      for (int c = 0; c < 128; ++c) {
        std::string text(size, "azAZ_"[size % 5]);
        for (std::size_t i = 1; i < size; i += 3) text[i] = "09"[i % 2];
        text[place] = static_cast<char>(c);
        const bool begins = is_part(text[0]) && !is_digit(text[0]);
        const std::size_t length = is_part(static_cast<char>(c)) ? size : place;
        ASSERT_EQ(identifier_length(text), begins ? length : 0U) << text;
        // Not a character beyond the end.
        ASSERT_EQ(identifier_length(std::string_view(text).substr(0, place)),
                  place != 0 && begins ? place : 0U)
            << text;
      }
      std::string text(size, 'a');
      text.replace(place, 1, "\u00E4");
      ASSERT_EQ(identifier_length(text), size + 1) << text;
      text[place] = '\x80';  // Begins nothing.
      ASSERT_EQ(identifier_length(text), place) << text;
    }
  }
}

TEST(VariantNames, MayBeginWithADigitOrADot) {
  for (const char* name : {"", ".", "0", "-|_9a", ".a-b", "\u00E4", "\u0300"}) {
    EXPECT_TRUE(is_variant_name(name)) << name;
  }
  for (const char* name : {"..", "a.", "a b", "a/b", "{", "a\xC3", "\u2028"}) {
    EXPECT_FALSE(is_variant_name(name)) << name;
  }
}

}  // namespace
}  // namespace sinew::unicode_test
