// SPDX-License-Identifier: Apache-2.0
// What concerns all kinds of objects: which prims are read, values of wrong types, wrong data.
#include "sinew/physics/read/read_physics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "physics/read_scene.hpp"

namespace sinew::physics::read_test {
namespace {

using test::paths;
using test::read;
using ::testing::ElementsAre;

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

TEST(ReadPhysics, MakesCustomJointsOfTokens) {  // physics 3.4
  const std::string text =
      "def MyJoint \"mine\" {}\ndef PhysicsJoint \"generic\" {}\n"
      "def PhysicsFixedJoint \"fixed\" {}\n";
  EXPECT_THAT(paths(read(text).joints), ElementsAre("/generic", "/fixed"));
  ReadOptions options;
  options.joint_tokens = {"MyJoint", "PhysicsJoint", "PhysicsFixedJoint"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(std::get<CustomJoint>(model.joints[0].kind).type_name, "MyJoint");
  EXPECT_EQ(model.joints[1].type(), ObjectType::custom_joint);
  EXPECT_EQ(model.joints[2].type(), ObjectType::fixed_joint);
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

TEST(ReadPhysics, ExcludesWhatIsBelowOutsideOfBodies) {  // physics 3.1
  const std::string text =
      "def Xform \"ground\" { def Cube \"c\" (prepend apiSchemas = "
      "[\"PhysicsCollisionAPI\"]) {}\n}\n";
  EXPECT_EQ(read(text).shapes.size(), 1u);
  ReadOptions options;
  options.exclude_paths = {"/ground"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  EXPECT_TRUE(model.shapes.empty());
  EXPECT_TRUE(model.unreported_shapes.empty());
}

TEST(ReadPhysics, ABlockedDensityOfAMaterialLeavesWhereADescriptorStarts) {  // corrections 30
  const std::string text =
      "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) { float physics:density = None; "
      "}\n";
  EXPECT_EQ(read(text).materials.at(0).density, -1.0F);
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

// Whatever a prim says of its mass counts by PhysicsMassAPI alone.
TEST(ReadPhysics, MassFiguresNeedTheirApi) {
  const auto scene = [](const std::string& api) {
    const std::string figures =
        "float physics:mass = 7\nfloat physics:density = 5\npoint3f physics:centerOfMass = (1, 2, "
        "3)\n"
        "float3 physics:diagonalInertia = (1, 2, 3)\nquatf physics:principalAxes = (0, 1, 0, 0)\n";
    return "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"" + api + "]) {\n" + figures +
           "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"" + api + "]) {\n" + figures +
           "}\n}\n";
  };
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    Diagnostics diagnostics;
    const PhysicsModel without = read(scene(""), diagnostics, rules);
    const PhysicsModel with = read(scene(", \"PhysicsMassAPI\""), diagnostics, rules);
    ASSERT_EQ(without.mass_nodes.size(), 2U);
    ASSERT_EQ(with.mass_nodes.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const MassNode& node = without.mass_nodes[i];
      EXPECT_FALSE(node.has_mass_api);
      EXPECT_FALSE(node.authored.mass || node.authored.density || node.authored.center_of_mass ||
                   node.authored.diagonal_inertia || node.authored.principal_axes);
      EXPECT_TRUE(with.mass_nodes[i].has_mass_api);
      EXPECT_EQ(with.mass_nodes[i].authored.mass, 7.0F);
      EXPECT_EQ(with.mass_nodes[i].authored.density, 5.0F);
    }
  }
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
}  // namespace sinew::physics::read_test
