// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/core/export.hpp"

namespace sinew::layer {

/// How one element of a value is stored. Roles (point, color, ...) share the storage of the plain
/// vector: point3f, color3f and float3 are all float3 here.
enum class ElementType : std::uint8_t {
  none,             ///< No value at all.
  bool_,            ///< bool, one byte.
  uchar,            ///< std::uint8_t.
  int_,             ///< std::int32_t.
  uint,             ///< std::uint32_t.
  int64,            ///< std::int64_t.
  uint64,           ///< std::uint64_t.
  half,             ///< Half.
  float_,           ///< float.
  double_,          ///< double.
  timecode,         ///< double; scaled by layer offsets.
  string,           ///< Token.
  token,            ///< Token.
  asset,            ///< Token: the authored path.
  path_expression,  ///< Token: the expression's text, paths made absolute.
  int2,
  int3,
  int4,
  half2,
  half3,
  half4,
  float2,
  float3,
  float4,
  double2,
  double3,
  double4,
  quath,
  quatf,
  quatd,
  matrix2d,
  matrix3d,
  matrix4d,
  dictionary,       ///< Dictionary.
  list_op,          ///< ListOp<Value>.
  token_list_op,    ///< ListOp<Token>.
  path,             ///< Token: the text of a path that stands for a value.
  array_edit,       ///< ArrayEdit.
  block,            ///< `None`: hides weaker opinions.
  animation_block,  ///< `AnimationBlock`: hides weaker animation only.
  unregistered,     ///< Token: a value of unknown type, as .usda spells it.
};

/// What a type name like "point3f[]" means.
struct ValueType {
  ElementType element = ElementType::none;  ///< none: unknown, opaque or group.
  bool is_array = false;                    ///< Whether the name ends in "[]".
  bool is_opaque = false;                   ///< opaque or group: declared, never given a value.
  std::string_view role;                    ///< "Point", "Color", "Frame", ..., or empty.

  /// Whether USD knows the name; opaque types are known and take no value.
  bool known() const noexcept { return element != ElementType::none || is_opaque; }
};

/// Looks up a type name, legacy spellings included ("Vec3f", "PointFloat"), with or without "[]".
/// @return known() is false for any other name. O(1).
SINEW_API ValueType find_value_type(std::string_view name) noexcept;

/// The current spelling: "Vec3f[]" gives "float3[]"; unknown names are returned unchanged. The
/// result is a literal or `name` itself.
SINEW_API std::string_view modern_type_name(std::string_view name) noexcept;

/// How a type is called that has no role: "float3", or "float3[]" for arrays. What no attribute can
/// be declared as has a name too: "path", "dictionary", "list edit", "array edit", "None".
SINEW_API std::string_view plain_type_name(ElementType type, bool is_array) noexcept;

/// Bytes of one stored element; 0 for types without a fixed size.
SINEW_API std::size_t element_size(ElementType type) noexcept;

/// Numbers in one element: 3 for float3, 16 for matrix4d, 1 for scalars; 0 for non-numeric types.
SINEW_API std::size_t component_count(ElementType type) noexcept;

/// Whether values of this type interpolate linearly (floats, vectors of floats, matrices, timecode,
/// and quaternions by slerp). Everything else is held.
SINEW_API bool interpolates(ElementType type) noexcept;

}  // namespace sinew::layer
