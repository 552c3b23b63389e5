// SPDX-License-Identifier: Apache-2.0
// Attributes and relationships.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "usda/text_parser.hpp"

namespace sinew::usda {

// The property of that name in the prim under construction, made if new.
LayerAssembly::Declared TextParser::declare(Token name, PropertySpec::Kind kind, const char* at) {
  const LayerAssembly::Declared declared = assembly_.declare_property(name, kind);
  if (declared.spec == nullptr) {
    refused(at);
  } else if (declared.is_new) {
    declared.spec->line = line(at);
  }
  return declared;
}

bool TextParser::property() {
  const char* const at = position();
  current_property_ = {};
  const Edit edit = take_edit();
  if (edit != Edit::explicit_ && !gap("a property")) return false;
  const auto word_then_gap = [&](std::string_view word) {
    return take_word(word) && gap("the rest of the property");
  };
  const bool custom = word_then_gap("custom");
  if (failed()) return false;
  const bool varying = word_then_gap("varying");
  if (failed()) return false;
  if (take_word("rel")) return relationship(custom, varying, edit, at);
  if (varying) return expected("rel", "attributes are varying unless they are uniform");
  return attribute(custom, edit, at);
}

bool TextParser::attribute_type(std::string_view& type_text) {
  const std::string_view name = qualified_identifier();
  if (name.empty()) return expected("a property, a prim, or '}'");
  const char* const after = position();
  if (!pad()) return false;
  if (!take('[')) {
    set_position(after);
    type_text = name;
    return true;
  }
  if (!pad() || !require(']', "']'")) return false;
  type_text = {name.data(), static_cast<std::size_t>(position() - name.data())};
  return true;
}

const TextParser::KnownType& TextParser::known_type(std::string_view text) {
  const std::size_t mixed = text.size() * 5 + static_cast<unsigned char>(text.front()) +
                            static_cast<unsigned char>(text[text.size() / 2]) * 3;
  KnownType& known = known_types_[mixed % known_types_.size()];
  if (known.text == text) return known;
  std::string compact(text);
  std::erase_if(compact, [](char c) { return c == ' ' || c == '\t'; });
  if (const std::size_t comment = compact.find("/*"); comment != std::string::npos) {
    compact = compact.substr(0, comment) + "[]";
  }
  known = {text, find_value_type(compact), intern(compact)};
  return known;
}

bool TextParser::attribute(bool custom, Edit edit, const char* at) {
  Variability variability = Variability::varying;
  if (take_word("uniform") || take_word("config")) {
    variability = Variability::uniform;
    if (!gap("the type of an attribute")) return false;
  }
  std::string_view type_text;
  if (!attribute_type(type_text)) return false;
  const KnownType& known_as = known_type(type_text);
  const Token type_token = known_as.token;
  const ValueType type = known_as.type;
  if (!gap("the name of an attribute")) return false;
  const char* const name_at = position();
  const std::string_view name = property_name();
  if (name.empty()) return expected("the name of an attribute");
  const Token token = intern(name);
  current_property_ = token;
  const auto [spec, is_new] = declare(token, PropertySpec::Kind::attribute, at);
  if (spec == nullptr) return false;
  if (is_new) {
    spec->type_name = type_token;
    spec->variability = variability;
  } else if (spec->type_name != type_token) {
    return fail(name_at, "usda-redefinition",
                fmt::format("'{}' is stated with type {} and with type {}.", name,
                            spec->type_name.view(), type_token.view()));
  } else if (spec->variability != variability) {
    return fail(name_at, "usda-redefinition",
                fmt::format("'{}' is stated as uniform and as varying.", name));
  }
  spec->custom = spec->custom || custom;
  if (!attribute_statement(*spec, type, edit)) return false;
  current_property_ = {};
  return true;
}

// What follows the name of an attribute.
bool TextParser::attribute_statement(PropertySpec& spec, const ValueType& type, Edit edit) {
  const char* const after_name = position();
  if (!pad()) return false;
  if (take('.')) {
    if (!pad()) return false;
    if (take_word("connect")) {
      return equals_sign() && target_list(spec, edit, PathUse::connection);
    }
    if (edit != Edit::explicit_) return expected("connect");
    if (take_word("timeSamples")) return equals_sign() && time_samples(spec, type);
    if (take_word("spline")) {
      const ElementType e = type.element;
      const bool allowed =
          !type.is_array && (e == ElementType::double_ || e == ElementType::float_ ||
                             e == ElementType::half || e == ElementType::timecode);
      if (!allowed) {
        return fail(
            after_name, "usda-bad-spline",
            fmt::format("An attribute of type {} cannot have a spline.", spec.type_name.view()));
      }
      auto curve = std::make_unique<Spline>();
      if (!equals_sign() || !spline(*curve, e)) return false;
      extra(spec).spline = std::move(curve);
      return true;
    }
    return expected("timeSamples, connect or spline");
  }
  if (edit != Edit::explicit_) return expected(".connect");
  if (take('=')) {
    if (!pad()) return false;
    if (take_word("None")) {
      spec.default_value = Value::block();
    } else if (take_word("AnimationBlock")) {
      spec.default_value = Value::animation_block();
    } else if (take_word("edit")) {
      if (!type.is_array) return fail(after_name, "usda-bad-value", "Only arrays can be edited.");
      if (!array_edit(type.element, spec.default_value)) return false;
    } else if (!default_value(spec, type, spec.default_value)) {
      return false;
    }
    if (!pad()) return false;
  }
  if (peek() != '(') return true;
  return property_metadata(spec, SpecKind::attribute);
}

bool TextParser::property_metadata(PropertySpec& spec, SpecKind kind) {
  set_position(position() + 1);
  // Fields of an earlier statement of the same property go on counting.
  assembly_.push_fields(spec);
  if (!statements(')', "';', a line break or ')'", [&] { return metadata_item(kind); })) {
    return false;
  }
  assembly_.pop_fields(spec);
  return pad();
}

bool TextParser::time_samples(PropertySpec& spec, const ValueType& type) {
  if (!require('{', "'{'") || !multi_pad()) return false;
  std::vector<std::pair<double, Value>> samples;
  std::string_view last_list;    // The text of the last list,
  std::size_t last_list_at = 0;  // and its place in the samples.
  const auto sample = [&] {
    double time = 0.0;
    Value value;
    if (!plain_number(time) || !pad() || !require(':', "':'") || !pad()) return false;
    if (take_word("None")) {
      value = Value::block();
    } else if (type.is_array && take_word("edit")) {
      if (!array_edit(type.element, value)) return false;
    } else if (peek() == '[' && !last_list.empty() && rest().starts_with(last_list)) {
      // What does not change, such as the scales of most clips, is held once.
      value = samples[last_list_at].second;
      set_position(position() + last_list.size());
    } else {
      const char* const at = position();
      const std::size_t diagnostics_before = diagnostics_.size();
      if (!typed_value(type, value)) return false;
      const bool again = *at == '[' && diagnostics_.size() == diagnostics_before;
      last_list = again ? text_since(at) : std::string_view();
      last_list_at = samples.size();
    }
    if (type.element == ElementType::none && !samples.empty()) {
      return fail(position(), "usda-bad-value",
                  fmt::format("An attribute of the unknown type '{}' cannot have several samples.",
                              spec.type_name.view()));
    }
    samples.emplace_back(time, std::move(value));
    return true;
  };
  if (!take('}') && !comma_list('}', "',' or '}'", sample)) return false;
  // Ascending, the last of equal times counts; NaN sorts to the end.
  const auto before = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
  std::stable_sort(samples.begin(), samples.end(),
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
  if (!gap("the name of a relationship")) return false;
  const std::string_view name = property_name();
  if (name.empty()) return expected("the name of a relationship");
  const Token token = intern(name);
  current_property_ = token;
  PropertySpec* const spec = declare(token, PropertySpec::Kind::relationship, at).spec;
  if (spec == nullptr) return false;
  spec->custom = spec->custom || custom;
  if (varying) spec->variability = Variability::varying;
  if (!relationship_statement(*spec, edit)) return false;
  current_property_ = {};
  return true;
}

bool TextParser::relationship_statement(PropertySpec& spec, Edit edit) {
  const char* const after_name = position();
  if (!pad()) return false;
  if (edit == Edit::explicit_ && take('.')) {
    std::string_view text;
    const char* at = nullptr;
    if (!pad() || !take_word("default")) return expected("default");
    if (!equals_sign()) return false;
    at = position();
    if (!path_text(text)) return false;
    Result<Path> path = Path::parse(text);
    if (!path || text == ".") return fail(at, "usda-bad-path", "This is not a path.");
    spec.default_value = Value::scalar(ElementType::path, intern(path->view()));
    return true;
  }
  if (edit == Edit::explicit_ && take('[')) {
    // A legacy form: data for one target. It declares the relationship; the rest is not kept.
    std::string_view text;
    if (!pad()) return false;
    const char* const at = position();
    if (!path_text(text)) return false;
    if (!Path::parse(text) || text == ".") return fail(at, "usda-bad-path", "This is not a path.");
    return pad() && require(']', "']'");
  }
  if (take('=')) {
    if (!pad() || !target_list(spec, edit, PathUse::target) || !pad()) return false;
  } else if (edit != Edit::explicit_) {
    set_position(after_name);
    return true;
  }
  if (edit != Edit::explicit_ || peek() != '(') return true;
  return property_metadata(spec, SpecKind::relationship);
}

// What a property has besides its default value, for this statement to change.
PropertyExtra& TextParser::extra(PropertySpec& spec) {
  if (spec.extra != nullptr) repeated_targets_.forget(spec.name);
  return assembly_.extra(spec);
}

// Targets of a relationship, or connections.
bool TextParser::target_list(PropertySpec& spec, Edit edit, PathUse use) {
  const char* const at = position();
  const bool is_first = spec.extra == nullptr;
  const auto kind = static_cast<std::uint8_t>(edit);
  std::size_t size = 0;
  if (is_first && use == PathUse::target && (peek() == '<' || peek() == '[')) {
    if (const auto* known = repeated_targets_.find(spec.name, {}, kind, rest(), size)) {
      assembly_.share_extra(spec, **known);
      set_position(at + size);
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

// OpenUSD makes a relative path on a prim inside a variant absolute with the variant's selection in
// it, and then refuses the result. What is meant is plain, so it is read unless asked otherwise.
bool TextParser::relative_path_inside_variant(const char* at) {
  if (!is_inside_variant(assembly_.prim().parent)) return true;
  constexpr std::string_view kMessage =
      "A relative path on a prim inside a variant is not read by OpenUSD.";
  if (options_.rules == Rules::openusd) {
    return fail(at, "usda-bad-path", std::string(kMessage), "write the absolute path");
  }
  warn(at, "usda-relative-path-in-variant", std::string(kMessage), "write the absolute path");
  return true;
}

bool TextParser::target_path_item(std::vector<Path>& items, bool connection) {
  const char* const at = position();
  std::string_view text;
  if (!path_text(text)) return false;
  Result<Path> path = Path::parse(text);
  const bool variants = path && path->has_variant_selection();
  if (path && !text.empty() && text != "." && !variants && !path->is_absolute()) {
    if (!relative_path_inside_variant(at)) return false;
    path = path->make_absolute(current_path());
  }
  if (!path || text == "." || path->empty() || path->is_root() || variants) {
    return fail(at, "usda-bad-path",
                connection ? "Expected the path of an attribute or a prim."
                           : "Expected the path of a prim or a property.",
                variants ? "variant selections are not allowed here" : "");
  }
  items.push_back(*std::move(path));
  return true;
}

}  // namespace sinew::usda
