// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/pair_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sinew::physics::pair_filter_test {
namespace {

// Bodies with one or more shapes, and what keeps them apart.
class PairScene {
 public:
  std::int32_t body(const std::string& path, bool enabled = true) {
    RigidBody body;
    body.path = path;
    body.rigid_body_enabled = enabled;
    model.rigid_bodies.push_back(body);
    return static_cast<std::int32_t>(model.rigid_bodies.size()) - 1;
  }

  std::int32_t shape(const std::string& path, std::int32_t body = kNone) {
    Shape shape;
    shape.path = path;
    shape.body = body;
    model.shapes.push_back(shape);
    return static_cast<std::int32_t>(model.shapes.size()) - 1;
  }

  /// A body with one shape below it.
  std::int32_t crate(const std::string& path) { return shape(path + "/shape", body(path)); }

  Joint& joint(std::int32_t body0, std::int32_t body1) {
    Joint joint;
    joint.path = "/joint" + std::to_string(model.joints.size());
    joint.ends[0].body = body0;
    joint.ends[1].body = body1;
    joint.ends[0].prim_path = joint.ends[0].body_path = path_of(body0);
    joint.ends[1].prim_path = joint.ends[1].body_path = path_of(body1);
    model.joints.push_back(joint);
    return model.joints.back();
  }

  PairReason reason(std::int32_t a, std::int32_t b) const {
    Diagnostics diagnostics;
    const PairFilter filter = PairFilter::build(model, diagnostics);
    const PairDecision forth = filter.decide(a, b);
    const PairDecision back = filter.decide(b, a);
    EXPECT_EQ(forth.reason, back.reason);
    EXPECT_EQ(forth.rule, back.rule);
    EXPECT_EQ(forth.collides, forth.reason == PairReason::collide);
    return forth.reason;
  }

  PhysicsModel model;

 private:
  Text path_of(std::int32_t body) const { return body == kNone ? "" : model.body(body).path; }
};

// physics 8.5, rule by rule.
TEST(PairFilter, ShapesOfDifferentBodiesCollide) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto floor = s.shape("/floor");

  EXPECT_EQ(s.reason(a, b), PairReason::collide);
  EXPECT_EQ(s.reason(a, floor), PairReason::collide);
}

TEST(PairFilter, ShapesOfOneBodyDoNotCollide) {
  PairScene s;
  const auto body = s.body("/a");
  const auto x = s.shape("/a/x", body);
  const auto y = s.shape("/a/y", body);

  EXPECT_EQ(s.reason(x, y), PairReason::same_body);
  EXPECT_EQ(s.reason(x, x), PairReason::same_shape);
}

TEST(PairFilter, StaticShapesAndDisabledBodiesDoNotCollideWithOneAnother) {
  PairScene s;
  const auto wall = s.shape("/wall");
  const auto floor = s.shape("/floor");
  const auto parked = s.shape("/parked/shape", s.body("/parked", false));

  EXPECT_EQ(s.reason(wall, floor), PairReason::both_static);
  EXPECT_EQ(s.reason(wall, parked), PairReason::both_static);
}

TEST(PairFilter, DisabledCollidersDoNotCollide) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  s.model.shapes[0].collision_enabled = false;

  EXPECT_EQ(s.reason(a, b), PairReason::collision_disabled);
}

TEST(PairFilter, InvalidShapesAndIndicesDoNotCollide) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  s.model.shapes[0].is_valid = false;

  EXPECT_EQ(s.reason(a, b), PairReason::shape_invalid);
  EXPECT_EQ(s.reason(b, 99), PairReason::shape_invalid);
  EXPECT_EQ(s.reason(b, -1), PairReason::shape_invalid);
}

TEST(PairFilter, FilteredPairCoversBothSubtreesInEitherDirection) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto c = s.crate("/c");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/b"};

  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, c), PairReason::collide);
  EXPECT_EQ(s.reason(b, c), PairReason::collide);
}

// A property sorts between its prim and the prims below that.
TEST(PairFilter, FilterToAPropertyCoversNothingAndHidesNoOther) {
  PairScene s;
  const auto a = s.shape("/a/b/shape", s.body("/a"));
  const auto c = s.crate("/c");
  const auto d = s.crate("/d");
  const auto e = s.crate("/e");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/c"};
  s.model.rigid_bodies[2].filtered_collision_paths = {"/a.x", "/a/b"};
  s.model.rigid_bodies[3].filtered_collision_paths = {"/a.x"};

  EXPECT_EQ(s.reason(a, c), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, d), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, e), PairReason::collide);
}

TEST(PairFilter, SimilarNamesAreNotBelow) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b2 = s.crate("/b2");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/b"};

  EXPECT_EQ(s.reason(a, b2), PairReason::collide);
}

TEST(PairFilter, FilterOnAShapeCoversThatShapeAlone) {
  PairScene s;
  const auto body = s.body("/a");
  const auto x = s.shape("/a/x", body);
  const auto y = s.shape("/a/y", body);
  const auto b = s.crate("/b");
  s.model.shapes[0].filtered_collision_paths = {"/b/shape"};

  EXPECT_EQ(s.reason(x, b), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(y, b), PairReason::collide);
}

TEST(PairFilter, FilterToAPrimAboveManyBodiesCoversThemAll) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/World/b");
  const auto c = s.crate("/World/deep/down/c");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/World"};

  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, c), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(b, c), PairReason::collide);
}

TEST(PairFilter, ArticulationCoversItsBodiesWhereverTheyAre) {
  PairScene s;
  const auto a = s.crate("/robot/a");
  const auto b = s.crate("/elsewhere/b");
  const auto c = s.crate("/c");
  Articulation articulation;
  articulation.path = "/robot";
  articulation.bodies = {0, 1, kNone};
  articulation.filtered_collision_paths = {"/robot"};
  s.model.articulations.push_back(articulation);

  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, c), PairReason::collide);
}

TEST(PairFilter, TheRuleIsNamed) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  s.crate("/c");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/c", "/b"};
  s.joint(0, 1);
  Diagnostics diagnostics;

  const PairFilter filter = PairFilter::build(s.model, diagnostics);

  const PairDecision decision = filter.decide(a, b);
  ASSERT_EQ(decision.reason, PairReason::filtered_pair);
  EXPECT_EQ(filter.filtered_pairs()[static_cast<std::size_t>(decision.rule)].target_path, "/b");
  s.model.rigid_bodies[0].filtered_collision_paths.clear();
  const PairDecision jointed = PairFilter::build(s.model, diagnostics).decide(a, b);
  EXPECT_EQ(jointed.reason, PairReason::jointed);
  EXPECT_EQ(jointed.rule, 0);
}

TEST(PairFilter, JointedBodiesDoNotCollideUnlessTheJointAsksForIt) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  s.joint(0, 1);

  EXPECT_EQ(s.reason(a, b), PairReason::jointed);
  s.model.joints[0].collision_enabled = true;
  EXPECT_EQ(s.reason(a, b), PairReason::collide);
  s.model.joints[0].collision_enabled = false;
  s.model.joints[0].joint_enabled = false;
  EXPECT_EQ(s.reason(a, b), PairReason::collide);
}

TEST(PairFilter, JointToTheWorldDisablesNothing) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto floor = s.shape("/floor");
  s.joint(0, kNone);

  EXPECT_EQ(s.reason(a, floor), PairReason::collide);
}

TEST(PairFilter, JointToAStaticColliderKeepsTheBodyApartFromIt) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto floor = s.shape("/floor");
  const auto wall = s.shape("/wall");
  Joint& joint = s.joint(0, kNone);
  joint.ends[1].prim_path = joint.ends[1].body_path = "/floor";

  EXPECT_EQ(s.reason(a, floor), PairReason::jointed);
  EXPECT_EQ(s.reason(a, wall), PairReason::collide);
}

TEST(PairFilter, JointBetweenNestedBodiesKeepsOnlyThoseTwoApart) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/a/b");
  const auto c = s.crate("/a/b/c");
  s.joint(0, 1);
  s.joint(1, 2);

  EXPECT_EQ(s.reason(a, b), PairReason::jointed);
  EXPECT_EQ(s.reason(b, c), PairReason::jointed);
  EXPECT_EQ(s.reason(a, c), PairReason::collide);
}

CollisionGroupPrim group(const std::string& path, const std::vector<Text>& filters) {
  CollisionGroupPrim prim;
  prim.path = path;
  prim.filtered_group_paths = filters;
  return prim;
}

TEST(PairFilter, AnyDisabledPairOfGroupsDecides) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto c = s.crate("/c");
  const auto lone = s.crate("/lone");
  s.model.group_prims = {group("/g0", {"/g1"}), group("/g1", {}), group("/g2", {})};
  s.model.shapes[0].collision_group_paths = {"/g0", "/g2"};
  s.model.shapes[1].collision_group_paths = {"/g1"};
  s.model.shapes[2].collision_group_paths = {"/g2", "/no/such/group"};

  EXPECT_EQ(s.reason(a, b), PairReason::collision_groups);
  EXPECT_EQ(s.reason(a, c), PairReason::collide);
  EXPECT_EQ(s.reason(b, c), PairReason::collide);
  EXPECT_EQ(s.reason(a, lone), PairReason::collide);
}

TEST(PairFilter, GroupThatFiltersItselfSeparatesItsMembers) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  s.model.group_prims = {group("/g", {"/g"})};
  for (Shape& shape : s.model.shapes) shape.collision_group_paths = {"/g"};

  EXPECT_EQ(s.reason(a, b), PairReason::collision_groups);
}

TEST(PairFilter, InvertedGroupSeparatesFromGroupsButNotFromUngrouped) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto lone = s.crate("/lone");
  s.model.group_prims = {group("/g0", {}), group("/g1", {})};
  s.model.group_prims[0].invert_filtered_groups = true;
  s.model.shapes[0].collision_group_paths = {"/g0"};
  s.model.shapes[1].collision_group_paths = {"/g1"};

  EXPECT_EQ(s.reason(a, b), PairReason::collision_groups);
  EXPECT_EQ(s.reason(a, lone), PairReason::collide);
  Diagnostics diagnostics;
  const CollisionGroupTable groups = PairFilter::build(s.model, diagnostics).groups();
  EXPECT_EQ(groups.find("/g1"), 1);
  EXPECT_FALSE(groups.enabled("/g0", "/g1"));
  EXPECT_TRUE(groups.enabled("/g1", "/g1"));
}

// Shapes of few groups and of more than can be compared beforehand are decided alike.
class PairFilterGroups : public ::testing::TestWithParam<int> {};

TEST_P(PairFilterGroups, EveryPairIsDecidedByItsGroups) {
  const int groups = GetParam();
  std::mt19937 random(5);
  PairScene s;
  const auto path = [](std::size_t number) { return Text("/g" + std::to_string(number)); };
  const auto any = [&] { return random() % static_cast<std::size_t>(groups); };
  for (int g = 0; g < groups; ++g) {
    CollisionGroupPrim prim = group(path(static_cast<std::size_t>(g)).str(), {});
    for (std::size_t i = random() % 3; i > 0; --i) prim.filtered_group_paths.push_back(path(any()));
    prim.invert_filtered_groups = random() % 40 == 0;
    s.model.group_prims.push_back(prim);
    Shape& shape = s.model.shapes[static_cast<std::size_t>(s.crate("/b" + std::to_string(g)))];
    shape.collision_group_paths = {path(static_cast<std::size_t>(g))};
    if (random() % 4 == 0) shape.collision_group_paths.push_back(path(any()));
  }
  s.crate("/lone");
  Diagnostics diagnostics;
  const PairFilter filter = PairFilter::build(s.model, diagnostics);
  const CollisionGroupTable table = CollisionGroupTable::build(s.model.group_prims, diagnostics);
  const std::size_t shapes = s.model.shapes.size();
  std::size_t apart = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t a = random() % shapes;
    const std::size_t b = (a + 1 + random() % (shapes - 1)) % shapes;
    bool expected = true;
    for (const Text& x : s.model.shapes[a].collision_group_paths) {
      for (const Text& y : s.model.shapes[b].collision_group_paths) {
        expected = expected && table.enabled(x.view(), y.view());
      }
    }
    const PairDecision found =
        filter.decide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    ASSERT_EQ(found.collides, expected) << a << " " << b;
    if (expected) continue;
    ASSERT_EQ(found.reason, PairReason::collision_groups);
    ++apart;
  }
  EXPECT_GT(apart, 100U);
}

INSTANTIATE_TEST_SUITE_P(PairFilter, PairFilterGroups, ::testing::Values(8, 60, 1500),
                         ::testing::PrintToStringParamName());

bool below(const Text& path, const Text& prim) {
  return path == prim || path.view().starts_with(prim.str() + "/");
}

// Every rule of 8.5 applied to every pair, in the order of the rules: the first that fits decides.
PairDecision reference_decision(const PhysicsModel& model, std::size_t i, std::size_t j) {
  const Shape& a = model.shapes[i];
  const Shape& b = model.shapes[j];
  if (i == j) return {false, PairReason::same_shape};
  if (a.body == b.body) return {false, PairReason::same_body};
  std::int32_t pair = 0;
  std::int32_t decided = kNone;
  const auto look = [&](const Text& owner, const std::vector<Text>& targets) {
    for (const Text& target : targets) {
      const bool fits = (below(a.path, owner) && below(b.path, target)) ||
                        (below(b.path, owner) && below(a.path, target));
      if (fits && decided == kNone) decided = pair;
      ++pair;
    }
  };
  for (const RigidBody& body : model.rigid_bodies) look(body.path, body.filtered_collision_paths);
  for (const Shape& shape : model.shapes) look(shape.path, shape.filtered_collision_paths);
  if (decided != kNone) return {false, PairReason::filtered_pair, decided};
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    const bool fits = (joint.ends[0].body == a.body && joint.ends[1].body == b.body) ||
                      (joint.ends[0].body == b.body && joint.ends[1].body == a.body);
    if (fits && joint.joint_enabled) {
      return {false, PairReason::jointed, static_cast<std::int32_t>(k)};
    }
  }
  return {};
}

TEST(PairFilter, TheFirstOfSeveralRulesIsNamedByItsIndex) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto c = s.crate("/c");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/nowhere", "/c"};
  s.model.shapes[2].filtered_collision_paths = {"/a"};
  s.joint(0, 1).joint_enabled = false;
  s.joint(1, 2);
  s.joint(1, 0);
  s.joint(0, 1);
  s.joint(0, 2);
  Diagnostics diagnostics;
  const PairFilter filter = PairFilter::build(s.model, diagnostics);

  EXPECT_EQ(filter.decide(a, c).rule, 1) << "the second entry of the first body's list";
  EXPECT_EQ(filter.decide(c, a).rule, 1);
  EXPECT_EQ(filter.decide(b, c).reason, PairReason::jointed);
  EXPECT_EQ(filter.decide(b, c).rule, 1);
  EXPECT_EQ(filter.decide(a, b).rule, 2) << "a joint that is disabled keeps its number";
  ASSERT_EQ(filter.filtered_pairs().size(), 3U);
  EXPECT_EQ(filter.filtered_pairs()[1].owner_path, "/a");
  EXPECT_EQ(filter.filtered_pairs()[1].target_path, "/c");
  EXPECT_EQ(filter.filtered_pairs()[2].owner_path, "/c/shape");
}

TEST(PairFilter, AgreesWithTheRulesOnRandomScenes) {
  std::mt19937 random(17);
  for (int round = 0; round < 40; ++round) {
    PairScene s;
    std::vector<std::string> prims = {"/r"};
    for (int i = 0; i < 14; ++i) {
      const std::string path = prims[random() % prims.size()] + "/n" + std::to_string(i);
      prims.push_back(path);
      s.crate(path);
    }
    for (int i = 0; i < 5; ++i) {
      const std::string& target = prims[random() % prims.size()];
      if (random() % 2 == 0) {
        s.model.rigid_bodies[random() % 14].filtered_collision_paths.push_back(target);
      } else {
        s.model.shapes[random() % 14].filtered_collision_paths.push_back(target);
      }
      s.joint(static_cast<std::int32_t>(random() % 14), static_cast<std::int32_t>(random() % 14))
          .joint_enabled = random() % 4 != 0;
    }
    Diagnostics diagnostics;
    const PairFilter filter = PairFilter::build(s.model, diagnostics);

    for (std::int32_t i = 0; i < 14; ++i) {
      for (std::int32_t j = 0; j < 14; ++j) {
        const PairDecision expected =
            reference_decision(s.model, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
        const PairDecision found = filter.decide(i, j);
        EXPECT_EQ(filter.collides(i, j), expected.collides);
        EXPECT_EQ(found.reason, expected.reason);
        EXPECT_EQ(found.rule, expected.rule)
            << s.model.shapes[static_cast<std::size_t>(i)].path << " "
            << s.model.shapes[static_cast<std::size_t>(j)].path << " round " << round;
      }
    }
  }
}

TEST(PairFilter, RulesOverWholeWorldsTakeLinearMemory) {
  PairScene s;
  for (int i = 0; i < 100'000; ++i) s.crate("/World/c" + std::to_string(i));
  s.model.rigid_bodies[0].filtered_collision_paths = {"/World"};
  Articulation all;
  all.path = "/World";
  for (std::int32_t i = 0; i < 100'000; ++i) all.bodies.push_back(i);
  all.filtered_collision_paths = {"/World"};
  s.model.articulations.push_back(all);
  Diagnostics diagnostics;

  const PairFilter filter = PairFilter::build(s.model, diagnostics);

  EXPECT_FALSE(filter.collides(5, 99'999));
}

TEST(PairFilter, EmptyFilterKnowsNoShapes) {
  EXPECT_FALSE(PairFilter().collides(0, 1));
  EXPECT_TRUE(PairFilter().filtered_pairs().empty());
  EXPECT_TRUE(PairFilter().groups().group_paths().empty());
  Diagnostics diagnostics;
  EXPECT_FALSE(PairFilter::build(PhysicsModel{}, diagnostics).collides(0, 1));
}

TEST(PairFilter, OnlyThePairOfARootWithItselfIsASelfCollision) {
  PairScene s;
  const auto a = s.crate("/r/a");
  const auto b = s.crate("/r/b");
  const auto wall = s.shape("/wall");
  Articulation& robot = s.model.articulations.emplace_back();
  robot.path = "/r";
  robot.bodies = {0, 1};
  robot.filtered_collision_paths = {"/r", "/wall"};
  s.model.articulation_extras.resize(1);
  s.model.articulation_extras[0].self_collision = false;
  EXPECT_EQ(s.reason(a, wall), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
  robot.filtered_collision_paths = {"/wall", "/r"};
  EXPECT_EQ(s.reason(a, wall), PairReason::filtered_pair);
  EXPECT_EQ(s.reason(a, b), PairReason::self_collision);
  s.model.articulation_extras[0].self_collision = true;
  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
  s.model.articulation_extras.clear();
  EXPECT_EQ(s.reason(a, b), PairReason::filtered_pair);
}

TEST(PairFilter, ShapesThatThereAreNotHaveNoRules) {
  PairScene s;
  const auto a = s.crate("/a");
  const auto b = s.crate("/b");
  const auto c = s.crate("/c");
  s.model.rigid_bodies[0].filtered_collision_paths = {"/b"};
  Diagnostics diagnostics;
  const PairFilter filter = PairFilter::build(s.model, diagnostics);
  EXPECT_TRUE(filter.has_rules(a));
  EXPECT_TRUE(filter.has_rules(b));
  EXPECT_FALSE(filter.has_rules(c));
  for (const std::int32_t none : {kNone, 3, 99}) {
    EXPECT_FALSE(filter.has_rules(none));
    EXPECT_FALSE(filter.collides(c, none));
    EXPECT_FALSE(filter.collides(none, c));
    EXPECT_EQ(filter.decide(none, c).reason, PairReason::shape_invalid);
  }
  EXPECT_FALSE(PairFilter().has_rules(0));
  EXPECT_EQ(PairFilter().decide(0, 1).reason, PairReason::shape_invalid);
  EXPECT_EQ(to_string(static_cast<PairReason>(99)), "");
  EXPECT_EQ(to_string(PairReason::self_collision), "self-collision");
}

}  // namespace
}  // namespace sinew::physics::pair_filter_test
