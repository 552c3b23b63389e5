// SPDX-License-Identifier: Apache-2.0
#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::Path;

void ignore_tree(PrimIndex& index, std::uint32_t top) {
  std::vector<std::uint32_t> open{top};
  while (!open.empty()) {
    IndexNode& node = index.nodes[open.back()];
    open.pop_back();
    node.ignore_specs = true;
    for (std::uint32_t c = node.first_child; c != kNoIndexNode; c = index.nodes[c].next_sibling) {
      open.push_back(c);
    }
  }
}

}  // namespace

// What was moved to a site takes the place of what the arcs of its new ancestors bring there.
void IndexBuilder::evaluate_relocates(Build& build, std::uint32_t node) {
  PrimIndex& index = *build.index;
  const IndexNode& at = index.nodes[node];
  const auto found = at.stack->relocate_sources.find(at.path);
  if (found == at.stack->relocate_sources.end()) return;
  for (std::uint32_t c = at.first_child; c != kNoIndexNode; c = index.nodes[c].next_sibling) {
    if (index.nodes[c].arc != Arc::variant) ignore_tree(index, c);
  }
  ArcTarget target;
  target.stack = at.stack;
  target.path = found->second;
  target.map = identity_;
  target.contributes = false;  // Opinions at the old place do not count.
  add_arc(build, node, node, Arc::relocate, target);
}

// The place that a prim was moved away from is also one at the stronger sites: classes are implied
// through it, though opinions there do not count.
void IndexBuilder::evaluate_implied_relocates(Build& build, std::uint32_t node) {
  PrimIndex& index = *build.index;
  const std::uint32_t parent = index.nodes[node].parent;
  if (parent == kNoIndexNode || index.nodes[parent].parent == kNoIndexNode) return;
  const std::uint32_t outer = index.nodes[parent].parent;
  const Path source = index.nodes[parent].map->to_target(index.nodes[node].path.strip_variants());
  if (source.empty()) return;
  for (std::uint32_t c = index.nodes[outer].first_child; c != kNoIndexNode;
       c = index.nodes[c].next_sibling) {
    if (index.nodes[c].arc == Arc::relocate && index.nodes[c].path == source) return;
  }
  PrimIndex sub;
  IndexNode& root = sub.nodes.emplace_back();
  root.stack = index.nodes[outer].stack;
  root.path = source;
  root.ignore_specs = true;
  ArcTarget target;
  target.stack = root.stack;
  target.path = source;
  target.map = identity_;
  place(build, outer, node, Arc::relocate, target, std::move(sub), false);
}

}  // namespace sinew::stage
