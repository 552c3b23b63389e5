// SPDX-License-Identifier: Apache-2.0
#include "physics/articulation_island.hpp"
#include "core/sort.hpp"
#include "physics/shared/indexed.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "physics/path_order.hpp"

namespace sinew::physics {
namespace {

constexpr std::int64_t kExcludedWeight = 1000;
constexpr std::int64_t kWorldWeight = 100'000;
constexpr std::int64_t kBodyWeight = 100;

// Islands with loops above this size are centred by their spanning tree.
constexpr std::size_t kMaxExactIsland = 4096;

struct Frame {
  std::size_t link;
  std::size_t next_joint;
};

// Puts a body on the visiting order and, if joints hold it, makes it a link.
bool enter(const ArticulationGraph& graph, std::int32_t body, Island& island,
           IslandWorkspace& work) {
  const auto index = static_cast<std::size_t>(body);
  if (work.link_of_body[index] != kNone) return false;
  if (work.order_of_body[index] == kNone) work.order_of_body[index] = work.order_count++;
  if (!graph.linkable(body)) return false;
  work.link_of_body[index] = static_cast<std::int32_t>(island.links.size());
  IslandLink& link = island.links.emplace_back();
  link.body = body;
  link.joints = graph.joints_of(body);
  link.first_child = island.children.size();
  island.children.resize(island.children.size() + link.joints.size(), kNone);
  return true;
}

// Depth of every link at its first visit by a depth-first walk from `start`; the largest of them.
class DepthFirst {
 public:
  DepthFirst(const Island& island, const IslandWorkspace& work)
      : island_(island), work_(work), depth_(island.links.size()) {}

  std::int32_t farthest(std::size_t start) {
    std::fill(depth_.begin(), depth_.end(), kNone);
    depth_[start] = 0;
    std::int32_t largest = 0;
    stack_ = {{start, 0}};
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      const auto children = island_.children_of(island_.links[frame.link]);
      if (frame.next_joint == children.size()) {
        stack_.pop_back();
        continue;
      }
      const std::int32_t child = children[frame.next_joint++];
      const std::int32_t link = link_in(island_, work_, child);
      if (link == kNone || at(depth_, link) != kNone) continue;
      const std::int32_t depth = depth_[frame.link] + 1;
      at(depth_, link) = depth;
      largest = std::max(largest, depth);
      stack_.push_back({static_cast<std::size_t>(link), 0});
    }
    return largest;
  }

  const std::vector<std::int32_t>& depths() const { return depth_; }

 private:
  const Island& island_;
  const IslandWorkspace& work_;
  std::vector<std::int32_t> depth_;
  std::vector<Frame> stack_;
};

// Whether no two different links are connected in two ways. Such an island has n - 1 edges.
bool is_tree(const Island& island, const IslandWorkspace& work) {
  std::size_t directed = 0;
  std::vector<std::int32_t> seen(island.links.size(), kNone);
  for (std::size_t i = 0; i < island.links.size(); ++i) {
    for (const std::int32_t child : island.children_of(island.links[i])) {
      const std::int32_t link = link_in(island, work, child);
      if (link == kNone || link == static_cast<std::int32_t>(i)) continue;
      // Parallel joints are one edge.
      if (std::exchange(at(seen, link), static_cast<std::int32_t>(i)) !=
          static_cast<std::int32_t>(i)) {
        ++directed;
      }
    }
  }
  return directed == 2 * (island.links.size() - 1);
}

std::size_t deepest(const std::vector<std::int32_t>& depths) {
  return static_cast<std::size_t>(std::max_element(depths.begin(), depths.end()) - depths.begin());
}

// How far the farthest link is from every link. In a tree that is one of the two ends of a longest
// path, so three walks are enough; loops need a walk from every link.
std::vector<std::int32_t> eccentricities(const Island& island, const IslandWorkspace& work) {
  const std::size_t count = island.links.size();
  std::vector<std::int32_t> result(count, 0);
  DepthFirst walk(island, work);
  if (count <= kMaxExactIsland && !is_tree(island, work)) {
    for (std::size_t i = 0; i < count; ++i) result[i] = walk.farthest(i);
    return result;
  }
  walk.farthest(0);
  for (int round = 0; round < 2; ++round) {
    walk.farthest(deepest(walk.depths()));
    for (std::size_t i = 0; i < count; ++i) result[i] = std::max(result[i], walk.depths()[i]);
  }
  return result;
}

std::vector<std::size_t> links_by_path(const ArticulationGraph& graph, const Island& island) {
  std::vector<std::size_t> order(island.links.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_range(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return graph.body_before(island.links[a].body, island.links[b].body);
  });
  return order;
}

std::int32_t order_of(const IslandWorkspace& work, std::int32_t body) {
  const std::int32_t never = std::numeric_limits<std::int32_t>::max();
  return body == kNone ? never : at(work.order_of_body, body);
}

// The heaviest link: of equals the one visited first, joints last.
IslandRoot heaviest(const ArticulationGraph& graph, const Island& island,
                    const IslandWorkspace& work) {
  IslandRoot best;
  std::int64_t best_weight = 0;
  for (const std::size_t i : links_by_path(graph, island)) {
    const IslandLink& link = island.links[i];
    const IslandRoot candidate = link.root_joint != kNone ? IslandRoot{kNone, link.root_joint}
                                                          : IslandRoot{link.body, kNone};
    const bool earlier = order_of(work, candidate.body) < order_of(work, best.body);
    if (link.weight > best_weight || (link.weight == best_weight && earlier)) {
      best = candidate;
      best_weight = link.weight;
    }
  }
  return best;
}

IslandRoot graph_center(const ArticulationGraph& graph, const Island& island,
                        const IslandWorkspace& work) {
  const std::vector<std::int32_t> distance = eccentricities(island, work);
  const IslandLink* best = nullptr;
  std::int32_t best_distance = 0;
  for (const std::size_t i : links_by_path(graph, island)) {
    const IslandLink& link = island.links[i];
    bool better = best == nullptr || distance[i] < best_distance;
    if (best != nullptr && distance[i] == best_distance) {
      better = link.joints.size() > best->joints.size() ||
               (link.joints.size() == best->joints.size() &&
                order_of(work, link.body) < order_of(work, best->body));
    }
    if (!better) continue;
    best = &link;
    best_distance = distance[i];
  }
  return {best == nullptr ? kNone : best->body, kNone};
}

}  // namespace

std::int32_t link_in(const Island& island, const IslandWorkspace& work,
                     std::int32_t body) noexcept {
  if (body == kNone) return kNone;
  const std::int32_t link = at(work.link_of_body, body);
  const auto index = static_cast<std::size_t>(link);
  const bool here =
      link != kNone && index < island.links.size() && island.links[index].body == body;
  return here ? link : kNone;
}

Island visit_island(const ArticulationGraph& graph, std::int32_t top, IslandWorkspace& work) {
  Island island;
  island.top = top;
  if (!enter(graph, top, island, work)) return island;
  // Depth first with a stack of our own: chains of bodies can be long.
  std::vector<Frame> stack = {{0, 0}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::int32_t body = island.links[frame.link].body;
    const auto joints = island.links[frame.link].joints;
    if (frame.next_joint == joints.size()) {
      stack.pop_back();
      continue;
    }
    std::int32_t& child = island.children[island.links[frame.link].first_child + frame.next_joint];
    const std::int32_t joint = joints[frame.next_joint++];
    const bool excluded = graph.model().joint(joint).exclude_from_articulation;
    IslandLink& link = island.links[frame.link];
    const std::int32_t end0 = graph.end(joint, 0);
    const std::int32_t end1 = graph.end(joint, 1);
    if (end0 == kNone || end1 == kNone) {
      link.weight += excluded ? kExcludedWeight : kWorldWeight;
      if (!excluded) {
        link.root_joint = joint;
        island.fixed = true;
      }
      continue;
    }
    const std::int32_t other = end0 == body ? end1 : end0;
    child = other;
    link.weight += excluded ? kExcludedWeight : kBodyWeight;
    if (excluded) continue;
    // Adds a link: `link`, `child` and `frame` are not valid after this.
    const std::size_t added = island.links.size();
    if (enter(graph, other, island, work)) stack.push_back({added, 0});
  }
  return island;
}

IslandRoot choose_root(const ArticulationGraph& graph, const Island& island,
                       const IslandWorkspace& work) {
  if (island.fixed) return heaviest(graph, island, work);
  const std::string_view top = graph.body_path(island.top);
  const bool nested = std::all_of(
      island.links.begin(), island.links.end(),
      [&](const IslandLink& link) { return is_at_or_below(graph.body_path(link.body), top); });
  if (nested) return {island.top, kNone};
  return graph_center(graph, island, work);
}

}  // namespace sinew::physics
