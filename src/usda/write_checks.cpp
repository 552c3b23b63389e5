// SPDX-License-Identifier: Apache-2.0
// What of a layer text has a form for. Most of it is plain to see from types. Whatever is not is
// written and read again.

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "layer/shared/path_expression_syntax.hpp"
#include "layer/shared/spline_ends.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/text_parser.hpp"
#include "usda/text_rules.hpp"
#include "usda/text_writer.hpp"

namespace sinew::usda {

namespace {

constexpr std::size_t kMostWarnings = 100;

// Absolute, and of anything but the root or a variant.
bool is_plain_path(const Path& path) {
  return path.is_absolute() && !path.is_root() && !path.has_variant_selection() &&
         Path::parse(path.view()).has_value();
}

bool is_plain_prim(const Path& path) {
  return path.is_prim() && is_plain_path(path);
}

bool is_plain_target(const Path& path) {
  return is_plain_path(path) && is_prim_or_property(path.view());
}

bool are_asset_paths(const Value& value) {
  if (!value.is_array()) return is_asset_path(value.text().value_or(""));
  const std::span<const Token> tokens = value.as_array<Token>();
  return std::all_of(tokens.begin(), tokens.end(),
                     [](Token token) { return is_asset_path(token.view()); });
}

bool is_finite_tangent(const std::optional<Spline::Tangent>& tangent, ElementType type) noexcept {
  if (!tangent) return true;
  const double width = tangent->width.value_or(0.0);
  return std::isfinite(width) && width >= 0.0 && is_finite_as(type, tangent->slope);
}

bool is_finite_knot(const Spline::Knot& knot, ElementType type) noexcept {
  return std::isfinite(knot.time) && is_finite_as(type, knot.value) &&
         is_finite_as(type, knot.pre_value.value_or(0.0)) &&
         is_finite_tangent(knot.pre_tangent, type) && is_finite_tangent(knot.post_tangent, type);
}

bool is_good_loop(const Spline::InnerLoop& loop) noexcept {
  return std::isfinite(loop.prototype_start) && std::isfinite(loop.prototype_end) &&
         std::isfinite(loop.value_offset) && is_loop_count(loop.pre_loops) &&
         is_loop_count(loop.post_loops);
}

}  // namespace

// Reports what is not written. Returns false.
bool TextWriter::leave_out(std::string_view key, std::string_view what) {
  if (diagnostics_ == nullptr || ++warnings_ > kMostWarnings + 1) return false;
  Diagnostic diagnostic;
  diagnostic.code = "usda-not-representable";
  diagnostic.message = warnings_ > kMostWarnings
                           ? std::string("More of the layer has no form in text and is left out.")
                           : format_text("'{}' is left out: text has no form for {}.", key, what);
  diagnostic.file = layer_->identifier();
  diagnostic.line = line_;
  Path path = Layer::path_of(*prim_);
  if (property_ != nullptr) path = path.property(property_->name.view());
  diagnostic.path = std::move(path).str();
  diagnostics_->push_back(std::move(diagnostic));
  return false;
}

// Whether a statement of metadata says what it should. A value that is kept as its source is what
// the source says, another one must be written alike when it is read.
bool TextWriter::reads_back(const Field& field, SpecKind kind, std::string_view text) const {
  if (find_invalid_utf8(text) != std::string_view::npos) return false;
  const ParseOptions options;
  Diagnostics ignored;
  TextParser parser(text, {}, ignored, options);
  const std::optional<Value> value = parser.run_field(kind, field.key.view());
  if (!value) return false;
  if (field.value.type() == ElementType::unregistered) return true;
  TextWriter again;
  again.depth_ = depth_;
  bool open = true;
  again.field({field.key, *value, 0}, kind, open);
  return again.out_.size() == text.size() + 4 * static_cast<std::size_t>(depth_) + 1 &&
         again.out_.find(text) != std::string::npos;
}

bool TextWriter::is_path_expression(std::string_view text) const {
  std::string absolute;
  std::string reason;
  return find_invalid_utf8(text) == std::string_view::npos &&
         absolute_path_expression(text, Layer::path_of(*prim_).strip_variants(), absolute, reason);
}

bool TextWriter::are_path_expressions(const Value& value) const {
  if (!value.is_array()) return is_path_expression(value.text().value_or(""));
  const std::span<const Token> tokens = value.as_array<Token>();
  return std::all_of(tokens.begin(), tokens.end(),
                     [&](Token token) { return is_path_expression(token.view()); });
}

// Whether what is written for a value is read as that value where that type is declared.
bool TextWriter::is_value_of(const ValueType& type, const Value& value) const {
  if (type.element != ElementType::none && value.type() == type.element &&
      value.is_array() == type.is_array) {
    if (type.element == ElementType::path_expression) return are_path_expressions(value);
    return type.element != ElementType::asset || are_asset_paths(value);
  }
  const std::string text = write_value(value);
  if (find_invalid_utf8(text) != std::string_view::npos) return false;
  // Where a value may stand, this word begins an edit.
  if (identifier_length(text) == 4 && text.starts_with("edit")) return false;
  const ParseOptions options;
  Diagnostics ignored;
  TextParser parser(text, {}, ignored, options);
  const Result<Value> read = parser.run_value(type);
  return read && (value.type() == ElementType::unregistered || write_value(*read) == text);
}

bool TextWriter::is_edit_of(const ValueType& type, const ArrayEdit& edit) const {
  using Kind = ArrayEdit::Kind;
  if (!type.is_array || type.element == ElementType::none || edit.element != type.element) {
    return false;
  }
  return std::all_of(edit.instructions.begin(), edit.instructions.end(), [&](const auto& step) {
    const bool has_literal = step.literal.has_value();
    const bool is_literal =
        has_literal && is_value_of({type.element, false, false, {}}, step.literal);
    switch (step.kind) {
      case Kind::erase:
        return true;
      case Kind::max_size:
        return step.index >= 0 && !has_literal;
      case Kind::min_size:
      case Kind::resize:
        return step.index >= 0 && (!has_literal || is_literal);
      default:
        return step.source.has_value() || is_literal;
    }
  });
}

bool TextWriter::is_entry(const DictionaryEntry& entry) const {
  const std::string_view type_name = entry.type_name.view();
  if (type_name == "dictionary") return entry.value.as_dictionary() != nullptr;
  const ValueType type = find_value_type(type_name);
  return type.known() && !type.is_opaque && is_value_of(type, entry.value);
}

bool TextWriter::can_write_property(const PropertySpec& property) {
  if (!property.is_attribute()) return true;
  const std::string_view type = property.type_name.view();
  if (type.empty()) return leave_out(property.name.view(), "an attribute without a type");
  return is_attribute_type(type) ||
         leave_out(property.name.view(), "an attribute with such a type");
}

bool TextWriter::can_write_default(const PropertySpec& property, const ValueType& type) {
  const Value& value = property.default_value;
  if (!property.is_attribute()) {
    const bool is_path = value.type() == ElementType::path && !value.is_array() &&
                         Path::parse(*value.text()).has_value();
    return is_path || leave_out("default", "such a value of a relationship");
  }
  if (value.is_block() || value.type() == ElementType::animation_block) return true;
  const ArrayEdit* const edit = value.as_array_edit();
  return (edit != nullptr ? is_edit_of(type, *edit) : is_value_of(type, value)) ||
         leave_out("default", "such a value of this type");
}

bool TextWriter::can_write_samples(const PropertySpec& property, const ValueType& type) {
  return type.element != ElementType::none || property.extra->time_samples.times.size() < 2 ||
         leave_out("timeSamples", "several samples of an unknown type");
}

bool TextWriter::can_write_sample(double time, const Value& value, const ValueType& type) {
  if (value.is_block()) return true;
  const ArrayEdit* const edit = value.as_array_edit();
  const bool is_good =
      edit != nullptr ? is_edit_of(type, *edit)
                      : value.type() != ElementType::animation_block && is_value_of(type, value);
  return is_good || leave_out(format_text("timeSamples at {}", time), "such a value of this type");
}

bool TextWriter::can_write_spline(const PropertySpec& property, const ValueType& type) {
  const Spline& spline = *property.extra->spline;
  if (!can_have_spline(type)) return leave_out("spline", "a spline of this type");
  const bool conflict =
      spline.loop && (loops_to_boundary(spline.pre) || loops_to_boundary(spline.post));
  if (conflict) return leave_out("spline", "an inner loop beside one with a boundary");
  const bool is_finite =
      std::isfinite(spline.pre.parameter.value_or(0.0)) &&
      std::isfinite(spline.post.parameter.value_or(0.0)) &&
      (!spline.loop || is_good_loop(*spline.loop)) &&
      std::all_of(spline.knots.begin(), spline.knots.end(),
                  [&](const auto& knot) { return is_finite_knot(knot, type.element); });
  return is_finite || leave_out("spline", "such a number in a spline");
}

bool TextWriter::can_write_custom_data(std::string_view key, const Value& value) {
  return layer_ == nullptr || value.as_dictionary() != nullptr ||
         leave_out(format_text("{}:customData", key), "custom data that is no dictionary");
}

namespace {

// The items of a list that can be listed, each once. Calls `report(what)` for the others.
template <typename T, typename Problem, typename KeyOf, typename Report>
std::vector<T> listed(std::span<const T> items, Problem problem_of, KeyOf key_of, Report report) {
  std::vector<T> kept;
  std::unordered_set<std::string> seen;
  for (const T& item : items) {
    std::string_view problem = problem_of(item);
    if (problem.empty() && items.size() > 1 && !seen.insert(key_of(item)).second) {
      problem = "what stands in a list twice";
    }
    if (problem.empty()) {
      kept.push_back(item);
    } else {
      report(problem);
    }
  }
  return kept;
}

}  // namespace

std::vector<Path> TextWriter::listed_paths(const std::vector<Path>& items, std::string_view key,
                                           bool is_arc) {
  return listed<Path>(
      items,
      [&](const Path& path) -> std::string_view {
        const bool fits = is_arc ? is_plain_prim(path) : is_plain_target(path);
        return fits ? std::string_view() : "such a path in this list";
      },
      [](const Path& path) { return path.str(); },
      [&](std::string_view what) { leave_out(key, what); });
}

std::vector<Token> TextWriter::listed_sets(const std::vector<Token>& items) {
  return listed<Token>(
      items,
      [](Token name) -> std::string_view {
        return is_variant_name(name.view()) ? std::string_view() : "such a name of a variant set";
      },
      [](Token name) { return std::string(name.view()); },
      [&](std::string_view what) { leave_out("variantSets", what); });
}

std::vector<Reference> TextWriter::listed_references(const std::vector<Reference>& items,
                                                     std::string_view key) {
  return listed<Reference>(
      items,
      [](const Reference& item) -> std::string_view {
        if (!item.asset.empty() && asset_literal(item.asset.view()).empty()) {
          return "such an asset path outside of values";
        }
        return item.prim_path.empty() || is_plain_prim(item.prim_path) ? std::string_view()
                                                                       : "such a path in this list";
      },
      [](const Reference& item) {
        return format_text("{}\n{}\n{}\n{}", item.asset.view(), item.prim_path.view(),
                           item.offset.offset, item.offset.scale);
      },
      [&](std::string_view what) { leave_out(key, what); });
}

std::vector<Relocate> TextWriter::listed_relocates(std::span<const Relocate> relocates) {
  std::vector<Relocate> kept;
  for (const Relocate& relocate : relocates) {
    const bool fits = is_plain_prim(relocate.source) &&
                      (relocate.target.empty() || is_plain_prim(relocate.target));
    if (fits) {
      kept.push_back(relocate);
    } else {
      leave_out("relocates", "a relocate that is not of prims");
    }
  }
  return kept;
}

}  // namespace sinew::usda
