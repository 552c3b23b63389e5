// SPDX-License-Identifier: Apache-2.0
#include "skel/stage_values.hpp"

#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "sinew/stage/stage.hpp"

namespace sinew::skel {
namespace {

using layer::ElementType;
using stage::ValueTypes;

enum class Component : std::uint8_t { none, half, single, double_, int32, uint32, int64, uint64 };

Component component_of(ElementType type) {
  switch (type) {
    case ElementType::half:
    case ElementType::half2:
    case ElementType::half3:
    case ElementType::half4:
    case ElementType::quath:
      return Component::half;
    case ElementType::float_:
    case ElementType::float2:
    case ElementType::float3:
    case ElementType::float4:
    case ElementType::quatf:
      return Component::single;
    case ElementType::double_:
    case ElementType::double2:
    case ElementType::double3:
    case ElementType::double4:
    case ElementType::quatd:
    case ElementType::matrix2d:
    case ElementType::matrix3d:
    case ElementType::matrix4d:
      return Component::double_;
    case ElementType::int_:
    case ElementType::int2:
    case ElementType::int3:
    case ElementType::int4:
      return Component::int32;
    case ElementType::uint:
      return Component::uint32;
    case ElementType::int64:
      return Component::int64;
    case ElementType::uint64:
      return Component::uint64;
    default:
      return Component::none;
  }
}

bool is_quaternion(ElementType type) {
  return type == ElementType::quath || type == ElementType::quatf || type == ElementType::quatd;
}

bool is_integral(Component component) {
  return component >= Component::int32;
}

template <typename From, typename To>
void convert_components(const std::byte* from, To* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(static_cast<void*>(&value), from + i * sizeof(From), sizeof(From));
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
      // What does not fit becomes -1, which no index can be.
      to[i] = std::in_range<To>(value) ? static_cast<To>(value) : To{-1};
    } else if constexpr (std::is_integral_v<To>) {
      to[i] = To{-1};  // Not reached: usable() refuses it.
    } else {
      to[i] = static_cast<To>(value);
    }
  }
}

template <typename To>
void convert_any(Component component, const std::byte* from, To* to, std::size_t count) {
  switch (component) {
    case Component::half:
      return convert_components<Half>(from, to, count);
    case Component::single:
      return convert_components<float>(from, to, count);
    case Component::double_:
      return convert_components<double>(from, to, count);
    case Component::int32:
      return convert_components<std::int32_t>(from, to, count);
    case Component::uint32:
      return convert_components<std::uint32_t>(from, to, count);
    case Component::int64:
      return convert_components<std::int64_t>(from, to, count);
    case Component::uint64:
      return convert_components<std::uint64_t>(from, to, count);
    case Component::none:
      return;
  }
}

template <typename T>
struct Wanted {
  using Scalar = typename T::Scalar;
};
template <>
struct Wanted<float> {
  using Scalar = float;
};
template <>
struct Wanted<std::int32_t> {
  using Scalar = std::int32_t;
};

// Whether numbers stored as `from` can stand for elements of type `to`.
bool usable(ElementType from, ElementType to) {
  const Component component = component_of(from);
  if (component == Component::none || layer::component_count(from) != layer::component_count(to)) {
    return false;
  }
  if (is_quaternion(from) != is_quaternion(to)) return false;
  return is_integral(component_of(to)) == is_integral(component);
}

// What is said of a value that is not what the schema wants and is passed over for `weaker`.
std::string_view what_holds_instead(const layer::Value& weaker) {
  return weaker.has_value() ? ", a weaker opinion holds instead" : "";
}

// Arrays that an array of `wanted` can be made of, itself among them.
ValueTypes usable_arrays(ElementType wanted) {
  ValueTypes types = ValueTypes::array(wanted);
  for (int i = 0; i <= static_cast<int>(ElementType::unregistered); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (usable(type, wanted)) types = types | ValueTypes::array(type);
  }
  return types;
}

// The strongest array that a read of T takes, where a stronger opinion is of another type.
template <typename T>
layer::Value weaker_array(const stage::Attribute& attribute, stage::Time time,
                          const layer::Value& strongest, Reporter& reporter) {
  const ElementType element = layer::detail::kElementOf<T>;
  const ValueTypes exact = ValueTypes::array_of<T>();
  const ValueTypes wanted = reporter.documented() ? exact | usable_arrays(element) : exact;
  if (wanted.accept(strongest)) return strongest;
  layer::Value weaker = attribute.value(time, wanted);
  const bool other_precision = strongest.is_array() && usable(strongest.type(), element);
  reporter.add(Severity::warning, "skel-value-type", attribute,
               fmt::format("{} is of type {}, {}{}", attribute.name().view(), attribute.type_name(),
                           other_precision ? "another precision than the schema's; it is ignored"
                                           : "which cannot be used here",
                           what_holds_instead(weaker)));
  return weaker;
}

}  // namespace

layer::Value read_value(const stage::Attribute& attribute, stage::Time time, ValueTypes wanted,
                        std::string_view schema_type, Reporter& reporter) {
  layer::Value value = attribute.value(time);
  if (!value.has_value() || value.is_block()) return {};
  if (wanted.accept(value)) return value;
  value = attribute.value(time, wanted);
  reporter.add(
      Severity::warning, "skel-value-type", attribute,
      fmt::format("{} is of type {} instead of {}; it is ignored{}", attribute.name().view(),
                  attribute.type_name(), schema_type, what_holds_instead(value)));
  return value;
}

template <typename T>
std::optional<stage::ArrayValue<T>> read_array(const stage::Attribute& attribute, stage::Time time,
                                               Reporter& reporter) {
  if (!attribute) return std::nullopt;
  layer::Value value = attribute.value(time);
  if (!value.has_value() || value.is_block()) return std::nullopt;
  const auto is_exact = [](const layer::Value& v) {
    return v.is_array() && layer::stores_as<T>(v.type());
  };
  if (is_exact(value)) return stage::ArrayValue<T>(std::move(value));
  value = weaker_array<T>(attribute, time, value, reporter);
  if (!value.has_value()) return std::nullopt;
  if (is_exact(value)) return stage::ArrayValue<T>(std::move(value));
  reporter.add(Severity::warning, "skel-value-type", attribute,
               fmt::format("{} is of type {}, another precision than the schema's; it is converted",
                           attribute.name().view(), attribute.type_name()));
  const ElementType wanted = layer::detail::kElementOf<T>;
  const std::size_t count = value.size();
  Buffer buffer(count * sizeof(T));
  using Scalar = typename Wanted<T>::Scalar;
  convert_any(component_of(value.type()), value.bytes().data(),
              reinterpret_cast<Scalar*>(buffer.mutable_data()),
              count * layer::component_count(wanted));
  return stage::ArrayValue<T>(layer::Value::array_from_buffer(wanted, std::move(buffer)));
}

template std::optional<stage::ArrayValue<Vector3f>> read_array(const stage::Attribute&, stage::Time,
                                                               Reporter&);
template std::optional<stage::ArrayValue<Vector3h>> read_array(const stage::Attribute&, stage::Time,
                                                               Reporter&);
template std::optional<stage::ArrayValue<Quatf>> read_array(const stage::Attribute&, stage::Time,
                                                            Reporter&);
template std::optional<stage::ArrayValue<Matrix4d>> read_array(const stage::Attribute&, stage::Time,
                                                               Reporter&);
template std::optional<stage::ArrayValue<float>> read_array(const stage::Attribute&, stage::Time,
                                                            Reporter&);
template std::optional<stage::ArrayValue<std::int32_t>> read_array(const stage::Attribute&,
                                                                   stage::Time, Reporter&);

std::optional<std::vector<std::string>> read_tokens(const stage::Attribute& attribute,
                                                    Reporter& reporter) {
  if (!attribute) return std::nullopt;
  ValueTypes wanted = ValueTypes::array(ElementType::token);
  if (reporter.documented()) wanted = wanted | ValueTypes::array(ElementType::string);
  const layer::Value value = read_value(attribute, stage::Time(), wanted, "token[]", reporter);
  if (!value.has_value()) return std::nullopt;
  if (value.type() != ElementType::token) {
    reporter.add(Severity::warning, "skel-value-type", attribute,
                 fmt::format("{} is of type {} instead of token[]; it is read as if it were",
                             attribute.name().view(), attribute.type_name()));
  }
  std::vector<std::string> result;
  const std::span<const Token> tokens = value.as_array<Token>();
  result.reserve(tokens.size());
  for (const Token token : tokens) result.push_back(token.str());
  return result;
}

}  // namespace sinew::skel
