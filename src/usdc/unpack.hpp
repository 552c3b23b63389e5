// SPDX-License-Identifier: Apache-2.0
// The two layers of compression of the binary format, reading side: the LZ4 container and the
// coding of lists of integers by their differences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "sinew/core/buffer.hpp"

namespace sinew::usdc {

/// The most bytes that one byte of LZ4 unpacks to.
inline constexpr std::uint64_t kMaxGain = 255;

/// The most integers that one byte of a compressed run stands for: four to a byte of codes.
inline constexpr std::uint64_t kMaxIntegersPerByte = 4 * kMaxGain;

/// Unpacks an LZ4 container into at most `out.size()` bytes.
/// @return How many, or nothing if the container is malformed.
std::optional<std::size_t> unpack(std::span<const std::byte> packed,
                                  std::span<std::byte> out) noexcept;

/// Why a run of integers cannot be read.
enum class RunError : std::uint8_t { none, lz4, integers };

/// A compressed run of integers of type T, 32 or 64 bits wide, that is read part by part.
template <typename T>
class IntegerRun {
 public:
  /// Unpacks and checks the coding of `count` integers, after which they can be read.
  /// Precondition: 0 < count <= kMaxIntegersPerByte * packed.size().
  RunError open(std::span<const std::byte> packed, std::size_t count);
  /// The next `count` of them: a multiple of 4, or the last ones.
  void read(std::size_t count, T* out) noexcept;

 private:
  struct Place {
    const std::byte* differences;  // Those that follow,
    T value;                       // to be added to the last integer.
  };
  template <typename Narrow>
  static Place read_even(Place at, T* out) noexcept;
  Place read_four(unsigned codes, Place at, T* out) const noexcept;
  T difference(unsigned code, const std::byte* p) const noexcept;

  Buffer plain_;
  const std::uint8_t* codes_ = nullptr;  // Four to a byte, of those that follow.
  Place at_{nullptr, 0};
  // What is added to the bits of a difference: for code 0, which has none, the common difference.
  std::array<T, 4> of_code_{};
};

/// Unpacks a compressed run of `count` integers of type T (32 or 64 bits wide) to `out`.
/// Precondition: count <= kMaxIntegersPerByte * packed.size().
template <typename T>
RunError unpack_integers(std::span<const std::byte> packed, std::size_t count, T* out);

/// The same, 1024 integers at a time, for lists that are but a step to something else.
using TakeIntegers = std::function<bool(std::span<const std::uint32_t>)>;
RunError unpack_integers(std::span<const std::byte> packed, std::size_t count,
                         const TakeIntegers& take);

}  // namespace sinew::usdc
