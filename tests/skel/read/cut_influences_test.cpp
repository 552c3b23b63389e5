// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/cut_influences.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew::skel::cut_influences_test
