// SPDX-License-Identifier: Apache-2.0
// The LZ4 container and the coding of integers.
#include "usdc/unpack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usdc/crate_builder.hpp"

namespace sinew::usdc::unpack_test {
namespace {

using testing::ElementsAre;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string unpacked(std::string_view packed, std::size_t room) {
  std::string out(room, '?');
  const auto size = unpack(bytes_of(packed), std::as_writable_bytes(std::span(out)));
  return size ? out.substr(0, *size) : "malformed";
}

std::vector<std::int32_t> integers(std::string_view packed, std::size_t count) {
  std::vector<std::uint32_t> out(count);
  if (unpack_integers(bytes_of(packed), count, out.data()) != RunError::none) return {-99};
  return {out.begin(), out.end()};
}

TEST(Unpack, ReadsLiteralsAndMatches) {
  EXPECT_EQ(unpacked(test::lz4("hello"), 5), "hello");
  // "ab", then 6 bytes from 2 back, then the rest.
  EXPECT_EQ(unpacked(std::string("\0\x22"
                                 "ab\x02\0\xC0"
                                 "cdefghijklmn",
                                 19),
                     20),
            "ababababcdefghijklmn");
  EXPECT_EQ(unpacked(std::string(2, '\0'), 0), "");
}

TEST(Unpack, ReadsSeveralChunks) {
  std::string packed = "\x03";
  for (const std::string part : {"one ", "two ", "three"}) {
    const std::string block = test::lz4_block(part);
    test::append(packed, static_cast<std::int32_t>(block.size()));
    packed += block;
  }
  EXPECT_EQ(unpacked(packed, 13), "one two three");
  EXPECT_EQ(unpacked(packed, 12), "malformed");
  EXPECT_EQ(unpacked(packed + "x", 13), "malformed") << "bytes behind the last chunk";
  EXPECT_EQ(unpacked(packed.substr(0, packed.size() - 1), 13), "malformed");
}

TEST(Unpack, RefusesContainersThatAreNone) {
  EXPECT_EQ(unpacked("", 10), "malformed");
  EXPECT_EQ(unpacked(std::string(1, '\0'), 10), "malformed");
  EXPECT_EQ(unpacked("\x80", 10), "malformed") << "128 chunks";
  EXPECT_EQ(unpacked(std::string("\x01\0\0\0\0", 5), 10), "malformed") << "a chunk of 0 bytes";
  EXPECT_EQ(unpacked(std::string("\x01\xFF\xFF\xFF\xFF", 5), 10), "malformed") << "of -1 bytes";
  EXPECT_EQ(unpacked(std::string("\0\x22"
                                 "ab\0\0",
                                 6),
                     10),
            "malformed")
      << "distance 0";
  EXPECT_EQ(unpacked(std::string("\0\x22"
                                 "ab\x03\0",
                                 6),
                     10),
            "malformed")
      << "distance beyond what there is";
}

// LZ4 itself takes such a block.
TEST(Unpack, RefusesMatchesAtDistanceZeroBeforeOtherBytes) {
  const auto block = [](std::string_view distance) {
    return std::string(
               "\0\x22"
               "ab",
               4) +
           std::string(distance) + "\xC0" + "cdefghijklmn";
  };
  EXPECT_EQ(unpacked(block(std::string_view("\x02\0", 2)), 20),
            "abababab" + std::string("cdefghijklmn"));
  EXPECT_EQ(unpacked(block(std::string_view("\0\0", 2)), 20), "malformed");
  // Behind lengths of several bytes.
  std::string long_lengths("\0\xFF\x01", 3);
  long_lengths += std::string(16, 'x') + std::string("\x01\0\xFF\x05", 4);
  const std::string end =
      "\xC0"
      "cdefghijklmn";
  EXPECT_EQ(unpacked(long_lengths + end, 400).size(), 16u + 15 + 4 + 255 + 5 + 12);
  EXPECT_EQ(unpacked(long_lengths + std::string("\0\0\0", 3) + end, 400), "malformed");
}

TEST(UnpackIntegers, ReadsWhatTheFormatGivesAsExamples) {
  EXPECT_THAT(integers(std::string("\x00\x60\x01\x00\x00\x00\x01\x00", 8), 2), ElementsAre(0, 1));
  EXPECT_THAT(integers(std::string("\x00\x60\x03\x00\x00\x00\x04\xFF", 8), 2), ElementsAre(3, 2));
  EXPECT_THAT(integers(std::string("\x00\x50\xFF\xFF\xFF\xFF\x00", 7), 2), ElementsAre(-1, -2));
  EXPECT_THAT(integers(test::lz4(std::string("\x01\0\0\0\xC1\x11\x7B\xA0\x86\x01\0\0\0", 13)), 7),
              ElementsAre(123, 124, 125, 100125, 100125, 100126, 100126));
}

TEST(UnpackIntegers, RefusesCodesOfAnotherSize) {
  const std::string good = test::lz4(std::string("\0\0\0\0\x01\x05", 6));
  EXPECT_THAT(integers(good, 2), ElementsAre(5, 5));
  EXPECT_THAT(integers(test::lz4(std::string("\0\0\0\0\x01\x05\x06", 7)), 2), ElementsAre(-99));
  EXPECT_THAT(integers(test::lz4(std::string("\0\0\0\0\x01", 5)), 2), ElementsAre(-99));
  EXPECT_THAT(integers(std::string(2, '\0'), 1), ElementsAre(-99));
}

TEST(UnpackIntegers, ReadsEveryWidthOf32And64Bits) {
  std::string plain;
  test::append(plain, std::uint32_t{7});
  plain += '\xE4';  // Codes 0, 1, 2, 3.
  plain += '\x80';
  test::append(plain, std::int16_t{-300});
  test::append(plain, std::int32_t{1 << 30});
  EXPECT_THAT(integers(test::lz4(plain), 4), ElementsAre(7, -121, -421, (1 << 30) - 421));

  std::string wide;
  test::append(wide, std::uint64_t{7});
  wide += '\xE4';
  test::append(wide, std::int16_t{-300});
  test::append(wide, std::int32_t{-70'000});
  test::append(wide, std::int64_t{1} << 60);
  std::vector<std::uint64_t> out(4);
  ASSERT_EQ(unpack_integers(bytes_of(test::lz4(wide)), 4, out.data()), RunError::none);
  EXPECT_THAT(std::vector<std::int64_t>(out.begin(), out.end()),
              ElementsAre(7, -293, -70'293, (std::int64_t{1} << 60) - 70'293));
}

// Runs of differences of one width, which are read many at once, from one place to any other.
template <typename T, typename Small, typename Middle>
void expect_runs_are_read(std::mt19937_64& random) {
  std::vector<unsigned> kinds;
  while (kinds.size() < 1500) {
    const std::size_t count = 1 + random() % 40;
    kinds.insert(kinds.end(), count, static_cast<unsigned>(random() % 4));
  }
  const T common = 7;
  std::string codes((kinds.size() + 3) / 4, '\0');
  std::string differences;
  std::vector<T> expected;
  T value = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto small = static_cast<Small>(random());
    const auto middle = static_cast<Middle>(random());
    const auto large = static_cast<T>(random());
    if (kinds[i] == 1) test::append(differences, small);
    if (kinds[i] == 2) test::append(differences, middle);
    if (kinds[i] == 3) test::append(differences, large);
    const T steps[] = {common, static_cast<T>(small), static_cast<T>(middle), large};
    expected.push_back(value += steps[kinds[i]]);
    const unsigned before = static_cast<std::uint8_t>(codes[i / 4]);
    codes[i / 4] = static_cast<char>(before | (kinds[i] << (2 * (i % 4))));
  }
  std::string plain;
  test::append(plain, common);
  const std::string packed = test::lz4(plain + codes + differences);
  std::vector<T> out(expected.size());
  ASSERT_EQ(unpack_integers(bytes_of(packed), out.size(), out.data()), RunError::none);
  ASSERT_EQ(out, expected);

  out.assign(out.size(), 0);
  IntegerRun<T> run;
  ASSERT_EQ(run.open(bytes_of(packed), out.size()), RunError::none);
  for (std::size_t first = 0; first < out.size();) {  // In parts of any multiple of 4.
    const std::size_t count = std::min<std::size_t>(4 * (random() % 30), out.size() - first);
    run.read(count, out.data() + first);
    first += count;
  }
  ASSERT_EQ(out, expected);
  if constexpr (sizeof(T) == 4) {
    out.clear();
    const RunError error = unpack_integers(bytes_of(packed), expected.size(),
                                           [&](std::span<const std::uint32_t> piece) {
                                             out.insert(out.end(), piece.begin(), piece.end());
                                             return true;
                                           });
    ASSERT_EQ(error, RunError::none);
    ASSERT_EQ(out, expected);
  }
}

TEST(UnpackIntegers, ReadsRunsOfOneWidthOfAnyLength) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    expect_runs_are_read<std::uint32_t, std::int8_t, std::int16_t>(random);
    expect_runs_are_read<std::uint64_t, std::int16_t, std::int32_t>(random);
  }
}

TEST(UnpackIntegers, InPiecesAreTheSame) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 5003; ++i) numbers.push_back(i * i * 7919);
  const std::string run = test::run_of(numbers);
  std::vector<std::uint32_t> pieces;
  const RunError error = unpack_integers(bytes_of(run).subspan(8), numbers.size(),
                                         [&](std::span<const std::uint32_t> piece) {
                                           pieces.insert(pieces.end(), piece.begin(), piece.end());
                                           return true;
                                         });
  EXPECT_EQ(error, RunError::none);
  EXPECT_EQ(pieces, numbers);
}

}  // namespace
}  // namespace sinew::usdc::unpack_test
