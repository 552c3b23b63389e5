// SPDX-License-Identifier: Apache-2.0
#include "stage/prim_index.hpp"

#include <algorithm>
#include <unordered_set>

namespace sinew::stage {

using layer::Path;
using layer::PrimSpec;

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

std::uint32_t depth_of(const Path& path) noexcept {
  const std::string_view text = path.view();
  if (text.find('{') == std::string_view::npos) {
    return text == "/" ? 0 : static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '/'));
  }
  std::uint32_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      i = text.find('}', i);
      if (i == std::string_view::npos) break;
      if (i + 1 < text.size() && text[i + 1] != '{') ++depth;
    } else if (text[i] == '/') {
      ++depth;
    }
  }
  return depth;
}

std::uint32_t element_count(const Path& path) noexcept {
  const std::string_view text = path.view();
  return depth_of(path) + static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '{'));
}

std::uint32_t PrimIndex::levels_below_arc(std::uint32_t node) const {
  const IndexNode& at = nodes[node];
  return at.parent == kNoIndexNode ? 0 : depth_of(nodes[at.parent].path) - at.depth;
}

Path PrimIndex::path_at_arc(std::uint32_t node) const {
  Path path = nodes[node].path;
  for (std::uint32_t i = levels_below_arc(node); i > 0; --i) {
    while (path.view().ends_with('}')) path = path.parent();
    path = path.parent();
  }
  return path;
}

bool PrimIndex::is_propagated(std::uint32_t node) const {
  const IndexNode& at = nodes[node];
  return at.arc == Arc::specialize && at.parent == 0 && has_site_of_origin(node);
}

std::uint32_t PrimIndex::propagated_of(std::uint32_t node) const {
  if (nodes[node].arc != Arc::specialize) return kNoIndexNode;
  for (std::uint32_t c = nodes[0].first_child; c != kNoIndexNode; c = nodes[c].next_sibling) {
    if (nodes[c].origin == node && is_propagated(c)) return c;
  }
  return kNoIndexNode;
}

bool PrimIndex::has_class_child(std::uint32_t node) const {
  for (std::uint32_t c = nodes[holder_of(node)].first_child; c != kNoIndexNode;
       c = nodes[c].next_sibling) {
    if (is_class_arc(nodes[c].arc)) return true;
  }
  return false;
}

PrimIndex::ClassHierarchy PrimIndex::class_hierarchy(std::uint32_t node) const {
  const auto place_of_arc = [&](std::uint32_t i) { return is_propagated(i) ? nodes[i].origin : i; };
  ClassHierarchy found{place_of_arc(node), node};
  const std::uint32_t levels = levels_below_arc(found.instance);
  while (is_class_arc(nodes[found.instance].arc) && levels_below_arc(found.instance) == levels) {
    found.first_class = found.instance;
    found.instance = place_of_arc(nodes[found.instance].parent);
  }
  return found;
}

void PrimIndex::make_inert(std::uint32_t node) {
  IndexNode& at = nodes[node];
  if (at.inert) return;
  at.inert = true;
  if (at.restricted == 0) at.restricted = element_count(at.path);
}

void PrimIndex::make_tree_inert(std::uint32_t top) {
  for (std::uint32_t i = top; i != kNoIndexNode; i = next_in_tree(i, top)) make_inert(i);
}

void PrimIndex::elide_tree(std::uint32_t top) {
  for (std::uint32_t i = top; i != kNoIndexNode; i = next_in_tree(i, top)) {
    nodes[i].culled = true;
    nodes[i].restricted = 1;
  }
}

void PrimIndex::cull() {
  // A class of a prim below the root of the stage's own layer stack is one of the stage: what it
  // has in the layers of others may be moved below it.
  const auto stays = [&](std::uint32_t i) {
    const IndexNode& node = nodes[i];
    if (node.culled) return false;
    if (levels_below_arc(i) == 0 || node.serves_clips) return true;
    if (node.arc == Arc::inherit && node.stack == nodes[0].stack) {
      const std::uint32_t authored = node.origin == node.parent ? i : origin_of(i).root;
      if (has_ancestors(path_at_arc(authored))) return true;
    }
    return !node.specs.empty() && !node.inert;
  };
  bool all_stay = true;  // As in most prims that have arcs of their own.
  for (std::uint32_t i = 0; all_stay && i < nodes.size(); ++i) {
    all_stay = !nodes[i].culled && levels_below_arc(i) == 0;
  }
  if (all_stay) return;
  std::vector<char> holds(nodes.size(), 0);  // Children that stay.
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  for (std::uint32_t i = 0; i != kNoIndexNode; i = next_in_tree(i, 0)) order.push_back(i);
  for (auto i = order.rbegin(); i + 1 != order.rend(); ++i) {
    IndexNode& node = nodes[*i];
    node.culled = node.culled || (holds[*i] == 0 && !stays(*i));
    // What stayed for others to follow from may have got something that counts.
    const bool is_elided = node.restricted == 1;
    if (holds[*i] != 0 && !is_elided) node.culled = false;
    if (!node.culled) holds[node.parent] = 1;
  }
}

bool PrimIndex::may_be_instance() const {
  for (std::uint32_t i = 0; i != kNoIndexNode; i = next_in_tree(i, 0, nodes[i].culled)) {
    if (is_shared(i)) return true;
  }
  return false;
}

void PrimIndex::ignore_ancestral_nodes() {
  is_instance = true;
  for (std::uint32_t i = 0; i != kNoIndexNode;) {
    const bool stops = nodes[i].culled || is_shared(i);
    if (!stops) make_inert(i);
    i = next_in_tree(i, 0, stops);
  }
}

bool PrimIndex::has_site(const LayerStack* stack, const Path& path) const {
  const auto has = [&](const auto& site) { return site.stack == stack && site.path == path; };
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const IndexNode& node) { return node.counts() && has(node); }) ||
         std::any_of(ended.begin(), ended.end(), has);
}

std::uint32_t PrimIndex::child_with_site(std::uint32_t parent, const LayerStack* stack,
                                         const Path& path) const {
  std::uint32_t child = nodes[parent].first_child;
  while (child != kNoIndexNode && (nodes[child].stack != stack || nodes[child].path != path)) {
    child = nodes[child].next_sibling;
  }
  return child;
}

namespace {

// Leaves out what a layer stack moves away from below `path`, and adds what it moves there. What is
// renamed in place keeps its place. Names that something was moved away from are `prohibited`, also
// for stronger sites.
void relocate_names(const LayerStack& stack, const Path& path, LayerRegistry& registry,
                    std::vector<Token>& names, std::unordered_set<Token>& known,
                    std::unordered_set<Token>& prohibited) {
  if (stack.relocates.empty()) return;
  // Paths below another one follow it in order: the rest of the table need not be looked at.
  for (auto at = stack.relocates.lower_bound(path);
       at != stack.relocates.end() && at->first.has_prefix(path); ++at) {
    const auto& [source, target] = *at;
    if (source.parent() != path) continue;
    const Token name = registry.intern(source.name());
    prohibited.insert(name);
    const auto place = std::find(names.begin(), names.end(), name);
    known.erase(name);
    if (place == names.end()) continue;
    if (!target.empty() && target.parent() == path &&
        known.insert(registry.intern(target.name())).second) {
      *place = registry.intern(target.name());
    } else {
      names.erase(place);
    }
  }
  for (auto at = stack.relocate_sources.lower_bound(path);
       at != stack.relocate_sources.end() && at->first.has_prefix(path); ++at) {
    const auto& [target, source] = *at;
    if (target.parent() != path || source.parent() == path) continue;
    const Token name = registry.intern(target.name());
    if (known.insert(name).second) names.push_back(name);
  }
}

}  // namespace

std::vector<Token> child_names(const PrimIndex& index, LayerRegistry& registry) {
  std::vector<Token> names;
  std::unordered_set<Token> known;
  std::unordered_set<Token> prohibited;
  const std::vector<std::uint32_t> order = index.strength_order();
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const IndexNode& node = index.nodes[*i];
    if (!node.counts() || (index.is_instance && node.specs.empty())) continue;
    relocate_names(*node.stack, node.path, registry, names, known, prohibited);
    for (auto spec = node.specs.rbegin(); spec != node.specs.rend(); ++spec) {
      for (const PrimSpec* child : spec->prim->children) {
        if (known.insert(child->name).second) names.push_back(child->name);
      }
      if (spec->prim->extra != nullptr && !spec->prim->extra->child_order.empty()) {
        layer::ListOp<Token> reorder;
        reorder.ordered = spec->prim->extra->child_order;
        apply_list_op(reorder, names);
      }
    }
  }
  if (!prohibited.empty()) {
    std::erase_if(names, [&](Token name) { return prohibited.contains(name); });
  }
  return names;
}

}  // namespace sinew::stage
