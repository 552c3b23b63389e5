// SPDX-License-Identifier: Apache-2.0
// Arcs: which of them are followed, and how what they lead to is put in place.
#include <fmt/format.h>

#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::LayerOffset;
using layer::Path;

constexpr std::uint32_t kMaxChain = 128;  // Arcs that lead on from one another.

Path extend(const Path& path, const std::string& rest) {
  return rest.empty() ? path : path.child(rest);
}

}  // namespace

// Whether a node may have one more arc. What exceeds a limit in one prim mostly does so in
// thousands.
bool IndexBuilder::has_room(Build& build, std::uint32_t node) {
  const auto exceeds = [&](std::string message) {
    if (!tells_limit()) return;
    const std::vector<IndexNode::Spec>& specs = build.index->nodes[node].specs;
    report(build, node, "stage-limit", std::move(message), specs.empty() ? 0 : specs[0].stack_layer,
           specs.empty() ? 0 : specs[0].prim->line);
  };
  if (build.index->nodes.size() >= options_.limits.arcs_per_prim) {
    build.is_full = true;
    exceeds(fmt::format("The prim has more arcs than the limit of {}; the rest are left out",
                        options_.limits.arcs_per_prim));
    return false;
  }
  if (build.index->nodes[node].chain >= kMaxChain) {
    exceeds(fmt::format(
        "Arcs lead on from one another more than {} times; further ones are left out", kMaxChain));
    return false;
  }
  if (arc_count_ >= options_.limits.arcs_per_stage) {
    build.is_full = true;
    exceeds(fmt::format("The stage has more arcs than the limit of {}; the rest are left out",
                        options_.limits.arcs_per_stage));
    return false;
  }
  ++arc_count_;
  return true;
}

// A prim cannot be composed from itself, from what it is part of, or from its own parts.
bool IndexBuilder::is_cycle(const Build& build, std::uint32_t parent,
                            const ArcTarget& target) const {
  const Build* at = &build;
  Path path = target.path;
  std::uint32_t node = parent;
  while (true) {
    for (; node != kNoIndexNode; node = at->index->above(node)) {
      const IndexNode& site = at->index->nodes[node];
      if (site.stack != target.stack) continue;
      if (site.path.has_variant_selection()) {
        const Path own = site.path.strip_variants();
        if (own.has_prefix(path) || path.has_prefix(own)) return true;
      } else if (site.path.has_prefix(path) || path.has_prefix(site.path)) {
        return true;
      }
    }
    if (at->outer == nullptr) return false;
    // Seen from there, it is the prim further down that the site is composed for.
    path = extend(path, at->rest);
    node = at->arc_parent;
    at = at->outer;
  }
}

bool IndexBuilder::is_duplicate(const Build& build, const ArcTarget& target) const {
  const Build* at = &build;
  Path path = target.path;
  bool skip = target.skip_duplicates;
  while (true) {
    if (skip) look(at->index->nodes.size());
    if (skip && at->index->has_site(target.stack, path)) return true;
    if (at->outer == nullptr) return false;
    skip = skip || at->skip_duplicates;
    path = extend(path, at->rest);
    at = at->outer;
  }
}

// How paths below an arc's source read at `parent`, where the layer stack may move some of them.
std::shared_ptr<const PathMap> IndexBuilder::arc_map(const LayerStack& stack, const Path& parent,
                                                     const Path& source, const LayerOffset& offset,
                                                     bool root_identity) const {
  const Path target = parent.strip_variants();
  PathMap map(source, target, false, offset);
  std::vector<PathMap::Pair> moves;
  for (const auto& [from, to] : stack.full_relocates) {
    if (from.has_prefix(target)) moves.emplace_back(from, to);
  }
  steps_ += stack.full_relocates.size() + moves.size() * moves.size();
  if (!moves.empty()) map = PathMap(std::move(moves), true).after(map);
  return std::make_shared<const PathMap>(root_identity ? map.with_root_identity() : std::move(map));
}

PrimIndex IndexBuilder::target_index(const Build& outer, std::uint32_t parent, Arc arc,
                                     const ArcTarget& target) {
  std::vector<Path> ancestors;  // The target first.
  for (Path path = target.path; !path.is_root() && !path.empty(); path = path.parent()) {
    ancestors.push_back(path);
  }
  PrimIndex index = root_index(*target.stack);
  index.nodes[0].chain = outer.index->nodes[parent].chain + 1;
  for (std::size_t i = ancestors.size(); i-- > 0;) {
    const Token name = registry_.intern(ancestors[i].name());
    bool moved_away = false;
    index = descend(index, name, true, &moved_away);
    if (moved_away) return {};
    Build build;
    build.index = &index;
    build.outer = &outer;
    build.arc_parent = parent;
    build.arc = arc;
    build.arc_map = target.map.get();
    build.skip_duplicates = target.skip_duplicates;
    build.variants = i != 0;  // The target's own are entered where the arc is.
    for (std::size_t rest = i; rest-- > 0;) {
      if (!build.rest.empty()) build.rest += '/';
      build.rest += ancestors[rest].name();
    }
    build.levels_up = static_cast<std::uint32_t>(i);
    if (i == 0 && !target.contributes) {
      index.nodes[0].ignore_specs = true;
      index.nodes[0].specs.clear();
    }
    run(build);
    if (i != 0 && is_instance(index)) index.ignore_ancestral_nodes();
  }
  return index;
}

bool IndexBuilder::is_instance(const PrimIndex& index) const {
  if (!index.has_direct_opinions()) return false;
  for (const std::uint32_t i : index.strength_order()) {
    if (index.nodes[i].ignore_specs) continue;
    for (const IndexNode::Spec& spec : index.nodes[i].specs) {
      if (const layer::Value* value = spec.prim->field("instanceable")) {
        return value->get<bool>().value_or(false);
      }
    }
  }
  return false;
}

std::uint32_t IndexBuilder::add_arc(Build& build, std::uint32_t parent, std::uint32_t origin,
                                    Arc arc, const ArcTarget& target) {
  const IndexNode& from = build.index->nodes[parent];
  const auto refuse = [&](std::string_view code, std::string reason) {
    if (target.implied) return;
    report(build, parent, code,
           fmt::format("The {} to <{}> is left out: {}", name_of(arc), target.path.view(), reason),
           from.specs.empty() ? 0 : from.specs[0].stack_layer,
           from.specs.empty() ? 0 : from.specs[0].prim->line);
  };
  if (arc != Arc::relocate && is_cycle(build, parent, target)) {
    refuse("stage-cycle", "the prim would be composed from itself");
    return kNoIndexNode;
  }
  if (is_duplicate(build, target)) return kNoIndexNode;
  if (is_exhausted() || !has_room(build, parent)) return kNoIndexNode;
  if (arc != Arc::relocate && !target.stack->relocates.empty()) {
    for (Path path = target.path; !path.is_root() && !path.empty(); path = path.parent()) {
      if (!target.stack->relocates.contains(path)) continue;
      refuse("stage-unresolved-arc", "a relocate moved the prim away");
      return kNoIndexNode;
    }
  }
  PrimIndex sub;
  const bool apart =
      !target.path.parent().is_root() && (target.contributes || arc == Arc::relocate);
  if (apart && depth_of(target.path) > options_.limits.prim_nesting) {
    refuse("stage-limit",
           fmt::format("the path is deeper than the limit of {}", options_.limits.prim_nesting));
    return kNoIndexNode;
  }
  if (apart) {
    sub = target_index(build, parent, arc, target);
    if (sub.nodes.empty()) {
      refuse("stage-unresolved-arc", "a relocate moved the prim away");
      return kNoIndexNode;
    }
  } else {
    IndexNode& root = sub.nodes.emplace_back();
    root.stack = target.stack;
    root.path = target.path;
    root.ignore_specs = !target.contributes;
    if (target.contributes) find_specs(root);
  }
  return place(build, parent, origin, arc, target, std::move(sub), apart);
}

// A new node may bring classes that are to be implied where its parents are. What is below it was
// looked at when its index was built.
void IndexBuilder::add_implied_tasks(Build& build, std::uint32_t node) {
  const PrimIndex& index = *build.index;
  if (!is_class_arc(index.nodes[node].arc)) {
    if (index.has_class_child(node)) build.add(Task::implied_classes, node);
    return;
  }
  // Classes of classes are implied together, from the prim that has the first of them; and through
  // classes of ancestors.
  std::uint32_t start = node;
  while (is_class_arc(index.nodes[start].arc)) {
    const std::uint32_t levels = index.levels_below_arc(start);
    std::uint32_t first = start;
    while (is_class_arc(index.nodes[start].arc) && index.levels_below_arc(start) == levels) {
      first = start;
      start = index.nodes[start].parent;
    }
    // A class below one that an ancestor has is one of that class's own.
    if (is_class_arc(index.nodes[start].arc)) {
      Path ancestral = index.nodes[start].path;
      for (std::uint32_t i = index.levels_below_arc(start); i > 0; --i)
        ancestral = ancestral.parent();
      if (index.nodes[first].path.has_prefix(ancestral)) break;
    }
  }
  if (index.nodes[start].parent != kNoIndexNode) build.add(Task::implied_classes, start);
}

// Puts an index that was built apart below the node that the arc belongs to.
std::uint32_t IndexBuilder::place(Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                                  const ArcTarget& target, PrimIndex sub, bool arcs_known) {
  std::vector<IndexNode>& nodes = build.index->nodes;
  steps_ += sub.nodes.size();
  const auto first = static_cast<std::uint32_t>(nodes.size());
  build.index->payload_skipped = build.index->payload_skipped || sub.payload_skipped;
  const std::uint32_t chain = nodes[parent].chain + 1;
  const std::uint32_t sub_chain = sub.nodes[0].chain;
  // A class of an ancestor is one wherever it is implied.
  const std::uint32_t levels =
      is_class_arc(arc) && origin != parent ? build.index->levels_below_arc(origin) : 0;
  const std::uint32_t root_depth = depth_of(nodes[0].path);
  const auto moved = [first](std::uint32_t i) {
    return i == kNoIndexNode ? kNoIndexNode : i + first;
  };
  for (std::uint32_t i = 0; i < sub.nodes.size(); ++i) {
    IndexNode& node = nodes.emplace_back(std::move(sub.nodes[i]));
    node.first_child = moved(node.first_child);
    node.mapping = kNoIndexNode;
    node.root_depth = root_depth;
    node.chain = chain + (node.chain - sub_chain);
    if (i == 0) {
      node.parent = parent;
      node.origin = origin;
      node.arc = arc;
      node.ancestral = levels != 0;
      node.map = target.map;
      node.depth = depth_of(nodes[parent].path) - levels;
      node.order = target.order;
    } else {
      node.parent = moved(node.parent);
      node.origin = moved(node.origin);
      node.next_sibling = moved(node.next_sibling);
    }
  }
  look(build.index->link(first));
  for (std::uint32_t i = first; i < nodes.size(); ++i) add_tasks(build, i, arcs_known);
  add_implied_tasks(build, first);
  return first;
}

}  // namespace sinew::stage
