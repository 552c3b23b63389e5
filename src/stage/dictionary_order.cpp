// SPDX-License-Identifier: Apache-2.0
#include "stage/dictionary_order.hpp"

#include <algorithm>
#include <cstddef>

namespace sinew::stage {

namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

int folded(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : static_cast<unsigned char>(c);
}

// A run of digits from `at` on; leading zeros are stepped over.
std::string_view digits(std::string_view text, std::size_t& at) noexcept {
  while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(first, at - first);
}

}  // namespace

bool dictionary_less(std::string_view a, std::string_view b) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::size_t first_of_a = i;
      const std::size_t first_of_b = j;
      const std::string_view x = digits(a, i);
      const std::string_view y = digits(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      // More zeros in front of a number tell nothing yet; where there are but zeros they do.
      const std::size_t size_in_a = i - first_of_a;
      const std::size_t size_in_b = j - first_of_b;
      if (x == "0" && size_in_a != size_in_b) return size_in_a < size_in_b;
      continue;
    }
    const int x = folded(a[i++]);
    const int y = folded(b[j++]);
    if (x != y) return x < y;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  // All that is left is case and zeros in front of numbers, of which the first difference decides.
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return false;
  return *y == '0' || (*x != '0' && *x < *y);
}

}  // namespace sinew::stage
