// SPDX-License-Identifier: Apache-2.0
// Attributes and relationships.

#include <cmath>

#include "core/format_text.hpp"
#include "core/short_text.hpp"
#include "core/sort.hpp"
#include "usda/text_parser.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

// The property of that name in the prim under construction, made if new.
LayerAssembly::Declared TextParser::declare(Token name, PropertySpec::Kind kind, const char* at) {
  const LayerAssembly::Declared declared = assembly_.declare_property(name, kind);
  if (declared.spec == nullptr) {
    refused(at);
  } else if (declared.is_new) {
    declared.spec->line = scan_.line(at);
  }
  return declared;
}

bool TextParser::property() {
  const char* const at = scan_.position();
  return property_statement() || hint_metadata_in_body(at);
}

// No property is stated as `word =`, but metadata is.
bool TextParser::hint_metadata_in_body(const char* at) {
  scan_.set_position(at);
  take_edit();
  if (!scan_.pad()) return false;
  const std::string_view word = scan_.identifier();
  if (!scan_.pad() || scan_.peek() != '=' || !is_field(SpecKind::prim, word)) return false;
  return scan_.add_hint(
      format_text("'{}' is metadata; it belongs in parentheses before the brace", word));
}

bool TextParser::property_statement() {
  const char* const at = scan_.position();
  const Edit edit = take_edit();
  if (edit != Edit::explicit_ && !scan_.gap("a property")) return false;
  const auto word_then_gap = [&](std::string_view word) {
    return scan_.take_word(word) && scan_.gap("the rest of the property");
  };
  const bool custom = word_then_gap("custom");
  if (scan_.failed()) return false;
  const bool varying = word_then_gap("varying");
  if (scan_.failed()) return false;
  if (scan_.take_word("rel")) return relationship(custom, varying, edit, at);
  if (varying) return scan_.expected("rel", "attributes are varying unless they are uniform");
  return attribute(custom, edit, at);
}

bool TextParser::attribute_type(std::string_view& text) {
  text = scan_.qualified_identifier();
  if (text.empty()) return scan_.expected("a property, a prim, or '}'");
  const char* const after = scan_.position();
  if (!scan_.pad()) return false;
  if (!scan_.take('[')) {
    scan_.set_position(after);
    return true;
  }
  if (!scan_.pad() || !scan_.require(']', "']'")) return false;
  text = text_since(text.data());
  return true;
}

const TextParser::KnownType& TextParser::known_type(std::string_view text) {
  const std::size_t mixed = text.size() * 5 + static_cast<unsigned char>(text.front()) +
                            static_cast<unsigned char>(text[text.size() / 2]) * 3;
  KnownType& known = known_types_[mixed % known_types_.size()];
  if (equal_text(known.text, text)) return known;
  // Without the blanks around and between the brackets.
  std::string compact(text.substr(0, text.find_first_of(" \t/[")));
  if (text.ends_with(']')) compact += "[]";
  known = {text, find_value_type(compact), intern(compact)};
  return known;
}

bool TextParser::attribute(bool custom, Edit edit, const char* at) {
  Variability variability = Variability::varying;
  if (scan_.take_word("uniform") || scan_.take_word("config")) {
    variability = Variability::uniform;
    if (!scan_.gap("the type of an attribute")) return false;
  }
  std::string_view type_text;
  if (!attribute_type(type_text)) return false;
  const KnownType& known_as = known_type(type_text);
  const Token type_token = known_as.token;
  const ValueType type = known_as.type;
  if (!scan_.gap("the name of an attribute")) return false;
  const char* const name_at = scan_.position();
  const std::string_view name = scan_.property_name();
  if (name.empty()) return scan_.expected("the name of an attribute");
  const Token token = intern(name);
  current_property_ = token;
  const auto [spec, is_new] = declare(token, PropertySpec::Kind::attribute, at);
  if (spec == nullptr) return false;
  if (is_new) {
    spec->type_name = type_token;
    spec->variability = variability;
  } else if (spec->type_name != type_token) {
    return scan_.fail(name_at, "usda-redefinition",
                      format_text("'{}' is stated with type {} and with type {}.", name,
                                  spec->type_name.view(), type_token.view()));
  } else if (spec->variability != variability) {
    return scan_.fail(name_at, "usda-redefinition",
                      format_text("'{}' is stated as uniform and as varying.", name));
  }
  spec->custom = spec->custom || custom;
  if (!attribute_statement(*spec, type, edit)) return false;
  current_property_ = {};
  return true;
}

// Takes the word that begins an edit of an array. Values of unknown types may be words, this one
// too.
bool TextParser::starts_edit(const ValueType& type) {
  const char* const at = scan_.position();
  if (!scan_.take_word("edit")) return false;
  if (type.known()) return true;
  const char* const after = scan_.position();
  const bool is_edit = scan_.pad() && scan_.peek() == '[';
  scan_.set_position(is_edit ? after : at);
  return is_edit;
}

// What follows the name of an attribute.
bool TextParser::attribute_statement(PropertySpec& spec, const ValueType& type, Edit edit) {
  const char* const after_name = scan_.position();
  if (!scan_.pad()) return false;
  if (scan_.take('.')) {
    if (!scan_.pad()) return false;
    if (scan_.take_word("connect")) {
      return equals_sign() && target_list(spec, edit, PathUse::connection);
    }
    if (edit != Edit::explicit_) return scan_.expected("connect");
    if (scan_.take_word("timeSamples")) return equals_sign() && time_samples(spec, type);
    if (scan_.take_word("spline")) {
      if (!can_have_spline(type)) {
        return scan_.fail(
            after_name, "usda-bad-spline",
            format_text("An attribute of type {} cannot have a spline.", spec.type_name.view()));
      }
      auto curve = std::make_unique<Spline>();
      if (!equals_sign() || !spline(*curve, type.element)) return false;
      extra(spec).spline = std::move(curve);
      return true;
    }
    return scan_.expected("timeSamples, connect or spline");
  }
  if (edit != Edit::explicit_) return scan_.expected(".connect");
  if (scan_.take('=')) {
    if (!scan_.pad()) return false;
    if (scan_.take_word("None")) {
      spec.default_value = Value::block();
    } else if (scan_.take_word("AnimationBlock")) {
      spec.default_value = Value::animation_block();
    } else if (starts_edit(type)) {
      if (!type.is_array)
        return scan_.fail(after_name, "usda-bad-value", "Only arrays can be edited.");
      if (!array_edit(type.element, spec.default_value)) return false;
    } else if (!default_value(spec, type, spec.default_value)) {
      return false;
    }
    if (!scan_.pad()) return false;
  }
  if (scan_.peek() != '(') return true;
  return property_metadata(spec, SpecKind::attribute);
}

bool TextParser::property_metadata(PropertySpec& spec, SpecKind kind) {
  scan_.set_position(scan_.position() + 1);
  // Fields of an earlier statement of the same property remain.
  assembly_.push_fields(spec);
  if (!statements(')', "';', a line break or ')'", [&] { return metadata_item(kind); })) {
    return false;
  }
  assembly_.pop_fields(spec);
  return scan_.pad();
}

bool TextParser::time_samples(PropertySpec& spec, const ValueType& type) {
  if (!scan_.require('{', "'{'") || !scan_.multi_pad()) return false;
  std::vector<std::pair<double, Value>> samples;
  std::string_view last_list;    // The text of the last list,
  std::size_t last_list_at = 0;  // and its place in the samples.
  bool has_text = false;         // Whether a value of an unknown type was met.
  const auto sample = [&] {
    double time = 0.0;
    Value value;
    if (!plain_number(time) || !scan_.pad() || !scan_.require(':', "':'") || !scan_.pad())
      return false;
    if (scan_.take_word("None")) {
      value = Value::block();
    } else if (type.is_array && scan_.take_word("edit")) {
      if (!array_edit(type.element, value)) return false;
    } else if (scan_.peek() == '[' && !last_list.empty() && rest().starts_with(last_list)) {
      // A value that does not change, such as the scales of most clips, is held once.
      value = samples[last_list_at].second;
      scan_.set_position(scan_.position() + last_list.size());
    } else {
      const char* const at = scan_.position();
      const std::size_t diagnostics_before = diagnostics_.size();
      if (!typed_value(type, value)) return false;
      const bool again = *at == '[' && diagnostics_.size() == diagnostics_before;
      last_list = again ? text_since(at) : std::string_view();
      last_list_at = samples.size();
    }
    const bool is_kept_as_text = value.type() == ElementType::unregistered;
    if (is_kept_as_text && std::exchange(has_text, true)) {
      return scan_.fail(
          scan_.position(), "usda-bad-value",
          format_text("An attribute of the unknown type '{}' cannot have several samples.",
                      spec.type_name.view()));
    }
    samples.emplace_back(time, std::move(value));
    return true;
  };
  if (!scan_.take('}') && !comma_list('}', "',' or '}'", sample)) return false;
  // In ascending order; the last of equal times wins; NaN goes to the end.
  const auto before = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
  stable_sort_range(samples.begin(), samples.end(),
                    [&](const auto& a, const auto& b) { return before(a.first, b.first); });
  PropertyExtra& kept = extra(spec);
  kept.has_time_samples = true;
  kept.time_samples = {};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool repeated = i + 1 < samples.size() && !before(samples[i].first, samples[i + 1].first);
    if (repeated) continue;
    kept.time_samples.times.push_back(samples[i].first);
    kept.time_samples.values.push_back(std::move(samples[i].second));
  }
  return true;
}

bool TextParser::relationship(bool custom, bool varying, Edit edit, const char* at) {
  if (!scan_.gap("the name of a relationship")) return false;
  const std::string_view name = scan_.property_name();
  if (name.empty()) return scan_.expected("the name of a relationship");
  const Token token = intern(name);
  current_property_ = token;
  PropertySpec* const spec = declare(token, PropertySpec::Kind::relationship, at).spec;
  if (spec == nullptr) return false;
  spec->custom = spec->custom || custom;
  // The last statement counts, also one that only adds targets.
  spec->variability = varying ? Variability::varying : Variability::uniform;
  if (!relationship_statement(*spec, edit)) return false;
  current_property_ = {};
  return true;
}

bool TextParser::relationship_statement(PropertySpec& spec, Edit edit) {
  const char* const after_name = scan_.position();
  if (!scan_.pad()) return false;
  if (edit == Edit::explicit_ && scan_.take('.')) {
    std::string_view text;
    const char* at = nullptr;
    if (!scan_.pad() || !scan_.take_word("default")) return scan_.expected("default");
    if (!equals_sign()) return false;
    at = scan_.position();
    if (!scan_.path_text(text)) return false;
    Result<Path> path = Path::parse(text);
    if (!path || text == ".") return scan_.fail(at, "usda-bad-path", "This is not a path.");
    spec.default_value = Value::scalar(ElementType::path, intern(path->view()));
    return true;
  }
  if (edit == Edit::explicit_ && scan_.take('[')) {
    // A legacy form: data for one target. It declares the relationship; the rest is not kept.
    std::string_view text;
    if (!scan_.pad()) return false;
    const char* const at = scan_.position();
    if (!scan_.path_text(text)) return false;
    if (!Path::parse(text) || text == ".")
      return scan_.fail(at, "usda-bad-path", "This is not a path.");
    return scan_.pad() && scan_.require(']', "']'");
  }
  if (scan_.take('=')) {
    if (!scan_.pad() || !target_list(spec, edit, PathUse::target) || !scan_.pad()) return false;
  } else if (edit != Edit::explicit_) {
    scan_.set_position(after_name);
    return true;
  }
  if (edit != Edit::explicit_ || scan_.peek() != '(') return true;
  return property_metadata(spec, SpecKind::relationship);
}

// What few properties have, for this statement to change.
PropertyExtra& TextParser::extra(PropertySpec& spec) {
  if (spec.extra != nullptr) repeated_targets_.forget(spec.name);
  return assembly_.extra(spec);
}

// Targets of a relationship, or connections.
bool TextParser::target_list(PropertySpec& spec, Edit edit, PathUse use) {
  const char* const at = scan_.position();
  const bool is_first = spec.extra == nullptr;
  const auto kind = static_cast<std::uint8_t>(edit);
  std::size_t size = 0;
  if (is_first && use == PathUse::target && (scan_.peek() == '<' || scan_.peek() == '[')) {
    if (const auto* known = repeated_targets_.find(spec.name, {}, kind, rest(), size)) {
      assembly_.share_extra(spec, **known);
      scan_.set_position(at + size);
      return true;
    }
  }
  const std::size_t diagnostics_before = diagnostics_.size();
  if (!path_list(extra(spec).targets, edit, use)) return false;
  // What relative paths mean depends on the prim.
  const std::string_view text = text_since(at);
  bool absolute = true;
  for (std::size_t i = text.find('<'); i != std::string_view::npos; i = text.find('<', i + 1)) {
    absolute = absolute && text.substr(i).starts_with("</");
  }
  const bool bracketed = text.ends_with('>') || text.ends_with(']');
  if (is_first && use == PathUse::target && absolute && bracketed &&
      diagnostics_.size() == diagnostics_before) {
    repeated_targets_.keep(spec.name, {}, kind, text, spec.extra);
  }
  return true;
}

// Makes a path absolute that is relative to the prim at hand. OpenUSD does so with the selections
// of the variants that the prim is in, and refuses a result that still has one; on the variant
// itself its selection does not count. The intent is clear, so it is read unless asked otherwise.
bool TextParser::make_absolute(const char* at, const Path& path, Result<Path>& absolute) {
  const PrimSpec* last_prim = &assembly_.prim();
  while (last_prim->is_variant) last_prim = last_prim->parent;
  if (path.is_absolute() || !is_inside_variant(last_prim)) {
    absolute = path.make_absolute(current_path());
    return true;
  }
  std::string_view rest = path.view();
  Path base = Layer::path_of(*last_prim);
  while (rest.starts_with("..") && !base.is_root()) {
    base = base.parent();
    rest.remove_prefix(
        std::min<std::size_t>(rest.size(), 3));  // With the '/' that follows, if any.
  }
  if (!base.has_variant_selection()) {
    absolute =
        rest.empty() ? std::move(base) : Path::from_trusted(std::string(rest)).make_absolute(base);
    return true;
  }
  constexpr std::string_view kMessage =
      "A relative path on a prim inside a variant is not read by OpenUSD.";
  if (options_.rules == Rules::openusd) {
    return scan_.fail(at, "usda-bad-path", std::string(kMessage), "write the absolute path");
  }
  warn(at, "usda-relative-path-in-variant", std::string(kMessage), "write the absolute path");
  absolute = path.make_absolute(current_path());
  return true;
}

bool TextParser::target_path_item(std::vector<Path>& items, bool connection) {
  const char* const at = scan_.position();
  std::string_view text;
  if (!scan_.path_text(text)) return false;
  Result<Path> path = Path::parse(text);
  const bool variants = path && path->has_variant_selection();
  if (path && !text.empty() && text != "." && !variants && !path->is_absolute()) {
    // Connections are anchored without the selections.
    if (connection) {
      path = path->make_absolute(current_path());
    } else if (!make_absolute(at, *path, path)) {
      return false;
    }
  }
  if (!path || text == "." || path->empty() || path->is_root() || variants ||
      !is_prim_or_property(text)) {
    return scan_.fail(at, "usda-bad-path",
                      connection ? "Expected the path of an attribute or a prim."
                                 : "Expected the path of a prim or a property.",
                      variants ? "variant selections are not allowed here" : "");
  }
  items.push_back(*std::move(path));
  return true;
}

}  // namespace sinew::usda
