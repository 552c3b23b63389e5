// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

inline constexpr int kSmallestPowerOfFive = -342;
inline constexpr int kLargestPowerOfFive = 308;
inline constexpr std::size_t kPowersOfFiveWords =
    2 * static_cast<std::size_t>(kLargestPowerOfFive - kSmallestPowerOfFive + 1);

/// Writes the leading 128 bits of each power of five, the high word first, rounded toward one: what
/// reading a decimal number by the method of Eisel and Lemire looks up.
void write_powers_of_five(std::span<std::uint64_t, kPowersOfFiveWords> words) noexcept;

}  // namespace sinew
