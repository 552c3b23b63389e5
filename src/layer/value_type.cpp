// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/value_type.hpp"

#include <algorithm>
#include <iterator>

#include "layer/shared/element_table.hpp"

namespace sinew::layer {

namespace {

struct NamedType {
  std::string_view name;
  std::string_view modern;
  std::string_view modern_array;
  ElementType element;
  std::string_view role;
};

#define SINEW_TYPE(name, modern, element, role) \
  { name, modern, modern "[]", ElementType::element, role }

// Sorted by name, so that look-up is a binary search over a few dozen entries.
constexpr NamedType kTypes[] = {
    SINEW_TYPE("Color", "color3d", double3, "Color"),
    SINEW_TYPE("ColorFloat", "color3f", float3, "Color"),
    SINEW_TYPE("EdgeIndex", "int", int_, "EdgeIndex"),
    SINEW_TYPE("FaceIndex", "int", int_, "FaceIndex"),
    SINEW_TYPE("Frame", "frame4d", matrix4d, "Frame"),
    SINEW_TYPE("Matrix2d", "matrix2d", matrix2d, ""),
    SINEW_TYPE("Matrix3d", "matrix3d", matrix3d, ""),
    SINEW_TYPE("Matrix4d", "matrix4d", matrix4d, ""),
    SINEW_TYPE("Normal", "normal3d", double3, "Normal"),
    SINEW_TYPE("NormalFloat", "normal3f", float3, "Normal"),
    SINEW_TYPE("Point", "point3d", double3, "Point"),
    SINEW_TYPE("PointFloat", "point3f", float3, "Point"),
    SINEW_TYPE("PointIndex", "int", int_, "PointIndex"),
    SINEW_TYPE("Quatd", "quatd", quatd, ""),
    SINEW_TYPE("Quatf", "quatf", quatf, ""),
    SINEW_TYPE("Quath", "quath", quath, ""),
    SINEW_TYPE("Schema", "token", token, ""),
    SINEW_TYPE("Transform", "matrix4d", matrix4d, "Transform"),
    SINEW_TYPE("Vec2d", "double2", double2, ""),
    SINEW_TYPE("Vec2f", "float2", float2, ""),
    SINEW_TYPE("Vec2h", "half2", half2, ""),
    SINEW_TYPE("Vec2i", "int2", int2, ""),
    SINEW_TYPE("Vec3d", "double3", double3, ""),
    SINEW_TYPE("Vec3f", "float3", float3, ""),
    SINEW_TYPE("Vec3h", "half3", half3, ""),
    SINEW_TYPE("Vec3i", "int3", int3, ""),
    SINEW_TYPE("Vec4d", "double4", double4, ""),
    SINEW_TYPE("Vec4f", "float4", float4, ""),
    SINEW_TYPE("Vec4h", "half4", half4, ""),
    SINEW_TYPE("Vec4i", "int4", int4, ""),
    SINEW_TYPE("Vector", "vector3d", double3, "Vector"),
    SINEW_TYPE("VectorFloat", "vector3f", float3, "Vector"),
    SINEW_TYPE("asset", "asset", asset, ""),
    SINEW_TYPE("bool", "bool", bool_, ""),
    SINEW_TYPE("color3d", "color3d", double3, "Color"),
    SINEW_TYPE("color3f", "color3f", float3, "Color"),
    SINEW_TYPE("color3h", "color3h", half3, "Color"),
    SINEW_TYPE("color4d", "color4d", double4, "Color"),
    SINEW_TYPE("color4f", "color4f", float4, "Color"),
    SINEW_TYPE("color4h", "color4h", half4, "Color"),
    SINEW_TYPE("double", "double", double_, ""),
    SINEW_TYPE("double2", "double2", double2, ""),
    SINEW_TYPE("double3", "double3", double3, ""),
    SINEW_TYPE("double4", "double4", double4, ""),
    SINEW_TYPE("float", "float", float_, ""),
    SINEW_TYPE("float2", "float2", float2, ""),
    SINEW_TYPE("float3", "float3", float3, ""),
    SINEW_TYPE("float4", "float4", float4, ""),
    SINEW_TYPE("frame4d", "frame4d", matrix4d, "Frame"),
    SINEW_TYPE("group", "group", none, "Group"),
    SINEW_TYPE("half", "half", half, ""),
    SINEW_TYPE("half2", "half2", half2, ""),
    SINEW_TYPE("half3", "half3", half3, ""),
    SINEW_TYPE("half4", "half4", half4, ""),
    SINEW_TYPE("int", "int", int_, ""),
    SINEW_TYPE("int2", "int2", int2, ""),
    SINEW_TYPE("int3", "int3", int3, ""),
    SINEW_TYPE("int4", "int4", int4, ""),
    SINEW_TYPE("int64", "int64", int64, ""),
    SINEW_TYPE("matrix2d", "matrix2d", matrix2d, ""),
    SINEW_TYPE("matrix3d", "matrix3d", matrix3d, ""),
    SINEW_TYPE("matrix4d", "matrix4d", matrix4d, ""),
    SINEW_TYPE("normal3d", "normal3d", double3, "Normal"),
    SINEW_TYPE("normal3f", "normal3f", float3, "Normal"),
    SINEW_TYPE("normal3h", "normal3h", half3, "Normal"),
    SINEW_TYPE("opaque", "opaque", none, ""),
    SINEW_TYPE("pathExpression", "pathExpression", path_expression, ""),
    SINEW_TYPE("point3d", "point3d", double3, "Point"),
    SINEW_TYPE("point3f", "point3f", float3, "Point"),
    SINEW_TYPE("point3h", "point3h", half3, "Point"),
    SINEW_TYPE("quatd", "quatd", quatd, ""),
    SINEW_TYPE("quatf", "quatf", quatf, ""),
    SINEW_TYPE("quath", "quath", quath, ""),
    SINEW_TYPE("string", "string", string, ""),
    SINEW_TYPE("texCoord2d", "texCoord2d", double2, "TextureCoordinate"),
    SINEW_TYPE("texCoord2f", "texCoord2f", float2, "TextureCoordinate"),
    SINEW_TYPE("texCoord2h", "texCoord2h", half2, "TextureCoordinate"),
    SINEW_TYPE("texCoord3d", "texCoord3d", double3, "TextureCoordinate"),
    SINEW_TYPE("texCoord3f", "texCoord3f", float3, "TextureCoordinate"),
    SINEW_TYPE("texCoord3h", "texCoord3h", half3, "TextureCoordinate"),
    SINEW_TYPE("timecode", "timecode", timecode, ""),
    SINEW_TYPE("token", "token", token, ""),
    SINEW_TYPE("uchar", "uchar", uchar, ""),
    SINEW_TYPE("uint", "uint", uint, ""),
    SINEW_TYPE("uint64", "uint64", uint64, ""),
    SINEW_TYPE("vector3d", "vector3d", double3, "Vector"),
    SINEW_TYPE("vector3f", "vector3f", float3, "Vector"),
    SINEW_TYPE("vector3h", "vector3h", half3, "Vector"),
};
#undef SINEW_TYPE

constexpr bool by_name(const NamedType& a, const NamedType& b) {
  return a.name < b.name;
}
static_assert(std::is_sorted(std::begin(kTypes), std::end(kTypes), by_name));

const NamedType* find_named(std::string_view name) noexcept {
  const auto* found =
      std::lower_bound(std::begin(kTypes), std::end(kTypes), name,
                       [](const NamedType& type, std::string_view n) { return type.name < n; });
  return found != std::end(kTypes) && found->name == name ? found : nullptr;
}

bool strip_array(std::string_view& name) noexcept {
  if (!name.ends_with("[]")) return false;
  name.remove_suffix(2);
  return true;
}

}  // namespace

ValueType find_value_type(std::string_view name) noexcept {
  const bool is_array = strip_array(name);
  const NamedType* found = find_named(name);
  if (found == nullptr) return {};
  const bool is_opaque = found->element == ElementType::none;
  if (is_opaque && is_array) return {};  // There are no arrays of opaque.
  return {found->element, is_array, is_opaque, found->role};
}

std::string_view modern_type_name(std::string_view name) noexcept {
  std::string_view element = name;
  const bool is_array = strip_array(element);
  const NamedType* found = find_named(element);
  if (found == nullptr) return name;
  if (found->element == ElementType::none) return name;
  return is_array ? found->modern_array : found->modern;
}

std::string_view plain_type_name(ElementType type, bool is_array) noexcept {
  switch (type) {
    case ElementType::none:
      return "no value";
    case ElementType::dictionary:
      return "dictionary";
    case ElementType::list_op:
    case ElementType::token_list_op:
      return "list edit";
    case ElementType::path:
      return "path";
    case ElementType::array_edit:
      return "array edit";
    case ElementType::block:
      return "None";
    case ElementType::animation_block:
      return "AnimationBlock";
    case ElementType::unregistered:
      return "unknown";
    default:
      break;
  }
  const auto* const found = std::find_if(
      std::begin(kTypes), std::end(kTypes),
      [&](const NamedType& named) { return named.element == type && named.role.empty(); });
  return is_array ? found->modern_array : found->modern;
}

std::size_t element_size(ElementType type) noexcept {
  return info_of(type).size;
}

std::size_t component_count(ElementType type) noexcept {
  return info_of(type).numbers();
}

bool interpolates(ElementType type) noexcept {
  return info_of(type).interpolates;
}

}  // namespace sinew::layer
