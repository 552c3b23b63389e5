// SPDX-License-Identifier: Apache-2.0
#include "stage/metadata.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "layer/shared/list_edits.hpp"
#include "stage/localize.hpp"

namespace sinew::stage {

namespace {

using layer::Dictionary;
using layer::DictionaryEntry;
using layer::ElementType;
using layer::ListOp;
using layer::Value;

// Adds what weaker dictionaries have and stronger ones have not, also inside nested ones. A pair of
// dictionaries is merged once, wherever it is met: in a few bytes of a crate one dictionary can
// stand in another twice, that one in a third twice, and so on.
class DictionaryMerger {
 public:
  Dictionary merge(const Dictionary& stronger, const Dictionary& weaker) {
    Dictionary result = stronger;
    for (const DictionaryEntry& entry : weaker) {
      const auto found = std::find_if(result.begin(), result.end(),
                                      [&](const auto& e) { return e.key == entry.key; });
      if (found == result.end()) {
        result.push_back(entry);
      } else if (found->value.as_dictionary() != nullptr &&
                 entry.value.as_dictionary() != nullptr) {
        found->value = merged(*found->value.as_dictionary(), *entry.value.as_dictionary());
      }
    }
    return result;
  }

 private:
  Value merged(const Dictionary& stronger, const Dictionary& weaker) {
    const std::pair key(&stronger, &weaker);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Value value = Value::dictionary(merge(stronger, weaker));
    known_.emplace(key, value);
    return value;
  }

  std::map<std::pair<const Dictionary*, const Dictionary*>, Value> known_;
};

// Combines a stronger value with a weaker one; `strongest_found` stays as it is unless the two
// are dictionaries.
void add_weaker(Value& composed, const Value& weaker) {
  if (!composed.has_value()) {
    composed = weaker;
  } else if (composed.as_dictionary() != nullptr && weaker.as_dictionary() != nullptr) {
    composed = Value::dictionary(
        DictionaryMerger().merge(*composed.as_dictionary(), *weaker.as_dictionary()));
  }
}

// Opinions in order of strength, each with the mapping of its site.
struct FieldOpinion {
  const Value* value;
  std::uint32_t mapping;
};

// The type of the whole numbers that are edited; none if it is something else.
ElementType type_of_edits(const Value& value) {
  const ListOp<Value>* const op = value.as_list_op();
  if (op == nullptr || op->is_explicit) return ElementType::none;
  for (const auto* items :
       {&op->deleted, &op->added, &op->prepended, &op->appended, &op->ordered}) {
    if (items->empty()) continue;
    const ElementType type = items->front().type();
    const bool is_whole = type >= ElementType::int_ && type <= ElementType::uint64;
    return is_whole ? type : ElementType::none;
  }
  return ElementType::none;
}

// Edits of numbers, as edits of names that are the bytes of the numbers.
Value compose_numbers(const std::vector<FieldOpinion>& opinions, ElementType type) {
  TokenTable table;
  const auto to_names = [&](const std::vector<Value>& items, std::vector<Token>& names) {
    for (const Value& item : items) {
      if (item.type() != type) continue;
      const std::span<const std::byte> bytes = item.bytes();
      names.push_back(table.intern({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
  };
  std::vector<Token> names;
  for (auto opinion = opinions.rbegin(); opinion != opinions.rend(); ++opinion) {
    if (const ListOp<Value>* op = opinion->value->as_list_op()) {
      apply_list_op(layer::convert_lists<Token>(*op, to_names), names);
    }
  }
  ListOp<Value> composed;
  composed.is_explicit = true;
  for (const Token name : names) {
    composed.explicit_items.push_back(
        Value::scalar_of(type, std::as_bytes(std::span(name.view()))));
  }
  return Value::list_op(std::move(composed));
}

Value compose_opinions(const Stage::Impl& impl, const std::vector<FieldOpinion>& opinions) {
  if (opinions.empty()) return {};
  if (opinions.front().value->as_token_list_op() != nullptr) {
    std::vector<Token> items;
    for (auto opinion = opinions.rbegin(); opinion != opinions.rend(); ++opinion) {
      if (const auto* op = opinion->value->as_token_list_op()) apply_list_op(*op, items);
    }
    return Value::array<Token>(ElementType::token, items);
  }
  if (const ElementType type = type_of_edits(*opinions.front().value); type != ElementType::none) {
    return compose_numbers(opinions, type);
  }
  Value composed;
  for (const FieldOpinion& opinion : opinions) {
    add_weaker(composed, localize(impl, *opinion.value, impl.mappings[opinion.mapping].offset,
                                  opinion.mapping));
    if (composed.as_dictionary() == nullptr) break;
  }
  return composed;
}

}  // namespace

Value compose_prim_field(const Stage::Impl& impl, std::uint32_t node, std::string_view key) {
  std::vector<FieldOpinion> opinions;
  for (const Site& site : impl.sites_of(node)) {
    if (const Value* value = site.spec->field(key)) {
      opinions.push_back({value, site.mapping});
    }
  }
  return compose_opinions(impl, opinions);
}

Value compose_property_field(const Stage::Impl& impl, std::uint32_t node, Token name,
                             std::string_view key) {
  std::vector<FieldOpinion> opinions;
  for (const Site& site : impl.sites_of(node)) {
    const auto* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec == nullptr) continue;
    if (const Value* value = layer::find_field(spec->fields, key)) {
      opinions.push_back({value, site.mapping});
    }
  }
  return compose_opinions(impl, opinions);
}

}  // namespace sinew::stage
