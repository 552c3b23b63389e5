// SPDX-License-Identifier: Apache-2.0
// Joints between two links, against random robots whose answers are known.
#include "sinew/physics/link_joint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "physics/random_values.hpp"
#include "physics/read_scene.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/lookup.hpp"
#include "support/random_robot.hpp"

namespace sinew::physics::link_joint_test {
namespace {

using sinew::test::Random;
using test::add_joint;
using test::model_of;
using test::rotation;
using test::uniform;
using test::vector;

TEST(LinkJoint, SaysOfRandomRobotsWhatTheyWereMadeWith) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const sinew::test::RandomRobot robot(seed);
    const PhysicsModel model = model_of(robot);
    const Lookup lookup(model);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const sinew::test::RobotJoint& expected = robot.joints[i];
      const std::int32_t child = lookup.body(robot.bodies[i].path);
      const LinkJoint link = link_joint(model, lookup.joint(expected.path), child);
      ASSERT_EQ(link.dofs.size(), 1U);
      EXPECT_EQ(link.child, child);
      EXPECT_EQ(link.parent,
                expected.parent < 0
                    ? kNone
                    : lookup.body(robot.bodies[static_cast<std::size_t>(expected.parent)].path));
      EXPECT_EQ(link.reversed, expected.reversed);
      const LinkDof& dof = link.dofs[0];
      EXPECT_EQ(dof.is_rotation(), expected.turns);
      EXPECT_NEAR(dof.start, expected.start, 4e-6);
      EXPECT_NEAR(dof.lower, expected.lower, 1e-6);
      EXPECT_NEAR(dof.upper, expected.upper, 1e-6);
      EXPECT_LT((dof.axis_in_child - expected.axis_in_child()).norm(), 4e-6);
      EXPECT_LT(link.mismatch_distance, 1e-5);
      EXPECT_LT(link.mismatch_angle, 1e-5);
      for (const double q : {0.0, expected.start, 0.7}) {
        const Posed pose = link_pose(link, {q}, true);
        const Posed wanted = expected.child_in_parent(q);
        EXPECT_LT((pose.position - wanted.position).norm(), 1e-5);
        EXPECT_LT(pose.rotation.angularDistance(wanted.rotation), 1e-5);
      }
      const Posed zero = zero_pose(link);
      EXPECT_LT((zero.position - expected.child_in_parent(0.0).position).norm(), 1e-5);
    }
  }
}

// Without a joint a body is held to the world, or is free: nothing moves it.
TEST(LinkJoint, OfNoJointHoldsTheChildToTheWorld) {
  const PhysicsModel model = model_of(sinew::test::RandomRobot(1));
  ASSERT_GE(model.rigid_bodies.size(), 2U);
  for (const std::int32_t joint : {kNone, 99999}) {
    const LinkJoint link = link_joint(model, joint, 1);
    EXPECT_EQ(link.joint, kNone);
    EXPECT_EQ(link.parent, kNone);
    EXPECT_EQ(link.child, 1);
    EXPECT_FALSE(link.reversed);
    EXPECT_EQ(link_joint(model, joint, 99999).child, kNone);
  }
}

// Two free bodies with a generic joint between them; what is not in `locked` is open.
PhysicsModel generic(Random& random, const std::vector<JointDof>& locked) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(2);
  for (int i = 0; i < 2; ++i) {
    RigidBody& body = model.rigid_bodies[static_cast<std::size_t>(i)];
    body.path = i == 0 ? "/a" : "/b";
    body.pose = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  }
  Joint& joint = model.joints.emplace_back();
  joint.path = "/j";
  for (int i = 0; i < 2; ++i) {
    joint.ends[i].body = i;
    joint.ends[i].frame = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  }
  D6Joint d6;
  for (const JointDof dof : locked) d6.limits.push_back({dof, {true, 1.0F, -1.0F}});
  joint.kind = d6;
  return model;
}

TEST(LinkJoint, OpenJointsGiveBackThePosesOfTheFileAtTheirStart) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const PhysicsModel model = generic(random, {});
    for (const std::int32_t child : {0, 1}) {
      const LinkJoint link = link_joint(model, 0, child);
      ASSERT_EQ(link.dofs.size(), 6U);
      std::vector<double> start;
      for (const LinkDof& dof : link.dofs) start.push_back(dof.start);
      const Posed pose = link_pose(link, start, true);
      const RigidBody& parent = model.body(1 - child);
      const Vector3d world =
          parent.pose.position.cast<double>() + parent.pose.rotation.cast<double>() * pose.position;
      EXPECT_LT((world - model.body(child).pose.position.cast<double>()).norm(), 1e-5);
      EXPECT_LT((parent.pose.rotation.cast<double>() * pose.rotation)
                    .angularDistance(model.body(child).pose.rotation.cast<double>()),
                1e-5);
    }
  }
}

// The axes are where the child goes if a coordinate grows a little.
TEST(LinkJoint, AxesAreTheDirectionsOfSmallSteps) {
  Random random(4);
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 300; ++i) {
    const PhysicsModel model = generic(random, {});
    for (const std::int32_t child : {0, 1}) {
      const LinkJoint link = link_joint(model, 0, child);
      std::vector<double> q;
      for (const LinkDof& dof : link.dofs) q.push_back(dof.start);
      const Posed before = link_pose(link, q, true);
      for (std::size_t k = 0; k < q.size(); ++k) {
        std::vector<double> moved = q;
        moved[k] += kStep;
        const Posed after = link_pose(link, moved, true);
        const LinkDof& dof = link.dofs[k];
        if (dof.is_rotation()) {
          const Eigen::AngleAxisd turn(
              Quatd(before.rotation.conjugate() * after.rotation).normalized());
          EXPECT_NEAR(turn.angle(), kStep, 1e-8);
          EXPECT_LT((turn.axis() - dof.axis_in_child).norm(), 1e-3);
          // The anchor stays where it is.
          EXPECT_LT(((before.position + before.rotation * link.anchor) -
                     (after.position + after.rotation * link.anchor))
                        .norm(),
                    1e-9);
        } else {
          const Vector3d step = before.rotation.conjugate() * (after.position - before.position);
          EXPECT_LT((step / kStep - dof.axis_in_child).norm(), 1e-5);
          EXPECT_LT((before.rotation * dof.axis_in_child - dof.axis_in_parent).norm(), 1e-5);
        }
      }
    }
  }
}

TEST(LinkJoint, TellsHowFarLockedFramesStandApart) {
  Random random(5);
  PhysicsModel model = generic(random, {});
  model.joints[0].kind = FixedJoint{};
  const LinkJoint apart = link_joint(model, 0, 1);
  EXPECT_TRUE(apart.dofs.empty());
  EXPECT_GT(apart.mismatch_distance, 0.01);
  EXPECT_NEAR(apart.mismatch_distance,
              static_cast<double>(world_frames(model, model.joints[0]).distance), 1e-5);

  snap_to_joints(model, {{0, 1}});
  const LinkJoint snapped = link_joint(model, 0, 1);
  EXPECT_LT(snapped.mismatch_distance, 1e-5);
  EXPECT_LT(snapped.mismatch_angle, 1e-3);
}

// Two bodies whose joint has these limits in degrees, the second one where its frame makes `stands`
// with that of the first.
PhysicsModel held(const decltype(Joint::kind)& kind, const Posed& stands, Random& random) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, false};
  model.rigid_bodies.resize(2);
  model.rigid_bodies[0].pose = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  Joint& joint = model.joints.emplace_back();
  joint.kind = kind;
  for (int i = 0; i < 2; ++i) {
    joint.ends[i].body = i;
    joint.ends[i].frame = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  }
  const Posed first = compose(to_frame(model.rigid_bodies[0].pose), to_frame(joint.ends[0].frame));
  model.rigid_bodies[1].pose =
      to_pose(compose(compose(first, stands), inverse(to_frame(joint.ends[1].frame))));
  return model;
}

// Every choice of what is locked, each at a value of its own.
TEST(LinkJoint, StandsWhereEqualLimitsLockIt) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  for (unsigned mask = 0; mask < 64; ++mask) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(64 * seed + mask);
      D6Joint d6;
      Posed stands;
      for (int i = 0; i < 6; ++i) {
        const auto dof = static_cast<JointDof>(static_cast<int>(JointDof::trans_x) + i);
        // A second turn by a quarter leaves the others to share one angle.
        const double value = i < 3    ? uniform(random, -2, 2)
                             : i == 4 ? uniform(random, 100, 170) * (random.chance(50) ? 1.0 : -1.0)
                                      : uniform(random, -170, 170);
        const auto limit = static_cast<float>(value);
        if ((mask >> static_cast<unsigned>(i) & 1U) != 0) {
          d6.limits.push_back({dof, {true, limit, limit}});
        }
        if (i < 3) {
          stands.position[i] = static_cast<double>(limit);
        } else {
          stands.rotation =
              stands.rotation *
              Quatd(Eigen::AngleAxisd(kDegree * static_cast<double>(limit), Vector3d::Unit(i - 3)));
        }
      }
      const PhysicsModel model = held(d6, stands, random);
      for (const std::int32_t child : {0, 1}) {
        SCOPED_TRACE(fmt::format("locked {:06b}, seed {}, child {}", mask, seed, child));
        const LinkJoint link = link_joint(model, 0, child);
        EXPECT_LT(link.mismatch_distance, 1e-5);
        EXPECT_LT(link.mismatch_angle, 1e-3);
        std::vector<double> starts;
        for (const LinkDof& dof : link.dofs) starts.push_back(dof.start);
        const Posed pose = link_pose(link, starts, false);
        const Posed wanted =
            compose(inverse(body_frame(model, link.parent)), body_frame(model, child));
        EXPECT_LT((pose.position - wanted.position).norm(), 1e-4);
        EXPECT_LT(pose.rotation.angularDistance(wanted.rotation), 1e-4);
        for (std::size_t i = 0; i < link.dofs.size(); ++i) {
          if (!link.dofs[i].is_rotation()) continue;
          std::vector<double> more = starts;
          more[i] += 1.0;  // A degree, about the axis that is told.
          const Quatd step = pose.rotation.conjugate() * link_pose(link, more, false).rotation;
          const Vector3d axis = (step.w() < 0.0 ? -1.0 : 1.0) * step.vec().normalized();
          EXPECT_LT((axis - link.dofs[i].axis_in_child).norm(), 1e-4);
        }
      }
    }
  }
}

TEST(LinkJoint, TellsHowFarABodyStandsFromWhereEqualLimitsLockIt) {
  Random random(1);
  RevoluteJoint hinge;
  hinge.axis = Axis::x;
  hinge.limit = {true, -10.0F, -10.0F};
  PrismaticJoint slide;
  slide.limit = {true, 0.5F, 0.5F};
  PhysicsModel turned = held(hinge, Posed{}, random);
  PhysicsModel moved = held(slide, Posed{}, random);
  EXPECT_NEAR(link_joint(turned, 0, 1).mismatch_angle, 10.0, 1e-4);
  EXPECT_NEAR(link_joint(moved, 0, 1).mismatch_distance, 0.5, 1e-5);
  for (PhysicsModel* model : {&turned, &moved}) {
    snap_to_joints(*model, {{0, 1}});
    const LinkJoint snapped = link_joint(*model, 0, 1);
    EXPECT_LT(snapped.mismatch_angle, 1e-3);
    EXPECT_LT(snapped.mismatch_distance, 1e-5);
  }
}

// A stack moves its body by all of its joints: coordinates stay, and no anchor is off.
TEST(LinkJoint, SnapsAStackByItsWholeChain) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(2);
  model.rigid_bodies[0].pose = {{1, 2, 3}, Quatf(Eigen::AngleAxisf(0.5F, Vector3f::UnitZ()))};
  const Quatf turned(Eigen::AngleAxisf(0.3F, Vector3f::UnitX()) *
                     Eigen::AngleAxisf(0.2F, Vector3f::UnitY()));
  const Pose& parent = model.rigid_bodies[0].pose;
  // The hinges meet half a metre before the body, which stands a metre too far off.
  model.rigid_bodies[1].pose = {parent.position + parent.rotation * Vector3f(0, 0, 1.5F),
                                Quatf(parent.rotation * turned)};
  for (const Axis axis : {Axis::x, Axis::y}) {
    Joint& joint = model.joints.emplace_back();
    joint.ends[0].body = 0;
    joint.ends[1].body = 1;
    joint.ends[1].frame.position = {0, 0, -0.5F};
    RevoluteJoint hinge;
    hinge.axis = axis;
    joint.kind = hinge;
  }
  snap_to_joints(model, {{0, 1}, {1, 1}});
  const double starts[] = {0.3, 0.2};
  for (std::int32_t j = 0; j < 2; ++j) {
    const LinkJoint link = link_joint(model, j, 1);
    ASSERT_EQ(link.dofs.size(), 1U);
    EXPECT_NEAR(link.dofs[0].start, starts[j], 1e-6);
    EXPECT_LT(link.mismatch_distance, 1e-6);
  }
  EXPECT_LT(model.rigid_bodies[1].pose.rotation.angularDistance(parent.rotation * turned), 1e-5F);
}

// A cone that is open one way is still a cone about its axis: that turn comes last.
TEST(LinkJoint, TwistsLastAboutTheAxisOfItsCone) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    for (const bool first_is_open : {false, true}) {
      Random random(5);
      PhysicsModel model = generic(random, {});
      const float limit = 0.3F;
      model.joints[0].kind = SphericalJoint{
          axis, {true, first_is_open ? -1.0F : limit, first_is_open ? limit : -1.0F}};
      const LinkJoint link = link_joint(model, 0, 1);
      ASSERT_EQ(link.dofs.size(), 3U);
      EXPECT_EQ(link.dofs[2].dof,
                static_cast<JointDof>(static_cast<int>(JointDof::rot_x) + static_cast<int>(axis)));
    }
  }
}

TEST(LinkJoint, StartsWithinItsRangeWhereATurnBringsItThere) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(1);
  Joint& joint = model.joints.emplace_back();
  joint.ends[1].body = 0;
  RevoluteJoint hinge;
  hinge.limit = {true, 5.0F, 7.0F};  // 0 is outside, 2 pi is not.
  joint.kind = hinge;
  EXPECT_NEAR(link_joint(model, 0, 0).dofs[0].start, 2.0 * std::numbers::pi, 1e-6);
  EXPECT_EQ(link_joint(model, 7, 0).dofs.size(), 6U);
  EXPECT_EQ(link_joint(model, -1, -1).child, kNone);
}

// There is no such place: the child stays where the frames agree.
TEST(LinkJoint, LocksAtZeroWhereItsLimitsAreInfinite) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(1);
  model.rigid_bodies[0].pose.position = {3, 4, 0};
  PrismaticJoint slide;
  slide.limit = {true, INFINITY, INFINITY};
  add_joint(model, kNone, 0, slide);
  const LinkJoint link = link_joint(model, 0, 0);
  EXPECT_TRUE(link.dofs.empty());
  EXPECT_EQ(link.locked_position, Vector3d(0, 0, 0));
  EXPECT_NEAR(link.mismatch_distance, 5.0, 1e-6);
}

// A choice of a joint and a body that there are not moves nothing, and hinders none after it.
TEST(LinkJoint, SnapsOnlyBodiesThatThereAre) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(2);
  for (const std::int32_t body : {0, 1}) {
    model.rigid_bodies[static_cast<std::size_t>(body)].pose.position = {0, 0, 1};
    add_joint(model, kNone, body, FixedJoint{}).ends[1].frame.position = {0, 0, 2};
  }
  snap_to_joints(model, {{7, 9}, {1, 1}});
  EXPECT_EQ(model.rigid_bodies[0].pose.position, Vector3f(0, 0, 1));
  EXPECT_EQ(model.rigid_bodies[1].pose.position, Vector3f(0, 0, -2));
}

}  // namespace
}  // namespace sinew::physics::link_joint_test
