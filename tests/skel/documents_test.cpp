// SPDX-License-Identifier: Apache-2.0
// The examples of the documents that introduce UsdSkel, read by the documented rules, with the
// results that their prose gives. None of them applies SkelBindingAPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "skel/skel_scene.hpp"

namespace sinew::skel::documents_test {
namespace {

using ::testing::ElementsAre;

// The arm: three joints in a row along z; the elbow turns by a right angle from 1 to 10.
std::string arm(const std::string& root_type, const std::string& mesh_joints,
                const std::string& indices) {
  return "#usda 1.0\n(\n    startTimeCode = 1\n    endTimeCode = 10\n)\ndef " + root_type +
         R"( "Model"
{
    def Skeleton "Skel"
    {
        uniform token[] joints = ["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Hand"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,4,1))
        ]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1))
        ]
        def SkelAnimation "Anim"
        {
            uniform token[] joints = ["Shoulder/Elbow"]
            float3[] translations = [(0,0,2)]
            quatf[] rotations.timeSamples = { 1: [(1,0,0,0)], 10: [(0.7071, 0.7071, 0, 0)] }
            half3[] scales = [(1,1,1)]
        }
        rel skel:animationSource = </Model/Skel/Anim>
    }
    def Mesh "Arm"
    {
        point3f[] points = [
            (0.5, -0.5, 4), (-0.5, -0.5, 4), (0.5, 0.5, 4), (-0.5, 0.5, 4),
            (-0.5, -0.5, 0), (0.5, -0.5, 0), (-0.5, 0.5, 0), (0.5, 0.5, 0),
            (-0.5, 0.5, 2), (0.5, 0.5, 2), (0.5, -0.5, 2), (-0.5, -0.5, 2)
        ]
        rel skel:skeleton = </Model/Skel>
)" + mesh_joints +
         "        int[] primvars:skel:jointIndices = " + indices + R"( (
            interpolation = "vertex"
            elementSize = 1
        )
        float[] primvars:skel:jointWeights = [1,1,1,1, 1,1,1,1, 1,1,1,1] (
            interpolation = "vertex"
            elementSize = 1
        )
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))
    }
}
)";
}

const std::string kArm = arm("SkelRoot", "", "[2,2,2,2, 0,0,0,0, 1,1,1,1]");

void expect_arm_at_10(const DeformedPrim& deformed) {
  ASSERT_EQ(deformed.points.size(), 12U);
  // The shoulder stays, elbow and hand have turned about x.
  EXPECT_POINTS_NEAR(
      (std::vector<Vector3f>{deformed.points[0], deformed.points[8], deformed.points[7]}),
      (std::vector<Vector3f>{
          {0.5F, -1.99997F, 1.50005F}, {-0.5F, 0.00001F, 2.49999F}, {0.5F, 0.5F, 0.0F}}),
      1e-5F);
}

TEST(SkinnedArm, IsAtRestAtTheFirstFrame) {  // skel 12.81
  SkelScene scene = open_scene(kArm);
  const DeformedPrim deformed = scene.deform("/Model/Arm", 1.0);
  ASSERT_EQ(deformed.points.size(), 12U);
  EXPECT_POINTS_NEAR((std::vector<Vector3f>{deformed.points[0], deformed.points[8]}),
                     (std::vector<Vector3f>{{0.5F, -0.5F, 4.0F}, {-0.5F, 0.5F, 2.0F}}), 1e-6F);
}

TEST(SkinnedArm, IsBentHalfwayInBetween) {  // skel 12.81
  SkelScene scene = open_scene(kArm);
  const DeformedPrim deformed = scene.deform("/Model/Arm", 5.5);
  ASSERT_EQ(deformed.points.size(), 12U);
  EXPECT_POINTS_NEAR(
      (std::vector<Vector3f>{deformed.points[0], deformed.points[8]}),
      (std::vector<Vector3f>{{0.5F, -1.76776F, 3.06067F}, {-0.5F, 0.35356F, 2.35355F}}), 1e-5F);
}

TEST(SkinnedArm, IsBentAtTheLastFrame) {  // skel 12.81
  SkelScene scene = open_scene(kArm);
  expect_arm_at_10(scene.deform("/Model/Arm", 10.0));
}

TEST(SkinnedArm, CarriesTheHandWithTheElbow) {
  SkelScene scene = open_scene(kArm);
  const SkeletonPose pose = scene.pose(0, 10.0);
  ASSERT_EQ(pose.status, PoseStatus::skinnable);
  EXPECT_LE((pose.skinning[1] - pose.skinning[2]).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SkinnedArm, SwingsTheHandAboutTheElbow) {  // skel 12.81
  SkelScene scene = open_scene(kArm);
  const auto hand_at = [&](double time) {
    return Vector3d(scene.pose(0, time).joint_skel.at(2).topRightCorner<3, 1>());
  };
  EXPECT_LE((hand_at(1.0) - Vector3d(0, 0, 4)).norm(), 1e-6);
  EXPECT_LE((hand_at(5.5) - Vector3d(0, -1.4142, 3.414222)).norm(), 2e-5);
  EXPECT_LE((hand_at(10.0) - Vector3d(0, -1.999962, 2.000038)).norm(), 1e-6);
  // Columns are what the specification lists as rows.
  Matrix4d expected = Matrix4d::Identity();
  expected.block<3, 3>(0, 1) << 0, 0, 0,  //
      0.000019, -0.999981, 1.999962,      //
      0.999981, 0.000019, 1.999962;
  EXPECT_LE((scene.pose(0, 10.0).skinning.at(2) - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SkinnedArm, WarnsThatTheSchemaIsNotApplied) {
  const SkelScene scene = open_scene(kArm);
  std::vector<std::string> paths;
  for (const Diagnostic& d : scene.said("skel-binding-api-missing")) paths.push_back(d.path);
  EXPECT_THAT(paths, ::testing::UnorderedElementsAre("/Model/Arm", "/Model/Skel"));
}

TEST(SkinnedArm, MayListItsJointsInAnOrderOfItsOwn) {
  SkelScene scene = open_scene(
      arm("SkelRoot", "        uniform token[] skel:joints = [\"Shoulder/Elbow\", \"Shoulder\"]\n",
          "[0,0,0,0, 1,1,1,1, 0,0,0,0]"));
  expect_arm_at_10(scene.deform("/Model/Arm", 10.0));
}

// The text's own indices: by the order of the mesh they put the hand on the shoulder.
TEST(SkinnedArm, FollowsTheJointOrderOfTheMeshAsPrinted) {
  SkelScene scene = open_scene(
      arm("SkelRoot", "        uniform token[] skel:joints = [\"Shoulder/Elbow\", \"Shoulder\"]\n",
          "[1,1,1,1, 1,1,1,1, 0,0,0,0]"));
  const DeformedPrim deformed = scene.deform("/Model/Arm", 10.0);
  ASSERT_EQ(deformed.points.size(), 12U);
  EXPECT_POINTS_NEAR(
      (std::vector<Vector3f>{deformed.points[0], deformed.points[7], deformed.points[8]}),
      (std::vector<Vector3f>{{0.5F, -0.5F, 4.0F}, {0.5F, 0.5F, 0}, {-0.5F, 0.00001F, 2.49999F}}),
      1e-5F);
}

TEST(SkinnedArm, InheritsItsJointOrder) {
  std::string text = arm("SkelRoot", "", "[0,0,0,0, 1,1,1,1, 0,0,0,0]");
  text.insert(text.find("    def Skeleton"),
              "    uniform token[] skel:joints = [\"Shoulder/Elbow\", \"Shoulder\"]\n");
  SkelScene scene = open_scene(text);
  expect_arm_at_10(scene.deform("/Model/Arm", 10.0));
}

TEST(SkinnedArm, NeedsNoRestTransformsIfTheAnimationIsComplete) {
  std::string text = kArm;
  const std::size_t rest = text.find("        uniform matrix4d[] restTransforms");
  text.erase(rest, text.find("        def SkelAnimation") - rest);
  SkelScene sparse = open_scene(text);
  EXPECT_FALSE(sparse.deform("/Model/Arm", 10.0).skinned);
  const auto replace = [&](const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
  };
  replace("[\"Shoulder/Elbow\"]", "[\"Shoulder\", \"Shoulder/Elbow\", \"Shoulder/Elbow/Hand\"]");
  replace("[(0,0,2)]", "[(0,0,0), (0,0,2), (0,0,2)]");
  replace("1: [(1,0,0,0)]", "1: [(1,0,0,0), (1,0,0,0), (1,0,0,0)]");
  replace("10: [(0.7071, 0.7071, 0, 0)]", "10: [(1,0,0,0), (0.7071,0.7071,0,0), (1,0,0,0)]");
  replace("[(1,1,1)]", "[(1,1,1), (1,1,1), (1,1,1)]");
  SkelScene complete = open_scene(text);
  expect_arm_at_10(complete.deform("/Model/Arm", 10.0));
}

TEST(SkinnedArm, IsNotSkinnedBelowAnXform) {
  EXPECT_TRUE(open_scene(arm("Xform", "", "[2,2,2,2, 0,0,0,0, 1,1,1,1]")).bindings.empty());
}

TEST(SkinnedArm, IsEnabledAndDisabledByTheTypeOfItsRoot) {
  const std::string over_xform =
      "#usda 1.0\n(subLayers = [@./arm.usda@])\ndef Xform \"Model\" {}\n";
  EXPECT_TRUE(open_scene(over_xform, Rules::documented, {{"arm.usda", kArm}}).bindings.empty());
  const std::string over_root =
      "#usda 1.0\n(subLayers = [@./arm.usda@])\ndef SkelRoot \"Model\" {}\n";
  SkelScene enabled = open_scene(over_root, Rules::documented,
                                 {{"arm.usda", arm("Xform", "", "[2,2,2,2, 0,0,0,0, 1,1,1,1]")}});
  expect_arm_at_10(enabled.deform("/Model/Arm", 10.0));
}

// The strip of the glTF tutorial as a scene; only the second joint is animated.
TEST(GltfExample, BendsByHalfTheAngleHalfway) {  // skel 12.81
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Root/Skel>
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["j0", "j0/j1"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        rel skel:animationSource = </Root/Skel/Anim>
        def SkelAnimation "Anim"
        {
            uniform token[] joints = ["j0/j1"]
            float3[] translations = [(0,1,0)]
            half3[] scales = [(1,1,1)]
            quatf[] rotations.timeSamples = { 0: [(1,0,0,0)], 1: [(0.92387953,0,0,0.38268343)] }
        }
    }
    def Mesh "Strip" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(-0.5,0,0), (0.5,0,0), (-0.5,0.5,0), (0.5,0.5,0), (-0.5,1,0), (0.5,1,0), (-0.5,1.5,0), (0.5,1.5,0), (-0.5,2,0), (0.5,2,0)]
        int[] primvars:skel:jointIndices = [0,1, 0,1, 0,1, 0,1, 0,1, 0,1, 0,1, 0,1, 0,1, 0,1] (interpolation = "vertex"; elementSize = 2)
        float[] primvars:skel:jointWeights = [1,0, 1,0, 0.75,0.25, 0.75,0.25, 0.5,0.5, 0.5,0.5, 0.25,0.75, 0.25,0.75, 0,1, 0,1] (interpolation = "vertex"; elementSize = 2)
    }
}
)");
  EXPECT_POINTS_NEAR(scene.deform("/Root/Strip", 0.5).points,
                     (std::vector<Vector3f>{{-.5F, 0, 0},
                                            {.5F, 0, 0},
                                            {-.44265F, .46168F, 0},
                                            {.53832F, .557351F, 0},
                                            {-.48097F, .904329F, 0},
                                            {.48097F, 1.095671F, 0},
                                            {-.614961F, 1.327949F, 0},
                                            {.327949F, 1.614961F, 0},
                                            {-.844623F, 1.732538F, 0},
                                            {.079256F, 2.115221F, 0}}),
                     2e-6F);
}

// Skeletons and animations that the bindings A, B and C of the text refer to.
std::string bindings(const std::string& scopes) {
  return R"(#usda 1.0
def SkelRoot "Root"
{
    def Skeleton "Skel" {}
    def Skeleton "Skel1" {}
    def Skeleton "Skel2" {}
    def SkelAnimation "Anim" {}
    def SkelAnimation "Anim1" {}
    def SkelAnimation "Anim2" {}
)" + scopes +
         "}\n";
}

// "skeleton animation: targets" of every instance.
std::vector<std::string> instances(const SkelScene& scene) {
  std::vector<std::string> result;
  for (const SkeletonBinding& binding : scene.bindings) {
    std::string text(binding.skeleton_prim.name().view());
    text += binding.animation_prim ? " " + binding.animation_prim.name().str() : " none";
    text += ":";
    for (const SkinTarget& target : binding.targets) text += " " + target.prim.name().str();
    result.push_back(text);
  }
  return result;
}

TEST(SkeletonInstances, InheritOneAnimationIntoTwoBindings) {
  EXPECT_THAT(instances(open_scene(bindings(R"(
    def Scope "A"
    {
        rel skel:animationSource = </Root/Anim>
        def Scope "B"
        {
            rel skel:skeleton = </Root/Skel1>
            def Mesh "MB" {}
        }
        def Scope "C"
        {
            rel skel:skeleton = </Root/Skel2>
            def Mesh "MC" {}
        }
    }
)"))),
              ElementsAre("Skel1 Anim: MB", "Skel2 Anim: MC"));
}

TEST(SkeletonInstances, IgnoreAnimationsBelowTheBinding) {
  EXPECT_THAT(instances(open_scene(bindings(R"(
    def Scope "A"
    {
        rel skel:skeleton = </Root/Skel>
        def Scope "B"
        {
            rel skel:animationSource = </Root/Anim1>
            def Mesh "MB" {}
        }
        def Scope "C"
        {
            rel skel:animationSource = </Root/Anim2>
            def Mesh "MC" {}
        }
    }
)"))),
              ElementsAre("Skel none: MB MC"));
}

TEST(SkeletonInstances, AreTwoForOneSkeletonWithTwoAnimations) {
  EXPECT_THAT(instances(open_scene(bindings(R"(
    def Scope "A"
    {
        rel skel:skeleton = </Root/Skel>
        rel skel:animationSource = </Root/Anim1>
        def Mesh "MA" {}
        def Scope "B"
        {
            rel skel:animationSource = </Root/Anim2>
            def Mesh "MB" {}
        }
        def Scope "C"
        {
            rel skel:animationSource = </Root/Anim2>
            rel skel:skeleton = </Root/Skel>
            def Mesh "MC" {}
        }
    }
)"))),
              ElementsAre("Skel Anim1: MA MB", "Skel Anim2: MC"));
}

// The text leaves open whether C lies beside or below B.
TEST(SkeletonInstances, AreTwoWhereTheSecondBindingLiesBelowAnUnusedAnimation) {
  EXPECT_THAT(instances(open_scene(bindings(R"(
    def Scope "A"
    {
        rel skel:skeleton = </Root/Skel>
        rel skel:animationSource = </Root/Anim1>
        def Mesh "MA" {}
        def Scope "B"
        {
            rel skel:animationSource = </Root/Anim2>
            def Mesh "MB" {}
            def Scope "C"
            {
                rel skel:animationSource = </Root/Anim2>
                rel skel:skeleton = </Root/Skel>
                def Mesh "MC" {}
            }
        }
    }
)"))),
              ElementsAre("Skel Anim1: MA MB", "Skel Anim2: MC"));
}

TEST(SkeletonInstances, InheritTheAnimationOntoTheSkeleton) {
  EXPECT_THAT(instances(open_scene(R"(#usda 1.0
def SkelAnimation "Anim" {}
def SkelRoot "Model"
{
    rel skel:animationSource = </Anim>
    rel skel:skeleton = </Model/Skel>
    def Skeleton "Skel" {}
    def Mesh "M" {}
}
)")),
              ElementsAre("Skel Anim: M"));
}

TEST(SkeletonInstances, ShareACharacterAndHaveAnAnimationEach) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Character"
{
    rel skel:skeleton = </Character/Skel>
    def Skeleton "Skel" {}
    def Mesh "M" {}
    def SkelAnimation "Anim" {}
}
def SkelAnimation "Anim" {}
over "Instance" (
    instanceable = true
    prepend references = </Character>
)
{
    rel skel:animationSource = </Anim>
}
)");
  EXPECT_THAT(instances(scene), ElementsAre("Skel none: M", "Skel Anim: M"));
  EXPECT_TRUE(scene.stage->prim("/Instance").is_instance());
  ASSERT_EQ(scene.bindings.size(), 2U);
  EXPECT_EQ(scene.bindings[1].animation_prim.path().str(), "/Anim");
}

TEST(BlendShapeExample, MapsWeightsToTheOrderOfTheMesh) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Root"
{
    def Skeleton "Skel" {}
    def SkelAnimation "Anim"
    {
        uniform token[] blendShapes = ["A","B","C","D"]
        float[] blendShapeWeights = [1,0.75,0,0]
    }
    def Mesh "Mesh"
    {
        point3f[] points = [(0,0,0), (1,0,0)]
        uniform token[] skel:blendShapes = ["B", "A"]
        rel skel:blendShapeTargets = [</Root/Mesh/Foo>, </Root/Mesh/Bar>]
        rel skel:skeleton = </Root/Skel>
        rel skel:animationSource = </Root/Anim>
        def BlendShape "Foo" { uniform vector3f[] offsets = [(0,0,4), (0,0,4)]; }
        def BlendShape "Bar" { uniform vector3f[] offsets = [(0,1,0), (0,1,0)]; }
    }
}
)");
  const DeformedPrim deformed = scene.deform("/Root/Mesh", {});
  EXPECT_THAT(deformed.sub_shape_weights, ElementsAre(0.75F, 1.0F));
  EXPECT_POINTS_NEAR(deformed.blended_points, (std::vector<Vector3f>{{0, 1, 3}, {1, 1, 3}}), 1e-6F);
}

TEST(RigidExample, DistinguishesOneAndSeveralInfluences) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Root"
{
    rel skel:skeleton = </Root/Skel>
    def Skeleton "Skel"
    {
        uniform token[] joints = ["a", "b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    }
    def Mesh "MeshA"
    {
        point3f[] points = [(0,0,0)]
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
    }
    def Mesh "MeshB"
    {
        point3f[] points = [(0,0,0)]
        int[] primvars:skel:jointIndices = [0,1] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [0.5,0.5] (interpolation = "constant")
    }
}
)");
  const DeformedPrim a = scene.deform("/Root/MeshA", {});
  const DeformedPrim b = scene.deform("/Root/MeshB", {});
  ASSERT_TRUE(a.skinned_transform && b.skinned_transform);
  EXPECT_EQ(Vector3d(a.skinned_transform->topRightCorner<3, 1>()), Vector3d(1, 0, 0));
  EXPECT_EQ(Vector3d(b.skinned_transform->topRightCorner<3, 1>()), Vector3d(0.5, 0.5, 0));
  // As the text prints it, MeshB lacks the elementSize that OpenUSD asks for.
  const std::vector<Diagnostic> said = scene.said("skel-element-size-missing");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].path, "/Root/MeshB.primvars:skel:jointWeights");
}

// Joints that have moved by 1 along x, y and z, each with its parent.
TEST(ExplicitJointOrders, ReferToTheSkeletonUnlessThePrimHasItsOwn) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Root"
{
    rel skel:skeleton = </Root/Skel>
    def Skeleton "Skel"
    {
        uniform token[] joints = ["A", "A/B", "A/B/C"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,1,1))]
    }
    def Mesh "MeshA"
    {
        point3f[] points = [(0,0,0), (0,0,0)]
        int[] primvars:skel:jointIndices = [1, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
    }
    def Mesh "MeshB"
    {
        point3f[] points = [(0,0,0), (0,0,0)]
        uniform token[] skel:joints = ["A/B", "A/B/C"]
        int[] primvars:skel:jointIndices = [1, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
    }
}
)");
  EXPECT_POINTS_NEAR(scene.deform("/Root/MeshA", {}).points,
                     (std::vector<Vector3f>{{1, 1, 0}, {1, 0, 0}}), 1e-6F);
  EXPECT_POINTS_NEAR(scene.deform("/Root/MeshB", {}).points,
                     (std::vector<Vector3f>{{1, 1, 1}, {1, 1, 0}}), 1e-6F);
}

}  // namespace
}  // namespace sinew::skel::documents_test
