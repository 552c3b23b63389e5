// SPDX-License-Identifier: Apache-2.0
// Small things of exported files that readers of glTF rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/gltf/glb_checker.hpp"
#include "sinew/export/glb.hpp"
#include "stage/support.hpp"
#include "support/recorded.hpp"

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

// A corner whose normal has no length gets that of its face.
TEST(GltfDetails, NormalsWithoutLengthAreThoseOfTheirFaces) {
  for (const char* interpolation : {"vertex", "faceVarying"}) {
    Made made;
    make(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    normal3f[] normals = [(1, 0, 0), (0, 0, 0), (0, 2, 0)] (
        interpolation = ")" +
             std::string(interpolation) + "\"\n    )\n}\n",
         made);
    const Json& attributes = made.parts.json["meshes"][0]["primitives"][0]["attributes"];
    const auto normals = made.parts.floats(attributes["NORMAL"]);
    EXPECT_THAT(normals, ElementsAre(1, 0, 0, 0, 0, 1, 0, 1, 0)) << made.said;
  }
}

TEST(GltfDetails, ZerosOfAnySignAreOneValue) {
  Made made;
  make(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3, 3]
    int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (-0.0, 0, 1), (0, -0.0, 1), (0, 0, 1)] (
        interpolation = "faceVarying"
    )
}
)",
       made);
  EXPECT_EQ(made.file.summary.vertices, 4U) << made.said;
}

TEST(GltfDetails, ThePolesOfASphereHaveAVertexEach) {
  Made made;
  make("def Sphere \"S\" {}\n", made);
  EXPECT_EQ(made.file.summary.vertices, 15U * 32U + 2U) << made.said;
}

TEST(GltfDetails, ColoursOfVerticesAreWithinTheirRange) {
  Made made;
  make(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    color3f[] primvars:displayColor = [(2, 0, 0), (0, -1, 0), (0, 0, 1)] (
        interpolation = "vertex"
    )
}
)",
       made);
  const Json& attributes = made.parts.json["meshes"][0]["primitives"][0]["attributes"];
  const Json& accessor = made.parts.json["accessors"][attributes["COLOR_0"].get<std::size_t>()];
  EXPECT_EQ(accessor["componentType"], 5123) << made.said;
  EXPECT_EQ(accessor["normalized"], true);
}

TEST(GltfDetails, ConstantPrimvarsAreValuesOfEveryVertex) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    float[] primvars:wear = [0.5]
}
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  GlbOptions options;
  options.primvars = {"wear"};
  const auto file = write_glb(*stage, options, diagnostics);
  ASSERT_TRUE(file);
  std::string problem;
  const test::GlbParts parts = test::open_glb(file->bytes, problem);
  const Json& attributes = parts.json["meshes"][0]["primitives"][0]["attributes"];
  ASSERT_TRUE(attributes.contains("_wear"));
  EXPECT_THAT(parts.floats(attributes["_wear"]), ElementsAre(0.5, 0.5, 0.5));
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

}  // namespace
}  // namespace sinew::exporter::details_test
