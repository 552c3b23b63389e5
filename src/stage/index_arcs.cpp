// SPDX-License-Identifier: Apache-2.0
// Arcs: which of them are followed, and how what they lead to is put in place.

#include <algorithm>

#include "core/format_text.hpp"
#include "stage/index_builder.hpp"
#include "stage/key_bytes.hpp"

namespace sinew::stage {

namespace {

using layer::LayerOffset;
using layer::Path;

constexpr std::uint32_t kMaxChain = 128;  // Arcs that lead on from one another.
constexpr std::size_t kMostRepeats = 4;   // Of a site among those that led to what is specialized.

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
    exceeds(format_text("The prim has more arcs than the limit of {}; the rest are left out",
                        options_.limits.arcs_per_prim));
    return false;
  }
  if (build.index->nodes[node].chain >= kMaxChain) {
    exceeds(format_text(
        "Arcs lead on from one another more than {} times; further ones are left out", kMaxChain));
    return false;
  }
  if (arc_count_ >= options_.limits.arcs_per_stage) {
    build.is_full = true;
    exceeds(format_text("The stage has more arcs than the limit of {}; the rest are left out",
                        options_.limits.arcs_per_stage));
    return false;
  }
  ++arc_count_;
  return true;
}

bool IndexBuilder::Place::goes_up() {
  const std::uint32_t above = get().parent;
  if (above != kNoIndexNode) {
    node = above;
    return true;
  }
  if (build->outer == nullptr) return false;
  node = build->arc_parent;
  build = build->outer;
  return true;
}

// A prim cannot be composed from itself, from what it is part of, or from its own parts.
bool IndexBuilder::is_cycle(const Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                            const ArcTarget& target) const {
  if (arc == Arc::variant) return false;  // The very prim, elsewhere in its layers.
  if (is_class_arc(arc) && parent != origin) {
    // Where something was moved from, classes only stand for being implied further.
    Place place{&build, parent};
    while (is_class_arc(place.arc()) && place.goes_up()) {
    }
    if (place.arc() == Arc::relocate) return false;
  }
  const Build* at = &build;
  Path path = target.path;
  std::uint32_t node = parent;
  std::size_t repeats = 0;
  while (true) {
    bool is_apart = false;
    while (node != kNoIndexNode) {
      const IndexNode& site = at->index->nodes[node];
      if (site.stack == target.stack &&
          (site.path.has_prefix(path) || path.has_prefix(site.path)) &&
          (!is_apart || node == 0 || ++repeats > kMostRepeats)) {
        return true;
      }
      // What is specialized stands at the root; what led to it is elsewhere.
      const bool is_propagated = at->index->is_propagated(node);
      is_apart = is_apart || is_propagated;
      node = is_propagated ? site.origin : site.parent;
    }
    if (at->outer == nullptr) return false;
    // Seen from there, it is the prim further down that the site is composed for.
    path = extend(path, at->rest);
    node = at->arc_parent;
    at = at->outer;
  }
}

bool IndexBuilder::is_duplicate(const Build& build, const ArcTarget& target) const {
  if (!target.skip_duplicates && (build.outer == nullptr || !build.skip_duplicates)) return false;
  Path path = target.path;
  for (const Build* at = &build; at != nullptr; at = at->outer) {
    look(at->index->nodes.size() + at->index->ended.size());
    if (at->index->has_site(target.stack, path)) return true;
    path = extend(path, at->rest);
  }
  return false;
}

// How paths below an arc's source read at `parent`, where the layer stack may move some of them.
// Where many are moved, each of them has the arc again at the place it was moved from.
std::shared_ptr<const PathMap> IndexBuilder::arc_map(const LayerStack& stack, const Path& parent,
                                                     const Path& source, const LayerOffset& offset,
                                                     bool root_identity) {
  const Path target = parent.strip_variants();
  const auto& relocates = stack.full_relocates;
  const auto begin = std::lower_bound(
      relocates.begin(), relocates.end(), target,
      [](const PathMap::Pair& pair, const Path& path) { return pair.first < path; });
  if (begin == relocates.end() || !begin->first.has_prefix(target)) {
    return std::make_shared<const PathMap>(source, target, root_identity, offset);
  }
  std::string key;
  append_bytes(key, &stack, offset.offset, offset.scale);
  key += root_identity ? '/' : ' ';
  key += source.view();
  key += '\n';
  key += target.view();
  std::uint32_t& made = made_maps_.try_emplace(std::move(key), kNoIndexNode).first->second;
  if (made == kNoIndexNode) {
    auto end = begin;
    while (end != relocates.end() && end->first.has_prefix(target)) ++end;
    steps_ += kStepsPerPair * static_cast<std::uint64_t>(end - begin);
    std::vector<PathMap::Pair> pairs(begin, end);
    // What leads to one place comes from one: from where it was before anything was moved.
    std::erase_if(pairs, [&](const PathMap::Pair& pair) {
      const auto nested = stack.nested_relocates.find(pair.first);
      return nested != stack.nested_relocates.end() && nested->second.has_prefix(target);
    });
    PathMap map =
        PathMap(std::move(pairs), true).in_steps().after(PathMap(source, target, false, offset));
    if (root_identity) map = map.with_root_identity();
    made = keep(std::make_shared<const PathMap>(std::move(map)));
  }
  return kept_maps_[made];
}

std::uint32_t IndexBuilder::keep(std::shared_ptr<const PathMap> map) {
  kept_maps_.push_back(std::move(map));
  return static_cast<std::uint32_t>(kept_maps_.size() - 1);
}

std::shared_ptr<const PathMap> IndexBuilder::compose_maps(
    const std::shared_ptr<const PathMap>& outer, const std::shared_ptr<const PathMap>& inner) {
  const std::size_t pairs = outer->size() + inner->size();
  if (pairs <= kUsualPairs) return std::make_shared<const PathMap>(outer->after(*inner));
  std::string key;
  append_bytes(key, outer.get(), inner.get());
  std::uint32_t& made = made_maps_.try_emplace(std::move(key), kNoIndexNode).first->second;
  if (made == kNoIndexNode) {
    steps_ += kStepsPerPair * pairs;
    keep(outer);  // They have their addresses for good.
    keep(inner);
    made = keep(std::make_shared<const PathMap>(outer->after(*inner)));
  }
  return kept_maps_[made];
}

// How a node's paths read at the root of its index.
std::shared_ptr<const PathMap> IndexBuilder::map_to_root(const PrimIndex& index,
                                                         std::uint32_t node) {
  std::shared_ptr<const PathMap> map = identity_;
  for (; node != 0; node = index.nodes[node].parent) {
    ++steps_;
    const std::shared_ptr<const PathMap>& arc = index.nodes[node].map;
    if (!arc->is_identity() || arc->offset() != layer::LayerOffset{}) map = compose_maps(arc, map);
  }
  return map;
}

PrimIndex IndexBuilder::target_index(const Build& outer, std::uint32_t parent, Arc arc,
                                     const ArcTarget& target, bool& is_moved) {
  std::vector<Path> sites;  // From the target up to a variant or the root.
  for (Path path = target.path; !path.is_root() && !path.empty(); path = path.parent()) {
    sites.push_back(path);
    if (path.view().ends_with('}')) break;
  }
  const bool is_in_variant = sites.back().view().ends_with('}');
  PrimIndex index = root_index(*target.stack);
  index.nodes[0].chain = outer.index->nodes[parent].chain + 1;
  if (is_in_variant) {
    index.nodes[0].path = sites.back();
    index.nodes[0].specs.clear();
    find_specs(index.nodes[0]);
  }
  for (std::size_t i = sites.size(); i-- > 0;) {
    const bool is_variant = is_in_variant && i + 1 == sites.size();
    bool has_arcs = true;
    if (!is_variant) {
      index = descend(index, registry_.intern(sites[i].name()), has_arcs);
      drop_ended(index);
    }
    if (i == 0 && !target.contributes) {
      index.make_inert(0);
      index.nodes[0].specs.clear();
    }
    if (is_variant || !take_away_if_moved(index)) {
      Build build;
      build.index = &index;
      build.outer = &outer;
      build.arc_parent = parent;
      build.arc = arc;
      build.skip_duplicates =
          target.skip_duplicates || (outer.outer != nullptr && outer.skip_duplicates);
      for (std::size_t rest = i; rest-- > 0;) {
        if (!build.rest.empty()) build.rest += '/';
        build.rest += sites[rest].name();
      }
      run(build);
    } else {
      is_moved = true;
    }
    if (i != 0 && is_instance_above(outer, index)) index.ignore_ancestral_nodes();
  }
  return index;
}

// Whether the ancestor of an arc's target that an index is for is an instance. What the stage
// already shows above the prim is known: the index lacks what duplicates the prim's own arcs.
bool IndexBuilder::is_instance_above(const Build& outer, const PrimIndex& index) const {
  const Build* stage = &outer;
  while (stage->outer != nullptr) stage = stage->outer;
  const IndexNode& prim = stage->index->nodes[0];
  const IndexNode& ancestor = index.nodes[0];
  if (ancestor.stack == prim.stack && prim.path != ancestor.path &&
      prim.path.has_prefix(ancestor.path)) {
    const std::vector<std::uint32_t>& known = stage->index->instance_depths;
    return std::find(known.begin(), known.end(), depth_of(ancestor.path)) != known.end();
  }
  return is_instance(index);
}

bool IndexBuilder::is_instance(const PrimIndex& index) const {
  if (!index.may_be_instance()) return false;
  for (std::uint32_t i = 0; i != kNoIndexNode; i = index.next_in_tree(i, 0)) {
    if (!index.nodes[i].counts()) continue;
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
  const auto refuse = [&](std::string_view code, std::string reason) {
    if (target.implied) return;
    const IndexNode& from = build.index->nodes[parent];
    report(build, parent, code,
           format_text("The {} to <{}> is left out: {}", name_of(arc), target.path.view(), reason),
           from.specs.empty() ? 0 : from.specs[0].stack_layer,
           from.specs.empty() ? 0 : from.specs[0].prim->line);
  };
  if (is_cycle(build, parent, origin, arc, target)) {
    refuse("stage-cycle", "the prim would be composed from itself");
    return kNoIndexNode;
  }
  if (is_duplicate(build, target)) return kNoIndexNode;
  if (is_exhausted() || !has_room(build, parent)) return kNoIndexNode;
  PrimIndex sub;
  if (target.has_ancestors) {
    if (depth_of(target.path) > options_.limits.prim_nesting) {
      refuse("stage-limit",
             format_text("the path is deeper than the limit of {}", options_.limits.prim_nesting));
      return kNoIndexNode;
    }
    bool is_moved = false;
    sub = target_index(build, parent, arc, target, is_moved);
    if (is_moved) refuse("stage-unresolved-arc", "a relocate moved the prim away");
  } else {
    IndexNode& root = sub.nodes.emplace_back();
    root.stack = target.stack;
    root.path = target.path;
    if (target.contributes) {
      find_specs(root);
    } else {
      root.inert = true;
      root.restricted = 1;
    }
  }
  return place(build, parent, origin, arc, target, std::move(sub));
}

// A new node may bring classes that are to be implied where its parents are. What is below it was
// looked at when its index was built.
void IndexBuilder::add_implied_classes(Build& build, std::uint32_t node) {
  const PrimIndex& index = *build.index;
  if (!is_class_arc(index.nodes[node].arc)) {
    if (index.has_class_child(node)) add_job(build, {Task::implied_classes, node});
    return;
  }
  // Classes of classes are implied together, from the prim that has the first of them; and through
  // classes of ancestors.
  std::uint32_t start = node;
  while (is_class_arc(index.nodes[start].arc)) {
    const auto [instance, first_class] = index.class_hierarchy(start);
    start = instance;
    // A class below one that an ancestor has is one of that class's own.
    if (is_class_arc(index.nodes[instance].arc) &&
        index.nodes[first_class].path.has_prefix(index.path_at_arc(instance))) {
      break;
    }
  }
  add_job(build, {Task::implied_classes, start});
}

// Puts an index that was built apart below the node that the arc belongs to.
std::uint32_t IndexBuilder::place(Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                                  const ArcTarget& target, PrimIndex sub) {
  std::vector<IndexNode>& nodes = build.index->nodes;
  steps_ += sub.nodes.size();
  const auto first = static_cast<std::uint32_t>(nodes.size());
  build.index->payload_skipped = build.index->payload_skipped || sub.payload_skipped;
  build.index->has_payloads = build.index->has_payloads || sub.has_payloads;
  const std::uint32_t chain = nodes[parent].chain + 1;
  const std::uint32_t sub_chain = sub.nodes[0].chain;
  const auto moved = [first](std::uint32_t i) {
    return i == kNoIndexNode ? kNoIndexNode : i + first;
  };
  for (PrimIndex::Site& site : sub.ended) build.index->add_ended(std::move(site));
  for (PrimIndex::Target open : sub.targets) {
    open.node += first;
    build.index->targets.push_back(open);
  }
  bool has_specialized = arc == Arc::specialize;
  for (std::uint32_t i = 0; i < sub.nodes.size(); ++i) {
    IndexNode& node = nodes.emplace_back(std::move(sub.nodes[i]));
    node.first_child = moved(node.first_child);
    node.mapping = kNoIndexNode;
    node.chain = chain + (node.chain - sub_chain);
    if (i != 0) {
      node.parent = moved(node.parent);
      node.origin = moved(node.origin);
      node.next_sibling = moved(node.next_sibling);
      has_specialized = has_specialized || node.arc == Arc::specialize;
      continue;
    }
    node.parent = parent;
    node.origin = origin;
    node.rank = IndexNode::kUnlinked;
    node.arc = arc;
    node.ancestral = target.is_propagated && nodes[origin].ancestral;
    node.direct = !target.is_propagated || nodes[origin].direct;
    node.map = target.map;
    node.depth = target.depth.value_or(depth_of(nodes[parent].path));
    node.order = target.order;
  }
  const bool is_of_stage = build.outer == nullptr;
  if (is_of_stage && target.has_ancestors && nodes[first].direct) {
    for (std::uint32_t i = first; i < nodes.size(); ++i) nodes[i].direct = true;
  }
  look(build.index->link(first));
  if (target.is_placeholder) return first;
  add_implied_classes(build, first);
  if (is_of_stage && target.has_ancestors && has_specialized) {
    add_job(build, {Task::implied_specializes, first});
  }
  add_jobs_below(build, first, target.has_ancestors, is_of_stage && target.has_ancestors);
  return first;
}

}  // namespace sinew::stage
