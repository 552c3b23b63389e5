// SPDX-License-Identifier: Apache-2.0
#include "usdc/value_writer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "core/unicode.hpp"
#include "sinew/core/assert.hpp"
#include "usdc/inline_value.hpp"
#include "usdc/value_types.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::ListOp;
using layer::Value;

namespace {

constexpr Type kTypes[] = {
    Type::invalid,  Type::bool_,    Type::uchar,    Type::int_,   Type::uint,
    Type::int64,    Type::uint64,   Type::half,     Type::float_, Type::double_,
    Type::timecode, Type::string,   Type::token,    Type::asset,  Type::path_expression,
    Type::int2,     Type::int3,     Type::int4,     Type::half2,  Type::half3,
    Type::half4,    Type::float2,   Type::float3,   Type::float4, Type::double2,
    Type::double3,  Type::double4,  Type::quath,    Type::quatf,  Type::quatd,
    Type::matrix2d, Type::matrix3d, Type::matrix4d,
};
static_assert(std::size(kTypes) == static_cast<std::size_t>(ElementType::matrix4d) + 1);
static_assert(kTypes[static_cast<std::size_t>(ElementType::path_expression)] ==
              Type::path_expression);
static_assert(kTypes[static_cast<std::size_t>(ElementType::quatd)] == Type::quatd);

}  // namespace

Type type_of(ElementType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kTypes) ? kTypes[index] : Type::invalid;
}

// The first token keeps index 0 away from names: the sign of an element's token marks properties.
ValueWriter::ValueWriter(Output& output) : output_(output), paths_((tokens_.add(";-)"), tokens_)) {}

std::uint64_t ValueWriter::unrepresentable(std::string_view what) noexcept {
  problem_ = what;
  return 0;
}

std::uint32_t ValueWriter::token_index(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    problem_ = "text with a NUL byte";
    return 0;
  }
  return tokens_.add(text);
}

std::uint32_t ValueWriter::string_index(std::string_view text) {
  const std::uint32_t token = token_index(text);
  if (string_of_token_.size() <= token) string_of_token_.resize(token + 1, kNoIndex);
  std::uint32_t& index = string_of_token_[token];
  if (index == kNoIndex) {
    index = static_cast<std::uint32_t>(strings_.size());
    strings_.push_back(token);
  }
  return index;
}

std::uint32_t ValueWriter::path_index(const layer::Path& path) {
  const std::optional<std::uint32_t> index = paths_.add_path(path.view());
  if (!index) problem_ = "a path that is not absolute";
  return index.value_or(0);
}

std::uint32_t ValueWriter::path_or_none(const layer::Path& path) {
  return path.empty() ? paths_.empty_path() : path_index(path);
}

void ValueWriter::omit(std::string_view name) {
  omissions_.push_back({key_ + std::string(name), take_problem()});
}

// Writes the lists of an operation in the order of the format. `put_item` puts an item into a
// stream; one that has no place is left out.
template <typename T, typename PutItem>
void ValueWriter::put_lists(const ListOp<T>& op, Stream& stream, PutItem put_item) {
  std::uint8_t bits = op.is_explicit ? kListIsExplicit : std::uint8_t{0};
  struct List {
    std::uint8_t bit;
    const std::vector<T>* items;
  };
  const List lists[] = {
      {kListExplicit, &op.explicit_items}, {kListAdded, &op.added},
      {kListPrepended, &op.prepended},     {kListAppended, &op.appended},
      {kListDeleted, &op.deleted},         {kListOrdered, &op.ordered},
  };
  const std::string_view problem_before = take_problem();
  Stream all;
  for (const List& list : lists) {
    if (op.is_explicit != (list.bit == kListExplicit)) continue;
    Stream items;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < list.items->size(); ++i) {
      const std::size_t size = items.bytes().size();
      put_item((*list.items)[i], items);
      if (problem_.empty()) {
        ++count;
      } else {
        omit(format_text("[{}]", i));
        items.cut(size);
      }
    }
    if (count == 0) continue;
    bits = static_cast<std::uint8_t>(bits | list.bit);
    all.put(count);
    all.put_bytes(items.bytes());
  }
  problem_ = problem_before;
  stream.put(bits);
  stream.put_bytes(all.bytes());
}

std::uint64_t ValueWriter::place(Type type, std::span<const std::byte> bytes, std::uint64_t flags,
                                 bool aligned) {
  std::uint64_t hash = 0;
  if (const auto known = values_.find(type, bytes, hash)) return *known;
  if (aligned) output_.align();
  const std::uint64_t rep =
      flags | (static_cast<std::uint64_t>(type) << kTypeShift) | output_.size();
  output_.append(bytes);
  values_.add(bytes, hash, rep);
  return rep;
}

std::uint64_t ValueWriter::value(const Value& value) {
  switch (value.type()) {
    case ElementType::none:
      return unrepresentable("a missing value");
    case ElementType::block:
      return inlined(Type::value_block, 0);
    case ElementType::animation_block:
      return inlined(Type::animation_block, 0);
    case ElementType::dictionary:
      return dictionary(*value.as_dictionary());
    case ElementType::list_op:
      return value_list_op(value);
    case ElementType::token_list_op:
      return token_list_op(*value.as_token_list_op(), Type::token_list_op);
    case ElementType::array_edit:
      return array_edit(*value.as_array_edit());
    case ElementType::path:
      return unrepresentable("a path as a value");
    case ElementType::unregistered:
      return unregistered(value);
    default:
      return value.is_array() ? array(value) : scalar(value.type(), value.bytes());
  }
}

std::uint64_t ValueWriter::scalar(ElementType type, std::span<const std::byte> bytes) {
  if (layer::stores_as<Token>(type)) {
    Token token;
    std::memcpy(static_cast<void*>(&token), bytes.data(), sizeof token);
    return text_scalar(type, token.view());
  }
  if (type == ElementType::timecode) need({0, 9, 0});
  if (const auto payload = inline_value(type, bytes)) return inlined(type_of(type), *payload);
  return place(type_of(type), bytes);
}

std::uint64_t ValueWriter::text_scalar(ElementType type, std::string_view text) {
  switch (type) {
    case ElementType::string:
      return inlined(Type::string, string_index(text));
    case ElementType::asset:  // Alone it refers to a token, in arrays to strings.
      return inlined(Type::asset, token_index(text));
    case ElementType::path_expression: {
      need({0, 10, 0});
      const std::uint32_t index = string_index(text);
      return place(Type::path_expression, std::as_bytes(std::span(&index, 1)));
    }
    default:
      return token(text);
  }
}

std::uint64_t ValueWriter::token(std::string_view text) {
  return inlined(Type::token, token_index(text));
}

void ValueWriter::dictionary_entries(const layer::Dictionary& dictionary, Stream& stream) {
  std::vector<const layer::DictionaryEntry*> sorted;
  for (const layer::DictionaryEntry& entry : dictionary) sorted.push_back(&entry);
  sort_range(sorted.begin(), sorted.end(),
             [](const auto* a, const auto* b) { return a->key.view() < b->key.view(); });
  // An entry that has no place is left out alone.
  const std::string_view problem_before = take_problem();
  Stream entries;
  std::uint64_t count = 0;
  for (const layer::DictionaryEntry* entry : sorted) {
    const std::size_t size = key_.size();
    key_ += ':';
    key_ += entry->key.view();
    const std::uint32_t key = string_index(entry->key.view());
    const std::uint64_t rep = may_be_entry(entry->value)
                                  ? value(entry->value)
                                  : unrepresentable("such a value in a dictionary");
    if (problem_.empty()) {
      entries.put(key);
      entries.put_nested(rep);
      ++count;
    } else {
      omit();
    }
    key_.resize(size);
  }
  problem_ = problem_before;
  stream.put(count);
  stream.put_bytes(entries.bytes());
}

void ValueWriter::custom_data(const Value& data, Stream& stream) {
  const layer::Dictionary* const entries = data.as_dictionary();
  const std::size_t size = key_.size();
  key_ += ":customData";
  dictionary_entries(entries != nullptr ? *entries : layer::Dictionary(), stream);
  key_.resize(size);
}

// Readers ignore an offset that is not finite.
void ValueWriter::put_offset(const layer::LayerOffset& offset, std::string_view name,
                             Stream& stream) {
  const bool is_finite = std::isfinite(offset.offset) && std::isfinite(offset.scale);
  if (!is_finite) {
    omissions_.push_back({key_ + std::string(name), "a layer offset that is not finite"});
  }
  const layer::LayerOffset kept = is_finite ? offset : layer::LayerOffset();
  stream.put(kept.offset);
  stream.put(kept.scale);
}

std::uint64_t ValueWriter::dictionary(const layer::Dictionary& dictionary) {
  if (dictionary.empty()) return inlined(Type::dictionary, 0);
  Stream stream;
  dictionary_entries(dictionary, stream);
  return place(Type::dictionary, stream.bytes());
}

std::uint64_t ValueWriter::unregistered(const Value& value) {
  const std::uint64_t content = unregistered_content(value);
  if (!problem_.empty()) return 0;
  Stream stream;
  stream.put_nested(content);
  return place(Type::unregistered_value, stream.bytes());
}

// What readers take for a value that they do not know, by itself or in a list: source text, a
// dictionary, a list.
std::uint64_t ValueWriter::unregistered_content(const Value& value) {
  if (const auto* op = value.as_list_op()) return unregistered_list_op(*op);
  if (const auto* entries = value.as_dictionary()) return dictionary(*entries);
  const bool is_text = !value.is_array() && (value.type() == ElementType::unregistered ||
                                             value.type() == ElementType::string);
  if (!is_text) return unrepresentable("such an item of a list");
  const std::string_view text = value.text().value_or("");
  if (find_invalid_utf8(text) != std::string_view::npos) {
    return unrepresentable("the source of a value that is not valid UTF-8");
  }
  return inlined(Type::string, string_index(text));
}

std::uint64_t ValueWriter::unregistered_list_op(const ListOp<Value>& op) {
  Stream stream;
  put_lists(op, stream,
            [&](const Value& item, Stream& to) { to.put_nested(unregistered_content(item)); });
  return place(Type::unregistered_value_list_op, stream.bytes());
}

template <typename T>
std::uint64_t ValueWriter::number_list_op(const ListOp<Value>& op, Type type) {
  Stream stream;
  put_lists(op, stream, [](const Value& item, Stream& to) { to.put(item.get<T>().value_or(T{})); });
  return place(type, stream.bytes());
}

std::uint64_t ValueWriter::int64_list_op(const Value& value) {
  const ListOp<Value>& op = *value.as_list_op();
  const bool fits =
      all_items(op, [](const Value& item) { return item.get<std::int64_t>().has_value(); });
  return fits ? number_list_op<std::int64_t>(op, Type::int64_list_op) : value_list_op(value);
}

std::uint64_t ValueWriter::value_list_op(const Value& value) {
  const ListOp<Value>& op = *value.as_list_op();
  const auto all = [&](ElementType type) {
    return all_items(op, [&](const Value& v) { return v.type() == type && !v.is_array(); });
  };
  const bool any = !all_items(op, [](const Value&) { return false; });
  if (any && all(ElementType::int_)) return number_list_op<std::int32_t>(op, Type::int_list_op);
  if (any && all(ElementType::uint)) return number_list_op<std::uint32_t>(op, Type::uint_list_op);
  if (any && all(ElementType::int64)) {
    return number_list_op<std::int64_t>(op, Type::int64_list_op);
  }
  if (any && all(ElementType::uint64)) {
    return number_list_op<std::uint64_t>(op, Type::uint64_list_op);
  }
  return unregistered(value);
}

std::uint64_t ValueWriter::token_list_op(const ListOp<Token>& op, Type type) {
  Stream stream;
  put_lists(op, stream, [&](Token item, Stream& to) { to.put(token_index(item.view())); });
  return place(type, stream.bytes());
}

std::uint64_t ValueWriter::string_list_op(const ListOp<Token>& op) {
  Stream stream;
  put_lists(op, stream, [&](Token item, Stream& to) { to.put(string_index(item.view())); });
  return place(Type::string_list_op, stream.bytes());
}

std::uint64_t ValueWriter::path_list_op(const ListOp<layer::Path>& op) {
  Stream stream;
  put_lists(op, stream, [&](const layer::Path& item, Stream& to) { to.put(path_index(item)); });
  return place(Type::path_list_op, stream.bytes());
}

std::uint64_t ValueWriter::references(const ListOp<layer::Reference>& op) {
  Stream stream;
  put_lists(op, stream, [&](const layer::Reference& item, Stream& to) {
    to.put(string_index(item.asset.view()));
    to.put(path_or_none(item.prim_path));
    put_offset(item.offset, ":offset", to);
    custom_data(item.custom_data, to);
  });
  return place(Type::reference_list_op, stream.bytes());
}

// A list that is explicit with nothing or one file in it has an older form of its own, which every
// reader knows.
std::uint64_t ValueWriter::payloads(const ListOp<layer::Reference>& op) {
  Stream stream;
  const auto put = [&](const layer::Reference& item, Stream& to) {
    to.put(string_index(item.asset.view()));
    to.put(path_or_none(item.prim_path));
    put_offset(item.offset, ":offset", to);
  };
  const std::vector<layer::Reference>& items = op.explicit_items;
  if (op.is_explicit && (items.empty() || (items.size() == 1 && !items[0].asset.empty()))) {
    put(items.empty() ? layer::Reference() : items[0], stream);
    return place(Type::payload, stream.bytes());
  }
  put_lists(op, stream, put);
  return place(Type::payload_list_op, stream.bytes());
}

std::uint64_t ValueWriter::relocates(std::span<const layer::Relocate> relocates) {
  need({0, 11, 0});
  Stream stream;
  stream.put(std::uint64_t{relocates.size()});
  for (const layer::Relocate& relocate : relocates) {
    stream.put(path_index(relocate.source));
    stream.put(path_or_none(relocate.target));
  }
  return place(Type::relocates, stream.bytes());
}

std::uint64_t ValueWriter::variant_selections(std::span<const std::pair<Token, Token>> selections) {
  std::vector<std::pair<std::string_view, std::string_view>> sorted;
  for (const auto& [set, variant] : selections) sorted.emplace_back(set.view(), variant.view());
  sort_range(sorted.begin(), sorted.end());
  Stream stream;
  Stream entries;
  std::uint64_t count = 0;
  for (const auto& [set, variant] : sorted) {
    const std::uint32_t indices[] = {string_index(set), string_index(variant)};
    if (!problem_.empty()) {
      omit(format_text(":{}", set));
      continue;
    }
    entries.put(indices);
    ++count;
  }
  stream.put(count);
  stream.put_bytes(entries.bytes());
  return place(Type::variant_selection_map, stream.bytes());
}

std::uint64_t ValueWriter::token_vector(std::span<const Token> tokens) {
  Stream stream;
  stream.put(std::uint64_t{tokens.size()});
  for (const Token item : tokens) stream.put(token_index(item.view()));
  return place(Type::token_vector, stream.bytes());
}

std::uint64_t ValueWriter::string_vector(std::span<const Token> texts) {
  Stream stream;
  stream.put(std::uint64_t{texts.size()});
  for (const Token text : texts) stream.put(string_index(text.view()));
  return place(Type::string_vector, stream.bytes());
}

std::uint64_t ValueWriter::layer_offsets(std::span<const layer::LayerOffset> offsets) {
  Stream stream;
  stream.put(std::uint64_t{offsets.size()});
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    put_offset(offsets[i], format_text("[{}]", i), stream);
  }
  return place(Type::layer_offset_vector, stream.bytes());
}

std::uint64_t ValueWriter::time_samples(std::span<const double> times,
                                        std::span<const std::uint64_t> reps) {
  Stream list;
  list.put(std::uint64_t{times.size()});
  list.put_bytes(std::as_bytes(times));
  Stream stream;
  stream.put_nested(place(Type::double_vector, list.bytes(), 0, true));
  stream.put(std::int64_t{8});
  stream.put(std::uint64_t{reps.size()});
  stream.put_bytes(std::as_bytes(reps));
  return place(Type::time_samples, stream.bytes());
}

// Neighbouring instructions of one kind share a word.
std::uint64_t ValueWriter::array_edit(const layer::ArrayEdit& edit) {
  using InstructionKind = layer::ArrayEdit::Kind;
  using Op = EditOperation;
  need({0, 14, 0});
  std::vector<std::byte> literals;
  const std::size_t size = layer::element_size(edit.element);
  std::vector<std::int64_t> program;
  std::size_t word = 0;
  std::optional<Op> open;
  const auto begin = [&](Op op) {
    if (open != op) {
      word = program.size();
      program.push_back(static_cast<std::int64_t>(op) << kEditOperationShift);
      open = op;
    }
    ++program[word];
  };
  const auto add_literal = [&](const Value& literal) {
    const std::span<const std::byte> bytes = literal.bytes();
    if (literal.type() != edit.element || literal.is_array() || bytes.size() != size) {
      problem_ = "an array edit with values of another type";
      return;
    }
    program.push_back(static_cast<std::int64_t>(literals.size() / size));
    literals.insert(literals.end(), bytes.begin(), bytes.end());
  };
  for (const layer::ArrayEdit::Instruction& i : edit.instructions) {
    const auto place_at = [&](Op with_literal, Op with_copy, std::int64_t index) {
      begin(i.source ? with_copy : with_literal);
      if (i.source) {
        program.push_back(*i.source);
      } else {
        add_literal(i.literal);
      }
      program.push_back(index);
    };
    const auto resize = [&](Op plain, Op filled) {
      begin(i.literal.has_value() ? filled : plain);
      program.push_back(i.index);
      if (i.literal.has_value()) add_literal(i.literal);
    };
    switch (i.kind) {
      case InstructionKind::write:
        place_at(Op::write_literal, Op::write_copy, i.index);
        break;
      case InstructionKind::insert:
        place_at(Op::insert_literal, Op::insert_copy, i.index);
        break;
      case InstructionKind::prepend:
        place_at(Op::insert_literal, Op::insert_copy, 0);
        break;
      case InstructionKind::append:
        place_at(Op::insert_literal, Op::insert_copy, std::numeric_limits<std::int64_t>::min());
        break;
      case InstructionKind::erase:
        begin(Op::erase);
        program.push_back(i.index);
        break;
      case InstructionKind::min_size:
        resize(Op::min_size, Op::min_size_filled);
        break;
      case InstructionKind::resize:
        resize(Op::resize, Op::resize_filled);
        break;
      case InstructionKind::max_size:
        begin(Op::max_size);
        program.push_back(i.index);
        break;
    }
  }
  Stream stream;
  stream.put(array(Value::array_from_buffer(edit.element, Buffer::copy_of(literals))));
  stream.put(array(Value::array<std::int64_t>(ElementType::int64, program)));
  stream.put(std::uint8_t{0});
  return place(type_of(edit.element), stream.bytes(), kArrayEditBit);
}

}  // namespace sinew::usdc
