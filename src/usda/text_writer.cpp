// SPDX-License-Identifier: Apache-2.0
// Layers, prims and properties as text.
#include "usda/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/sort.hpp"
#include "core/text_file.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::usda {

namespace {

// Calls `visit(keyword, items)` for each list of an operation in the order in which they are
// written; an explicit one has the empty keyword.
template <typename T, typename Visit>
void for_each_list(const ListOp<T>& op, Visit visit) {
  if (op.is_explicit) {
    visit(std::string_view(), op.explicit_items);
    return;
  }
  if (!op.deleted.empty()) visit(std::string_view("delete"), op.deleted);
  if (!op.added.empty()) visit(std::string_view("add"), op.added);
  if (!op.prepended.empty()) visit(std::string_view("prepend"), op.prepended);
  if (!op.appended.empty()) visit(std::string_view("append"), op.appended);
  if (!op.ordered.empty()) visit(std::string_view("reorder"), op.ordered);
}

bool has_content(const PrimExtra& extra) noexcept {
  return !extra.references.empty() || !extra.payloads.empty() || !extra.inherits.empty() ||
         !extra.specializes.empty() || !extra.variant_set_names.empty() ||
         !extra.variant_selections.empty() || !extra.relocates.empty();
}

}  // namespace

void TextWriter::indent() {
  out_.append(static_cast<std::size_t>(depth_) * 4, ' ');
}

void TextWriter::line(std::string_view text) {
  indent();
  out_ += text;
  out_ += '\n';
}

void TextWriter::open_item(bool& open) {
  if (!open) {
    out_ += "(\n";
    ++depth_;
    open = true;
  }
  indent();
}

void TextWriter::close_items(bool open) {
  if (!open) return;
  --depth_;
  indent();
  out_ += ')';
}

void TextWriter::list_statement(bool& open, std::string_view edit, std::string_view key) {
  open_item(open);
  if (!edit.empty()) {
    out_ += edit;
    out_ += ' ';
  }
  out_ += key;
  out_ += " = ";
}

void TextWriter::name_items(std::span<const Token> items) {
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out_ += ", ";
    string(items[i].view());
  }
  out_ += ']';
}

void TextWriter::field(const Field& field, bool& open) {
  const std::string_view key = field.key.view();
  if (const ListOp<Token>* op = field.value.as_token_list_op()) {
    for_each_list(*op, [&](std::string_view edit, const std::vector<Token>& items) {
      list_statement(open, edit, key);
      name_items(items);
      out_ += '\n';
    });
    return;
  }
  if (const ListOp<Value>* op = field.value.as_list_op()) {
    for_each_list(*op, [&](std::string_view edit, const std::vector<Value>& items) {
      list_statement(open, edit, key);
      out_ += '[';
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (i != 0) out_ += ", ";
        value(items[i]);
      }
      out_ += "]\n";
    });
    return;
  }
  open_item(open);
  if (key == "comment") {
    value(field.value);
  } else if (key == "prefixSubstitutions" || key == "suffixSubstitutions") {
    fmt::format_to(std::back_inserter(out_), "{} = {{", key);
    bool first = true;
    for (const DictionaryEntry& entry : *field.value.as_dictionary()) {
      if (!std::exchange(first, false)) out_ += ", ";
      string(entry.key.view());
      out_ += ": ";
      value(entry.value);
    }
    out_ += '}';
  } else if (key == "permission" || key == "symmetryFunction" || key == "displayUnit") {
    fmt::format_to(std::back_inserter(out_), "{} = {}", key, field.value.text().value_or(""));
  } else {
    out_ += key == "documentation" ? std::string_view("doc") : key;
    out_ += " = ";
    value(field.value);
  }
  out_ += '\n';
}

// The comment comes first, the rest by name.
void TextWriter::fields(std::span<const Field> fields, bool& open) {
  std::vector<const Field*> sorted;
  for (const Field& field : fields) sorted.push_back(&field);
  stable_sort_range(sorted.begin(), sorted.end(), [](const Field* a, const Field* b) {
    const bool a_comment = a->key.view() == "comment";
    const bool b_comment = b->key.view() == "comment";
    return a_comment != b_comment ? a_comment : a->key.view() < b->key.view();
  });
  for (const Field* entry : sorted) field(*entry, open);
}

void TextWriter::path_items(const std::vector<Path>& items) {
  if (items.size() == 1) {
    fmt::format_to(std::back_inserter(out_), "<{}>", items[0].view());
    return;
  }
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    fmt::format_to(std::back_inserter(out_), "{}<{}>", i == 0 ? "" : ", ", items[i].view());
  }
  out_ += ']';
}

void TextWriter::paths(const ListOp<Path>& op, std::string_view key, bool& open) {
  for_each_list(op, [&](std::string_view edit, const std::vector<Path>& items) {
    list_statement(open, edit, key);
    path_items(items);
    out_ += '\n';
  });
}

void TextWriter::parameters(const LayerOffset& offset, const Value& custom_data) {
  const char* before = " (";
  const auto parameter = [&](const char* name, auto&& write) {
    out_ += std::exchange(before, "; ");
    out_ += name;
    out_ += " = ";
    write();
  };
  if (offset.offset != 0.0) parameter("offset", [&] { out_ += write_number(offset.offset); });
  if (offset.scale != 1.0) parameter("scale", [&] { out_ += write_number(offset.scale); });
  if (custom_data.has_value()) parameter("customData", [&] { value(custom_data); });
  if (*before == ';') out_ += ')';
}

void TextWriter::reference_items(const std::vector<Reference>& items, bool is_reference) {
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Reference& item = items[i];
    if (i != 0) out_ += ", ";
    if (!item.asset.empty()) asset(item.asset.view());
    if (!item.prim_path.empty() || item.asset.empty()) {
      fmt::format_to(std::back_inserter(out_), "<{}>", item.prim_path.view());
    }
    parameters(item.offset, is_reference ? item.custom_data : Value());
  }
  out_ += ']';
}

void TextWriter::references(const ListOp<Reference>& op, std::string_view key, bool& open) {
  for_each_list(op, [&](std::string_view edit, const std::vector<Reference>& items) {
    list_statement(open, edit, key);
    reference_items(items, key == "references");
    out_ += '\n';
  });
}

void TextWriter::relocates(const std::vector<Relocate>& relocates) {
  out_ += "relocates = {";
  for (std::size_t i = 0; i < relocates.size(); ++i) {
    fmt::format_to(std::back_inserter(out_), "{}<{}>: <{}>", i == 0 ? "" : ", ",
                   relocates[i].source.view(), relocates[i].target.view());
  }
  out_ += "}\n";
}

void TextWriter::prim_extra(const PrimExtra& extra, bool& open) {
  if (!has_content(extra)) return;
  paths(extra.inherits, "inherits", open);
  references(extra.payloads, "payload", open);
  references(extra.references, "references", open);
  if (!extra.relocates.empty()) {
    open_item(open);
    relocates(extra.relocates);
  }
  paths(extra.specializes, "specializes", open);
  if (!extra.variant_selections.empty()) {
    open_item(open);
    out_ += "variants = {\n";
    ++depth_;
    for (const auto& [set, selection] : extra.variant_selections) {
      indent();
      out_ += "string ";
      string(set.view());
      out_ += " = ";
      string(selection.view());
      out_ += '\n';
    }
    --depth_;
    line("}");
  }
  for_each_list(extra.variant_set_names, [&](std::string_view edit, const std::vector<Token>& v) {
    list_statement(open, edit, "variantSets");
    name_items(v);
    out_ += '\n';
  });
}

void TextWriter::layer(const Layer& layer) {
  const int version = std::max(10, layer.version());
  fmt::format_to(std::back_inserter(out_), "#usda {}.{}\n", version / 10, version % 10);
  bool open = false;
  fields(layer.root().fields, open);
  if (!layer.relocates().empty()) {
    open_item(open);
    relocates({layer.relocates().begin(), layer.relocates().end()});
  }
  if (!layer.sub_layers().empty()) {
    open_item(open);
    out_ += "subLayers = [\n";
    ++depth_;
    for (const SubLayer& sub_layer : layer.sub_layers()) {
      indent();
      asset(sub_layer.asset.view());
      parameters(sub_layer.offset, Value());
      out_ += ",\n";
    }
    --depth_;
    line("]");
  }
  close_items(open);
  if (open) out_ += '\n';
  const PrimExtra* extra = layer.root().extra;
  if (extra != nullptr && !extra->child_order.empty()) {
    out_ += "\nreorder rootPrims = ";
    name_items(extra->child_order);
    out_ += '\n';
  }
  for (const PrimSpec* child : layer.root().children) {
    out_ += '\n';
    prim(*child);
  }
}

void TextWriter::prim(const PrimSpec& prim) {
  indent();
  out_ += to_string(prim.specifier);
  out_ += ' ';
  if (!prim.type_name.empty()) {
    out_ += prim.type_name.view();
    out_ += ' ';
  }
  string(prim.name.view());
  prim_contents(prim);
  out_ += '\n';
}

// Metadata and body, after the name of a prim or variant.
void TextWriter::prim_contents(const PrimSpec& prim) {
  out_ += ' ';
  bool open = false;
  fields(prim.fields, open);
  if (prim.is_variant && !prim.type_name.empty()) {
    open_item(open);
    out_ += "typeName = ";
    string(prim.type_name.view());
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
}

void TextWriter::body(const PrimSpec& prim_spec) {
  const PrimExtra* extra = prim_spec.extra;
  const auto reorder = [&](std::string_view what, const std::vector<Token>& names) {
    if (names.empty()) return;
    indent();
    fmt::format_to(std::back_inserter(out_), "reorder {} = ", what);
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
    out_ += property.type_name.view();
  } else {
    if (property.variability == Variability::varying) out_ += "varying ";
    out_ += "rel";
  }
  out_ += ' ';
  out_ += property.name.view();
}

void TextWriter::property(const PropertySpec& property) {
  const PropertyExtra* extra = property.extra;
  const bool is_attribute = property.is_attribute();
  const bool has_default = property.default_value.has_value();
  const bool has_more = extra != nullptr && (extra->has_time_samples || extra->spline != nullptr ||
                                             !extra->targets.empty());
  const bool is_default_target = !is_attribute && has_default;
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
      path_items(extra->targets.explicit_items);
    }
    out_ += ' ';
    bool open = false;
    fields(property.fields, open);
    close_items(open);
    if (!open) out_.pop_back();
    out_ += '\n';
  }
  if (is_default_target) {
    indent();
    declaration(property, false);
    out_ += ".default = ";
    value(property.default_value);
    out_ += '\n';
  }
  if (extra == nullptr) return;
  if (extra->has_time_samples) time_samples(property);
  if (extra->spline != nullptr) spline(property);
  if (!explicit_targets) targets(property);
}

void TextWriter::targets(const PropertySpec& property) {
  for_each_list(property.extra->targets, [&](std::string_view edit, const std::vector<Path>& v) {
    indent();
    if (!edit.empty()) {
      out_ += edit;
      out_ += ' ';
    }
    declaration(property, false);
    if (property.is_attribute()) out_ += ".connect";
    out_ += " = ";
    path_items(v);
    out_ += '\n';
  });
}

void TextWriter::time_samples(const PropertySpec& property) {
  const TimeSamples& samples = property.extra->time_samples;
  indent();
  declaration(property, false);
  out_ += ".timeSamples = {\n";
  ++depth_;
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    indent();
    out_ += write_number(samples.times[i]);
    out_ += ": ";
    value(samples.values[i]);
    out_ += ",\n";
  }
  --depth_;
  line("}");
}

std::string write(const Layer& layer) {
  TextWriter writer;
  writer.layer(layer);
  return writer.take();
}

Status write_file(const Layer& layer, const std::string& file) {
  return write_text_file(write(layer), file);
}

}  // namespace sinew::usda
