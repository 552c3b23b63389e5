// SPDX-License-Identifier: Apache-2.0
// Exported nodes stand where the stage has them, at all times.
#include <gtest/gtest.h>

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
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].contains("extensions")) continue;
    EXPECT_NEAR(GltfJudge(made.file).world(static_cast<int>(i))(0, 3), 5.0, 1e-6);
  }
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

TEST(GltfMotion, ANodeWhoseWeightsMoveHasNoMatrix) {
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
  for (const GltfJson& node : made.file.json["nodes"]) EXPECT_FALSE(node.contains("matrix"));
  EXPECT_TRUE(made.written.says("gltf-shear"));
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

}  // namespace
}  // namespace sinew::exporter::motion_test
