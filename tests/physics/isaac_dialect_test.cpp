// SPDX-License-Identifier: Apache-2.0
// What Isaac's schemas say of robots: the order of their parts, and caps of their freedoms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "physics/read_scene.hpp"
#include "support/codes.hpp"

namespace sinew::physics::isaac_dialect_test {
namespace {

using test::prim;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

PhysicsModel read(const std::string& text, Diagnostics& diagnostics) {
  return test::read("(metersPerUnit = 0.01\nkilogramsPerUnit = 1)\n" + text, diagnostics,
                    Rules::documented, test::asking({Dialect::isaac}));
}

const std::string kBodies =
    prim("Xform", "a", "RigidBody", "") + prim("Xform", "b", "RigidBody", "");

std::string joint(const std::string& type, const std::string& name, const std::string& more) {
  return "def Physics" + type + " \"" + name +
         "\" (apiSchemas = [\"IsaacJointAPI\"]) {\nrel physics:body0 = </a>\n"
         "rel physics:body1 = </b>\n" +
         more + "\n}\n";
}

TEST(IsaacDialect, RobotsListTheirPartsInOrder) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      "def Xform \"robot\" (apiSchemas = [\"IsaacRobotAPI\"]) {\n"
      "rel isaac:physics:robotLinks = [</b>, </a>]\n"
      "rel isaac:physics:robotJoints = [</j>, </gone>]\n}\n"
      "def Xform \"none\" (apiSchemas = [\"IsaacRobotAPI\"]) {\n"
      "rel isaac:physics:robotLinks\n}\n" +
          kBodies + joint("RevoluteJoint", "j", ""),
      diagnostics);
  ASSERT_EQ(model.robots.size(), 1U);
  EXPECT_EQ(model.robots[0].path, "/robot");
  EXPECT_THAT(model.robots[0].link_paths, ElementsAre("/b", "/a"));
  EXPECT_THAT(model.robots[0].joint_paths, ElementsAre("/j", "/gone"));
  EXPECT_EQ(test::codes_of(diagnostics), "dialect-target /robot;");
}

TEST(IsaacDialect, FreedomsHaveTheirPlaceInTheRobotAndTheirCaps) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(kBodies +
               joint("RevoluteJoint", "hinge",
                     "int isaac:physics:Rot_X:DofOffset = 3\n"
                     "float isaac:physics:Rot_X:AccelerationLimit = 90\n"
                     "float isaac:physics:Rot_X:JerkLimit = 180\n") +
               joint("Joint", "six",
                     "int isaac:physics:Tr_Y:DofOffset = 1\n"
                     "float isaac:physics:Tr_Y:AccelerationLimit = 200\n"
                     "int isaac:physics:Rot_Z:DofOffset = 2\n") +
               joint("FixedJoint", "none", "int isaac:physics:Rot_X:DofOffset = -1\n"),
           diagnostics)
          .to_si();
  EXPECT_EQ(test::codes_of(diagnostics), "");
  const auto of = [&](std::string_view path, JointDof dof) {
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      if (model.joints[i].path == path) return model.joint_extras.at(i).of(dof);
    }
    return DofExtras{};
  };
  const DofExtras hinge = of("/hinge", JointDof::distance);
  EXPECT_EQ(hinge.order, 3);
  EXPECT_NEAR(hinge.acceleration_limit.value_or(0.0F), std::numbers::pi / 2.0, 1e-6);
  EXPECT_NEAR(hinge.jerk_limit.value_or(0.0F), std::numbers::pi, 1e-6);
  EXPECT_EQ(of("/six", JointDof::trans_y).order, 1);
  EXPECT_NEAR(of("/six", JointDof::trans_y).acceleration_limit.value_or(0.0F), 2.0, 1e-6);
  EXPECT_EQ(of("/six", JointDof::rot_z).order, 2);
  EXPECT_FALSE(of("/six", JointDof::rot_x).order);
  EXPECT_FALSE(of("/none", JointDof::rot_x).order);
}

TEST(IsaacDialect, RobotsMayListLinksOrJointsAlone) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      "def Xform \"links\" (apiSchemas = [\"IsaacRobotAPI\"]) {\n"
      "rel isaac:physics:robotLinks = </a>\n}\n"
      "def Xform \"joints\" (apiSchemas = [\"IsaacRobotAPI\"]) {\n"
      "rel isaac:physics:robotJoints = </j>\n}\n" +
          kBodies + joint("RevoluteJoint", "j", ""),
      diagnostics);
  ASSERT_EQ(model.robots.size(), 2U);
  EXPECT_EQ(model.robots[0].path, "/links");
  EXPECT_THAT(model.robots[0].link_paths, ElementsAre("/a"));
  EXPECT_THAT(model.robots[0].joint_paths, IsEmpty());
  EXPECT_EQ(model.robots[1].path, "/joints");
  EXPECT_THAT(model.robots[1].link_paths, IsEmpty());
  EXPECT_THAT(model.robots[1].joint_paths, ElementsAre("/j"));
  EXPECT_EQ(test::codes_of(diagnostics), "");
}

}  // namespace
}  // namespace sinew::physics::isaac_dialect_test
