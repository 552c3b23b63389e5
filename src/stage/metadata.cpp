// SPDX-License-Identifier: Apache-2.0
#include "stage/metadata.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "stage/localize.hpp"

namespace sinew::stage {

namespace {

using layer::Dictionary;
using layer::DictionaryEntry;
using layer::ElementType;
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

Value compose_opinions(const Stage::Impl& impl, const std::vector<FieldOpinion>& opinions) {
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
