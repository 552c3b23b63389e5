// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "usda/model.hpp"

namespace sinew::usda {

/// Builds .usda text. One function per construct of the grammar; see write() for the promise.
class TextWriter {
 public:
  void layer(const Layer& layer);
  void value(const Value& value);
  std::string take() { return std::move(out_); }

 private:
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
  void field(const Field& field, bool& open);
  void fields(std::span<const Field> fields, bool& open);
  void list_statement(bool& open, std::string_view edit, std::string_view key);
  void prim_extra(const PrimExtra& extra, bool& open);
  void references(const ListOp<Reference>& op, std::string_view key, bool& open);
  void paths(const ListOp<Path>& op, std::string_view key, bool& open);
  void path_items(const std::vector<Path>& items);
  /// In parentheses behind a layer or a reference; nothing where there are none.
  void parameters(const LayerOffset& offset, const Value& custom_data);
  void reference_items(const std::vector<Reference>& items, bool is_reference);
  void name_items(std::span<const Token> items);
  void relocates(const std::vector<Relocate>& relocates);

  void prim(const PrimSpec& prim);
  void prim_contents(const PrimSpec& prim);
  void body(const PrimSpec& prim);
  void property(const PropertySpec& property);
  void declaration(const PropertySpec& property, bool custom);
  void targets(const PropertySpec& property);
  void time_samples(const PropertySpec& property);
  void spline(const PropertySpec& property);
  void variant_sets(const PrimExtra& extra);

  std::string out_;
  int depth_ = 0;
};

}  // namespace sinew::usda
