// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/physics/mass.hpp"

namespace sinew::physics::units_test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

StageUnits units(Axis up, double meters, double kilograms = 1.0) {
  return {.up_axis = up, .meters_per_unit = meters, .kilograms_per_unit = kilograms};
}

// physics 12.4 M1
TEST(MassUnits, GramsAreGrams) {
  EXPECT_TRUE(mass_units_are(0.001, kGrams));
}

// physics 12.4 M2
TEST(MassUnits, ComparisonIsRelativeToBoth) {
  EXPECT_FALSE(mass_units_are(-1, -1));
  EXPECT_FALSE(mass_units_are(1, 1.1, 0.1));
  EXPECT_TRUE(mass_units_are(1, 1.1, 0.11));
}

// physics 2.4
TEST(DefaultDensity, IsWaterInStageUnits) {
  EXPECT_FLOAT_EQ(default_density(units(Axis::y, 1)), 1000.0F);
  EXPECT_FLOAT_EQ(default_density(units(Axis::y, 0.01)), 0.001F);
  EXPECT_FLOAT_EQ(default_density(units(Axis::y, 1, 0.1)), 10000.0F);
}

// physics 12.1 P1
TEST(ResolveGravity, NothingAuthoredIsEarthGravityDownTheUpAxis) {
  const Gravity y = resolve_gravity(Vector3f::Zero(), -kInf, units(Axis::y, 0.01), Rules::openusd);
  const Gravity z = resolve_gravity(Vector3f::Zero(), -kInf, units(Axis::z, 0.5), Rules::openusd);

  EXPECT_EQ(y.direction, Vector3f(0, -1, 0));
  EXPECT_FLOAT_EQ(y.magnitude, 981.0F);
  EXPECT_EQ(z.direction, Vector3f(0, 0, -1));
  EXPECT_FLOAT_EQ(z.magnitude, 19.62F);
}

// physics 2.3
TEST(ResolveGravity, VeryShortDirectionIsNotNormalised) {
  const Gravity g = resolve_gravity({1e-12F, 0, 0}, 1, units(Axis::y, 1), Rules::openusd);

  EXPECT_FLOAT_EQ(g.direction.x(), 1e-2F);
}

// What has no length is divided by the shortest one, as in OpenUSD.
TEST(ResolveGravity, DirectionsOfNoLengthKeepTheirNumbers) {
  const Gravity g = resolve_gravity({std::nanf(""), 0, 1}, 1, units(Axis::y, 1), Rules::openusd);

  EXPECT_TRUE(std::isnan(g.direction.x()));
  EXPECT_EQ(g.direction.y(), 0.0F);
  EXPECT_FLOAT_EQ(g.direction.z(), 1e10F);
}

// physics 2.3
TEST(ResolveGravity, OtherMagnitudesPassUnchangedUnderOpenUsd) {
  const StageUnits u = units(Axis::y, 1);
  EXPECT_EQ(resolve_gravity({1, 0, 0}, -5, u, Rules::openusd).magnitude, -5.0F);
  EXPECT_EQ(resolve_gravity({1, 0, 0}, 0, u, Rules::openusd).magnitude, 0.0F);
  EXPECT_EQ(resolve_gravity({1, 0, 0}, kInf, u, Rules::openusd).magnitude, kInf);
  EXPECT_TRUE(std::isnan(resolve_gravity({1, 0, 0}, std::nanf(""), u, Rules::openusd).magnitude));
}

// physics 14.6
TEST(ResolveGravity, AnyNegativeMagnitudeIsEarthGravityUnderDocumentedRules) {
  const Gravity g = resolve_gravity({1, 0, 0}, -5, units(Axis::y, 1), Rules::documented);

  EXPECT_FLOAT_EQ(g.magnitude, 9.81F);
}

TEST(ResolveGravity, ZeroMetersPerUnitIsInfinite) {
  EXPECT_EQ(resolve_gravity({1, 0, 0}, -kInf, units(Axis::y, 0), Rules::openusd).magnitude, kInf);
}

PhysicsModel centimetre_model() {
  PhysicsModel model;
  model.units = units(Axis::z, 0.01, 0.001);
  model.scenes.push_back({.path = "/S", .gravity_magnitude = 981.0F});
  RigidBody body;
  body.path = "/B";
  body.pose.position = {100, 0, 0};
  body.angular_velocity = {180, 0, 0};
  body.mass_node_count = 1;
  model.rigid_bodies.push_back(body);
  MassNode node;
  node.is_collider = true;
  node.has_mass_api = true;
  node.shape = 0;
  node.authored.density = 2.0F;
  node.authored.center_of_mass = Vector3f(1, 2, 3);
  model.mass_nodes.push_back(node);
  Shape box;
  box.path = "/B";
  box.body = 0;
  box.geometry = CubeShape{{5, 5, 5}};
  model.shapes.push_back(box);
  Joint joint;
  joint.path = "/J";
  joint.break_force = 1000.0F;
  joint.break_torque = kInf;
  joint.kind = RevoluteJoint{.axis = Axis::x,
                             .limit = {true, -90, kInf},
                             .drive = {.enabled = true, .target_position = 90, .stiffness = 2}};
  model.joints.push_back(joint);
  return model;
}

TEST(ToSi, ConvertsLengthsMassesAnglesAndForces) {
  const PhysicsModel si = centimetre_model().to_si();

  EXPECT_NEAR(si.scenes[0].gravity_magnitude, 9.81, 1e-6);
  EXPECT_FLOAT_EQ(si.rigid_bodies[0].pose.position.x(), 1.0F);
  EXPECT_NEAR(si.rigid_bodies[0].angular_velocity.x(), std::numbers::pi, 1e-6);
  EXPECT_FLOAT_EQ(std::get<CubeShape>(si.shapes[0].geometry).half_extents.x(), 0.05F);
  EXPECT_FLOAT_EQ(*si.mass_nodes[0].authored.density, 2000.0F);  // g/cm^3 to kg/m^3
  EXPECT_FLOAT_EQ(si.joints[0].break_force, 0.01F);              // g cm/s^2 to N
  const auto& hinge = std::get<RevoluteJoint>(si.joints[0].kind);
  EXPECT_NEAR(hinge.limit.lower, -std::numbers::pi / 2, 1e-6);
  // g cm^2 / (deg s^2) to N m / rad
  EXPECT_NEAR(hinge.drive.stiffness, 2e-7 * 180.0 / std::numbers::pi, 1e-11);
}

TEST(ToSi, InfiniteValuesStay) {
  const PhysicsModel si = centimetre_model().to_si();

  EXPECT_EQ(si.joints[0].break_torque, kInf);
  EXPECT_EQ(std::get<RevoluteJoint>(si.joints[0].kind).limit.upper, kInf);
}

TEST(ToSi, IsIdempotent) {
  const PhysicsModel once = centimetre_model().to_si();
  const PhysicsModel twice = once.to_si();

  EXPECT_EQ(twice.rigid_bodies[0].angular_velocity, once.rigid_bodies[0].angular_velocity);
  EXPECT_EQ(std::get<RevoluteJoint>(twice.joints[0].kind).drive.stiffness,
            std::get<RevoluteJoint>(once.joints[0].kind).drive.stiffness);
}

TEST(ToSi, CommutesWithMass) {
  const PhysicsModel model = centimetre_model();
  Diagnostics diagnostics;

  const BodyMass stage = body_mass(model, 0, diagnostics);
  const BodyMass si = body_mass(model.to_si(), 0, diagnostics);

  EXPECT_NEAR(stage.mass, 2000.0, 1e-3);
  EXPECT_NEAR(si.mass, 2.0, 1e-6);
  EXPECT_NEAR(si.center_of_mass.z(), 0.03, 1e-8);
  EXPECT_LT((si.diagonal_inertia - stage.diagonal_inertia * 1e-7).norm(), 1e-9);
}

TEST(ToSi, AssumedMassStaysOneStageUnit) {
  PhysicsModel model;
  model.units = units(Axis::y, 0.01, 0.001);
  model.rigid_bodies.emplace_back();
  Diagnostics diagnostics;

  EXPECT_EQ(body_mass(model, 0, diagnostics).mass, 1.0);
  EXPECT_EQ(body_mass(model.to_si(), 0, diagnostics).mass, 0.001);
}

TEST(ToSi, UnusableMetricsAreTheFallbacks) {
  for (const double unit : {0.0, -0.01, double{kInf}, std::nan("")}) {
    PhysicsModel model = centimetre_model();
    model.units.meters_per_unit = unit;
    model.units.kilograms_per_unit = unit;
    model.scenes[0].gravity_magnitude = 9.81F / static_cast<float>(unit);
    const PhysicsModel si = model.to_si();

    EXPECT_FLOAT_EQ(si.rigid_bodies[0].pose.position.x(), 1.0F) << unit;
    EXPECT_FLOAT_EQ(*si.mass_nodes[0].authored.density, 2e6F) << unit;  // kg/cm^3
    EXPECT_NEAR(std::get<RevoluteJoint>(si.joints[0].kind).limit.lower, -std::numbers::pi / 2,
                1e-6);
    EXPECT_TRUE(si.units.radians);
    EXPECT_EQ(si.units.meters_per_unit, 1.0);
    EXPECT_EQ(si.units.kilograms_per_unit, 1.0);
    const float gravity = si.scenes[0].gravity_magnitude;
    if (!(unit > 0.0)) {
      EXPECT_FLOAT_EQ(gravity, 9.81F) << unit;
    } else {
      EXPECT_EQ(gravity, 0.0F) << unit;  // Of an infinite unit.
    }
  }
}

}  // namespace
}  // namespace sinew::physics::units_test
