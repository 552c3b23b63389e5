// SPDX-License-Identifier: Apache-2.0
// Metadata of layers, prims and properties: what only prims have, then registered and unknown
// fields.

#include <algorithm>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "layer/shared/list_edits.hpp"
#include "usda/text_parser.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

namespace {

std::string_view field_key(std::string_view key) noexcept {
  return key == "doc" ? std::string_view("documentation") : key;
}

}  // namespace

TextParser::Edit TextParser::take_edit() {
  if (scan_.take_word("add")) return Edit::add;
  if (scan_.take_word("delete")) return Edit::delete_;
  if (scan_.take_word("append")) return Edit::append;
  if (scan_.take_word("prepend")) return Edit::prepend;
  if (scan_.take_word("reorder")) return Edit::reorder;
  return Edit::explicit_;
}

bool TextParser::set_field(std::string_view key, Value value, const char* at) {
  return assembly_.set_field(intern(key), std::move(value), scan_.line(at)) || refused(at);
}

bool TextParser::prim_item() {
  const char* const at = scan_.position();
  const Edit edit = take_edit();
  if (edit != Edit::explicit_ && !scan_.gap("what to edit")) return false;
  bool handled = false;
  if (!prim_special_item(scan_.peek_identifier(), edit, handled)) return false;
  if (handled) return true;
  scan_.set_position(at);
  return metadata_item(SpecKind::prim);
}

// The items of prims that have a syntax of their own.
bool TextParser::prim_special_item(std::string_view key, Edit edit, bool& handled) {
  handled = true;
  const auto value_of = [&] {
    scan_.set_position(scan_.position() + key.size());
    return equals_sign();
  };
  if (key == "references" || key == "payload") {
    const bool payloads = key == "payload";
    if (!value_of()) return false;
    PrimExtra& extra = assembly_.extra();
    return reference_list(payloads ? extra.payloads : extra.references, edit, payloads);
  }
  if (key == "inherits" || key == "specializes") {
    const bool inherits = key == "inherits";
    if (!value_of()) return false;
    PrimExtra& extra = assembly_.extra();
    return path_list(inherits ? extra.inherits : extra.specializes, edit, PathUse::arc);
  }
  if (key == "variantSets") {
    const char* const at = scan_.position();
    if (!value_of()) return false;
    std::vector<Token> names;
    if (!name_list(names)) return false;
    for (const Token name : names) {
      if (is_variant_name(name.view())) continue;
      return scan_.fail(at, "usda-bad-name",
                        format_text("'{}' is not a variant set name.", name.view()));
    }
    if (has_repeats(std::span<const Token>(names))) {
      return scan_.fail(at, "usda-duplicate-item", "A variant set is listed twice.");
    }
    set_list(assembly_.extra().variant_set_names, edit, std::move(names));
    return true;
  }
  handled = false;
  if (edit != Edit::explicit_) return true;
  handled = true;
  if (key == "kind") {
    const char* const at = scan_.position();
    Token kind;
    if (!value_of() || !string_token(kind)) return false;
    report_unknown_kind(kind, at);
    return set_field("kind", Value::scalar(ElementType::token, kind), at);
  }
  if (key == "variants") return value_of() && variant_selections();
  if (key == "relocates") {
    if (assembly_.prim().is_variant) {
      return scan_.fail(scan_.position(), "usda-syntax",
                        "Relocates cannot be metadata of a variant.");
    }
    if (!value_of()) return false;
    return relocates_map(current_path(), assembly_.extra().relocates);
  }
  if (key == "prefixSubstitutions" || key == "suffixSubstitutions") {
    return value_of() && substitutions(key);
  }
  handled = false;
  return true;
}

bool TextParser::variant_selections() {
  const char* const at = scan_.position();
  Value value;
  if (!dictionary(value, 0)) return false;
  for (const DictionaryEntry& entry : *value.as_dictionary()) {
    const bool is_string = entry.value.type() == ElementType::string && !entry.value.is_array();
    if (!is_string || !is_selected_variant(*entry.value.text())) {
      return scan_.fail(
          at, "usda-bad-variant",
          format_text("The selection of variant set '{}' is not a variant name.", entry.key.view()),
          "write string NAME = \"variant\"");
    }
    if (!assembly_.select_variant(entry.key, *entry.value.get<Token>())) return refused(at);
  }
  return true;
}

bool TextParser::substitutions(std::string_view key) {
  const char* const at = scan_.position();
  if (!scan_.require('{', "'{'") || !scan_.multi_pad()) return false;
  DictionaryBuilder entries;
  const Token type = intern("string");
  const auto item = [&] {
    DictionaryEntry entry;
    entry.type_name = type;
    Token text;
    if (!string_token(entry.key) || !scan_.pad() || !scan_.require(':', "':'") || !scan_.pad() ||
        !string_token(text)) {
      return false;
    }
    entry.value = Value::scalar(ElementType::string, text);
    entries.put(std::move(entry));
    return true;
  };
  if (!scan_.take('}') && !comma_list('}', "',' or '}'", item)) return false;
  return set_field(key, Value::dictionary(entries.take()), at);
}

bool TextParser::permission_item() {
  const char* const at = scan_.position();
  if (!equals_sign()) return false;
  const std::string_view word = scan_.identifier();
  if (word != "public" && word != "private") {
    return scan_.fail(at, "usda-bad-value", "Permission is public or private.");
  }
  return set_field("permission", Value::scalar(ElementType::token, intern(word)), at);
}

bool TextParser::symmetry_function_item() {
  const char* const at = scan_.position();
  if (!equals_sign()) return false;
  const std::string_view word = scan_.qualified_identifier();
  return set_field("symmetryFunction", Value::scalar(ElementType::token, intern(word)), at);
}

// One item of any metadata block; the fields go to the spec that is open.
bool TextParser::metadata_item(SpecKind kind) {
  const char* const at = scan_.position();
  if (scan_.at_string()) {
    Token comment;
    if (!string_token(comment)) return false;
    return set_field("comment", Value::scalar(ElementType::string, comment), at);
  }
  const Edit edit = take_edit();
  if (edit != Edit::explicit_ && !scan_.gap("the name of a field")) return false;
  if (edit == Edit::explicit_) {
    if (scan_.take_word("doc")) {
      Token text;
      if (!equals_sign() || !string_token(text)) return false;
      return set_field("documentation", Value::scalar(ElementType::string, text), at);
    }
    if (kind != SpecKind::layer) {
      if (scan_.take_word("permission")) return permission_item();
      if (scan_.take_word("symmetryFunction")) return symmetry_function_item();
    }
    if (kind == SpecKind::attribute && scan_.take_word("displayUnit")) {
      if (!equals_sign()) return false;
      const char* const unit_at = scan_.position();
      const std::string_view unit = scan_.identifier();
      if (!is_display_unit(unit))
        return scan_.fail(unit_at, "usda-bad-value", "Unknown display unit.");
      return set_field("displayUnit", Value::scalar(ElementType::token, intern(unit)), at);
    }
  }
  std::string_view key;
  if (kind != SpecKind::layer && edit == Edit::explicit_ &&
      (scan_.peek_identifier() == "customData" || scan_.peek_identifier() == "symmetryArguments")) {
    key = scan_.identifier();
  } else {
    key = scan_.qualified_identifier();
  }
  if (key.empty()) return scan_.expected("the name of a metadata field");
  return equals_sign() && generic_item(kind, key, edit, at);
}

bool TextParser::generic_item(SpecKind kind, std::string_view key, Edit edit, const char* at) {
  const FieldType type = find_field_type(kind, key);
  const Token token = intern(field_key(key));
  const Value* const existing = assembly_.find_field(token);
  Value value;
  bool drop = false;
  const bool read = type.shape == FieldType::Shape::unknown
                        ? unknown_value(edit, existing, value, drop)
                        : registered_value(type, key, edit, existing, value, drop);
  if (!read) {
    const std::string_view meant =
        type.shape == FieldType::Shape::unknown ? similar_field(kind, key) : std::string_view();
    return !meant.empty() && scan_.add_hint(format_text("did you mean {}?", meant));
  }
  if (drop) return true;
  if (type.shape == FieldType::Shape::unknown) report_unknown_field(kind, key, at);
  if (key == "framesPerSecond" && !(value.get<double>().value_or(1.0) > 0.0)) {
    return scan_.fail(at, "usda-bad-value", "'framesPerSecond' must be positive.");
  }
  if (kind == SpecKind::prim && key == "typeName") {
    // This field sets the type of the prim.
    assembly_.prim().type_name = *value.get<Token>();
    return true;
  }
  return set_field(token.view(), std::move(value), at);
}

bool TextParser::registered_value(const FieldType& type, std::string_view key, Edit edit,
                                  const Value* existing, Value& out, bool& drop) {
  const char* const at = scan_.position();
  using Shape = FieldType::Shape;
  if (type.shape == Shape::token_list_op || type.shape == Shape::int64_list_op) {
    return list_op_value(type, key, edit, existing, out, drop);
  }
  if (type.shape == Shape::not_metadata) {
    return scan_.fail(at, "usda-bad-field", format_text("'{}' is not metadata.", key));
  }
  if (edit != Edit::explicit_ && !(type.type.is_array && scan_.peek() == '[')) {
    return scan_.fail(at, "usda-bad-field", format_text("'{}' is not a list.", key));
  }
  if (scan_.peek_identifier() == "None") {
    return scan_.fail(at, "usda-bad-value", format_text("'{}' cannot be None.", key));
  }
  const bool is_dictionary = scan_.peek() == '{';
  const bool is_path = scan_.peek() == '<';
  if (type.shape == Shape::dictionary && !is_path) return dictionary(out, 0);
  if (is_path && key == "framesPerSecond") return scan_.expected("a number");
  if ((is_dictionary || is_path) && key != "framesPerSecond") {
    // OpenUSD keeps what no typed reader then takes.
    if (!(is_dictionary ? dictionary(out, 0) : skip_value(0))) return false;
    warn(at, "usda-other-type",
         format_text("'{}' is no {}; the statement is dropped.", key,
                     is_dictionary ? "dictionary" : "path"));
    drop = true;
    return true;
  }
  if (!typed_value(type.type, out)) return false;
  // Arrays have no edits: what edits one states it.
  if (edit == Edit::explicit_ || out.size() > 0) return true;
  return scan_.fail(at, "usda-bad-list", "This edit lists nothing.");
}

namespace {

// Whether a name was not met before, and is not one of too many to look at.
bool is_new(Token name, std::unordered_set<Token>& met) {
  constexpr std::size_t kMostLookedAt = 100;
  return met.size() < kMostLookedAt && met.insert(name).second;
}

}  // namespace

// Whatever is not registered is kept and told, once for each name; by the rules of OpenUSD only a
// name that is nearly one that is, which may be a mistake.
void TextParser::report_unknown_field(SpecKind kind, std::string_view key, const char* at) {
  constexpr std::string_view kSpecs[] = {"a layer", "a prim", "an attribute", "a relationship"};
  if (!is_new(intern(key), unknown_fields_[static_cast<std::size_t>(kind)])) return;
  const std::string_view meant = similar_field(kind, key);
  if (meant.empty() && options_.rules == Rules::openusd) return;
  warn(at, "usda-unknown-field",
       format_text("'{}' is not a known field of {}.", key, kSpecs[static_cast<std::size_t>(kind)]),
       meant.empty() ? std::string() : format_text("did you mean {}?", meant));
}

// Kinds are those that OpenUSD comes with; further ones need plugins there.
void TextParser::report_unknown_kind(Token kind, const char* at) {
  constexpr std::string_view kKinds[] = {"assembly", "component", "group", "model", "subcomponent"};
  if (options_.rules == Rules::openusd || kind.empty()) return;
  if (std::find(std::begin(kKinds), std::end(kKinds), kind.view()) != std::end(kKinds)) return;
  if (!is_new(kind, unknown_kinds_)) return;
  warn(at, "usda-unknown-kind", format_text("'{}' is not a kind.", kind.view()));
}

// A field that is not registered: dictionaries stay dictionaries, list edits stay list edits,
// everything else is kept as its text.
bool TextParser::unknown_value(Edit edit, const Value* existing, Value& out, bool& drop) {
  const char* const at = scan_.position();
  const auto source = [&] {
    return Value::scalar(ElementType::unregistered, intern(text_since(at)));
  };
  if (edit == Edit::explicit_) {
    if (scan_.take_word("None")) {
      out = source();
      return true;
    }
    if (scan_.peek() == '{') return dictionary(out, 0);
    if (!skip_value(0)) return false;
    out = source();
    return true;
  }
  const bool is_list = existing != nullptr && existing->as_list_op() != nullptr;
  if (scan_.take_word("None")) {
    drop = !is_list;  // Without effect where there is no list.
    if (is_list) out = with_list(existing, edit, {});
    return true;
  }
  if (!scan_.take('[')) return scan_.expected("a list or None");
  if (!scan_.multi_pad()) return false;
  if (scan_.take(']')) return scan_.fail(at, "usda-bad-list", "This edit lists nothing.");
  std::vector<Value> items;
  const bool read = comma_list(']', "',' or ']'", [&] {
    const char* const item_at = scan_.position();
    if (scan_.peek() == '<') return scan_.expected("a value");
    if (!skip_value(1)) return false;
    items.push_back(Value::scalar(ElementType::unregistered, intern(text_since(item_at))));
    return true;
  });
  if (!read) return false;
  drop = existing != nullptr && !is_list;  // What is no list stays.
  if (!drop) out = with_list(existing, edit, std::move(items));
  return true;
}

}  // namespace sinew::usda
