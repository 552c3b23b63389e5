// SPDX-License-Identifier: Apache-2.0
#include "stage/prim_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace sinew::stage {

namespace {

using usda::LayerOffset;
using usda::Path;
using usda::PrimSpec;

constexpr std::uint32_t kNone = IndexNode::kNone;
constexpr std::uint32_t kMaxSiteDepth = 100;  // Arcs into prims below the root, inside one another.
constexpr std::uint32_t kMaxChain = 128;      // Arcs that lead on from one another.

std::string_view name_of(Arc arc) noexcept {
  switch (arc) {
    case Arc::root:
      return "root";
    case Arc::inherit:
      return "inherit";
    case Arc::variant:
      return "variant";
    case Arc::relocate:
      return "relocate";
    case Arc::reference:
      return "reference";
    case Arc::payload:
      return "payload";
    case Arc::specialize:
      return "specialize";
  }
  return "arc";
}

// What a layer stack moves elsewhere is found at its new place; what it removes keeps its path.
// Places may lie below other places, so this goes on until nothing moves any more.
Path relocated(const Mapping& map, Path path) {
  if (map.relocates == nullptr) return path;
  constexpr int kMaxMoves = 64;
  for (int moves = 0; moves < kMaxMoves; ++moves) {
    bool moved = false;
    for (Path at = path.prim_path(); !at.empty() && !at.is_root() && !moved; at = at.parent()) {
      const auto found = map.relocates->find(at);
      if (found == map.relocates->end()) continue;
      if (found->second.empty()) return path;
      path = path.replace_prefix(at, found->second);
      moved = true;
    }
    if (!moved) break;
  }
  return path;
}

}  // namespace

usda::Path Mapping::step(const usda::Path& path) const {
  if (source.empty()) return path;
  if (path.has_prefix(source)) return relocated(*this, path.replace_prefix(source, target));
  if (!identity_elsewhere) return {};
  if (path.has_prefix(target)) {
    // What a relocate put there is meant; for other arcs the path means something else there.
    const bool is_relocate = relocates != nullptr && relocates->contains(source);
    return is_relocate ? path : Path();
  }
  return relocated(*this, path);
}

usda::Path map_path(std::span<const Mapping> mappings, std::uint32_t mapping, usda::Path path) {
  for (; mapping != 0 && !path.empty(); mapping = mappings[mapping].outer) {
    path = mappings[mapping].step(path);
  }
  return path;
}

std::string describe(std::span<const Mapping> mappings, std::uint32_t mapping) {
  std::string text;
  for (; mapping != 0; mapping = mappings[mapping].outer) {
    const std::string& label = mappings[mapping].label;
    if (label.empty()) continue;
    text = text.empty() ? label : label + " > " + text;
  }
  return text;
}

std::uint32_t depth_of(const usda::Path& path) noexcept {
  std::uint32_t depth = 0;
  std::string_view text = path.view();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      i = text.find('}', i);
      if (i == std::string_view::npos) break;
      if (i + 1 < text.size() && text[i + 1] != '{') ++depth;
    } else if (text[i] == '/') {
      ++depth;
    }
  }
  return text == "/" ? 0 : depth;
}

IndexBuilder::IndexBuilder(const OpenOptions& options, LayerRegistry& registry)
    : options_(options), registry_(registry) {
  maps.emplace_back();
}

void IndexBuilder::find_specs(IndexNode& node) const {
  for (std::uint32_t i = 0; i < node.stack->layers.size(); ++i) {
    const usda::Layer& layer = *registry_.layers()[node.stack->layers[i].layer];
    if (const PrimSpec* spec = layer.find_prim(node.path.view())) node.specs.push_back({spec, i});
  }
}

std::uint32_t IndexBuilder::add_map(std::uint32_t outer, const Path& source, const Path& target,
                                    const LayerOffset& offset, bool identity_elsewhere,
                                    std::string label, const LayerStack& outer_stack) {
  Mapping map;
  map.outer = outer;
  map.source = source;
  map.target = target;
  map.identity_elsewhere = identity_elsewhere;
  map.offset = compose(maps[outer].offset, offset);
  map.label = std::move(label);
  map.relocates = outer_stack.shared_relocates;
  maps.push_back(std::move(map));
  return static_cast<std::uint32_t>(maps.size() - 1);
}

PrimIndex IndexBuilder::root_index(const LayerStack& stack) {
  PrimIndex index;
  IndexNode& root = index.nodes.emplace_back();
  root.stack = &stack;
  root.path = Path::root();
  find_specs(root);
  return index;
}

PrimIndex IndexBuilder::simple_index(const LayerStack& stack, const PrimSpec& spec,
                                     std::uint32_t stack_layer) {
  PrimIndex index;
  IndexNode& root = index.nodes.emplace_back();
  root.stack = &stack;
  root.path = usda::Layer::path_of(spec);
  root.specs.push_back({&spec, stack_layer});
  expand(index, {0});
  return index;
}

PrimIndex IndexBuilder::child_index(const PrimIndex& parent, Token name) {
  PrimIndex index = descend(parent, name, false);
  std::vector<std::uint32_t> work;
  for (std::uint32_t i = 0; i < index.nodes.size(); ++i) work.push_back(i);
  expand(index, std::move(work));
  return index;
}

// The sites of a child as they follow from those of its parent; its own arcs are not looked at.
PrimIndex IndexBuilder::descend(const PrimIndex& parent, Token name, bool relocating) {
  const std::size_t count = parent.nodes.size();
  std::vector<std::vector<IndexNode::Spec>> specs(count);
  std::vector<char> keep(count, 0);
  std::vector<char> gone(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const IndexNode& node = parent.nodes[i];
    if (i != 0 && gone[node.parent] != 0) {
      gone[i] = 1;
      continue;
    }
    if (!node.stack->relocates.empty() && !(relocating && i == 0)) {
      // What a layer stack moves elsewhere, its sites do not see here.
      if (node.stack->relocates.contains(node.path.strip_variants().child(name.view()))) {
        gone[i] = 1;
        continue;
      }
    }
    if (node.ignore_specs) continue;
    for (const IndexNode::Spec& spec : node.specs) {
      const usda::Layer& layer = *registry_.layers()[node.stack->layers[spec.stack_layer].layer];
      if (const PrimSpec* child = layer.find_child(*spec.prim, name)) {
        specs[i].push_back({child, spec.stack_layer});
      }
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    if (gone[i] == 0 && (i == 0 || !specs[i].empty())) keep[i] = 1;
    if (keep[i] != 0 && i != 0) keep[parent.nodes[i].parent] = 1;
  }
  PrimIndex index;
  index.payload_skipped = parent.payload_skipped;
  std::vector<std::uint32_t> new_index(count, kNone);
  for (std::size_t i = 0; i < count; ++i) {
    if (keep[i] == 0 && i != 0) continue;
    const IndexNode& from = parent.nodes[i];
    new_index[i] = static_cast<std::uint32_t>(index.nodes.size());
    IndexNode& node = index.nodes.emplace_back();
    node.parent = i == 0 ? kNone : new_index[from.parent];
    node.arc = from.arc;
    node.implied = from.implied;
    node.stack = from.stack;
    node.path = from.path.child(name.view());
    node.mapping = from.mapping;
    node.chain = from.chain;
    node.depth = from.depth;
    node.order = from.order;
    node.specs = std::move(specs[i]);
  }
  return index;
}

// The index of any prim of a layer stack, for arcs that lead below root prims.
PrimIndex IndexBuilder::site_index(const LayerStack& stack, const Path& path) {
  if (path.is_root()) return root_index(stack);
  const PrimIndex parent = site_index(stack, path.parent());
  const Path stripped = path.strip_variants();
  for (const auto& [open_stack, open_path] : open_sites_) {
    if (open_stack == &stack && open_path == stripped) return {};  // The caller reports the cycle.
  }
  if (parent.nodes.empty()) return {};
  open_sites_.emplace_back(&stack, stripped);
  const Token name = registry_.find_token(path.name());
  PrimIndex index;
  if (!name.empty()) index = child_index(parent, name);
  open_sites_.pop_back();
  return index;
}

void IndexBuilder::expand(PrimIndex& index, std::vector<std::uint32_t> work) {
  do {
    // First in, first out, so that arcs are found outside in.
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (index.nodes.size() > options_.limits.arcs_per_prim) break;
      evaluate(index, work[i], work);
    }
    work.clear();
  } while (index.nodes.size() <= options_.limits.arcs_per_prim &&
           evaluate_next_variant(index, work));
}

void IndexBuilder::evaluate(PrimIndex& index, std::uint32_t node,
                            std::vector<std::uint32_t>& work) {
  if (!index.nodes[node].stack->relocate_sources.empty()) evaluate_relocates(index, node, work);
  bool any = false;
  for (const IndexNode::Spec& spec : index.nodes[node].specs) {
    any = any || spec.prim->extra != nullptr;
  }
  if (!any || index.nodes[node].ignore_specs) return;
  evaluate_references(index, node, false, work);
  evaluate_references(index, node, true, work);
  evaluate_classes(index, node, Arc::inherit, work);
  evaluate_classes(index, node, Arc::specialize, work);
}

void IndexBuilder::report(const PrimIndex& index, std::uint32_t node, std::string_view code,
                          std::string message, std::uint32_t stack_layer, std::uint32_t line) {
  const IndexNode& at = index.nodes[node];
  const std::uint32_t layer = at.stack->layers[stack_layer].layer;
  if (!reported_.insert(fmt::format("{}\n{}\n{}\n{}", layer, at.path.view(), line, message))
           .second) {
    return;
  }
  if (node != 0) message += fmt::format("; reached by {}", chain_of(index, node));
  registry_.report(Severity::error, code, std::move(message), layer, line, at.path.str());
}

std::string IndexBuilder::chain_of(const PrimIndex& index, std::uint32_t node) const {
  std::vector<std::string> steps;
  constexpr std::size_t kMost = 8;
  for (std::uint32_t i = node; i != kNone; i = index.nodes[i].parent) {
    const IndexNode& at = index.nodes[i];
    if (steps.size() == kMost) {
      steps.emplace_back("...");
      break;
    }
    steps.push_back(
        fmt::format("@{}@<{}>", registry_.layers()[at.stack->root]->identifier(), at.path.view()));
  }
  std::reverse(steps.begin(), steps.end());
  return fmt::format("{}", fmt::join(steps, " -> "));
}

namespace {

// The offset of one step: what takes `outer` to `all` when it is applied first.
LayerOffset relative_offset(const LayerOffset& outer, const LayerOffset& all) noexcept {
  return {(all.offset - outer.offset) / outer.scale, all.scale / outer.scale};
}

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

}  // namespace

}  // namespace sinew::stage

template <>
struct std::hash<sinew::stage::ArcItem> {
  std::size_t operator()(const sinew::stage::ArcItem& item) const noexcept {
    return std::hash<std::string>()(item.asset) ^ std::hash<sinew::usda::Path>()(item.path) * 31;
  }
};

namespace sinew::stage {

void IndexBuilder::evaluate_references(PrimIndex& index, std::uint32_t node, bool payloads,
                                       std::vector<std::uint32_t>& work) {
  const LayerStack& stack = *index.nodes[node].stack;
  const std::vector<IndexNode::Spec> specs = index.nodes[node].specs;
  std::vector<ArcItem> items;
  for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
    if (spec->prim->extra == nullptr) continue;
    const auto& op = payloads ? spec->prim->extra->payloads : spec->prim->extra->references;
    if (op.empty()) continue;
    const StackLayer& from = stack.layers[spec->stack_layer];
    const auto convert = [&](const std::vector<usda::Reference>& in, std::vector<ArcItem>& out) {
      for (const usda::Reference& reference : in) {
        ArcItem item;
        item.path = reference.prim_path;
        item.stack_layer = spec->stack_layer;
        item.line = reference.line;
        item.offset = reference.offset;
        if (!std::isfinite(item.offset.offset) || !std::isfinite(item.offset.scale) ||
            item.offset.scale <= 0.0) {
          report(index, node, "stage-bad-offset",
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
    usda::ListOp<ArcItem> converted;
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
      report(index, node, "stage-unresolved-arc",
             fmt::format("the {} to @{}@<{}> is left out: {}", name_of(arc), item.asset,
                         item.path.view(), reason),
             item.stack_layer, item.line);
    };
    if (!item.problem.empty()) {
      leave_out(item.problem);
      continue;
    }
    ArcTarget target;
    target.internal = item.asset.empty();
    target.path = item.path;
    target.offset = item.offset;
    target.stack = &stack;
    if (!target.internal) {
      target.stack = registry_.stack(item.layer, &stack);
      target.internal = target.stack == &stack;
      target.offset.scale *= stack.rate / target.stack->rate;
    }
    if (target.path.empty()) {
      const usda::Layer& layer = *registry_.layers()[target.stack->root];
      const usda::Value* name = layer.field("defaultPrim");
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
    const std::size_t before = index.nodes.size();
    add_arc(index, node, arc, target, false, i, work);
    if (index.nodes.size() == before) continue;
    bool found = false;
    for (std::size_t n = before; n < index.nodes.size(); ++n) {
      found = found || !index.nodes[n].specs.empty();
    }
    if (!found) leave_out("there is no such prim");
  }
}

void IndexBuilder::evaluate_classes(PrimIndex& index, std::uint32_t node, Arc arc,
                                    std::vector<std::uint32_t>& work) {
  std::vector<Path> classes;
  const std::vector<IndexNode::Spec>& specs = index.nodes[node].specs;
  for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
    if (spec->prim->extra == nullptr) continue;
    apply_list_op(
        arc == Arc::inherit ? spec->prim->extra->inherits : spec->prim->extra->specializes,
        classes);
  }
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    ArcTarget target;
    target.stack = index.nodes[node].stack;
    target.path = classes[i];
    const auto before = static_cast<std::uint32_t>(index.nodes.size());
    add_arc(index, node, arc, target, false, i, work);
    if (index.nodes.size() > before) imply(index, before, work);
  }
}

// A class that a referenced prim inherits is also looked for in every stronger layer stack.
void IndexBuilder::imply(PrimIndex& index, std::uint32_t class_node,
                         std::vector<std::uint32_t>& work) {
  const Arc arc = index.nodes[class_node].arc;
  const std::uint32_t order = index.nodes[class_node].order;
  Path path = index.nodes[class_node].path;
  std::uint32_t at = index.nodes[class_node].parent;
  while (at != kNone && index.nodes[at].parent != kNone) {
    const IndexNode& source = index.nodes[at];
    const std::uint32_t outer = source.parent;
    if (source.arc != Arc::variant) {
      const Mapping& map = maps[source.mapping];
      if (!map.source.empty() && path.has_prefix(map.source)) {
        path = path.replace_prefix(map.source, map.target);
      }
    }
    ArcTarget target;
    target.stack = index.nodes[outer].stack;
    target.path = path;
    const bool known = has_site(index, target.stack, path);
    if (source.arc != Arc::variant && !known && !is_cycle(index, outer, target)) {
      add_arc(index, outer, arc, target, true, order, work);
    }
    at = outer;
  }
}

void IndexBuilder::evaluate_relocates(PrimIndex& index, std::uint32_t node,
                                      std::vector<std::uint32_t>& work) {
  const IndexNode& at = index.nodes[node];
  if (at.arc == Arc::variant) return;
  const auto found = at.stack->relocate_sources.find(at.path.strip_variants());
  if (found == at.stack->relocate_sources.end()) return;
  ArcTarget target;
  target.stack = at.stack;
  target.path = found->second;
  add_arc(index, node, Arc::relocate, target, false, 0, work);
}

bool IndexBuilder::has_site(const PrimIndex& index, const LayerStack* stack,
                            const Path& path) const {
  return std::any_of(index.nodes.begin(), index.nodes.end(), [&](const IndexNode& node) {
    return node.stack == stack && node.path == path;
  });
}

bool IndexBuilder::is_cycle(const PrimIndex& index, std::uint32_t parent,
                            const ArcTarget& target) const {
  for (std::uint32_t i = parent; i != kNone; i = index.nodes[i].parent) {
    const IndexNode& node = index.nodes[i];
    if (node.stack != target.stack) continue;
    const Path own = node.path.strip_variants();
    if (own.has_prefix(target.path)) return true;
  }
  return false;
}

void IndexBuilder::add_arc(PrimIndex& index, std::uint32_t parent, Arc arc, const ArcTarget& target,
                           bool implied, std::uint32_t order, std::vector<std::uint32_t>& work) {
  const auto refuse = [&](std::string_view code, std::string reason) {
    report(index, parent, code,
           fmt::format("the {} to <{}> is left out: {}", name_of(arc), target.path.view(), reason),
           index.nodes[parent].specs.empty() ? 0 : index.nodes[parent].specs[0].stack_layer,
           index.nodes[parent].specs.empty() ? 0 : index.nodes[parent].specs[0].prim->line);
  };
  if (arc != Arc::relocate && is_cycle(index, parent, target)) {
    refuse("stage-cycle", "the prim would be composed from itself");
    return;
  }
  if (index.nodes.size() >= options_.limits.arcs_per_prim) {
    refuse("stage-limit", fmt::format("the prim has more arcs than the limit of {}",
                                      options_.limits.arcs_per_prim));
    return;
  }
  if (index.nodes[parent].chain >= kMaxChain) {
    refuse("stage-limit",
           fmt::format("arcs lead on from one another more than {} times", kMaxChain));
    return;
  }
  if (++arc_count_ > options_.limits.arcs_per_stage) {
    if (arc_count_ == std::uint64_t{options_.limits.arcs_per_stage} + 1) {
      refuse("stage-limit", fmt::format("the stage has more arcs than the limit of {}",
                                        options_.limits.arcs_per_stage));
    }
    return;
  }
  // Arcs into prims below the root bring what their ancestors compose from.
  PrimIndex sub;
  if (target.path.parent().is_root() && arc != Arc::relocate) {
    IndexNode& root = sub.nodes.emplace_back();
    root.stack = target.stack;
    root.path = target.path;
    find_specs(root);
  } else {
    if (site_depth_ >= kMaxSiteDepth) {
      refuse("stage-limit",
             fmt::format("arcs lead into one another deeper than {}", kMaxSiteDepth));
      return;
    }
    ++site_depth_;
    const PrimIndex above = site_index(*target.stack, target.path.parent());
    --site_depth_;
    const Token name = registry_.find_token(target.path.name());
    if (above.nodes.empty()) {
      refuse("stage-cycle", "the prim would be composed from itself");
      return;
    }
    if (name.empty()) {
      IndexNode& root = sub.nodes.emplace_back();
      root.stack = target.stack;
      root.path = target.path;
    } else {
      sub = descend(above, name, arc == Arc::relocate);
    }
    if (arc == Arc::relocate) {
      sub.nodes[0].specs.clear();  // Opinions at the old place do not count.
      sub.nodes[0].ignore_specs = true;
    }
  }
  const Path outer_path = index.nodes[parent].path.strip_variants();
  const std::string label = fmt::format(
      "{} {}<{}>", name_of(arc),
      target.internal ? "" : "@" + registry_.layers()[target.stack->root]->identifier() + "@",
      target.path.view());
  const auto first = static_cast<std::uint32_t>(index.nodes.size());
  const std::uint32_t depth = depth_of(outer_path);
  for (std::uint32_t i = 0; i < sub.nodes.size(); ++i) {
    IndexNode node = std::move(sub.nodes[i]);
    if (i == 0) {
      node.parent = parent;
      node.arc = arc;
      node.implied = implied;
      node.depth = depth;
      node.order = order;
      node.mapping = add_map(index.nodes[parent].mapping, target.path, outer_path, target.offset,
                             target.internal, label, *index.nodes[parent].stack);
    } else {
      node.parent += first;
      // The step inside the other stack stays; from there on it leads through this arc.
      Mapping inner = maps[node.mapping];
      const LayerOffset own = relative_offset(maps[inner.outer].offset, inner.offset);
      inner.outer = index.nodes[node.parent].mapping;
      inner.offset = compose(maps[inner.outer].offset, own);
      node.mapping = static_cast<std::uint32_t>(maps.size());
      maps.push_back(std::move(inner));
      // Seen from here they come with the arc, so they are not arcs of this prim itself.
      node.depth = std::min(node.depth, depth == 0 ? 0 : depth - 1);
    }
    node.chain = index.nodes[node.parent].chain + 1;
    index.nodes.push_back(std::move(node));
    work.push_back(first + i);
  }
  for (std::uint32_t i = first + 1; i < index.nodes.size(); ++i) {
    const Arc kind = index.nodes[i].arc;
    if (kind == Arc::inherit || kind == Arc::specialize) imply(index, i, work);
  }
}

Token IndexBuilder::select_variant(const PrimIndex& index, std::uint32_t owner, Token set) {
  if (!options_.variant_selections.empty()) {
    const Path stage_path =
        map_path(maps, index.nodes[owner].mapping, index.nodes[owner].path.strip_variants());
    const auto prim = options_.variant_selections.find(stage_path.str());
    if (prim != options_.variant_selections.end()) {
      const auto chosen = prim->second.find(set.str());
      if (chosen != prim->second.end()) return registry_.intern(chosen->second);
    }
  }
  for (const std::uint32_t i : strength_order(index)) {
    for (const IndexNode::Spec& spec : index.nodes[i].specs) {
      if (spec.prim->extra == nullptr) continue;
      for (const auto& [name, selection] : spec.prim->extra->variant_selections) {
        if (name != set) continue;
        if (!is_expression(selection.view())) return selection;
        const LayerStack& stack = *index.nodes[i].stack;
        return registry_.intern(
            registry_.evaluate(selection.view(), stack, stack.layers[spec.stack_layer].layer));
      }
    }
  }
  const auto fallbacks = options_.variant_fallbacks.find(set.view());
  if (fallbacks == options_.variant_fallbacks.end()) return {};
  for (const std::string& fallback : fallbacks->second) {
    const Token variant = registry_.find_token(fallback);
    for (const IndexNode::Spec& spec : index.nodes[owner].specs) {
      const usda::Layer& layer =
          *registry_.layers()[index.nodes[owner].stack->layers[spec.stack_layer].layer];
      if (!variant.empty() && layer.find_variant(*spec.prim, set, variant) != nullptr) {
        return variant;
      }
    }
  }
  return {};
}

// Enters the next variant that is selected; false if there is none left to look at.
bool IndexBuilder::evaluate_next_variant(PrimIndex& index, std::vector<std::uint32_t>& work) {
  for (const std::uint32_t i : strength_order(index)) {
    std::vector<Token> sets;
    const std::vector<IndexNode::Spec>& specs = index.nodes[i].specs;
    for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
      if (spec->prim->extra != nullptr) apply_list_op(spec->prim->extra->variant_set_names, sets);
    }
    while (index.nodes[i].variant_sets_done < sets.size()) {
      const std::uint32_t which = index.nodes[i].variant_sets_done++;
      const Token selection = select_variant(index, i, sets[which]);
      if (selection.empty()) continue;
      IndexNode node;
      const IndexNode& owner = index.nodes[i];
      node.parent = i;
      node.arc = Arc::variant;
      node.stack = owner.stack;
      node.path = Path::from_trusted(
          fmt::format("{}{{{}={}}}", owner.path.view(), sets[which].view(), selection.view()));
      node.depth = depth_of(owner.path);
      node.order = which;
      for (const IndexNode::Spec& spec : owner.specs) {
        const usda::Layer& layer = *registry_.layers()[owner.stack->layers[spec.stack_layer].layer];
        if (const PrimSpec* variant = layer.find_variant(*spec.prim, sets[which], selection)) {
          node.specs.push_back({variant, spec.stack_layer});
        }
      }
      if (node.specs.empty()) continue;
      ++arc_count_;
      Mapping map;
      map.outer = owner.mapping;
      map.offset = maps[owner.mapping].offset;
      map.label = fmt::format("variant {}={}", sets[which].view(), selection.view());
      maps.push_back(std::move(map));
      node.chain = owner.chain;
      node.mapping = static_cast<std::uint32_t>(maps.size() - 1);
      work.push_back(static_cast<std::uint32_t>(index.nodes.size()));
      index.nodes.push_back(std::move(node));
      return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> IndexBuilder::strength_order(const PrimIndex& index) const {
  const std::size_t count = index.nodes.size();
  if (count == 1) return {0};
  std::vector<std::vector<std::uint32_t>> children(count);
  for (std::uint32_t i = 1; i < count; ++i) children[index.nodes[i].parent].push_back(i);
  for (std::vector<std::uint32_t>& list : children) {
    std::stable_sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
      const IndexNode& x = index.nodes[a];
      const IndexNode& y = index.nodes[b];
      return std::tuple(x.arc, y.depth, x.implied, x.implied ? 0 : x.order) <
             std::tuple(y.arc, x.depth, y.implied, y.implied ? 0 : y.order);
    });
  }
  // Depth first; what is specialized comes after everything else, the outer ones first.
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> later{0};
  while (!later.empty()) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> deferred;  // (depth in the tree, node)
    for (const std::uint32_t top : later) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, top}};
      while (!open.empty()) {
        const auto [level, node] = open.back();
        open.pop_back();
        order.push_back(node);
        for (auto child = children[node].rbegin(); child != children[node].rend(); ++child) {
          if (index.nodes[*child].arc != Arc::specialize) open.emplace_back(level + 1, *child);
        }
        for (const std::uint32_t child : children[node]) {
          if (index.nodes[child].arc == Arc::specialize) deferred.emplace_back(level, child);
        }
      }
    }
    std::stable_sort(deferred.begin(), deferred.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    later.clear();
    for (const auto& entry : deferred) later.push_back(entry.second);
  }
  return order;
}

std::vector<Token> IndexBuilder::child_names(const PrimIndex& index) const {
  std::vector<Token> names;
  std::unordered_set<Token> known;
  const std::vector<std::uint32_t> order = strength_order(index);
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const IndexNode& node = index.nodes[*i];
    if (!node.stack->relocates.empty()) {
      const Path own = node.path.strip_variants();
      for (const auto& [source, target] : node.stack->relocates) {
        if (source.parent() == own) {
          const Token name = registry_.find_token(source.name());
          if (known.erase(name) != 0) std::erase(names, name);
        }
        if (!target.empty() && target.parent() == own && index.nodes.size() > 1) {
          const Token name = registry_.intern(target.name());
          if (known.insert(name).second) names.push_back(name);
        }
      }
    }
    if (node.ignore_specs) continue;
    for (auto spec = node.specs.rbegin(); spec != node.specs.rend(); ++spec) {
      for (const PrimSpec* child : spec->prim->children) {
        if (!node.stack->relocates.empty() &&
            node.stack->relocates.contains(node.path.strip_variants().child(child->name.view()))) {
          continue;
        }
        if (known.insert(child->name).second) names.push_back(child->name);
      }
      if (spec->prim->extra != nullptr && !spec->prim->extra->child_order.empty()) {
        usda::ListOp<Token> reorder;
        reorder.ordered = spec->prim->extra->child_order;
        apply_list_op(reorder, names);
      }
    }
  }
  return names;
}

}  // namespace sinew::stage
