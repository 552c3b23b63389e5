// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "sinew/core/types.hpp"
#include "usda/number.hpp"
#include "usda/number_list.hpp"

namespace sinew::usda {

/// What read_number_run() and its companions need of one instruction set.
struct NumberKernels {
  void (*read)(const ElementInfo& info, NumberRun& run) = nullptr;
  void (*survey_array)(const char* last, ArraySurvey& survey) = nullptr;
  void (*survey_text)(const char* first, const char* last, TextSurvey& survey) = nullptr;
};

/// The kernels of number_vector.cpp for a level; null members for scalar.
NumberKernels vector_number_kernels(SimdLevel level) noexcept;

/// Powers of ten that a double holds exactly.
inline constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Integers up to this are doubles.
inline constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53;

/// digits / 10^fraction, negated if asked; a zero too has its sign. One correctly rounded operation
/// on exact operands is correctly rounded: digits <= kExactIntegers, fraction <= 22.
/// @return True.
inline bool scale(std::uint64_t digits, std::size_t fraction, bool negative,
                  double& value) noexcept {
  const double magnitude =
      static_cast<double>(static_cast<std::int64_t>(digits)) / kExactPowers[fraction];
  // Signs of numbers that follow each other are hard to predict, so they are set without a branch.
  const std::uint64_t sign = std::uint64_t{negative} << 63;
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
  return true;
}

/// As above, rounded again, which is right unless it is an integer exactly between two floats,
/// where the digits that were rounded away decide. No fraction here is so long that the float could
/// be subnormal.
/// @return False if it may be wrong.
inline bool scale(std::uint64_t digits, std::size_t fraction, bool negative,
                  float& value) noexcept {
  double wide = 0.0;
  scale(digits, fraction, negative, wide);
  value = static_cast<float>(wide);
  return (std::bit_cast<std::uint64_t>(wide) & 0x1FFFFFFF) != 0x10000000;
}

/// Halves go through float, as they do everywhere in USD.
inline bool scale(std::uint64_t digits, std::size_t fraction, bool negative, Half& value) noexcept {
  float wide = 0.0F;
  if (!scale(digits, fraction, negative, wide)) return false;
  value = Half(wide);
  return true;
}

/// Integers of any number of digits: no fraction.
/// @return False if it is not within the type.
template <typename T>
bool scale(std::uint64_t digits, std::size_t, bool negative, T& value) noexcept {
  static_assert(std::is_integral_v<T>);
  if constexpr (std::is_unsigned_v<T>) {
    value = static_cast<T>(digits);
    return !negative && digits <= std::numeric_limits<T>::max();
  } else {
    value = static_cast<T>(negative ? std::uint64_t{0} - digits : digits);
    return digits <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + negative;
  }
}

/// The whole of [first, last): any number of digits, any exponent.
/// @return False if it is no number of that type, out of range, or an integer beyond 64 bits, which
///         the grammar's rules report.
// In number.cpp, so that they are not compiled for every instruction set.
bool convert_slowly(const char* first, const char* last, float& value) noexcept;
bool convert_slowly(const char* first, const char* last, double& value) noexcept;
bool convert_slowly(const char* first, const char* last, std::int64_t& value) noexcept;
bool convert_slowly(const char* first, const char* last, std::uint64_t& value) noexcept;

template <typename T>
requires std::is_integral_v<T>
bool convert_slowly(const char* first, const char* last, T& value) noexcept {
  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
  if (!convert_slowly(first, last, wide) || !std::in_range<T>(wide)) return false;
  value = static_cast<T>(wide);
  return true;
}

inline bool convert_slowly(const char* first, const char* last, Half& value) noexcept {
  float wide = 0.0F;
  if (!convert_slowly(first, last, wide)) return false;
  value = Half(wide);
  return true;
}

/// Behind the comma that follows the last number of an element, whose end is `p`.
inline const char* behind_comma(const char* p) noexcept {
  while (*p != ',') ++p;
  return p + 1;
}

/// Calls `f` with a null pointer to the stored type of a component; false if it is no number.
template <typename F>
bool with_component(ElementType component, F&& f) {
  switch (component) {
    case ElementType::half:
      return f(static_cast<Half*>(nullptr)), true;
    case ElementType::float_:
      return f(static_cast<float*>(nullptr)), true;
    case ElementType::double_:
      return f(static_cast<double*>(nullptr)), true;
    case ElementType::uchar:
      return f(static_cast<std::uint8_t*>(nullptr)), true;
    case ElementType::int_:
      return f(static_cast<std::int32_t*>(nullptr)), true;
    case ElementType::uint:
      return f(static_cast<std::uint32_t*>(nullptr)), true;
    case ElementType::int64:
      return f(static_cast<std::int64_t*>(nullptr)), true;
    case ElementType::uint64:
      return f(static_cast<std::uint64_t*>(nullptr)), true;
    default:
      return false;
  }
}

}  // namespace sinew::usda
