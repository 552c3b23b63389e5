// SPDX-License-Identifier: Apache-2.0
// What the writers for engines say, without an engine: each diagnostic by a scene of its own, and
// text that holds no number that is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "export/engine_models.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/folders.hpp"
#include "support/random_robot.hpp"
#include "support/recorded.hpp"

namespace sinew::exporter::engines_test {
namespace {

using engine_models::joint;
using engine_models::kBetween;
using engine_models::Write;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Export {
  EngineFile file;
  Diagnostics diagnostics;

  std::vector<std::string> codes() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics) {
      if (d.code.starts_with("engine-")) result.push_back(d.code + " " + d.path);
    }
    return result;
  }
};

Export write(const std::string& text, Write writer = write_mjcf,
             const EngineOptions& options = {}) {
  Export result;
  Diagnostics reading;
  stage::MemoryResolver resolver;
  resolver.add("root.usda", "#usda 1.0\n" + text);
  stage::OpenOptions open;
  open.resolver = &resolver;
  const auto opened = stage::Stage::open("root.usda", reading, open);
  if (!opened) return result;  // Of texts that were damaged on purpose some are none.
  const stage::StagePtr& stage = *opened;
  physics::ReadOptions read;
  read.nested_bodies = physics::NestedBodies::keep;
  const physics::PhysicsModel model = physics::read_physics(*stage, reading, read);
  result.file = writer(model, options, result.diagnostics);
  return result;
}

const std::string kMetric = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n";
const std::string kScene = kMetric + "def PhysicsScene \"S\" {}\n";

std::string ball(const std::string& name, const std::string& more = "") {
  return "def Sphere \"" + name +
         "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\ndouble radius = "
         "0.1\n" +
         more + "\n}\n";
}

TEST(EngineExport, NamesEveryKnownDiagnosticOnce) {
  std::set<std::string_view> seen;
  Severity last = Severity::error;
  for (const EngineDiagnostic& d : engine_diagnostics()) {
    EXPECT_TRUE(d.code.starts_with("engine-"));
    EXPECT_TRUE(seen.insert(d.code).second) << d.code;
    EXPECT_LE(d.severity, last) << d.code;
    last = d.severity;
    EXPECT_FALSE(d.meaning.empty());
  }
}

// The table of docs/engines.md is that of the library.
TEST(EngineExport, IsDocumentedCodeByCode) {
  std::ifstream stream(test::example_data_folder() + "/../../docs/engines.md");
  std::stringstream page;
  page << stream.rdbuf();
  std::set<std::string> documented;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `engine-")) documented.insert(line);
  }
  for (const EngineDiagnostic& d : engine_diagnostics()) {
    const std::string row = "| `" + std::string(d.code) + "` | " +
                            std::string(to_string(d.severity)) + " | " + std::string(d.meaning) +
                            " |";
    EXPECT_THAT(documented, Contains(row));
  }
  EXPECT_EQ(documented.size(), engine_diagnostics().size());
}

struct Case {
  const char* code;
  std::string text;
  Write writer = write_mjcf;
  EngineOptions options = {};
};

EngineOptions always_stacked() {
  EngineOptions options;
  options.stacked = physics::StackedJoints::always;
  return options;
}

std::vector<Case> cases() {
  const std::string two = kScene + ball("a") +
                          ball("b",
                               "double3 xformOp:translate = (1, 0, 0)\n"
                               "uniform token[] xformOpOrder = "
                               "[\"xformOp:translate\"]");
  const std::string meet = "point3f physics:localPos0 = (1, 0, 0)\n";
  return {
      {"engine-no-mass /b", kScene + "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
                                     "\"PhysicsMassAPI\"]) {\nfloat physics:mass = 1e-18\n}\n"},
      {"engine-plane-moves /a/p",
       kScene + ball("a", "def Plane \"p\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}")},
      {"engine-loop-unsupported /k",
       two + joint("Fixed", "j", kBetween + meet) + joint("Prismatic", "k", kBetween + meet)},
      {"engine-kinematic-jointed /r/b",
       kScene + "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + ball("a") +
           ball("b", "bool physics:kinematicEnabled = 1") + ball("c") +
           joint("Revolute", "j", "rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>\n") +
           joint("Revolute", "k", "rel physics:body0 = </r/b>\nrel physics:body1 = </r/c>\n") +
           joint("Fixed", "l", "rel physics:body1 = </r/a>\n") + "}\n"},
      {"engine-joints-parallel /k",
       two + joint("Revolute", "j", kBetween + meet) +
           joint("Revolute", "k", kBetween + meet + "uniform token physics:axis = \"Y\"\n")},
      {"engine-joint-unsupported /j", two + joint("Spherical", "j", kBetween + meet), write_urdf},
      {"engine-link-added /j", two + joint("Spherical", "j", kBetween + meet), write_urdf,
       always_stacked()},
      {"engine-joint-one-body /j",
       kScene + ball("a") +
           joint("Fixed", "j", "rel physics:body0 = </a>\nrel physics:body1 = </a>\n")},
      {"engine-joint-inconsistent /j", two + joint("Distance", "j",
                                                   kBetween + "float physics:minDistance = 5\n"
                                                              "float physics:maxDistance = 2\n")},
      {"engine-shape-unsupported /m",
       kScene + "def Mesh \"m\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"},
      {"engine-not-finite /j",
       two + joint("Fixed", "j", kBetween + "point3f physics:localPos0 = (nan, 0, 0)\n")},
      {"engine-joint-apart /j", two + joint("Fixed", "j", kBetween)},
      {"engine-starts-outside-limit /j", two + joint("Revolute", "j",
                                                     kBetween + meet +
                                                         "float physics:lowerLimit = 10\n"
                                                         "float physics:upperLimit = 20\n")},
      {"engine-flat-mesh /m",
       kScene + "def Mesh \"m\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
                "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n"},
      {"engine-cone-as-hinges /j", two + joint("Spherical", "j",
                                               kBetween + meet +
                                                   "float physics:coneAngle0Limit = 30\n"
                                                   "float physics:coneAngle1Limit = 60\n")},
      {"engine-drive-acceleration /j",
       two + joint("Revolute", "j",
                   kBetween + meet +
                       "uniform token drive:angular:physics:type = \"acceleration\"\n"
                       "float drive:angular:physics:stiffness = 10\n",
                   "\"PhysicsDriveAPI:angular\"")},
      {"engine-drive-gains-dropped /j",
       two + joint("Revolute", "j",
                   kBetween + meet + "float drive:angular:physics:stiffness = 10\n",
                   "\"PhysicsDriveAPI:angular\""),
       write_urdf},
      {"engine-drive-gains-dropped /j",
       two + joint("Revolute", "j",
                   kBetween + meet +
                       "float drive:angular:physics:stiffness = 10\n"
                       "float drive:angular:physics:maxForce = 0\n",
                   "\"PhysicsDriveAPI:angular\"")},
      {"engine-loop-limit-dropped /k", two + joint("Fixed", "j", kBetween + meet) +
                                           joint("Revolute", "k",
                                                 kBetween + meet +
                                                     "float physics:lowerLimit = -10\n"
                                                     "float physics:upperLimit = 10\n")},
      {"engine-loop-soft /k",
       two + joint("Fixed", "j", kBetween + meet) + joint("Revolute", "k", kBetween + meet)},
      {"engine-filter-dropped ",
       kScene + ball("a") +
           "def Sphere \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\", "
           "\"PhysicsFilteredPairsAPI\"]) {\nrel physics:filteredPairs = </a>\n}\n",
       write_urdf},
      {"engine-restitution-dropped /m",
       kScene + "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {\n"
                "float physics:restitution = 0.5\n}\n"},
      {"engine-friction-single /m",
       kScene + "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {\n"
                "float physics:staticFriction = 0.5\n}\n"},
      {"engine-friction-combine /m",
       kScene + "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {\n"
                "float physics:staticFriction = 0.5\n}\n"
                "def Material \"n\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {}\n"},
      {"engine-inertia-triangle /b",
       kScene + "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n"
                "float physics:mass = 1\nfloat3 physics:diagonalInertia = (1, 1, 5)\n"
                "quatf physics:principalAxes = (1, 0, 0, 0)\n}\n"},
      {"engine-many-scenes /S", kScene + "def PhysicsScene \"T\" {}\n" + ball("a")},
      {"engine-no-scene ", kMetric + ball("a")},
      {"engine-nested-body /a/b", kScene + ball("a", ball("b"))},
      {"engine-start-dropped /j",
       two +
           joint("Revolute", "j", kBetween + meet + "quatf physics:localRot0 = (0.9, 0.4, 0, 0)\n"),
       write_urdf},
      {"engine-euler-order /j",
       two + joint("", "j",
                   kBetween + meet +
                       "float limit:rotX:physics:low = 1\n"
                       "float limit:rotX:physics:high = -1\n"
                       "float limit:transX:physics:low = 1\n"
                       "float limit:transX:physics:high = -1\n",
                   "\"PhysicsLimitAPI:rotX\", \"PhysicsLimitAPI:transX\"")},
      {"engine-joint-free /j", two + joint("", "j", kBetween)},
      {"engine-limit-one-sided /j",
       two + joint("Prismatic", "j", kBetween + meet + "float physics:lowerLimit = -10\n")},
      {"engine-limit-one-sided /j",
       two + joint("Prismatic", "j", kBetween + meet + "float physics:lowerLimit = -10\n"),
       write_urdf},
      {"engine-limit-soft /j",
       two + joint("Prismatic", "j", kBetween + meet + "float physics:lowerLimit = -10\n")},
      {"engine-shape-approximated /c",
       kScene + "def Cone \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"},
      {"engine-feature-dropped /a", kScene + ball("a", "bool physics:startsAsleep = 1")},
      {"engine-effort-unset /j", two + joint("Revolute", "j", kBetween + meet), write_urdf},
      {"engine-velocity-unset /j", two + joint("Revolute", "j", kBetween + meet), write_urdf},
      {"engine-mesh-becomes-hull /m",
       kScene + "def Mesh \"m\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                "int[] faceVertexCounts = [4, 4, 4, 4, 4, 4, 6, 6]\n"
                "int[] faceVertexIndices = [0, 6, 7, 1, 1, 7, 8, 2, 2, 8, 9, 3, 3, 9, 10, 4, "
                "4, 10, 11, 5, 5, 11, 6, 0, 0, 1, 2, 3, 4, 5, 6, 11, 10, 9, 8, 7]\n"
                "point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, "
                "0), (0, 0, 1), (2, 0, 1), (2, 1, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1)]\n}\n"},
  };
}

TEST(EngineExport, TellsWhatAnEngineCannotSay) {
  for (const Case& c : cases()) {
    EXPECT_THAT(write(c.text, c.writer, c.options).codes(), Contains(c.code)) << c.text;
  }
}

// Each of 35 balls of one body passes through one ball of another, and meets all others there: more
// classes than bits. So does each of a third body, if there is one, with both; that is welded to
// the first, so that the engine looks at no pair of the two.
TEST(EngineExport, TellsHowManyPairsTheMasksGetWrong) {
  constexpr int kBalls = 35;
  const auto body = [](const std::string& name, const std::string& others) {
    std::string balls;
    for (int i = 0; i < kBalls; ++i) {
      const std::string number = std::to_string(i);
      balls += "def Sphere \"s" + number +
               "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsFilteredPairsAPI\"]) {\n"
               "rel physics:filteredPairs = [";
      for (const char other : others) balls += std::string("</") + other + "/s" + number + ">, ";
      balls += "]\n}\n";
    }
    return "def Xform \"" + name + "\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" + balls +
           "}\n";
  };
  const auto wrong_in = [&](const std::string& text) {
    const Export result = write(kScene + text);
    int wrong = 0;
    EXPECT_THAT(result.codes(), Contains("engine-filter-inexact "));
    for (const Diagnostic& d : result.diagnostics) {
      if (d.code != "engine-filter-inexact") continue;
      EXPECT_THAT(d.message, ::testing::StartsWith("35 classes of shapes are more than 31 bits"));
      EXPECT_EQ(std::sscanf(d.message.c_str(), "%*[^:]: %d pairs", &wrong), 1) << d.message;
    }
    return wrong;
  };
  // What is not filtered stays so: at most the filtered pairs are wrong.
  const std::string two = body("a", "") + body("b", "a");
  const int wrong = wrong_in(two);
  EXPECT_GT(wrong, 0);
  EXPECT_LE(wrong, kBalls);
  const std::string weld = joint("Fixed", "j",
                                 "rel physics:body0 = </a>\nrel physics:body1 = </c>\n"
                                 "bool physics:collisionEnabled = 1");
  EXPECT_EQ(wrong_in(two + body("c", "ab") + weld), 2 * wrong);
}

TEST(EngineExport, TellsOfAStartThatADialectGivesAndPosesDoNot) {
  const auto written = [](const char* degrees) {
    Diagnostics reading;
    stage::MemoryResolver resolver;
    resolver.add("root.usda", "#usda 1.0\n" + kScene + ball("a") +
                                  joint("Revolute", "j",
                                        std::string("rel physics:body1 = </a>\n"
                                                    "float state:angular:physics:position = ") +
                                            degrees,
                                        "\"PhysicsJointStateAPI:angular\""));
    stage::OpenOptions open;
    open.resolver = &resolver;
    const auto stage = *stage::Stage::open("root.usda", reading, open);
    physics::ReadOptions options;
    options.dialects = {physics::Dialect::physx};
    Export result;
    result.file =
        write_mjcf(physics::read_physics(*stage, reading, options), {}, result.diagnostics);
    return result;
  };
  const Export differs = written("30");
  EXPECT_THAT(differs.codes(), Contains("engine-state-differs /j"));
  EXPECT_THAT(test::lines_of(differs.diagnostics),
              HasSubstr("by the poses and starts at 0.523599 by the state that is given: the "
                        "keyframe \"start\" holds that."));
  EXPECT_THAT(differs.file.text, HasSubstr("<key name=\"start\" qpos=\"0.523598"));
  const Export same = written("0");
  EXPECT_THAT(same.codes(), Not(Contains("engine-state-differs /j")));
  EXPECT_THAT(same.file.text, HasSubstr("<key name=\"start\" qpos=\"0\""));
}

// The cases, the two tests above, VisualShapes.TellsWhatIsShownAndHasNoCounterpart,
// Tool.TellsOfInstancersThatItLeavesOut, Tool.TellsOfAModelOfNothing,
// Tool.TellsOfPlacesThatAreKnownAtTimesAlone and Tool.TellsWhatARootCutsOff.
TEST(EngineExport, HasASceneForEveryDiagnostic) {
  std::set<std::string> shown = {
      "engine-filter-inexact", "engine-state-differs", "engine-instancer-skipped",
      "engine-visual-skipped", "engine-root-cut",      "engine-motion-dropped",
      "engine-nothing"};
  for (const Case& c : cases()) {
    shown.insert(std::string(c.code).substr(0, std::string(c.code).find(' ')));
  }
  for (const EngineDiagnostic& d : engine_diagnostics()) {
    EXPECT_THAT(shown, Contains(std::string(d.code)));
  }
}

TEST(EngineExport, TellsNothingThatIsNotSo) {
  for (const Case& c : cases()) {
    const std::string code = std::string(c.code).substr(0, std::string(c.code).find(' '));
    if (code.ends_with("-unset")) continue;
    const Export plain = write(kScene + ball("a"), c.writer, c.options);
    for (const std::string& told : plain.codes()) EXPECT_FALSE(told.starts_with(code)) << told;
  }
}

TEST(EngineExport, WeldsAKinematicPartOfAMechanismAndKeepsTheRestMoving) {
  for (const Case& c : cases()) {
    if (!std::string(c.code).starts_with("engine-kinematic-jointed")) continue;
    const Export mjcf = write(c.text);
    EXPECT_THAT(mjcf.file.text, Not(HasSubstr("mocap")));
    EXPECT_THAT(mjcf.file.text, Not(HasSubstr("<joint name=\"/r/j\"")));
    EXPECT_THAT(mjcf.file.text, HasSubstr("<joint name=\"/r/k\""));
    EXPECT_THAT(mjcf.file.text, Not(HasSubstr("<connect")));
    const Export urdf = write(c.text, write_urdf);
    EXPECT_THAT(urdf.codes(), Contains("engine-kinematic-jointed /r/b"));
    EXPECT_THAT(urdf.file.text, HasSubstr("<joint name=\"/r/j\" type=\"fixed\""));
    EXPECT_THAT(urdf.file.text, HasSubstr("<joint name=\"/r/k\" type=\"continuous\""));
    for (const Export* result : {&mjcf, &urdf}) {
      EXPECT_THAT(result->codes(), Not(Contains(::testing::StartsWith("engine-joint-apart"))));
    }
  }
}

TEST(EngineExport, TwoHingesOfADoorLeaveItsTurn) {
  const std::string door = kScene + ball("a") + ball("b") + joint("Revolute", "j", kBetween);
  const auto second = [](const std::string& place) {
    return joint("Revolute", "k",
                 kBetween + "point3f physics:localPos0 = " + place +
                     "\npoint3f physics:localPos1 = " + place + "\n");
  };
  const auto is_told = Contains(::testing::StartsWith("engine-joints-parallel"));
  EXPECT_THAT(write(door + second("(1, 0, 0)")).codes(), Not(is_told));
  EXPECT_THAT(write(door + second("(0, 1, 0)")).codes(), is_told);
  EngineOptions never;
  never.stacked = physics::StackedJoints::never;
  EXPECT_THAT(write(door + second("(0, 1, 0)"), write_mjcf, never).codes(), is_told);
  EXPECT_THAT(write(door + second("(0, 1, 0)"), write_mjcf, always_stacked()).codes(),
              Not(is_told));
}

// Whatever is wrong with a file, what is written is text that a parser takes.
void expect_well_formed(const std::string& text) {
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf\"")));
  EXPECT_THAT(text, Not(HasSubstr("inf ")));
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    ASSERT_NE(end, std::string::npos);
    if (text[at + 1] == '?') continue;
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", tag[0] == '/' ? 1 : 0));
    if (name[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), name.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  EXPECT_THAT(open, IsEmpty());
}

TEST(EngineExport, IsWellFormedWhateverTheFile) {
  for (const Case& c : cases()) {
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      SCOPED_TRACE(c.text);
      expect_well_formed(write(c.text, writer).file.text);
    }
  }
  const char* const bad[] = {"nan", "inf", "-inf", "0", "-1", "1e38", "1e-38"};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    test::Random random(seed);
    test::RandomRobot robot(seed);
    std::string text = robot.text.substr(std::string("#usda 1.0\n").size());
    for (int i = 0; i < 3; ++i) {
      // Some number of the file is none, or absurd.
      std::size_t at = text.find("= ", random.below(text.size()));
      if (at == std::string::npos) continue;
      at += 2;
      if (text[at] == '(') ++at;
      const std::size_t end = text.find_first_not_of("0123456789.e-", at);
      if (end == at || end == std::string::npos) continue;
      text.replace(at, end - at, bad[random.below(7)]);
    }
    SCOPED_TRACE(seed);
    expect_well_formed(write(text, write_mjcf).file.text);
    expect_well_formed(write(text, write_urdf).file.text);
    expect_well_formed(write(text, write_urdf, always_stacked()).file.text);
  }
}

// Of one axis too: the frames may stand apart, or the joint may be locked elsewhere than at 0.
TEST(EngineExport, LeavesBodiesInAUrdfWhereTheStageHasThem) {
  const std::string two = kScene + ball("a") +
                          ball("b",
                               "double3 xformOp:translate = (1, 0, 0)\n"
                               "uniform token[] xformOpOrder = [\"xformOp:translate\"]");
  const std::string apart =
      two + joint("Revolute", "j", kBetween + "point3f physics:localPos1 = (0, 0.5, 0)\n");
  const std::string origin = "\" type=\"continuous\">\n    <origin xyz=\"";
  EXPECT_THAT(write(apart, write_urdf).file.text, HasSubstr("/j" + origin + "1 0.5 0\""));
  EngineOptions snap;
  snap.snap = true;
  EXPECT_THAT(write(apart, write_urdf, snap).file.text, HasSubstr("/j" + origin + "0 0 0\""));
  std::string locked = "float limit:transX:physics:low = 1\nfloat limit:transX:physics:high = 1\n";
  std::string apis = "\"PhysicsLimitAPI:transX\"";
  for (const std::string axis : {"transY", "transZ", "rotX", "rotY"}) {
    apis += ", \"PhysicsLimitAPI:" + axis + "\"";
    locked +=
        "float limit:" + axis + ":physics:low = 1\nfloat limit:" + axis + ":physics:high = -1\n";
  }
  const Export offset = write(two + joint("", "j", kBetween + locked, apis), write_urdf);
  EXPECT_THAT(offset.file.text, HasSubstr("/j" + origin + "1 0 0\""));
  EXPECT_THAT(offset.codes(), Not(Contains("engine-joint-apart /j")));
}

TEST(EngineExport, SnapsAStackByAllOfItsJoints) {
  const std::string text =
      kScene + ball("a") +
      ball("b",
           "double3 xformOp:translate = (1, 2, 3)\n"
           "uniform token[] xformOpOrder = [\"xformOp:translate\"]") +
      joint("Prismatic", "x", kBetween) +
      joint("Prismatic", "y", kBetween + "uniform token physics:axis = \"Y\"\n");
  EngineOptions snap = always_stacked();
  snap.snap = true;
  EXPECT_THAT(write(text, write_mjcf, snap).file.text,
              HasSubstr("<body name=\"/b\" pos=\"1 2 0\""));
}

TEST(EngineExport, GivesTheSameBytesTwice) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string text = test::RandomRobot(seed).text.substr(10);
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      EXPECT_EQ(write(text, writer).file.text, write(text, writer).file.text);
    }
  }
}

// Each thread begins with another robot, so that every robot is written beside every other.
TEST(EngineExport, GivesTheSameBytesOnHoweverManyThreads) {
  constexpr std::size_t kRobots = 12;
  const auto written = [](std::size_t robot) {
    const std::string text = test::RandomRobot(robot + 1).text.substr(10);
    return write(text, write_mjcf).file.text + write(text, write_urdf).file.text;
  };
  std::vector<std::string> alone(kRobots);
  for (std::size_t robot = 0; robot < kRobots; ++robot) alone[robot] = written(robot);
  for (const std::size_t thread_count : {2U, 5U, 8U}) {
    std::vector<int> wrong(thread_count, 0);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < thread_count; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t i = 0; i < kRobots; ++i) {
          const std::size_t robot = (i + 3 * thread) % kRobots;
          if (written(robot) != alone[robot]) ++wrong[thread];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(wrong, testing::Each(0)) << thread_count << " threads";
  }
}

TEST(EngineExport, TakesTenThousandBodiesInOneTree) {
  physics::PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  constexpr int kBodies = 10'000;
  for (int i = 0; i < kBodies; ++i) {
    model.rigid_bodies.emplace_back().path = "/b" + std::to_string(i);
    physics::Joint& j = model.joints.emplace_back();
    j.path = "/j" + std::to_string(i);
    j.ends[0].body = i - 1;
    j.ends[1].body = i;
    j.kind = physics::RevoluteJoint{};
  }
  Diagnostics diagnostics;
  const EngineFile file = write_mjcf(model, {}, diagnostics);
  EXPECT_GT(file.text.size(), 1'000'000U);
  EXPECT_EQ(file.mapping.size(), 2U * kBodies);
  for (physics::Joint& j : model.joints) j.kind = physics::SphericalJoint{};
  const EngineFile chains = write_urdf(model, always_stacked(), diagnostics);
  EXPECT_EQ(chains.mapping.size(), 2U * kBodies);
  EXPECT_THAT(chains.text, HasSubstr("name=\"/j9999:rotZ\""));
}

// A tetrahedron, and prims that bring it, with what they say besides.
std::string tetrahedra(const std::vector<std::string>& others) {
  const std::string mesh = R"( (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
    "PhysicsMeshCollisionAPI"]) {
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
  int[] faceVertexCounts = [3, 3, 3, 3]
  int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
  uniform token physics:approximation = "convexHull"
}
)";
  std::string text = "def Mesh \"A\"" + mesh + "def Mesh \"B\"" + mesh;
  for (std::size_t i = 0; i < others.size(); ++i) {
    text += "def \"C" + std::to_string(i) + "\" (references = </A>) {\n" + others[i] + "}\n";
  }
  return text;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(EngineExport, WritesEqualMeshesOnce) {
  const std::string scaled =
      "float3 xformOp:scale = (2, 1, 1)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
  const std::string moved =
      "double3 xformOp:translate = (2, 1, 1)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  const std::string text =
      tetrahedra({moved, scaled, scaled + "token visibility = \"invisible\"\n"});

  const std::string mjcf = write(text).file.text;
  EXPECT_EQ(count_of(mjcf, "<mesh name="), 2u) << mjcf;
  EXPECT_EQ(count_of(mjcf, "type=\"mesh\""), 5u);
  EXPECT_EQ(count_of(mjcf, "mesh=\"/A\""), 3u) << "A, B and what is moved";
  EXPECT_EQ(count_of(mjcf, "mesh=\"/C1\""), 2u);

  EngineOptions as_files;
  as_files.meshes = EngineMeshes::obj;
  EXPECT_EQ(write(text, write_mjcf, as_files).file.meshes.size(), 2u);
  const EngineFile urdf = write(text, write_urdf).file;
  EXPECT_EQ(urdf.meshes.size(), 2u);
  EXPECT_EQ(count_of(urdf.text, "<mesh filename=\"" + urdf.meshes[0].name + "\""), 3u) << urdf.text;
}

TEST(EngineExport, NamesFollowTheirStyle) {
  const std::string plain = kScene + "def Xform \"x\" {\n" + ball("a") + "}\n";
  EngineOptions options;
  EXPECT_THAT(write(plain, write_mjcf, options).file.text, HasSubstr("name=\"/x/a\""));
  options.names = physics::NameStyle::leaf;
  EXPECT_THAT(write(plain, write_mjcf, options).file.text, HasSubstr("name=\"a\""));
  options.names = physics::NameStyle::identifier;
  EXPECT_THAT(write(plain, write_urdf, options).file.text, HasSubstr("name=\"x_a\""));
}

// Of two robots in one folder neither has the meshes of the other.
TEST(EngineExport, ShortNamesOfMeshFilesBeginWithTheRobot) {
  EngineOptions options;
  options.names = physics::NameStyle::leaf;
  options.meshes = EngineMeshes::obj;
  options.robot_name = "left arm";
  for (const auto writer : {&write_mjcf, &write_urdf}) {
    const EngineFile file = write(tetrahedra({""}), writer, options).file;
    ASSERT_FALSE(file.meshes.empty());
    EXPECT_THAT(file.meshes[0].name, ::testing::StartsWith("left_arm_"));
    EXPECT_THAT(file.text, HasSubstr("\"" + file.meshes[0].name + "\""));
  }
}

TEST(EngineExport, MapsEveryPrim) {
  for (const Case& c : cases()) {
    const Export result = write(c.text, c.writer, c.options);
    for (const EngineMapping& mapping : result.file.mapping) {
      EXPECT_FALSE(mapping.path.empty());
      EXPECT_FALSE(mapping.became.empty());
      EXPECT_EQ(mapping.is_exact, mapping.diagnostic.empty()) << mapping.path;
    }
  }
}

std::string recorded_form(const Export& result) {
  std::string text = test::lines_of(result.diagnostics);
  for (const EngineMapping& mapping : result.file.mapping) {
    text += mapping.path + " -> " + mapping.became + (mapping.is_exact ? "" : " (not exactly)") +
            " " + mapping.diagnostic + "\n";
  }
  for (const EngineMesh& mesh : result.file.meshes) text += mesh.name + ":\n" + mesh.text;
  return text + result.file.text;
}

TEST(EngineExport, IsTheSameLineByLine) {
  std::string mjcf;
  std::string urdf;
  const auto add = [&](const std::string& title, const std::string& text,
                       const EngineOptions& options = {}) {
    mjcf += "## " + title + "\n" + recorded_form(write(text, write_mjcf, options));
    urdf += "## " + title + "\n" + recorded_form(write(text, write_urdf, options));
  };
  for (const Case& c : cases()) add(c.code, c.text, c.options);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    add("robot", test::RandomRobot(seed).text.substr(std::string("#usda 1.0\n").size()));
  }
  for (const char* name : {"robot_arm", "box_on_quad", "distance_joint", "driven_joint",
                           "group_filtering", "pair_filtering"}) {
    std::ifstream stream(test::example_data_folder() + "/" + name + ".usda");
    std::stringstream text;
    text << stream.rdbuf();
    add(name, text.str().substr(text.str().find('\n') + 1));
  }
  test::expect_recorded("engines.mjcf.txt", test::with_short_lines(mjcf));
  test::expect_recorded("engines.urdf.txt", test::with_short_lines(urdf));
}

// --- What engines lack and models of all dialects may ask for

physics::PhysicsModel plain_model() {
  physics::PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.scenes.emplace_back().path = "/scene";
  for (const char* path : {"/base", "/arm"}) {
    physics::RigidBody& body = model.rigid_bodies.emplace_back();
    body.path = path;
    physics::Shape& shape = model.shapes.emplace_back();
    shape.path = std::string(path) + "/ball";
    shape.body = static_cast<std::int32_t>(model.rigid_bodies.size()) - 1;
    shape.geometry = physics::SphereShape{0.5F};
  }
  physics::Joint& joint = model.joints.emplace_back();
  joint.path = "/joint";
  joint.ends[0].body = 0;
  joint.ends[1].body = 1;
  joint.kind = physics::RevoluteJoint{};
  model.body_extras.resize(2);
  model.joint_extras.resize(1);
  model.joint_extras[0].dofs.emplace_back().dof = physics::JointDof::rot_x;
  model.materials.resize(2);
  model.materials[0].path = "/rubber";
  model.materials[1].path = "/ice";
  return model;
}

struct Feature {
  const char* said;  ///< Empty: nothing.
  void (*ask)(physics::PhysicsModel&);
};

TEST(EngineExport, TellsOfEveryFeatureThatEnginesLackAndOfNoOther) {
  const Feature features[] = {
      {"", [](physics::PhysicsModel&) {}},
      {"/joint: The joint does not break.", [](auto& m) { m.joints[0].break_force = 5.0F; }},
      {"/joint: The joint does not break.", [](auto& m) { m.joints[0].break_torque = 5.0F; }},
      {"/joint: The limits are as soft as the engine makes them.",
       [](auto& m) { m.joint_extras[0].dofs[0].limit_stiffness = 1e-3F; }},
      {"", [](auto& m) { m.joint_extras[0].dofs[0].limit_stiffness = 0.0F; }},
      {"/joint: The speed of the joint is not capped.",
       [](auto& m) { m.joint_extras[0].dofs[0].velocity_limit = 99999.0F; }},
      {"", [](auto& m) { m.joint_extras[0].dofs[0].velocity_limit = 1e5F; }},
      {"/arm: The body starts awake.", [](auto& m) { m.rigid_bodies[1].starts_asleep = true; }},
      {"/arm: Gravity acts on the body.", [](auto& m) { m.body_extras[1].gravity_scale = 0.5F; }},
      {"", [](auto& m) { m.body_extras[1].gravity_scale = 1.0F; }},
      {"/arm: The body is not damped.", [](auto& m) { m.body_extras[1].linear_damping = 0.5F; }},
      {"/arm: The body is not damped.", [](auto& m) { m.body_extras[1].angular_damping = 0.5F; }},
      {"", [](auto& m) { m.body_extras[1].angular_damping = 0.0F; }},
      {"/base: The body is not damped (2 of them, this is the first).",
       [](auto& m) {
         m.body_extras[0].linear_damping = 1.0F;
         m.body_extras[1].angular_damping = 1.0F;
       }},
      {"/ice: A restitution of 0.25 is not written.",
       [](auto& m) { m.materials[1].restitution = 0.25F; }},
      {"/rubber: Of two materials in contact the engine takes the larger friction where USD "
       "implementations average: there are 2 materials that differ.|/ice: Engines take one "
       "friction: "
       "0.5, not 0.75 at rest.",
       [](auto& m) {
         m.materials[1].static_friction = 0.75F;
         m.materials[1].dynamic_friction = 0.5F;
       }},
      {"/rubber: Engines take one friction: 0, not 0.5 at rest (2 of them, this is the first).",
       [](auto& m) {
         m.materials[0].static_friction = 0.5F;
         m.materials[1].static_friction = 0.5F;
       }},
  };
  for (const Feature& feature : features) {
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      physics::PhysicsModel model = plain_model();
      feature.ask(model);
      Diagnostics diagnostics;
      writer(model, {}, diagnostics);
      std::string said;
      for (const Diagnostic& d : diagnostics) {
        if (d.code != "engine-feature-dropped" && !d.code.starts_with("engine-friction") &&
            d.code != "engine-restitution-dropped") {
          continue;
        }
        EXPECT_EQ(d.severity,
                  d.code == "engine-restitution-dropped" ? Severity::warning : Severity::info);
        said += (said.empty() ? "" : "|") + d.path + ": " + d.message;
      }
      const bool is_urdf = writer == &write_urdf;
      const std::string_view expected = feature.said;
      // A URDF caps them.
      if (is_urdf && said.empty() && expected.find("capped") != std::string_view::npos) continue;
      if (is_urdf && expected.find("friction") != std::string_view::npos) {
        EXPECT_THAT(said, HasSubstr("The file holds no friction of materials"));
        continue;
      }
      EXPECT_EQ(said, feature.said) << (is_urdf ? "URDF" : "MJCF");
    }
  }
}

}  // namespace
}  // namespace sinew::exporter::engines_test
