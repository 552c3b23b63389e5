// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "layer/shared/dictionary_builder.hpp"
#include "layer/shared/fields.hpp"
#include "layer/shared/layer_assembly.hpp"
#include "sinew/usda/parser.hpp"
#include "usda/model.hpp"
#include "usda/number.hpp"
#include "usda/repeated_text.hpp"
#include "usda/scanner.hpp"

namespace sinew::usda {

/// Recursive descent over the grammar of .usda text: takes it from a Scanner, and puts what it says
/// into a LayerAssembly.
///
/// One function per rule; each returns false if it failed, with the reason in the scanner. The
/// bodies are spread over text_parser.cpp (layer), parse_prim.cpp, parse_property.cpp,
/// parse_metadata.cpp, parse_lists.cpp, parse_value.cpp, parse_array.cpp and parse_spline.cpp.
class TextParser {
 public:
  TextParser(std::string_view text, std::string identifier, Diagnostics& diagnostics,
             const ParseOptions& options);

  /// The whole text.
  Result<LayerPtr> run();
  /// The whole text is one value of `type`.
  Result<Value> run_value(const ValueType& type);
  /// The whole text is one statement of metadata on a spec of that kind.
  /// @return What it says of `key`; nothing if it cannot be read or is about something else.
  std::optional<Value> run_field(SpecKind kind, std::string_view key);

 private:
  // The type of an attribute that was read before, by its text.
  struct KnownType {
    std::string_view text;
    ValueType type;
    Token token;
  };
  enum class Edit : std::uint8_t { explicit_, add, delete_, append, prepend, reorder };

  enum class PathUse : std::uint8_t { arc, target, connection };

  // --- Layer (text_parser.cpp)
  bool header();
  bool layer();
  bool layer_metadata();
  bool layer_item();
  bool sub_layers();
  bool layer_offset_item(LayerOffset& offset, bool& known);
  bool relocates_map(const Path& anchor, std::vector<Relocate>& relocates);
  bool root_item();
  Error finish_error();
  bool refused(const char* at);
  bool expected_in_brackets(std::string_view what);
  bool suspect_bracket(const char* item_at);
  void warn(const char* at, std::string_view id, std::string message, std::string hint = {});

  // --- Prims (parse_prim.cpp)
  bool prim(Specifier specifier);
  bool prim_type(Token& type_name);
  bool hint_missing_quote(const char* word_at);
  bool prim_body();
  bool prim_contents();  // Optional metadata, then the body, of the open prim.
  bool body_item(bool& needs_line_break);
  bool variant_set();
  bool variant(std::size_t set_index);
  bool child_order(std::vector<Token>& order);
  void keep_error_path();
  bool take_specifier(Specifier& specifier);
  Path current_path() const;
  Path spec_path() const;

  // --- Prim metadata (parse_metadata.cpp)
  bool prim_item();
  bool prim_special_item(std::string_view key, Edit edit, bool& handled);
  bool variant_selections();
  bool substitutions(std::string_view key);
  bool metadata_item(SpecKind kind);
  bool generic_item(SpecKind kind, std::string_view key, Edit edit, const char* at);
  bool registered_value(const FieldType& type, std::string_view key, Edit edit,
                        const Value* existing, Value& out, bool& drop);
  void report_unknown_field(SpecKind kind, std::string_view key, const char* at);
  void report_unknown_kind(Token kind, const char* at);
  bool unknown_value(Edit edit, const Value* existing, Value& out, bool& drop);
  bool permission_item();
  bool symmetry_function_item();
  bool set_field(std::string_view key, Value value, const char* at);
  Edit take_edit();

  // --- Lists (parse_lists.cpp)
  bool reference_list(ListOp<Reference>& op, Edit edit, bool payloads);
  bool reference_item(std::vector<Reference>& items, bool payload);
  bool path_list(ListOp<Path>& op, Edit edit, PathUse use);
  bool arc_path_item(std::vector<Path>& items);
  bool name_list(std::vector<Token>& names);
  bool list_op_value(const FieldType& type, std::string_view key, Edit edit, const Value* existing,
                     Value& out, bool& drop);
  bool list_op_items(const FieldType& type, std::string_view key, Edit edit, const Value* existing,
                     Value& out, bool& drop);

  // --- Properties (parse_property.cpp)
  bool property();
  bool property_statement();
  bool hint_metadata_in_body(const char* at);
  bool attribute(bool custom, Edit edit, const char* at);
  bool relationship(bool custom, bool varying, Edit edit, const char* at);
  bool relationship_statement(PropertySpec& spec, Edit edit);
  bool attribute_type(std::string_view& text);
  const KnownType& known_type(std::string_view text);
  bool starts_edit(const ValueType& type);
  bool attribute_statement(PropertySpec& spec, const ValueType& type, Edit edit);
  bool property_metadata(PropertySpec& spec, SpecKind kind);
  bool time_samples(PropertySpec& spec, const ValueType& type);
  LayerAssembly::Declared declare(Token name, PropertySpec::Kind kind, const char* at);
  PropertyExtra& extra(PropertySpec& spec);
  bool target_list(PropertySpec& spec, Edit edit, PathUse use);
  bool target_path_item(std::vector<Path>& items, bool connection);
  bool make_absolute(const char* at, const Path& path, Result<Path>& absolute);
  bool spline(Spline& spline, ElementType type);  // parse_spline.cpp
  bool spline_item(Spline& spline, ElementType type);
  bool spline_knot(Spline& spline, ElementType type);
  bool knot_parameter(Spline::Knot& knot, ElementType type);
  bool tangent_algorithm(Spline::Tangent& tangent);
  bool tangent(Spline::Tangent& tangent, ElementType type);
  bool extrapolation(Spline::Extrapolate& extrapolate);
  bool loop_number(double& value);
  bool loop_count(double& count);
  bool plain_number(double& value);
  bool spline_number(ElementType type, double& value);

  // --- Values (parse_value.cpp)
  bool typed_value(const ValueType& type, Value& out);
  bool default_value(const PropertySpec& spec, const ValueType& type, Value& out);
  bool scalar_value(ElementType type, Value& out);
  bool array_edit(ElementType type, Value& out);
  bool edit_instruction(ArrayEdit& edit);
  bool edit_literal(ArrayEdit& edit, ArrayEdit::Instruction& instruction);
  bool integer_literal(std::int64_t& value);
  bool element(ElementType type, std::byte* out);
  void check_integer_size(const char* at);
  bool number_element(ElementType component, std::byte* out);
  bool tuple_elements(ElementType component, std::size_t count, std::byte* out);
  bool bool_element(std::byte* out);
  bool text_element(ElementType type, std::byte* out);
  bool skip_value(int depth);  // Syntax only, for values of unknown type.
  bool dictionary(Value& out, int depth);
  bool dictionary_item(DictionaryBuilder& entries, int depth);
  bool path_expression(std::string_view text, const char* at, Token& out);

  // --- Arrays (parse_array.cpp)
  bool array_value(ElementType type, Value& out);
  bool list_level(ElementType type, Buffer& buffer, const char* open, std::size_t depth,
                  std::vector<std::uint64_t>& lengths, std::uint64_t count);
  std::size_t number_run(ElementType type, Buffer& buffer);
  std::size_t numbers_in_parallel(ElementType type, Buffer& buffer, const char* close);
  bool reserve_element(Buffer& buffer, std::size_t size);

  // Items between brackets, separated by ';' or line breaks. The opening bracket has been taken.
  template <typename Item>
  bool statements(char close, std::string_view what, Item item) {
    if (!scan_.multi_pad()) return false;
    while (!scan_.take(close)) {
      const char* const at = scan_.position();
      if (!item()) return suspect_bracket(at);
      if (!scan_.line_pad()) return false;
      const bool separated = scan_.take_separator();
      if (separated && !scan_.multi_pad()) return false;
      if (!separated && scan_.peek() != close) return expected_in_brackets(what);
    }
    return true;
  }
  // One or more items between brackets, separated by commas. The opening bracket and the padding
  // after it have been taken.
  template <typename Item>
  bool comma_list(char close, std::string_view what, Item item) {
    for (;;) {
      const char* const at = scan_.position();
      if (!item()) return suspect_bracket(at);
      if (!scan_.pad()) return false;
      if (scan_.take(',')) {
        if (!scan_.multi_pad()) return false;
        if (scan_.take(close)) return true;
        continue;
      }
      if (!scan_.multi_pad()) return false;
      return scan_.take(close) || expected_in_brackets(what);
    }
  }

  // What an edit lists: None, items in brackets, or a single item.
  template <typename Item>
  bool edited_list(Edit edit, Item item) {
    const char* const at = scan_.position();
    if (scan_.take_word("None")) {
      return edit == Edit::explicit_ ||
             scan_.fail(at, "usda-bad-list", "None cannot follow add, delete, append or prepend.");
    }
    if (!scan_.take('[')) return item();
    if (!scan_.multi_pad()) return false;
    if (scan_.take(']')) {
      return edit == Edit::explicit_ || scan_.fail(at, "usda-bad-list", "This edit lists nothing.");
    }
    return comma_list(']', "',' or ']'", item);
  }

  Token intern(std::string_view text) { return assembly_.intern(text); }
  std::string_view rest() const noexcept {
    return {scan_.position(), static_cast<std::size_t>(scan_.text_end() - scan_.position())};
  }
  std::string_view text_since(const char* at) const noexcept {
    return {at, static_cast<std::size_t>(scan_.position() - at)};
  }
  // Takes the value if the same text was read before under the same name, type and kind; otherwise
  // has `read` read it into `out`, and remembers it unless something was reported.
  template <typename Read>
  bool read_once(RepeatedText<Value>& known, Token name, Token type, std::uint8_t kind, Value& out,
                 Read read) {
    std::size_t size = 0;
    if (const Value* value = known.find(name, type, kind, rest(), size)) {
      out = *value;
      scan_.set_position(scan_.position() + size);
      return true;
    }
    const char* const at = scan_.position();
    const std::size_t diagnostics_before = diagnostics_.size();
    if (!read()) return false;
    if (diagnostics_.size() == diagnostics_before) {
      known.keep(name, type, kind, text_since(at), out);
    }
    return true;
  }
  bool string_token(Token& token);
  bool equals_sign();

  Scanner scan_;
  Diagnostics& diagnostics_;
  const ParseOptions& options_;
  std::uint64_t filled_bytes_ = 0;  // By sizes of array edits, so far.
  bool has_fill_too_large_ = false;
  SimdLevel level_;
  LayerAssembly assembly_;
  std::string scratch_;
  Token current_property_;
  Path error_path_;
  const char* bracket_suspected_at_ = nullptr;  // What is there may follow a missing bracket.
  std::array<std::unordered_set<Token>, 4> unknown_fields_;  // Reported or not, by spec kind.
  std::unordered_set<Token> unknown_kinds_;
  std::size_t large_integers_ = 0;  // Beyond 64 bits.

  // Values that were stated before, by their text.
  RepeatedText<Value> repeated_values_;
  RepeatedText<Value> repeated_list_ops_;
  RepeatedText<const PropertyExtra*> repeated_targets_;

  // Found by length and two characters, because a file repeats a few types.
  std::array<KnownType, 32> known_types_;
};

}  // namespace sinew::usda
