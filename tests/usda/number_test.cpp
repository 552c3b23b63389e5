// SPDX-License-Identifier: Apache-2.0
#include "usda/number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "support/standard_number.hpp"

namespace sinew::usda::number_test {
namespace {

template <typename T>
T ours(const std::string& text) {
  T value = -12345;
  const char* end = read_real(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(end, text.data() + text.size()) << text;
  return value;
}

template <typename T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Text of every kind: shortest, too many digits, halfway between two values, extreme exponents.
template <typename T>
void expect_equal_to_the_standard_library(unsigned seed, int count) {
  std::mt19937_64 random(seed);
  char buffer[128];
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = random();
    T value;
    if constexpr (sizeof(T) == 4) {
      const auto narrow = static_cast<std::uint32_t>(bits);
      std::memcpy(&value, &narrow, sizeof value);
    } else {
      std::memcpy(&value, &bits, sizeof value);
    }
    if (!std::isfinite(value)) continue;
    std::string text;
    switch (i % 4) {
      case 0:
        text.assign(buffer, std::to_chars(buffer, buffer + 128, value).ptr);
        break;
      case 1:
        text.assign(
            buffer,
            std::to_chars(buffer, buffer + 128, value, std::chars_format::scientific, 25).ptr);
        break;
      case 2: {
        const long double between = (static_cast<long double>(value) +
                                     static_cast<long double>(std::nextafter(value, T{0}))) /
                                    2;
        text.assign(buffer, std::to_chars(buffer, buffer + 128, static_cast<double>(between)).ptr);
        break;
      }
      default:
        text = std::to_string(static_cast<std::int64_t>(bits) % 1'000'000) + "." +
               std::to_string(bits % 1000) + "e" + std::to_string(static_cast<int>(bits % 90) - 45);
    }
    const std::optional<T> expected = test::standard_literal<T>(text);
    if (!expected) continue;
    ASSERT_TRUE(same_bits(ours<T>(text), *expected)) << text;
  }
}

TEST(ReadReal, RoundsFloatsAsTheStandardLibraryDoes) {
  expect_equal_to_the_standard_library<float>(1, 200'000);
}

TEST(ReadReal, RoundsDoublesAsTheStandardLibraryDoes) {
  expect_equal_to_the_standard_library<double>(2, 200'000);
}

// A little above the middle between 1 and the next float. As doubles they are that middle, which
// rounds to 1.
TEST(ReadReal, RoundsLiteralsToDoublesFirst) {  // usda 3.3
  EXPECT_EQ(ours<float>("1.0000000596046448"), 1.0F);
  EXPECT_EQ(ours<float>("-1.00000005960464478e0"), -1.0F);
  EXPECT_EQ(ours<float>("1.000000059604645"), std::nextafter(1.0F, 2.0F));
  Number number;
  const std::string text = "1.0000000596046448";
  read_number(text.data(), text.data() + text.size(), number);
  EXPECT_EQ(number.real_float, 1.0F);
  // Integers are not.
  EXPECT_EQ(ours<float>("9007199791611905"), std::nextafter(9007199254740992.0F, 1e17F));
}

TEST(ReadReal, OverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(ours<float>("1e39"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(ours<float>("-1e400"), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(ours<double>("1e999999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ours<double>("1e-99999"), 0.0);
  EXPECT_TRUE(std::signbit(ours<double>("-1e-99999")));
  EXPECT_EQ(ours<double>("0e99999"), 0.0);
  EXPECT_EQ(ours<double>("0." + std::string(400, '0') + "1e400"), 0.1);
}

TEST(ReadReal, GivesASignToTheDoubleZeroOnly) {
  for (const char* text : {"-0", "-0.", "-00.0", "-0e1", "-000e5", "-.0"}) {
    EXPECT_TRUE(std::signbit(ours<double>(text))) << text;
    EXPECT_TRUE(std::signbit(ours<float>(text))) << text;
  }
  for (const char* text : {"-00", "-000", "00", "0"}) {
    EXPECT_FALSE(std::signbit(ours<double>(text))) << text;
    EXPECT_FALSE(std::signbit(ours<float>(text))) << text;
  }
}

TEST(ReadNumber, TakesExactlyTheLiteral) {  // usda 17, grammar units
  const auto length = [](const std::string& text) {
    Number number;
    return read_number(text.data(), text.data() + text.size(), number) - text.data();
  };
  for (const char* text :
       {"0", "0.", ".5", "-.5", "-02345e2359670", ".9097E+1", "inf", "-inf", "nan"}) {
    EXPECT_EQ(length(text), static_cast<std::ptrdiff_t>(std::strlen(text))) << text;
  }
  for (const char* text : {"-", "+1", "-nan", "-.", ".inf", "."})
    EXPECT_EQ(length(text), 0) << text;
  EXPECT_EQ(length("0x10"), 1);
  EXPECT_EQ(length("0e"), 1);
  EXPECT_EQ(length("4264einf"), 4);
}

TEST(ReadNumber, KeepsAllBitsOfIntegers) {
  Number number;
  const std::string largest = "18446744073709551615";
  read_number(largest.data(), largest.data() + largest.size(), number);
  EXPECT_EQ(number.kind, Number::Kind::unsigned_);
  EXPECT_EQ(number.magnitude, 18446744073709551615ULL);

  const std::string too_large = "18446744073709551616";
  read_number(too_large.data(), too_large.data() + too_large.size(), number);
  EXPECT_TRUE(number.too_large);
  EXPECT_EQ(number.kind, Number::Kind::real);
}

}  // namespace
}  // namespace sinew::usda::number_test
