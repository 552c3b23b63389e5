// SPDX-License-Identifier: Apache-2.0
#include "core/unescape.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace sinew::unescape_test {
namespace {

TEST(HexDigit, IsOneOfSixteenInEitherCase) {
  const std::string_view small = "0123456789abcdef";
  const std::string_view large = "0123456789ABCDEF";
  for (int c = 0; c < 256; ++c) {
    const char character = static_cast<char>(c);
    std::size_t expected = small.find(character);
    if (expected == std::string_view::npos) expected = large.find(character);
    EXPECT_EQ(hex_digit(character),
              expected == std::string_view::npos ? -1 : static_cast<int>(expected))
        << c;
  }
}

TEST(Unescape, ReadsTheEscapesOfC) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {R"(plain)"sv, "plain"sv},
      {R"(\a\b\f\n\r\t\v)"sv, "\a\b\f\n\r\t\v"sv},
      {R"(\\ \" \' \q)"sv, "\\ \" ' q"sv},
      {R"(\x4a\x4A\x4g\xg)"sv, "\x4A\x4A\x04g\0g"sv},
      {R"(\x414)"sv, "A4"sv},
      {R"(\101\1018\0\78)"sv, "AA8\0\a8"sv},
      {R"(\377\777)"sv, "\xFF\xFF"sv},
      {R"(\x)"sv, "\0"sv},
      {R"(end\)"sv, "end\\"sv},
  };
  std::string out = "before";
  for (const auto& [text, expected] : kCases) {
    unescape(text, out);
    EXPECT_EQ(out, expected) << text;
  }
}

}  // namespace
}  // namespace sinew::unescape_test
