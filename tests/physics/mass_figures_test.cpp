// SPDX-License-Identifier: Apache-2.0
// Masses and densities that are infinite, or too large for single precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/mass_scene.hpp"

namespace sinew::physics::mass_figures_test {
namespace {

using test::Api;
using test::MassScene;
using test::no_api;
using test::translate;

const Matrix4d kOrigin = Matrix4d::Identity();

TEST(InfiniteMass, InfiniteFiguresAreNotGivenUnderDocumentedRules) {
  const float inf = std::numeric_limits<float>::infinity();
  MassScene s(Rules::documented);
  s.body(kOrigin, Api().mass(inf).density(inf));
  s.cube(0, kOrigin, Api().mass(inf));

  EXPECT_NEAR(s.solve().mass, 1000.0, 1e-3);
}

TEST(InfiniteMass, AnInfiniteDensityCountsUnderOpenusdRules) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().density(std::numeric_limits<float>::infinity()));
  s.cube(0, kOrigin);

  const BodyMass m = s.solve();

  EXPECT_TRUE(std::isinf(m.mass));
  EXPECT_TRUE(m.center_of_mass.array().isNaN().all());
  EXPECT_EQ(m.steps[0].ignored & kDensityNotPositive, 0);
}

TEST(InfiniteMass, AnInfiniteMassIsNotGivenUnderOpenusdRules) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  s.cube(0, kOrigin, Api().mass(std::numeric_limits<float>::infinity()));

  const BodyMass m = s.solve();

  EXPECT_NEAR(m.mass, 1000.0, 1e-3);
  EXPECT_NE(m.steps[1].ignored & kMassNotPositive, 0);
}

// Single precision ends at 3.4e38.
TEST(InfiniteMass, BeyondSinglePrecisionIsInfiniteUnderOpenusdRulesAlone) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    MassScene s(rules);
    s.body(kOrigin, Api().density(2e38F));
    s.cube(0, kOrigin);
    s.cube(0, translate(4, 0, 0));

    const BodyMass m = s.solve();

    EXPECT_EQ(std::isinf(m.mass), rules == Rules::openusd);
    EXPECT_EQ(m.center_of_mass.array().isNaN().any(), rules == Rules::openusd);
  }
}

TEST(InfiniteMass, AnAuthoredCentreHoldsForAnInfiniteMass) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().density(3e38F).center(1, 2, 3));
  s.cube(0, kOrigin, no_api(), 2.0);

  const BodyMass m = s.solve();

  EXPECT_TRUE(std::isinf(m.mass));
  EXPECT_EQ(m.center_of_mass, Vector3d(1, 2, 3));
}

}  // namespace
}  // namespace sinew::physics::mass_figures_test
