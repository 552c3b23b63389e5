// SPDX-License-Identifier: Apache-2.0
// What random scenes brought up: sheared and projective joints, forwarded bindings, typed values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::skinning_rules_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSkeleton = R"(
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["A"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
    }
)";

std::string rooted(const std::string& content) {
  return std::string(
             "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n"
             "{\n    rel skel:skeleton = </R/Skel>\n") +
         kSkeleton + content + "}\n";
}

// The same with an animation of the skeleton.
std::string animated(const std::string& content) {
  std::string text = rooted(content);
  const std::string joints = "uniform token[] joints = [\"A\"]\n";
  const std::size_t at = text.find(joints);
  return text.insert(at, "rel skel:animationSource = </R/Anim>\n        ");
}

std::string bound_mesh(const std::string& name, const std::string& content) {
  return "    def Mesh \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n    {\n" +
         content + "\n    }\n";
}

TEST(ForwardedBinding, ThroughWhatNobodyAuthoredKeepsTheInheritedOne) {
  const std::string text =
      rooted("    rel full = </R/Skel>\n    rel none = []\n    rel silent\n" +
             bound_mesh("Full", "rel skel:skeleton = </R.full>") +
             bound_mesh("Empty", "rel skel:skeleton = </R.none>") +
             bound_mesh("OfSchema", "rel skel:skeleton = </R/Skel.proxyPrim>") +
             bound_mesh("OfApi", "rel skel:skeleton = </R/Skel.skel:animationSource>") +
             bound_mesh("Silent", "rel skel:skeleton = </R.silent>") +
             bound_mesh("OneOfTwo", "rel skel:skeleton = [</R/Skel>, </R/Skel.proxyPrim>]") +
             bound_mesh("NotOfThisSchema", "rel skel:skeleton = </R/Skel.physics:body0>") +
             bound_mesh("Missing", "rel skel:skeleton = </R.absent>"));
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    const SkelScene scene = open_scene(text, rules);
    ASSERT_EQ(scene.bindings.size(), 1U);
    EXPECT_THAT(target_paths(scene.bindings[0]),
                ElementsAre("/R/Full", "/R/OfSchema", "/R/OfApi", "/R/Silent", "/R/OneOfTwo"));
  }
}

TEST(SkinningMethodNames, AreKeptAsAuthored) {
  const auto method = [](const std::string& token) {
    return bound_mesh("M", "uniform token primvars:skel:skinningMethod = \"" + token + "\"");
  };
  for (const char* name : {"classicLinear", "dualQuaternion", "DualQuaternion", ""}) {
    const SkelScene scene = open_scene(rooted(method(name)), Rules::openusd);
    const SkinnedPrim& skin = *scene.find_target("/R/M")->skin;
    const bool known =
        std::string(name) == "classicLinear" || std::string(name) == "dualQuaternion";
    EXPECT_EQ(skin.method_name, name);
    EXPECT_EQ(skin.known_method, known);
    ASSERT_EQ(scene.said("skel-skinning-method").size(), known ? 0U : 1U);
    if (known) continue;
    EXPECT_THAT(scene.said("skel-skinning-method")[0].message,
                HasSubstr("There is no skinning method \"" + std::string(name) + "\""));
  }
  const SkelScene silent = open_scene(rooted(bound_mesh("M", "")), Rules::openusd);
  EXPECT_EQ(silent.find_target("/R/M")->skin->method_name, "classicLinear");
}

// In a stronger layer, an opinion of another type about each value that reading looks for.
TEST(TypedSkelValues, AreNotHiddenByOpinionsOfOtherTypes) {
  const std::string weak = rooted(bound_mesh("M", R"(
        point3f[] points = [(1, 2, 3)]
        int[] primvars:skel:jointIndices = [0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex")
        matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (7, 0, 0, 1))
        uniform token primvars:skel:skinningMethod = "dualQuaternion"
        uniform token[] skel:joints = ["A"])"));
  const std::string strong = R"(#usda 1.0
(subLayers = [@weak.usda@])
over "R" {
    over "Skel" {
        int[] joints = [1]
        float bindTransforms = 1
        string[] restTransforms = ["none"]
    }
    over "M" {
        string points = "none"
        string[] primvars:skel:jointIndices = ["0"]
        int primvars:skel:jointWeights = 1
        float primvars:skel:geomBindTransform = 1
        int primvars:skel:skinningMethod = 1
        int[] skel:joints = [3]
    }
}
)";
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    SkelScene scene = open_scene(strong, rules, {{"weak.usda", weak}});
    ASSERT_EQ(scene.bindings.size(), 1U);
    const DeformedPrim deformed = scene.deform("/R/M", stage::Time::default_time());
    EXPECT_EQ(scene.bindings[0].skeleton->joints(), std::vector<std::string>{"A"});
    EXPECT_TRUE(scene.bindings[0].skeleton->has_bind_pose());
    EXPECT_TRUE(scene.bindings[0].skeleton->has_rest_pose());
    EXPECT_EQ(scene.find_target("/R/M")->skin->method, SkinningMethod::dual_quaternion);
    EXPECT_EQ(scene.find_target("/R/M")->skin->joint_order, std::vector<std::string>{"A"});
    EXPECT_POINTS_NEAR(deformed.points, {Vector3f(8, 2, 3)}, 1e-6F);
    const auto said = scene.said("skel-value-type");
    EXPECT_GE(said.size(), 8U);
    for (const Diagnostic& diagnostic : said) {
      EXPECT_THAT(diagnostic.message, HasSubstr("a weaker opinion holds instead"));
    }
  }
}

// OpenUSD looks these up before it asks for their type.
TEST(TypedSkelValues, OfAnimationsAndPointIndicesHideWeakerOnes) {
  const std::string weak = animated(R"(
    def SkelAnimation "Anim" {
        uniform token[] joints = ["A"]
        float3[] translations = [(5, 0, 0)]
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
        uniform token[] blendShapes = ["b"]
        float[] blendShapeWeights = [1]
    }
)" + bound_mesh("M", R"(
        point3f[] points = [(0, 0, 0), (1, 0, 0)]
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
        uniform token[] skel:blendShapes = ["b"]
        rel skel:blendShapeTargets = </R/M/B>
        def BlendShape "B" {
            uniform vector3f[] offsets = [(0, 1, 0), (0, 2, 0)]
            uniform int[] pointIndices = [1, 0]
        })"));
  const auto points_with = [&](Rules rules, const std::string& strong) {
    SkelScene scene =
        open_scene("#usda 1.0\n(subLayers = [@weak.usda@])\nover \"R\" {\n" + strong + "}\n", rules,
                   {{"weak.usda", weak}});
    return scene.deform("/R/M", stage::Time::default_time()).points;
  };
  const std::vector<Vector3f> moved = {Vector3f(5, 2, 0), Vector3f(6, 1, 0)};
  const std::vector<Vector3f> resting = {Vector3f(0, 2, 0), Vector3f(1, 1, 0)};
  const std::vector<Vector3f> plain = {Vector3f(5, 0, 0), Vector3f(6, 0, 0)};
  const std::vector<Vector3f> dense = {Vector3f(5, 1, 0), Vector3f(6, 2, 0)};
  const std::string translations = "over \"Anim\" {\nstring[] translations = [\"none\"]\n}\n";
  const std::string weights = "over \"Anim\" {\nstring[] blendShapeWeights = [\"none\"]\n}\n";
  const std::string indices =
      "over \"M\" {\nover \"B\" {\nstring[] pointIndices = [\"none\"]\n}\n}\n";
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    const bool hides = rules == Rules::openusd;
    EXPECT_POINTS_NEAR(points_with(rules, ""), moved, 1e-6F);
    EXPECT_POINTS_NEAR(points_with(rules, translations), hides ? resting : moved, 1e-6F);
    EXPECT_POINTS_NEAR(points_with(rules, weights), hides ? plain : moved, 1e-6F);
    EXPECT_POINTS_NEAR(points_with(rules, indices), hides ? dense : moved, 1e-6F);
  }
}

// Whether the determinant of such a joint is 0 and what sign it has is rounding alone: it has to be
// the same rounding.
TEST(SingularJoints, TurnNormalsAsInUsd) {
  std::string text = animated(R"(
    def SkelAnimation "Anim" {
        uniform token[] joints = ["A"]
        float3[] translations = [(0, 0, 0)]
        quatf[] rotations = [(0.9, 0.1, 0.3, 0.3)]
        half3[] scales = [(0, 1, 1)]
    }
)" + bound_mesh("M", R"(
        point3f[] points = [(0, 0, 0)]
        normal3f[] normals = [(0.6, 0.48, 0.64)] (interpolation = "vertex")
        int[] primvars:skel:jointIndices = [0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex"))"));
  const std::string identity = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
  const std::string rotated = "((0.8, 0.6, 0, 0), (-0.6, 0.8, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
  for (std::size_t at = 0; (at = text.find(identity)) != std::string::npos;) {
    text.replace(at, identity.size(), rotated);
  }
  SkelScene scene = open_scene(text, Rules::openusd);
  const DeformedPrim deformed = scene.deform("/R/M", stage::Time::default_time());
  EXPECT_POINTS_NEAR(deformed.normals, {Vector3f(-0.64F, -0.6F, 0.48F)}, 1e-5F);

  // A matrix whose rows depend on each other but for rounding.
  Matrix4d flat = Matrix4d::Identity();
  flat.topLeftCorner<3, 3>() << 0.1, 0.4, 0.7, 0.2, 0.5, 0.8, 0.3, 0.6, 0.9;
  EXPECT_NEAR(inverse_transform(flat)(0, 0), 5.76461e15, 1e11);
}

// The strongest weights of the type that the rules read, found by hand.
TEST(TypedSkelValues, AgreeWithASimpleSearchOnRandomStacks) {
  constexpr std::array<const char*, 4> kTypes = {"float[]", "double[]", "float", "string[]"};
  std::mt19937 random(63);
  std::size_t found = 0;
  for (int round = 0; round < 100; ++round) {
    const Rules rules = round % 2 == 0 ? Rules::openusd : Rules::documented;
    std::string head = "#usda 1.0\n(subLayers = [@b.usda@, @c.usda@, @d.usda@])\n";
    std::vector<std::pair<std::string, std::string>> layers;
    std::string root;
    float expected = -1.0F;
    for (int layer = 0; layer < 3; ++layer) {
      const std::string type = kTypes[random() % kTypes.size()];
      const std::string value = std::to_string(1 + random() % 9);
      const bool usable = type == "float[]" || (type == "double[]" && rules == Rules::documented);
      if (expected < 0.0F && usable) expected = std::stof(value);
      const std::string text = "over \"R\" { over \"M\" { " + type +
                               " primvars:skel:jointWeights = " +
                               (type == "float"      ? value
                                : type == "string[]" ? "[\"" + value + "\"]"
                                                     : "[" + value + "]") +
                               "; }\n}\n";
      if (layer == 0) {
        root = head + text;
      } else {
        layers.emplace_back(layer == 1 ? "b.usda" : "c.usda", "#usda 1.0\n" + text);
      }
    }
    layers.emplace_back("d.usda", rooted(bound_mesh("M", R"(
        point3f[] points = [(1, 2, 3)]
        int[] primvars:skel:jointIndices = [0] (interpolation = "vertex")
        string[] primvars:skel:jointWeights = ["none"] (interpolation = "vertex"))")));
    SkelScene scene = open_scene(root, rules, layers);
    ASSERT_EQ(scene.bindings.size(), 1U);
    const auto influences = read_influences(*scene.find_target("/R/M"), stage::Time::default_time(),
                                            &scene.diagnostics);
    ASSERT_EQ(influences.has_value(), expected >= 0.0F) << root;
    if (!influences) continue;
    ++found;
    EXPECT_THAT(influences->weights.span(), ElementsAre(expected)) << root;
  }
  EXPECT_GT(found, 30U);
}

// Angle, sine, factors, products and sum of half quaternions are halves.
TEST(HalfQuaternions, AreInterpolatedInHalves) {
  SkelScene scene = open_scene(
      "#usda 1.0\ndef Xform \"W\"\n{\n    quath xformOp:orient.timeSamples = {0: (-0.5, 0.8, -0.2, "
      "0.1), 2.5: (-0.4, -0.9, -0.1, -0.3)}\n    uniform token[] xformOpOrder = "
      "[\"xformOp:orient\"]\n" +
          [] {
            std::string text = rooted(bound_mesh("M", ""));
            text.erase(0, text.find("def"));
            for (std::size_t at = text.find("</R/"); at != std::string::npos;
                 at = text.find("</R/", at + 4)) {
              text.replace(at, 4, "</W/R/");
            }
            return text;
          }() +
          "}\n",
      Rules::openusd);
  ASSERT_EQ(scene.bindings.size(), 1U);
  const SkeletonPose pose = scene.pose(0, 1.0);
  ASSERT_EQ(pose.joint_world.size(), 1U);
  EXPECT_NEAR(pose.joint_world[0](0, 0), 0.8977255278, 1e-6);
}

TEST(MeshesWithoutPoints, AreSkinnedOnlyIfTheirInfluencesFit) {
  const auto is_skinned = [](const std::string& joints, const std::string& interpolation) {
    const std::string metadata = " (interpolation = \"" + interpolation + "\")\n";
    SkelScene scene = open_scene(
        rooted(bound_mesh(
            "M", "point3f[] points = []\nint[] primvars:skel:jointIndices = " + joints + metadata +
                     "float[] primvars:skel:jointWeights = " + joints + metadata)),
        Rules::openusd);
    return scene.deform("/R/M", {}).skinned;
  };
  EXPECT_FALSE(is_skinned("[0]", "vertex"));
  EXPECT_TRUE(is_skinned("[]", "vertex"));
  EXPECT_TRUE(is_skinned("[0]", "constant"));
}

}  // namespace
}  // namespace sinew::skel::skinning_rules_test
