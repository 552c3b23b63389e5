// SPDX-License-Identifier: Apache-2.0
// The sorting of WebAssembly modules, judged by that of the standard library.
#include "core/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sinew::sort_test {
namespace {

using Item = std::pair<int, std::string>;

bool by_number(const Item& a, const Item& b) {
  return a.first < b.first;
}

TEST(SortByOrder, EqualsStableSortOfAnyLength) {
  std::mt19937 random(1);
  for (std::size_t count = 0; count < 200; ++count) {
    for (const int kinds : {1, 3, 1000}) {
      std::vector<Item> items;
      for (std::size_t i = 0; i < count; ++i) {
        items.emplace_back(static_cast<int>(random() % static_cast<unsigned>(kinds)),
                           "item " + std::to_string(i));
      }
      std::vector<Item> expected = items;
      std::stable_sort(expected.begin(), expected.end(), by_number);
      sort_by_order(items.begin(), items.end(), by_number);
      ASSERT_EQ(items, expected) << count << " items of " << kinds << " kinds";
    }
  }
}

TEST(SortByOrder, MovesItemsThatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> items;
  for (const int number : {3, 1, 2, 0}) items.push_back(std::make_unique<int>(number));
  sort_by_order(items.begin(), items.end(), [](const auto& a, const auto& b) { return *a < *b; });
  for (int i = 0; i < 4; ++i) EXPECT_EQ(*items[static_cast<std::size_t>(i)], i);
}

TEST(SortedOrder, IsEmptyForWhatIsInOrder) {
  const auto order_of = [](const std::vector<int>& items) {
    return sorted_order(
        items.size(),
        [](const void* data, std::uint32_t a, std::uint32_t b) {
          const auto& numbers = *static_cast<const std::vector<int>*>(data);
          return numbers[a] < numbers[b];
        },
        &items);
  };
  EXPECT_TRUE(order_of({}).empty());
  EXPECT_TRUE(order_of({1}).empty());
  EXPECT_TRUE(order_of({1, 1, 2, 3}).empty());
  EXPECT_EQ(order_of({2, 1, 1}), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(SortRange, SortsByWhatIsGiven) {
  std::vector<int> items = {2, 3, 1};
  sort_range(items.begin(), items.end());
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
  stable_sort_range(items.begin(), items.end(), std::greater<>());
  EXPECT_EQ(items, (std::vector<int>{3, 2, 1}));
}

}  // namespace
}  // namespace sinew::sort_test
