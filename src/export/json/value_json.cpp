// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <span>
#include <type_traits>

#include "sinew/export/json.hpp"

namespace sinew::exporter {

namespace {

template <typename T>
void write_item(JsonSink& json, const T& item) {
  if constexpr (std::is_same_v<T, Token>) {
    json.text(item.view());
  } else {
    json.value(item);
  }
}

template <typename T>
void write_typed(JsonSink& json, const layer::Value& value) {
  if (value.is_array()) {
    const std::span<const T> items = value.as_array<T>();
    json.begin_array(items.size());
    for (const T& item : items) write_item(json, item);
    json.end_array();
  } else if (const std::optional<T> scalar = value.get<T>()) {
    write_item(json, *scalar);
  } else {
    json.null();
  }
}

void write_item(JsonSink& json, const layer::Value& item) {
  write_value_json(json, item);
}

template <typename T>
void write_items(JsonSink& json, const layer::ListOp<T>& op) {
  json.begin_array();
  for (const auto* group : {&op.explicit_items, &op.prepended, &op.added, &op.appended}) {
    for (const T& item : *group) write_item(json, item);
  }
  json.end_array();
}

void write_special(JsonSink& json, const layer::Value& value) {
  if (const layer::Dictionary* dictionary = value.as_dictionary()) {
    json.begin_object();
    for (const layer::DictionaryEntry& entry : *dictionary) {
      json.key(entry.key.view());
      write_value_json(json, entry.value);
    }
    json.end_object();
  } else if (const auto* names = value.as_token_list_op()) {
    write_items(json, *names);
  } else if (const auto* values = value.as_list_op()) {
    write_items(json, *values);
  } else {
    json.null();
  }
}

}  // namespace

void write_value_json(JsonSink& json, const layer::Value& value) {
  using E = layer::ElementType;
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

}  // namespace sinew::exporter
