// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/token.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sinew::token_test {
namespace {

TEST(TokenTable, InternsEqualTextToEqualTokens) {
  TokenTable table;
  const Token a = table.intern("points");
  const Token b = table.intern(std::string("poin") + "ts");

  EXPECT_EQ(a, b);
  EXPECT_EQ(a.view(), "points");
  EXPECT_EQ(table.size(), 1u);
}

TEST(TokenTable, EmptyTextIsTheEmptyToken) {
  TokenTable table;

  EXPECT_EQ(table.intern(""), Token());
  EXPECT_TRUE(table.intern("").empty());
  EXPECT_EQ(table.size(), 0u);
}

TEST(TokenTable, FindsOnlyWhatWasInterned) {
  TokenTable table;
  table.intern("xformOpOrder");

  EXPECT_FALSE(table.find("xformOpOrder").empty());
  EXPECT_TRUE(table.find("xformOp").empty());
}

TEST(TokenTable, KeepsTokensValidWhileGrowing) {
  TokenTable table;
  std::vector<Token> tokens;
  for (int i = 0; i < 50'000; ++i) tokens.push_back(table.intern("name_" + std::to_string(i)));

  for (int i = 0; i < 50'000; ++i) {
    const auto n = static_cast<std::size_t>(i);
    ASSERT_EQ(tokens[n].view(), "name_" + std::to_string(i));
    ASSERT_EQ(table.find(tokens[n].view()), tokens[n]);
  }
}

TEST(TokenTable, KeepsTokensWhenRoomIsMadeForMore) {
  TokenTable table(1);
  const Token first = table.intern("points");
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{128},
                                  std::size_t{129}, std::size_t{10'000}, std::size_t{3}}) {
    table.reserve(count);
    EXPECT_EQ(table.find("points"), first) << count;
    EXPECT_EQ(table.size(), 1u) << count;
  }
  TokenTable empty;
  empty.reserve(0);
  EXPECT_TRUE(empty.find("points").empty());
}

TEST(TokenTable, InternsByAHashThatIsKnown) {
  TokenTable table;
  for (int i = 0; i < 2'000; ++i) {
    const std::string name = "name_" + std::to_string(i);
    const std::uint64_t hash = table.hash(name);
    table.prefetch(hash);
    EXPECT_TRUE(table.find(name).empty()) << name;
    const Token token = table.intern(name, hash);
    ASSERT_EQ(token, table.intern(name));
    ASSERT_EQ(token, table.find(name));
    ASSERT_EQ(token.hash(), hash);
  }
  EXPECT_EQ(table.size(), 2'000U);
  EXPECT_EQ(table.hash(""), Token().hash());
  EXPECT_TRUE(table.intern("", table.hash("")).empty());
}

TEST(TokenTable, KeepsEmbeddedZeroBytesAndLongText) {
  TokenTable table;
  const std::string with_zero("a\0b", 3);
  const std::string longer(200'000, 'x');

  EXPECT_EQ(table.intern(with_zero).view(), with_zero);
  EXPECT_NE(table.intern(with_zero), table.intern("a"));
  EXPECT_EQ(table.intern(longer).view(), longer);
}

TEST(TokenTable, DistinguishesEveryLengthAroundTheHashBlocks) {
  TokenTable table;
  std::string text;
  for (std::size_t n = 1; n <= 70; ++n) {
    text.push_back('a');
    table.intern(text);
  }

  EXPECT_EQ(table.size(), 70u);
}

TEST(TokenTable, SpreadsNamesThatWereChosenToCollideInAnotherTable) {
  TokenTable known(1);
  TokenTable other(2);
  std::set<std::size_t> slots;
  for (int i = 0, chosen = 0; chosen < 1000; ++i) {
    const std::string name = "name_" + std::to_string(i);
    if (known.intern(name).hash() % 512 != 0) continue;
    ++chosen;
    slots.insert(other.intern(name).hash() % 512);
  }

  // 512 * (1 - 1/e^2) = 443 are expected of a random choice.
  EXPECT_GT(slots.size(), 380u);
}

TEST(TokenTable, HashesDifferBetweenTablesButNotWithOneSeed) {
  TokenTable a, b, c(7), d(7);

  EXPECT_NE(a.intern("Hips").hash(), b.intern("Hips").hash());
  EXPECT_EQ(c.intern("Hips").hash(), d.intern("Hips").hash());
}

}  // namespace
}  // namespace sinew::token_test
