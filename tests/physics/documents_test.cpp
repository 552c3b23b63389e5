// SPDX-License-Identifier: Apache-2.0
// Scenes with the figures of the examples in the documents that introduced UsdPhysics: centimetres,
// z up. physics 12.6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "physics/read_scene.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::physics::documents_test {
namespace {

using test::at;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string world(const std::string& content) {
  return "(metersPerUnit = 0.01; kilogramsPerUnit = 1; upAxis = \"Z\")\ndef Xform \"World\" {\n"
         "def PhysicsScene \"scene\" {}\n" +
         content + "}\n";
}

std::string moved(const std::string& to) {
  return "double3 xformOp:translate = " + to +
         "\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
}

const std::string kQuad =
    "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]\n"
    "uniform token subdivisionScheme = \"none\"\n"
    "point3f[] points = [(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)]\n" +
    test::scaled("(750, 750, 750)");

void expect_gravity(const PhysicsModel& model) {
  ASSERT_EQ(model.scenes.size(), 1u);
  EXPECT_EQ(model.scenes[0].gravity_direction, Vector3f(0, 0, -1));
  EXPECT_NEAR(model.scenes[0].gravity_magnitude, 981.0F, 1e-2F);
}

TEST(Documents, BoxOnQuad) {  // physics 12.6, R35
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(world(prim("Cube", "Box", "Collision RigidBody Mass",
                      "float physics:mass = 10\npoint3f physics:centerOfMass = (40, 40, 40)\n"
                      "double size = 25\n" +
                          moved("(0, 0, 500)")) +
                 prim("Mesh", "Ground", "Collision MeshCollision",
                      "uniform token physics:approximation = \"convexHull\"\n"
                      "uniform bool doubleSided = 1\n" +
                          kQuad)),
           diagnostics);
  expect_gravity(model);
  EXPECT_EQ(std::get<CubeShape>(at(model.shapes, "/World/Box").geometry).half_extents,
            Vector3f(12.5F, 12.5F, 12.5F));
  const auto& mesh = std::get<MeshShape>(at(model.shapes, "/World/Ground").geometry);
  EXPECT_EQ(mesh.approximation, "convexHull");
  EXPECT_EQ(mesh.mesh_scale, Vector3f(750, 750, 750));
  EXPECT_TRUE(mesh.double_sided);
  const BodyMass result = body_mass(model, 0, diagnostics);
  EXPECT_EQ(result.mass, 10.0);
  EXPECT_TRUE(result.center_of_mass.isApprox(Vector3d(40, 40, 40)));
  Vector3d sorted = result.diagonal_inertia;
  std::sort(sorted.data(), sorted.data() + 3);
  EXPECT_NEAR(sorted[0], 1041.667, 1e-2);
  EXPECT_NEAR(sorted[1], 49041.67, 1e-2);
  EXPECT_NEAR(sorted[2], 49041.67, 1e-2);
}

std::string ball(const std::string& name, const std::string& material) {
  return prim(
      "Sphere", name, "Collision RigidBody",
      "rel material:binding:physics = </World/" + material + ">\n" + test::scaled("(25, 25, 25)"));
}

const std::string kSpheres =
    world(ball("Regular", "Dull") + ball("Bouncy", "Springy") +
          prim("Material", "Dull", "Material",
               "double physics:density = 10\nfloat physics:restitution = 0.1") +
          prim("Material", "Springy", "Material",
               "double physics:density = 10\nfloat physics:restitution = 0.8") +
          prim("Mesh", "Ground", "Collision", kQuad));

TEST(Documents, SpheresWithMaterialsByOpenUsd) {  // physics 12.6
  Diagnostics diagnostics;
  const PhysicsModel model = read(kSpheres, diagnostics);
  expect_gravity(model);
  ASSERT_EQ(model.rigid_bodies.size(), 2u);
  for (const char* path : {"/World/Regular", "/World/Bouncy"}) {
    const Shape& shape = at(model.shapes, path);
    EXPECT_FLOAT_EQ(std::get<SphereShape>(shape.geometry).radius, 25.0F);
    EXPECT_EQ(shape.body_path, path);
    EXPECT_THAT(shape.material_paths, IsEmpty());
  }
  EXPECT_EQ(at(model.materials, "/World/Dull").restitution, 0.1F);
  EXPECT_EQ(at(model.materials, "/World/Springy").restitution, 0.8F);
  EXPECT_EQ(at(model.materials, "/World/Dull").density, 0.0F);  // A double where a float belongs.
  const BodyMass result = body_mass(model, 0, diagnostics);
  EXPECT_NEAR(result.mass, 65.4498, 1e-4);
  EXPECT_NEAR(result.diagonal_inertia.x(), 16362.46, 1e-2);
}

TEST(Documents, SpheresWithMaterialsAsMeant) {  // decisions 22
  Diagnostics diagnostics;
  const PhysicsModel model = read(kSpheres, diagnostics, Rules::documented);
  EXPECT_EQ(at(model.materials, "/World/Dull").density, 10.0F);
  EXPECT_THAT(at(model.shapes, "/World/Bouncy").material_paths, ElementsAre("/World/Springy"));
  EXPECT_NEAR(body_mass(model, 0, diagnostics).mass, 654498.5, 1.0);
  EXPECT_EQ(std::count_if(diagnostics.begin(), diagnostics.end(),
                          [](const Diagnostic& d) { return d.code == "physics-attribute-type"; }),
            2);
}

std::string box(const std::string& name, const std::string& apis, const std::string& content) {
  return prim("Cube", name, apis, "double size = 25\n" + content);
}

const std::string kGround = prim("Cube", "Ground", "Collision", test::scaled("(750, 750, 10)"));

TEST(Documents, GroupFiltering) {  // physics 12.6
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(world(box("Box1", "Collision RigidBody", "") + box("Box2", "Collision RigidBody", "") +
                 "def PhysicsCollisionGroup \"DynamicGroup\" {\n"
                 "prepend rel collection:colliders:includes = [</World/Box1>, </World/Box2>]\n"
                 "prepend rel physics:filteredGroups = </World/DynamicGroup>\n}\n" +
                 kGround),
           diagnostics);
  expect_gravity(model);
  EXPECT_THAT(at(model.shapes, "/World/Box1").collision_group_paths,
              ElementsAre("/World/DynamicGroup"));
  EXPECT_THAT(at(model.shapes, "/World/Box2").collision_group_paths,
              ElementsAre("/World/DynamicGroup"));
  const Shape& ground = at(model.shapes, "/World/Ground");
  EXPECT_THAT(ground.collision_group_paths, IsEmpty());
  EXPECT_EQ(std::get<CubeShape>(ground.geometry).half_extents, Vector3f(750, 750, 10));
  const PairFilter filter = PairFilter::build(model, diagnostics);
  EXPECT_FALSE(filter.collides(0, 1));
  EXPECT_TRUE(filter.collides(0, 2));
  EXPECT_TRUE(filter.collides(1, 2));
}

TEST(Documents, PairFiltering) {  // physics 12.6
  Diagnostics diagnostics;
  const PhysicsModel model = read(world(box("Box1", "Collision RigidBody", "") +
                                        box("Box2", "Collision RigidBody FilteredPairs",
                                            "prepend rel physics:filteredPairs = </World/Box1>") +
                                        kGround),
                                  diagnostics);
  expect_gravity(model);
  EXPECT_THAT(at(model.rigid_bodies, "/World/Box2").filtered_collision_paths,
              ElementsAre("/World/Box1"));
  EXPECT_THAT(at(model.shapes, "/World/Box2").filtered_collision_paths, ElementsAre("/World/Box1"));
  const PairFilter filter = PairFilter::build(model, diagnostics);
  EXPECT_FALSE(filter.collides(0, 1));
  EXPECT_TRUE(filter.collides(1, 2));
}

std::string beam(const std::string& name, const std::string& apis, const std::string& to) {
  return prim("Cube", name, apis,
              "double size = 100\n" + test::transform(to, "(0, 0, 0)", "(0.1, 1, 0.1)"));
}

const std::string kEnds =
    "rel physics:body0 = </World/Static>\nrel physics:body1 = </World/Moving>\n"
    "point3f physics:localPos0 = (0, 60, 0)\n"
    "point3f physics:localPos1 = (0, -60, 0)\n";

const std::string kBeams = beam("Static", "Collision", "(0, 0, 1000)") +
                           beam("Moving", "Collision RigidBody", "(0, 120, 1000)");

void expect_beams(const PhysicsModel& model) {
  expect_gravity(model);
  Diagnostics diagnostics;
  EXPECT_TRUE(std::get<CubeShape>(at(model.shapes, "/World/Moving").geometry)
                  .half_extents.isApprox(Vector3f(5, 50, 5), 1e-6F));
  const BodyMass result = body_mass(model, 0, diagnostics);
  EXPECT_NEAR(result.mass, 10.0, 1e-5);
  EXPECT_NEAR(result.diagonal_inertia.x(), 8416.67, 1e-2);
  EXPECT_NEAR(result.diagonal_inertia.y(), 166.667, 1e-2);
  EXPECT_NEAR(result.diagonal_inertia.z(), 8416.67, 1e-2);
}

TEST(Documents, GenericJoint) {  // physics 12.6
  std::string apis;
  std::string limits;
  for (const std::string dof : {"transX", "transY", "transZ", "rotX", "rotY"}) {
    apis += "\"PhysicsLimitAPI:" + dof + "\", ";
    limits +=
        "float limit:" + dof + ":physics:high = -1\nfloat limit:" + dof + ":physics:low = 1\n";
  }
  const PhysicsModel model = read(world(kBeams + "def PhysicsJoint \"Joint\" (apiSchemas = [" +
                                        apis + "\"PhysicsDriveAPI:rotZ\"]) {\n" + kEnds + limits +
                                        "float drive:rotZ:physics:targetVelocity = 10\n"
                                        "float drive:rotZ:physics:damping = 9999\n}\n"));
  expect_beams(model);
  const Joint& joint = at(model.joints, "/World/Joint");
  EXPECT_EQ(joint.ends[0].body_path, "/World/Static");
  EXPECT_EQ(joint.ends[1].body_path, "/World/Moving");
  EXPECT_EQ(joint.ends[0].frame.position, Vector3f(0, 60, 0));
  EXPECT_EQ(joint.ends[1].frame.position, Vector3f(0, -60, 0));
  const auto& kind = std::get<D6Joint>(joint.kind);
  ASSERT_EQ(kind.limits.size(), 5u);
  for (const DofLimit& limit : kind.limits) {
    EXPECT_TRUE(limit.limit.enabled);
    EXPECT_EQ(limit.limit.lower, 1.0F);
    EXPECT_EQ(limit.limit.upper, -1.0F);
  }
  ASSERT_EQ(kind.drives.size(), 1u);
  EXPECT_EQ(kind.drives[0].dof, JointDof::rot_z);
  EXPECT_EQ(kind.drives[0].drive.target_velocity, 10.0F);
  EXPECT_EQ(kind.drives[0].drive.damping, 9999.0F);
  EXPECT_EQ(kind.drives[0].drive.force_limit, std::numeric_limits<float>::infinity());
}

std::string distance_scene(const std::string& type) {
  return world(kBeams + "def " + type + " \"Joint\" {\n" + kEnds +
               "float physics:maxDistance = 50\nfloat physics:minDistance = 10\n}\n");
}

void expect_distance(const PhysicsModel& model) {
  ASSERT_EQ(model.joints.size(), 1u);
  const auto& kind = std::get<DistanceJoint>(model.joints[0].kind);
  EXPECT_TRUE(kind.min_enabled && kind.max_enabled);
  EXPECT_EQ(kind.limit.lower, 10.0F);
  EXPECT_EQ(kind.limit.upper, 50.0F);
}

TEST(Documents, DistanceJoint) {  // physics 12.6, decisions 22
  const PhysicsModel misspelt = read(distance_scene("DistancePhysicsJoint"));
  expect_beams(misspelt);
  EXPECT_THAT(misspelt.joints, IsEmpty());
  expect_distance(read(distance_scene("PhysicsDistanceJoint")));
  Diagnostics diagnostics;
  expect_distance(read(distance_scene("DistancePhysicsJoint"), diagnostics, Rules::documented));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "physics-legacy-spelling");
  EXPECT_EQ(diagnostics[0].path, "/World/Joint");
}

}  // namespace
}  // namespace sinew::physics::documents_test
