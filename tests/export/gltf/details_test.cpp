// SPDX-License-Identifier: Apache-2.0
// Small things of exported files that readers of glTF rely on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf/glb_checker.hpp"
#include "export/gltf/written.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/geom/bounds.hpp"
#include "stage/support.hpp"
#include "support/recorded.hpp"
#include "support/sanitized.hpp"

namespace sinew::exporter::details_test {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Made {
  GltfFile file;
  test::GlbParts parts;
  std::string said;
};

void make(const std::string& text, Made& made) {
  Diagnostics diagnostics;
  const std::string all = "(metersPerUnit = 1\nupAxis = \"Y\")\n" + text;
  const auto stage = stage::open_layers({{"root.usda", all.c_str()}}, diagnostics);
  ASSERT_NE(stage, nullptr);
  auto file = write_glb(*stage, {}, diagnostics);
  ASSERT_TRUE(file) << file.error().message;
  made.file = *std::move(file);
  EXPECT_EQ(test::check_glb(made.file.bytes), "");
  std::string problem;
  made.parts = test::open_glb(made.file.bytes, problem);
  made.said += test::lines_of(diagnostics);
}

// The type of a shape is the name of what says its sizes.
TEST(GltfDetails, EveryShapeHasItsType) {
  Made made;
  make(R"(def PhysicsScene "Scene" {}
def Points "Points" (apiSchemas = ["PhysicsCollisionAPI"]) {
    point3f[] points = [(0, 0, 0), (1, 0, 0)]
    float[] widths = [0.5, 0.25]
}
def Sphere "Sphere" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def Cube "Cube" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def Capsule "Capsule" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def Cylinder "Cylinder" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def Plane "Plane" (apiSchemas = ["PhysicsCollisionAPI"]) {}
)",
       made);
  const Json& shapes = made.parts.json["extensions"]["KHR_implicit_shapes"]["shapes"];
  ASSERT_GE(shapes.size(), 6U) << made.said;
  std::vector<double> radii;
  for (const Json& shape : shapes) {
    ASSERT_TRUE(shape.contains("type")) << shape;
    EXPECT_TRUE(shape.contains(shape["type"].get<std::string>()) || shape["type"] == "plane")
        << shape;
    if (shape["type"] == "sphere") radii.push_back(shape["sphere"]["radius"]);
  }
  EXPECT_THAT(radii, ::testing::UnorderedElementsAre(0.25, 0.125, 1.0));
}

TEST(GltfDetails, ThePolesOfASphereHaveAVertexEach) {
  Made made;
  make("def Sphere \"S\" {}\n", made);
  EXPECT_EQ(made.file.summary.vertices, 15U * 32U + 2U) << made.said;
}

// Bodies below scales are placed anew, which rounds.
TEST(GltfDetails, WhatIsIdentityButForRoundingIsLeftOut) {
  Made made;
  make(R"(def Xform "W" {
    float3 xformOp:scale = (2, 1, 1)
    float xformOp:rotateZ = 90
    uniform token[] xformOpOrder = ["xformOp:scale", "xformOp:rotateZ"]
    def Cube "mirrored" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
        double3 xformOp:translate = (0.01, 0.02, 0.03)
        float3 xformOp:scale = (-1, 2, 1)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }
    def Cube "turned" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
}
)",
       made);
  const Json* const mirrored = made.parts.node("mirrored_scale");
  ASSERT_NE(mirrored, nullptr);
  EXPECT_FALSE(mirrored->contains("translation")) << *mirrored;
  const Json* const turned = made.parts.node("turned_scale");
  ASSERT_NE(turned, nullptr);
  EXPECT_FALSE(turned->contains("rotation")) << *turned;
}

const std::string kSkinned = R"(def SkelRoot "Root" {
    def Skeleton "Skel" (apiSchemas = ["SkelBindingAPI"]) {
        uniform token[] joints = ["J"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 2, 3, 1))]
        rel skel:animationSource = </Root/Anim>
    }
    def SkelAnimation "Anim" {
        uniform token[] joints = ["J"]
        float3[] translations.timeSamples = { 0: [(4, 5, 6)], 1: [(7, 8, 9)] }
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
        uniform token[] blendShapes = ["good", "bad"]
        float[] blendShapeWeights = [0, 0]
    }
    def Mesh "M" (apiSchemas = ["SkelBindingAPI"]) {
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [0, 0, 0] (
            elementSize = 1
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [1, 1, 1] (
            elementSize = 1
            interpolation = "vertex"
        )
        rel skel:skeleton = </Root/Skel>
        uniform token[] skel:blendShapes = ["good", "bad"]
        rel skel:blendShapeTargets = [</Root/M/good>, </Root/M/bad>]
        def BlendShape "good" {
            uniform vector3f[] offsets = [(1, 0, 0)]
            uniform int[] pointIndices = [2]
        }
        def BlendShape "bad" {
            uniform vector3f[] offsets = [(1, 0, 0)]
            uniform int[] pointIndices = [7]
        }
    }
}
)";

// Without a rest pose joints stand where the animation has them first, not where they were bound.
TEST(GltfDetails, JointsWithoutARestPoseStandAsTheirAnimationBegins) {
  Made made;
  make(kSkinned, made);
  const Json* joint = made.parts.node("J");
  ASSERT_NE(joint, nullptr);
  EXPECT_EQ((*joint)["translation"], Json({4.0, 5.0, 6.0})) << *joint;
}

TEST(GltfDetails, OneBlendShapeThatDoesNotFitIsTold) {
  Made made;
  make(kSkinned, made);
  EXPECT_THAT(made.said,
              HasSubstr("The offsets of 1 blend shapes of /Root/M do not fit its points; "
                        "the morph targets move nothing."));
  EXPECT_EQ(made.parts.json["meshes"][0]["primitives"][0]["targets"].size(), 2U);
}

using test::write_text;
using test::Written;

const Json& shapes_of(const Written& written) {
  static const Json kNone = Json::array();
  const auto extensions = written.json().find("extensions");
  return extensions != written.json().end() && extensions->contains("KHR_implicit_shapes")
             ? (*extensions)["KHR_implicit_shapes"]["shapes"]
             : kNone;
}

// gltf 98
TEST(GltfDetails, CollidersOfNoSizeAreLeftOut) {
  const auto write = [](const std::string& type, const std::string& lines) {
    return write_text(test::kHead + ("def " + type) +
                      " \"S\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                      "uniform token purpose = \"guide\"\n" +
                      lines + "}\n");
  };
  const char* const bad[][2] = {
      {"Sphere", "double radius = 0\n"},
      {"Cube", "double size = 0\n"},
      {"Capsule", "double radius = 0\n"},
      {"Capsule", "double radius = inf\n"},
      {"Cylinder", "double radius = 0\n"},
      {"Cylinder", "double height = 0\n"},
      {"Cylinder", "double height = inf\n"},
      {"Cone", "double height = 0\n"},
      {"Cone", "double radius = 0\n"},
      {"Capsule_1", "double radiusTop = 0\ndouble radiusBottom = 0\n"},
  };
  for (const auto& [type, lines] : bad) {
    const Written written = write(type, lines);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(shapes_of(written), Json::array()) << type << ' ' << lines;
    EXPECT_EQ(written.file.summary.colliders, 0U);
    EXPECT_THAT(written.told(),
                HasSubstr("warning gltf-collider-size /S: The collider /S has a size or place that "
                          "is not positive and finite; it is left out.\n"))
        << type << ' ' << lines;
  }
  const struct {
    const char *type, *lines, *shape;
  } good[] = {
      {"Capsule", "double height = 0\ndouble radius = 0.5\n",
       R"({"type": "capsule", "capsule": {"height": 0, "radiusBottom": 0.5, "radiusTop": 0.5}})"},
      {"Capsule_1", "double height = 1\ndouble radiusTop = 0\ndouble radiusBottom = 0.5\n",
       R"({"type": "capsule", "capsule": {"height": 1, "radiusBottom": 0.5, "radiusTop": 0}})"},
      {"Cylinder_1", "double height = 1\ndouble radiusTop = 0.5\ndouble radiusBottom = 0\n",
       R"({"type": "cylinder", "cylinder": {"height": 1, "radiusBottom": 0, "radiusTop": 0.5}})"},
      {"Cone", "double height = 1\ndouble radius = 0.5\n",
       R"({"type": "cylinder", "cylinder": {"height": 1, "radiusBottom": 0.5, "radiusTop": 0}})"},
  };
  for (const auto& [type, lines, shape] : good) {
    const Written written = write(type, lines);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(shapes_of(written), Json::array({Json::parse(shape)}));
    EXPECT_EQ(written.told(), "") << type;
  }
}

TEST(GltfDetails, CollidersTooLargeOnceScaledAreLeftOut) {
  for (const char* type : {"Cylinder", "Capsule"}) {
    for (const auto& [height, colliders] : {std::pair("3e38", 0U), std::pair("1.6e38", 1U)}) {
      const Written written = write_text(
          fmt::format("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\")\n"
                      "def {} \"S\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {{\n"
                      "uniform token purpose = \"guide\"\ndouble height = {}\ndouble radius = 1\n"
                      "float3 xformOp:scale = (2,2,2)\nuniform token[] xformOpOrder = "
                      "[\"xformOp:scale\"]\n}}\n",
                      type, height));
      EXPECT_EQ(written.error, "");
      EXPECT_EQ(written.file.summary.colliders, colliders) << type << ' ' << height;
      EXPECT_EQ(written.says("gltf-collider-size"), colliders == 0U) << written.told();
    }
  }
}

TEST(GltfDetails, GravityOfNoDirectionIsLeftOut) {
  const Written written = write_text(
      test::kHead +
      std::string("def PhysicsScene \"P\" { vector3f physics:gravityDirection = (nan, 0, 0)\n"
                  "float physics:gravityMagnitude = 5\n}\n"
                  "def Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"));
  ASSERT_EQ(written.error, "");
  EXPECT_TRUE(written.says("gltf-gravity")) << written.told();
  EXPECT_FALSE(written.json()["scenes"][0].contains("extras"));
}

TEST(GltfDetails, PointsWithoutSizeOrPlaceDoNotCollide) {
  const Written written =
      write_text(test::kHead +
                 std::string("def Points \"P\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                             "uniform token purpose = \"guide\"\n"
                             "point3f[] points = [(1,0,0),(2,0,0),(3,0,0),(nan,0,0),(5,0,0)]\n"
                             "float[] widths = [1, 0, -1, 1, 0.5]\n}\n"));
  ASSERT_EQ(written.error, "");
  EXPECT_THAT(written.told(), HasSubstr("warning gltf-collider-size /P: The collider /P has a size "
                                        "or place that is not positive and finite; it is left "
                                        "out.\n"));
  EXPECT_EQ(written.file.summary.colliders, 2U);
  std::vector<Json> places;
  for (const Json& node : written.json()["nodes"]) {
    if (node.value("name", "") == "point") places.push_back(node["translation"]);
  }
  EXPECT_THAT(places, ElementsAre(Json({1, 0, 0}), Json({5, 0, 0})));
  EXPECT_EQ(shapes_of(written), Json::parse(R"([{"type": "sphere", "sphere": {"radius": 0.5}},
                                                {"type": "sphere", "sphere": {"radius": 0.25}}])"));
}

TEST(GltfDetails, MeshesWithoutTrianglesDoNotCollide) {
  const Written written = write_text(
      test::kHead +
      std::string("def Mesh \"M\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                  "uniform token purpose = \"guide\"\nint[] faceVertexCounts = [2]\n"
                  "int[] faceVertexIndices = [0,1]\npoint3f[] points = [(1,0,0),(2,0,0)]\n}\n"));
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.file.summary.colliders, 0U);
  EXPECT_FALSE(written.json().contains("meshes"));
  EXPECT_THAT(written.told(),
              HasSubstr("gltf-collider-size /M: The collider /M has a size or place "
                        "that is not positive and finite; it is left out.\n"));
}

TEST(GltfDetails, MeshesThatTheirScaleMakesFlatDoNotCollide) {
  for (const auto& [scale, colliders] :
       {std::pair("(2, 0, 2)", 0U), std::pair("(2, 2e-5, 2)", 1U)}) {
    for (const char* meters : {"1", "0.01"}) {
      const Written written = write_text(fmt::format(
          "#usda 1.0\n(metersPerUnit = {}\nupAxis = \"Y\")\n"
          "def Mesh \"M\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {{\n"
          "uniform token purpose = \"guide\"\nint[] faceVertexCounts = [3]\n"
          "int[] faceVertexIndices = [0,1,2]\npoint3f[] points = [(1,0,0),(2,0,0),(1,1,1)]\n"
          "float3 xformOp:scale = {}\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n}}\n",
          meters, scale));
      ASSERT_EQ(written.error, "");
      EXPECT_EQ(written.file.summary.colliders, colliders) << scale << ' ' << meters;
      EXPECT_EQ(written.says("gltf-collider-size"), colliders == 0U) << written.told();
    }
  }
}

TEST(GltfDetails, CollidersBesideTheDefaultPrimAreNotWritten) {
  const std::string cube = "def Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n";
  const Written written = write_text(
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"A\")\n"
      "def Xform \"A\" {\n" +
      cube + "}\ndef Xform \"B\" {\n" + cube + "}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.file.summary.colliders, 1U);
  EXPECT_FALSE(written.says("gltf-collider")) << written.told();
}

TEST(GltfDetails, CollidersOfBodiesThatAreNotWrittenAreLeftOut) {
  const Written written = write_text(
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"B/D\")\n"
      "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\ndef Xform \"D\" {\n"
      "def Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n}\n}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.file.summary.colliders, 0U);
  EXPECT_EQ(written.file.summary.bodies, 0U);
  EXPECT_EQ(written.told(),
            "warning gltf-collider /B/D/C: The collider /B/D/C is of the body /B, which is not "
            "written; it is left out.\n");
}

// gltf 101: a class has a name of its own up to 4096 of them.
TEST(GltfDetails, FiltersOf4096ClassesAreWritten) {
  if (SINEW_TEST_SANITIZED) GTEST_SKIP() << "compares each with each: minutes under sanitizers";
  for (const std::size_t count : {4096U, 4097U}) {
    std::string text = test::kHead;
    for (std::size_t i = 0; i < count; ++i) {
      // A chain: each keeps apart from the next, so none are alike.
      text += fmt::format(
          "def Sphere \"S{}\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", "
          "\"PhysicsFilteredPairsAPI\", \"PhysicsRigidBodyAPI\"]) "
          "{{ rel physics:filteredPairs = </S{}> }}\n",
          i, std::min(i + 1, count - 1));
    }
    const Written written = write_text(text);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.file.summary.colliders, count);
    const Json::json_pointer filters("/extensions/KHR_physics_rigid_bodies/collisionFilters");
    EXPECT_EQ(written.json().contains(filters), count == 4096);
    EXPECT_EQ(written.says("gltf-collision-filters"), count == 4097);
  }
}

TEST(GltfDetails, TransformsThatAreNotFiniteAreLeftOut) {
  for (const char* value : {"nan", "inf", "1e39", "-1e39"}) {
    const Written written =
        write_text(test::kHead +
                   fmt::format("def Xform \"X\" {{ double3 xformOp:translate = (1,{},0)\n"
                               "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n",
                               value) +
                   test::quad() + "}\n");
    EXPECT_EQ(written.error, "") << value;
    EXPECT_EQ(written.told(),
              "warning gltf-not-finite /X: The transform of /X is not finite; it is left out.\n")
        << value;
    ASSERT_NE(written.parts.node("X"), nullptr);
    EXPECT_FALSE(written.parts.node("X")->contains("translation")) << value;
  }
}

TEST(GltfDetails, SkinsOfTransformsThatAreNotFiniteAreLeftOut) {
  const std::string odd = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(nan,0,0,1))";
  const std::string identity = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";
  const Written geom = write_text(
      test::kHead + test::skinned(test::kTwoInfluences +
                                  "matrix4d primvars:skel:geomBindTransform = " + odd + "\n"));
  ASSERT_EQ(geom.error, "");
  EXPECT_FALSE(geom.json().contains("skins"));
  EXPECT_EQ(geom.told(),
            "warning gltf-not-finite /R/M: The geomBindTransform of /R/M is not finite; it is "
            "written unskinned.\n");

  for (const char* which : {"restTransforms", "bindTransforms"}) {
    std::string text = test::skinned(test::kTwoInfluences);
    const std::size_t at = text.find(which);
    text.replace(text.find("(1,0,0,1)", at), 9, "(1e39,0,0,1)");
    const Written written = write_text(test::kHead + text);
    ASSERT_EQ(written.error, "");
    EXPECT_FALSE(written.json().contains("skins"));
    EXPECT_THAT(written.told(), HasSubstr("error gltf-bad-skeleton /R/M: /R/M is written where its "
                                          "points are: bind or rest transforms of its skeleton are "
                                          "not finite.\n"));
  }
}

// gltf 106: what the stage holds may be more than floats can, once it is in metres.
TEST(GltfDetails, TransformsThatAreTooLargeInMetresStopNothing) {
  const std::string body = "(prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n";
  const auto scaled = [](const std::string& inner) {
    return "def Xform \"X\" { float3 xformOp:scale = (1e30,1,1)\n"
           "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n" +
           inner + "}\n";
  };
  const std::string move =
      "double3 xformOp:translate = (1e30,0,0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  const std::string collides = "(prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {\n";
  const auto instancer = [](const std::string& positions) {
    return "def PointInstancer \"P\" { rel prototypes = [</P/M>]\nint[] protoIndices = [0,0]\n"
           "point3f[] positions = [" +
           positions + ", (1,0,0)]\n" + test::quad() + "}\n";
  };
  const std::string bound = test::skinned(test::kTwoInfluences +
                                          "matrix4d primvars:skel:geomBindTransform = "
                                          "((1e30,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))\n");
  std::string small = bound;
  small.replace(small.find("((1,0,0,0)", small.find("bindTransforms")), 10, "((1e-20,0,0,0)");
  const std::pair<std::string, std::string> rows[] = {
      {instancer("(3e38,0,0)"), "/P"},
      {scaled("def Xform \"B\" " + body + move + test::quad() + "}\n"), "/X/B"},
      {scaled("def Sphere \"C\" " + collides + move + "}\n"), ""},
      {"def Cube \"B\" " + body +
           "}\ndef PhysicsFixedJoint \"J\" { rel physics:body0 = </B>\n"
           "point3f physics:localPos0 = (3e38,0,0)\n}\n",
       ""},
      {small, "/R/M"},
  };
  for (const auto& [text, path] : rows) {
    for (const GlbInstancing instancing : {GlbInstancing::nodes, GlbInstancing::gpu}) {
      GlbOptions options;
      options.instancing = instancing;
      const Written written =
          write_text("#usda 1.0\n(metersPerUnit = 1000\nupAxis = \"Y\")\n" + text, options);
      EXPECT_EQ(written.error, "") << text;
      if (!path.empty()) {
        EXPECT_THAT(written.told(), HasSubstr("warning gltf-not-finite " + path + ": ")) << text;
      }
      EXPECT_FALSE(written.json().contains("skins"));
    }
  }
}

TEST(GltfDetails, ClipsOfSkeletonsWithoutAHierarchyAreLeftOut) {
  std::string text =
      test::skinned(test::kTwoInfluences,
                    "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
                    "quatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n");
  const std::string order = "[\"a\", \"a/b\"]";
  text.replace(text.find(order), order.size(), "[\"a/b\", \"a\"]");
  GlbOptions options;
  options.clips.push_back({"wave", "/R/A"});
  const Written written = write_text(test::kHead + text, options);
  ASSERT_EQ(written.error, "");
  EXPECT_FALSE(written.json().contains("animations"));
  EXPECT_THAT(written.told(), HasSubstr("warning gltf-clip /R/A: /R/A moves nothing that is "
                                        "written; the clip 'wave' is left out.\n"));
}

TEST(GltfDetails, WhatIsBelowSomethingInvisibleIsLeftOut) {
  const std::string varies =
      "token visibility.timeSamples = { 0: \"inherited\", 1: \"invisible\" }\n";
  for (const bool is_hidden : {false, true}) {
    const Written written = write_text(test::kHead + std::string("def Xform \"X\" {\n") +
                                       (is_hidden ? "token visibility = \"invisible\"\n" : "") +
                                       "def Xform \"Y\" {\n" + test::quad(varies) + "}\n}\n");
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json().contains("meshes"), !is_hidden);
    EXPECT_EQ(written.told(), is_hidden ? ""
                                        : "warning gltf-visibility-animation /X/Y/M: The "
                                          "visibility of /X/Y/M varies; it is written as at the "
                                          "first time.\n");
  }
}

TEST(GltfDetails, RotationsOfZeroAreToldIfTheyAreWritten) {
  const std::string head =
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\nstartTimeCode = 0\nendTimeCode = 2)\n";
  const std::pair<std::string, bool> rows[] = {
      {" = (0,0,0,0)", true},
      {" = (1,0,0,0)", false},
      {" = (0,0,0,0.5)", false},
      {".timeSamples = { 0: (0,0,0,0), 2: (1,0,0,0) }", true},
      {".timeSamples = { 0: (1,0,0,0), 2: (0,0,0,0) }", true},
      {".timeSamples = { 0: (1,0,0,0), 1: (0,0,0,0), 2: (1,0,0,0) }", true},
      {".timeSamples = { 0: (1,0,0,0), 3: (0,0,0,0) }", false},
      {".timeSamples = { -1: (0,0,0,0), 0: (1,0,0,0) }", false}};
  for (const std::string type : {"quath", "quatf", "quatd"}) {
    for (const auto& [values, is_told] : rows) {
      const std::string text = head + "def Xform \"X\" { " + type + " xformOp:orient" + values +
                               "\nuniform token[] xformOpOrder = [\"xformOp:orient\"]\n" +
                               test::quad() + "}\n";
      const Written written = write_text(text);
      EXPECT_EQ(written.error, "");
      EXPECT_EQ(written.told(), is_told ? "warning gltf-zero-rotation /X: Rotations of /X that are "
                                          "zero are written as none.\n"
                                        : "")
          << text;
    }
  }
  const Written unused = write_text(head + "def Xform \"X\" { quatf xformOp:orient = (0,0,0,0)\n" +
                                    test::quad() + "}\n");
  EXPECT_EQ(unused.told(), "");
}

TEST(GltfDetails, WhatWouldBeWrittenBesideTheDefaultPrimIsTold) {
  const auto api = [](const std::string& name, const std::string& lines = "") {
    return "(prepend apiSchemas = [\"Physics" + name + "API\"]) { " + lines + "}\n";
  };
  const struct {
    std::string beside;
    bool is_told, is_physical = false;
  } rows[] = {
      {"def Camera \"B\" {}\n", true},
      {"def PointInstancer \"B\" {}\n", true},
      {"def Xform \"B\" { def Cube \"C\" {} }\n", true},
      {"def Xform \"B\" " + api("RigidBody", "bool physics:kinematicEnabled = 1"), true, true},
      {"def Cube \"B\" " + api("Collision", "token visibility = \"invisible\""), true, true},
      {"def Xform \"B\" {}\n", false},
      {"def Material \"B\" {}\n", false},
      {"def Cube \"B\" { token visibility = \"invisible\" }\n", false},
      {"def Xform \"B\" { token visibility = \"invisible\"\ndef Cube \"C\" {} }\n", false},
      {"def Cube \"B\" { uniform token purpose = \"guide\" }\n", false},
      {"def Cube \"B\" { uniform token purpose = \"proxy\" }\n", false},
      {"def Cube \"B\" { uniform token purpose = \"render\" }\n", true},
      {"class Cube \"B\" {}\n", false},
      {"over \"B\" { def Cube \"C\" {} }\n", false}};
  const auto told_of = [](const std::string& top, const std::string& above, const std::string& text,
                          bool physics) {
    GlbOptions options;
    options.physics = physics;
    const Written written =
        write_text("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"" + top +
                       "\")\n" + above + "def Xform \"D\" {\n" + test::quad() + "}\n" + text,
                   options);
    EXPECT_EQ(written.error, "") << text;
    std::string told;
    for (const Diagnostic& d : written.diagnostics) {
      if (d.code.starts_with("gltf-")) told += d.code + ' ' + d.path + ": " + d.message;
    }
    return told;
  };
  const std::string code = "gltf-outside-default-prim ";
  for (const auto& row : rows) {
    for (const bool physics : {false, true}) {
      const bool is_told = row.is_told && (physics || !row.is_physical);
      EXPECT_EQ(told_of("D", "", row.beside, physics),
                is_told ? code + "/B: /B is not below the default prim /D; it is left out." : "")
          << row.beside;
      EXPECT_EQ(
          told_of("A/D", "def Xform \"A\" {\n", row.beside + "}\n", physics),
          is_told ? code + "/A/B: /A/B is not below the default prim /A/D; it is left out." : "")
          << row.beside;
    }
  }
}

TEST(GltfDetails, ADefaultPrimThatIsAbstractIsNone) {
  const Written written = write_text(
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"C\")\n"
      "class Xform \"C\" { def Cube \"Inner\" {} }\n" +
      test::quad());
  ASSERT_EQ(written.error, "");
  EXPECT_TRUE(written.says("gltf-default-prim"));
  EXPECT_NE(written.parts.node("M"), nullptr);
  EXPECT_EQ(written.parts.node("Inner"), nullptr);
}

TEST(GltfDetails, ADefaultPrimBelowSomethingInvisibleShowsNothing) {
  const Written written = write_text(
      "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"A/D\")\n"
      "def Xform \"A\" { token visibility = \"invisible\"\ndef Xform \"D\" {\n" +
      test::quad() + "}\n}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_FALSE(written.json().contains("meshes"));
}

TEST(GltfDetails, PrototypesThatResetTheStackStandAtTheirInstance) {
  const Written written =
      write_text(test::kHead +
                 std::string("def PointInstancer \"P\" { rel prototypes = [</P/M>]\n"
                             "int[] protoIndices = [0]\npoint3f[] positions = [(1,2,3)]\n") +
                 test::quad("double3 xformOp:translate = (0,0,5)\nuniform token[] xformOpOrder = "
                            "[\"!resetXformStack!\", \"xformOp:translate\"]\n") +
                 "}\n");
  ASSERT_EQ(written.error, "");
  const Json& instance = *written.parts.node("instance_0");
  EXPECT_EQ(instance["translation"], Json({1, 2, 3}));
  ASSERT_EQ(instance["children"].size(), 1U);
  const Json& mesh = written.json()["nodes"][instance["children"][0].get<std::size_t>()];
  EXPECT_EQ(mesh["name"], "M");
  EXPECT_EQ(mesh["translation"], Json({0, 0, 5}));
}

TEST(GltfDetails, BodiesInsideBodiesAreKeptOrIgnoredAsTheOptionSays) {
  const std::string text =
      std::string(test::kHead) +
      "def Cube \"A\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\n"
      "def Cube \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) "
      "{}\n}\ndef PhysicsRevoluteJoint \"J\" { rel physics:body0 = </A>\nrel physics:body1 = "
      "</A/B> "
      "}\n";
  for (const physics::NestedBodies nested :
       {physics::NestedBodies::by_rules, physics::NestedBodies::keep,
        physics::NestedBodies::ignore}) {
    GlbOptions options;
    options.nested_bodies = nested;
    const test::Written written = test::write_text(text, options);
    ASSERT_EQ(written.error, "");
    const bool are_kept = nested == physics::NestedBodies::keep;
    EXPECT_EQ(written.file.summary.bodies, are_kept ? 2U : 1U);
    EXPECT_EQ(written.file.summary.physics_joints, are_kept ? 1U : 0U);
    EXPECT_EQ(written.says("physics-nested-body"), !are_kept);
    const std::string same_body = "Both ends of the joint /J are on the body /A; it is left out.";
    EXPECT_EQ(written.told().find(same_body) != std::string::npos, !are_kept) << written.told();
  }
}

TEST(GltfDetails, InstancersOfBodiesAreToldWithTheirCount) {
  const auto told = [](const std::string& apis, bool physics) {
    GlbOptions options;
    options.physics = physics;
    return test::write_text(std::string(test::kHead) +
                                "def PointInstancer \"P\" { rel prototypes = [</P/Q>]\n"
                                "int[] protoIndices = [0, 0, 0]\n"
                                "point3f[] positions = [(0,0,0), (2,0,0), (4,0,0)]\n"
                                "over \"Q\" {\ndef Cube \"C\" (prepend apiSchemas = [" +
                                apis + "]) {}\n}\n}\n",
                            options)
        .told();
  };
  EXPECT_EQ(told("\"PhysicsCollisionAPI\"", true),
            "warning gltf-instancer-physics /P: /P shows bodies or colliders; its 3 instances have "
            "no physics.\n");
  EXPECT_EQ(told("\"PhysicsCollisionAPI\"", false), "");
  EXPECT_EQ(told("\"SkelBindingAPI\"", true), "");
}

// The stage asks the prim's own transform which side is the front, the file that of the node, which
// for skins is none.
TEST(GltfDetails, FrontsOfMirroredMeshesThatJointsMoveAreThoseOfTheStage) {
  const std::string mirror =
      "double3 xformOp:scale = (-1,1,1)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
  const std::string rigid =
      "int[] primvars:skel:jointIndices = [1] (elementSize = 1\ninterpolation = \"constant\")\n"
      "float[] primvars:skel:jointWeights = [1] (elementSize = 1\ninterpolation = \"constant\")\n";
  const auto indices = [&](const std::string& binding, const std::string& mirrored) {
    std::string text = test::kHead + test::skinned(binding);
    const std::size_t at = text.find(mirrored);
    if (!mirrored.empty()) text.insert(text.find("{\n", at) + 2, mirror);
    const test::Written written = test::write_text(text);
    EXPECT_EQ(written.error, "");
    const Json& primitive = written.json()["meshes"][0]["primitives"][0];
    return written.parts.integers(primitive["indices"].get<std::size_t>());
  };
  const std::vector<std::uint32_t> as_authored = {0, 1, 2, 0, 2, 3}, reversed = {0, 2, 1, 0, 3, 2};
  EXPECT_EQ(indices(test::kTwoInfluences, ""), as_authored);
  EXPECT_EQ(indices(test::kTwoInfluences, "def SkelRoot"), reversed);
  EXPECT_EQ(indices(test::kTwoInfluences, "def Mesh"), reversed);
  EXPECT_EQ(indices(test::kTwoInfluences, "def Skeleton"), as_authored);
  EXPECT_EQ(indices(test::kTwoInfluences + "uniform token orientation = \"leftHanded\"\n",
                    "def SkelRoot"),
            as_authored);
  // Below the node of a joint.
  EXPECT_EQ(indices(rigid, ""), as_authored);
  EXPECT_EQ(indices(rigid, "def SkelRoot"), as_authored);
  EXPECT_EQ(indices(rigid, "def Mesh"), reversed);
}

// gltf 97
TEST(GltfDetails, BoundsOfMeshesAreThoseOfTheirFinitePoints) {
  const auto collider = [](const char* approximation, const char* points, const char* scale) {
    return write_text(
        test::kHead +
        fmt::format("def Mesh \"M\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", "
                    "\"PhysicsMeshCollisionAPI\"]) {{\nuniform token purpose = \"guide\"\n"
                    "uniform token physics:approximation = \"{}\"\n"
                    "point3f[] points = {}\nint[] faceVertexCounts = [3]\n"
                    "int[] faceVertexIndices = [0,1,2]\nfloat3 xformOp:scale = {}\n"
                    "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n}}\n",
                    approximation, points, scale));
  };
  const char* const points = "[(0,0,0),(2,0,0),(0,4,0),(0,0,6),(nan,9,9)]";
  const Written box = collider("boundingCube", points, "(1,2,1)");
  ASSERT_EQ(box.error, "");
  EXPECT_EQ(shapes_of(box), Json::parse(R"([{"type": "box", "box": {"size": [2, 8, 6]}}])"));
  EXPECT_EQ((*box.parts.node("M"))["translation"], Json({1, 4, 3}));
  EXPECT_EQ(box.file.summary.colliders, 1U);

  const Written ball =
      collider("boundingSphere", "[(nan,9,9),(0,0,0),(2,0,0),(0,4,0),(1,2,0)]", "(1,1,1)");
  ASSERT_EQ(shapes_of(ball).size(), 1U);
  EXPECT_EQ(shapes_of(ball)[0]["type"], "sphere");
  EXPECT_FLOAT_EQ(shapes_of(ball)[0]["sphere"]["radius"].get<float>(), std::sqrt(5.0F));
  EXPECT_EQ((*ball.parts.node("M"))["translation"], Json({1, 2, 0}));
}

TEST(GltfDetails, WhatGltfHasNoPlaceForIsToldIfItIsShown) {
  const auto told = [](const std::string& type, const std::string& lines,
                       geom::PurposeSet purposes = {.default_ = true, .render = true}) {
    GlbOptions options;
    options.purposes = purposes;
    const Written written =
        write_text(test::kHead + ("def " + type) + " \"P\" {\n" + lines + "}\n", options);
    EXPECT_EQ(written.error, "");
    return written.told();
  };
  for (const std::string type : {"SphereLight", "DistantLight", "DomeLight", "BasisCurves",
                                 "NurbsPatch", "Points", "Volume"}) {
    const std::string lost = "warning gltf-unsupported-prim /P: /P is a " + type +
                             ", which glTF has no place for; it is left out.\n";
    EXPECT_EQ(told(type, ""), lost);
    EXPECT_EQ(told(type, "token visibility = \"invisible\"\n"), "") << type;
    EXPECT_EQ(told(type, "uniform token purpose = \"guide\"\n"), "") << type;
    EXPECT_EQ(told(type, "uniform token purpose = \"guide\"\n", {.guide = true}), lost);
  }
  for (const std::string type :
       {"Scope", "Xform", "Camera", "Cube", "Sphere", "Cylinder", "Cylinder_1", "Capsule",
        "Capsule_1", "Cone", "Plane", "SkelRoot", "Material", "PointInstancer", "Unknown"}) {
    EXPECT_EQ(told(type, ""), "") << type;
  }
}

TEST(GltfDetails, GeometryOfThePurposesThatAreAskedForIsWritten) {
  const std::string names[] = {"default", "render", "proxy", "guide"};
  std::string text = test::kHead;
  for (const std::string& name : names) {
    text += "def Cube \"" + name + "\" { uniform token purpose = \"" + name + "\"\n}\n";
  }
  for (int mask = 0; mask < 16; ++mask) {
    GlbOptions options;
    options.purposes = {.default_ = (mask & 1) != 0,
                        .render = (mask & 2) != 0,
                        .proxy = (mask & 4) != 0,
                        .guide = (mask & 8) != 0};
    const Written written = write_text(text, options);
    ASSERT_EQ(written.error, "");
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(written.parts.node(names[i]) != nullptr, (mask >> i) % 2 == 1) << mask << ' ' << i;
    }
  }
}

TEST(GltfDetails, PrimsBelowWhatIsNoPlaceAreNotShown) {
  const Written written =
      write_text(test::kHead + ("def Material \"T\" {\n" + test::quad()) + "}\ndef \"U\" {\n" +
                 test::quad() + "}\ndef Unheard \"V\" {\n" + test::quad() + "}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.parts.node("T"), nullptr);
  EXPECT_NE(written.parts.node("U"), nullptr);
  EXPECT_NE(written.parts.node("V"), nullptr);
  EXPECT_EQ(written.json()["meshes"].size(), 2U);
}

}  // namespace
}  // namespace sinew::exporter::details_test
