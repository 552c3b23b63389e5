// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/pose_context.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/matrices.hpp"
#include "support/count_allocations.hpp"

namespace sinew::skel::pose_context_test {
namespace {

std::shared_ptr<const Skeleton> arm(bool with_rest = true) {
  SkeletonDesc desc{.joints = {"a", "a/b", "a/b/c"},
                    .bind_transforms = {moved(0, 0, 0), moved(0, 1, 0), moved(0, 2, 0)}};
  if (with_rest) desc.rest_transforms = {moved(0, 0, 0), moved(0, 1, 0), moved(0, 1, 0)};
  return std::make_shared<const Skeleton>(*Skeleton::make(std::move(desc)));
}

const std::vector<Quatf> kNoTurn(3, Quatf(1, 0, 0, 0));
const std::vector<Vector3h> kNoScale(3, Vector3h(Half(1), Half(1), Half(1)));

TEST(PoseContext, TakesMissingJointsFromTheRestPose) {
  const std::vector<std::string> joints = {"a/b"};
  PoseContext context(arm(), joints);
  ASSERT_TRUE(context.pose(std::vector<Vector3f>{{0, 5, 0}}, std::span(kNoTurn).first(1),
                           std::span(kNoScale).first(1)));
  EXPECT_EQ(context.joint_skel()[2], moved(0, 6, 0));
  EXPECT_EQ(context.skinning()[2], moved(0, 4, 0));
  ASSERT_TRUE(context.rest());
  EXPECT_EQ(context.joint_skel()[2], moved(0, 2, 0));
}

TEST(PoseContext, NeedsARestPoseForMissingJointsOnly) {
  const std::vector<std::string> some = {"a/b"};
  PoseContext sparse(arm(false), some);
  const Status status = sparse.pose(std::vector<Vector3f>(1, Vector3f::Zero()),
                                    std::span(kNoTurn).first(1), std::span(kNoScale).first(1));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::no_value);
  EXPECT_FALSE(sparse.rest());
  PoseContext full(arm(false), arm()->joints());
  EXPECT_TRUE(full.pose(std::vector<Vector3f>(3, Vector3f::Zero()), kNoTurn, kNoScale));
}

TEST(PoseContext, KeepsTheLastPoseWhenArraysDoNotFit) {
  PoseContext context(arm(), arm()->joints());
  ASSERT_TRUE(context.rest());
  EXPECT_FALSE(context.pose(std::vector<Vector3f>(2, Vector3f::Zero()), kNoTurn, kNoScale));
  EXPECT_EQ(context.joint_skel()[2], moved(0, 2, 0));
}

TEST(PoseContext, KeepsTheLastPoseWhenArraysOfAnotherOrderDoNotFit) {
  const std::vector<std::string> joints = {"a/b/c", "a/b", "a"};
  PoseContext context(arm(), joints);
  ASSERT_TRUE(context.rest());
  const Status refused =
      context.pose(std::vector<Vector3f>(2, Vector3f::Zero()), kNoTurn, kNoScale);
  EXPECT_EQ(refused.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(context.joint_skel()[2], moved(0, 2, 0));
  ASSERT_TRUE(
      context.pose(std::vector<Vector3f>{{4, 0, 0}, {0, 5, 0}, {0, 0, 6}}, kNoTurn, kNoScale));
  EXPECT_EQ(context.joint_local()[0], moved(0, 0, 6));
  EXPECT_EQ(context.joint_skel()[2], moved(4, 5, 6));
  EXPECT_EQ(context.skinning()[2], moved(4, 3, 6));
}

TEST(PoseContext, PosesWithoutABindPoseAndWithoutJoints) {
  const std::vector<std::string> joints = {"a", "a/b"};
  PoseContext context(std::make_shared<const Skeleton>(*Skeleton::make(
                          {.joints = joints, .rest_transforms = {moved(0, 0, 0), moved(0, 1, 0)}})),
                      std::span(joints).first(1));
  ASSERT_TRUE(context.pose(std::vector<Vector3f>{{3, 0, 0}}, std::span(kNoTurn).first(1),
                           std::span(kNoScale).first(1)));
  EXPECT_EQ(context.joint_skel()[1], moved(3, 1, 0));
  EXPECT_TRUE(context.skinning().empty());
  ASSERT_TRUE(context.rest());
  EXPECT_EQ(context.joint_skel()[1], moved(0, 1, 0));

  PoseContext nothing(std::make_shared<const Skeleton>(), {});
  EXPECT_TRUE(nothing.pose({}, {}, {}));
  EXPECT_TRUE(nothing.rest());
  EXPECT_TRUE(nothing.joint_skel().empty());
}

TEST(PoseContext, AllocatesNothingPerFrame) {
  for (const auto method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
    PoseContext context(arm(), arm()->joints());
    const std::vector<Vector3f> translations(3, Vector3f(0, 1, 0));
    const std::vector<std::int32_t> indices = {0, 1, 2, 2};
    const std::vector<float> weights(4, 1.0F);
    const auto packed = PackedInfluences::pack(
        {.joint_indices = indices, .joint_weights = weights, .influences = 1, .joint_count = 3});
    ASSERT_TRUE(packed);
    SkinPalette palette;
    const std::vector<Vector3f> rest(4, Vector3f::Ones());
    std::vector<Vector3f> points(4);
    bool good = true;
    const auto frame = [&] {
      good = context.pose(translations, kNoTurn, kNoScale).has_value() && good;
      palette.prepare(method, context.skinning(), Matrix4d::Identity());
      SkinPointsJob job;
      job.influences = &*packed;
      job.palette = palette.view();
      job.points = rest;
      job.points_out = points;
      good = job.run().has_value() && good;
    };
    frame();  // The palette takes its memory here.
    const std::size_t before = test::allocation_count();
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_EQ(test::allocation_count(), before);
    EXPECT_TRUE(good);
  }
}

}  // namespace
}  // namespace sinew::skel::pose_context_test
