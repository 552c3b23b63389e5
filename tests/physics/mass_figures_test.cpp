// SPDX-License-Identifier: Apache-2.0
// Masses and densities that are infinite, or too large for single precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "physics/mass_scene.hpp"
#include "physics/read_scene.hpp"

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

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

bool is_finite(const BodyMass& m) {
  return std::isfinite(m.mass) && m.center_of_mass.allFinite() && m.diagonal_inertia.allFinite() &&
         m.principal_axes.coeffs().allFinite();
}

// With an inertia of its own a body shows what OpenUSD computes; else there would be none to show.
TEST(InfiniteMass, CountsUnderOpenusdRulesWhereTheInertiaIsAuthored) {
  for (const auto& [collider, expected] :
       {std::pair(Api().density(kInfinite), kInfinite), std::pair(Api().mass(kInfinite), kInfinite),
        std::pair(Api().density(3e38F), kInfinite), std::pair(Api().density(kNan), kNan)}) {
    MassScene s(Rules::openusd);
    s.body(kOrigin, Api().inertia(1, 2, 3));
    s.cube(0, kOrigin, collider, 2.0);

    const BodyMass m = s.solve();

    EXPECT_EQ(std::isnan(m.mass), std::isnan(expected));
    EXPECT_EQ(std::isinf(m.mass), std::isinf(expected));
    EXPECT_TRUE(m.center_of_mass.array().isNaN().all());
    EXPECT_EQ(m.diagonal_inertia, Vector3d(1, 2, 3));
    EXPECT_EQ(m.steps[1].ignored, 0);
    EXPECT_TRUE(s.diagnostics.empty());
  }
}

TEST(InfiniteMass, IsPassedOverUnderOpenusdRulesWhereTheInertiaIsComputed) {
  for (const Api& collider :
       {Api().density(kInfinite), Api().mass(kInfinite), Api().density(kNan)}) {
    MassScene s(Rules::openusd);
    s.body(kOrigin);
    s.cube(0, kOrigin, collider);

    const BodyMass m = s.solve();

    EXPECT_TRUE(is_finite(m));
    EXPECT_NEAR(m.mass, 1000.0, 1e-3);
    EXPECT_NE(m.steps[1].ignored, 0);
  }
}

TEST(InfiniteMass, OfABodyWithoutCollidersCountsUnderOpenusdRules) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().mass(kInfinite));

  const BodyMass m = s.solve();

  EXPECT_TRUE(std::isinf(m.mass));
  EXPECT_EQ(m.center_of_mass, Vector3d(0, 0, 0));
}

// Single precision ends at 3.4e38.
TEST(InfiniteMass, BeyondSinglePrecisionIsInfiniteUnderOpenusdRulesAlone) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    MassScene s(rules);
    s.body(kOrigin, Api().density(2e38F).inertia(1, 1, 1));
    s.cube(0, kOrigin);
    s.cube(0, translate(4, 0, 0));

    const BodyMass m = s.solve();

    EXPECT_EQ(std::isinf(m.mass), rules == Rules::openusd);
    EXPECT_EQ(m.center_of_mass.array().isNaN().any(), rules == Rules::openusd);
  }
}

TEST(InfiniteMass, BelowAMassOfTheBodyLeavesAnInertiaOfThatMass) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    MassScene s(rules);
    s.body(kOrigin, Api().mass(6));
    s.cube(0, kOrigin, Api().density(3e38F), 2.0);

    const BodyMass m = s.solve();

    EXPECT_EQ(m.mass, 6.0);
    EXPECT_NEAR(m.diagonal_inertia.x(), 6.0 * 4.0 / 6.0, 1e-9);
  }
}

// A cube of side 2: mass 5 times 4 / 6 about each axis, whatever the density beside it.
TEST(OwnMass, OfAColliderDoesNotAskForItsDensity) {
  for (const float density : {1.0F, 5e37F, kInfinite, kNan, -1.0F}) {
    MassScene s(Rules::openusd);
    s.body(kOrigin, Api().density(density));
    s.cube(0, kOrigin, Api().mass(5).density(density), 2.0);

    const BodyMass m = s.solve();

    EXPECT_EQ(m.mass, 5.0) << density;
    EXPECT_NEAR((m.diagonal_inertia - Vector3d::Constant(5.0 * 4.0 / 6.0)).norm(), 0.0, 1e-9)
        << density;
  }
}

TEST(InfiniteMass, AnAuthoredCentreHoldsForAnInfiniteMass) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().density(3e38F).center(1, 2, 3).inertia(1, 1, 1));
  s.cube(0, kOrigin, no_api(), 2.0);

  const BodyMass m = s.solve();

  EXPECT_TRUE(std::isinf(m.mass));
  EXPECT_EQ(m.center_of_mass, Vector3d(1, 2, 3));
}

TEST(AuthoredCentre, CountsByWhatIsAuthoredUnderOpenusdRules) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    MassScene s(rules);
    s.body(test::scale(100, 100, 100), Api().mass(2).center(1e38F, 1, 2));

    const BodyMass m = s.solve();

    EXPECT_EQ(std::isinf(m.center_of_mass.x()), rules == Rules::openusd);
    EXPECT_EQ(m.center_of_mass.y(), rules == Rules::openusd ? 100.0 : 0.0);
  }
}

// physics 10.2: an inertia and axes are set by their length.
TEST(InfiniteInertia, OfABodyCountsUnderOpenusdRules) {
  for (const bool has_collider : {true, false}) {
    MassScene s(Rules::openusd);
    s.body(kOrigin, Api().mass(2).inertia(kInfinite, 1, 2).axes(0, kInfinite, 0, 0));
    if (has_collider) s.cube(0, kOrigin);

    const BodyMass m = s.solve();

    EXPECT_EQ(m.mass, 2.0);
    EXPECT_TRUE(m.center_of_mass.isZero());
    EXPECT_TRUE(std::isinf(m.diagonal_inertia.x()));
    EXPECT_EQ(m.diagonal_inertia.y(), 1.0);
    EXPECT_EQ(m.diagonal_inertia.z(), 2.0);
    EXPECT_EQ(m.principal_axes.w(), 0.0);
    EXPECT_TRUE(std::isinf(m.principal_axes.x()));
  }
}

TEST(InfiniteInertia, OfAColliderIsPassedOver) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    MassScene s(rules);
    s.body(kOrigin);
    s.cube(0, kOrigin, Api().inertia(kInfinite, 1, 2));

    EXPECT_NEAR(s.solve().diagonal_inertia.x(), 1000.0 / 6.0, 1e-3);
  }
}

// physics 10.6: figures of a mesh are shared by those that have all of it in common.
TEST(MeshMass, IsOfTheFacesThatTheMeshHas) {
  const std::string text =
      "(metersPerUnit = 1)\n"
      "class Mesh \"Box\" {\n"
      "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (0,0,1), (1,0,1), (1,1,1), "
      "(0,1,1)]\n"
      "int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\n"
      "int[] faceVertexIndices = [3,2,1,0, 4,5,6,7, 0,1,5,4, 1,2,6,5, 2,3,7,6, 3,0,4,7]\n"
      "uniform token subdivisionScheme = \"none\"\n}\n";
  const auto body = [&](const std::string& name, const std::string& content) {
    return "def \"" + name +
           "\" (inherits = </Box>\nprepend apiSchemas = [\"PhysicsRigidBodyAPI\", "
           "\"PhysicsCollisionAPI\"]) {\n" +
           content + "}\n";
  };
  const std::string other = body("B", "int[] faceVertexCounts = [3, 3, 3, 3, 3, 3, 3, 3]\n");
  Diagnostics diagnostics;
  const auto both = body_masses(test::read(text + body("A", "") + other), diagnostics);
  const auto alone = body_masses(test::read(text + other), diagnostics);
  ASSERT_EQ(both.size(), 2U);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_NEAR(both[0].mass, 1000.0, 1e-6);
  EXPECT_NE(both[1].mass, both[0].mass);
  EXPECT_EQ(both[1].mass, alone[0].mass);
}

TEST(MassUnits, ThatNothingCanBeMeasuredInGiveNumbersAllTheSame) {
  for (const char* units :
       {"metersPerUnit = 0", "metersPerUnit = nan", "metersPerUnit = -1", "metersPerUnit = inf",
        "metersPerUnit = 1; kilogramsPerUnit = 0", "kilogramsPerUnit = nan"}) {
    for (const Rules rules : {Rules::openusd, Rules::documented}) {
      const PhysicsModel model =
          test::read("(" + std::string(units) +
                         ")\ndef Cube \"A\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", "
                         "\"PhysicsCollisionAPI\"]) {\n}\n"
                         "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", "
                         "\"PhysicsMassAPI\"]) {\nfloat physics:mass = 1\n}\n",
                     rules);
      Diagnostics diagnostics;
      for (const BodyMass& mass : body_masses(model, diagnostics)) {
        EXPECT_TRUE(is_finite(mass)) << units << " " << mass.mass;
      }
    }
  }
}

}  // namespace
}  // namespace sinew::physics::mass_figures_test
