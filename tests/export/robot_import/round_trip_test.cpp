// SPDX-License-Identifier: Apache-2.0
// Robots there and back: what is written of a layer that was imported is the same robot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "export/robot_import/robot_models.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "stage/support.hpp"
#include "support/random_robot.hpp"

namespace sinew::robot_import_round_trip_test {
namespace {

using exporter::EngineFile;
using exporter::ImportRobotOptions;
using physics::Posed;
using test::ModelDifferences;
using test::RobotModel;

// Imports what was written, with the meshes beside it.
RobotModel import_again(const EngineFile& file) {
  stage::MemoryResolver resolver;
  for (const exporter::EngineMesh& mesh : file.meshes) resolver.add(mesh.name, mesh.text);
  ImportRobotOptions options;
  options.resolver = &resolver;
  return RobotModel(file.text, options);
}

// What is more than news: a start that the keyframe gives and poses do not is told as such.
std::string complaints(const Diagnostics& diagnostics) {
  Diagnostics worse;
  for (const Diagnostic& d : diagnostics) {
    if (d.code != "dialect-state-differs") worse.push_back(d);
  }
  return test::lines_of(worse);
}

class MjcfRoundTrip : public ::testing::TestWithParam<const char*> {};

TEST_P(MjcfRoundTrip, GivesTheSameRobotAndNothingToComplainOf) {
  const RobotModel first = test::robot_file(GetParam());
  EXPECT_EQ(complaints(first.found), "") << first.text;
  EXPECT_EQ(count(first.said, Severity::error), 0U) << test::lines_of(first.said);

  Diagnostics writing;
  const EngineFile file = exporter::write_mjcf(first.model, {}, writing);
  const RobotModel second = import_again(file);

  EXPECT_EQ(complaints(second.found), "") << second.text;
  EXPECT_EQ(test::lines_of(second.said), "") << file.text;
  EXPECT_EQ(ModelDifferences(first.model, second.model).text, "") << first.text << file.text;
}

INSTANTIATE_TEST_SUITE_P(TenFiles, MjcfRoundTrip,
                         ::testing::Values("pendulum.xml", "degrees.xml", "defaults.xml",
                                           "actuators.xml", "joints.xml", "filters.xml",
                                           "loops.xml", "meshes.xml", "visuals.xml", "frames.xml"));

class UrdfRoundTrip : public ::testing::TestWithParam<const char*> {};

TEST_P(UrdfRoundTrip, GivesTheSameRobotAndNothingToComplainOf) {
  const RobotModel first = test::robot_file(GetParam());
  EXPECT_EQ(test::lines_of(first.found), "") << first.text;
  EXPECT_EQ(test::lines_of(first.said), "");

  Diagnostics writing;
  exporter::EngineOptions options;
  options.names = physics::NameStyle::leaf;
  const EngineFile file = exporter::write_urdf(first.model, options, writing);
  const RobotModel second = import_again(file);

  EXPECT_EQ(test::lines_of(second.found), "") << second.text;
  EXPECT_EQ(test::lines_of(second.said), "") << file.text;
  EXPECT_EQ(ModelDifferences(first.model, second.model).text, "") << first.text << file.text;
}

INSTANTIATE_TEST_SUITE_P(TenFiles, UrdfRoundTrip,
                         ::testing::Values("arm.urdf", "wheel.urdf", "drawer.urdf", "floating.urdf",
                                           "rigid.urdf", "gripper.urdf", "door.urdf", "locked.urdf",
                                           "meshes.urdf", "tree.urdf"));

physics::PhysicsModel random_model(const test::RandomRobot& robot) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers(
      {{"root.usda", robot.text.c_str() + std::string("#usda 1.0\n").size()}}, diagnostics);
  return test::model_of(*stage, diagnostics);
}

TEST(RobotRoundTrip, KeepsAHundredRandomRobotsInMjcf) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const physics::PhysicsModel model = random_model(test::RandomRobot(seed));
    Diagnostics writing;
    const EngineFile file = exporter::write_mjcf(model, {}, writing);
    const RobotModel again = import_again(file);
    EXPECT_EQ(test::lines_of(again.said), "");
    EXPECT_EQ(test::lines_of(again.found), "");
    EXPECT_EQ(ModelDifferences(model, again.model).text, "");
  }
}

// A URDF holds the pose in which all joints are 0, and its links stand at their joints, so what
// does not depend on either is compared: seen from the joint, along the axes of the body.
TEST(RobotRoundTrip, KeepsAHundredRandomRobotsInUrdf) {
  constexpr double kNear = 3e-6;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    const physics::PhysicsModel model = random_model(robot);
    Diagnostics writing;
    exporter::EngineOptions options;
    options.names = physics::NameStyle::leaf;
    const EngineFile file = exporter::write_urdf(model, options, writing);
    const RobotModel again = import_again(file);
    EXPECT_EQ(test::lines_of(again.said), "");
    EXPECT_EQ(test::lines_of(again.found), "");
    ASSERT_EQ(again.model.rigid_bodies.size(), robot.bodies.size());
    ASSERT_EQ(again.model.joints.size(), robot.joints.size());
    const auto body_of = [](const physics::PhysicsModel& from, const std::string& path) {
      const std::string leaf = path.substr(path.rfind('/') + 1);
      for (std::size_t i = 0; i < from.rigid_bodies.size(); ++i) {
        if (from.rigid_bodies[i].path.view().ends_with("/" + leaf)) return i;
      }
      ADD_FAILURE() << leaf;
      return std::size_t{0};
    };
    Diagnostics unused;
    const auto masses = physics::body_masses(model, unused);
    const auto masses_again = physics::body_masses(again.model, unused);
    for (const test::RobotJoint& joint : robot.joints) {
      const std::string& path = robot.bodies[static_cast<std::size_t>(joint.child)].path;
      const std::size_t a = body_of(model, path);
      const std::size_t b = body_of(again.model, path);
      const physics::MassFrame mass = physics::mass_frame(masses[a]);
      const physics::MassFrame mass_again = physics::mass_frame(masses_again[b]);
      EXPECT_NEAR(mass_again.mass, mass.mass, kNear * mass.mass);
      EXPECT_LT((mass_again.inertia - mass.inertia).norm(), kNear * mass.inertia.norm());
      EXPECT_LT((mass_again.center - (mass.center - joint.child_frame.position)).norm(), kNear);
      const std::string name = joint.path.substr(joint.path.rfind('/') + 1);
      std::int32_t index = physics::kNone;
      for (std::size_t j = 0; j < again.model.joints.size(); ++j) {
        if (again.model.joints[j].path.view().ends_with("/" + name)) {
          index = static_cast<std::int32_t>(j);
        }
      }
      ASSERT_NE(index, physics::kNone) << name;
      const physics::LinkJoint made =
          physics::link_joint(again.model, index, static_cast<std::int32_t>(b));
      ASSERT_EQ(made.dofs.size(), 1U);
      EXPECT_EQ(made.dofs[0].is_rotation(), joint.turns);
      EXPECT_NEAR(made.dofs[0].lower, joint.lower, kNear);
      EXPECT_NEAR(made.dofs[0].upper, joint.upper, kNear);
      EXPECT_LT((made.dofs[0].axis_in_child - joint.axis_in_child()).norm(), kNear);
      // Both ways from the joint of the parent to that of the child, at some coordinate.
      const double q = joint.start;
      const auto offset = [&](int body) {
        return Posed{body < 0 ? Vector3d(Vector3d::Zero())
                              : robot.joints[static_cast<std::size_t>(body)].child_frame.position,
                     Quatd::Identity()};
      };
      const Posed expected =
          test::posed_product(test::posed_inverse(offset(joint.parent)),
                              test::posed_product(joint.child_in_parent(q), offset(joint.child)));
      const Posed pose = physics::link_pose(made, {q}, true);
      EXPECT_LT((pose.position - expected.position).norm(), kNear);
      EXPECT_LT(pose.rotation.angularDistance(expected.rotation), kNear);
    }
  }
}

}  // namespace
}  // namespace sinew::robot_import_round_trip_test
