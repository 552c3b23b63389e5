// SPDX-License-Identifier: Apache-2.0
// What cannot be computed is empty, and what there is nothing of can be told from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "skel/skel_scene.hpp"

namespace sinew::skel::empty_results_test {
namespace {

using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

// One skeleton with the given properties, and a mesh that follows its first joint.
SkelScene scene_with(const std::string& skeleton, const std::string& points = "(0,0,0), (1,0,0)",
                     const std::string& more = {}) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"]) { )" +
                    skeleton + R"( }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [)" +
                    points + R"(]
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant"; elementSize = 1)
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant"; elementSize = 1)
    }
)" + more + "}\n");
}

constexpr const char* kJoint = "uniform token[] joints = [\"a\"]\n";
constexpr const char* kBind =
    "uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n";
constexpr const char* kRest =
    "uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]\n";

TEST(PoseStatus, IsSkinnableWithBothPoses) {
  SkelScene scene = scene_with(std::string(kJoint) + kBind + kRest);
  const SkeletonPose pose = scene.pose(0, {});
  EXPECT_EQ(pose.status, PoseStatus::skinnable);
  EXPECT_THAT(pose.joint_world, SizeIs(1));
  EXPECT_THAT(pose.skinning, SizeIs(1));
}

TEST(PoseStatus, IsPosedWithoutABindPose) {
  SkelScene scene = scene_with(std::string(kJoint) + kRest);
  const SkeletonPose pose = scene.pose(0, {});
  EXPECT_EQ(pose.status, PoseStatus::posed);
  EXPECT_THAT(pose.joint_local, SizeIs(1));
  EXPECT_THAT(pose.skinning, IsEmpty());
  EXPECT_FALSE(scene.deform("/R/M", {}).skinned);
}

TEST(PoseStatus, IsNoneWithNeitherRestPoseNorAnimation) {
  SkelScene scene = scene_with(std::string(kJoint) + kBind);
  const SkeletonPose pose = scene.pose(0, {});
  EXPECT_EQ(pose.status, PoseStatus::none);
  EXPECT_THAT(pose.joint_local, IsEmpty());
  EXPECT_THAT(pose.joint_world, IsEmpty());
}

TEST(PoseStatus, TellsASkeletonWithoutJointsFromFailure) {
  SkelScene scene = scene_with("");
  const SkeletonPose pose = scene.pose(0, {});
  EXPECT_EQ(pose.status, PoseStatus::skinnable);
  EXPECT_THAT(pose.joint_local, IsEmpty());
}

TEST(SkeletonPose, ForgetsTheWeightsOfTheLastFrame) {
  SkelScene scene =
      scene_with(std::string(kJoint) + kRest + "rel skel:animationSource = </R/A>\n", "(0,0,0)", R"(
    def SkelAnimation "A"
    {
        uniform token[] blendShapes = ["x"]
        float[] blendShapeWeights.timeSamples = { 0: [], 10: [1] }
    }
)");
  SkeletonPose pose;
  evaluate_pose(scene.bindings.at(0), 10.0, pose, scene.diagnostics);
  EXPECT_THAT(pose.blend_shape_weights, Optional(SizeIs(1)));
  evaluate_pose(scene.bindings.at(0), 0.0, pose, scene.diagnostics);
  EXPECT_THAT(pose.blend_shape_weights, Optional(IsEmpty()));
  evaluate_pose(scene.bindings.at(0), 10.0, pose, scene.diagnostics, PoseSource::rest);
  EXPECT_FALSE(pose.blend_shape_weights);
}

TEST(DeformedPrim, TellsAPrimWithoutPointsFromFailure) {
  SkelScene scene = scene_with(std::string(kJoint) + kBind + kRest, "");
  const DeformedPrim deformed = scene.deform("/R/M", {});
  EXPECT_TRUE(deformed.skinned);
  EXPECT_THAT(deformed.points, IsEmpty());
  EXPECT_FALSE(deformed.blended);
}

TEST(DeformedPrim, IsOfUseAfterItWasMovedFrom) {
  SkelScene scene = scene_with(std::string(kJoint) + kBind + kRest);
  const SkeletonPose pose = scene.pose(0, {});
  DeformedPrim first;
  evaluate_target(scene.bindings.at(0).targets.at(0), pose, first, scene.diagnostics);
  const DeformedPrim second = std::move(first);
  EXPECT_POINTS_NEAR(second.points, (std::vector<Vector3f>{{0, 2, 0}, {1, 2, 0}}), 1e-6F);
  first = DeformedPrim();
  evaluate_target(scene.bindings.at(0).targets.at(0), pose, first, scene.diagnostics);
  EXPECT_EQ(first.points, second.points);
}

}  // namespace
}  // namespace sinew::skel::empty_results_test
