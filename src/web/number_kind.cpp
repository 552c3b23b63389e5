// SPDX-License-Identifier: Apache-2.0
#include "web/number_kind.hpp"

namespace sinew::web {

NumberKind number_kind(const layer::Value& value) noexcept {
  using E = layer::ElementType;
  if (!value.is_array()) return NumberKind::none;
  switch (value.type()) {
    case E::float_:
    case E::float2:
    case E::float3:
    case E::float4:
      return NumberKind::float32;
    case E::double_:
    case E::timecode:
    case E::double2:
    case E::double3:
    case E::double4:
    case E::matrix2d:
    case E::matrix3d:
    case E::matrix4d:
      return NumberKind::float64;
    case E::int_:
    case E::int2:
    case E::int3:
    case E::int4:
      return NumberKind::int32;
    case E::uint:
      return NumberKind::uint32;
    case E::uchar:
      return NumberKind::uint8;
    default:
      return NumberKind::none;  // Quaternions too, whose order in memory is another one.
  }
}

}  // namespace sinew::web
