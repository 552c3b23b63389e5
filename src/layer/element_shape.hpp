// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "layer/element_table.hpp"

namespace sinew::layer {

/// How the numbers of one element stand in the text.
struct ElementShape {
  ElementType component = ElementType::none;  ///< Type of one number; none: not made of numbers.
  std::uint32_t columns = 1;                  ///< Numbers in a tuple; 1 without parentheses.
  std::uint32_t rows = 0;                     ///< Tuples in a matrix; 0 if it is not a matrix.

  std::size_t numbers() const noexcept { return std::size_t{columns} * (rows == 0 ? 1 : rows); }
};

/// The shape of a type, e.g. {float_, 3, 0} for float3. bool is not made of numbers: words count.
ElementShape shape_of(ElementType type) noexcept;

inline bool is_quaternion(ElementType type) noexcept {
  return info_of(type).form == ElementForm::quaternion;
}

/// Whether elements are Tokens.
inline bool is_text(ElementType type) noexcept {
  return info_of(type).form == ElementForm::text;
}

/// Moves the real part of quaternions, which text writes first, to the end, where memory has it.
void real_parts_last(ElementType component, std::byte* quaternions, std::size_t count) noexcept;

}  // namespace sinew::layer
