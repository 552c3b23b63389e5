// SPDX-License-Identifier: Apache-2.0
#include "stage/expression_functions.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/format_text.hpp"

namespace sinew::stage {

std::string_view type_of(const ExpressionValue& value) {
  constexpr std::array<std::string_view, 6> names = {
      "None", "a bool", "an int", "a string", "a list", "a value of another type"};
  return names[value.data.index()];
}

Error mismatch(std::string_view function, std::string_view wanted, const ExpressionValue& got) {
  return {ErrorCode::type_mismatch,
          format_text("{}() needs {}, but was given {}.", function, wanted, type_of(got))};
}

namespace {

Result<ExpressionValue> call_logic(std::string_view function,
                                   std::span<const ExpressionValue> arguments) {
  for (const ExpressionValue& argument : arguments) {
    if (!std::holds_alternative<bool>(argument.data)) return mismatch(function, "bools", argument);
  }
  const auto truth = [](const ExpressionValue& value) { return std::get<bool>(value.data); };
  if (function == "not") return ExpressionValue{!truth(arguments[0])};
  if (function == "and")
    return ExpressionValue{std::all_of(arguments.begin(), arguments.end(), truth)};
  return ExpressionValue{std::any_of(arguments.begin(), arguments.end(), truth)};
}

Result<ExpressionValue> call_compare(std::string_view function, const ExpressionValue& a,
                                     const ExpressionValue& b) {
  if (std::holds_alternative<ExpressionList>(a.data)) {
    return mismatch(function, "bools, ints or strings", a);
  }
  if (a.data.index() != b.data.index()) {
    return Error{ErrorCode::type_mismatch,
                 format_text("{}() cannot compare {} with {}.", function, type_of(a), type_of(b))};
  }
  if (function == "eq") return ExpressionValue{a == b};
  if (function == "neq") return ExpressionValue{!(a == b)};
  int order = 0;
  if (const auto* x = std::get_if<std::int64_t>(&a.data)) {
    const std::int64_t y = std::get<std::int64_t>(b.data);
    order = *x < y ? -1 : (*x > y ? 1 : 0);
  } else if (const auto* s = std::get_if<std::string>(&a.data)) {
    order = s->compare(std::get<std::string>(b.data));
  } else if (const auto* flag = std::get_if<bool>(&a.data)) {
    order = int{*flag} - int{std::get<bool>(b.data)};
  } else {
    return mismatch(function, "bools, ints or strings", a);
  }
  if (function == "lt") return ExpressionValue{order < 0};
  if (function == "leq") return ExpressionValue{order <= 0};
  if (function == "gt") return ExpressionValue{order > 0};
  return ExpressionValue{order >= 0};
}

Result<ExpressionValue> call_contains(const ExpressionValue& where, const ExpressionValue& what) {
  if (const auto* list = std::get_if<ExpressionList>(&where.data)) {
    if (!list->empty() && list->front().data.index() != what.data.index()) {
      return mismatch("contains", "something to look for that the list can hold", what);
    }
    return ExpressionValue{std::find(list->begin(), list->end(), what) != list->end()};
  }
  const auto* text = std::get_if<std::string>(&where.data);
  if (text == nullptr) return mismatch("contains", "a list or a string", where);
  const auto* part = std::get_if<std::string>(&what.data);
  if (part == nullptr) return mismatch("contains", "a string to look for", what);
  return ExpressionValue{text->find(*part) != std::string::npos};
}

Result<ExpressionValue> call_at(const ExpressionValue& where, const ExpressionValue& index_value) {
  const auto* index = std::get_if<std::int64_t>(&index_value.data);
  if (index == nullptr) return mismatch("at", "an int as index", index_value);
  const auto* list = std::get_if<ExpressionList>(&where.data);
  const auto* text = std::get_if<std::string>(&where.data);
  if (list == nullptr && text == nullptr) return mismatch("at", "a list or a string", where);
  const auto size = static_cast<std::int64_t>(list != nullptr ? list->size() : text->size());
  if (*index < -size || *index >= size) {
    return Error{ErrorCode::index_out_of_range,
                 format_text("at() was asked for element {} of {}.", *index, size)};
  }
  const auto position = static_cast<std::size_t>(*index < 0 ? *index + size : *index);
  if (list != nullptr) return (*list)[position];
  return ExpressionValue{std::string(1, (*text)[position])};
}

Result<ExpressionValue> call_len(const ExpressionValue& value) {
  if (const auto* list = std::get_if<ExpressionList>(&value.data)) {
    return ExpressionValue{static_cast<std::int64_t>(list->size())};
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return ExpressionValue{static_cast<std::int64_t>(text->size())};
  }
  return mismatch("len", "a list or a string", value);
}

}  // namespace

Result<ExpressionValue> call_function(std::string_view function,
                                      std::span<const ExpressionValue> arguments) {
  if (function == "and" || function == "or" || function == "not") {
    return call_logic(function, arguments);
  }
  if (function == "contains") return call_contains(arguments[0], arguments[1]);
  if (function == "at") return call_at(arguments[0], arguments[1]);
  if (function == "len") return call_len(arguments[0]);
  return call_compare(function, arguments[0], arguments[1]);
}

}  // namespace sinew::stage
