// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skinning.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/executor_std_thread.hpp"
#include "support/count_allocations.hpp"
#include "support/random_skin.hpp"

namespace sinew::skel::skinning_test {
namespace {

using sinew::test::count_allocations;
using test::RandomSkin;
using ::testing::HasSubstr;

/// A valid job and everything it borrows.
struct SkinFixture {
  RandomSkin skin{1, 4, 2, 2};
  PackedInfluences packed = *PackedInfluences::pack({.joint_indices = skin.joint_indices,
                                                     .joint_weights = skin.joint_weights,
                                                     .influences = 2,
                                                     .joint_count = 2});
  SkinPalette palette;
  std::vector<Vector3f> points_out = std::vector<Vector3f>(4, Vector3f::Zero());
  std::vector<Vector3f> normals_out = std::vector<Vector3f>(4, Vector3f::Zero());

  SkinFixture() { palette.prepare_linear(skin.skinning, skin.geom_bind); }

  SkinPointsJob job() {
    return {.influences = &packed,
            .palette = palette.view(),
            .points = skin.points,
            .points_out = points_out,
            .normals = skin.normals,
            .normals_out = normals_out};
  }
};

void expect_size_mismatch(const SkinPointsJob& job, const char* member) {
  const Status status = job.validate();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(status.error().message, HasSubstr(member));
}

TEST(SkinPointsJob, AcceptsACompleteJob) {
  SkinFixture fixture;

  EXPECT_TRUE(fixture.job().validate());
}

TEST(SkinPointsJob, RejectsAMissingBinding) {
  EXPECT_EQ(SkinPointsJob{}.validate().error().code, ErrorCode::invalid_argument);
}

TEST(SkinPointsJob, HasNoBlocksWithoutABinding) {
  EXPECT_EQ(SkinPointsJob{}.block_count(), 0U);
}

TEST(SkinPointsJob, RejectsTooFewPoints) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.points = job.points.first(3);

  expect_size_mismatch(job, "points");
}

TEST(SkinPointsJob, RejectsOutputShorterThanInput) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.points_out = job.points_out.first(3);

  expect_size_mismatch(job, "points_out");
}

TEST(SkinPointsJob, RejectsNormalsWithoutOutput) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.normals_out = {};

  expect_size_mismatch(job, "normals_out");
}

TEST(SkinPointsJob, RejectsTangentOutputWithoutInput) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.tangents_out = fixture.normals_out;

  expect_size_mismatch(job, "tangents_out");
}

TEST(SkinPointsJob, RejectsAPaletteOfTheWrongSize) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.palette.transforms = job.palette.transforms.first(1);

  expect_size_mismatch(job, "palette.transforms");
}

TEST(SkinPointsJob, RejectsNormalTransformsOfTheWrongSize) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.palette.normal_transforms = job.palette.transforms.first(1);

  expect_size_mismatch(job, "palette.normal_transforms");
}

TEST(SkinPointsJob, WritesNothingIfValidationFails) {
  SkinFixture fixture;
  SkinPointsJob job = fixture.job();
  job.palette.transforms = {};

  EXPECT_FALSE(job.run());

  EXPECT_EQ(fixture.points_out[0], Vector3f(0, 0, 0));
}

TEST(SkinPointsJob, MayDeformTangentsAlone) {
  SkinFixture fixture;
  std::vector<Vector3f> tangents(4), alone(4);
  SkinPointsJob job = fixture.job();
  job.tangents = fixture.skin.normals;
  job.tangents_out = tangents;
  ASSERT_TRUE(job.run());
  job.points = job.normals = {};
  job.points_out = job.normals_out = {};
  job.tangents_out = alone;
  ASSERT_TRUE(job.run());

  EXPECT_EQ(alone, tangents);
}

// A transform of its own in front of the joints, but the same joints.
TEST(SkinPointsJob, MovesNormalsByTheJointsOfPointsWhereTheyHaveNone) {
  const std::vector<std::int32_t> joints = {0, 1};
  const std::vector<float> weights = {1, 1};
  const PackedInfluences packed = *PackedInfluences::pack(
      {.joint_indices = joints, .joint_weights = weights, .influences = 1, .joint_count = 2});
  Matrix4d turn = Matrix4d::Identity();
  turn.topLeftCorner<2, 2>() << 0, -1, 1, 0;
  const std::vector<Matrix4d> skinning = {Matrix4d::Identity(), turn};
  const std::vector<Vector3f> points = {{1, 2, 3}, {1, 2, 3}}, normals = {{1, 0, 0}, {1, 0, 0}};
  for (const SkinningMethod method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
    SkinPalette palette;
    palette.prepare(method, skinning, Matrix4d::Identity());
    std::vector<Vector3f> points_out(2), normals_out(2);
    SkinPointsJob job = {.influences = &packed,
                         .palette = palette.view(),
                         .points = points,
                         .points_out = points_out,
                         .normals = normals,
                         .normals_out = normals_out};
    job.palette.normal_transform.kind = PointTransform::Kind::affine;
    job.palette.normal_transform.m[0] = 0;
    job.palette.normal_transform.m[8] = -1;
    ASSERT_TRUE(job.run());

    EXPECT_LT((points_out[1] - Vector3f(-2, 1, 3)).norm(), 1e-6F);
    EXPECT_LT((normals_out[0] - Vector3f(0, 0, -1)).norm(), 1e-6F);
    EXPECT_LT((normals_out[1] - Vector3f(0, 0, -1)).norm(), 1e-6F);
  }
}

TEST(SkinPointsJob, MayDeformNormalsAlone) {
  SkinFixture fixture;
  ASSERT_TRUE(fixture.job().run());
  const std::vector<Vector3f> expected = fixture.normals_out;
  SkinPointsJob job = fixture.job();
  job.points = {};
  job.points_out = {};

  ASSERT_TRUE(job.run());

  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT((fixture.normals_out[i] - expected[i]).norm(), 1e-6F) << i;
  }
}

/// The point and joints of the examples in skel 9.9: identity, and a quarter turn about z followed
/// by a step of one along y.
Vector3f deform_example(SkinningMethod method, const std::array<float, 2>& weights,
                        double scale = 1.0) {
  Matrix4d turn = Matrix4d::Identity();
  turn.topLeftCorner<2, 2>() << 0, -scale, scale, 0;
  turn(2, 2) = scale;
  turn(1, 3) = 1;
  const std::array<Matrix4d, 2> skinning = {Matrix4d::Identity(), turn};
  const std::array<std::int32_t, 2> indices = {0, 1};
  const PackedInfluences packed = *PackedInfluences::pack(
      {.joint_indices = indices, .joint_weights = weights, .influences = 2, .joint_count = 2});
  SkinPalette palette;
  palette.prepare(method, skinning, Matrix4d::Identity());
  const std::array<Vector3f, 1> points = {Vector3f(1, 0, 0)};
  std::array<Vector3f, 1> out = {Vector3f(9, 9, 9)};
  const SkinPointsJob job = {
      .influences = &packed, .palette = palette.view(), .points = points, .points_out = out};
  EXPECT_TRUE(job.run());
  return out[0];
}

void expect_near(const Vector3f& actual, const Vector3f& expected) {
  EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), 5e-7F)
      << actual.transpose() << " instead of " << expected.transpose();
}

// skel 9.9, table of examples.
TEST(SkinPointsJob, LinearExamplesHaveTheTabulatedResults) {
  const auto linear = SkinningMethod::linear;
  expect_near(deform_example(linear, {0.5F, 0.5F}), {0.5F, 1, 0});
  expect_near(deform_example(linear, {0.25F, 0.25F}), {0.25F, 0.5F, 0});
  expect_near(deform_example(linear, {0, 0}), {0, 0, 0});
  expect_near(deform_example(linear, {0.5F, 0.5F}, 2.0), {0.5F, 1.5F, 0});
  expect_near(deform_example(linear, {0.25F, 0.25F}, 2.0), {0.25F, 0.75F, 0});
}

struct LargeFixture {
  RandomSkin skin{3, 20'000, 50, 4};
  PackedInfluences packed = *PackedInfluences::pack({.joint_indices = skin.joint_indices,
                                                     .joint_weights = skin.joint_weights,
                                                     .influences = 4,
                                                     .joint_count = 50});
  SkinPalette palette;
  std::vector<Vector3f> points_out = std::vector<Vector3f>(20'000);
  std::vector<Vector3f> normals_out = std::vector<Vector3f>(20'000);

  SkinPointsJob job(SkinningMethod method) {
    palette.prepare(method, skin.skinning, skin.geom_bind);
    return {.influences = &packed,
            .palette = palette.view(),
            .points = skin.points,
            .points_out = points_out,
            .normals = skin.normals,
            .normals_out = normals_out};
  }
};

TEST(SkinPointsJob, ResultsDoNotDependOnThreads) {
  StdThreadPool pool(4);
  for (const auto method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
    LargeFixture one, many;
    one.skin.add_scales();
    many.skin.add_scales();

    ASSERT_TRUE(one.job(method).run());
    ASSERT_TRUE(many.job(method).run(pool.executor()));

    EXPECT_EQ(one.points_out, many.points_out);
    EXPECT_EQ(one.normals_out, many.normals_out);
  }
}

TEST(SkinPointsJob, AllocatesNothing) {
  for (const auto method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
    LargeFixture fixture;
    const SkinPointsJob job = fixture.job(method);

    const std::size_t allocations = count_allocations([&job] { EXPECT_TRUE(job.run()); });

    EXPECT_EQ(allocations, 0U);
  }
}

}  // namespace
}  // namespace sinew::skel::skinning_test
