// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "skel/matrices.hpp"
#include "support/count_allocations.hpp"
#include "support/random_skin.hpp"

namespace sinew::skel::skin_palette_test {
namespace {

using sinew::test::count_allocations;
using test::RandomSkin;

TEST(LinearPalette, FoldsTheBindTransformIntoEveryJoint) {
  SkinPalette palette;
  palette.prepare_linear(std::vector<Matrix4d>{moved(1, 0, 0), moved(0, 2, 0)}, moved(0, 0, 3));
  ASSERT_EQ(palette.view().transforms.size(), 2U);
  EXPECT_EQ(palette.view().joint_count(), 2U);
  EXPECT_EQ(palette.view().transforms[1].m[7], 2.0F);
  EXPECT_EQ(palette.view().transforms[1].m[11], 3.0F);
  EXPECT_EQ(palette.view().point_transform.kind, PointTransform::Kind::identity);
}

TEST(LinearPalette, KeepsAProjectiveBindTransformApart) {
  Matrix4d projective = Matrix4d::Identity();
  projective(3, 2) = 0.5;
  SkinPalette palette;
  palette.prepare_linear(std::vector<Matrix4d>{moved(1, 0, 0)}, projective);
  EXPECT_EQ(palette.view().point_transform.kind, PointTransform::Kind::projective);
  EXPECT_EQ(palette.view().point_transform.m[14], 0.5F);
  EXPECT_EQ(palette.view().transforms[0].m[3], 1.0F);
}

TEST(LinearPalette, MakesNormalTransformsOnlyWhereTheyDiffer) {
  SkinPalette palette;
  palette.prepare_linear(std::vector<Matrix4d>{moved(1, 2, 3)}, Matrix4d::Identity());
  EXPECT_TRUE(palette.view().normal_transforms.empty());

  Matrix4d scaled = Matrix4d::Identity();
  scaled(0, 0) = 2.0;
  palette.prepare_linear(std::vector<Matrix4d>{scaled}, Matrix4d::Identity());
  ASSERT_EQ(palette.view().normal_transforms.size(), 1U);
  EXPECT_EQ(palette.view().normal_transforms[0].m[0], 0.5F);  // The inverse transpose.
}

TEST(CopyColumns, TurnsColumnsIntoRows) {
  std::vector<float> columns(32, 0.0F);
  for (std::size_t i = 0; i < 16; ++i) columns[16 + i] = static_cast<float>(i);
  std::vector<Affine34f> transforms(2);

  ASSERT_TRUE(copy_columns(columns, transforms));

  const std::vector<float> rows(std::begin(transforms[1].m), std::end(transforms[1].m));
  EXPECT_EQ(rows, (std::vector<float>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14}));
}

TEST(CopyColumns, RejectsAnythingButSixteenFloatsPerTransform) {
  std::vector<Affine34f> transforms(2);
  const Status status = copy_columns(std::vector<float>(24), transforms);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
}

TEST(DualQuaternionPalette, KeepsScalesOnlyWhereThereAreAny) {
  SkinPalette palette;
  palette.prepare_dual_quaternion(std::vector<Matrix4d>{moved(1, 0, 0)}, Matrix4d::Identity());
  EXPECT_TRUE(palette.view().scales.empty());
  ASSERT_EQ(palette.view().motions.size(), 1U);
  EXPECT_EQ(palette.view().joint_count(), 1U);
  EXPECT_EQ(palette.view().motions[0].dual[0], 0.5F);  // Half the translation.

  Matrix4d scaled = Matrix4d::Identity();
  scaled(1, 1) = 3.0;
  palette.prepare_dual_quaternion(std::vector<Matrix4d>{scaled}, Matrix4d::Identity());
  ASSERT_EQ(palette.view().scales.size(), 1U);
  EXPECT_NEAR(palette.view().scales[0].m[4], 3.0F, 1e-6F);
}

TEST(DualQuaternionPalette, MakesASingularJointZero) {
  Matrix4d flat = moved(1, 2, 3);
  flat(2, 2) = 0.0;
  SkinPalette palette;
  palette.prepare_dual_quaternion(std::vector<Matrix4d>{flat}, Matrix4d::Identity());
  for (const float value : palette.view().motions[0].real) EXPECT_EQ(value, 0.0F);
  for (const float value : palette.view().motions[0].dual) EXPECT_EQ(value, 0.0F);
}

// Row vectors, as the formulas are written: each row is projected on the other two in the order of
// their indices. Twenty steps, whether they settle or not.
std::array<std::array<double, 3>, 3> orthonormal_rows(const Matrix3d& columns) {
  std::array<std::array<double, 3>, 3> rows;
  const auto dot = [](const auto& a, const auto& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto normalise = [&](std::array<double, 3>& v) {
    const double length = std::max(std::sqrt(dot(v, v)), 1e-10);
    for (double& x : v) x /= length;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      rows[i][k] = columns(static_cast<int>(k), static_cast<int>(i));
    normalise(rows[i]);
  }
  for (int step = 0; step < 20; ++step) {
    auto next = rows;
    double change = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      auto v = rows[i];
      for (std::size_t other = 0; other < 3; ++other) {
        if (other == i) continue;
        const double along = dot(rows[other], v);
        for (std::size_t k = 0; k < 3; ++k) v[k] -= along * rows[other][k];
      }
      for (std::size_t k = 0; k < 3; ++k) next[i][k] = 0.5 * (rows[i][k] + v[k]);
      normalise(next[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        change += (rows[i][k] - next[i][k]) * (rows[i][k] - next[i][k]);
      }
    }
    if (change < 1e-12) break;
    rows = next;
  }
  return rows;
}

Matrix3d rotation_of(const float* q) {
  return Quatd(static_cast<double>(q[3]), static_cast<double>(q[0]), static_cast<double>(q[1]),
               static_cast<double>(q[2]))
      .toRotationMatrix();
}

TEST(DualQuaternionPalette, OrthonormalisesShearedNormalsInTheOrderOfTheRows) {
  std::mt19937 random(61);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::size_t looked_at = 0;
  std::size_t order_matters = 0;
  for (int round = 0; round < 2000; ++round) {
    Matrix4d joint = Matrix4d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) joint(i, k) += number(random);
    }
    const Matrix3d normals = joint.topLeftCorner<3, 3>().inverse().transpose();
    if (!(joint.topLeftCorner<3, 3>().determinant() > 0.05)) continue;
    const auto rows = orthonormal_rows(normals);
    Matrix3d expected;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        expected(k, i) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      }
    }
    // Where twenty steps do not suffice it is not a rotation, and its quaternion says little.
    if ((expected.transpose() * expected - Matrix3d::Identity()).norm() > 1e-4) continue;
    SkinPalette palette;
    palette.prepare(SkinningMethod::dual_quaternion, std::vector<Matrix4d>{joint},
                    Matrix4d::Identity());
    ASSERT_EQ(palette.view().normal_motions.size(), 1U);
    EXPECT_LT((rotation_of(palette.view().normal_motions[0].real) - expected).norm(), 2e-4)
        << joint;
    ++looked_at;
    Matrix3d turned;
    for (int i = 0; i < 3; ++i) turned.col(i) = normals.col((i + 1) % 3);
    const auto other = orthonormal_rows(turned);
    order_matters += std::abs(other[2][0] - rows[0][0]) > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(looked_at, 300U);
  EXPECT_GT(order_matters, 100U);
}

// Columns that all but coincide do not settle; what the iteration leaves is used nevertheless.
TEST(DualQuaternionPalette, UsesTheLastStepWhereNormalsDoNotSettle) {
  Matrix4d joint = Matrix4d::Identity();
  joint(0, 1) = 30.0;
  joint(0, 2) = 30.0;
  SkinPalette palette;
  palette.prepare(SkinningMethod::dual_quaternion, std::vector<Matrix4d>{joint},
                  Matrix4d::Identity());
  ASSERT_EQ(palette.view().normal_motions.size(), 1U);
  const float* q = palette.view().normal_motions[0].real;
  EXPECT_GT(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 0.5F);
}

// The 4x4 product of the joint and the inverse of its rotation and translation.
TEST(DualQuaternionPalette, WeighsTheTranslationOfProjectiveJoints) {
  std::mt19937 random(62);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int round = 0; round < 100; ++round) {
    Matrix4d joint = Matrix4d::Identity();
    joint.topLeftCorner<3, 3>() =
        Eigen::AngleAxisd(3.0 * number(random),
                          Vector3d(number(random), number(random), 1.0).normalized())
            .toRotationMatrix();
    for (int i = 0; i < 3; ++i) joint(i, 3) = 5.0 * number(random);
    Matrix4d moved = joint;
    for (int i = 0; i < 3; ++i) joint(3, i) = 0.3 * number(random);
    SkinPalette palette;
    palette.prepare(SkinningMethod::dual_quaternion, std::vector<Matrix4d>{joint},
                    Matrix4d::Identity());
    ASSERT_EQ(palette.view().scales.size(), 1U);
    const Matrix4d expected = moved.inverse() * joint;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(static_cast<double>(palette.view().scales[0].m[3 * i + k]), expected(i, k),
                    1e-5);
      }
    }
  }
}

TEST(SkinPalette, AllocatesOnlyTheFirstTime) {
  RandomSkin skin(3, 10, 50, 4);
  skin.add_scales();
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  palette.prepare_dual_quaternion(skin.skinning, skin.geom_bind);

  const std::size_t allocations = count_allocations([&] {
    palette.prepare_linear(skin.skinning, skin.geom_bind);
    palette.prepare_dual_quaternion(skin.skinning, skin.geom_bind);
  });

  EXPECT_EQ(allocations, 0U);
}

}  // namespace
}  // namespace sinew::skel::skin_palette_test
