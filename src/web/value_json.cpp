// SPDX-License-Identifier: Apache-2.0
#include "web/value_json.hpp"

#include <optional>
#include <span>
#include <type_traits>

namespace sinew::web {

namespace {

using E = layer::ElementType;

template <typename T>
void write_item(JsonWriter& json, const T& item) {
  if constexpr (std::is_same_v<T, Token>) {
    json.value(item.view());
  } else if constexpr (std::is_same_v<T, Quath>) {
    json.value(Quatf(item.template cast<float>()));
  } else if constexpr (std::is_same_v<T, Vector2h> || std::is_same_v<T, Vector3h> ||
                       std::is_same_v<T, Vector4h>) {
    json.begin_array();
    for (int i = 0; i < item.size(); ++i) json.value(static_cast<float>(item[i]));
    json.end_array();
  } else {
    json.value(item);
  }
}

template <typename T>
void write_typed(JsonWriter& json, const layer::Value& value) {
  if (value.is_array()) {
    json.begin_array();
    for (const T& item : value.as_array<T>()) write_item(json, item);
    json.end_array();
  } else if (const std::optional<T> scalar = value.get<T>()) {
    write_item(json, *scalar);
  } else {
    json.null();
  }
}

void write_items(JsonWriter& json, const layer::ListOp<Token>& op) {
  for (const auto* group : {&op.explicit_items, &op.prepended, &op.appended}) {
    for (const Token& item : *group) json.value(item.view());
  }
}

void write_items(JsonWriter& json, const layer::ListOp<layer::Value>& op) {
  for (const auto* group : {&op.explicit_items, &op.prepended, &op.appended}) {
    for (const layer::Value& item : *group) write_value(json, item);
  }
}

void write_special(JsonWriter& json, const layer::Value& value) {
  if (const layer::Dictionary* dictionary = value.as_dictionary()) {
    json.begin_object();
    for (const layer::DictionaryEntry& entry : *dictionary) {
      json.key(entry.key.view());
      write_value(json, entry.value);
    }
    json.end_object();
    return;
  }
  json.begin_array();
  if (const auto* names = value.as_token_list_op()) write_items(json, *names);
  if (const auto* values = value.as_list_op()) write_items(json, *values);
  json.end_array();
}

}  // namespace

NumberKind number_kind(const layer::Value& value) noexcept {
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

void write_value(JsonWriter& json, const layer::Value& value) {
  // clang-format off
  switch (value.type()) {
    case E::none: case E::block: case E::animation_block: case E::array_edit: json.null(); break;
    case E::bool_: write_typed<bool>(json, value); break;
    case E::uchar: write_typed<std::uint8_t>(json, value); break;
    case E::int_: write_typed<std::int32_t>(json, value); break;
    case E::uint: write_typed<std::uint32_t>(json, value); break;
    case E::int64: write_typed<std::int64_t>(json, value); break;
    case E::uint64: write_typed<std::uint64_t>(json, value); break;
    case E::half: write_typed<Half>(json, value); break;
    case E::float_: write_typed<float>(json, value); break;
    case E::double_: case E::timecode: write_typed<double>(json, value); break;
    case E::string: case E::token: case E::asset: case E::path_expression: case E::path:
    case E::unregistered: write_typed<Token>(json, value); break;
    case E::int2: write_typed<Vector2i>(json, value); break;
    case E::int3: write_typed<Vector3i>(json, value); break;
    case E::int4: write_typed<Vector4i>(json, value); break;
    case E::half2: write_typed<Vector2h>(json, value); break;
    case E::half3: write_typed<Vector3h>(json, value); break;
    case E::half4: write_typed<Vector4h>(json, value); break;
    case E::float2: write_typed<Vector2f>(json, value); break;
    case E::float3: write_typed<Vector3f>(json, value); break;
    case E::float4: write_typed<Vector4f>(json, value); break;
    case E::double2: write_typed<Vector2d>(json, value); break;
    case E::double3: write_typed<Vector3d>(json, value); break;
    case E::double4: write_typed<Vector4d>(json, value); break;
    case E::quath: write_typed<Quath>(json, value); break;
    case E::quatf: write_typed<Quatf>(json, value); break;
    case E::quatd: write_typed<Quatd>(json, value); break;
    case E::matrix2d: write_typed<Matrix2d>(json, value); break;
    case E::matrix3d: write_typed<Matrix3d>(json, value); break;
    case E::matrix4d: write_typed<Matrix4d>(json, value); break;
    case E::dictionary: case E::list_op: case E::token_list_op: write_special(json, value); break;
  }
  // clang-format on
}

}  // namespace sinew::web
