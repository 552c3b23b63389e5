// SPDX-License-Identifier: Apache-2.0
// Template bodies of value.hpp.
#pragma once

namespace sinew::layer {

namespace detail {

template <typename T>
inline constexpr ElementType kElementOf = ElementType::none;
template <>
inline constexpr ElementType kElementOf<bool> = ElementType::bool_;
template <>
inline constexpr ElementType kElementOf<std::uint8_t> = ElementType::uchar;
template <>
inline constexpr ElementType kElementOf<std::int32_t> = ElementType::int_;
template <>
inline constexpr ElementType kElementOf<std::uint32_t> = ElementType::uint;
template <>
inline constexpr ElementType kElementOf<std::int64_t> = ElementType::int64;
template <>
inline constexpr ElementType kElementOf<std::uint64_t> = ElementType::uint64;
template <>
inline constexpr ElementType kElementOf<Half> = ElementType::half;
template <>
inline constexpr ElementType kElementOf<float> = ElementType::float_;
template <>
inline constexpr ElementType kElementOf<double> = ElementType::double_;
template <>
inline constexpr ElementType kElementOf<Token> = ElementType::token;
template <>
inline constexpr ElementType kElementOf<Vector2i> = ElementType::int2;
template <>
inline constexpr ElementType kElementOf<Vector3i> = ElementType::int3;
template <>
inline constexpr ElementType kElementOf<Vector4i> = ElementType::int4;
template <>
inline constexpr ElementType kElementOf<Vector2h> = ElementType::half2;
template <>
inline constexpr ElementType kElementOf<Vector3h> = ElementType::half3;
template <>
inline constexpr ElementType kElementOf<Vector4h> = ElementType::half4;
template <>
inline constexpr ElementType kElementOf<Vector2f> = ElementType::float2;
template <>
inline constexpr ElementType kElementOf<Vector3f> = ElementType::float3;
template <>
inline constexpr ElementType kElementOf<Vector4f> = ElementType::float4;
template <>
inline constexpr ElementType kElementOf<Vector2d> = ElementType::double2;
template <>
inline constexpr ElementType kElementOf<Vector3d> = ElementType::double3;
template <>
inline constexpr ElementType kElementOf<Vector4d> = ElementType::double4;
template <>
inline constexpr ElementType kElementOf<Quath> = ElementType::quath;
template <>
inline constexpr ElementType kElementOf<Quatf> = ElementType::quatf;
template <>
inline constexpr ElementType kElementOf<Quatd> = ElementType::quatd;
template <>
inline constexpr ElementType kElementOf<Matrix2d> = ElementType::matrix2d;
template <>
inline constexpr ElementType kElementOf<Matrix3d> = ElementType::matrix3d;
template <>
inline constexpr ElementType kElementOf<Matrix4d> = ElementType::matrix4d;

}  // namespace detail

template <typename T>
constexpr bool stores_as(ElementType type) noexcept {
  using E = ElementType;
  if constexpr (std::is_same_v<T, Token>) {
    return type == E::string || type == E::token || type == E::asset ||
           type == E::path_expression || type == E::path || type == E::source_text;
  } else if constexpr (std::is_same_v<T, double>) {
    return type == E::double_ || type == E::timecode;
  } else {
    static_assert(detail::kElementOf<T> != E::none, "not a type that values are stored as");
    return type == detail::kElementOf<T>;
  }
}

template <typename T>
Value Value::scalar(ElementType type, const T& value) {
  SINEW_ASSERT(stores_as<T>(type));
  return scalar_from_bytes(type, &value, sizeof(T));
}

template <typename T>
Value Value::array(ElementType type, std::span<const T> elements) {
  SINEW_ASSERT(stores_as<T>(type));
  return array_from_buffer(type, Buffer::copy_of(std::as_bytes(elements)));
}

template <typename T>
std::optional<T> Value::get() const {
  if (is_array_ || !stores_as<T>(type_)) return std::nullopt;
  T result;
  std::memcpy(static_cast<void*>(&result), data(), sizeof(T));
  return result;
}

template <typename T>
std::span<const T> Value::as_array() const noexcept {
  if (!is_array_ || !stores_as<T>(type_)) return {};
  const Buffer& buffer = elements();
  return {reinterpret_cast<const T*>(buffer.data()), buffer.size() / sizeof(T)};
}

}  // namespace sinew::layer
