// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/text.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/short_text.hpp"
#include "core/text_arena.hpp"

namespace sinew::text_test {
namespace {

TEST(Text, HoldsItsCharactersAndANul) {
  std::string source = "/World/arm";
  const Text text(source);

  source = "changed";

  EXPECT_EQ(text.view(), "/World/arm");
  EXPECT_STREQ(text.c_str(), "/World/arm");
  EXPECT_EQ(text.size(), 10U);
  EXPECT_FALSE(text.empty());
}

TEST(ShortText, IsCopiedWithoutABytePastItsEnd) {
  const std::string source = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (std::size_t size = 0; size <= source.size(); ++size) {
    std::string target(source.size() + 1, '.');
    copy_few(source.data(), size, target.data());
    EXPECT_EQ(target, source.substr(0, size) + std::string(target.size() - size, '.'));
  }
}

TEST(Text, EmptyIsTheDefault) {
  const Text empty;

  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty, Text(""));
  EXPECT_EQ(empty.view(), "");
  EXPECT_STREQ(empty.c_str(), "");
}

TEST(Text, CopiesShareTheirCharacters) {
  Text first("/World/arm");
  const Text second = first;

  first = "other";

  EXPECT_EQ(second, "/World/arm");
  EXPECT_EQ(Text(second).c_str(), second.c_str());
}

TEST(Text, MovedFromIsEmpty) {
  Text first("/World/arm");
  const Text second = std::move(first);

  EXPECT_EQ(second, "/World/arm");
  EXPECT_TRUE(first.empty());  // NOLINT: that is what is tested.
}

TEST(Text, ComparesAsItsCharacters) {
  const Text a("/a");
  const Text b("/b");

  EXPECT_EQ(a, Text("/a"));
  EXPECT_NE(a, b);
  EXPECT_LT(a, b);
  EXPECT_LT(a, std::string("/aa"));
  EXPECT_EQ("/a", a);
  EXPECT_EQ(std::hash<Text>()(a), std::hash<Text>()(Text(std::string("/a"))));
}

TEST(TextArena, TextsOutliveTheArenaAndEachOther) {
  std::vector<Text> kept;
  {
    TextArena arena;
    for (int i = 0; i < 10'000; ++i) {  // Several blocks.
      const Text text = arena.make("/World/prim" + std::to_string(i));
      if (i % 100 == 0) kept.push_back(text);
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i], "/World/prim" + std::to_string(i * 100));
  }
}

TEST(TextArena, TakesTextsOfAnySize) {
  TextArena arena;
  const std::string large(Text::kBlockBytes * 3, 'x');

  const Text before = arena.make("before");
  const Text text = arena.make(large);
  const Text after = arena.make("after");

  EXPECT_EQ(text, large);
  EXPECT_EQ(before, "before");
  EXPECT_EQ(after, "after");
  EXPECT_TRUE(arena.make("").empty());
}

TEST(Text, IsCountedAcrossThreads) {
  std::vector<Text> texts;
  {
    TextArena arena;
    for (int i = 0; i < 100; ++i) texts.push_back(arena.make("/World/prim" + std::to_string(i)));
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([texts] {
      for (int round = 0; round < 100; ++round) {
        const std::vector<Text> copy = texts;
        ASSERT_EQ(copy[7], "/World/prim7");
      }
    });
  }
  texts.clear();
  for (std::thread& thread : threads) thread.join();
}

TEST(EqualText, ComparesEveryCharacterOfEveryLength) {
  const std::string all = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (std::size_t size = 0; size <= all.size(); ++size) {
    const std::string text = all.substr(0, size);
    EXPECT_TRUE(equal_text(text, std::string(text))) << size;
    EXPECT_FALSE(equal_text(text, text + "x")) << size;
    EXPECT_FALSE(equal_text(text + "x", text)) << size;
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = '_';
      EXPECT_FALSE(equal_text(text, other)) << size << ' ' << i;
    }
  }
}

TEST(WordIndex, GivesTheEntriesWithTheSameFirstLetter) {
  constexpr std::string_view kWords[] = {"Z", "a", "ab", "c"};
  constexpr WordIndex kIndex(kWords, [](std::string_view word) { return word; });
  const auto entries = [&](std::string_view word) {
    const WordIndex::Range range = kIndex.range(word);
    return std::pair(range.first, range.last);
  };
  using Entries = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(entries("Zx"), Entries(0, 1));
  EXPECT_EQ(entries("a"), Entries(1, 3));
  EXPECT_EQ(entries("b"), Entries(3, 3));
  EXPECT_EQ(entries("cab"), Entries(3, 4));
  EXPECT_EQ(entries("d"), Entries(4, 4));
  EXPECT_EQ(entries("\x7F"), Entries(4, 4));
  EXPECT_EQ(entries("\x80"), Entries(0, 0));
  EXPECT_EQ(entries(""), Entries(0, 0));
}

}  // namespace
}  // namespace sinew::text_test
