// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "sinew/usdc/version.hpp"
#include "usdc/format.hpp"
#include "usdc/output.hpp"
#include "usdc/write_tables.hpp"

namespace sinew::usdc {

/// The bytes of one value under construction.
class Stream {
 public:
  template <typename T>
  void put(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  /// A nested value: what it needs was written before, so the jump word leads to the rep at once.
  void put_nested(std::uint64_t rep) {
    put(std::int64_t{8});
    put(rep);
  }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// Goes back to the first `size` bytes.
  void cut(std::size_t size) { bytes_.resize(size); }

 private:
  std::vector<std::byte> bytes_;
};

/// Turns values into reps, writing what does not fit into one, each distinct value once.
///
/// Everything a value refers to is written before it. So the bytes of a value depend on nothing but
/// its contents, and equal ones are found by their bytes.
class ValueWriter {
 public:
  explicit ValueWriter(Output& output);

  std::uint64_t value(const layer::Value& value);
  std::uint64_t unregistered(const layer::Value& value);
  std::uint64_t token(std::string_view text);
  std::uint64_t string_list_op(const layer::ListOp<Token>& op);
  std::uint64_t path_list_op(const layer::ListOp<layer::Path>& op);
  std::uint64_t references(const layer::ListOp<layer::Reference>& op);
  std::uint64_t payloads(const layer::ListOp<layer::Reference>& op);
  std::uint64_t relocates(std::span<const layer::Relocate> relocates);
  std::uint64_t variant_selections(std::span<const std::pair<Token, Token>> selections);
  std::uint64_t token_vector(std::span<const Token> tokens);
  std::uint64_t string_vector(std::span<const Token> texts);
  std::uint64_t layer_offsets(std::span<const layer::LayerOffset> offsets);
  std::uint64_t time_samples(std::span<const double> times, std::span<const std::uint64_t> reps);
  std::uint64_t spline(const layer::Spline& spline, layer::ElementType type);
  /// A list of integers under a registered key, which says their type even if it is empty.
  std::uint64_t int64_list_op(const layer::Value& value);

  static constexpr std::uint64_t inlined(Type type, std::uint32_t payload) noexcept {
    return kInlineBit | (static_cast<std::uint64_t>(type) << kTypeShift) | payload;
  }

  /// What of the values since the last call the format has no place for; empty if nothing.
  std::string_view take_problem() noexcept { return std::exchange(problem_, {}); }

  /// A part of a value that was left out, without which the rest was written.
  struct Omission {
    std::string name;  ///< Behind that of the field, e.g. ":customData:key".
    std::string_view what;
  };
  /// The parts of the values since the last call.
  std::vector<Omission> take_omissions() noexcept { return std::exchange(omissions_, {}); }

  TextTable& tokens() noexcept { return tokens_; }
  PathTable& paths() noexcept { return paths_; }
  std::span<const std::uint32_t> strings() const noexcept { return strings_; }
  /// The lowest version that has all that was written.
  Version version_needed() const noexcept { return version_; }
  void need(Version version) noexcept { version_ = std::max(version_, version); }

 private:
  std::uint32_t token_index(std::string_view text);
  std::uint32_t string_index(std::string_view text);
  std::uint32_t path_index(const layer::Path& path);
  std::uint32_t path_or_none(const layer::Path& path);
  std::uint64_t unrepresentable(std::string_view what) noexcept;
  /// Turns the problem of a part into an omission.
  void omit(std::string_view name = {});

  /// Writes the bytes of a value unless the same ones were written before.
  std::uint64_t place(Type type, std::span<const std::byte> bytes, std::uint64_t flags = 0,
                      bool aligned = false);
  std::uint64_t scalar(layer::ElementType type, std::span<const std::byte> bytes);
  std::uint64_t text_scalar(layer::ElementType type, std::string_view text);
  std::uint64_t array(const layer::Value& value);
  std::uint64_t text_array(const layer::Value& value);
  std::uint64_t new_array(const layer::Value& value);
  std::uint64_t dictionary(const layer::Dictionary& dictionary);
  void dictionary_entries(const layer::Dictionary& dictionary, Stream& stream);
  void custom_data(const layer::Value& data, Stream& stream);
  void put_offset(const layer::LayerOffset& offset, std::string_view name, Stream& stream);
  template <typename T, typename PutItem>
  void put_lists(const layer::ListOp<T>& op, Stream& stream, PutItem put_item);
  std::uint64_t token_list_op(const layer::ListOp<Token>& op, Type type);
  std::uint64_t value_list_op(const layer::Value& value);
  template <typename T>
  std::uint64_t number_list_op(const layer::ListOp<layer::Value>& op, Type type);
  std::uint64_t unregistered_content(const layer::Value& value);
  std::uint64_t unregistered_list_op(const layer::ListOp<layer::Value>& op);
  std::uint64_t array_edit(const layer::ArrayEdit& edit);

  Output& output_;
  TextTable tokens_;
  PathTable paths_;
  ValueTable values_;
  std::vector<std::uint32_t> strings_;          // Tokens.
  std::vector<std::uint32_t> string_of_token_;  // kNoIndex where there is none.
  Version version_ = {0, 8, 0};
  std::string_view problem_;
  std::vector<Omission> omissions_;
  std::string key_;  // Of what is written, below the field.
};

/// The type number of values of that element type; invalid for those that have none.
Type type_of(layer::ElementType type) noexcept;

}  // namespace sinew::usdc
