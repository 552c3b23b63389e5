// SPDX-License-Identifier: Apache-2.0
// Apple's preliminary schemas, which stand in place of the standard ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "physics/read_scene.hpp"
#include "sinew/physics/mass.hpp"
#include "support/codes.hpp"

namespace sinew::physics::apple_dialect_test {
namespace {

using test::asking;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// In centimetres and grams.
PhysicsModel read(const std::string& text, Diagnostics& diagnostics,
                  const ReadOptions& options = asking({Dialect::apple})) {
  return test::read("(metersPerUnit = 0.01\nkilogramsPerUnit = 0.001\nupAxis = \"Y\")\n" + text,
                    diagnostics, Rules::documented, options);
}

std::string prim(const std::string& type, const std::string& name, const std::string& apis,
                 const std::string& content = "") {
  return "def " + type + " \"" + name + "\" (apiSchemas = [" + apis + "]) {\n" + content + "\n}\n";
}

const std::string kBody = "\"Preliminary_PhysicsRigidBodyAPI\"";
const std::string kCollider = "\"Preliminary_PhysicsColliderAPI\"";

TEST(AppleDialect, IsNotReadUnlessAskedFor) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(prim("Cube", "a", kBody + ", " + kCollider) +
                                      "def Preliminary_PhysicsGravitationalForce \"g\" {\n}\n",
                                  diagnostics, asking({Dialect::newton, Dialect::isaac}));
  EXPECT_THAT(model.rigid_bodies, IsEmpty());
  EXPECT_THAT(model.shapes, IsEmpty());
  EXPECT_THAT(model.scenes, IsEmpty());
}

TEST(AppleDialect, BodiesWeighWhatTheySayInKilogramsAndOneIfTheySayNothing) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      prim("Cube", "said", kBody + ", " + kCollider,
           "uniform double preliminary:physics:rigidBody:mass = 3\n"
           "uniform bool preliminary:physics:rigidBody:initiallyActive = false") +
          prim("Cube", "unsaid", kBody + ", " + kCollider) +
          prim("Cube", "standard", kBody + ", " + kCollider + ", \"PhysicsMassAPI\"",
               "float physics:mass = 7\nuniform double preliminary:physics:rigidBody:mass = 3\n"
               "bool physics:startsAsleep = true\n"
               "uniform bool preliminary:physics:rigidBody:initiallyActive = true"),
      diagnostics);
  EXPECT_EQ(test::codes_of(diagnostics), "");
  ASSERT_EQ(model.rigid_bodies.size(), 3U);
  const auto mass = [&](std::int32_t body) { return body_mass(model, body, diagnostics).mass; };
  EXPECT_FLOAT_EQ(static_cast<float>(mass(0)), 3000.0F);
  EXPECT_FLOAT_EQ(static_cast<float>(mass(1)), 1000.0F);
  EXPECT_FLOAT_EQ(static_cast<float>(mass(2)), 7.0F);
  EXPECT_TRUE(model.rigid_bodies[0].starts_asleep);
  EXPECT_FALSE(model.rigid_bodies[1].starts_asleep);
  EXPECT_TRUE(model.rigid_bodies[2].starts_asleep);
  EXPECT_THAT(test::paths(model.shapes), ElementsAre("/said", "/unsaid", "/standard"));
}

// The geometry that is named, which is there to collide only, or all that a prim holds.
TEST(AppleDialect, CollidersHaveTheGeometryThatTheyNameOrTheirOwn) {
  Diagnostics diagnostics;
  const std::string mesh =
      "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]\n"
      "int[] faceVertexCounts = [3, 3, 3, 3]\n"
      "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n";
  const PhysicsModel model =
      read(prim("Xform", "ball", kBody + ", " + kCollider,
                "rel preliminary:physics:collider:convexShape = </ball/guide>\n" +
                    prim("Mesh", "shown", "", mesh) +
                    "def Sphere \"guide\" {\ntoken purpose = \"guide\"\ndouble radius = 4\n}\n") +
               prim("Xform", "group", kBody + ", " + kCollider,
                    "def Capsule \"c\" {\n}\n" + prim("Mesh", "m", "", mesh)) +
               prim("Cube", "lost", kCollider,
                    "rel preliminary:physics:collider:convexShape = </nowhere>\n"),
           diagnostics);
  ASSERT_THAT(test::paths(model.shapes),
              ElementsAre("/ball/guide", "/group/c", "/group/m", "/lost"));
  const auto& sphere = std::get<SphereShape>(test::at(model.shapes, "/ball/guide").geometry);
  EXPECT_EQ(sphere.radius, 4.0F);
  EXPECT_EQ(test::at(model.shapes, "/ball/guide").body_path, "/ball");
  EXPECT_EQ(std::get<MeshShape>(test::at(model.shapes, "/group/m").geometry).approximation,
            "boundingCube");
  EXPECT_EQ(test::at(model.shapes, "/lost").body, kNone);
}

// What two instances share collides in that which has the schema alone.
TEST(AppleDialect, InstancesCollideEachForItself) {
  Diagnostics diagnostics;
  const std::string instance = "instanceable = true\nreferences = </lib>)";
  const PhysicsModel model = read(
      "class \"lib\" {\ndef Cube \"c\" {\n}\n}\n"
      "def Xform \"a\" (apiSchemas = [" +
          kCollider + "]\n" + instance + " {\n}\n" + "def Xform \"b\" (" + instance + " {\n}\n",
      diagnostics);
  EXPECT_THAT(test::paths(model.shapes), ElementsAre("/a/c"));
  EXPECT_EQ(test::codes_of(diagnostics), "");
}

TEST(AppleDialect, MaterialsSayFrictionAndBounceWhereTheStandardDoesNot) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      prim("Material", "rubber", "\"Preliminary_PhysicsMaterialAPI\"",
           "uniform double preliminary:physics:material:restitution = 0.75\n"
           "uniform double preliminary:physics:material:friction:static = 0.5\n"
           "uniform double preliminary:physics:material:friction:dynamic = 0.25") +
          prim("Material", "both", "\"Preliminary_PhysicsMaterialAPI\", \"PhysicsMaterialAPI\"",
               "uniform double preliminary:physics:material:restitution = 0.75\n"
               "float physics:restitution = 0.125") +
          prim("Cube", "a", kCollider + ", \"MaterialBindingAPI\"",
               "rel material:binding = </rubber>"),
      diagnostics);
  EXPECT_EQ(test::codes_of(diagnostics), "");
  const RigidBodyMaterial& rubber = test::at(model.materials, "/rubber");
  EXPECT_EQ(rubber.restitution, 0.75F);
  EXPECT_EQ(rubber.static_friction, 0.5F);
  EXPECT_EQ(rubber.dynamic_friction, 0.25F);
  EXPECT_EQ(test::at(model.materials, "/both").restitution, 0.125F);
  ASSERT_EQ(model.shapes.size(), 1U);
  EXPECT_EQ(model.materials.at(static_cast<std::size_t>(model.shapes[0].bound_material)).path,
            "/rubber");
}

TEST(AppleDialect, GravityIsThatOfAPrimInItsAxesUnlessThereIsAScene) {
  const std::string turned =
      "def Xform \"turned\" {\nfloat xformOp:rotateZ = 30\n"
      "uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n"
      "def Preliminary_PhysicsGravitationalForce \"g\" {\nfloat xformOp:rotateZ = 60\n"
      "uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n"
      "uniform vector3d physics:gravitationalForce:acceleration = (0, -2, 0)\n}\n}\n";
  Diagnostics diagnostics;
  PhysicsModel model = read(turned, diagnostics);
  ASSERT_EQ(model.scenes.size(), 1U);
  EXPECT_EQ(model.scenes[0].path, "/turned/g");
  EXPECT_NEAR(model.scenes[0].gravity_magnitude, 200.0F, 1e-3F);
  EXPECT_LT((model.scenes[0].gravity_direction - Vector3f::UnitX()).norm(), 1e-6F);

  model = read("def Preliminary_PhysicsGravitationalForce \"g\" {\n}\n", diagnostics);
  ASSERT_EQ(model.scenes.size(), 1U);
  EXPECT_NEAR(model.scenes[0].gravity_magnitude, 981.0F, 1e-2F);
  EXPECT_LT((model.scenes[0].gravity_direction + Vector3f::UnitY()).norm(), 1e-6F);

  model = read(turned + "def PhysicsScene \"s\" {\n}\n", diagnostics);
  EXPECT_THAT(test::paths(model.scenes), ElementsAre("/s"));
  EXPECT_EQ(test::codes_of(diagnostics), "");
}

TEST(AppleDialect, PlanesStandWhereTheySayAcrossTheirNormal) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Preliminary_InfiniteColliderPlane", "p", kCollider,
                "point3d position = (1, 2, 3)\nvector3d normal = (0, 3, 4)\n"
                "double3 xformOp:translate = (0, 10, 0)\nfloat3 xformOp:scale = (2, 2, 2)\n"
                "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:scale\"]\n"),
           diagnostics);
  EXPECT_EQ(test::codes_of(diagnostics), "");
  ASSERT_EQ(model.shapes.size(), 1U);
  const Shape& plane = model.shapes[0];
  EXPECT_EQ(std::get<PlaneShape>(plane.geometry).axis, Axis::z);
  EXPECT_LT((plane.local_pose.position - Vector3f(2, 14, 6)).norm(), 1e-5F);
  const Vector3f normal = plane.local_pose.rotation * Vector3f::UnitZ();
  EXPECT_LT((normal - Vector3f(0.0F, 0.6F, 0.8F)).norm(), 1e-6F);
}

// What is no vector of numbers says nothing.
TEST(AppleDialect, VectorsThatAreNoneAreThoseOfTheSchema) {
  for (const char* value :
       {"uniform vector3d V = (0, nan, 0)", "uniform vector3d V = (inf, 0, 0)",
        "uniform string V = \"down\"", "uniform vector3d V", "uniform vector3d V = None"}) {
    const auto said = [&](const char* name) {
      std::string text = value;
      return text.replace(text.find('V'), 1, name) + "\n";
    };
    Diagnostics diagnostics;
    const PhysicsModel model = read("def Preliminary_PhysicsGravitationalForce \"g\" {\n" +
                                        said("physics:gravitationalForce:acceleration") + "}\n" +
                                        prim("Preliminary_InfiniteColliderPlane", "p", kCollider,
                                             said("normal") + said("position")),
                                    diagnostics);
    ASSERT_EQ(model.scenes.size(), 1U) << value;
    EXPECT_NEAR(model.scenes[0].gravity_magnitude, 981.0F, 1e-2F) << value;
    EXPECT_LT((model.scenes[0].gravity_direction + Vector3f::UnitY()).norm(), 1e-6F) << value;
    ASSERT_EQ(model.shapes.size(), 1U) << value;
    const Pose& pose = model.shapes[0].local_pose;
    EXPECT_EQ(pose.position, Vector3f(Vector3f::Zero())) << value;
    EXPECT_LT((pose.rotation * Vector3f::UnitZ() - Vector3f::UnitY()).norm(), 1e-6F) << value;
  }
  // A normal of no length is none, either.
  Diagnostics diagnostics;
  const PhysicsModel model = read(prim("Preliminary_InfiniteColliderPlane", "p", kCollider,
                                       "uniform vector3d normal = (0, 0, 0)"),
                                  diagnostics);
  const Quatf turn = model.shapes.at(0).local_pose.rotation;
  EXPECT_LT((turn * Vector3f::UnitZ() - Vector3f::UnitY()).norm(), 1e-6F);
}

TEST(AppleDialect, AStandardDensityWinsAsAStandardMassDoes) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Cube", "a", kBody + ", " + kCollider + ", \"PhysicsMassAPI\"",
                "double size = 10\nfloat physics:density = 2\n"
                "uniform double preliminary:physics:rigidBody:mass = 3"),
           diagnostics);
  EXPECT_NEAR(body_mass(model, 0, diagnostics).mass, 2000.0, 1e-2);
}

TEST(AppleDialect, FiguresOfMaterialsAreNumbers) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Material", "m", "\"Preliminary_PhysicsMaterialAPI\"",
                "uniform double preliminary:physics:material:restitution = inf\n"
                "uniform double preliminary:physics:material:friction:static = nan\n"
                "uniform double preliminary:physics:material:friction:dynamic = 0.25"),
           diagnostics);
  ASSERT_EQ(model.materials.size(), 1U);
  EXPECT_EQ(model.materials[0].restitution, 0.0F);
  EXPECT_EQ(model.materials[0].static_friction, 0.0F);
  EXPECT_EQ(model.materials[0].dynamic_friction, 0.25F);
}

// Of the shapes that a collider names the first that is there counts, and a plane without the
// schema is none.
TEST(AppleDialect, TheFirstGeometryThatIsThereCollides) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Xform", "x", kCollider,
                "rel preliminary:physics:collider:convexShape = [</gone>, </x/a>, </x/b>]\n"
                "def Sphere \"a\" {\n}\ndef Sphere \"b\" {\n}\n") +
               "def Preliminary_InfiniteColliderPlane \"p\" {\n}\n" +
               prim("Preliminary_InfiniteColliderPlane", "q", "\"PhysicsCollisionAPI\""),
           diagnostics);
  EXPECT_THAT(test::paths(model.shapes), ElementsAre("/x/a"));
}

}  // namespace
}  // namespace sinew::physics::apple_dialect_test
