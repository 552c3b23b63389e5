// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <optional>

namespace sinew::tool {

namespace {

template <typename T>
Json array_to_json(const layer::Value& value) {
  const std::span<const T> elements = value.as_array<T>();
  Json list = Json::array();
  list.get_ref<Json::array_t&>().reserve(elements.size());
  for (const T& element : elements) {
    if constexpr (std::is_same_v<T, Token>) {
      list.push_back(std::string(element.view()));
    } else if constexpr (std::is_integral_v<T>) {
      list.push_back(element);
    } else {
      list.push_back(to_json(element));
    }
  }
  return list;
}

template <typename T>
Json typed_to_json(const layer::Value& value) {
  if (value.is_array()) return array_to_json<T>(value);
  const std::optional<T> scalar = value.get<T>();
  if (!scalar) return nullptr;
  if constexpr (std::is_same_v<T, Token>) {
    return std::string(scalar->view());
  } else if constexpr (std::is_integral_v<T>) {
    return *scalar;
  } else {
    return to_json(*scalar);
  }
}

Json special_to_json(const layer::Value& value) {
  if (const layer::Dictionary* dictionary = value.as_dictionary()) {
    Json object = Json::object();
    for (const layer::DictionaryEntry& entry : *dictionary) {
      object[entry.key.str()] = to_json(entry.value);
    }
    return object;
  }
  const auto items = [](const auto& op) {
    Json list = Json::array();
    for (const auto* group : {&op.explicit_items, &op.prepended, &op.appended}) {
      for (const auto& item : *group) {
        if constexpr (std::is_same_v<std::decay_t<decltype(item)>, Token>) {
          list.push_back(item.str());
        } else {
          list.push_back(to_json(item));
        }
      }
    }
    return list;
  };
  if (const auto* op = value.as_token_list_op()) return items(*op);
  if (const auto* op = value.as_list_op()) return items(*op);
  return nullptr;
}

}  // namespace

Json to_json(const layer::Value& value) {
  using E = layer::ElementType;
  // clang-format off
  switch (value.type()) {
    case E::none: case E::block: case E::animation_block: case E::array_edit: return nullptr;
    case E::bool_: return typed_to_json<bool>(value);
    case E::uchar: return typed_to_json<std::uint8_t>(value);
    case E::int_: return typed_to_json<std::int32_t>(value);
    case E::uint: return typed_to_json<std::uint32_t>(value);
    case E::int64: return typed_to_json<std::int64_t>(value);
    case E::uint64: return typed_to_json<std::uint64_t>(value);
    case E::half: return typed_to_json<Half>(value);
    case E::float_: return typed_to_json<float>(value);
    case E::double_: case E::timecode: return typed_to_json<double>(value);
    case E::string: case E::token: case E::asset: case E::path_expression: case E::path:
    case E::unregistered: return typed_to_json<Token>(value);
    case E::int2: return typed_to_json<Vector2i>(value);
    case E::int3: return typed_to_json<Vector3i>(value);
    case E::int4: return typed_to_json<Vector4i>(value);
    case E::half2: return typed_to_json<Vector2h>(value);
    case E::half3: return typed_to_json<Vector3h>(value);
    case E::half4: return typed_to_json<Vector4h>(value);
    case E::float2: return typed_to_json<Vector2f>(value);
    case E::float3: return typed_to_json<Vector3f>(value);
    case E::float4: return typed_to_json<Vector4f>(value);
    case E::double2: return typed_to_json<Vector2d>(value);
    case E::double3: return typed_to_json<Vector3d>(value);
    case E::double4: return typed_to_json<Vector4d>(value);
    case E::quath: return typed_to_json<Quath>(value);
    case E::quatf: return typed_to_json<Quatf>(value);
    case E::quatd: return typed_to_json<Quatd>(value);
    case E::matrix2d: return typed_to_json<Matrix2d>(value);
    case E::matrix3d: return typed_to_json<Matrix3d>(value);
    case E::matrix4d: return typed_to_json<Matrix4d>(value);
    case E::dictionary: case E::list_op: case E::token_list_op: return special_to_json(value);
  }
  // clang-format on
  return nullptr;
}

}  // namespace sinew::tool
