// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/mass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/mass_scene.hpp"

namespace sinew::physics::mass_test {
namespace {

using test::Api;
using test::MassScene;
using test::no_api;
using test::rotate_xyz;
using test::scale;
using test::tensor;
using test::translate;

const Matrix4d kOrigin = Matrix4d::Identity();
constexpr double kSixth = 1000.0 / 6.0;

// Figures of 12.2 are given to seven digits.
void expect_mass(const BodyMass& m, double mass, const Vector3d& center) {
  EXPECT_NEAR(m.mass, mass, 1e-6 * std::abs(mass));
  EXPECT_LT((m.center_of_mass - center).norm(), 1e-5) << m.center_of_mass.transpose();
}

void expect_sorted(const BodyMass& m, double a, double b, double c) {
  Vector3d d = m.diagonal_inertia;
  std::sort(d.data(), d.data() + 3);
  EXPECT_NEAR(d[0], a, 1e-6 * a);
  EXPECT_NEAR(d[1], b, 1e-6 * b);
  EXPECT_NEAR(d[2], c, 1e-6 * c);
}

void expect_diagonal(const BodyMass& m, double x, double y, double z) {
  EXPECT_LT((tensor(m) - Matrix3d(Vector3d(x, y, z).asDiagonal())).norm(),
            1e-6 * Vector3d(x, y, z).norm());
}

bool has(const Diagnostics& diagnostics, const std::string& code) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic& d) { return d.code == code; });
}

// A body with one cube of size 1 below it.
MassScene one_cube(const Api& body, const Api& cube, Rules rules = Rules::openusd) {
  MassScene s(rules);
  s.body(kOrigin, body);
  s.cube(0, kOrigin, cube);
  return s;
}

class MassUnderBothRules : public testing::TestWithParam<Rules> {
 protected:
  MassScene cube(const Api& body, const Api& collider) const {
    return one_cube(body, collider, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Rules, MassUnderBothRules,
                         testing::Values(Rules::documented, Rules::openusd));

// physics 12.2 R1
TEST_P(MassUnderBothRules, CubeThatIsItsOwnBodyWeighsItsWater) {
  MassScene s(GetParam());
  s.body(kOrigin, no_api(), 1.0);

  expect_mass(s.solve(), 1000, Vector3d::Zero());
  expect_sorted(s.solve(), kSixth, kSixth, kSixth);
}

// physics 12.2 R2, R3, R4, R5
TEST_P(MassUnderBothRules, DensityOfColliderThenBodyThenMaterial) {
  for (const bool on_body : {true, false}) {
    const BodyMass m =
        cube(on_body ? Api().density(500) : no_api(), on_body ? no_api() : Api().density(500))
            .solve();
    expect_mass(m, 500, Vector3d::Zero());
    expect_sorted(m, 83.33333, 83.33333, 83.33333);
  }
  MassScene material = cube(no_api(), no_api());
  material.last_shape().bound_material_density = 500;
  expect_mass(material.solve(), 500, Vector3d::Zero());
  MassScene all = cube(Api().density(5000), Api().density(500));
  all.last_shape().bound_material_density = 2000;
  expect_mass(all.solve(), 500, Vector3d::Zero());
}

// physics 12.2 R6, R7, R8
TEST_P(MassUnderBothRules, MassOfBodyThenCollider) {
  for (const BodyMass& m :
       {cube(Api().mass(2000), no_api()).solve(), cube(no_api(), Api().mass(2000)).solve(),
        cube(Api().mass(2000), Api().mass(500)).solve()}) {
    expect_mass(m, 2000, Vector3d::Zero());
    expect_sorted(m, 333.33333, 333.33333, 333.33333);
  }
}

// physics 12.2 R9, R10, R11
TEST_P(MassUnderBothRules, CentreOfBodyThenCollider) {
  for (const BodyMass& m : {cube(Api().center(2, 2, 2), no_api()).solve(),
                            cube(no_api(), Api().center(2, 2, 2)).solve(),
                            cube(Api().center(2, 2, 2), Api().center(1, 1, 1)).solve()}) {
    expect_mass(m, 1000, Vector3d(2, 2, 2));
  }
  expect_sorted(cube(Api().center(2, 2, 2), no_api()).solve(), kSixth, 12166.667, 12166.667);
}

// physics 12.2 R12, R13, R14
TEST_P(MassUnderBothRules, InertiaOfBodyThenCollider) {
  for (const BodyMass& m : {cube(Api().inertia(2, 2, 2), no_api()).solve(),
                            cube(no_api(), Api().inertia(2, 2, 2)).solve(),
                            cube(Api().inertia(2, 2, 2), Api().inertia(1, 1, 1)).solve()}) {
    expect_mass(m, 1000, Vector3d::Zero());
    expect_diagonal(m, 2, 2, 2);
  }
}

// physics 12.2 R15
TEST_P(MassUnderBothRules, TurningABoxAQuarterChangesNothing) {
  const auto build = [](double y) {
    MassScene s(GetParam());
    s.body(kOrigin);
    s.cube(0, translate(100, 20, 10) * rotate_xyz(0, y, 45) * scale(3, 2, 3));
    s.cube(0, translate(-100, 20, 10) * rotate_xyz(0, 0, 45) * scale(3, 2, 3));
    return s.solve();
  };

  const BodyMass m = build(0);

  expect_mass(m, 36000, Vector3d(0, 20, 10));
  expect_sorted(m, 46499.84, 360039000, 360046500);
  EXPECT_LT((tensor(m) - tensor(build(90))).norm(), 1.0);
}

// physics 12.2 R16
TEST_P(MassUnderBothRules, AuthoredAxesAreReturnedAsTheyAre) {
  const BodyMass m = cube(Api().axes(0.707F, 0, 0.707F, 0), no_api()).solve();

  expect_mass(m, 1000, Vector3d::Zero());
  EXPECT_FLOAT_EQ(static_cast<float>(m.principal_axes.w()), 0.707F);
  EXPECT_FLOAT_EQ(static_cast<float>(m.principal_axes.y()), 0.707F);
}

// physics 12.2 R17, R18
TEST_P(MassUnderBothRules, WaterIsConvertedToStageUnits) {
  MassScene s(GetParam());
  s.body(kOrigin, no_api(), 1.0);
  s.model.units.meters_per_unit = 0.01;
  expect_mass(s.solve(), 0.001, Vector3d::Zero());
  expect_sorted(s.solve(), 1.666667e-4, 1.666667e-4, 1.666667e-4);
  s.model.units.meters_per_unit = 1.0;
  s.model.units.kilograms_per_unit = 0.1;
  expect_mass(s.solve(), 10000, Vector3d::Zero());
  expect_sorted(s.solve(), 1666.6667, 1666.6667, 1666.6667);
}

// physics 12.2 R19
TEST_P(MassUnderBothRules, TwoCubesTurnAboutTheirMiddle) {
  MassScene s(GetParam());
  s.body(kOrigin);
  s.cube(0, translate(0, 0, 2));
  s.cube(0, translate(0, 0, -2));

  expect_mass(s.solve(), 2000, Vector3d::Zero());
  expect_diagonal(s.solve(), 8333.333, 8333.333, 333.3333);
}

// physics 12.2 R20: what belongs to a nested body is not among the outer body's nodes.
TEST_P(MassUnderBothRules, EveryBodyCountsItsOwnNodes) {
  MassScene s = cube(no_api(), no_api());
  s.model.rigid_bodies.emplace_back().path = "/body/inner";
  s.model.rigid_bodies[1].first_mass_node = 2;
  s.model.rigid_bodies[1].mass_node_count = 1;
  MassNode inner;
  inner.is_collider = true;
  inner.shape = 1;
  s.model.mass_nodes.push_back(inner);
  s.model.shapes.emplace_back().geometry = CubeShape{{1, 1, 1}};

  const std::vector<BodyMass> all = body_masses(s.model, s.diagnostics);

  expect_mass(all[0], 1000, Vector3d::Zero());
  expect_mass(all[1], 8000, Vector3d::Zero());
}

// physics 12.2 R22, and the documented difference (physics 14.7)
TEST(Mass, PrimBetweenBodyAndColliderCountsUnderDocumentedRulesOnly) {
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    MassScene s(rules);
    s.body(kOrigin, Api().density(10));
    const auto between = s.xform(0, kOrigin, Api().mass(77).density(50));
    s.cube(between, kOrigin);

    expect_mass(s.solve(), rules == Rules::openusd ? 10 : 77, Vector3d::Zero());
  }
}

// physics 12.2 R23
TEST_P(MassUnderBothRules, DisabledColliderWeighs) {
  MassScene s(GetParam());
  s.body(kOrigin);
  s.cube(0, translate(2, 0, 0), Api().mass(3).density(40));
  s.cube(0, kOrigin, no_api(), 2.0);
  s.last_shape().collision_enabled = false;

  const BodyMass m = s.solve();

  expect_mass(m, 8003, Vector3d(7.4971886e-4, 0, 0));
  expect_sorted(m, 5333.8335, 5345.829, 5345.829);
  EXPECT_NE(m.steps[2].ignored & kColliderDisabled, 0);
  EXPECT_NE(explain_mass(s.model, m).find("disabled"), std::string::npos);
}

// physics 12.2 R24
TEST_P(MassUnderBothRules, MassWithoutColliderGetsASmallSphere) {
  MassScene s(GetParam());
  s.body(kOrigin, Api().mass(5));

  expect_mass(s.solve(), 5, Vector3d::Zero());
  expect_diagonal(s.solve(), 0.02, 0.02, 0.02);
  EXPECT_TRUE(has(s.diagnostics, "physics-approximated-inertia"));
}

// physics 12.2 R25, and the documented difference (physics 14.8)
TEST(Mass, NothingAtAllIsMinusOneOrOne) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  expect_mass(s.solve(), -1, Vector3d::Zero());
  expect_diagonal(s.solve(), 1, 1, 1);
  EXPECT_TRUE(has(s.diagnostics, "physics-missing-mass"));
  s.model.rules = Rules::documented;
  EXPECT_EQ(s.solve().mass, 1.0);
  EXPECT_TRUE(has(s.diagnostics, "physics-missing-mass"));
}

// physics 10.3, no collider found.
TEST(Mass, InertiaWithoutMassAndColliderIsKeptWithoutWarning) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().inertia(1, 2, 3));

  EXPECT_EQ(s.solve().mass, -1.0);
  expect_diagonal(s.solve(), 1, 2, 3);
  EXPECT_TRUE(s.diagnostics.empty());
}

// physics 12.2 R26
TEST_P(MassUnderBothRules, FullyAuthoredBodyIsReturnedWithItsCentreScaled) {
  MassScene s(GetParam());
  s.body(scale(2, 2, 2), Api().mass(5).inertia(1, 2, 3).center(1, 2, 3).axes(0, 1, 0, 0));
  s.cube(0, scale(2, 2, 2));

  const BodyMass m = s.solve();

  expect_mass(m, 5, Vector3d(2, 4, 6));
  EXPECT_EQ(m.diagonal_inertia, Vector3d(1, 2, 3));
  EXPECT_EQ(m.principal_axes.x(), 1.0);
}

// physics 12.2 R27
TEST_P(MassUnderBothRules, NonsenseCountsAsNotGiven) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const BodyMass m = cube(Api().mass(-5).density(-3).center(1, inf, 3), no_api()).solve();
  // openusd: where an inertia is stated, a density counts that is no number.
  const float density = GetParam() == Rules::documented ? nan : -inf;
  const BodyMass n =
      cube(Api().mass(nan).density(density).center(nan, 0, 0).inertia(nan, 1, 1).axes(nan, 0, 0, 0),
           Api().mass(-inf))
          .solve();

  for (const BodyMass& result : {m, n}) {
    expect_mass(result, 1000, Vector3d::Zero());
    expect_sorted(result, kSixth, kSixth, kSixth);
  }
  EXPECT_NE(m.steps[0].ignored & kMassNotPositive, 0);
  EXPECT_NE(m.steps[0].ignored & kDensityNotPositive, 0);
  EXPECT_NE(m.steps[0].ignored & kCenterNotFinite, 0);
}

// physics 12.2 R28
TEST_P(MassUnderBothRules, AxesOfAColliderTurnItsInertia) {
  const float half = std::sqrt(0.5F);
  const BodyMass m = cube(no_api(), Api().inertia(1, 2, 3).axes(half, 0, 0, half)).solve();

  expect_diagonal(m, 2, 1, 3);
}

// physics 12.2 R29
TEST_P(MassUnderBothRules, CentreOfAColliderMovesItsInertia) {
  expect_mass(cube(no_api(), Api().center(1, 0, 0)).solve(), 1000, Vector3d(1, 0, 0));
  expect_diagonal(cube(no_api(), Api().center(1, 0, 0)).solve(), kSixth, 1166.6667, 1166.6667);
  expect_diagonal(cube(no_api(), Api().center(1, 0, 0).inertia(1, 2, 3)).solve(), 1, 2, 3);
}

// physics 12.2 R30
TEST_P(MassUnderBothRules, CentreOfABodyMovesItsInertia) {
  expect_diagonal(cube(Api().mass(5).center(1, 0, 0), no_api()).solve(), 0.8333333, 5.833333,
                  5.833333);
}

// physics 12.2 R31, and the documented difference
TEST(Mass, ColliderWithoutVolumeWeighsNothingOrOne) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, no_api(), 0.0);
  EXPECT_EQ(s.solve().mass, 0.0);
  EXPECT_EQ(s.solve().diagonal_inertia.norm(), 0.0);
  s.model.rules = Rules::documented;
  EXPECT_EQ(s.solve().mass, 1.0);
}

// physics 10.3, step 6: inertias are added, whatever the masses.
TEST(Mass, AuthoredInertiaOfCollidersWithoutMassCounts) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  s.cube(0, kOrigin, Api().inertia(1, 2, 3), 0.0);

  EXPECT_EQ(s.solve().mass, 0.0);
  EXPECT_EQ(s.solve().diagonal_inertia, Vector3d(1, 2, 3));
  EXPECT_EQ(s.solve().center_of_mass, Vector3d(0, 0, 0));

  s.cube(0, translate(1, 0, 0), Api().inertia(10, 20, 30), 0.0);
  EXPECT_EQ(s.solve().mass, 0.0);
  EXPECT_EQ(s.solve().diagonal_inertia, Vector3d(11, 22, 33));

  s.cube(0, translate(0, 1, 0), Api().mass(3).inertia(100, 200, 300));
  EXPECT_EQ(s.solve().mass, 3.0);
  EXPECT_EQ(s.solve().diagonal_inertia, Vector3d(111, 222, 333));
}

// physics 10.3, step 7: of no mass nothing can be scaled to the body's.
TEST(Mass, AuthoredInertiaOfCollidersWithoutMassIsNotThatOfTheBodysMass) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().mass(2));
  s.cube(0, kOrigin, Api().inertia(1, 2, 3), 0.0);

  EXPECT_EQ(s.solve().mass, 2.0);
  EXPECT_EQ(s.solve().diagonal_inertia.norm(), 0.0);
}

// physics 12.2 R32
TEST_P(MassUnderBothRules, BodyScaleScalesPositionAndSize) {
  MassScene s(GetParam());
  s.body(scale(2, 3, 4));
  s.cube(0, scale(2, 3, 4) * translate(1, 1, 1));

  expect_mass(s.solve(), 24000, Vector3d(2, 3, 4));
  expect_diagonal(s.solve(), 50000, 40000, 26000);
}

// physics 12.2 R33
TEST_P(MassUnderBothRules, RotatedBoxHasRotatedAxes) {
  MassScene s(GetParam());
  s.body(kOrigin);
  s.cube(0, rotate_xyz(30, 40, 50) * scale(1, 2, 3));

  const BodyMass m = s.solve();

  EXPECT_NEAR(m.mass, 6000, 1e-2);
  EXPECT_LT((m.diagonal_inertia - Vector3d(2500, 5000, 6500)).norm(), 1e-1);
  EXPECT_NEAR(m.principal_axes.w(), 0.8925389, 1e-5);
  EXPECT_NEAR(m.principal_axes.x(), 0.2716538, 1e-5);
}

// physics 12.2 R35
TEST_P(MassUnderBothRules, OffCentreBoxOfTheDocuments) {
  MassScene s(GetParam());
  s.body(kOrigin, Api().mass(10).center(40, 40, 40), 25.0);

  expect_mass(s.solve(), 10, Vector3d(40, 40, 40));
  expect_sorted(s.solve(), 1041.667, 49041.67, 49041.67);
}

// physics 10.3 step 5: a collider of unknown volume is left out and reported.
TEST(Mass, ColliderOfUnknownVolumeIsSkippedAndNamed) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  s.cube(0, kOrigin, Api().mass(50));
  s.last_shape().geometry = CustomShape{"Blob"};
  s.cube(0, translate(1, 0, 0));

  expect_mass(s.solve(), 1000, Vector3d(1, 0, 0));
  ASSERT_TRUE(has(s.diagnostics, "physics-invalid-mass-information"));
  EXPECT_EQ(s.diagnostics[0].path, "/body/cube1");
  s.model.rules = Rules::documented;  // Its mass counts; only the shape of it is not known.
  expect_mass(s.solve(), 1050, Vector3d(1000.0 / 1050.0, 0, 0));
}

TEST(Mass, ApplicationSuppliesVolumes) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  s.cube(0, kOrigin);
  s.last_shape().geometry = CustomShape{"Blob"};
  MassOptions options;
  options.mass_info = [](const MassNode&, const Shape* shape) -> std::optional<MassInfo> {
    EXPECT_EQ(shape->path, "/body/cube1");
    MassInfo info;
    info.volume = 2.0;
    info.inertia = Matrix3d::Identity();
    info.center = Vector3d(1, 0, 0);
    info.local_pose.position = Vector3d(0, 5, 0);
    return info;
  };

  expect_mass(s.solve(options), 2000, Vector3d(1, 5, 0));
  expect_diagonal(s.solve(options), 1000, 1000, 1000);
}

TEST(Mass, NegativeOrInfiniteVolumesFromTheApplicationAreSkipped) {
  for (const double volume : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    MassScene s = one_cube(no_api(), no_api());
    s.cube(0, translate(4, 0, 0));
    MassOptions options;
    options.mass_info = [&](const MassNode&, const Shape* shape) -> std::optional<MassInfo> {
      if (shape->path != "/body/cube1") return std::nullopt;
      MassInfo info;
      info.volume = volume;
      return info;
    };

    expect_mass(s.solve(options), 1000, Vector3d(4, 0, 0));
  }
}

// physics 10.3 step 5: no volume but a mass is a point.
TEST_P(MassUnderBothRules, MassWithoutVolumeIsAPoint) {
  MassScene s(GetParam());
  s.body(kOrigin);
  s.cube(0, kOrigin, no_api(), 0.5);
  s.cube(0, translate(0, 0, 1), Api().mass(25), 0.0);

  expect_mass(s.solve(), 150, Vector3d(0, 0, 1.0 / 6.0));
  expect_diagonal(s.solve(), 26.0416667, 26.0416667, 5.20833333);
}

TEST(Mass, PlaneOnAMovingBodyIsReported) {
  MassScene s = one_cube(no_api(), no_api());
  s.cube(0, kOrigin);
  s.last_shape().geometry = PlaneShape{Axis::z};

  expect_mass(s.solve(), 1000, Vector3d::Zero());
  EXPECT_TRUE(has(s.diagnostics, "physics-plane-on-dynamic-body"));
  s.model.rigid_bodies[0].kinematic_body = true;
  s.solve();
  EXPECT_FALSE(has(s.diagnostics, "physics-plane-on-dynamic-body"));
}

// The documented chain: a mass above scales what lies below, level by level.
TEST(Mass, HighestMassWinsAndLowerOnesAreProportions) {
  MassScene s(Rules::documented);
  s.body(kOrigin);
  const auto arm = s.xform(0, kOrigin, Api().mass(10));
  const auto hand = s.xform(arm, kOrigin, Api().mass(30));
  s.cube(hand, translate(1, 0, 0), Api().mass(5));
  s.cube(arm, translate(-1, 0, 0), Api().mass(10));

  const BodyMass m = s.solve();

  expect_mass(m, 10, Vector3d(0.5, 0, 0));
  EXPECT_NEAR(m.steps[3].share, 7.5, 1e-9);
  EXPECT_NEAR(m.steps[4].share, 2.5, 1e-9);
  EXPECT_NE(m.steps[3].ignored & kMassOverruled, 0);
}

TEST(Mass, CentreAndInertiaOfAPrimBetweenReplaceThoseOfItsSubtree) {
  MassScene s(Rules::documented);
  s.body(kOrigin);
  const auto arm = s.xform(0, rotate_xyz(0, 0, 90), Api().mass(8).center(3, 0, 0).inertia(1, 2, 3));
  s.cube(arm, translate(1, 1, 1), Api().center(9, 9, 9));

  const BodyMass m = s.solve();

  expect_mass(m, 8, Vector3d(0, 3, 0));
  expect_diagonal(m, 2, 1, 3);
  EXPECT_NE(m.steps[2].ignored & kCenterOverruled, 0);
}

TEST(Mass, IndicesOutOfRangeGiveEmptyResultsAndNoHarm) {
  MassScene s = one_cube(no_api(), no_api());
  EXPECT_EQ(body_mass(s.model, 7, s.diagnostics).body, kNone);
  EXPECT_EQ(explain_mass(s.model, body_mass(s.model, -1, s.diagnostics)), "");
  s.model.mass_nodes[1].shape = 99;
  s.model.mass_nodes[1].parent = 55;
  EXPECT_EQ(s.solve().mass, -0.0);
  s.model.rigid_bodies[0].mass_node_count = 1000;
  EXPECT_EQ(s.solve().mass, -1.0);
}

TEST(Mass, AStepWhoseParentIsNoneBeforeItHangsFromTheBody) {
  for (const std::int32_t parent : {-1, 2, 55}) {
    MassScene s = one_cube(no_api(), no_api(), Rules::documented);
    s.cube(0, translate(2, 0, 0));
    s.model.mass_nodes[2].parent = parent;

    const BodyMass m = s.solve();

    EXPECT_EQ(m.steps[2].parent, 0);
    expect_mass(m, 2000, Vector3d(1, 0, 0));
  }
}

// A tetrahedron with edges of `size` along the axes.
std::shared_ptr<const geom::Mesh> tetrahedron(float size) {
  const std::vector<Vector3f> points = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
  const std::vector<std::int32_t> counts = {3, 3, 3, 3};
  const std::vector<std::int32_t> indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return std::make_shared<const geom::Mesh>(geom::Mesh::copy_of(points, counts, indices));
}

TEST_P(MassUnderBothRules, AMeshThatIsNotValidOrTooLargeAddsNothing) {
  const auto solve = [](MassScene& s, float size, float mesh_scale, bool is_valid) {
    s.cube(0, kOrigin);
    MeshShape mesh;
    mesh.geometry = tetrahedron(size);
    mesh.mesh_scale = Vector3f::Constant(mesh_scale);
    s.last_shape().geometry = mesh;
    s.last_shape().is_valid = is_valid;
    return s.solve();
  };
  MassScene good = cube(no_api(), no_api());
  EXPECT_NEAR(solve(good, 1.0F, 3.0F, true).mass, 1000.0 + 4500.0, 1e-6);
  EXPECT_FALSE(has(good.diagnostics, "physics-invalid-mass-information"));
  for (const bool is_valid : {false, true}) {
    MassScene bad = cube(no_api(), no_api());
    const BodyMass m = solve(bad, is_valid ? 1e38F : 1.0F, is_valid ? 1e38F : 1.0F, is_valid);
    expect_mass(m, 1000, Vector3d(0, 0, 0));
    EXPECT_NE(m.steps[2].ignored & kVolumeUnknown, 0);
    EXPECT_TRUE(has(bad.diagnostics, "physics-invalid-mass-information"));
  }
}

TEST(Masses, InstancesOfAMeshAreIntegratedOnceAndScaledEach) {
  const auto geometry = tetrahedron(1.0F);
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  for (const float size : {1.0F, 2.0F}) {
    s.cube(0, translate(0, 0, size));
    MeshShape mesh;
    mesh.geometry = geometry;
    mesh.mesh_scale = {size, size, size};
    s.last_shape().geometry = mesh;
  }

  const std::vector<BodyMass> all = body_masses(s.model, s.diagnostics);

  EXPECT_NEAR(all[0].steps[1].volume, 1.0 / 6.0, 1e-14);
  EXPECT_NEAR(all[0].steps[2].volume, 8.0 / 6.0, 1e-14);
}

}  // namespace
}  // namespace sinew::physics::mass_test
