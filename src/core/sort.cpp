// SPDX-License-Identifier: Apache-2.0
#include "core/sort.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

std::vector<std::uint32_t> sorted_order(std::size_t count, ItemBefore before, const void* context) {
  std::vector<std::uint32_t> order;
  std::size_t in_order = 1;
  while (in_order < count && !before(context, static_cast<std::uint32_t>(in_order),
                                     static_cast<std::uint32_t>(in_order - 1))) {
    ++in_order;
  }
  if (in_order >= count) return order;
  order.resize(count);
  std::iota(order.begin(), order.end(), 0U);

  // Short runs by insertion, then merged in pairs.
  constexpr std::size_t kRun = 8;
  for (std::size_t begin = 0; begin < count; begin += kRun) {
    const std::size_t end = std::min(begin + kRun, count);
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::uint32_t item = order[i];
      std::size_t at = i;
      for (; at > begin && before(context, item, order[at - 1]); --at) order[at] = order[at - 1];
      order[at] = item;
    }
  }
  std::vector<std::uint32_t> merged(count);
  for (std::size_t run = kRun; run < count; run *= 2) {
    for (std::size_t begin = 0; begin < count; begin += 2 * run) {
      const std::size_t middle = std::min(begin + run, count);
      const std::size_t end = std::min(middle + run, count);
      std::size_t a = begin, b = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool second = b < end && (a == middle || before(context, order[b], order[a]));
        merged[to] = second ? order[b++] : order[a++];
      }
    }
    order.swap(merged);
  }
  return order;
}

}  // namespace sinew
