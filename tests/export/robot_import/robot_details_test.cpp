// SPDX-License-Identifier: Apache-2.0
// Robots at the borders of what their formats allow: numbers that decide, what is said twice, and
// what is left out.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "export/robot_import/robot_models.hpp"

namespace sinew::robot_details_test {
namespace {

using exporter::ImportRobotOptions;
using test::joint_of;
using test::mjcf_model;
using test::RobotModel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RobotModel world(const std::string& content, const ImportRobotOptions& options = {}) {
  return mjcf_model("<worldbody>" + content + "</worldbody>", options);
}

std::vector<std::string> messages_of(const RobotModel& made) {
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : made.said) result.push_back(diagnostic.message);
  return result;
}

std::string inertial(const std::string& mass, const std::string& moments = "1") {
  return "<inertial><mass value='" + mass + "'/><inertia ixx='" + moments + "' iyy='" + moments +
         "' izz='" + moments + "'/></inertial>";
}

std::string link(const std::string& name, const std::string& content = inertial("1")) {
  return "<link name='" + name + "'>" + content + "</link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>";
}

RobotModel urdf(const std::string& content, const ImportRobotOptions& options = {}) {
  return RobotModel("<robot name='r'>" + content + "</robot>", options);
}

const std::string kBall = "<geom size='0.1'/>";

// --- Masses

TEST(RobotDetails, ABodyWithoutMomentsHasThoseOfABallOfItsMass) {
  const auto made = [](const std::string& moments) {
    return urdf(link("world", "") + link("a", inertial("2", moments)) +
                joint("j", "continuous", "world", "a"));
  };
  const RobotModel none = made("0");
  EXPECT_THAT(messages_of(none),
              ElementsAre("'a' has a moment of inertia of 0 kg m2; that of a ball of its mass and "
                          "1 cm stands in."));
  Diagnostics unused;
  const auto moments = physics::mass_frame(physics::body_mass(none.model, 0, unused)).moments;
  EXPECT_LT((moments - Vector3d::Constant(8e-5)).norm(), 1e-10);
  EXPECT_THAT(messages_of(made("1e-14")), IsEmpty());
  EXPECT_EQ(messages_of(made("1e-15")).size(), 1U);
}

TEST(RobotDetails, OnlyWhatMovesByItselfNeedsAMass) {
  const std::string light = "<geom size='0.1' mass='0'/>";
  const RobotModel mocap = world("<body mocap='true'>" + light + "</body>");
  EXPECT_THAT(messages_of(mocap), IsEmpty());
  ASSERT_EQ(mocap.model.rigid_bodies.size(), 1U);
  EXPECT_TRUE(mocap.model.rigid_bodies[0].kinematic_body);
  EXPECT_THAT(mocap.text, Not(HasSubstr("PhysicsMassAPI")));
  const RobotModel still = world("<body name='a'>" + light + "</body>");
  EXPECT_THAT(messages_of(still), IsEmpty());
  EXPECT_THAT(still.model.rigid_bodies, IsEmpty());
  EXPECT_EQ(still.model.shapes.size(), 1U);
  for (const std::string held : {"<joint/>", "<freejoint/>"}) {
    const RobotModel moves = world("<body name='a'>" + held + light + "</body>");
    EXPECT_THAT(messages_of(moves),
                ElementsAre("'a' moves and has no mass; a ball of 1 g and 1 cm stands in."));
    Diagnostics unused;
    EXPECT_FLOAT_EQ(static_cast<float>(physics::body_mass(moves.model, 0, unused).mass), 1e-3F);
  }
}

// Readers of the standard take a diagonal shorter than 1e-5 for none.
TEST(RobotDetails, SmallMomentsAreKeptAsATensorOfAVendor) {
  const auto tensor = [](const std::string& moments) {
    const RobotModel made =
        urdf(link("a", "<inertial><mass value='1'/><inertia " + moments + "/></inertial>"));
    EXPECT_THAT(messages_of(made), IsEmpty());
    return made.model.body_extras.at(0).inertia;
  };
  EXPECT_EQ(tensor("ixx='4e-6' iyy='5e-6' izz='6e-6' ixy='1e-7' ixz='2e-7' iyz='3e-7'"),
            (std::array<float, 6>{4e-6F, 5e-6F, 6e-6F, 1e-7F, 2e-7F, 3e-7F}));
  EXPECT_FALSE(tensor("ixx='6e-6' iyy='6e-6' izz='6e-6'"));
}

TEST(RobotDetails, ALinkOfAUrdfWeighsNothingByAMassOfZero) {
  const RobotModel none =
      urdf(link("a") + link("b", inertial("0")) + joint("j", "fixed", "a", "b"));
  EXPECT_THAT(messages_of(none), IsEmpty());
  EXPECT_EQ(none.model.rigid_bodies.size(), 1U);
  const RobotModel less =
      urdf(link("a") + link("b", inertial("-1")) + joint("j", "fixed", "a", "b"));
  EXPECT_THAT(messages_of(less),
              ElementsAre("An <inertial> needs a mass of 0 or more; it is passed over."));
  EXPECT_EQ(less.model.rigid_bodies.size(), 1U);
}

// --- What holds bodies

TEST(RobotDetails, TheFirstLinkOfAUrdfIsTheWorldIfItSaysSoOrWeighsNothing) {
  const auto held_by = [](const std::string& root, const std::string& content) {
    const RobotModel made =
        urdf(link(root, content) + link("a") + joint("j", "continuous", root, "a"));
    return std::pair(made.model.rigid_bodies.size(), made.model.joints.at(0).ends[0].body);
  };
  EXPECT_EQ(held_by("base", ""), std::pair(std::size_t{1}, physics::kNone));
  EXPECT_EQ(held_by("base", inertial("0")), std::pair(std::size_t{1}, physics::kNone));
  EXPECT_EQ(held_by("world", inertial("1")), std::pair(std::size_t{1}, physics::kNone));
  EXPECT_EQ(held_by("base", inertial("1")), std::pair(std::size_t{2}, 0));
  // Further down the name says nothing.
  const RobotModel below = urdf(link("a") + link("world") + joint("j", "continuous", "a", "world"));
  EXPECT_EQ(below.model.rigid_bodies.size(), 2U);
}

TEST(RobotDetails, ALinkFloatsQuietlyInTheWorldAlone) {
  const RobotModel free =
      urdf(link("world", "") + link("a") + joint("j", "floating", "world", "a"));
  EXPECT_THAT(messages_of(free), IsEmpty());
  EXPECT_THAT(free.model.joints, IsEmpty());
  const RobotModel inside = urdf(link("b") + link("a") + joint("j", "floating", "b", "a"));
  EXPECT_THAT(messages_of(inside),
              ElementsAre("A link floats in another link; nothing holds it from there on."));
  EXPECT_THAT(inside.model.joints, IsEmpty());
}

TEST(RobotDetails, APlanarJointSlidesTwiceAcrossItsAxisAndTurnsAboutIt) {
  const RobotModel made = urdf(link("world", "") + link("a") +
                               joint("j", "planar", "world", "a", "<axis xyz='0 0 2'/>"));
  const physics::LinkJoint held = joint_of(made);
  ASSERT_EQ(held.dofs.size(), 3U);
  EXPECT_FALSE(held.dofs[0].is_rotation());
  EXPECT_FALSE(held.dofs[1].is_rotation());
  EXPECT_TRUE(held.dofs[2].is_rotation());
  EXPECT_NEAR(held.dofs[0].axis_in_child.z(), 0.0, 1e-6);
  EXPECT_NEAR(held.dofs[1].axis_in_child.z(), 0.0, 1e-6);
  EXPECT_LT((held.dofs[2].axis_in_child - Vector3d(0, 0, 1)).norm(), 1e-6);
}

TEST(RobotDetails, AnEndOfAUrdfRangeThatIsAsFarAsItIsWrittenIsOpen) {
  const auto range = [](const std::string& type, const std::string& limit) {
    const RobotModel made =
        urdf(link("world", "") + link("a") + joint("j", type, "world", "a", limit));
    const physics::LinkJoint held = joint_of(made);
    return std::pair(std::isfinite(held.dofs.at(0).lower), std::isfinite(held.dofs[0].upper));
  };
  const auto limit = [](const std::string& low, const std::string& high) {
    return "<limit lower='" + low + "' upper='" + high + "' effort='0' velocity='0'/>";
  };
  EXPECT_EQ(range("revolute", limit("-999", "999")), std::pair(true, true));
  EXPECT_EQ(range("revolute", limit("-1000", "999")), std::pair(false, true));
  EXPECT_EQ(range("revolute", limit("-999", "1000")), std::pair(true, false));
  EXPECT_EQ(range("prismatic", limit("-999999", "999999")), std::pair(true, true));
  EXPECT_EQ(range("prismatic", limit("-1000000", "999999")), std::pair(false, true));
  EXPECT_EQ(range("prismatic", limit("-999999", "1000000")), std::pair(true, false));
  EXPECT_EQ(range("continuous", limit("-1", "1")), std::pair(false, false));
}

TEST(RobotDetails, AUrdfJointWithoutASoundRangeIsOpenAndTold) {
  const auto made = [](const std::string& limit) {
    return urdf(link("world", "") + link("a") + joint("j", "revolute", "world", "a", limit));
  };
  const RobotModel turned = made("<limit lower='2' upper='1'/>");
  EXPECT_THAT(messages_of(turned), ElementsAre("The range of 'j' is 2 to 1; it is passed over."));
  EXPECT_FALSE(std::isfinite(joint_of(turned).dofs.at(0).lower));
  const RobotModel none = made("");
  EXPECT_THAT(messages_of(none),
              ElementsAre("The joint 'j' has no limit; it is taken as one without an end."));
  EXPECT_FALSE(std::isfinite(joint_of(none).dofs.at(0).upper));
  EXPECT_THAT(messages_of(made("<limit lower='1' upper='1'/>")), IsEmpty());
}

TEST(RobotDetails, EffortsAndSpeedsOfAUrdfCountAboveZero) {
  const auto made = [](const std::string& type, const std::string& effort,
                       const std::string& speed) {
    return urdf(
        link("world", "") + link("a") +
        joint("j", type, "world", "a",
              "<limit lower='-1' upper='1' effort='" + effort + "' velocity='" + speed + "'/>"));
  };
  EXPECT_EQ(made("revolute", "0", "0").result.counts.drives, 0U);
  const RobotModel driven = made("revolute", "7", "2");
  EXPECT_EQ(driven.result.counts.drives, 1U);
  EXPECT_EQ(std::get<physics::RevoluteJoint>(driven.model.joints.at(0).kind).drive.force_limit,
            7.0F);
  const auto cap = [&](const std::string& type, const std::string& speed) {
    return made(type, "0", speed).model.dof_extras(0, physics::JointDof::distance).velocity_limit;
  };
  EXPECT_NEAR(cap("revolute", "2").value_or(-1.0F), 2.0F, 1e-5F);
  EXPECT_NEAR(cap("revolute", "999").value_or(-1.0F), 999.0F, 1e-2F);
  EXPECT_FALSE(cap("revolute", "0"));
  EXPECT_FALSE(cap("revolute", "1000"));
  EXPECT_EQ(cap("prismatic", "1000"), 1000.0F);
  EXPECT_FALSE(cap("prismatic", "1000000"));
}

TEST(RobotDetails, AJointOfAUrdfFollowsAnotherOfItsKind) {
  const auto made = [](const std::string& type, const std::string& mimic) {
    const std::string limit = "<limit lower='-1' upper='1'/>";
    return urdf(link("world", "") + link("a") + link("b") +
                joint("l", "revolute", "world", "a", limit) +
                joint("f", type, "world", "b", limit + "<mimic " + mimic + "/>"));
  };
  const RobotModel plain = made("revolute", "joint='l'");
  ASSERT_EQ(plain.model.mimics.size(), 1U);
  EXPECT_EQ(plain.model.mimics[0].ratio, 1.0F);
  EXPECT_EQ(plain.model.mimics[0].offset, 0.0F);
  const RobotModel geared = made("revolute", "joint='l' multiplier='-2' offset='0.5'");
  ASSERT_EQ(geared.model.mimics.size(), 1U);
  EXPECT_EQ(geared.model.mimics[0].ratio, -2.0F);
  EXPECT_NEAR(geared.model.mimics[0].offset, 0.5F, 1e-6F);
  for (const auto& [type, leader] : {std::pair("prismatic", "l"), std::pair("revolute", "f")}) {
    const RobotModel none = made(type, "joint='" + std::string(leader) + "'");
    EXPECT_THAT(messages_of(none),
                ElementsAre("'f' cannot follow '" + std::string(leader) +
                            "': only a turn can follow another turn, and a slide another slide."));
    EXPECT_THAT(none.model.mimics, IsEmpty());
  }
}

TEST(RobotDetails, OnlyTheFirstJointOfABodyOfTheWorldIsFree) {
  const std::string only =
      "Only a body of the world that has no other joint can be free; the joint is left out.";
  const std::pair<std::string, std::string> rows[] = {
      {"<body><freejoint/>" + kBall + "</body>", ""},
      {"<body><joint type='free'/>" + kBall + "</body>", ""},
      {"<body>" + kBall + "<freejoint/><body>" + kBall + "<freejoint/></body></body>", only},
      {"<body><joint/><freejoint/>" + kBall + "</body>", only},
      {"<body><freejoint/><joint/>" + kBall + "</body>", "A free body has no other joints."},
      {"<body mocap='true'><freejoint/>" + kBall + "</body>",
       "A mocap body has no joints; this one is left out."}};
  for (const auto& [bodies, said] : rows) {
    const RobotModel made = world(bodies);
    EXPECT_EQ(messages_of(made), said.empty() ? std::vector<std::string>() : std::vector{said})
        << bodies;
  }
}

TEST(RobotDetails, ATreeOfJointsIsAnArticulationButNoSingleBodyIs) {
  const auto roots = [](const std::string& bodies) {
    return world(bodies).model.articulations.size();
  };
  const std::string arm = "<body pos='1 0 0'><joint/>" + kBall + "</body>";
  EXPECT_EQ(roots("<body><freejoint/>" + kBall + "</body>"), 0U);
  EXPECT_EQ(roots("<body><freejoint/>" + kBall + arm + "</body>"), 1U);
  EXPECT_EQ(roots("<body>" + kBall + "</body>"), 0U);
  EXPECT_EQ(roots("<body>" + kBall + arm + "</body>"), 1U);
  EXPECT_EQ(roots(arm), 1U);
  EXPECT_EQ(roots(arm + arm), 2U);
  EXPECT_EQ(roots("<body mocap='true'>" + kBall + "</body>"), 0U);
}

TEST(RobotDetails, ABallJointIsOneWithSlidesBeforeItAlone) {
  const auto made = [](const std::string& joints) {
    return world("<body>" + joints + kBall + "</body>");
  };
  const std::string slide = "<joint type='slide' axis='1 0 0'/>";
  const RobotModel both = made(slide + "<joint type='ball'/>");
  EXPECT_THAT(messages_of(both), IsEmpty());
  ASSERT_EQ(both.model.joints.size(), 1U);
  const physics::LinkJoint held = joint_of(both);
  ASSERT_EQ(held.dofs.size(), 4U);
  EXPECT_FALSE(held.dofs[0].is_rotation());
  EXPECT_LT((held.dofs[0].axis_in_child - Vector3d(1, 0, 0)).norm(), 1e-6);
  const std::string left_out = "A ball joint among others has no counterpart; it is left out.";
  for (const std::string& joints : {std::string("<joint axis='1 0 0'/><joint type='ball'/>"),
                                    std::string("<joint type='ball'/><joint axis='1 0 0'/>"),
                                    slide + "<joint type='ball' limited='true' range='0 90'/>"}) {
    const RobotModel apart = made(joints);
    EXPECT_EQ(messages_of(apart).back(), left_out) << joints;
    ASSERT_EQ(apart.model.joints.size(), 1U);
    EXPECT_EQ(joint_of(apart).dofs.size(), 1U) << joints;
  }
}

TEST(RobotDetails, ARangeOfOneOfSeveralAxesMayHaveAnOpenEnd) {
  const auto range = [](const std::string& ends) {
    const RobotModel made = world("<body><joint axis='1 0 0' limited='true' range='" + ends +
                                  "'/><joint axis='0 1 0'/>" + kBall + "</body>");
    const physics::LinkJoint held = joint_of(made);
    EXPECT_EQ(held.dofs.size(), 2U);
    EXPECT_FALSE(std::isfinite(held.dofs.at(1).upper));
    return std::pair(held.dofs[0].lower, held.dofs[0].upper);
  };
  const double right = std::numbers::pi / 2.0;
  EXPECT_EQ(range("-1e12 90").first, -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(range("-1e12 90").second, right, 1e-6);
  EXPECT_NEAR(range("-90 1e12").first, -right, 1e-6);
  EXPECT_EQ(range("-90 1e12").second, std::numeric_limits<double>::infinity());
}

// --- Loops and couplings

TEST(RobotDetails, ABodyIsNotWeldedToItself) {
  const auto joints = [](const std::string& second) {
    return world("<body name='a'><freejoint/>" + kBall + "<body name='frame' pos='1 0 0'/></body>" +
                 "<body name='b' pos='0 3 0'><freejoint/>" + kBall +
                 "</body></worldbody><equality><weld body1='a' body2='" + second +
                 "'/></equality><worldbody>")
        .model.joints.size();
  };
  EXPECT_EQ(joints("b"), 1U);
  EXPECT_EQ(joints("frame"), 0U);
}

std::string coupled(const std::string& equality, const std::string& more = "") {
  return "<compiler angle='radian'/><worldbody><body><joint name='f' ref='0.5'/>" + kBall +
         "</body><body pos='1 0 0'><joint name='l' ref='0.25'/>" + kBall +
         "</body><body pos='2 0 0'><joint name='s' type='slide'/>" + kBall +
         "</body><body pos='3 0 0'><joint name='b' type='ball'/>" + kBall + "</body></worldbody>" +
         more + "<equality><joint " + equality + "/></equality>";
}

// MuJoCo counts from where both start: f - 0.5 = 0.125 + 2 (l - 0.25).
TEST(RobotDetails, ACouplingIsOfTheNumbersOfItsJoints) {
  const RobotModel made = mjcf_model(coupled("joint1='f' joint2='l' polycoef='0.125 2'"));
  EXPECT_THAT(messages_of(made), IsEmpty());
  ASSERT_EQ(made.model.mimics.size(), 1U);
  EXPECT_EQ(made.model.mimics[0].ratio, 2.0F);
  EXPECT_NEAR(made.model.mimics[0].offset, 0.125F, 1e-6F);
  const RobotModel plain = mjcf_model(coupled("joint1='f' joint2='l'"));
  ASSERT_EQ(plain.model.mimics.size(), 1U);
  EXPECT_EQ(plain.model.mimics[0].ratio, 1.0F);
  EXPECT_NEAR(plain.model.mimics[0].offset, 0.25F, 1e-6F);
}

TEST(RobotDetails, CouplingsAreLinearAndOfTwoJointsOfAKind) {
  const std::string kinds =
      "The coupling of 'f' is not of two turns or two slides; it is left out.";
  const std::string curve = "The coupling of 'f' is not linear; it is left out.";
  const std::pair<std::string, std::string> rows[] = {
      {"joint1='f'", "The coupling of 'f' names no second joint; it is left out."},
      {"joint1='f' joint2='x'", "There is no joint 'x'; the <joint> is left out."},
      {"joint1='f' joint2='f'", kinds},
      {"joint1='f' joint2='s'", kinds},
      {"joint1='b' joint2='b'",
       "The coupling of 'b' is not of two turns or two slides; it is left out."},
      {"joint1='f' joint2='l' polycoef='0 1 1'", curve},
      {"joint1='f' joint2='l' polycoef='0 1 0 1'", curve},
      {"joint1='f' joint2='l' polycoef='0 1 0 0 1'", curve},
      {"joint1='f' joint2='l' active='false'",
       "The coupling of 'f' is not active; it is left out."}};
  for (const auto& [equality, said] : rows) {
    const RobotModel made = mjcf_model(coupled(equality));
    EXPECT_EQ(messages_of(made), std::vector{said}) << equality;
    EXPECT_THAT(made.model.mimics, IsEmpty()) << equality;
  }
}

// --- Actuators

TEST(RobotDetails, AServoThatIsMoreThanADriveIsBoth) {
  const auto counts = [](const std::string& actuators) {
    const RobotModel made =
        world("<body><joint name='j'/>" + kBall + "</body></worldbody><actuator>" + actuators +
              "</actuator><worldbody>");
    EXPECT_THAT(messages_of(made), IsEmpty());
    return std::pair(made.result.counts.drives, made.result.counts.actuators);
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(counts("<position joint='j'/>"), Counts(1, 0));
  EXPECT_EQ(counts("<position joint='j' ctrlrange='-1 1'/>"), Counts(1, 1));
  EXPECT_EQ(counts("<position joint='j' gear='2'/>"), Counts(1, 1));
  EXPECT_EQ(counts("<position joint='j'/><velocity joint='j'/>"), Counts(1, 2));
}

TEST(RobotDetails, ALawHasOnlyTheNumbersThatItIsGiven) {
  const auto text = [](const std::string& general) {
    return world("<body><joint name='j'/>" + kBall +
                 "</body></worldbody><actuator><general "
                 "joint='j' " +
                 general + "/></actuator><worldbody>")
        .text;
  };
  const std::string muscle = "gaintype='muscle' biastype='muscle' dyntype='muscle' ";
  const std::string none = text(muscle);
  EXPECT_THAT(none, HasSubstr("mjc:gainType = \"muscle\""));
  for (const char* name : {"mjc:gainPrm", "mjc:biasPrm", "mjc:dynPrm"}) {
    EXPECT_THAT(none, Not(HasSubstr(name)));
  }
  const std::string all = text(muscle + "gainprm='1 2' biasprm='3 4' dynprm='0.5 0.25'");
  EXPECT_THAT(all, HasSubstr("mjc:gainPrm = [1, 2]"));
  EXPECT_THAT(all, HasSubstr("mjc:biasPrm = [3, 4]"));
  EXPECT_THAT(all, HasSubstr("mjc:dynPrm = [0.5, 0.25]"));
  // Only where an activation stands between.
  EXPECT_THAT(text("dyntype='filter' actearly='true'"), HasSubstr("mjc:actEarly = 1"));
  EXPECT_THAT(text("dyntype='filter'"), Not(HasSubstr("mjc:actEarly")));
  EXPECT_THAT(text("actearly='true'"), Not(HasSubstr("mjc:actEarly")));
}

// --- Shapes

TEST(RobotDetails, AMarginReachesAsFarAsTheGapLeaves) {
  const auto extras = [](const std::string& what) {
    const RobotModel made = world("<geom size='1' " + what + "/>");
    const physics::ShapeExtras& all = made.model.shape_extras.at(0);
    return std::pair(all.margin, all.gap);
  };
  using Numbers = std::pair<std::optional<float>, std::optional<float>>;
  EXPECT_EQ(extras(""), Numbers());
  EXPECT_EQ(extras("margin='0.5'"), Numbers(0.5F, std::nullopt));
  EXPECT_EQ(extras("margin='0.5' gap='0.25'"), Numbers(0.25F, 0.25F));
  EXPECT_EQ(extras("margin='0.5' gap='0.5'"), Numbers(std::nullopt, 0.5F));
}

TEST(RobotDetails, GeomsAndMeshesBelongTogether) {
  const std::string mesh = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>";
  const auto said = [&](const std::string& geom) {
    return messages_of(mjcf_model(mesh + "<worldbody><geom " + geom + "/></worldbody>"));
  };
  EXPECT_THAT(said("type='mesh' mesh='m'"), IsEmpty());
  EXPECT_THAT(said("type='mesh'"), ElementsAre("It names no mesh. The geom is left out."));
  EXPECT_THAT(said("type='box' size='1 1 1' mesh='m'"),
              ElementsAre("Shapes that are fitted to a mesh are not read. The geom is left out."));
  EXPECT_THAT(said("type='capsule' size='1'"),
              ElementsAre("A capsule needs sizes above 0. The geom is left out."));
  EXPECT_THAT(said("type='plane'"), IsEmpty());
}

TEST(RobotDetails, AColourIsOfTheGeomElseOfItsMaterial) {
  const auto text = [](const std::string& geom) {
    return mjcf_model(
               "<default><material rgba='0 0.375 0 1'/></default><asset>"
               "<material name='red' rgba='0.875 0 0 1'/><material name='red' rgba='0 0 0.5 1'/>"
               "<material name='plain'/></asset><worldbody><geom size='1' " +
               geom + "/></worldbody>")
        .text;
  };
  EXPECT_THAT(text("material='red'"), HasSubstr("displayColor = [(0.875, 0, 0)]"));
  EXPECT_THAT(text("material='plain'"), HasSubstr("displayColor = [(0, 0.375, 0)]"));
  EXPECT_THAT(text("material='red' rgba='0 0 0.625 1'"),
              HasSubstr("displayColor = [(0, 0, 0.625)]"));
  EXPECT_THAT(text("material='none'"), Not(HasSubstr("displayColor")));
}

TEST(RobotDetails, ShapesOfAUrdfHaveTheSizesThatTheyAreGiven) {
  const auto made = [](const std::string& geometry) {
    return urdf(link("a", inertial("1") + "<collision>" + geometry + "</collision>"));
  };
  const auto shape = [&](const std::string& geometry) {
    return made("<geometry>" + geometry + "</geometry>").model.shapes.at(0).geometry;
  };
  EXPECT_EQ(std::get<physics::CubeShape>(shape("<box size='2 4 6'/>")).half_extents,
            Vector3f(1, 2, 3));
  const auto can = std::get<physics::CylinderShape>(shape("<cylinder radius='0.5' length='4'/>"));
  EXPECT_EQ(can.radius, 0.5F);
  EXPECT_EQ(can.half_height, 2.0F);
  const auto pill = std::get<physics::CapsuleShape>(shape("<capsule radius='0.5' length='4'/>"));
  EXPECT_EQ(pill.radius, 0.5F);
  EXPECT_EQ(pill.half_height, 2.0F);
  for (const char* none : {"<sphere/>", "<sphere radius='0'/>", "<cylinder radius='1'/>",
                           "<cylinder length='1'/>", "<box size='1 0 1'/>", "<box/>"}) {
    const RobotModel left = made("<geometry>" + std::string(none) + "</geometry>");
    EXPECT_THAT(messages_of(left), ElementsAre("It needs sizes above 0. It is left out.")) << none;
    EXPECT_THAT(left.model.shapes, IsEmpty());
  }
  for (const char* none : {"", "<geometry/>"}) {
    EXPECT_THAT(messages_of(made(none)),
                ElementsAre("There is no geometry in it. It is left out."));
  }
}

TEST(RobotDetails, AMeshOfAUrdfIsReadOncePerScale) {
  stage::MemoryResolver resolver;
  resolver.add("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  ImportRobotOptions options;
  options.resolver = &resolver;
  std::string shapes;
  for (const char* scale : {"1 1 1", "2 1 1", "1 2 1", "1 1 2"}) {
    shapes += "<collision><geometry><mesh filename='m.obj' scale='" + std::string(scale) +
              "'/></geometry></collision>";
  }
  const RobotModel made = urdf(link("a", inertial("1") + shapes), options);
  ASSERT_EQ(made.model.shapes.size(), 4U);
  std::vector<Vector3f> largest;
  for (const physics::Shape& shape : made.model.shapes) {
    Vector3f most = Vector3f::Zero();
    const auto& mesh = std::get<physics::MeshShape>(shape.geometry);
    for (const Vector3f& point : mesh.geometry->points) most = most.cwiseMax(point);
    largest.push_back(most.cwiseProduct(mesh.mesh_scale));
  }
  EXPECT_THAT(largest, ElementsAre(Vector3f(1, 1, 1), Vector3f(2, 1, 1), Vector3f(1, 2, 1),
                                   Vector3f(1, 1, 2)));
}

// What begins with "solid" may be of either kind.
TEST(RobotDetails, AnStlIsTextIfAFacetComesSoon) {
  const auto said = [](std::size_t place) {
    std::string text = "solid ";
    text += std::string(place - text.size() - 1, 'x') + "\n";
    const float corners[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                                 {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                 {0, 0, 0, 0, 0, 1, 0, 1, 0},
                                 {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (const auto& triangle : corners) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (int i = 0; i < 3; ++i) {
        text += fmt::format("vertex {} {} {}\n", triangle[3 * i], triangle[3 * i + 1],
                            triangle[3 * i + 2]);
      }
      text += "endloop\nendfacet\n";
    }
    stage::MemoryResolver resolver;
    resolver.add("m.stl", text);
    ImportRobotOptions options;
    options.resolver = &resolver;
    return messages_of(
        mjcf_model("<asset><mesh name='m' file='m.stl'/></asset><worldbody>"
                   "<geom type='mesh' mesh='m'/></worldbody>",
                   options));
  };
  EXPECT_THAT(said(20), IsEmpty());
  EXPECT_THAT(said(999), IsEmpty());
  EXPECT_THAT(said(1000), ElementsAre("'m.stl' is broken: it ends before its triangles do."));
}

// --- The file

TEST(RobotDetails, ARangeIsALimitByItselfUnlessTheCompilerWantsAWord) {
  const auto is_limited = [](const std::string& compiler, const std::string& range) {
    const RobotModel made = mjcf_model("<compiler " + compiler + "/><worldbody><body><joint " +
                                       range + "/>" + kBall + "</body></worldbody>");
    return std::isfinite(joint_of(made).dofs.at(0).upper);
  };
  EXPECT_TRUE(is_limited("", "range='0 90'"));
  EXPECT_TRUE(is_limited("", "range='-90 0'"));
  EXPECT_FALSE(is_limited("", "range='-90 90' limited='false'"));
  EXPECT_FALSE(is_limited("autolimits='false'", "range='-90 90'"));
  EXPECT_TRUE(is_limited("autolimits='false'", "range='-90 90' limited='true'"));
}

TEST(RobotDetails, AListIsNotFilledFromListsThatAreShorterOrBroken) {
  const auto frictions = [](const std::string& outer) {
    const physics::ShapeExtras extras =
        mjcf_model("<default><geom friction='" + outer +
                   "'/><default class='c'><geom friction='0.7'/>"
                   "</default></default><worldbody><geom class='c' size='1' friction='0.5 0.02'/>"
                   "</worldbody>")
            .model.shape_extras.at(0);
    return std::pair(extras.torsional_friction, extras.rolling_friction);
  };
  using Numbers = std::pair<std::optional<float>, std::optional<float>>;
  EXPECT_EQ(frictions("1 0.3 0.003"), Numbers(0.02F, 0.003F));
  EXPECT_EQ(frictions("1 0.3"), Numbers(0.02F, std::nullopt));
  EXPECT_EQ(frictions("1 0.3 x"), Numbers(0.02F, std::nullopt));
}

TEST(RobotDetails, AFlagIsTrueOrFalse) {
  const RobotModel made = world("<body mocap='yes'>" + kBall + "</body>");
  EXPECT_THAT(messages_of(made), ElementsAre("'mocap' is \"yes\", neither true nor false."));
  EXPECT_FALSE(made.model.rigid_bodies.at(0).kinematic_body);
}

TEST(RobotDetails, ClassesNestSixtyFourDeep) {
  const auto said = [](int depth) {
    std::string open = "<default>";
    std::string close = "</default>";
    for (int i = 0; i < depth; ++i) {
      open += fmt::format("<default class='c{}'>", i);
      close += "</default>";
    }
    return messages_of(mjcf_model(open + close));
  };
  EXPECT_THAT(said(64), IsEmpty());
  EXPECT_THAT(said(65), ElementsAre("Classes are nested too deep."));
}

TEST(RobotDetails, AFileDoesNotIncludeItselfNorWhatIsNotThere) {
  stage::MemoryResolver resolver;
  resolver.add("robot.xml", "<mujocoinclude/>");
  ImportRobotOptions options;
  options.resolver = &resolver;
  options.file = "robot.xml";
  EXPECT_THAT(messages_of(world("<include file='robot.xml'/>", options)),
              ElementsAre("'robot.xml' is included twice; it is read once."));
  EXPECT_THAT(messages_of(world("<include file='none.xml'/>", options)),
              ElementsAre("'none.xml' is not found; it is left out."));
}

TEST(RobotDetails, KindsOfWhatIsNotReadAreCountedUpToAThousand) {
  const auto said = [](int kinds) {
    std::string elements = "<x0/>";
    for (int i = 0; i < kinds; ++i) elements += fmt::format("<x{}/>", i);
    return messages_of(mjcf_model(elements + "<x1/>"));
  };
  const std::vector<std::string> thousand = said(1000);
  ASSERT_EQ(thousand.size(), 1000U);
  EXPECT_EQ(thousand.front(), "<x0> is not read (2 of them, this is the first).");
  EXPECT_EQ(thousand.back(), "<x999> is not read.");
  const std::vector<std::string> more = said(1002);
  ASSERT_EQ(more.size(), 1001U);
  EXPECT_EQ(more.back(), "There is more of such kinds (2 of them, this is the first).");
  EXPECT_EQ(more[1], "<x1> is not read (2 of them, this is the first).");
}

TEST(RobotDetails, NamespacesOfXmlAreNothingToRead) {
  EXPECT_THAT(messages_of(RobotModel("<robot name='r' xmlns:xacro='http://x.org'>" + link("a") +
                                     "</robot>")),
              IsEmpty());
}

TEST(RobotDetails, GravityMayBeNoneOfTheWorldOrOfABody) {
  const RobotModel none = mjcf_model(
      "<option gravity='0 0 0' timestep='0'/><worldbody><body>"
      "<freejoint/>" +
      kBall + "</body></worldbody>");
  const physics::Gravity gravity = physics::model_gravity(none.model);
  EXPECT_EQ(gravity.magnitude, 0.0F);
  EXPECT_EQ(gravity.direction, Vector3f(0, 0, -1));
  EXPECT_THAT(none.text, Not(HasSubstr("timestep")));
  const RobotModel lifted = world("<body gravcomp='1'><freejoint/>" + kBall + "</body>");
  EXPECT_THAT(messages_of(lifted), IsEmpty());
  EXPECT_EQ(lifted.model.body_extras.at(0).gravity_scale, 0.0F);
  const RobotModel twice = world("<body gravcomp='2'><freejoint/>" + kBall + "</body>");
  EXPECT_THAT(messages_of(twice),
              ElementsAre("Gravity that acts -1 times is not written: it acts fully."));
}

TEST(RobotDetails, OfTwoMeshesOfOneNameTheFirstCounts) {
  const RobotModel made = mjcf_model(
      "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
      "<mesh name='m' vertex='0 0 0 9 0 0 0 9 0 0 0 9'/></asset>"
      "<worldbody><geom type='mesh' mesh='m'/></worldbody>");
  EXPECT_THAT(messages_of(made), ElementsAre("There are two meshes 'm'; the first counts."));
  const auto& mesh = std::get<physics::MeshShape>(made.model.shapes.at(0).geometry);
  EXPECT_EQ(mesh.geometry->points[1], Vector3f(1, 0, 0));
}

}  // namespace
}  // namespace sinew::robot_details_test
