// SPDX-License-Identifier: Apache-2.0
#include "stage/variable_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

namespace sinew::stage {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxExpansion = 64 * 1024;  // Bytes of variable text, over all levels.
constexpr std::size_t kMaxSteps = 100'000;        // Values made, over all levels.

using Arguments = std::vector<ExpressionValue>;

std::string_view type_of(const ExpressionValue& value) {
  constexpr std::array<std::string_view, 5> names = {"None", "a bool", "an int", "a string",
                                                     "a list"};
  return names[value.data.index()];
}

Error mismatch(std::string_view function, std::string_view wanted, const ExpressionValue& got) {
  return {ErrorCode::type_mismatch,
          fmt::format("{}() needs {}, but was given {}.", function, wanted, type_of(got))};
}

// What all levels of one evaluation share.
struct Budget {
  std::size_t expansion = 0;
  std::size_t steps = 0;
};

class Evaluator {
 public:
  Evaluator(std::string_view text, const VariableLookup& variables, int depth, Budget& budget)
      : text_(text), variables_(variables), depth_(depth), budget_(budget) {}

  Result<ExpressionValue> run() {
    Result<ExpressionValue> value = expression();
    if (!value) return value;
    skip_blanks();
    if (at_ != text_.size()) return syntax("nothing more");
    return value;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Error syntax(std::string_view expected) const {
    Error error{ErrorCode::syntax, fmt::format("expected {} at column {} of the expression '{}'.",
                                               expected, at_ + 1, text_)};
    error.column = static_cast<std::uint32_t>(at_ + 1);
    return error;
  }
  static bool is_name_start(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  static bool is_name(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
  std::string_view name() {
    const std::size_t first = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    }
    return text_.substr(first, at_ - first);
  }

  Result<ExpressionValue> expression() {
    if (++level_ > kMaxDepth || ++budget_.steps > kMaxSteps) {
      return Error{ErrorCode::limit_exceeded, "a variable expression nests too deeply."};
    }
    Result<ExpressionValue> value = expression_at_level();
    --level_;
    return value;
  }

  Result<ExpressionValue> expression_at_level() {
    skip_blanks();
    if (at_ >= text_.size()) return syntax("an expression");
    const char c = text_[at_];
    if (c == '"' || c == '\'') return string_literal(c);
    if (c == '$') return variable_reference();
    if (c == '[') return list_literal();
    if (c == '-' || (c >= '0' && c <= '9')) return integer_literal();
    if (is_name_start(c)) return word();
    return syntax("an expression");
  }

  Result<ExpressionValue> integer_literal() {
    std::int64_t number = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), number);
    if (error == std::errc::result_out_of_range) {
      return Error{ErrorCode::limit_exceeded, "an integer in an expression exceeds 64 bits."};
    }
    if (error != std::errc()) return syntax("an integer");
    at_ += static_cast<std::size_t>(end - first);
    return ExpressionValue{number};
  }

  Result<ExpressionValue> list_literal() {
    ++at_;
    ExpressionList items;
    if (take(']')) return ExpressionValue{std::move(items)};
    do {
      Result<ExpressionValue> item = expression();
      if (!item) return item;
      if (std::holds_alternative<ExpressionList>(item->data)) {
        return Error{ErrorCode::type_mismatch, "a list in an expression cannot hold lists."};
      }
      if (!items.empty() && items.front().data.index() != item->data.index()) {
        return Error{ErrorCode::type_mismatch,
                     fmt::format("a list in an expression holds {} and {}.", type_of(items.front()),
                                 type_of(*item))};
      }
      items.push_back(*std::move(item));
    } while (take(','));
    if (!take(']')) return syntax("',' or ']'");
    return ExpressionValue{std::move(items)};
  }

  // ${NAME}; the '$' is next.
  Result<std::string_view> variable_name() {
    if (text_.substr(at_, 2) != "${") return syntax("'${'");
    at_ += 2;
    const std::string_view found = name();
    if (found.empty()) return syntax("a variable name");
    if (at_ >= text_.size() || text_[at_] != '}') return syntax("'}'");
    ++at_;
    return found;
  }

  Result<ExpressionValue> variable(std::string_view variable_name) {
    std::optional<ExpressionValue> value = variables_(variable_name);
    if (!value) {
      return Error{ErrorCode::not_found,
                   fmt::format("the expression variable '{}' is not defined.", variable_name)};
    }
    const std::string* text = std::get_if<std::string>(&value->data);
    if (text == nullptr) return *std::move(value);
    budget_.expansion += text->size();
    if (depth_ >= kMaxDepth || budget_.expansion > kMaxExpansion) {
      return Error{ErrorCode::limit_exceeded,
                   fmt::format("expression variables refer to one another in a circle, or expand "
                               "to too much text, at '{}'.",
                               variable_name)};
    }
    if (!is_expression(*text)) return *std::move(value);
    const std::string_view inner = std::string_view(*text).substr(1, text->size() - 2);
    return Evaluator(inner, variables_, depth_ + 1, budget_).run();
  }

  Result<ExpressionValue> variable_reference() {
    Result<std::string_view> found = variable_name();
    if (!found) return std::move(found).error();
    return variable(*found);
  }

  Result<ExpressionValue> string_literal(char quote) {
    ++at_;
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        out += text_[at_ + 1];
        at_ += 2;
      } else if (text_.substr(at_, 2) == "${") {
        const std::size_t start = at_;
        Result<std::string_view> found = variable_name();
        if (!found) return std::move(found).error();
        if (!variables_(*found)) {  // Stays as it is written.
          out += text_.substr(start, at_ - start);
          continue;
        }
        Result<ExpressionValue> value = variable(*found);
        if (!value) return value;
        const std::string* text = std::get_if<std::string>(&value->data);
        if (text == nullptr) {
          return Error{ErrorCode::type_mismatch,
                       fmt::format("the expression variable '{}' is {}, but stands in a string.",
                                   *found, type_of(*value))};
        }
        out += *text;
        if (out.size() > kMaxExpansion) {
          return Error{ErrorCode::limit_exceeded, "an expression makes too long a string."};
        }
      } else {
        out += text_[at_++];
      }
    }
    if (at_ >= text_.size()) return syntax(quote == '"' ? "'\"'" : "'");
    ++at_;
    return ExpressionValue{std::move(out)};
  }

  Result<ExpressionValue> word() {
    const std::string_view found = name();
    if (found == "True" || found == "true") return ExpressionValue{true};
    if (found == "False" || found == "false") return ExpressionValue{false};
    if (found == "None" || found == "none") return ExpressionValue{};
    if (!take('(')) return syntax("'(' after a function name");
    if (found == "defined") return defined();
    Arguments arguments;
    if (!take(')')) {
      do {
        Result<ExpressionValue> argument = expression();
        if (!argument) return argument;
        arguments.push_back(*std::move(argument));
      } while (take(','));
      if (!take(')')) return syntax("',' or ')'");
    }
    return call(found, arguments);
  }

  // defined(NAME, ...) or defined("NAME", ...): names, not values.
  Result<ExpressionValue> defined() {
    bool all = true;
    bool any = false;
    do {
      skip_blanks();
      std::string found;
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
        Result<ExpressionValue> text = string_literal(text_[at_]);
        if (!text) return text;
        found = std::get<std::string>(text->data);
      } else {
        found = name();
      }
      if (found.empty()) return syntax("a variable name");
      any = true;
      all = all && variables_(found).has_value();
    } while (take(','));
    if (!any || !take(')')) return syntax("',' or ')'");
    return ExpressionValue{all};
  }

  static Result<ExpressionValue> call(std::string_view function, const Arguments& arguments);

  std::string_view text_;
  const VariableLookup& variables_;
  int depth_;
  Budget& budget_;
  std::size_t at_ = 0;
  int level_ = 0;
};

Result<ExpressionValue> call_logic(std::string_view function, const Arguments& arguments) {
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
                 fmt::format("{}() cannot compare {} with {}.", function, type_of(a), type_of(b))};
  }
  if (function == "eq") return ExpressionValue{a == b};
  if (function == "neq") return ExpressionValue{!(a == b)};
  int order = 0;
  if (const auto* x = std::get_if<std::int64_t>(&a.data)) {
    const std::int64_t y = std::get<std::int64_t>(b.data);
    order = *x < y ? -1 : (*x > y ? 1 : 0);
  } else if (const auto* s = std::get_if<std::string>(&a.data)) {
    order = s->compare(std::get<std::string>(b.data));
  } else {
    return mismatch(function, "ints or strings", a);
  }
  if (function == "lt") return ExpressionValue{order < 0};
  if (function == "leq") return ExpressionValue{order <= 0};
  if (function == "gt") return ExpressionValue{order > 0};
  return ExpressionValue{order >= 0};
}

Result<ExpressionValue> call_contains(const ExpressionValue& where, const ExpressionValue& what) {
  if (const auto* list = std::get_if<ExpressionList>(&where.data)) {
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
                 fmt::format("at() was asked for element {} of {}.", *index, size)};
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

Result<ExpressionValue> Evaluator::call(std::string_view function, const Arguments& arguments) {
  struct Signature {
    std::string_view name;
    std::size_t fewest;
    std::size_t most;
  };
  constexpr std::size_t any = kMaxSteps;
  static constexpr Signature kFunctions[] = {
      {"if", 2, 3},       {"and", 2, any}, {"or", 2, any}, {"not", 1, 1}, {"eq", 2, 2},
      {"neq", 2, 2},      {"lt", 2, 2},    {"leq", 2, 2},  {"gt", 2, 2},  {"geq", 2, 2},
      {"contains", 2, 2}, {"at", 2, 2},    {"len", 1, 1}};
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const Signature& s) { return s.name == function; });
  if (found == std::end(kFunctions)) {
    return Error{ErrorCode::syntax, fmt::format("there is no function '{}'.", function)};
  }
  if (arguments.size() < found->fewest || arguments.size() > found->most) {
    return Error{ErrorCode::syntax,
                 fmt::format("{}() was given {} arguments.", function, arguments.size())};
  }
  if (function == "if") {
    const auto* condition = std::get_if<bool>(&arguments[0].data);
    if (condition == nullptr) return mismatch("if", "a bool as condition", arguments[0]);
    if (*condition) return arguments[1];
    return arguments.size() == 3 ? arguments[2] : ExpressionValue{};
  }
  if (function == "and" || function == "or" || function == "not") {
    return call_logic(function, arguments);
  }
  if (function == "contains") return call_contains(arguments[0], arguments[1]);
  if (function == "at") return call_at(arguments[0], arguments[1]);
  if (function == "len") return call_len(arguments[0]);
  return call_compare(function, arguments[0], arguments[1]);
}

}  // namespace

bool is_expression(std::string_view text) noexcept {
  return text.size() >= 2 && text.front() == '`' && text.back() == '`';
}

ExpressionValue expression_value(const layer::Value& value) {
  if (const auto flag = value.get<bool>()) return {*flag};
  if (const auto text = value.text()) return {std::string(*text)};
  if (const auto number = value.get<std::int32_t>()) return {std::int64_t{*number}};
  if (const auto number = value.get<std::int64_t>()) return {*number};
  ExpressionList list;
  if (value.is_array()) {
    for (const Token token : value.as_array<Token>()) list.push_back({token.str()});
    for (const std::int64_t number : value.as_array<std::int64_t>()) list.push_back({number});
    for (const std::int32_t number : value.as_array<std::int32_t>()) {
      list.push_back({std::int64_t{number}});
    }
    for (const bool flag : value.as_array<bool>()) list.push_back({flag});
    return {std::move(list)};
  }
  return {};
}

Result<ExpressionValue> evaluate_expression(std::string_view text,
                                            const VariableLookup& variables) {
  if (!is_expression(text)) {
    return Error{ErrorCode::syntax, "an expression stands between backticks."};
  }
  Budget budget;
  return Evaluator(text.substr(1, text.size() - 2), variables, 0, budget).run();
}

}  // namespace sinew::stage
