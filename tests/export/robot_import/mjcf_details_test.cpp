// SPDX-License-Identifier: Apache-2.0
// Robots as MuJoCo itself takes them: classes of defaults, bounds of masses, ranges, meshes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "export/robot_import/robot_models.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/physics/inertia.hpp"
#include "support/codes.hpp"

namespace sinew::mjcf_details_test {
namespace {

using test::joint_of;
using test::mjcf_model;
using test::RobotModel;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kArm =
    "<worldbody><body name='a'><joint name='j'/><geom size='0.1'/></body></worldbody>";

TEST(MjcfDetails, TheOutermostDefaultsAreTheClassMain) {
  const RobotModel made = mjcf_model(
      "<default><joint armature='2'/></default>"
      "<default class='main'><joint damping='3'/><default class='b'/></default>"
      "<worldbody><body childclass='b'><joint class='main' name='j'/><geom size='0.1'/>"
      "</body></worldbody>");
  EXPECT_EQ(test::codes_of(made.said), "");
  const physics::DofExtras extras = made.model.dof_extras(0, physics::JointDof::distance);
  EXPECT_EQ(extras.armature, 2.0F);
  EXPECT_EQ(extras.damping, 3.0F);
}

TEST(MjcfDetails, ActuatorsOfAllKindsShareTheirDefaults) {
  const RobotModel made = mjcf_model(
      "<default><general ctrllimited='true' ctrlrange='-1 1' gear='3'/>"
      "<position kp='7'/><velocity gear='4'/></default>" +
      kArm + "<actuator><motor name='m' joint='j'/><velocity name='v' joint='j'/></actuator>");
  ASSERT_EQ(made.model.actuators.size(), 2U);
  for (const physics::Actuator& actuator : made.model.actuators) {
    EXPECT_EQ(actuator.gear, 4.0F);  // The last of equal ones.
    EXPECT_TRUE(actuator.control_range);
  }
  EXPECT_EQ(made.model.actuators[1].gain, 7.0F);  // All write into one set of numbers.
}

TEST(MjcfDetails, TellsWhatHasNoPlace) {
  const test::RobotModel robot = test::mjcf_model(
      "<option integrator='RK4'>"
      "<flag eulerdamp='disable'/></option><default><default class='d'><joint "
      "damping='2'/></default>"
      "</default><worldbody><body><joint type='free' class='d'/><geom size='1'/></body><body>"
      "<freejoint/><geom size='1'/></body><body><joint name='a'/><geom size='1'/></body><body>"
      "<joint name='b'/><geom size='1'/></body></worldbody><equality><joint joint1='a' joint2='b' "
      "active='false'/></equality>");
  std::string said;
  for (const Diagnostic& d : robot.said) said += d.code + ": " + d.message + "\n";
  EXPECT_EQ(said,
            "robot-joint: The coupling of 'a' is not active; it is left out.\n"
            "robot-unread: 'eulerdamp' of <flag> is passed over: things move as by 'enable'.\n"
            "robot-joint: 'damping' of a free joint is left out: bodies have none.\n");
}

TEST(MjcfDetails, TendonsAndEqualitiesHaveDefaultsOfTheirOwn) {
  const RobotModel made = mjcf_model(
      "<default><tendon limited='true' range='0 2'/><equality active='false'/>"
      "<joint damping='5'/></default>"
      "<worldbody><site name='s'/><body name='a' pos='1 0 0'><freejoint/>"
      "<geom size='0.1'/><site name='t'/></body></worldbody>"
      "<tendon><spatial name='rope'><site site='s'/><site site='t'/></spatial></tendon>"
      "<equality><weld name='w' body1='a'/></equality>");
  EXPECT_EQ(test::codes_of(made.said), "");
  ASSERT_EQ(made.model.joints.size(), 2U);
  for (const physics::Joint& joint : made.model.joints) {
    const bool is_rope = std::holds_alternative<physics::DistanceJoint>(joint.kind);
    EXPECT_EQ(joint.joint_enabled, is_rope);
  }
}

// As MuJoCo 2.2.2 compiles them.
TEST(MjcfDetails, BoundsHoldForPrincipalMomentsAndForBodiesWithoutGeoms) {
  const RobotModel made = mjcf_model(
      "<compiler boundmass='0.5' boundinertia='0.01' balanceinertia='true'/><worldbody>"
      "<body name='a'><joint/><body name='b' pos='1 0 0'><joint/><geom size='.1' mass='2'/></body>"
      "</body>"
      "<body name='c' pos='3 0 0'><freejoint/><inertial pos='0 0 0' euler='30 40 0' mass='1' "
      "diaginertia='0.001 0.05 0.05'/></body>"
      "<body name='d' pos='4 0 0'><freejoint/><inertial pos='0 0 0' mass='1' "
      "diaginertia='1 0.1 0.2'/></body></worldbody>");
  ASSERT_EQ(made.model.rigid_bodies.size(), 4U);
  const auto moments = [&](std::int32_t body) {
    Diagnostics unused;
    return physics::mass_frame(physics::body_mass(made.model, body, unused)).moments;
  };
  Diagnostics unused;
  EXPECT_NEAR(physics::body_mass(made.model, 0, unused).mass, 0.5, 1e-6);
  EXPECT_LT((moments(0) - Vector3d::Constant(0.01)).norm(), 1e-6);
  EXPECT_NEAR(moments(2).minCoeff(), 0.01, 1e-6);
  EXPECT_NEAR(moments(2).maxCoeff(), 0.05, 1e-6);
  EXPECT_LT((moments(3) - Vector3d::Constant(1.3 / 3.0)).norm(), 1e-6);
}

TEST(MjcfDetails, AnEmptyRangeIsNoneUnlessTheFileInsists) {
  const RobotModel made = mjcf_model(
      "<worldbody><body name='a'><joint name='j' range='0 0'/><geom size='0.1'/></body>"
      "</worldbody><actuator><motor joint='j' ctrlrange='0 0' forcerange='0 0'/></actuator>");
  EXPECT_EQ(test::codes_of(made.said), "");
  ASSERT_EQ(made.model.actuators.size(), 1U);
  EXPECT_FALSE(made.model.actuators[0].control_range);
  EXPECT_FALSE(made.model.actuators[0].force_range);
  const RobotModel insists = mjcf_model(
      "<worldbody><body name='a'><joint name='j' range='0 0' limited='true'/>"
      "<geom size='0.1'/></body></worldbody>");
  EXPECT_THAT(test::codes_of(insists.said), HasSubstr("robot-value"));
}

TEST(MjcfDetails, ServosOfOneJointAddUpTheirForces) {
  const auto limit = [](const std::string& second) {
    const RobotModel made =
        mjcf_model(kArm + "<actuator><position joint='j' forcerange='-2 2'/><position joint='j' " +
                   second + "/></actuator>");
    return std::get<physics::RevoluteJoint>(made.model.joints.at(0).kind).drive.force_limit;
  };
  EXPECT_EQ(limit("forcerange='-3 3'"), 5.0F);
  EXPECT_GT(limit(""), 1e30F);
}

// A servo of 100 to 0.3 and one of 50 to 0.6, and three that brake, one to 2.
TEST(MjcfDetails, ServosOfOneJointPullToAPlaceBetween) {
  const RobotModel made =
      mjcf_model(kArm +
                 "<actuator><position joint='j' kp='100' kv='10'/><velocity joint='j' kv='20'/>"
                 "<position joint='j' kp='12.5' gear='2' kv='2.5'/></actuator>"
                 "<keyframe><key name='start' qpos='0' qvel='0' ctrl='0.3 2 1.2'/></keyframe>");
  const auto& drive = std::get<physics::RevoluteJoint>(made.model.joints.at(0).kind).drive;
  EXPECT_FLOAT_EQ(drive.stiffness, 150.0F);
  EXPECT_FLOAT_EQ(drive.damping, 40.0F);
  EXPECT_FLOAT_EQ(drive.target_position, 0.4F);
  EXPECT_FLOAT_EQ(drive.target_velocity, 1.0F);
}

TEST(MjcfDetails, BallJointsThatTheKeyframeMovesAreTold) {
  const auto told = [](const std::string& state) {
    return test::codes_of(mjcf_model("<worldbody><body name='a'><joint name='h'/><geom size='0.1'/>"
                                     "<body name='b' pos='1 0 0'><joint name='j' type='ball'/>"
                                     "<geom size='0.1'/></body></body></worldbody>"
                                     "<keyframe><key name='start' " +
                                     state + "/></keyframe>")
                              .said);
  };
  EXPECT_EQ(told("qpos='0.5 1 0 0 0' qvel='2 0 0 0'"), "");
  EXPECT_EQ(told("qpos='0.5 -2 0 0 0'"), "");  // The same turn, of another length.
  EXPECT_EQ(told("qpos='0 0.8 0 0 0.6'"), "robot-start ;");
  EXPECT_EQ(told("qpos='0 0.8 0.6 0 0'"), "robot-start ;");
  EXPECT_EQ(told("qvel='0 0 0 0.1'"), "robot-start ;");
}

// As MuJoCo 2.2.2 compiles them.
TEST(MjcfDetails, AListLeavesItsEndToTheClassAround) {
  const RobotModel made = mjcf_model(
      "<default><geom solref='0.03 0.7' friction='1 0.02 0.003'/>"
      "<general gainprm='5 6 7' gear='3'/>"
      "<default class='c'><geom friction='0.7 0.04' size='0.1 0.2'/></default></default>"
      "<worldbody><body name='a'><joint name='j'/>"
      "<geom class='c' type='capsule' size='0.05' friction='0.5' solref='0.01'/></body></worldbody>"
      "<actuator><general joint='j' gaintype='affine' gainprm='4 8'/></actuator>");
  EXPECT_EQ(test::codes_of(made.said), "");
  ASSERT_EQ(made.model.shapes.size(), 1U);
  const auto& capsule = std::get<physics::CapsuleShape>(made.model.shapes[0].geometry);
  EXPECT_EQ(capsule.radius, 0.05F);
  EXPECT_EQ(capsule.half_height, 0.2F);
  const physics::ShapeExtras& extras = made.model.shape_extras.at(0);
  EXPECT_EQ(extras.torsional_friction, 0.04F);
  EXPECT_EQ(extras.rolling_friction, 0.003F);
  EXPECT_EQ(extras.contact.solver.solref, (std::vector<double>{0.01, 0.7}));
  EXPECT_EQ(made.model.materials.at(0).dynamic_friction, 0.5F);
  ASSERT_EQ(made.model.actuators.size(), 1U);
  EXPECT_EQ(made.model.actuators[0].gain, 4.0F);
  EXPECT_EQ(made.model.actuators[0].gain_slopes, (std::array<float, 2>{8.0F, 7.0F}));
  EXPECT_EQ(made.model.actuators[0].gear, 3.0F);
}

// As MuJoCo 2.2.2 compiles them.
TEST(MjcfDetails, FlagsOfSeveralOptionsHoldUntilTheySayOtherwise) {
  const std::string off = "<option gravity='0 0 -3'><flag gravity='disable'/></option>";
  const std::string on = "<option><flag gravity='enable'/></option>";
  const std::string other = "<option gravity='0 0 -5'><flag energy='enable'/></option>";
  const auto gravity = [](const std::string& options) {
    return physics::model_gravity(mjcf_model(options + kArm).model).magnitude;
  };
  EXPECT_EQ(gravity(off + other), 0.0F);
  EXPECT_EQ(gravity(off + other + on), 5.0F);
  EXPECT_EQ(gravity(off + on), 3.0F);

  const std::string touch = "<option><flag filterparent='disable'/></option>";
  const auto may_touch = [](const std::string& options) {
    const RobotModel made =
        mjcf_model(options +
                   "<worldbody><body name='a'><joint/><geom size='0.1'/><body name='b' pos='1 0 0'>"
                   "<joint name='k'/><geom size='0.1'/></body></body></worldbody>");
    return made.model.joints.at(1).collision_enabled;
  };
  EXPECT_TRUE(may_touch(touch));
  EXPECT_TRUE(may_touch(touch + other));
  EXPECT_FALSE(may_touch(touch + "<option><flag filterparent='enable'/></option>"));
  EXPECT_FALSE(may_touch(other));
}

TEST(MjcfDetails, DirectionsOfNoLengthAreToldAndTurnNothing) {
  for (const char* none : {"quat='0 0 0 0'", "axisangle='0 0 0 1'", "xyaxes='0 0 0 3 4 0'",
                           "xyaxes='3 4 0 0 0 0'", "xyaxes='1 2 3 2 4 6'", "zaxis='0 0 0'"}) {
    const RobotModel made = mjcf_model(std::string("<worldbody><body ") + none +
                                       "><freejoint/><geom size='0.1'/></body>" + "</worldbody>");
    EXPECT_THAT(test::codes_of(made.said), HasSubstr("robot-value")) << none;
    ASSERT_EQ(made.model.rigid_bodies.size(), 1U);
    EXPECT_EQ(made.model.rigid_bodies[0].pose.rotation.w(), 1.0F) << none;
  }
}

const std::string kCorners = "vertex='0 0 0 1 0 0 0 1 0 0 0 1' ";

// An L, whose hull holds more: a polygon of six corners from z = 0 to 1.
TEST(MjcfDetails, MeshesHaveTheMassOfWhatTheyEnclose) {
  std::string vertices, faces;
  for (const char* z : {" 0 ", " 1 "}) {
    for (const char* corner : {"0 0", "2 0", "2 1", "1 1", "1 2", "0 2"}) {
      vertices += std::string(corner) + z;
    }
  }
  const int cap[][3] = {{3, 4, 5}, {3, 5, 0}, {3, 0, 1}, {3, 1, 2}};
  for (const auto& [a, b, c] : cap) {
    faces += fmt::format("{} {} {} {} {} {} ", a + 6, b + 6, c + 6, c, b, a);
  }
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    faces += fmt::format("{0} {1} {3} {0} {3} {2} ", i, next, i + 6, next + 6);
  }
  for (const auto& [named_faces, volume] :
       {std::pair("face='" + faces + "'", 3.0), std::pair(std::string(), 3.5)}) {
    const RobotModel made =
        mjcf_model("<asset><mesh name='m' vertex='" + vertices + "' " + named_faces +
                   "/></asset><worldbody><body name='a'><freejoint/>"
                   "<geom type='mesh' mesh='m' density='10'/></body></worldbody>");
    ASSERT_EQ(made.model.rigid_bodies.size(), 1U);
    Diagnostics diagnostics;
    const auto masses = physics::body_masses(made.model, diagnostics);
    ASSERT_EQ(masses.size(), 1U);
    EXPECT_NEAR(masses[0].mass, 10.0 * volume, 1e-4) << named_faces;
  }
}

// A box of sides of 2: what it encloses, and its six faces of 4 alone.
TEST(MjcfDetails, MeshesWeighWhatTheirInertiaSays) {
  const auto weigh = [](const std::string& how) {
    const RobotModel made = mjcf_model(
        "<asset><mesh name='m' vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 "
        "1' "
        "face='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7' " +
        how +
        "/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m' density='10'/></body>"
        "</worldbody>");
    Diagnostics unused;
    const physics::BodyMass mass = physics::body_mass(made.model, 0, unused);
    return std::tuple(mass.mass, mass.diagonal_inertia.x(), made.said.size());
  };
  for (const char* how : {"", "inertia='legacy'", "inertia='exact'", "inertia='convex'"}) {
    const auto [mass, moment, said] = weigh(how);
    EXPECT_NEAR(mass, 80.0, 1e-4) << how;
    EXPECT_NEAR(moment, 80.0 * 4.0 / 6.0, 1e-4) << how;
    EXPECT_EQ(said, 0u);
  }
  const auto [mass, moment, said] = weigh("inertia='shell'");
  EXPECT_NEAR(mass, 240.0, 1e-4);
  EXPECT_NEAR(moment, 240.0 * 4.0 * 5.0 / 18.0, 1e-3);
  EXPECT_EQ(std::get<2>(weigh("inertia='feathers'")), 1u);
}

// The origin is moved before the points are scaled; what is mirrored keeps its outside.
TEST(MjcfDetails, MeshesAreMovedThenScaled) {
  struct Case {
    const char* what;
    std::vector<Vector3f> points;
    std::vector<std::int32_t> first_face;
  };
  const Case cases[] = {
      {"scale='2 3 4'", {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}}, {0, 2, 1}},
      {"scale='2 -3 4'", {{0, 0, 0}, {2, 0, 0}, {0, -3, 0}, {0, 0, 4}}, {0, 1, 2}},
      {"scale='-2 -3 4'", {{0, 0, 0}, {-2, 0, 0}, {0, -3, 0}, {0, 0, 4}}, {0, 2, 1}},
      {"scale='2 3 -4' refpos='1 2 3'",
       {{-2, -6, 12}, {0, -6, 12}, {-2, -3, 12}, {-2, -6, 8}},
       {0, 1, 2}},
      {"scale='0 1 1' refpos='1 2 3'",
       {{0, -2, -3}, {0, -2, -3}, {0, -1, -3}, {0, -2, -2}},
       {0, 2, 1}},
      {"scale='2 3 4' refquat='0 0 0 0'", {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}}, {0, 2, 1}},
      {"scale='2 1 1' refquat='1 0 0 1'", {{0, 0, 0}, {0, -1, 0}, {2, 0, 0}, {0, 0, 1}}, {0, 2, 1}},
      {"refquat='2 0 0 0' refpos='1 0 0'",
       {{-1, 0, 0}, {0, 0, 0}, {-1, 1, 0}, {-1, 0, 1}},
       {0, 2, 1}}};
  stage::MemoryResolver resolver;
  resolver.add("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  exporter::ImportRobotOptions options;
  options.resolver = &resolver;
  for (const Case& one : cases) {
    for (const std::string& source :
         {kCorners + "face='0 2 1 0 1 3 0 3 2 1 2 3'", std::string("file='m.obj'")}) {
      const RobotModel made("<mujoco><asset><mesh name='m' " + source + " " + one.what +
                                "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"
                                "</mujoco>",
                            options);
      ASSERT_EQ(made.model.shapes.size(), 1U) << one.what;
      const auto& mesh = *std::get<physics::MeshShape>(made.model.shapes[0].geometry).geometry;
      ASSERT_EQ(mesh.points.size(), 4U);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT((mesh.points[i] - one.points[i]).norm(), 1e-6F) << one.what << source << i;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(mesh.face_indices[i], one.first_face[i]) << one.what << source;
      }
    }
  }
}

TEST(MjcfDetails, MeshesThatAreTooLargeAreToldAndLeftOut) {
  stage::MemoryResolver resolver;
  resolver.add("m.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\n");
  exporter::ImportRobotOptions options;
  options.resolver = &resolver;
  for (const std::string& source : {kCorners, std::string("file='m.obj' ")}) {
    for (const char* what : {"scale='1e38 1e300 1'", "scale='1e300 1 1' refpos='-1 0 0'"}) {
      const RobotModel made("<mujoco><asset><mesh name='m' " + source + what +
                                "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"
                                "</mujoco>",
                            options);
      EXPECT_THAT(test::lines_of(made.said), HasSubstr("has a point that is too far away")) << what;
      EXPECT_TRUE(made.model.shapes.empty()) << source << what;
    }
  }
}

TEST(MjcfDetails, TellsOfGravityThatActsInPart) {
  const std::string half =
      "<worldbody><body gravcomp='0.5'><freejoint/><geom size='1'/></body>"
      "</worldbody>";
  EXPECT_THAT(test::codes_of(mjcf_model(half).said), HasSubstr("robot-unread"));
}

TEST(MjcfDetails, ManyBodiesOfTheWorldAreOneGroupThatDoesNotMeetItself) {
  std::string bodies;
  for (int i = 0; i < 2000; ++i) {
    bodies += "<body pos='" + std::to_string(i) + " 0 0'><geom size='1'/></body>";
  }
  const RobotModel made = mjcf_model("<worldbody>" + bodies + "</worldbody>");
  EXPECT_EQ(test::codes_of(made.said), "");
  EXPECT_THAT(made.text, Not(HasSubstr("filteredPairs")));
  Diagnostics unused;
  const physics::PairFilter filter = physics::PairFilter::build(made.model, unused);
  ASSERT_EQ(made.model.shapes.size(), 2000U);
  EXPECT_FALSE(filter.collides(0, 1));
  EXPECT_FALSE(filter.collides(7, 1999));
}

TEST(MjcfDetails, ALinkWithNothingInItIsAFrame) {
  const RobotModel made = RobotModel(
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='tool'/>"
      "<joint name='j' type='fixed'><parent link='base'/><child link='tool'/>"
      "<origin xyz='0 0 2'/></joint></robot>");
  EXPECT_THAT(made.text, HasSubstr("def Xform \"tool\""));
}

TEST(MjcfDetails, ColoursOfOneLinkAreKnownInOthers) {
  const std::string shape = "<geometry><sphere radius='1'/></geometry>";
  const RobotModel made = RobotModel(
      "<robot name='r'><link name='a'><visual>" + shape +
      "<material name='red'/></visual></link>"
      "<link name='b'><visual>" +
      shape +
      "<material name='red'><color rgba='0.875 0 0 1'/></material></visual></link>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>");
  const std::size_t first = made.text.find("0.875");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(made.text.find("0.875", first + 1), std::string::npos);
}

// A cube's half: four triangles of a tetrahedron.
std::string binary_stl(const std::string& header) {
  std::string bytes(84, ' ');
  bytes.replace(0, header.size(), header);
  const std::uint32_t count = 4;
  std::memcpy(bytes.data() + 80, &count, sizeof count);
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (const auto& face : faces) {
    float numbers[12] = {};
    for (int i = 0; i < 3; ++i) std::memcpy(numbers + 3 + 3 * i, corners[face[i]], 12);
    bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST(MjcfDetails, KeepsSitesAndContactNumbersThereAndBack) {
  const RobotModel first = mjcf_model(
      "<default><site group='4'/></default><worldbody><site name='s' pos='0 0 3' group='0'/>"
      "<geom name='floor' type='plane' size='1 1 1' condim='4' solref='0.01 0.5' priority='2'/>"
      "<body name='a' pos='1 0 0'><freejoint/><geom name='g' size='0.1' group='1' solmix='0.25' "
      "solimp='0.8 0.9 0.01 0.5 2'/><site name='t' type='box' size='0.1 0.2 0.3' pos='0 0 1' "
      "quat='0 1 0 0'/><frame pos='0 1 0'><site type='capsule' size='0.01'/></frame>"
      "<site name='e' type='ellipsoid' size='1 2 3'/></body></worldbody>"
      "<tendon><spatial name='rope' limited='true' range='0 5'><site site='s'/><site site='t'/>"
      "</spatial></tendon>");
  EXPECT_EQ(test::codes_of(first.said) + test::codes_of(first.found), "");
  Diagnostics unused;
  const std::string text = exporter::write_mjcf(first.model, {}, unused).text;
  const RobotModel second(text);
  EXPECT_EQ(test::codes_of(second.said) + test::codes_of(second.found), "") << text;
  const auto told = [](const physics::PhysicsModel& model) {
    std::string list;
    for (const physics::Site& site : model.sites) {
      const Vector3f& p = site.local_pose.position;
      list += fmt::format("{} of {}: kind {}, group {}, at {:g} {:g} {:g}\n",
                          site.path.view().substr(site.path.view().rfind('/') + 1),
                          model.has_body(site.body) ? "body" : "world", site.geometry.index(),
                          site.group, p.x(), p.y(), p.z());
    }
    for (const physics::ShapeExtras& extras : model.shape_extras) {
      const physics::MjcContact& c = extras.contact;
      list += fmt::format("condim {} group {} priority {} solmix {} solref {} solimp {}\n",
                          c.condim.value_or(-1), c.group.value_or(-1), c.priority.value_or(-1),
                          c.solmix.value_or(-1), fmt::join(c.solver.solref, " "),
                          fmt::join(c.solver.solimp, " "));
    }
    return list;
  };
  EXPECT_EQ(told(first.model),
            "s of world: kind 0, group 0, at 0 0 3\n"
            "t of body: kind 1, group 4, at 0 0 1\n"
            "site of body: kind 2, group 4, at 0 1 0\n"
            "e of body: kind 0, group 4, at 0 0 0\n"
            "condim 4 group -1 priority 2 solmix -1 solref 0.01 0.5 solimp \n"
            "condim -1 group 1 priority -1 solmix 0.25 solref  solimp 0.8 0.9 0.01 0.5 2\n");
  EXPECT_EQ(told(second.model), told(first.model)) << text << second.text;
}

TEST(MjcfDetails, KeepsHowTheSolverTakesLimitsThereAndBack) {
  const RobotModel first = mjcf_model(
      "<default><joint solreflimit='0.01 0.5'/></default><worldbody><body name='a'>"
      "<joint name='j' type='hinge' range='-90 90' limited='true' solimplimit='0.8 0.9 0.01'/>"
      "<geom size='0.1'/></body></worldbody>");
  EXPECT_EQ(test::codes_of(first.said) + test::codes_of(first.found), "");
  Diagnostics unused;
  const std::string text = exporter::write_mjcf(first.model, {}, unused).text;
  const RobotModel second(text);
  EXPECT_EQ(test::codes_of(second.said) + test::codes_of(second.found), "") << text;
  for (const RobotModel* made : {&first, &second}) {
    const physics::MjcSolver& limit = made->model.joint_extras.at(0).limit;
    EXPECT_THAT(limit.solref, ::testing::ElementsAre(0.01, 0.5));
    EXPECT_THAT(limit.solimp, ::testing::ElementsAre(0.8, 0.9, 0.01));
  }
}

TEST(MjcfDetails, MeshesAreFoundInOtherPackagesAndByTheirLength) {
  stage::MemoryResolver resolver;
  resolver.add("ws/pkg_b/meshes/t.stl", binary_stl("solid with facets, says its header"));
  exporter::ImportRobotOptions options;
  options.file = "ws/pkg_a/r.urdf";
  options.resolver = &resolver;
  const RobotModel made = RobotModel(
      "<robot name='r'><link name='a'><collision><geometry>"
      "<mesh filename='package://pkg_b/meshes/t.stl'/></geometry></collision></link></robot>",
      options);
  EXPECT_THAT(test::codes_of(made.said), Not(HasSubstr("robot-mesh")));
  ASSERT_EQ(made.model.shapes.size(), 1U);
}

// Which of the bodies collide, by the names of their geoms: "a-b".
std::string meeting(const std::string& content) {
  const RobotModel made = mjcf_model(content);
  EXPECT_EQ(test::codes_of(made.said) + test::codes_of(made.found), "") << content;
  Diagnostics unused;
  const physics::PairFilter filter = physics::PairFilter::build(made.model, unused);
  const auto leaf = [&](std::size_t shape) {
    const std::string path = made.model.shapes[shape].path.str();
    return path.substr(path.rfind('/') + 1);
  };
  std::vector<std::string> pairs;
  for (std::size_t a = 0; a < made.model.shapes.size(); ++a) {
    for (std::size_t b = a + 1; b < made.model.shapes.size(); ++b) {
      if (!filter.collides(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b))) continue;
      const auto [low, high] = std::minmax({leaf(a), leaf(b)});
      pairs.push_back(low + "-" + high);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return fmt::format("{}", fmt::join(pairs, " "));
}

TEST(MjcfDetails, BodiesKeepApartFromWhatCarriesThemAndWhatIsExcluded) {
  const auto chain = [](const std::string& more, const std::string& in_a = "") {
    return more +
           "<worldbody><geom name='w' type='plane' size='1 1 1'/><body name='A'><joint/>"
           "<geom name='a' size='0.1'/>" +
           in_a +
           "<body name='B'><joint/><geom name='b' size='0.1'/><body name='C'><joint/>"
           "<geom name='c' size='0.1'/></body></body></body></worldbody>";
  };
  const auto exclude = [](const std::string& first, const std::string& second) {
    return "<contact><exclude body1='" + first + "' body2='" + second + "'/></contact>";
  };
  const std::string touch = "<option><flag filterparent='disable'/></option>";
  EXPECT_EQ(meeting(chain("")), "a-c a-w b-w c-w");
  EXPECT_EQ(meeting(chain(touch)), "a-b a-c a-w b-c b-w c-w");
  EXPECT_EQ(meeting(chain(exclude("A", "C"))), "a-w b-w c-w");
  EXPECT_EQ(meeting(chain(exclude("C", "A") + exclude("A", "C"))), "a-w b-w c-w");
  EXPECT_EQ(meeting(chain(exclude("world", "B"))), "a-c a-w c-w");
  EXPECT_EQ(meeting(chain(exclude("world", "A"))), "a-c b-w c-w");
  EXPECT_EQ(meeting(chain(exclude("A", "A"))), "a-c a-w b-w c-w");
  EXPECT_EQ(meeting(chain(touch + exclude("A", "B"))), "a-c a-w b-c b-w c-w");
  EXPECT_EQ(meeting(chain(touch + exclude("C", "world"))), "a-b a-c a-w b-c b-w");
  // One that is welded to A is of it, also towards what A carries.
  const std::string welded = "<body name='D'><geom name='d' size='0.1'/></body>";
  EXPECT_EQ(meeting(chain("", welded)), "a-c a-w b-w c-d c-w d-w");
  EXPECT_EQ(meeting(chain(touch, welded)), "a-b a-c a-w b-c b-d b-w c-d c-w d-w");
  EXPECT_EQ(meeting(chain(exclude("C", "D"), welded)), "a-c a-w b-w c-w d-w");
}

TEST(MjcfDetails, GeomsMeetWhoseBitsDo) {
  const std::pair<unsigned, unsigned> bits[] = {{1, 1}, {2, 2}, {1, 2}, {1, 2},
                                                {0, 1}, {3, 0}, {0, 6}};
  std::string bodies;
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < std::size(bits); ++i) {
    bodies += fmt::format(
        "<body><freejoint/><geom name='g{}' size='1' contype='{}' conaffinity='{}'/></body>", i,
        bits[i].first, bits[i].second);
    for (std::size_t k = i + 1; k < std::size(bits); ++k) {
      const bool meet =
          (bits[i].first & bits[k].second) != 0 || (bits[k].first & bits[i].second) != 0;
      if (meet) pairs.push_back(fmt::format("g{}-g{}", i, k));
    }
  }
  EXPECT_EQ(meeting("<worldbody>" + bodies + "</worldbody>"),
            fmt::format("{}", fmt::join(pairs, " ")));
}

TEST(MjcfDetails, GeomsWithoutBitsAreToBeSeenButForGroup3) {
  for (const int group : {2, 3, 4}) {
    const RobotModel made = mjcf_model(
        fmt::format("<worldbody><body><freejoint/><geom size='1' contype='0' conaffinity='0' "
                    "group='{}'/></body></worldbody>",
                    group));
    EXPECT_EQ(made.model.shapes.size(), group == 3 ? 1U : 0U);
    EXPECT_EQ(made.result.counts.visuals, group == 3 ? 0U : 1U);
    if (group == 3) {
      EXPECT_FALSE(made.model.shapes[0].collision_enabled);
    }
  }
}

TEST(MjcfDetails, JointsOfOneFrameAreOneIfTheySayTheSame) {
  const auto joints = [](const std::string& first, const std::string& second,
                         const std::string& more = "") {
    const RobotModel made = mjcf_model(
        "<option><flag filterparent='disable'/></option><worldbody><body><joint name='base'/>"
        "<geom size='0.1'/><body name='b' pos='1 0 0'><joint name='p' " +
        first + "/><joint name='q' " + second + "/><geom size='0.1'/></body></body></worldbody>" +
        more);
    EXPECT_EQ(test::codes_of(made.said) + test::codes_of(made.found), "") << first << second;
    for (std::size_t j = 1; j < made.model.joints.size(); ++j) {
      EXPECT_TRUE(made.model.joints[j].collision_enabled) << made.text;
    }
    return made.model.joints.size() - 1;
  };
  const std::string x = "axis='1 0 0' ", y = "axis='0 1 0' ", slide = "type='slide' ";
  EXPECT_EQ(joints(x, y), 1U);
  for (const std::string extra : {"armature='2'", "damping='2'", "stiffness='2'", "springref='2'",
                                  "frictionloss='2'", "solreflimit='0.5 1'"}) {
    EXPECT_EQ(joints(x + extra, y), 2U) << extra;
    EXPECT_EQ(joints(x, y + extra), 2U) << extra;
    EXPECT_EQ(joints(x + extra, y + extra), 1U) << extra;
  }
  EXPECT_EQ(joints(slide + x, y), 1U);
  EXPECT_EQ(joints(x, slide + y), 2U);
  EXPECT_EQ(joints(slide + x, slide + y), 1U);
  EXPECT_EQ(joints(slide + x, slide + x), 2U);
  EXPECT_EQ(joints(x, x), 2U);
  EXPECT_EQ(joints(x, "axis='1 1 0'"), 2U);
  EXPECT_EQ(joints(x + "pos='0 0 1'", y), 2U);
  EXPECT_EQ(joints(x + "pos='0 0 1'", y + "pos='0 0 1'"), 1U);
  EXPECT_EQ(joints(x, y, "<actuator><motor joint='q'/></actuator>"), 2U);
  EXPECT_EQ(joints(x, y, "<equality><joint joint1='p' joint2='base'/></equality>"), 2U);
  EXPECT_EQ(joints(x, y, "<equality><joint joint1='base' joint2='q'/></equality>"), 2U);
}

TEST(MjcfDetails, ServosAreThoseThatPullToTheirControl) {
  const auto drives = [](const std::string& what) {
    const RobotModel made = mjcf_model(kArm + "<actuator><general joint='j' biastype='affine' " +
                                       what + "/></actuator>");
    EXPECT_EQ(test::codes_of(made.said), "") << what;
    EXPECT_EQ(made.result.counts.actuators, 1U - made.result.counts.drives) << what;
    return made.result.counts.drives;
  };
  const std::string ten = "gainprm='10' ";
  EXPECT_EQ(drives(ten + "biasprm='0 -10 -1'"), 1U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10'"), 1U);
  EXPECT_EQ(drives(ten + "biasprm='0 0 -10'"), 1U);
  EXPECT_EQ(drives(ten + "biasprm='1 -10'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10 1'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -9'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 0 -9'"), 0U);
  EXPECT_EQ(drives(ten), 0U);
  EXPECT_EQ(drives("gainprm='-10' biasprm='0 10'"), 0U);
  EXPECT_EQ(drives("gainprm='0' biasprm='0'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10' gear='0'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10' dyntype='filter'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10' forcerange='-5 4'"), 0U);
  EXPECT_EQ(drives(ten + "biasprm='0 -10' forcerange='-5 5'"), 1U);
  EXPECT_EQ(drives("gaintype='affine' gainprm='10 0 1' biasprm='0 -10'"), 0U);
}

TEST(MjcfDetails, ActuatorsThatAreLeftOutKeepTheirPlaceInKeyframes) {
  const RobotModel made = mjcf_model(
      kArm +
      "<actuator><general tendon='t' dyntype='filter'/><motor tendon='t'/><muscle tendon='t'/>"
      "<general joint='j' dyntype='filter' gear='2'/><motor joint='j' gear='3'/>"
      "<general joint='j' dyntype='integrator' gear='4'/></actuator>"
      "<keyframe><key name='start' ctrl='1 2 3 4 5 6' act='0.125 0.25 0.5 0.75'/></keyframe>");
  ASSERT_EQ(made.model.actuators.size(), 3U) << test::lines_of(made.said);
  EXPECT_EQ(made.model.actuators[0].control, 4.0F);
  EXPECT_EQ(made.model.actuators[0].activation, 0.5F);
  EXPECT_EQ(made.model.actuators[1].control, 5.0F);
  EXPECT_EQ(made.model.actuators[2].control, 6.0F);
  EXPECT_EQ(made.model.actuators[2].activation, 0.75F);
}

TEST(MjcfDetails, MusclesMayHaveASmoothStep) {
  const auto law = [](const std::string& what) {
    const RobotModel made =
        mjcf_model(kArm + "<actuator><muscle joint='j' " + what + "/></actuator>");
    EXPECT_EQ(test::codes_of(made.said), "");
    return made.model.actuators.at(0);
  };
  EXPECT_EQ(law("timeconst='0.02 0.06' tausmooth='0.25'").law->dynamics,
            (std::vector<double>{0.02, 0.06, 0.25}));
  EXPECT_EQ(law("tausmooth='0.25'").law->dynamics, (std::vector<double>{0.01, 0.04, 0.25}));
  EXPECT_FALSE(law("lengthrange='1 1'").length_range);
  EXPECT_FALSE(law("lengthrange='2 1'").length_range);
  EXPECT_TRUE(law("lengthrange='1 1.5'").length_range);
}

// The masses of two bodies, the first of which says what it weighs.
std::vector<double> masses(const std::string& compiler) {
  const RobotModel made = mjcf_model(
      "<compiler " + compiler +
      "/><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "<geom size='1' mass='2'/></body><body pos='9 0 0'><freejoint/><geom size='1' mass='3'/>"
      "<geom size='1' mass='4' group='1'/><geom size='1' mass='8' group='2'/></body></worldbody>");
  std::vector<double> result;
  Diagnostics unused;
  for (std::int32_t body = 0; body < 2; ++body) {
    const double mass = physics::body_mass(made.model, body, unused).mass;
    result.push_back(std::round(mass * 1e4) / 1e4);
  }
  return result;
}

TEST(MjcfDetails, MassesAreThoseThatTheCompilerIsToldToTake) {
  using Masses = std::vector<double>;
  EXPECT_EQ(masses(""), (Masses{1, 15}));
  EXPECT_EQ(masses("inertiafromgeom='auto'"), (Masses{1, 15}));
  EXPECT_EQ(masses("inertiafromgeom='true'"), (Masses{2, 15}));
  EXPECT_EQ(masses("inertiafromgeom='false'"), (Masses{1, 0.001}));  // Told, and stood in for.
  EXPECT_EQ(masses("inertiagrouprange='0 1'"), (Masses{1, 7}));
  EXPECT_EQ(masses("inertiagrouprange='1 1'"), (Masses{1, 4}));
  EXPECT_EQ(masses("inertiagrouprange='1 2'"), (Masses{1, 12}));
  EXPECT_EQ(masses("settotalmass='32'"), (Masses{2, 30}));
  EXPECT_EQ(masses("settotalmass='0'"), (Masses{1, 15}));
  EXPECT_EQ(masses("settotalmass='-1'"), (Masses{1, 15}));
  EXPECT_EQ(masses("settotalmass='6' inertiafromgeom='true' inertiagrouprange='0 1'"),
            (Masses{1.3333, 4.6667}));
}

TEST(MjcfDetails, GeomsReachFromOnePointToAnother) {
  const auto geom = [](const std::string& what) {
    return mjcf_model("<worldbody><geom " + what + "/></worldbody>").model.shapes.at(0);
  };
  const std::string reach = "fromto='1 0 0 1 0 4' ";
  const physics::Shape capsule = geom("type='capsule' size='0.5' " + reach);
  EXPECT_EQ(std::get<physics::CapsuleShape>(capsule.geometry).half_height, 2.0F);
  EXPECT_EQ(std::get<physics::CapsuleShape>(capsule.geometry).radius, 0.5F);
  EXPECT_EQ(capsule.local_pose.position, Vector3f(1, 0, 2));
  const physics::Shape box = geom("type='box' size='0.5' " + reach);
  EXPECT_EQ(std::get<physics::CubeShape>(box.geometry).half_extents, Vector3f(0.5F, 0.5F, 2.0F));
  const physics::Shape ball = geom("type='sphere' size='0.5' pos='3 0 0' " + reach);
  EXPECT_EQ(ball.local_pose.position, Vector3f(3, 0, 0));
  EXPECT_TRUE(
      mjcf_model("<worldbody><geom type='capsule' size='1' fromto='1 2 3 1 2 3'/></worldbody>")
          .model.shapes.empty());
}

TEST(MjcfDetails, LimitsThatAreFarAwayAreNone) {
  const auto limits = [](const std::string& what) {
    const RobotModel made = mjcf_model("<worldbody><body><joint limited='true' " + what +
                                       "/><geom size='0.1'/></body></worldbody>");
    const physics::LinkJoint joint = joint_of(made);
    return std::pair(std::isfinite(joint.dofs.at(0).lower), std::isfinite(joint.dofs[0].upper));
  };
  EXPECT_EQ(limits("range='-90 90'"), std::pair(true, true));
  EXPECT_EQ(limits("range='-1e12 90'"), std::pair(false, true));
  EXPECT_EQ(limits("range='-90 1e12'"), std::pair(true, false));
  EXPECT_EQ(limits("type='slide' range='-1e12 1e12'"), std::pair(false, false));
}

TEST(MjcfDetails, FrictionThatTheEngineTakesAnywayIsNotWritten) {
  const auto extras = [](const std::string& friction) {
    const RobotModel made =
        mjcf_model("<worldbody><geom size='1' friction='" + friction + "'/></worldbody>");
    const physics::ShapeExtras& all = made.model.shape_extras.at(0);
    return std::pair(all.torsional_friction, all.rolling_friction);
  };
  using Numbers = std::pair<std::optional<float>, std::optional<float>>;
  EXPECT_EQ(extras("1 0.005 0.0001"), Numbers());
  EXPECT_EQ(extras("1 0.25 0.0001"), Numbers(0.25F, std::nullopt));
  EXPECT_EQ(extras("1 0.005 0.5"), Numbers(std::nullopt, 0.5F));
  EXPECT_EQ(extras("1"), Numbers());
}

TEST(MjcfDetails, MeshFilesLieWhereTheCompilerSays) {
  const std::pair<std::string, std::string> rows[] = {
      {"", "deep/er/m.obj"},
      {"meshdir='x'", "x/deep/er/m.obj"},
      {"meshdir='x/'", "x/deep/er/m.obj"},
      {"assetdir='y'", "y/deep/er/m.obj"},
      {"assetdir='y' meshdir='x'", "x/deep/er/m.obj"},
      {"strippath='true'", "m.obj"},
      {"strippath='true' meshdir='x'", "x/m.obj"},
      {"strippath='false' meshdir=''", "deep/er/m.obj"}};
  for (const auto& [compiler, place] : rows) {
    for (const auto& row : rows) {
      stage::MemoryResolver resolver;
      resolver.add(row.second, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n");
      exporter::ImportRobotOptions options;
      options.resolver = &resolver;
      const RobotModel made("<mujoco><compiler " + compiler +
                                "/><asset><mesh name='m' file='deep/er/m.obj'/></asset><worldbody>"
                                "<geom type='mesh' mesh='m'/></worldbody></mujoco>",
                            options);
      EXPECT_EQ(made.model.shapes.size(), row.second == place ? 1U : 0U) << compiler << row.second;
    }
  }
}

TEST(MjcfDetails, KeyframesThatPutABodyElsewhereAreTold) {
  const auto told = [](const std::string& key) {
    return test::lines_of(
        mjcf_model("<worldbody><body name='f' pos='1 2 3' quat='0 0 0 1'><freejoint/>"
                   "<geom size='0.1'/></body></worldbody><keyframe><key " +
                   key + "/></keyframe>")
            .said);
  };
  const std::string start = "name='start' qpos=";
  EXPECT_EQ(told(start + "'1 2 3 0 0 0 1'"), "");
  EXPECT_EQ(told(start + "'1 2 3 0 0 0 -2'"), "");
  for (const char* other : {"'1 2 3.00001 0 0 0 1'", "'1 2 3 0 0 0.001 1'", "'1 2 3 1 0 0 0'"}) {
    EXPECT_THAT(told(start + other), HasSubstr("warning: 'f' stands where its element says, not "
                                               "where the keyframe does. [robot-start]"));
  }
  EXPECT_THAT(told("name='end' qpos='9 9 9 1 0 0 0'"),
              HasSubstr("warning: A keyframe of another name than \"start\" is not read."));
  EXPECT_THAT(told("qpos='9 9 9 1 0 0 0'"), HasSubstr("A keyframe of another name"));
}

// A keyframe has the speed of the origin, along the axes of the world; USD that of the centre of
// mass, along those of the body. Both have the spin along those of the body.
TEST(MjcfDetails, FreeBodiesMoveAsTheKeyframeSays) {
  for (const char* mass :
       {"<geom size='0.1' pos='0 1 0'/>", "<inertial pos='0 1 0' mass='2' diaginertia='1 1 1'/>"}) {
    const RobotModel made = mjcf_model(
        std::string("<worldbody><body name='e' pos='9 0 0'><freejoint/><geom size='0.1'/></body>"
                    "<body name='a'><joint name='j'/><geom size='0.1'/></body>"
                    "<body name='f' pos='1 2 3' quat='0 0 0 1'><freejoint/>") +
        mass +
        "</body></worldbody>"
        "<keyframe><key name='start' qvel='0 0 0 0 0 0 7 1 2 3 0.5 0.25 4'/></keyframe>");
    EXPECT_EQ(test::codes_of(made.said), "") << mass;
    Diagnostics writing;
    const RobotModel again(exporter::write_mjcf(made.model, {}, writing).text);
    EXPECT_EQ(test::codes_of(again.said), "") << mass;
    for (const RobotModel* one : {&made, &again}) {
      ASSERT_EQ(one->model.rigid_bodies.size(), 3U) << one->text;
      for (const physics::RigidBody& body : one->model.rigid_bodies) {
        const bool moves = body.path.view().ends_with("/f");
        const Vector3f speed = moves ? Vector3f(-5.0F, -2.0F, 3.5F) : Vector3f(0.0F, 0.0F, 0.0F);
        const Vector3f spin = moves ? Vector3f(0.5F, 0.25F, 4.0F) : Vector3f(0.0F, 0.0F, 0.0F);
        EXPECT_LT((body.linear_velocity - speed).norm(), 1e-5F) << one->text;
        EXPECT_LT((body.angular_velocity - spin).norm(), 1e-5F) << one->text;
      }
      const physics::DofExtras hinge = one->model.dof_extras(0, physics::JointDof::distance);
      EXPECT_NEAR(hinge.start_velocity.value_or(0.0F), 7.0F, 1e-5F) << one->text;
    }
  }
}

TEST(MjcfDetails, WeldsHoldAsTheirPoseSaysOrAsTheyStartIn) {
  const auto weld = [](const std::string& what) {
    const RobotModel made = mjcf_model(
        "<worldbody><body name='a' pos='1 0 0'><freejoint/><geom size='0.1'/></body>"
        "<body name='b' pos='1 5 0' quat='0 0 0 1'><freejoint/><geom size='0.1'/></body>"
        "</worldbody><equality><weld body1='a' body2='b' " +
        what + "/></equality>");
    EXPECT_EQ(test::codes_of(made.said), "");
    return made.model.joints.at(0).ends[0].frame;
  };
  const physics::Pose given = weld("relpose='1 2 3 0 2 0 0'");
  EXPECT_EQ(given.position, Vector3f(1, 2, 3));
  EXPECT_NEAR(std::abs(given.rotation.x()), 1.0F, 1e-6F);
  for (const char* none : {"", "relpose='1 2 3 0 0 0 0'"}) {
    const physics::Pose start = weld(none);
    EXPECT_LT((start.position - Vector3f(0, 5, 0)).norm(), 1e-6F);
    EXPECT_NEAR(std::abs(start.rotation.z()), 1.0F, 1e-6F);
  }
}

TEST(MjcfDetails, RopesHangBetweenTwoSitesOfTwoBodies) {
  const auto rope = [](const std::string& limits, const std::string& path) {
    return mjcf_model(
        "<worldbody><site name='s'/><geom name='g' size='0.1'/><body name='a' pos='1 0 0'>"
        "<freejoint/><geom size='0.1'/><site name='t'/><site name='u'/></body></worldbody>"
        "<tendon><spatial " +
        limits + ">" + path + "</spatial></tendon>");
  };
  const std::string s = "<site site='s'/>", t = "<site site='t'/>", u = "<site site='u'/>";
  const std::string limits = "limited='true' range='0.5 2'";
  const RobotModel made = rope(limits, s + t);
  const auto& distance = std::get<physics::DistanceJoint>(made.model.joints.at(0).kind);
  EXPECT_EQ(distance.limit.lower, 0.5F);
  EXPECT_EQ(distance.limit.upper, 2.0F);
  EXPECT_THAT(rope("limited='true' range='0.5 1e6'", s + t).text, Not(HasSubstr("maxDistance")));
  EXPECT_THAT(rope("limited='true' range='0.5 999999'", s + t).text, HasSubstr("maxDistance"));
  const std::pair<std::string, std::string> bad[] = {{limits, s},
                                                     {limits, s + t + u},
                                                     {limits, t + u},
                                                     {limits, s + "<site site='none'/>"},
                                                     {limits, s + "<geom geom='g'/>" + t},
                                                     {limits, s + "<pulley divisor='2'/>" + t},
                                                     {"limited='false' range='0.5 2'", s + t},
                                                     {"limited='true'", s + t}};
  for (const auto& [range, path] : bad) {
    const RobotModel left = rope(range, path);
    EXPECT_THAT(test::lines_of(left.said),
                HasSubstr("Only a tendon with a range between two sites is read; this one is left "
                          "out. [robot-tendon]"))
        << path;
    EXPECT_TRUE(left.model.joints.empty()) << path;
  }
}

}  // namespace
}  // namespace sinew::mjcf_details_test
