// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

/// Letters (bytes) to insert, remove, replace or swap with their neighbour to make one word of the
/// other, no letter more than once. Some number above `limit` if there are more, or if a word has
/// more than 128 letters. Time is the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) noexcept;

}  // namespace sinew
