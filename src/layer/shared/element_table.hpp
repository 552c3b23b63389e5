// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/core/assert.hpp"
#include "sinew/core/token.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/layer/value_type.hpp"

namespace sinew::layer {

/// What the elements of a type are made of.
enum class ElementForm : std::uint8_t {
  special,     ///< A shared object, or a mark without contents.
  text,        ///< A Token.
  number,      ///< One number or bool.
  vector,      ///< `columns` numbers.
  quaternion,  ///< Four numbers, the real part last.
  matrix,      ///< `rows` times `columns` numbers, row by row.
};

/// What an ElementType is.
struct ElementInfo {
  ElementType type = ElementType::none;
  ElementForm form = ElementForm::special;
  ElementType component = ElementType::none;  ///< Type of one number; none where there is none.
  std::uint8_t rows = 0;                      ///< Of a matrix, else 0.
  std::uint8_t columns = 0;                   ///< Numbers in a row; 0 where there are none.
  std::uint8_t size = 0;                      ///< Bytes of one element; 0 without fixed size.
  bool interpolates = false;                  ///< Between samples, linearly or by slerp.

  constexpr std::size_t numbers() const noexcept {
    return std::size_t{columns} * (rows == 0 ? 1 : rows);
  }
};

namespace element_table {

using E = ElementType;

constexpr ElementInfo special(E type) noexcept {
  return {.type = type};
}
constexpr ElementInfo text(E type) noexcept {
  return {.type = type, .form = ElementForm::text, .size = sizeof(Token)};
}
// Stored as T. Its component is `component` where several types are stored alike.
template <typename T>
constexpr ElementInfo number(E type, E component) noexcept {
  const bool is_real = component == E::half || component == E::float_ || component == E::double_;
  return {.type = type,
          .form = ElementForm::number,
          .component = component,
          .columns = 1,
          .size = sizeof(T),
          .interpolates = is_real};
}
template <typename T>
constexpr ElementInfo number(E type) noexcept {
  return number<T>(type, type);
}
constexpr ElementInfo rows_of(E type, ElementForm form, const ElementInfo& component,
                              std::uint8_t rows, std::uint8_t columns) noexcept {
  ElementInfo info{.type = type,
                   .form = form,
                   .component = component.component,
                   .rows = rows,
                   .columns = columns,
                   .interpolates = component.interpolates};
  info.size = static_cast<std::uint8_t>(info.numbers() * component.size);
  return info;
}
constexpr ElementInfo vector(E type, const ElementInfo& component, std::uint8_t count) noexcept {
  return rows_of(type, ElementForm::vector, component, 0, count);
}
constexpr ElementInfo quaternion(E type, const ElementInfo& component) noexcept {
  return rows_of(type, ElementForm::quaternion, component, 0, 4);
}

inline constexpr ElementInfo kInt = number<std::int32_t>(E::int_);
inline constexpr ElementInfo kHalf = number<Half>(E::half);
inline constexpr ElementInfo kFloat = number<float>(E::float_);
inline constexpr ElementInfo kDouble = number<double>(E::double_);

constexpr ElementInfo matrix(E type, std::uint8_t size) noexcept {
  return rows_of(type, ElementForm::matrix, kDouble, size, size);
}

// In the order of ElementType.
inline constexpr std::array kRows = {
    special(E::none),
    number<bool>(E::bool_),
    number<std::uint8_t>(E::uchar),
    kInt,
    number<std::uint32_t>(E::uint),
    number<std::int64_t>(E::int64),
    number<std::uint64_t>(E::uint64),
    kHalf,
    kFloat,
    kDouble,
    number<double>(E::timecode, E::double_),
    text(E::string),
    text(E::token),
    text(E::asset),
    text(E::path_expression),
    vector(E::int2, kInt, 2),
    vector(E::int3, kInt, 3),
    vector(E::int4, kInt, 4),
    vector(E::half2, kHalf, 2),
    vector(E::half3, kHalf, 3),
    vector(E::half4, kHalf, 4),
    vector(E::float2, kFloat, 2),
    vector(E::float3, kFloat, 3),
    vector(E::float4, kFloat, 4),
    vector(E::double2, kDouble, 2),
    vector(E::double3, kDouble, 3),
    vector(E::double4, kDouble, 4),
    quaternion(E::quath, kHalf),
    quaternion(E::quatf, kFloat),
    quaternion(E::quatd, kDouble),
    matrix(E::matrix2d, 2),
    matrix(E::matrix3d, 3),
    matrix(E::matrix4d, 4),
    special(E::dictionary),
    special(E::list_op),
    special(E::token_list_op),
    text(E::path),
    special(E::array_edit),
    special(E::block),
    special(E::animation_block),
    text(E::unregistered),
};

constexpr bool is_in_order() noexcept {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].type) != i) return false;
  }
  return static_cast<std::size_t>(E::unregistered) + 1 == kRows.size();
}
static_assert(is_in_order());

// Whether the row of the type that T is stored as has the size of T.
template <typename... T>
constexpr bool has_sizes_of() noexcept {
  return ((kRows[static_cast<std::size_t>(detail::kElementOf<T>)].size == sizeof(T)) && ...);
}
static_assert(has_sizes_of<bool, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t,
                           std::uint64_t, Half, float, double, Token>());
static_assert(has_sizes_of<Vector2i, Vector3i, Vector4i, Vector2h, Vector3h, Vector4h, Vector2f,
                           Vector3f, Vector4f, Vector2d, Vector3d, Vector4d>());
static_assert(has_sizes_of<Quath, Quatf, Quatd, Matrix2d, Matrix3d, Matrix4d>());

}  // namespace element_table

constexpr const ElementInfo& info_of(ElementType type) noexcept {
  return element_table::kRows[static_cast<std::size_t>(type)];
}

/// The type whose elements are stored as T, the plainest of several: double for double.
template <typename T>
inline constexpr ElementType kElementOf = detail::kElementOf<T>;

inline bool is_quaternion(ElementType type) noexcept {
  return info_of(type).form == ElementForm::quaternion;
}

/// Whether elements are Tokens.
inline bool is_text(ElementType type) noexcept {
  return info_of(type).form == ElementForm::text;
}

/// Moves the real part of quaternions, which text writes first, to the end, where memory has it.
void real_parts_last(ElementType component, std::byte* quaternions, std::size_t count) noexcept;

/// Calls `f` with a zero of the C++ type that numbers of a component type are stored as, and
/// returns what it returns. The type must be that of a number other than bool.
template <typename F>
constexpr auto with_number(ElementType component, F&& f) {
  switch (component) {
    case ElementType::uchar:
      return f(std::uint8_t{});
    case ElementType::int_:
      return f(std::int32_t{});
    case ElementType::uint:
      return f(std::uint32_t{});
    case ElementType::int64:
      return f(std::int64_t{});
    case ElementType::uint64:
      return f(std::uint64_t{});
    case ElementType::half:
      return f(Half{});
    case ElementType::float_:
      return f(float{});
    default:
      SINEW_ASSERT(component == ElementType::double_);
      return f(double{});
  }
}

}  // namespace sinew::layer
