// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/usdc/reader.hpp"
#include "usdc/crate_file.hpp"
#include "usdc/path_tree.hpp"
#include "usdc/tables.hpp"
#include "usdc/value_types.hpp"

namespace sinew::usdc {

/// The file while it is being read.
struct ReadContext {
  const ReadOptions& options;
  CrateFile file;
  Tables tables;
  PathTree paths;
  Report report;
  std::shared_ptr<Budget> budget;
  std::shared_ptr<TokenTable> names;
  std::shared_ptr<std::atomic<std::size_t>> damaged = std::make_shared<std::atomic<std::size_t>>();

  ReadContext(const ReadOptions& read_options, std::string identifier, Diagnostics& diagnostics)
      : options(read_options), report(std::move(identifier), diagnostics) {}
  /// Reads everything but the specs.
  bool open(const Bytes& bytes);
  /// Reads the specs of an open file.
  bool read_specs(const TakeSpecs& take) {
    return usdc::read_specs(file, tables, paths.path_count(), *budget, report, take);
  }
};

/// Reads what value representations stand for. Functions that can fail return false; what is wrong
/// has been reported then. Anything that may be shared is read once.
///
/// The bodies are spread over value_reader.cpp (scalars), read_array.cpp, read_composite.cpp,
/// read_list_op.cpp, read_samples.cpp, read_spline.cpp and read_array_edit.cpp.
class ValueReader {
 public:
  /// In place of an offset: what is wrong has none of its own, the entry of FIELDS tells.
  static constexpr std::uint64_t kInlined = ~std::uint64_t{0};

  explicit ValueReader(ReadContext& context) : c_(context) {}

  /// Which spec and entry of FIELDS the next values belong to, for diagnostics.
  void set_place(std::uint32_t item, std::uint32_t field) noexcept {
    item_ = item;
    field_ = field;
  }
  /// The present place, in words that a message ends with: the field, its entry, and the byte where
  /// its value is, or `at`.
  std::string place(std::uint64_t at = kInlined) const;
  /// Reports something about the present place.
  void warn(std::string_view code, std::string_view message, Severity = Severity::warning);
  /// Reports a field that does not belong where it is. Always false.
  bool misplaced();
  /// Whether a value was damaged.
  bool has_failed() const noexcept { return has_failed_; }
  const Error& error() const noexcept { return error_; }
  /// What was wrong with the last value that was damaged.
  ErrorCode last_failure() const noexcept { return last_failure_; }

  /// Anything that a field or a dictionary may hold.
  bool read(std::uint64_t bits, layer::Value& out);

  /// A token, by itself.
  bool name(std::uint64_t bits, Token& name);
  /// Whether it is a token as nearly all are written, and its index.
  bool is_plain_token(std::uint64_t bits, std::uint32_t& index) const noexcept {
    constexpr std::uint64_t kInlinedToken =
        kInlineBit | (static_cast<std::uint64_t>(Type::token) << kTypeShift);
    index = static_cast<std::uint32_t>(bits);
    return bits - index == kInlinedToken && index < c_.tables.tokens.size();
  }
  /// One of `count` words of a type that has no others, by its number.
  std::optional<std::uint32_t> word(std::uint64_t bits, Type type, std::size_t count);
  bool token_vector(std::uint64_t bits, std::vector<std::uint32_t>& indices);
  bool string_vector(std::uint64_t bits, std::vector<Token>& texts);
  bool offsets(std::uint64_t bits, std::vector<layer::LayerOffset>& offsets);
  bool variant_selections(std::uint64_t bits, std::vector<std::pair<Token, Token>>& selections);
  bool relocates(std::uint64_t bits, std::vector<layer::Relocate>& relocates);
  bool path_list(std::uint64_t bits, bool is_arc, layer::ListOp<layer::Path>& op);
  bool references(std::uint64_t bits, layer::ListOp<layer::Reference>& op);
  bool payloads(std::uint64_t bits, layer::ListOp<layer::Reference>& op);
  bool token_list(std::uint64_t bits, layer::ListOp<Token>& op);
  bool samples(std::uint64_t bits, layer::TimeSamples& samples);
  bool spline(std::uint64_t bits, layer::Spline& spline);

  Token token(std::uint32_t index) { return c_.tables.tokens.token(index, *c_.names); }
  /// See TokenList::make_tokens().
  void make_tokens(std::span<const std::uint32_t> indices) {
    c_.tables.tokens.make_tokens(indices, *c_.names);
  }

 private:
  enum class Item : std::uint8_t { read, dropped, damaged };

  bool fail(std::uint64_t at, std::string_view message, std::string_view code = "usdc-value",
            ErrorCode error = ErrorCode::syntax);
  bool wrong_type(Representation rep);
  std::string_view field_name() const noexcept {
    const auto& names = c_.tables.field_names;
    return field_ < names.size() ? c_.tables.tokens.text(names[field_]) : std::string_view();
  }
  bool charge_bytes(std::uint64_t at, std::uint64_t bytes);
  /// For each use of an edit: what it fills is made for each.
  bool charge_edit(std::uint64_t at, layer::Value& out);
  bool charge_items(std::uint64_t at, std::uint64_t items, std::uint64_t item_bytes);

  /// The stream of an out-of-line value of `type`.
  bool open(std::uint64_t bits, Type type, ByteReader& reader);
  bool string_token(ByteReader& reader, Token& token);
  bool path(ByteReader& reader, layer::Path& path);
  const layer::Path* path_at(std::uint32_t index, std::uint64_t at);
  void repair(layer::LayerOffset& offset);

  bool scalar(Representation rep, const TypeInfo& info, layer::Value& out);
  bool inlined(Representation rep, const TypeInfo& info, layer::Value& out);
  bool array(Representation rep, layer::Value& out);
  bool plain_array(ByteReader reader, std::uint64_t count, const TypeInfo& info, layer::Value& out);
  bool text_array(ByteReader reader, std::uint64_t count, Type type, const TypeInfo& info,
                  layer::Value& out);
  bool packed_array(ByteReader reader, std::uint64_t count, Type type, const TypeInfo& info,
                    layer::Value& out);
  bool array_edit(Representation rep, layer::Value& out);
  bool edit_program(std::span<const std::int64_t> program, const layer::Value& literals,
                    std::uint64_t at, layer::ArrayEdit& edit);

  bool read_new(Representation rep, layer::Value& out);
  bool composite(Representation rep, layer::Value& out);
  bool nested(ByteReader& reader, std::uint64_t& bits);
  bool dictionary(ByteReader& reader, layer::Value& out);
  bool unregistered(std::uint64_t bits, layer::Value& out);
  Token type_name(const layer::Value& value);
  bool value_list(Representation rep, layer::Value& out);
  bool reference_list(ByteReader& reader, std::uint64_t item_bytes, bool is_payload,
                      layer::ListOp<layer::Reference>& op);

  template <typename T, typename ReadItem>
  bool list_op(ByteReader& reader, std::uint64_t item_bytes, layer::ListOp<T>& op,
               ReadItem read_item);
  Item reference(ByteReader& reader, bool is_payload, layer::Reference& reference);
  const std::vector<double>* times(std::uint64_t bits, std::uint64_t at);
  template <typename T>
  bool knots(ByteReader& reader, unsigned version, layer::Spline& spline);
  bool spline_blob(ByteReader reader, layer::Spline& spline);
  bool knot_data(ByteReader& reader, layer::Spline& spline);

  struct Known {
    layer::Value value;
    bool is_damaged = false;
  };

  ReadContext& c_;
  std::uint32_t item_ = 0;
  std::uint32_t field_ = 0;
  bool has_failed_ = false;
  bool has_fill_too_large_ = false;
  Error error_;
  ErrorCode last_failure_ = ErrorCode::ok;
  std::unordered_map<std::uint64_t, Known> known_;  // By representation; arrays and composites.
  std::vector<std::uint64_t> open_;                 // Type and payload of what is being read.
  std::unordered_map<std::uint32_t, layer::Path> known_paths_;
  std::unordered_map<std::uint64_t, std::vector<double>> known_times_;
  std::unordered_map<std::string_view, Token> type_names_;
};

}  // namespace sinew::usdc
