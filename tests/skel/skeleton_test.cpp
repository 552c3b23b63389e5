// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/skeleton.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <vector>

#include "sinew/skel/joint_transforms.hpp"
#include "skel/matrices.hpp"

namespace sinew::skel::skeleton_test {
namespace {

TEST(Skeleton, ConcatenatesItsRestPose) {
  auto skeleton = Skeleton::make({.joints = {"a", "a/b"},
                                  .bind_transforms = {moved(0, 1, 0), moved(0, 3, 0)},
                                  .rest_transforms = {moved(0, 1, 0), moved(0, 2, 0)}});
  ASSERT_TRUE(skeleton);
  EXPECT_EQ(skeleton->rest_skel_transforms()[1], moved(0, 3, 0));
  EXPECT_EQ(skeleton->inverse_bind_transforms()[1], moved(0, -3, 0));
}

TEST(Skeleton, LeavesOutPosesOfTheWrongLength) {
  auto skeleton = Skeleton::make({.joints = {"a"}, .bind_transforms = {}, .rest_transforms = {}});
  ASSERT_TRUE(skeleton);
  EXPECT_FALSE(skeleton->has_bind_pose());
  EXPECT_FALSE(skeleton->has_rest_pose());
}

TEST(Skeleton, WithoutJointsHasBothPoses) {
  auto skeleton = Skeleton::make({});
  ASSERT_TRUE(skeleton);
  EXPECT_TRUE(skeleton->has_bind_pose());
  EXPECT_TRUE(skeleton->has_rest_pose());
}

TEST(Skeleton, InvertsASingularBindTransformAsUsdDoes) {
  Matrix4d flat = Matrix4d::Identity();
  flat(2, 2) = 0.0;
  const auto skeleton = Skeleton::make({.joints = {"a"}, .bind_transforms = {flat}});
  ASSERT_TRUE(skeleton);
  const Matrix4d& inverse = skeleton->inverse_bind_transforms()[0];
  EXPECT_EQ(inverse(0, 0), static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_EQ(inverse(3, 3), 1.0);
}

TEST(Skeleton, ReadsJointPathsByItsRules) {
  const std::vector<std::string> joints = {"a:b", "a:b/c"};
  const auto documented = Skeleton::make({.joints = joints});
  const auto openusd = Skeleton::make({.joints = joints, .rules = Rules::openusd});
  ASSERT_TRUE(documented && openusd);
  EXPECT_EQ(documented->topology().parent(1), 0);
  EXPECT_EQ(openusd->topology().parent(1), kNoParent);
}

TEST(Skeleton, RejectsAHierarchyThatIsNone) {
  auto skeleton = Skeleton::make({.joints = {"a/b", "a"}});
  ASSERT_FALSE(skeleton);
  EXPECT_EQ(skeleton.error().code, ErrorCode::bad_topology);
}

TEST(RestRelativeTransforms, LeadFromRestToThePose) {  // skel 12.50
  const auto skeleton =
      Skeleton::make({.joints = {"a", "a/b"}, .rest_transforms = {moved(1, 0, 0), moved(0, 2, 0)}});
  ASSERT_TRUE(skeleton);
  const std::vector<Matrix4d> local = {
      make_transform({1, 1, 1}, Quatf(0.6F, 0.8F, 0, 0), halfs(1, 2, 1)), moved(0, 5, 0)};
  std::vector<Matrix4d> relative(2);
  ASSERT_TRUE(rest_relative_transforms(*skeleton, local, relative));
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_LE((Matrix4d(skeleton->rest_transforms()[j] * relative[j]) - local[j]).norm(), 1e-14);
  }
}

TEST(SkinningTransforms, LeadFromBindToThePose) {
  const auto skeleton =
      Skeleton::make({.joints = {"a", "a/b"}, .bind_transforms = {moved(1, 0, 0), moved(1, 2, 0)}});
  ASSERT_TRUE(skeleton);
  std::vector<Matrix4d> pose = {moved(1, 0, 0), moved(1, 2, 3)};
  ASSERT_TRUE(skinning_transforms(*skeleton, pose, pose));
  EXPECT_EQ(pose[0], Matrix4d(Matrix4d::Identity()));
  EXPECT_EQ(pose[1], moved(0, 0, 3));
}

TEST(SkinningTransforms, NeedABindPoseAndMatchingSizes) {
  const auto skeleton = Skeleton::make({.joints = {"a"}, .bind_transforms = {moved(1, 0, 0)}});
  ASSERT_TRUE(skeleton);
  std::vector<Matrix4d> two(2, moved(0, 0, 0));
  const Status sizes = skinning_transforms(*skeleton, two, two);
  ASSERT_FALSE(sizes);
  EXPECT_EQ(sizes.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(sizes.error().message, "There are 2 transforms instead of 1, one per joint.");
  const std::span<Matrix4d> one = std::span(two).first(1);
  for (const Status& status :
       {skinning_transforms(*skeleton, one, two), skinning_transforms(*skeleton, two, one)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, sizes.error().message);
  }
  const auto no_bind = Skeleton::make({.joints = {"a"}, .rest_transforms = {moved(1, 0, 0)}});
  EXPECT_EQ(skinning_transforms(*no_bind, one, one).error().code, ErrorCode::no_value);
  EXPECT_EQ(rest_relative_transforms(*no_bind, one, two).error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(rest_relative_transforms(*no_bind, two, one).error().code, ErrorCode::size_mismatch);
  const Status rest =
      rest_relative_transforms(*skeleton, std::span(two).first(1), std::span(two).first(1));
  ASSERT_FALSE(rest);
  EXPECT_EQ(rest.error().code, ErrorCode::no_value);
}

}  // namespace
}  // namespace sinew::skel::skeleton_test
