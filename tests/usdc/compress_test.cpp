// SPDX-License-Identifier: Apache-2.0
#include "usdc/compress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>

#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <utility>

namespace sinew::usdc::compress_test {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::byte> bytes_of(std::initializer_list<int> numbers) {
  std::vector<std::byte> bytes;
  for (const int number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

// Reads the coding back, by its definition.
template <typename U, typename Small, typename Middle>
std::vector<U> decode(const std::vector<std::byte>& coded, std::size_t count) {
  const auto read = [&](std::size_t at, auto& value) {
    std::memcpy(&value, coded.data() + at, sizeof value);
    return at + sizeof value;
  };
  std::vector<U> result;
  if (count == 0) return result;
  U common = 0;
  std::size_t codes = read(0, common);
  std::size_t at = codes + (count + 3) / 4;
  U value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned kind = (std::to_integer<unsigned>(coded[codes + i / 4]) >> (2 * (i % 4))) & 3U;
    Small small = 0;
    Middle middle = 0;
    U large = 0;
    if (kind == 0) value += common;
    if (kind == 1) at = read(at, small);
    if (kind == 2) at = read(at, middle);
    if (kind == 3) at = read(at, large);
    value += static_cast<U>(small) + static_cast<U>(middle) + large;
    result.push_back(value);
  }
  EXPECT_EQ(at, coded.size());
  return result;
}

TEST(CodeIntegers, GivesTheBytesOfTheWorkedExample) {  // usdc 5.3
  const std::vector<std::uint32_t> integers = {123, 124, 125, 100125, 100125, 100126, 100126};
  EXPECT_THAT(code_integers(integers),
              ElementsAreArray(bytes_of({1, 0, 0, 0, 0xC1, 0x11, 0x7B, 0xA0, 0x86, 1, 0, 0, 0})));
}

TEST(CodeIntegers, TakesTheLargestOfEquallyFrequentDifferences) {
  const std::vector<std::uint32_t> integers = {5, 8, 13, 16};  // Differences 5, 3, 5, 3.
  EXPECT_EQ(std::to_integer<int>(code_integers(integers)[0]), 5);
  const std::vector<std::uint32_t> large = {100000, 99999, 199999, 199998};
  std::uint32_t common = 0;
  std::memcpy(&common, code_integers(large).data(), sizeof common);
  EXPECT_EQ(common, 100000U);
}

TEST(CodeIntegers, TakesTheMostFrequentOfManyDifferences) {
  std::mt19937 random(5);
  for (const std::size_t count : {10U, 1000U, 100'000U}) {
    for (const std::uint32_t distinct : {3U, 500U, 50'000U, 0xFFFFFFFFU}) {
      std::vector<std::uint32_t> integers;
      std::map<std::int32_t, int> counts;
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t difference = static_cast<std::uint32_t>(random()) % distinct * 77'777U;
        ++counts[static_cast<std::int32_t>(difference)];
        integers.push_back(value += difference);
      }
      std::pair<std::int32_t, int> best = {0, 0};
      for (const auto& known : counts) {  // Ascending, so that the largest wins.
        if (known.second >= best.second) best = known;
      }
      std::int32_t common = 0;
      std::memcpy(&common, code_integers(integers).data(), sizeof common);
      EXPECT_EQ(common, best.first) << count << " of " << distinct;
    }
  }
}

// Every so many differences the same one, all others at random: of long arrays it need not be found
// where it is rarer than any sample shows.
TEST(CodeIntegers, FindsWhatIsFrequentInLongArrays) {
  constexpr std::size_t kCount = 300'001;
  constexpr std::uint32_t kFrequent = 123'456;
  std::mt19937 random(7);
  for (const std::size_t every : {2U, 3U, 64U, 73U, 200U, 0U}) {
    std::vector<std::uint32_t> integers;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const bool is_frequent = every != 0 && i % every == 0;
      integers.push_back(value += is_frequent ? kFrequent : static_cast<std::uint32_t>(random()));
    }
    const std::vector<std::byte> coded = code_integers(integers);
    std::uint32_t common = 0;
    std::memcpy(&common, coded.data(), sizeof common);
    EXPECT_TRUE(every == 0 || common == kFrequent) << every;
    EXPECT_EQ((decode<std::uint32_t, std::int8_t, std::int16_t>(coded, kCount)), integers);
  }
}

TEST(CodeIntegers, CodesNothingAsNothing) {
  EXPECT_TRUE(code_integers(std::span<const std::uint32_t>()).empty());
}

TEST(CodeIntegers, ReadsBackWhateverTheIntegers) {
  std::mt19937_64 random(1);
  for (const int bits : {1, 7, 9, 15, 17, 31, 33, 63, 64}) {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> wide;
    for (int i = 0; i < 1001; ++i) {
      wide.push_back(random() >> (64 - bits));
      narrow.push_back(static_cast<std::uint32_t>(wide.back()));
    }
    wide.push_back(std::numeric_limits<std::uint64_t>::max());
    narrow.push_back(std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ((decode<std::uint32_t, std::int8_t, std::int16_t>(code_integers(narrow), 1002)),
              narrow);
    EXPECT_EQ((decode<std::uint64_t, std::int16_t, std::int32_t>(code_integers(wide), 1002)), wide);
  }
}

TEST(AppendCompressed, StoresNothingAsTwoZeros) {  // usdc 5.1
  std::vector<std::byte> out;
  append_compressed({}, out);
  EXPECT_THAT(out, ElementsAreArray(bytes_of({0, 0})));
}

TEST(AppendCompressed, SplitsWhatIsLongerThanAChunk) {
  std::vector<std::byte> plain;
  for (int i = 0; i < 250; ++i) plain.push_back(static_cast<std::byte>(i * i));
  std::vector<std::byte> out;
  append_compressed(plain, out, 100);
  ASSERT_EQ(std::to_integer<int>(out[0]), 3);
  std::vector<std::byte> read;
  std::size_t at = 1;
  for (const std::size_t size : {100u, 100u, 50u}) {
    std::int32_t packed = 0;
    std::memcpy(&packed, out.data() + at, sizeof packed);
    at += sizeof packed;
    read.resize(read.size() + size);
    ASSERT_EQ(LZ4_decompress_safe(reinterpret_cast<const char*>(out.data() + at),
                                  reinterpret_cast<char*>(read.data() + read.size() - size), packed,
                                  static_cast<int>(size)),
              static_cast<int>(size));
    at += static_cast<std::size_t>(packed);
  }
  EXPECT_EQ(at, out.size());
  EXPECT_EQ(read, plain);
}

TEST(AppendRun, GivesTheBytesOfTheWorkedExamples) {  // usdc 20
  std::vector<std::byte> out;
  append_run(std::vector<std::uint32_t>{0, 1}, out);
  std::uint64_t size = 0;
  std::memcpy(&size, out.data(), sizeof size);
  EXPECT_EQ(size, out.size() - 8);
  out.clear();
  append_run(std::span<const std::uint32_t>(), out);
  EXPECT_THAT(out, ElementsAreArray(bytes_of({2, 0, 0, 0, 0, 0, 0, 0, 0, 0})));
}

}  // namespace
}  // namespace sinew::usdc::compress_test
