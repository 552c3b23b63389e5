// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/typed_value.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/format_text.hpp"
#include "layer/shared/element_table.hpp"

namespace sinew::stage {

using layer::ElementForm;
using layer::ElementInfo;
using layer::ElementType;
using layer::Value;

namespace {

template <typename... T>
constexpr ValueTypes scalars_of() noexcept {
  return (ValueTypes::scalar_of<T>() | ...);
}

// What convert() takes for a T.
template <typename T>
constexpr ValueTypes kConvertible =
    scalars_of<double, float, Half, std::int32_t, std::int64_t, std::uint32_t>();
template <>
constexpr ValueTypes kConvertible<Vector3f> = scalars_of<Vector3d, Vector3h, Vector3i>();
template <>
constexpr ValueTypes kConvertible<Quatf> = scalars_of<Quatd, Quath, Vector4f>();

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
std::optional<T> convert(const Value& value) {
  const auto number = as_number(value);
  if (!number) return std::nullopt;
  if constexpr (std::is_same_v<T, bool>) {
    return *number != 0.0;
  } else {
    return static_cast<T>(*number);
  }
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

enum class Family : std::uint8_t { none, real, whole };

// What kind of numbers an element is made of, if they come in several precisions.
constexpr Family family_of(const ElementInfo& info) noexcept {
  if (info.type == ElementType::timecode) return Family::none;
  switch (info.component) {
    case ElementType::half:
    case ElementType::float_:
    case ElementType::double_:
      return Family::real;
    case ElementType::int_:
    case ElementType::uint:
    case ElementType::int64:
    case ElementType::uint64:
      return Family::whole;
    default:
      return Family::none;
  }
}

// Whether elements of one type differ from those of another by their precision at most.
constexpr bool converts(const ElementInfo& from, const ElementInfo& to) noexcept {
  return family_of(from) != Family::none && family_of(from) == family_of(to) &&
         from.numbers() == to.numbers() &&
         (from.form == ElementForm::quaternion) == (to.form == ElementForm::quaternion);
}

constexpr ValueTypes arrays_converted_to(ElementType wanted) noexcept {
  ValueTypes types = ValueTypes::array(wanted);
  for (const ElementInfo& info : layer::element_table::kRows) {
    if (converts(info, layer::info_of(wanted))) types = types | ValueTypes::array(info.type);
  }
  return types;
}

template <typename To>
void convert_numbers(ElementType component, const std::byte* from, To* to, std::size_t count) {
  layer::with_number(component, [&](auto zero) {
    using From = decltype(zero);
    for (std::size_t i = 0; i < count; ++i) {
      From value;
      std::memcpy(static_cast<void*>(&value), from + i * sizeof(From), sizeof(From));
      if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        to[i] = std::in_range<To>(value) ? static_cast<To>(value) : To{-1};
      } else if constexpr (std::is_integral_v<To>) {
        to[i] = To{-1};  // Not reached: converts() refuses it.
      } else {
        to[i] = static_cast<To>(value);
      }
    }
  });
}

template <typename T>
struct Numbers {
  using Scalar = typename T::Scalar;
};
template <>
struct Numbers<float> {
  using Scalar = float;
};
template <>
struct Numbers<std::int32_t> {
  using Scalar = std::int32_t;
};

// How a schema writes the type of an array of T, and of one.
template <typename T>
constexpr std::string_view kArrayName = "";
template <>
constexpr std::string_view kArrayName<bool> = "bool[]";
template <>
constexpr std::string_view kArrayName<float> = "float[]";
template <>
constexpr std::string_view kArrayName<double> = "double[]";
template <>
constexpr std::string_view kArrayName<std::int32_t> = "int[]";
template <>
constexpr std::string_view kArrayName<Vector3f> = "float3[]";
template <>
constexpr std::string_view kArrayName<Vector3h> = "half3[]";
template <>
constexpr std::string_view kArrayName<Quatf> = "quatf[]";
template <>
constexpr std::string_view kArrayName<Matrix4d> = "matrix4d[]";
template <>
constexpr std::string_view kArrayName<Token> = "token[]";
template <typename T>
constexpr std::string_view kName = kArrayName<T>.substr(0, kArrayName<T>.size() - 2);

// What is said of a value that is passed over for `weaker`.
std::string_view what_holds_instead(const Value& weaker) {
  return weaker.has_value() ? ", a weaker opinion holds instead" : "";
}

}  // namespace

template <typename T>
ValueTypes scalars_read_as(Rules rules) noexcept {
  constexpr ValueTypes kExact = ValueTypes::scalar_of<T>();
  return rules == Rules::documented ? kExact | kConvertible<T> : kExact;
}

template <typename T>
std::optional<T> scalar_as(const Value& value, Rules rules) {
  if (std::optional<T> exact = value.get<T>()) return exact;
  return rules == Rules::documented ? convert<T>(value) : std::nullopt;
}

template <typename T>
ValueTypes arrays_read_as(Rules rules) noexcept {
  constexpr ValueTypes kExact = ValueTypes::array_of<T>();
  constexpr ValueTypes kOther = arrays_converted_to(layer::kElementOf<T>);
  return rules == Rules::documented ? kExact | kOther : kExact;
}

template <typename T>
std::optional<ArrayValue<T>> array_as(Value value, Rules rules) {
  if (!value.is_array()) return std::nullopt;
  if (layer::stores_as<T>(value.type())) return ArrayValue<T>(std::move(value));
  const ElementInfo& from = layer::info_of(value.type());
  const ElementInfo& to = layer::info_of(layer::kElementOf<T>);
  if (rules != Rules::documented || !converts(from, to)) return std::nullopt;
  Buffer buffer(value.size() * sizeof(T));
  using Scalar = typename Numbers<T>::Scalar;
  convert_numbers(from.component, value.bytes().data(),
                  reinterpret_cast<Scalar*>(buffer.mutable_data()), value.size() * to.numbers());
  return ArrayValue<T>(Value::array_from_buffer(to.type, std::move(buffer)));
}

ValueTypes tokens_read(Rules rules) noexcept {
  const ValueTypes token = ValueTypes::scalar(ElementType::token);
  return rules == Rules::documented ? token | ValueTypes::scalar(ElementType::string) : token;
}

ValueTypes token_arrays_read(Rules rules) noexcept {
  const ValueTypes token = ValueTypes::array(ElementType::token);
  return rules == Rules::documented ? token | ValueTypes::array(ElementType::string) : token;
}

std::string_view told_type(const Attribute& attribute, const Value& value) noexcept {
  const layer::ValueType declared = layer::find_value_type(attribute.type_name());
  const bool fits = !declared.known() ||
                    (declared.element == value.type() && declared.is_array == value.is_array());
  return fits ? attribute.type_name() : layer::plain_type_name(value.type(), value.is_array());
}

Value TypedReader::value(const Attribute& attribute, Time time, ValueTypes wanted,
                         std::string_view schema_type) const {
  Value value = strongest(attribute, time, wanted, wanted, schema_type);
  return value.is_block() ? Value() : value;
}

// The strongest value of the wanted types, of which some are exactly the schema's.
Value TypedReader::strongest(const Attribute& attribute, Time time, ValueTypes exact,
                             ValueTypes wanted, std::string_view schema_type) const {
  Value value = attribute.value(time);
  if (!value.has_value() || value.is_block() || exact.accept(value)) return value;
  const auto tell = [&](std::string_view type, std::string_view what, std::string_view instead) {
    reporter_->add(Severity::warning, code_, attribute,
                   format_text("The value of {} is of type {} instead of {}; it is {}{}.",
                               attribute.name().view(), type, schema_type, what, instead));
  };
  if (!wanted.accept(value)) {
    const std::string_view type = told_type(attribute, value);
    value = instead_ == Instead::weaker ? attribute.value(time, wanted) : Value();
    tell(type, "ignored", what_holds_instead(value));
  }
  if (value.has_value() && !exact.accept(value)) {
    tell(told_type(attribute, value), "converted", "");
  }
  return value;
}

template <typename T>
std::optional<T> TypedReader::scalar(const Attribute& attribute, Time time) const {
  const Rules rules = reporter_->rules();
  constexpr ValueTypes kExact = ValueTypes::scalar_of<T>();
  return scalar_as<T>(strongest(attribute, time, kExact, scalars_read_as<T>(rules), kName<T>),
                      rules);
}

template <typename T>
std::optional<ArrayValue<T>> TypedReader::array(const Attribute& attribute, Time time) const {
  const Rules rules = reporter_->rules();
  constexpr ValueTypes kExact = ValueTypes::array_of<T>();
  return array_as<T>(strongest(attribute, time, kExact, arrays_read_as<T>(rules), kArrayName<T>),
                     rules);
}

std::optional<std::string> TypedReader::token(const Attribute& attribute, Time time) const {
  const Value value = strongest(attribute, time, ValueTypes::scalar(ElementType::token),
                                tokens_read(reporter_->rules()), kName<Token>);
  const std::optional<std::string_view> text = value.text();
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<std::vector<std::string>> TypedReader::tokens(const Attribute& attribute,
                                                            Time time) const {
  const Value value = strongest(attribute, time, ValueTypes::array(ElementType::token),
                                token_arrays_read(reporter_->rules()), kArrayName<Token>);
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> result;
  const std::span<const Token> tokens = value.as_array<Token>();
  result.reserve(tokens.size());
  for (const Token token : tokens) result.push_back(token.str());
  return result;
}

template ValueTypes scalars_read_as<bool>(Rules) noexcept;
template std::optional<bool> scalar_as(const Value&, Rules);
template std::optional<bool> TypedReader::scalar(const Attribute&, Time) const;

template ValueTypes scalars_read_as<float>(Rules) noexcept;
template std::optional<float> scalar_as(const Value&, Rules);
template std::optional<float> TypedReader::scalar(const Attribute&, Time) const;

template ValueTypes scalars_read_as<double>(Rules) noexcept;
template std::optional<double> scalar_as(const Value&, Rules);
template std::optional<double> TypedReader::scalar(const Attribute&, Time) const;

template ValueTypes scalars_read_as<Vector3f>(Rules) noexcept;
template std::optional<Vector3f> scalar_as(const Value&, Rules);
template std::optional<Vector3f> TypedReader::scalar(const Attribute&, Time) const;

template ValueTypes scalars_read_as<Quatf>(Rules) noexcept;
template std::optional<Quatf> scalar_as(const Value&, Rules);
template std::optional<Quatf> TypedReader::scalar(const Attribute&, Time) const;

template ValueTypes arrays_read_as<float>(Rules) noexcept;
template std::optional<ArrayValue<float>> array_as(Value, Rules);
template std::optional<ArrayValue<float>> TypedReader::array(const Attribute&, Time) const;

template ValueTypes arrays_read_as<Vector3f>(Rules) noexcept;
template std::optional<ArrayValue<Vector3f>> array_as(Value, Rules);
template std::optional<ArrayValue<Vector3f>> TypedReader::array(const Attribute&, Time) const;

template ValueTypes arrays_read_as<Vector3h>(Rules) noexcept;
template std::optional<ArrayValue<Vector3h>> array_as(Value, Rules);
template std::optional<ArrayValue<Vector3h>> TypedReader::array(const Attribute&, Time) const;

template ValueTypes arrays_read_as<Quatf>(Rules) noexcept;
template std::optional<ArrayValue<Quatf>> array_as(Value, Rules);
template std::optional<ArrayValue<Quatf>> TypedReader::array(const Attribute&, Time) const;

template ValueTypes arrays_read_as<Matrix4d>(Rules) noexcept;
template std::optional<ArrayValue<Matrix4d>> array_as(Value, Rules);
template std::optional<ArrayValue<Matrix4d>> TypedReader::array(const Attribute&, Time) const;

template ValueTypes arrays_read_as<std::int32_t>(Rules) noexcept;
template std::optional<ArrayValue<std::int32_t>> array_as(Value, Rules);
template std::optional<ArrayValue<std::int32_t>> TypedReader::array(const Attribute&, Time) const;

}  // namespace sinew::stage
