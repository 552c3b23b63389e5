// SPDX-License-Identifier: Apache-2.0
#include "core/format_text.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/hex.hpp"
#include "core/read_double.hpp"
#include "core/shortest_text.hpp"

namespace sinew::format_text_test {
namespace {

TEST(FormatText, PutsValuesInTheirPlaces) {
  const std::string name = "points";
  EXPECT_EQ(format_text("{} has {} entries, but {} are needed.", name, std::size_t{3}, -1),
            "points has 3 entries, but -1 are needed.");
}

TEST(FormatText, WritesIntegersOfEverySize) {
  EXPECT_EQ(format_text("{} {}", std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
  EXPECT_EQ(format_text("{}", std::uint8_t{65}), "65");
}

TEST(FormatText, WritesNumbersThatReadBack) {
  EXPECT_EQ(format_text("{} {} {}", 0.5, 100000.0, 0.1F), "0.5 100000 0.1");
  EXPECT_EQ(format_text("{} {} {}", 1e-5, -2.5e20, 0.0), "1e-05 -2.5e+20 0");
  EXPECT_EQ(format_text("{} {}", std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::max()),
            "inf 1.7976931348623157e+308");
}

TEST(FormatText, TakesTextsAsTheyAre) {
  EXPECT_EQ(format_text("{}{}", "", std::string_view("a {} b")), "a {} b");
}

TEST(FormatText, TakesOnlyAsManyValuesAsThereArePlaces) {
  EXPECT_EQ(format_text("no place"), "no place");
  EXPECT_EQ(format_text("{}"
                        "{} {",
                        'a', "b"),
            "ab {");
}

TEST(FormatText, AppendsWhereItIsTold) {
  std::string out = "1";
  append_text(out, ", {}", std::string("2"));
  append_text(out, ", 3");
  EXPECT_EQ(out, "1, 2, 3");
}

TEST(Joined, PutsTheSeparatorBetween) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"", "b", ""}, ", "), ", b, ");
}

TEST(Hex, HasTwoDigitsOfEitherCase) {
  std::string out;
  append_hex(0x0A, kLowerHex, out);
  append_hex(0xF3, kUpperHex, out);
  EXPECT_EQ(out, "0aF3");
}

TEST(ReadDouble, TakesWholeTextsWithinRange) {
  EXPECT_EQ(read_double("-2.5e3"), -2500.0);
  EXPECT_EQ(read_double("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_double("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* none : {"", "x", "1x", "1 ", " 1", "1e999", "-1e999"}) {
    EXPECT_EQ(read_double(none), std::nullopt) << none;
  }
}

TEST(ShortestText, HasAnExponentOnlyOutsideOfItsBounds) {
  EXPECT_EQ(shortest_text(1e-4), "0.0001");
  EXPECT_EQ(shortest_text(9e-5), "9e-05");
  EXPECT_EQ(shortest_text(-1e15), "-1000000000000000");
  EXPECT_EQ(shortest_text(1e16), "1e+16");
  EXPECT_EQ(shortest_text(-1e16), "-1e+16");
  EXPECT_EQ(shortest_text(0.0), "0");
  EXPECT_EQ(shortest_text(0.1F), "0.1");
}

TEST(ShortestLiteral, HasAnExponentWhereAnIntegerWouldExceedItsBits) {
  EXPECT_EQ(shortest_literal(9223372036854774784.0), "9223372036854774784");
  EXPECT_EQ(shortest_literal(-9223372036854774784.0), "-9223372036854774784");
  EXPECT_EQ(shortest_literal(9223372036854775808.0), "9.223372036854776e+18");
  EXPECT_EQ(shortest_literal(-9223372036854775808.0), "-9.223372036854776e+18");
  EXPECT_EQ(shortest_literal(12.5), "12.5");
}

TEST(RoundedText, IsWhatPrintfSays) {
  for (const double value : {0.0, -0.0, 1.0, 0.5, 9.80665, -1234567.0, 123456.5, 999999.5, 1e-4,
                             9.99999e-5, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 2.0 / 3.0}) {
    for (const int digits : {1, 2, 6, 17}) {
      char text[400];
      std::snprintf(text, sizeof text, "%.*g", digits, value);
      EXPECT_EQ(rounded_text(value, digits), text);
      std::snprintf(text, sizeof text, "%.*f", digits, value);
      EXPECT_EQ(fixed_text(value, digits), text);
    }
  }
  EXPECT_EQ(rounded_text(2.0 / 3.0), "0.666667");
  EXPECT_EQ(rounded_text(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace sinew::format_text_test
