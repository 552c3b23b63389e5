// SPDX-License-Identifier: Apache-2.0
#include "core/edit_distance.hpp"

#include <algorithm>

namespace sinew {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) noexcept {
  constexpr std::size_t kLongest = 128;
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer > kLongest || longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::size_t rows[3][kLongest + 1];
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  std::size_t least_above = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t* const row = rows[i % 3];
    const std::size_t* const above = rows[(i + 2) % 3];
    const std::size_t* const two_above = rows[(i + 1) % 3];
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit && least_above > limit) return limit + 1;  // No row below has less.
    least_above = least;
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace sinew
