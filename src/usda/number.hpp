// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sinew/core/types.hpp"

namespace sinew::usda {

/// A numeric literal. Integers keep all 64 bits; everything else is a double.
struct Number {
  enum class Kind : std::uint8_t { unsigned_, signed_, real };
  Kind kind = Kind::unsigned_;
  bool too_large = false;       ///< An integer literal beyond 64 bits, read as a double.
  std::uint64_t magnitude = 0;  ///< Absolute value of an integer.
  double real = 0.0;            ///< The value as a double, whatever the kind.
  float real_float = 0.0F;      ///< The value as a float.
};

/// Reads `[-] digits [. digits] [exponent]`, `[-] . digits`, `[-] inf` or `nan`.
/// @return One past the literal, or `text` if there is none.
const char* read_number(const char* text, const char* end, Number& number) noexcept;

/// Like read_number(), but straight to the type of an array. Correctly rounded, to double even
/// where a float is wanted, unless the literal is an integer; overflow gives an infinity and
/// underflow zero.
const char* read_real(const char* text, const char* end, float& value) noexcept;
const char* read_real(const char* text, const char* end, double& value) noexcept;

/// Whether a literal is an integer that 64 bits do not hold.
bool exceeds_64_bits(const char* first, const char* last) noexcept;

/// The literal as an integer of type T: reals truncate toward zero.
/// @return False if the result does not fit, or the literal is not finite.
template <typename T>
bool to_integer(const Number& number, T& value) noexcept;

}  // namespace sinew::usda
