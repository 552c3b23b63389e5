// SPDX-License-Identifier: Apache-2.0
#include "core/powers_of_five.hpp"

#include <array>
#include <bit>

#ifdef __wasm__
#include "core/fast_float.hpp"
#endif

namespace sinew {
namespace {

// A whole number of up to 960 bits: 5^308 has 716, and 2^959 / 5^342 still has 165.
class WideNumber {
 public:
  static WideNumber power_of_two(std::size_t exponent) noexcept {
    WideNumber number;
    number.limbs_[exponent / 32] = std::uint32_t{1} << (exponent % 32);
    return number;
  }

  void multiply_by_five() noexcept {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * 5;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  void divide_by_five() noexcept {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / 5);
      rest %= 5;
    }
  }

  // Truncated; not of zero.
  void write_leading_bits(std::uint64_t& high, std::uint64_t& low) const noexcept {
    std::size_t top = limbs_.size() - 1;
    while (limbs_[top] == 0) --top;
    const int shift = std::countl_zero(limbs_[top]);
    const auto limb = [&](std::size_t below) {
      const std::uint64_t upper = below <= top ? limbs_[top - below] : 0;
      const std::uint64_t lower = below < top ? limbs_[top - below - 1] : 0;
      return (upper << 32 | lower) << shift >> 32;
    };
    high = limb(0) << 32 | limb(1);
    low = limb(2) << 32 | limb(3);
  }

 private:
  std::array<std::uint32_t, 30> limbs_{};  // The least first.
};

}  // namespace

void write_powers_of_five(std::span<std::uint64_t, kPowersOfFiveWords> words) noexcept {
  const auto write = [&](int exponent, const WideNumber& number) {
    const auto row = 2 * static_cast<std::size_t>(exponent - kSmallestPowerOfFive);
    number.write_leading_bits(words[row], words[row + 1]);
    // Inverses whose product with 64 bits can be exact are rounded up, the others down.
    if (exponent < 0 && exponent >= -27) ++words[row + 1];
  };
  WideNumber number = WideNumber::power_of_two(0);
  for (int exponent = 0; exponent <= kLargestPowerOfFive; ++exponent) {
    write(exponent, number);
    number.multiply_by_five();
  }
  number = WideNumber::power_of_two(959);
  for (int exponent = -1; exponent >= kSmallestPowerOfFive; --exponent) {
    number.divide_by_five();
    write(exponent, number);
  }
}

}  // namespace sinew

#ifdef __wasm__
std::uint64_t fast_float::powers_template<void>::power_of_five_128[number_of_entries];

namespace {

static_assert(fast_float::powers::number_of_entries == sinew::kPowersOfFiveWords);

[[gnu::constructor]] void make_table() {
  sinew::write_powers_of_five(fast_float::powers::power_of_five_128);
}

}  // namespace
#endif
