// SPDX-License-Identifier: Apache-2.0
// What the writers for engines make of single features, mostly of what vendors say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "export/engine_models.hpp"
#include "export/engines/urdf_writer.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::exporter::engines_details_test {
namespace {

using engine_models::joint;
using engine_models::kBetween;
using engine_models::kScene;
using engine_models::kToA;
using engine_models::kToB;
using engine_models::locking;
using engine_models::Write;
using ::testing::HasSubstr;
using ::testing::Not;

struct Written {
  std::string text;
  std::string codes;
  std::vector<std::string> features;  // What is told of those that are left out.
  std::vector<std::string> became;    // Of each prim, and why if not exactly that.
};

Written write(const std::string& prims, Write writer = write_mjcf,
              physics::ReadOptions options = {}) {
  Diagnostics reading;
  const std::string text = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n" + prims;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, reading);
  Written result;
  if (!stage) {
    ADD_FAILURE() << text;
    return result;
  }
  options.dialects = physics::all_dialects();
  Diagnostics diagnostics;
  const EngineFile file = writer(physics::read_physics(*stage, reading, options), {}, diagnostics);
  result.text = file.text;
  for (const EngineMapping& mapping : file.mapping) {
    EXPECT_EQ(mapping.is_exact, mapping.diagnostic.empty()) << mapping.path;
    result.became.push_back(mapping.path + ": " + mapping.became +
                            (mapping.is_exact ? "" : " by " + mapping.diagnostic));
  }
  result.codes = test::codes_of(diagnostics);
  for (const Diagnostic& d : diagnostics) {
    if (d.code == "engine-feature-dropped") result.features.push_back(d.path + ": " + d.message);
  }
  return result;
}

std::string ball(const std::string& name) {
  return "def Sphere \"" + name +
         "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\ndouble radius = "
         "0.1\n}\n";
}

const std::string kDrive =
    "float drive:angular:physics:stiffness = 10\nfloat drive:angular:physics:targetPosition = 90\n";
const std::string kDriven = "\"PhysicsDriveAPI:angular\"";

TEST(EngineDetails, AJointHasWhatIsSaidOfItAsAWholeBesidesWhatIsSaidOfItsAxis) {
  const std::string text =
      kScene + ball("a") +
      locking("j", kToA, {"transX", "transY", "transZ", "rotX", "rotY"},
              "float physxJoint:armature = 0.5\nfloat physxJoint:maxJointVelocity = 90\n"
              "float state:rotZ:physics:position = 0\n",
              "\"PhysicsJointStateAPI:rotZ\", \"PhysxJointAPI\"");
  EXPECT_THAT(write(text).text, HasSubstr("armature=\"0.5\""));
  EXPECT_THAT(write(text, write_urdf).text, HasSubstr("velocity=\"1.57079"));
}

TEST(EngineDetails, AUrdfHasALargeVelocityWhereNothingCapsIt) {
  const std::string rail = kScene + ball("a") + joint("Prismatic", "j", kToA);
  EXPECT_THAT(write(rail, write_urdf).text,
              HasSubstr("<limit effort=\"0\" velocity=\"1000000\" lower=\"-1000000\""));
  const std::string hinge = kScene + ball("a") + joint("Revolute", "j", kToA);
  EXPECT_THAT(write(hinge, write_urdf).text, HasSubstr("<limit effort=\"0\" velocity=\"1000\"/>"));
}

TEST(EngineDetails, ADriveWithoutForceHasNoActuator) {
  const auto written = [](const std::string& force) {
    return write(kScene + ball("a") + joint("Revolute", "j", kToA + kDrive + force, kDriven));
  };
  EXPECT_THAT(written("").text, HasSubstr("<general name=\"/j\""));
  const Written none = written("float drive:angular:physics:maxForce = 0\n");
  EXPECT_THAT(none.text, Not(HasSubstr("<general")));
  EXPECT_THAT(none.codes, HasSubstr("engine-drive-gains-dropped /j"));
}

TEST(EngineDetails, AJointStandsWhereEqualLimitsLockItInEveryFormat) {
  const std::string hinge = joint("Revolute", "j",
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
                                 joint("Prismatic", "j",
                                       kToA + "float physics:lowerLimit = 0.5\n"
                                              "float physics:upperLimit = 0.5\n"
                                              "bool physics:excludeFromArticulation = 1\n") +
                                 joint("Fixed", "f", kToA))
                               .text;
  EXPECT_THAT(text, HasSubstr("<weld name=\"/j\" body1=\"/a\" relpose=\"-0.5 0 0 1 0 0 0\"/>"));
}

TEST(EngineDetails, ConstraintsHaveTheNumbersOfTheSolver) {
  const std::string text =
      write(kScene + ball("a") +
            joint("Revolute", "j",
                  kToA + "float physics:lowerLimit = -90\nfloat physics:upperLimit = 90\n"
                         "uniform double[] mjc:solreflimit = [0.01, 0.8]\n"
                         "uniform double[] mjc:solimplimit = [0.9, 0.95]\n",
                  "\"MjcJointAPI\"") +
            joint("Fixed", "w",
                  kToA + "uniform double mjc:torqueScale = 0.5\n"
                         "uniform double[] mjc:solref = [0.02, 1]\n",
                  "\"MjcEqualityWeldAPI\""))
          .text;
  EXPECT_THAT(text, HasSubstr(" solreflimit=\"0.01 0.8\" solimplimit=\"0.9 0.95\"/>"));
  EXPECT_THAT(text, HasSubstr("<weld name=\"/w\" body1=\"/a\" torquescale=\"0.5\" "
                              "solref=\"0.02 1\"/>"));
}

TEST(EngineDetails, AStackStartsInTheStateOfEachOfItsJoints) {
  const auto hinge = [](const std::string& name, const std::string& axis,
                        const std::string& state) {
    return joint("Revolute", name,
                 "rel physics:body0 = </b>\n" + kToA + "uniform token physics:axis = \"" + axis +
                     "\"\n" + state,
                 "\"PhysicsJointStateAPI:angular\", \"MjcJointAPI\"");
  };
  const Written written = write(kScene + ball("a") + ball("b") + joint("Fixed", "f", kToB) +
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
    return ball("a") + joint("Revolute", "j", kToA + more, "\"MjcJointAPI\"");
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
  const std::string driven = kScene + ball("a") + joint("Revolute", "j", kToA + kDrive, kDriven);
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
      write(kScene + ball("a") + joint("Revolute", "j", kToA + kDrive, kDriven) +
            "def MjcActuator \"m\" {\nrel mjc:target = </j>\ndouble[] mjc:gainPrm = [5]\n"
            "double[] mjc:biasPrm = [0, -5, 0]\nuniform token mjc:biasType = \"affine\"\n"
            "double[] mjc:gear = [2]\n}\n");
  EXPECT_THAT(written.text, HasSubstr("ctrl=\"3.14159"));
}

TEST(EngineDetails, ActuatorsKeepTheirActivationsAndGains) {
  const auto written = [](const std::string& said) {
    return write(kScene + ball("a") + joint("Revolute", "j", kToA + kDrive, kDriven) +
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
  const std::string two = write(kScene + ball("a") + joint("Revolute", "j", kToA, kDriven) +
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
      write(kScene + ball("a") + joint("Revolute", "j", kToA + kDrive, kDriven) +
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
      write(kScene + ball("a") + ball("b") + joint("Revolute", "l", kToA) +
            joint("Revolute", "f", kToB + "rel newton:mimicJoint = </l>\ndouble mjc:coef1 = 2\n",
                  "\"MjcJointAPI\", \"MjcEqualityJointAPI\""));
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/f\" type=\"hinge\""));
  EXPECT_THAT(written.text, HasSubstr("joint1=\"/f\" joint2=\"/l\" polycoef=\"0 2 0 0 0\""));
  EXPECT_THAT(written.text, Not(HasSubstr("freejoint")));
}

TEST(EngineDetails, AJointThatFollowsAndClosesALoopIsWrittenAndTold) {
  const Written written = write(kScene + ball("a") + ball("b") + joint("Revolute", "l", kToA) +
                                joint("Revolute", "m", kBetween) +
                                joint("Revolute", "f",
                                      kToB + "rel newton:mimicJoint = </l>\n"
                                             "uniform bool physics:excludeFromArticulation = 1\n",
                                      "\"NewtonMimicAPI\""));
  EXPECT_THAT(written.text, HasSubstr("<connect name=\"/f#0\""));
  EXPECT_THAT(written.codes, HasSubstr("engine-feature-dropped /f;"));
}

TEST(EngineDetails, AJointFollowsOnlyWhatIsInTheFile) {
  const auto written = [](const std::string& leader) {
    return write(
        kScene + ball("a") + ball("b") + joint(leader, "l", kToA) +
            joint("Revolute", "f", kToB + "rel newton:mimicJoint = </l>\n", "\"NewtonMimicAPI\""),
        write_urdf);
  };
  EXPECT_THAT(written("Revolute").text, HasSubstr("<mimic joint=\"/l\""));
  EXPECT_THAT(written("Spherical").text, Not(HasSubstr("<mimic")));
  EXPECT_THAT(written("Spherical").codes, HasSubstr("engine-feature-dropped /f;"));
}

// MuJoCo refuses a file with a joint that does, and readers of URDF never come to its end.
TEST(EngineDetails, NoJointFollowsItself) {
  const std::string text =
      kScene + ball("a") +
      joint("Revolute", "f", kToA + "rel newton:mimicJoint = </f>\n", "\"NewtonMimicAPI\"");
  for (const Write writer : {&write_mjcf, &write_urdf}) {
    const Written written = write(text, writer);
    EXPECT_THAT(written.text, Not(HasSubstr("mimic")));
    EXPECT_THAT(written.features, ::testing::Contains("/f: The joint does not follow itself."));
  }
  // Others follow as they did.
  const std::string more =
      text + ball("b") +
      joint("Revolute", "g", kToB + "rel newton:mimicJoint = </f>\n", "\"NewtonMimicAPI\"");
  EXPECT_THAT(write(more).text, HasSubstr("joint1=\"/g\" joint2=\"/f\""));
  EXPECT_THAT(write(more, write_urdf).text, HasSubstr("<mimic joint=\"/f\""));
}

TEST(EngineDetails, ARangeOfAnActuatorMayHaveAnOpenEnd) {
  const auto actuator = [](const std::string& low, const std::string& high) {
    std::string numbers;
    for (const char* name : {"ctrlRange", "forceRange", "actRange", "lengthRange"}) {
      const std::string start = std::string("uniform double mjc:") + name;
      numbers += start + ":min = " + low + "\n" + start + ":max = " + high + "\n";
    }
    return write(kScene + ball("a") + joint("Revolute", "j", kToA) +
                 "def MjcActuator \"m\" {\nrel mjc:target = </j>\n"
                 "uniform token mjc:dynType = \"filter\"\n" +
                 numbers + "}\n")
        .text;
  };
  const std::pair<const char*, const char*> ends[] = {
      {"-1", "inf"}, {"-inf", "2"}, {"-1", "1e300"}, {"-inf", "inf"}};
  const std::string far = number(static_cast<double>(physics::kUnlimited));
  for (const auto& [low, high] : ends) {
    const std::string range = std::string("range=\"") + (low[1] == 'i' ? "-" + far : low) + " " +
                              (high[0] == '2' ? high : far) + "\"";
    for (const char* name : {"ctrl", "force", "act", "length"}) {
      EXPECT_THAT(actuator(low, high), HasSubstr(name + range)) << low << high;
    }
  }
  for (const auto& [low, high] :
       {std::pair("2", "1"), std::pair("1", "1"), std::pair("inf", "1")}) {
    EXPECT_THAT(actuator(low, high), Not(HasSubstr("range="))) << low << high;
  }
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
    text += joint("Revolute", name, kToA, "\"MjcJointAPI\"");
  }
  const Written written = write(text);
  EXPECT_THAT(written.text, HasSubstr("<joint name=\"/j6\""));
  EXPECT_THAT(written.text, Not(HasSubstr("<joint name=\"/j7\"")));
  EXPECT_THAT(written.codes, HasSubstr("engine-joint-unsupported /j7;"));
}

TEST(EngineDetails, CollidersWithoutASizeAreLeftOutOfEveryFormat) {
  const auto mesh = [](const std::string& approximation, const std::string& point) {
    return "uniform token physics:approximation = \"" + approximation +
           "\"\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
           "point3f[] points = [" +
           point + ", " + point + ", " + point + "]";
  };
  const std::pair<const char*, std::string> empty[] = {
      {"Sphere", "double radius = 0"},
      {"Sphere", "double radius = nan"},
      {"Cylinder", "double height = 0"},
      {"Cylinder", "double radius = 0"},
      {"Cylinder", "double height = inf"},
      {"Cylinder", "double radius = inf"},
      {"Cube", "double size = 0"},
      {"Mesh", mesh("boundingSphere", "(1, 0, 0)")},
      {"Mesh", mesh("boundingCube", "(1, 0, 0)")},
      {"Mesh", mesh("boundingCube", "(nan, 0, 0)")},
      {"Mesh", mesh("convexHull", "(nan, 0, 0)")},
      {"Mesh", mesh("none", "(0, inf, 0)")},
      {"Capsule", "double radius = inf\ndouble height = 0"},
      {"Capsule", "double radius = 0\ndouble height = 0"},
      {"Capsule", "double height = inf"}};
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
  const std::string round = kScene +
                            "def Capsule \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                            "double height = 0\n}\n";
  EXPECT_THAT(write(round).text, HasSubstr("<geom name=\"/c\" type=\"sphere\" size=\"0.5\" "));
  EXPECT_THAT(write(round).became, ::testing::ElementsAre("/c: sphere"));
  const Written capsule = write(round, write_urdf);
  EXPECT_THAT(capsule.text, HasSubstr("<sphere"));
  EXPECT_THAT(capsule.text, Not(HasSubstr("<cylinder")));
}

TEST(EngineDetails, AStartThatADialectGivesIsToldWhereItCannotBeWritten) {
  const std::string text =
      kScene + ball("a") +
      joint("Revolute", "j", kToA + "float state:angular:physics:position = 30\n",
            "\"PhysicsJointStateAPI:angular\"");
  EXPECT_THAT(write(text, write_urdf).codes, HasSubstr("engine-start-dropped /j;"));
}

TEST(EngineDetails, ARobotHasTheNameThatIsAskedFor) {
  Diagnostics unused;
  EngineOptions options;
  EXPECT_THAT(write_urdf({}, options, unused).text, HasSubstr("<robot name=\"robot\">"));
  options.robot_name = "a&b<\"c\">";
  EXPECT_THAT(write_urdf({}, options, unused).text,
              HasSubstr("<robot name=\"a&amp;b&lt;&quot;c&quot;&gt;\">"));
}

// A joint to a base that animation moves is a joint like any other, not a tie.
TEST(EngineDetails, AKinematicBaseHoldsItsMechanism) {
  std::string base = ball("a");
  base.insert(base.rfind('}'), "bool physics:kinematicEnabled = 1\n");
  const std::string text =
      kScene + "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + base +
      ball("b") + joint("Revolute", "j", "rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>") +
      "}\n";
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

TEST(EngineDetails, BallsOfPointsShareTheMassOfTheirBodyByVolume) {
  const auto points = [](const std::string& widths) {
    return kScene +
           "def Points \"p\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\", "
           "\"PhysicsCollisionAPI\"]) {\nfloat physics:mass = 9\n"
           "point3f[] points = [(1, 0, 0), (0, 2, 0), (0, 0, 3), (4, 0, 0)]\n"
           "float[] widths = " +
           widths + "\n}\n";
  };
  const Written mjcf = write(points("[2, 4, 0, nan]"));
  EXPECT_THAT(mjcf.text, HasSubstr("<geom name=\"/p#0\" type=\"sphere\" size=\"1\" pos=\"1 0 0\" "
                                   "quat=\"1 0 0 0\" mass=\"1\"/>"));
  EXPECT_THAT(mjcf.text, HasSubstr("<geom name=\"/p#1\" type=\"sphere\" size=\"2\" pos=\"0 2 0\" "
                                   "quat=\"1 0 0 0\" mass=\"8\"/>"));
  const Written urdf = write(points("[2, 4, 0, nan]"), write_urdf);
  EXPECT_THAT(urdf.text, HasSubstr("<collision name=\"/p#1\">\n      <origin xyz=\"0 2 0\" "
                                   "rpy=\"0 0 0\"/>\n      <geometry><sphere radius=\"2\"/>"));
  for (const Written* written : {&mjcf, &urdf}) {
    EXPECT_THAT(written->text, Not(HasSubstr("/p#2")));
    EXPECT_THAT(written->text, Not(HasSubstr("/p#3")));
    EXPECT_THAT(written->became, ::testing::Contains("/p: spheres"));
  }
  for (const Write writer : {&write_mjcf, &write_urdf}) {
    const Written none = write(points("[0, 0, 0, 0]"), writer);
    EXPECT_THAT(none.codes, HasSubstr("engine-shape-unsupported /p;"));
    EXPECT_THAT(none.became, ::testing::Contains("/p: nothing by engine-shape-unsupported"));
  }
}

TEST(EngineDetails, MeshesCollideAsTheBoxOrBallAroundThem) {
  const auto mesh = [](const std::string& approximation) {
    return kScene +
           "def Mesh \"m\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\", "
           "\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\"]) {\n"
           "float physics:mass = 3\nuniform token physics:approximation = \"" +
           approximation +
           "\"\nint[] faceVertexCounts = [3, 3, 3, 3]\n"
           "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n"
           "point3f[] points = [(0, 0, 0), (4, 0, 0), (0, 8, 0), (0, 0, 16)]\n}\n";
  };
  const Written box = write(mesh("boundingCube"));
  EXPECT_THAT(box.text, HasSubstr("<geom name=\"/m\" type=\"box\" size=\"2 4 8\" pos=\"2 4 8\" "
                                  "quat=\"1 0 0 0\" mass=\"3\"/>"));
  EXPECT_THAT(box.became, ::testing::ElementsAre("/m: free body", "/m: box"));
  const Written ball = write(mesh("boundingSphere"));
  EXPECT_THAT(ball.text, HasSubstr("<geom name=\"/m\" type=\"sphere\" size=\"9.165151"));
  EXPECT_THAT(ball.text, HasSubstr(" pos=\"2 4 8\" quat=\"1 0 0 0\" mass=\"3\"/>"));
  EXPECT_THAT(ball.became, ::testing::ElementsAre("/m: free body", "/m: sphere"));
  const std::string place = "<origin xyz=\"2 4 8\" rpy=\"0 0 0\"/>\n      <geometry>";
  const Written urdf_box = write(mesh("boundingCube"), write_urdf);
  EXPECT_THAT(urdf_box.text, HasSubstr(place + "<box size=\"4 8 16\"/></geometry>"));
  EXPECT_THAT(urdf_box.became, ::testing::ElementsAre("/m: box", "/m: floating link"));
  const Written urdf_ball = write(mesh("boundingSphere"), write_urdf);
  EXPECT_THAT(urdf_ball.text, HasSubstr(place + "<sphere radius=\"9.165151"));
  EXPECT_THAT(urdf_ball.became, ::testing::ElementsAre("/m: sphere", "/m: floating link"));
}

TEST(EngineDetails, WhatDoesNotCollideIsAGeomForTheEyeAndNothingInAUrdf) {
  const std::string off = kScene +
                          "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                          "bool physics:collisionEnabled = 0\n}\n";
  const Written mjcf = write(off);
  EXPECT_THAT(mjcf.text, HasSubstr("<geom name=\"/s\" type=\"sphere\" size=\"1\" pos=\"0 0 0\" "
                                   "quat=\"1 0 0 0\" contype=\"0\" conaffinity=\"0\" "
                                   "group=\"3\"/>"));
  EXPECT_THAT(mjcf.became, ::testing::ElementsAre("/s: sphere"));
  const Written urdf = write(off, write_urdf);
  EXPECT_THAT(urdf.text, Not(HasSubstr("\"/s\"")));
  EXPECT_THAT(urdf.became, ::testing::ElementsAre("/s: nothing: switched off"));
  EXPECT_EQ(urdf.codes, "");
}

TEST(EngineDetails, MarkersHaveTheirShapeWhereTheyStandSomewhere) {
  const auto site = [](const std::string& type, const std::string& name, const std::string& more) {
    return "def " + type + " \"" + name + "\" (apiSchemas = [\"MjcSiteAPI\"]) {\n" + more + "\n}\n";
  };
  const std::string can = "double radius = 0.25\ndouble height = 4\nuniform token axis = \"";
  const Written written =
      write(kScene + site("Cylinder", "z", can + "Z\"") + site("Cylinder", "y", can + "Y\"") +
            site("Cylinder", "flat", "double height = 0") +
            site("Sphere", "lost",
                 "double3 xformOp:translate = (nan, 0, 0)\n"
                 "uniform token[] xformOpOrder = [\"xformOp:translate\"]"));
  EXPECT_THAT(written.text, HasSubstr("<site name=\"/z\" type=\"cylinder\" size=\"0.25 2 2\" "
                                      "pos=\"0 0 0\" quat=\"1 0 0 0\"/>"));
  EXPECT_THAT(written.text, HasSubstr("<site name=\"/y\" type=\"cylinder\" size=\"0.25 2 2\" "
                                      "pos=\"0 0 0\" quat=\"0.7071067811865476 -0.7071067811865"));
  EXPECT_THAT(written.text, HasSubstr("<site name=\"/flat\" type=\"sphere\" size=\"0.005 "));
  EXPECT_THAT(written.text, Not(HasSubstr("/lost")));
  EXPECT_EQ(written.codes, "engine-not-finite /lost;");
  EXPECT_THAT(written.became, ::testing::ElementsAre("/z: site", "/y: site", "/flat: site"));
}

// A URDF joint holds every link, a MuJoCo free body has a joint: neither takes the name of another.
TEST(EngineDetails, WhatHoldsABodyHasANameOfItsOwn) {
  const std::string text =
      kScene + ball("a") + ball("b") + ball("c") + ball("d") +
      joint("Revolute", "c_to_world", kBetween) + "def Scope \"s\" {\n" +
      joint("Revolute", "c", "rel physics:body0 = </b>\nrel physics:body1 = </d>\n") + "}\n";
  Diagnostics reading;
  const std::string whole = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n" + text;
  const auto stage = stage::open_layers({{"root.usda", whole.c_str()}}, reading);
  ASSERT_TRUE(stage);
  const physics::PhysicsModel model = physics::read_physics(*stage, reading);
  ASSERT_EQ(model.joints.size(), 2U);
  for (const auto style :
       {physics::NameStyle::path, physics::NameStyle::leaf, physics::NameStyle::identifier}) {
    EngineOptions options;
    options.names = style;
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      Diagnostics diagnostics;
      const std::string written = writer(model, options, diagnostics).text;
      const std::regex names("<(?:free)?joint name=\"([^\"]*)\"");
      std::set<std::string> seen;
      for (std::sregex_iterator it(written.begin(), written.end(), names), end; it != end; ++it) {
        EXPECT_TRUE(seen.insert((*it)[1]).second) << (*it)[1] << '\n' << written;
      }
      EXPECT_GE(seen.size(), 2U) << written;
    }
  }
}

TEST(EngineDetails, DrivesAndGravityThatAreNotFiniteAreTold) {
  const Written servo = write(
      kScene + ball("a") +
      joint("Revolute", "j", kToA + "float drive:angular:physics:stiffness = inf\n", kDriven));
  EXPECT_THAT(servo.codes, HasSubstr("engine-not-finite /j;"));
  EXPECT_THAT(servo.text, Not(HasSubstr("<general")));
  const Written pull =
      write("def PhysicsScene \"s\" {\nfloat physics:gravityMagnitude = inf\n}\n" + ball("a"));
  EXPECT_THAT(pull.codes, HasSubstr("engine-not-finite /s;"));
  EXPECT_THAT(pull.text, HasSubstr("gravity=\"0 0 -9.8"));
  physics::PhysicsModel made;  // By a program that says nothing of gravity.
  made.units = {.up_axis = Axis::z, .meters_per_unit = 1.0, .radians = true};
  made.scenes.emplace_back();
  Diagnostics diagnostics;
  EXPECT_THAT(write_mjcf(made, {}, diagnostics).text, HasSubstr("gravity=\"0 0 -9.8"));
  EXPECT_EQ(test::codes_of(diagnostics), "");
}

TEST(EngineDetails, ADistanceOfAGenericJointIsTold) {
  const std::string text =
      kScene + ball("a") +
      locking("j", kToA, {"rotX", "rotY", "rotZ", "transX", "transY"},
              "float limit:distance:physics:low = 1\nfloat limit:distance:physics:high = 5\n",
              "\"PhysicsLimitAPI:distance\"");
  for (const Write writer : {&write_mjcf, &write_urdf}) {
    const Written written = write(text, writer);
    EXPECT_THAT(written.features,
                ::testing::Contains("/j: The distance of a generic joint's ends is free."));
    EXPECT_THAT(written.became, ::testing::Contains(HasSubstr("by engine-feature-dropped")));
  }
}

TEST(EngineDetails, BodiesWithoutAFinitePoseStandAtTheOrigin) {
  Diagnostics reading;
  const std::string text = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n" + kScene +
                           ball("a") + ball("b") + ball("c") + ball("d");
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, reading);
  ASSERT_TRUE(stage);
  physics::PhysicsModel model = physics::read_physics(*stage, reading);
  ASSERT_EQ(model.rigid_bodies.size(), 4U);
  const float infinity = std::numeric_limits<float>::infinity();
  model.rigid_bodies[0].pose.position = Vector3f(4, 5, 6);
  model.rigid_bodies[1].pose.position = Vector3f(1, std::nanf(""), 3);
  model.rigid_bodies[2].pose.rotation.x() = infinity;
  model.rigid_bodies[3].pose.position = Vector3f(7, 8, 9);
  Diagnostics diagnostics;
  const std::string written = write_mjcf(model, {}, diagnostics).text;
  EXPECT_EQ(test::codes_of(diagnostics), "engine-not-finite /b;engine-not-finite /c;");
  for (const Diagnostic& d : diagnostics) {
    EXPECT_EQ(d.message, "The pose of the body is not finite; it is put at the origin.");
  }
  for (const char* body :
       {"/a\" pos=\"4 5 6", "/b\" pos=\"0 0 0", "/c\" pos=\"0 0 0", "/d\" pos=\"7 8 9"}) {
    EXPECT_THAT(written, HasSubstr(std::string("<body name=\"") + body + "\" quat=\"1 0 0 0\">"));
  }
}

TEST(EngineDetails, ATensorOfAVendorReplacesTheMoments) {
  const auto body = [](const std::string& tensor) {
    return kScene +
           "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n"
           "float physics:mass = 2\nfloat3 physics:diagonalInertia = (1, 1, 1)\n"
           "quatf physics:principalAxes = (1, 0, 0, 0)\nfloat[] newton:inertia = " +
           tensor + "\n}\n";
  };
  const Written plain = write(body("[3, 5, 4, 0, 0, 0]"));
  EXPECT_THAT(plain.text, HasSubstr("mass=\"2\" diaginertia=\"5 4 3\"/>"));
  EXPECT_EQ(plain.codes, "");
  const std::string text = write(body("[3, 5, 4, 0.25, 0.5, 0.75]"), write_urdf).text;
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  const std::size_t at = text.find("<inertia ");
  ASSERT_NE(at, std::string::npos) << text;
  ASSERT_EQ(std::sscanf(text.c_str() + at,
                        "<inertia ixx=\"%lf\" ixy=\"%lf\" ixz=\"%lf\" iyy=\"%lf\" iyz=\"%lf\" "
                        "izz=\"%lf\"/>",
                        &xx, &xy, &xz, &yy, &yz, &zz),
            6);
  EXPECT_NEAR(xx, 3.0, 1e-6);
  EXPECT_NEAR(yy, 5.0, 1e-6);
  EXPECT_NEAR(zz, 4.0, 1e-6);
  EXPECT_NEAR(xy, 0.25, 1e-6);
  EXPECT_NEAR(xz, 0.5, 1e-6);
  EXPECT_NEAR(yz, 0.75, 1e-6);
}

TEST(EngineDetails, BodiesThatStandStillHaveNoFreedomOfTheirOwn) {
  std::string off = ball("b");
  off.insert(off.rfind('}'), "bool physics:rigidBodyEnabled = 0\n");
  const Written written = write(kScene + ball("a") + off + joint("Fixed", "j", kToA));
  EXPECT_THAT(written.text, Not(HasSubstr("joint ")));
  EXPECT_THAT(written.became, ::testing::IsSupersetOf(
                                  {"/a: body that stands still", "/b: body that stands still"}));
  // Without a mass, which the one that a joint holds has.
  const std::string place = " pos=\"0 0 0\" quat=\"1 0 0 0\">\n      <";
  EXPECT_THAT(written.text, HasSubstr("<body name=\"/b\"" + place + "geom"));
  EXPECT_THAT(written.text, HasSubstr("<body name=\"/a\"" + place + "inertial"));
}

TEST(EngineDetails, ASpeedOfABodyThatAJointHoldsIsTold) {
  std::string moving = ball("a");
  moving.insert(moving.rfind('}'), "vector3f physics:velocity = (1, 2, 3)\n");
  std::string turning = ball("b");
  turning.insert(turning.rfind('}'), "vector3f physics:angularVelocity = (0, 90, 0)\n");
  const Written written =
      write(kScene + moving + turning + ball("c") + joint("Revolute", "j", kToA) +
            joint("Revolute", "k", kToB) + joint("Revolute", "l", "rel physics:body1 = </c>\n"));
  EXPECT_EQ(written.codes, "engine-start-dropped /a;engine-start-dropped /b;");
  EXPECT_EQ(write(kScene + moving).codes, "");
}

TEST(EngineDetails, ADriveWithoutGainsMovesNothing) {
  const auto driven = [](const std::string& drive) {
    return write(kScene + ball("a") + joint("Revolute", "j", kToA + drive, kDriven)).text;
  };
  EXPECT_THAT(driven("float drive:angular:physics:targetPosition = 90\n"
                     "float drive:angular:physics:targetVelocity = 90\n"),
              Not(HasSubstr("<general")));
  const std::string speed = driven(
      "float drive:angular:physics:damping = 0.5\n"
      "float drive:angular:physics:targetVelocity = 90\n");
  EXPECT_THAT(speed, HasSubstr("gainprm=\"28.64789"));
  EXPECT_THAT(speed, HasSubstr("biasprm=\"0 0 -28.64789"));
  EXPECT_THAT(speed, HasSubstr("ctrl=\"1.57079"));
}

TEST(EngineDetails, AnActuatorOfAJointThatIsNotWrittenIsTold) {
  const Written written = write(kScene + ball("a") + joint("Fixed", "j", kToA) +
                                "def MjcActuator \"m\" {\nrel mjc:target = </j>\n}\n"
                                "def MjcActuator \"n\" {\nrel mjc:target = </j>\n}\n");
  EXPECT_THAT(written.text, Not(HasSubstr("<general")));
  EXPECT_THAT(written.features,
              ::testing::ElementsAre("/m: The actuator drives nothing that is written (2 of them, "
                                     "this is the first)."));
}

TEST(EngineDetails, WhatOnlyAnApplicationKnowsIsLeftOut) {
  physics::ReadOptions options;
  options.joint_tokens = {"AcmeJoint"};
  options.shape_tokens = {"AcmeBlob"};
  const std::string text = kScene + ball("a") + "def AcmeJoint \"j\" {\n" + kToA +
                           "}\ndef AcmeBlob \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n";
  const Written mjcf = write(text, write_mjcf, options);
  EXPECT_THAT(mjcf.text, HasSubstr("<freejoint name=\"/a\"/>"));
  EXPECT_EQ(mjcf.codes, "engine-shape-unsupported /s;engine-joint-unsupported /j;");
  EXPECT_THAT(mjcf.became, ::testing::IsSupersetOf({"/s: nothing by engine-shape-unsupported",
                                                    "/j: nothing by engine-joint-unsupported"}));
  const Written urdf = write(text, write_urdf, options);
  EXPECT_THAT(urdf.became, ::testing::Contains("/j: nothing by engine-loop-unsupported"));
}

// Also where a pitch of a quarter of a turn leaves only the sum of the other two.
TEST(EngineDetails, AnglesOfAUrdfTurnAsTheQuaternionDoes) {
  const double right = std::numbers::pi / 2.0;
  const auto turn = [](double roll, double pitch, double yaw) {
    return Quatd(Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) *
                 Eigen::AngleAxisd(pitch, Vector3d::UnitY()) *
                 Eigen::AngleAxisd(roll, Vector3d::UnitX()));
  };
  for (const double roll : {0.0, 0.7, -2.5}) {
    for (const double pitch : {0.0, 0.4, -1.2, right, -right}) {
      for (const double yaw : {0.0, 1.1, -2.9}) {
        const Quatd given = turn(roll, pitch, yaw);
        const std::string text = urdf_origin({{1, 2, 3}, given});
        double r = 9, p = 9, y = 9;
        ASSERT_EQ(
            std::sscanf(text.c_str(), "<origin xyz=\"1 2 3\" rpy=\"%lf %lf %lf\"/>", &r, &p, &y), 3)
            << text;
        EXPECT_LT(given.angularDistance(turn(r, p, y)), 1e-7) << text;
      }
    }
  }
}

TEST(EngineDetails, AWeldBetweenBodiesThatStandApartHoldsTheSecondInTheFirst) {
  const Written written = write(
      kScene + ball("a") + ball("b") + joint("Revolute", "j", kToA) + joint("Revolute", "i", kToB) +
      joint("Prismatic", "k",
            kBetween + "float physics:lowerLimit = 0.5\nfloat physics:upperLimit = 0.5\n"));
  EXPECT_THAT(written.text, HasSubstr("<weld name=\"/k\" body1=\"/a\" body2=\"/b\" "
                                      "relpose=\"0.5 0 0 1 0 0 0\"/>"));
}

TEST(EngineDetails, ARopeHasTheRangeOfItsDistances) {
  const auto rope = [](const std::string& limits) {
    return write(
        kScene + ball("a") + ball("b") +
        joint("Distance", "j", kBetween + "point3f physics:localPos1 = (1, 2, 3)\n" + limits));
  };
  const std::string tendon = "<spatial name=\"/j\" limited=\"true\" range=\"";
  const Written open = rope("float physics:minDistance = 0.5\n");
  EXPECT_THAT(open.text, HasSubstr(tendon + "0.5 1000000\""));
  EXPECT_THAT(open.became, ::testing::Contains("/j: limited tendon"));
  EXPECT_THAT(rope("float physics:maxDistance = 4\n").text, HasSubstr(tendon + "0 4\""));
  // The engine refuses equal bounds.
  EXPECT_THAT(rope("float physics:minDistance = 4\nfloat physics:maxDistance = 4\n").text,
              HasSubstr(tendon + "4 4.000004\""));
  EXPECT_THAT(rope("float physics:minDistance = 0.5\nfloat physics:maxDistance = 0.5\n").text,
              HasSubstr(tendon + "0.5 0.500001\""));
  EXPECT_THAT(open.text, HasSubstr("<site name=\"/j#1\" pos=\"1 2 3\" size=\"0.005\"/>"));
  EXPECT_THAT(open.text, HasSubstr("<site name=\"/j#0\" pos=\"0 0 0\" size=\"0.005\"/>"));
}

TEST(EngineDetails, OnlyBodiesThatMoveAgainstEachOtherAreExcluded) {
  const auto written = [](const std::string& joints) {
    return write(kScene + ball("a") + ball("b") + joints).text;
  };
  EXPECT_THAT(written(joint("Revolute", "j", kBetween)),
              HasSubstr("<exclude body1=\"/a\" body2=\"/b\"/>"));
  EXPECT_THAT(written(joint("Fixed", "j", kBetween)), Not(HasSubstr("<exclude")));
  EXPECT_THAT(written(joint("Fixed", "j", kToA) + joint("Fixed", "k", kBetween)),
              Not(HasSubstr("<exclude")));
  EXPECT_THAT(written(joint("Fixed", "j", kToA) + joint("Revolute", "k", kBetween)),
              HasSubstr("<exclude body1=\"/a\" body2=\"/b\"/>"));
}

}  // namespace
}  // namespace sinew::exporter::engines_details_test
