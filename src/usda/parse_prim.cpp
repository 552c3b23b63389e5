// SPDX-License-Identifier: Apache-2.0
// Prims, variants and their bodies.

#include <algorithm>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "usda/text_parser.hpp"

namespace sinew::usda {

Path TextParser::current_path() const {
  // path_of() needs nothing but names and parents, which open prims already have.
  return Layer::path_of(assembly_.prim()).strip_variants();
}

// Of the innermost prim or property that is open, with the variants around it.
Path TextParser::spec_path() const {
  const Path prim = Layer::path_of(assembly_.prim());
  return current_property_.empty() ? prim : prim.property(current_property_.view());
}

// Remembers the innermost prim or property that an error happened in, before it is closed.
void TextParser::keep_error_path() {
  if (error_path_.empty()) error_path_ = spec_path();
}

bool TextParser::take_specifier(Specifier& specifier) {
  if (scan_.take_word("def")) {
    specifier = Specifier::def;
  } else if (scan_.take_word("over")) {
    specifier = Specifier::over;
  } else if (scan_.take_word("class")) {
    specifier = Specifier::class_;
  } else {
    return false;
  }
  return true;
}

// identifier { '.' identifier }, without the blanks around the dots.
bool TextParser::prim_type(Token& type_name) {
  std::string_view text = scan_.qualified_identifier();
  std::string joined;
  for (;;) {
    if (text.empty()) return scan_.expected("the type or the name of a prim");
    const char* const after = scan_.position();
    if (!scan_.pad()) return false;
    if (!scan_.take('.')) {
      scan_.set_position(after);
      break;
    }
    if (joined.empty()) joined = text;
    if (!scan_.pad()) return false;
    text = scan_.qualified_identifier();
    if (!text.empty()) joined.append(1, '.').append(text);
  }
  if (!joined.empty()) text = joined;
  if (text != "__AnyType__") type_name = intern(text);
  return true;
}

// The name of a prim was wanted, and there is a word that may be meant.
bool TextParser::hint_missing_quote(const char* word_at) {
  scan_.set_position(word_at);
  const std::string_view word = scan_.identifier();
  if (word.empty()) return false;
  if (!scan_.at_string()) return scan_.add_hint("put the name of the prim in quotes");
  const std::string_view behind = rest().substr(1);
  const bool quoted =
      behind.substr(0, behind.find_first_of("\r\n")).find(scan_.peek()) != std::string_view::npos;
  return !quoted && scan_.add_hint(format_text("a quote is missing before '{}'", word));
}

bool TextParser::prim(Specifier specifier) {
  const char* const at = scan_.position();
  if (!scan_.gap("the name of a prim")) return false;
  Token type_name;
  const char* const type_at = scan_.position();
  if (!scan_.at_string()) {
    if (!prim_type(type_name)) return false;
    if (!scan_.gap("the name of a prim")) return hint_missing_quote(type_at);
  }
  const char* const name_at = scan_.position();
  std::string_view name;
  if (!scan_.at_string()) {
    scan_.expected("a string in quotes");
    return hint_missing_quote(scan_.peek_identifier().empty() ? type_at : name_at);
  }
  if (!scan_.string(name, scratch_)) return false;
  if (!is_identifier(name)) {
    return scan_.fail(name_at, "usda-bad-name", format_text("'{}' is not a prim name.", name),
                      "use letters, digits and '_', not starting with a digit");
  }
  PrimSpec* const spec = assembly_.push_prim(name);
  if (spec == nullptr) return refused(name_at);
  spec->type_name = type_name;
  spec->specifier = specifier;
  spec->line = scan_.line(at);
  const bool read = prim_contents();
  if (!read) keep_error_path();
  assembly_.pop_prim();
  return read;
}

bool TextParser::prim_contents() {
  if (!scan_.multi_pad()) return false;
  if (scan_.take('(')) {
    if (!statements(')', "';', a line break or ')'", [this] { return prim_item(); })) return false;
    if (!scan_.multi_pad()) return false;
  }
  return prim_body();
}

bool TextParser::prim_body() {
  if (!scan_.require('{', "'{'")) return false;
  if (!scan_.multi_pad()) return false;
  while (!scan_.take('}')) {
    bool needs_line_break = false;
    const char* const at = scan_.position();
    if (!body_item(needs_line_break)) return suspect_bracket(at);
    if (!scan_.line_pad()) return false;
    if (needs_line_break ? scan_.at_line_break() : (scan_.at_line_break() || scan_.peek() == ';')) {
      scan_.set_position(scan_.position() + 1);
    } else {
      return scan_.expected(needs_line_break ? "a line break after '}'" : "';' or a line break");
    }
    if (!scan_.multi_pad()) return false;
  }
  return true;
}

bool TextParser::body_item(bool& needs_line_break) {
  const char* const at = scan_.position();
  Specifier specifier = Specifier::over;
  if (take_specifier(specifier)) {
    needs_line_break = true;
    return prim(specifier);
  }
  if (scan_.take_word("variantSet")) {
    needs_line_break = true;
    return variant_set();
  }
  if (scan_.take_word("reorder")) {
    if (!scan_.gap("nameChildren, properties or a property")) return false;
    PrimExtra& extra = assembly_.extra();
    if (scan_.take_word("nameChildren")) return child_order(extra.child_order);
    if (scan_.take_word("properties")) return child_order(extra.property_order);
    scan_.set_position(at);
  }
  return property();
}

bool TextParser::child_order(std::vector<Token>& order) {
  order.clear();
  return equals_sign() && name_list(order);
}

bool TextParser::variant_set() {
  if (!scan_.gap("the name of a variant set")) return false;
  const char* const name_at = scan_.position();
  std::string_view name;
  if (!scan_.string(name, scratch_)) return false;
  if (!is_variant_name(name)) {
    return scan_.fail(name_at, "usda-bad-name",
                      format_text("'{}' is not a variant set name.", name));
  }
  std::size_t index = 0;
  if (!assembly_.declare_variant_set(intern(name), index)) return refused(name_at);
  if (!scan_.pad() || !scan_.require('=', "'='") || !scan_.multi_pad() ||
      !scan_.require('{', "'{'"))
    return false;
  if (scan_.take('}')) return true;
  do {
    if (!scan_.multi_pad() || !variant(index)) return false;
    if (!scan_.multi_pad()) return false;
  } while (!scan_.take('}'));
  return true;
}

bool TextParser::variant(std::size_t set_index) {
  const char* const at = scan_.position();
  std::string_view name;
  if (!scan_.at_string()) return scan_.expected("the name of a variant in quotes, or '}'");
  if (!scan_.string(name, scratch_)) return false;
  if (!is_variant_name(name)) {
    return scan_.fail(at, "usda-bad-name", format_text("'{}' is not a variant name.", name));
  }
  PrimSpec* const spec = assembly_.push_variant(set_index, intern(name));
  if (spec == nullptr) return refused(at);
  if (spec->line == 0) spec->line = scan_.line(at);
  const bool read = prim_contents();
  if (!read) keep_error_path();
  assembly_.pop_prim();
  return read;
}

}  // namespace sinew::usda
