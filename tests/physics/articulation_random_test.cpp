// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sinew/physics/articulation.hpp"

// The root search of physics 7.2 once more, recursive, with maps and strings and no regard for
// speed, against which random graphs are compared.

namespace sinew::physics::articulation_random_test {
namespace {

using Path = Text;

struct Link {
  std::set<Path> joints;
  std::vector<Path> children;
  int weight = 0;
  Path root_joint;
};

class Reference {
 public:
  explicit Reference(const PhysicsModel& model) : model_(model) {
    for (const RigidBody& body : model.rigid_bodies) bodies_[body.path] = &body;
    std::vector<const Joint*> joints;
    for (const Joint& joint : model.joints) joints.push_back(&joint);
    std::sort(joints.begin(), joints.end(),
              [](const Joint* a, const Joint* b) { return a->path < b->path; });
    for (const Joint* joint : joints) {
      by_path_[joint->path] = joint;
      if (!joint->joint_enabled) continue;
      for (const JointEnd& joint_end : joint->ends) {
        const Path& end = joint_end.body_path;
        if (bodies_.contains(end) && bodies_[end]->rigid_body_enabled)
          adjacent_[end].push_back(joint);
      }
    }
  }

  Articulation resolve(const Path& root) {
    Articulation result;
    Path base = root;
    if (bodies_.contains(root)) {
      result.root_prim_paths = {root};
    } else if (by_path_.contains(root)) {
      const Joint& joint = *by_path_[root];
      if (joint.ends[0].body_path.empty() || joint.ends[1].body_path.empty()) {
        result.root_prim_paths = {root};
        base = joint.ends[0].body_path.empty() ? joint.ends[1].body_path : joint.ends[0].body_path;
        if (base.empty()) return result;
      }
    }
    const bool automatic = result.root_prim_paths.empty();
    std::set<Path> joints;
    std::set<Path> bodies;
    std::set<Path> linked;
    Path pruned;
    for (const RigidBody& body : model_.rigid_bodies) {
      const Path& top = body.path;
      if (!below(top, base) || (!pruned.empty() && below(top, pruned))) continue;
      if (linked.contains(top)) {
        pruned = top;
        continue;
      }
      links_.clear();
      fixed_ = false;
      visit(top);
      for (const auto& [path, link] : links_) {
        linked.insert(path);
        joints.insert(link.joints.begin(), link.joints.end());
        bodies.insert(link.children.begin(), link.children.end());
      }
      if (automatic) {
        const Path chosen = choose(top);
        if (!chosen.empty()) result.root_prim_paths.push_back(chosen);
      }
    }
    result.joint_paths.assign(joints.begin(), joints.end());
    result.body_paths.assign(bodies.begin(), bodies.end());
    result.is_valid = !result.root_prim_paths.empty();
    return result;
  }

 private:
  static bool below(const Path& path, const Path& top) {
    return path == top || path.view().starts_with(top.str() + "/");
  }
  bool linkable(const Path& path) const { return adjacent_.contains(path); }
  std::size_t order_of(const Path& path) const {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), path) - order_.begin());
  }

  void visit(const Path& x) {
    if (links_.contains(x)) return;
    order_.push_back(x);
    if (!linkable(x)) return;
    links_[x];
    for (const Joint* joint : adjacent_[x]) {
      links_[x].joints.insert(joint->path);
      const bool excluded = joint->exclude_from_articulation;
      if (!linkable(joint->ends[0].body_path) || !linkable(joint->ends[1].body_path)) {
        links_[x].children.emplace_back();
        links_[x].weight += excluded ? 1000 : 100000;
        if (!excluded) {
          links_[x].root_joint = joint->path;
          fixed_ = true;
        }
        continue;
      }
      const Path& other =
          joint->ends[0].body_path == x ? joint->ends[1].body_path : joint->ends[0].body_path;
      links_[x].children.push_back(other);
      links_[x].weight += excluded ? 1000 : 100;
      if (!excluded) visit(other);
    }
  }

  Path choose(const Path& top) {
    if (fixed_) {
      Path best;
      int weight = 0;
      for (const auto& [path, link] : links_) {
        const Path& candidate = link.root_joint.empty() ? path : link.root_joint;
        if (link.weight > weight ||
            (link.weight == weight && order_of(candidate) < order_of(best))) {
          best = candidate;
          weight = link.weight;
        }
      }
      return best;
    }
    if (std::all_of(links_.begin(), links_.end(),
                    [&](const auto& link) { return below(link.first, top); })) {
      return top;
    }
    Path best;
    int distance = 0;
    for (const auto& [path, link] : links_) {
      depth_.clear();
      walk(path, 0);
      int far = 0;
      for (const auto& [unused, depth] : depth_) far = std::max(far, depth);
      const auto children = [&](const Path& p) { return links_[p].children.size(); };
      const bool better = best.empty() || far < distance ||
                          (far == distance &&
                           (children(path) > children(best) ||
                            (children(path) == children(best) && order_of(path) < order_of(best))));
      if (better) {
        best = path;
        distance = far;
      }
    }
    return best;
  }

  void walk(const Path& at, int depth) {
    depth_[at] = depth;
    for (const Path& child : links_[at].children) {
      if (links_.contains(child) && !depth_.contains(child)) walk(child, depth + 1);
    }
  }

  const PhysicsModel& model_;
  std::map<Path, const RigidBody*> bodies_;
  std::map<Path, const Joint*> by_path_;
  std::map<Path, std::vector<const Joint*>> adjacent_;
  std::map<Path, Link> links_;
  std::vector<Path> order_;
  std::map<Path, int> depth_;
  bool fixed_ = false;
};

// Bodies in namespace order, some nested, some disabled; joints between any two of them, to the
// world, to static prims, to themselves, excluded, disabled.
PhysicsModel random_model(std::mt19937& random) {
  PhysicsModel model;
  model.rules = Rules::openusd;
  const std::size_t count = 1 + random() % 9;
  std::vector<Path> paths;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "/b" + std::to_string(random() % 1000);
    Path parent = random() % 4 == 0 ? "/y" : "/x";
    if (!paths.empty() && random() % 3 == 0) parent = paths[random() % paths.size()];
    paths.push_back(parent.str() + name);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const Path& path : paths) {
    RigidBody body;
    body.path = path;
    body.rigid_body_enabled = random() % 8 != 0;
    model.rigid_bodies.push_back(body);
  }
  const auto end = [&](Path& path, std::int32_t& index) {
    const std::size_t pick = random() % (paths.size() + 2);
    if (pick >= paths.size()) {
      path = pick == paths.size() && random() % 3 == 0 ? "/static" : "";
      return;
    }
    path = paths[pick];
    index = static_cast<std::int32_t>(pick);
  };
  for (std::size_t i = random() % (2 * count + 1); i > 0; --i) {
    Joint joint;
    joint.path = "/x/j" + std::to_string(random() % 1000) + "_" + std::to_string(i);
    end(joint.ends[0].body_path, joint.ends[0].body);
    end(joint.ends[1].body_path, joint.ends[1].body);
    joint.joint_enabled = random() % 8 != 0;
    joint.exclude_from_articulation = random() % 5 == 0;
    model.joints.push_back(joint);
  }
  return model;
}

// physics 7.2
TEST(ArticulationRandom, AgreesWithThePlainReadingOfTheRules) {
  std::mt19937 random(23);
  for (int round = 0; round < 3000; ++round) {
    const PhysicsModel model = random_model(random);
    std::vector<Text> roots = {"/x", model.rigid_bodies[0].path};
    if (!model.joints.empty()) roots.push_back(model.joints[random() % model.joints.size()].path);
    Diagnostics diagnostics;

    const auto resolved = resolve_articulations(model, roots, diagnostics);

    ASSERT_EQ(resolved.size(), roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const Articulation expected = Reference(model).resolve(roots[i]);
      const Articulation& actual = resolved[i].articulation;
      EXPECT_EQ(actual.root_prim_paths, expected.root_prim_paths)
          << "round " << round << " " << roots[i];
      EXPECT_EQ(actual.joint_paths, expected.joint_paths) << "round " << round;
      EXPECT_EQ(actual.body_paths, expected.body_paths) << "round " << round;
      EXPECT_EQ(actual.is_valid, expected.is_valid) << "round " << round;
    }
  }
}

TEST(ArticulationRandom, TreesAreTreesAndHoldEveryJointOnce) {
  std::mt19937 random(29);
  for (int round = 0; round < 1000; ++round) {
    const PhysicsModel model = random_model(random);
    const std::vector<Text> roots = {"/x"};
    Diagnostics diagnostics;

    const ResolvedArticulation r = resolve_articulations(model, roots, diagnostics).at(0);

    std::set<std::int32_t> bodies;
    std::set<std::int32_t> joints;
    for (const ArticulationTree& tree : r.trees) {
      for (const std::int32_t joint : tree.loop_joints) {
        EXPECT_TRUE(joints.insert(joint).second) << "round " << round;
      }
      EXPECT_TRUE(std::is_sorted(tree.loop_joints.begin(), tree.loop_joints.end(),
                                 [&](std::int32_t a, std::int32_t b) {
                                   return model.joint(a).path < model.joint(b).path;
                                 }))
          << "round " << round;
      for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const ArticulationLink& link = tree.links[i];
        EXPECT_TRUE(bodies.insert(link.body).second) << "round " << round;
        EXPECT_LT(link.parent, static_cast<std::int32_t>(i));
        EXPECT_EQ(link.parent == kNone, i == 0);
        EXPECT_TRUE(link.joint == kNone || joints.insert(link.joint).second);
      }
    }
  }
}

}  // namespace
}  // namespace sinew::physics::articulation_random_test
