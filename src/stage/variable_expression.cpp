// SPDX-License-Identifier: Apache-2.0
#include "stage/variable_expression.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "core/format_text.hpp"
#include "core/read_integer.hpp"
#include "core/unescape.hpp"
#include "stage/expression_functions.hpp"

namespace sinew::stage {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxExpansion = 64 * 1024;  // Bytes of variable text, over all levels.
constexpr std::size_t kMaxSteps = 100'000;        // Values made, over all levels.

// Whether both are of one type, or one of them is None; lists, if they hold the same.
bool may_replace(const ExpressionValue& a, const ExpressionValue& b) {
  if (std::holds_alternative<std::monostate>(a.data)) return true;
  if (std::holds_alternative<std::monostate>(b.data)) return true;
  if (a.data.index() != b.data.index()) return false;
  const auto* x = std::get_if<ExpressionList>(&a.data);
  if (x == nullptr) return true;
  const auto& y = std::get<ExpressionList>(b.data);
  if (x->empty() || y.empty()) return x->empty() == y.empty();
  return x->front().data.index() == y.front().data.index();
}

struct Signature {
  std::string_view name;
  std::size_t fewest;
  std::size_t most;
};
constexpr std::size_t kAny = kMaxSteps;
constexpr Signature kFunctions[] = {
    {"if", 2, 3},       {"and", 2, kAny}, {"or", 2, kAny}, {"not", 1, 1},       {"eq", 2, 2},
    {"neq", 2, 2},      {"lt", 2, 2},     {"leq", 2, 2},   {"gt", 2, 2},        {"geq", 2, 2},
    {"contains", 2, 2}, {"at", 2, 2},     {"len", 1, 1},   {"defined", 1, kAny}};

// What all levels of one evaluation share.
struct Budget {
  std::size_t expansion = 0;
  std::size_t steps = 0;
};

// Reads and evaluates in one pass. Errors of the grammar and of limits end it. What fails for the
// values that variables have is kept until it is known whether it counts: in the branch that if()
// does not take, it does not.
class Evaluator {
 public:
  Evaluator(std::string_view text, const VariableLookup& variables, Budget& budget)
      : text_(text), variables_(variables), budget_(budget) {}

  Result<ExpressionValue> run() {
    Result<ExpressionValue> value = expression(true);
    if (!value) return value;
    // What stands between a second backtick and the last one is not read.
    if (at_ != text_.size() && text_[at_] != '`') return syntax("nothing more");
    if (failure_) return *std::move(failure_);
    return value;
  }

 private:
  struct Argument {
    ExpressionValue value;
    std::optional<Error> failure;
  };

  // The expression of a variable that `outer` refers to.
  Evaluator(std::string_view text, const Evaluator& outer, std::string_view variable)
      : text_(text),
        variables_(outer.variables_),
        budget_(outer.budget_),
        outer_(&outer),
        variable_(variable),
        depth_(outer.depth_ + 1) {}

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // The same with blanks on both sides.
  bool take_padded(char c) {
    const std::size_t first = at_;
    skip_blanks();
    if (!take(c)) {
      at_ = first;
      return false;
    }
    skip_blanks();
    return true;
  }
  Error syntax(std::string_view expected) const {
    Error error{ErrorCode::syntax, format_text("expected {} at column {} of the expression '{}'.",
                                               expected, at_ + 1, text_)};
    error.column = static_cast<std::uint32_t>(at_ + 1);
    return error;
  }
  // Keeps the first failure; what is read goes on as None.
  ExpressionValue fail(Error error) {
    if (!failure_) failure_ = std::move(error);
    return {};
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

  Result<ExpressionValue> expression(bool may_be_list) {
    if (++level_ > kMaxDepth || ++budget_.steps > kMaxSteps) {
      return Error{ErrorCode::limit_exceeded, "a variable expression nests too deeply."};
    }
    Result<ExpressionValue> value = expression_at_level(may_be_list);
    --level_;
    return value;
  }

  Result<ExpressionValue> expression_at_level(bool may_be_list) {
    if (at_ >= text_.size()) return syntax("an expression");
    const char c = text_[at_];
    if (c == '"' || c == '\'') return string_literal(c);
    if (c == '$') return variable_reference();
    if (c == '[' && may_be_list) return list_literal();
    if (c == '-' || (c >= '0' && c <= '9')) return integer_literal();
    if (is_name_start(c)) return word();
    return syntax("an expression");
  }

  Result<ExpressionValue> integer_literal() {
    std::int64_t number = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = read_integer(first, text_.data() + text_.size(), number);
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
    const std::size_t first = at_;
    skip_blanks();
    if (take(']')) return ExpressionValue{std::move(items)};
    at_ = first;
    do {
      Result<Argument> item = argument(false);
      if (!item) return std::move(item).error();
      if (item->failure) fail(*std::move(item->failure));
      if (!failure_) add_item(std::move(item->value), items);
    } while (take_padded(','));
    if (!take(']')) return syntax("',' or ']'");
    return failure_ ? ExpressionValue{} : ExpressionValue{std::move(items)};
  }

  void add_item(ExpressionValue item, ExpressionList& items) {
    const bool is_scalar = std::holds_alternative<bool>(item.data) ||
                           std::holds_alternative<std::int64_t>(item.data) ||
                           std::holds_alternative<std::string>(item.data);
    if (!is_scalar) {
      fail({ErrorCode::type_mismatch,
            format_text("a list in an expression cannot hold {}.", type_of(item))});
    } else if (!items.empty() && items.front().data.index() != item.data.index()) {
      fail({ErrorCode::type_mismatch, format_text("a list in an expression holds {} and {}.",
                                                  type_of(items.front()), type_of(item))});
    } else {
      items.push_back(std::move(item));
    }
  }

  // ${NAME}; the '$' is next.
  Result<std::string_view> variable_name() {
    if (text_.substr(at_, 2) != "${") return syntax("'${'");
    at_ += 2;
    const std::string_view found = name();
    if (found.empty()) return syntax("a variable name");
    if (!take('}')) return syntax("'}'");
    return found;
  }

  // Whether the expression stands in the value of a variable, at whatever level.
  bool is_inside(std::string_view variable_name) const {
    for (const Evaluator* at = this; at != nullptr; at = at->outer_) {
      if (at->variable_ == variable_name) return true;
    }
    return false;
  }

  Result<ExpressionValue> variable(std::string_view variable_name) {
    if (is_inside(variable_name)) {
      return fail({ErrorCode::limit_exceeded,
                   format_text("the expression variable '{}' refers to itself.", variable_name)});
    }
    std::optional<ExpressionValue> value = variables_(variable_name);
    if (!value) {
      return fail({ErrorCode::not_found,
                   format_text("the expression variable '{}' is not defined.", variable_name)});
    }
    if (std::holds_alternative<UnknownType>(value->data)) {
      return fail({ErrorCode::type_mismatch,
                   format_text("the expression variable '{}' is of a type that expressions do not "
                               "have.",
                               variable_name)});
    }
    const std::string* text = std::get_if<std::string>(&value->data);
    if (text == nullptr) return *std::move(value);
    budget_.expansion += text->size();
    if (depth_ >= kMaxDepth || budget_.expansion > kMaxExpansion) {
      return Error{
          ErrorCode::limit_exceeded,
          format_text("expression variables expand to too much text, at '{}'.", variable_name)};
    }
    if (!is_expression(*text)) return *std::move(value);
    const std::string_view inner = std::string_view(*text).substr(1, text->size() - 2);
    Result<ExpressionValue> result = Evaluator(inner, *this, variable_name).run();
    if (result || budget_.steps > kMaxSteps || budget_.expansion > kMaxExpansion) return result;
    return fail(std::move(result).error());
  }

  Result<ExpressionValue> variable_reference() {
    Result<std::string_view> found = variable_name();
    if (!found) return std::move(found).error();
    return variable(*found);
  }

  // The characters up to the next variable or the end of a literal, with their escapes.
  std::string_view literal_text(char quote) {
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != quote && text_.substr(at_, 2) != "${") {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      const bool is_escape =
          text_[at_] == '\\' && (next == '`' || next == '$' || next == '\\' || next == quote);
      at_ += is_escape ? 2 : 1;
    }
    return text_.substr(first, at_ - first);
  }

  Result<ExpressionValue> string_literal(char quote) {
    ++at_;
    std::string out;
    std::string piece;
    for (;;) {
      unescape(literal_text(quote), piece);
      out += piece;
      if (at_ >= text_.size()) return syntax(quote == '"' ? "'\"'" : "'");
      if (take(quote)) return ExpressionValue{std::move(out)};
      const std::size_t start = at_;
      Result<std::string_view> found = variable_name();
      if (!found) return std::move(found).error();
      if (!variables_(*found)) {  // Stays as it is written.
        out += text_.substr(start, at_ - start);
        continue;
      }
      Result<ExpressionValue> value = variable(*found);
      if (!value) return value;
      if (const auto* text = std::get_if<std::string>(&value->data)) {
        out += *text;
      } else if (!std::holds_alternative<std::monostate>(value->data)) {
        fail({ErrorCode::type_mismatch,
              format_text("the expression variable '{}' is {}, but stands in a string.", *found,
                          type_of(*value))});
      }
      if (out.size() > kMaxExpansion) {
        return Error{ErrorCode::limit_exceeded, "an expression makes too long a string."};
      }
    }
  }

  Result<ExpressionValue> word() {
    const std::string_view found = name();
    if (found == "True" || found == "true") return ExpressionValue{true};
    if (found == "False" || found == "false") return ExpressionValue{false};
    if (found == "None" || found == "none") return ExpressionValue{};
    if (!take_padded('(')) return syntax("'(' after a function name");
    std::vector<Argument> arguments;
    if (!take_padded(')')) {
      do {
        Result<Argument> argument = this->argument();
        if (!argument) return std::move(argument).error();
        arguments.push_back(*std::move(argument));
      } while (take_padded(','));
      if (!take_padded(')')) return syntax("',' or ')'");
    }
    return function(found, arguments);
  }

  Result<Argument> argument(bool may_be_list = true) {
    std::optional<Error> before = std::exchange(failure_, std::nullopt);
    Result<ExpressionValue> value = expression(may_be_list);
    if (!value) return std::move(value).error();
    return Argument{*std::move(value), std::exchange(failure_, std::move(before))};
  }

  Result<ExpressionValue> function(std::string_view function_name,
                                   const std::vector<Argument>& arguments) {
    const auto* found =
        std::find_if(std::begin(kFunctions), std::end(kFunctions),
                     [&](const Signature& known) { return known.name == function_name; });
    if (found == std::end(kFunctions)) {
      return Error{ErrorCode::syntax, format_text("there is no function '{}'.", function_name)};
    }
    if (arguments.size() < found->fewest || arguments.size() > found->most) {
      return Error{ErrorCode::syntax,
                   format_text("{}() was given {} arguments.", function_name, arguments.size())};
    }
    if (function_name == "if") return choose(arguments);
    std::vector<ExpressionValue> values;
    for (const Argument& argument : arguments) {
      if (argument.failure) return fail(*argument.failure);
      values.push_back(argument.value);
    }
    Result<ExpressionValue> result =
        function_name == "defined" ? are_defined(values) : call_function(function_name, values);
    return result ? *std::move(result) : fail(std::move(result).error());
  }

  // if(condition, value) and if(condition, value, other).
  ExpressionValue choose(const std::vector<Argument>& arguments) {
    if (arguments[0].failure) return fail(*arguments[0].failure);
    const auto* condition = std::get_if<bool>(&arguments[0].value.data);
    if (condition == nullptr)
      return fail(mismatch("if", "a bool as condition", arguments[0].value));
    if (arguments.size() == 3 && !may_replace(arguments[1].value, arguments[2].value)) {
      return fail({ErrorCode::type_mismatch,
                   format_text("if() chooses between {} and {}.", type_of(arguments[1].value),
                               type_of(arguments[2].value))});
    }
    if (!*condition && arguments.size() == 2) return {};
    const Argument& chosen = arguments[*condition ? 1 : 2];
    return chosen.failure ? fail(*chosen.failure) : chosen.value;
  }

  Result<ExpressionValue> are_defined(const std::vector<ExpressionValue>& names) const {
    bool all = true;
    for (const ExpressionValue& value : names) {
      const auto* text = std::get_if<std::string>(&value.data);
      if (text == nullptr) return mismatch("defined", "names as strings", value);
      all = all && variables_(*text).has_value();
    }
    return ExpressionValue{all};
  }

  std::string_view text_;
  const VariableLookup& variables_;
  Budget& budget_;
  const Evaluator* outer_ = nullptr;
  std::string_view variable_;  // Whose value the text is; empty for the outermost.
  int depth_ = 0;
  std::size_t at_ = 0;
  int level_ = 0;
  std::optional<Error> failure_;
};

// A value of elements T, or an array of them, as expressions hold it.
template <typename T, typename As>
ExpressionValue value_or_list(const layer::Value& value) {
  if (!value.is_array()) return {As{*value.get<T>()}};
  ExpressionList list;
  for (const T element : value.as_array<T>()) list.push_back({As{element}});
  return {std::move(list)};
}

}  // namespace

bool is_expression(std::string_view text) noexcept {
  return text.size() > 2 && text.front() == '`' && text.back() == '`';
}

ExpressionValue expression_value(const layer::Value& value) {
  using layer::ElementType;
  if (!value.has_value() || value.is_block()) return {};
  switch (value.type()) {
    case ElementType::bool_:
      return value_or_list<bool, bool>(value);
    case ElementType::int_:
      return value_or_list<std::int32_t, std::int64_t>(value);
    case ElementType::int64:
      return value_or_list<std::int64_t, std::int64_t>(value);
    case ElementType::string: {
      if (!value.is_array()) return {std::string(*value.text())};
      ExpressionList list;
      for (const Token text : value.as_array<Token>()) list.push_back({text.str()});
      return {std::move(list)};
    }
    default:
      return {UnknownType()};
  }
}

Result<ExpressionValue> evaluate_expression(std::string_view text,
                                            const VariableLookup& variables) {
  if (!is_expression(text)) {
    return Error{ErrorCode::syntax, "an expression stands between backticks."};
  }
  Budget budget;
  return Evaluator(text.substr(1, text.size() - 2), variables, budget).run();
}

}  // namespace sinew::stage
