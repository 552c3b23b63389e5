// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/arena.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sinew::layer::arena_test {
namespace {

// Objects of several sizes, each with a number of its own, from an arena that grows to many blocks.
void expect_apart(Arena& arena) {
  std::vector<std::uint8_t*> bytes;
  std::vector<std::uint64_t*> words;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::size_t count = 1 + i % 97;
    bytes.push_back(arena.allocate<std::uint8_t>(count));
    for (std::size_t k = 0; k < count; ++k) bytes.back()[k] = static_cast<std::uint8_t>(i);
    words.push_back(arena.allocate<std::uint64_t>(count));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(words.back()) % alignof(std::uint64_t), 0U);
    for (std::size_t k = 0; k < count; ++k) words.back()[k] = i;
  }
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    for (std::size_t k = 0; k < 1 + i % 97; ++k) {
      ASSERT_EQ(bytes[i][k], static_cast<std::uint8_t>(i));
      ASSERT_EQ(words[i][k], i);
    }
  }
}

TEST(Arena, KeepsObjectsApartWhileItGrows) {
  Arena arena;
  expect_apart(arena);
}

TEST(Arena, MayBeToldMoreOrLessThanItIsAskedFor) {
  for (const std::size_t expected : {std::size_t{1}, std::size_t{5'000'000}, SIZE_MAX / 2}) {
    Arena arena;
    arena.expect(expected);
    expect_apart(arena);
  }
}

TEST(Arena, HasRoomForObjectsLargerThanItsBlocks) {
  Arena arena;
  constexpr std::size_t kCount = 40'000'000;
  auto* const large = arena.allocate<std::uint8_t>(kCount);
  auto* const small = arena.allocate<std::uint64_t>(1);
  *small = 7;
  large[0] = 1;
  large[kCount - 1] = 2;
  EXPECT_EQ(*small, 7U);
}

}  // namespace
}  // namespace sinew::layer::arena_test
