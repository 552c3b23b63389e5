// SPDX-License-Identifier: Apache-2.0
// References and payloads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::LayerOffset;
using layer::Path;

constexpr std::uint32_t kNone = IndexNode::kNone;

}  // namespace

// A reference or payload with everything that tells it from others.
struct ArcItem {
  std::string asset;  // Resolved identifier, or the text if it cannot be resolved.
  Path path;
  LayerOffset offset;
  std::uint32_t layer = kNone;
  std::uint32_t stack_layer = 0;
  std::uint32_t line = 0;
  std::string problem;
  friend bool operator==(const ArcItem& a, const ArcItem& b) {
    return a.asset == b.asset && a.path == b.path && a.offset == b.offset;
  }
};

}  // namespace sinew::stage

template <>
struct std::hash<sinew::stage::ArcItem> {
  std::size_t operator()(const sinew::stage::ArcItem& item) const noexcept {
    return std::hash<std::string>()(item.asset) ^ std::hash<sinew::layer::Path>()(item.path) * 31;
  }
};

namespace sinew::stage {

void IndexBuilder::evaluate_references(Build& build, std::uint32_t node, bool payloads) {
  PrimIndex& index = *build.index;
  const LayerStack& stack = *index.nodes[node].stack;
  const std::vector<IndexNode::Spec> specs = index.nodes[node].specs;
  std::vector<ArcItem> items;
  for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
    if (spec->prim->extra == nullptr) continue;
    const auto& op = payloads ? spec->prim->extra->payloads : spec->prim->extra->references;
    if (op.empty()) continue;
    const StackLayer& from = stack.layers[spec->stack_layer];
    const auto convert = [&](const std::vector<layer::Reference>& in, std::vector<ArcItem>& out) {
      for (const layer::Reference& reference : in) {
        ArcItem item;
        item.path = reference.prim_path;
        item.stack_layer = spec->stack_layer;
        item.line = reference.line;
        item.offset = reference.offset;
        if (!std::isfinite(item.offset.offset) || !std::isfinite(item.offset.scale) ||
            item.offset.scale <= 0.0) {
          report(build, node, "stage-bad-offset",
                 "the offset of an arc is not usable and is ignored", spec->stack_layer,
                 reference.line);
          item.offset = {};
        }
        if (!reference.asset.empty()) {
          const std::string asset = registry_.evaluate(reference.asset.view(), stack, from.layer);
          const Result<std::uint32_t> loaded =
              asset.empty()
                  ? Result<std::uint32_t>(ErrorCode::not_found, "the asset path is empty.")
                  : registry_.load(asset, from.layer);
          item.offset = compose(from.offset, item.offset);
          if (loaded) {
            item.layer = *loaded;
            item.asset = registry_.layers()[*loaded]->identifier();
          } else {
            item.asset = asset;
            item.problem = loaded.error().message;
          }
        }
        out.push_back(std::move(item));
      }
    };
    layer::ListOp<ArcItem> converted;
    converted.is_explicit = op.is_explicit;
    convert(op.explicit_items, converted.explicit_items);
    convert(op.deleted, converted.deleted);
    convert(op.added, converted.added);
    convert(op.prepended, converted.prepended);
    convert(op.appended, converted.appended);
    convert(op.ordered, converted.ordered);
    apply_list_op(converted, items);
  }
  if (items.empty()) return;
  if (payloads && options_.payloads == Payloads::skip) {
    index.payload_skipped = true;
    return;
  }
  const Arc arc = payloads ? Arc::payload : Arc::reference;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const ArcItem& item = items[i];
    const auto leave_out = [&](std::string reason) {
      report(build, node, "stage-unresolved-arc",
             fmt::format("the {} to @{}@<{}> is left out: {}", name_of(arc), item.asset,
                         item.path.view(), reason),
             item.stack_layer, item.line);
    };
    if (!item.problem.empty()) {
      leave_out(item.problem);
      continue;
    }
    ArcTarget target;
    target.path = item.path;
    target.stack = &stack;
    target.order = i;
    layer::LayerOffset offset = item.offset;
    if (!item.asset.empty()) {
      target.stack = registry_.stack(item.layer, &stack);
      offset.scale *= stack.rate / target.stack->rate;
    }
    if (target.path.empty()) {
      const layer::Layer& layer = *registry_.layers()[target.stack->root];
      const layer::Value* name = layer.field("defaultPrim");
      const auto text = name == nullptr ? std::nullopt : name->text();
      if (!text || text->empty()) {
        leave_out("the layer has no defaultPrim");
        continue;
      }
      Result<Path> path =
          Path::parse(text->front() == '/' ? std::string(*text) : "/" + std::string(*text));
      if (!path || !path->is_prim()) {
        leave_out(fmt::format("its defaultPrim '{}' is not the path of a prim", *text));
        continue;
      }
      target.path = *std::move(path);
    }
    target.map =
        arc_map(stack, index.nodes[node].path, target.path, offset, target.stack == &stack);
    const std::uint32_t first = add_arc(build, node, node, arc, target);
    if (first == kNone) continue;
    const bool found = std::any_of(index.nodes.begin() + first, index.nodes.end(),
                                   [](const IndexNode& n) { return !n.specs.empty(); });
    if (!found) leave_out("there is no such prim");
  }
}

}  // namespace sinew::stage
