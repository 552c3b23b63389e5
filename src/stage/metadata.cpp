// SPDX-License-Identifier: Apache-2.0
#include "stage/metadata.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace sinew::stage {

namespace {

using layer::Dictionary;
using layer::DictionaryEntry;
using layer::ElementType;
using layer::Value;

// Adds what `weaker` has and `stronger` has not, also inside nested dictionaries.
Dictionary merge(const Dictionary& stronger, const Dictionary& weaker) {
  Dictionary result = stronger;
  for (const DictionaryEntry& entry : weaker) {
    const auto found = std::find_if(result.begin(), result.end(),
                                    [&](const auto& e) { return e.key == entry.key; });
    if (found == result.end()) {
      result.push_back(entry);
    } else if (found->value.as_dictionary() != nullptr && entry.value.as_dictionary() != nullptr) {
      found->value =
          Value::dictionary(merge(*found->value.as_dictionary(), *entry.value.as_dictionary()));
    }
  }
  return result;
}

// Combines a stronger value with a weaker one; `strongest_found` stays as it is unless the two
// are dictionaries.
void add_weaker(Value& composed, const Value& weaker) {
  if (!composed.has_value()) {
    composed = weaker;
  } else if (composed.as_dictionary() != nullptr && weaker.as_dictionary() != nullptr) {
    composed = Value::dictionary(merge(*composed.as_dictionary(), *weaker.as_dictionary()));
  }
}

// Opinions in order of strength, each with the offset of its site.
struct FieldOpinion {
  const Value* value;
  const layer::LayerOffset* offset;
};

Value compose_opinions(const std::vector<FieldOpinion>& opinions) {
  if (opinions.empty()) return {};
  if (opinions.front().value->as_token_list_op() != nullptr) {
    std::vector<Token> items;
    for (auto opinion = opinions.rbegin(); opinion != opinions.rend(); ++opinion) {
      if (const auto* op = opinion->value->as_token_list_op()) apply_list_op(*op, items);
    }
    return Value::array<Token>(ElementType::token, items);
  }
  Value composed;
  for (const FieldOpinion& opinion : opinions) {
    add_weaker(composed, offset_times(*opinion.value, *opinion.offset));
    if (composed.as_dictionary() == nullptr) break;
  }
  return composed;
}

}  // namespace

Value offset_times(const Value& value, const layer::LayerOffset& offset) {
  if (offset == layer::LayerOffset{}) return value;
  if (const Dictionary* dictionary = value.as_dictionary()) {
    Dictionary result = *dictionary;
    for (DictionaryEntry& entry : result) entry.value = offset_times(entry.value, offset);
    return Value::dictionary(std::move(result));
  }
  if (value.type() != ElementType::timecode) return value;
  if (!value.is_array()) {
    return Value::scalar(ElementType::timecode,
                         *value.get<double>() * offset.scale + offset.offset);
  }
  std::vector<double> times(value.as_array<double>().begin(), value.as_array<double>().end());
  for (double& time : times) time = time * offset.scale + offset.offset;
  return Value::array<double>(ElementType::timecode, times);
}

Value compose_prim_field(const Stage::Impl& impl, std::uint32_t node, std::string_view key) {
  std::vector<FieldOpinion> opinions;
  for (const Site& site : impl.sites_of(node)) {
    if (const Value* value = site.spec->field(key)) {
      opinions.push_back({value, &impl.mappings[site.mapping].offset});
    }
  }
  return compose_opinions(opinions);
}

Value compose_property_field(const Stage::Impl& impl, std::uint32_t node, Token name,
                             std::string_view key) {
  std::vector<FieldOpinion> opinions;
  for (const Site& site : impl.sites_of(node)) {
    const auto* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec == nullptr) continue;
    if (const Value* value = layer::find_field(spec->fields, key)) {
      opinions.push_back({value, &impl.mappings[site.mapping].offset});
    }
  }
  return compose_opinions(opinions);
}

}  // namespace sinew::stage
