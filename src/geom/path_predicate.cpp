// SPDX-License-Identifier: Apache-2.0
#include "geom/path_predicate.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "geom/shared/model.hpp"
#include "layer/shared/path_expression_syntax.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {

namespace {

using stage::Prim;
using stage::SchemaType;

struct Argument {
  std::string_view name;  // Empty for most.
  std::string_view value;
};

using Arguments = std::vector<Argument>;

bool is_true(std::string_view value) {
  return value == "true" || value == "1" || value.starts_with('y') || value.starts_with('Y');
}

// The value of an argument of that name.
std::optional<std::string_view> named(const Arguments& arguments, std::string_view name) {
  for (const Argument& argument : arguments) {
    if (argument.name == name) return argument.value;
  }
  return std::nullopt;
}

// `abstract`, `abstract:false` and `abstract(isAbstract=false)`.
bool wants(const Arguments& arguments) {
  return arguments.empty() || is_true(arguments.front().value);
}

bool isa(const Prim& prim, const Arguments& arguments) {
  const bool strict = is_true(named(arguments, "strict").value_or(""));
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    if (!argument.name.empty()) return false;
    const SchemaType type = stage::find_schema_type(argument.value);
    if (type == SchemaType::unknown) return false;
    return strict ? prim.schema_type() == type : prim.is_a(type);
  });
}

bool has_api(const Prim& prim, const Arguments& arguments) {
  const std::optional<std::string_view> instance = named(arguments, "instanceName");
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    if (!argument.name.empty()) return false;
    std::string schema(argument.value);
    const bool only_known = prim.stage().rules() == sinew::Rules::openusd;
    if (only_known && !stage::is_known_api_schema(schema)) return false;
    if (instance) return prim.has_api(schema + ':' + std::string(*instance));
    if (prim.has_api(schema)) return true;
    // Of a schema that is applied several times, any instance counts.
    schema += ':';
    const auto applied = prim.authored_api_schemas();
    return std::any_of(applied.begin(), applied.end(),
                       [&](Token name) { return name.view().starts_with(schema); });
  });
}

// Nothing if there are other words than specifiers.
std::optional<bool> has_specifier(const Prim& prim, const Arguments& arguments) {
  const std::string_view own = layer::to_string(prim.specifier());
  bool has = false;
  for (const Argument& argument : arguments) {
    const std::string_view word = argument.value;
    if (!argument.name.empty() || (word != "def" && word != "over" && word != "class")) {
      return std::nullopt;
    }
    has = has || word == own;
  }
  return has;
}

// Nothing if none of the kinds is known.
std::optional<bool> has_kind(const Prim& prim, const Arguments& arguments) {
  const bool strict = is_true(named(arguments, "strict").value_or(""));
  const layer::Value kind = prim.metadata("kind");
  const std::string_view own = kind.text().value_or("");
  std::optional<bool> has;
  for (const Argument& argument : arguments) {
    if (!argument.name.empty() || !is_known_kind(argument.value)) continue;
    const bool fits = strict ? own == argument.value : is_kind(own, argument.value);
    has = fits || has.value_or(false);
  }
  return has;
}

bool is_word(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

// `variant(set=selection)`. What is not a word is a pattern, which any part of the selection may
// match. Nothing if an argument has no name.
std::optional<bool> has_variants(const Prim& prim, const Arguments& arguments) {
  const auto selections = prim.variant_selections();
  bool has = true;
  for (const Argument& argument : arguments) {
    if (argument.name.empty()) return std::nullopt;
    const auto found = std::find_if(selections.begin(), selections.end(), [&](const auto& entry) {
      return entry.first.view() == argument.name;
    });
    const std::string_view selected =
        found == selections.end() ? std::string_view() : found->second.view();
    has = has && (is_word(argument.value)
                      ? selected == argument.value
                      : matches_name('*' + std::string(argument.value) + '*', selected));
  }
  return has;
}

// Nothing if there is no such function, or none that takes such arguments.
std::optional<bool> call(std::string_view function, const Arguments& arguments, const Prim& prim) {
  if (function == "abstract") return prim.is_abstract() == wants(arguments);
  if (function == "defined") return prim.is_defined() == wants(arguments);
  if (function == "model") return is_model(prim) == wants(arguments);
  if (function == "group") return is_group(prim) == wants(arguments);
  if (function == "kind") return has_kind(prim, arguments);
  if (function == "variant") return has_variants(prim, arguments);
  if (function == "specifier") return has_specifier(prim, arguments);
  if (function == "isa") return isa(prim, arguments);
  if (function == "hasAPI") return has_api(prim, arguments);
  return std::nullopt;
}

// Precedence from high to low: `not`, blank, `and`, `or`.
class PredicateReader {
 public:
  PredicateReader(std::string_view text, const Prim& prim) : text_(text), prim_(prim) {}

  bool run() {
    const bool value = alternatives(0);
    blanks();
    return value && is_complete();
  }
  /// Whether all of it was a predicate.
  bool is_complete() const { return !failed_ && at_ == text_.size(); }

 private:
  static constexpr int kMaxDepth = 64;

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  std::string_view name() {
    const std::size_t first = at_;
    while (layer::is_expression_name(peek())) ++at_;
    return text_.substr(first, at_ - first);
  }
  bool take_word(std::string_view word) {
    const std::size_t first = at_;
    blanks();
    if (name() == word) return true;
    at_ = first;
    return false;
  }

  bool alternatives(int depth) {
    bool value = conjunction(depth);
    while (take_word("or")) value = conjunction(depth) || value;
    return value;
  }

  bool conjunction(int depth) {
    bool value = sequence(depth);
    while (take_word("and")) value = sequence(depth) && value;
    return value;
  }

  bool sequence(int depth) {
    bool value = factor(depth);
    while (!failed_) {  // Where reading stopped, nothing more is taken.
      const std::size_t first = at_;
      blanks();
      const std::size_t word_at = at_;
      const std::string_view word = name();
      at_ = word_at;
      if (word == "or" || word == "and" || (word.empty() && peek() != '(')) {
        at_ = first;
        return value;
      }
      value = factor(depth) && value;
    }
    return false;
  }

  bool factor(int depth) {
    if (depth > kMaxDepth) failed_ = true;
    if (failed_) return false;
    if (take_word("not")) return !factor(depth + 1);
    blanks();
    if (take('(')) {
      const bool value = alternatives(depth + 1);
      blanks();
      if (!take(')')) failed_ = true;
      return value;
    }
    const std::string_view function = name();
    if (function.empty()) failed_ = true;
    Arguments arguments;
    const std::size_t behind = at_;
    if (take(':')) {
      do arguments.push_back({{}, value()});
      while (take(','));
    } else {
      blanks();
      if (take('(')) {
        parenthesised(arguments);
      } else {
        at_ = behind;
      }
    }
    if (failed_) return false;
    // What cannot be called makes the whole predicate hold for nothing, also behind `not`.
    const std::optional<bool> result = call(function, arguments, prim_);
    failed_ = !result;
    return result.value_or(false);
  }

  void parenthesised(Arguments& arguments) {
    blanks();
    if (take(')')) return;
    do {
      blanks();
      const std::size_t first = at_;
      Argument argument{name(), {}};
      blanks();
      if (argument.name.empty() || !take('=')) {
        argument.name = {};
        at_ = first;
      }
      blanks();
      argument.value = value();
      blanks();
      arguments.push_back(argument);
    } while (take(','));
    if (!take(')')) failed_ = true;
  }

  // What needs no quotes: words, numbers, patterns.
  std::string_view unquoted() {
    constexpr std::string_view kOthers = "~!@#$%^&*-+=|\\.?/";
    const std::size_t first = at_;
    while (layer::is_expression_name(peek()) ||
           (peek() != '\0' && kOthers.find(peek()) != std::string_view::npos)) {
      ++at_;
    }
    return text_.substr(first, at_ - first);
  }

  // A word, a number, nothing, or a string in quotes, which no escape makes a name.
  std::string_view value() {
    const char quote = peek();
    if (quote != '"' && quote != '\'') return unquoted();
    const std::size_t first = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
      at_ = text_.size();
      failed_ = true;
      return {};
    }
    return text_.substr(first, at_++ - first);
  }

  std::string_view text_;
  const Prim& prim_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

bool satisfies(std::string_view predicate, const stage::Prim& prim) {
  return PredicateReader(predicate, prim).run();
}

bool is_predicate(std::string_view text, const stage::Prim& prim) {
  PredicateReader reader(text, prim);
  (void)reader.run();
  return reader.is_complete();
}

}  // namespace sinew::geom
