// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/evaluate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sinew/skel/joint_transforms.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::evaluate_pose_test {
namespace {

using ::testing::ElementsAre;
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

TEST(RestRelative, IsNothingWhereThereIsNoRestToRelateTo) {
  const auto relative = [](const std::string& skeleton, const std::string& animation = {}) {
    SkelScene scene = open_scene(
        "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
        "rel skel:animationSource = </R/A>\ndef Skeleton \"S\" {\n" +
        skeleton + "\n}\ndef SkelAnimation \"A\" {\n" + animation + "\n}\n}\n");
    const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
    SkeletonPose pose;
    evaluate_pose(binding, {}, pose, scene.diagnostics);
    return rest_relative(binding, pose);
  };
  const std::string joint = "uniform token[] joints = [\"a\"]\n";
  const std::string rest =
      "uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))]\n";
  const std::string moving = joint +
                             "float3[] translations = [(4, 0, 0)]\n"
                             "quatf[] rotations = [(1, 0, 0, 0)]\n"
                             "half3[] scales = [(1, 1, 1)]\n";
  Matrix4d moved = Matrix4d::Identity();
  moved(0, 3) = 3.0;
  EXPECT_THAT(relative(joint + rest, moving), ElementsAre(moved));
  EXPECT_THAT(relative(joint + rest), ElementsAre(Matrix4d::Identity()));
  EXPECT_THAT(relative(joint), ElementsAre(Matrix4d::Identity()));
  EXPECT_THAT(relative(joint, moving), ::testing::IsEmpty());
  EXPECT_THAT(relative("uniform token[] joints = [\"a/b\", \"a\"]", moving), ::testing::IsEmpty());
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

}  // namespace
}  // namespace sinew::skel::evaluate_pose_test
