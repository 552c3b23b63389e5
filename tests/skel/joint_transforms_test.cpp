// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/joint_transforms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "skel/matrices.hpp"

namespace sinew::skel::joint_transforms_test {
namespace {

TEST(MakeTransform, ScalesThenRotatesThenTranslates) {
  const float r = std::sqrt(0.5F);
  const Matrix4d m = make_transform({1, 2, 3}, Quatf(r, 0, 0, r), halfs(2, 3, 4));
  const Eigen::Vector4d x = m * Eigen::Vector4d(1, 0, 0, 1);
  // 2 along x, turned to y, moved. The rotation is exact to a float's last bits.
  EXPECT_LT((x - Eigen::Vector4d(1, 4, 3, 1)).norm(), 1e-6);
}

TEST(MakeTransform, DoesNotNormaliseTheQuaternion) {  // skel 12.81
  const Matrix4d m = make_transform({0, 0, 0}, Quatf(0.7071F, 0.7071F, 0, 0), halfs(1, 1, 1));
  EXPECT_NEAR(m(2, 1), 0.99998082, 1e-7);
  EXPECT_NEAR(m(1, 1), 0.00001918, 1e-7);
}

TEST(MakeTransform, TakesTheRotationAsAMatrixToo) {
  const Quatf q(0.5F, -0.5F, 0.5F, 0.5F);
  EXPECT_EQ(make_transform({1, 2, 3}, Matrix3f(q.toRotationMatrix()), halfs(2, 3, 4)),
            make_transform({1, 2, 3}, q, halfs(2, 3, 4)));
}

TEST(MakeTransforms, EqualsMakeTransformOfEveryJoint) {  // skel 12.61
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-1.0F, 1.0F);
  std::vector<Vector3f> translations(100);
  std::vector<Quatf> rotations(100);
  std::vector<Vector3h> scales(100);
  for (std::size_t i = 0; i < 100; ++i) {
    translations[i] = {100 * number(random), 100 * number(random), 100 * number(random)};
    rotations[i] = Quatf(number(random), number(random), number(random), number(random));
    scales[i] = halfs(number(random), number(random), number(random));
  }
  std::vector<Matrix4d> all(100);
  ASSERT_TRUE(make_transforms(translations, rotations, scales, all));
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(all[i], make_transform(translations[i], rotations[i], scales[i]));
  }
}

TEST(MakeTransforms, RejectsArraysOfDifferentLengths) {
  std::vector<Matrix4d> out(2);
  const std::vector<Vector3f> translations(2);
  const std::vector<Quatf> rotations(1);
  const std::vector<Vector3h> scales(2);
  const Status status = make_transforms(translations, rotations, scales, out);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(status.error().message, "rotations has 1 entries, but 2 are needed.");
}

TEST(DecomposeTransforms, IsUndoneByMakeTransform) {  // skel 12.61
  std::mt19937 random(9);
  std::uniform_real_distribution<float> number(-1.0F, 1.0F);
  std::vector<Matrix4d> transforms;
  for (int i = 0; i < 100; ++i) {
    const Eigen::Quaternionf q =
        Eigen::Quaternionf(number(random), number(random), number(random), number(random))
            .normalized();
    const auto sign = [&] { return Half(number(random) < 0 ? -1.0F : 1.0F); };
    transforms.push_back(
        make_transform({100 * number(random), 100 * number(random), 100 * number(random)},
                       Quatf(q.w(), q.x(), q.y(), q.z()), {sign(), sign(), sign()}));
  }
  std::vector<Vector3f> translations(100);
  std::vector<Quatf> rotations(100);
  std::vector<Vector3h> scales(100);
  ASSERT_TRUE(decompose_transforms(transforms, translations, rotations, scales));
  for (std::size_t i = 0; i < 100; ++i) {
    const Matrix4d again = make_transform(translations[i], rotations[i], scales[i]);
    EXPECT_LE((again - transforms[i]).cwiseAbs().maxCoeff(), 1e-5) << i;
  }
}

TEST(DecomposeTransforms, FailsForASingularTransform) {  // skel 12.62
  EXPECT_FALSE(decompose_transform(Matrix4d::Zero()));
  const std::vector<Matrix4d> transforms = {Matrix4d::Identity(), Matrix4d::Zero()};
  std::vector<Vector3f> translations(2);
  std::vector<Quatf> rotations(2);
  std::vector<Vector3h> scales(2);
  const Status status = decompose_transforms(transforms, translations, rotations, scales);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "Transform 1: The transform is singular.");
}

TEST(DecomposeTransform, ExpressesReflectionsByTheScale) {  // skel 12.81
  struct Row {
    Vector3d diagonal;
    Vector3f scale;
    Eigen::Vector4f rotation;  // w, x, y, z.
  };
  const Row rows[] = {{{1, -1, 1}, {-1, -1, -1}, {0, 0, 1, 0}},
                      {{-1, -1, 1}, {1, 1, 1}, {0, 0, 0, 1}},
                      {{-1, -1, -1}, {-1, -1, -1}, {1, 0, 0, 0}}};
  for (const Row& row : rows) {
    Matrix4d m = Matrix4d::Identity();
    m.diagonal().head<3>() = row.diagonal;
    const auto parts = decompose_transform(m);
    ASSERT_TRUE(parts);
    EXPECT_EQ(Vector3f(parts->scale.cast<float>()), row.scale);
    const Eigen::Vector4f q(parts->rotation.w(), parts->rotation.x(), parts->rotation.y(),
                            parts->rotation.z());
    EXPECT_LE(std::min((q - row.rotation).norm(), (q + row.rotation).norm()), 1e-6F);
  }
}

TEST(DecomposeTransform, FactorsScaleRotationAndTranslation) {  // skel 12.81
  const float r = std::sqrt(0.5F);
  const auto parts =
      decompose_transform(make_transform({1, 2, 3}, Quatf(r, 0, 0, r), halfs(2, 3, 4)));
  ASSERT_TRUE(parts);
  EXPECT_EQ(Vector3f(parts->scale.cast<float>()), Vector3f(2, 3, 4));
  EXPECT_NEAR(parts->rotation.w(), r, 1e-6F);
  EXPECT_NEAR(parts->rotation.z(), r, 1e-6F);
  EXPECT_EQ(parts->translation, Vector3f(1, 2, 3));
}

TEST(DecomposeTransform, RecomposesScalesAlongTheAxesOnly) {  // skel 12.81
  const auto about_z = Eigen::AngleAxisd(std::acos(-1.0) / 6.0, Vector3d::UnitZ());
  const Matrix3d turn = about_z.toRotationMatrix();
  const auto scaled = [](double x, double y, double z) {
    return Matrix3d(Vector3d(x, y, z).asDiagonal());
  };
  const auto parts_of = [](const Matrix3d& upper) {
    Matrix4d m = Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = upper;
    return *decompose_transform(m);
  };
  const auto recomposed = [](const TransformParts& parts) {
    return Matrix3d(
        make_transform(parts.translation, parts.rotation, parts.scale).topLeftCorner<3, 3>());
  };
  // First the scale, then the rotation; matrices act on columns here.
  const auto mirrored = parts_of(turn * scaled(2, -1, 1));
  EXPECT_EQ(Vector3f(mirrored.scale.cast<float>()), Vector3f(-2, -1, -1));
  EXPECT_NEAR(std::abs(mirrored.rotation.x()), .25881905F, 1e-6F);
  EXPECT_NEAR(std::abs(mirrored.rotation.y()), .96592583F, 1e-6F);
  EXPECT_LE((recomposed(mirrored) - turn * scaled(2, -1, 1)).norm(), 1e-6);
  // The other way round is not a scale along the axes: what comes back is scale, then rotation.
  const auto skewed = parts_of(scaled(2, 1, 1) * turn);
  EXPECT_EQ(Vector3f(skewed.scale.cast<float>()), Vector3f(2, 1, 1));
  EXPECT_LE((recomposed(skewed) - turn * scaled(2, 1, 1)).norm(), 1e-6);
}

TEST(DecomposeTransform, FailsBelowTheSingularThreshold) {  // skel 12.81
  Matrix4d m = Matrix4d::Identity();
  m.topLeftCorner<3, 3>() *= 4.6e-4;
  EXPECT_FALSE(decompose_transform(m));
  m.topLeftCorner<3, 3>() *= 4.7 / 4.6;
  EXPECT_TRUE(decompose_transform(m));
}

// Kernels take affine transforms only; one in a million must not fall out by a rounding.
TEST(InverseTransform, OfAnAffineTransformIsAffine) {
  Matrix4d m = Matrix4d::Identity();
  m.topLeftCorner<3, 3>() << 0.0, 0.0, 1.0, 0.997054, -0.076696, 0.0, 0.076696, 0.997054, 0.0;
  m(1, 3) = 95.0;
  m(2, 3) = 2.0;
  const Matrix4d inverse = inverse_transform(m);
  EXPECT_EQ(inverse.row(3), Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0));
  EXPECT_TRUE((inverse * m).isIdentity(1e-12));
}

TEST(InverseTransform, OfASingularMatrixScalesByTheLargestFloat) {
  const Matrix4d m = inverse_transform(Matrix4d::Zero());
  EXPECT_EQ(m(0, 0), static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_EQ(m(3, 3), 1.0);
}

TEST(ConcatJointTransforms, MultipliesAlongTheHierarchy) {
  const Topology topology = Topology::from_parents({-1, 0, 1, -1});
  const std::vector<Matrix4d> local = {moved(1, 0, 0), moved(0, 1, 0), moved(0, 0, 1),
                                       moved(5, 0, 0)};
  std::vector<Matrix4d> skel(4);
  ASSERT_TRUE(concat_joint_transforms(topology, local, skel));
  EXPECT_EQ(skel[2], moved(1, 1, 1));
  EXPECT_EQ(skel[3], moved(5, 0, 0));
}

TEST(ConcatJointTransforms, WorksInPlaceAndAppliesTheRoot) {
  const Topology topology = Topology::from_parents({-1, 0});
  std::vector<Matrix4d> transforms = {moved(1, 0, 0), moved(0, 1, 0)};
  const Matrix4d root = moved(0, 0, 7);
  ASSERT_TRUE(concat_joint_transforms(topology, transforms, transforms, &root));
  EXPECT_EQ(transforms[1], moved(1, 1, 7));
}

TEST(ConcatJointTransforms, RejectsChildrenBeforeParentsAndWrongLengths) {
  std::vector<Matrix4d> two(2, Matrix4d::Identity());
  EXPECT_FALSE(concat_joint_transforms(Topology::from_parents({1, -1}), two, two));
  EXPECT_FALSE(concat_joint_transforms(Topology::from_parents({-1}), two, two));
}

TEST(JointTransforms, NeedOneOfEachPerJoint) {
  const Topology topology = Topology::from_parents({-1, 0});
  std::vector<Matrix4d> three(3, Matrix4d::Identity());
  const auto first = [&](std::size_t count) { return std::span(three).first(count); };
  for (const std::size_t count : {1U, 3U}) {
    for (const Status& status : {concat_joint_transforms(topology, first(count), first(2)),
                                 concat_joint_transforms(topology, first(2), first(count)),
                                 joint_local_from_skel(topology, first(count), first(2)),
                                 joint_local_from_skel(topology, first(2), first(count))}) {
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
      EXPECT_EQ(status.error().message,
                "There are " + std::to_string(count) + " transforms instead of 2, one per joint.");
    }
  }
}

TEST(JointLocalFromSkel, UndoesConcatenation) {
  const Topology topology = Topology::from_parents({-1, 0, 1});
  const std::vector<Matrix4d> local = {
      make_transform({1, 2, 3}, Quatf(0.8F, 0.6F, 0, 0), halfs(1, 1, 1)),
      make_transform({0, 1, 0}, Quatf(0.8F, 0, 0.6F, 0), halfs(2, 1, 1)),
      make_transform({0, 1, 0}, Quatf(0.6F, 0, 0, 0.8F), halfs(1, 1, 0.5F))};
  const Matrix4d root = moved(3, 0, 0);
  std::vector<Matrix4d> skel(3);
  std::vector<Matrix4d> again(3);
  ASSERT_TRUE(concat_joint_transforms(topology, local, skel, &root));
  ASSERT_TRUE(joint_local_from_skel(topology, skel, again, &root));
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LT((again[j] - local[j]).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(JointsExtent, HoldsThePivotsAndThePadding) {
  const std::vector<Matrix4d> joints = {moved(0, 0, 0), moved(1, 2, -3)};
  const Range3f range = joints_extent(joints, 0.5F);
  EXPECT_EQ(range.min, Vector3f(-0.5F, -0.5F, -3.5F));
  EXPECT_EQ(range.max, Vector3f(1.5F, 2.5F, 0.5F));
}

TEST(JointsExtent, MovesThePivotsFirst) {
  const std::vector<Matrix4d> joints = {moved(1, 0, 0)};
  const Matrix4d root = moved(0, 5, 0);
  EXPECT_EQ(joints_extent(joints, 0.0F, &root).max, Vector3f(1, 5, 0));
}

TEST(JointsExtent, IsEmptyWithoutJoints) {
  EXPECT_TRUE(joints_extent({}, 1.0F).empty());
}

TEST(DecomposeTransform, FailsForWhatIsNoNumber) {
  Matrix4d m = Matrix4d::Identity();
  m(1, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto parts = decompose_transform(m);
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().code, ErrorCode::not_invertible);
}

// skel 9.4: of a square below the threshold, the scale is the threshold.
TEST(DecomposeTransform, MakesNothingOfOneScaleThatIsTooSmall) {
  Matrix4d m = Matrix4d::Identity();
  m(0, 0) = 1e-6;
  const auto parts = decompose_transform(m);
  ASSERT_TRUE(parts);
  EXPECT_EQ(Vector3f(parts->scale.cast<float>()), Vector3f(0, 1, 1));
  EXPECT_NEAR(parts->rotation.w(), 1.0F, 1e-6F);
}

}  // namespace
}  // namespace sinew::skel::joint_transforms_test
