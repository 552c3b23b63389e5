// SPDX-License-Identifier: Apache-2.0
// Physics that becomes a glTF file and a layer again resolves to the same model, what glTF has no
// place for included.
#include <gtest/gtest.h>

#include <string>

#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::exporter {
namespace {

using physics::PhysicsModel;

stage::StagePtr open(const std::string& text) {
  stage::MemoryResolver resolver;
  resolver.add("root.usda", text);
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("root.usda", diagnostics, options);
  EXPECT_TRUE(stage) << text;
  return stage ? *stage : nullptr;
}

PhysicsModel model_of(const stage::Stage& stage) {
  Diagnostics diagnostics;
  return physics::read_physics(stage, diagnostics).to_si();
}

std::string text_of(const Buffer& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The text of the layer that comes back, in lengths of `metres_per_unit`.
std::string through_glb(const std::string& text, double metres_per_unit) {
  Diagnostics diagnostics;
  const auto glb = write_glb(*open(text), {}, diagnostics);
  EXPECT_TRUE(glb);
  ImportGlbOptions options;
  options.meters_per_unit = metres_per_unit;
  const auto imported = import_glb(Bytes(text_of(glb->bytes)), options, diagnostics);
  EXPECT_TRUE(imported);
  return usda::write(*imported->layer);
}

constexpr const char* kScene = R"(#usda 1.0
(
  metersPerUnit = 1
  kilogramsPerUnit = 1
  upAxis = "Y"
)
def PhysicsScene "Scene" {}
def Material "Rubber" (apiSchemas = ["PhysicsMaterialAPI"]) {
  float physics:dynamicFriction = 0.75
  float physics:density = 1250
}
def Xform "Robot" (apiSchemas = ["PhysicsArticulationRootAPI"]) {
  def Cube "Base" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI",
                                 "MaterialBindingAPI"]) {
    float physics:mass = 4
    uniform bool physics:startsAsleep = 1
    rel material:binding:physics = </Rubber>
  }
  def Mesh "Arm" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
                                "PhysicsMeshCollisionAPI", "PhysicsMassAPI"]) {
    float physics:mass = 2
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    uniform token subdivisionScheme = "none"
    uniform token physics:approximation = "convexDecomposition"
  }
  def PhysicsJoint "General" (apiSchemas = ["PhysicsLimitAPI:transX", "PhysicsLimitAPI:transY",
      "PhysicsLimitAPI:transZ", "PhysicsLimitAPI:rotX", "PhysicsLimitAPI:rotY"]) {
    rel physics:body0 = </Robot/Base>
    rel physics:body1 = </Robot/Arm>
    float limit:transX:physics:low = 1
    float limit:transX:physics:high = -1
    float limit:transY:physics:low = 1
    float limit:transY:physics:high = -1
    float limit:transZ:physics:low = 1
    float limit:transZ:physics:high = -1
    float limit:rotX:physics:low = 1
    float limit:rotX:physics:high = -1
    float limit:rotY:physics:low = 1
    float limit:rotY:physics:high = -1
    float physics:breakForce = 300
    float physics:breakTorque = 40
  }
}
def Cube "Weight" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]) {
  float physics:mass = 1
  double3 xformOp:translate = (8, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate"]
}
def PhysicsFixedJoint "Tie" {
  rel physics:body0 = </Robot/Base>
  rel physics:body1 = </Weight>
  point3f physics:localPos0 = (8, 0, 0)
  uniform bool physics:excludeFromArticulation = 1
}
def PhysicsRevoluteJoint "Anchor" (apiSchemas = ["PhysicsArticulationRootAPI"]) {
  rel physics:body1 = </Weight>
  point3f physics:localPos0 = (8, 0, 0)
}
)";

const physics::Joint* joint_named(const PhysicsModel& model, std::string_view name) {
  for (const physics::Joint& joint : model.joints) {
    if (joint.path.view().ends_with(name)) return &joint;
  }
  ADD_FAILURE() << "no joint " << name;
  return nullptr;
}

class PhysicsThroughGlb : public ::testing::TestWithParam<double> {
 protected:
  void SetUp() override {
    text_ = through_glb(kScene, GetParam());
    stage_ = open(text_);
    ASSERT_NE(stage_, nullptr);
    model_ = model_of(*stage_);
    given_stage_ = open(kScene);
    given_ = model_of(*given_stage_);
  }

  std::string text_;
  stage::StagePtr stage_;
  stage::StagePtr given_stage_;
  PhysicsModel model_;
  PhysicsModel given_;
};

INSTANTIATE_TEST_SUITE_P(InMetresAndCentimetres, PhysicsThroughGlb, ::testing::Values(1.0, 0.01));

TEST_P(PhysicsThroughGlb, BodiesStayAsleep) {
  ASSERT_EQ(model_.rigid_bodies.size(), given_.rigid_bodies.size());
  int asleep = 0;
  for (const physics::RigidBody& body : model_.rigid_bodies) asleep += body.starts_asleep ? 1 : 0;
  EXPECT_EQ(asleep, 1) << text_;
}

TEST_P(PhysicsThroughGlb, MaterialsKeepTheirDensity) {
  ASSERT_EQ(model_.materials.size(), 1u);
  EXPECT_FLOAT_EQ(model_.materials[0].dynamic_friction, 0.75F);
  EXPECT_NEAR(model_.materials[0].density, 1250.0F, 1e-3F);
}

TEST_P(PhysicsThroughGlb, MeshesKeepTheirApproximation) {
  int found = 0;
  for (const physics::Shape& shape : model_.shapes) {
    const auto* mesh = std::get_if<physics::MeshShape>(&shape.geometry);
    if (mesh == nullptr) continue;
    ++found;
    EXPECT_EQ(mesh->approximation.view(), "convexDecomposition");
  }
  EXPECT_EQ(found, 1) << text_;
}

TEST_P(PhysicsThroughGlb, JointsKeepTheirKindAndWhatBreaksThem) {
  ASSERT_EQ(model_.joints.size(), 3u) << text_;
  const physics::Joint* const general = joint_named(model_, "General");
  ASSERT_NE(general, nullptr);
  const physics::Joint* const given = joint_named(given_, "General");
  EXPECT_EQ(general->kind.index(), given->kind.index());
  EXPECT_NEAR(general->break_force, 300.0F, 1e-3F);
  EXPECT_NEAR(general->break_torque, 40.0F, 1e-3F);
  EXPECT_FALSE(general->exclude_from_articulation);
  const physics::Joint* const tie = joint_named(model_, "Tie");
  ASSERT_NE(tie, nullptr);
  EXPECT_TRUE(tie->exclude_from_articulation);
  EXPECT_EQ(tie->break_force, given_.joints[1].break_force) << "unlimited";
}

TEST_P(PhysicsThroughGlb, ArticulationsHaveTheSameLinks) {
  ASSERT_EQ(model_.articulations.size(), given_.articulations.size()) << text_;
  for (std::size_t i = 0; i < given_.articulations.size(); ++i) {
    EXPECT_EQ(model_.articulations[i].root_prim_paths.size(),
              given_.articulations[i].root_prim_paths.size());
    EXPECT_EQ(model_.articulations[i].joint_paths.size(),
              given_.articulations[i].joint_paths.size());
  }
}

// Extras are anybody's.
TEST(KeptExtras, OfOtherTypesAreIgnored) {
  const std::string file = R"({
    "asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0, 1], "extras": {"sinew": {"articulationRoots": [7, {}, "/A"]}}}],
    "nodes": [
      {"name": "A", "extras": {"sinew": {"startsAsleep": "yes", "approximation": 3}, "usd": 4},
       "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}}}},
      {"name": "B", "extras": {"sinew": [1], "usd": {"path": "/B"}},
       "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}}}}],
    "extensionsUsed": ["KHR_physics_rigid_bodies"]
  })";
  Diagnostics diagnostics;
  const auto imported = import_glb(Bytes(file), {}, diagnostics);
  ASSERT_TRUE(imported) << imported.error().message;
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << format(diagnostic);
  const stage::StagePtr stage = open(usda::write(*imported->layer));
  const PhysicsModel model = model_of(*stage);
  ASSERT_EQ(model.rigid_bodies.size(), 2u);
  EXPECT_FALSE(model.rigid_bodies[0].starts_asleep);
  EXPECT_TRUE(model.articulations.empty());
}

}  // namespace
}  // namespace sinew::exporter
