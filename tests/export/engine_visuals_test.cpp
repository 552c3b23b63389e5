// SPDX-License-Identifier: Apache-2.0
// What is shown and does not collide, on its way into files of engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "physics/shared/frames.hpp"
#include "sinew/export/engine_visuals.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::exporter::engine_visuals_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// In centimetres.
const std::string kHeader = "(metersPerUnit = 0.01\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n";
const std::string kTetrahedron =
    "int[] faceVertexCounts = [3, 3, 3, 3]\n"
    "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n"
    "point3f[] points = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]\n";

std::string mesh(const std::string& name, const std::string& more = "") {
  return "def Mesh \"" + name + "\" {\n" + kTetrahedron + more + "\n}\n";
}
std::string body(const std::string& name, const std::string& inside) {
  return "def Xform \"" + name +
         "\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
         "double3 xformOp:translate = (100, 0, 0)\n"
         "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
         "def Cube \"box\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\ndouble size = 20\n}\n" +
         inside + "}\n";
}

struct Scene {
  stage::StagePtr stage;
  physics::PhysicsModel model;
  std::vector<physics::Shape> visuals;
  Diagnostics diagnostics;

  explicit Scene(const std::string& prims, const std::string& root = "/") {
    const std::string text = kHeader + prims;
    Diagnostics reading;
    stage = stage::open_layers({{"root.usda", text.c_str()}}, reading);
    model = physics::read_physics(*stage, reading);
    visuals = visual_shapes(root == "/" ? stage->root() : stage->prim(root), model, diagnostics);
  }
  std::vector<std::string> paths() const {
    std::vector<std::string> result;
    for (const physics::Shape& shape : visuals) result.push_back(shape.path.str());
    return result;
  }
  EngineFile write(EngineFile (*writer)(const physics::PhysicsModel&, const EngineOptions&,
                                        Diagnostics&),
                   EngineMeshes meshes = EngineMeshes::inlined) {
    EngineOptions options;
    options.visuals = visuals;
    options.meshes = meshes;
    return writer(model, options, diagnostics);
  }
};

TEST(VisualShapes, AreWhatIsShownAndIsNoCollider) {
  const Scene scene(body("a", mesh("shown") + mesh("hidden", "token visibility = \"invisible\"") +
                                  mesh("guide", "uniform token purpose = \"guide\"") +
                                  mesh("proxy", "uniform token purpose = \"proxy\"") +
                                  mesh("render", "uniform token purpose = \"render\"")) +
                    mesh("floor") + "def Xform \"off\" {\ntoken visibility = \"invisible\"\n" +
                    mesh("m") + "}\ndef PointInstancer \"many\" {\n" + mesh("prototype") +
                    "}\ndef Xform \"guides\" {\nuniform token purpose = \"guide\"\n" + mesh("m") +
                    "}\n");
  EXPECT_THAT(scene.paths(), ElementsAre("/a/shown", "/a/render", "/floor"));
  EXPECT_EQ(scene.visuals[0].body, 0);
  EXPECT_EQ(scene.visuals[0].body_path.view(), "/a");
  EXPECT_EQ(scene.visuals[2].body, physics::kNone);
  EXPECT_THAT(scene.diagnostics, IsEmpty());
}

TEST(VisualShapes, TellThatTheirColorsAreLeftOut) {
  const Scene scene(body("a", mesh("red", "color3f[] primvars:displayColor = [(1, 0, 0)]") +
                                  mesh("bound", "rel material:binding = </Look>") + mesh("plain")) +
                    "def Material \"Look\" {}\n");
  EXPECT_EQ(scene.paths().size(), 3U);
  EXPECT_EQ(test::codes_of(scene.diagnostics), "engine-feature-dropped /a/red;");
  EXPECT_THAT(scene.diagnostics[0].message, HasSubstr("2 of them"));
}

TEST(VisualShapes, AreAlsoCollidersThatAreReadAsMaterials) {
  const Scene scene(body(
      "a", "def Mesh \"m\" (apiSchemas = [\"PhysicsMaterialAPI\", \"PhysicsCollisionAPI\"]) {\n" +
               kTetrahedron + "}\n"));
  EXPECT_EQ(scene.model.unreported_shapes.size(), 1U);
  EXPECT_THAT(scene.paths(), ElementsAre("/a/m"));
}

TEST(VisualShapes, AreLookedForBelowAPrim) {
  const std::string prims = "def Xform \"x\" {\n" + body("a", mesh("m")) + mesh("n") +
                            "}\ndef Xform \"off\" {\ntoken visibility = \"invisible\"\n" +
                            mesh("m") + "}\n" + mesh("floor");
  EXPECT_THAT(Scene(prims, "/x").paths(), ElementsAre("/x/a/m", "/x/n"));
  const Scene inner(prims, "/x/a/m");
  ASSERT_THAT(inner.paths(), ElementsAre("/x/a/m"));
  EXPECT_EQ(inner.visuals[0].body, 0);
  EXPECT_THAT(Scene(prims, "/off/m").paths(), IsEmpty());
}

// Where a point of a mesh is in the world, in the units of the model.
Vector3d in_world(const Scene& scene, const physics::Shape& shape, std::size_t point) {
  const auto& mesh = std::get<physics::MeshShape>(shape.geometry);
  const physics::Posed pose = physics::compose(physics::body_frame(scene.model, shape.body),
                                               physics::to_frame(shape.local_pose));
  const Vector3f scaled = mesh.mesh_scale.cwiseProduct(mesh.geometry->points[point]);
  return pose.position + pose.rotation * scaled.cast<double>();
}

TEST(VisualShapes, StandWhereTheStageHasThem) {
  const std::string turned =
      "double3 xformOp:translate = (1, 2, 3)\nfloat3 xformOp:scale = (2, 3, -4)\n"
      "float xformOp:rotateZ = 90\nuniform token[] xformOpOrder = [\"xformOp:translate\", "
      "\"xformOp:rotateZ\", \"xformOp:scale\"]\n";
  const Scene scene(body("a", mesh("m", turned)));
  ASSERT_EQ(scene.visuals.size(), 1U);
  const physics::Shape& shape = scene.visuals[0];
  EXPECT_LT((in_world(scene, shape, 0) - Vector3d(101, 2, 3)).norm(), 1e-4);
  EXPECT_LT((in_world(scene, shape, 1) - Vector3d(101, 22, 3)).norm(), 1e-4);
  EXPECT_LT((in_world(scene, shape, 2) - Vector3d(71, 2, 3)).norm(), 1e-4);
  EXPECT_LT((in_world(scene, shape, 3) - Vector3d(101, 2, -37)).norm(), 1e-4);
  // A model in other units has its shapes there too.
  Diagnostics unused;
  const physics::PhysicsModel si = scene.model.to_si();
  const auto in_meters = visual_shapes(scene.stage->root(), si, unused);
  ASSERT_EQ(in_meters.size(), 1U);
  EXPECT_LT((in_meters[0].local_pose.position - 0.01F * shape.local_pose.position).norm(), 1e-6F);
}

TEST(VisualShapes, KeepTheShearOfTheirTransform) {
  const Scene scene(
      body("a",
           "def Xform \"x\" {\nfloat3 xformOp:scale = (1, 3, 1)\nuniform token[] xformOpOrder = "
           "[\"xformOp:scale\"]\n" +
               mesh("m",
                    "float xformOp:rotateZ = 45\nuniform token[] xformOpOrder = "
                    "[\"xformOp:rotateZ\"]\n") +
               "}\n"));
  ASSERT_EQ(scene.visuals.size(), 1U);
  const double side = 10.0 / std::sqrt(2.0);
  EXPECT_LT((in_world(scene, scene.visuals[0], 1) - Vector3d(100 + side, 3 * side, 0)).norm(),
            1e-4);
  EXPECT_LT((in_world(scene, scene.visuals[0], 2) - Vector3d(100 - side, 3 * side, 0)).norm(),
            1e-4);
}

TEST(VisualShapes, TellsWhatIsShownAndHasNoCounterpart) {
  const Scene scene(
      "def BasisCurves \"c\" {}\ndef Mesh \"empty\" {}\ndef Plane \"p\" {}\n"
      "def Sphere \"s\" {\nfloat3 xformOp:scale = (1, 2, 1)\nuniform token[] "
      "xformOpOrder = [\"xformOp:scale\"]\n}\n");
  EXPECT_THAT(scene.paths(), ElementsAre("/s"));
  EXPECT_EQ(test::codes_of(scene.diagnostics),
            "engine-visual-skipped /c;engine-shape-approximated /s;");
  EXPECT_THAT(scene.diagnostics[0].message, HasSubstr("3 of them"));
}

TEST(VisualShapes, TakeThePurposeOfWhatIsAboveTheirRoot) {
  const std::string prims = "def Xform \"guides\" {\nuniform token purpose = \"guide\"\n" +
                            mesh("m") + "}\ndef Xform \"shown\" {\n" + mesh("m") + "}\n";
  EXPECT_THAT(Scene(prims, "/guides/m").paths(), IsEmpty());
  EXPECT_THAT(Scene(prims, "/shown/m").paths(), ElementsAre("/shown/m"));
}

TEST(VisualShapes, BelongToTheInnermostBodyAboveTheirRoot) {
  const std::string inner =
      "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
      "uniform token[] xformOpOrder = [\"!resetXformStack!\"]\ndef Xform \"x\" {\n" +
      mesh("m") + "}\n}\n";
  const Scene scene(body("a", inner), "/a/b/x/m");
  ASSERT_THAT(scene.paths(), ElementsAre("/a/b/x/m"));
  ASSERT_EQ(scene.model.rigid_bodies.size(), 2U);
  EXPECT_EQ(scene.visuals[0].body_path.view(), "/a/b");
}

TEST(VisualShapes, AreThoseOfInstances) {
  const Scene scene("class Xform \"P\" {\n" + mesh("m") +
                    "}\ndef Xform \"i\" (\ninstanceable = true\ninherits = </P>\n) {\n}\n");
  EXPECT_THAT(scene.paths(), ElementsAre("/i/m"));
}

TEST(VisualShapes, AreNoneOfNoPrim) {
  const Scene scene(mesh("m"));
  Diagnostics told;
  EXPECT_THAT(visual_shapes(stage::Prim(), scene.model, told), IsEmpty());
  EXPECT_THAT(told, IsEmpty());
}

// Only what is round has to give way to a scale, and only to one that is not the same everywhere.
TEST(VisualShapes, HaveTheSizeOfTheirSolids) {
  const auto solid = [](const std::string& type, const std::string& size,
                        const std::string& scale) {
    return "def " + type + " \"" + type + "\" {\n" + size + "\nfloat3 xformOp:scale = " + scale +
           "\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n}\n";
  };
  const Scene scene(solid("Cube", "double size = 4", "(1, 2, 3)") +
                    solid("Sphere", "double radius = 3", "(2, 2, 2)") +
                    solid("Capsule_1",
                          "double radiusTop = 1\ndouble radiusBottom = 2\ndouble "
                          "height = 6\nuniform token axis = \"X\"",
                          "(2, 2, 2)") +
                    solid("Cylinder", "double radius = 1\ndouble height = 6", "(2, 2, 2)"));
  EXPECT_THAT(scene.diagnostics, IsEmpty());
  ASSERT_EQ(scene.visuals.size(), 4U);
  EXPECT_EQ(std::get<physics::CubeShape>(scene.visuals[0].geometry).half_extents,
            Vector3f(2, 4, 6));
  EXPECT_EQ(std::get<physics::SphereShape>(scene.visuals[1].geometry).radius, 6.0F);
  const auto& capsule = std::get<physics::Capsule1Shape>(scene.visuals[2].geometry);
  EXPECT_EQ(capsule.top_radius, 2.0F);
  EXPECT_EQ(capsule.bottom_radius, 4.0F);
  EXPECT_EQ(capsule.half_height, 6.0F);
  const auto& cylinder = std::get<physics::CylinderShape>(scene.visuals[3].geometry);
  EXPECT_EQ(cylinder.radius, 2.0F);
  EXPECT_EQ(cylinder.half_height, 6.0F);
}

TEST(VisualShapes, TellOfMeshesWithoutFacesAndOfPlacesThatAreNone) {
  const Scene scene(
      "def Mesh \"cloud\" {\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n"
      "def Sphere \"lost\" {\ndouble3 xformOp:translate = (inf, 0, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n" +
      mesh("m"));
  EXPECT_THAT(scene.paths(), ElementsAre("/m"));
  EXPECT_EQ(test::codes_of(scene.diagnostics), "engine-visual-skipped /cloud;");
  EXPECT_THAT(scene.diagnostics[0].message, HasSubstr("2 of them"));
}

// What is written in the frame of the body has its scale in the points, mirrored faces included.
TEST(VisualShapes, ShearedMeshesKeepTheirFrontsHolesAndSides) {
  const auto sheared = [](const std::string& scale, const std::string& more) {
    const Scene scene(
        body("a", "def Xform \"x\" {\nfloat3 xformOp:scale = " + scale +
                      "\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n" +
                      mesh("m", more + "float xformOp:rotateZ = 45\nuniform token[] xformOpOrder = "
                                       "[\"xformOp:rotateZ\"]\n") +
                      "}\n"));
    return std::get<physics::MeshShape>(scene.visuals.at(0).geometry);
  };
  const std::string left = "uniform token orientation = \"leftHanded\"\n";
  EXPECT_FALSE(sheared("(1, 3, 1)", "").geometry->left_handed);
  EXPECT_TRUE(sheared("(1, -3, 1)", "").geometry->left_handed);
  EXPECT_TRUE(sheared("(1, 3, 1)", left).geometry->left_handed);
  EXPECT_FALSE(sheared("(1, -3, 1)", left).geometry->left_handed);
  const physics::MeshShape holed =
      sheared("(1, 3, 1)", "uniform bool doubleSided = 1\nint[] holeIndices = [2]\n");
  EXPECT_TRUE(holed.double_sided);
  EXPECT_THAT(holed.geometry->hole_faces, ElementsAre(2));
  EXPECT_FALSE(sheared("(1, 3, 1)", "").double_sided);
}

TEST(EngineVisuals, AreWrittenWithoutMassAndContact) {
  Scene scene(body("a", mesh("m")) + mesh("n"));
  const std::string attributes = " mass=\"0\" contype=\"0\" conaffinity=\"0\" group=\"1\"/>";
  const EngineFile mjcf = scene.write(&write_mjcf);
  EXPECT_THAT(mjcf.text, HasSubstr("<geom name=\"/a/m\" type=\"mesh\" mesh=\"/n\" pos=\"0 0 0\" "
                                   "quat=\"1 0 0 0\"" +
                                   attributes));
  EXPECT_THAT(mjcf.text, HasSubstr("<geom name=\"/n\" type=\"mesh\" mesh=\"/n\""));
  // In metres, with its faces, and once for both.
  EXPECT_THAT(mjcf.text, HasSubstr("face=\"0 1 2  0 2 3  0 3 1  2 1 3\""));
  EXPECT_THAT(mjcf.text, HasSubstr("<mesh name=\"/n\""));
  EXPECT_THAT(mjcf.text, Not(HasSubstr("<mesh name=\"/a/m\"")));
  EXPECT_EQ(scene.write(&write_mjcf, EngineMeshes::obj).meshes.size(), 1U);
  const EngineFile urdf = scene.write(&write_urdf);
  EXPECT_EQ(urdf.meshes.size(), 1U);
  EXPECT_THAT(urdf.text, HasSubstr("<visual name=\"/a/m\">"));
  EXPECT_THAT(urdf.text, HasSubstr("<collision name=\"/a/box\">"));
  for (const EngineFile& file : {mjcf, urdf}) {
    std::vector<std::string> became;
    for (const EngineMapping& mapping : file.mapping) {
      if (mapping.became.starts_with("visual")) became.push_back(mapping.path + mapping.became);
    }
    EXPECT_THAT(became, ::testing::UnorderedElementsAre("/nvisual mesh", "/a/mvisual mesh"));
  }
  scene.visuals.clear();
  EXPECT_THAT(scene.write(&write_mjcf).text, Not(HasSubstr("/a/m")));
  EXPECT_THAT(scene.write(&write_urdf).text, Not(HasSubstr("<visual")));
}

TEST(EngineVisuals, OfAFlatMeshAreAThinBoxInMjcf) {
  Scene scene(
      "def Mesh \"m\" {\nint[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, "
      "3]\npoint3f[] points = [(0, 0, 0), (10, 0, 0), (10, 20, 0), (0, 20, 0)]\n}\n");
  EXPECT_THAT(scene.write(&write_mjcf).text, HasSubstr("<geom name=\"/m\" type=\"box\""));
  EXPECT_EQ(test::codes_of(scene.diagnostics), "engine-shape-approximated /m;");
  EXPECT_EQ(scene.write(&write_urdf).meshes.size(), 1U);
}

TEST(EngineVisuals, LeaveOutWhatHasNoSize) {
  Scene scene(body("a",
                   "def Sphere \"s\" {\ndouble radius = 0\n}\ndef Mesh \"m\" {\n"
                   "int[] faceVertexCounts = [2]\nint[] faceVertexIndices = [0, 1]\n"
                   "point3f[] points = [(0, 0, 0), (1, 0, 0)]\n}\n"));
  for (const auto writer : {&write_mjcf, &write_urdf}) {
    scene.diagnostics.clear();
    const EngineFile file = scene.write(writer);
    for (const std::string path : {"/a/s", "/a/m"}) {
      EXPECT_THAT(file.text, Not(HasSubstr(path)));
      EXPECT_THAT(test::codes_of(scene.diagnostics),
                  HasSubstr("engine-visual-skipped " + path + ";"));
    }
    EXPECT_EQ(count(scene.diagnostics, Severity::error), 0U);
  }
}

}  // namespace
}  // namespace sinew::exporter::engine_visuals_test
