// SPDX-License-Identifier: Apache-2.0
// Physics that becomes a glTF file and a layer again resolves to the same model, what glTF has no
// place for included.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::exporter::physics_round_trip_test {
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

constexpr const char* kSwitchedOff = R"(#usda 1.0
(
  defaultPrim = "World"
  metersPerUnit = 1
  kilogramsPerUnit = 1
  upAxis = "Z"
)
def Xform "World" {
  def PhysicsScene "Scene" {
    vector3f physics:gravityDirection = (0.6, 0, -0.8)
    float physics:gravityMagnitude = 3.5
  }
  def Material "Rubber" (apiSchemas = ["PhysicsMaterialAPI"]) {
    float physics:dynamicFriction = 0.75
  }
  def Cube "Table" (apiSchemas = ["PhysicsCollisionAPI"]) {
    double3 xformOp:translate = (1, 2, -3)
    quatf xformOp:orient = (0.6, 0, 0, 0.8)
    float3 xformOp:scale = (2, 3, 0.5)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
  }
  def Capsule "Body" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
                                    "MaterialBindingAPI"]) {
    uniform token axis = "Y"
    bool physics:collisionEnabled = 0
    rel material:binding:physics = </World/Rubber>
  }
  def Mesh "Rock" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
                                 "PhysicsMeshCollisionAPI"]) {
    bool physics:collisionEnabled = 0
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    uniform token subdivisionScheme = "none"
    uniform token physics:approximation = "boundingSphere"
  }
  def Sphere "Sleeper" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
    bool physics:rigidBodyEnabled = 0
  }
  def Sphere "Arm" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
  def PhysicsRevoluteJoint "Off" {
    bool physics:jointEnabled = 0
    uniform token physics:axis = "Z"
    float physics:lowerLimit = -90
    float physics:upperLimit = 45
    rel physics:body0 = </World/Body>
    rel physics:body1 = </World/Rock>
    point3f physics:localPos0 = (0, 0, 1)
  }
  def PhysicsFixedJoint "OnTable" {
    rel physics:body0 = </World/Arm>
    rel physics:body1 = </World/Table>
    point3f physics:localPos1 = (0.5, 0.25, 1)
    quatf physics:localRot1 = (0, 0.6, 0.8, 0)
  }
}
)";

// Up, and the length that is 1.
class SwitchedOffThroughGlb : public ::testing::TestWithParam<std::pair<Axis, double>> {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    given_stage_ = open(kSwitchedOff);
    given_ = model_of(*given_stage_);
    glb_ = write(*given_stage_, {});
    ASSERT_TRUE(glb_);
    ImportGlbOptions options;
    options.up = GetParam().first;
    options.meters_per_unit = GetParam().second;
    const auto imported = import_glb(Bytes(text_of(glb_->bytes)), options, diagnostics);
    ASSERT_TRUE(imported) << imported.error().message;
    for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << format(diagnostic);
    text_ = usda::write(*imported->layer);
    stage_ = open(text_);
    ASSERT_NE(stage_, nullptr);
    model_ = model_of(*stage_);
  }

  static Result<GltfFile> write(const stage::Stage& stage, const GlbOptions& options) {
    Diagnostics diagnostics;
    return write_glb(stage, options, diagnostics);
  }

  // A vector of the given stage, which is Z-up, in the axes of the imported one.
  Vector3f turned(const Vector3f& v) const {
    return GetParam().first == Axis::z ? v : Vector3f(v.x(), v.z(), -v.y());
  }

  static const physics::Shape* shape_named(const PhysicsModel& model, std::string_view name) {
    for (const physics::Shape& shape : model.shapes) {
      if (shape.path.view().find(name) != std::string_view::npos) return &shape;
    }
    ADD_FAILURE() << "no shape " << name;
    return nullptr;
  }

  Result<GltfFile> glb_ = Error{};
  std::string text_;
  stage::StagePtr given_stage_;
  stage::StagePtr stage_;
  PhysicsModel given_;
  PhysicsModel model_;
};

INSTANTIATE_TEST_SUITE_P(UpAndUnits, SwitchedOffThroughGlb,
                         ::testing::Values(std::pair(Axis::y, 1.0), std::pair(Axis::z, 1.0),
                                           std::pair(Axis::y, 0.01), std::pair(Axis::z, 0.01)));

TEST_P(SwitchedOffThroughGlb, GravityPointsWhereItDid) {
  ASSERT_EQ(model_.scenes.size(), 1u);
  const Vector3f wanted = turned({0.6F, 0.0F, -0.8F});
  EXPECT_LT((model_.scenes[0].gravity_direction - wanted).norm(), 1e-6F) << text_;
  EXPECT_NEAR(model_.scenes[0].gravity_magnitude, 3.5F, 1e-5F);
}

TEST_P(SwitchedOffThroughGlb, CollidersStayOffAndWhatTheyAre) {
  ASSERT_EQ(model_.shapes.size(), given_.shapes.size()) << text_;
  for (const char* name : {"Table", "Body", "Rock", "Sleeper", "Arm"}) {
    const physics::Shape* const shape = shape_named(model_, name);
    const physics::Shape* const given = shape_named(given_, name);
    ASSERT_TRUE(shape != nullptr && given != nullptr);
    EXPECT_EQ(shape->collision_enabled, given->collision_enabled) << name;
    EXPECT_EQ(shape->bound_material >= 0, given->bound_material >= 0) << name;
    EXPECT_EQ(model_.has_body(shape->body), given_.has_body(given->body)) << name;
  }
  const auto* const body =
      std::get_if<physics::CapsuleShape>(&shape_named(model_, "Body")->geometry);
  const auto* const was =
      std::get_if<physics::CapsuleShape>(&shape_named(given_, "Body")->geometry);
  ASSERT_TRUE(body != nullptr && was != nullptr);
  EXPECT_NEAR(body->radius, was->radius, 1e-6F);
  EXPECT_NEAR(body->half_height, was->half_height, 1e-6F);
}

TEST_P(SwitchedOffThroughGlb, BodiesStayOff) {
  ASSERT_EQ(model_.rigid_bodies.size(), given_.rigid_bodies.size()) << text_;
  std::size_t off = 0;
  for (const physics::RigidBody& body : model_.rigid_bodies) off += body.rigid_body_enabled ? 0 : 1;
  EXPECT_EQ(off, 1u);
}

TEST_P(SwitchedOffThroughGlb, JointsStayOff) {
  ASSERT_EQ(model_.joints.size(), 2u) << text_;
  const physics::Joint* const off = joint_named(model_, "Off");
  ASSERT_NE(off, nullptr);
  EXPECT_FALSE(off->joint_enabled);
  const auto* const hinge = std::get_if<physics::RevoluteJoint>(&off->kind);
  ASSERT_NE(hinge, nullptr);
  EXPECT_NEAR(hinge->limit.lower, -1.5707963F, 1e-5F);
  EXPECT_NEAR(hinge->limit.upper, 0.78539816F, 1e-5F);
}

TEST_P(SwitchedOffThroughGlb, JointsKeepTheirStaticCollider) {
  const physics::Joint* const joint = joint_named(model_, "OnTable");
  const physics::Joint* const given = joint_named(given_, "OnTable");
  ASSERT_TRUE(joint != nullptr && given != nullptr);
  EXPECT_TRUE(joint->joint_enabled);
  EXPECT_EQ(joint->ends[1].body, physics::kNone);
  EXPECT_NE(joint->ends[1].body_path.view(), "") << text_;
  const auto world = [](const physics::JointEnd& end) {
    return physics::Pose{end.body_world.position + end.body_world.rotation * end.frame.position,
                         end.body_world.rotation * end.frame.rotation};
  };
  const physics::Pose stands = world(joint->ends[1]), stood = world(given->ends[1]);
  EXPECT_LT((stands.position - turned(stood.position)).norm(), 1e-5F) << text_;
  for (const Vector3f& axis : {Vector3f(1, 0, 0), Vector3f(0, 1, 0)}) {
    EXPECT_LT((stands.rotation * axis - turned(stood.rotation * axis)).norm(), 1e-5F);
  }
}

TEST_P(SwitchedOffThroughGlb, TheSamePairsOfShapesCollide) {
  Diagnostics diagnostics;
  const auto filter = physics::PairFilter::build(model_, diagnostics);
  const auto given = physics::PairFilter::build(given_, diagnostics);
  const auto index = [](const PhysicsModel& model, const char* name) {
    return static_cast<std::int32_t>(shape_named(model, name) - model.shapes.data());
  };
  for (const char* a : {"Table", "Body", "Rock", "Sleeper", "Arm"}) {
    for (const char* b : {"Table", "Body", "Rock", "Sleeper", "Arm"}) {
      EXPECT_EQ(filter.decide(index(model_, a), index(model_, b)).reason,
                given.decide(index(given_, a), index(given_, b)).reason)
          << a << " and " << b;
    }
  }
}

TEST_P(SwitchedOffThroughGlb, TheWorldIsThereOnce) {
  EXPECT_TRUE(stage_->default_prim());
  std::size_t worlds = 0;
  for (const stage::Prim& prim : stage_->root().descendants()) {
    worlds += prim.name().view() == "World" ? 1 : 0;
  }
  EXPECT_EQ(worlds, 1u) << text_;
}

TEST(SwitchedOff, IsLeftOutWithoutExtras) {
  Diagnostics diagnostics;
  GlbOptions options;
  options.extras = false;
  const auto glb = write_glb(*open(kSwitchedOff), options, diagnostics);
  ASSERT_TRUE(glb);
  EXPECT_EQ(text_of(glb->bytes).find("\"disabled\""), std::string::npos);
  EXPECT_EQ(glb->summary.colliders, 3u);
  EXPECT_EQ(glb->summary.physics_joints, 1u);
}

// The node of the body and that of its collider came from one prim.
TEST(KeptArticulation, HasOneRoot) {
  const std::string text = through_glb(R"(#usda 1.0
(
  metersPerUnit = 1
  kilogramsPerUnit = 1
  upAxis = "Y"
)
def PhysicsScene "Scene" {}
def Cube "Base" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
                               "PhysicsArticulationRootAPI"]) {}
def Cube "Arm" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  double3 xformOp:translate = (3, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate"]
}
def PhysicsRevoluteJoint "Hinge" {
  rel physics:body0 = </Base>
  rel physics:body1 = </Arm>
}
)",
                                       1.0);
  const std::string root = "PhysicsArticulationRootAPI";
  const std::size_t first = text.find(root);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(root, first + 1), std::string::npos) << text;
}

TEST(KeptGravity, CountsWithoutBodiesAndGivesWayToThem) {
  const auto magnitude_of = [](const std::string& more) {
    const std::string file = R"({
      "asset": {"version": "2.0"}, "scene": 0,
      "scenes": [{"nodes": [0],
        "extras": {"sinew": {"gravity": {"direction": [0, -1, 0], "magnitude": 2}}}}],
      "nodes": [{"extensions": {"KHR_physics_rigid_bodies": )" +
                             more + R"(}}],
      "extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "sphere"}]}},
      "extensionsUsed": ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"]
    })";
    Diagnostics diagnostics;
    const auto imported = import_glb(Bytes(file), {}, diagnostics);
    EXPECT_TRUE(imported);
    return model_of(*open(usda::write(*imported->layer))).scenes.at(0).gravity_magnitude;
  };
  EXPECT_NEAR(magnitude_of(R"({"collider": {"geometry": {"shape": 0}}})"), 2.0F, 1e-6F);
  // Someone changed the shares of the bodies since.
  EXPECT_NEAR(magnitude_of(R"({"motion": {"mass": 1, "gravityFactor": 0.5}})"), 4.905F, 1e-5F);
  EXPECT_NEAR(magnitude_of(R"({"motion": {"mass": 1, "gravityFactor": 0.20387359836901}})"), 2.0F,
              1e-6F);
}

TEST(ImportedInertia, IsToldOfWhereUsdWouldNotSeeIt) {
  const std::string file = R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"extensions": {"KHR_physics_rigid_bodies": {"motion":
      {"mass": 0.01, "inertiaDiagonal": [2e-6, 2e-6, 3e-6]}}}}],
    "extensionsUsed": ["KHR_physics_rigid_bodies"]
  })";
  ImportGlbOptions options;
  for (const bool in_metres : {true, false}) {
    options.meters_per_unit = in_metres ? 1.0 : 0.01;
    Diagnostics diagnostics;
    const auto imported = import_glb(Bytes(file), options, diagnostics);
    ASSERT_TRUE(imported);
    EXPECT_EQ(diagnostics.empty(), !in_metres);
    for (const Diagnostic& diagnostic : diagnostics) {
      EXPECT_EQ(diagnostic.code, "gltf-physics-inertia");
    }
  }
}

// Where a file has a joint on the nodes of its bodies, there are no further nodes for its ends.
TEST(KeptJoints, StayOnTheNodesOfTheirBodies) {
  const std::string file = R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
    "nodes": [
      {"name": "door", "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 1, "inertiaDiagonal": [1, 1, 1],
       "inertiaOrientation": [0, 0, 0, 1]},
       "joint": {"connectedNode": 1, "joint": 0}}}},
      {"name": "frame", "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 2,
       "inertiaDiagonal": [1, 1, 1], "inertiaOrientation": [0, 0, 0, 1]}}}}],
    "extensions": {"KHR_physics_rigid_bodies": {"physicsJoints": [
      {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0},
                  {"angularAxes": [0, 2], "min": 0, "max": 0}]}]}},
    "extensionsUsed": ["KHR_physics_rigid_bodies"]
  })";
  Diagnostics diagnostics;
  const auto imported = import_glb(Bytes(file), {}, diagnostics);
  ASSERT_TRUE(imported) << imported.error().message;
  const std::string text = usda::write(*imported->layer);
  const stage::StagePtr stage = open(text);
  ASSERT_EQ(model_of(*stage).joints.size(), 1u) << text;
  const auto glb = write_glb(*stage, {}, diagnostics);
  ASSERT_TRUE(glb) << glb.error().message;
  const auto again = import_glb(Bytes(text_of(glb->bytes)), {}, diagnostics);
  ASSERT_TRUE(again) << again.error().message;
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << format(diagnostic);
  EXPECT_EQ(usda::write(*again->layer), text);
}

// Extras are anybody's.
TEST(KeptExtras, OfOtherTypesAreIgnored) {
  const std::string file = R"({
    "asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0, 1], "extras": {"sinew": {"articulationRoots": [7, {}, "/A"],
      "gravity": {"direction": [0, 0, 0], "magnitude": 3}}}}],
    "nodes": [
      {"name": "A", "extras": {"sinew": {"startsAsleep": "yes", "approximation": 3, "body": 5,
       "disabled": {"collider": {"geometry": {"shape": 7}}, "joint": {"connectedNode": 1}}},
       "usd": 4},
       "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}}}},
      {"name": "B", "extras": {"sinew": {"disabled": [1]}, "usd": {"path": "/B"}},
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
  EXPECT_TRUE(model.shapes.empty());
  EXPECT_TRUE(model.joints.empty());
  EXPECT_FLOAT_EQ(model.scenes.at(0).gravity_magnitude, 9.81F);
}

}  // namespace
}  // namespace sinew::exporter::physics_round_trip_test
