// SPDX-License-Identifier: Apache-2.0
// List operations, and the references and payloads in them.

#include <string>
#include <unordered_set>
#include <vector>

#include "core/format_text.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::ListOp;
using layer::Path;
using layer::Reference;
using layer::Value;

namespace {

constexpr std::uint8_t kUnusedBit = 0x80;
constexpr std::uint64_t kReferenceBytes = 32;
constexpr std::uint64_t kPayloadBytes = 24;
constexpr std::uint64_t kOldPayloadBytes = 8;

struct ReferenceHash {
  std::size_t operator()(const Reference& reference) const noexcept {
    return std::hash<Token>()(reference.asset) ^ std::hash<Path>()(reference.prim_path) ^
           std::hash<double>()(reference.offset.offset);
  }
};

// Removes repeated items of a list, except for the first of each, or the last.
template <typename T, typename Hash>
bool remove_repeats(std::vector<T>& items, bool keep_last) {
  const std::size_t count = items.size();
  if (count < 2) return false;
  std::unordered_set<T, Hash> seen;
  std::vector<bool> repeated(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = keep_last ? count - 1 - i : i;
    repeated[at] = !seen.insert(items[at]).second;
  }
  if (seen.size() == count) return false;
  std::size_t at = 0;
  std::erase_if(items, [&](const T&) { return repeated[at++]; });
  return true;
}

template <typename T, typename Hash = std::hash<T>>
bool remove_repeats(ListOp<T>& op) {
  bool any = false;
  for (auto* items :
       {&op.explicit_items, &op.deleted, &op.added, &op.prepended, &op.appended, &op.ordered}) {
    // Appending moves what is there already to the end.
    any = remove_repeats<T, Hash>(*items, items == &op.appended) || any;
  }
  return any;
}

}  // namespace

template <typename T, typename ReadItem>
bool ValueReader::list_op(ByteReader& reader, std::uint64_t item_bytes, ListOp<T>& op,
                          ReadItem read_item) {
  const std::uint64_t at = reader.position();
  std::uint8_t bits = 0;
  if (!reader.read(bits) || (bits & kUnusedBit) != 0) {
    return fail(at, "this is not a list of edits");
  }
  const std::pair<std::uint8_t, std::vector<T>*> lists[] = {
      {kListExplicit, &op.explicit_items}, {kListAdded, &op.added},
      {kListPrepended, &op.prepended},     {kListAppended, &op.appended},
      {kListDeleted, &op.deleted},         {kListOrdered, &op.ordered}};
  for (const auto& [bit, items] : lists) {
    if ((bits & bit) == 0) continue;
    std::uint64_t count = 0;
    if (!reader.count(item_bytes, count)) {
      return fail(at, format_text("{} items do not lie in the file", count));
    }
    if (!charge_items(at, count, sizeof(T))) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      T item{};
      const Item result = read_item(item);
      if (result == Item::damaged) return false;
      if (result == Item::read) items->push_back(std::move(item));
    }
  }
  constexpr std::uint8_t kEdits =
      kListAdded | kListPrepended | kListAppended | kListDeleted | kListOrdered;
  const bool has_edits = (bits & kEdits) != 0;
  op.is_explicit = (bits & kListIsExplicit) != 0 || ((bits & kListExplicit) != 0 && !has_edits);
  if (op.is_explicit && has_edits) {
    warn("usdc-value", "edits beside a whole list are left out");
    std::vector<T> whole = std::move(op.explicit_items);
    op = ListOp<T>();
    op.is_explicit = true;
    op.explicit_items = std::move(whole);
  } else if (!op.is_explicit && !op.explicit_items.empty()) {
    warn("usdc-value", "a whole list beside edits is left out");
    op.explicit_items.clear();
  }
  return true;
}

bool ValueReader::token_list(std::uint64_t bits, ListOp<Token>& op) {
  const bool is_string = Representation{bits}.type() == Type::string_list_op;
  ByteReader reader;
  if (!open(bits, is_string ? Type::string_list_op : Type::token_list_op, reader)) return false;
  const bool good = list_op(reader, sizeof(std::uint32_t), op, [&](Token& item) {
    if (is_string) return string_token(reader, item) ? Item::read : Item::damaged;
    std::uint32_t index = 0;
    if (!reader.read(index) || index >= c_.tables.tokens.size()) {
      fail(reader.position(), format_text("token {} does not exist", index));
      return Item::damaged;
    }
    item = token(index);
    return Item::read;
  });
  if (good && remove_repeats(op)) warn("usdc-value", "what stands in a list twice counts once");
  return good;
}

bool ValueReader::value_list(Representation rep, Value& out) {
  ByteReader reader;
  if (!open(rep.bits, rep.type(), reader)) return false;
  ElementType element = ElementType::unregistered;
  switch (rep.type()) {
    case Type::int_list_op:
      element = ElementType::int_;
      break;
    case Type::int64_list_op:
      element = ElementType::int64;
      break;
    case Type::uint_list_op:
      element = ElementType::uint;
      break;
    case Type::uint64_list_op:
      element = ElementType::uint64;
      break;
    default:
      break;
  }
  const bool is_number = element != ElementType::unregistered;
  const std::size_t bytes = is_number ? layer::element_size(element) : 2 * sizeof(std::uint64_t);
  ListOp<Value> op;
  const bool good = list_op(reader, bytes, op, [&](Value& item) {
    std::uint32_t word = 0;
    std::uint64_t wide = 0;
    if (!is_number) {
      if (!nested(reader, wide)) return Item::damaged;
      return unregistered(wide, item) ? Item::read : Item::dropped;
    }
    if (bytes == sizeof word) {
      reader.read(word);
    } else {
      reader.read(wide);
    }
    item = Value::scalar_of(element, bytes == sizeof word ? std::as_bytes(std::span(&word, 1))
                                                          : std::as_bytes(std::span(&wide, 1)));
    return Item::read;
  });
  if (good) out = Value::list_op(std::move(op));
  return good;
}

bool ValueReader::path_list(std::uint64_t bits, bool is_arc, ListOp<Path>& op) {
  ByteReader reader;
  if (!open(bits, Type::path_list_op, reader)) return false;
  const bool good = list_op(reader, sizeof(std::uint32_t), op, [&](Path& item) {
    if (!path(reader, item)) return Item::damaged;
    const bool fits = item.is_absolute() && !item.is_root() && !item.has_variant_selection() &&
                      (!is_arc || item.is_prim());
    if (fits) return Item::read;
    warn("usdc-value", format_text("<{}> cannot stand in this list and is left out", item.view()));
    return Item::dropped;
  });
  if (good && remove_repeats(op)) warn("usdc-value", "what stands in a list twice counts once");
  return good;
}

ValueReader::Item ValueReader::reference(ByteReader& reader, bool is_payload,
                                         Reference& reference) {
  if (!string_token(reader, reference.asset) || !path(reader, reference.prim_path)) {
    return Item::damaged;
  }
  const std::uint64_t at = reader.position();
  if (!is_payload || c_.file.since(8)) {
    if (!reader.read(reference.offset.offset) || !reader.read(reference.offset.scale)) {
      fail(at, "a reference does not lie in the file");
      return Item::damaged;
    }
    repair(reference.offset);
  }
  if (!is_payload) {
    if (!dictionary(reader, reference.custom_data)) return Item::damaged;
    if (reference.custom_data.as_dictionary()->empty()) reference.custom_data = Value();
  }
  const Path& target = reference.prim_path;
  if (target.empty() ||
      (target.is_absolute() && target.is_prim() && !target.has_variant_selection())) {
    return Item::read;
  }
  warn("usdc-value", format_text("<{}> cannot be referenced and is left out", target.view()));
  return Item::dropped;
}

bool ValueReader::reference_list(ByteReader& reader, std::uint64_t item_bytes, bool is_payload,
                                 ListOp<Reference>& op) {
  const bool good = list_op(reader, item_bytes, op,
                            [&](Reference& item) { return reference(reader, is_payload, item); });
  if (good && remove_repeats<Reference, ReferenceHash>(op)) {
    warn("usdc-value", "what stands in a list twice counts once");
  }
  return good;
}

bool ValueReader::references(std::uint64_t bits, ListOp<Reference>& op) {
  ByteReader reader;
  if (!open(bits, Type::reference_list_op, reader)) return false;
  return reference_list(reader, kReferenceBytes, false, op);
}

bool ValueReader::payloads(std::uint64_t bits, ListOp<Reference>& op) {
  ByteReader reader;
  if (Representation{bits}.type() == Type::payload) {
    // The older form, of one payload or none.
    if (!open(bits, Type::payload, reader)) return false;
    Reference payload;
    const Item item = reference(reader, true, payload);
    if (item == Item::damaged) return false;
    op.is_explicit = true;
    if (item == Item::read && !payload.asset.empty()) op.explicit_items.push_back(payload);
    return true;
  }
  if (!open(bits, Type::payload_list_op, reader)) return false;
  const std::uint64_t item_bytes = c_.file.since(8) ? kPayloadBytes : kOldPayloadBytes;
  return reference_list(reader, item_bytes, true, op);
}

}  // namespace sinew::usdc
