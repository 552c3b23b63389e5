// SPDX-License-Identifier: Apache-2.0
// Parts for engines that hold bodies together by constraints.
#include "sinew/physics/engine_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include "physics/read_scene.hpp"
#include "sinew/physics/lookup.hpp"

namespace sinew::physics::engine_parts_test {
namespace {

using test::read;
using ::testing::ElementsAre;

// A body of each kind, colliders of each, and one that belongs to none.
const char* const kParts = R"(
def Xform "Moving" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
  float physics:mass = 3
  vector3f physics:velocity = (2, 0, 0)
  vector3f physics:angularVelocity = (90, 0, 0)
  double3 xformOp:rotateXYZ = (0, 0, 90)
  uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
  def Sphere "on" (apiSchemas = ["PhysicsCollisionAPI"]) {}
  def Sphere "off" (apiSchemas = ["PhysicsCollisionAPI"]) { bool physics:collisionEnabled = 0
  }
}
def Sphere "Kinematic" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  bool physics:kinematicEnabled = 1
  vector3f physics:velocity = (0, 5, 0)
}
def Sphere "Disabled" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  bool physics:rigidBodyEnabled = 0
}
def Sphere "Weightless" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
    "PhysicsMassAPI"]) {
  float physics:mass = 1
}
def Sphere "Ground" (apiSchemas = ["PhysicsCollisionAPI"]) {}
)";

TEST(EngineParts, BodiesAreTheWorldAndThenThoseOfTheModel) {
  PhysicsModel model = read(kParts, Rules::documented).to_si();
  const Lookup lookup(model);
  Diagnostics diagnostics;
  std::vector<BodyMass> masses = body_masses(model, diagnostics);
  masses[static_cast<std::size_t>(lookup.body("/Weightless"))].mass = 0.0;

  const std::vector<EngineBody> bodies = engine_bodies(model, masses);

  ASSERT_EQ(bodies.size(), 5U);
  const auto of = [&](const char* path) {
    return bodies[static_cast<std::size_t>(lookup.body(path) + 1)];
  };
  EXPECT_EQ(bodies[0].body, kNone);
  EXPECT_FALSE(bodies[0].moves);
  EXPECT_THAT(bodies[0].colliders, ElementsAre(lookup.shape("/Ground")));
  const EngineBody moving = of("/Moving");
  EXPECT_EQ(moving.body, lookup.body("/Moving"));
  EXPECT_TRUE(moving.moves);
  EXPECT_EQ(moving.mass.mass, 3.0);
  EXPECT_TRUE(moving.mass.usable);
  EXPECT_THAT(moving.colliders, ElementsAre(lookup.shape("/Moving/on")));
  EXPECT_LT((moving.velocity - Vector3f(0, 0.02F, 0)).norm(), 1e-6F);
  EXPECT_LT((moving.angular_velocity - Vector3f(0, std::numbers::pi_v<float> / 2, 0)).norm(),
            1e-6F);
  for (const char* still : {"/Kinematic", "/Disabled", "/Weightless"}) {
    EXPECT_FALSE(of(still).moves) << still;
    EXPECT_EQ(of(still).mass.mass, 0.0) << still;
    EXPECT_EQ(of(still).mass.moments, Vector3d(Vector3d::Zero())) << still;
    EXPECT_THAT(of(still).colliders, ElementsAre(lookup.shape(still)));
  }
  for (const EngineBody& body : engine_bodies(model, {})) EXPECT_FALSE(body.moves);
}

TEST(EngineParts, BodiesHaveTheMaterialOfTheirFirstColliderThatIsBound) {
  const PhysicsModel model = read(R"(#usda 1.0
def Material "Rough" (apiSchemas = ["PhysicsMaterialAPI"]) {
  float physics:staticFriction = 0.9
  float physics:dynamicFriction = 0.75
  float physics:restitution = 1.5
}
def Material "Odd" (apiSchemas = ["PhysicsMaterialAPI"]) {
  float physics:dynamicFriction = -1
  float physics:restitution = -1
}
def Xform "Body" (apiSchemas = ["PhysicsRigidBodyAPI"]) {
  def Sphere "Unbound" (apiSchemas = ["PhysicsCollisionAPI"]) {}
  def Sphere "Off" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    bool physics:collisionEnabled = 0
    rel material:binding:physics = </Odd>
  }
  def Sphere "First" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </Rough>
  }
  def Sphere "Second" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </Odd>
  }
}
def Sphere "Ground" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
  rel material:binding:physics = </Odd>
}
def Sphere "Plain" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
)",
                                  Rules::documented);
  const std::vector<EngineBody> bodies = engine_bodies(model, {});
  const Lookup lookup(model);
  const EngineBody& body = bodies[static_cast<std::size_t>(lookup.body("/Body") + 1)];
  EXPECT_EQ(body.friction, 0.75F);
  EXPECT_EQ(body.restitution, 1.0F);
  EXPECT_EQ(bodies[0].friction, 0.0F);
  EXPECT_EQ(bodies[0].restitution, 0.0F);
  const EngineBody& plain = bodies[static_cast<std::size_t>(lookup.body("/Plain") + 1)];
  EXPECT_EQ(plain.friction, std::nullopt);
  EXPECT_EQ(plain.restitution, std::nullopt);
}

TEST(EngineParts, JointsAreThoseThatHoldTwoThings) {
  const PhysicsModel model = read(std::string(kParts) + R"(
def PhysicsRevoluteJoint "Good" {
  rel physics:body0 = </Moving>
  rel physics:body1 = </Kinematic>
  uniform token physics:axis = "Z"
  point3f physics:localPos0 = (100, 0, 0)
}
def PhysicsFixedJoint "Off" {
  rel physics:body0 = </Moving>
  bool physics:jointEnabled = 0
}
def PhysicsFixedJoint "Own" {
  rel physics:body0 = </Moving>
  rel physics:body1 = </Moving>
}
def PhysicsFixedJoint "World" {
  rel physics:body1 = </Moving>
}
)",
                                  Rules::documented)
                                 .to_si();
  const Lookup lookup(model);

  const std::vector<EngineJoint> joints = engine_joints(model);

  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[0].joint, lookup.joint("/Good"));
  EXPECT_EQ(joints[0].bodies[0], static_cast<std::size_t>(lookup.body("/Moving") + 1));
  EXPECT_EQ(joints[0].bodies[1], static_cast<std::size_t>(lookup.body("/Kinematic") + 1));
  EXPECT_EQ(joints[0].form.dof(JointDof::rot_x).state, DofState::free);
  // The body is turned: 1 m along its x is 1 m along y.
  EXPECT_LT((joints[0].world[0].position - Vector3f(0, 1, 0)).norm(), 1e-6F);
  // What turned about Z turns about X.
  EXPECT_LT((joints[0].world[0].rotation * Vector3f::UnitX() - Vector3f::UnitZ()).norm(), 1e-6F);
  EXPECT_LT((joints[0].world[1].rotation * Vector3f::UnitX() - Vector3f::UnitZ()).norm(), 1e-6F);
  EXPECT_EQ(joints[1].joint, lookup.joint("/World"));
  EXPECT_EQ(joints[1].bodies[0], 0U);
}

TEST(EngineParts, CollidersThatAreNotUsableAreLeftOut) {
  PhysicsModel model;
  model.rigid_bodies.emplace_back().path = "/b";
  for (const std::int32_t body : {0, 0, 0, 5, kNone}) model.shapes.emplace_back().body = body;
  model.shapes[0].is_valid = false;
  model.shapes[1].collision_enabled = false;

  std::vector<BodyMass> masses(3);
  masses[0].body = 7;  // Of no body.
  masses[0].mass = 9.0;
  masses[1].body = kNone;
  masses[2].body = 0;
  masses[2].mass = 2.0;
  masses[2].diagonal_inertia = {1, 1, 1};
  const std::vector<EngineBody> bodies = engine_bodies(model, masses);

  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_THAT(bodies[1].colliders, ElementsAre(2));
  EXPECT_THAT(bodies[0].colliders, ElementsAre(3, 4));  // Of a body that is none: the world's.
  EXPECT_EQ(bodies[1].mass.mass, 2.0);
  EXPECT_TRUE(bodies[1].moves);
  EXPECT_EQ(bodies[0].mass.mass, 0.0);
}

}  // namespace
}  // namespace sinew::physics::engine_parts_test
