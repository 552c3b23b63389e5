// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/sort.hpp"
#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::Path;
using layer::PrimSpec;

// The set and the variant that a path ends in, `levels` names up.
std::pair<std::string, std::string> variant_of(Path path, std::uint32_t levels) {
  for (; levels > 0; --levels) path = path.parent();
  const std::string_view text = path.view();
  const std::size_t open = text.rfind('{');
  const std::size_t equals = text.find('=', open);
  if (open == std::string_view::npos || equals == std::string_view::npos) return {};
  return {std::string(text.substr(open + 1, equals - open - 1)),
          std::string(text.substr(equals + 1, text.find('}', equals) - equals - 1))};
}

}  // namespace

// The selection that a site has for a prim: its own, or one further up in namespace.
std::optional<Token> IndexBuilder::selection_of_site(const IndexNode& node, const Path& path,
                                                     Token set) {
  if (node.ignore_specs) return std::nullopt;
  const auto selection_in = [&](const PrimSpec& spec,
                                std::uint32_t stack_layer) -> std::optional<Token> {
    if (spec.extra == nullptr) return std::nullopt;
    look(spec.extra->variant_selections.size());
    for (const auto& [name, selection] : spec.extra->variant_selections) {
      if (name != set) continue;
      if (!is_expression(selection.view())) return selection;
      return registry_.intern(
          registry_.evaluate(selection.view(), *node.stack, node.stack->layers[stack_layer].layer));
    }
    return std::nullopt;
  };
  Path site = path;
  if (node.path.has_variant_selection()) {  // It has the variants that the node is in.
    site = node.path;
    while (!site.empty() && site.strip_variants() != path) site = site.parent();
    if (site.empty()) site = path;
  }
  if (site == node.path) {
    for (const IndexNode::Spec& spec : node.specs) {
      if (const auto found = selection_in(*spec.prim, spec.stack_layer)) return found;
    }
    return std::nullopt;
  }
  look(1);
  count_lookups(node.stack->layers.size());
  for (std::uint32_t i = 0; i < node.stack->layers.size(); ++i) {
    const layer::Layer& layer = *registry_.layers()[node.stack->layers[i].layer];
    const PrimSpec* spec = layer.find_prim(site.view());
    if (spec == nullptr) continue;
    if (const auto found = selection_in(*spec, i)) return found;
  }
  return std::nullopt;
}

// The selection of a class where it is implied to in the end, the outermost place first: while an
// index is built apart, those places have no nodes yet.
std::optional<Token> IndexBuilder::implied_selection(const std::vector<const Build*>& builds,
                                                     std::size_t level, std::uint32_t node,
                                                     const Path& path, Token set) {
  struct Place {
    const IndexNode* node;
    Path path;
  };
  std::vector<Place> places;
  Path at = path;
  const auto carry = [&](Arc arc, const PathMap& map, const Path& source, const Path& target) {
    if (is_class_arc(arc)) return;
    at = arc == Arc::relocate ? PathMap(source, target, true).to_target(at)
                              : map.with_root_identity().to_target(at);
  };
  node = builds[level]->index->nodes[node].parent;
  while (!at.empty()) {
    const IndexNode& here = builds[level]->index->nodes[node];
    if (here.parent != kNoIndexNode) {
      const IndexNode& outer = builds[level]->index->nodes[here.parent];
      carry(here.arc, *here.map, here.path.strip_variants(), outer.path.strip_variants());
      node = here.parent;
      places.push_back({&outer, at});
    } else {
      if (level == 0) break;
      const Build& build = *builds[level--];
      const IndexNode& outer = build.outer->index->nodes[build.arc_parent];
      // From here, what was below the arc's target before `rest` is below the arc's parent.
      carry(build.arc, *build.arc_map, here.path.strip_variants(), outer.path.strip_variants());
      node = build.arc_parent;
      places.push_back({&outer, at});
    }
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place->path.empty()) continue;
    if (const auto found = selection_of_site(*place->node, place->path, set)) return found;
  }
  return std::nullopt;
}

// The strongest selection at a node and below it. The index of an arc that is still being built
// counts as where the arc will be.
std::optional<Token> IndexBuilder::selection_at(const std::vector<const Build*>& builds,
                                                std::size_t level, std::uint32_t node,
                                                const Path& path, Token set) {
  if (path.empty()) return std::nullopt;
  look(1);
  const PrimIndex& index = *builds[level]->index;
  const IndexNode& at = index.nodes[node];
  if (level > 0 && is_class_arc(at.arc)) {
    if (const auto found = implied_selection(builds, level, node, path, set)) return found;
  }
  if (const auto found = selection_of_site(at, path, set)) return found;
  const Build* inner = level + 1 < builds.size() ? builds[level + 1] : nullptr;
  if (inner != nullptr && inner->arc_parent != node) inner = nullptr;
  const auto look_inside = [&]() -> std::optional<Token> {
    const Path below = inner->arc_map->to_source(path);
    inner = nullptr;
    return selection_at(builds, level + 1, 0, below, set);
  };
  for (std::uint32_t c = at.first_child; c != kNoIndexNode; c = index.nodes[c].next_sibling) {
    const IndexNode& child = index.nodes[c];
    if (inner != nullptr && child.arc > inner->arc) {
      if (const auto found = look_inside()) return found;
    }
    const Path below = child.map->is_identity() ? path : child.map->to_source(path);
    if (const auto found = selection_at(builds, level, c, below, set)) return found;
  }
  return inner == nullptr ? std::nullopt : look_inside();
}

// The selection of a variant that the prim is in already, `levels` up in namespace: it holds for
// every set of that name.
std::optional<Token> IndexBuilder::entered_selection(const Build& build, Token set) {
  std::uint32_t levels = 0;
  for (const Build* at = &build; at->outer != nullptr; at = at->outer) levels += at->levels_up;
  for (const Build* at = &build; at != nullptr; at = at->outer) {
    const PrimIndex& index = *at->index;
    look(index.nodes.size());
    std::uint32_t node = 0;
    while (true) {
      if (index.nodes[node].arc == Arc::variant && index.levels_below_arc(node) == levels) {
        const auto [name, selection] = variant_of(index.nodes[node].path, levels);
        if (name == set.view()) return registry_.intern(selection);
      }
      if (index.nodes[node].first_child != kNoIndexNode) {
        node = index.nodes[node].first_child;
        continue;
      }
      while (node != 0 && index.nodes[node].next_sibling == kNoIndexNode)
        node = index.nodes[node].parent;
      if (node == 0) break;
      node = index.nodes[node].next_sibling;
    }
  }
  return std::nullopt;
}

// The strongest selection in a whole index, given its nodes in order of strength: what is
// specialized anywhere comes last.
std::optional<Token> IndexBuilder::selection_in_order(const PrimIndex& index,
                                                      const std::vector<std::uint32_t>& order,
                                                      const Path& path, Token set) {
  look(index.nodes.size());
  std::vector<Path> paths(index.nodes.size());
  paths[0] = path;
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const Path& above = paths[index.nodes[i].parent];
    const PathMap& map = *index.nodes[i].map;
    if (!above.empty()) paths[i] = map.is_identity() ? above : map.to_source(above);
  }
  for (const std::uint32_t i : order) {
    if (paths[i].empty()) continue;
    if (const auto found = selection_of_site(index.nodes[i], paths[i], set)) return found;
  }
  return std::nullopt;
}

std::optional<Token> IndexBuilder::authored_selection(const Build& build,
                                                      const std::vector<std::uint32_t>& order,
                                                      const Build::VariantSet& set) {
  if (auto entered = entered_selection(build, set.name)) return entered;
  // Every site that the prim's path reaches has a say, the outermost ones first.
  std::vector<const Build*> builds{&build};
  std::uint32_t node = set.node;
  Path path = build.index->nodes[node].path.strip_variants();
  std::uint32_t top = node;
  const Build* at = &build;
  while (true) {
    const IndexNode& here = at->index->nodes[node];
    const bool is_root = here.parent == kNoIndexNode;
    if (is_root && at->outer == nullptr) break;
    const PathMap& map = is_root ? *at->arc_map : *here.map;
    Path further = map.to_target(path);
    if (further.empty()) break;
    path = std::move(further);
    if (is_root) {
      node = at->arc_parent;
      at = at->outer;
      builds.insert(builds.begin(), at);
    } else {
      node = here.parent;
    }
    top = node;
  }
  if (!options_.variant_selections.empty() && at->outer == nullptr && top == 0) {
    const auto prim = options_.variant_selections.find(path.str());
    if (prim != options_.variant_selections.end()) {
      const auto chosen = prim->second.find(set.name.str());
      if (chosen != prim->second.end()) return registry_.intern(chosen->second);
    }
  }
  if (builds.size() == 1 && top == 0) {
    return selection_in_order(*build.index, order, path, set.name);
  }
  return selection_at(builds, 0, top, path, set.name);
}

Token IndexBuilder::fallback_selection(const Build& build, const Build::VariantSet& set) {
  const auto fallbacks = options_.variant_fallbacks.find(set.name.view());
  if (fallbacks == options_.variant_fallbacks.end()) return {};
  const IndexNode& owner = build.index->nodes[set.node];
  for (const std::string& fallback : fallbacks->second) {
    const Token variant = registry_.find_token(fallback);
    if (variant.empty()) continue;
    for (const IndexNode::Spec& spec : owner.specs) {
      const layer::Layer& layer = *registry_.layers()[owner.stack->layers[spec.stack_layer].layer];
      if (layer.find_variant(*spec.prim, set.name, variant) != nullptr) return variant;
    }
  }
  return {};
}

bool IndexBuilder::add_variant(Build& build, const Build::VariantSet& set, Token selection) {
  const IndexNode& owner = build.index->nodes[set.node];
  if (!has_room(build, set.node)) return false;
  PrimIndex sub;
  IndexNode& node = sub.nodes.emplace_back();
  node.stack = owner.stack;
  node.path = Path::from_trusted(
      fmt::format("{}{{{}={}}}", owner.path.view(), set.name.view(), selection.view()));
  for (const IndexNode::Spec& spec : owner.specs) {
    const layer::Layer& layer = *registry_.layers()[owner.stack->layers[spec.stack_layer].layer];
    if (const PrimSpec* variant = layer.find_variant(*spec.prim, set.name, selection)) {
      node.specs.push_back({variant, spec.stack_layer});
    }
  }
  ArcTarget target;
  target.map = identity_;
  target.order = set.order;
  place(build, set.node, set.node, Arc::variant, target, std::move(sub), false);
  return true;
}

// Enters the next variant that is selected; false if there is none left. Selections that someone
// wrote come before fallbacks.
bool IndexBuilder::enter_variant(Build& build) {
  if (build.variant_sets.empty() || build.is_full || is_exhausted()) return false;
  steps_ += build.index->nodes.size() + build.variant_sets.size();
  std::vector<std::uint32_t> position(build.index->nodes.size());
  const std::vector<std::uint32_t> order = build.index->strength_order();
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  stable_sort_range(build.variant_sets.begin(), build.variant_sets.end(),
                    [&](const Build::VariantSet& a, const Build::VariantSet& b) {
                      return position[a.node] != position[b.node]
                                 ? position[a.node] < position[b.node]
                                 : a.order < b.order;
                    });
  for (const bool authored : {true, false}) {
    for (std::size_t i = 0; i < build.variant_sets.size();) {
      if (is_exhausted()) return false;
      const Build::VariantSet set = build.variant_sets[i];
      const std::optional<Token> selection =
          authored ? authored_selection(build, order, set) : fallback_selection(build, set);
      if (!selection || (!authored && selection->empty())) {
        ++i;
        continue;
      }
      build.variant_sets.erase(build.variant_sets.begin() + static_cast<std::ptrdiff_t>(i));
      if (!selection->empty() && add_variant(build, set, *selection)) return true;
    }
  }
  return false;
}

}  // namespace sinew::stage
