// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/evaluate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/skel/joint_transforms.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

std::string matrix_text(const Matrix4d& m) {
  std::string text = "(";
  for (int column = 0; column < 4; ++column) {
    text += fmt::format("{}({:.17g}, {:.17g}, {:.17g}, {:.17g})", column > 0 ? ", " : "",
                        m(0, column), m(1, column), m(2, column), m(3, column));
  }
  return text + ")";
}

std::string matrices_text(const std::vector<Matrix4d>& matrices) {
  std::string text = "[";
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    text += (i > 0 ? ", " : "") + matrix_text(matrices[i]);
  }
  return text + "]";
}

void expect_matrices_near(const std::vector<Matrix4d>& actual,
                          const std::vector<Matrix4d>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LE((actual[i] - expected[i]).cwiseAbs().maxCoeff(), tolerance)
        << "matrix " << i << " is\n"
        << actual[i] << "\ninstead of\n"
        << expected[i];
  }
}

// Five joints in two trees; an animation of ten frames for all but the last; random poses.
class SkeletonQuery : public ::testing::Test {
 protected:
  static constexpr int kFrames = 10;

  SkeletonQuery() {
    for (int i = 0; i < 5; ++i) rest_.push_back(random_transform());
    bind_ = concat(rest_);
    std::string translations;
    std::string rotations;
    std::string scales;
    std::string root;
    for (int frame = 0; frame < kFrames; ++frame) {
      translations += fmt::format("{}: [", frame);
      rotations += fmt::format("{}: [", frame);
      scales += fmt::format("{}: [", frame);
      frames_.emplace_back();
      for (int joint = 0; joint < 4; ++joint) {
        const Vector3f t(number(), number(), number());
        const Eigen::Quaternionf q = random_rotation();
        frames_.back().push_back(
            make_transform(t, Quatf(q.w(), q.x(), q.y(), q.z()), {Half(1), Half(1), Half(1)}));
        translations += fmt::format("({}, {}, {}),", t.x(), t.y(), t.z());
        rotations += fmt::format("({}, {}, {}, {}),", q.w(), q.x(), q.y(), q.z());
        scales += "(1, 1, 1),";
      }
      translations += "],\n";
      rotations += "],\n";
      scales += "],\n";
      root_.push_back(random_transform());
      root += fmt::format("{}: {},\n", frame, matrix_text(root_.back()));
    }
    text_ = fmt::format(R"(#usda 1.0
def SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"])
{{
    matrix4d xformOp:transform.timeSamples = {{ {} }}
    uniform token[] xformOpOrder = ["xformOp:transform"]
    rel skel:skeleton = </Root/Skel>
    rel skel:animationSource = </Root/Anim>
    def Skeleton "Skel"
    {{
        uniform token[] joints = ["/A", "/A/B", "/A/B/C", "/D", "/D/E/F"]
        uniform matrix4d[] bindTransforms = {}
        uniform matrix4d[] restTransforms = {}
    }}
    def SkelAnimation "Anim" (active = ANIM_ACTIVE)
    {{
        uniform token[] joints = ["/A", "/A/B", "/A/B/C", "/D"]
        float3[] translations.timeSamples = {{ {} }}
        quatf[] rotations.timeSamples = {{ {} }}
        half3[] scales.timeSamples = {{ {} }}
    }}
    def Mesh "Mesh" {{}}
}}
)",
                        root, matrices_text(bind_), matrices_text(rest_), translations, rotations,
                        scales);
    open("true", "translations.timeSamples");
  }

  void open(const std::string& active, const std::string& translations) {
    std::string text = text_;
    text.replace(text.find("ANIM_ACTIVE"), 11, active);
    if (translations == "blocked") {
      const std::size_t start = text.find("float3[] translations.timeSamples");
      const std::size_t end = text.find('\n', text.find("}", start));
      text.replace(start, end - start, "float3[] translations = None");
    }
    scene_ = open_scene(text, Rules::openusd);
    ASSERT_EQ(scene_.bindings.size(), 1U);
  }

  // /D/E/F is a child of /D.
  static std::vector<Matrix4d> concat(const std::vector<Matrix4d>& local) {
    return {local[0], Matrix4d(local[0] * local[1]), Matrix4d(local[0] * local[1] * local[2]),
            local[3], Matrix4d(local[3] * local[4])};
  }
  std::vector<Matrix4d> local_at(int frame) const {
    std::vector<Matrix4d> local = frames_[static_cast<std::size_t>(frame)];
    local.push_back(rest_[4]);
    return local;
  }
  float number() { return distribution_(random_); }
  Eigen::Quaternionf random_rotation() {
    return Eigen::Quaternionf(number(), number(), number(), number()).normalized();
  }
  Matrix4d random_transform() {
    const Eigen::Quaternionf q = random_rotation();
    return make_transform({number(), number(), number()}, Quatf(q.w(), q.x(), q.y(), q.z()),
                          {Half(1), Half(1), Half(1)});
  }

  std::mt19937 random_{11};
  std::uniform_real_distribution<float> distribution_{-5.0F, 5.0F};
  std::vector<Matrix4d> rest_;
  std::vector<Matrix4d> bind_;
  std::vector<Matrix4d> root_;
  std::vector<std::vector<Matrix4d>> frames_;
  std::string text_;
  SkelScene scene_;
};

// Files hold the floats' shortest text, so nothing is lost; products are in double.
constexpr double kNear = 1e-9;

TEST_F(SkeletonQuery, ReadsTheOrderOfTheAnimation) {  // skel 12.16
  ASSERT_NE(scene_.bindings[0].animation, nullptr);
  EXPECT_THAT(scene_.bindings[0].animation->joints, ElementsAre("/A", "/A/B", "/A/B/C", "/D"));
  EXPECT_EQ(scene_.bindings[0].animation_prim.path().str(), "/Root/Anim");
}

TEST_F(SkeletonQuery, KnowsTheSamplesOfTheAnimation) {  // skel 12.17
  const StageAnimation& animation = *scene_.bindings[0].animation;
  EXPECT_TRUE(animation.rotations.might_be_time_varying());
  EXPECT_THAT(animation.rotations.time_samples(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST_F(SkeletonQuery, GivesTheSameAgainWhenReadAgain) {  // skel 12.45
  Diagnostics diagnostics;
  const auto again = read_bindings(*scene_.stage, diagnostics);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].skeleton_prim, scene_.bindings[0].skeleton_prim);
  EXPECT_EQ(again[0].animation_prim, scene_.bindings[0].animation_prim);
  EXPECT_EQ(again[0].skeleton->topology(), scene_.bindings[0].skeleton->topology());
}

TEST_F(SkeletonQuery, GivesTheRestPoseOnRequest) {  // skel 12.46
  SkeletonPose pose;
  evaluate_pose(scene_.bindings[0], 3.0, pose, scene_.diagnostics, PoseSource::rest);
  expect_matrices_near(pose.joint_local, rest_, 0.0);
}

TEST_F(SkeletonQuery, TakesUncoveredJointsFromTheRestPose) {  // skel 12.18 and 12.47
  for (int frame = 0; frame < kFrames; ++frame) {
    expect_matrices_near(scene_.pose(0, frame).joint_local, local_at(frame), kNear);
  }
}

TEST_F(SkeletonQuery, ConcatenatesAlongTheHierarchy) {  // skel 12.48
  for (int frame = 0; frame < kFrames; ++frame) {
    expect_matrices_near(scene_.pose(0, frame).joint_skel, concat(local_at(frame)), kNear);
  }
}

TEST_F(SkeletonQuery, PutsJointsIntoTheWorld) {  // skel 12.49 and 12.52
  for (int frame = 0; frame < kFrames; ++frame) {
    const SkeletonPose pose = scene_.pose(0, frame);
    const Matrix4d& root = root_[static_cast<std::size_t>(frame)];
    EXPECT_LE((pose.world_from_skel - root).cwiseAbs().maxCoeff(), kNear);
    std::vector<Matrix4d> expected = concat(local_at(frame));
    for (Matrix4d& m : expected) m = root * m;
    expect_matrices_near(pose.joint_world, expected, kNear);
  }
}

TEST_F(SkeletonQuery, RelatesThePoseToRest) {  // skel 12.50
  const SkeletonPose pose = scene_.pose(0, 4.0);
  const std::vector<Matrix4d> relative = rest_relative(scene_.bindings[0], pose);
  ASSERT_EQ(relative.size(), 5U);
  const std::vector<Matrix4d> local = local_at(4);
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_LE((rest_[j] * relative[j] - local[j]).cwiseAbs().maxCoeff(), kNear);
  }
}

TEST_F(SkeletonQuery, ConcatenatesTheRestPoseToo) {  // skel 12.51
  SkeletonPose pose;
  evaluate_pose(scene_.bindings[0], 2.0, pose, scene_.diagnostics, PoseSource::rest);
  expect_matrices_near(pose.joint_skel, concat(rest_), kNear);
  std::vector<Matrix4d> world = concat(rest_);
  for (Matrix4d& m : world) m = root_[2] * m;
  expect_matrices_near(pose.joint_world, world, kNear);
}

TEST_F(SkeletonQuery, SkinsFromTheBindPose) {
  SkeletonPose pose;
  evaluate_pose(scene_.bindings[0], 2.0, pose, scene_.diagnostics, PoseSource::rest);
  const std::vector<Matrix4d> identities(5, Matrix4d::Identity());
  expect_matrices_near(pose.skinning, identities, kNear);  // Rest and bind pose are the same.
}

TEST_F(SkeletonQuery, IsAtRestWhenTheAnimationIsInactive) {  // skel 12.53
  open("false", "");
  expect_matrices_near(scene_.pose(0, 3.0).joint_local, rest_, 0.0);
}

TEST_F(SkeletonQuery, IsAtRestWhenAComponentIsBlocked) {  // skel 12.54
  open("true", "blocked");
  expect_matrices_near(scene_.pose(0, 3.0).joint_local, rest_, 0.0);
}

TEST_F(SkeletonQuery, IsAtRestAtTheDefaultTimeOfSampledAnimation) {
  expect_matrices_near(scene_.pose(0, {}).joint_local, rest_, 0.0);
}

TEST(EvaluatePose, GivesTheWeightsOfBlendShapes) {  // skel 12.19
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" {}
    def SkelAnimation "A"
    {
        uniform token[] blendShapes = ["x", "y"]
        float[] blendShapeWeights.timeSamples = { 0: [0, 1], 10: [1, 0.5] }
    }
    def Mesh "M" {}
}
)");
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_THAT(scene.bindings[0].animation->blend_shapes, ElementsAre("x", "y"));
  EXPECT_THAT(scene.pose(0, 0.0).blend_shape_weights, Optional(ElementsAre(0.0F, 1.0F)));
  EXPECT_THAT(scene.pose(0, 5.0).blend_shape_weights, Optional(ElementsAre(0.5F, 0.75F)));
  EXPECT_FALSE(scene.pose(0, {}).blend_shape_weights);
}

// One mesh with influences as given, bound to a skeleton of ten joints.
SkelScene influence_scene(const std::string& properties, Rules rules = Rules::openusd) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
)" + properties + R"(
    }
}
)",
                    rules);
}

template <typename T>
std::vector<T> to_vector(const stage::ArrayValue<T>& array) {
  return {array.begin(), array.end()};
}

std::string influences(const std::string& indices, const std::string& weights,
                       const std::string& index_metadata, const std::string& weight_metadata) {
  return "int[] primvars:skel:jointIndices = " + indices + " (" + index_metadata + ")\n" +
         "float[] primvars:skel:jointWeights = " + weights + " (" + weight_metadata + ")\n";
}

std::string influences(const std::string& indices, const std::string& weights,
                       const std::string& metadata) {
  return influences(indices, weights, metadata, metadata);
}

TEST(ReadInfluences, NeedMatchingMetadata) {  // skel 12.55
  const std::string vertex = "interpolation = \"vertex\"";
  const std::string constant = "interpolation = \"constant\"";
  const std::string cases[] = {
      influences("[1]", "[1]", constant, vertex),
      influences("[1]", "[1]", "interpolation = \"uniform\""),
      influences("[1]", "[1]", "interpolation = \"varying\""),
      influences("[1]", "[1]", vertex + "; elementSize = 3", vertex + "; elementSize = 4"),
      influences("[1]", "[1]", vertex + "; elementSize = -1"),
  };
  for (const std::string& properties : cases) {
    const SkelScene scene = influence_scene(properties);
    const SkinTarget* target = scene.find_target("/R/M");
    ASSERT_NE(target, nullptr);
    EXPECT_FALSE(target->skin->has_joint_influences) << properties;
    EXPECT_EQ(scene.said("skel-influences-invalid").size(), 1U) << properties;
  }
}

TEST(ReadInfluences, NeedBothPrimvars) {
  const SkelScene scene = influence_scene("int[] primvars:skel:jointIndices = [1]");
  EXPECT_FALSE(scene.find_target("/R/M")->skin->has_joint_influences);
  EXPECT_TRUE(scene.said("skel-influences-invalid").empty());
}

TEST(ReadInfluences, FailForValuesThatAreNoMultipleOfTheElementSize) {  // skel 12.56
  SkelScene scene = influence_scene(
      influences("[1, 2, 3]", "[5, 6, 7]", "interpolation = \"vertex\"; elementSize = 2"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_TRUE(target->skin->has_joint_influences);
  EXPECT_FALSE(read_influences(*target, {}, &scene.diagnostics));
  EXPECT_EQ(scene.said("skel-influences-invalid").size(), 1U);
}

TEST(ReadInfluences, FailForConstantValuesOfAnotherNumber) {  // skel 12.57
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"constant\"; elementSize = 2"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_FALSE(read_influences(*target, {}, &scene.diagnostics));
}

TEST(ReadInfluences, GiveConstantValuesVerbatim) {  // skel 12.58
  SkelScene scene = influence_scene(
      influences("[1, 2, 3]", "[5, 6, 7]", "interpolation = \"constant\"; elementSize = 3"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_EQ(target->skin->scope, InfluenceScope::constant);
  EXPECT_EQ(target->skin->influences, 3U);
  EXPECT_EQ(target->skin->method, SkinningMethod::linear);
  const auto read = read_influences(*target, {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(1, 2, 3));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 7.0F));
}

TEST(ReadInfluences, GiveVertexValuesVerbatim) {  // skel 12.59
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "uniform token primvars:skel:skinningMethod = \"classicLinear\"");
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_EQ(target->skin->scope, InfluenceScope::per_point);
  EXPECT_EQ(target->skin->influences, 2U);
  EXPECT_EQ(target->skin->method, SkinningMethod::linear);
  const auto read = read_influences(*target, {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 7.0F, 8.0F));
}

TEST(ReadInfluences, KnowDualQuaternionSkinning) {  // skel 12.60
  const SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"");
  EXPECT_EQ(scene.find_target("/R/M")->skin->method, SkinningMethod::dual_quaternion);
}

TEST(ReadInfluences, ExpandIndexedPrimvars) {  // skel 12.85
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "int[] primvars:skel:jointIndices:indices = [1, 0, 1]\n"
      "int[] primvars:skel:jointWeights:indices = [0, 0, 1]\n");
  const auto read = read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(3, 4, 1, 2, 3, 4));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 5.0F, 6.0F, 7.0F, 8.0F));
}

TEST(ReadInfluences, RejectPrimvarIndicesOutOfRange) {  // skel 12.85
  SkelScene scene = influence_scene(influences("[1, 2]", "[5, 6]", "interpolation = \"vertex\"") +
                                    "int[] primvars:skel:jointIndices:indices = [0, 7, -1]\n");
  EXPECT_FALSE(read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics));
  ASSERT_EQ(scene.said("skel-primvar-index-out-of-range").size(), 1U);
  EXPECT_THAT(scene.said("skel-primvar-index-out-of-range")[0].message,
              HasSubstr("7 at 1, -1 at 2"));
}

// A skeleton of two joints, the second one unit up; the animation turns and moves.
constexpr const char* kTwoJoints = R"(
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = ["a", "a/b"]
        float3[] translations = [(1,0,0), (0,2,0)]
        quatf[] rotations = [(1,0,0,0), (1,0,0,0)]
        half3[] scales = [(1,1,1), (1,1,1)]
    }
)";

SkelScene two_joint_scene(const std::string& mesh, Rules rules = Rules::openusd) {
  return open_scene(std::string(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
)") + kTwoJoints + R"(
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (0,1,0)]
)" + mesh + R"(
    }
}
)",
                    rules);
}

TEST(EvaluateTarget, SkinsPoints) {
  SkelScene scene = two_joint_scene(influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\""));
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}}),
                     1e-6F);
}

TEST(EvaluateTarget, FailsForAnIndexOutOfRangeEvenOfNoWeight) {  // skel 12.86
  SkelScene scene = two_joint_scene(
      influences("[0, 9, 1, 0]", "[1, 0, 1, 0]", "interpolation = \"vertex\"; elementSize = 2"));
  EXPECT_FALSE(scene.deform("/R/M", {}).skinned);
  ASSERT_EQ(scene.said("skel-joint-index-out-of-range").size(), 1U);
  EXPECT_EQ(scene.said("skel-joint-index-out-of-range")[0].path, "/R/M");
}

TEST(EvaluateTarget, MovesUnknownJointsByNumberUnderOpenUsdRules) {
  SkelScene scene = two_joint_scene(influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\"") +
                                    "uniform token[] skel:joints = [\"a/b\", \"nowhere\"]");
  // Joint 0 of the mesh is a/b: from 1 up to 2 up and 1 aside. "nowhere" is number 1: a/b too.
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 1, 0}, {1, 2, 0}}),
                     1e-6F);
}

TEST(EvaluateTarget, LeavesUnknownJointsInPlaceByTheDocumentedRules) {
  SkelScene scene = two_joint_scene(influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\"") +
                                        "uniform token[] skel:joints = [\"a/b\", \"nowhere\"]",
                                    Rules::documented);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 1, 0}, {0, 1, 0}}),
                     1e-6F);
  ASSERT_EQ(scene.said("skel-custom-joint-missing").size(), 1U);
  EXPECT_THAT(scene.said("skel-custom-joint-missing")[0].message, HasSubstr("nowhere"));
}

TEST(EvaluateTarget, GivesTheTransformOfRigidPrims) {
  SkelScene scene = two_joint_scene(
      influences("[0, 1]", "[0.5, 0.5]", "interpolation = \"constant\"; elementSize = 2"));
  const DeformedPrim deformed = scene.deform("/R/M", {});
  ASSERT_TRUE(deformed.skinned_transform);
  Matrix4d expected = Matrix4d::Identity();
  expected.topRightCorner<3, 1>() = Vector3d(1.0, 0.5, 0.0);
  EXPECT_LE((*deformed.skinned_transform - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_POINTS_NEAR(deformed.points, (std::vector<Vector3f>{{1, 0.5F, 0}, {1, 1.5F, 0}}), 1e-6F);
}

TEST(EvaluateTarget, FollowsInfluencesThatVaryInTime) {
  SkelScene scene = two_joint_scene(
      "int[] primvars:skel:jointIndices.timeSamples = { 0: [0, 0], 5: [1, 1] }\n"
      "int[] primvars:skel:jointIndices (interpolation = \"vertex\")\n"
      "float[] primvars:skel:jointWeights = [1, 1] (interpolation = \"vertex\")\n");
  EXPECT_POINTS_NEAR(scene.deform("/R/M", 0.0).points,
                     (std::vector<Vector3f>{{1, 0, 0}, {1, 1, 0}}), 1e-6F);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", 5.0).points,
                     (std::vector<Vector3f>{{1, 1, 0}, {1, 2, 0}}), 1e-6F);
  EXPECT_FALSE(scene.deform("/R/M", {}).skinned);
}

TEST(EvaluateTarget, SkinsFaceVaryingNormals) {
  SkelScene scene =
      two_joint_scene(influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\"") + R"(
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 0]
        normal3f[] normals = [(0,0,1), (0,1,0), (1,0,0)] (interpolation = "faceVarying")
)");
  const DeformedPrim deformed = scene.deform("/R/M", {});
  ASSERT_TRUE(!deformed.normals.empty() && deformed.normals_per_face_vertex);
  EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}),
                     1e-6F);
}

// The scene with a prim of another type in place of the mesh.
SkelScene two_joint_scene_of(const std::string& type, const std::string& properties) {
  std::string text = std::string(
                         "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = "
                         "[\"SkelBindingAPI\"])\n{\n    rel skel:skeleton = </R/S>\n"
                         "    rel skel:animationSource = </R/A>\n") +
                     kTwoJoints + "    def " + type +
                     " \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n    {\n" + properties +
                     "    }\n}\n";
  return open_scene(text, Rules::openusd);
}

TEST(EvaluateTarget, SkinsPointsOfEveryTypeThatHasSome) {
  for (const char* type :
       {"Mesh", "TetMesh", "Points", "BasisCurves", "NurbsCurves", "HermiteCurves", "NurbsPatch"}) {
    SkelScene scene =
        two_joint_scene_of(type, "point3f[] points = [(0,0,0), (0,1,0)]\n" +
                                     influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\""));
    EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points,
                       (std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}}), 1e-6F)
        << type;
  }
}

TEST(EvaluateTarget, MovesEveryTypeWithoutPointsAsOnePiece) {
  for (const char* type : {"Cube", "Sphere", "Cylinder", "Cylinder_1", "Capsule", "Capsule_1",
                           "Cone", "Plane", "PointInstancer", "RectLight", "Volume"}) {
    SkelScene scene =
        two_joint_scene_of(type, influences("[1]", "[1]", "interpolation = \"constant\""));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    EXPECT_FALSE(deformed.skinned) << type;
    ASSERT_TRUE(deformed.skinned_transform) << type;
    EXPECT_EQ(Vector3d(deformed.skinned_transform->topRightCorner<3, 1>()), Vector3d(1, 1, 0))
        << type;
  }
}

// The second joint turns by a right angle about z.
std::string turning(const std::string& properties, const std::string& method) {
  return "#usda 1.0\ndef SkelRoot \"R\"\n{\n    rel skel:skeleton = </R/S>\n"
         "    rel skel:animationSource = </R/A>\n" +
         std::string(kTwoJoints)
             .replace(std::string(kTwoJoints).find("(1,0,0,0), (1,0,0,0)]\n        half3"), 20,
                      "(1,0,0,0), (0.70710678,0,0,0.70710678)") +
         "    def Mesh \"M\"\n    {\n        point3f[] points = [(0,0,0), (0,1,0)]\n" +
         influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\"") +
         "        uniform token primvars:skel:skinningMethod = \"" + method + "\"\n" + properties +
         "    }\n}\n";
}

TEST(EvaluateTarget, TurnsNormalsAndTangentsWithTheirPoints) {
  for (const char* method : {"classicLinear", "dualQuaternion"}) {
    SkelScene scene = open_scene(turning(R"(
        normal3f[] normals = [(1,0,0), (1,0,0)] (interpolation = "vertex")
        float3[] primvars:tangents = [(0,1,0), (0,1,0)] (interpolation = "vertex")
)",
                                         method));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    ASSERT_TRUE(!deformed.normals.empty() && !deformed.tangents.empty()) << method;
    EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{1, 0, 0}, {0, 1, 0}}), 1e-6F);
    EXPECT_POINTS_NEAR(deformed.tangents, (std::vector<Vector3f>{{0, 1, 0}, {-1, 0, 0}}), 1e-6F);
  }
}

TEST(EvaluateTarget, TurnsFaceVaryingNormalsWithTheirPoints) {
  for (const char* method : {"classicLinear", "dualQuaternion"}) {
    SkelScene scene = open_scene(turning(R"(
        int[] faceVertexIndices = [1, 0, 1]
        normal3f[] normals = [(1,0,0), (0,1,0), (0,1,0)] (interpolation = "faceVarying")
)",
                                         method));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    ASSERT_TRUE(!deformed.normals.empty() && deformed.normals_per_face_vertex) << method;
    EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{0, 1, 0}, {0, 1, 0}, {-1, 0, 0}}),
                       1e-6F);
  }
}

TEST(EvaluateTarget, LeavesOutTangentsOfAnotherNumber) {
  SkelScene scene = open_scene(turning(
      "float3[] primvars:tangents = [(0,1,0)] (interpolation = \"vertex\")\n", "classicLinear"));
  const DeformedPrim deformed = scene.deform("/R/M", {});
  EXPECT_TRUE(deformed.skinned);
  EXPECT_TRUE(deformed.tangents.empty());
  ASSERT_EQ(scene.said("skel-tangents-size-mismatch").size(), 1U);
  EXPECT_EQ(scene.said("skel-tangents-size-mismatch")[0].path, "/R/M.primvars:tangents");
}

TEST(EvaluateTarget, ReusesItsMemoryFromTimeToTime) {
  SkelScene scene = two_joint_scene(influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\""));
  const SkinTarget* target = scene.find_target("/R/M");
  SkeletonPose pose;
  DeformedPrim deformed;
  evaluate_pose(scene.bindings[0], {}, pose, scene.diagnostics);
  evaluate_target(*target, pose, deformed, scene.diagnostics);
  const Vector3f* const before = deformed.points.data();
  evaluate_pose(scene.bindings[0], 1.0, pose, scene.diagnostics);
  evaluate_target(*target, pose, deformed, scene.diagnostics);
  EXPECT_EQ(deformed.points.data(), before);
}

}  // namespace
}  // namespace sinew::skel
