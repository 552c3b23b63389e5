// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/joint_forest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "physics/read_scene.hpp"
#include "support/random.hpp"

namespace sinew::physics::joint_forest_test {
namespace {

using sinew::test::Random;
using test::add_joint;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JointForest, HoldsEveryBodyOnceAndParentsFirst) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    PhysicsModel model;
    const int bodies = random.between(1, 12);
    for (int i = 0; i < bodies; ++i) {
      RigidBody& body = model.rigid_bodies.emplace_back();
      body.path = "/b" + std::to_string(i);
      body.rigid_body_enabled = !random.chance(10);
      body.kinematic_body = random.chance(10);
    }
    for (int i = random.between(0, 20); i > 0; --i) {
      Joint& joint = model.joints.emplace_back();
      joint.path = "/j" + std::to_string(i);
      for (JointEnd& end : joint.ends) end.body = random.between(-1, bodies - 1);
      if (random.chance(60)) joint.kind = RevoluteJoint{};
      if (random.chance(10)) joint.kind = DistanceJoint{};
      joint.joint_enabled = !random.chance(10);
      joint.exclude_from_articulation = random.chance(10);
    }
    const JointForest forest = joint_forest(model);
    ASSERT_EQ(forest.links.size(), model.rigid_bodies.size());
    std::vector<int> seen(model.rigid_bodies.size(), 0);
    std::vector<int> holds(model.joints.size(), 0);
    for (std::size_t i = 0; i < forest.links.size(); ++i) {
      const ForestLink& link = forest.links[i];
      ++seen[static_cast<std::size_t>(link.body)];
      EXPECT_EQ(forest.link_of_body[static_cast<std::size_t>(link.body)],
                static_cast<std::int32_t>(i));
      EXPECT_LT(link.parent, static_cast<std::int32_t>(i));
      const RigidBody& body = model.body(link.body);
      const bool stands = !body.rigid_body_enabled || body.kinematic_body;
      EXPECT_EQ(stands, link.state == LinkState::is_static || link.state == LinkState::kinematic);
      EXPECT_EQ(link.joints.empty(), stands || link.state == LinkState::free);
      for (const std::int32_t j : link.joints) {
        ++holds[static_cast<std::size_t>(j)];
        const Joint& joint = model.joint(j);
        EXPECT_TRUE(joint.joint_enabled && !joint.exclude_from_articulation);
        EXPECT_FALSE(std::holds_alternative<DistanceJoint>(joint.kind));
        EXPECT_TRUE(joint.ends[0].body == link.body || joint.ends[1].body == link.body);
        if (link.parent != kNone) {
          const std::int32_t parent = forest.links[static_cast<std::size_t>(link.parent)].body;
          EXPECT_TRUE(joint.ends[0].body == parent || joint.ends[1].body == parent);
          EXPECT_FALSE(model.body(parent).kinematic_body);
        }
      }
    }
    EXPECT_THAT(seen, ::testing::Each(1));
    for (const std::int32_t j : forest.loop_joints) ++holds[static_cast<std::size_t>(j)];
    EXPECT_THAT(holds, ::testing::Each(::testing::Le(1)));
    // Two that a holding joint could connect are never both free.
    for (const std::int32_t j : forest.loop_joints) {
      const Joint& joint = model.joint(j);
      if (!std::holds_alternative<RevoluteJoint>(joint.kind) || joint.exclude_from_articulation) {
        continue;
      }
      int free = 0;
      for (const JointEnd& end : joint.ends) {
        if (end.body == kNone || !model.body(end.body).rigid_body_enabled) continue;
        const ForestLink& link = forest.links[static_cast<std::size_t>(
            forest.link_of_body[static_cast<std::size_t>(end.body)])];
        free += link.state == LinkState::free ? 1 : 0;
      }
      const bool kinematic =
          std::any_of(std::begin(joint.ends), std::end(joint.ends), [&](const JointEnd& end) {
            return end.body != kNone && model.body(end.body).kinematic_body;
          });
      EXPECT_TRUE(kinematic || free < 2);
    }
  }
}

TEST(JointForest, StacksJointsOnlyWhereTheFileSaysSo) {
  PhysicsModel model;
  model.rigid_bodies.resize(2);
  for (int i = 0; i < 3; ++i) {
    Joint& joint = model.joints.emplace_back();
    joint.path = "/j" + std::to_string(i);
    joint.ends[0].body = 0;
    joint.ends[1].body = 1;
    RevoluteJoint hinge;
    hinge.axis = static_cast<Axis>(i);
    joint.kind = hinge;
  }
  EXPECT_EQ(joint_forest(model).links[1].joints.size(), 1U);
  EXPECT_EQ(joint_forest(model).loop_joints.size(), 2U);
  model.joint_extras.resize(3);
  for (JointExtras& extras : model.joint_extras) extras.stacks = true;
  EXPECT_THAT(joint_forest(model).links[1].joints, ElementsAre(0, 1, 2));
  EXPECT_THAT(joint_forest(model).loop_joints, IsEmpty());
  EXPECT_EQ(joint_forest(model, {StackedJoints::never}).loop_joints.size(), 2U);
  model.joint_extras[1].is_equality = true;
  EXPECT_EQ(joint_forest(model).links[1].joints.size(), 2U);
  model.joint_extras.clear();
  EXPECT_THAT(joint_forest(model, {StackedJoints::always}).links[1].joints, ElementsAre(0, 1, 2));
}

// A model of bodies /a, /b ... and of an articulation with its root on the first.
PhysicsModel articulated(int bodies) {
  PhysicsModel model;
  for (int i = 0; i < bodies; ++i) {
    model.rigid_bodies.emplace_back().path = std::string("/") + static_cast<char>('a' + i);
  }
  Articulation& articulation = model.articulations.emplace_back();
  articulation.path = "/a";
  articulation.is_valid = true;
  return model;
}

const ForestLink& link_of(const JointForest& forest, std::size_t body) {
  return forest.links[static_cast<std::size_t>(forest.link_of_body[body])];
}

TEST(JointForest, HangsTheBaseOfATreeOnTheJointThatHoldsItToTheWorld) {
  PhysicsModel model = articulated(2);
  add_joint(model, kNone, 0, PrismaticJoint{});
  add_joint(model, 0, 1, RevoluteJoint{});
  const JointForest forest = joint_forest(model);
  EXPECT_EQ(link_of(forest, 0).state, LinkState::jointed);
  EXPECT_THAT(link_of(forest, 0).joints, ElementsAre(0));
  EXPECT_THAT(link_of(forest, 1).joints, ElementsAre(1));
  EXPECT_THAT(forest.loop_joints, IsEmpty());
  model.joints[0].kind = FixedJoint{};
  EXPECT_EQ(link_of(joint_forest(model), 0).state, LinkState::fixed_to_world);
}

TEST(JointForest, HangsABodyBehindAKinematicOneOnWhatElseHoldsIt) {
  PhysicsModel model = articulated(4);
  model.rigid_bodies[1].kinematic_body = true;
  model.rigid_bodies[3].rigid_body_enabled = false;
  add_joint(model, kNone, 0, RevoluteJoint{});
  add_joint(model, 0, 1, RevoluteJoint{});
  add_joint(model, 1, 2, RevoluteJoint{});
  add_joint(model, 2, 3, PrismaticJoint{});
  const JointForest forest = joint_forest(model);
  EXPECT_EQ(link_of(forest, 2).state, LinkState::jointed);
  EXPECT_THAT(link_of(forest, 2).joints, ElementsAre(3));
  EXPECT_THAT(forest.loop_joints, ElementsAre(1, 2));
}

TEST(JointForest, HangsAMechanismOnItsKinematicBase) {
  PhysicsModel model = articulated(3);
  model.rigid_bodies[0].kinematic_body = true;
  add_joint(model, 0, 1, PrismaticJoint{});
  add_joint(model, 1, 2, RevoluteJoint{});
  const JointForest forest = joint_forest(model);
  EXPECT_EQ(link_of(forest, 0).state, LinkState::kinematic);
  EXPECT_THAT(link_of(forest, 0).joints, IsEmpty());
  EXPECT_EQ(link_of(forest, 1).state, LinkState::jointed);
  EXPECT_EQ(link_of(forest, 1).parent, forest.link_of_body[0]);
  EXPECT_THAT(link_of(forest, 1).joints, ElementsAre(0));
  EXPECT_THAT(link_of(forest, 2).joints, ElementsAre(1));
  EXPECT_THAT(forest.loop_joints, IsEmpty());
  // Outside an articulation it is only tied to what it is joined with.
  model.articulations.clear();
  EXPECT_THAT(joint_forest(model).loop_joints, ElementsAre(0));
}

// The tree reaches /b first by a rope, which holds nothing; what comes later in the tree does.
TEST(JointForest, HangsABodyThatItsTreeDoesNotHoldOnTheRest) {
  PhysicsModel model = articulated(3);
  add_joint(model, 0, 1, DistanceJoint{});
  add_joint(model, 0, 2, RevoluteJoint{});
  add_joint(model, 2, 1, RevoluteJoint{});
  const JointForest forest = joint_forest(model);
  EXPECT_EQ(link_of(forest, 0).state, LinkState::free);
  EXPECT_EQ(link_of(forest, 1).state, LinkState::jointed);
  EXPECT_THAT(link_of(forest, 1).joints, ElementsAre(2));
  EXPECT_THAT(forest.loop_joints, ElementsAre(0));
}

TEST(JointForest, IsHeldByWhatLocksLimitsOrDrivesSomething) {
  const auto holds = [](auto kind, bool is_equality = false, bool is_valid = true) {
    PhysicsModel model = articulated(2);
    model.articulations.clear();
    add_joint(model, 0, 1, kind);
    model.joints[0].is_valid = is_valid;
    if (is_equality) model.joint_extras.resize(1);
    if (is_equality) model.joint_extras[0].is_equality = true;
    const JointForest forest = joint_forest(model);
    const bool held = link_of(forest, 1).parent != kNone;
    EXPECT_EQ(forest.loop_joints.empty(), held || !is_valid);
    return held;
  };
  EXPECT_FALSE(holds(D6Joint{}));
  D6Joint six;
  six.limits.push_back({JointDof::rot_z, {true, -1, 1}});
  EXPECT_TRUE(holds(six));
  six.limits[0].limit = {true, 1, -1};
  EXPECT_TRUE(holds(six));
  six.limits[0].limit.enabled = false;
  EXPECT_FALSE(holds(six));
  six.limits[0] = {JointDof::distance, {true, 0, 1}};
  EXPECT_FALSE(holds(six));
  six.drives.push_back({JointDof::trans_x, {}});
  six.drives[0].drive.enabled = false;
  EXPECT_FALSE(holds(six));
  six.drives[0].drive.enabled = true;
  EXPECT_TRUE(holds(six));
  EXPECT_FALSE(holds(CustomJoint{"Own"}));
  EXPECT_FALSE(holds(DistanceJoint{}));
  EXPECT_TRUE(holds(FixedJoint{}));
  EXPECT_FALSE(holds(FixedJoint{}, true));
  EXPECT_FALSE(holds(FixedJoint{}, false, false));
}

TEST(JointForest, StacksOnlyJointsOfOneAxisThatWork) {
  PhysicsModel model = articulated(2);
  for (int i = 0; i < 2; ++i) add_joint(model, 0, 1, RevoluteJoint{});
  model.joint_extras.resize(2);
  for (JointExtras& extras : model.joint_extras) extras.stacks = true;
  const auto stacks = [&](const std::vector<std::int32_t>& joints, StackedJoints how) {
    return serial_joints(model, joints, how);
  };
  EXPECT_TRUE(stacks({0, 1}, StackedJoints::automatic));
  EXPECT_TRUE(stacks({0, 1}, StackedJoints::always));
  EXPECT_FALSE(stacks({0, 1}, StackedJoints::never));
  EXPECT_FALSE(stacks({0, 2}, StackedJoints::always));
  EXPECT_FALSE(stacks({-1, 0}, StackedJoints::always));
  const auto refuses = [&](auto change) {
    const PhysicsModel before = model;
    change(model);
    const bool refused = !stacks({0, 1}, StackedJoints::always);
    model = before;
    return refused;
  };
  EXPECT_FALSE(refuses([](PhysicsModel& m) { m.joint_extras.clear(); }));
  EXPECT_FALSE(refuses([](PhysicsModel& m) { m.joint_extras[1].stacks = false; }));
  EXPECT_TRUE(refuses([](PhysicsModel& m) { m.joint_extras[1].is_equality = true; }));
  EXPECT_TRUE(refuses([](PhysicsModel& m) { m.joints[1].kind = FixedJoint{}; }));
  EXPECT_TRUE(refuses([](PhysicsModel& m) { m.joints[1].is_valid = false; }));
  EXPECT_TRUE(refuses([](PhysicsModel& m) { m.joints[1].joint_enabled = false; }));
  EXPECT_TRUE(refuses([](PhysicsModel& m) { m.joints[1].exclude_from_articulation = true; }));
  model.joint_extras.resize(1);
  EXPECT_FALSE(stacks({0, 1}, StackedJoints::automatic));
}

TEST(JointForest, LinksBelowAreThoseThatHangOnALink) {
  JointForest forest;
  const std::vector<std::int32_t> parents = {kNone, 0, kNone, 1, 2, 0, 9};
  for (const std::int32_t parent : parents) forest.links.emplace_back().parent = parent;
  EXPECT_THAT(forest.links_below(0), ElementsAre(0, 1, 3, 5));
  EXPECT_THAT(forest.links_below(2), ElementsAre(2, 4));
  EXPECT_THAT(forest.links_below(6), ElementsAre(6));
  EXPECT_THAT(forest.links_below(-1), IsEmpty());
  EXPECT_THAT(forest.links_below(7), IsEmpty());
}

TEST(JointForest, OnlyWhatLocksAllHoldsABodyStillAndOnlyToTheWorld) {
  const auto state = [](auto kind, bool on_a_body) {
    PhysicsModel model = articulated(2);
    model.articulations.clear();
    add_joint(model, kNone, 0, PrismaticJoint{});
    add_joint(model, on_a_body ? 0 : kNone, 1, kind);
    const JointForest forest = joint_forest(model);
    EXPECT_EQ(link_of(forest, 0).state, LinkState::jointed);
    EXPECT_THAT(link_of(forest, 1).joints, ElementsAre(1));
    EXPECT_EQ(link_of(forest, 1).parent, on_a_body ? 0 : kNone);
    return link_of(forest, 1).state;
  };
  const auto hinge = [](float lower, float upper) {
    RevoluteJoint joint;
    joint.limit = {true, lower, upper};
    return joint;
  };
  EXPECT_EQ(state(FixedJoint{}, false), LinkState::fixed_to_world);
  EXPECT_EQ(state(FixedJoint{}, true), LinkState::jointed);
  EXPECT_EQ(state(hinge(5, 5), false), LinkState::fixed_to_world);
  EXPECT_EQ(state(hinge(6, 5), false), LinkState::fixed_to_world);
  EXPECT_EQ(state(hinge(5, 6), false), LinkState::jointed);
  EXPECT_EQ(state(hinge(5, 5), true), LinkState::jointed);
}

TEST(JointForest, ASingleJointIsNoStackAndTwoThatHoldToTheWorldAre) {
  PhysicsModel model = articulated(1);
  model.articulations.clear();
  add_joint(model, kNone, 0, RevoluteJoint{});
  add_joint(model, 0, kNone, PrismaticJoint{});
  const ForestOptions always{StackedJoints::always};
  EXPECT_THAT(link_of(joint_forest(model, always), 0).joints, ElementsAre(0, 1));
  EXPECT_EQ(link_of(joint_forest(model, always), 0).state, LinkState::jointed);
  EXPECT_THAT(joint_forest(model, always).loop_joints, IsEmpty());
  EXPECT_THAT(link_of(joint_forest(model), 0).joints, ElementsAre(0));
  EXPECT_THAT(joint_forest(model).loop_joints, ElementsAre(1));
  // A stack of locked joints is still a stack.
  RevoluteJoint locked;
  locked.limit = {true, 0.0F, 0.0F};
  for (Joint& joint : model.joints) joint.kind = locked;
  EXPECT_EQ(link_of(joint_forest(model, always), 0).state, LinkState::jointed);
}

TEST(JointForest, LoopsAreJointsBetweenTwoThingsThatWork) {
  PhysicsModel model = articulated(3);
  model.articulations.clear();
  model.rigid_bodies[2].rigid_body_enabled = false;
  add_joint(model, 0, 1, DistanceJoint{});
  add_joint(model, 0, 0, DistanceJoint{});
  add_joint(model, 2, kNone, DistanceJoint{});  // What is disabled stands still, like the world.
  add_joint(model, 2, 1, DistanceJoint{});
  add_joint(model, 0, 1, DistanceJoint{});
  model.joints[4].is_valid = false;
  const JointForest forest = joint_forest(model);
  EXPECT_THAT(forest.loop_joints, ElementsAre(0, 3));
  EXPECT_EQ(link_of(forest, 2).state, LinkState::is_static);
  EXPECT_EQ(link_of(forest, 0).state, LinkState::free);
}

}  // namespace
}  // namespace sinew::physics::joint_forest_test
