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
#include <string>
#include <vector>

#include "engines/scenes.hpp"
#include "engines/simulation_checks.hpp"

namespace sinew::jolt_test {
namespace {

using test::kStep;
using test::RobotJoint;

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

/// A model and its world.
struct Simulation {
  PhysicsModel model;
  Diagnostics diagnostics;
  JoltWorld world;
  JPH::TempAllocatorImpl memory{32 << 20};
  JPH::JobSystemSingleThreaded jobs{JPH::cMaxPhysicsJobs};

  explicit Simulation(PhysicsModel from) : model(std::move(from)), world(model, diagnostics) {}

  const JPH::Body& body(const std::string& path) const {
    return *world.bodies[test::body_number(model, path)];
  }
  Posed pose(const std::string& path) const {
    const JPH::Body& found = body(path);
    const JPH::Quat q = found.GetRotation();
    return {vector(found.GetPosition()),
            Quatf(q.GetW(), q.GetX(), q.GetY(), q.GetZ()).cast<double>().normalized()};
  }
  std::vector<test::Velocity> velocities() const {
    std::vector<test::Velocity> all;
    for (const JPH::Body* body : world.bodies) {
      all.push_back({vector(body->GetLinearVelocity()), vector(body->GetAngularVelocity())});
    }
    return all;
  }
  void set_velocity(const std::string& path, const test::Velocity& velocity) {
    world.jolt.GetBodyInterface().SetLinearAndAngularVelocity(body(path).GetID(),
                                                              JoltWorld::vector(velocity.linear),
                                                              JoltWorld::vector(velocity.angular));
  }
  void step(double seconds) {
    const JPH::EPhysicsUpdateError error =
        world.jolt.Update(static_cast<float>(seconds), 1, &memory, &jobs);
    ASSERT_EQ(error, JPH::EPhysicsUpdateError::None);
  }
  void run(double seconds) { test::run_in_steps(*this, seconds); }
  void solve_exactly() {
    JPH::PhysicsSettings settings = world.jolt.GetPhysicsSettings();
    settings.mNumVelocitySteps = 500;
    world.jolt.SetPhysicsSettings(settings);
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
      test::expect_poses_near(simulation.pose(path), test::widened(wanted.pose), 1e-6);
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
      const double is = test::joint_speed(simulation, robot, i);
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
    targets += test::expect_joints_at_their_targets(simulation, robot, 5e-3);
  }
  EXPECT_GT(targets, 40U);
}

TEST(Jolt, StopsJointsOfRandomRobotsAtTheEndsOfTheirRanges) {
  test::expect_joints_stop_at_the_ends_of_their_ranges<Simulation>();
}

TEST(Jolt, TheArmReachesItsTargetsAsFarAsItsSpringsCarry) {
  Simulation simulation(test::arm_driven_to(0.3F));
  simulation.run(6.0);
  int turning = 0;
  for (const EngineJoint& joint : engine_joints(simulation.model)) {
    const auto at = [&](int end) {
      const std::int32_t body = joint.form.bodies[end];
      const Posed carrier =
          body == kNone ? Posed{} : simulation.pose(simulation.model.body(body).path.str());
      return test::posed_product(carrier, test::widened(joint.form.frames[end]));
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
  test::expect_things_rest_at_their_height<Simulation>(1e-3);
}

TEST(Jolt, TheBallHangsAtTheEndOfItsRope) {
  test::expect_ball_at_the_end_of_its_rope<Simulation>(10.0);
}

TEST(Jolt, TheDrivenJointGainsSpeedAsItsDampingSays) {
  Simulation simulation(test::model_of_example("driven_joint"));
  simulation.run(2.0);
  EXPECT_NEAR(test::bar_angle(simulation.pose("/World/Bar")), test::bar_angle_after(2.0),
              0.01 * test::kBarSpeed * 2.0);
}

TEST(Jolt, APendulumHasThePeriodOfItsLengthAndMass) {
  test::expect_period_of_pendulum<Simulation>();
}

TEST(Jolt, ConesHoldWhicheverAxisIsTheirs) {
  test::expect_cones_hold<Simulation>();
}

// Collider by collider: where one of two boxes of a body meets a third, and where neither does.
TEST(Jolt, WhatIsFilteredOverlapsFromTheStart) {
  for (const bool meets : {false, true}) {
    Simulation simulation(test::model_of_text(test::overlapping_boxes(meets)));
    test::expect_boxes_come_apart(simulation, meets);
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

TEST(Jolt, MaterialsAct) {
  test::expect_materials_to_act<Simulation>(0.03);
}

TEST(Jolt, NothingExplodes) {
  test::expect_nothing_explodes<Simulation>();
}

}  // namespace
}  // namespace sinew::jolt_test
