// SPDX-License-Identifier: Apache-2.0
// Which sites of a prim are stronger than others.
#include <algorithm>
#include <utility>

#include "stage/prim_index.hpp"

namespace sinew::stage {

PrimIndex::Origin PrimIndex::origin_of(std::uint32_t node) const {
  Origin found{node, 0};
  while (nodes[found.root].origin != nodes[found.root].parent) {
    found.root = nodes[found.root].origin;
    ++found.steps;
  }
  return found;
}

// Whether `inner` is `outer` or follows from it.
bool PrimIndex::is_nested(std::uint32_t inner, std::uint32_t outer) const {
  for (; inner != kNoIndexNode;
       inner = is_propagated(inner) ? nodes[inner].origin : nodes[inner].parent) {
    if (inner == outer) return true;
  }
  return false;
}

bool PrimIndex::has_site_of_origin(std::uint32_t node) const {
  const IndexNode& at = nodes[node];
  return at.stack == nodes[at.origin].stack && at.path == nodes[at.origin].path;
}

// How deep the prim is that the first class of a node's chain of classes is a class of.
std::uint32_t PrimIndex::hierarchy_depth(std::uint32_t node) const {
  std::uint32_t instance = class_hierarchy(node).instance;
  while (nodes[instance].arc == Arc::relocate) instance = nodes[instance].parent;
  return nodes[instance].depth;
}

// Climbs from two nodes to the siblings that they are or follow from. If one node follows from the
// other there are none: tells then which is the outer one, as compare() does.
int PrimIndex::climb_to_siblings(std::uint32_t& a, std::uint32_t& b) const {
  const auto level = [&](std::uint32_t node) {
    std::uint32_t count = 0;
    for (; nodes[node].parent != kNoIndexNode; node = nodes[node].parent) ++count;
    return count;
  };
  std::uint32_t level_a = level(a);
  std::uint32_t level_b = level(b);
  const int outer = level_a < level_b ? -1 : 1;
  for (; level_a > level_b; --level_a) a = nodes[a].parent;
  for (; level_b > level_a; --level_b) b = nodes[b].parent;
  if (a == b) return outer;
  while (nodes[a].parent != nodes[b].parent) {
    a = nodes[a].parent;
    b = nodes[b].parent;
  }
  return 0;
}

// Which of two nodes comes first in the tree as it is linked.
int PrimIndex::compare_in_tree(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  if (const int outer = climb_to_siblings(a, b); outer != 0) return outer;
  const std::int64_t rank_a = nodes[a].rank;
  const std::int64_t rank_b = nodes[b].rank;
  if (rank_a == IndexNode::kUnlinked || rank_b == IndexNode::kUnlinked) {
    return static_cast<int>(rank_a == IndexNode::kUnlinked) -
           static_cast<int>(rank_b == IndexNode::kUnlinked);
  }
  return rank_a < rank_b ? -1 : 1;
}

// What is specialized stands at the root, wherever its arc is. It is stronger where its arc was
// introduced deeper, unless one arc follows from the other; then as the arcs are; and of what
// follows from one arc, the outermost.
int PrimIndex::compare_specialized(std::uint32_t a, std::uint32_t b) const {
  const IndexNode& x = nodes[a];
  const IndexNode& y = nodes[b];
  const Origin origin_a = origin_of(a);
  const Origin origin_b = origin_of(b);
  if (x.depth != y.depth && !is_nested(origin_a.root, origin_b.root) &&
      !is_nested(origin_b.root, origin_a.root)) {
    return x.depth > y.depth ? -1 : 1;
  }
  const bool is_authored_a = x.origin == x.parent;
  const bool is_authored_b = y.origin == y.parent;
  const auto compare_implied = [&]() -> int {
    const bool is_implied_a = !has_site_of_origin(a);
    const bool is_implied_b = !has_site_of_origin(b);
    if (is_implied_a == is_implied_b) return 0;
    return is_implied_a ? -1 : 1;
  };
  if (x.origin == y.origin) {
    if (!is_authored_a && !is_authored_b) return compare_implied();
    return x.order == y.order ? 0 : (x.order < y.order ? -1 : 1);
  }
  if (origin_a.root != origin_b.root) return compare_in_tree(origin_a.root, origin_b.root);
  const std::uint32_t depth_a = is_authored_a ? 0 : hierarchy_depth(x.origin);
  const std::uint32_t depth_b = is_authored_b ? 0 : hierarchy_depth(y.origin);
  if (depth_a != depth_b) return depth_a < depth_b ? -1 : 1;
  if (origin_a.steps != origin_b.steps) return origin_a.steps > origin_b.steps ? -1 : 1;
  if (x.stack == nodes[0].stack && y.stack == nodes[0].stack && !is_authored_a && !is_authored_b) {
    if (const int implied = compare_implied(); implied != 0) return implied;
  }
  return compare_in_tree(x.origin, y.origin);
}

// Siblings: by kind of arc, what was introduced deeper, what follows from a stronger node, and then
// as authored.
int PrimIndex::compare_siblings(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  const IndexNode& x = nodes[a];
  const IndexNode& y = nodes[b];
  if (x.arc != y.arc) return x.arc < y.arc ? -1 : 1;
  if (x.arc == Arc::specialize) return compare_specialized(a, b);
  if (x.depth != y.depth) return x.depth > y.depth ? -1 : 1;
  if (x.origin != y.origin) return compare_in_tree(x.origin, y.origin);
  return x.order == y.order ? 0 : (x.order < y.order ? -1 : 1);
}

int PrimIndex::compare(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  const int outer = climb_to_siblings(a, b);
  return outer != 0 ? outer : compare_siblings(a, b);
}

// Being stronger is not a strict order of what is specialized, as depth counts between some nodes
// but not between others: where a node ends up depends on those that are there already. It is
// compared with the first and the last of them before the others.
std::size_t PrimIndex::link(std::uint32_t node) {
  const std::uint32_t first = nodes[nodes[node].parent].first_child;
  const auto is_before = [&](std::uint32_t other) { return compare_siblings(node, other) < 0; };
  std::size_t passed = 1;
  std::uint32_t before = kNoIndexNode;
  if (first != kNoIndexNode && !is_before(first)) {
    before = first;
    for (; nodes[before].next_sibling != kNoIndexNode; ++passed) {
      before = nodes[before].next_sibling;
    }
    if (before != first && is_before(before)) {
      before = first;
      while (!is_before(nodes[before].next_sibling)) before = nodes[before].next_sibling;
    }
  }
  link_behind(node, before);
  return passed;
}

// Ranks leave room for what comes between them later; where there is none any more all are new.
void PrimIndex::link_behind(std::uint32_t node, std::uint32_t before) {
  constexpr std::int64_t kStep = std::int64_t{1} << 32;
  std::uint32_t& place =
      before == kNoIndexNode ? nodes[nodes[node].parent].first_child : nodes[before].next_sibling;
  const std::uint32_t after = std::exchange(place, node);
  nodes[node].next_sibling = after;
  const std::int64_t low = before != kNoIndexNode  ? nodes[before].rank
                           : after != kNoIndexNode ? nodes[after].rank - 2 * kStep
                                                   : -kStep;
  const std::int64_t high = after != kNoIndexNode ? nodes[after].rank : low + 2 * kStep;
  nodes[node].rank = low + (high - low) / 2;
  if (nodes[node].rank != low) return;
  std::int64_t rank = 0;
  for (std::uint32_t i = nodes[nodes[node].parent].first_child; i != kNoIndexNode;
       i = nodes[i].next_sibling) {
    nodes[i].rank = rank += kStep;
  }
}

std::uint32_t PrimIndex::next_in_tree(std::uint32_t node, std::uint32_t top, bool prune) const {
  if (!prune && nodes[node].first_child != kNoIndexNode) return nodes[node].first_child;
  while (node != top && nodes[node].next_sibling == kNoIndexNode) node = nodes[node].parent;
  return node == top ? kNoIndexNode : nodes[node].next_sibling;
}

std::vector<std::uint32_t> PrimIndex::strength_order() const {
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  for (std::uint32_t i = 0; i != kNoIndexNode; i = next_in_tree(i, 0, nodes[i].culled)) {
    if (!nodes[i].culled) order.push_back(i);
  }
  return order;
}

// Which nodes are not culled, or needed by such that are not: what these follow from and their
// parents, which their strength is told by.
std::vector<char> PrimIndex::needed_nodes() const {
  const auto is_culled = [](const IndexNode& node) { return node.culled; };
  if (std::none_of(nodes.begin(), nodes.end(), is_culled)) {
    return std::vector<char>(nodes.size(), 1);
  }
  std::vector<char> needed(nodes.size(), 0);
  std::vector<std::uint32_t> open;
  const auto need = [&](std::uint32_t node) {
    if (node == kNoIndexNode || needed[node] != 0) return;
    needed[node] = 1;
    open.push_back(node);
  };
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].culled) need(i);
  }
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    need(nodes[node].parent);
    need(nodes[node].origin);
  }
  return needed;
}

void PrimIndex::finish() {
  const std::vector<char> needed = needed_nodes();
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  for (std::uint32_t i = 0; i != kNoIndexNode; i = next_in_tree(i, 0, needed[i] == 0)) {
    if (needed[i] != 0) order.push_back(i);
  }
  targets.clear();
  ended.clear();
  rearrange(order);
}

void PrimIndex::rearrange(const std::vector<std::uint32_t>& order) {
  bool in_order = order.size() == nodes.size();
  for (std::uint32_t i = 0; in_order && i < order.size(); ++i) in_order = order[i] == i;
  if (in_order) return;
  std::vector<std::uint32_t> place(nodes.size(), kNoIndexNode);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const auto moved = [&](std::uint32_t i) { return i == kNoIndexNode ? i : place[i]; };
  // Siblings stay in their order.
  const auto next_kept = [&](std::uint32_t i) {
    while (i != kNoIndexNode && place[i] == kNoIndexNode) i = nodes[i].next_sibling;
    return moved(i);
  };
  for (const std::uint32_t i : order) {
    IndexNode& node = nodes[i];
    node.parent = moved(node.parent);
    node.origin = moved(node.origin);
    node.first_child = next_kept(node.first_child);
  }
  std::vector<IndexNode> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t i : order) {
    const std::uint32_t next = next_kept(nodes[i].next_sibling);
    sorted.push_back(std::move(nodes[i]));
    sorted.back().next_sibling = next;
  }
  nodes = std::move(sorted);
  for (Target& target : targets) target.node = place[target.node];
}

}  // namespace sinew::stage
