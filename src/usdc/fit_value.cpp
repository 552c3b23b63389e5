// SPDX-License-Identifier: Apache-2.0
#include "usdc/fit_value.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/read_double.hpp"
#include "core/unescape.hpp"
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

// Takes a character off the front of `text`, and the blanks before it.
bool take(std::string_view& text, char c) noexcept {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || text[at] != c) return false;
  text.remove_prefix(at + 1);
  return true;
}

// Takes the rest of text that began with `quote`, or with three of them.
bool take_quoted(std::string_view& text, char quote, std::string& out) {
  const bool is_triple = text.size() > 1 && text[0] == quote && text[1] == quote;
  const std::string mark(is_triple ? 3 : 1, quote);
  if (is_triple) text.remove_prefix(2);
  std::size_t end = 0;
  while (text.substr(end, mark.size()) != mark) {
    if (text.size() - end <= mark.size()) return false;
    const char c = text[end];
    if (!is_triple && (c == '\n' || c == '\r')) return false;
    const bool is_escape = c == '\\' && (text[end + 1] == '\\' || text[end + 1] == quote);
    end += is_escape ? 2 : 1;
  }
  unescape(text.substr(0, end), out);
  text.remove_prefix(end + mark.size());
  return true;
}

// Takes the rest of a path that began with a single '@': nothing in it is escaped.
bool take_asset(std::string_view& text, std::string& out) {
  const std::size_t end = text.find_first_of("@\r\n");
  if (end == std::string_view::npos || text[end] != '@') return false;
  out = text.substr(0, end);
  text.remove_prefix(end + 1);
  return !text.starts_with('@');
}

bool take_token(std::string_view& text, bool is_asset, TokenTable& names, Token& out) {
  std::string scratch;
  const bool good = take(text, '"')    ? take_quoted(text, '"', scratch)
                    : take(text, '\'') ? take_quoted(text, '\'', scratch)
                                       : is_asset && take(text, '@') && take_asset(text, scratch);
  if (good) out = names.intern(scratch);
  return good;
}

// All of `text` as tokens between brackets.
bool read_tokens(std::string_view text, bool is_asset, TokenTable& names, std::vector<Token>& out) {
  if (!take(text, '[')) return false;
  bool goes_on = true;
  while (goes_on && !take(text, ']')) {
    if (!take_token(text, is_asset, names, out.emplace_back())) return false;
    goes_on = take(text, ',');
  }
  return (goes_on || take(text, ']')) && text.empty();
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

Fit fit_int64_list(Value& value) {
  if (value.as_list_op() == nullptr) return Fit::unfit;
  layer::ListOp<Value> op = *value.as_list_op();
  Fit fit = Fit::same;
  for (auto* items :
       {&op.explicit_items, &op.deleted, &op.added, &op.prepended, &op.appended, &op.ordered}) {
    for (Value& item : *items) {
      const Fit one = fit_value(item, {E::int64, false, false, {}}, false);
      if (one == Fit::unfit) return Fit::unfit;
      if (one == Fit::converted) fit = Fit::converted;
    }
  }
  if (fit == Fit::converted) value = Value::list_op(std::move(op));
  return fit;
}

Fit fit_unregistered(Value& value, const ValueType& declared, TokenTable& names) {
  std::string_view text = value.text().value_or(std::string_view());
  const bool is_asset = declared.element == E::asset;
  if (declared.is_array) {
    std::vector<Token> tokens;
    if (!is_plain_text(declared.element) || !read_tokens(text, is_asset, names, tokens)) {
      return Fit::unfit;
    }
    value = Value::array(declared.element, std::span<const Token>(tokens));
    return Fit::converted;
  }
  if (is_plain_text(declared.element)) {
    Token token;
    if (!take_token(text, is_asset, names, token) || !text.empty()) return Fit::unfit;
    value = Value::scalar(declared.element, token);
    return Fit::converted;
  }
  if (declared.element == E::bool_) {
    const bool yes = text == "true" || text == "1";
    if (!yes && text != "false" && text != "0") return Fit::unfit;
    value = Value::scalar(E::bool_, yes);
    return Fit::converted;
  }
  const std::optional<double> number = read_double(text);
  if (!number) return Fit::unfit;
  Value parsed = Value::scalar(E::double_, *number);
  const Fit fit = fit_value(parsed, declared, true);
  if (fit == Fit::unfit) return Fit::unfit;
  value = std::move(parsed);
  return Fit::converted;
}

}  // namespace sinew::usdc
