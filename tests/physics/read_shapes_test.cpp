// SPDX-License-Identifier: Apache-2.0
// Colliders as read from text. Comments name the items of the conformance checklist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/read_scene.hpp"
#include "support/codes.hpp"

namespace sinew::physics::read_shapes_test {
namespace {

using sinew::test::codes_of;
using test::at;
using test::paths;
using test::prim;
using test::read;
using test::scaled;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A static collider at (100, 20, 10), turned by 45 degrees about z and scaled by 3; checks what all
// shapes have in common.
template <typename Geometry>
Geometry posed(const std::string& type, const std::string& attributes) {
  const PhysicsModel model =
      read(prim(type, "c", "Collision MeshCollision",
                attributes + "\n" + test::transform("(100, 20, 10)", "(0, 0, 45)", "(3, 3, 3)")));
  if (model.shapes.size() != 1 || !std::holds_alternative<Geometry>(model.shapes[0].geometry)) {
    ADD_FAILURE() << type << " is no such shape";
    return {};
  }
  const Shape& shape = model.shapes[0];
  EXPECT_EQ(shape.path, "/c");
  EXPECT_TRUE(shape.is_valid && shape.collision_enabled);
  EXPECT_TRUE(shape.body_path.empty() && shape.body == kNone);
  EXPECT_TRUE(shape.material_paths.empty() && shape.simulation_owner_paths.empty() &&
              shape.filtered_collision_paths.empty() && shape.collision_group_paths.empty());
  EXPECT_TRUE(shape.local_pose.position.isApprox(Vector3f(100, 20, 10), 1e-6F));
  EXPECT_NEAR(shape.local_pose.rotation.w(), std::cos(std::acos(-1.0) / 8.0), 1e-6);
  EXPECT_NEAR(shape.local_pose.rotation.z(), std::sin(std::acos(-1.0) / 8.0), 1e-6);
  EXPECT_TRUE(shape.local_scale.isApprox(Vector3f(3, 3, 3), 1e-6F));
  return std::get<Geometry>(shape.geometry);
}

TEST(ReadShapes, ScalesASphere) {  // physics P2a
  EXPECT_FLOAT_EQ(posed<SphereShape>("Sphere", "double radius = 30").radius, 90.0F);
}

TEST(ReadShapes, ScalesACapsule) {  // physics P2b
  const auto shape = posed<CapsuleShape>(
      "Capsule", "double radius = 30\ndouble height = 10\nuniform token axis = \"Y\"");
  EXPECT_FLOAT_EQ(shape.radius, 90.0F);
  EXPECT_FLOAT_EQ(shape.half_height, 15.0F);
  EXPECT_EQ(shape.axis, Axis::y);
}

TEST(ReadShapes, ScalesATaperedCapsule) {  // physics P2c
  const auto shape =
      posed<Capsule1Shape>("Capsule_1",
                           "double radiusTop = 30\ndouble radiusBottom = 20\ndouble height = 10\n"
                           "uniform token axis = \"Y\"");
  EXPECT_FLOAT_EQ(shape.top_radius, 90.0F);
  EXPECT_FLOAT_EQ(shape.bottom_radius, 60.0F);
  EXPECT_FLOAT_EQ(shape.half_height, 15.0F);
  EXPECT_EQ(shape.axis, Axis::y);
}

TEST(ReadShapes, ScalesACone) {  // physics P2d
  const auto shape = posed<ConeShape>(
      "Cone", "double radius = 30\ndouble height = 10\nuniform token axis = \"Z\"");
  EXPECT_FLOAT_EQ(shape.radius, 90.0F);
  EXPECT_FLOAT_EQ(shape.half_height, 15.0F);
  EXPECT_EQ(shape.axis, Axis::z);
}

TEST(ReadShapes, ScalesACylinder) {  // physics P2e
  const auto shape = posed<CylinderShape>(
      "Cylinder", "double radius = 30\ndouble height = 10\nuniform token axis = \"Y\"");
  EXPECT_FLOAT_EQ(shape.radius, 90.0F);
  EXPECT_FLOAT_EQ(shape.half_height, 15.0F);
  EXPECT_EQ(shape.axis, Axis::y);
}

TEST(ReadShapes, ScalesATaperedCylinder) {  // physics P2f
  const auto shape =
      posed<Cylinder1Shape>("Cylinder_1",
                            "double radiusTop = 30\ndouble radiusBottom = 20\ndouble height = 10\n"
                            "uniform token axis = \"Y\"");
  EXPECT_FLOAT_EQ(shape.top_radius, 90.0F);
  EXPECT_FLOAT_EQ(shape.bottom_radius, 60.0F);
  EXPECT_FLOAT_EQ(shape.half_height, 15.0F);
  EXPECT_EQ(shape.axis, Axis::y);
}

TEST(ReadShapes, ReadsTheAxisOfAPlane) {  // physics P2g
  EXPECT_EQ(posed<PlaneShape>("Plane", "uniform token axis = \"Z\"").axis, Axis::z);
  EXPECT_EQ(posed<PlaneShape>("Plane", "uniform token axis = \"sideways\"").axis, Axis::x);
}

TEST(ReadShapes, PassesTheScaleOfAMeshOn) {  // physics P2h
  const auto shape =
      posed<MeshShape>("Mesh", "uniform token physics:approximation = \"convexHull\"");
  EXPECT_EQ(shape.approximation, "convexHull");
  EXPECT_FALSE(shape.double_sided);
  EXPECT_TRUE(shape.mesh_scale.isApprox(Vector3f(3, 3, 3), 1e-6F));
}

TEST(ReadShapes, MakesBallsOfPoints) {  // physics P2i
  const auto shape = posed<SpherePointsShape>(
      "Points", "point3f[] points = [(1, 1, 1), (2, 2, 2)]\nfloat[] widths = [5, 10]");
  ASSERT_EQ(shape.sphere_points.size(), 2u);
  EXPECT_EQ(shape.sphere_points[0].center, Vector3f(1, 1, 1));
  EXPECT_EQ(shape.sphere_points[1].center, Vector3f(2, 2, 2));
  EXPECT_TRUE(shape.sphere_points[1].scaled_center.isApprox(Vector3f(6, 6, 6), 1e-6F));
  EXPECT_FLOAT_EQ(shape.sphere_points[0].radius, 7.5F);
  EXPECT_FLOAT_EQ(shape.sphere_points[1].radius, 15.0F);
}

// The radii of a Points collider, and {-1} if it is invalid.
std::vector<float> radii(const std::string& attributes) {
  const PhysicsModel model = read(prim("Points", "p", "Collision", attributes));
  const Shape& shape = at(model.shapes, "/p");
  if (!shape.is_valid) return {-1.0F};
  std::vector<float> result;
  for (const SpherePoint& p : std::get<SpherePointsShape>(shape.geometry).sphere_points) {
    result.push_back(p.radius);
  }
  return result;
}

TEST(ReadShapes, FindsWidthsWhereverTheyAre) {  // physics P3, 4.7
  const std::string two = "point3f[] points = [(0, 0, 0), (1, 1, 1)]\n";
  EXPECT_THAT(radii(two + "float[] widths = [4, 6]"), ElementsAre(2, 3));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4, 6]"), ElementsAre(2, 3));
  EXPECT_THAT(radii(two + "float[] widths = [10, 20]\nfloat[] primvars:widths = [4, 6]"),
              ElementsAre(2, 3));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4]\nint[] primvars:widths:indices = [0, 0]"),
              ElementsAre(2, 2));
  EXPECT_THAT(radii("point3f[] points = [(0, 0, 0)]"), ElementsAre(-1));
  EXPECT_THAT(radii(two + "float[] widths = [4]"), ElementsAre(-1));
  EXPECT_THAT(radii(two + "float[] widths = [4, 6]\nfloat[] primvars:widths = []"),
              ElementsAre(-1));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4]\nint[] primvars:widths:indices = [0, 7]"),
              ElementsAre(2, 0));
}

TEST(ReadShapes, PrimvarsOfWidthsCountWhereTheyHaveSamplesOnly) {  // physics 4.7
  const std::string two = "point3f[] points = [(0, 0, 0), (1, 1, 1)]\n";
  EXPECT_THAT(radii(two + "float[] widths = [4, 6]\n"
                          "float[] primvars:widths.timeSamples = { 1: [4, 6] }"),
              ElementsAre(-1));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4, 6]\n"
                          "int[] primvars:widths:indices.timeSamples = { 1: [0, 1] }"),
              ElementsAre(-1));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4, 6]\n"
                          "int[] primvars:widths:indices = None"),
              ElementsAre(2, 3));
}

TEST(ReadShapes, IndicesOfWidthsChooseWholeElements) {  // physics 4.7
  const auto chosen = [](const std::string& size, const std::string& widths,
                         const std::string& indices) {
    return radii(
        "point3f[] points = [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3)]\n"
        "float[] primvars:widths = " +
        widths + " (elementSize = " + size + ")\nint[] primvars:widths:indices = " + indices);
  };
  EXPECT_THAT(chosen("2", "[2, 4, 6, 8]", "[1, 0]"), ElementsAre(3, 4, 1, 2));
  EXPECT_THAT(chosen("2", "[2, 4, 6]", "[0, 1]"), ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(chosen("4", "[2, 4, 6, 8]", "[0]"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(chosen("2", "[2, 4, 6, 8]", "[0, 1, 0]"), ElementsAre(-1));
  EXPECT_THAT(chosen("2000000000", "[2, 4, 6, 8]", "[0, 0]"), ElementsAre(-1));
  EXPECT_THAT(chosen("0", "[2, 4, 6, 8]", "[0, 1, 2, 3]"), ElementsAre(-1));
  EXPECT_THAT(chosen("1", "[]", "[0, 0, 0, 0]"), ElementsAre(-1)) << "from nothing";
}

TEST(ReadShapes, ArraysOfAnotherPrecisionCountUnderDocumentedRules) {  // decisions 22
  const std::string text =
      prim("Mesh", "m", "Collision",
           "point3d[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
           "int64[] faceVertexIndices = [0, 1, 2]\nuint[] faceVertexCounts = [3]\n") +
      prim("Points", "p", "Collision", "point3h[] points = [(1, 2, 3)]\ndouble[] widths = [3]\n");
  Diagnostics diagnostics;
  const PhysicsModel model = read(text, diagnostics, Rules::documented);
  const auto& mesh = std::get<MeshShape>(at(model.shapes, "/m").geometry).geometry;
  ASSERT_NE(mesh, nullptr);
  ASSERT_EQ(mesh->points.size(), 3u);
  EXPECT_EQ(mesh->points[1], Vector3f(1, 0, 0));
  EXPECT_THAT(mesh->face_indices, ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh->face_counts, ElementsAre(3));
  const auto& spheres = std::get<SpherePointsShape>(at(model.shapes, "/p").geometry).sphere_points;
  ASSERT_EQ(spheres.size(), 1u);
  EXPECT_EQ(spheres[0].scaled_center, Vector3f(1, 2, 3));
  EXPECT_EQ(spheres[0].radius, 1.5F);
  ASSERT_EQ(diagnostics.size(), 5u);
  EXPECT_EQ(diagnostics[0].message,
            "'points' has another type than the schema; its value is converted.");

  const PhysicsModel strict = read(text, Rules::openusd);
  EXPECT_EQ(std::get<MeshShape>(at(strict.shapes, "/m").geometry).geometry, nullptr);
  EXPECT_FALSE(at(strict.shapes, "/p").is_valid);
}

TEST(ReadShapes, InvalidPointsBelongToNobody) {  // physics 12.7
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody",
                test::transform("(1, 2, 3)", "(0, 0, 0)", "(2, 2, 2)") +
                    prim("Points", "p", "Collision", "point3f[] points = [(0, 0, 0)]") +
                    prim("Sphere", "s", "Collision")));
  EXPECT_THAT(model.rigid_bodies.at(0).shape_paths, ElementsAre("/b/s"));
  const Shape& points = at(model.shapes, "/b/p");
  EXPECT_FALSE(points.is_valid);
  EXPECT_EQ(points.body, kNone);
  EXPECT_TRUE(points.local_pose.position.isZero() && points.local_scale == Vector3f::Ones());
}

TEST(ReadShapes, ListsAThousandCollidersOfOneBody) {  // physics P7
  std::string content;
  for (int i = 0; i < 1000; ++i) content += prim("Sphere", "s" + std::to_string(i), "Collision");
  const PhysicsModel model = read(prim("Xform", "b", "RigidBody", content));
  EXPECT_EQ(model.shapes.size(), 1000u);
  EXPECT_EQ(model.rigid_bodies.at(0).shape_paths.size(), 1000u);
  EXPECT_EQ(model.rigid_bodies.at(0).shapes.size(), 1000u);
}

constexpr const char* kMaterials = R"(
def Material "m0" (apiSchemas = ["PhysicsMaterialAPI"]) {}
def Material "m1" (apiSchemas = ["PhysicsMaterialAPI"]) {}
def Material "look" {}
)";

TEST(ReadShapes, NamesTheMaterialThatIsBound) {  // physics P9
  const PhysicsModel model = read(std::string(kMaterials) + R"(
def Cube "c" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </m0>
    rel material:binding = </look>
}
)");
  EXPECT_THAT(model.shapes.at(0).material_paths, ElementsAre("/m0"));
  EXPECT_THAT(model.shapes.at(0).materials, ElementsAre(0));
  const RigidBodyMaterial& material = at(model.materials, "/m0");
  EXPECT_EQ(material.static_friction, 0.0F);
  EXPECT_EQ(material.dynamic_friction, 0.0F);
  EXPECT_EQ(material.restitution, 0.0F);
  EXPECT_EQ(material.density, 0.0F);
}

constexpr const char* kMeshWithSubsets = R"(
def Mesh "m" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    def GeomSubset "a" (apiSchemas = ["MaterialBindingAPI"]) {
        uniform token elementType = "face"
        rel material:binding:physics = </m0>
    }
    def GeomSubset "b" (apiSchemas = ["MaterialBindingAPI"]) {
        uniform token elementType = "face"
        rel material:binding:physics = </m1>
    }
}
)";

TEST(ReadShapes, NamesTheMaterialsOfSubsets) {  // physics P10
  const std::string text = std::string(kMaterials) + kMeshWithSubsets;
  const PhysicsModel model = read(text);
  EXPECT_THAT(model.shapes.at(0).material_paths, ElementsAre("/m0", "/m1"));
  EXPECT_EQ(model.materials.size(), 2u);
  const auto& subsets = std::get<MeshShape>(model.shapes[0].geometry).subset_materials;
  ASSERT_EQ(subsets.size(), 2u);
  EXPECT_EQ(subsets[1].subset_path, "/m/b");
  EXPECT_EQ(subsets[1].material_path, "/m1");
  EXPECT_THAT(read(text, Rules::documented).shapes.at(0).material_paths,
              ElementsAre("/m0", "/m1", ""));  // decisions 3
}

TEST(ReadShapes, InstancesHideTheirSubsets) {
  const std::string text = std::string(kMaterials) + "class \"assets\" {\n" + kMeshWithSubsets +
                           "def \"group\" {\n" + kMeshWithSubsets +
                           "}\n}\n"
                           "def \"i\" (instanceable = true\nreferences = </assets/m>) {}\n"
                           "def \"g\" (instanceable = true\nreferences = </assets/group>) {}\n";
  const PhysicsModel model = read(text);
  EXPECT_THAT(at(model.shapes, "/i").material_paths, IsEmpty());
  EXPECT_THAT(at(model.shapes, "/g/m").material_paths, ElementsAre("/m0", "/m1"));
  const PhysicsModel documented = read(text, Rules::documented);
  EXPECT_THAT(at(documented.shapes, "/i").material_paths, ElementsAre("/m0", "/m1", ""));
}

TEST(ReadShapes, MakesCustomShapesOfUnknownSchemas) {  // physics P17
  ReadOptions options;
  options.shape_tokens = {"MyCustomGeometryAPI"};
  const PhysicsModel model = read(
      "def Cube \"c\" (apiSchemas = [\"MyCustomGeometryAPI\", \"PhysicsCollisionAPI\"]) {}\n"
      "def Cube \"d\" (apiSchemas = [\"MyCustomGeometryAPI\"]) {}\n",
      Rules::openusd, options);
  ASSERT_THAT(paths(model.shapes), ElementsAre("/c"));
  EXPECT_EQ(std::get<CustomShape>(model.shapes[0].geometry).custom_geometry_token,
            "MyCustomGeometryAPI");
}

TEST(ReadShapes, GivesEveryCustomShapeItsOwnToken) {  // physics P18
  std::string content;
  for (int i = 0; i < 500; ++i) {
    content += "def Cube \"c" + std::to_string(i) + "\" (apiSchemas = [\"My" +
               (i % 2 == 0 ? "Even" : "Odd") + "API\", \"PhysicsCollisionAPI\"]) {}\n";
  }
  ReadOptions options;
  options.shape_tokens = {"MyEvenAPI", "MyOddAPI"};
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody", content), Rules::openusd, options);
  ASSERT_EQ(model.shapes.size(), 500u);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(std::get<CustomShape>(model.shapes[i].geometry).custom_geometry_token,
              i % 2 == 0 ? "MyEvenAPI" : "MyOddAPI");
  }
  EXPECT_EQ(model.rigid_bodies.at(0).shape_paths.size(), 500u);
}

TEST(ReadShapes, KnowsSchemasThatIncludeColliders) {  // physics P23
  ReadOptions options;
  options.api_schemas = {{"BouncyAPI", {"PhysicsCollisionAPI", "PhysicsMaterialAPI"}}};
  const std::string text = "def Cube \"c\" (apiSchemas = [\"BouncyAPI\"]) {}\n";
  const PhysicsModel model = read(text, Rules::openusd, options);
  ASSERT_THAT(paths(model.shapes), ElementsAre("/c"));
  EXPECT_TRUE(std::holds_alternative<CubeShape>(model.shapes[0].geometry));
  EXPECT_THAT(read(text).shapes, IsEmpty());
}

TEST(ReadShapes, KeepsTheSignOfAMirroredBox) {  // physics 12.7, 0.4, 4.4
  const PhysicsModel model =
      read(prim("Cube", "c", "Collision", "double size = 4\n" + scaled("(-1, 2, 3)")));
  const Shape& shape = model.shapes.at(0);
  EXPECT_TRUE(std::get<CubeShape>(shape.geometry).half_extents.isApprox(Vector3f(-2, -4, -6)));
  EXPECT_TRUE(shape.local_scale.isApprox(Vector3f(-1, -2, -3)));
  EXPECT_NEAR(std::fabs(shape.local_pose.rotation.x()), 1.0F, 1e-6F);
}

TEST(ReadShapes, ReadsTheApproximationOnlyWithItsSchema) {  // physics 12.7, 4.5
  const std::string attribute = "uniform token physics:approximation = \"convexHull\"";
  const auto approximation = [](const PhysicsModel& model) {
    return std::get<MeshShape>(model.shapes.at(0).geometry).approximation;
  };
  EXPECT_EQ(approximation(read(prim("Mesh", "m", "Collision", attribute))), "none");
  EXPECT_EQ(approximation(read(prim("Mesh", "m", "Collision MeshCollision", attribute))),
            "convexHull");
  EXPECT_EQ(approximation(read(prim("Mesh", "m", "Collision MeshCollision",
                                    "uniform token physics:approximation = \"own\""))),
            "own");
}

constexpr const char* kPrecedence = R"(
def Material "rubber" (apiSchemas = ["PhysicsMaterialAPI"]) { float physics:density = 3; }
def Material "look" {}
def Xform "p" (apiSchemas = ["MaterialBindingAPI"]) {
    rel material:binding:physics = </rubber>
    def Cube "a" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
        rel material:binding = </look>
    }
    def Cube "b" (apiSchemas = ["PhysicsCollisionAPI"]) {}
}
)";

TEST(ReadShapes, PrefersPhysicsBindingsAboveToOtherBindingsHere) {  // physics 12.7, 9
  const PhysicsModel model = read(kPrecedence);
  EXPECT_THAT(at(model.shapes, "/p/a").material_paths, ElementsAre("/rubber"));
  EXPECT_THAT(at(model.shapes, "/p/b").material_paths, IsEmpty());
  EXPECT_EQ(at(model.shapes, "/p/b").bound_material_density, 3.0F);
}

TEST(ReadShapes, LetsAStrongerBindingAboveWin) {  // physics 12.7, 9
  const PhysicsModel model = read(std::string(kMaterials) + R"(
def Xform "p" (apiSchemas = ["MaterialBindingAPI"]) {
    rel material:binding:physics = </m1> (bindMaterialAs = "strongerThanDescendants")
    def Cube "c" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
        rel material:binding:physics = </m0>
    }
}
)");
  EXPECT_THAT(model.shapes.at(0).material_paths, ElementsAre("/m1"));
}

TEST(ReadShapes, LeavesOutWhatHasNoGeometry) {  // physics 4.1, 11.1
  Diagnostics diagnostics;
  const PhysicsModel model = read(prim("Xform", "x", "Collision"), diagnostics);
  EXPECT_THAT(model.shapes, IsEmpty());
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "physics-unknown-collider-geometry");
  EXPECT_EQ(diagnostics[0].path, "/x");
}

TEST(ReadShapes, MultipliesTheScaleIntoSpinesAndRadii) {  // physics 4.4
  const PhysicsModel model = read(prim(
      "Capsule", "c", "Collision",
      "double radius = 1\ndouble height = 2\nuniform token axis = \"X\"\n" + scaled("(5, 2, 3)")));
  const auto& capsule = std::get<CapsuleShape>(model.shapes.at(0).geometry);
  EXPECT_FLOAT_EQ(capsule.half_height, 5.0F);
  EXPECT_FLOAT_EQ(capsule.radius, 3.0F);
}

TEST(ReadShapes, OnlyScalesAcrossASpineAreToldOfUnderDocumentedRules) {  // decisions 2
  const auto said = [](const std::string& type, const std::string& scale, Rules rules) {
    Diagnostics diagnostics;
    read(prim(type, "c", "Collision", "uniform token axis = \"Y\"\n" + scaled(scale)), diagnostics,
         rules);
    return codes_of(diagnostics);
  };
  for (const char* type : {"Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone"}) {
    EXPECT_EQ(said(type, "(2, 3, 2)", Rules::documented), "") << type;
    EXPECT_EQ(said(type, "(-2, -3, -2)", Rules::documented), "") << type;
    EXPECT_EQ(said(type, "(2, 3, 3)", Rules::documented), "physics-nonuniform-scale /c;") << type;
    EXPECT_EQ(said(type, "(2, 3, 3)", Rules::openusd), "") << type;
  }
  EXPECT_EQ(said("Sphere", "(2, 3, 2)", Rules::documented), "physics-nonuniform-scale /c;");
}

TEST(ReadShapes, SkewIsToldOfUnderDocumentedRules) {  // decisions 2
  const auto said = [](const std::string& type, const std::string& scale, const std::string& angle,
                       Rules rules) {
    Diagnostics diagnostics;
    read("def Xform \"x\" {\n" + scaled(scale) +
             prim(type, "c", "Collision",
                  test::transform("(1, 2, 3)", "(0, 0, " + angle + ")", "(1, 1, 1)")) +
             "}\n",
         diagnostics, rules);
    return codes_of(diagnostics);
  };
  for (const char* type : {"Cube", "Mesh"}) {
    EXPECT_EQ(said(type, "(1, 2, 1)", "30", Rules::documented), "physics-skewed-collider /x/c;")
        << type;
    EXPECT_EQ(said(type, "(1, 2, 1)", "90", Rules::documented), "") << type;
    EXPECT_EQ(said(type, "(2, 2, 2)", "30", Rules::documented), "") << type;
    EXPECT_EQ(said(type, "(1, 2, 1)", "30", Rules::openusd), "") << type;
  }
  EXPECT_EQ(said("Plane", "(1, 2, 1)", "30", Rules::documented), "");
}

TEST(ReadShapes, AMeshWithoutFacesHasNoGeometry) {
  const PhysicsModel model = read(
      "def Mesh \"m\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
      "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n");

  const auto* mesh = std::get_if<MeshShape>(&at(model.shapes, "/m").geometry);
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->geometry, nullptr);
}

TEST(ReadShapes, DescribesTheMeshOfACollider) {
  const std::string faces =
      "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
      "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n";
  const auto mesh_of = [&](const std::string& attributes) {
    const PhysicsModel model = read(prim("Mesh", "m", "Collision", faces + attributes));
    return std::get<MeshShape>(model.shapes.at(0).geometry).geometry;
  };
  const auto plain = mesh_of("");
  EXPECT_THAT(plain->face_indices, ElementsAre(0, 1, 2));
  EXPECT_FALSE(plain->left_handed || plain->double_sided || plain->subdivision_authored);
  EXPECT_EQ(plain->subdivision, geom::SubdivisionScheme::catmull_clark);

  const auto told = mesh_of(
      "int[] holeIndices = [0]\nuniform token orientation = \"leftHanded\"\n"
      "uniform bool doubleSided = 1\nuniform token subdivisionScheme = \"loop\"\n");
  EXPECT_THAT(told->hole_faces, ElementsAre(0));
  EXPECT_TRUE(told->left_handed && told->double_sided && told->subdivision_authored);
  EXPECT_EQ(told->subdivision, geom::SubdivisionScheme::loop);
  EXPECT_EQ(mesh_of("uniform token subdivisionScheme = \"none\"")->subdivision,
            geom::SubdivisionScheme::none);
}

TEST(ReadShapes, ReportsIndicesOfWidthsThatAreOutOfRange) {  // physics 4.7
  Diagnostics diagnostics;
  read(prim("Points", "p", "Collision",
            "point3f[] points = [(0, 0, 0), (1, 1, 1), (2, 2, 2)]\nfloat[] primvars:widths = [4]\n"
            "int[] primvars:widths:indices = [-1, 0, 7]"),
       diagnostics);
  ASSERT_EQ(codes_of(diagnostics), "physics-primvar-index /p;physics-primvar-index /p;");
  EXPECT_EQ(diagnostics[1].message, "Index 7 of primvars:widths is out of range; the width is 0.");
}

TEST(ReadShapes, IndicesOfWidthsOfAnotherTypeChooseNothing) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Points", "p", "Collision",
                "point3f[] points = [(0, 0, 0)]\nint[] primvars:widths = [4]\n"
                "int[] primvars:widths:indices = [0]"),
           diagnostics, Rules::documented);
  EXPECT_FALSE(model.shapes.at(0).is_valid);
  EXPECT_EQ(codes_of(diagnostics), "physics-attribute-type /p;physics-sphere-points /p;");
}

TEST(ReadShapes, ReportsSubsetsWhoseTypeOfElementIsNoToken) {
  const auto subsets = [](Rules rules, Diagnostics& diagnostics) {
    const PhysicsModel model =
        read(prim("Mesh", "m", "Collision",
                  "def GeomSubset \"a\" { string elementType = \"face\"; }\n"
                  "def GeomSubset \"b\" { string elementType = \"point\"; }\n"
                  "def GeomSubset \"blocked\" { token elementType = None; }\n"
                  "over GeomSubset \"c\" {}\n"),
             diagnostics, rules);
    std::vector<std::string> found;
    for (const auto& s : std::get<MeshShape>(model.shapes.at(0).geometry).subset_materials) {
      found.emplace_back(s.subset_path.view());
    }
    return found;
  };
  Diagnostics diagnostics;
  EXPECT_THAT(subsets(Rules::openusd, diagnostics), ElementsAre("/m/a", "/m/b"));
  EXPECT_EQ(codes_of(diagnostics), "");
  EXPECT_THAT(subsets(Rules::documented, diagnostics), ElementsAre("/m/a"));
  EXPECT_EQ(codes_of(diagnostics), "physics-attribute-type /m/a;physics-attribute-type /m/b;");
}

// OpenUSD looks below an instance from below another one.
TEST(ReadShapes, InstancesInInstancesShowTheirSubsets) {
  const std::string text =
      std::string(kMaterials) + "class \"assets\" {\n" + kMeshWithSubsets +
      "def \"group\" {\n"
      "def \"inner\" (instanceable = true\nreferences = </assets/m>) {}\n}\n}\n"
      "def \"g\" (instanceable = true\nreferences = </assets/group>) {}\n";
  EXPECT_THAT(at(read(text).shapes, "/g/inner").material_paths, ElementsAre("/m0", "/m1"));
}

TEST(ReadShapes, TellsOfBindingsWithoutTheirSchemaUnderDocumentedRules) {  // decisions 3
  const auto told = [](const std::string& apis, const std::string& binding, Rules rules) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(std::string(kMaterials) + "def Xform \"p\" {\n" +
                 (binding == "above" ? "rel material:binding = </m0>\n" : "") +
                 "def Cube \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"" + apis + "]) {\n" +
                 (binding == "own" ? "rel material:binding = </m0>\n" : "") +
                 (binding == "look" ? "rel material:binding = </look>\n" : "") + "}\n}\n",
             diagnostics, rules);
    std::string result = codes_of(diagnostics);
    for (const Text& path : model.shapes.at(0).material_paths) result += "<" + path.str() + ">";
    return result;
  };
  const std::string api = ", \"MaterialBindingAPI\"";
  EXPECT_EQ(told(api, "own", Rules::documented), "</m0>");
  EXPECT_EQ(told(api, "own", Rules::openusd), "</m0>");
  EXPECT_EQ(told("", "own", Rules::documented), "physics-material-binding-api /p/c;</m0>");
  EXPECT_EQ(told("", "own", Rules::openusd), "");
  EXPECT_EQ(told("", "above", Rules::documented), "</m0>");
  EXPECT_EQ(told("", "", Rules::documented), "<>");
  EXPECT_EQ(told(api, "look", Rules::documented), "<>");
  EXPECT_EQ(told(api, "look", Rules::openusd), "");
}

}  // namespace
}  // namespace sinew::physics::read_shapes_test
