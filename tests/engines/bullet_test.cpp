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
#include <numbers>
#include <string>
#include <vector>

#include "engines/scenes.hpp"

namespace sinew {
namespace {

using test::JointReading;
using test::RobotJoint;

constexpr float kStep = 1.0F / 240.0F;

Vector3d vector(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
Posed posed(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {vector(t.getOrigin()), Quatd(q.w(), q.x(), q.y(), q.z()).normalized()};
}
Posed widened(const Pose& pose) {
  return {pose.position.cast<double>(), pose.rotation.cast<double>().normalized()};
}

/// A model and its world.
struct Simulation {
  PhysicsModel model;
  Diagnostics diagnostics;
  BulletWorld world;

  explicit Simulation(PhysicsModel from) : model(std::move(from)), world(model, diagnostics) {}

  Posed pose(const std::string& path) const {
    return posed(world.pose(static_cast<std::size_t>(Lookup(model).body(path) + 1)));
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 240.0)); ++i) {
      world.bullet.stepSimulation(kStep, 0);
    }
  }
  /// The constraint of a joint, in the order of engine_joints().
  btGeneric6DofSpring2Constraint& constraint(std::size_t i) {
    return static_cast<btGeneric6DofSpring2Constraint&>(
        *world.bullet.getConstraint(static_cast<int>(i)));
  }
  JointReading read(const test::RandomRobot& robot, const RobotJoint& joint) const {
    const auto body = [&](int i) {
      return i < 0 ? Posed{} : pose(robot.bodies[static_cast<std::size_t>(i)].path);
    };
    return test::read_joint(joint, body(joint.parent), body(joint.child));
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
        const Posed wanted = widened(joints[i].world[end]);
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
      const double step = std::min(1.0 / 240.0, 0.5 * most * inertia / joint.drive->most);
      simulation.world.bullet.getSolverInfo().m_numIterations = 1000;
      simulation.world.bullet.stepSimulation(static_cast<float>(step), 0);

      const auto& body = *simulation.world.bodies[static_cast<std::size_t>(
          Lookup(simulation.model).body(robot.bodies[i].path) + 1)];
      const Vector3d axis = robot.bodies[i].world.rotation * joint.axis_in_child();
      const double speed =
          axis.dot(vector(joint.turns ? body.getAngularVelocity() : body.getLinearVelocity()));
      const double wanted = std::copysign(joint.drive->most * step / inertia, way);
      EXPECT_NEAR(speed, wanted, 0.01 * std::abs(wanted)) << joint.path;
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
      const double is = strong.simulation.read(strong.robot, joint).q - joint.start;
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
    for (const RobotJoint& joint : strong.robot.joints) {
      const JointReading at = strong.simulation.read(strong.robot, joint);
      EXPECT_LT(at.apart, 1e-3) << joint.path;
      EXPECT_LT(at.tilt, 1e-3) << joint.path;
      const bool is_servo = joint.drive && joint.drive->stiffness > 0.0;
      EXPECT_NEAR(at.q, is_servo ? joint.drive->target : joint.start, 1e-3) << joint.path;
      servos += is_servo ? 1 : 0;
    }
  }
  EXPECT_GT(servos, 150U);
}

// One joint at a time, either way.
TEST(Bullet, StopsJointsOfRandomRobotsAtTheEndsOfTheirRanges) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      for (const float speed : {1.0F, -1.0F}) {
        PhysicsModel model = test::with_one_joint(robot, i);
        test::change_drives(model, robot, [&](JointDrive& drive, const RobotJoint&) {
          test::run_at(drive, speed);
        });
        Simulation simulation(std::move(model));
        simulation.run(2.0);
        const RobotJoint& joint = robot.joints[i];
        EXPECT_NEAR(simulation.read(robot, joint).q, speed > 0.0F ? joint.upper : joint.lower, 2e-3)
            << joint.path;
      }
    }
  }
}

TEST(Bullet, TheArmReachesItsTargetsAndStaysInOnePiece) {
  PhysicsModel model = test::model_of_example("robot_arm");
  std::size_t turning = 0;
  for (Joint& joint : model.joints) {
    if (auto* kind = std::get_if<RevoluteJoint>(&joint.kind)) {
      kind->drive.target_position = 0.3F;
      ++turning;
    }
  }
  ASSERT_EQ(turning, 6U);
  Simulation simulation(std::move(model));
  simulation.run(4.0);
  const auto joints = engine_joints(simulation.model);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    simulation.constraint(i).calculateTransforms();
    const Joint& joint = simulation.model.joint(joints[i].joint);
    const bool turns = std::holds_alternative<RevoluteJoint>(joint.kind);
    EXPECT_NEAR(simulation.constraint(i).getAngle(0), turns ? -0.3 : 0.0, 0.01 * 0.3) << joint.path;
  }
}

TEST(Bullet, ThingsComeToRestAtTheirHeight) {
  Simulation box(test::model_of_example("box_on_quad"));
  box.run(6.0);
  EXPECT_NEAR(box.pose("/World/Box").position.z(), 0.125, 1.5e-3);
  Simulation balls(test::model_of_example("bouncing_spheres"));
  balls.run(6.0);
  for (const char* name : {"/World/Left", "/World/Middle", "/World/Right"}) {
    EXPECT_NEAR(balls.pose(name).position.z(), 0.25, 1.5e-3);
  }
}

// The gain of the drive has no counterpart: the bar has its speed at once, and keeps it.
TEST(Bullet, TheDrivenJointTurnsAtTheSpeedOfTheFile) {
  Simulation simulation(test::model_of_example("driven_joint"));
  for (const double seconds : {2.0, 4.0, 6.0}) {
    simulation.run(2.0);
    simulation.constraint(0).calculateTransforms();
    const double wanted = seconds * 10.0 * std::numbers::pi / 180.0;
    EXPECT_NEAR(simulation.constraint(0).getAngle(0), -wanted, 0.01 * wanted);
    const Posed bar = simulation.pose("/World/Bar");
    EXPECT_NEAR(std::atan2(-bar.position.x(), bar.position.y() - 0.6), wanted, 0.01 * wanted);
  }
}

TEST(Bullet, APendulumHasThePeriodOfItsLengthAndMass) {
  Simulation simulation(test::model_of_text(test::kPendulum));
  btRigidBody& rod = *simulation.world.bodies[1];
  constexpr float kShort = 1.0F / 1000.0F;
  rod.setAngularVelocity({0.2F, 0, 0});
  rod.setLinearVelocity({0, 0.1F, 0});
  std::vector<double> sideways;
  for (int i = 0; i < 8000; ++i) {
    simulation.world.bullet.stepSimulation(kShort, 0);
    sideways.push_back(static_cast<double>(simulation.world.pose(1).getOrigin().y()));
  }
  const double wanted = test::pendulum_period();
  EXPECT_NEAR(test::period_of(sideways, static_cast<double>(kShort)), wanted, 0.01 * wanted);
}

// Bullet has two ranges where the file has a cone: along the axes they are the same.
TEST(Bullet, ConesHoldAlongBothAxesWhicheverIsTheirs) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool second : {false, true}) {
      const test::ConeScene scene(axis, second);
      Simulation simulation(test::model_of_text(scene.text));
      simulation.run(6.0);
      EXPECT_NEAR(scene.swing(simulation.pose("/Ball").position), scene.limit, 0.02)
          << axis << second;
    }
  }
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
    simulation.run(0.5);
    const double apart = (simulation.pose("/b").position - simulation.pose("/a").position).norm();
    if (meets) {
      EXPECT_GT(apart, 0.6);
    } else {
      EXPECT_NEAR(apart, 0.5, 1e-6);
    }
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

TEST(Bullet, NothingExplodes) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    Simulation simulation(test::model_of_example(name));
    simulation.run(2.0);
    for (const btRigidBody* body : simulation.world.bodies) {
      const Vector3d velocity = vector(body->getLinearVelocity());
      ASSERT_TRUE(velocity.allFinite());
      EXPECT_LT(velocity.norm(), 9.81 * 2.0 + 50.0);
      EXPECT_LT(vector(body->getAngularVelocity()).norm(), 9.81 * 2.0 + 50.0);
    }
  }
}

}  // namespace
}  // namespace sinew
