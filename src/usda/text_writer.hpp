// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layer/shared/fields.hpp"
#include "sinew/core/diagnostic.hpp"
#include "usda/model.hpp"

namespace sinew::usda {

/// Builds .usda text. One function per construct of the grammar; see write() for the promise.
///
/// A layer may hold what text has no form for. It is left out and reported; whether it can be
/// written is decided in write_checks.cpp. The other bodies are in text_writer.cpp (layer, prims,
/// properties), write_metadata.cpp, write_value.cpp and write_spline.cpp.
class TextWriter {
 public:
  /// Writes single values, whatever they are.
  TextWriter() = default;
  /// Writes that layer.
  TextWriter(const Layer& layer, Diagnostics& diagnostics)
      : layer_(&layer), diagnostics_(&diagnostics), prim_(&layer.root()) {}

  void layer();
  void value(const Value& value);
  std::string take() { return std::move(out_); }

 private:
  // The text so far, to go back to.
  struct Mark {
    std::size_t size = 0;
    int depth = 0;
    unsigned minor_version = 0;
    bool is_open = false;  // The block of metadata.
  };

  void line(std::string_view text);
  void indent();
  void string(std::string_view text);
  void asset(std::string_view text);
  void element(ElementType type, const std::byte* data);
  void text(ElementType type, std::string_view text);
  void number(ElementType type, const std::byte* data);
  void tuple(ElementType component, std::size_t count, const std::byte* data);
  void dictionary(const Dictionary& dictionary);
  void array_edit(const ArrayEdit& edit);

  // Metadata: the block opens with its first item.
  void open_item(bool& open);
  void close_items(bool open);
  void field(const Field& field, SpecKind kind, bool& open);
  void fields(std::span<const Field> fields, SpecKind kind, bool& open);
  void plain_field(std::string_view key, const Value& value);
  template <typename Write>
  void statement(const Field& field, SpecKind kind, bool sure, bool& open, Write write);
  void list_start(std::string_view edit, std::string_view key);
  void prim_extra(const PrimExtra& extra, bool& open);
  void references(const ListOp<Reference>& op, std::string_view key, bool& open);
  void paths(const ListOp<Path>& op, std::string_view key, bool& open);
  void path_items(const std::vector<Path>& items);
  void variant_set_names(const ListOp<Token>& op, bool& open);
  void variant_selections(const PrimExtra& extra, bool& open);
  /// In parentheses behind a layer or a reference; nothing where there are none.
  void parameters(const LayerOffset& offset, const Value& custom_data);
  void reference_items(const std::vector<Reference>& items, bool is_reference);
  void name_items(std::span<const Token> items);
  void relocates(std::span<const Relocate> relocates, bool& open);
  void sub_layers(bool& open);

  void root_extra(const PrimSpec& root);
  void prim(const PrimSpec& prim);
  void prim_contents(const PrimSpec& prim);
  void body(const PrimSpec& prim);
  void property(const PropertySpec& property);
  void statements_of(const PropertySpec& property);
  void declaration(const PropertySpec& property, bool custom);
  void targets(const PropertySpec& property);
  void time_samples(const PropertySpec& property, const ValueType& type);
  void spline(const PropertySpec& property);
  void variant_sets(const PrimExtra& extra);

  // --- What text has no form for (write_checks.cpp). All report what they refuse.
  bool leave_out(std::string_view key, std::string_view what);
  bool reads_back(const Field& field, SpecKind kind, std::string_view text) const;
  bool is_value_of(const ValueType& type, const Value& value) const;
  bool is_path_expression(std::string_view text) const;
  bool are_path_expressions(const Value& value) const;
  bool is_edit_of(const ValueType& type, const ArrayEdit& edit) const;
  bool is_entry(const DictionaryEntry& entry) const;
  bool can_write_property(const PropertySpec& property);
  bool can_write_default(const PropertySpec& property, const ValueType& type);
  bool can_write_samples(const PropertySpec& property, const ValueType& type);
  bool can_write_sample(double time, const Value& value, const ValueType& type);
  bool can_write_spline(const PropertySpec& property, const ValueType& type);
  bool can_write_custom_data(std::string_view key, const Value& value);
  std::vector<Path> listed_paths(const std::vector<Path>& items, std::string_view key, bool is_arc);
  std::vector<Token> listed_sets(const std::vector<Token>& items);
  std::vector<Reference> listed_references(const std::vector<Reference>& items,
                                           std::string_view key);
  std::vector<Relocate> listed_relocates(std::span<const Relocate> relocates);

  // Runs with the name of what is written in a longer form.
  template <typename Run>
  void below(std::string_view name, Run run) {
    const std::size_t size = key_.size();
    if (size != 0) key_ += ':';
    key_ += name;
    run();
    key_.resize(size);
  }

  std::string out_;
  int depth_ = 0;
  unsigned minor_version_ = 0;  // The lowest 1.x that has all that was written.

  // Null where values are written without a layer.
  const Layer* layer_ = nullptr;
  Diagnostics* diagnostics_ = nullptr;
  // What is being written, to report what is left out.
  const PrimSpec* prim_ = nullptr;
  const PropertySpec* property_ = nullptr;
  std::string key_;  // With the keys of dictionaries behind it.
  std::uint32_t line_ = 0;
  std::size_t warnings_ = 0;
};

/// Calls `visit(keyword, items)` for each list of an operation in the order in which they are
/// written; an explicit one has the empty keyword.
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

/// How an asset path is written between '@'; empty if it cannot be.
std::string asset_literal(std::string_view text);

}  // namespace sinew::usda
