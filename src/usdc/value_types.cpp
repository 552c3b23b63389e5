// SPDX-License-Identifier: Apache-2.0
#include "usdc/value_types.hpp"

#include <array>

#include "layer/shared/element_table.hpp"
#include "sinew/core/types.hpp"

namespace sinew::usdc {

namespace {

using E = layer::ElementType;
using Form = TypeInfo::Form;

constexpr std::size_t kTypeCount = 61;

constexpr TypeInfo plain(E element, std::string_view name, bool is_always_inlined = false) {
  return {Form::plain, is_always_inlined, element, layer::info_of(element).size, name};
}
constexpr TypeInfo text(E element, std::string_view name, bool is_always_inlined) {
  return {Form::text, is_always_inlined, element, sizeof(std::uint32_t), name};
}
constexpr TypeInfo composite(std::string_view name, bool is_always_inlined = false) {
  return {Form::composite, is_always_inlined, E::none, 0, name};
}

// By type number.
constexpr std::array<TypeInfo, kTypeCount> kInfos = {{
    {},
    plain(E::bool_, "bool", true),
    plain(E::uchar, "uchar", true),
    plain(E::int_, "int", true),
    plain(E::uint, "uint", true),
    plain(E::int64, "int64"),
    plain(E::uint64, "uint64"),
    plain(E::half, "half", true),
    plain(E::float_, "float", true),
    plain(E::double_, "double"),
    text(E::string, "string", true),
    text(E::token, "token", true),
    text(E::asset, "asset", true),
    plain(E::matrix2d, "matrix2d"),
    plain(E::matrix3d, "matrix3d"),
    plain(E::matrix4d, "matrix4d"),
    plain(E::quatd, "quatd"),
    plain(E::quatf, "quatf"),
    plain(E::quath, "quath"),
    plain(E::double2, "double2"),
    plain(E::float2, "float2"),
    plain(E::half2, "half2", true),
    plain(E::int2, "int2"),
    plain(E::double3, "double3"),
    plain(E::float3, "float3"),
    plain(E::half3, "half3"),
    plain(E::int3, "int3"),
    plain(E::double4, "double4"),
    plain(E::float4, "float4"),
    plain(E::half4, "half4"),
    plain(E::int4, "int4"),
    composite("dictionary"),
    composite("token list edits"),
    composite("string list edits"),
    composite("path list edits"),
    composite("reference list edits"),
    composite("int list edits"),
    composite("int64 list edits"),
    composite("uint list edits"),
    composite("uint64 list edits"),
    composite("paths"),
    composite("tokens"),
    composite("specifier", true),
    composite("permission", true),
    composite("variability", true),
    composite("variant selections"),
    composite("time samples"),
    composite("payload"),
    composite("doubles"),
    composite("layer offsets"),
    composite("strings"),
    composite("None", true),
    composite("value"),
    composite("unregistered value"),
    composite("unregistered list edits"),
    composite("payload list edits"),
    plain(E::timecode, "timecode"),
    text(E::path_expression, "pathExpression", false),
    composite("relocates"),
    composite("spline"),
    composite("AnimationBlock", true),
}};
static_assert(sizeof(bool) == 1, "files hold bools as one byte");
static_assert(kInfos[static_cast<std::size_t>(Type::animation_block)].name == "AnimationBlock");
static_assert(kInfos[static_cast<std::size_t>(Type::dictionary)].name == "dictionary");
static_assert(kInfos[static_cast<std::size_t>(Type::value_block)].name == "None");
static_assert(kInfos[static_cast<std::size_t>(Type::half2)].name == "half2");

}  // namespace

const TypeInfo& info_of(Type type) noexcept {
  const auto number = static_cast<std::size_t>(type);
  return kInfos[number < kTypeCount ? number : 0];
}

bool has_offset(Representation rep) noexcept {
  const TypeInfo& info = info_of(rep.type());
  if (info.form == Form::invalid || rep.payload() == 0) return false;
  return rep.is_array() || rep.is_array_edit() || !(rep.is_inlined() || info.is_always_inlined);
}

bool packs_as_integers(Type type) noexcept {
  return type == Type::int_ || type == Type::uint || type == Type::int64 || type == Type::uint64;
}

bool packs_as_floats(Type type) noexcept {
  return type == Type::half || type == Type::float_ || type == Type::double_;
}

bool may_be_entry(const layer::Value& value) noexcept {
  if (const auto* op = value.as_list_op()) {
    return all_items(*op, [](const layer::Value& item) {
      return item.type() == E::unregistered || item.type() == E::dictionary ||
             item.type() == E::list_op;
    });
  }
  return value.type() != E::token_list_op && value.type() != E::array_edit &&
         value.type() != E::animation_block;
}

bool may_be_sample(const layer::Value& value) noexcept {
  return value.is_block() || value.type() == E::array_edit ||
         layer::element_size(value.type()) != 0;
}

std::size_t alignment_of(E element) noexcept {
  if (element == E::double2) return alignof(Vector2d) > 16 ? alignof(Vector2d) : 16;
  const E component = layer::info_of(element).component;
  return layer::element_size(component == E::none ? element : component);
}

}  // namespace sinew::usdc
