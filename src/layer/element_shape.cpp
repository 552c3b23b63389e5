// SPDX-License-Identifier: Apache-2.0
#include "layer/element_shape.hpp"

#include <algorithm>

namespace sinew::layer {

ElementType component_of(ElementType type) noexcept {
  using E = ElementType;
  switch (type) {
    case E::int2:
    case E::int3:
    case E::int4:
      return E::int_;
    case E::half2:
    case E::half3:
    case E::half4:
    case E::quath:
      return E::half;
    case E::float2:
    case E::float3:
    case E::float4:
    case E::quatf:
      return E::float_;
    case E::timecode:
    case E::double2:
    case E::double3:
    case E::double4:
    case E::quatd:
    case E::matrix2d:
    case E::matrix3d:
    case E::matrix4d:
      return E::double_;
    default:
      return type;
  }
}

std::size_t matrix_rows(ElementType type) noexcept {
  switch (type) {
    case ElementType::matrix2d:
      return 2;
    case ElementType::matrix3d:
      return 3;
    case ElementType::matrix4d:
      return 4;
    default:
      return 0;
  }
}

bool is_quaternion(ElementType type) noexcept {
  return type == ElementType::quath || type == ElementType::quatf || type == ElementType::quatd;
}

bool is_text(ElementType type) noexcept {
  return type == ElementType::string || type == ElementType::token || type == ElementType::asset ||
         type == ElementType::path_expression;
}

ElementShape shape_of(ElementType type) noexcept {
  if (is_text(type) || type == ElementType::bool_) return {};
  const std::size_t rows = matrix_rows(type);
  return {component_of(type), static_cast<std::uint32_t>(rows != 0 ? rows : component_count(type)),
          static_cast<std::uint32_t>(rows)};
}

void real_parts_last(ElementType component, std::byte* quaternions, std::size_t count) noexcept {
  const std::size_t size = element_size(component);
  for (std::byte* q = quaternions; count > 0; --count, q += 4 * size) {
    std::rotate(q, q + size, q + 4 * size);
  }
}

}  // namespace sinew::layer
