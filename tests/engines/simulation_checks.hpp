// SPDX-License-Identifier: Apache-2.0
// What every engine must make of the scenes. The tests of an engine have a class for a model and
// its world, which the checks know as `Simulation`. They call of it what they need of this:
//
//   explicit Simulation(physics::PhysicsModel)
//   physics::PhysicsModel model
//   physics::Posed pose(const std::string& path) const   Where a body stands.
//   std::vector<Velocity> velocities() const             Of body_number() 0 and so on.
//   void set_velocity(const std::string& path, const Velocity&)
//   void step(double seconds)                            One step, of that length.
//   void run(double seconds)                             As many steps as that takes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engines/scenes.hpp"

namespace sinew::test {

/// Of the worlds of Bullet and Jolt, in seconds.
inline constexpr double kStep = 1.0 / 240.0;

/// Runs a simulation that has step().
template <typename Simulation>
void run_in_steps(Simulation& simulation, double seconds) {
  for (int i = 0; i < static_cast<int>(std::lround(seconds / kStep)); ++i) simulation.step(kStep);
}

/// Of a body, at its centre of mass.
struct Velocity {
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};

/// The number of a body of the model in the worlds of Bullet and Jolt, where body 0 is all that
/// stands still.
inline std::size_t body_number(const physics::PhysicsModel& model, const std::string& path) {
  return static_cast<std::size_t>(physics::Lookup(model).body(path) + 1);
}

/// Where a joint of a robot is now.
template <typename Simulation>
JointReading read_joint(const Simulation& simulation, const RandomRobot& robot,
                        const RobotJoint& joint) {
  const auto pose = [&](int body) {
    return body < 0 ? physics::Posed{}
                    : simulation.pose(robot.bodies[static_cast<std::size_t>(body)].path);
  };
  return read_joint(joint, pose(joint.parent), pose(joint.child));
}

/// How fast a joint of a robot moves that is the only one left: see with_one_joint().
template <typename Simulation>
double joint_speed(const Simulation& simulation, const RandomRobot& robot, std::size_t which) {
  const RobotJoint& joint = robot.joints[which];
  const RobotBody& body = robot.bodies[which];
  const Velocity velocity = simulation.velocities()[body_number(simulation.model, body.path)];
  const Vector3d axis = body.world.rotation * joint.axis_in_child();
  return axis.dot(joint.turns ? velocity.angular : velocity.linear);
}

inline void expect_poses_near(const physics::Posed& is, const physics::Posed& wanted,
                              double tolerance) {
  EXPECT_LT((is.position - wanted.position).norm(), tolerance);
  const Eigen::Matrix3d off = is.rotation.toRotationMatrix() - wanted.rotation.toRotationMatrix();
  EXPECT_LT(off.norm(), tolerance);
}

/// Joints with a spring are at its target and the others where they start, and all hold together.
///
/// @param tolerance  Of the coordinates, in radians and metres.
/// @return           How many have a spring.
template <typename Simulation>
std::size_t expect_joints_at_their_targets(const Simulation& simulation, const RandomRobot& robot,
                                           double tolerance) {
  std::size_t springs = 0;
  for (const RobotJoint& joint : robot.joints) {
    const JointReading at = read_joint(simulation, robot, joint);
    EXPECT_LT(at.apart, 1e-3) << joint.path;
    EXPECT_LT(at.tilt, 1e-3) << joint.path;
    const bool has_spring = joint.drive && joint.drive->stiffness > 0.0;
    EXPECT_NEAR(at.q, has_spring ? joint.drive->target : joint.start, tolerance) << joint.path;
    springs += has_spring ? 1 : 0;
  }
  return springs;
}

/// One joint of a robot at a time, driven either way, stops at the end of its range.
template <typename Simulation>
void expect_joints_stop_at_the_ends_of_their_ranges() {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRobot robot(seed);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      for (const float speed : {1.0F, -1.0F}) {
        physics::PhysicsModel model = with_one_joint(robot, i);
        change_drives(model, robot,
                      [&](physics::JointDrive& drive, const RobotJoint&) { run_at(drive, speed); });
        Simulation simulation(std::move(model));
        simulation.run(2.0);
        const RobotJoint& joint = robot.joints[i];
        const double end = speed > 0.0F ? joint.upper : joint.lower;
        EXPECT_NEAR(read_joint(simulation, robot, joint).q, end, 2e-3) << joint.path;
      }
    }
  }
}

/// @param tolerance  Of the heights, in metres.
template <typename Simulation>
void expect_things_rest_at_their_height(double tolerance) {
  Simulation box(model_of_example("box_on_quad"));
  box.run(6.0);
  EXPECT_NEAR(box.pose("/World/Box").position.z(), 0.125, tolerance);
  Simulation balls(model_of_example("bouncing_spheres"));
  balls.run(6.0);
  for (const char* name : {"/World/Left", "/World/Middle", "/World/Right"}) {
    EXPECT_NEAR(balls.pose(name).position.z(), 0.25, tolerance) << name;
  }
}

/// @param seconds  After which the ball is looked at.
template <typename Simulation>
void expect_ball_at_the_end_of_its_rope(double seconds) {
  Simulation simulation(model_of_example("distance_joint"));
  simulation.run(seconds);
  EXPECT_NEAR((simulation.pose("/World/Ball").position - Vector3d(0, 0, 1)).norm(), 0.5, 1e-3);
}

/// The rod swings as often as its length and mass say.
template <typename Simulation>
void expect_period_of_pendulum() {
  Simulation simulation(model_of_text(kPendulum));
  simulation.set_velocity("/Rod", {{0, 0.1, 0}, {0.2, 0, 0}});
  constexpr double kShort = 1.0 / 1000.0;
  std::vector<double> sideways;
  for (int i = 0; i < 8000; ++i) {
    simulation.step(kShort);
    sideways.push_back(simulation.pose("/Rod").position.y());
  }
  const double wanted = pendulum_period();
  EXPECT_NEAR(period_of(sideways, kShort), wanted, 0.01 * wanted);
}

/// A box slides as far as its friction lets it, and a ball bounces as high as its restitution lets
/// it, on a floor of the same material.
/// @param tolerance  Of the two lengths, relative.
template <typename Simulation>
void expect_materials_to_act(double tolerance) {
  Simulation simulation(model_of_text(kSlideAndBounce));
  simulation.set_velocity("/Box", {{kSlideSpeed, 0, 0}, {0, 0, 0}});
  double highest = 0.0;
  bool has_bounced = false;
  for (int i = 0; i < 480; ++i) {
    simulation.step(kStep);
    has_bounced = has_bounced ||
                  simulation.velocities()[body_number(simulation.model, "/Ball")].linear.z() > 0.0;
    if (has_bounced) highest = std::max(highest, simulation.pose("/Ball").position.z() - 0.25);
  }
  const double slid = kSlideSpeed * kSlideSpeed / (2.0 * 0.3 * 9.81);
  EXPECT_NEAR(simulation.pose("/Box").position.x(), slid, tolerance * slid);
  EXPECT_NEAR(highest, 0.75 * 0.75, tolerance * 0.75 * 0.75);
}

/// The ball swings to the end of the cone, towards both axes, whichever axis is that of the cone.
template <typename Simulation>
void expect_cones_hold() {
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool second : {false, true}) {
      const ConeScene scene(axis, second);
      Simulation simulation(model_of_text(scene.text));
      simulation.run(6.0);
      EXPECT_NEAR(scene.swing(simulation.pose("/Ball").position), scene.limit, 0.02)
          << axis << second;
    }
  }
}

/// Of overlapping_boxes() those that meet come apart, and the others stay where they are.
template <typename Simulation>
void expect_boxes_come_apart(Simulation& simulation, bool one_pair_meets) {
  simulation.run(0.5);
  const double apart = (simulation.pose("/b").position - simulation.pose("/a").position).norm();
  if (one_pair_meets) {
    EXPECT_GT(apart, 0.6);
  } else {
    EXPECT_NEAR(apart, 0.5, 1e-6);
  }
}

/// Nothing in the examples is faster than it can have become.
template <typename Simulation>
void expect_nothing_explodes() {
  for (const char* name : kExamples) {
    SCOPED_TRACE(name);
    Simulation simulation(model_of_example(name));
    simulation.run(2.0);
    const std::vector<Velocity> velocities = simulation.velocities();
    ASSERT_EQ(velocities.size(), simulation.model.rigid_bodies.size() + 1);
    for (const Velocity& velocity : velocities) {
      ASSERT_TRUE(velocity.linear.allFinite());
      EXPECT_LT(velocity.linear.norm(), 9.81 * 2.0 + 50.0);
      EXPECT_LT(velocity.angular.norm(), 9.81 * 2.0 + 50.0);
    }
  }
}

}  // namespace sinew::test
