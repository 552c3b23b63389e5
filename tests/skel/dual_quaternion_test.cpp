// SPDX-License-Identifier: Apache-2.0
// Both methods on the figures of the behaviour specification, at every SIMD level.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sinew/core/simd.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/matrices.hpp"

namespace sinew::skel::dual_quaternion_test {
namespace {

// Forty copies of a point, all with the same two influences, so that whole blocks and the rest of
// one are covered.
std::vector<Vector3f> skin(SkinningMethod method, const Matrix4d& second, float w0, float w1,
                           SimdLevel level, const Vector3f& point = {1, 0, 0}) {
  constexpr std::size_t kCount = 40;
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  for (std::size_t i = 0; i < kCount; ++i) {
    indices.insert(indices.end(), {0, 1});
    weights.insert(weights.end(), {w0, w1});
  }
  const auto packed = PackedInfluences::pack({.joint_indices = indices,
                                              .joint_weights = weights,
                                              .influences = 2,
                                              .joint_count = 2,
                                              .level = level});
  EXPECT_TRUE(packed);
  const std::vector<Matrix4d> joints = {Matrix4d::Identity(), second};
  SkinPalette palette;
  palette.prepare(method, joints, Matrix4d::Identity());
  std::vector<Vector3f> points(kCount, point);
  SkinPointsJob job;
  job.influences = &*packed;
  job.palette = palette.view();
  job.points = points;
  job.points_out = points;
  EXPECT_TRUE(job.run());
  return points;
}

struct Row {
  const char* name;
  SkinningMethod method;
  Matrix4d second;
  float w0, w1;
  Vector3f expected;
};

class SkinningFigures : public ::testing::TestWithParam<SimdLevel> {};

TEST_P(SkinningFigures, AreThoseOfTheSpecification) {  // skel 12.81
  const auto linear = SkinningMethod::linear;
  const auto dual = SkinningMethod::dual_quaternion;
  const Matrix4d quarter = turned(90, 1, {0, 1, 0});
  const Matrix4d doubled = turned(90, 2, {0, 1, 0});
  const Matrix4d far = turned(-170, 1, {0, 0, 0});
  const Row rows[] = {
      {"halves", linear, quarter, .5F, .5F, {.5F, 1, 0}},
      {"halves", dual, quarter, .5F, .5F, {.91421354F, 1.2071068F, 0}},
      {"quarters", linear, quarter, .25F, .25F, {.25F, .5F, 0}},
      {"quarters", dual, quarter, .25F, .25F, {.91421354F, 1.2071068F, 0}},
      {"nothing", linear, quarter, 0, 0, {0, 0, 0}},
      {"nothing", dual, quarter, 0, 0, {1, 0, 0}},
      {"doubled", linear, doubled, .5F, .5F, {.5F, 1.5F, 0}},
      {"doubled", dual, doubled, .5F, .5F, {1.2677670F, 1.5606601F, 0}},
      {"doubled quarters", linear, doubled, .25F, .25F, {.25F, .75F, 0}},
      {"doubled quarters", dual, doubled, .25F, .25F, {.7374369F, 1.0303301F, 0}},
      {"doubled nothing", dual, doubled, 0, 0, {0, 0, 0}},
      {"opposite", linear, far, .6F, .4F, {.20607692F, -.06945927F, 0}},
      {"opposite", dual, far, .6F, .4F, {.43476397F, -.90054446F, 0}},
  };
  for (const Row& row : rows) {
    for (const Vector3f& actual : skin(row.method, row.second, row.w0, row.w1, GetParam())) {
      ASSERT_LE((actual - row.expected).cwiseAbs().maxCoeff(), 5e-7F)
          << row.name << (row.method == dual ? ", dual: " : ", linear: ") << actual.transpose();
    }
  }
}

TEST_P(SkinningFigures, LeaveOutSingularJoints) {
  Matrix4d flat = Matrix4d::Identity();
  flat(2, 2) = 0.0;
  const auto points = skin(SkinningMethod::dual_quaternion, flat, .5F, .5F, GetParam());
  EXPECT_LE((points[0] - Vector3f(1, 0, 0)).norm(), 1e-6F);
}

INSTANTIATE_TEST_SUITE_P(Levels, SkinningFigures, ::testing::ValuesIn(supported_simd_levels()),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

// Points with neighbours that share no joints, joints turned any way: every level must agree.
TEST(DualQuaternions, AgreeOnAllLevels) {
  constexpr std::size_t kPoints = 500;
  constexpr std::size_t kJoints = 30;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<std::int32_t> joint(0, kJoints - 1);
  bool saw_rows = false;  // The form of meshes without any order.
  for (const bool scaled : {false, true}) {
    std::vector<Matrix4d> skinning;
    for (std::size_t j = 0; j < kJoints; ++j) {
      const Eigen::Quaterniond q =
          Eigen::Quaterniond(number(random), number(random), number(random), number(random))
              .normalized();
      Matrix4d m = Matrix4d::Identity();
      m.topLeftCorner<3, 3>() = q.toRotationMatrix() * (scaled ? 1.0 + 0.5 * number(random) : 1.0);
      m.topRightCorner<3, 1>() = Vector3d(number(random), number(random), number(random));
      skinning.push_back(m);
    }
    std::vector<std::int32_t> indices(kPoints * 4);
    std::vector<float> weights(kPoints * 4);
    for (std::int32_t& i : indices) i = joint(random);
    for (float& w : weights) w = static_cast<float>(0.5 + 0.5 * number(random));
    std::vector<Vector3f> rest(kPoints);
    for (Vector3f& p : rest) {
      p = Vector3d(number(random), number(random), number(random)).cast<float>();
    }
    SkinPalette palette;
    palette.prepare_dual_quaternion(skinning, Matrix4d::Identity());
    std::vector<Vector3f> reference;
    for (const SimdLevel level : supported_simd_levels()) {
      const auto packed = PackedInfluences::pack({.joint_indices = indices,
                                                  .joint_weights = weights,
                                                  .influences = 4,
                                                  .joint_count = kJoints,
                                                  .level = level});
      ASSERT_TRUE(packed);
      saw_rows = saw_rows || (packed->form() == InfluenceForm::rows && level != SimdLevel::scalar);
      // Every output is written: nothing of this is left.
      const Vector3f unwritten = Vector3f::Constant(std::numeric_limits<float>::quiet_NaN());
      std::vector<Vector3f> points(kPoints, unwritten);
      std::vector<Vector3f> normals(kPoints, unwritten);
      SkinPointsJob job;
      job.influences = &*packed;
      job.palette = palette.view();
      job.points = rest;
      job.points_out = points;
      job.normals = rest;
      job.normals_out = normals;
      ASSERT_TRUE(job.run());
      points.insert(points.end(), normals.begin(), normals.end());
      if (reference.empty()) reference = points;
      for (std::size_t i = 0; i < points.size(); ++i) {
        // Sums of quaternions that nearly cancel lose digits; what is left differs by level.
        ASSERT_LE((points[i] - reference[i]).cwiseAbs().maxCoeff(), 2e-4F) << i;
      }
    }
  }
  // Levels of narrow registers keep blocks even here.
  EXPECT_TRUE(saw_rows || supported_simd_levels().size() <= 2);
}

// As OpenUSD projects: where the fourth coordinate is 0 nothing is divided.
TEST(ProjectiveBind, LeavesPointsAsTheyAreWhereTheFourthCoordinateIsZero) {
  Matrix4d bind = Matrix4d::Identity();
  bind(3, 0) = 1.0;
  bind(0, 3) = 3.0;
  for (const SkinningMethod method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
    for (const SimdLevel level : supported_simd_levels()) {
      for (const std::size_t joint_count : {std::size_t{2}, std::size_t{64}}) {
        constexpr std::size_t kPoints = 70;
        std::vector<std::int32_t> indices(kPoints);
        for (std::size_t i = 0; i < kPoints; ++i) {
          indices[i] = static_cast<std::int32_t>(i * 37 % joint_count);
        }
        const std::vector<float> weights(kPoints, 1.0F);
        const auto packed =
            PackedInfluences::pack({.joint_indices = std::span<const std::int32_t>(indices),
                                    .joint_weights = weights,
                                    .influences = 1,
                                    .joint_count = joint_count,
                                    .level = level});
        ASSERT_TRUE(packed);
        SkinPalette palette;
        palette.prepare(method, std::vector<Matrix4d>(joint_count, Matrix4d::Identity()), bind);
        std::vector<Vector3f> points(kPoints, Vector3f(-1, 0, 0));
        SkinPointsJob job;
        job.influences = &*packed;
        job.palette = palette.view();
        job.points = points;
        job.points_out = points;
        ASSERT_TRUE(job.run());
        for (const Vector3f& point : points) ASSERT_EQ(point, Vector3f(2, 0, 0));
      }
    }
  }
}

}  // namespace
}  // namespace sinew::skel::dual_quaternion_test
