// SPDX-License-Identifier: Apache-2.0
#include "physics/read/attribute_value.hpp"

#include <cstdint>

namespace sinew::physics {

using layer::Value;
using stage::ValueTypes;

namespace {

template <typename... T>
constexpr ValueTypes scalars_of() noexcept {
  return (ValueTypes::scalar_of<T>() | ...);
}

constexpr ValueTypes kNumbers =
    scalars_of<double, float, Half, std::int32_t, std::int64_t, std::uint32_t>();

// What convert() takes for a T.
template <typename T>
constexpr ValueTypes kConvertible = kNumbers;
template <>
constexpr ValueTypes kConvertible<Vector3f> = scalars_of<Vector3d, Vector3h, Vector3i>();
template <>
constexpr ValueTypes kConvertible<Quatf> = scalars_of<Quatd, Quath, Vector4f>();

// A number of any precision, for reading what the schema wants in another one.
std::optional<double> as_number(const Value& value) {
  if (const auto v = value.get<double>()) return *v;
  if (const auto v = value.get<float>()) return static_cast<double>(*v);
  if (const auto v = value.get<Half>()) return static_cast<double>(static_cast<float>(*v));
  if (const auto v = value.get<std::int32_t>()) return static_cast<double>(*v);
  if (const auto v = value.get<std::int64_t>()) return static_cast<double>(*v);
  if (const auto v = value.get<std::uint32_t>()) return static_cast<double>(*v);
  return std::nullopt;
}

template <typename T>
std::optional<T> convert(const Value& value);

template <>
std::optional<float> convert(const Value& value) {
  const auto number = as_number(value);
  if (!number) return std::nullopt;
  return static_cast<float>(*number);
}

template <>
std::optional<double> convert(const Value& value) {
  return as_number(value);
}

template <>
std::optional<bool> convert(const Value& value) {
  const auto number = as_number(value);
  if (!number) return std::nullopt;
  return *number != 0.0;
}

template <>
std::optional<Vector3f> convert(const Value& value) {
  if (const auto v = value.get<Vector3d>()) return Vector3f(v->cast<float>());
  if (const auto v = value.get<Vector3h>()) return Vector3f(v->cast<float>());
  if (const auto v = value.get<Vector3i>()) return Vector3f(v->cast<float>());
  return std::nullopt;
}

template <>
std::optional<Quatf> convert(const Value& value) {
  if (const auto v = value.get<Quatd>()) return Quatf(v->cast<float>());
  if (const auto v = value.get<Quath>()) return Quatf(v->cast<float>());
  if (const auto v = value.get<Vector4f>()) return Quatf((*v)[0], (*v)[1], (*v)[2], (*v)[3]);
  return std::nullopt;
}

}  // namespace

template <typename T>
AttributeValue<T> value_as(const Value& value, Rules rules) {
  AttributeValue<T> result;
  if (!value.has_value()) return result;
  result.value = value.get<T>();
  if (result.value) return result;
  result.mismatched = true;
  // Other precisions are what files often get wrong; OpenUSD ignores them silently.
  if (rules == Rules::documented) result.value = convert<T>(value);
  result.converted = result.value.has_value();
  return result;
}

template <typename T>
ValueTypes readable_types(Rules rules) noexcept {
  constexpr ValueTypes kExact = ValueTypes::scalar_of<T>();
  return rules == Rules::documented ? kExact | kConvertible<T> : kExact;
}

template AttributeValue<bool> value_as(const Value&, Rules);
template AttributeValue<float> value_as(const Value&, Rules);
template AttributeValue<double> value_as(const Value&, Rules);
template AttributeValue<Vector3f> value_as(const Value&, Rules);
template AttributeValue<Quatf> value_as(const Value&, Rules);

template ValueTypes readable_types<bool>(Rules) noexcept;
template ValueTypes readable_types<float>(Rules) noexcept;
template ValueTypes readable_types<double>(Rules) noexcept;
template ValueTypes readable_types<Vector3f>(Rules) noexcept;
template ValueTypes readable_types<Quatf>(Rules) noexcept;

}  // namespace sinew::physics
