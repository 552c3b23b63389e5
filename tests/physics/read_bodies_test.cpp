// SPDX-License-Identifier: Apache-2.0
// Scenes, bodies and what belongs to them, as read from text. Comments name the items of the
// conformance checklist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/read_scene.hpp"
#include "sinew/physics/mass.hpp"
#include "support/codes.hpp"

namespace sinew::physics::read_bodies_test {
namespace {

using test::at;
using test::paths;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The gravity of a scene with these attributes, as direction times magnitude.
Scene scene(const std::string& metadata, const std::string& attributes) {
  const PhysicsModel model =
      read(metadata + "\ndef PhysicsScene \"physicsScene\" {\n" + attributes + "\n}\n");
  EXPECT_THAT(paths(model.scenes), ElementsAre("/physicsScene"));
  return model.scenes.at(0);
}

TEST(ReadBodies, EmptySceneHasEarthGravity) {  // physics P1
  EXPECT_EQ(scene("", "").gravity_direction, Vector3f(0, -1, 0));
  EXPECT_NEAR(scene("", "").gravity_magnitude, 981.0F, 1e-2F);
  EXPECT_EQ(scene("(upAxis = \"Z\")", "").gravity_direction, Vector3f(0, 0, -1));
  EXPECT_NEAR(scene("(upAxis = \"Z\")", "").gravity_magnitude, 981.0F, 1e-2F);
}

TEST(ReadBodies, GravityIsResolved) {  // physics 12.7, 2.3
  const Scene tilted = scene("", "vector3f physics:gravityDirection = (0, 3, 4)");
  EXPECT_TRUE(tilted.gravity_direction.isApprox(Vector3f(0, 0.6F, 0.8F), 1e-6F));
  const auto magnitude = [](const std::string& metadata, const std::string& value) {
    return scene(metadata, "float physics:gravityMagnitude = " + value).gravity_magnitude;
  };
  EXPECT_EQ(magnitude("", "-5"), -5.0F);
  EXPECT_EQ(magnitude("", "0"), 0.0F);
  EXPECT_TRUE(std::isnan(magnitude("", "nan")));
  EXPECT_NEAR(magnitude("(metersPerUnit = 0.5)", "-1e38"), 19.62F, 1e-5F);
}

TEST(ReadBodies, PoseAndVelocitiesAreAsAuthored) {  // physics P4
  const PhysicsModel model = read(prim("Xform", "b", "RigidBody",
                                       test::transform("(100, 20, 10)", "(0, 0, 45)", "(3, 3, 3)") +
                                           "vector3f physics:velocity = (20, 10, 5)\n"
                                           "vector3f physics:angularVelocity = (10, 1, 2)\n"));
  ASSERT_THAT(paths(model.rigid_bodies), ElementsAre("/b"));
  const RigidBody& body = model.rigid_bodies[0];
  EXPECT_TRUE(body.pose.position.isApprox(Vector3f(100, 20, 10), 1e-6F));
  EXPECT_NEAR(body.pose.rotation.z(), std::sin(std::acos(-1.0) / 8.0), 1e-6);
  EXPECT_TRUE(body.scale.isApprox(Vector3f(3, 3, 3), 1e-6F));
  EXPECT_EQ(body.linear_velocity, Vector3f(20, 10, 5));
  EXPECT_EQ(body.angular_velocity, Vector3f(10, 1, 2));
  EXPECT_TRUE(body.is_valid && body.rigid_body_enabled);
  EXPECT_FALSE(body.kinematic_body || body.starts_asleep);
  EXPECT_TRUE(body.shape_paths.empty() && body.filtered_collision_paths.empty() &&
              body.simulation_owner_paths.empty());
}

TEST(ReadBodies, KinematicBodiesAreEnabled) {  // physics P5
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody", "bool physics:kinematicEnabled = true"));
  EXPECT_TRUE(model.rigid_bodies.at(0).rigid_body_enabled);
  EXPECT_TRUE(model.rigid_bodies.at(0).kinematic_body);
}

TEST(ReadBodies, ChildColliderBelongsToTheBody) {  // physics P6
  const PhysicsModel model = read(prim(
      "Xform", "b", "RigidBody",
      test::transform("(100, 0, 0)", "(0, 0, 0)", "(3, 3, 3)") + prim("Cube", "c", "Collision")));
  EXPECT_THAT(model.rigid_bodies.at(0).shape_paths, ElementsAre("/b/c"));
  EXPECT_THAT(model.rigid_bodies.at(0).shapes, ElementsAre(0));
  const Shape& cube = model.shapes.at(0);
  EXPECT_EQ(cube.body_path, "/b");
  EXPECT_EQ(cube.body, 0);
  EXPECT_TRUE(cube.local_pose.position.isZero());
  EXPECT_TRUE(cube.local_pose.rotation.vec().isZero());
  EXPECT_TRUE(cube.local_scale.isApprox(Vector3f(1, 1, 1), 1e-6F));
}

TEST(ReadBodies, FilteredPairsOfBodiesAndShapes) {  // physics P8
  const PhysicsModel model =
      read(prim("Xform", "rigidBody0", "RigidBody", prim("Cube", "cube0", "Collision")) +
           prim("Xform", "rigidBody1", "RigidBody FilteredPairs",
                "rel physics:filteredPairs = </rigidBody0>\n" +
                    prim("Cube", "cube1", "Collision FilteredPairs",
                         "rel physics:filteredPairs = </rigidBody0/cube0>")));
  EXPECT_EQ(model.rigid_bodies.size(), 2u);
  EXPECT_EQ(model.shapes.size(), 2u);
  EXPECT_THAT(at(model.rigid_bodies, "/rigidBody1").filtered_collision_paths,
              ElementsAre("/rigidBody0"));
  EXPECT_THAT(at(model.shapes, "/rigidBody1/cube1").filtered_collision_paths,
              ElementsAre("/rigidBody0/cube0"));
  EXPECT_THAT(at(model.rigid_bodies, "/rigidBody0").filtered_collision_paths, IsEmpty());
}

TEST(ReadBodies, CollidersOfDisabledBodiesStayTheirs) {  // physics 12.7, 5.3
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody",
                "bool physics:rigidBodyEnabled = false\n" + prim("Cube", "c", "Collision")));
  EXPECT_FALSE(model.rigid_bodies.at(0).rigid_body_enabled);
  EXPECT_EQ(model.shapes.at(0).body_path, "/b");
}

TEST(ReadBodies, ResettingTheTransformDoesNotLeaveTheBody) {  // physics 12.7, 5.3
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody",
                test::transform("(5, 0, 0)", "(0, 0, 0)", "(1, 1, 1)") +
                    prim("Cube", "c", "Collision",
                         "uniform token[] xformOpOrder = [\"!resetXformStack!\"]")));
  EXPECT_EQ(model.shapes.at(0).body_path, "/b");
  EXPECT_TRUE(model.shapes.at(0).local_pose.position.isApprox(Vector3f(-5, 0, 0), 1e-6F));
}

TEST(ReadBodies, CollisionsAreListedByTypeAndPath) {  // physics 12.7, 5.1
  const PhysicsModel model =
      read(prim("Cube", "body", "RigidBody Collision",
                prim("Mesh", "a", "Collision") + prim("Sphere", "z", "Collision") +
                    prim("Sphere", "s", "Collision") + prim("Capsule", "c", "Collision")));
  EXPECT_THAT(model.rigid_bodies.at(0).shape_paths,
              ElementsAre("/body/s", "/body/z", "/body", "/body/c", "/body/a"));
  EXPECT_THAT(paths(model.shapes),
              ElementsAre("/body", "/body/a", "/body/z", "/body/s", "/body/c"));
}

TEST(ReadBodies, BodyOutsideTheIncludedPathsIsUnknown) {  // physics 5.3
  const std::string text =
      prim("Xform", "b", "RigidBody",
           test::transform("(5, 0, 0)", "(0, 0, 0)", "(1, 1, 1)") + prim("Cube", "c", "Collision"));
  ReadOptions options;
  options.include_paths = {"/b/c"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  EXPECT_TRUE(model.rigid_bodies.empty());
  EXPECT_EQ(model.shapes.at(0).body, kNone);
  EXPECT_TRUE(model.shapes[0].local_pose.position.isApprox(Vector3f(5, 0, 0), 1e-6F));
}

TEST(ReadBodies, NestedBodiesAreIndependent) {  // physics 5.2
  const std::string text = prim("Xform", "o", "RigidBody",
                                prim("Xform", "i", "RigidBody", prim("Cube", "c", "Collision")));
  const PhysicsModel model = read(text);
  EXPECT_THAT(paths(model.rigid_bodies), ElementsAre("/o", "/o/i"));
  EXPECT_EQ(model.shapes.at(0).body_path, "/o/i");
  // decisions 1: not so under documented rules, unless the outer is disabled.
  EXPECT_THAT(paths(read(text, Rules::documented).rigid_bodies), ElementsAre("/o"));
  const std::string disabled =
      prim("Xform", "o", "RigidBody",
           "bool physics:rigidBodyEnabled = false\n" + prim("Xform", "i", "RigidBody"));
  EXPECT_THAT(paths(read(disabled, Rules::documented).rigid_bodies), ElementsAre("/o", "/o/i"));
}

TEST(ReadBodies, SkipsWhatIsInactiveAbstractOrUndefined) {  // physics 0.3
  const std::string body = prim("Xform", "b", "RigidBody");
  EXPECT_TRUE(read("over \"o\" {\n" + body + "}\nclass \"c\" {\n" + body +
                   "}\ndef \"i\" (active = false) {\n" + body + "}\n")
                  .rigid_bodies.empty());
}

TEST(ReadBodies, SkipsWhatIsInactiveAbstractOrUndefinedThoughItIsNamed) {  // physics 0.3
  const std::string body = prim("Xform", "b", "RigidBody");
  const std::string text =
      body + "over \"o\" {\n" + body + "}\nclass \"c\" {\n" + body +
      "}\ndef \"i\" (active = false; apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" + body +
      "}\nover \"own\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n";
  ReadOptions options;
  options.include_paths = {"/o", "/o/b", "/c", "/c/b", "/i", "/i/b", "/own", "/b"};
  EXPECT_THAT(paths(read(text, Rules::openusd, options).rigid_bodies), ElementsAre("/b"));
  options.include_paths = {"/"};
  EXPECT_THAT(paths(read(text, Rules::openusd, options).rigid_bodies), ElementsAre("/b"));
}

TEST(ReadBodies, PrunesPointInstancers) {  // physics 3.2
  const std::string text =
      "def PointInstancer \"p\" {\n" + prim("Cube", "proto", "RigidBody Collision") + "}\n" +
      "def MyInstancer \"q\" {\n" + prim("Cube", "proto", "RigidBody Collision") + "}\n";
  EXPECT_THAT(paths(read(text).rigid_bodies), ElementsAre("/q/proto"));
  ReadOptions options;
  options.instancer_tokens = {"MyInstancer"};
  EXPECT_TRUE(read(text, Rules::openusd, options).rigid_bodies.empty());
  options.include_paths = {"/p/proto"};
  EXPECT_THAT(paths(read(text, Rules::openusd, options).shapes), ElementsAre("/p/proto"));
}

TEST(ReadBodies, MaterialBeforeOtherSchemasIsAMaterialOnly) {  // physics 12.7, 3.3
  const PhysicsModel first = read(prim("Cube", "c", "Material Collision"));
  EXPECT_THAT(paths(first.materials), ElementsAre("/c"));
  EXPECT_TRUE(first.shapes.empty());
  const PhysicsModel last = read(prim("Cube", "c", "Collision Material"));
  EXPECT_TRUE(last.materials.empty());
  EXPECT_THAT(paths(last.shapes), ElementsAre("/c"));
  EXPECT_THAT(paths(read(prim("Xform", "x", "Material")).materials), ElementsAre("/x"));
}

TEST(ReadBodies, TakesTheOldNameOfTheVelocityUnderDocumentedRulesAlone) {
  const auto velocity = [](const std::string& text, Rules rules, std::string& codes) {
    Diagnostics diagnostics;
    const PhysicsModel model = read(prim("Xform", "b", "RigidBody", text), diagnostics, rules);
    codes = test::codes_of(diagnostics);
    return model.rigid_bodies.at(0).linear_velocity;
  };
  const std::string old = "vector3f physics:linearVelocity = (1, 2, 3)\n";
  std::string codes;
  EXPECT_EQ(velocity(old, Rules::documented, codes), Vector3f(1, 2, 3));
  EXPECT_EQ(codes, "physics-legacy-spelling /b;");
  EXPECT_EQ(velocity(old, Rules::openusd, codes), Vector3f(0, 0, 0));
  EXPECT_EQ(codes, "");
  EXPECT_EQ(velocity(old + "vector3f physics:velocity = (4, 5, 6)\n", Rules::documented, codes),
            Vector3f(4, 5, 6));
  EXPECT_EQ(codes, "");
}

// --- Mass as read from text

constexpr const char* kMetric = "(metersPerUnit = 1)\n";

BodyMass mass_of_first(const std::string& text) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(kMetric + text, diagnostics);
  return body_mass(model, 0, diagnostics);
}

TEST(ReadBodies, InstancedCollidersWeigh) {  // physics R21
  const BodyMass result = mass_of_first(
      "class Xform \"source\" {\n" + prim("Cube", "c", "Collision", "double size = 1") + "}\n" +
      prim("Xform", "b", "RigidBody Mass",
           "float physics:density = 1000\n"
           "def \"i\" (instanceable = true; references = </source>) {}\n"));
  EXPECT_NEAR(result.mass, 1000.0, 1e-2);
  EXPECT_NEAR(result.diagonal_inertia.x(), 166.667, 1e-2);
  EXPECT_TRUE(result.center_of_mass.isZero(1e-6));
}

TEST(ReadBodies, MaterialBoundOnTheBodyGivesItsDensity) {  // physics R34
  const BodyMass result = mass_of_first(
      "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) { float physics:density = 7; "
      "}\n" +
      prim("Xform", "b", "RigidBody",
           "rel material:binding:physics = </m>\n" +
               prim("Cube", "c", "Collision", "double size = 1")));
  EXPECT_NEAR(result.mass, 7.0, 1e-5);
}

// A chain as converters of robot formats write it: each body inside the one that holds it.
TEST(ReadBodies, NestedBodiesAreKeptOrIgnoredAsTheOptionSays) {
  const std::string text =
      prim("Xform", "a", "RigidBody",
           prim("Sphere", "s", "Collision") +
               prim("Xform", "b", "RigidBody",
                    test::transform("(1, 2, 3)", "(0, 0, 90)", "(1, 1, 1)") +
                        prim("Cube", "c", "Collision")) +
               "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </a>\nrel physics:body1 = "
               "</a/b>\n}\n");
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    for (const NestedBodies nested :
         {NestedBodies::by_rules, NestedBodies::keep, NestedBodies::ignore}) {
      ReadOptions options;
      options.nested_bodies = nested;
      Diagnostics diagnostics;
      const PhysicsModel model = read(text, diagnostics, rules, options);
      const bool kept = nested == NestedBodies::keep ||
                        (nested == NestedBodies::by_rules && rules == Rules::openusd);
      ASSERT_EQ(model.rigid_bodies.size(), kept ? 2U : 1U);
      EXPECT_EQ(at(model.shapes, "/a/b/c").body_path, kept ? "/a/b" : "/a");
      EXPECT_EQ(at(model.joints, "/a/j").ends[1].body_path, kept ? "/a/b" : "/a");
      EXPECT_EQ(::sinew::count(diagnostics, Severity::error), kept ? 0U : 1U);
      if (!kept) {
        EXPECT_NE(diagnostics.front().hint.find("NestedBodies::keep"), std::string::npos);
      }
    }
  }
}

// --- Both sides of every condition

TEST(ReadBodies, TakesTheOldGravityUnderDocumentedRulesWhereNothingElseIsSaid) {
  const auto gravity = [](const std::string& attributes, Rules rules, std::string& codes) {
    Diagnostics diagnostics;
    const PhysicsModel model = read(
        "(metersPerUnit = 1\nupAxis = \"Z\")\ndef PhysicsScene \"s\" {\n" + attributes + "\n}\n",
        diagnostics, rules);
    codes = test::codes_of(diagnostics);
    const Scene& scene = model.scenes.at(0);
    return Vector3f(scene.gravity_direction * scene.gravity_magnitude);
  };
  const std::string old = "vector3f gravity = (0, 3, -4)\n";
  const std::string magnitude = "float physics:gravityMagnitude = 2\n";
  const std::string direction = "vector3f physics:gravityDirection = (1, 0, 0)\n";
  const Vector3f down(0, 0, -1);
  std::string codes;
  EXPECT_TRUE(gravity(old, Rules::documented, codes).isApprox(Vector3f(0, 3, -4), 1e-6F));
  EXPECT_EQ(codes, "physics-legacy-spelling /s;");
  // A gravity of no length says nothing.
  EXPECT_TRUE(gravity("vector3f gravity = (0, 0, 0)", Rules::documented, codes)
                  .isApprox(Vector3f(9.81F * down), 1e-6F));
  EXPECT_EQ(codes, "physics-legacy-spelling /s;");
  EXPECT_TRUE(gravity(old + magnitude, Rules::documented, codes).isApprox(Vector3f(2 * down)));
  EXPECT_EQ(codes, "");
  EXPECT_TRUE(
      gravity(old + direction, Rules::documented, codes).isApprox(Vector3f(9.81F, 0, 0), 1e-6F));
  EXPECT_EQ(codes, "");
  EXPECT_TRUE(gravity(old, Rules::openusd, codes).isApprox(Vector3f(9.81F * down), 1e-6F));
  EXPECT_EQ(codes, "");
}

TEST(ReadBodies, ATransformResetAnywhereBetweenFreesANestedBody) {  // decisions 1
  const auto bodies = [](const std::string& between, const std::string& inner) {
    return paths(
        read(prim("Xform", "o", "RigidBody",
                  "def Xform \"m\" {\n" + between + prim("Xform", "i", "RigidBody", inner) + "}\n"),
             Rules::documented)
            .rigid_bodies);
  };
  const std::string reset = "uniform token[] xformOpOrder = [\"!resetXformStack!\"]\n";
  const std::string deeper = prim("Xform", "d", "RigidBody");
  EXPECT_THAT(bodies("", ""), ElementsAre("/o"));
  EXPECT_THAT(bodies(reset, ""), ElementsAre("/o", "/o/m/i"));
  // What is read of the transform of `i` does not undo the reset above it.
  EXPECT_THAT(bodies(reset, test::transform("(1, 0, 0)", "(0, 0, 0)", "(1, 1, 1)")),
              ElementsAre("/o", "/o/m/i"));
  // Below the body that is freed, the reset counts no more.
  EXPECT_THAT(bodies(reset, deeper), ElementsAre("/o", "/o/m/i"));
  EXPECT_THAT(bodies("", reset + deeper), ElementsAre("/o", "/o/m/i"));
}

// What is left out weighs in the body around it, but for what is a body itself.
TEST(ReadBodies, BodiesThatAreLeftOutWeighNothing) {
  const std::string text =
      prim("Xform", "b", "RigidBody",
           "def PointInstancer \"p\" {\n" + prim("Cube", "weighs", "Collision", "double size = 1") +
               prim("Cube", "own", "RigidBody Collision", "double size = 1") +
               prim("Xform", "above", "RigidBody",
                    prim("Cube", "below", "Collision", "double size = 1")) +
               "}\n");
  Diagnostics diagnostics;
  const PhysicsModel model = read(std::string(kMetric) + text, diagnostics);
  EXPECT_THAT(paths(model.rigid_bodies), ElementsAre("/b"));
  EXPECT_THAT(model.shapes, IsEmpty());
  EXPECT_THAT(paths(model.unreported_shapes), ElementsAre("/b/p/weighs"));
  EXPECT_NEAR(body_mass(model, 0, diagnostics).mass, 1000.0, 1e-3);
}

TEST(ReadBodies, WhatIsLeftOutKeepsItsMassInOtherUnits) {
  const std::string text = "(metersPerUnit = 0.01\nkilogramsPerUnit = 1)\n" +
                           prim("Xform", "b", "RigidBody",
                                "def PointInstancer \"p\" {\n" +
                                    prim("Cube", "c", "Collision", "double size = 200") + "}\n");
  Diagnostics diagnostics;
  const PhysicsModel model = read(text, diagnostics);
  EXPECT_NEAR(body_mass(model, 0, diagnostics).mass, 8000.0, 1e-2);
  EXPECT_NEAR(body_mass(model.to_si(), 0, diagnostics).mass, 8000.0, 1e-2);
}

TEST(ReadBodies, AMaterialThatIsLeftOutIsBoundByItsPathAlone) {
  ReadOptions options;
  options.exclude_paths = {"/out"};
  const auto material = [](const std::string& name) {
    return prim("Material", name, "Material", "float physics:density = 7");
  };
  const auto cube = [](const std::string& name, const std::string& bound) {
    return "def Cube \"" + name +
           "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MaterialBindingAPI\"]) {\n"
           "rel material:binding:physics = </" +
           bound + ">\n}\n";
  };
  const PhysicsModel model =
      read(material("out") + material("in") + cube("a", "out") + cube("b", "in"), Rules::openusd,
           options);
  ASSERT_THAT(paths(model.materials), ElementsAre("/in"));
  const Shape& out = at(model.shapes, "/a");
  EXPECT_EQ(out.bound_material_path, "/out");
  EXPECT_EQ(out.bound_material_density, 7.0F);
  EXPECT_EQ(out.bound_material, kNone);
  EXPECT_THAT(out.materials, ElementsAre(kNone));
  EXPECT_EQ(at(model.shapes, "/b").bound_material, 0);
}

// A schema of the application may include what this library does not know.
TEST(ReadBodies, SchemasThatIncludeUnknownOnesMeanNothingMore) {
  ReadOptions options;
  options.api_schemas = {{"AcmeAPI", {"PhysicsNothingAPI", "PhysicsRigidBodyAPI"}}};
  const PhysicsModel model =
      read("def Sphere \"s\" (apiSchemas = [\"AcmeAPI\", \"PhysicsCollisionAPI\"]) {}\n",
           Rules::openusd, options);
  EXPECT_THAT(paths(model.rigid_bodies), ElementsAre("/s"));
  EXPECT_THAT(paths(model.shapes), ElementsAre("/s"));
  EXPECT_THAT(model.sites, IsEmpty());
}

TEST(ReadBodies, MaterialsBoundAboveTheIncludedPathsCount) {
  const std::string text = prim("Material", "m", "Material") +
                           "def Xform \"p\" (apiSchemas = [\"MaterialBindingAPI\"]) {\n"
                           "rel material:binding:physics = </m>\n" +
                           prim("Cube", "c", "Collision") + "}\n";
  ReadOptions options;
  options.include_paths = {"/p/c", "/m"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  EXPECT_EQ(at(model.shapes, "/p/c").bound_material_path, "/m");
  EXPECT_EQ(at(model.shapes, "/p/c").bound_material, 0);
}

}  // namespace
}  // namespace sinew::physics::read_bodies_test
