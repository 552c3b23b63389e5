// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/joint_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::physics::joint_frames_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kHalfRoot = 0.70710678F;

PhysicsModel two_bodies() {
  PhysicsModel model;
  RigidBody body;
  body.path = "/a";
  body.pose.position = {1, 0, 0};
  body.pose.rotation = Quatf(kHalfRoot, 0, 0, kHalfRoot);  // 90 degrees about z.
  model.rigid_bodies.push_back(body);
  body.path = "/b";
  body.pose.position = {1, 2, 0};
  body.pose.rotation = Quatf(1, 0, 0, 0);
  model.rigid_bodies.push_back(body);
  return model;
}

template <typename Kind>
Joint joint_of(Kind kind) {
  Joint joint;
  joint.ends[0].body = 0;
  joint.ends[1].body = 1;
  joint.kind = kind;
  return joint;
}

NormalJoint normal(const Joint& joint) {
  return normal_form(two_bodies(), joint);
}

int count(const NormalJoint& joint, DofState state) {
  int n = 0;
  for (const DofRule& dof : joint.dofs) n += dof.state == state ? 1 : 0;
  return n;
}

TEST(NormalForm, FixedJointLocksAllSix) {
  const NormalJoint n = normal(joint_of(FixedJoint{}));

  EXPECT_EQ(count(n, DofState::locked), 6);
  EXPECT_EQ(n.dof(JointDof::distance).state, DofState::free);
}

TEST(NormalForm, RevoluteJointTurnsAboutItsAxisAlone) {
  const NormalJoint n = normal(joint_of(RevoluteJoint{
      .axis = Axis::y, .limit = {true, -30, 60}, .drive = {.enabled = true, .stiffness = 5}}));

  EXPECT_EQ(count(n, DofState::locked), 5);
  EXPECT_EQ(n.dof(JointDof::rot_y).state, DofState::limited);
  EXPECT_EQ(n.dof(JointDof::rot_y).lower, -30.0F);
  EXPECT_EQ(n.dof(JointDof::rot_y).upper, 60.0F);
  EXPECT_EQ(n.dof(JointDof::rot_y).drive.stiffness, 5.0F);
}

TEST(NormalForm, LimitThatIsNotEnabledIsFree) {
  const NormalJoint n =
      normal(joint_of(RevoluteJoint{.axis = Axis::x, .limit = {false, -10, kInf}, .drive = {}}));

  EXPECT_EQ(n.dof(JointDof::rot_x).state, DofState::free);
  EXPECT_EQ(n.dof(JointDof::rot_x).lower, -kInf);
}

TEST(NormalForm, OneSidedLimitKeepsAnOpenEnd) {
  const NormalJoint n =
      normal(joint_of(PrismaticJoint{.axis = Axis::z, .limit = {true, -1e38F, 3}, .drive = {}}));

  EXPECT_EQ(n.dof(JointDof::trans_z).state, DofState::limited);
  EXPECT_EQ(n.dof(JointDof::trans_z).lower, -kInf);
  EXPECT_EQ(n.dof(JointDof::trans_z).upper, 3.0F);
}

// Tilting x towards y turns about z: cone angle 0 limits rot_z, cone angle 1 rot_y.
TEST(NormalForm, SphericalJointLimitsTheTwoSwings) {
  const NormalJoint n = normal(joint_of(SphericalJoint{Axis::x, {true, 20, 30}}));

  EXPECT_TRUE(n.cone);
  EXPECT_EQ(n.dof(JointDof::rot_x).state, DofState::free);
  EXPECT_EQ(n.dof(JointDof::rot_z).upper, 20.0F);
  EXPECT_EQ(n.dof(JointDof::rot_y).upper, 30.0F);
  EXPECT_EQ(n.dof(JointDof::rot_y).lower, -30.0F);
  EXPECT_EQ(n.dof(JointDof::trans_x).state, DofState::locked);
}

TEST(NormalForm, NegativeConeAngleIsFree) {
  const NormalJoint n = normal(joint_of(SphericalJoint{Axis::z, {true, 20, -1}}));

  EXPECT_EQ(n.dof(JointDof::rot_y).state, DofState::limited);
  EXPECT_EQ(n.dof(JointDof::rot_x).state, DofState::free);
}

TEST(NormalForm, DistanceJointLimitsTheDistanceAlone) {
  const NormalJoint n = normal(joint_of(DistanceJoint{false, true, {false, -1, 10}}));

  EXPECT_EQ(count(n, DofState::free), 6);
  EXPECT_EQ(n.dof(JointDof::distance).lower, 0.0F);
  EXPECT_EQ(n.dof(JointDof::distance).upper, 10.0F);
}

TEST(NormalForm, DistanceJointOfNoPossibleDistanceHoldsNothing) {
  const NormalJoint n = normal(joint_of(DistanceJoint{true, true, {false, 5, 3}}));

  EXPECT_EQ(count(n, DofState::free), kJointDofCount);
  EXPECT_GT(n.dof(JointDof::distance).upper, n.dof(JointDof::distance).lower);
}

TEST(NormalForm, NoRangeIsEverEmpty) {
  for (int lower = -2; lower <= 6; ++lower) {
    for (int upper = -2; upper <= 6; ++upper) {
      const auto low = static_cast<float>(lower);
      const auto high = static_cast<float>(upper);
      const JointLimit limit{true, low, high};
      for (const Joint& joint :
           {joint_of(DistanceJoint{lower >= 0, upper >= 0, {false, low, high}}),
            joint_of(RevoluteJoint{Axis::x, limit, {}}), joint_of(SphericalJoint{Axis::y, limit}),
            joint_of(PrismaticJoint{Axis::z, limit, {}})}) {
        for (const DofRule& dof : normal(joint).dofs) EXPECT_LE(dof.lower, dof.upper);
      }
    }
  }
}

TEST(NormalForm, ConeOfNoAngleLocksAndOfHalfATurnFrees) {
  const NormalJoint n = normal(joint_of(SphericalJoint{Axis::z, {true, 0, 180}}));

  EXPECT_EQ(n.dof(JointDof::rot_y).state, DofState::locked);
  EXPECT_EQ(n.dof(JointDof::rot_x).state, DofState::free);
}

// physics 6.4: no entry or not enabled = free, lower > upper = locked.
TEST(NormalForm, GenericJointIsFreeWhereNothingIsListed) {
  D6Joint d6;
  d6.limits = {{JointDof::trans_x, {true, 1, -1}},
               {JointDof::trans_y, {true, -2, 2}},
               {JointDof::rot_x, {false, -3, 3}}};
  d6.drives = {{JointDof::rot_z, {.enabled = true, .damping = 9}}};

  const NormalJoint n = normal(joint_of(d6));

  EXPECT_EQ(n.dof(JointDof::trans_x).state, DofState::locked);
  EXPECT_EQ(n.dof(JointDof::trans_y).state, DofState::limited);
  EXPECT_EQ(n.dof(JointDof::rot_x).state, DofState::free);
  EXPECT_EQ(n.dof(JointDof::rot_z).state, DofState::free);
  EXPECT_EQ(n.dof(JointDof::rot_z).drive.damping, 9.0F);
}

TEST(NormalForm, LimitsThatAreNotNumbersLimitNothing) {
  const float nan = std::nanf("");
  const NormalJoint n =
      normal(joint_of(PrismaticJoint{.axis = Axis::x, .limit = {true, nan, nan}, .drive = {}}));

  EXPECT_EQ(n.dof(JointDof::trans_x).state, DofState::free);
}

TEST(NormalForm, EndsAtStaticPrimsStandInTheWorld) {
  Joint joint = joint_of(FixedJoint{});
  joint.ends[0].body = kNone;
  joint.ends[0].body_world = {{10, 0, 0}, Quatf(kHalfRoot, 0, 0, kHalfRoot)};
  joint.ends[0].frame.position = {1, 0, 0};

  const NormalJoint n = normal(joint);

  EXPECT_EQ(n.bodies[0], kNone);
  EXPECT_LT((n.frames[0].position - Vector3f(10, 1, 0)).norm(), 1e-6F);
}

TEST(WorldFrames, FramesThatMeetDoNotDisagree) {
  Joint joint = joint_of(FixedJoint{});
  joint.ends[0].frame.position = {2, 0, 0};  // Body a is turned: 2 along y.
  joint.ends[1].frame.rotation = Quatf(kHalfRoot, 0, 0, kHalfRoot);

  const JointWorldFrames w = world_frames(two_bodies(), joint);

  EXPECT_LT((w.frames[0].position - Vector3f(1, 2, 0)).norm(), 1e-6F);
  EXPECT_LT(w.distance, 1e-6F);
  EXPECT_LT(w.angle, 1e-3F);
  EXPECT_LT(w.translation_error, 1e-6F);
  EXPECT_LT(w.rotation_error, 1e-3F);
}

TEST(WorldFrames, DisagreementIsToldAlongTheAxesOfFrameZero) {
  const JointWorldFrames w = world_frames(two_bodies(), joint_of(FixedJoint{}));

  EXPECT_LT((w.offset - Vector3f(2, 0, 0)).norm(), 1e-6F);
  EXPECT_NEAR(w.distance, 2.0F, 1e-6F);
  EXPECT_NEAR(w.angle, 90.0F, 1e-4F);
  EXPECT_NEAR(w.translation_error, 2.0F, 1e-6F);
  EXPECT_NEAR(w.rotation_error, 90.0F, 1e-4F);
}

TEST(WorldFrames, WhatTheJointAllowsIsNoError) {
  const JointWorldFrames slide = world_frames(
      two_bodies(),
      joint_of(PrismaticJoint{.axis = Axis::x, .limit = {true, 0, 1.5F}, .drive = {}}));
  const JointWorldFrames hinge = world_frames(
      two_bodies(), joint_of(RevoluteJoint{.axis = Axis::z, .limit = {}, .drive = {}}));
  const JointWorldFrames wrong_hinge = world_frames(
      two_bodies(), joint_of(RevoluteJoint{.axis = Axis::x, .limit = {}, .drive = {}}));
  const JointWorldFrames rope =
      world_frames(two_bodies(), joint_of(DistanceJoint{true, true, {false, 3, 4}}));

  EXPECT_NEAR(slide.translation_error, 0.5F, 1e-6F);
  EXPECT_NEAR(hinge.rotation_error, 0.0F, 1e-4F);
  EXPECT_NEAR(wrong_hinge.rotation_error, 90.0F, 1e-4F);
  EXPECT_NEAR(rope.translation_error, 1.0F, 1e-6F);
}

TEST(WorldFrames, AnglesFollowTheUnitOfTheModel) {
  PhysicsModel model = two_bodies();
  model.units.radians = true;

  EXPECT_NEAR(world_frames(model, joint_of(FixedJoint{})).angle, std::numbers::pi / 2, 1e-6);
}

TEST(Reverse, EndsChangePlacesAndRangesTheirSign) {
  Joint joint = joint_of(RevoluteJoint{
      .axis = Axis::y,
      .limit = {true, -30, 60},
      .drive = {.enabled = true, .target_position = 10, .target_velocity = -2, .stiffness = 5}});
  joint.ends[0].frame.position = {1, 2, 3};
  joint.ends[1].frame.position = {4, 5, 6};

  const NormalJoint n = reverse(normal(joint));

  EXPECT_TRUE(n.reversed);
  EXPECT_EQ(n.bodies[0], 1);
  EXPECT_EQ(n.bodies[1], 0);
  EXPECT_EQ(n.frames[0].position, Vector3f(4, 5, 6));
  EXPECT_EQ(n.frames[1].position, Vector3f(1, 2, 3));
  const DofRule& turn = n.dof(JointDof::rot_y);
  EXPECT_EQ(turn.lower, -60.0F);
  EXPECT_EQ(turn.upper, 30.0F);
  EXPECT_EQ(turn.drive.target_position, -10.0F);
  EXPECT_EQ(turn.drive.target_velocity, 2.0F);
  EXPECT_EQ(turn.drive.stiffness, 5.0F);
  EXPECT_EQ(count(n, DofState::locked), 5);
}

TEST(Reverse, DistancesStayAsTheyAre) {
  DistanceJoint rope;
  rope.max_enabled = true;
  rope.limit.upper = 7.0F;

  const NormalJoint reversed = reverse(normal(joint_of(rope)));

  EXPECT_EQ(reversed.dof(JointDof::distance).lower, 0.0F);
  EXPECT_EQ(reversed.dof(JointDof::distance).upper, 7.0F);
}

TEST(Reverse, TwiceIsTheJointItself) {
  const NormalJoint n =
      normal(joint_of(PrismaticJoint{.axis = Axis::z, .limit = {true, -1, 4}, .drive = {}}));

  const NormalJoint again = reverse(reverse(n));

  EXPECT_FALSE(again.reversed);
  EXPECT_EQ(again.bodies[0], n.bodies[0]);
  EXPECT_EQ(again.dof(JointDof::trans_z).lower, -1.0F);
  EXPECT_EQ(again.dof(JointDof::trans_z).upper, 4.0F);
  EXPECT_FALSE(std::signbit(again.dof(JointDof::rot_x).lower));
}

// How frame 1 stands in frame 0: along and about the axes of frame 0.
struct Relative {
  Eigen::Vector3d offset;
  Eigen::Quaterniond turn;
};

// Frame 1 of a joint, moved there by a body that carries it.
Relative relative_to(const NormalJoint& joint, const Eigen::Vector3d& position,
                     const Eigen::Quaterniond& rotation) {
  const auto wide = [](const Pose& pose) {
    return Eigen::Quaterniond(pose.rotation.cast<double>());
  };
  const Eigen::Quaterniond back = wide(joint.frames[0]).conjugate();
  const Eigen::Vector3d tip = position + rotation * joint.frames[1].position.cast<double>();
  return {back * (tip - joint.frames[0].position.cast<double>()),
          back * rotation * wide(joint.frames[1])};
}

// Whatever the other body does, the renamed coordinates are those of the file.
TEST(TwistAboutX, RenamesAxesInACircleAndKeepsEveryCoordinate) {
  const JointDof translations[] = {JointDof::trans_x, JointDof::trans_y, JointDof::trans_z};
  const JointDof rotations[] = {JointDof::rot_x, JointDof::rot_y, JointDof::rot_z};
  for (int axis = 0; axis < 3; ++axis) {
    D6Joint d6;
    for (int i = 0; i < 3; ++i) {
      const auto number = static_cast<float>(i);
      d6.limits.push_back({translations[i], {true, -number, number + 1.0F}});
      const bool is_open = i >= axis;
      d6.limits.push_back(
          {rotations[i],
           {true, is_open ? -10.0F - number : 1.0F, is_open ? 20.0F + number : -1.0F}});
      d6.drives.push_back({rotations[i], {.enabled = true, .damping = number}});
    }
    Joint joint = joint_of(d6);
    joint.ends[0].frame = {{1, 2, 3}, Quatf(0.5F, -0.5F, 0.5F, 0.5F)};
    joint.ends[1].frame = {{-1, 0.5F, 2}, Quatf(0.8F, 0, 0.6F, 0)};
    const NormalJoint before = normal(joint);

    const NormalJoint after = twist_about_x(before);

    EXPECT_EQ(after.dof(JointDof::rot_x).state, DofState::limited);
    for (int i = 0; i < 3; ++i) {
      const auto from = static_cast<std::size_t>((axis + i) % 3);
      EXPECT_EQ(after.dof(translations[i]).upper, before.dof(translations[from]).upper);
      EXPECT_EQ(after.dof(rotations[i]).lower, before.dof(rotations[from]).lower);
      EXPECT_EQ(after.dof(rotations[i]).drive.damping, before.dof(rotations[from]).drive.damping);
    }
    EXPECT_EQ(after.bodies[1], before.bodies[1]);
    const Eigen::Quaterniond body = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.2).normalized();
    const Relative old = relative_to(before, {3, -1, 2}, body);
    const Relative now = relative_to(after, {3, -1, 2}, body);
    const Eigen::Matrix3d old_turn = old.turn.toRotationMatrix();
    const Eigen::Matrix3d now_turn = now.turn.toRotationMatrix();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(now.offset[i], old.offset[(axis + i) % 3], 1e-5);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(now_turn(i, k), old_turn((axis + i) % 3, (axis + k) % 3), 1e-6);
      }
    }
  }
}

TEST(TwistAboutX, TakesTheAxisOfACone) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const NormalJoint before = normal(joint_of(SphericalJoint{axis, {true, 20, 30}}));
    EXPECT_EQ(before.cone_axis, axis);

    const NormalJoint after = twist_about_x(before);

    EXPECT_TRUE(after.cone);
    EXPECT_EQ(after.cone_axis, Axis::x);
    EXPECT_EQ(after.dof(JointDof::rot_x).state, DofState::free);
    EXPECT_EQ(after.dof(JointDof::rot_y).upper, 30.0F);
    EXPECT_EQ(after.dof(JointDof::rot_z).upper, 20.0F);
  }
}

TEST(TwistAboutX, LeavesWhatTurnsAboutXOrNotAtAllAsItIs) {
  for (const Joint& joint :
       {joint_of(FixedJoint{}), joint_of(PrismaticJoint{.axis = Axis::z, .limit = {}, .drive = {}}),
        joint_of(RevoluteJoint{.axis = Axis::x, .limit = {}, .drive = {}})}) {
    const NormalJoint before = normal(joint);
    const NormalJoint after = twist_about_x(before);
    EXPECT_EQ(after.frames[1].rotation.coeffs(), before.frames[1].rotation.coeffs());
    for (std::size_t i = 0; i < before.dofs.size(); ++i) {
      EXPECT_EQ(after.dofs[i].state, before.dofs[i].state);
    }
  }
}

TEST(NormalForm, ADistanceWithoutAnUpperEndIsOpenAbove) {
  const auto distance = [](bool min, float lower, bool max, float upper) {
    return normal(joint_of(DistanceJoint{min, max, {true, lower, upper}})).dof(JointDof::distance);
  };
  const DofRule rope = distance(false, 1, true, 2);
  EXPECT_EQ(rope.lower, 0.0F);
  EXPECT_EQ(rope.upper, 2.0F);
  const DofRule open = distance(true, 1, true, kUnlimited);
  EXPECT_EQ(open.state, DofState::limited);
  EXPECT_EQ(open.lower, 1.0F);
  EXPECT_EQ(open.upper, DofRule{}.upper);
  const DofRule stick = distance(true, -1, false, 2);
  EXPECT_EQ(stick.state, DofState::limited);
  EXPECT_EQ(stick.lower, 0.0F);
  EXPECT_EQ(stick.upper, DofRule{}.upper);
}

TEST(NormalForm, FreedomsThatThereAreNotSayNothing) {
  D6Joint six;
  six.limits.push_back({static_cast<JointDof>(kJointDofCount), {true, 1, -1}});
  six.drives.push_back({static_cast<JointDof>(kJointDofCount), {.enabled = true}});
  const NormalJoint n = normal(joint_of(six));
  EXPECT_EQ(count(n, DofState::free), kJointDofCount);
  for (const DofRule& dof : n.dofs) EXPECT_FALSE(dof.drive.enabled);
}

// Of the two quaternions of a rotation the one with a positive real part, whichever is authored.
TEST(WorldFrames, RotationIsTheShorterWay) {
  for (const float sign : {1.0F, -1.0F}) {
    PhysicsModel model = two_bodies();
    model.rigid_bodies[1].pose.rotation = Quatf(0.5F * sign, 0, 0, 0.8660254F * sign);
    Joint joint = joint_of(FixedJoint{});
    const JointWorldFrames frames = world_frames(model, joint);
    EXPECT_NEAR(frames.rotation.w(), std::cos(std::numbers::pi / 12.0), 1e-6);
    EXPECT_NEAR(frames.rotation.z(), std::sin(std::numbers::pi / 12.0), 1e-6);
    EXPECT_NEAR(frames.angle, 30.0F, 1e-4F);
  }
}

}  // namespace
}  // namespace sinew::physics::joint_frames_test
