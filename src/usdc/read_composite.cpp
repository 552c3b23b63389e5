// SPDX-License-Identifier: Apache-2.0
// Values that are streams of others: dictionaries, vectors, unregistered values.

#include <array>
#include <cmath>

#include "core/format_text.hpp"
#include "layer/shared/dictionary_builder.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::DictionaryBuilder;
using layer::DictionaryEntry;
using layer::ElementType;
using layer::Value;

namespace {

constexpr std::uint64_t kEntryBytes = 20;  // The least: key, jump, representation.

// The spelling of the type of values in dictionaries.
std::string_view name_of(ElementType element) noexcept {
  for (std::size_t number = 1; number <= static_cast<std::size_t>(Type::animation_block);
       ++number) {
    const TypeInfo& info = info_of(static_cast<Type>(number));
    if (info.element == element && info.may_be_array()) return info.name;
  }
  switch (element) {
    case ElementType::dictionary:
      return "dictionary";
    case ElementType::unregistered:
      return "string";
    default:
      return {};
  }
}

}  // namespace

Token ValueReader::type_name(const Value& value) {
  const std::string_view element = name_of(value.type());
  if (element.empty()) return {};
  if (!value.is_array()) return c_.names->intern(element);
  Token& name = type_names_[element];
  if (name.empty()) name = c_.names->intern(std::string(element) + "[]");
  return name;
}

// A representation inside a stream, after the bytes that it needs itself.
bool ValueReader::nested(ByteReader& reader, std::uint64_t& bits) {
  const std::uint64_t at = reader.position();
  std::int64_t jump = 0;
  if (!reader.read(jump) || jump < static_cast<std::int64_t>(sizeof jump) ||
      !reader.skip(static_cast<std::uint64_t>(jump) - sizeof jump) || !reader.read(bits)) {
    return fail(at, "a value inside of a value does not lie in the file");
  }
  return true;
}

bool ValueReader::dictionary(ByteReader& reader, Value& out) {
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(kEntryBytes, count)) {
    return fail(at, format_text("{} entries do not lie in the file", count));
  }
  if (!charge_items(at, count, sizeof(DictionaryEntry))) return false;
  DictionaryBuilder entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    DictionaryEntry entry;
    std::uint64_t bits = 0;
    if (!string_token(reader, entry.key) || !nested(reader, bits)) return false;
    // The rest of the dictionary is sound.
    if (!read(bits, entry.value)) continue;
    if (!may_be_entry(entry.value)) {
      wrong_type({bits});
      continue;
    }
    entry.type_name = type_name(entry.value);
    entries.put(std::move(entry));
  }
  out = Value::dictionary(entries.take());
  return true;
}

bool ValueReader::unregistered(std::uint64_t bits, Value& out) {
  const Representation rep{bits};
  const bool fits = rep.type() == Type::string || rep.type() == Type::dictionary ||
                    rep.type() == Type::unregistered_value_list_op;
  if (!fits || rep.is_array()) return wrong_type(rep);
  if (!read(bits, out)) return false;
  if (out.type() == ElementType::string) {
    out = Value::scalar(ElementType::unregistered, *out.get<Token>());
  }
  return true;
}

bool ValueReader::composite(Representation rep, Value& out) {
  if (rep.type() == Type::dictionary && rep.is_inlined()) {
    out = Value::dictionary({});
    return true;
  }
  ByteReader reader;
  std::uint64_t bits = 0;
  switch (rep.type()) {
    case Type::dictionary:
      return open(rep.bits, rep.type(), reader) && dictionary(reader, out);
    case Type::value:
      return open(rep.bits, rep.type(), reader) && nested(reader, bits) && read(bits, out);
    case Type::unregistered_value:
      return open(rep.bits, rep.type(), reader) && nested(reader, bits) && unregistered(bits, out);
    case Type::token_list_op:
    case Type::string_list_op: {
      layer::ListOp<Token> op;
      if (!token_list(rep.bits, op)) return false;
      out = Value::token_list_op(std::move(op));
      return true;
    }
    case Type::int_list_op:
    case Type::int64_list_op:
    case Type::uint_list_op:
    case Type::uint64_list_op:
    case Type::unregistered_value_list_op:
      return value_list(rep, out);
    case Type::token_vector: {
      std::vector<std::uint32_t> indices;
      if (!token_vector(rep.bits, indices)) return false;
      std::vector<Token> tokens;
      tokens.reserve(indices.size());
      for (const std::uint32_t index : indices) tokens.push_back(token(index));
      out = Value::array(ElementType::token, std::span<const Token>(tokens));
      return true;
    }
    case Type::string_vector: {
      std::vector<Token> texts;
      if (!string_vector(rep.bits, texts)) return false;
      out = Value::array(ElementType::string, std::span<const Token>(texts));
      return true;
    }
    case Type::double_vector: {
      std::uint64_t count = 0;
      std::span<const std::byte> bytes;
      if (!open(rep.bits, rep.type(), reader)) return false;
      if (!reader.count(sizeof(double), count) || !reader.take(count * sizeof(double), bytes)) {
        return fail(rep.payload(), format_text("{} numbers do not lie in the file", count));
      }
      if (!charge_bytes(rep.payload(), bytes.size())) return false;
      out = Value::array_from_buffer(ElementType::double_, Buffer::copy_of(bytes));
      return true;
    }
    default:
      return wrong_type(rep);
  }
}

bool ValueReader::token_vector(std::uint64_t bits, std::vector<std::uint32_t>& indices) {
  ByteReader reader;
  if (!open(bits, Type::token_vector, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(sizeof(std::uint32_t), count)) {
    return fail(at, format_text("{} names do not lie in the file", count));
  }
  if (!charge_items(at, count, sizeof(std::uint32_t))) return false;
  indices.resize(static_cast<std::size_t>(count));
  for (std::uint32_t& index : indices) {
    if (!reader.read(index) || index >= c_.tables.tokens.size()) {
      return fail(reader.position(), format_text("token {} does not exist", index));
    }
  }
  return true;
}

bool ValueReader::string_vector(std::uint64_t bits, std::vector<Token>& texts) {
  ByteReader reader;
  if (!open(bits, Type::string_vector, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(sizeof(std::uint32_t), count)) {
    return fail(at, format_text("{} texts do not lie in the file", count));
  }
  if (!charge_items(at, count, sizeof(Token))) return false;
  texts.resize(static_cast<std::size_t>(count));
  for (Token& text : texts) {
    if (!string_token(reader, text)) return false;
  }
  return true;
}

bool ValueReader::offsets(std::uint64_t bits, std::vector<layer::LayerOffset>& offsets) {
  ByteReader reader;
  if (!open(bits, Type::layer_offset_vector, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(sizeof(layer::LayerOffset), count)) {
    return fail(at, format_text("{} layer offsets do not lie in the file", count));
  }
  if (!charge_items(at, count, sizeof(layer::LayerOffset))) return false;
  offsets.resize(static_cast<std::size_t>(count));
  for (layer::LayerOffset& offset : offsets) {
    reader.read(offset.offset);
    reader.read(offset.scale);
    repair(offset);
  }
  return true;
}

bool ValueReader::variant_selections(std::uint64_t bits,
                                     std::vector<std::pair<Token, Token>>& selections) {
  ByteReader reader;
  if (!open(bits, Type::variant_selection_map, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(2 * sizeof(std::uint32_t), count) || count > c_.options.limits.names_per_spec) {
    return fail(at, format_text("there cannot be {} variant selections", count));
  }
  if (!charge_items(at, count, 2 * sizeof(Token))) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::pair<Token, Token> selection;
    if (!string_token(reader, selection.first) || !string_token(reader, selection.second)) {
      return false;
    }
    bool is_new = true;
    for (auto& known : selections) {
      if (known.first != selection.first) continue;
      known.second = selection.second;
      is_new = false;
    }
    if (is_new) selections.push_back(selection);
  }
  return true;
}

bool ValueReader::relocates(std::uint64_t bits, std::vector<layer::Relocate>& relocates) {
  ByteReader reader;
  if (!open(bits, Type::relocates, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.count(2 * sizeof(std::uint32_t), count)) {
    return fail(at, format_text("{} relocates do not lie in the file", count));
  }
  if (!charge_items(at, count, sizeof(layer::Relocate))) return false;
  const auto is_good = [](const layer::Path& path) {
    return path.is_absolute() && path.is_prim() && !path.has_variant_selection();
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    layer::Relocate relocate;
    if (!path(reader, relocate.source) || !path(reader, relocate.target)) return false;
    if (!is_good(relocate.source) || !(relocate.target.empty() || is_good(relocate.target))) {
      warn("usdc-value", "a relocate that is not of prims is left out");
      continue;
    }
    relocates.push_back(std::move(relocate));
  }
  return true;
}

}  // namespace sinew::usdc
