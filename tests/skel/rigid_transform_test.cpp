// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/rigid_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "skel/matrices.hpp"

namespace sinew::skel::rigid_transform_test {
namespace {

TEST(RigidTransform, BlendsTheFrameByEitherMethod) {  // skel 12.81
  const std::vector<Matrix4d> skinning = {Matrix4d::Identity(), turned(90, 1, {0, 1, 0})};
  const std::vector<std::int32_t> indices = {0, 1};
  const std::vector<float> weights = {.5F, .5F};
  const auto linear =
      rigid_transform(SkinningMethod::linear, Matrix4d::Identity(), skinning, indices, weights);
  ASSERT_TRUE(linear);
  EXPECT_LE((Vector3d(linear->col(0).head<3>()) - Vector3d(.5, .5, 0)).norm(), 1e-6);
  EXPECT_LE((Vector3d(linear->col(1).head<3>()) - Vector3d(-.5, .5, 0)).norm(), 1e-6);
  EXPECT_LE((Vector3d(linear->col(3).head<3>()) - Vector3d(0, .5, 0)).norm(), 1e-6);
  const auto dual = rigid_transform(SkinningMethod::dual_quaternion, Matrix4d::Identity(), skinning,
                                    indices, weights);
  ASSERT_TRUE(dual);
  const double r = std::sqrt(0.5);
  EXPECT_LE((Vector3d(dual->col(0).head<3>()) - Vector3d(r, r, 0)).norm(), 1e-6);
  EXPECT_LE((Vector3d(dual->col(3).head<3>()) - Vector3d(.207107, .5, 0)).norm(), 1e-6);
}

TEST(RigidTransform, KeepsFullPrecisionForOneInfluenceOfWeightOne) {
  Matrix4d moved = Matrix4d::Identity();
  moved(0, 3) = 1.0 / 3.0;
  const auto transform =
      rigid_transform(SkinningMethod::linear, Matrix4d::Identity(), std::vector<Matrix4d>{moved},
                      std::vector<std::int32_t>{0}, std::vector<float>{1.0F});
  ASSERT_TRUE(transform);
  EXPECT_EQ(*transform, moved);
}

TEST(RigidTransform, RejectsAnIndexOutOfRange) {
  const auto transform = rigid_transform(SkinningMethod::linear, Matrix4d::Identity(),
                                         std::vector<Matrix4d>{Matrix4d::Identity()},
                                         std::vector<std::int32_t>{1}, std::vector<float>{1.0F});
  ASSERT_FALSE(transform);
  EXPECT_EQ(transform.error().code, ErrorCode::index_out_of_range);
}

TEST(RigidTransform, MovesTheBindFrameFirst) {
  const std::vector<Matrix4d> skinning = {turned(90, 1, {0, 0, 0})};
  const Matrix4d geom_bind = turned(0, 2, {3, 0, 0});
  const auto transform = rigid_transform(SkinningMethod::linear, geom_bind, skinning,
                                         std::vector<std::int32_t>{0}, std::vector<float>{1.0F});
  ASSERT_TRUE(transform);
  EXPECT_LE((*transform - Matrix4d(skinning[0] * geom_bind)).norm(), 1e-12);
}

TEST(RigidTransform, RejectsWeightsOfAnotherNumber) {
  const auto transform = rigid_transform(SkinningMethod::linear, Matrix4d::Identity(),
                                         std::vector<Matrix4d>{Matrix4d::Identity()},
                                         std::vector<std::int32_t>{0, 0}, std::vector<float>{1.0F});
  ASSERT_FALSE(transform);
  EXPECT_EQ(transform.error().code, ErrorCode::size_mismatch);
}

TEST(RigidTransform, WeighsWhateverIsNotOneInfluenceOfWeightOne) {
  const std::vector<Matrix4d> skinning = {moved(2, 0, 0), moved(0, 4, 0)};
  const auto blended = [&](const std::vector<std::int32_t>& joints,
                           const std::vector<float>& weights) {
    return *rigid_transform(SkinningMethod::linear, Matrix4d::Identity(), skinning, joints,
                            weights);
  };
  EXPECT_LE((blended({0}, {0.5F}) - turned(0, 0.5, {1, 0, 0})).norm(), 1e-6);
  EXPECT_LE((blended({0, 1}, {1.0F, 0.5F}) - turned(0, 1.5, {2, 2, 0})).norm(), 1e-6);
}

TEST(RigidTransform, LeavesOutJointsOfNoWeight) {
  const std::vector<Matrix4d> skinning = {moved(1, 2, 3), Matrix4d::Constant(std::nan(""))};
  const auto transform =
      rigid_transform(SkinningMethod::linear, Matrix4d::Identity(), skinning,
                      std::vector<std::int32_t>{0, 1}, std::vector<float>{1.0F, 0.0F});
  ASSERT_TRUE(transform);
  EXPECT_EQ(*transform, moved(1, 2, 3));
}

}  // namespace
}  // namespace sinew::skel::rigid_transform_test
