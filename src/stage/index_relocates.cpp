// SPDX-License-Identifier: Apache-2.0
#include "stage/index_builder.hpp"

namespace sinew::stage {

using layer::Path;

// What was moved to a site takes the place of what the arcs of its new ancestors bring there.
void IndexBuilder::evaluate_relocates(Build& build, std::uint32_t node) {
  PrimIndex& index = *build.index;
  const LayerStack& stack = *index.nodes[node].stack;
  const auto found = stack.relocate_sources.find(index.nodes[node].path);
  if (found == stack.relocate_sources.end()) return;
  for (std::uint32_t c = index.nodes[node].first_child; c != kNoIndexNode;
       c = index.nodes[c].next_sibling) {
    if (index.nodes[c].arc != Arc::variant) index.elide_tree(c);
  }
  ArcTarget target;
  target.stack = &stack;
  target.path = found->second;
  target.map = identity_;
  target.contributes = false;  // Opinions at the old place do not count.
  target.has_ancestors = true;
  const std::uint32_t moved = add_arc(build, node, node, Arc::relocate, target);
  if (moved == kNoIndexNode) return;
  // What is there already of what other relocates move to other prims is not for this one.
  for (std::uint32_t i = index.next_in_tree(moved, moved); i != kNoIndexNode;) {
    const IndexNode& at = index.nodes[i];
    const bool is_relocate = at.arc == Arc::relocate;
    const bool moves_on = !is_relocate && at.counts() && at.stack->relocates.contains(at.path);
    if (moves_on) index.elide_tree(i);
    i = index.next_in_tree(i, moved, is_relocate || moves_on);
  }
}

// The place that a prim was moved away from is also one at the stronger sites: classes are implied
// through it, though opinions there do not count.
void IndexBuilder::evaluate_implied_relocates(Build& build, std::uint32_t node) {
  const PrimIndex& index = *build.index;
  if (index.nodes[node].ancestral) return;
  const std::uint32_t parent = index.nodes[node].parent;
  if (parent == kNoIndexNode || index.nodes[parent].parent == kNoIndexNode) return;
  const std::uint32_t outer = index.nodes[parent].parent;
  const Path source = index.nodes[parent].map->to_target(index.nodes[node].path.strip_variants());
  if (source.empty()) return;
  for (std::uint32_t c = index.nodes[outer].first_child; c != kNoIndexNode;
       c = index.nodes[c].next_sibling) {
    if (index.nodes[c].arc == Arc::relocate && index.nodes[c].path == source) return;
  }
  ArcTarget target;
  target.stack = index.nodes[outer].stack;
  target.path = source;
  target.map = identity_;
  target.contributes = false;
  target.implied = true;
  add_arc(build, outer, node, Arc::relocate, target);
}

}  // namespace sinew::stage
