// SPDX-License-Identifier: Apache-2.0
#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>

namespace sinew::large_pages_test {
namespace {

TEST(LargeVector, BeginsWhereALargePageDoesIfItHasRoomForOne) {
  LargeVector<std::uint32_t> values(kLargePageBytes / sizeof(std::uint32_t));
  if (kHasLargePages) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % kLargePageBytes, 0U);
  }
  std::iota(values.begin(), values.end(), 0U);
  EXPECT_EQ(values.back(), values.size() - 1);
}

TEST(LargeVector, KeepsItsValuesFromSmallToLarge) {
  LargeVector<std::uint32_t> values;
  const std::uint32_t count = 3 * kLargePageBytes / sizeof(std::uint32_t);
  for (std::uint32_t i = 0; i < count; ++i) values.push_back(i * 2654435761U);
  const LargeVector<std::uint32_t> copy = values;
  values.resize(10);
  values.shrink_to_fit();
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(copy[i], i * 2654435761U);
  EXPECT_EQ(values[9], copy[9]);
}

TEST(LargeVector, GivesWhatItAddsTheValuesThatMembersBeginWith) {
  struct Item {
    std::uint32_t parent = 7;
    bool is_marked = true;
  };
  LargeVector<Item> items(3);
  items.resize(1000);
  for (const Item& item : items) {
    ASSERT_EQ(item.parent, 7U);
    ASSERT_TRUE(item.is_marked);
  }
}

TEST(LargeVector, CanNotBeLargerThanMemory) {
  LargePageAllocator<std::uint64_t> allocator;
  EXPECT_THROW(
      (void)allocator.allocate(std::numeric_limits<std::size_t>::max() / sizeof(std::uint64_t)),
      std::bad_alloc);
}

}  // namespace
}  // namespace sinew::large_pages_test
