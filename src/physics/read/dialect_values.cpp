// SPDX-License-Identifier: Apache-2.0
// The values of attributes of vendors, and what is told of them.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/edit_distance.hpp"
#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "physics/read/dialect_reader.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

template <typename T>
void add_numbers(const layer::Value& value, std::vector<double>& numbers) {
  if (const auto one = value.get<T>()) numbers.push_back(static_cast<double>(*one));
  for (const T& each : value.as_array<T>()) numbers.push_back(static_cast<double>(each));
}

std::string_view nearest_name(std::string_view name) {
  ClosestWord nearest(name, std::max<std::size_t>(2, name.size() / 5));
  for (const DialectAttribute& row : dialect_attributes()) nearest.offer(row.name);
  return nearest.closest();
}

}  // namespace

std::vector<double> all_numbers_of(const layer::Value& value) {
  std::vector<double> numbers;
  add_numbers<double>(value, numbers);
  add_numbers<float>(value, numbers);
  add_numbers<Half>(value, numbers);
  add_numbers<std::int32_t>(value, numbers);
  add_numbers<std::int64_t>(value, numbers);
  add_numbers<std::uint8_t>(value, numbers);
  add_numbers<std::uint32_t>(value, numbers);
  add_numbers<std::uint64_t>(value, numbers);
  add_numbers<bool>(value, numbers);
  return numbers;
}

void DialectReader::tell_unless_zero(const Prim& prim, Token name, std::string_view code,
                                     std::string_view what) {
  const double value = value_of(prim, name).value_or(0.0);
  if (value == 0.0) return;
  report(Severity::warning, code, prim,
         format_text("{} is {}: {}", name.view(), rounded_text(value), what));
}

std::vector<double> DialectReader::numbers_of(const Prim& prim, Token name) {
  const stage::Attribute attribute = prim.attribute(name);
  if (!attribute) return {};
  const layer::Value value = attribute.value();
  std::vector<double> numbers = all_numbers_of(value);
  if (numbers.empty() && !(value.is_array() && value.size() == 0)) {
    tell_type(attribute, value, "a number");
  }
  return numbers;
}

layer::Value DialectReader::text_of(const Prim& prim, Token name) {
  const stage::Attribute attribute = prim.attribute(name);
  if (!attribute) return {};
  layer::Value value = attribute.value();
  if (!value.text()) tell_type(attribute, value, "a token");
  return value;
}

void DialectReader::tell_type(const stage::Attribute& attribute, const layer::Value& value,
                              std::string_view wanted) {
  if (!value.has_value() || value.is_block()) return;
  reporter_.add(Severity::warning, "dialect-value", attribute,
                format_text("The value of {} is of type {} instead of {}; it is ignored.",
                            attribute.name().view(), stage::told_type(attribute, value), wanted));
}

std::optional<double> DialectReader::value_of(const Prim& prim, Token name) {
  const std::vector<double> values = numbers_of(prim, name);
  // "The engine's own" is written as -inf, and nothing else is meant by NaN.
  if (values.empty() || std::isnan(values[0]) || values[0] == -HUGE_VAL) return std::nullopt;
  return values[0];
}

// At most so many numbers, all finite, which MuJoCo takes as they are; none, and told, if there are
// others.
std::vector<double> DialectReader::mjc_numbers(const Prim& prim, Token name, std::size_t most) {
  std::vector<double> values = numbers_of(prim, name);
  const bool is_right =
      values.size() <= most &&
      std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (is_right) return values;
  tell_refused(prim, name);
  return {};
}

void DialectReader::tell_refused(const Prim& prim, Token name) {
  report(Severity::warning, "dialect-value", prim,
         format_text("'{}' is nothing that MuJoCo takes; it is ignored.", name.view()));
}

void DialectReader::report(Severity severity, std::string_view code, const Prim& prim,
                           std::string message, std::string_view hint) {
  reporter_.add(severity, code, prim, std::move(message), hint);
}

void DialectReader::tell_once(Severity severity, std::string_view code, const Prim& prim,
                              std::string_view key, std::string message, std::string_view hint) {
  if (!told_.insert(std::string(code) + ' ' + std::string(key)).second) return;
  report(severity, code, prim, std::move(message), hint);
}

void DialectReader::tell_unknown(const Prim& prim, std::string_view name) {
  const std::string near(nearest_name(name));
  tell_once(Severity::info, "dialect-unknown-attribute", prim, name,
            format_text("'{}' has the prefix of a vendor and is not known.", name),
            near.empty() ? "" : "Did you mean '" + near + "'?");
}

void DialectReader::tell_schema(const Prim& prim, const DialectAttribute& row,
                                std::string_view name) {
  if (!row.schema.ends_with("API") && !row.schema.ends_with("API:*")) return;
  const std::string_view schema = row.schema.substr(0, row.schema.find(':'));
  for (const Token api : prim.authored_api_schemas()) {
    if (api.view().substr(0, api.view().find(':')) == schema) return;
  }
  tell_once(Severity::info, "dialect-schema-missing", prim, name,
            format_text("'{}' is read although {} is not applied.", name, schema));
}

}  // namespace sinew::physics
