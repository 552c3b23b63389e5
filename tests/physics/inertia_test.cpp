// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/inertia.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace sinew::physics::inertia_test {
namespace {

Matrix3d rotation(double degrees, const Vector3d& axis) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis.normalized())
      .toRotationMatrix();
}

// physics 10.4, 12.2 R33
TEST(Diagonalize, GivesTheDocumentedDiagonalAndAxes) {
  const Matrix3d r = rotation(50, Vector3d::UnitZ()) * rotation(40, Vector3d::UnitY()) *
                     rotation(30, Vector3d::UnitX());
  const Matrix3d tensor = r * Vector3d(6500, 5000, 2500).asDiagonal() * r.transpose();

  const PrincipalInertia p = diagonalize(tensor);

  EXPECT_LT((p.diagonal - Vector3d(2500, 5000, 6500)).norm(), 1e-3);
  EXPECT_NEAR(p.axes.w(), 0.8925389, 1e-6);
  EXPECT_NEAR(p.axes.x(), 0.2716538, 1e-6);
  EXPECT_NEAR(p.axes.y(), -0.3237444, 1e-6);
  EXPECT_NEAR(p.axes.z(), 0.1573787, 1e-6);
}

TEST(Diagonalize, DiagonalTensorKeepsItsOrder) {
  const PrincipalInertia p = diagonalize(Vector3d(3, 1, 2).asDiagonal());

  EXPECT_EQ(p.diagonal, Vector3d(3, 1, 2));
  EXPECT_EQ(p.axes.w(), 1.0);
}

TEST(Diagonalize, PartsMultiplyBackToTheTensor) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 5.0);
  for (int i = 0; i < 300; ++i) {
    Matrix3d a;
    for (int k = 0; k < 9; ++k) a(k / 3, k % 3) = uniform(random) - 2.0;
    const Matrix3d tensor = a * a.transpose();

    const PrincipalInertia p = diagonalize(tensor);

    const Matrix3d r = p.axes.toRotationMatrix();
    const Matrix3d back = r * p.diagonal.asDiagonal() * r.transpose();
    // The iteration stops at a relative off-diagonal of 5e-7.
    EXPECT_LT((back - tensor).norm(), 2e-6 * tensor.norm());
  }
}

TEST(MassPropertiesTest, TranslatingMovesTheCentreAndAddsTheParallelAxisTerm) {
  MassProperties p{2.0, Matrix3d::Identity(), Vector3d(1, 0, 0)};

  p.translate(Vector3d(0, 3, 0));

  EXPECT_EQ(p.center, Vector3d(1, 3, 0));
  EXPECT_EQ(p.inertia(0, 0), 19.0);
  EXPECT_EQ(p.inertia(1, 1), 1.0);
  EXPECT_EQ(p.inertia(2, 2), 19.0);
}

TEST(MassPropertiesTest, ScalingScalesMassAndInertia) {
  const MassProperties p = MassProperties{2.0, Matrix3d::Identity(), Vector3d(1, 0, 0)} * 3.0;

  EXPECT_EQ(p.mass, 6.0);
  EXPECT_EQ(p.inertia(1, 1), 3.0);
  EXPECT_EQ(p.center, Vector3d(1, 0, 0));
}

// physics 12.2 R19: two cubes of 1000 at z = +-2.
TEST(Sum, TwoPartsTurnAboutTheirCommonCentre) {
  const MassProperties cube{1000.0, 1000.0 / 6.0 * Matrix3d::Identity(), Vector3d::Zero()};
  const std::array<MassProperties, 2> parts = {cube, cube};
  const std::array<Posed, 2> placements = {Posed{Vector3d(0, 0, 2)}, Posed{Vector3d(0, 0, -2)}};

  const MassProperties whole = sum_mass(parts, placements);

  EXPECT_EQ(whole.mass, 2000.0);
  EXPECT_EQ(whole.center.norm(), 0.0);
  EXPECT_NEAR(whole.inertia(0, 0), 8333.3333, 1e-3);
  EXPECT_NEAR(whole.inertia(2, 2), 333.33333, 1e-4);
}

TEST(Sum, RotatedPartContributesARotatedInertia) {
  const std::array<MassProperties, 1> parts = {
      MassProperties{1.0, Vector3d(1, 2, 3).asDiagonal(), Vector3d(1, 0, 0)}};
  const std::array<Posed, 1> placements = {
      Posed{Vector3d(0, 0, 5), Quatd(std::sqrt(0.5), 0, 0, std::sqrt(0.5))}};

  const MassProperties whole = sum_mass(parts, placements);

  EXPECT_LT((whole.center - Vector3d(0, 1, 5)).norm(), 1e-15);
  EXPECT_LT((whole.inertia.diagonal() - Vector3d(2, 1, 3)).norm(), 1e-15);
}

TEST(Sum, NothingHasNeitherMassNorCentre) {
  const MassProperties whole = sum_mass({});

  EXPECT_EQ(whole.mass, 0.0);
  EXPECT_EQ(whole.center.norm(), 0.0);
}

}  // namespace
}  // namespace sinew::physics::inertia_test
