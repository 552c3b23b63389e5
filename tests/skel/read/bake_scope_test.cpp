// SPDX-License-Identifier: Apache-2.0
// What is baked at all, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/geom/transforms.hpp"
#include "skel/read/baked_scene.hpp"

namespace sinew::skel::bake_scope_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string skeleton(const std::string& more = {}) {
  return R"(def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"]) {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(3,0,0,1))]
        )" +
         more + "\n}\n";
}

// A prim with one point or of one piece, which follows the joint.
std::string skinned(const std::string& type, const std::string& name, const std::string& more,
                    const std::string& interpolation, const std::string& joint = "0") {
  const std::string metadata = " (interpolation = \"" + interpolation + "\")\n";
  return "def " + type + " \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" +
         more + "\nint[] primvars:skel:jointIndices = [" + joint + "]" + metadata +
         "float[] primvars:skel:jointWeights = [1]" + metadata + "}\n";
}

std::string mesh(const std::string& name) {
  return skinned("Mesh", name, "point3f[] points = [(0, 0, 0)]", "vertex");
}

std::string skel_root(const std::string& name, const std::string& body,
                      const std::string& binding = "rel skel:skeleton = <S>") {
  return "def SkelRoot \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" + binding +
         "\n" + body + "}\n";
}

const std::string kUsda = "#usda 1.0\n";
// Of a skeleton, with samples at 0 and 2.
const std::string kMoving = R"(rel skel:animationSource = <A>
        def SkelAnimation "A" {
            uniform token[] joints = ["a"]
            float3[] translations.timeSamples = { 0: [(0, 0, 0)], 2: [(0, 2, 0)] }
            quatf[] rotations = [(1, 0, 0, 0)]
            half3[] scales = [(1, 1, 1)]
        })";

TEST(BakeScope, LeavesOutWhatLiesInInstancesByOpenUsdsRules) {
  const std::string text =
      kUsda + skel_root("R", skeleton() + mesh("M")) + "class \"Library\" {\n" +
      skel_root("Extra", skeleton() + mesh("M")) +
      "}\ndef Xform \"Crowd\" (instanceable = true; references = </Library>) {\n"
      "}\n";
  const Baked baked = bake_text(text);
  EXPECT_POINTS_NEAR(baked.vectors("/R/M", "points", {}), (std::vector<Vector3f>{{3, 0, 0}}), 0.0F);
  EXPECT_TRUE(baked.result.stage->prim("/Crowd").is_instance());
  EXPECT_EQ(baked.layer->root().children.size(), 1U);
}

std::string type_of(const Baked& baked, const char* path) {
  const stage::Prim prim = baked.result.stage->prim(path);
  return prim ? prim.type_name().str() : std::string();
}

TEST(BakeScope, LeavesNothingToSkinBelowSkelRootsInSkelRoots) {
  const std::string body =
      skeleton() + mesh("M") + skel_root("Inner", mesh("M"), "rel skel:skeleton = </Outer/S>");
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    const Baked baked = bake_text(kUsda + skel_root("Outer", body), {}, rules);
    EXPECT_EQ(type_of(baked, "/Outer"), "Xform");
    EXPECT_EQ(type_of(baked, "/Outer/Inner"), "Xform");
    EXPECT_TRUE(baked.result.bindings.empty());
    EXPECT_POINTS_NEAR(baked.vectors("/Outer/Inner/M", "points", {}),
                       (std::vector<Vector3f>{{3, 0, 0}}), 0.0F);
  }
}

// OpenUSD goes by the first prim that a skeleton deforms.
TEST(BakeScope, RetypesTheOuterSkelRootToo) {
  const std::string body = skel_root("Inner", mesh("M"), "") + skeleton() + mesh("M");
  const std::string text = kUsda + skel_root("Outer", body);
  const Baked documented = bake_text(text, {}, Rules::documented);
  EXPECT_EQ(type_of(documented, "/Outer"), "Xform");
  EXPECT_EQ(type_of(documented, "/Outer/Inner"), "Xform");
  const Baked openusd = bake_text(text);
  EXPECT_EQ(type_of(openusd, "/Outer"), "SkelRoot");
  EXPECT_EQ(type_of(openusd, "/Outer/Inner"), "Xform");
}

TEST(BakeScope, BakesSkelRootsThatTheOuterOneDoesNotReachByOpenUsdsRules) {
  const std::string inner = skel_root("Inner", skeleton() + mesh("M"));
  const std::string text = kUsda + skel_root("Outer", "def \"Untyped\" {\n" + inner + "}\n", "");
  EXPECT_POINTS_NEAR(bake_text(text).vectors("/Outer/Untyped/Inner/M", "points", {}),
                     (std::vector<Vector3f>{{3, 0, 0}}), 0.0F);
}

TEST(BakeScope, RepeatsWhatOnlyRootLayersCanSay) {
  std::string text = kUsda + R"((
    expressionVariables = {
        string WHICH = "lib"
        string[] ALL = ["lib", "other"]
        bool IS_ON = true
    }
    fallbackPrimTypes = {
        token[] SuperMesh = ["Nope", "Mesh"]
    }
)
)" + skel_root("R", skeleton() + mesh("M"));
  text.replace(text.find("def Mesh"), 8, "def SuperMesh");
  const Baked baked = bake_text(text);
  for (const char* key : {"expressionVariables", "fallbackPrimTypes"}) {
    const layer::Value* const source = baked.source.stage->metadata(key);
    const layer::Value* const copy = baked.layer->field(key);
    ASSERT_NE(source, nullptr) << key;
    ASSERT_NE(copy, nullptr) << key;
    EXPECT_EQ(*copy, *source) << key;
    ASSERT_NE(baked.result.stage->metadata(key), nullptr) << key;
    EXPECT_EQ(*baked.result.stage->metadata(key), *source) << key;
  }
  EXPECT_TRUE(baked.result.stage->prim("/R/M").is_a(stage::SchemaType::mesh));
}

TEST(BakeScope, LeavesOutTimesOfParentsThatDoNotMoveAPrim) {
  const auto times_of = [](const std::string& reset, Rules rules) {
    const std::string cube =
        skinned("Cube", "C", "uniform token[] xformOpOrder = [" + reset + "]", "constant");
    const std::string body = skeleton(kMoving) + R"(def Xform "Sub" {
        double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 0.5: (10, 0, 0) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
        )" + cube + "}\n";
    return bake_text(kUsda + skel_root("R", body), {}, rules)
        .samples("/R/Sub/C", "xformOp:transform");
  };
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    EXPECT_THAT(times_of("", rules), ElementsAre(0, 0.5, 2));
    EXPECT_THAT(times_of("\"!resetXformStack!\"", rules), ElementsAre(0, 2));
  }
}

TEST(BakeScope, TakesTimesOfAnAnimationWithoutJointsByOpenUsdsRules) {
  std::string moving = kMoving;
  moving.replace(moving.find("[\"a\"]"), 5, "[]");
  moving.replace(moving.find("[(0, 0, 0)]"), 11, "[]");
  moving.replace(moving.find("[(0, 2, 0)]"), 11, "[]");
  const std::string text = kUsda + skel_root("R", skeleton(moving) + mesh("M"));
  EXPECT_THAT(bake_text(text).samples("/R/M", "points"), ElementsAre(0, 2));
  EXPECT_THAT(bake_text(text, {}, Rules::documented).samples("/R/M", "points"), IsEmpty());
}

TEST(BakeScope, TakesTheTransformFromRigidPrimsThatCannotBeSkinnedByOpenUsdsRules) {
  const std::string moved =
      "double3 xformOp:translate = (7, 0, 0)\n"
      "uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:translate\"]";
  const std::string text =
      kUsda + skel_root("R", skeleton() + skinned("Cube", "C", moved, "constant", "3"));
  const auto local = [&](Rules rules) {
    return geom::local_transform(bake_text(text, {}, rules).result.stage->prim("/R/C"), {});
  };
  const geom::LocalTransform openusd = local(Rules::openusd);
  EXPECT_EQ(openusd.parent_from_prim, Matrix4d(Matrix4d::Identity()));
  EXPECT_FALSE(openusd.resets_stack);
  const geom::LocalTransform documented = local(Rules::documented);
  EXPECT_EQ(documented.parent_from_prim(0, 3), 7.0);
  EXPECT_TRUE(documented.resets_stack);
}

TEST(BakeScope, WritesNoExtentOfPointsWithOtherWidthsByOpenUsdsRules) {
  const std::string text =
      kUsda + skel_root("R", skeleton() + skinned("Points", "P",
                                                  "point3f[] points = [(0, 0, 0)]\n"
                                                  "float[] widths = [1, 1, 1]",
                                                  "vertex"));
  const auto extent = [&](Rules rules) {
    return bake_text(text, {}, rules).vectors("/R/P", "extent", {});
  };
  EXPECT_THAT(extent(Rules::openusd), IsEmpty());
  EXPECT_POINTS_NEAR(extent(Rules::documented), (std::vector<Vector3f>{{3, 0, 0}, {3, 0, 0}}),
                     0.0F);
}

}  // namespace
}  // namespace sinew::skel::bake_scope_test
