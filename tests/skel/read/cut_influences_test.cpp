// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/cut_influences.hpp"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "skel/read/skeleton_influences.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::cut_influences_test {
namespace {

// Three roots, of which b and c rise by 8 from time 0 to 4 and a stays; two points.
SkelScene scene_with(const std::string& influences) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["a", "b", "c"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,3,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = ["a", "b", "c"]
        float3[] translations.timeSamples = {
            0: [(0,0,0), (0,0,0), (0,0,0)], 4: [(0,0,0), (0,8,0), (0,8,0)] }
        quatf[] rotations = [(1,0,0,0), (1,0,0,0), (1,0,0,0)]
        half3[] scales = [(1,1,1), (1,1,1), (1,1,1)]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (1,0,0)]
)" + influences + R"(
    }
}
)");
}

std::string weights(const std::string& indices, const std::string& values) {
  return "int[] primvars:skel:jointIndices = [" + indices +
         "] (interpolation = \"vertex\"; elementSize = 3)\n"
         "float[] primvars:skel:jointWeights = [" +
         values + "] (interpolation = \"vertex\"; elementSize = 3)\n";
}

Result<InfluenceCut> cut(SkelScene& scene, std::size_t count) {
  const SkeletonBinding& binding = scene.bindings.at(0);
  const Clip clip = *read_clip(binding, scene.diagnostics);
  return cut_influences(binding, binding.targets.at(0), count, {&clip, 1}, scene.diagnostics);
}

TEST(CutInfluences, TellsHowFarPointsGetAtMost) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2"));

  const auto result = cut(scene, 2);

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->largest_weight_lost, 0.2, 1e-6);
  EXPECT_EQ(result->weight_lost_at, 1U);
  // With all 8 * 0.5, with two 8 * 0.3 / 0.8.
  EXPECT_NEAR(result->largest_displacement, 1.0, 1e-5);
  EXPECT_EQ(result->displaced_point, 1U);
  EXPECT_EQ(result->time, 4.0);
  EXPECT_EQ(result->influences.packed.point_count(), 2U);
}

TEST(CutInfluences, CostsNothingWhereJointsMoveAlike) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "0, 0.6, 0.4, 0, 0.4, 0.6"));

  const auto result = cut(scene, 1);

  ASSERT_TRUE(result);
  EXPECT_NEAR(result->largest_weight_lost, 0.4, 1e-6);
  EXPECT_LT(result->largest_displacement, 1e-5);
}

TEST(CutInfluences, MeasuresTheRestPoseWithoutClips) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "0.5, 0.5, 0, 0.4, 0.6, 0"));
  const SkeletonBinding& binding = scene.bindings.at(0);

  const auto result = cut_influences(binding, binding.targets.at(0), 1, {}, scene.diagnostics);

  ASSERT_TRUE(result);
  EXPECT_NEAR(result->largest_displacement, 1.5, 1e-5);
}

TEST(CutInfluences, CountsJointsOfAnOrderOfTheirOwn) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2") +
                               "uniform token[] skel:joints = [\"b\", \"a\", \"none\"]\n");

  const auto result = cut(scene, 2);

  ASSERT_TRUE(result);
  EXPECT_TRUE(result->influences.has_still_joint);
  EXPECT_NEAR(result->largest_displacement, 8 * (0.625 - 0.5), 1e-5);
}

TEST(CutInfluences, RefusesWhatDoesNotFit) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2"));
  EXPECT_EQ(cut(scene, 0).error().code, ErrorCode::invalid_argument);
  const SkeletonBinding& binding = scene.bindings.at(0);
  Clip other;
  const std::vector<double> times = {0.0};
  const std::vector<Vector3f> translations(1, Vector3f::Zero());
  const std::vector<Quatf> rotations(1, Quatf::Identity());
  other.joints = *PackedClip::pack(
      {.joint_count = 1, .times = times, .translations = translations, .rotations = rotations});
  const auto result =
      cut_influences(binding, binding.targets.at(0), 1, {&other, 1}, scene.diagnostics);
  EXPECT_EQ(result.error().code, ErrorCode::size_mismatch);
}

TEST(CutInfluences, NamesTheClipThatDisplacesMost) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2"));
  const SkeletonBinding& binding = scene.bindings.at(0);
  const Clip less = *read_clip(binding, scene.diagnostics);
  Clip more = less;
  const std::vector<double> times = {1.0, 2.0};
  const std::vector<Vector3f> translations = {{0, 0, 0},  {0, 0, 0},  {0, 0, 0},
                                              {0, 0, 16}, {0, 0, 16}, {0, 0, 0}};
  const std::vector<Quatf> rotations(6, Quatf::Identity());
  more.joints = *PackedClip::pack(
      {.joint_count = 3, .times = times, .translations = translations, .rotations = rotations});
  const std::vector<Clip> orders[] = {{less, more}, {more, less}};
  for (std::size_t place = 0; place < 2; ++place) {
    const auto result =
        cut_influences(binding, binding.targets.at(0), 2, orders[place], scene.diagnostics);
    ASSERT_TRUE(result);
    // Without a fifth of the weight, that of c, which stays: 16 instead of 16 * 0.8.
    EXPECT_NEAR(result->largest_displacement, 3.2, 1e-5);
    EXPECT_EQ(result->clip, 1 - place);
    EXPECT_EQ(result->time, 2.0);
    EXPECT_EQ(result->displaced_point, 1U);
  }
}

TEST(CutInfluences, NeedsWhatDeformsThePrim) {
  const std::string good = weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2");
  const auto error_of = [](SkelScene scene, auto change) {
    SkeletonBinding binding = scene.bindings.at(0);
    change(binding);
    return cut_influences(binding, binding.targets.at(0), 2, {}, scene.diagnostics).error();
  };
  const auto make = [](std::size_t joints, bool bind) {
    SkeletonDesc desc;
    for (std::size_t j = 0; j < joints; ++j) desc.joints.emplace_back(1, "abc"[j]);
    if (bind) desc.bind_transforms.assign(joints, Matrix4d::Identity());
    return std::make_shared<const Skeleton>(*Skeleton::make(std::move(desc)));
  };
  EXPECT_EQ(error_of(scene_with(good), [](SkeletonBinding& b) { b.skeleton = nullptr; }).code,
            ErrorCode::bad_topology);
  const Error no_bind =
      error_of(scene_with(good), [&](SkeletonBinding& b) { b.skeleton = make(3, false); });
  EXPECT_EQ(no_bind.code, ErrorCode::no_value);
  EXPECT_EQ(no_bind.message, "/R/S has no bind pose.");
  const Error no_rest =
      error_of(scene_with(good), [&](SkeletonBinding& b) { b.skeleton = make(3, true); });
  EXPECT_EQ(no_rest.code, ErrorCode::no_value);
  EXPECT_EQ(no_rest.message, "/R/S has no rest pose to take joints from.");
  EXPECT_EQ(
      error_of(scene_with(good), [&](SkeletonBinding& b) { b.skeleton = make(2, true); }).code,
      ErrorCode::index_out_of_range);
}

TEST(MeasureWeightLoss, IsThePartThatTheLargestLeaveOutOfThePointThatLosesMost) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> weights = {0.5F, 0.25F, 0.25F, 0, 0, 0, -1, 2, kNan, 1, -2, 1};
  const double expected[] = {0.5, 0.25, 0.0, 0.0};
  for (const std::size_t count : {1U, 2U, 3U, 4U}) {
    const WeightLoss loss = measure_weight_loss(weights, 3, count);
    EXPECT_EQ(loss.largest, expected[count - 1]);
    EXPECT_EQ(loss.point, 0U);
  }
  const WeightLoss later = measure_weight_loss(std::span(weights).subspan(3), 3, 1);
  EXPECT_EQ(later.largest, 0.5);
  EXPECT_EQ(later.point, 2U);
}

TEST(CutInfluences, KeepsAllWhereThereAreNoMore) {
  SkelScene scene = scene_with(weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 1, 0, 0"));
  for (const std::size_t count : {3U, 5U}) {
    const auto result = cut(scene, count);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->largest_weight_lost, 0.0);
    EXPECT_EQ(result->largest_displacement, 0.0);
    // Nothing is displaced anywhere.
    EXPECT_EQ(result->displaced_point, 0U);
    EXPECT_EQ(result->time, 0.0);
    EXPECT_FALSE(result->influences.has_still_joint);
  }
}

// It moves all points alike, so that they are as far apart as without it.
TEST(CutInfluences, TellsWhatBindsThePrim) {
  SkelScene scene = scene_with(
      weights("0, 1, 2, 0, 1, 2", "1, 0, 0, 0.5, 0.3, 0.2") +
      "matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,3,0,1))\n");
  const auto result = cut(scene, 2);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->influences.geom_bind(1, 3), 3.0);
  EXPECT_NEAR(result->largest_displacement, 1.0, 1e-5);
}

}  // namespace
}  // namespace sinew::skel::cut_influences_test
