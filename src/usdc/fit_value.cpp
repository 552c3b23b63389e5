// SPDX-License-Identifier: Apache-2.0
#include "usdc/fit_value.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/read_double.hpp"
#include "layer/shared/element_table.hpp"
#include "sinew/core/types.hpp"
#include "usdc/byte_reader.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Value;
using layer::ValueType;

namespace {

using E = ElementType;

bool is_plain_text(E type) noexcept {
  return type == E::string || type == E::token || type == E::asset;
}

E component(E type) noexcept {
  return layer::info_of(type).component;
}

bool is_number(E type) noexcept {
  switch (type) {
    case E::uchar:
    case E::int_:
    case E::uint:
    case E::int64:
    case E::uint64:
    case E::half:
    case E::float_:
    case E::double_:
      return true;
    default:
      return false;
  }
}

// Whole numbers beyond this are not all doubles.
constexpr double kMostWhole = 9007199254740992.0;

template <typename T>
bool load_as_double(const std::byte* from, double& number) {
  const T stored = load<T>(from);
  number = static_cast<double>(stored);
  return !std::is_integral_v<T> || sizeof(T) < 8 || std::abs(number) < kMostWhole;
}

bool load_number(E type, const std::byte* from, double& number) {
  switch (type) {
    case E::uchar:
      return load_as_double<std::uint8_t>(from, number);
    case E::int_:
      return load_as_double<std::int32_t>(from, number);
    case E::uint:
      return load_as_double<std::uint32_t>(from, number);
    case E::int64:
      return load_as_double<std::int64_t>(from, number);
    case E::uint64:
      return load_as_double<std::uint64_t>(from, number);
    case E::half:
      return load_as_double<Half>(from, number);
    case E::float_:
      return load_as_double<float>(from, number);
    default:
      return load_as_double<double>(from, number);
  }
}

template <typename T>
bool store_whole(double number, std::byte* to) {
  constexpr double kLow =
      sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::min()) : -kMostWhole;
  constexpr double kHigh =
      sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::max()) : kMostWhole;
  const double low = std::is_signed_v<T> ? kLow : 0.0;
  if (!(number >= low && number <= kHigh) || number != std::floor(number)) return false;
  const auto stored = static_cast<T>(number);
  std::memcpy(to, &stored, sizeof stored);
  return true;
}

template <typename T>
bool store_real(double number, bool may_round, std::byte* to) {
  const auto stored = static_cast<T>(number);
  const bool is_exact = static_cast<double>(stored) == number || std::isnan(number);
  std::memcpy(to, &stored, sizeof stored);
  return is_exact || may_round;
}

bool store_number(E type, double number, bool may_round, std::byte* to) {
  switch (type) {
    case E::uchar:
      return store_whole<std::uint8_t>(number, to);
    case E::int_:
      return store_whole<std::int32_t>(number, to);
    case E::uint:
      return store_whole<std::uint32_t>(number, to);
    case E::int64:
      return store_whole<std::int64_t>(number, to);
    case E::uint64:
      return store_whole<std::uint64_t>(number, to);
    case E::half:
      return store_real<Half>(number, may_round, to);
    case E::float_:
      return store_real<float>(number, may_round, to);
    default:
      return store_real<double>(number, may_round, to);
  }
}

Value with_type(const Value& value, E type) {
  if (value.is_array()) return Value::array_from_buffer(type, value.buffer());
  return Value::scalar_of(type, value.bytes());
}

// Vectors to vectors, quaternions to quaternions, matrices not at all.
bool same_shape(E a, E b) noexcept {
  return layer::component_count(a) == layer::component_count(b) &&
         layer::is_quaternion(a) == layer::is_quaternion(b) && layer::info_of(a).rows == 0 &&
         layer::info_of(b).rows == 0;
}

bool convert(const Value& value, E type, bool may_round, Value& out) {
  const E from = component(value.type());
  const E to = component(type);
  if (!is_number(from) || !is_number(to) || !same_shape(value.type(), type)) return false;
  const std::span<const std::byte> bytes = value.bytes();
  const std::size_t from_size = layer::element_size(from);
  const std::size_t to_size = layer::element_size(to);
  const std::size_t count = bytes.size() / from_size;
  const bool rounds = may_round && from == E::double_;
  Buffer buffer(count * to_size);
  for (std::size_t i = 0; i < count; ++i) {
    double number = 0.0;
    if (!load_number(from, bytes.data() + i * from_size, number) ||
        !store_number(to, number, rounds, buffer.mutable_data() + i * to_size)) {
      return false;
    }
  }
  out = value.is_array() ? Value::array_from_buffer(type, std::move(buffer))
                         : Value::scalar_of(type, {buffer.data(), buffer.size()});
  return true;
}

// Text between quotes of its own kind, if nothing in it is escaped.
bool unquote(std::string_view& text) noexcept {
  if (text.size() < 2 || text.front() != text.back()) return false;
  const char quote = text.front();
  if (quote != '"' && quote != '\'' && quote != '@') return false;
  text = text.substr(1, text.size() - 2);
  return text.find_first_of(std::string_view{"\\\n\"'@"}) == std::string_view::npos;
}

}  // namespace

Fit fit_value(Value& value, const ValueType& declared, bool may_round) {
  if (value.is_block() || value.type() == E::animation_block) return Fit::same;
  if (value.type() == E::array_edit) {
    const bool same = declared.is_array && value.as_array_edit()->element == declared.element;
    return same ? Fit::same : Fit::unfit;
  }
  if (value.is_array() != declared.is_array) return Fit::unfit;
  if (value.type() == declared.element) return Fit::same;
  const bool texts = is_plain_text(value.type()) && is_plain_text(declared.element);
  const bool times =
      component(value.type()) == E::double_ && component(declared.element) == E::double_ &&
      layer::component_count(value.type()) == 1 && layer::component_count(declared.element) == 1;
  if (texts || times) {
    value = with_type(value, declared.element);
    return Fit::converted;
  }
  Value converted;
  if (!convert(value, declared.element, may_round, converted)) return Fit::unfit;
  value = std::move(converted);
  return Fit::converted;
}

Fit fit_unregistered(Value& value, E declared, TokenTable& names) {
  std::string_view text = value.text().value_or(std::string_view());
  if (is_plain_text(declared)) {
    if (!unquote(text)) return Fit::unfit;
    value = Value::scalar(declared, names.intern(text));
    return Fit::converted;
  }
  if (declared == E::bool_) {
    const bool yes = text == "true" || text == "1";
    if (!yes && text != "false" && text != "0") return Fit::unfit;
    value = Value::scalar(E::bool_, yes);
    return Fit::converted;
  }
  const std::optional<double> number = read_double(text);
  if (!number) return Fit::unfit;
  Value parsed = Value::scalar(E::double_, *number);
  const Fit fit = fit_value(parsed, {declared, false, false, {}}, true);
  if (fit == Fit::unfit) return Fit::unfit;
  value = std::move(parsed);
  return Fit::converted;
}

}  // namespace sinew::usdc
