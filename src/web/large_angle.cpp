// SPDX-License-Identifier: Apache-2.0
// After Payne and Hanek (1983): a quarter turn's reciprocal is known to so many bits that the ones
// which matter are there for any angle. Those above give whole turns, those far below nothing.
#include "web/large_angle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

namespace sinew::web {

namespace {

/// Of 2 / pi, behind the point, the first highest.
constexpr std::uint32_t kTwoOverPi[] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
    0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB, 0xF0CFBC20, 0x9AF4361D};
/// Of pi / 2, with one bit before the point.
constexpr std::uint32_t kHalfPi[] = {0xC90FDAA2, 0x2168C234, 0xC4C6628B, 0x80DC1CD1};

constexpr int kWordBits = 32;

/// The product of two numbers of words, the highest first; it has as many as both.
void multiply(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
              std::span<std::uint32_t> product) noexcept {
  std::fill(product.begin(), product.end(), 0U);
  for (std::size_t i = a.size(); i-- > 0;) {
    std::uint64_t carry = 0;
    for (std::size_t k = b.size(); k-- > 0;) {
      carry += std::uint64_t{a[i]} * b[k] + product[i + k + 1];
      product[i + k + 1] = static_cast<std::uint32_t>(carry);
      carry >>= kWordBits;
    }
    product[i] = static_cast<std::uint32_t>(carry);
  }
}

/// 64 bits from a place on; there are none behind the last word.
std::uint64_t bits_at(std::span<const std::uint32_t> words, int place) noexcept {
  const auto word = [&](int index) {
    return static_cast<std::size_t>(index) < words.size()
               ? std::uint64_t{words[static_cast<std::size_t>(index)]}
               : 0;
  };
  const int first = place / kWordBits;
  const int shift = place % kWordBits;
  const std::uint64_t high = word(first) << kWordBits | word(first + 1);
  return shift == 0 ? high : high << shift | word(first + 2) >> (kWordBits - shift);
}

}  // namespace

ReducedAngle reduce_angle(std::uint64_t mantissa, int exponent) noexcept {
  // Words of 2 / pi before this one make whole turns only.
  const int skipped = std::max(exponent - 2, 0) / kWordBits;
  constexpr std::size_t kWords = 8;
  std::uint32_t quotient[kWords + 2];
  const std::uint32_t factor[] = {static_cast<std::uint32_t>(mantissa >> kWordBits),
                                  static_cast<std::uint32_t>(mantissa)};
  multiply(factor, std::span(kTwoOverPi).subspan(static_cast<std::size_t>(skipped), kWords),
           quotient);
  // The first bit behind the point, among those of the product.
  const int point = 2 * kWordBits + exponent - skipped * kWordBits;
  ReducedAngle reduced;
  reduced.quarters = static_cast<int>(bits_at(quotient, point - 2) >> 62);
  std::uint64_t parts[3];
  for (int i = 0; i < 3; ++i) parts[i] = bits_at(quotient, point + 64 * i);
  // The nearest quarter: beyond a half, what is missing to the next.
  const bool beyond = parts[0] >> 63 != 0;
  if (beyond) {
    ++reduced.quarters;
    for (std::uint64_t& part : parts) part = ~part;
  }
  const int zeros = std::countl_zero(parts[0]);
  if (zeros > 0) {
    parts[0] = zeros == 64 ? parts[1] : parts[0] << zeros | parts[1] >> (64 - zeros);
    parts[1] = zeros == 64 ? parts[2] : parts[1] << zeros | parts[2] >> (64 - zeros);
  }
  std::uint32_t fraction[4];
  for (std::size_t i = 0; i < 4; ++i) {
    fraction[i] = static_cast<std::uint32_t>(parts[i / 2] >> (i % 2 == 0 ? kWordBits : 0));
  }
  std::uint32_t radians[8];
  multiply(fraction, kHalfPi, radians);
  // One bit before the point, and one less to be a signed integer.
  const auto high = static_cast<std::int64_t>(bits_at(radians, 0) >> 1);
  const auto low = static_cast<double>(bits_at(radians, 63) >> 1);
  const auto rounded = static_cast<double>(high);
  const double rest =
      static_cast<double>(high - static_cast<std::int64_t>(rounded)) + std::ldexp(low, -63);
  const double scale = std::ldexp(beyond ? -1.0 : 1.0, -62 - zeros);
  reduced.angle = rounded * scale;
  reduced.rest = rest * scale;
  return reduced;
}

}  // namespace sinew::web
