// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/articulation.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/report.hpp"
#include "core/sort.hpp"
#include "physics/articulation_island.hpp"
#include "physics/path_order.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

class ArticulationSolver {
 public:
  ArticulationSolver(const PhysicsModel& model, std::span<const std::int32_t> preorder,
                     ArticulationGraph::Paths paths = ArticulationGraph::Paths::any)
      : graph_(model, preorder, paths),
        work_(model.rigid_bodies.size()),
        island_of_body_(model.rigid_bodies.size(), kNone),
        documented_(model.rules == Rules::documented) {}

  ResolvedArticulation resolve(std::string_view root_path);
  /// Without the trees.
  Articulation resolve(const Text& root_path, const RootPlace& place,
                       std::span<const std::int32_t> body_ends);

 private:
  // The root prim itself, if it says enough.
  struct ExplicitRoot {
    IslandRoot root;
    std::string_view base;  // The prim below which islands are looked for.
    bool found = false;
    std::int32_t base_body = kNone;  // The base, if that is another body.
  };
  ExplicitRoot explicit_root(std::string_view path, std::int32_t body, std::int32_t index) const;
  void visit_islands(std::string_view base);
  void visit_islands(std::int32_t first_body, std::int32_t end_body);
  void visit_island_of(std::int32_t body, std::string_view& pruned);
  std::vector<IslandRoot> choose_roots(const ExplicitRoot& given,
                                       std::vector<ArticulationTree>* trees);
  ArticulationTree make_tree(const Island& island, IslandRoot root);
  void list(Articulation& articulation, const std::vector<IslandRoot>& roots) const;
  void clean_up();

  const PhysicsModel& model() const { return graph_.model(); }
  Text body_path(std::int32_t body) const {
    return body == kNone ? Text() : model().body(body).path;
  }
  const Joint& joint(std::int32_t index) const { return model().joint(index); }

  ArticulationGraph graph_;
  IslandWorkspace work_;
  std::vector<std::int32_t> island_of_body_;
  std::vector<Island> islands_;
  std::vector<std::int32_t> visited_;  // Bodies whose workspace entries are in use.
  const bool documented_;
};

ArticulationSolver::ExplicitRoot ArticulationSolver::explicit_root(std::string_view path,
                                                                   std::int32_t body,
                                                                   std::int32_t index) const {
  if (body != kNone) return {{body, kNone}, path, true};
  if (index == kNone) return {{}, path, false};
  const Joint& root = joint(index);
  // Documented rules: an end at a static prim is as good as the world.
  const auto anchored = [&](std::string_view at, std::int32_t end) {
    return at.empty() || (documented_ && end == kNone);
  };
  for (const int anchor : {0, 1}) {
    if (!anchored(root.ends[anchor].body_path, graph_.end(index, anchor))) continue;
    const JointEnd& base = root.ends[1 - anchor];
    return {{kNone, index}, base.body_path, true, base.body};
  }
  return {{}, path, false};
}

void ArticulationSolver::visit_islands(std::string_view base) {
  std::string_view pruned;
  for (const std::int32_t body : graph_.bodies_below(base)) visit_island_of(body, pruned);
}

void ArticulationSolver::visit_islands(std::int32_t first_body, std::int32_t end_body) {
  std::string_view pruned;
  for (std::int32_t body = first_body; body < end_body; ++body) visit_island_of(body, pruned);
}

// What lies below a body that an earlier island reached is not looked at.
void ArticulationSolver::visit_island_of(std::int32_t body, std::string_view& pruned) {
  const std::string_view path = graph_.body_path(body);
  if (!pruned.empty() && is_at_or_below(path, pruned)) return;
  if (at(work_.link_of_body, body) != kNone) {
    pruned = path;
    return;
  }
  islands_.push_back(visit_island(graph_, body, work_));
  const auto number = static_cast<std::int32_t>(islands_.size()) - 1;
  visited_.push_back(body);
  for (const IslandLink& link : islands_.back().links) {
    at(island_of_body_, link.body) = number;
    visited_.push_back(link.body);
  }
}

// Breadth first from the root over the joints that are part of the articulation.
ArticulationTree ArticulationSolver::make_tree(const Island& island, IslandRoot root) {
  ArticulationTree tree;
  tree.fixed_base = root.joint != kNone;
  std::int32_t base = root.body;
  if (root.joint != kNone) {
    base = graph_.end(root.joint, 0);
    if (base == kNone) base = graph_.end(root.joint, 1);
  }
  if (base == kNone) return tree;
  tree.links.push_back({base, kNone, root.joint});
  std::vector<std::int32_t> tree_joints;
  if (root.joint != kNone) tree_joints.push_back(root.joint);
  std::vector<bool> reached(island.links.size(), false);
  const auto link_of = [&](std::int32_t body) { return link_in(island, work_, body); };
  if (link_of(base) == kNone) return tree;
  at(reached, link_of(base)) = true;
  for (std::size_t parent = 0; parent < tree.links.size(); ++parent) {
    const std::int32_t body = tree.links[parent].body;
    for (const std::int32_t j : at(island.links, link_of(body)).joints) {
      const std::int32_t end0 = graph_.end(j, 0);
      const std::int32_t other = end0 == body ? graph_.end(j, 1) : end0;
      if (other == kNone || joint(j).exclude_from_articulation) continue;
      const auto link = static_cast<std::size_t>(link_of(other));
      if (reached[link]) continue;
      reached[link] = true;
      tree.links.push_back({other, static_cast<std::int32_t>(parent), j});
      tree_joints.push_back(j);
    }
  }
  sort_range(tree_joints.begin(), tree_joints.end());
  for (const IslandLink& link : island.links) {
    for (const std::int32_t j : link.joints) {
      if (!std::binary_search(tree_joints.begin(), tree_joints.end(), j)) {
        tree.loop_joints.push_back(j);
      }
    }
  }
  const auto by_path = [&](std::int32_t a, std::int32_t b) { return graph_.joint_before(a, b); };
  sort_range(tree.loop_joints.begin(), tree.loop_joints.end(), by_path);
  tree.loop_joints.erase(std::unique(tree.loop_joints.begin(), tree.loop_joints.end()),
                         tree.loop_joints.end());
  return tree;
}

// The sorted lists of the descriptor.
void ArticulationSolver::list(Articulation& articulation,
                              const std::vector<IslandRoot>& roots) const {
  std::vector<std::int32_t> joints;
  std::vector<std::int32_t> bodies;
  for (const Island& island : islands_) {
    for (const IslandLink& link : island.links) {
      joints.insert(joints.end(), link.joints.begin(), link.joints.end());
      if (documented_) bodies.push_back(link.body);
      if (!documented_) {
        const auto children = island.children_of(link);
        bodies.insert(bodies.end(), children.begin(), children.end());
      }
    }
    if (documented_ && island.links.empty()) bodies.push_back(island.top);
  }
  for (const IslandRoot& root : roots) {
    articulation.root_prim_paths.push_back(root.joint != kNone ? joint(root.joint).path
                                                               : body_path(root.body));
    if (documented_ && root.body != kNone) bodies.push_back(root.body);
  }
  const auto body_order = [&](std::int32_t a, std::int32_t b) {
    if (a == kNone || b == kNone) return a == kNone && b != kNone;
    return graph_.body_before(a, b);
  };
  const auto joint_order = [&](std::int32_t a, std::int32_t b) {
    return graph_.joint_before(a, b);
  };
  sort_range(bodies.begin(), bodies.end(), body_order);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  sort_range(joints.begin(), joints.end(), joint_order);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  articulation.body_paths.reserve(bodies.size());
  articulation.joint_paths.reserve(joints.size());
  for (const std::int32_t body : bodies) {
    articulation.body_paths.push_back(body_path(body));
  }
  for (const std::int32_t index : joints) {
    articulation.joint_paths.push_back(joint(index).path);
  }
  articulation.bodies = std::move(bodies);
  articulation.joints = std::move(joints);
}

void ArticulationSolver::clean_up() {
  for (const std::int32_t body : visited_) {
    at(work_.link_of_body, body) = kNone;
    at(work_.order_of_body, body) = kNone;
    at(island_of_body_, body) = kNone;
  }
  work_.order_count = 0;
  visited_.clear();
  islands_.clear();
}

// The island of the given root is hung from it; every other one from a root of its own.
std::vector<IslandRoot> ArticulationSolver::choose_roots(const ExplicitRoot& given,
                                                         std::vector<ArticulationTree>* trees) {
  std::vector<IslandRoot> roots;
  if (given.found) {
    roots.push_back(given.root);
    if (trees == nullptr) return roots;
  }
  std::set<std::int32_t> claimed;
  std::int32_t given_island = kNone;
  if (given.found) {
    std::int32_t body = given.root.body;
    for (const int which : {0, 1}) {
      if (body == kNone) body = graph_.end(given.root.joint, which);
    }
    if (body != kNone) given_island = at(island_of_body_, body);
  }
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    const Island& island = islands_[i];
    IslandRoot root = choose_root(graph_, island, work_);
    const bool is_given = given.found && (static_cast<std::int32_t>(i) == given_island ||
                                          given.root.body == island.top);
    if (is_given) root = given.root;
    if (!given.found && (root.body != kNone || root.joint != kNone)) roots.push_back(root);
    if (trees == nullptr) continue;
    ArticulationTree tree = make_tree(island, root);
    const bool alive =
        !tree.links.empty() && model().body(tree.links.front().body).rigid_body_enabled;
    if (!alive) continue;
    // An excluded joint between two islands is solved once.
    std::erase_if(tree.loop_joints, [&](std::int32_t j) { return !claimed.insert(j).second; });
    trees->push_back(std::move(tree));
  }
  return roots;
}

ResolvedArticulation ArticulationSolver::resolve(std::string_view root_path) {
  ResolvedArticulation result;
  result.articulation.path = root_path;
  const std::int32_t body = graph_.find_body(root_path);
  const ExplicitRoot given =
      explicit_root(root_path, body, body == kNone ? graph_.find_joint(root_path) : kNone);
  if (given.base.empty()) {  // A joint from the world to the world.
    if (given.found) list(result.articulation, {given.root});
    return result;
  }
  visit_islands(given.base);
  const std::vector<IslandRoot> roots = choose_roots(given, &result.trees);
  list(result.articulation, roots);
  result.articulation.is_valid = !roots.empty();
  clean_up();
  return result;
}

Articulation ArticulationSolver::resolve(const Text& root_path, const RootPlace& place,
                                         std::span<const std::int32_t> body_ends) {
  Articulation result;
  result.path = root_path;
  const ExplicitRoot given = explicit_root(root_path, place.body, place.joint);
  if (given.base.empty()) {
    if (given.found) list(result, {given.root});
    return result;
  }
  if (given.base == root_path.view()) {
    visit_islands(place.first_body, place.end_body);
  } else if (given.base_body != kNone) {
    const std::int32_t end = at(body_ends, given.base_body);
    visit_islands(given.base_body, end);
  } else {
    visit_islands(given.base);
  }
  const std::vector<IslandRoot> roots = choose_roots(given, nullptr);
  list(result, roots);
  result.is_valid = !roots.empty();
  clean_up();
  return result;
}

// Calls `resolve(i)` for the roots that count, reports the others.
template <typename Resolve>
void for_each_root(const PhysicsModel& model, std::span<const Text> roots, Diagnostics& diagnostics,
                   Resolve resolve) {
  std::vector<std::string_view> sorted(roots.begin(), roots.end());
  sort_range(sorted.begin(), sorted.end());
  // In path order the outermost root above a path is the last outermost one before it.
  std::vector<std::string_view> outermost;
  for (const std::string_view root : sorted) {
    if (outermost.empty() || !is_at_or_below(root, outermost.back())) outermost.push_back(root);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Text& root = roots[i];
    if (model.rules == Rules::documented) {
      const auto after =
          std::upper_bound(outermost.begin(), outermost.end(), std::string_view(root));
      const std::string_view above = after == outermost.begin() ? "" : *(after - 1);
      if (above != root && is_at_or_below(root, above)) {
        report(
            &diagnostics, Severity::error, "physics-nested-articulation", {.path = root},
            "The articulation root lies below that of " + std::string(above) + " and is ignored.",
            "Keep one articulation root per mechanism.");
        continue;
      }
    }
    resolve(i);
  }
}

}  // namespace

std::vector<Articulation> resolve_in_place(const PhysicsModel& model, std::span<const Text> roots,
                                           std::span<const RootPlace> places,
                                           std::span<const std::int32_t> body_ends,
                                           Diagnostics& diagnostics) {
  std::vector<Articulation> results;
  if (roots.empty()) return results;
  results.reserve(roots.size());
  ArticulationSolver solver(model, {}, ArticulationGraph::Paths::distinct);
  for_each_root(model, roots, diagnostics, [&](std::size_t i) {
    results.push_back(solver.resolve(roots[i], places[i], body_ends));
  });
  return results;
}

std::vector<Articulation> resolve_by_path(const PhysicsModel& model, std::span<const Text> roots,
                                          Diagnostics& diagnostics) {
  std::vector<Articulation> results;
  for (ResolvedArticulation& entry : resolve_articulations(model, roots, diagnostics)) {
    results.push_back(std::move(entry.articulation));
  }
  return results;
}

std::vector<ResolvedArticulation> resolve_articulations(const PhysicsModel& model,
                                                        std::span<const Text> roots,
                                                        Diagnostics& diagnostics,
                                                        std::span<const std::int32_t> preorder) {
  std::vector<ResolvedArticulation> results;
  if (roots.empty()) return results;
  ArticulationSolver solver(model, preorder);
  for_each_root(model, roots, diagnostics,
                [&](std::size_t i) { results.push_back(solver.resolve(roots[i])); });
  return results;
}

std::vector<ArticulationTree> articulation_trees(const PhysicsModel& model,
                                                 const Articulation& articulation) {
  ArticulationSolver solver(model, {});
  return solver.resolve(articulation.path).trees;
}

std::vector<ArticulationTree> all_articulation_trees(const PhysicsModel& model) {
  std::vector<ArticulationTree> result;
  if (model.articulations.empty()) return result;
  ArticulationSolver solver(model, {});
  for (const Articulation& articulation : model.articulations) {
    std::vector<ArticulationTree> trees = solver.resolve(articulation.path).trees;
    std::move(trees.begin(), trees.end(), std::back_inserter(result));
  }
  return result;
}

NormalJoint link_joint(const PhysicsModel& model, const ArticulationLink& link) noexcept {
  if (!model.has_joint(link.joint)) {
    NormalJoint free;
    free.bodies[1] = model.has_body(link.body) ? link.body : kNone;
    return free;
  }
  const NormalJoint normal = normal_form(model, model.joint(link.joint));
  return normal.bodies[1] == link.body ? normal : reverse(normal);
}

}  // namespace sinew::physics
