// SPDX-License-Identifier: Apache-2.0
// Metadata as text: fields, arcs, variant names, sublayers.

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "layer/shared/layer_assembly.hpp"
#include "layer/shared/list_edits.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/text_rules.hpp"
#include "usda/text_writer.hpp"

namespace sinew::usda {

namespace {

bool has_content(const PrimExtra& extra) noexcept {
  return !extra.references.empty() || !extra.payloads.empty() || !extra.inherits.empty() ||
         !extra.specializes.empty() || !extra.variant_set_names.empty() ||
         !extra.variant_selections.empty() || !extra.relocates.empty();
}

bool is_text_value(const Value& value) noexcept {
  return !value.is_array() &&
         (value.type() == ElementType::string || value.type() == ElementType::token);
}

// Whether the statement of a field is surely read as what it says. Lists have to be without
// repeats, too.
bool is_sure(const Field& field, SpecKind kind) noexcept {
  using Shape = FieldType::Shape;
  const std::string_view key = field.key.view();
  if (key == "comment" || (key == "kind" && kind == SpecKind::prim)) {
    return is_text_value(field.value);
  }
  if (key == "framesPerSecond" || key == "typeName") return false;
  const FieldType declared = find_field_type(kind, key);
  switch (declared.shape) {
    case Shape::value:
      return field.value.type() == declared.type.element &&
             field.value.is_array() == declared.type.is_array;
    case Shape::dictionary:
      return field.value.as_dictionary() != nullptr;
    case Shape::token_list_op:
      return field.value.as_token_list_op() != nullptr;
    default:
      return false;
  }
}

}  // namespace

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

void TextWriter::list_start(std::string_view edit, std::string_view key) {
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

// One statement of metadata, which is taken back if it is not read as what it says.
template <typename Write>
void TextWriter::statement(const Field& field, SpecKind kind, bool sure, bool& open, Write write) {
  const Mark before = {out_.size(), depth_, minor_version_, open};
  open_item(open);
  const std::size_t start = out_.size();
  write();
  if (layer_ == nullptr || sure || reads_back(field, kind, std::string_view(out_).substr(start))) {
    out_ += '\n';
    return;
  }
  out_.resize(before.size);
  depth_ = before.depth;
  minor_version_ = before.minor_version;
  open = before.is_open;
  const bool is_known = is_field(kind, field.key.view()) || field.key.view() == "comment";
  leave_out(key_, is_known ? "such a value of this field" : "such a field");
}

void TextWriter::field(const Field& field, SpecKind kind, bool& open) {
  const std::string_view key = field.key.view();
  const bool sure = layer_ == nullptr || is_sure(field, kind);
  line_ = field.line;
  below(key, [&] {
    if (const ListOp<Token>* op = field.value.as_token_list_op()) {
      for_each_list(*op, [&](std::string_view edit, const std::vector<Token>& items) {
        const bool distinct = !has_repeats(std::span<const Token>(items));
        statement(field, kind, sure && distinct, open, [&] {
          list_start(edit, key);
          name_items(items);
        });
      });
    } else if (const ListOp<Value>* values = field.value.as_list_op()) {
      for_each_list(*values, [&](std::string_view edit, const std::vector<Value>& items) {
        statement(field, kind, sure, open, [&] {
          list_start(edit, key);
          out_ += '[';
          for (std::size_t i = 0; i < items.size(); ++i) {
            if (i != 0) out_ += ", ";
            value(items[i]);
          }
          out_ += ']';
        });
      });
    } else {
      statement(field, kind, sure, open, [&] { plain_field(key, field.value); });
    }
  });
}

// A field that is no list that edits change.
void TextWriter::plain_field(std::string_view key, const Value& field_value) {
  if (key == "comment") return value(field_value);
  const Dictionary* const entries = field_value.as_dictionary();
  if (entries != nullptr && (key == "prefixSubstitutions" || key == "suffixSubstitutions")) {
    append_text(out_, "{} = ", key);
    out_ += '{';
    bool first = true;
    for (const DictionaryEntry& entry : *entries) {
      if (!std::exchange(first, false)) out_ += ", ";
      string(entry.key.view());
      out_ += ": ";
      value(entry.value);
    }
    out_ += '}';
    return;
  }
  out_ += key == "documentation" ? std::string_view("doc") : key;
  out_ += " = ";
  const bool is_word = key == "permission" || key == "symmetryFunction" || key == "displayUnit";
  if (is_word && is_text_value(field_value)) {
    out_ += *field_value.text();
  } else {
    value(field_value);
  }
}

// The comment comes first, the rest by name.
void TextWriter::fields(std::span<const Field> fields, SpecKind kind, bool& open) {
  std::vector<const Field*> sorted;
  for (const Field& field : fields) sorted.push_back(&field);
  stable_sort_range(sorted.begin(), sorted.end(), [](const Field* a, const Field* b) {
    const bool a_comment = a->key.view() == "comment";
    const bool b_comment = b->key.view() == "comment";
    return a_comment != b_comment ? a_comment : a->key.view() < b->key.view();
  });
  for (const Field* entry : sorted) field(*entry, kind, open);
}

void TextWriter::path_items(const std::vector<Path>& items) {
  if (items.size() == 1) {
    append_text(out_, "<{}>", items[0].view());
    return;
  }
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    append_text(out_, "{}<{}>", i == 0 ? "" : ", ", items[i].view());
  }
  out_ += ']';
}

void TextWriter::paths(const ListOp<Path>& op, std::string_view key, bool& open) {
  for_each_list(op, [&](std::string_view edit, const std::vector<Path>& all) {
    const std::vector<Path> items = listed_paths(all, key, true);
    if (items.empty() && !edit.empty()) return;
    open_item(open);
    list_start(edit, key);
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
  if (custom_data.has_value()) {
    parameter("customData", [&] { below("customData", [&] { value(custom_data); }); });
  }
  if (*before == ';') out_ += ')';
}

void TextWriter::reference_items(const std::vector<Reference>& items, bool is_reference) {
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Reference& item = items[i];
    if (i != 0) out_ += ", ";
    if (!item.asset.empty()) out_ += asset_literal(item.asset.view());
    if (!item.prim_path.empty() || item.asset.empty()) {
      append_text(out_, "<{}>", item.prim_path.view());
    }
    const bool has_data = is_reference && item.custom_data.has_value() &&
                          can_write_custom_data("references", item.custom_data);
    parameters(item.offset, has_data ? item.custom_data : Value());
  }
  out_ += ']';
}

void TextWriter::references(const ListOp<Reference>& op, std::string_view key, bool& open) {
  for_each_list(op, [&](std::string_view edit, const std::vector<Reference>& all) {
    const std::vector<Reference> items = listed_references(all, key);
    if (items.empty() && !edit.empty()) return;
    open_item(open);
    list_start(edit, key);
    below(key, [&] { reference_items(items, key == "references"); });
    out_ += '\n';
  });
}

void TextWriter::relocates(std::span<const Relocate> all, bool& open) {
  const std::vector<Relocate> relocates = listed_relocates(all);
  if (relocates.empty()) return;
  open_item(open);
  out_ += "relocates = {";
  for (std::size_t i = 0; i < relocates.size(); ++i) {
    append_text(out_, "{}<{}>: <{}>", i == 0 ? "" : ", ", relocates[i].source.view(),
                relocates[i].target.view());
  }
  out_ += "}\n";
}

void TextWriter::variant_set_names(const ListOp<Token>& op, bool& open) {
  for_each_list(op, [&](std::string_view edit, const std::vector<Token>& all) {
    const std::vector<Token> items = listed_sets(all);
    if (items.empty()) {
      if (all.empty()) leave_out("variantSets", "a list of no variant sets");
      return;
    }
    open_item(open);
    list_start(edit, "variantSets");
    name_items(items);
    out_ += '\n';
  });
}

void TextWriter::variant_selections(const PrimExtra& extra, bool& open) {
  bool is_begun = false;
  for (const auto& [set, selection] : extra.variant_selections) {
    if (!is_selected_variant(selection.view())) {
      leave_out(format_text("variants:{}", set.view()), "such a name of a variant");
      continue;
    }
    if (!std::exchange(is_begun, true)) {
      open_item(open);
      out_ += "variants = {\n";
      ++depth_;
    }
    indent();
    out_ += "string ";
    string(set.view());
    out_ += " = ";
    string(selection.view());
    out_ += '\n';
  }
  if (!is_begun) return;
  --depth_;
  line("}");
}

void TextWriter::prim_extra(const PrimExtra& extra, bool& open) {
  if (!has_content(extra)) return;
  line_ = prim_->line;
  paths(extra.inherits, "inherits", open);
  references(extra.payloads, "payload", open);
  references(extra.references, "references", open);
  if (!extra.relocates.empty() && prim_->is_variant) {
    leave_out("relocates", "relocates of a variant");
  } else {
    relocates(extra.relocates, open);
  }
  paths(extra.specializes, "specializes", open);
  variant_selections(extra, open);
  variant_set_names(extra.variant_set_names, open);
}

void TextWriter::sub_layers(bool& open) {
  bool is_begun = false;
  for (const SubLayer& sub_layer : layer_->sub_layers()) {
    const std::string asset = asset_literal(sub_layer.asset.view());
    line_ = sub_layer.line;
    if (asset.empty()) {
      leave_out("subLayers", "such an asset path outside of values");
      continue;
    }
    if (!std::exchange(is_begun, true)) {
      open_item(open);
      out_ += "subLayers = [\n";
      ++depth_;
    }
    indent();
    out_ += asset;
    parameters(sub_layer.offset, Value());
    out_ += ",\n";
  }
  if (!is_begun) return;
  --depth_;
  line("]");
}

}  // namespace sinew::usda
