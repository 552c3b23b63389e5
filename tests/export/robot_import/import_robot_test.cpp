// SPDX-License-Identifier: Apache-2.0
// What becomes of robots, against numbers worked out by hand; and what is said of broken ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "export/robot_import/robot_models.hpp"

namespace sinew::import_robot_test {
namespace {

using exporter::ImportRobotOptions;
using exporter::RobotFormat;
using test::joint_of;
using test::RobotModel;
using ::testing::HasSubstr;

std::string mjcf(const std::string& content) {
  return "<mujoco>\n" + content + "\n</mujoco>\n";
}
std::string world(const std::string& content) {
  return mjcf("<worldbody>" + content + "</worldbody>");
}

TEST(ImportRobot, TellsFormatsByTheirFirstElement) {
  EXPECT_EQ(exporter::robot_format("<?xml version='1.0'?><!-- <robot> -->\n<mujoco model='a'>"),
            RobotFormat::mjcf);
  EXPECT_EQ(exporter::robot_format("<!DOCTYPE x>\n<robot>"), RobotFormat::urdf);
  EXPECT_EQ(exporter::robot_format("<?note <robot>?><mujoco>"), RobotFormat::mjcf);
  EXPECT_EQ(exporter::robot_format("<!-- <robot>"), RobotFormat::none);
  EXPECT_EQ(exporter::robot_format("#usda 1.0"), RobotFormat::none);
}

TEST(ImportRobot, TakesAnglesInDegreesAndTheReferenceAsTheStart) {
  const RobotModel robot = test::robot_file("degrees.xml");
  ASSERT_GE(robot.model.joints.size(), 2U);
  const double degree = std::numbers::pi / 180.0;
  const physics::LinkJoint turn = joint_of(robot, 0);
  ASSERT_EQ(turn.dofs.size(), 1U);
  EXPECT_NEAR(turn.dofs[0].start, 15.0 * degree, 1e-6);
  EXPECT_NEAR(turn.dofs[0].lower, -45.0 * degree, 1e-6);
  EXPECT_NEAR(turn.dofs[0].upper, 90.0 * degree, 1e-6);
  EXPECT_LT((turn.anchor - Vector3d(0.05, 0.0, -0.1)).norm(), 1e-6);
  EXPECT_LT((turn.dofs[0].axis_in_child - Vector3d(1, 1, 0).normalized()).norm(), 1e-6);
  const physics::LinkJoint slide = joint_of(robot, 1);
  EXPECT_NEAR(slide.dofs[0].start, 0.05, 1e-6);
  EXPECT_LT((slide.dofs[0].axis_in_child - Vector3d(0, -1, 0)).norm(), 1e-6);
  // Turned about x, then the new y, then the new z.
  const Eigen::Matrix3d expected = (Eigen::AngleAxisd(10 * degree, Vector3d::UnitX()) *
                                    Eigen::AngleAxisd(20 * degree, Vector3d::UnitY()) *
                                    Eigen::AngleAxisd(30 * degree, Vector3d::UnitZ()))
                                       .toRotationMatrix();
  const Eigen::Matrix3d turned =
      robot.model.rigid_bodies[0].pose.rotation.cast<double>().toRotationMatrix();
  EXPECT_LT((turned - expected).norm(), 1e-6);
}

TEST(ImportRobot, WeighsBodiesThatDoNotSayWhatTheyWeigh) {
  const RobotModel robot =
      RobotModel(world("<body name='b'><freejoint/><geom type='sphere' size='0.1' density='500'/>"
                       "<geom type='box' size='0.1 0.2 0.3' pos='1 0 0' mass='2'/></body>"));
  Diagnostics unused;
  const physics::BodyMass mass = physics::body_mass(robot.model, 0, unused);
  const double ball = 500.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(mass.mass, ball + 2.0, 1e-6);
  EXPECT_NEAR(mass.center_of_mass.x(), 2.0 / (ball + 2.0), 1e-6);
}

TEST(ImportRobot, MakesServosDrivesAndKeepsWhatDrivesCannotSay) {
  const RobotModel robot = test::robot_file("actuators.xml");
  EXPECT_EQ(robot.result.counts.drives, 2U);
  EXPECT_EQ(robot.result.counts.actuators, 7U);
  const auto& servo = std::get<physics::RevoluteJoint>(robot.model.joints[0].kind).drive;
  EXPECT_FLOAT_EQ(servo.stiffness, 50.0F);
  EXPECT_FLOAT_EQ(servo.damping, 4.0F);
  EXPECT_FLOAT_EQ(servo.force_limit, 20.0F);
  EXPECT_FLOAT_EQ(servo.target_position, 0.3F);
  const auto& speed = std::get<physics::PrismaticJoint>(robot.model.joints[2].kind).drive;
  EXPECT_FLOAT_EQ(speed.damping, 12.0F);
  EXPECT_FLOAT_EQ(speed.target_velocity, 0.25F);
  ASSERT_EQ(robot.model.actuators.size(), 7U);
  EXPECT_EQ(robot.model.actuators[0].gear, 7.0F);
  const physics::Actuator& filter = robot.model.actuators[3];
  EXPECT_EQ(filter.dynamics, physics::ActuatorDynamics::filter);
  EXPECT_EQ(filter.time_constant, 0.3F);
  EXPECT_EQ(*filter.activation_range, (std::array<float, 2>{-1.0F, 1.0F}));
  EXPECT_EQ(filter.control, 0.125F);
  EXPECT_EQ(robot.model.actuators[1].gain_slopes, (std::array<float, 2>{-1.0F, -0.5F}));
  const physics::Actuator& wind = robot.model.actuators[4];
  EXPECT_EQ(wind.dynamics, physics::ActuatorDynamics::integrator);
  EXPECT_EQ(wind.bias, (std::array<float, 3>{0.0F, -4.0F, 0.0F}));
  EXPECT_EQ(*wind.activation_range, (std::array<float, 2>{-0.5F, 0.75F}));
  const physics::Actuator& drag = robot.model.actuators[2];
  EXPECT_EQ(drag.gain, 0.0F);
  EXPECT_EQ(drag.gain_slopes, (std::array<float, 2>{0.0F, -0.75F}));
}

TEST(ImportRobot, KeepsTheNumbersOfMuscles) {
  const RobotModel robot = test::robot_file("actuators.xml");
  const physics::Actuator& flexor = robot.model.actuators.at(5);
  ASSERT_TRUE(flexor.law);
  EXPECT_EQ(flexor.law->gain_type, "muscle");
  EXPECT_EQ(flexor.law->gain,
            (std::vector<double>{0.5, 1.2, 15.0, 200.0, 0.4, 1.6, 2.0, 1.3, 1.2}));
  EXPECT_EQ(flexor.law->bias, flexor.law->gain);
  EXPECT_EQ(flexor.law->dynamics, (std::vector<double>{0.02, 0.06}));
  EXPECT_EQ(*flexor.length_range, (std::array<float, 2>{-0.75F, 1.25F}));
  EXPECT_EQ(flexor.control, 0.75F);
  EXPECT_EQ(flexor.activation, 0.5F);
  EXPECT_EQ(robot.model.actuators[3].activation, 0.0625F);
  // The shortcut without a number is the general one with those that MuJoCo takes.
  const RobotModel plain = RobotModel(
      mjcf("<worldbody><body><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"
           "<joint name='j'/></body></worldbody><actuator><muscle joint='j'/></actuator>"));
  const physics::ActuatorLaw& law = plain.model.actuators.at(0).law.value();
  EXPECT_EQ(law.gain, robot.model.actuators.at(6).law->gain);
  EXPECT_EQ(law.dynamics, robot.model.actuators.at(6).law->dynamics);
  EXPECT_TRUE(plain.said.empty());
  // What one kind is given by its class counts for it alone; what all have, for all.
  const RobotModel classes = RobotModel(
      mjcf("<default><muscle force='3' lengthrange='1 2'/><motor gear='4'/></default>"
           "<worldbody><body><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"
           "<joint name='j'/></body></worldbody><actuator><muscle joint='j'/></actuator>"));
  const physics::Actuator& muscle = classes.model.actuators.at(0);
  EXPECT_EQ(muscle.law.value().gain[2], 3.0);
  EXPECT_EQ(muscle.gear, 4.0F);
  EXPECT_EQ(*muscle.length_range, (std::array<float, 2>{1.0F, 2.0F}));
}

TEST(ImportRobot, KeepsWhatTheSolverIsToldOfEqualities) {
  const RobotModel robot = test::robot_file("loops.xml");
  const auto extras = [&](std::string_view leaf) -> const physics::JointExtras& {
    for (std::size_t i = 0; i < robot.model.joints.size(); ++i) {
      if (robot.model.joints[i].path.view().ends_with(leaf)) return robot.model.joint_extras[i];
    }
    return robot.model.joint_extras.at(robot.model.joints.size());
  };
  const physics::JointExtras& pin = extras("/wrist_pin");
  EXPECT_TRUE(pin.is_equality);
  EXPECT_EQ(pin.equality.solref, (std::vector<double>{0.03, 0.9}));
  EXPECT_TRUE(pin.equality.solimp.empty());
  const physics::JointExtras& glue = extras("/glue");
  EXPECT_EQ(glue.equality.solref, (std::vector<double>{0.05, 1.0}));
  EXPECT_EQ(glue.equality.solimp, (std::vector<double>{0.8, 0.9, 0.002, 0.4, 3.0}));
  EXPECT_EQ(glue.torque_scale, 0.5);
  const physics::JointExtras& gear = extras("/geared_joint");
  EXPECT_FALSE(gear.is_equality);
  EXPECT_EQ(gear.equality.solimp, (std::vector<double>{0.7, 0.95, 0.001, 0.5, 2.0}));
  ASSERT_EQ(robot.model.mimics.size(), 1U);
  EXPECT_EQ(robot.model.mimics[0].ratio, -2.0F);
}

// force on the joint = g (k c - k g q + b2 g v): a spring of g^2 k towards c / g.
TEST(ImportRobot, TakesTheGearIntoTheGainsOfDrives) {
  const RobotModel robot =
      RobotModel(mjcf("<worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody>"
                      "<actuator><general joint='j' gear='3' gainprm='10' biastype='affine' "
                      "biasprm='0 -10 -2' forcerange='-5 5'/></actuator>"
                      "<keyframe><key name='start' ctrl='1.5'/></keyframe>"));
  const auto& drive = std::get<physics::RevoluteJoint>(robot.model.joints[0].kind).drive;
  EXPECT_FLOAT_EQ(drive.stiffness, 90.0F);
  EXPECT_FLOAT_EQ(drive.damping, 18.0F);
  EXPECT_FLOAT_EQ(drive.target_position, 0.5F);
  EXPECT_FLOAT_EQ(drive.force_limit, 15.0F);
  EXPECT_EQ(robot.model.actuators.size(), 1U);  // With its gear.
}

TEST(ImportRobot, MakesOneJointOfAxesThatFitAFrameAndAStackOfOthers) {
  const RobotModel robot = test::robot_file("joints.xml");
  EXPECT_THAT(robot.text, HasSubstr("def PhysicsJoint \"u\""));
  EXPECT_THAT(robot.text, HasSubstr("def PhysicsJoint \"g\""));
  EXPECT_THAT(robot.text, HasSubstr("def PhysicsRevoluteJoint \"second\""));
  EXPECT_THAT(robot.text, HasSubstr("MjcJointAPI"));
}

TEST(ImportRobot, TakesWhatHasNoMassAsPartOfWhatCarriesIt) {
  const RobotModel robot = test::robot_file("locked.urdf");
  EXPECT_EQ(robot.model.rigid_bodies.size(), 3U);  // Not the link "frame".
  const physics::LinkJoint tool = joint_of(robot, 2);
  EXPECT_EQ(robot.model.body(tool.parent).path.view(), "/locked/b");
  EXPECT_LT(
      (tool.parent_frame.position - Vector3d(0.1 * std::sin(0.5), 0.0, 0.4 + 0.1 * std::cos(0.5)))
          .norm(),
      1e-6);
}

TEST(ImportRobot, ReadsMeshesAsObjAndStl) {
  std::string binary(84, '\0');
  binary[80] = 4;
  const float corners[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                               {0, 0, 0, 1, 0, 0, 0, 0, 1},
                               {0, 0, 0, 0, 0, 1, 0, 1, 0},
                               {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  std::string text = "solid t\n";
  for (const auto& triangle : corners) {
    const float normal[3] = {};
    binary.append(reinterpret_cast<const char*>(normal), sizeof normal);
    binary.append(reinterpret_cast<const char*>(triangle), sizeof triangle);
    binary.append(2, '\0');
    text += "facet normal 0 0 0\nouter loop\n";
    for (int i = 0; i < 3; ++i) {
      text += fmt::format("vertex {} {} {}\n", triangle[3 * i], triangle[3 * i + 1],
                          triangle[3 * i + 2]);
    }
    text += "endloop\nendfacet\n";
  }
  stage::MemoryResolver resolver;
  resolver.add("b.stl", binary);
  resolver.add("t.STL", text + "endsolid t\n");
  ImportRobotOptions options;
  options.resolver = &resolver;
  for (const char* file : {"b.stl", "t.STL"}) {
    const RobotModel robot = RobotModel(
        mjcf(fmt::format("<asset><mesh name='m' file='{}' scale='2 1 1'/></asset><worldbody><body>"
                         "<freejoint/><geom type='mesh' mesh='m'/></body></worldbody>",
                         file)),
        options);
    EXPECT_EQ(test::lines_of(robot.said), "");
    ASSERT_EQ(robot.model.shapes.size(), 1U);
    const auto& mesh = std::get<physics::MeshShape>(robot.model.shapes[0].geometry);
    EXPECT_EQ(mesh.geometry->points.size(), 4U);
    Diagnostics unused;
    EXPECT_NEAR(physics::body_mass(robot.model, 0, unused).mass, 1000.0 / 3.0, 1e-3);
  }
}

TEST(ImportRobot, FollowsIncludedFilesOnce) {
  stage::MemoryResolver resolver;
  resolver.add("leg.xml",
               "<mujocoinclude>\n<body><geom size='bad'/></body>\n"
               "<include file='leg.xml'/></mujocoinclude>");
  ImportRobotOptions options;
  options.resolver = &resolver;
  options.file = "robot.xml";
  const RobotModel robot = RobotModel(world("<include file='leg.xml'/>"), options);
  const std::string said = test::lines_of(robot.said);
  EXPECT_THAT(said, HasSubstr("leg.xml:2:13: error: 'size' of <geom> is \"bad\""));
  EXPECT_THAT(said, HasSubstr("leg.xml:3:1: error: 'leg.xml' is included twice"));
}

TEST(ImportRobot, GoesOnWithoutAnIncludedFileThatCannotBeRead) {
  stage::MemoryResolver resolver;
  resolver.add("leg.xml", "<mujocoinclude>" + std::string(300, ' ') + "</mujocoinclude>");
  ImportRobotOptions options;
  options.resolver = &resolver;
  options.file = "robot.xml";
  options.limits.file_bytes = 300;
  const RobotModel robot = RobotModel(
      world("<include file='leg.xml'/>\n<body name='b'><freejoint/><geom size='1'/></body>"),
      options);
  EXPECT_EQ(test::lines_of(robot.said),
            "robot.xml:2:12: error: 'leg.xml': " + resolver.read("leg.xml", 300).error().message +
                " [robot-include]\n");
  EXPECT_EQ(robot.model.rigid_bodies.size(), 1U);
}

TEST(ImportRobot, WeighsNoPlanes) {
  const RobotModel robot =
      RobotModel(world("<body><freejoint/><geom type='plane' size='1 1 1' mass='5' pos='9 0 0'/>"
                       "<geom size='0.1' mass='2' pos='3 0 0'/></body>"));
  Diagnostics unused;
  const physics::BodyMass mass = physics::body_mass(robot.model, 0, unused);
  EXPECT_FLOAT_EQ(static_cast<float>(mass.mass), 2.0F);
  EXPECT_NEAR(mass.center_of_mass.x(), 3.0, 1e-6);
}

TEST(ImportRobot, TakesSitesWithoutASizeAsSmallBalls) {
  const RobotModel robot = RobotModel(world("<site type='box' size='1 0 1' pos='1 2 3'/>"));
  ASSERT_EQ(robot.model.sites.size(), 1U);
  EXPECT_EQ(std::get<physics::SphereShape>(robot.model.sites[0].geometry).radius, 0.005F);
  EXPECT_EQ(robot.model.sites[0].local_pose.position, Vector3f(1, 2, 3));
}

TEST(ImportRobot, KeepsTheAxesBesideABallJointThatItLeavesOut) {
  const RobotModel robot = RobotModel(world(
      "<body><geom size='0.1'/><joint type='ball' pos='1 0 0'/><joint axis='0 1 0'/></body>"));
  ASSERT_EQ(robot.model.joints.size(), 1U);
  const physics::LinkJoint joint = joint_of(robot, 0);
  ASSERT_EQ(joint.dofs.size(), 1U);
  EXPECT_LT((joint.dofs[0].axis_in_child - Vector3d(0, 1, 0)).norm(), 1e-6);
}

struct MeshFile {
  std::size_t points = 0;
  std::vector<std::int32_t> corners;
  std::string said;
};

MeshFile read_mesh(const std::string& name, const std::string& bytes) {
  stage::MemoryResolver resolver;
  resolver.add(name, bytes);
  ImportRobotOptions options;
  options.resolver = &resolver;
  const RobotModel robot =
      RobotModel(mjcf("<asset><mesh name='m' file='" + name +
                      "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"),
                 options);
  MeshFile result;
  for (const Diagnostic& diagnostic : robot.said) result.said += diagnostic.message;
  if (robot.model.shapes.empty()) return result;
  const auto& mesh = *std::get<physics::MeshShape>(robot.model.shapes[0].geometry).geometry;
  result.points = mesh.points.size();
  result.corners.assign(mesh.face_indices.begin(), mesh.face_indices.end());
  return result;
}

TEST(ImportRobot, ReadsTheFacesOfObjFiles) {
  using Corners = std::vector<std::int32_t>;
  const std::string points = "# a\nv 0 0 0\n v 1 0 0 \r\nv\t0 1 0\nvn 0 0 1\nv 0 0 1 1\n";
  const std::pair<std::string, Corners> good[] = {{"f 1 3 2", {0, 2, 1}},
                                                  {"f 1 3 2\n", {0, 2, 1}},
                                                  {"f -4 -2 -3\n\nf 4 1 2", {0, 2, 1, 3, 0, 1}},
                                                  {"f 1 2 3 4", {0, 1, 2, 0, 2, 3}},
                                                  {"f 1/7 2//8 3/1/2\r\n", {0, 1, 2}},
                                                  {"f +1 2 3", {0, 1, 2}},
                                                  {"f 1 1 2\nf 1 2 2\nf 1 2 1\nf 1 2 4", {0, 1, 3}},
                                                  {"f 1 2\ng f 9\nf 1 2 4", {0, 1, 3}}};
  for (const auto& [faces, corners] : good) {
    const MeshFile mesh = read_mesh("m.obj", points + faces);
    EXPECT_EQ(mesh.said, "") << faces;
    EXPECT_EQ(mesh.points, 4U);
    EXPECT_EQ(mesh.corners, corners) << faces;
  }
  const std::string missing = "a face names a vertex that is not there";
  const std::string number = "a face has no number of a vertex";
  const std::string three = "a vertex has no three numbers";
  const std::pair<std::string, std::string> bad[] = {
      {"f 1 2 5", missing},  {"f 0 1 2", missing},  {"f -5 1 2", missing},
      {"f 1.5 2 3", number}, {"f 1 2 x", number},   {"f 1 2 /3", number},
      {"v 1 2", three},      {"v 1 2 1e39", three}, {"v 1 2 z", three}};
  for (const auto& [line, what] : bad) {
    EXPECT_EQ(read_mesh("m.obj", points + line).said, "'m.obj' is broken: in line 7 " + what + ".")
        << line;
  }
  EXPECT_EQ(read_mesh("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").said,
            "'m.obj' holds no solid.");
  EXPECT_EQ(read_mesh("m.obj", "").said, "'m.obj' holds no solid.");
  EXPECT_EQ(read_mesh("m.dae", points).said,
            "'m.dae' is neither .obj nor .stl; what has this mesh is left out.");
}

TEST(ImportRobot, RefusesStlFilesThatAreCutOff) {
  std::string binary(84 + 4 * 50, '\0');
  binary[80] = 4;
  const float corners[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                               {0, 0, 0, 1, 0, 0, 0, 0, 1},
                               {0, 0, 0, 0, 0, 1, 0, 1, 0},
                               {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    std::memcpy(binary.data() + 84 + 50 * i + 12, corners[i], sizeof corners[i]);
  }
  const MeshFile whole = read_mesh("m.stl", binary + "more");
  EXPECT_EQ(whole.said, "");
  EXPECT_EQ(whole.points, 4U);
  EXPECT_EQ(whole.corners, (std::vector<std::int32_t>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
  EXPECT_EQ(read_mesh("m.stl", binary.substr(0, binary.size() - 1)).said,
            "'m.stl' is broken: it ends before its triangles do.");
  EXPECT_EQ(read_mesh("m.stl", binary.substr(0, 83)).said, "'m.stl' is broken: it is too short.");
  EXPECT_EQ(read_mesh("m.stl", binary.substr(0, 84)).said,
            "'m.stl' is broken: it ends before its triangles do.");
  const float odd = std::nanf("");
  std::memcpy(binary.data() + 84 + 150 + 12 + 32, &odd, sizeof odd);
  EXPECT_EQ(read_mesh("m.stl", binary).said, "'m.stl' is broken: a point is not finite.");
  EXPECT_EQ(read_mesh("m.stl", "solid s\nfacet\nouter loop\nvertex 1 2\n").said,
            "'m.stl' is broken: in line 4 a vertex has no three numbers.");
}

TEST(ImportRobot, SaysWhyAMeshCannotBeRead) {
  stage::MemoryResolver resolver;
  const std::string bytes =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n#" + std::string(300, ' ');
  resolver.add("m.OBJ", bytes);
  ImportRobotOptions options;
  options.resolver = &resolver;
  const auto said = [&](const std::string& file) {
    std::string messages;
    const RobotModel robot =
        RobotModel(mjcf("<asset><mesh name='m' file='" + file +
                        "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"),
                   options);
    for (const Diagnostic& diagnostic : robot.said) messages += diagnostic.message;
    return messages;
  };
  EXPECT_EQ(said("m.OBJ"), "");
  EXPECT_EQ(said("n.obj"), "'n.obj' is not found; what has this mesh is left out.");
  options.limits.file_bytes = bytes.size() - 1;
  EXPECT_EQ(said("m.OBJ"), "'m.OBJ': " + resolver.read("m.OBJ", bytes.size() - 1).error().message);
}

TEST(ImportRobot, HoldsARobotByItsBaseOrNot) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  const std::string shape = "<geometry><sphere radius='1'/></geometry>";
  const std::string urdf = "<robot name='r'><link name='a'>" + inertial + "<visual>" + shape +
                           "</visual><collision>" + shape + "</collision></link></robot>";
  ImportRobotOptions options;
  EXPECT_EQ(RobotModel(urdf, options).model.joints.size(), 0U);
  EXPECT_EQ(RobotModel(urdf, options).result.counts.visuals, 1U);
  options.base = exporter::RobotBase::fixed;
  options.visuals = false;
  const RobotModel fixed(urdf, options);
  ASSERT_EQ(fixed.model.joints.size(), 1U);
  EXPECT_EQ(fixed.model.joints[0].type(), physics::ObjectType::fixed_joint);
  EXPECT_EQ(fixed.model.joints[0].ends[0].body, physics::kNone);
  EXPECT_EQ(fixed.result.counts.visuals, 0U);
  EXPECT_EQ(fixed.result.counts.colliders, 1U);
}

TEST(ImportRobot, IsNamedAsAskedElseAsItIsCalledElseAsItsFile) {
  struct Case {
    std::string called, file, asked, name;
  };
  const Case cases[] = {{"one", "deep/two.x.xml", "three", "three"},
                        {"one", "deep/two.x.xml", "", "one"},
                        {"deep/er/one", "deep/two.x.xml", "", "one"},
                        {"deep/", "deep/two.x.xml", "", "two_x"},
                        {"", "deep/two.xml", "", "two"},
                        {"", "two", "", "two"},
                        {"", "", "", "Robot"}};
  for (const Case& one : cases) {
    ImportRobotOptions options;
    options.file = one.file;
    options.prim_name = one.asked;
    const std::string model = one.called.empty() ? "" : " model='" + one.called + "'";
    const std::string name = one.called.empty() ? "" : " name='" + one.called + "'";
    for (const std::string& xml :
         {"<mujoco" + model + "><worldbody><geom size='1'/></worldbody></mujoco>",
          "<robot" + name + "><link name='a'><inertial><mass value='1'/>" +
              "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>"}) {
      const RobotModel robot(xml, options);
      EXPECT_THAT(robot.text, HasSubstr("defaultPrim = \"" + one.name + "\"\n")) << xml;
      EXPECT_THAT(robot.text, HasSubstr("\ndef Xform \"" + one.name + "\"")) << xml;
    }
  }
}

TEST(ImportRobot, PassesOverTextBetweenElements) {
  const RobotModel robot = RobotModel(
      "<mujoco>one<worldbody> two <!-- <body/> --><body>three<freejoint/><geom size='1'/>four"
      "</body>five</worldbody>six</mujoco>");
  EXPECT_EQ(test::lines_of(robot.said), "");
  EXPECT_EQ(robot.model.rigid_bodies.size(), 1U);
  EXPECT_EQ(robot.model.shapes.size(), 1U);
}

// --- Faults

struct Fault {
  std::string text;
  std::string said;  ///< Part of a line.
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.said;
}

class RobotFault : public ::testing::TestWithParam<Fault> {};

TEST_P(RobotFault, IsToldWithItsPlace) {
  ImportRobotOptions options;
  options.file = "r.xml";
  options.elements = 2000;
  options.nesting = 500;
  Diagnostics said;
  const Bytes bytes{std::string(GetParam().text)};
  const auto made = exporter::robot_format(GetParam().text) == RobotFormat::urdf
                        ? exporter::import_urdf(bytes, options, said)
                        : exporter::import_mjcf(bytes, options, said);
  EXPECT_THAT(test::lines_of(said), HasSubstr(GetParam().said));
  if (!made) {
    EXPECT_EQ(said.back().message, made.error().message);
    EXPECT_EQ(said.back().line, made.error().line);
    EXPECT_EQ(said.back().column, made.error().column);
    return;
  }
  // What is left is sound.
  Diagnostics found;
  stage::MemoryResolver resolver;
  resolver.add("r.usda", usda::write(*made->layer));
  stage::OpenOptions open;
  open.resolver = &resolver;
  const auto stage = stage::Stage::open("r.usda", found, open);
  ASSERT_TRUE(stage);
  physics::check_physics(**stage, found);
  EXPECT_EQ(test::lines_of(found), "");
}

const std::string kHinge = "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>";

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

const std::string kLink =
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "\n<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "</link>\n";

INSTANTIATE_TEST_SUITE_P(
    Mjcf, RobotFault,
    ::testing::Values(
        Fault{"<mujoco>\n  <worldbody>\n</mujoco>", "r.xml:3:3: error: The file is not XML"},
        Fault{"no xml", "error: The file is not XML"},
        Fault{"<mjcf/>", "r.xml:1:1: error: The file begins with <mjcf>"},
        Fault{"<mujoco/><mujoco/>", "r.xml:1:11: error: The file is not XML: it has two"},
        Fault{std::string("<mujoco>\n\0</mujoco>", 19), "r.xml:2:1: error: The file is no text"},
        Fault{world(repeated("<body>", 600) + repeated("</body>", 600)),
              "Elements are nested deeper than 500"},
        Fault{world(repeated("<geom size='1'/>", 3000)), "more elements"},
        Fault{"<!DOCTYPE m [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>\n<mujoco model='&b;'/>", ""},
        Fault{world("\n<geom size='nan'/>"), "r.xml:3:7: error: 'size' of <geom> holds a number"},
        Fault{world("\n<geom size='1' pos='1 2'/>"),
              "r.xml:3:16: error: 'pos' of <geom> has 2 numbers and takes 3"},
        Fault{world("\n<geom size='1' pos='1 2 1e999'/>"), "r.xml:3:16: error: 'pos' of <geom>"},
        Fault{world("\n<geom type='box' size='1 1'/>"), "r.xml:3:1: error: A box needs sizes"},
        Fault{world("\n<geom type='hfield'/>"), "r.xml:3:1: error: There is nothing for a geom"},
        Fault{world("<body name='a'/>\n<body name='a'/>"),
              "r.xml:3:7: error: There are two bodies 'a'"},
        Fault{world("<body>\n<joint axis='0 0 0'/></body>"),
              "r.xml:3:8: error: 'axis' of <joint> gives no direction"},
        Fault{world("<body>\n<joint range='2 1'/><geom size='1'/></body>"),
              "r.xml:3:8: error: The range of a joint is 2 to 1"},
        Fault{world("<body>\n<joint/></body>"), "r.xml:2:12: warning: '' moves and has no mass"},
        Fault{world("\n<joint/>"), "r.xml:3:1: error: The world has no joints"},
        Fault{mjcf("<contact>\n<exclude body1='x' body2='y'/></contact>"),
              "r.xml:3:10: error: There is no body 'x'"},
        Fault{mjcf("<asset>\n<mesh name='m' file='no.obj'/></asset><worldbody>"
                   "<geom type='mesh' mesh='m'/></worldbody>"),
              "r.xml:3:1: error: Nothing reads 'no.obj'"},
        Fault{mjcf("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 9'/></asset>"
                   "<worldbody><geom type='mesh' mesh='m'/></worldbody>"),
              "has a face with no such point"},
        Fault{world("<geom size='1' fluidcoef='1 1'/>\n<geom size='1' fluidcoef='1 1'/><light/>"),
              "r.xml:2:27: warning: 'fluidcoef' of <geom> is not read (2 of them"},
        Fault{mjcf("<sensor><clock/></sensor>"), "r.xml:2:1: warning: <sensor> is not read."},
        Fault{mjcf("<actuator>\n<cylinder joint='j'/></actuator>"),
              "r.xml:3:1: error: There is nothing for a <cylinder>"},
        Fault{mjcf(kHinge + "<actuator>\n<general name='g' joint='j' dyntype='wave'/></actuator>"),
              "r.xml:3:1: error: The actuator 'g' has an activation of its own kind; it is left "
              "out."},
        Fault{mjcf(kHinge + "<actuator>\n<general name='g' joint='j' gaintype='wave'/></actuator>"),
              "r.xml:3:1: error: The actuator 'g' has a gain that is not affine; it is left out."},
        Fault{mjcf(kHinge + "<actuator>\n<general name='g' joint='j' biastype='wave'/></actuator>"),
              "r.xml:3:1: error: The actuator 'g' has a bias that is not affine; it is left out."},
        Fault{mjcf(kHinge + "<actuator>\n<motor joint='j' ctrllimited='true' ctrlrange='2 1'/>"
                            "</actuator>"),
              "r.xml:3:37: error: 'ctrlrange' of an actuator is 2 to 1; it is passed over."},
        Fault{mjcf(kHinge + "<actuator>\n<motor joint='j' forcelimited='true' forcerange='1 1'/>"
                            "</actuator>"),
              "r.xml:3:38: error: 'forcerange' of an actuator is 1 to 1; it is passed over."},
        Fault{world("\n<site type='mesh'/>"), "r.xml:3:1: error: A site needs a type with sizes"},
        Fault{world("\n<site type='box' size='1 0 1'/>"), "r.xml:3:1: error: A site needs a type"},
        Fault{world("\n<include/>"), "r.xml:3:1: error: An <include> names no file."},
        Fault{world("\n<include file='leg.xml'/>"),
              "r.xml:3:1: error: Nothing reads 'leg.xml'; it is left out."},
        Fault{world("<body><geom size='0.1'/><joint/>\n<joint type='ball' pos='1 0 0'/></body>"),
              "r.xml:3:1: error: A ball joint among others has no counterpart; it is left out."},
        Fault{mjcf("<default><default>\n</default></default>"),
              "r.xml:2:10: error: A <default> inside another one needs a class"},
        Fault{mjcf("<equality>\n<joint joint1='a' joint2='b'/></equality>"),
              "r.xml:3:8: error: There is no joint 'a'"},
        Fault{mjcf("<equality>\n<weld body1='x'/></equality>"),
              "r.xml:3:7: error: There is no body 'x'; the <weld> is left out."},
        Fault{mjcf("<equality>\n<connect anchor='0 0 0'/></equality>"),
              "r.xml:3:1: error: A <connect> names no body; it is left out."},
        Fault{mjcf("<equality>\n<weld body1='world'/></equality>"),
              "r.xml:3:1: error: A <weld> names one body twice; it is left out."},
        Fault{mjcf("<compiler\ncoordinate='global'/>"),
              "r.xml:3:1: error: Only coordinates that are local are read"},
        Fault{mjcf("<compiler\neulerseq='xyw'/>"),
              "r.xml:3:1: error: 'eulerseq' is \"xyw\", not three of x, y and z."},
        Fault{mjcf(kHinge + "<actuator>\n<motor name='m'/></actuator>"),
              "r.xml:3:1: error: The actuator 'm' drives no joint; it is left out."},
        Fault{mjcf(kHinge + "<actuator>\n<motor name='m' joint='j' gear='1 0 0 2'/></actuator>"),
              "r.xml:3:1: error: The actuator 'm' has a gear of more than one number"},
        Fault{mjcf("<asset>\n<mesh name='m'/></asset><worldbody><geom type='mesh' mesh='m'/>"
                   "</worldbody>"),
              "r.xml:3:1: error: Mesh 'm' has neither a file nor vertices"},
        Fault{mjcf("<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 3'/>"
                   "</asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"),
              "r.xml:3:1: error: Mesh 'm' has faces that are no triangles"},
        Fault{mjcf("<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 -1'/>"
                   "</asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"),
              "r.xml:3:1: error: Mesh 'm' has a face with no such point"},
        Fault{mjcf("<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 5'/>"
                   "</asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"),
              "r.xml:3:1: error: Mesh 'm' has no points"},
        Fault{world("<body>\n<body mocap='true'/></body>"),
              "r.xml:3:7: error: A mocap body must lie in the world"}));

INSTANTIATE_TEST_SUITE_P(
    Urdf, RobotFault,
    ::testing::Values(
        Fault{
            "<robot>\n" + kLink +
                "<joint name='x' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                "<joint name='y' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
            "r.xml:2:1: error: The link 'a' hangs on itself by a cycle"},
        Fault{
            "<robot>\n" + kLink +
                "<joint name='x' type='fixed'><parent link='a'/><child link='a'/></joint></robot>",
            "r.xml:4:1: error: The joint 'x' holds a link by itself"},
        Fault{
            "<robot>\n" + kLink +
                "<joint name='x' type='hinge'><parent link='a'/><child link='b'/></joint></robot>",
            "r.xml:4:1: error: There is no type of joint 'hinge'"},
        Fault{"<robot>\n" + kLink +
                  "<joint name='x' type='fixed'><parent link='a'/>\n<child "
                  "link='c'/></joint></robot>",
              "r.xml:5:1: error: The joint 'x' has no child link 'c'"},
        Fault{"<robot>\n" + kLink + kLink + "</robot>",
              "r.xml:4:1: error: There are two links 'a'"},
        Fault{"<robot>\n<link name='a'><collision><geometry><cone/></geometry></collision></link>"
              "</robot>",
              "r.xml:2:37: error: There is nothing for a <cone>"},
        Fault{"<robot>\n" + kLink +
                  "<joint name='x' type='continuous'><parent link='a'/><child link='b'/>"
                  "<mimic joint='z'/></joint><transmission/></robot>",
              "error: There is no joint 'z' to follow"},
        Fault{"<robot>\n<gazebo/><link name='a'/></robot>",
              "r.xml:2:1: warning: <gazebo> is not"}));

TEST(ImportRobot, IsQuickWithTenThousandBodiesInAChain) {
  const int count = 10000;
  const std::string body = "<body pos='0 0 1'><joint/><geom size='0.1'/>";
  const RobotModel robot = RobotModel(world(repeated(body, count) + repeated("</body>", count)));
  EXPECT_EQ(robot.model.rigid_bodies.size(), 10000U);
  EXPECT_NEAR(robot.model.rigid_bodies.back().pose.position.z(), 10000.0F, 0.1F);
}

}  // namespace
}  // namespace sinew::import_robot_test
