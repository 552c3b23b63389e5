// SPDX-License-Identifier: Apache-2.0
// Which sites of a prim are stronger than others.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/sort.hpp"
#include "stage/prim_index.hpp"

namespace sinew::stage {

namespace {

struct SiteHash {
  std::size_t operator()(const IndexNode* node) const noexcept {
    return std::hash<layer::Path>()(node->path) ^ std::hash<const LayerStack*>()(node->stack);
  }
};

struct SameSite {
  bool operator()(const IndexNode* a, const IndexNode* b) const noexcept {
    return a->stack == b->stack && a->path == b->path;
  }
};

// Orders what is specialized anywhere in an index. All of it is weaker than everything else, as if
// the root had brought it: each of these sites takes part at the root, when its prim is composed,
// and stays there for the prims below.
class SpecializesOrder {
 public:
  explicit SpecializesOrder(const std::vector<IndexNode>& nodes) : nodes_(nodes) {
    number();
    for (std::uint32_t i = nodes[0].first_child; i != kNoIndexNode; i = nodes[i].next_sibling) {
      if (nodes[i].arc == Arc::specialize) break;
      others_depth_ = std::min(others_depth_, nodes[i].root_depth);
    }
  }

  std::vector<std::uint32_t> sort(const std::vector<std::uint32_t>& specialized) {
    std::vector<Item> items;
    items.reserve(specialized.size());
    for (const std::uint32_t node : specialized) items.push_back(make(node));
    // As they came: prim by prim from the top, first what the root has itself.
    stable_sort_range(items.begin(), items.end(), [this](const Item& a, const Item& b) {
      const std::uint32_t depth_a = nodes_[a.node].root_depth;
      const std::uint32_t depth_b = nodes_[b.node].root_depth;
      if (depth_a != depth_b) return depth_a < depth_b;
      return a.copied != b.copied ? b.copied : a.node < b.node;
    });
    for (const Item& item : items) insert(item);
    std::vector<std::uint32_t> sorted;
    sorted.reserve(sorted_.size());
    for (const Item& item : sorted_) {
      for (std::uint32_t i = item.node; i != kNoIndexNode; i = next_of_site_[i]) {
        if (i == item.node || !is_placeholder(i)) sorted.push_back(i);
      }
    }
    return sorted;
  }

 private:
  // Where a node is in the tree, with what is specialized at the place of its arc.
  struct Place {
    std::uint32_t first = 0;  // Numbers of the node, and of the last one below it.
    std::uint32_t last = 0;
    std::uint32_t top =
        kNoIndexNode;  // What the root specializes, and the node is or follows from.
  };

  struct Item {
    std::uint32_t node = 0;
    bool copied = false;       // Stands below another node than the root.
    bool authored = false;     // At the root itself.
    std::uint32_t origin = 0;  // What it follows from when it is at the root.
    std::uint32_t start = 0;   // The authored arc that the chain of origins leads to.
    std::uint32_t steps = 0;   // Origins on the way.
    std::uint32_t depth = 0;   // Of the prim that brings it to the root.
  };

  void number() {
    places_.resize(nodes_.size());
    positions_.resize(nodes_.size(), 0);
    next_of_site_.resize(nodes_.size(), kNoIndexNode);
    std::uint32_t count = 0;
    std::uint32_t at = 0;
    places_[0].first = count++;
    while (true) {
      if (nodes_[at].first_child != kNoIndexNode) {
        at = nodes_[at].first_child;
      } else {
        while (at != 0 && nodes_[at].next_sibling == kNoIndexNode) {
          places_[at].last = count;
          at = nodes_[at].parent;
        }
        places_[at].last = count;
        if (at == 0) return;
        at = nodes_[at].next_sibling;
      }
      places_[at].first = count++;
      const std::uint32_t parent = nodes_[at].parent;
      places_[at].top = parent != 0 ? places_[parent].top
                                    : (nodes_[at].arc == Arc::specialize ? at : kNoIndexNode);
    }
  }

  Item make(std::uint32_t node) const {
    const IndexNode& at = nodes_[node];
    Item item;
    item.node = node;
    item.copied = at.parent != 0;
    item.authored = at.parent == 0 && at.origin == 0;
    item.origin = item.copied ? node : at.origin;
    item.depth = item.copied ? at.root_depth : at.depth;
    item.steps = item.copied ? 1 : 0;
    item.start = node;
    while (nodes_[item.start].origin != nodes_[item.start].parent) {
      item.start = nodes_[item.start].origin;
      ++item.steps;
    }
    return item;
  }

  bool are_nested(std::uint32_t a, std::uint32_t b) const {
    const auto holds = [&](const Place& outer, const Place& inner) {
      return outer.first <= inner.first && inner.first < outer.last;
    };
    return holds(places_[a], places_[b]) || holds(places_[b], places_[a]);
  }

  bool stands_before(std::uint32_t a, std::uint32_t b) const {
    const Place& x = places_[a];
    const Place& y = places_[b];
    if (x.top == y.top) return x.first < y.first;
    if (x.top == kNoIndexNode || y.top == kNoIndexNode) return x.top == kNoIndexNode;
    return positions_[x.top] < positions_[y.top];
  }

  bool is_local(const Item& item) const {
    return !item.authored && nodes_[item.node].stack == nodes_[0].stack;
  }

  // Whether an item has a site of its own where it is, rather than that of its origin.
  bool is_implied(const Item& item) const {
    return !item.copied && (nodes_[item.node].stack != nodes_[item.origin].stack ||
                            nodes_[item.node].path != nodes_[item.origin].path);
  }

  // Whether a node only marks where the site of its origin is implied.
  bool is_placeholder(std::uint32_t node) const {
    const IndexNode& at = nodes_[node];
    return at.origin != at.parent && at.stack == nodes_[at.origin].stack &&
           at.path == nodes_[at.origin].path;
  }

  bool is_stronger(const Item& a, const Item& b) const {
    // What is introduced deeper; but what an arc leads to is weaker than the arc's own site.
    if (a.depth != b.depth && !are_nested(a.start, b.start)) return a.depth > b.depth;
    if (a.origin == b.origin) {
      if (a.authored) return nodes_[a.node].order < nodes_[b.node].order;
      return is_implied(a) && !is_implied(b);
    }
    if (a.start != b.start) return stands_before(a.start, b.start);
    // They follow from one arc: the outer one.
    if (a.steps != b.steps) return a.steps > b.steps;
    if (is_local(a) && is_local(b) && is_implied(a) != is_implied(b)) return is_implied(a);
    return stands_before(a.origin, b.origin);
  }

  // Being stronger is not a strict order here, as depth counts between some items but not between
  // others: where an item ends up depends on those that are there already.
  void insert(const Item& item) {
    // A site is at the root once, where it came first.
    const auto [last, is_first] = last_of_site_.try_emplace(&nodes_[item.node], item.node);
    if (!is_first) {
      next_of_site_[last->second] = item.node;
      last->second = item.node;
      return;
    }
    // Unless the item is stronger than the first child of the root, which another kind of arc may
    // lead to, or than the last one, it becomes the last.
    auto place = sorted_.end();
    const bool may_lead = nodes_[item.node].root_depth < others_depth_;
    if (!sorted_.empty() &&
        (is_stronger(item, sorted_.back()) || (may_lead && is_stronger(item, sorted_.front())))) {
      place = std::find_if(sorted_.begin(), sorted_.end(),
                           [&](const Item& other) { return is_stronger(item, other); });
    }
    auto at = static_cast<std::size_t>(place - sorted_.begin());
    sorted_.insert(place, item);
    for (; at < sorted_.size(); ++at) {
      positions_[sorted_[at].node] = static_cast<std::uint32_t>(at);
    }
  }

  const std::vector<IndexNode>& nodes_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> positions_;     // In `sorted_`, of what is there.
  std::vector<std::uint32_t> next_of_site_;  // Further nodes of the site of one in `sorted_`.
  std::unordered_map<const IndexNode*, std::uint32_t, SiteHash, SameSite> last_of_site_;
  std::uint32_t others_depth_ = kNoIndexNode;  // Where other arcs first stood at the root.
  std::vector<Item> sorted_;
};

}  // namespace

// Siblings: by kind of arc, what was introduced deeper, what follows from a stronger node, and then
// as authored.
bool PrimIndex::stronger_sibling(std::uint32_t a, std::uint32_t b) const {
  const IndexNode& x = nodes[a];
  const IndexNode& y = nodes[b];
  if (x.arc != y.arc) return x.arc < y.arc;
  if (x.depth != y.depth) return x.depth > y.depth;
  if (x.origin == y.origin) return x.order < y.order;
  return stands_before(x.origin, y.origin);
}

bool PrimIndex::stands_before(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return false;
  const auto level = [&](std::uint32_t node) {
    std::uint32_t count = 0;
    for (; nodes[node].parent != kNoIndexNode; node = nodes[node].parent) ++count;
    return count;
  };
  std::uint32_t level_a = level(a);
  std::uint32_t level_b = level(b);
  const bool a_is_higher = level_a < level_b;
  for (; level_a > level_b; --level_a) a = nodes[a].parent;
  for (; level_b > level_a; --level_b) b = nodes[b].parent;
  if (a == b) return a_is_higher;  // One is an ancestor of the other.
  while (nodes[a].parent != nodes[b].parent) {
    a = nodes[a].parent;
    b = nodes[b].parent;
  }
  for (std::uint32_t i = nodes[nodes[a].parent].first_child; i != kNoIndexNode;
       i = nodes[i].next_sibling) {
    if (i == a) return true;
    if (i == b) return false;
  }
  return false;
}

std::size_t PrimIndex::link(std::uint32_t node) {
  std::size_t passed = 0;
  std::uint32_t* place = &nodes[nodes[node].parent].first_child;
  for (; *place != kNoIndexNode && !stronger_sibling(node, *place); ++passed) {
    place = &nodes[*place].next_sibling;
  }
  nodes[node].next_sibling = *place;
  *place = node;
  return passed;
}

// Appends a node and what is below it, but what is specialized there to a list of its own.
void PrimIndex::append_in_order(std::uint32_t top, std::vector<std::uint32_t>& order,
                                std::vector<std::uint32_t>& specialized) const {
  std::uint32_t at = top;
  while (true) {
    if (at != top && nodes[at].arc == Arc::specialize) {
      specialized.push_back(at);
    } else {
      order.push_back(at);
      if (nodes[at].first_child != kNoIndexNode) {
        at = nodes[at].first_child;
        continue;
      }
    }
    while (at != top && nodes[at].next_sibling == kNoIndexNode) at = nodes[at].parent;
    if (at == top) return;
    at = nodes[at].next_sibling;
  }
}

std::vector<std::uint32_t> PrimIndex::strength_order() const {
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  std::vector<std::uint32_t> specialized;
  append_in_order(0, order, specialized);
  if (specialized.empty()) return order;
  // What is specialized inside something specialized is kept apart too.
  std::vector<std::uint32_t> rest;
  for (std::size_t i = 0; i < specialized.size(); ++i) {
    append_in_order(specialized[i], rest, specialized);
  }
  for (const std::uint32_t node : SpecializesOrder(nodes).sort(specialized)) {
    append_in_order(node, order, rest);
  }
  return order;
}

}  // namespace sinew::stage
