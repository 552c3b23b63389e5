// SPDX-License-Identifier: Apache-2.0
// Joints, actuators and loops in files of engines at the borders of what can be said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <variant>

#include "export/engine_models.hpp"

namespace sinew::exporter::engine_joints_test {

using namespace engine_models;

namespace {

using physics::PhysicsModel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The turn about x of the second joint is twice that of the first, and 0.5 more.
physics::Mimic second_follows_first() {
  physics::Mimic mimic;
  mimic.follower = 1;
  mimic.follower_dof = physics::JointDof::rot_x;
  mimic.leader = 0;
  mimic.ratio = 2.0F;
  mimic.offset = 0.5F;
  return mimic;
}

// --- Joints

TEST(EngineJoints, AJointWithAFrameThatIsNoneIsLeftOut) {
  const PhysicsModel plain =
      read(kScene + ball("a") + ball("b") + joint("Revolute", "j", kBetween));
  void (*const spoil[])(physics::Joint&) = {
      [](auto& joint) { joint.ends[0].frame.position.x() = kNan; },
      [](auto& joint) { joint.ends[1].frame.rotation.x() = kNan; },
      [](auto& joint) { joint.ends[0].body_world.position.x() = kInfinity; },
      [](auto& joint) { joint.ends[1].body_world.rotation.w() = kNan; },
      [](auto& joint) {
        joint.ends[0].frame.position.x() = kNan;
        joint.ends[1].frame.position.x() = kNan;
      }};
  for (const auto spoil_one : spoil) {
    PhysicsModel model = plain;
    spoil_one(model.joints[0]);
    const Written written = write(model);
    EXPECT_EQ(written.codes, "engine-not-finite /j;");  // Once.
    EXPECT_THAT(written.text, Not(HasSubstr("<joint")));
    model.joints[0].is_valid = false;
    EXPECT_EQ(write(model).codes, "") << "Something else has told of it.";
  }
}

TEST(EngineJoints, WhatIsLeftOutAnywayIsToldOnce) {
  PhysicsModel model = read(kScene + ball("a") + ball("b") + joint("Distance", "j", kBetween));
  physics::DistanceJoint apart;
  apart.min_enabled = true;
  apart.max_enabled = true;
  apart.limit.lower = 5;
  apart.limit.upper = 2;
  model.joints[0].kind = apart;
  EXPECT_EQ(write(model).codes, "engine-joint-inconsistent /j;");
  model.joints[0].is_valid = false;
  EXPECT_EQ(write(model).codes, "");
  model.joints[0].ends[1].body = 0;
  EXPECT_EQ(write(model).codes, "");
  model.joints[0].is_valid = true;
  EXPECT_EQ(write(model).codes, "engine-joint-one-body /j;");
}

// Slides along parallel lines agree wherever these are, hinges only about one line.
TEST(EngineJoints, JointsOfOneAxisHoldEachOtherUnlessTheyShareIt) {
  const auto codes = [](const std::string& first, const std::string& second,
                        const std::string& more = "", const std::string& first_more = "") {
    return write(read(kScene + ball("a") + ball("b") + joint(first, "j", kBetween + first_more) +
                      joint(second, "k", kBetween + more)))
        .codes;
  };
  const std::string aside =
      "point3f physics:localPos0 = (0, 1, 0)\n"
      "point3f physics:localPos1 = (0, 1, 0)\n";
  const std::string along_y = "uniform token physics:axis = \"Y\"\n";
  const auto is_told = HasSubstr("engine-joints-parallel /k;");
  EXPECT_THAT(codes("Prismatic", "Prismatic", aside), Not(is_told));
  EXPECT_THAT(codes("Revolute", "Revolute", aside), is_told);
  EXPECT_THAT(codes("Prismatic", "Prismatic", along_y), is_told);
  EXPECT_THAT(codes("Prismatic", "Revolute"), is_told);
  EXPECT_THAT(codes("Revolute", "Revolute"), Not(is_told));
  const std::string still = "float physics:lowerLimit = 0\nfloat physics:upperLimit = 0\n";
  EXPECT_THAT(codes("Revolute", "Revolute", still), is_told);
  EXPECT_THAT(codes("Revolute", "Revolute", "", still), is_told);
  EXPECT_THAT(codes("Revolute", "Spherical"), Not(is_told));
  EXPECT_THAT(codes("Spherical", "Revolute"), Not(is_told));
  EXPECT_THAT(codes("Prismatic", "Revolute", "uniform bool physics:excludeFromArticulation = 1\n"),
              Not(is_told));
}

TEST(EngineJoints, AJointOfOneAxisHoldsAnotherThatAlsoHoldsItsBodyInTheWorld) {
  const std::string along_y = "uniform token physics:axis = \"Y\"\n";
  const Written held = write(read(kScene + ball("a") + joint("Revolute", "j", kToA) +
                                  joint("Revolute", "k", kToA + along_y)));
  EXPECT_THAT(held.told,
              Contains("engine-joints-parallel /k: The joint and </j> connect the same bodies and "
                       "hold at the same time, which leaves nothing to move."));
  // A loop over three bodies leaves what its joints leave.
  const Written triangle = write(read(
      kScene + ball("a") + ball("b") + ball("c") + joint("Revolute", "j", kBetween) +
      joint("Revolute", "k", "rel physics:body0 = </b>\nrel physics:body1 = </c>\n") +
      joint("Revolute", "l", "rel physics:body0 = </a>\nrel physics:body1 = </c>\n" + along_y)));
  EXPECT_THAT(triangle.codes, Not(HasSubstr("engine-joints-parallel")));
}

// Of 30 by 60 degrees the corner tilts by acos(cos 30 cos 60) = 64.341, and the ellipse reaches
// 30 sqrt(2.5) = 47.434 towards it.
TEST(EngineJoints, AConeTellsHowFarItsCornersAreOutside) {
  const auto told = [](const std::string& limits) {
    return write(read(kScene + ball("a") + joint("Spherical", "j", kToA + limits))).told;
  };
  const auto cone = [](const std::string& first, const std::string& second) {
    return "float physics:coneAngle0Limit = " + first +
           "\nfloat physics:coneAngle1Limit = " + second + "\n";
  };
  const auto expected = [](const std::string& degrees) {
    return Contains(
        "engine-cone-as-hinges /j: The cone is written as hinges with ranges: a pyramid, whose "
        "corners are " +
        degrees + " degrees outside.");
  };
  EXPECT_THAT(told(cone("30", "60")), expected("16.9"));
  EXPECT_THAT(told(cone("60", "30")), expected("16.9"));
  // Half a turn is no limit, and a single one has no corners.
  EXPECT_THAT(told(cone("30", "180")), expected("0"));
  EXPECT_THAT(told(cone("180", "60")), expected("0"));
  EXPECT_THAT(told(cone("180", "180")), ElementsAre());
}

TEST(EngineJoints, AStartIsToldOnlyWhereItIsOutsideByMoreThanRounding) {
  const auto told = [](float lower, float upper) {
    PhysicsModel model = read(kScene + ball("a") + joint("Prismatic", "j", kToA));
    auto& limit = std::get<physics::PrismaticJoint>(model.joints[0].kind).limit;
    limit.enabled = true;
    limit.lower = lower;
    limit.upper = upper;
    return write(model).told;
  };
  const std::string start =
      "engine-starts-outside-limit /j: transX starts at 0, outside its range ";
  EXPECT_THAT(told(0.25F, 2.0F), Contains(start + "of 0.25 to 2."));
  EXPECT_THAT(told(-2.0F, -0.25F), Contains(start + "of -2 to -0.25."));
  const auto is_outside = Contains(::testing::StartsWith("engine-starts-outside-limit"));
  EXPECT_THAT(told(0.00005F, 2.0F), Not(is_outside));
  EXPECT_THAT(told(-2.0F, -0.00005F), Not(is_outside));
}

TEST(EngineJoints, FramesAreApartByMoreThanATenthOfAMillimetre) {
  const auto told = [](const std::string& frame) {
    return write(read(kScene + ball("a") + joint("Fixed", "j", kToA + frame))).told;
  };
  const auto apart = [](const std::string& by) {
    return ElementsAre("engine-joint-apart /j: The frames of the joint stand " + by +
                       " apart in what it locks; bodies keep their poses.");
  };
  EXPECT_THAT(told("point3f physics:localPos0 = (0, 0.5, 0)\n"), apart("0.5 m and 0 degrees"));
  EXPECT_THAT(told("quatf physics:localRot0 = (0, 0, 1, 0)\n"), apart("0 m and 180 degrees"));
  EXPECT_THAT(told("point3f physics:localPos0 = (0, 0.00009, 0)\n"), ElementsAre());
  EXPECT_THAT(told("quatf physics:localRot0 = (1, 0, 0.00004, 0)\n"), ElementsAre());
}

TEST(EngineJoints, AKinematicPartOnARopeStaysABody) {
  const auto codes = [](const std::string& type) {
    return write(read(kScene +
                      "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" +
                      ball("a") + ball("b", "bool physics:kinematicEnabled = 1\n") +
                      joint("Fixed", "l", "rel physics:body1 = </r/a>\n") +
                      joint(type, "j", "rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>\n") +
                      "}\n"))
        .codes;
  };
  EXPECT_THAT(codes("Revolute"), HasSubstr("engine-kinematic-jointed"));
  EXPECT_THAT(codes("Distance"), Not(HasSubstr("engine-kinematic-jointed")));
}

TEST(EngineJoints, AKinematicPartIsWeldedWhicheverWayItsJointIsStated) {
  const std::string place =
      "double3 xformOp:translate = (1, 2, 3)\nuniform token[] xformOpOrder = "
      "[\"xformOp:translate\"]\n";
  for (const bool swapped : {false, true}) {
    const std::string first = std::string("rel physics:body") + (swapped ? "1" : "0");
    const std::string second = std::string("rel physics:body") + (swapped ? "0" : "1");
    const std::string text =
        kScene + "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + ball("a") +
        ball("b", "bool physics:kinematicEnabled = 1\n" + place) +
        joint("Fixed", "l", second + " = </r/a>\n") +
        joint("Revolute", "j", first + " = </r/a>\n" + second + " = </r/b>\n") + "}\n";
    const Written written = write(read(text));
    EXPECT_EQ(written.codes, "engine-kinematic-jointed /r/b;") << swapped;
    EXPECT_THAT(written.text, HasSubstr("<body name=\"/r/b\" pos=\"1 2 3\" quat=\"1 0 0 0\">"));
    EXPECT_THAT(written.became, Contains("/r/j: nothing: welded by engine-kinematic-jointed"));
  }
}

TEST(EngineJoints, NumbersOfADialectThatSayNothingAreNotWritten) {
  PhysicsModel model = read(kScene + ball("a") + joint("Revolute", "j", kToA));
  model.joint_extras.resize(1);
  physics::DofExtras& dof = model.joint_extras[0].dofs.emplace_back();
  dof.armature = 0.0F;
  dof.damping = kInfinity;
  dof.friction = kNan;
  dof.stiffness = -0.5F;
  dof.spring_rest = 0.25F;
  EXPECT_THAT(write(model).text, HasSubstr(" axis=\"1 0 0\" stiffness=\"-0.5\" "
                                           "springref=\"0.25\"/>"));
  EXPECT_THAT(write(model, write_urdf).text, HasSubstr("<dynamics damping=\"0\" friction=\"0\"/>"));
  dof = {};
  dof.friction = 0.5F;
  EXPECT_THAT(write(model, write_urdf).text,
              HasSubstr("<dynamics damping=\"0\" friction=\"0.5\"/>"));
  dof = {};
  dof.damping = 0.5F;
  EXPECT_THAT(write(model, write_urdf).text,
              HasSubstr("<dynamics damping=\"0.5\" friction=\"0\"/>"));
  dof = {};
  EXPECT_THAT(write(model, write_urdf).text, Not(HasSubstr("<dynamics")));
}

TEST(EngineJoints, ADriveWithoutForceIsToldOnlyIfItHasGains) {
  const auto codes = [](const std::string& more) {
    return write(read(kScene + ball("a") +
                      joint("Revolute", "j",
                            kToA + "float drive:angular:physics:maxForce = 0\n" + more,
                            "\"PhysicsDriveAPI:angular\"")))
        .codes;
  };
  EXPECT_EQ(codes(""), "");
  EXPECT_EQ(codes("float drive:angular:physics:damping = 1\n"), "engine-drive-gains-dropped /j;");
}

// Of a slide from the world the body's mass moves; its gains have no square of a length.
TEST(EngineJoints, AnAcceleratingSlideIsTakenTimesTheMassThatItMoves) {
  const Written written =
      write(read(kScene + ball("a") +
                 joint("Prismatic", "j",
                       kToA + "uniform token drive:linear:physics:type = \"acceleration\"\n"
                              "float drive:linear:physics:stiffness = 10\n"
                              "float drive:linear:physics:damping = 3\n",
                       "\"PhysicsDriveAPI:linear\"")));
  EXPECT_THAT(written.told,
              ElementsAre("engine-drive-acceleration /j: The drive states an acceleration; its "
                          "gains are taken times 2 kg, what it has to move at the start."));
  EXPECT_THAT(written.text, HasSubstr("gainprm=\"20\" biastype=\"affine\" biasprm=\"0 -20 -6\""));
}

TEST(EngineJoints, AUrdfHasAnEffortOfNoneWhereADriveHasNone) {
  const auto written = [](const std::string& force) {
    return write(
        read(kScene + ball("a") +
             joint("Revolute", "j", kToA + "float drive:angular:physics:maxForce = " + force + "\n",
                   "\"PhysicsDriveAPI:angular\"")),
        write_urdf);
  };
  EXPECT_EQ(written("0").codes, "engine-velocity-unset /j;");
  EXPECT_EQ(written("7").codes, "engine-velocity-unset /j;");
  EXPECT_THAT(written("7").text, HasSubstr("<limit effort=\"7\" velocity=\"1000\"/>"));
  const Written open = written("inf");
  EXPECT_EQ(open.codes, "engine-effort-unset /j;engine-velocity-unset /j;");
  EXPECT_THAT(open.text, HasSubstr("<limit effort=\"0\" velocity=\"1000\"/>"));
}

TEST(EngineJoints, AUrdfCapsASpeedOnlyByANumber) {
  PhysicsModel model = read(kScene + ball("a") + joint("Revolute", "j", kToA));
  model.joint_extras.resize(1);
  model.joint_extras[0].dofs.emplace_back().velocity_limit = 2.5F;
  const Written capped = write(model, write_urdf);
  EXPECT_THAT(capped.text, HasSubstr(" velocity=\"2.5\"/>"));
  EXPECT_EQ(capped.codes, "engine-effort-unset /j;");
  model.joint_extras[0].dofs[0].velocity_limit = kInfinity;
  const Written open = write(model, write_urdf);
  EXPECT_THAT(open.text, HasSubstr(" velocity=\"1000\"/>"));
  EXPECT_EQ(open.codes, "engine-effort-unset /j;engine-velocity-unset /j;");
}

// The frames turn against each other in what the hinge locks: its axis is that of the parent then.
TEST(EngineJoints, AUrdfKeepsABodyWhoseJointFramesOnlyTurnAgainstEachOther) {
  const Written written =
      write(read(kScene + ball("a") + ball("b") +
                 joint("Revolute", "j",
                       kBetween + "quatf physics:localRot1 = (0.70710678, 0, 0, 0.70710678)\n")),
            write_urdf);
  EXPECT_THAT(written.codes, HasSubstr("engine-joint-apart /j;"));
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j\" type=\"continuous\">\n    <origin "
                                      "xyz=\"0 0 0\" rpy=\"0 0 0\"/>"));
}

TEST(EngineJoints, AChainSlidesAndTurnsByOneJointAfterTheOther) {
  EngineOptions always;
  always.stacked = physics::StackedJoints::always;
  PhysicsModel model = read(kScene + ball("a") + ball("b") + joint("Revolute", "l", kToB) +
                            locking("j", kToA, {"transY", "transZ", "rotY", "rotZ"}));
  model.mimics = {second_follows_first()};
  const Written written = write(model, write_urdf, always);
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j:transX\" type=\"prismatic\">"));
  EXPECT_THAT(written.text, HasSubstr("<link name=\"/j:transX\">"));
  const std::size_t turn = written.text.find("<joint name=\"/j:rotX\" type=\"continuous\">");
  const std::size_t follows =
      written.text.find("<mimic joint=\"/l\" multiplier=\"2\" offset=\"0.5\"/>");
  ASSERT_NE(turn, std::string::npos);
  EXPECT_LT(turn, follows);
  EXPECT_EQ(written.text.find("<mimic", follows + 1), std::string::npos);
  EXPECT_THAT(written.became, Contains("/j: chain of 2 joints"));
  // The slide is first, and nothing follows before its end.
  EXPECT_LT(written.text.find("</joint>", written.text.find("\"/j:transX\" type")), turn);
}

TEST(EngineJoints, ABallThatAlsoSlidesIsSeveralJoints) {
  const Written written =
      write(read(kScene + ball("a") + ball("b") + locking("j", kBetween, {"transY", "transZ"}) +
                 joint("Spherical", "k", kToA)));
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j:transX\" type=\"slide\""));
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j\" type=\"ball\""));
  EXPECT_THAT(written.became, AllOf(Contains("/j: several joints"), Contains("/k: ball")));
}

TEST(EngineJoints, AJointOfSeveralAxesKeepsItsDrivesBesideAnActuator) {
  const Written written =
      write(read(kScene + ball("a") +
                 locking("j", kToA, {"transX", "transY", "transZ", "rotZ"},
                         "float drive:rotX:physics:stiffness = 10\n", "\"PhysicsDriveAPI:rotX\"") +
                 "def MjcActuator \"m\" {\nrel mjc:target = </j>\n}\n"));
  EXPECT_THAT(written.text, HasSubstr("<general name=\"/j:rotX\" joint=\"/j:rotX\""));
  EXPECT_THAT(written.text, Not(HasSubstr("\"/m\"")));
  EXPECT_THAT(written.told, Contains("engine-feature-dropped /m: The actuator drives nothing that "
                                     "is written."));
}

TEST(EngineJoints, AUrdfTellsAFreeJointFromOneThatItCannotSay) {
  const Written free =
      write(read(kScene + ball("a") + ball("b") + joint("", "j", kBetween)), write_urdf);
  EXPECT_EQ(free.codes, "engine-joint-free /j;");
  EXPECT_THAT(free.became, Contains("/j: nothing"));
  const Written rope =
      write(read(kScene + ball("a") + ball("b") +
                 joint("Distance", "j", kBetween + "float physics:maxDistance = 2\n")),
            write_urdf);
  EXPECT_EQ(rope.codes, "engine-loop-unsupported /j;");
}

// --- Actuators and what follows

// gain c + bias0 + gear * (bias1 q + bias2 v) = 0 where the drive wants the joint.
TEST(EngineJoints, AServoStartsWithTheControlThatItsBiasAsksFor) {
  PhysicsModel model = read(kScene + ball("a") + joint("Revolute", "j", kToA));
  physics::RevoluteJoint hinge;
  hinge.drive.enabled = true;
  hinge.drive.stiffness = 1.0F;
  hinge.drive.target_position = 3.0F;
  hinge.drive.target_velocity = 7.0F;
  model.joints[0].kind = hinge;
  physics::Actuator& actuator = model.actuators.emplace_back();
  actuator.path = "/m";
  actuator.joint = 0;
  actuator.gear = 2.0F;
  actuator.gain = 4.0F;
  const auto control = [&](std::array<float, 3> bias) {
    actuator.bias = bias;
    const std::string text = write(model).text;
    const std::size_t at = text.find(" ctrl=\"");
    return at == std::string::npos ? -99.0 : std::stod(text.substr(at + 7));
  };
  EXPECT_EQ(control({1, -4, -8}), 5.75);  // -(1 + 2 * -4 * 3) / 4.
  EXPECT_EQ(control({1, 0, -8}), 27.75);  // -(1 + 2 * -8 * 7) / 4.
  EXPECT_EQ(control({1, 0, 0}), 0.0);     // A motor, which pulls nowhere.
  actuator.gain = 0.0F;
  EXPECT_EQ(control({1, -4, -8}), 0.0);
  actuator.gain = 4.0F;
  actuator.control = 0.5F;
  EXPECT_EQ(control({1, -4, -8}), 0.5);
  actuator.control.reset();
  std::get<physics::RevoluteJoint>(model.joints[0].kind).drive.enabled = false;
  EXPECT_EQ(control({1, -4, -8}), 0.0);
}

TEST(EngineJoints, AnActuatorIsNamedAsEverythingElseIs) {
  PhysicsModel model = read(kScene + ball("a") + joint("Revolute", "j", kToA));
  physics::Actuator& actuator = model.actuators.emplace_back();
  actuator.path = "/Robot/actuators/motor";
  actuator.joint = 0;
  EngineOptions options;
  Diagnostics unused;
  EXPECT_THAT(write_mjcf(model, options, unused).text,
              ::testing::HasSubstr("<general name=\"/Robot/actuators/motor\""));
  options.names = physics::NameStyle::leaf;
  EXPECT_THAT(write_mjcf(model, options, unused).text,
              ::testing::HasSubstr("<general name=\"motor\""));
  // A drive is an actuator too, with the name of its joint.
  physics::RevoluteJoint hinge;
  hinge.drive.enabled = true;
  hinge.drive.stiffness = 1.0F;
  model.joints[0].kind = hinge;
  model.actuators[0].path = "/Robot/actuators/j";
  const std::string text = write_mjcf(model, options, unused).text;
  const std::size_t first = text.find("<general name=\"j\"");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("<general name=\"j\"", first + 1), std::string::npos) << text;
}

// q_f = 2 q_l + 0.5 in the numbers of the file, which MuJoCo counts from where the joints start.
TEST(EngineJoints, AJointFollowsFromWhereBothStart) {
  const auto turned = [](const std::string& degrees) {
    return "double xformOp:rotateX = " + degrees +
           "\nuniform token[] xformOpOrder = [\"xformOp:rotateX\"]\n";
  };
  PhysicsModel model = read(
      kScene + ball("a", turned("90")) + ball("b", turned("45")) + joint("Revolute", "l", kToA) +
      locking("f", kToB, {"transX", "transY", "transZ", "rotZ"}) + joint("Fixed", "x", kToA));
  model.mimics = {second_follows_first()};
  const std::string text = write(model).text;
  const std::string start =
      "<joint name=\"/f:rotX:mimic\" joint1=\"/f:rotX\" joint2=\"/l\" polycoef=\"";
  const std::size_t at = text.find(start);
  ASSERT_NE(at, std::string::npos) << text;
  const double quarter = std::acos(0.0);
  EXPECT_NEAR(std::stod(text.substr(at + start.size())), 0.5 + 2.0 * quarter - quarter / 2.0, 1e-6);
  EXPECT_THAT(text.substr(at), HasSubstr(" 2 0 0 0\"/>"));
  model.mimics[0].follower_dof = physics::JointDof::rot_y;
  EXPECT_THAT(write(model).text, HasSubstr("joint1=\"/f:rotY\" joint2=\"/l\""));
  model.mimics[0].follower_dof = physics::JointDof::rot_z;  // Locked.
  EXPECT_THAT(write(model).told, Contains("engine-feature-dropped /f: The joint does not follow "
                                          "the other one: no body hangs on both."));
}

// --- What closes loops

TEST(EngineJoints, ALoopHasAConstraintOnlyForPointsHingesAndWelds) {
  const std::string tree =
      kScene + ball("a") + ball("b") + joint("Revolute", "j", kToA) + joint("Revolute", "i", kToB);
  const auto looped = [&](const std::string& text) { return write(read(tree + text)); };
  const std::string message = "engine-loop-unsupported /k: The joint closes a loop and leaves ";
  EXPECT_THAT(looped(locking("k", kBetween, {"transX", "transY", "transZ", "rotX"})).told,
              Contains(message + "0 translations and 2 turns open, for which the engine has no "
                                 "constraint; it is left out."));
  EXPECT_THAT(looped(locking("k", kBetween, {"rotX", "rotY", "rotZ"})).told,
              Contains(message + "3 translations and 0 turns open, for which the engine has no "
                                 "constraint; it is left out."));
  EXPECT_THAT(looped(locking("k", kBetween, {"transX"})).told,
              Contains(message + "2 translations and 3 turns open, for which the engine has no "
                                 "constraint; it is left out."));
  const std::string place =
      "point3f physics:localPos0 = (0.5, 0, 0)\n"
      "point3f physics:localPos1 = (0.5, 0, 0)\n";
  const Written point = looped(joint("Spherical", "k", kBetween + place));
  EXPECT_THAT(point.text, HasSubstr("<connect name=\"/k\" body1=\"/a\" body2=\"/b\" anchor=\"0.5 0 "
                                    "0\"/>\n  </equality>"));
  EXPECT_THAT(point.became, Contains("/k: connect by engine-loop-soft"));
  EXPECT_THAT(point.codes, Not(HasSubstr("engine-loop-limit-dropped")));
  const Written hinge =
      looped(joint("Revolute", "k", kBetween + place + "uniform token physics:axis = \"Z\"\n"));
  EXPECT_THAT(hinge.text, HasSubstr("<connect name=\"/k#0\" body1=\"/a\" body2=\"/b\" "
                                    "anchor=\"0.5 0 0\"/>"));
  EXPECT_THAT(hinge.text, HasSubstr("<connect name=\"/k#1\" body1=\"/a\" body2=\"/b\" "
                                    "anchor=\"0.5 0 0.1"));
  const Written driven =
      looped(joint("Revolute", "k", kBetween + "float drive:angular:physics:stiffness = 10\n",
                   "\"PhysicsDriveAPI:angular\""));
  EXPECT_THAT(driven.codes, HasSubstr("engine-loop-limit-dropped /k;"));
}

}  // namespace
}  // namespace sinew::exporter::engine_joints_test
