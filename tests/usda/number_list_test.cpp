// SPDX-License-Identifier: Apache-2.0
#include "usda/number_list.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/standard_number.hpp"
#include "usda/number.hpp"

namespace sinew::usda::number_list_test {
using namespace layer;
namespace {

// SINEW_NUMBER_COUNT=10000000 for the long run.
std::size_t number_count() {
  const char* count = std::getenv("SINEW_NUMBER_COUNT");
  return count != nullptr ? std::strtoull(count, nullptr, 10) : 200'000;
}

class Levels : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(ReadNumberRun, Levels, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) { return std::string(to_string(level.param)); });

template <typename T>
constexpr ElementType type_of();
template <>
constexpr ElementType type_of<float>() {
  return ElementType::float_;
}
template <>
constexpr ElementType type_of<double>() {
  return ElementType::double_;
}

template <typename T>
T random_finite(std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random();
    T value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) return value;
  }
}

// Every digit of the number halfway between a value and the next larger one.
template <typename T>
std::string halfway(T value) {
  const auto a = static_cast<long double>(value);
  const auto b = static_cast<long double>(std::nextafter(value, std::numeric_limits<T>::max()));
  char text[2000];
  const int size =
      std::snprintf(text, sizeof text, "%.*Le", sizeof(T) == 4 ? 120 : 780, a + (b - a) / 2);
  return {text, static_cast<std::size_t>(size)};
}

// Numbers of every kind: all exponents, subnormals, ties, few digits, long digits.
template <typename T>
std::string random_literal(std::mt19937_64& random) {
  char text[512];
  const auto written = [&](auto... how) {
    return std::string(text, std::to_chars(text, text + sizeof text, how...).ptr);
  };
  const auto with_digits = [&](T value, std::uint64_t digits) {
    return written(value, std::chars_format::scientific, static_cast<int>(digits));
  };
  const auto small = static_cast<T>(static_cast<double>(random() % 2'000'000) / 1e4 - 100);
  switch (random() % 16) {
    case 0:
      return with_digits(random_finite<T>(random), random() % 40);
    case 1:
      return written(std::numeric_limits<T>::denorm_min() * static_cast<T>(random() % 100'000));
    case 2:
      return random() % 64 == 0 ? halfway(random_finite<T>(random)) : halfway(small);
    case 3:
      return written(static_cast<std::int64_t>(random()) >> (random() % 64));
    case 4:
      return written(static_cast<std::int64_t>(random()) >> (random() % 64)) + "." +
             written(random() >> (random() % 64));
    case 5:
      return "-0" + std::string(random() % 3, '0') + "." + written(random() % 100'000'000);
    case 6:
      return "." + std::string(random() % 12, '0') + written(random() >> (random() % 64));
    case 7:
      return written(random() % 100'000) + "." + (random() % 2 == 0 ? "" : "e-5");
    case 8:
      return written(small, std::chars_format::fixed, static_cast<int>(random() % 25));
    case 9:
    case 10:
      return written(random_finite<T>(random));
    default:
      return written(small);
  }
}

// The numbers of many arrays equal, bit for bit, what the standard library makes of them.
template <typename T>
void expect_standard_bits(SimdLevel level, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t count = number_count();
  constexpr std::size_t kArray = 2000;
  std::vector<T> expected;
  std::vector<T> read(kArray);
  std::string text;
  for (std::size_t done = 0; done < count; done += kArray) {
    expected.clear();
    text.clear();
    while (expected.size() < kArray) {
      const std::string literal = random_literal<T>(random);
      const std::optional<T> value = test::standard_literal<T>(literal);
      if (!value) continue;  // Out of range.
      const char* const end = literal.data() + literal.size();
      if (exceeds_64_bits(literal.data(), end)) continue;  // Left to the grammar.
      expected.push_back(*value);
      text += literal + (random() % 8 == 0 ? ",\n\t" : ", ");
    }
    text += std::string(80, ' ');  // A run stops before what it may not look at.
    NumberRun run;
    run.text = text.data();
    run.text_end = text.data() + text.size();
    run.out = reinterpret_cast<std::byte*>(read.data());
    run.capacity = kArray;
    // A number longer than a block of text is left to the caller, as is its neighbourhood.
    for (std::size_t total = 0; total < kArray; total += run.count) {
      run.out = reinterpret_cast<std::byte*>(read.data() + total);
      run.capacity = kArray - total;
      read_number_run(info_of(type_of<T>()), level, run);
      ASSERT_NE(run.count, 0u) << std::string(run.text, 60);
    }
    for (std::size_t i = 0; i < kArray; ++i) {
      ASSERT_EQ(std::memcmp(&read[i], &expected[i], sizeof(T)), 0)
          << "number " << i << " is " << read[i] << ", not " << expected[i];
    }
  }
}

TEST_P(Levels, RoundFloatsAsTheStandardLibraryDoes) {
  expect_standard_bits<float>(GetParam(), 1);
}

TEST_P(Levels, RoundDoublesAsTheStandardLibraryDoes) {
  expect_standard_bits<double>(GetParam(), 2);
}

struct Read {
  std::size_t count = 0;
  std::size_t characters = 0;
  std::vector<double> numbers;
};

// What is read of `text` when plenty of text follows.
template <typename T>
Read read_all(const ElementInfo& info, SimdLevel level, std::string text) {
  text += std::string(200, '#');
  std::vector<T> numbers(1000);
  NumberRun run;
  run.text = text.data();
  run.text_end = text.data() + text.size();
  run.out = reinterpret_cast<std::byte*>(numbers.data());
  run.capacity = numbers.size() / info.numbers();
  read_number_run(info, level, run);
  Read read{run.count, static_cast<std::size_t>(run.text - text.data()), {}};
  for (std::size_t i = 0; i < run.count * info.numbers(); ++i) {
    read.numbers.push_back(static_cast<double>(numbers[i]));
  }
  return read;
}

TEST_P(Levels, StopBehindTheLastCommaThatIsUsual) {
  constexpr const ElementInfo& kFloat = info_of(ElementType::float_);
  struct Case {
    const char* text;
    std::size_t count, characters;
  };
  for (const Case& c :
       {Case{"1, 2, 3]", 2, 5}, Case{"1,2,\n 3 , 4, 5]", 2, 4}, Case{"1, nan, 2]", 1, 2},
        Case{"1, 2 # 3,\n4, ", 1, 2}, Case{"1,, 2, ", 1, 2}, Case{"1, --2, 3, ", 1, 2},
        Case{"1, ., 3, ", 1, 2}, Case{"1, -, 3, ", 1, 2}, Case{"1, 1e, 3, ", 1, 2},
        Case{", 1, ", 0, 0}, Case{"1, 1.2.3, 3, ", 1, 2}, Case{"1, (2), 3, ", 1, 2},
        Case{"1, 1e999, 3, ", 1, 2}, Case{"1, +2, 3, ", 1, 2}, Case{"1, 2-3, 3, ", 1, 2},
        Case{"1 2, 3, ", 0, 0}}) {
    const Read read = read_all<float>(kFloat, GetParam(), c.text);
    EXPECT_EQ(read.count, c.count) << c.text;
    EXPECT_EQ(read.characters, c.characters) << c.text;
  }
}

TEST_P(Levels, GiveASignToTheDoubleZeroOnly) {
  const char* const text = "-0, -00, -0., 00, -000, -0.00, 0, ";
  const auto signs = [](const Read& read) {
    std::string found;
    for (const double number : read.numbers) found += std::signbit(number) ? '-' : '+';
    return found;
  };
  EXPECT_EQ(signs(read_all<double>(info_of(ElementType::double_), GetParam(), text)), "-+-++-+");
  EXPECT_EQ(signs(read_all<float>(info_of(ElementType::float_), GetParam(), text)), "-+-++-+");
}

TEST_P(Levels, LeaveIntegersThatDoNotFit) {
  const auto count = [](ElementType type, const std::string& text, auto zero) {
    return read_all<decltype(zero)>(info_of(type), GetParam(), "0, " + text + ", 0, ").count;
  };
  using E = ElementType;
  EXPECT_EQ(count(E::uchar, "255", std::uint8_t{}), 3u);
  EXPECT_EQ(count(E::uchar, "256", std::uint8_t{}), 1u);
  EXPECT_EQ(count(E::uchar, "-1", std::uint8_t{}), 1u);
  EXPECT_EQ(count(E::int_, "2147483647", std::int32_t{}), 3u);
  EXPECT_EQ(count(E::int_, "2147483648", std::int32_t{}), 1u);
  EXPECT_EQ(count(E::int_, "-2147483648", std::int32_t{}), 3u);
  EXPECT_EQ(count(E::int_, "-2147483649", std::int32_t{}), 1u);
  for (const char* other : {"1.5", "1e2", "1-2", "12+", ".5", "5."}) {
    EXPECT_EQ(count(E::int_, other, std::int32_t{}), 1u) << other;
  }
  EXPECT_EQ(count(E::uint, "4294967295", std::uint32_t{}), 3u);
  EXPECT_EQ(count(E::uint, "4294967296", std::uint32_t{}), 1u);
  EXPECT_EQ(count(E::int64, "-9223372036854775808", std::int64_t{}), 3u);
  EXPECT_EQ(count(E::int64, "9223372036854775808", std::int64_t{}), 1u);
  EXPECT_EQ(count(E::uint64, "18446744073709551615", std::uint64_t{}), 3u);
  EXPECT_EQ(count(E::uint64, "18446744073709551616", std::uint64_t{}), 1u);
}

TEST_P(Levels, ReadIntegersOfEveryLength) {
  std::mt19937_64 random(3);
  std::string text;
  std::vector<std::int64_t> expected;
  for (int i = 0; i < 900; ++i) {
    expected.push_back(static_cast<std::int64_t>(random()) >> (random() % 64));
    text += std::to_string(expected.back()) + (i % 3 == 0 ? "," : ", ");
  }
  text += std::string(200, '#');
  std::vector<std::int64_t> read(expected.size());
  NumberRun run;
  run.text = text.data();
  run.text_end = text.data() + text.size();
  run.out = reinterpret_cast<std::byte*>(read.data());
  run.capacity = read.size();
  read_number_run(info_of(ElementType::int64), GetParam(), run);
  EXPECT_EQ(run.count, expected.size());
  EXPECT_EQ(read, expected);
}

TEST_P(Levels, WantTuplesOfTheRightShape) {
  constexpr const ElementInfo& kPair = info_of(ElementType::float2);
  const auto count = [&](const char* text) {
    return read_all<float>(kPair, GetParam(), text).count;
  };
  EXPECT_EQ(count("(1, 2), (3, 4), (5,6),\n(7, 8)]"), 3u);
  EXPECT_EQ(count("(1, 2), (3, 4, 5), (6, 7), "), 1u);
  EXPECT_EQ(count("(1, 2), (3), (4, 5), "), 1u);
  EXPECT_EQ(count("(1, 2), 3, 4, (5, 6), "), 1u);
  EXPECT_EQ(count("(1, 2), (3, 4)), (5, 6), "), 1u);
  EXPECT_EQ(count("(1, 2), ((3, 4), (5, 6), "), 1u);
  EXPECT_EQ(count("(1, 2) (3, 4), "), 0u);
  EXPECT_EQ(count("(1, 2), (3, 4,), (5, 6), "), 1u);
  EXPECT_EQ(count("(1, 2), (, 4), (5, 6), "), 1u);
}

TEST_P(Levels, ReadMatricesWithAndWithoutPadding) {
  constexpr const ElementInfo& kMatrix = info_of(ElementType::matrix2d);
  const Read read = read_all<double>(
      kMatrix, GetParam(), "( (1, 2), (3, 4) ), ((5, 6),(7, 8)),\n((9, 10), (11, 12)), ((1, 2)), ");
  EXPECT_EQ(read.count, 3u);
  EXPECT_EQ(read.numbers, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_P(Levels, SurveyArraysOfAnyLength) {
  for (std::size_t close : {0U, 1U, 63U, 64U, 65U, 500U, 999U}) {
    std::string text(1000, 'x');
    for (std::size_t i = 0; i < text.size(); i += 7) text[i] = ',';
    for (std::size_t i = 1; i < text.size(); i += 7) text[i] = '\n';
    const char* first = text.data();
    EXPECT_EQ(survey_array(first, first + close, GetParam()).close, first + close);
    text[close] = ']';
    const ArraySurvey survey = survey_array(first, first + text.size(), GetParam());
    EXPECT_EQ(survey.close, first + close);
    EXPECT_EQ(survey.commas, (close + 6) / 7);
    EXPECT_EQ(survey.line_feeds, (close + 5) / 7);
  }
}

TEST_P(Levels, SurveyTextsUpToWhatIsNotAscii) {
  std::string text(1000, 'x');
  const auto survey = [&] {
    return survey_text(text.data(), text.data() + text.size(), GetParam());
  };
  EXPECT_GE(survey().ascii, 900u);
  EXPECT_FALSE(survey().carriage_returns);
  text[700] = '\r';
  EXPECT_TRUE(survey().carriage_returns);
  text[600] = '\x80';
  EXPECT_GE(survey().ascii, 500u);
  EXPECT_LE(survey().ascii, 600u);
  EXPECT_FALSE(survey().carriage_returns);
}

}  // namespace
}  // namespace sinew::usda::number_list_test
