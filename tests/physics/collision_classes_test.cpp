// SPDX-License-Identifier: Apache-2.0
// Masks and lists of pairs, against what the filter says of every pair.
#include "sinew/physics/collision_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "physics/read_scene.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace sinew::physics::collision_classes_test {
namespace {

using sinew::test::Random;
using test::read;

// Half of the scenes have no other filters than joints.
std::string random_filters(Random& random, int most_bodies = 9) {
  const bool only_joints = random.chance(50);
  std::string text = "def PhysicsScene \"S\" {}\n";
  std::vector<std::string> shapes;
  std::vector<std::string> bodies;
  for (int i = random.between(most_bodies / 9, most_bodies); i > 0; --i) {
    const std::string body = "b" + std::to_string(i);
    bodies.push_back("/" + body);
    const bool moves = !random.chance(20);
    text += "def Xform \"" + body + "\" (apiSchemas = [" +
            (moves ? "\"PhysicsRigidBodyAPI\"" : "") + "]) {\n";
    for (int k = random.between(1, 3); k > 0; --k) {
      const std::string name = "s" + std::to_string(k);
      text += "def Sphere \"" + name +
              "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsFilteredPairsAPI\"]) {\n";
      if (!only_joints && !shapes.empty() && random.chance(50)) {
        text += "rel physics:filteredPairs = [<" + random.of(shapes) + ">]\n";
      }
      if (random.chance(10)) text += "bool physics:collisionEnabled = 0\n";
      text += "}\n";
      shapes.push_back("/" + body + "/" + name);
    }
    text += "}\n";
  }
  for (int i = random.between(0, 4); i > 0; --i) {
    text += "def PhysicsFixedJoint \"j" + std::to_string(i) + "\" {\nrel physics:body0 = <" +
            random.of(bodies) + ">\n";
    if (random.chance(70)) {
      text += "rel physics:body1 = <" + random.of(random.chance(70) ? bodies : shapes) + ">\n";
    }
    if (random.chance(20)) text += "bool physics:collisionEnabled = 1\n";
    text += "}\n";
  }
  if (only_joints) return text;
  for (const char* group : {"g", "h"}) {
    text += std::string("def PhysicsCollisionGroup \"") + group + "\" {\n" +
            "rel collection:colliders:includes = [<" + random.of(shapes) +
            ">]\nrel physics:filteredGroups = [</g>]\n}\n";
  }
  return text;
}

bool could_meet(PairReason reason) {
  return reason != PairReason::same_body && reason != PairReason::both_static;
}

// Calls check(a, b, whether they collide) of every pair of shapes that could meet.
template <typename Check>
void for_each_pair(const PhysicsModel& model, const PairFilter& filter, Check check) {
  for (std::size_t a = 0; a < model.shapes.size(); ++a) {
    for (std::size_t b = a + 1; b < model.shapes.size(); ++b) {
      const PairDecision decision =
          filter.decide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      if (could_meet(decision.reason)) check(a, b, decision.collides);
    }
  }
}

TEST(CollisionClasses, SayOfEveryPairWhatTheFilterSays) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const PhysicsModel model = read(random_filters(random), Rules::documented);
    Diagnostics unused;
    const PairFilter filter = PairFilter::build(model, unused);
    const CollisionClasses classes = collision_classes(model, filter);
    const CollisionMasks exact = collision_masks(model, filter, classes, 32);
    ASSERT_TRUE(exact.exact);
    const auto meet = [](const CollisionMasks& masks, std::size_t a, std::size_t b) {
      return (masks.of_shape[a].group & masks.of_shape[b].mask) != 0 &&
             (masks.of_shape[b].group & masks.of_shape[a].mask) != 0;
    };
    for (std::size_t a = 0; a < model.shapes.size(); ++a) {
      EXPECT_EQ(classes.class_of_shape[a] == kNone, !model.shapes[a].collision_enabled);
    }
    for_each_pair(model, filter, [&](std::size_t a, std::size_t b, bool collides) {
      EXPECT_EQ(classes.collide(classes.class_of_shape[a], classes.class_of_shape[b]), collides)
          << seed;
      EXPECT_EQ(meet(exact, a, b), collides);
    });
    for (const int bits : {0, 1, 2, 3, 5}) {
      const CollisionMasks coarse = collision_masks(model, filter, classes, bits);
      std::vector<std::pair<std::int32_t, std::int32_t>> wrong;
      for_each_pair(model, filter, [&](std::size_t a, std::size_t b, bool collides) {
        EXPECT_TRUE(!collides || meet(coarse, a, b)) << seed << ": what is one collides with all";
        if (meet(coarse, a, b) != collides) {
          wrong.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        }
      });
      EXPECT_EQ(coarse.leftover, wrong);
      EXPECT_EQ(coarse.leftover_count, wrong.size());
      EXPECT_EQ(coarse.exact, classes.count <= static_cast<std::size_t>(std::max(bits, 1)));
      for (const CollisionMasks::Masks& masks : coarse.of_shape) {
        EXPECT_LT(masks.group | masks.mask, 1U << std::max(bits, 1));
      }
      if (wrong.empty()) continue;
      const CollisionMasks few = collision_masks(model, filter, classes, bits, wrong.size() - 1);
      EXPECT_EQ(few.leftover_count, wrong.size());
      wrong.pop_back();
      EXPECT_EQ(few.leftover, wrong);
    }
  }
}

TEST(CollisionClasses, ShapesThatAreNotValidMeetNothing) {
  const PhysicsModel model = read(
      "def Points \"p\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
      "point3f[] points = [(0, 0, 0)]\n}\n"
      "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsRigidBodyAPI\"]) {}\n",
      Rules::documented);
  ASSERT_EQ(model.shapes.size(), 2U);
  ASSERT_FALSE(model.shapes[0].is_valid);
  Diagnostics unused;
  const PairFilter filter = PairFilter::build(model, unused);
  const CollisionClasses classes = collision_classes(model, filter);
  EXPECT_EQ(classes.class_of_shape, (std::vector<std::int32_t>{kNone, 0}));
  EXPECT_EQ(classes.count, 1U);
  const CollisionMasks masks = collision_masks(model, filter, classes, 8);
  EXPECT_EQ(masks.of_shape[0].group | masks.of_shape[0].mask, 0U);
  EXPECT_EQ(masks.of_shape[1].group, 1U);
  EXPECT_EQ(masks.of_shape[1].mask, 1U);
}

// Rules of more shapes than a machine word has bits.
TEST(CollisionClasses, SayTheSameOfManyShapes) {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const PhysicsModel model = read(random_filters(random, 150), Rules::documented);
    most = std::max(most, model.shapes.size());
    Diagnostics unused;
    const PairFilter filter = PairFilter::build(model, unused);
    const CollisionClasses classes = collision_classes(model, filter);
    for_each_pair(model, filter, [&](std::size_t a, std::size_t b, bool collides) {
      ASSERT_EQ(classes.collide(classes.class_of_shape[a], classes.class_of_shape[b]), collides)
          << seed << ": " << a << " and " << b;
    });
  }
  EXPECT_GT(most, 192U);
}

TEST(CollisionClasses, WhatIsMergedMeetsItselfIfAPartOfItDoes) {
  std::string text;
  for (const char* name : {"k1", "k2", "g1", "g2"}) {
    text += std::string("def Sphere \"") + name +
            "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsRigidBodyAPI\"]) {}\n";
  }
  for (const char* group : {"k", "g"}) {
    text +=
        std::string("def PhysicsCollisionGroup \"") + group +
        "\" {\nrel collection:colliders:includes = [</" + group + "1>, </" + group +
        "2>]\nrel physics:filteredGroups = " + (group[0] == 'k' ? "[</k>, </g>]\n}\n" : "[]\n}\n");
  }
  const PhysicsModel model = read(text, Rules::documented);
  Diagnostics unused;
  const PairFilter filter = PairFilter::build(model, unused);
  const CollisionClasses classes = collision_classes(model, filter);
  EXPECT_EQ(classes.class_of_shape, (std::vector<std::int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(classes.matrix, (std::vector<bool>{false, false, false, true}));
  const CollisionMasks masks = collision_masks(model, filter, classes, 1);
  for (const CollisionMasks::Masks& one : masks.of_shape) {
    EXPECT_EQ(one.group, 1U);
    EXPECT_EQ(one.mask, 1U);
  }
  EXPECT_EQ(masks.leftover_count, 5U);
}

// A chain, in which each keeps apart from the next: none are alike.
TEST(CollisionClasses, AThousandAreMergedInTheCubeOfTheirNumber) {
  const int count = SINEW_TEST_SANITIZED ? 100 : 1030;
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "def Sphere \"s" + std::to_string(i) +
            "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsRigidBodyAPI\", "
            "\"PhysicsFilteredPairsAPI\"]) { rel physics:filteredPairs = </s" +
            std::to_string(std::min(i + 1, count - 1)) + ">;}\n";
  }
  const PhysicsModel model = read(text, Rules::documented);
  Diagnostics unused;
  const PairFilter filter = PairFilter::build(model, unused);
  const CollisionClasses classes = collision_classes(model, filter);
  const CollisionMasks masks = collision_masks(model, filter, classes, 32);
  EXPECT_FALSE(masks.exact);
  std::size_t wrong = 0;
  for_each_pair(model, filter, [&](std::size_t a, std::size_t b, bool collides) {
    const bool meet = (masks.of_shape[a].group & masks.of_shape[b].mask) != 0;
    EXPECT_TRUE(!collides || meet);
    wrong += meet != collides ? 1 : 0;
  });
  EXPECT_EQ(masks.leftover_count, wrong);
  EXPECT_EQ(masks.leftover.size(), std::min<std::size_t>(wrong, 1000));
}

TEST(CollisionClasses, BodyPairsAreExcludedWhollyOrMixed) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const PhysicsModel model = read(random_filters(random), Rules::documented);
    Diagnostics unused;
    const PairFilter filter = PairFilter::build(model, unused);
    const ExcludedBodyPairs pairs = excluded_body_pairs(model, filter);
    const auto bodies = static_cast<std::int32_t>(model.rigid_bodies.size());
    for (std::int32_t a = kNone; a < bodies; ++a) {
      for (std::int32_t b = a + 1; b < bodies; ++b) {
        std::size_t apart = 0;
        std::size_t all = 0;
        for (std::size_t s = 0; s < model.shapes.size(); ++s) {
          for (std::size_t t = 0; t < model.shapes.size(); ++t) {
            const Shape& x = model.shapes[s];
            const Shape& y = model.shapes[t];
            if (x.body != a || y.body != b || !x.collision_enabled || !y.collision_enabled)
              continue;
            ++all;
            apart +=
                filter.collides(static_cast<std::int32_t>(s), static_cast<std::int32_t>(t)) ? 0 : 1;
          }
        }
        const ExcludedBodyPairs::Pair pair(a, b);
        EXPECT_EQ(std::count(pairs.excluded.begin(), pairs.excluded.end(), pair),
                  all > 0 && apart == all ? 1 : 0);
        EXPECT_EQ(std::count(pairs.mixed.begin(), pairs.mixed.end(), pair),
                  apart > 0 && apart < all ? 1 : 0);
      }
    }
  }
}

}  // namespace
}  // namespace sinew::physics::collision_classes_test
