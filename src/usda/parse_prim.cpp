// SPDX-License-Identifier: Apache-2.0
// Prims, variants and their bodies.
#include <fmt/format.h>

#include <algorithm>

#include "layer/unicode.hpp"
#include "usda/text_parser.hpp"

namespace sinew::usda {

void TextParser::push_frame(PrimSpec* prim) {
  frames_.push_back({.prim = prim,
                     .first_child = children_.size(),
                     .first_property = properties_.size(),
                     .first_field = fields_.size()});
}

// Continues a variant that was closed before: its contents go back to the stacks.
void TextParser::reopen_frame(PrimSpec* prim) {
  push_frame(prim);
  for (const PrimSpec* child : prim->children) children_.push_back(const_cast<PrimSpec*>(child));
  for (const PropertySpec& property : prim->properties) properties_.push_back(property);
  for (const Field& field : prim->fields) fields_.push_back(field);
  // What was closed with many names is in the tables, at the same places.
  constexpr std::size_t kScanLimit = LayerAccess::Impl::kScanLimit;
  Frame& frame = frames_.back();
  if (prim->children.size() > kScanLimit) frame.children_known = prim->children.size();
  if (prim->properties.size() > kScanLimit) frame.properties_known = prim->properties.size();
}

void TextParser::pop_frame() {
  Frame& frame = frames_.back();
  PrimSpec& prim = *frame.prim;
  prim.children = layer_->keep_children(std::span(children_).subspan(frame.first_child));
  prim.properties = layer_->keep_properties(std::span(properties_).subspan(frame.first_property));
  prim.fields = layer_->keep_fields(std::span(fields_).subspan(frame.first_field));
  children_.resize(frame.first_child);
  properties_.erase(properties_.begin() + static_cast<std::ptrdiff_t>(frame.first_property),
                    properties_.end());
  fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(frame.first_field), fields_.end());
  layer_->index_names(prim, frame.children_known, frame.properties_known);
  frames_.pop_back();
}

Path TextParser::current_path() const {
  if (frames_.empty()) return Path::root();
  // Variants that are still open are not in their sets' tables under a finished prim, but their
  // parent link and name are set, which is all that path_of() needs.
  return Layer::path_of(*frames_.back().prim).strip_variants();
}

// The innermost prim or property that an error happened in, before it is closed.
void TextParser::keep_error_path() {
  if (!error_path_.empty()) return;
  error_path_ = Layer::path_of(*frames_.back().prim);
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

// Whether the prim under construction has a child of that name.
bool TextParser::find_child(Frame& frame, Token name) {
  const std::size_t count = children_.size() - frame.first_child;
  if (count <= LayerAccess::Impl::kScanLimit) {
    return std::any_of(children_.begin() + static_cast<std::ptrdiff_t>(frame.first_child),
                       children_.end(), [&](const PrimSpec* child) { return child->name == name; });
  }
  PrimSpec* const* const first = children_.data() + frame.first_child;
  for (std::size_t& i = frame.children_known; i < count; ++i) {
    layer_->child_places.insert(frame.prim, first[i]->name, static_cast<std::uint32_t>(i));
  }
  return layer_->child_places.find(
             frame.prim, name, [&](std::uint32_t i) { return first[i]->name; }) != NameTable::kNone;
}

// identifier { '.' identifier }, without what stands around the dots.
bool TextParser::prim_type(Token& type_name) {
  std::string_view text = qualified_identifier();
  std::string joined;
  for (;;) {
    if (text.empty()) return expected("the type or the name of a prim");
    const char* const after = position();
    if (!pad()) return false;
    if (!take('.')) {
      set_position(after);
      break;
    }
    if (joined.empty()) joined = text;
    if (!pad()) return false;
    text = qualified_identifier();
    if (!text.empty()) joined.append(1, '.').append(text);
  }
  if (!joined.empty()) text = joined;
  if (text != "__AnyType__") type_name = intern(text);
  return true;
}

// The name of a prim was wanted, and there is a word that may be meant.
bool TextParser::hint_missing_quote(const char* word_at) {
  set_position(word_at);
  const std::string_view word = identifier();
  if (word.empty()) return false;
  if (!at_string()) return add_hint("put the name of the prim in quotes");
  const std::string_view behind = rest().substr(1);
  const bool quoted =
      behind.substr(0, behind.find_first_of("\r\n")).find(peek()) != std::string_view::npos;
  return !quoted && add_hint(fmt::format("a quote is missing before '{}'", word));
}

bool TextParser::prim(Specifier specifier) {
  if (frames_.size() > options_.limits.prim_nesting) {
    return fail_limit(position(), fmt::format("prims nest deeper than the limit of {}",
                                              options_.limits.prim_nesting));
  }
  if (layer_->prim_count >= options_.limits.prims) {
    return fail_limit(position(),
                      fmt::format("more prims than the limit of {}", options_.limits.prims));
  }
  const char* const at = position();
  if (!gap("the name of a prim")) return false;
  Token type_name;
  const char* const type_at = position();
  if (!at_string()) {
    if (!prim_type(type_name)) return false;
    if (!gap("the name of a prim")) return hint_missing_quote(type_at);
  }
  const char* const name_at = position();
  std::string_view name;
  if (!at_string()) {
    expected("a string in quotes");
    return hint_missing_quote(peek_identifier().empty() ? type_at : name_at);
  }
  if (!string(name, scratch_)) return false;
  if (!is_identifier(name)) {
    return fail(name_at, "usda-bad-name", fmt::format("'{}' is not a prim name", name),
                "use letters, digits and '_', not starting with a digit");
  }
  Frame& parent = frames_.back();
  const std::size_t tokens_before = tokens_.size();
  const Token token = intern(name);
  const bool is_new_name = tokens_.size() != tokens_before;  // Then no prim has it.
  if (!is_new_name && find_child(parent, token)) {
    return fail(name_at, "usda-duplicate-prim",
                fmt::format("there is already a prim '{}' here", token.view()));
  }
  PrimSpec* spec = layer_->new_prim();
  spec->name = token;
  spec->type_name = type_name;
  spec->parent = parent.prim;
  spec->specifier = specifier;
  spec->line = line(at);
  children_.push_back(spec);
  push_frame(spec);
  const bool read = prim_contents();
  if (!read) keep_error_path();
  pop_frame();
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
    const char* const at = position();
    if (!body_item(needs_line_break)) return suspect_bracket(at);
    if (!line_pad()) return false;
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
    PrimExtra& extra = layer_->extra(*frames_.back().prim);
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
    return fail(name_at, "usda-bad-name", fmt::format("'{}' is not a variant set name", name));
  }
  if (variant_depth_ >= options_.limits.variant_nesting) {
    return fail_limit(name_at, fmt::format("variant sets nest deeper than the limit of {}",
                                           options_.limits.variant_nesting));
  }
  const Token token = intern(name);
  PrimExtra& extra = layer_->extra(*frames_.back().prim);
  const auto found = std::find_if(extra.variant_sets.begin(), extra.variant_sets.end(),
                                  [&](const VariantSetSpec& set) { return set.name == token; });
  const auto index = static_cast<std::size_t>(found - extra.variant_sets.begin());
  if (found == extra.variant_sets.end()) {
    if (index >= options_.limits.names_per_spec) {
      return fail_limit(name_at, fmt::format("more variant sets than the limit of {}",
                                             options_.limits.names_per_spec));
    }
    extra.variant_sets.push_back({token, {}});
  }
  if (!pad() || !require('=', "'='") || !multi_pad() || !require('{', "'{'")) return false;
  if (take('}')) return true;
  ++variant_depth_;
  do {
    if (!multi_pad() || !variant(index)) return false;
    if (!multi_pad()) return false;
  } while (!take('}'));
  --variant_depth_;
  return true;
}

bool TextParser::variant(std::size_t set_index) {
  const char* const at = position();
  std::string_view name;
  if (!at_string()) return expected("the name of a variant in quotes, or '}'");
  if (!string(name, scratch_)) return false;
  if (!is_variant_name(name)) {
    return fail(at, "usda-bad-name", fmt::format("'{}' is not a variant name", name));
  }
  if (frames_.size() > options_.limits.prim_nesting) {
    return fail_limit(
        at, fmt::format("prims nest deeper than the limit of {}", options_.limits.prim_nesting));
  }
  const Token token = intern(name);
  PrimSpec* owner = frames_.back().prim;
  VariantSetSpec& set = layer_->extra(*owner).variant_sets[set_index];
  const auto found = std::find_if(set.variants.begin(), set.variants.end(),
                                  [&](const VariantSpec& v) { return v.name == token; });
  if (found != set.variants.end()) {
    reopen_frame(const_cast<PrimSpec*>(found->prim));
  } else {
    if (layer_->prim_count >= options_.limits.prims) {
      return fail_limit(
          at, fmt::format("more prims and variants than the limit of {}", options_.limits.prims));
    }
    if (set.variants.size() >= options_.limits.names_per_spec) {
      return fail_limit(at, fmt::format("more variants in one set than the limit of {}",
                                        options_.limits.names_per_spec));
    }
    PrimSpec* spec = layer_->new_prim();
    spec->name = token;
    spec->parent = owner;
    spec->is_variant = true;
    spec->line = line(at);
    set.variants.push_back({token, spec});
    push_frame(spec);
  }
  const bool read = prim_contents();
  if (!read) keep_error_path();
  pop_frame();
  return read;
}

}  // namespace sinew::usda
