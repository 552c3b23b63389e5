// SPDX-License-Identifier: Apache-2.0
#include "stage/localize.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "stage/path_expressions.hpp"
#include "stage/variable_expression.hpp"

namespace sinew::stage {

namespace {

using layer::ElementType;
using layer::Value;

const Value* variable_in(const layer::Layer& layer, std::string_view name) {
  const Value* variables = layer.field("expressionVariables");
  if (variables == nullptr || variables->as_dictionary() == nullptr) return nullptr;
  const layer::DictionaryEntry* entry = layer::find(*variables->as_dictionary(), name);
  return entry == nullptr ? nullptr : &entry->value;
}

// The layers that define variables for a site: those whose stacks were entered on the way to it.
// The outer one wins.
std::vector<const layer::Layer*> defining_layers(const Stage::Impl& impl, std::uint32_t mapping) {
  std::vector<const layer::Layer*> layers;
  for (std::uint32_t at = mapping; at != 0; at = impl.mappings[at].outer) {
    const std::uint32_t layer = impl.mappings[at].layer;
    if (layer != kNoNode) layers.push_back(impl.layers[layer].get());
  }
  layers.push_back(impl.layers.front().get());
  if (impl.session != nullptr) layers.push_back(impl.session.get());
  std::reverse(layers.begin(), layers.end());
  return layers;
}

Token evaluate(const Stage::Impl& impl, Token asset, std::uint32_t mapping) {
  if (!is_expression(asset.view())) return asset;
  const std::vector<const layer::Layer*> layers = defining_layers(impl, mapping);
  const Result<ExpressionValue> value = evaluate_expression(
      asset.view(), [&](std::string_view name) -> std::optional<ExpressionValue> {
        for (const layer::Layer* layer : layers) {
          if (const Value* found = variable_in(*layer, name)) return expression_value(*found);
        }
        return std::nullopt;
      });
  const auto* text = value ? std::get_if<std::string>(&value->data) : nullptr;
  return text == nullptr || text->empty() ? asset : impl.evaluated_texts.intern(*text);
}

Value evaluate_assets(const Stage::Impl& impl, Value value, std::uint32_t mapping) {
  if (!value.is_array()) {
    const Token asset = *value.get<Token>();
    const Token evaluated = evaluate(impl, asset, mapping);
    return evaluated == asset ? value : Value::scalar(ElementType::asset, evaluated);
  }
  const std::span<const Token> assets = value.as_array<Token>();
  const auto is_one = [](Token asset) { return is_expression(asset.view()); };
  if (std::none_of(assets.begin(), assets.end(), is_one)) return value;
  std::vector<Token> evaluated(assets.begin(), assets.end());
  for (Token& asset : evaluated) asset = evaluate(impl, asset, mapping);
  return Value::array<Token>(ElementType::asset, evaluated);
}

}  // namespace

Token EvaluatedTexts::intern(std::string_view text) const {
  const MutexLock lock(mutex_);
  return tokens_.intern(text);
}

namespace {

// Dictionaries that have been localized, by where they are: one that stands in others many times is
// looked at once.
using KnownDictionaries = std::map<const layer::Dictionary*, Value>;

Value localize_dictionary(const Stage::Impl& impl, const layer::Dictionary& dictionary,
                          const layer::LayerOffset& offset, std::uint32_t mapping,
                          KnownDictionaries& known) {
  if (const auto found = known.find(&dictionary); found != known.end()) return found->second;
  layer::Dictionary result = dictionary;
  for (layer::DictionaryEntry& entry : result) {
    const layer::Dictionary* const inner = entry.value.as_dictionary();
    entry.value = inner != nullptr ? localize_dictionary(impl, *inner, offset, mapping, known)
                                   : localize(impl, std::move(entry.value), offset, mapping);
  }
  return known.emplace(&dictionary, Value::dictionary(std::move(result))).first->second;
}

}  // namespace

Value localize(const Stage::Impl& impl, Value value, const layer::LayerOffset& offset,
               std::uint32_t mapping) {
  if (is_local(value)) return value;
  if (value.type() == ElementType::timecode) {
    if (offset == layer::LayerOffset{}) return value;
    return map_times(value, [&](double time) { return from_layer_time(time, offset); });
  }
  if (value.type() == ElementType::asset) return evaluate_assets(impl, std::move(value), mapping);
  if (value.type() == ElementType::path_expression) {
    return map_expressions(impl, std::move(value), mapping);
  }
  if (const layer::Dictionary* dictionary = value.as_dictionary()) {
    KnownDictionaries known;
    return localize_dictionary(impl, *dictionary, offset, mapping, known);
  }
  const layer::ArrayEdit* edit = value.as_array_edit();
  const bool is_local_element = edit->element != ElementType::timecode &&
                                edit->element != ElementType::asset &&
                                edit->element != ElementType::path_expression;
  if (is_local_element) return value;
  layer::ArrayEdit result = *edit;
  for (layer::ArrayEdit::Instruction& instruction : result.instructions) {
    instruction.literal = localize(impl, std::move(instruction.literal), offset, mapping);
  }
  return Value::array_edit(std::move(result));
}

}  // namespace sinew::stage
