// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/decompose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace sinew::physics::decompose_test {
namespace {

Matrix3d rotation(double degrees, const Vector3d& axis) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis.normalized())
      .toRotationMatrix();
}

// rotateXYZ turns about x first.
Matrix3d rotate_xyz(double x, double y, double z) {
  return rotation(z, Vector3d::UnitZ()) * rotation(y, Vector3d::UnitY()) *
         rotation(x, Vector3d::UnitX());
}

Matrix4d affine(const Matrix3d& linear, const Vector3d& translation = Vector3d::Zero()) {
  Matrix4d m = Matrix4d::Identity();
  m.block<3, 3>(0, 0) = linear;
  m.block<3, 1>(0, 3) = translation;
  return m;
}

Matrix3d scaling(double x, double y, double z) {
  return Vector3d(x, y, z).asDiagonal();
}

template <typename Quat>
void expect_quat(const Quat& q, double w, double x, double y, double z, double tolerance) {
  EXPECT_NEAR(static_cast<double>(q.w()), w, tolerance);
  EXPECT_NEAR(static_cast<double>(q.x()), x, tolerance);
  EXPECT_NEAR(static_cast<double>(q.y()), y, tolerance);
  EXPECT_NEAR(static_cast<double>(q.z()), z, tolerance);
}

template <typename Vec>
void expect_vector(const Vec& v, double x, double y, double z, double tolerance) {
  EXPECT_NEAR(static_cast<double>(v[0]), x, tolerance);
  EXPECT_NEAR(static_cast<double>(v[1]), y, tolerance);
  EXPECT_NEAR(static_cast<double>(v[2]), z, tolerance);
}

// physics 0.4
TEST(Decompose, TwoNegativeScalesAreARotation) {
  const Decomposition d = decompose(affine(scaling(-1, -2, 3)));

  expect_vector(d.scale, 1, 2, 3, 1e-15);
  expect_quat(d.rotation, 0, 0, 0, 1, 1e-15);
}

// physics 0.4
TEST(Decompose, MirroringMakesAllScalesNegative) {
  const Decomposition d = decompose(affine(scaling(-1, 2, 3)));

  expect_vector(d.scale, -1, -2, -3, 1e-15);
  expect_quat(d.rotation, 0, 1, 0, 0, 1e-15);
}

// physics 0.4
TEST(Decompose, ZeroScaleBecomesTheSmallestScale) {
  const Decomposition d = decompose(affine(scaling(0, 2, 3)));

  EXPECT_EQ(d.scale[0], 1e-10);
  EXPECT_EQ(d.scale[1], 2.0);
  EXPECT_EQ(d.scale[2], 3.0);
  EXPECT_TRUE(d.singular);
}

// physics 0.4
TEST(Decompose, ScaleStaysWithTheNearestAxis) {
  const Matrix4d parent = affine(scaling(1, 2, 1));

  const Decomposition at30 = decompose(parent * affine(rotation(30, Vector3d::UnitZ())));
  const Decomposition at60 = decompose(parent * affine(rotation(60, Vector3d::UnitZ())));

  expect_vector(at30.scale, 1, 2, 1, 1e-12);
  expect_vector(at60.scale, 2, 1, 1, 1e-12);
}

// physics 0.4
TEST(Decompose, ShearedAndMirroredChildGivesTheDocumentedFactors) {
  const Matrix4d m =
      affine(scaling(1, 2, 3)) * affine(rotate_xyz(30, 40, 50)) * affine(scaling(1, -1, 2));

  const Decomposition d = decompose(m);

  // The expected figures were rounded to single precision.
  expect_vector(d.scale, -1.2719179, -2.0115469, -4.6902065, 3e-7);
  expect_quat(d.rotation, -0.32891852, -0.31810087, 0.88736314, 0.056666642, 1e-7);
}

TEST(Decompose, FactorsMultiplyBackToTheMatrix) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int i = 0; i < 500; ++i) {
    Matrix3d linear;
    for (int k = 0; k < 9; ++k) linear(k / 3, k % 3) = uniform(random);
    if (std::abs(linear.determinant()) < 1e-2) continue;

    const Decomposition d = decompose(affine(linear, Vector3d(1, 2, 3)));

    const Matrix3d q = d.rotation.toRotationMatrix();
    const Matrix3d v = d.scale_orientation;
    // L^T L squares the condition number, which is up to a few hundred here.
    EXPECT_LT((q * v * d.scale.asDiagonal() * v.transpose() - linear).norm(), 1e-10);
    EXPECT_LT((v.transpose() * v - Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_FALSE(d.singular);
  }
}

TEST(Decompose, UnitScaleHasNoOrientation) {
  const Decomposition d = decompose(affine(Matrix3d::Identity()));

  EXPECT_EQ((d.scale_orientation - Matrix3d::Identity()).norm(), 0.0);
  EXPECT_EQ(d.rotation.w(), 1.0);
}

TEST(Decompose, RotatedEqualScalesHaveNoArbitraryOrientation) {
  const Decomposition d = decompose(affine(rotate_xyz(30, 40, 50) * scaling(1, 2, 1)));

  EXPECT_EQ((d.scale_orientation - Matrix3d::Identity()).norm(), 0.0);
  expect_vector(d.scale, 1, 2, 1, 1e-14);
}

TEST(Decompose, NotANumberEndsAndDoesNotTrap) {
  Matrix4d m = affine(scaling(1, 1, 1));
  m(0, 1) = std::numeric_limits<double>::quiet_NaN();

  const Decomposition d = decompose(m);

  EXPECT_FALSE(std::isfinite(d.scale.sum()));
}

TEST(QuaternionFromRotation, TinyRotationIsExactlyIdentity) {
  const Quatd q = quaternion_from_rotation(rotation(1e-9, Vector3d::UnitX()));

  EXPECT_EQ(q.w(), 1.0);
  EXPECT_EQ(q.x(), 0.0);
}

TEST(QuaternionFromRotation, AgreesWithTheRotationItCameFrom) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 500; ++i) {
    const Vector3d axis(uniform(random), uniform(random), uniform(random));
    const Matrix3d r = rotation(180.0 * uniform(random), axis);

    const Quatd q = quaternion_from_rotation(r);

    EXPECT_LT((q.toRotationMatrix() - r).norm(), 1e-13);
  }
}

// physics 0.4: what is no rotation keeps w, and the rest is brought to fit it.
TEST(QuaternionFromRotation, OfAFlattenedMatrixKeepsTheAngleAndTheAxis) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::size_t looked_at = 0;
  for (int i = 0; i < 500; ++i) {
    Matrix3d flat =
        rotation(180.0 * uniform(random), Vector3d(uniform(random), uniform(random), 0.5));
    flat.col(i % 3).setZero();
    if (!(flat.trace() > flat.diagonal().maxCoeff())) continue;
    const double w = std::min(1.0, 0.5 * std::sqrt(flat.trace() + 1.0));
    const Vector3d axis(flat(2, 1) - flat(1, 2), flat(0, 2) - flat(2, 0), flat(1, 0) - flat(0, 1));

    const Quatd q = quaternion_from_rotation(flat);

    EXPECT_NEAR(q.w(), w, 1e-14);
    EXPECT_NEAR(q.norm(), 1.0, 1e-14);
    EXPECT_LT((q.vec() - std::sqrt(1.0 - w * w) * axis.normalized()).norm(), 1e-14);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 50U);
}

// Of equal elements of the diagonal the last counts, which matters for what is no rotation.
TEST(Decompose, WhatIsFlattenedTurnsAsInUsd) {
  struct Case {
    Matrix3d linear;
    Eigen::Vector4d expected;  // Real part first.
  };
  const Case cases[] = {{scaling(0, 0, 0), {0, 0, 0, 1}},
                        {rotate_xyz(120, 0, 0) * scaling(0, 0, 1), {0, 0, 0.8660254, -0.5}},
                        {rotate_xyz(0, 0, 150) * scaling(0, 1, 0), {0.1830127, 0, 0, 0.9831106}},
                        {rotate_xyz(0, 0, 150) * scaling(1, 0, 0), {0.1830127, 0, 0, 0.9831106}}};
  for (const Case& c : cases) {
    const Quatd q = decompose(affine(c.linear, Vector3d::Zero())).rotation;
    const Eigen::Vector4d got(q.w(), q.x(), q.y(), q.z());
    EXPECT_LT(std::min((got - c.expected).norm(), (got + c.expected).norm()), 1e-6)
        << c.linear << "\n"
        << got.transpose();
  }
}

// The position is a float before it is scaled.
TEST(LocalPose, PlacesThatFloatsCannotHoldAreInfinite) {
  const Matrix4d body = affine(scaling(1, 1, 0), Vector3d::Zero());
  const ScaledPose pose = local_pose(body, affine(scaling(1, 1, 1), Vector3d(0.25, 2, 3)));
  EXPECT_FLOAT_EQ(pose.pose.position.x(), 8.507059e37F);
  EXPECT_TRUE(std::isinf(pose.pose.position.y()));
  EXPECT_TRUE(std::isinf(pose.pose.position.z()));
}

// physics 0.4
TEST(InverseAffine, SingularMatrixBecomesTheLargestUniformScale) {
  const Matrix4d inverse = inverse_affine(affine(scaling(0, 2, 3), Vector3d(1, 2, 3)));

  EXPECT_EQ(inverse(0, 0), static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_EQ(inverse(0, 3), 0.0);
}

TEST(InverseAffine, UndoesTheTransform) {
  const Matrix4d m = affine(rotate_xyz(10, 20, 30) * scaling(1, -2, 3), Vector3d(4, 5, 6));

  EXPECT_LT((inverse_affine(m) * m - Matrix4d::Identity()).norm(), 1e-14);
}

TEST(InverseAffine, UndoesTransformsThatAreNotAffine) {
  Matrix4d m = affine(rotate_xyz(10, 20, 30) * scaling(1, -2, 3), Vector3d(4, 5, 6));
  m.row(3) << 0.5, 0.25, -0.125, 2.0;

  EXPECT_LT((inverse_affine(m) * m - Matrix4d::Identity()).norm(), 1e-12);

  // A flat linear part can be undone by the last row, and what is not flat can be singular by it.
  Matrix4d flat = affine(scaling(0, 1, 1), Vector3d(1, 0, 0));
  flat.row(3) << 1, 0, 0, 1;
  EXPECT_LT((inverse_affine(flat) * flat - Matrix4d::Identity()).norm(), 1e-14);
  Matrix4d singular = Matrix4d::Identity();
  singular(3, 3) = 0.0;
  EXPECT_EQ(inverse_affine(singular)(0, 0), static_cast<double>(std::numeric_limits<float>::max()));
}

// physics 4.3: a child of a body scaled by 3 at local offset x sits at 3x.
TEST(LocalPose, BodyScaleIsAppliedToThePosition) {
  const Matrix4d body = affine(scaling(3, 3, 3), Vector3d(100, 0, 0));
  const Matrix4d child =
      body * affine(rotation(90, Vector3d::UnitX()) * scaling(2, 2, 2), Vector3d(1, 2, 3));

  const ScaledPose pose = local_pose(body, child);

  expect_vector(pose.pose.position, 3, 6, 9, 1e-5);
  expect_vector(pose.scale, 2, 2, 2, 1e-6);
  expect_quat(pose.pose.rotation, std::sqrt(0.5), std::sqrt(0.5), 0, 0, 1e-6);
}

// physics 12.1 P2: scale 3, rotateZ 45.
TEST(WorldPose, StaticShapeGetsItsWorldPoseAndScale) {
  const ScaledPose pose =
      world_pose(affine(rotation(45, Vector3d::UnitZ()) * scaling(3, 3, 3), Vector3d(100, 20, 10)));

  expect_vector(pose.pose.position, 100, 20, 10, 0);
  expect_vector(pose.scale, 3, 3, 3, 1e-6);
  expect_quat(pose.pose.rotation, 0.92387953, 0, 0, 0.38268343, 1e-6);
}

// physics 6.3
TEST(JointPose, ChildOfARotatedAndScaledBodyIsRebased) {
  const Matrix4d body =
      affine(rotation(90, Vector3d::UnitZ()) * scaling(2, 3, 4), Vector3d(1, 2, 3));
  const Matrix4d child =
      body * affine(rotation(90, Vector3d::UnitX()) * scaling(5, 5, 5), Vector3d(1, 1, 1));

  const Pose pose = joint_pose({{1, 2, 3}, Quatf(1, 0, 0, 0)}, child, body);

  expect_vector(pose.position, 12, -42, 44, 1e-5);
  expect_quat(pose.rotation, std::sqrt(0.5), std::sqrt(0.5), 0, 0, 1e-6);
}

// physics 6.3
TEST(JointPose, RelationWithoutABodyIsInWorldSpace) {
  const Matrix4d prim = affine(scaling(2, 2, 2), Vector3d(10, 7, 0));

  const Pose pose = joint_pose({{1, 1, 1}, Quatf(1, 0, 0, 0)}, prim, Matrix4d::Identity());

  expect_vector(pose.position, 12, 9, 2, 1e-6);
}

// physics 15: pose0 of the rebasing sample.
TEST(JointPose, RelationToTheBodyItselfScalesThePosition) {
  const Pose pose = joint_pose({{1, 1, 1}, Quatf(0, 0, 0, 0)}, Vector3f(2, 3, 4));

  expect_vector(pose.position, 2, 3, 4, 0);
  expect_quat(pose.rotation, 1, 0, 0, 0, 0);
}

// physics 6.3: what is singular is used as it is, and then normalised.
TEST(JointPose, OfAFlattenedPrimIsTheQuaternionOfItsMatrix) {
  const Matrix4d prim =
      affine(rotation(40, Vector3d::UnitX()) * scaling(2, 3, 0), Vector3d(0, 0, 0));

  const Pose pose = joint_pose({{0, 0, 0}, Quatf(1, 0, 0, 0)}, prim, Matrix4d::Identity());

  expect_quat(pose.rotation, 0.92235, 0.38636, 0, 0, 1e-5);
}

}  // namespace
}  // namespace sinew::physics::decompose_test
