// SPDX-License-Identifier: Apache-2.0
#include "stage/path_expressions.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layer/shared/path_expression_syntax.hpp"
#include "stage/placements.hpp"

namespace sinew::stage {

using layer::ElementType;
using layer::Value;

namespace {

// A path expression, or an array of them, with every text put through a function.
Value change_expressions(const Stage::Impl& impl, const Value& expressions,
                         const std::function<std::string(std::string_view)>& change) {
  constexpr auto kType = ElementType::path_expression;
  const auto changed = [&](Token text) { return impl.evaluated_texts.intern(change(text.view())); };
  if (!expressions.is_array()) return Value::scalar(kType, changed(*expressions.get<Token>()));
  const std::span<const Token> texts = expressions.as_array<Token>();
  std::vector<Token> result(texts.begin(), texts.end());
  for (Token& text : result) text = changed(text);
  return Value::array<Token>(kType, result);
}

// Expressions that cannot be mapped match nothing.
Value map_paths(const Stage::Impl& impl, const Value& expressions,
                std::function<layer::Path(const layer::Path&)> map) {
  const layer::PathExpressionEdit edit{std::move(map), {}};
  return change_expressions(impl, expressions, [&](std::string_view text) {
    return layer::edit_path_expression(text, edit).value_or("");
  });
}

}  // namespace

Value map_expressions(const Stage::Impl& impl, Value expressions, std::uint32_t mapping) {
  if (impl.mappings[mapping].map == nullptr) return expressions;
  return map_paths(impl, expressions,
                   [&](const layer::Path& path) { return map_path(impl.mappings, mapping, path); });
}

Value place_expressions(const Stage& stage, Value expressions, std::uint32_t node,
                        std::uint64_t context) {
  const std::vector<Placement> places = placements(stage, node, context);
  if (places.empty()) return expressions;
  return map_paths(impl_of(stage), expressions,
                   [&](const layer::Path& path) { return place(places, path); });
}

}  // namespace sinew::stage
