// SPDX-License-Identifier: Apache-2.0
// What Bullet makes of the world of examples/bullet_world.hpp: its own frames, angles, contacts and
// motion against those of the generator and of mechanics.
#include <gtest/gtest.h>

#include "examples/bullet_world.hpp"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engines/scenes.hpp"
#include "engines/simulation_checks.hpp"

namespace sinew::bullet_test {
namespace {

using test::kStep;
using test::RobotJoint;

Vector3d vector(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
Posed posed(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {vector(t.getOrigin()), Quatd(q.w(), q.x(), q.y(), q.z()).normalized()};
}

/// A model and its world.
struct Simulation {
  PhysicsModel model;
  Diagnostics diagnostics;
  BulletWorld world;

  explicit Simulation(PhysicsModel from) : model(std::move(from)), world(model, diagnostics) {}

  Posed pose(const std::string& path) const {
    return posed(world.pose(test::body_number(model, path)));
  }
  std::vector<test::Velocity> velocities() const {
    std::vector<test::Velocity> all;
    for (const btRigidBody* body : world.bodies) {
      all.push_back({vector(body->getLinearVelocity()), vector(body->getAngularVelocity())});
    }
    return all;
  }
  void set_velocity(const std::string& path, const test::Velocity& velocity) {
    btRigidBody& body = *world.bodies[test::body_number(model, path)];
    body.setLinearVelocity(BulletWorld::vector(velocity.linear));
    body.setAngularVelocity(BulletWorld::vector(velocity.angular));
  }
  void step(double seconds) { world.bullet.stepSimulation(static_cast<float>(seconds), 0); }
  void run(double seconds) { test::run_in_steps(*this, seconds); }
  /// The constraint of a joint, in the order of engine_joints().
  btGeneric6DofSpring2Constraint& constraint(std::size_t i) {
    return static_cast<btGeneric6DofSpring2Constraint&>(
        *world.bullet.getConstraint(static_cast<int>(i)));
  }
};

const RobotJoint& source_of(const test::RandomRobot& robot, const Simulation& simulation,
                            const EngineJoint& joint) {
  const auto path = simulation.model.joint(joint.joint).path.view();
  const auto found = std::find_if(robot.joints.begin(), robot.joints.end(),
                                  [&](const RobotJoint& j) { return j.path == path; });
  EXPECT_NE(found, robot.joints.end());
  return *found;
}

// Frames within 1e-5 m and rad. Angles are those of the file, with the other sign, and about the
// first axis, where they have the whole turn.
TEST(Bullet, HasTheFramesAnglesAndRangesOfAHundredRandomRobots) {
  std::size_t angles = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    Simulation simulation(test::model_of_text(robot.text));
    const auto joints = engine_joints(simulation.model);
    ASSERT_EQ(joints.size(), robot.joints.size());
    ASSERT_EQ(simulation.world.bullet.getNumConstraints(), static_cast<int>(joints.size()));
    for (std::size_t i = 0; i < joints.size(); ++i) {
      btGeneric6DofSpring2Constraint& made = simulation.constraint(i);
      made.calculateTransforms();
      const btTransform* const frames[] = {&made.getCalculatedTransformA(),
                                           &made.getCalculatedTransformB()};
      for (const int end : {0, 1}) {
        const Posed wanted = test::widened(joints[i].world[end]);
        EXPECT_LT((vector(frames[end]->getOrigin()) - wanted.position).norm(), 1e-5);
        const Eigen::Matrix3d axes = wanted.rotation.toRotationMatrix();
        for (int axis = 0; axis < 3; ++axis) {
          const Vector3d is = vector(frames[end]->getBasis().getColumn(axis));
          EXPECT_LT((is - axes.col(axis)).norm(), 1e-5);
        }
      }
      const RobotJoint& source = source_of(robot, simulation, joints[i]);
      if (source.turns) {
        EXPECT_NEAR(made.getAngle(0), -source.start, 1e-5);
        EXPECT_NEAR(made.getRotationalLimitMotor(0)->m_loLimit, -source.upper, 1e-6);
        EXPECT_NEAR(made.getRotationalLimitMotor(0)->m_hiLimit, -source.lower, 1e-6);
        ++angles;
      } else {
        EXPECT_NEAR(made.getRelativePivotPosition(source.axis), source.start, 1e-5);
        const btTranslationalLimitMotor2& range = *made.getTranslationalLimitMotor();
        EXPECT_NEAR(range.m_lowerLimit[source.axis], source.lower, 1e-6);
        EXPECT_NEAR(range.m_upperLimit[source.axis], source.upper, 1e-6);
      }
    }
  }
  EXPECT_GT(angles, 250U);
}

// One joint at a time, everything else fixed: what a motor adds to the speed in one step is its
// force by the inertia, towards the target or with the speed of the file.
TEST(Bullet, PushesJointsOfAHundredRandomRobotsTheWayAndAsHardAsTheFileSays) {
  std::size_t servos = 0;
  std::size_t motors = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed, test::RobotParts::drives_and_filters);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const RobotJoint& joint = robot.joints[i];
      if (!joint.drive) continue;
      Simulation simulation(test::with_one_joint(robot, i));
      const bool is_servo = joint.drive->stiffness > 0.0;
      const double way = is_servo ? joint.drive->target - joint.start : joint.drive->speed;
      const double inertia = test::inertia_about(simulation.model, robot, i);
      // Short enough for the motor to be still busy, and the servo far from its target.
      const double most = std::min(is_servo ? 1.0 : std::abs(way), std::abs(way) * 10.0);
      const double step = std::min(kStep, 0.5 * most * inertia / joint.drive->most);
      simulation.world.bullet.getSolverInfo().m_numIterations = 1000;
      // What the frames are apart in single precision is put right slowly: in so short a step that
      // would be fast.
      simulation.world.bullet.getSolverInfo().m_erp = 0.02F;
      simulation.step(step);

      const double wanted = std::copysign(joint.drive->most * step / inertia, way);
      EXPECT_NEAR(test::joint_speed(simulation, robot, i), wanted, 0.01 * std::abs(wanted))
          << joint.path;
      ++(is_servo ? servos : motors);
    }
  }
  EXPECT_GT(servos, 150U);
  EXPECT_GT(motors, 50U);
}

/// The robot without gravity and contacts, as strong as it takes, its constraints solved exactly.
struct StrongRobot {
  test::RandomRobot robot;
  Simulation simulation;
  btDantzigSolver exact;
  btMLCPSolver solver{&exact};

  StrongRobot(std::uint64_t seed, float strength, bool holds)
      : robot(seed, test::RobotParts::drives_and_filters),
        simulation(strong(robot, strength, holds)) {
    simulation.world.bullet.setConstraintSolver(&solver);
  }
  static PhysicsModel strong(const test::RandomRobot& robot, float strength, bool holds) {
    PhysicsModel model = test::model_of_text(robot.text);
    test::leave_drives_alone(model);
    test::change_drives(model, robot, [&](JointDrive& drive, const RobotJoint& joint) {
      drive.force_limit = strength;
      if (holds && drive.stiffness <= 0.0F) test::hold(drive, joint);
    });
    return model;
  }
};

// All joints of a robot at once, before any is at an end of its range.
TEST(Bullet, TurnsJointsOfAHundredRandomRobotsAtTheirSpeeds) {
  std::size_t motors = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    StrongRobot strong(seed, 1e6F, false);
    constexpr int kSteps = 8;
    strong.simulation.run(kSteps * kStep);
    for (const RobotJoint& joint : strong.robot.joints) {
      if (!joint.drive || joint.drive->stiffness > 0.0) continue;
      const double way = joint.drive->speed * kSteps * kStep;
      const double is = test::read_joint(strong.simulation, strong.robot, joint).q - joint.start;
      EXPECT_NEAR(is, way, 0.02 * std::abs(way) + 1e-3) << joint.path;
      ++motors;
    }
  }
  EXPECT_GT(motors, 50U);
}

// All joints of a robot at once: servos reach their targets, and the others hold where they start.
TEST(Bullet, DrivesAHundredRandomRobotsToTheirTargets) {
  std::size_t servos = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    StrongRobot strong(seed, 1000.0F, true);
    strong.simulation.run(2.5);
    servos += test::expect_joints_at_their_targets(strong.simulation, strong.robot, 1e-3);
  }
  EXPECT_GT(servos, 150U);
}

TEST(Bullet, StopsJointsOfRandomRobotsAtTheEndsOfTheirRanges) {
  test::expect_joints_stop_at_the_ends_of_their_ranges<Simulation>();
}

TEST(Bullet, TheArmReachesItsTargetsAndStaysInOnePiece) {
  Simulation simulation(test::arm_driven_to(0.3F));
  simulation.run(4.0);
  std::size_t turning = 0;
  const auto joints = engine_joints(simulation.model);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    simulation.constraint(i).calculateTransforms();
    const Joint& joint = simulation.model.joint(joints[i].joint);
    const bool turns = std::holds_alternative<RevoluteJoint>(joint.kind);
    EXPECT_NEAR(simulation.constraint(i).getAngle(0), turns ? -0.3 : 0.0, 0.01 * 0.3) << joint.path;
    turning += turns ? 1 : 0;
  }
  EXPECT_EQ(turning, 6U);
}

TEST(Bullet, ThingsComeToRestAtTheirHeight) {
  test::expect_things_rest_at_their_height<Simulation>(1.5e-3);
}

// The gain of the drive has no counterpart: the bar has its speed at once, and keeps it.
TEST(Bullet, TheDrivenJointTurnsAtTheSpeedOfTheFile) {
  Simulation simulation(test::model_of_example("driven_joint"));
  for (const double seconds : {2.0, 4.0, 6.0}) {
    simulation.run(2.0);
    simulation.constraint(0).calculateTransforms();
    const double wanted = seconds * test::kBarSpeed;
    EXPECT_NEAR(simulation.constraint(0).getAngle(0), -wanted, 0.01 * wanted);
    EXPECT_NEAR(test::bar_angle(simulation.pose("/World/Bar")), wanted, 0.01 * wanted);
  }
}

TEST(Bullet, APendulumHasThePeriodOfItsLengthAndMass) {
  test::expect_period_of_pendulum<Simulation>();
}

// Bullet has two ranges where the file has a cone: along the axes they are the same.
TEST(Bullet, ConesHoldAlongBothAxesWhicheverIsTheirs) {
  test::expect_cones_hold<Simulation>();
}

TEST(Bullet, LetsTheSameBodiesCollide) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    Simulation simulation(test::model_of_example(name));
    const PhysicsModel& model = simulation.model;
    const auto bodies = engine_bodies(model, {});
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      for (std::size_t b = a + 1; b < bodies.size(); ++b) {
        bool wanted = false;
        for (const std::int32_t s : bodies[a].colliders) {
          for (const std::int32_t t : bodies[b].colliders) {
            wanted = wanted || simulation.world.filter.decide(s, t).collides;
          }
        }
        btBroadphaseProxy* const one = simulation.world.bodies[a]->getBroadphaseHandle();
        btBroadphaseProxy* const other = simulation.world.bodies[b]->getBroadphaseHandle();
        EXPECT_EQ(simulation.world.bullet.getPairCache()->needsBroadphaseCollision(one, other),
                  wanted);
      }
    }
  }
}

// Bodies that overlap when they are added are asked for like others.
TEST(Bullet, WhatIsFilteredOverlapsFromTheStart) {
  for (const bool meets : {false, true}) {
    Simulation simulation(test::model_of_text(test::overlapping_boxes(meets)));
    simulation.run(kStep);
    int contacts = 0;
    for (int i = 0; i < simulation.world.dispatcher.getNumManifolds(); ++i) {
      contacts += simulation.world.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    }
    EXPECT_EQ(contacts > 0, meets);
    test::expect_boxes_come_apart(simulation, meets);
  }
}

TEST(Bullet, TellsOfDistancesThatItDoesNotKeep) {
  Simulation rope(test::model_of_example("distance_joint"));
  ASSERT_EQ(count(rope.diagnostics, Severity::error), 1U);
  EXPECT_EQ(rope.diagnostics.back().code, "engine-joint-unsupported");
  EXPECT_EQ(rope.diagnostics.back().path, "/World/Rope");
  const Simulation arm(test::model_of_example("robot_arm"));
  EXPECT_EQ(count(arm.diagnostics, Severity::error), 0U);
}

TEST(Bullet, TellsOfRangesThatItCuts) {
  const auto told = [](const std::string& range) {
    const Simulation one(
        test::model_of_text("#usda 1.0\ndef Sphere \"s\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
                            "\"PhysicsCollisionAPI\"]) {}\n"
                            "def PhysicsRevoluteJoint \"j\" {\nrel physics:body1 = </s>\n" +
                            range + "}\n"));
    for (const Diagnostic& diagnostic : one.diagnostics) {
      if (diagnostic.code == "engine-limit-range" && diagnostic.path == "/j") return true;
    }
    return false;
  };
  EXPECT_TRUE(told("float physics:lowerLimit = -190\nfloat physics:upperLimit = 10\n"));
  EXPECT_TRUE(told("float physics:lowerLimit = -400\nfloat physics:upperLimit = 400\n"));
  EXPECT_TRUE(told("float physics:lowerLimit = 0\n"));  // Open above, which half a turn is not.
  EXPECT_FALSE(told("float physics:lowerLimit = -170\nfloat physics:upperLimit = 170\n"));
  EXPECT_FALSE(told(""));
}

TEST(Bullet, MaterialsAct) {
  test::expect_materials_to_act<Simulation>(0.08);
}

TEST(Bullet, NothingExplodes) {
  test::expect_nothing_explodes<Simulation>();
}

}  // namespace
}  // namespace sinew::bullet_test
