// SPDX-License-Identifier: Apache-2.0
// Exported nodes stand where the stage has them, at all times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "export/gltf/written.hpp"
#include "export/gltf_import/glb_file.hpp"
#include "sinew/geom/transforms.hpp"
#include "support/random.hpp"

namespace sinew::exporter::motion_test {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::quad;

constexpr const char* kTimed =
    "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ntimeCodesPerSecond = 1\nstartTimeCode = 0\n"
    "endTimeCode = 2\n";

/// A stage and what is written of it.
class Moving {
 public:
  explicit Moving(const std::string& text, const GlbOptions& options = {},
                  stage::OpenOptions open = {}) {
    stage::MemoryResolver resolver;
    resolver.add("a.usda", test::with_breaks(text));
    open.resolver = &resolver;
    Diagnostics diagnostics;
    auto opened = stage::Stage::open("a.usda", diagnostics, open);
    if (!opened) {
      ADD_FAILURE() << opened.error().message;
      return;
    }
    stage = *opened;
    written = test::write(*stage, options);
    EXPECT_EQ(written.error, "");
    file.json = GltfJson::parse(written.json().dump());
    file.bin.assign(reinterpret_cast<const char*>(written.parts.binary.data()),
                    written.parts.binary.size());
  }

  int node(const std::string& name) const {
    const GltfJson& nodes = file.json["nodes"];
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].value("name", "") == name) return static_cast<int>(i);
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  Matrix4d world(const std::string& name, double seconds) const {
    return GltfJudge(file).world(node(name), seconds);
  }
  /// What moves a node: the sampler of one of its channels.
  GltfJson sampler(const std::string& name, const std::string& component) const {
    for (const GltfJson& clip : file.json.value("animations", GltfJson::array())) {
      for (const GltfJson& channel : clip["channels"]) {
        if (channel["target"]["node"] == node(name) && channel["target"]["path"] == component)
          return clip["samplers"][channel["sampler"].get<std::size_t>()];
      }
    }
    return {};
  }
  /// The times of the keys of such a channel.
  std::vector<double> times(const std::string& name, const std::string& component) const {
    const GltfJson found = sampler(name, component);
    if (found.is_null()) return {};
    return GltfJudge(file).numbers(found["input"].get<int>());
  }
  /// How far a node is from a prim, at the worst of some times.
  double distance(const std::string& name, const std::string& path) const {
    double worst = 0.0;
    for (const double code : {0.0, 0.3, 1.0, 1.7, 2.0}) {
      const Matrix4d wanted = geom::world_from_prim(stage->prim(path), code);
      worst = std::max(worst, (world(name, code) - wanted).cwiseAbs().maxCoeff());
    }
    return worst;
  }

  stage::StagePtr stage;
  test::Written written;
  GlbFile file;
};

std::string ops(const std::string& values, const std::string& order) {
  return values + "uniform token[] xformOpOrder = [" + order + "]\n";
}

std::string kinematic(const std::string& transform, const std::string& content) {
  return "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
         "bool physics:kinematicEnabled = 1\n" +
         transform + content + "}\n";
}

const std::string kCollider =
    "def Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n";

TEST(GltfMotion, ABodyThatMovesShowsItsMeshWhereTheStageDoes) {
  const std::string slide = "double3 xformOp:translate.timeSamples = { 0: (5,0,0), 2: (6,0,0) }\n";
  for (const std::string rest : {"", "double3 xformOp:translate = (1,2,3)\n"}) {
    const Moving made(kTimed + std::string(")\n") +
                      kinematic(ops(rest + slide, "\"xformOp:translate\""), quad() + kCollider));
    EXPECT_LT(made.distance("M", "/B/M"), 1e-5);
    EXPECT_LT(made.distance("B", "/B"), 1e-5);
    // Where no clip plays it stands as at the first time.
    const Matrix4d still = GltfJudge(made.file).world(made.node("B"));
    EXPECT_LT((still - geom::world_from_prim(made.stage->prim("/B"), 0.0)).cwiseAbs().maxCoeff(),
              1e-5);
  }
}

TEST(GltfMotion, AMirroredBodyThatMovesStaysAsItIs) {
  const Moving made(
      kTimed + std::string(")\n") +
      kinematic(ops("double3 xformOp:translate.timeSamples = { 0: (0,0,0), 2: (4,0,0) }\n"
                    "float xformOp:rotateZ.timeSamples = { 0: 0, 2: 40 }\n"
                    "float3 xformOp:scale = (1,-2,1)\n",
                    "\"xformOp:translate\", \"xformOp:rotateZ\", \"xformOp:scale\""),
                quad() + kCollider));
  EXPECT_LT(made.distance("M", "/B/M"), 1e-3);
}

TEST(GltfMotion, TheScaleOfABodyMayMove) {
  const Moving made(
      kTimed + std::string(")\n") +
      kinematic(ops("double3 xformOp:translate.timeSamples = { 0: (0,0,0), 2: (4,0,0) }\n"
                    "float3 xformOp:scale.timeSamples = { 0: (1,1,1), 2: (3,3,2) }\n",
                    "\"xformOp:translate\", \"xformOp:scale\""),
                quad() + kCollider));
  EXPECT_LT(made.distance("M", "/B/M"), 1e-5);
  EXPECT_NEAR(made.world("B", 2.0)(0, 0), 1.0, 1e-6);
}

TEST(GltfMotion, StaticCollidersStandWhereTheirMeshIsShown) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("double3 xformOp:translate = (1,0,0)\n"
                        "double3 xformOp:translate.timeSamples = { 0: (5,0,0), 2: (6,0,0) }\n",
                        "\"xformOp:translate\"") +
                    "def Sphere \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n}\n");
  const GltfJson& nodes = made.file.json["nodes"];
  std::size_t colliders = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].contains("extensions")) continue;
    ++colliders;
    EXPECT_NEAR(GltfJudge(made.file).world(static_cast<int>(i))(0, 3), 5.0, 1e-6);
  }
  EXPECT_EQ(colliders, 1U);
}

// The scales undo each other, but the file says that nothing above a body has one.
TEST(GltfMotion, ABodyBelowScalesMovesToTheTop) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("float3 xformOp:scale = (2,2,2)\n", "\"xformOp:scale\"") +
                    "def Xform \"Y\" {\n" +
                    ops("float3 xformOp:scale = (0.5,0.5,0.5)\n", "\"xformOp:scale\"") +
                    kinematic("", quad() + kCollider) + "}\n}\n");
  const int body = made.node("B");
  for (const GltfJson& node : made.file.json["nodes"]) {
    for (const GltfJson& child : node.value("children", GltfJson::array())) EXPECT_NE(child, body);
  }
}

TEST(GltfMotion, ADefaultPrimFurtherDownMovesWithAllAboveIt) {
  const std::string still =
      "float3 xformOp:scale = (2,1,1)\ndouble3 xformOp:translate = (10,0,0)\n";
  const std::string slide = "double3 xformOp:translate.timeSamples = { 0: (0,0,0), 2: (0,2,0) }\n";
  const std::string both = "\"xformOp:translate\", \"xformOp:scale\"";
  for (const bool above : {false, true}) {
    const Moving made(kTimed + std::string("defaultPrim = \"A/D\")\ndef Xform \"A\" {\n") +
                      ops(still + (above ? slide : ""), both) + "def Xform \"D\" {\n" +
                      ops(above ? "" : slide, above ? "" : "\"xformOp:translate\"") + quad() +
                      "}\n}\n");
    EXPECT_LT(made.distance("D", "/A/D"), 1e-5) << above;
  }
}

TEST(GltfMotion, ScalesThatBendBetweenKeysGetMoreKeys) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("float3 xformOp:scale:a.timeSamples = { 0: (1,1,1), 2: (3,1,1) }\n"
                        "float3 xformOp:scale:b.timeSamples = { 0: (3,1,1), 2: (1,1,1) }\n",
                        "\"xformOp:scale:a\", \"xformOp:scale:b\"") +
                    quad() + "}\n");
  EXPECT_LT(made.distance("X", "/X"), 1e-3);
}

TEST(GltfMotion, NodesThatStandStillKeepTheLengthOfTheClip) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("double3 xformOp:translate.timeSamples = { 0: (1,0,0), 2: (1,0,0) }\n",
                        "\"xformOp:translate\"") +
                    quad() + "}\n");
  ASSERT_TRUE(made.file.json.contains("animations"));
  EXPECT_LT(made.distance("X", "/X"), 1e-6);
}

const std::string kWeights =
    "int[] primvars:skel:jointIndices = [0,0,0,0] (elementSize = 1\ninterpolation = \"vertex\")\n"
    "float[] primvars:skel:jointWeights = [1,1,1,1] (elementSize = 1\ninterpolation = "
    "\"vertex\")\n";

TEST(GltfMotion, AClipThatWasAskedForIsThereAlsoIfNothingMoves) {
  GlbOptions options;
  options.clips.push_back({"Idle", "/R/A"});
  const Moving made(
      kTimed + std::string(")\n") +
          test::skinned(kWeights,
                        "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
                        "quatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n"),
      options);
  bool is_there = false;
  for (const GltfJson& clip : made.file.json["animations"]) {
    is_there = is_there || clip.value("name", "") == "Idle";
  }
  EXPECT_TRUE(is_there);
}

// Walks from 0 to 2, and another animation, of one joint, that nothing plays, has samples from 1
// to 7.
std::string walk_and_run() {
  const auto animation = [](const std::string& samples) {
    return "uniform token[] joints = [\"a\"]\nfloat3[] translations.timeSamples = {" + samples +
           "}\nquatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n";
  };
  std::string text = test::skinned(kWeights, animation("0: [(0,0,0)], 2: [(1,0,0)]"));
  text.insert(text.find("def Mesh"), "def SkelAnimation \"Run\" {" +
                                         animation("1: [(0,0,0)], 3: [(2,0,0)], 7: [(9,0,0)]") +
                                         "}\n");
  return text;
}

// The times of the keys of the first channel of a clip.
std::vector<double> clip_times(const Moving& made, const std::string& name) {
  for (const GltfJson& clip : made.file.json.value("animations", GltfJson::array())) {
    if (clip.value("name", "") != name) continue;
    return GltfJudge(made.file).numbers(clip["samplers"].at(0)["input"].get<int>());
  }
  ADD_FAILURE() << "no clip " << name;
  return {};
}

TEST(GltfMotion, AClipThatWasAskedForHasTheRangeOfItsSamples) {
  GlbOptions options;
  options.clips.push_back({"run", "/R/Run"});
  const std::string untimed =
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ntimeCodesPerSecond = 1)\n";
  const Moving made(untimed + walk_and_run(), options);
  EXPECT_EQ(clip_times(made, "A"), (std::vector<double>{0.0, 2.0}));
  EXPECT_EQ(clip_times(made, "run"), (std::vector<double>{0.0, 2.0, 6.0}));
  EXPECT_FALSE(made.written.says("gltf-clip"));
}

TEST(GltfMotion, AClipThatWasAskedForIsCutToTheRangeOfTheStageOrOfTheCaller) {
  GlbOptions options;
  options.clips.push_back({"run", "/R/Run"});
  const Moving made(kTimed + std::string(")\n") + walk_and_run(), options);
  EXPECT_EQ(clip_times(made, "run"), (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_NE(made.written.told().find(
                "warning gltf-clip /R/Run: /R/Run has samples from 1 to 7; the clip 'run' ends "
                "with the time codes of the stage, 0 to 2.\n"),
            std::string::npos)
      << made.written.told();
  options.time_range = {0.0, 5.0};
  const Moving longer(kTimed + std::string(")\n") + walk_and_run(), options);
  EXPECT_EQ(clip_times(longer, "run"), (std::vector<double>{0.0, 1.0, 3.0, 5.0}));
  EXPECT_FALSE(longer.written.says("gltf-clip"));
}

// What is not sampled says nothing of how the others pass from key to key.
TEST(GltfMotion, JointsAreHeldAsTheStageHoldsThem) {
  const std::string text =
      kTimed + std::string(")\n") +
      test::skinned(kWeights,
                    "uniform token[] joints = [\"a\"]\n"
                    "float3[] translations.timeSamples = { 0: [(0,0,0)], 2: [(1,0,0)] }\n"
                    "quatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n");
  stage::OpenOptions held;
  held.interpolation = stage::Interpolation::held;
  EXPECT_EQ(Moving(text, {}, held).sampler("a", "translation")["interpolation"], "STEP");
  const GltfJson linear = Moving(text).sampler("a", "translation");
  EXPECT_EQ(linear.value("interpolation", "LINEAR"), "LINEAR");
}

TEST(GltfMotion, JointsThatStandStillKeepTheirShear) {
  const Moving made(kTimed + std::string(")\ndef SkelRoot \"R\" {\n") +
                    "def Skeleton \"S\" { uniform token[] joints = [\"J\"]\n"
                    "uniform matrix4d[] bindTransforms = "
                    "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n"
                    "uniform matrix4d[] restTransforms = "
                    "[((1,0,0,0),(0.5,1,0,0),(0,0,1,0),(0,0,0,1))]\n}\n"
                    "def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
                    "rel skel:skeleton = </R/S>\nuniform token subdivisionScheme = \"none\"\n"
                    "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
                    "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0,1,2,3]\n" +
                    kWeights + "}\n}\n");
  EXPECT_NEAR(made.world("J", 0.0)(0, 1), 0.5, 1e-6);
  EXPECT_FALSE(made.written.says("gltf-shear"));
}

TEST(GltfMotion, ANodeWhoseWeightsMoveKeepsItsShear) {
  const Moving made(
      kTimed + std::string(")\ndef SkelRoot \"R\" {\n") +
      "def Skeleton \"S\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "uniform token[] joints = []\nrel skel:animationSource = </R/S/A>\n"
      "def SkelAnimation \"A\" { uniform token[] blendShapes = [\"w\"]\n"
      "float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }\n}\n}\n"
      "def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "rel skel:skeleton = </R/S>\nuniform token subdivisionScheme = \"none\"\n" +
      ops("matrix4d xformOp:transform = ((1,0,0,0),(0.5,1,0,0),(0,0,1,0),(0,0,0,1))\n",
          "\"xformOp:transform\"") +
      "point3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0,1,2]\nuniform token[] skel:blendShapes = [\"w\"]\n"
      "rel skel:blendShapeTargets = </R/M/b>\n"
      "def BlendShape \"b\" { uniform vector3f[] offsets = [(0,0,1),(0,0,0),(0,0,0)]\n}\n}\n}\n");
  EXPECT_NEAR(made.world("M", 1.0)(0, 1), 0.5, 1e-6);
  EXPECT_FALSE(made.written.says("gltf-shear"));
}

// Loaders take matrices apart, and the validator refuses what has no factors.
TEST(GltfMotion, WhatShearsIsTwoNodesThatDoNot) {
  test::Random random(5);
  for (int i = 0; i < 200; ++i) {
    Matrix4d matrix = Matrix4d::Identity();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) matrix(r, c) = random.eighths(-4, 4);
    }
    if (i % 5 == 0) matrix.col(i % 3) = 2.0 * matrix.col((i + 1) % 3);  // Flat.
    if (i % 7 == 0) matrix.col(i % 3) *= 0.125;
    std::string rows;
    for (int c = 0; c < 4; ++c) {
      rows += c == 0 ? "(" : ", (";
      for (int r = 0; r < 4; ++r) {
        rows += (r == 0 ? "" : ", ") + std::to_string(matrix(r, c));
      }
      rows += ")";
    }
    const Moving made(
        kTimed + std::string(")\ndef Xform \"X\" {\n") +
        ops("matrix4d xformOp:transform = (" + rows + ")\n", "\"xformOp:transform\"") + quad() +
        "}\n");
    for (const GltfJson& node : made.file.json["nodes"]) EXPECT_FALSE(node.contains("matrix"));
    const double largest = std::max(1.0, matrix.cwiseAbs().maxCoeff());
    EXPECT_LT((made.world("X", 0.0) - matrix).cwiseAbs().maxCoeff(), 2e-6 * largest)
        << rows << "\n"
        << made.world("X", 0.0);
    EXPECT_FALSE(made.written.says("gltf-shear"));
  }
}

// gltf 80: any way that any turn takes, also where its ends look alike.
TEST(GltfMotion, NodesTurnAsTheStageHasThem) {
  test::Random random(11);
  for (int i = 0; i < 60; ++i) {
    const int turn = i < 12 ? 360 * (i - 4) : 180 * random.between(-20, 20) + random.between(-3, 3);
    const double start = random.eighths(-90, 90);
    const std::string text =
        kTimed + std::string(")\ndef Xform \"X\" {\n") +
        ops("float xformOp:rotateX = " + std::to_string(random.eighths(-90, 90)) +
                "\nfloat xformOp:rotateY = " + std::to_string(random.eighths(-90, 90)) +
                "\nfloat xformOp:rotateZ.timeSamples = { 0: " + std::to_string(start) +
                ", 2: " + std::to_string(start + turn) + " }\n",
            "\"xformOp:rotateX\", \"xformOp:rotateY\", \"xformOp:rotateZ\"") +
        quad() + "}\n";
    EXPECT_LT(Moving(text).distance("X", "/X"), 5e-3) << text;
  }
}

// A quad below "X", which these operations place.
std::string placed_by(const std::string& operations, const std::string& order) {
  return kTimed + std::string(")\ndef Xform \"X\" {\n") + ops(operations, order) + quad() + "}\n";
}

// More turns from key to key than steps that glTF takes the short way would have.
TEST(GltfMotion, NodesSpinAsFastAsTheStageHasThem) {
  for (const int turns : {-128, 23, 40, 64, 100, 128, 256}) {
    const std::string samples =
        "rotateZ.timeSamples = { 0: 0, 2: " + std::to_string(360 * turns) + " }\n";
    const Moving spinning(placed_by("float xformOp:" + samples, "\"xformOp:rotateZ\""));
    EXPECT_LT(spinning.distance("X", "/X"), 5e-3) << turns;
    EXPECT_EQ(spinning.written.told(), "") << turns;
    // About a place far away, which stays where it is.
    const Moving wheel(
        placed_by("double3 xformOp:translate:p = (500, 0, 0)\nfloat xformOp:" + samples,
                  "\"xformOp:translate:p\", \"xformOp:rotateZ\", "
                  "\"!invert!xformOp:translate:p\""));
    const double off = wheel.distance("X", "/X");
    EXPECT_TRUE(off < 0.2 || wheel.written.says("gltf-rough-motion")) << turns << ": " << off;
    EXPECT_LT(off, 10.0) << turns;
  }
}

// What is scaled to nothing is turned in no way of its own.
TEST(GltfMotion, WhatVanishesKeepsItsTurn) {
  for (const char* scales :
       {"0: (1,1,1), 2: (0,0,0)", "0: (0,0,0), 2: (2,1,1)", "0: (1,1,1), 1: (0,0,0), 2: (1,1,1)"}) {
    const Moving made(
        placed_by("float xformOp:rotateZ = 30\nfloat3 xformOp:scale.timeSamples = { " +
                      std::string(scales) + " }\n",
                  "\"xformOp:rotateZ\", \"xformOp:scale\""));
    EXPECT_LT(made.distance("X", "/X"), 1e-5) << scales;
    EXPECT_EQ(made.written.told(), "") << scales;
    EXPECT_EQ(made.written.file.summary.added_keys, 0U) << scales;
  }
}

TEST(GltfMotion, TellsWhatTurnsTooFastForKeys) {
  const Moving made(
      placed_by("float xformOp:rotateZ.timeSamples = { 0: 0, 2: 3.6e7 }\n", "\"xformOp:rotateZ\""));
  EXPECT_EQ(made.written.told(),
            "warning gltf-rough-motion /X: /X moves in a way that keys follow only roughly.\n");
  EXPECT_LE(made.times("X", "rotation").size(), 4097U);
}

// gltf 81
TEST(GltfMotion, KeysThatAreNotFiniteAreLeftOut) {
  const Moving made(
      kTimed + std::string(")\ndef Xform \"X\" {\n") +
      ops("double3 xformOp:translate.timeSamples = { 0: (1,0,0), 1: (nan,0,0), 2: (3,0,0) }\n",
          "\"xformOp:translate\"") +
      quad() + "}\n");
  EXPECT_EQ(made.times("X", "translation"), (std::vector<double>{0.0, 2.0}));
  EXPECT_NEAR(made.world("X", 1.0)(0, 3), 2.0, 1e-6);
  EXPECT_TRUE(made.written.says("gltf-not-finite"));
}

TEST(GltfMotion, WhereAnOpinionIsBlockedNodesJump) {
  const Moving made(
      kTimed + std::string(")\ndef Xform \"X\" {\n") +
      ops("double3 xformOp:translate.timeSamples = { 0: (1,0,0), 1: None, 2: (3,0,0) }\n",
          "\"xformOp:translate\"") +
      quad() + "}\n");
  EXPECT_LT(made.distance("X", "/X"), 1e-6);
  EXPECT_LE(made.times("X", "translation").size(), 5U);
}

const std::string kMixed =
    "uniform token[] joints = [\"a\"]\n"
    "float3[] translations.timeSamples = { 0: [(0,0,0)], 1: [(1,0,0)] }\n"
    "quatf[] rotations.timeSamples = { 0: [(1,0,0,0)], 0.5: [(0.8,0.6,0,0)], 1.5: [(0,1,0,0)] }\n"
    "half3[] scales.timeSamples = { 0: [(1,1,1)], 0.25: [(2,2,2)] }\n";

// gltf 74, 76
TEST(GltfMotion, EachComponentOfAJointHasKeysWhereItHasSamples) {
  const Moving made(kTimed + std::string(")\n") + test::skinned(kWeights, kMixed));
  EXPECT_EQ(made.times("a", "translation"), (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(made.times("a", "rotation"), (std::vector<double>{0.0, 0.5, 1.5, 2.0}));
  EXPECT_EQ(made.times("a", "scale"), (std::vector<double>{0.0, 0.25, 2.0}));
  EXPECT_NEAR(made.world("a", 0.5)(0, 3), 0.5, 1e-6);
}

// gltf 74
TEST(GltfMotion, JointsThatHoldStepToTheEndOfTheClip) {
  stage::OpenOptions open;
  open.interpolation = stage::Interpolation::held;
  const Moving made(kTimed + std::string(")\n") + test::skinned(kWeights, kMixed), {}, open);
  for (const char* component : {"translation", "rotation", "scale"}) {
    EXPECT_EQ(made.sampler("a", component).value("interpolation", ""), "STEP") << component;
  }
  EXPECT_EQ(made.times("a", "rotation"), (std::vector<double>{0.0, 0.5, 1.5, 2.0}));
}

std::string sliding(const std::string& samples) {
  return kTimed + std::string(")\ndef Xform \"X\" {\n") +
         ops("double3 xformOp:translate.timeSamples = { " + samples + " }\n",
             "\"xformOp:translate\"") +
         quad() + "}\n";
}

TEST(GltfMotion, NodesThatHoldStepToTheEndOfTheClip) {
  stage::OpenOptions open;
  open.interpolation = stage::Interpolation::held;
  const Moving made(sliding("0: (0,0,0), 1: (1,0,0), 2: (4,0,0)"), {}, open);
  const GltfJson sampler = made.sampler("X", "translation");
  EXPECT_EQ(sampler.value("interpolation", ""), "STEP");
  EXPECT_EQ(made.times("X", "translation"), (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(GltfJudge(made.file).numbers(sampler["output"].get<int>()),
            (std::vector<double>{0, 0, 0, 1, 0, 0, 4, 0, 0}));
}

TEST(GltfMotion, WhatIsNeverFiniteHasNoKeys) {
  const Moving node(sliding("0: (nan,0,0), 2: (inf,0,0)"));
  const GltfJson sampler = node.sampler("X", "translation");
  EXPECT_EQ(GltfJudge(node.file).numbers(sampler["output"].get<int>()),
            std::vector<double>(6, 0.0));
  EXPECT_EQ(node.times("X", "translation"), (std::vector<double>{0.0, 2.0}));
  EXPECT_EQ(node.written.told(),
            "warning gltf-not-finite /X: The transform of /X is not finite; it is left out.\n");

  for (const std::string odd : {"translations", "rotations", "scales"}) {
    const auto values = [&](const std::string& name, const std::string& type,
                            const std::string& first, const std::string& last,
                            const std::string& never) {
      return type + "[] " + name + ".timeSamples = { 0: [" + (odd == name ? never : first) +
             "], 2: [" + (odd == name ? never : last) + "] }\n";
    };
    const Moving joint(
        kTimed + std::string(")\n") +
        test::skinned(kWeights,
                      "uniform token[] joints = [\"a\"]\n" +
                          values("translations", "float3", "(0,0,0)", "(2,0,0)", "(0,inf,0)") +
                          values("rotations", "quatf", "(1,0,0,0)", "(0,1,0,0)", "(1,0,nan,0)") +
                          values("scales", "half3", "(1,1,1)", "(1,2,1)", "(1,1,inf)")));
    for (const std::string path : {"translation", "rotation", "scale"}) {
      EXPECT_EQ(joint.times("a", path).empty(), odd == path + "s") << odd << path;
    }
    EXPECT_EQ(joint.written.told(),
              "warning gltf-not-finite /R/A: Keys of /R/A that are not finite are left out.\n");
  }
}

TEST(GltfMotion, NodesThatTurnAboutAPivotGetKeysOfTheWay) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("float3 xformOp:translate:pivot = (10,0,0)\n"
                        "float xformOp:rotateZ.timeSamples = { 0: 0, 2: 60 }\n",
                        "\"xformOp:translate:pivot\", \"xformOp:rotateZ\", "
                        "\"!invert!xformOp:translate:pivot\"") +
                    quad() + "}\n");
  EXPECT_LT(made.distance("X", "/X"), 2e-3);
  EXPECT_EQ(made.times("X", "rotation").size(), made.written.file.summary.added_keys + 2);
}

TEST(GltfMotion, BetweenTwoKeysAreAsManyAsTheirTurnsWant) {
  const Moving made(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("float xformOp:rotateX.timeSamples = { 0: 0, 1: 90000, 2: 90010 }\n",
                        "\"xformOp:rotateX\"") +
                    quad() + "}\n");
  EXPECT_EQ(made.written.file.summary.added_keys, 1023U);  // 250 turns by 120 degrees: 750.
  const std::vector<double> times = made.times("X", "rotation");
  ASSERT_EQ(times.size(), 1026U);
  EXPECT_EQ(times[1], 1.0 / 1024);
  EXPECT_EQ(times[1024], 1.0);
}

TEST(GltfMotion, ScalesThatPassNothingMirrorTheAxisThatTheyAreOf) {
  for (const char* scales :
       {"0: (1,1,1), 2: (1,-2,1)", "0: (1,1,1), 2: (-0.5,1,1)", "0: (1,2,1), 2: (1,2,-1)",
        "0: (1,1,-1), 2: (1,1,3)", "0: (1,1,1), 1: (1,-1,1), 2: (1,-1,-2)",
        "0: (-1,1,-1), 1: (-1,-2,-1), 2: (-1,-1,-1)", "0: (1,1,1), 1: (1,0,1), 2: (1,-1,1)"}) {
    const Moving made(
        placed_by("float xformOp:rotateX = 40\nfloat3 xformOp:scale.timeSamples = { " +
                      std::string(scales) + " }\n",
                  "\"xformOp:rotateX\", \"xformOp:scale\""));
    EXPECT_LT(made.distance("X", "/X"), 1e-5) << scales;
    EXPECT_EQ(made.written.told(), "") << scales;
    EXPECT_EQ(made.written.file.summary.added_keys, 0U) << scales;
  }
}

// Two scales that pass 0 are half a turn, too.
TEST(GltfMotion, TwoScalesThatPassNothingNeedFewKeys) {
  for (const char* last : {"(-1,-2,1)", "(-1,-1,1)", "(-1,-1,-1)", "(-3,1,-1)"}) {
    const Moving made(placed_by(
        "float3 xformOp:scale.timeSamples = { 0: (1,1,1), 2: " + std::string(last) + " }\n",
        "\"xformOp:scale\""));
    EXPECT_LT(made.distance("X", "/X"), 1e-3) << last;
    EXPECT_EQ(made.written.told(), "") << last;
    EXPECT_LE(made.written.file.summary.added_keys, 15U) << last;
  }
}

TEST(GltfMotion, AStepPutsKeysBesideTheAuthoredOnes) {
  const std::string text = sliding("0: (0,0,0), 1: (1,0,0), 2: (4,0,0)");
  const auto times = [&](double step, double first) {
    GlbOptions options;
    options.step = step;
    options.time_range = {first, 2.0};
    return Moving(text, options).times("X", "translation");
  };
  EXPECT_EQ(times(0.75, 0.0), (std::vector<double>{0.0, 0.75, 1.0, 1.5, 2.0}));
  EXPECT_EQ(times(0.5, 0.0), (std::vector<double>{0.0, 0.5, 1.0, 1.5, 2.0}));
  EXPECT_EQ(times(0.75, 0.5), (std::vector<double>{0.0, 0.5, 0.75, 1.5}));
  EXPECT_EQ(times(2.0, 0.0), (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(times(3.0, 0.0), (std::vector<double>{0.0, 1.0, 2.0}));
}

// Of times that floats cannot tell apart, the last counts, and the first ends what was before.
TEST(GltfMotion, NodesJumpBetweenTimesThatAreOneAsFloats) {
  const double just_before = std::nextafter(1.0F, 0.0F);
  const struct {
    const char* samples;
    std::vector<double> times, values;
  } rows[] = {
      {"0: (0,0,0), 1: (1,0,0), 1.000000001: (5,0,0), 2: (6,0,0)",
       {0.0, just_before, 1.0, 2.0},
       {0.0, 1.0, 5.0, 6.0}},
      {"0: (0,0,0), 1: (1,0,0), 1.000000001: (5,0,0), 1.000000002: (7,0,0), 2: (6,0,0)",
       {0.0, just_before, 1.0, 2.0},
       {0.0, 1.0, 7.0, 6.0}},
      {"0: (1,0,0), 1e-50: (5,0,0), 2: (6,0,0)", {0.0, 2.0}, {5.0, 6.0}},
  };
  for (const auto& row : rows) {
    const Moving made(sliding(row.samples));
    EXPECT_EQ(made.times("X", "translation"), row.times) << row.samples;
    const GltfJson sampler = made.sampler("X", "translation");
    const std::vector<double> numbers =
        GltfJudge(made.file).numbers(sampler.value("output", GltfJson(0)).get<int>());
    std::vector<double> values;
    for (std::size_t i = 0; i < numbers.size(); i += 3) values.push_back(numbers[i]);
    EXPECT_EQ(values, row.values) << row.samples;
  }
}

// gltf 81
TEST(GltfMotion, KeysOfJointsThatAreNotFiniteAreLeftOut) {
  const Moving made(
      kTimed + std::string(")\n") +
      test::skinned(kWeights,
                    "uniform token[] joints = [\"a\"]\n"
                    "float3[] translations.timeSamples = { 0: [(0,0,0)], 1: [(inf,0,0)], "
                    "2: [(2,0,0)] }\n"
                    "quatf[] rotations.timeSamples = { 0: [(1,0,0,0)], 0.5: [(nan,0,0,0)], "
                    "1.5: [(0,1,0,0)] }\n"
                    "half3[] scales = [(1,1,1)]\n"));
  EXPECT_EQ(made.times("a", "translation"), (std::vector<double>{0.0, 2.0}));
  EXPECT_EQ(made.times("a", "rotation"), (std::vector<double>{0.0, 1.5, 2.0}));
  EXPECT_EQ(made.written.told(),
            "warning gltf-not-finite /R/A: Keys of /R/A that are not finite are left out.\n");
}

TEST(GltfMotion, KeysThatAreNotFiniteAreToldThoughTheOthersAreAtRest) {
  const Moving made(kTimed + std::string(")\n") +
                    test::skinned(kWeights,
                                  "uniform token[] joints = [\"a\"]\n"
                                  "float3[] translations.timeSamples = { 0: [(0,0,0)], "
                                  "1: [(inf,0,0)], 2: [(0,0,0)] }\n"
                                  "quatf[] rotations.timeSamples = { 0: [(1,0,0,0)], "
                                  "1: [(0,1,0,0)] }\n"
                                  "half3[] scales = [(1,1,1)]\n"));
  EXPECT_EQ(made.times("a", "translation"), std::vector<double>());
  EXPECT_FALSE(made.times("a", "rotation").empty());
  EXPECT_EQ(made.written.told(),
            "warning gltf-not-finite /R/A: Keys of /R/A that are not finite are left out.\n");
}

const std::string kIdentity = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";

std::string joint_skeleton(const std::string& more) {
  return "def Skeleton \"S\" { uniform token[] joints = [\"J\"]\n"
         "uniform matrix4d[] bindTransforms = [" +
         kIdentity + "]\nuniform matrix4d[] restTransforms = [" + kIdentity + "]\n" + more + "}\n";
}

std::string bound_quad(const std::string& name, const std::string& more) {
  return "def Mesh \"" + name +
         "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "uniform token subdivisionScheme = \"none\"\n"
         "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
         "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0,1,2,3]\n" +
         kWeights + more + "}\n";
}

std::string sliding_joint(const std::string& name, double to) {
  return "def SkelAnimation \"" + name +
         "\" { uniform token[] joints = [\"J\"]\nfloat3[] translations.timeSamples = "
         "{ 0: [(0,0,0)], 2: [(" +
         std::to_string(to) +
         ",0,0)] }\nquatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n}\n";
}

TEST(GltfMotion, ASkeletonHasJointsForEachAnimationThatDrivesIt) {
  const std::string bindings = "rel skel:skeleton = </R/S>\nrel skel:animationSource = </R/";
  const std::string rising =
      ops("double3 xformOp:translate.timeSamples = { 0: (0,1,0), 2: (0,7,0) }\n",
          "\"xformOp:translate\"");
  const Moving made(kTimed + std::string(")\ndef SkelRoot \"R\" {\n") + joint_skeleton(rising) +
                    sliding_joint("A", 3.0) + sliding_joint("B", 5.0) +
                    bound_quad("M", bindings + "A>\n") + bound_quad("N", bindings + "B>\n") +
                    "}\n");
  const GltfJson& nodes = made.file.json["nodes"];
  const auto joint_of = [&](const std::string& mesh) {
    for (const GltfJson& node : nodes) {
      if (node.value("name", "") != mesh || !node.contains("skin")) continue;
      const GltfJson& skin = made.file.json["skins"][node["skin"].get<std::size_t>()];
      EXPECT_EQ(nodes[skin["skeleton"].get<std::size_t>()]["extras"]["usd"]["path"], "/R/S");
      EXPECT_EQ(skin["joints"].size(), 1U);
      return skin["joints"][0].get<int>();
    }
    return -1;
  };
  ASSERT_EQ(made.file.json["skins"].size(), 2U);
  EXPECT_NEAR(GltfJudge(made.file).world(joint_of("M"), 2.0)(0, 3), 3.0, 1e-6);
  EXPECT_NEAR(GltfJudge(made.file).world(joint_of("N"), 2.0)(0, 3), 5.0, 1e-6);
  for (const char* mesh : {"M", "N"}) {  // Both move with the prim.
    EXPECT_NEAR(GltfJudge(made.file).world(joint_of(mesh), 0.0)(1, 3), 1.0, 1e-6) << mesh;
    EXPECT_NEAR(GltfJudge(made.file).world(joint_of(mesh), 2.0)(1, 3), 7.0, 1e-6) << mesh;
  }
}

TEST(GltfMotion, ASkeletonBesideTheDefaultPrimStandsWhereItIs) {
  const std::string binding = "rel skel:skeleton = </W/S>\n";
  const Moving made(
      "#usda 1.0\n(metersPerUnit = 0.5\nupAxis = \"Y\"\ndefaultPrim = \"R\")\n"
      "def SkelRoot \"R\" {\n" +
      ops("double3 xformOp:translate = (1,0,0)\n", "\"xformOp:translate\"") +
      bound_quad("M", binding) +
      bound_quad("N", binding + "matrix4d primvars:skel:geomBindTransform = "
                                "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,4,1))\n") +
      "}\ndef Xform \"W\" {\n" +
      ops("double3 xformOp:translate = (2,4,0)\n", "\"xformOp:translate\"") + joint_skeleton("") +
      "}\n");
  EXPECT_EQ(made.written.told(), "");
  std::size_t count = 0;
  for (const GltfJson& node : made.file.json["nodes"]) count += node.value("name", "") == "S";
  EXPECT_EQ(count, 1U);
  const GltfJson& skeleton = made.file.json["nodes"][static_cast<std::size_t>(made.node("S"))];
  EXPECT_EQ(skeleton["extras"]["usd"]["path"], "/W/S");
  EXPECT_EQ(skeleton["translation"], GltfJson({1.0, 2.0, 0.0}));
  EXPECT_EQ(made.world("J", 0.0), made.world("S", 0.0));
  EXPECT_EQ(made.world("S", 0.0)(0, 3), 1.0);
}

// A mesh whose only blend shape follows "w", driven by an animation or by none.
std::string morphed(const std::string& scale, const std::string& animation) {
  return kTimed + std::string(")\ndef SkelRoot \"R\" {\n") +
         "def Skeleton \"S\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "uniform token[] joints = []\nrel skel:animationSource = </R/S/A>\n"
         "def SkelAnimation \"A\" { uniform token[] blendShapes = [\"w\"]\n" +
         animation +
         "}\n}\ndef Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\", "
         "\"PhysicsRigidBodyAPI\"]) {\n"
         "rel skel:skeleton = </R/S>\nuniform token subdivisionScheme = \"none\"\n" +
         ops(scale, scale.empty() ? "" : "\"xformOp:scale\"") +
         "point3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\nint[] faceVertexCounts = [3]\n"
         "int[] faceVertexIndices = [0,1,2]\nuniform token[] skel:blendShapes = [\"w\"]\n"
         "rel skel:blendShapeTargets = </R/M/b>\n"
         "def BlendShape \"b\" { uniform vector3f[] offsets = [(0,0,1),(0,0,0),(0,0,0)]\n}\n}\n}\n";
}

TEST(GltfMotion, WeightsMoveTheNodeThatShowsTheMeshOfABody) {
  const std::string weights = "float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }\n";
  for (const bool is_scaled : {false, true}) {
    const Moving made(morphed(is_scaled ? "float3 xformOp:scale = (2,2,2)\n" : "", weights));
    const std::string shown = is_scaled ? "M_scale" : "M";
    EXPECT_EQ(made.times(shown, "weights"), (std::vector<double>{0.0, 2.0}));
    EXPECT_TRUE(
        made.file.json["nodes"][static_cast<std::size_t>(made.node(shown))].contains("mesh"));
  }
}

TEST(GltfMotion, AClipOfWeightsThatWasAskedForIsThereAlsoIfNothingMoves) {
  GlbOptions options;
  options.clips.push_back({"Idle", "/R/S/A"});
  const Moving made(morphed("", "float[] blendShapeWeights = [0]\n"), options);
  const GltfJson& clip = made.file.json["animations"].back();
  EXPECT_EQ(clip["name"], "Idle");
  ASSERT_EQ(clip["channels"].size(), 1U);
  EXPECT_EQ(clip["channels"][0]["target"],
            GltfJson({{"node", made.node("M")}, {"path", "translation"}}));
  EXPECT_EQ(made.times("M", "translation"), (std::vector<double>{0.0, 2.0}));
}

// The mesh has the weights of what the stage plays.
TEST(GltfMotion, AClipWithoutWeightsPutsThemToNothing) {
  GlbOptions options;
  options.clips.push_back({"Walk", "/Walk"});
  const Moving made(morphed("", "float[] blendShapeWeights = [1]\n") +
                        "def SkelAnimation \"Walk\" { float3[] translations = []; }\n",
                    options);
  EXPECT_EQ(made.file.json["meshes"][0]["weights"], GltfJson({1.0}));
  const GltfJson& clip = made.file.json["animations"].back();
  EXPECT_EQ(clip["name"], "Walk");
  ASSERT_EQ(clip["channels"].size(), 1U);
  EXPECT_EQ(clip["channels"][0]["target"],
            GltfJson({{"node", made.node("M")}, {"path", "weights"}}));
  EXPECT_EQ(GltfJudge(made.file).numbers(clip["samplers"][0]["output"].get<int>()),
            (std::vector<double>{0.0, 0.0}));
}

TEST(GltfMotion, ShapesThatAreNotAsManyAsTheirNamesAreNotApplied) {
  std::string text = morphed("", "float[] blendShapeWeights = [1]\n");
  const std::string names = "skel:blendShapes = [\"w\"]";
  text.replace(text.find(names), names.size(), "skel:blendShapes = [\"w\", \"v\"]");
  const Moving made(text);
  EXPECT_FALSE(made.file.json["meshes"][0].contains("weights"));
  EXPECT_FALSE(made.file.json["meshes"][0]["primitives"][0].contains("targets"));
}

TEST(GltfMotion, WeightsHoldWhereTheStageHoldsThem) {
  const struct {
    const char* samples;
    stage::Interpolation interpolation;
    const char* made;
    std::vector<double> times, values;
  } rows[] = {
      {"0: [0], 1: [0], 2: [1]", stage::Interpolation::linear, "LINEAR", {0, 1, 2}, {0, 0, 1}},
      {"0: [0], 1: [1], 2: [0.5]", stage::Interpolation::held, "STEP", {0, 1, 2}, {0, 1, 0.5}},
      {"0: [1], 1: [1], 2: [1]", stage::Interpolation::held, "LINEAR", {0, 2}, {1, 1}},
  };
  GlbOptions options;
  options.physics = false;
  for (const auto& row : rows) {
    stage::OpenOptions open;
    open.interpolation = row.interpolation;
    const Moving made(morphed("", "float[] blendShapeWeights.timeSamples = { " +
                                      std::string(row.samples) + " }\n"),
                      options, open);
    const bool stands = row.values.front() == row.values.back();
    const GltfJson sampler = made.sampler("M", stands ? "translation" : "weights");
    EXPECT_EQ(made.times("M", stands ? "translation" : "weights"), row.times) << row.samples;
    EXPECT_EQ(sampler.value("interpolation", ""), row.made) << row.samples;
    if (!stands) {
      EXPECT_EQ(GltfJudge(made.file).numbers(sampler["output"].get<int>()), row.values);
    }
    EXPECT_EQ(made.written.told(), "");
  }
}

// gltf 81
TEST(GltfMotion, WeightsThatAreNotFiniteAreLeftOut) {
  GlbOptions options;
  options.physics = false;
  for (const char* odd : {"nan", "inf", "-inf"}) {
    const Moving made(morphed("", "float[] blendShapeWeights.timeSamples = { 0: [0.25], 1: [" +
                                      std::string(odd) + "], 2: [1] }\n"),
                      options);
    EXPECT_EQ(made.times("M", "weights"), (std::vector<double>{0.0, 2.0})) << odd;
    const GltfJson sampler = made.sampler("M", "weights");
    EXPECT_EQ(GltfJudge(made.file).numbers(sampler["output"].get<int>()),
              (std::vector<double>{0.25, 1.0}));
    EXPECT_EQ(made.written.told(),
              "warning gltf-not-finite /R/M: Weights of /R/M that are not finite are left out.\n");
  }
}

// gltf 78: where a weight passes what is next to a key, there is no other.
TEST(GltfMotion, WeightsThatPassNothingBetweenKeysGetNone) {
  const struct {
    const char* samples;
    std::vector<double> times, half, whole;
  } rows[] = {
      {"0: [0], 2: [1]", {0, 1, 2}, {0, 1, 0}, {0, 0, 1}},
      {"0: [1], 2: [0]", {0, 1, 2}, {0, 1, 0}, {1, 0, 0}},
      {"0: [-1e-8], 2: [1]", {0, 1, 2}, {0, 1, 0}, {0, 0, 1}},
      {"0: [1], 2: [-1e-8]", {0, 1, 2}, {0, 1, 0}, {1, 0, 0}},
      {"0: [0.5], 2: [1]", {0, 2}, {1, 0}, {0, 1}},
      {"0: [0], 2: [0.5]", {0, 2}, {0, 1}, {0, 0}},
      {"0: [inf], 1: [0], 2: [0.5]", {1, 2}, {0, 1}, {0, 0}},
  };
  for (const auto& row : rows) {
    std::string text = morphed(
        "", "float[] blendShapeWeights.timeSamples = { " + std::string(row.samples) + " }\n");
    const std::string offsets = "uniform vector3f[] offsets = ";
    text.insert(text.find(offsets),
                "uniform vector3f[] inbetweens:half = [(0,1,0),(0,0,0),(0,0,0)] (weight = 0.5)\n");
    const Moving made(text);
    EXPECT_EQ(made.times("M", "weights"), row.times) << row.samples;
    std::vector<double> values;
    for (std::size_t i = 0; i < row.half.size(); ++i) {
      values.insert(values.end(), {row.half[i], row.whole[i]});
    }
    const GltfJson sampler = made.sampler("M", "weights");
    EXPECT_EQ(GltfJudge(made.file).numbers(sampler["output"].get<int>()), values) << row.samples;
    EXPECT_EQ(made.written.file.summary.added_keys, row.times.size() - 2) << row.samples;
  }
}

TEST(GltfMotion, AClipOfOtherJointsMovesNothing) {
  GlbOptions options;
  options.clips.push_back({"wave", "/R/Wave"});
  std::string text = test::skinned(kWeights);
  text.insert(text.find("def Mesh"),
              "def SkelAnimation \"Wave\" { uniform token[] joints = [\"tail\"]\n"
              "float3[] translations = [(1,0,0)]\nquatf[] rotations = [(1,0,0,0)]\n"
              "half3[] scales = [(1,1,1)]\n}\n");
  const Moving made(kTimed + std::string(")\n") + text, options);
  for (const GltfJson& clip : made.file.json.value("animations", GltfJson::array())) {
    EXPECT_NE(clip.value("name", ""), "wave");
  }
  EXPECT_NE(made.written.told().find("warning gltf-clip /R/Wave: /R/Wave moves nothing that is "
                                     "written; the clip 'wave' is left out.\n"),
            std::string::npos)
      << made.written.told();
}

TEST(GltfMotion, AClipOfOneTimeHasOneKey) {
  GlbOptions options;
  options.clips.push_back({"Idle", "/R/A"});
  options.time_range = {1.0, 1.0};
  const Moving made(
      kTimed + std::string(")\n") +
          test::skinned(kWeights,
                        "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
                        "quatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n"),
      options);
  // What the stage plays has no length, and is none.
  ASSERT_EQ(made.file.json["animations"].size(), 1U);
  EXPECT_EQ(made.file.json["animations"][0]["name"], "Idle");
  EXPECT_EQ(made.times("a", "translation"), (std::vector<double>{0.0}));
}

TEST(GltfMotion, StepsWithoutEndAreRefused) {
  const std::string text = sliding("0: (0,0,0), 1: (1,0,0), 2: (4,0,0)");
  GlbOptions options;
  options.step = 1e-8;
  const test::Written written = test::write_text(text, options);
  EXPECT_EQ(written.code, ErrorCode::limit_exceeded);
  EXPECT_EQ(written.error, "The step between keys makes too many of them.");
}

// gltf 75
TEST(GltfMotion, KeysOfTurnsTakeTheSignOfTheOneBefore) {
  const Moving node(kTimed + std::string(")\ndef Xform \"X\" {\n") +
                    ops("float xformOp:rotateZ.timeSamples = { 0: 120, 1: 170, 2: 190 }\n",
                        "\"xformOp:rotateZ\"") +
                    quad() + "}\n");
  ASSERT_EQ(node.times("X", "rotation"), (std::vector<double>{0.0, 1.0, 2.0}));
  const std::vector<double> turns =
      GltfJudge(node.file).numbers(node.sampler("X", "rotation")["output"].get<int>());
  const double half = std::numbers::pi / 360.0;  // Of a degree.
  std::size_t at = 0;
  for (const double degrees : {120.0, 170.0, 190.0}) {
    EXPECT_NEAR(turns[at + 2], std::sin(degrees * half), 1e-6) << degrees;
    EXPECT_NEAR(turns[at + 3], std::cos(degrees * half), 1e-6) << degrees;
    at += 4;
  }

  const auto joint = [](const char* samples) {
    const Moving made(kTimed + std::string(")\n") +
                      test::skinned(kWeights,
                                    "uniform token[] joints = [\"a\"]\n"
                                    "float3[] translations = [(0,0,0)]\n"
                                    "quatf[] rotations.timeSamples = {" +
                                        std::string(samples) + "}\nhalf3[] scales = [(1,1,1)]\n"));
    const GltfJson sampler = made.sampler("a", "rotation");
    return sampler.is_null() ? std::vector<double>()
                             : GltfJudge(made.file).numbers(sampler["output"].get<int>());
  };
  const std::vector<double> turned = joint("0: [(1,0,0,0)], 1: [(0,-1,0,0)], 2: [(0,1,0,0)]");
  ASSERT_EQ(turned.size(), 12U);
  EXPECT_EQ(turned[4], turned[8]);
  // Both signs of the turn at rest are that.
  EXPECT_TRUE(joint("0: [(-1,0,0,0)], 2: [(-1,0,0,0)]").empty());
  EXPECT_TRUE(joint("0: [(1,0,0,0)], 1: [(-1,0,0,0)], 2: [(1,0,0,0)]").empty());
}

// gltf 72
TEST(GltfMotion, TheClipOfTheStageIsNamedAfterItsOnlyAnimation) {
  const auto name = [](bool has_second) {
    const std::string bindings = "rel skel:skeleton = </R/S>\nrel skel:animationSource = </R/";
    const Moving made(kTimed + std::string("defaultPrim = \"R\")\ndef SkelRoot \"R\" {\n") +
                      joint_skeleton("") + sliding_joint("A", 3.0) + sliding_joint("B", 5.0) +
                      bound_quad("M", bindings + "A>\n") +
                      bound_quad("N", bindings + (has_second ? "B" : "A") + ">\n") + "}\n");
    EXPECT_EQ(made.file.json["animations"].size(), 1U);
    return made.file.json["animations"][0].value("name", "");
  };
  EXPECT_EQ(name(false), "A");
  EXPECT_EQ(name(true), "R");
}

// A triangle of three points with these lines in its only blend shape.
Moving shaped(const std::string& shape, const std::string& more = "") {
  GlbOptions options;
  options.physics = false;
  std::string text = morphed("", "float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }\n");
  const std::string offsets = "uniform vector3f[] offsets = [(0,0,1),(0,0,0),(0,0,0)]\n";
  text.replace(text.find(offsets), offsets.size(), shape);
  text.insert(text.find("point3f[] points"), more);
  return Moving(text, options);
}

// gltf 65, 66
TEST(GltfMotion, OffsetsOfOnePointAddUp) {
  const std::string normals =
      "normal3f[] normals = [(0,0,1),(0,0,1),(0,0,1)] (interpolation = \"vertex\")\n";
  const struct {
    const char* lines;
    std::vector<double> positions, normals;
  } rows[] = {
      {"uniform vector3f[] offsets = [(0,0,1),(1,0,0),(0,0,2)]\n"
       "uniform vector3f[] normalOffsets = [(1,0,0),(0,1,0),(2,0,0)]\n"
       "uniform int[] pointIndices = [2,0,2]\n",
       {1, 0, 0, 0, 0, 0, 0, 0, 3},
       {0, 1, 0, 0, 0, 0, 3, 0, 0}},
      {"uniform vector3f[] offsets = [(0,0,1),(nan,0,5),(0,2,0)]\n",
       {0, 0, 1, 0, 0, 0, 0, 2, 0},
       {}},
      {"uniform vector3f[] offsets = [(inf,0,1),(0,0,4)]\nuniform int[] pointIndices = [1,1]\n",
       {0, 0, 0, 0, 0, 4, 0, 0, 0},
       {}},
  };
  for (const auto& row : rows) {
    const Moving made = shaped(row.lines, normals);
    const GltfJson& target = made.file.json["meshes"][0]["primitives"][0]["targets"][0];
    EXPECT_EQ(GltfJudge(made.file).numbers(target["POSITION"].get<int>()), row.positions)
        << row.lines;
    ASSERT_EQ(target.contains("NORMAL"), !row.normals.empty()) << row.lines;
    if (row.normals.empty()) continue;
    EXPECT_EQ(GltfJudge(made.file).numbers(target["NORMAL"].get<int>()), row.normals);
  }
}

// gltf 71
TEST(GltfMotion, ShapesThatNameOtherPointsThanThereAreMoveNothing) {
  const struct {
    const char* lines;
    bool fits;
  } rows[] = {
      {"uniform vector3f[] offsets = [(0,0,1)]\nuniform int[] pointIndices = [2]\n", true},
      {"uniform vector3f[] offsets = [(0,0,1)]\nuniform int[] pointIndices = [3]\n", false},
      {"uniform vector3f[] offsets = [(0,0,1)]\nuniform int[] pointIndices = [-1]\n", false},
      {"uniform vector3f[] offsets = [(0,0,1),(0,0,1)]\nuniform int[] pointIndices = [2]\n", false},
      {"uniform vector3f[] offsets = [(0,0,1),(0,0,1)]\n", false},
      {"uniform vector3f[] offsets = [(0,0,1),(0,0,1),(0,0,1)]\n", true},
      {"uniform vector3f[] offsets = [(0,0,1)]\nuniform vector3f[] normalOffsets = "
       "[(0,0,1),(0,0,1)]\nuniform int[] pointIndices = [2]\n",
       false},
  };
  for (const auto& row : rows) {
    const Moving made = shaped(row.lines);
    const GltfJson& target = made.file.json["meshes"][0]["primitives"][0]["targets"][0];
    bool moves = false;
    for (const double offset : GltfJudge(made.file).numbers(target["POSITION"].get<int>())) {
      moves = moves || offset != 0.0;
    }
    EXPECT_EQ(moves, row.fits) << row.lines;
    EXPECT_EQ(made.written.says("gltf-blend-shape"), !row.fits) << row.lines;
  }
}

// gltf 68
TEST(GltfMotion, WeightsAtRestThatAreNotFiniteAreNone) {
  for (const auto& [weight, at_rest] : {std::pair("0.5", 0.5), std::pair("-2", -2.0),
                                        std::pair("nan", 0.0), std::pair("inf", 0.0)}) {
    const Moving made(morphed("", "float[] blendShapeWeights = [" + std::string(weight) + "]\n"));
    EXPECT_EQ(made.file.json["meshes"][0]["weights"], GltfJson({at_rest})) << weight;
  }
}

// gltf 69
TEST(GltfMotion, ManyTargetsAreToldAbove64) {
  for (const int count : {64, 65}) {
    std::string names, targets, shapes;
    for (int i = 0; i < count; ++i) {
      const std::string name = "s" + std::to_string(i);
      names += '"' + name + "\",";
      targets += "</R/M/" + name + ">,";
      shapes +=
          "def BlendShape \"" + name +
          "\" { uniform vector3f[] offsets = [(0,0,1)]\nuniform int[] pointIndices = [0]\n}\n";
    }
    const Moving made(kTimed + std::string(")\n") +
                      test::skinned("uniform token[] skel:blendShapes = [" + names +
                                    "]\nrel skel:blendShapeTargets = [" + targets + "]\n" +
                                    shapes));
    EXPECT_EQ(made.written.file.summary.morph_targets, static_cast<std::size_t>(count));
    EXPECT_EQ(made.written.told(), count == 64 ? ""
                                               : "info gltf-many-morph-targets /R/M: /R/M has 65 "
                                                 "morph targets; some engines stop at 64.\n");
  }
}

}  // namespace
}  // namespace sinew::exporter::motion_test
