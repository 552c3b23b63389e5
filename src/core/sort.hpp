// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#if !defined(__wasi__)
#include <algorithm>
#endif

namespace sinew {

// Sorting as the standard library does it. A WebAssembly module, which is loaded by every visitor
// of a page, has one function that sorts numbers of items instead of one for each type of item: the
// standard library's take three kilobytes each, and there are a hundred.

/// Whether item `a` comes before item `b`, by their numbers.
using ItemBefore = bool (*)(const void* context, std::uint32_t a, std::uint32_t b);

/// The numbers of `count` items in their order, equal ones as they were; none if they are in order.
std::vector<std::uint32_t> sorted_order(std::size_t count, ItemBefore before, const void* context);

/// Sorts by sorted_order(): equal items stay as they were.
template <typename Iterator, typename Less>
void sort_by_order(Iterator first, Iterator last, Less less) {
  struct Context {
    Iterator first;
    Less& less;
  };
  using Difference = typename std::iterator_traits<Iterator>::difference_type;
  const Context context{first, less};
  std::vector<std::uint32_t> order = sorted_order(
      static_cast<std::size_t>(last - first),
      [](const void* data, std::uint32_t a, std::uint32_t b) {
        const auto& [items, before] = *static_cast<const Context*>(data);
        return static_cast<bool>(
            before(items[static_cast<Difference>(a)], items[static_cast<Difference>(b)]));
      },
      &context);
  // Each cycle of the permutation needs one item beside it.
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (order[i] == i) continue;
    auto held = std::move(first[static_cast<Difference>(i)]);
    std::uint32_t to = i;
    while (order[to] != i) {
      const std::uint32_t from = std::exchange(order[to], to);
      first[static_cast<Difference>(to)] = std::move(first[static_cast<Difference>(from)]);
      to = from;
    }
    order[to] = to;
    first[static_cast<Difference>(to)] = std::move(held);
  }
}

/// std::sort().
template <typename Iterator, typename Less = std::less<>>
void sort_range(Iterator first, Iterator last, Less less = {}) {
#if defined(__wasi__)
  sort_by_order(first, last, less);
#else
  std::sort(first, last, less);
#endif
}

/// std::stable_sort().
template <typename Iterator, typename Less = std::less<>>
void stable_sort_range(Iterator first, Iterator last, Less less = {}) {
#if defined(__wasi__)
  sort_by_order(first, last, less);
#else
  std::stable_sort(first, last, less);
#endif
}

}  // namespace sinew
