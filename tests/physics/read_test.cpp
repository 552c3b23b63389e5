// SPDX-License-Identifier: Apache-2.0
// From a stage to a model. Comments name the items of the conformance checklist.
#include "sinew/physics/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "stage/support.hpp"

namespace sinew::physics {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PhysicsModel read(const std::string& text, Diagnostics& diagnostics, Rules rules = Rules::openusd,
                  const ReadOptions& options = {}) {
  stage::OpenOptions open;
  open.rules = rules;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics, open);
  return read_physics(*stage, diagnostics, options);
}

PhysicsModel read(const std::string& text, Rules rules = Rules::openusd,
                  const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  return read(text, diagnostics, rules, options);
}

// A static collider at (100, 20, 10), turned by 45 degrees about z and scaled by 3.
Shape posed(const std::string& type, const std::string& attributes) {
  PhysicsModel model = read("def " + type +
                            " \"c\" (apiSchemas = [\"PhysicsCollisionAPI\", "
                            "\"PhysicsMeshCollisionAPI\"]) {\n" +
                            attributes +
                            "\ndouble3 xformOp:translate = (100, 20, 10)\n"
                            "float3 xformOp:rotateXYZ = (0, 0, 45)\n"
                            "float3 xformOp:scale = (3, 3, 3)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:translate\", "
                            "\"xformOp:rotateXYZ\", \"xformOp:scale\"]\n}\n");
  EXPECT_EQ(model.shapes.size(), 1u) << type;
  return model.shapes.empty() ? Shape{} : model.shapes.front();
}

TEST(ReadPhysics, ResolvesGravityOfAnEmptyScene) {  // physics P1
  const PhysicsModel y = read("def PhysicsScene \"s\" {}\n");
  EXPECT_EQ(y.scenes.at(0).gravity_direction, Vector3f(0, -1, 0));
  EXPECT_FLOAT_EQ(y.scenes.at(0).gravity_magnitude, 981.0F);
  const PhysicsModel z = read("(upAxis = \"Z\")\ndef PhysicsScene \"s\" {}\n");
  EXPECT_EQ(z.scenes.at(0).gravity_direction, Vector3f(0, 0, -1));
}

TEST(ReadPhysics, ScalesEveryShape) {  // physics P2
  const Shape sphere = posed("Sphere", "double radius = 30");
  EXPECT_EQ(std::get<SphereShape>(sphere.geometry).radius, 90.0F);
  EXPECT_TRUE(sphere.rigid_body.empty());
  EXPECT_TRUE(sphere.local_pos.isApprox(Vector3f(100, 20, 10)));
  EXPECT_NEAR(sphere.local_rot.z(), 0.3826834F, 1e-5F);
  EXPECT_TRUE(sphere.local_scale.isApprox(Vector3f(3, 3, 3), 1e-5F));
  const auto capsule = std::get<CapsuleShape>(
      posed("Capsule", "double radius = 30; double height = 10; uniform token axis = \"Y\"")
          .geometry);
  EXPECT_FLOAT_EQ(capsule.radius, 90.0F);
  EXPECT_FLOAT_EQ(capsule.half_height, 15.0F);
  EXPECT_EQ(capsule.axis, Axis::y);
  const auto tapered = std::get<Cylinder1Shape>(
      posed("Cylinder_1", "double radiusTop = 30; double radiusBottom = 20; double height = 10")
          .geometry);
  EXPECT_FLOAT_EQ(tapered.top_radius, 90.0F);
  EXPECT_FLOAT_EQ(tapered.bottom_radius, 60.0F);
  EXPECT_EQ(std::get<PlaneShape>(posed("Plane", "").geometry).axis, Axis::z);
  const auto mesh = std::get<MeshShape>(
      posed("Mesh", "uniform token physics:approximation = \"convexHull\"").geometry);
  EXPECT_EQ(mesh.approximation, "convexHull");
  const auto points = std::get<SpherePointsShape>(
      posed("Points", "point3f[] points = [(1,1,1), (2,2,2)]; float[] widths = [5, 10]").geometry);
  EXPECT_EQ(points.sphere_points[1].center, Vector3f(2, 2, 2));
  EXPECT_EQ(points.sphere_points[0].radius, 7.5F);
}

TEST(ReadPhysics, FindsWidthsOfPointsWhereverTheyAre) {  // physics P3
  const auto radii = [](const std::string& attributes) {
    const PhysicsModel model = read(
        "def Points \"p\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n" + attributes + "\n}\n");
    std::vector<float> result;
    for (const SpherePoint& p :
         std::get<SpherePointsShape>(model.shapes.at(0).geometry).sphere_points) {
      result.push_back(p.radius);
    }
    return result;
  };
  const std::string two = "point3f[] points = [(0,0,0), (1,1,1)]\n";
  EXPECT_THAT(radii(two + "float[] widths = [4, 6]"), ElementsAre(2, 3));
  EXPECT_THAT(radii(two + "float[] widths = [10, 20]\nfloat[] primvars:widths = [4, 6]"),
              ElementsAre(2, 3));
  EXPECT_THAT(radii(two + "float[] primvars:widths = [4]\nint[] primvars:widths:indices = [0, 0]"),
              ElementsAre(2, 2));
  EXPECT_THAT(radii("point3f[] points = [(0,0,0)]"), IsEmpty());
}

constexpr const char* kBodyWithCube = R"(
def PhysicsScene "scene" {}
def Xform "body" (apiSchemas = ["PhysicsRigidBodyAPI"]) {
    vector3f physics:velocity = (20, 10, 5)
    bool physics:kinematicEnabled = true
    double3 xformOp:translate = (100, 0, 0)
    float3 xformOp:scale = (3, 3, 3)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    def Cube "cube" (apiSchemas = ["PhysicsCollisionAPI"]) {}
}
)";

TEST(ReadPhysics, GivesBodiesTheirColliders) {  // physics P4-P6
  const PhysicsModel model = read(kBodyWithCube);
  const RigidBody& body = model.rigid_bodies.at(0);
  EXPECT_THAT(body.collisions, ElementsAre("/body/cube"));
  EXPECT_TRUE(body.kinematic_body);
  EXPECT_TRUE(body.rigid_body_enabled);
  EXPECT_EQ(body.linear_velocity, Vector3f(20, 10, 5));
  EXPECT_EQ(model.shapes.at(0).rigid_body, "/body");
  EXPECT_EQ(model.shapes.at(0).body, 0);
  EXPECT_TRUE(model.shapes.at(0).local_pos.isZero());
  EXPECT_TRUE(model.shapes.at(0).local_scale.isApprox(Vector3f(1, 1, 1)));
}

TEST(ReadPhysics, ReadsLimitsAndDrivesOfJoints) {  // physics P11
  const PhysicsModel model = read(R"(
def Xform "a" (apiSchemas = ["PhysicsRigidBodyAPI"]) {}
def Xform "b" (apiSchemas = ["PhysicsRigidBodyAPI"]) {}
def PhysicsRevoluteJoint "r" (apiSchemas = ["PhysicsDriveAPI:angular"]) {
    rel physics:body0 = </a>
    rel physics:body1 = </b>
    uniform token physics:axis = "Y"
    point3f physics:localPos0 = (1, 1, 1)
    float physics:lowerLimit = 0
    float physics:upperLimit = 90
    float physics:breakForce = 500
    float drive:angular:physics:targetPosition = 10
    float drive:angular:physics:damping = 40
}
def PhysicsPrismaticJoint "p" { rel physics:body1 = </b>; float physics:lowerLimit = 10; }
def PhysicsJoint "d" (apiSchemas = ["PhysicsLimitAPI:rotY"]) {
    rel physics:body1 = </b>
    float limit:rotY:physics:low = 30
    float limit:rotY:physics:high = -30
}
)");
  const auto& revolute = std::get<RevoluteJoint>(model.joints.at(0).kind);
  EXPECT_EQ(revolute.axis, Axis::y);
  EXPECT_TRUE(revolute.limit.enabled);
  EXPECT_TRUE(revolute.drive.enabled);
  EXPECT_EQ(revolute.drive.damping, 40.0F);
  EXPECT_EQ(model.joints[0].break_force, 500.0F);
  EXPECT_EQ(model.joints[0].local_pose0_position, Vector3f(1, 1, 1));
  EXPECT_EQ(model.joints[0].body1_index, 1);
  EXPECT_TRUE(std::get<PrismaticJoint>(model.joints.at(1).kind).limit.enabled);
  const DofLimit& locked = std::get<D6Joint>(model.joints.at(2).kind).limits.at(0);
  EXPECT_EQ(locked.dof, JointDof::rot_y);
  EXPECT_GT(locked.limit.lower, locked.limit.upper);
}

TEST(ReadPhysics, MergesGroupsByName) {  // physics P15
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const std::string merge = i % 4 == 0 && i > 0 ? "four" : i % 3 == 0 && i > 0 ? "three" : "";
    text += "def PhysicsCollisionGroup \"g" + std::to_string(i) +
            "\" { rel physics:filteredGroups = </g" + std::to_string((i + 9) % 10) + ">";
    if (!merge.empty()) text += "; string physics:mergeGroup = \"" + merge + "\"";
    text += "; }\n";
  }
  const PhysicsModel model = read(text);
  ASSERT_EQ(model.collision_groups.size(), 7u);
  for (const CollisionGroup& group : model.collision_groups) {
    if (group.merge_group_name == "three") {
      EXPECT_EQ(group.path, "/g3");
      EXPECT_THAT(group.filtered_groups, ElementsAre("/g2", "/g5", "/g8"));
    } else if (group.merge_group_name == "four") {
      EXPECT_EQ(group.path, "/g4");
      EXPECT_EQ(group.merged_groups.size(), 2u);
    } else {
      EXPECT_EQ(group.filtered_groups.size(), 1u);
    }
  }
}

TEST(ReadPhysics, ListsTheGroupsOfAShape) {  // physics P16
  const PhysicsModel model = read(R"(
def Cube "cube" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def PhysicsCollisionGroup "group_1" { rel collection:colliders:includes = </cube>; }
def PhysicsCollisionGroup "group_0" { rel collection:colliders:includes = </cube>; }
)");
  EXPECT_THAT(model.shapes.at(0).collision_groups, ElementsAre("/group_0", "/group_1"));
}

TEST(ReadPhysics, MakesCustomShapesAndJointsOfTokens) {  // physics P17
  ReadOptions options;
  options.shape_tokens = {"MyCustomGeometryAPI"};
  options.joint_tokens = {"MyJoint"};
  const PhysicsModel model = read(R"(
def Cube "cube" (apiSchemas = ["MyCustomGeometryAPI", "PhysicsCollisionAPI"]) {}
def MyJoint "joint" {}
)",
                                  Rules::openusd, options);
  EXPECT_EQ(std::get<CustomShape>(model.shapes.at(0).geometry).custom_geometry_token,
            "MyCustomGeometryAPI");
  EXPECT_TRUE(std::holds_alternative<CustomJoint>(model.joints.at(0).kind));
}

TEST(ReadPhysics, IncludesAndExcludesByPath) {  // physics 3.1
  ReadOptions options;
  options.include_paths = {"/body", "/nothing"};
  const PhysicsModel included = read(kBodyWithCube, Rules::openusd, options);
  EXPECT_TRUE(included.scenes.empty());
  EXPECT_EQ(included.rigid_bodies.size(), 1u);
  options.include_paths.clear();
  options.exclude_paths = {"/body/cube"};
  const PhysicsModel excluded = read(kBodyWithCube, Rules::openusd, options);
  EXPECT_EQ(excluded.scenes.size(), 1u);
  EXPECT_TRUE(excluded.shapes.empty());
  EXPECT_EQ(excluded.unreported_shapes.size(), 1u);  // It has mass all the same.
}

TEST(ReadPhysics, KeepsWhatBelongsToAnOwner) {  // physics P19, P20
  ReadOptions options;
  options.simulation_owners = {"/scene"};
  const PhysicsModel scene_only = read(kBodyWithCube, Rules::openusd, options);
  EXPECT_EQ(scene_only.scenes.size(), 1u);
  EXPECT_TRUE(scene_only.rigid_bodies.empty());
  EXPECT_TRUE(scene_only.shapes.empty());
  options.simulation_owners = {""};
  const PhysicsModel unowned = read(kBodyWithCube, Rules::openusd, options);
  EXPECT_TRUE(unowned.scenes.empty());
  EXPECT_EQ(unowned.rigid_bodies.size(), 1u);
  EXPECT_EQ(unowned.shapes.at(0).body, 0);
}

TEST(ReadPhysics, RegardsAMaterialBeforeACollider) {  // physics 3.3
  EXPECT_EQ(
      read("def Cube \"c\" (apiSchemas = [\"PhysicsMaterialAPI\", \"PhysicsCollisionAPI\"]) {}\n")
          .shapes.size(),
      0u);
  EXPECT_EQ(
      read("def Cube \"c\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMaterialAPI\"]) {}\n")
          .materials.size(),
      0u);
}

TEST(ReadPhysics, DocumentedRulesIgnoreBodiesInsideBodies) {  // decisions 1
  const std::string text = R"(
def Xform "outer" (apiSchemas = ["PhysicsRigidBodyAPI"]) {
    def Cube "inner" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
}
)";
  Diagnostics diagnostics;
  const PhysicsModel model = read(text, diagnostics, Rules::documented);
  ASSERT_EQ(model.rigid_bodies.size(), 1u);
  EXPECT_EQ(model.shapes.at(0).rigid_body, "/outer");
  EXPECT_EQ(count(diagnostics, Severity::error), 1u);
  EXPECT_EQ(read(text).rigid_bodies.size(), 2u);
}

TEST(ReadPhysics, ConvertsWrongTypesUnderDocumentedRulesOnly) {  // physics 0.2, decisions 22
  const std::string text =
      "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) { double physics:density = 7; "
      "}\n";
  EXPECT_EQ(read(text).materials.at(0).density, 0.0F);
  Diagnostics diagnostics;
  EXPECT_EQ(read(text, diagnostics, Rules::documented).materials.at(0).density, 7.0F);
  EXPECT_EQ(diagnostics.size(), 1u);
}

TEST(ReadPhysics, SurvivesWrongDataOfEveryKind) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(R"(
def Xform "b" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    float physics:mass = nan
    point3f physics:centerOfMass = (inf, nan, 0)
    string physics:velocity = "fast"
    float3 xformOp:scale = (0, nan, inf)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    def Mesh "m" (apiSchemas = ["PhysicsCollisionAPI"]) {
        point3f[] points = [(0,0,0), (nan,0,0)]
        int[] faceVertexCounts = [3, -5, 1000000]
        int[] faceVertexIndices = [0, 1, 99, -7]
    }
    def Points "p" (apiSchemas = ["PhysicsCollisionAPI"]) { point3f[] points = [(0,0,0)]; }
    def Scope "s" (apiSchemas = ["PhysicsCollisionAPI"]) {}
}
def PhysicsFixedJoint "self" { rel physics:body0 = </b>; rel physics:body1 = </b>; }
def PhysicsFixedJoint "lost" { rel physics:body0 = </gone>; rel physics:body1 = </b.attribute>; }
def PhysicsCollisionGroup "g" { rel collection:colliders:includes = </g.collection:colliders>; rel physics:filteredGroups = </b>; }
)",
                                  diagnostics, Rules::documented);
  EXPECT_EQ(model.rigid_bodies.size(), 1u);
  EXPECT_EQ(model.joints.size(), 2u);
  EXPECT_FALSE(model.joints[1].is_valid);
  EXPECT_GE(diagnostics.size(), 4u);
}

}  // namespace
}  // namespace sinew::physics
