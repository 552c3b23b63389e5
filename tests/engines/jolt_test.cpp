// SPDX-License-Identifier: Apache-2.0
// What Jolt makes of the world of examples/jolt_world.hpp: poses, drives, cones, contacts and
// motion against those of the generator and of mechanics.
#include "examples/jolt_world.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/RegisterTypes.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

constexpr double kStep = 1.0 / 240.0;

// What Jolt wants once in a program.
class JoltLibrary : public ::testing::Environment {
 public:
  void SetUp() override {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
  }
  void TearDown() override {
    JPH::UnregisterTypes();
    delete JPH::Factory::sInstance;
    JPH::Factory::sInstance = nullptr;
  }
};
[[maybe_unused]] const auto* const kLibrary = ::testing::AddGlobalTestEnvironment(new JoltLibrary);

Vector3d vector(JPH::Vec3 v) {
  return Vector3f(v.GetX(), v.GetY(), v.GetZ()).cast<double>();
}
Posed widened(const Pose& pose) {
  return {pose.position.cast<double>(), pose.rotation.cast<double>().normalized()};
}

/// A model and its world.
struct Simulation {
  PhysicsModel model;
  Diagnostics diagnostics;
  JoltWorld world;
  JPH::TempAllocatorImpl memory{32 << 20};
  JPH::JobSystemSingleThreaded jobs{JPH::cMaxPhysicsJobs};

  explicit Simulation(PhysicsModel from) : model(std::move(from)), world(model, diagnostics) {}

  const JPH::Body& body(const std::string& path) const {
    return *world.bodies[static_cast<std::size_t>(Lookup(model).body(path) + 1)];
  }
  Posed pose(const std::string& path) const {
    const JPH::Body& found = body(path);
    const JPH::Quat q = found.GetRotation();
    return {vector(found.GetPosition()),
            Quatf(q.GetW(), q.GetX(), q.GetY(), q.GetZ()).cast<double>().normalized()};
  }
  void step(double seconds) {
    const JPH::EPhysicsUpdateError error =
        world.jolt.Update(static_cast<float>(seconds), 1, &memory, &jobs);
    ASSERT_EQ(error, JPH::EPhysicsUpdateError::None);
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / kStep)); ++i) step(kStep);
  }
  void solve_exactly() {
    JPH::PhysicsSettings settings = world.jolt.GetPhysicsSettings();
    settings.mNumVelocitySteps = 500;
    world.jolt.SetPhysicsSettings(settings);
  }
  JointReading read(const test::RandomRobot& robot, const RobotJoint& joint) const {
    const auto at = [&](int i) {
      return i < 0 ? Posed{} : pose(robot.bodies[static_cast<std::size_t>(i)].path);
    };
    return test::read_joint(joint, at(joint.parent), at(joint.child));
  }
};

// The engine keeps inverses: principal moments along axes of its own.
TEST(Jolt, HasTheMassesAndPosesOfAHundredRandomRobots) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    Simulation simulation(test::model_of_text(robot.text));
    const auto masses = body_masses(simulation.model, simulation.diagnostics);
    for (const EngineBody& wanted : engine_bodies(simulation.model, masses)) {
      if (wanted.body == kNone) continue;
      ASSERT_TRUE(wanted.moves);
      const std::string path = simulation.model.body(wanted.body).path.str();
      const JPH::MotionProperties& is = *simulation.body(path).GetMotionProperties();
      EXPECT_NEAR(static_cast<double>(is.GetInverseMass()) * wanted.mass.mass, 1.0, 1e-6);
      Eigen::Matrix3d inverse;
      for (int i = 0; i < 3; ++i) {
        inverse.col(i) =
            vector(is.GetLocalSpaceInverseInertia().GetColumn3(static_cast<JPH::uint>(i)));
      }
      EXPECT_LT((inverse * wanted.mass.inertia - Eigen::Matrix3d::Identity()).norm(), 1e-4);
      const Vector3d center = vector(simulation.body(path).GetShape()->GetCenterOfMass());
      EXPECT_LT((center - wanted.mass.center).norm(), 1e-6);
      const Posed pose = simulation.pose(path);
      EXPECT_LT((pose.position - widened(wanted.pose).position).norm(), 1e-6);
      EXPECT_LT(
          (pose.rotation.toRotationMatrix() - widened(wanted.pose).rotation.toRotationMatrix())
              .norm(),
          1e-6);
    }
  }
}

// One joint at a time, everything else fixed: the speed after one step is that of the spring and
// damper of the file, as an engine integrates them that looks one step ahead.
TEST(Jolt, PushesJointsOfAHundredRandomRobotsAsTheFileSays) {
  std::size_t springs = 0;
  std::size_t limited = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed, test::RobotParts::drives_and_filters);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const RobotJoint& joint = robot.joints[i];
      if (!joint.drive) continue;
      Simulation simulation(test::with_one_joint(robot, i));
      simulation.solve_exactly();
      simulation.step(kStep);
      const test::RobotDrive& drive = *joint.drive;
      const double inertia = test::inertia_about(simulation.model, robot, i);
      // The engine takes the sine of half an angle for the half.
      const double far = drive.target - joint.start;
      const double error = joint.turns ? 2.0 * std::sin(far / 2.0) : far;
      const double push = drive.stiffness * error + drive.damping * drive.speed;
      const double free_speed =
          kStep * push / (inertia + kStep * drive.damping + kStep * kStep * drive.stiffness);
      const double most = kStep * drive.most / inertia;
      const double speed = std::clamp(free_speed, -most, most);
      ++(speed == free_speed ? springs : limited);
      const JPH::Body& body = simulation.body(robot.bodies[i].path);
      const Vector3d axis = robot.bodies[i].world.rotation * joint.axis_in_child();
      const double is =
          axis.dot(vector(joint.turns ? body.GetAngularVelocity() : body.GetLinearVelocity()));
      EXPECT_NEAR(is, speed, 0.005 * std::abs(speed) + 1e-5) << joint.path;
    }
  }
  EXPECT_GT(springs, 100U);
  EXPECT_GT(limited, 20U);
}

// All joints of a robot at once, without gravity: springs come to rest at their targets, and what
// has none holds where it starts. It takes as many steps of the solver for the joints to hold where
// light bodies carry heavy ones.
TEST(Jolt, DrivesRandomRobotsToTheirTargets) {
  std::size_t targets = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed, test::RobotParts::drives_and_filters);
    PhysicsModel model = test::model_of_text(robot.text);
    test::leave_drives_alone(model);
    test::change_drives(model, robot, [](JointDrive& drive, const RobotJoint& joint) {
      if (drive.stiffness <= 0.0F) test::hold(drive, joint);
      drive.stiffness = 40.0F;
      drive.damping = 20.0F;
      drive.force_limit = 1000.0F;
    });
    Simulation simulation(std::move(model));
    simulation.solve_exactly();
    simulation.run(8.0);
    for (const RobotJoint& joint : robot.joints) {
      const JointReading at = simulation.read(robot, joint);
      EXPECT_LT(at.apart, 1e-3) << joint.path;
      EXPECT_LT(at.tilt, 1e-3) << joint.path;
      const bool is_spring = joint.drive && joint.drive->stiffness > 0.0;
      EXPECT_NEAR(at.q, is_spring ? joint.drive->target : joint.start, 5e-3) << joint.path;
      targets += is_spring ? 1 : 0;
    }
  }
  EXPECT_GT(targets, 40U);
}

// One joint at a time, either way.
TEST(Jolt, StopsJointsOfRandomRobotsAtTheEndsOfTheirRanges) {
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

TEST(Jolt, TheArmReachesItsTargetsAsFarAsItsSpringsCarry) {
  PhysicsModel model = test::model_of_example("robot_arm");
  for (Joint& joint : model.joints) {
    if (auto* kind = std::get_if<RevoluteJoint>(&joint.kind)) kind->drive.target_position = 0.3F;
  }
  Simulation simulation(std::move(model));
  simulation.run(6.0);
  int turning = 0;
  for (const EngineJoint& joint : engine_joints(simulation.model)) {
    const auto at = [&](int end) {
      const std::int32_t body = joint.form.bodies[end];
      const Posed carrier =
          body == kNone ? Posed{} : simulation.pose(simulation.model.body(body).path.str());
      return test::posed_product(carrier, widened(joint.form.frames[end]));
    };
    const Posed moved = test::posed_product(test::posed_inverse(at(0)), at(1));
    const bool turns = joint.form.dof(JointDof::rot_x).state != DofState::locked;
    const double angle = 2.0 * std::atan2(moved.rotation.x(), moved.rotation.w());
    EXPECT_NEAR(angle, turns ? 0.3 : 0.0, 0.01 * 0.3) << simulation.model.joint(joint.joint).path;
    turning += turns ? 1 : 0;
  }
  EXPECT_EQ(turning, 6);
}

TEST(Jolt, ThingsComeToRestAtTheirHeight) {
  Simulation box(test::model_of_example("box_on_quad"));
  box.run(6.0);
  EXPECT_NEAR(box.pose("/World/Box").position.z(), 0.125, 1e-3);
  Simulation balls(test::model_of_example("bouncing_spheres"));
  balls.run(6.0);
  for (const char* name : {"/World/Left", "/World/Middle", "/World/Right"}) {
    EXPECT_NEAR(balls.pose(name).position.z(), 0.25, 1e-3);
  }
}

TEST(Jolt, TheBallHangsAtTheEndOfItsRope) {
  Simulation simulation(test::model_of_example("distance_joint"));
  simulation.run(10.0);
  EXPECT_NEAR((simulation.pose("/World/Ball").position - Vector3d(0, 0, 1)).norm(), 0.5, 1e-3);
}

// Speed w (1 - e^(-t/tau)), tau = I / d about the hinge.
TEST(Jolt, TheDrivenJointGainsSpeedAsItsDampingSays) {
  Simulation simulation(test::model_of_example("driven_joint"));
  simulation.run(2.0);
  const double inertia = 10.0 * ((1.0 + 0.01) / 12.0) + 10.0 * 0.6 * 0.6;
  const double tau = inertia / (9999.0 * 1e-4 * 180.0 / std::numbers::pi);
  const double w = 10.0 * std::numbers::pi / 180.0;
  const Posed bar = simulation.pose("/World/Bar");
  const double angle = std::atan2(-bar.position.x(), bar.position.y() - 0.6);
  EXPECT_NEAR(angle, w * (2.0 - tau * (1.0 - std::exp(-2.0 / tau))), 0.01 * w * 2.0);
}

TEST(Jolt, APendulumHasThePeriodOfItsLengthAndMass) {
  Simulation simulation(test::model_of_text(test::kPendulum));
  JPH::BodyInterface& bodies = simulation.world.jolt.GetBodyInterface();
  bodies.SetLinearAndAngularVelocity(simulation.body("/Rod").GetID(), {0, 0.1F, 0}, {0.2F, 0, 0});
  constexpr double kShort = 1.0 / 1000.0;
  std::vector<double> sideways;
  for (int i = 0; i < 8000; ++i) {
    simulation.step(kShort);
    sideways.push_back(simulation.pose("/Rod").position.y());
  }
  EXPECT_NEAR(test::period_of(sideways, kShort), test::pendulum_period(),
              0.01 * test::pendulum_period());
}

TEST(Jolt, ConesHoldWhicheverAxisIsTheirs) {
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

// Collider by collider: where one of two boxes of a body meets a third, and where neither does.
TEST(Jolt, WhatIsFilteredOverlapsFromTheStart) {
  for (const bool meets : {false, true}) {
    Simulation simulation(test::model_of_text(test::overlapping_boxes(meets)));
    simulation.run(0.5);
    const double apart = (simulation.pose("/b").position - simulation.pose("/a").position).norm();
    if (meets) {
      EXPECT_GT(apart, 0.6);
    } else {
      EXPECT_NEAR(apart, 0.5, 1e-6);
    }
  }
}

// Of a body with two balls one falls through the floor and drags the other along until that rests.
TEST(Jolt, PartsOfABodyCollideEachByItself) {
  const auto resting_height = [](const char* filtered) {
    const std::string text =
        std::string(
            "#usda 1.0\n(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n"
            "def PhysicsScene \"S\" {}\n"
            "def Cube \"floor\" (apiSchemas = [\"PhysicsCollisionAPI\", "
            "\"PhysicsFilteredPairsAPI\"]) {\ndouble size = 10\n"
            "double3 xformOp:translate = (0, 0, -5)\n"
            "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
            "rel physics:filteredPairs = [") +
        filtered +
        "]\n}\ndef Xform \"body\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
        "double3 xformOp:translate = (0, 0, 1.5)\n"
        "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
        "def Sphere \"upper\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\ndouble radius = 0.2\n}\n"
        "def Cube \"lower\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\ndouble size = 0.5\n"
        "double3 xformOp:translate = (0, 0, -0.5)\n"
        "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n}\n";
    Simulation simulation(test::model_of_text(text));
    simulation.run(3.0);
    return simulation.pose("/body").position.z();
  };
  EXPECT_NEAR(resting_height(""), 0.75, 2e-3);
  EXPECT_NEAR(resting_height("</body/lower>"), 0.2, 2e-3);
}

TEST(Jolt, NothingExplodes) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    Simulation simulation(test::model_of_example(name));
    simulation.run(2.0);
    for (const JPH::Body* body : simulation.world.bodies) {
      const Vector3d velocity = vector(body->GetLinearVelocity());
      ASSERT_TRUE(velocity.allFinite());
      EXPECT_LT(velocity.norm(), 9.81 * 2.0 + 50.0);
      EXPECT_LT(vector(body->GetAngularVelocity()).norm(), 9.81 * 2.0 + 50.0);
    }
  }
}

}  // namespace
}  // namespace sinew
