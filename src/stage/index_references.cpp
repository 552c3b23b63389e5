// SPDX-License-Identifier: Apache-2.0
// References and payloads.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "layer/shared/list_edits.hpp"
#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::LayerOffset;
using layer::Path;

// As OpenUSD compares offsets; all that are not finite are one.
bool are_close(const LayerOffset& a, const LayerOffset& b) noexcept {
  const auto is_finite = [](const LayerOffset& offset) {
    return std::isfinite(offset.offset) && std::isfinite(offset.scale);
  };
  if (!is_finite(a) || !is_finite(b)) return !is_finite(a) && !is_finite(b);
  constexpr double kClose = 1e-6;
  return std::abs(a.offset - b.offset) < kClose && std::abs(a.scale - b.scale) < kClose;
}

// The prim that a layer says to take where an arc names none. The message of an error is the end of
// a sentence.
Result<Path> default_prim_of(const layer::Layer& layer) {
  const layer::Value* name = layer.field("defaultPrim");
  const auto text = name == nullptr ? std::nullopt : name->text();
  if (!text || text->empty()) return {ErrorCode::not_found, "the layer has no defaultPrim"};
  Result<Path> path =
      Path::parse(text->front() == '/' ? std::string(*text) : "/" + std::string(*text));
  if (path && path->is_prim() && !path->view().ends_with('}')) return path;
  return {ErrorCode::not_found,
          format_text("its defaultPrim '{}' is not the path of a prim", *text)};
}

}  // namespace

// What list edits tell references and payloads apart by. Paths to assets are seen from the layer
// that wrote them; those that lead elsewhere, to where it is searched, are as authored. So are
// offsets: what sublayers and rates make of them is not part of it. Of customData OpenUSD compares
// how much there is.
struct ArcItem {
  std::string asset;      // Resolved identifier, or the text if it cannot be resolved.
  std::string arguments;  // Of the file format, with what introduces them.
  Path path;
  LayerOffset offset;
  std::size_t custom_data_size = 0;
  std::string searched{};  // The path of an asset that is not found beside its layer; else empty.

  friend bool operator==(const ArcItem& a, const ArcItem& b) {
    return a.asset == b.asset && a.arguments == b.arguments && a.path == b.path &&
           are_close(a.offset, b.offset) && a.custom_data_size == b.custom_data_size &&
           a.searched == b.searched;
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

namespace {

// Where an item was named last, that is by the strongest layer.
struct ArcSource {
  std::uint32_t layer = kNoIndexNode;  // Of the asset, if it could be loaded.
  std::uint32_t stack_layer = 0;
  std::uint32_t line = 0;
  std::string problem;
};

bool is_usable(const LayerOffset& offset) noexcept {
  return std::isfinite(offset.offset) && std::isfinite(offset.scale) && offset.scale > 0.0;
}

}  // namespace

void IndexBuilder::evaluate_references(Build& build, std::uint32_t node, bool payloads) {
  PrimIndex& index = *build.index;
  const LayerStack& stack = *index.nodes[node].stack;
  // Valid until there is another node.
  const std::vector<IndexNode::Spec>& specs = index.nodes[node].specs;
  std::vector<ArcItem> items;
  std::unordered_map<ArcItem, ArcSource> sources;
  const auto list_of = [&](const IndexNode::Spec& spec) {
    const layer::PrimExtra* extra = spec.prim->extra;
    return extra == nullptr ? nullptr : payloads ? &extra->payloads : &extra->references;
  };
  // Of a single item nobody asks whether another one is the same.
  const std::size_t edits = std::accumulate(
      specs.begin(), specs.end(), std::size_t{0}, [&](std::size_t sum, const auto& spec) {
        return list_of(spec) == nullptr ? sum : sum + edits_in(*list_of(spec));
      });
  const bool may_match = edits > 1;
  ArcSource only;
  const auto source_of = [&](const ArcItem& item) -> ArcSource& {
    return may_match ? sources[item] : only;
  };
  for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
    if (list_of(*spec) == nullptr) continue;
    const auto& op = *list_of(*spec);
    if (op.empty()) continue;
    const std::uint32_t from = stack.layers[spec->stack_layer].layer;
    const auto convert = [&](const std::vector<layer::Reference>& in, std::vector<ArcItem>& out) {
      look(kLooksPerArc * in.size());
      for (const layer::Reference& reference : in) {
        ArcItem item{{}, {}, reference.prim_path, reference.offset};
        if (const layer::Dictionary* custom_data = reference.custom_data.as_dictionary()) {
          item.custom_data_size = custom_data->size();
        }
        ArcSource source;
        source.stack_layer = spec->stack_layer;
        source.line = reference.line;
        if (!reference.asset.empty()) {
          const std::string asset =
              registry_.evaluate(reference.asset.view(), stack, from).value_or("");
          // An expression that gives nothing, or fails, which is told, is no item.
          if (asset.empty() && is_expression(reference.asset.view())) continue;
          const Result<std::uint32_t> loaded =
              asset.empty()
                  ? Result<std::uint32_t>(ErrorCode::not_found, "the asset path is empty.")
                  : registry_.load(asset, from);
          if (loaded) {
            source.layer = *loaded;
            item.asset = registry_.layers()[*loaded]->identifier();
            item.arguments = split_format_arguments(asset).arguments;
            if (may_match && registry_.is_found_elsewhere(asset, from, item.asset)) {
              item.searched = join_names({}, split_format_arguments(asset).path);
            }
          } else {
            item.asset = asset;
            source.problem = inside_sentence(loaded.error());
          }
        }
        source_of(item) = std::move(source);
        out.push_back(std::move(item));
      }
    };
    apply_list_op(layer::convert_lists<ArcItem>(op, convert), items);
  }
  if (items.empty()) return;
  index.has_payloads = index.has_payloads || payloads;
  if (payloads && options_.payloads == Payloads::skip) {
    index.payload_skipped = true;
    return;
  }
  const Arc arc = payloads ? Arc::payload : Arc::reference;
  for (std::uint32_t i = 0; i < items.size() && !build.is_full; ++i) {
    const ArcItem& item = items[i];
    const ArcSource& source = source_of(item);
    const auto leave_out = [&](std::string reason) {
      report(build, node, "stage-unresolved-arc",
             format_text("The {} to @{}@<{}> is left out: {}", name_of(arc), shown(item.asset),
                         shown(item.path.view()), reason),
             source.stack_layer, source.line);
    };
    if (!source.problem.empty()) {
      leave_out(source.problem);
      continue;
    }
    ArcTarget target;
    target.path = item.path;
    target.stack = &stack;
    target.order = i;
    LayerOffset offset = item.offset;
    const bool usable = is_usable(offset);
    if (!usable) {
      report(build, node, "stage-bad-offset", "The offset of an arc is not usable and is ignored",
             source.stack_layer, source.line);
      offset = {};
    }
    // The offset of the authoring layer is in the opinions of an internal arc already.
    if (source.layer != kNoIndexNode) {
      target.stack = registry_.stack(source.layer, &stack);
      const StackLayer& from = stack.layers[source.stack_layer];
      if (usable) offset = compose(from.offset, offset);
      offset.scale *= registry_.rate_of(from.layer) / target.stack->rate;
    }
    if (target.path.empty()) {
      Result<Path> path = default_prim_of(*registry_.layers()[target.stack->root]);
      if (!path) {
        leave_out(std::move(path).error().message);
        continue;
      }
      target.path = *std::move(path);
    }
    target.map =
        arc_map(stack, index.nodes[node].path, target.path, offset, source.layer == kNoIndexNode);
    target.has_ancestors = has_ancestors(target.path);
    const std::uint32_t made = add_arc(build, node, node, arc, target);
    if (made == kNoIndexNode) continue;
    index.targets.push_back({made, source.stack_layer, source.line, source.layer == kNoIndexNode});
  }
}

// Whether a node had opinions where its arc was introduced.
bool IndexBuilder::has_specs_at_arc(const PrimIndex& index, std::uint32_t node) const {
  if (index.levels_below_arc(node) == 0) return !index.nodes[node].specs.empty();
  const LayerStack& stack = *index.nodes[node].stack;
  const Path path = index.path_at_arc(node);
  look(stack.layers.size());
  return std::any_of(stack.layers.begin(), stack.layers.end(), [&](const StackLayer& at) {
    return registry_.layers()[at.layer]->find_prim(path.view()) != nullptr;
  });
}

// Targets that have opinions already need not be looked at again.
void IndexBuilder::drop_found_targets(PrimIndex& index) const {
  std::erase_if(index.targets, [&](const PrimIndex::Target& target) {
    return has_specs_at_arc(index, target.node);
  });
}

// What an arc leads to has to be there when everything is in place: a variant may bring it.
void IndexBuilder::check_targets(Build& build) {
  const PrimIndex& index = *build.index;
  for (const PrimIndex::Target& target : index.targets) {
    const bool is_own = index.levels_below_arc(target.node) == 0;
    bool found = false;
    for (std::uint32_t i = target.node; !found && i != kNoIndexNode;
         i = index.next_in_tree(i, target.node)) {
      found = is_own ? !index.nodes[i].specs.empty() : has_specs_at_arc(index, i);
    }
    if (found) continue;
    const IndexNode& node = index.nodes[target.node];
    report(
        build, node.parent, "stage-unresolved-arc",
        format_text("The {} to @{}@<{}> is left out: there is no such prim", name_of(node.arc),
                    target.is_internal ? std::string()
                                       : shown(registry_.layers()[node.stack->root]->identifier()),
                    shown(index.path_at_arc(target.node).view())),
        target.stack_layer, target.line, index.levels_below_arc(target.node));
  }
}

}  // namespace sinew::stage
