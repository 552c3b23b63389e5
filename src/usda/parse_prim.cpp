// SPDX-License-Identifier: Apache-2.0
// Prims, variants and their bodies.
#include <fmt/format.h>

#include <algorithm>

#include "layer/unicode.hpp"
#include "usda/text_parser.hpp"

namespace sinew::usda {

Path TextParser::current_path() const {
  // Variants that are still open are not in their sets' tables under a finished prim, but their
  // parent link and name are set, which is all that path_of() needs.
  return Layer::path_of(assembly_.prim()).strip_variants();
}

// The innermost prim or property that an error happened in, before it is closed.
void TextParser::keep_error_path() {
  if (!error_path_.empty()) return;
  error_path_ = Layer::path_of(assembly_.prim());
  if (!current_property_.empty()) error_path_ = error_path_.property(current_property_.view());
}

bool TextParser::take_specifier(Specifier& specifier) {
  if (take_word("def")) {
    specifier = Specifier::def;
  } else if (take_word("over")) {
    specifier = Specifier::over;
  } else if (take_word("class")) {
    specifier = Specifier::class_;
  } else {
    return false;
  }
  return true;
}

bool TextParser::prim(Specifier specifier) {
  const char* const at = position();
  if (!gap("the name of a prim")) return false;
  Token type_name;
  if (!at_string()) {
    const char* const type_at = position();
    bool parts = false;
    for (;;) {
      if (qualified_identifier().empty()) return expected("the type or the name of a prim");
      const char* const after = position();
      if (!pad()) return false;
      if (!take('.')) {
        set_position(after);
        break;
      }
      parts = true;
      if (!pad()) return false;
    }
    std::string_view text(type_at, static_cast<std::size_t>(position() - type_at));
    std::string joined;
    if (parts) {
      joined = text;
      std::erase_if(joined, [](char c) { return c == ' ' || c == '\t'; });
      text = joined;
    }
    if (text != "__AnyType__") type_name = intern(text);
    if (!gap("the name of a prim")) return false;
  }
  const char* const name_at = position();
  std::string_view name;
  if (!string(name, scratch_)) return false;
  if (!is_identifier(name)) {
    return fail(name_at, "usda-bad-name", fmt::format("'{}' is not a prim name.", name),
                "use letters, digits and '_', not starting with a digit");
  }
  PrimSpec* const spec = assembly_.push_prim(name);
  if (spec == nullptr) return refused(name_at);
  spec->type_name = type_name;
  spec->specifier = specifier;
  spec->line = line(at);
  const bool read = prim_contents();
  if (!read) keep_error_path();
  assembly_.pop_prim();
  return read;
}

bool TextParser::prim_contents() {
  if (!multi_pad()) return false;
  if (take('(')) {
    if (!statements(')', "';', a line break or ')'", [this] { return prim_item(); })) return false;
    if (!multi_pad()) return false;
  }
  return prim_body();
}

bool TextParser::prim_body() {
  if (!require('{', "'{'")) return false;
  if (!multi_pad()) return false;
  while (!take('}')) {
    bool needs_line_break = false;
    if (!body_item(needs_line_break) || !line_pad()) return false;
    if (needs_line_break ? at_line_break() : (at_line_break() || peek() == ';')) {
      set_position(position() + 1);
    } else {
      return expected(needs_line_break ? "a line break after '}'" : "';' or a line break");
    }
    if (!multi_pad()) return false;
  }
  return true;
}

bool TextParser::body_item(bool& needs_line_break) {
  const char* const at = position();
  Specifier specifier = Specifier::over;
  if (take_specifier(specifier)) {
    needs_line_break = true;
    return prim(specifier);
  }
  if (take_word("variantSet")) {
    needs_line_break = true;
    return variant_set();
  }
  if (take_word("reorder")) {
    if (!gap("nameChildren, properties or a property")) return false;
    PrimExtra& extra = assembly_.extra();
    if (take_word("nameChildren")) return child_order(extra.child_order);
    if (take_word("properties")) return child_order(extra.property_order);
    set_position(at);
  }
  return property();
}

bool TextParser::child_order(std::vector<Token>& order) {
  order.clear();
  return equals_sign() && name_list(order);
}

bool TextParser::variant_set() {
  if (!gap("the name of a variant set")) return false;
  const char* const name_at = position();
  std::string_view name;
  if (!string(name, scratch_)) return false;
  if (!is_variant_name(name)) {
    return fail(name_at, "usda-bad-name", fmt::format("'{}' is not a variant set name.", name));
  }
  std::size_t index = 0;
  if (!assembly_.declare_variant_set(intern(name), index)) return refused(name_at);
  if (!pad() || !require('=', "'='") || !multi_pad() || !require('{', "'{'")) return false;
  if (take('}')) return true;
  do {
    if (!multi_pad() || !variant(index)) return false;
    if (!multi_pad()) return false;
  } while (!take('}'));
  return true;
}

bool TextParser::variant(std::size_t set_index) {
  const char* const at = position();
  std::string_view name;
  if (!at_string()) return expected("the name of a variant in quotes, or '}'");
  if (!string(name, scratch_)) return false;
  if (!is_variant_name(name)) {
    return fail(at, "usda-bad-name", fmt::format("'{}' is not a variant name.", name));
  }
  PrimSpec* const spec = assembly_.push_variant(set_index, intern(name));
  if (spec == nullptr) return refused(at);
  if (spec->line == 0) spec->line = line(at);
  const bool read = prim_contents();
  if (!read) keep_error_path();
  assembly_.pop_prim();
  return read;
}

}  // namespace sinew::usda
