// SPDX-License-Identifier: Apache-2.0
// Layers, prims and properties as text, but for their metadata.
#include "usda/text_writer.hpp"

#include <iterator>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/core/text_file.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

void TextWriter::indent() {
  out_.append(static_cast<std::size_t>(depth_) * 4, ' ');
}

void TextWriter::line(std::string_view text) {
  indent();
  out_ += text;
  out_ += '\n';
}

// A binary file may say of the root what only prims have.
void TextWriter::root_extra(const PrimSpec& root) {
  static const PrimExtra none;
  const PrimExtra& extra = root.extra != nullptr ? *root.extra : none;
  const auto check = [&](bool is_empty, std::string_view key) {
    if (!is_empty) leave_out(key, "what only prims have");
  };
  line_ = 0;
  check(root.type_name.empty(), "typeName");
  check(root.properties.empty(), "properties");
  check(extra.references.empty(), "references");
  check(extra.payloads.empty(), "payload");
  check(extra.inherits.empty(), "inherits");
  check(extra.specializes.empty(), "specializes");
  check(extra.variant_set_names.empty(), "variantSets");
  check(extra.variant_selections.empty(), "variants");
  check(extra.variant_sets.empty(), "variantSet");
  check(extra.relocates.empty(), "relocates");
  check(extra.property_order.empty(), "reorder properties");
  if (extra.child_order.empty()) return;
  out_ += "\nreorder rootPrims = ";
  name_items(extra.child_order);
  out_ += '\n';
}

void TextWriter::layer() {
  constexpr std::string_view kBeforeMinor = "#usda 1.";
  out_ += kBeforeMinor;
  out_ += "0\n";
  const PrimSpec& root = layer_->root();
  bool open = false;
  fields(root.fields, SpecKind::layer, open);
  line_ = 0;
  relocates(layer_->relocates(), open);
  sub_layers(open);
  close_items(open);
  if (open) out_ += '\n';
  root_extra(root);
  for (const PrimSpec* child : root.children) {
    out_ += '\n';
    prim(*child);
  }
  out_[kBeforeMinor.size()] = static_cast<char>('0' + minor_version_);
}

void TextWriter::prim(const PrimSpec& prim) {
  indent();
  out_ += to_string(prim.specifier);
  out_ += ' ';
  if (is_prim_type(prim.type_name.view())) {
    out_ += prim.type_name.view();
    out_ += ' ';
  }
  string(prim.name.view());
  prim_contents(prim);
  out_ += '\n';
}

// Metadata and body, after the name of a prim or variant.
void TextWriter::prim_contents(const PrimSpec& prim) {
  const PrimSpec* const outer = std::exchange(prim_, &prim);
  out_ += ' ';
  bool open = false;
  fields(prim.fields, SpecKind::prim, open);
  // Any text is a type for metadata, which variants have instead of a place before the name.
  const std::string_view type = prim.type_name.view();
  if (!type.empty() && (prim.is_variant || !is_prim_type(type))) {
    open_item(open);
    out_ += "typeName = ";
    string(type);
    out_ += '\n';
  }
  if (prim.extra != nullptr) prim_extra(*prim.extra, open);
  close_items(open);
  if (!open) out_.pop_back();
  out_ += '\n';
  line("{");
  ++depth_;
  body(prim);
  --depth_;
  indent();
  out_ += '}';
  prim_ = outer;
}

void TextWriter::body(const PrimSpec& prim_spec) {
  const PrimExtra* extra = prim_spec.extra;
  const auto reorder = [&](std::string_view what, const std::vector<Token>& names) {
    if (names.empty()) return;
    indent();
    append_text(out_, "reorder {} = ", what);
    name_items(names);
    out_ += '\n';
  };
  if (extra != nullptr) {
    reorder("nameChildren", extra->child_order);
    reorder("properties", extra->property_order);
  }
  for (const PropertySpec& spec : prim_spec.properties) property(spec);
  bool first = prim_spec.properties.empty();
  for (const PrimSpec* child : prim_spec.children) {
    if (!std::exchange(first, false)) out_ += '\n';
    prim(*child);
  }
  if (extra != nullptr) variant_sets(*extra);
}

void TextWriter::variant_sets(const PrimExtra& extra) {
  for (const VariantSetSpec& set : extra.variant_sets) {
    line_ = prim_->line;
    indent();
    out_ += "variantSet ";
    string(set.name.view());
    if (set.variants.empty()) {
      out_ += " = {}\n";
      continue;
    }
    out_ += " = {\n";
    ++depth_;
    for (const VariantSpec& variant : set.variants) {
      indent();
      string(variant.name.view());
      prim_contents(*variant.prim);
      out_ += '\n';
    }
    --depth_;
    line("}");
  }
}

void TextWriter::declaration(const PropertySpec& property, bool custom) {
  if (custom && property.custom) out_ += "custom ";
  if (property.is_attribute()) {
    if (property.variability == Variability::uniform) out_ += "uniform ";
    out_ += modern_type_name(property.type_name.view());
  } else {
    if (property.variability == Variability::varying) out_ += "varying ";
    out_ += "rel";
  }
  out_ += ' ';
  out_ += property.name.view();
}

void TextWriter::property(const PropertySpec& property) {
  property_ = &property;
  line_ = property.line;
  if (can_write_property(property)) statements_of(property);
  property_ = nullptr;
}

void TextWriter::statements_of(const PropertySpec& property) {
  const PropertyExtra* extra = property.extra;
  const bool is_attribute = property.is_attribute();
  const ValueType type = find_value_type(property.type_name.view());
  const bool has_default = property.default_value.has_value() && can_write_default(property, type);
  const bool has_samples =
      extra != nullptr && extra->has_time_samples && can_write_samples(property, type);
  const bool has_spline =
      extra != nullptr && extra->spline != nullptr && can_write_spline(property, type);
  const bool has_more = has_samples || has_spline || (extra != nullptr && !extra->targets.empty());
  const bool explicit_targets = !is_attribute && extra != nullptr && extra->targets.is_explicit;
  // The declaration carries `custom`, the default and the metadata; it can be left out where
  // another statement declares the property as well.
  const bool needs_declaration = !has_more || property.custom || !property.fields.empty() ||
                                 (is_attribute && has_default) || explicit_targets;
  if (needs_declaration) {
    indent();
    declaration(property, true);
    if (is_attribute && has_default) {
      out_ += " = ";
      value(property.default_value);
    } else if (explicit_targets) {
      out_ += " = ";
      path_items(listed_paths(extra->targets.explicit_items, "targetPaths", false));
    }
    out_ += ' ';
    bool open = false;
    fields(property.fields, is_attribute ? SpecKind::attribute : SpecKind::relationship, open);
    close_items(open);
    if (!open) out_.pop_back();
    out_ += '\n';
  }
  line_ = property.line;
  if (!is_attribute && has_default) {
    indent();
    declaration(property, false);
    out_ += ".default = ";
    value(property.default_value);
    out_ += '\n';
  }
  if (has_samples) time_samples(property, type);
  if (has_spline) spline(property);
  if (extra != nullptr && !explicit_targets) targets(property);
}

void TextWriter::targets(const PropertySpec& property) {
  const bool is_attribute = property.is_attribute();
  const std::string_view key = is_attribute ? "connectionPaths" : "targetPaths";
  for_each_list(property.extra->targets, [&](std::string_view edit, const std::vector<Path>& all) {
    const std::vector<Path> items = listed_paths(all, key, false);
    const bool says_nothing = items.empty() && !edit.empty();
    indent();
    if (!edit.empty() && !says_nothing) {
      out_ += edit;
      out_ += ' ';
    }
    declaration(property, false);
    if (!says_nothing) {
      if (is_attribute) out_ += ".connect";
      out_ += " = ";
      path_items(items);
    }
    out_ += '\n';
  });
}

void TextWriter::time_samples(const PropertySpec& property, const ValueType& type) {
  const TimeSamples& samples = property.extra->time_samples;
  indent();
  declaration(property, false);
  out_ += ".timeSamples = {\n";
  ++depth_;
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    if (!can_write_sample(samples.times[i], samples.values[i], type)) continue;
    indent();
    out_ += write_number(samples.times[i]);
    out_ += ": ";
    value(samples.values[i]);
    out_ += ",\n";
  }
  --depth_;
  line("}");
}

std::string write(const Layer& layer, Diagnostics& diagnostics) {
  TextWriter writer(layer, diagnostics);
  writer.layer();
  return writer.take();
}

std::string write(const Layer& layer) {
  Diagnostics ignored;
  return write(layer, ignored);
}

Status write_file(const Layer& layer, const std::string& file, Diagnostics& diagnostics) {
  return write_text_file(write(layer, diagnostics), file);
}

Status write_file(const Layer& layer, const std::string& file) {
  Diagnostics ignored;
  return write_file(layer, file, ignored);
}

}  // namespace sinew::usda
