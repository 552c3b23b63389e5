// SPDX-License-Identifier: Apache-2.0
#include "core/edit_distance.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/random.hpp"

namespace sinew::edit_distance_test {
namespace {

TEST(EditDistance, CountsLettersInsertedRemovedReplacedAndSwapped) {
  EXPECT_EQ(edit_distance("", "", 5), 0U);
  EXPECT_EQ(edit_distance("", "abc", 5), 3U);
  EXPECT_EQ(edit_distance("joint", "joint", 5), 0U);
  EXPECT_EQ(edit_distance("joint", "joints", 5), 1U);
  EXPECT_EQ(edit_distance("joint", "point", 5), 1U);
  EXPECT_EQ(edit_distance("jonit", "joint", 5), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3U);
}

TEST(EditDistance, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("stiffness", "stifness", 5), edit_distance("stifness", "stiffness", 5));
  EXPECT_EQ(edit_distance("ab", "ba", 5), edit_distance("ba", "ab", 5));
}

TEST(EditDistance, OfWordsFarApartOrLongIsAboveTheLimit) {
  EXPECT_EQ(edit_distance("a", "abcd", 2), 3U);
  EXPECT_GT(edit_distance("abcd", "efgh", 2), 2U);
  const std::string long_word(128, 'x');
  EXPECT_EQ(edit_distance(long_word, long_word, 2), 0U);
  EXPECT_GT(edit_distance(long_word + "x", long_word + "x", 2), 2U);
}

TEST(EditDistance, IsCountedUpToTheLimitInLengths) {
  EXPECT_EQ(edit_distance("a", "abc", 2), 2U);
  EXPECT_EQ(edit_distance("abc", "a", 2), 2U);
  EXPECT_EQ(edit_distance("abcd", "a", 2), 3U);
  const std::string most(128, 'x');
  EXPECT_EQ(edit_distance(most, most + "x", 2), 3U) << "too long to compare";
}

TEST(EditDistance, CountsSwapsAtEitherEnd) {
  EXPECT_EQ(edit_distance("ab", "ba", 5), 1U);
  EXPECT_EQ(edit_distance("abcd", "bacd", 5), 1U);
  EXPECT_EQ(edit_distance("abcd", "abdc", 5), 1U);
  EXPECT_EQ(edit_distance("abcd", "badc", 5), 2U);
  EXPECT_EQ(edit_distance("abc", "cba", 5), 2U);
}

// Giving up early changes nothing but the number above the limit.
TEST(EditDistance, IsTheSameForEveryLimitThatItDoesNotExceed) {
  test::Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto word = [&] {
      std::string letters;
      for (int left = random.between(0, 8); left > 0; --left) {
        letters += static_cast<char>('a' + random.between(0, 2));
      }
      return letters;
    };
    const std::string a = word(), b = word();
    const std::size_t distance = edit_distance(a, b, 100);
    for (std::size_t limit = 0; limit < 6; ++limit) {
      const std::size_t limited = edit_distance(a, b, limit);
      if (distance <= limit) {
        EXPECT_EQ(limited, distance) << a << ' ' << b;
      } else {
        EXPECT_GT(limited, limit) << a << ' ' << b;
      }
    }
  }
}

}  // namespace
}  // namespace sinew::edit_distance_test
