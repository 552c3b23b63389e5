// SPDX-License-Identifier: Apache-2.0
// What the writers for engines make of single features, mostly of what vendors say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::exporter::engines_details_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Write = EngineFile (*)(const physics::PhysicsModel&, const EngineOptions&, Diagnostics&);

struct Written {
  std::string text;
  std::string codes;
  std::vector<std::string> features;  // What is told of those that are left out.
};

Written write(const std::string& prims, Write writer = write_mjcf) {
  Diagnostics reading;
  const std::string text = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n" + prims;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, reading);
  Written result;
  if (!stage) {
    ADD_FAILURE() << text;
    return result;
  }
  physics::ReadOptions options;
  options.dialects = physics::all_dialects();
  Diagnostics diagnostics;
  result.text = writer(physics::read_physics(*stage, reading, options), {}, diagnostics).text;
  result.codes = test::codes_of(diagnostics);
  for (const Diagnostic& d : diagnostics) {
    if (d.code == "engine-feature-dropped") result.features.push_back(d.path + ": " + d.message);
  }
  return result;
}

const std::string kScene = "def PhysicsScene \"S\" {}\n";

std::string ball(const std::string& name) {
  return "def Sphere \"" + name +
         "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\ndouble radius = "
         "0.1\n}\n";
}

std::string joint(const std::string& type, const std::string& name, const std::string& apis,
                  const std::string& more) {
  return "def Physics" + type + "Joint \"" + name + "\" (apiSchemas = [" + apis + "]) {\n" + more +
         "\n}\n";
}

const std::string kToA = "rel physics:body1 = </a>\n";
const std::string kToB = "rel physics:body1 = </b>\n";
const std::string kDrive =
    "float drive:angular:physics:stiffness = 10\nfloat drive:angular:physics:targetPosition = 90\n";
const std::string kDriven = "\"PhysicsDriveAPI:angular\"";

TEST(EngineDetails, AJointHasWhatIsSaidOfItAsAWholeBesidesWhatIsSaidOfItsAxis) {
  std::string locked;
  std::string apis = "\"PhysicsJointStateAPI:rotZ\", \"PhysxJointAPI\"";
  for (const std::string axis : {"transX", "transY", "transZ", "rotX", "rotY"}) {
    apis += ", \"PhysicsLimitAPI:" + axis + "\"";
    locked +=
        "float limit:" + axis + ":physics:low = 1\nfloat limit:" + axis + ":physics:high = -1\n";
  }
  const std::string text =
      kScene + ball("a") +
      joint("", "j", apis,
            kToA + locked +
                "float physxJoint:armature = 0.5\nfloat physxJoint:maxJointVelocity = 90\n"
                "float state:rotZ:physics:position = 0\n");
  EXPECT_THAT(write(text).text, HasSubstr("armature=\"0.5\""));
  EXPECT_THAT(write(text, write_urdf).text, HasSubstr("velocity=\"1.57079"));
}

TEST(EngineDetails, AJointStandsWhereEqualLimitsLockItInEveryFormat) {
  const std::string hinge = joint("Revolute", "j", "",
                                  kToA +
                                      "float physics:lowerLimit = 90\n"
                                      "float physics:upperLimit = 90\n");
  const std::string turned =
      "def Sphere \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
      "double xformOp:rotateX = 90\n"
      "uniform token[] xformOpOrder = [\"xformOp:rotateX\"]\n}\n";
  for (const Write writer : {&write_mjcf, &write_urdf}) {
    EXPECT_THAT(write(kScene + turned + hinge, writer).codes, Not(HasSubstr("engine-joint-apart")));
    EXPECT_THAT(write(kScene + ball("a") + hinge, writer).codes,
                HasSubstr("engine-joint-apart /j"));
  }
}

TEST(EngineDetails, AWeldHoldsItsBodyWhereEqualLimitsLockIt) {
  const std::string text = write(kScene + ball("a") +
                                 joint("Prismatic", "j", "",
                                       kToA + "float physics:lowerLimit = 0.5\n"
                                              "float physics:upperLimit = 0.5\n"
                                              "bool physics:excludeFromArticulation = 1\n") +
                                 joint("Fixed", "f", "", kToA))
                               .text;
  EXPECT_THAT(text, HasSubstr("<weld name=\"/j\" body1=\"/a\" relpose=\"-0.5 0 0 1 0 0 0\"/>"));
}

TEST(EngineDetails, ConstraintsHaveTheNumbersOfTheSolver) {
  const std::string text =
      write(kScene + ball("a") +
            joint("Revolute", "j", "\"MjcJointAPI\"",
                  kToA + "float physics:lowerLimit = -90\nfloat physics:upperLimit = 90\n"
                         "uniform double[] mjc:solreflimit = [0.01, 0.8]\n"
                         "uniform double[] mjc:solimplimit = [0.9, 0.95]\n") +
            joint("Fixed", "w", "\"MjcEqualityWeldAPI\"",
                  kToA + "uniform double mjc:torqueScale = 0.5\n"
                         "uniform double[] mjc:solref = [0.02, 1]\n"))
          .text;
  EXPECT_THAT(text, HasSubstr(" solreflimit=\"0.01 0.8\" solimplimit=\"0.9 0.95\"/>"));
  EXPECT_THAT(text, HasSubstr("<weld name=\"/w\" body1=\"/a\" torquescale=\"0.5\" "
                              "solref=\"0.02 1\"/>"));
}

TEST(EngineDetails, AStackStartsInTheStateOfEachOfItsJoints) {
  const auto hinge = [](const std::string& name, const std::string& axis,
                        const std::string& state) {
    return joint("Revolute", name, "\"PhysicsJointStateAPI:angular\", \"MjcJointAPI\"",
                 "rel physics:body0 = </b>\n" + kToA + "uniform token physics:axis = \"" + axis +
                     "\"\n" + state);
  };
  const Written written = write(kScene + ball("a") + ball("b") + joint("Fixed", "f", "", kToB) +
                                hinge("j", "X", "float state:angular:physics:position = 90\n") +
                                hinge("k", "Y", "float state:angular:physics:velocity = 180\n"));
  EXPECT_THAT(written.text, HasSubstr("qpos=\"1.5707963705062866 0\" qvel=\"0 3.14159"));
  EXPECT_THAT(written.codes, HasSubstr("engine-state-differs /j"));
  EXPECT_THAT(written.codes, Not(HasSubstr("engine-state-differs /k")));
}

TEST(EngineDetails, AUrdfTellsThatItHoldsNoFiltersOfArticulations) {
  const std::string root = "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n";
  const auto codes = [&](const std::string& said) {
    return write(kScene + root + said + ball("a") + "}\n", write_urdf).codes;
  };
  EXPECT_THAT(codes("bool physxArticulation:enabledSelfCollisions = 0\n"),
              HasSubstr("engine-filter-dropped"));
  EXPECT_THAT(codes("bool physxArticulation:enabledSelfCollisions = 1\n"),
              Not(HasSubstr("engine-filter-dropped")));
}

TEST(EngineDetails, AUrdfTellsOfEachKindOfThingThatItHasNoPlaceFor) {
  struct Lost {
    const char* said;
    std::string prims;
  };
  const auto hinge = [](const std::string& more) {
    return ball("a") + joint("Revolute", "j", "\"MjcJointAPI\"", kToA + more);
  };
  const Lost all[] = {
      {"/S: The file holds no gravity: that of the stage is (0, 0, -3) m/s2.",
       "def PhysicsScene \"S\" {\nfloat physics:gravityMagnitude = 3\n}\n"},
      {"/S: The file holds no time step.",
       "def PhysicsScene \"S\" {\ndouble mjc:option:timestep = 0.01\n}\n"},
      {"/m: The file holds no friction of materials.",
       kScene + "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {\n"
                "float physics:dynamicFriction = 0.2\n}\n"},
      {"/j: The file holds no inertia of motors.", kScene + hinge("double mjc:armature = 0.5")},
      {"/j: The file holds no springs.", kScene + hinge("double mjc:stiffness = 7")},
      {"/j: The file holds no numbers of MuJoCo's solver.",
       kScene + hinge("double[] mjc:solreflimit = [0.01, 0.8]")},
      {"/s: The file holds nothing of what a vendor says of contacts.",
       kScene + "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                "int mjc:condim = 4\n}\n"},
      {"/m: The file holds no actuators.",
       kScene + hinge("") + "def MjcActuator \"m\" {\nrel mjc:target = </j>\n}\n"},
  };
  for (const Lost& lost : all) {
    EXPECT_THAT(write(lost.prims, write_urdf).features, ::testing::ElementsAre(lost.said))
        << lost.prims;
  }
  EXPECT_THAT(write(kScene + hinge(""), write_urdf).features, ::testing::IsEmpty());
}

TEST(EngineDetails, AnActuatorTakesThePlaceOfADriveOnlyWhereItIsWritten) {
  const std::string driven = kScene + ball("a") + joint("Revolute", "j", kDriven, kToA + kDrive);
  const std::string drive = "<general name=\"/j\" joint=\"/j\"";
  EXPECT_THAT(write(driven).text, HasSubstr(drive));
  const std::string actuator = "def MjcActuator \"m\" {\nrel mjc:target = </j>\n";
  const Written plain = write(driven + actuator + "}\n");
  EXPECT_THAT(plain.text, Not(HasSubstr(drive)));
  EXPECT_THAT(plain.text, HasSubstr("<general name=\"/m\" joint=\"/j\""));
  const Written other = write(driven + actuator + "uniform token mjc:dynType = \"plugin\"\n}\n");
  EXPECT_THAT(other.text, HasSubstr(drive));
  EXPECT_THAT(other.text, Not(HasSubstr("\"/m\"")));
}

// force = 2 (5 c - 5 * 2 q): at rest in a quarter turn if c is half a turn.
TEST(EngineDetails, TheKeyframeHoldsTheControlThatServosPullWith) {
  const Written written =
      write(kScene + ball("a") + joint("Revolute", "j", kDriven, kToA + kDrive) +
            "def MjcActuator \"m\" {\nrel mjc:target = </j>\ndouble[] mjc:gainPrm = [5]\n"
            "double[] mjc:biasPrm = [0, -5, 0]\nuniform token mjc:biasType = \"affine\"\n"
            "double[] mjc:gear = [2]\n}\n");
  EXPECT_THAT(written.text, HasSubstr("ctrl=\"3.14159"));
}

TEST(EngineDetails, ActuatorsKeepTheirActivationsAndGains) {
  const auto written = [](const std::string& said) {
    return write(kScene + ball("a") + joint("Revolute", "j", kDriven, kToA + kDrive) +
                 "def MjcActuator \"m\" {\nrel mjc:target = </j>\n"
                 "double[] mjc:gainPrm = [5, -1, -2]\ndouble[] mjc:biasPrm = [0, -5, 0]\n"
                 "uniform token mjc:biasType = \"affine\"\ndouble[] mjc:dynPrm = [0.5]\n"
                 "double mjc:actRange:min = -1\ndouble mjc:actRange:max = 2\n" +
                 said + "\n}\n")
        .text;
  };
  const std::string plain = written("");
  EXPECT_THAT(plain, Not(HasSubstr("dyntype")));
  EXPECT_THAT(plain, Not(HasSubstr("actrange")));
  EXPECT_THAT(plain, HasSubstr("gainprm=\"5\" biastype"));
  EXPECT_THAT(plain, HasSubstr("ctrl=\"1.5707"));
  const std::string filter =
      written("uniform token mjc:dynType = \"filterexact\"\nuniform bool mjc:actEarly = 1");
  EXPECT_THAT(filter, HasSubstr("dyntype=\"filterexact\" dynprm=\"0.5\" actlimited=\"true\" "
                                "actrange=\"-1 2\" actearly=\"true\""));
  EXPECT_THAT(filter, HasSubstr("ctrl=\"1.5707"));  // Where a filter comes to rest.
  // As a speed of the target it would run away.
  EXPECT_THAT(written("uniform token mjc:dynType = \"integrator\""), Not(HasSubstr("ctrl=\"1.57")));
  // Behind those without one, as the engine wants it, with their controls.
  const std::string two = write(kScene + ball("a") + joint("Revolute", "j", kDriven, kToA) +
                                "def MjcActuator \"slow\" {\nrel mjc:target = </j>\n"
                                "uniform token mjc:dynType = \"filter\"\n}\n"
                                "def MjcActuator \"direct\" {\nrel mjc:target = </j>\n}\n"
                                "def MjcKeyframe \"start\" {\ndouble[] mjc:ctrl = [1, 2]\n}\n")
                              .text;
  EXPECT_LT(two.find("\"/direct\""), two.find("\"/slow\""));
  EXPECT_THAT(two, HasSubstr("ctrl=\"2 1\""));
  const std::string affine = written("uniform token mjc:gainType = \"affine\"");
  EXPECT_THAT(affine, HasSubstr("gaintype=\"affine\" gainprm=\"5 -1 -2\""));
  EXPECT_THAT(affine, Not(HasSubstr("ctrl=\"1.57")));
}

TEST(EngineDetails, MusclesAreWrittenInTheirOwnWords) {
  const auto muscle = [](const std::string& name, const std::string& said) {
    return "def MjcActuator \"" + name + "\" {\nrel mjc:target = </j>\n" + said + "\n}\n";
  };
  const std::string text =
      write(kScene + ball("a") + joint("Revolute", "j", kDriven, kToA + kDrive) +
            muscle("m",
                   "uniform token mjc:gainType = \"muscle\"\ndouble[] mjc:gainPrm = [0.75, 1.05]\n"
                   "uniform token mjc:dynType = \"muscle\"\ndouble[] mjc:dynPrm = [0.02, 0.06]\n"
                   "double mjc:lengthRange:min = -1\ndouble mjc:lengthRange:max = 2") +
            muscle("direct", "") + muscle("slow", "uniform token mjc:dynType = \"filter\"") +
            "def MjcKeyframe \"start\" {\ndouble[] mjc:act = [0.25, 0.5]\n}\n")
          .text;
  EXPECT_THAT(text, HasSubstr("gear=\"1\" gaintype=\"muscle\" gainprm=\"0.75 1.05\" "
                              "biastype=\"none\" dyntype=\"muscle\" dynprm=\"0.02 0.06\" "
                              "lengthrange=\"-1 2\"/>"));
  EXPECT_LT(text.find("\"/direct\""), text.find("\"/m\""));
  EXPECT_THAT(text, HasSubstr("act=\"0.25 0.5\" ctrl=\"0 0 0\""));
}

TEST(EngineDetails, AnEqualityOfJointsIsAJointThatFollows) {
  const Written written =
      write(kScene + ball("a") + ball("b") + joint("Revolute", "l", "", kToA) +
            joint("Revolute", "f", "\"MjcJointAPI\", \"MjcEqualityJointAPI\"",
                  kToB + "rel newton:mimicJoint = </l>\ndouble mjc:coef1 = 2\n"));
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/f\" type=\"hinge\""));
  EXPECT_THAT(written.text, HasSubstr("joint1=\"/f\" joint2=\"/l\" polycoef=\"0 2 0 0 0\""));
  EXPECT_THAT(written.text, Not(HasSubstr("freejoint")));
}

TEST(EngineDetails, AJointThatFollowsAndClosesALoopIsWrittenAndTold) {
  const Written written = write(kScene + ball("a") + ball("b") + joint("Revolute", "l", "", kToA) +
                                joint("Revolute", "m", "", "rel physics:body0 = </a>\n" + kToB) +
                                joint("Revolute", "f", "\"NewtonMimicAPI\"",
                                      kToB + "rel newton:mimicJoint = </l>\n"
                                             "uniform bool physics:excludeFromArticulation = 1\n"));
  EXPECT_THAT(written.text, HasSubstr("<connect name=\"/f#0\""));
  EXPECT_THAT(written.codes, HasSubstr("engine-feature-dropped /f;"));
}

TEST(EngineDetails, AJointFollowsOnlyWhatIsInTheFile) {
  const auto written = [](const std::string& leader) {
    return write(
        kScene + ball("a") + ball("b") + joint(leader, "l", "", kToA) +
            joint("Revolute", "f", "\"NewtonMimicAPI\"", kToB + "rel newton:mimicJoint = </l>\n"),
        write_urdf);
  };
  EXPECT_THAT(written("Revolute").text, HasSubstr("<mimic joint=\"/l\""));
  EXPECT_THAT(written("Spherical").text, Not(HasSubstr("<mimic")));
  EXPECT_THAT(written("Spherical").codes, HasSubstr("engine-feature-dropped /f;"));
}

TEST(EngineDetails, AnAuthoredTimeStepIsKept) {
  EXPECT_THAT(write(kScene + ball("a")).text, HasSubstr("timestep=\"0.002\""));
  EXPECT_THAT(
      write("def PhysicsScene \"S\" {\nfloat mjc:option:timestep = 0.25\n}\n" + ball("a")).text,
      HasSubstr("timestep=\"0.25\""));
}

TEST(EngineDetails, ABodyHasSixFreedomsAtMost) {
  std::string text = kScene + ball("a");
  for (const char* const name : {"j1", "j2", "j3", "j4", "j5", "j6", "j7"}) {
    text += joint("Revolute", name, "\"MjcJointAPI\"", kToA);
  }
  const Written written = write(text);
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j6\""));
  EXPECT_THAT(written.text, Not(HasSubstr("<joint name=\"/j7\"")));
  EXPECT_THAT(written.codes, HasSubstr("engine-joint-unsupported /j7;"));
}

TEST(EngineDetails, CollidersWithoutASizeAreLeftOutOfEveryFormat) {
  const std::string mesh =
      "uniform token physics:approximation = \"boundingSphere\"\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(1, 0, 0), (1, 0, 0), (1, 0, 0)]";
  const std::pair<const char*, std::string> empty[] = {{"Sphere", "double radius = 0"},
                                                       {"Sphere", "double radius = nan"},
                                                       {"Cylinder", "double height = 0"},
                                                       {"Cube", "double size = 0"},
                                                       {"Mesh", mesh}};
  for (const auto& [type, content] : empty) {
    const std::string text = kScene + "def " + type +
                             " \"c\" (apiSchemas = [\"PhysicsCollisionAPI\", "
                             "\"PhysicsMeshCollisionAPI\"]) {\n" +
                             content + "\n}\n";
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      const Written written = write(text, writer);
      EXPECT_THAT(written.codes, HasSubstr("engine-shape-unsupported /c;")) << content;
      EXPECT_THAT(written.text, Not(HasSubstr("\"/c\""))) << content;
    }
  }
  // A capsule without a height is a ball.
  const Written capsule = write(kScene +
                                    "def Capsule \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                                    "double height = 0\n}\n",
                                write_urdf);
  EXPECT_THAT(capsule.text, HasSubstr("<sphere"));
  EXPECT_THAT(capsule.text, Not(HasSubstr("<cylinder")));
}

TEST(EngineDetails, AStartThatADialectGivesIsToldWhereItCannotBeWritten) {
  const std::string text = kScene + ball("a") +
                           joint("Revolute", "j", "\"PhysicsJointStateAPI:angular\"",
                                 kToA + "float state:angular:physics:position = 30\n");
  EXPECT_THAT(write(text, write_urdf).codes, HasSubstr("engine-start-dropped /j;"));
}

TEST(EngineDetails, ARobotHasTheNameThatIsAskedFor) {
  Diagnostics unused;
  EngineOptions options;
  EXPECT_THAT(write_urdf({}, options, unused).text, HasSubstr("<robot name=\"robot\">"));
  options.robot_name = "a&b";
  EXPECT_THAT(write_urdf({}, options, unused).text, HasSubstr("<robot name=\"a&amp;b\">"));
}

// A joint to a base that animation moves is a joint like any other, not a tie.
TEST(EngineDetails, AKinematicBaseHoldsItsMechanism) {
  std::string base = ball("a");
  base.insert(base.rfind('}'), "bool physics:kinematicEnabled = 1\n");
  const std::string text =
      kScene + "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + base +
      ball("b") +
      joint("Revolute", "j", "", "rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>") + "}\n";
  const Written mjcf = write(text);
  EXPECT_THAT(mjcf.text, HasSubstr("mocap=\"true\""));
  EXPECT_THAT(mjcf.text, HasSubstr("<joint name=\"/r/j\" type=\"hinge\""));
  EXPECT_THAT(mjcf.text, Not(HasSubstr("<equality>")));
  EXPECT_THAT(mjcf.text, Not(HasSubstr("<freejoint")));
  const Written urdf = write(text, write_urdf);
  EXPECT_THAT(urdf.text, HasSubstr("<joint name=\"/r/j\" type=\"continuous\""));
  EXPECT_THAT(urdf.codes, Not(HasSubstr("engine-loop-unsupported")));
  EXPECT_THAT(urdf.codes, HasSubstr("engine-feature-dropped"));  // The base stands still there.
}

// A few pairs of bodies are excluded one by one; a group of many has masks.
TEST(EngineDetails, AGroupThatKeepsApartIsAFileOfLinearSize) {
  const auto group = [](int count) {
    std::string text =
        kScene +
        "def PhysicsCollisionGroup \"g\" (apiSchemas = [\"CollectionAPI:colliders\"]) {\n"
        "rel collection:colliders:includes = </w>\nrel physics:filteredGroups = </g>\n}\n"
        "def Xform \"w\" {\n";
    for (int i = 0; i < count; ++i) text += ball("b" + std::to_string(i));
    return write(text + "}\n").text;
  };
  EXPECT_THAT(group(3), HasSubstr("<exclude"));
  const std::string many = group(50);
  EXPECT_THAT(many, Not(HasSubstr("<exclude")));
  EXPECT_THAT(many, HasSubstr(" contype=\"1\" conaffinity=\"0\""));
  EXPECT_LT(group(200).size(), 5 * many.size());
}

}  // namespace
}  // namespace sinew::exporter::engines_details_test
