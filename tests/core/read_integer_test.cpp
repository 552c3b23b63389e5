// SPDX-License-Identifier: Apache-2.0
#include "core/read_integer.hpp"

#include <charconv>
#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace sinew::read_integer_test {
namespace {

template <typename T>
void expect_as_standard(const std::string& text) {
  T expected = 77;
  T value = 77;
  const char* const first = text.data();
  const char* const last = first + text.size();
  const std::from_chars_result standard = std::from_chars(first, last, expected);
  const std::from_chars_result read = read_integer(first, last, value);
  EXPECT_EQ(read.ec, standard.ec) << text;
  EXPECT_EQ(read.ptr - first, standard.ptr - first) << text;
  EXPECT_EQ(value, expected) << text;
}

void expect_as_standard(const std::string& text) {
  expect_as_standard<std::int8_t>(text);
  expect_as_standard<std::uint8_t>(text);
  expect_as_standard<std::int32_t>(text);
  expect_as_standard<std::uint32_t>(text);
  expect_as_standard<std::int64_t>(text);
  expect_as_standard<std::uint64_t>(text);
}

TEST(ReadInteger, IsTheStandardLibrarysAtEveryBound) {
  for (const char* text :
       {"", "-", "+1", " 1", "-x", "x", "0", "-0", "00012", "12x", "1-", "--1"}) {
    expect_as_standard(text);
  }
  for (const char* bound :
       {"127", "128", "129", "255", "256", "2147483647", "2147483648", "2147483649", "4294967295",
        "4294967296", "9223372036854775807", "9223372036854775808", "9223372036854775809",
        "18446744073709551615", "18446744073709551616", "18446744073709551620",
        "99999999999999999999", "100000000000000000000000000"}) {
    expect_as_standard(bound);
    expect_as_standard(std::string("-") + bound);
    expect_as_standard(std::string("000") + bound + ".5");
  }
}

TEST(ReadInteger, IsTheStandardLibrarysAtRandom) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string text = random() % 3 == 0 ? "-" : "";
    for (std::uint64_t size = random() % 23; size > 0; --size) {
      text += static_cast<char>('0' + random() % 10);
    }
    expect_as_standard(text);
  }
}

}  // namespace
}  // namespace sinew::read_integer_test
