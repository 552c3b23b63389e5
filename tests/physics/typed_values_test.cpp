// SPDX-License-Identifier: Apache-2.0
// Values that are blocked, or of another type than the schema's, in one layer or in several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "physics/read_scene.hpp"
#include "sinew/physics/mass.hpp"

namespace sinew::physics::typed_values_test {
namespace {

using test::at;
using test::prim;
using test::read;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

// Layers from strong to weak, each given without its header line.
PhysicsModel read_layers(const std::vector<std::string>& layers, Rules rules,
                         Diagnostics& diagnostics) {
  stage::MemoryResolver resolver;
  std::string sublayers;
  for (std::size_t i = 1; i < layers.size(); ++i) {
    const std::string name = "layer" + std::to_string(i) + ".usda";
    sublayers += (i > 1 ? ", @" : "@") + name + "@";
    resolver.add(name, "#usda 1.0\n" + layers[i]);
  }
  resolver.add("root.usda", "#usda 1.0\n(subLayers = [" + sublayers + "])\n" + layers[0]);
  stage::OpenOptions options;
  options.rules = rules;
  options.resolver = &resolver;
  const auto stage = stage::Stage::open("root.usda", diagnostics, options);
  EXPECT_TRUE(stage);
  return stage ? read_physics(**stage, diagnostics) : PhysicsModel{};
}

struct BlockedValue {
  const char* type;
  const char* apis;
  std::string value_type;
  std::string name;
  float unauthored;
  float blocked;
  std::function<float(const Joint&)> read;
};

template <typename Kind>
const JointLimit& limit_of(const Joint& joint) {
  return std::get<Kind>(joint.kind).limit;
}

const BlockedValue kBlockedValues[] = {
    {"PhysicsFixedJoint", "", "float", "physics:breakForce", kInfinity, kLargest,
     [](const Joint& j) { return j.break_force; }},
    {"PhysicsFixedJoint", "", "float", "physics:breakTorque", kInfinity, kLargest,
     [](const Joint& j) { return j.break_torque; }},
    {"PhysicsFixedJoint", "", "bool", "physics:collisionEnabled", 0, 1,
     [](const Joint& j) { return j.collision_enabled ? 1.0F : 0.0F; }},
    {"PhysicsFixedJoint", "", "bool", "physics:jointEnabled", 1, 1,
     [](const Joint& j) { return j.joint_enabled ? 1.0F : 0.0F; }},
    {"PhysicsFixedJoint", "", "bool", "physics:excludeFromArticulation", 0, 0,
     [](const Joint& j) { return j.exclude_from_articulation ? 1.0F : 0.0F; }},
    {"PhysicsRevoluteJoint", "", "float", "physics:lowerLimit", -kInfinity, 90,
     [](const Joint& j) { return limit_of<RevoluteJoint>(j).lower; }},
    {"PhysicsRevoluteJoint", "", "float", "physics:upperLimit", kInfinity, -90,
     [](const Joint& j) { return limit_of<RevoluteJoint>(j).upper; }},
    {"PhysicsRevoluteJoint", "", "token", "physics:axis", 0, 0,
     [](const Joint& j) { return static_cast<float>(std::get<RevoluteJoint>(j.kind).axis); }},
    {"PhysicsPrismaticJoint", "", "float", "physics:lowerLimit", -kInfinity, 90,
     [](const Joint& j) { return limit_of<PrismaticJoint>(j).lower; }},
    {"PhysicsPrismaticJoint", "", "float", "physics:upperLimit", kInfinity, -90,
     [](const Joint& j) { return limit_of<PrismaticJoint>(j).upper; }},
    {"PhysicsSphericalJoint", "", "float", "physics:coneAngle0Limit", -1, 90,
     [](const Joint& j) { return limit_of<SphericalJoint>(j).lower; }},
    {"PhysicsSphericalJoint", "", "float", "physics:coneAngle1Limit", -1, -90,
     [](const Joint& j) { return limit_of<SphericalJoint>(j).upper; }},
    {"PhysicsDistanceJoint", "", "float", "physics:minDistance", -1, 90,
     [](const Joint& j) { return limit_of<DistanceJoint>(j).lower; }},
    {"PhysicsDistanceJoint", "", "float", "physics:maxDistance", -1, -90,
     [](const Joint& j) { return limit_of<DistanceJoint>(j).upper; }},
    {"PhysicsJoint", "PhysicsLimitAPI:rotX", "float", "limit:rotX:physics:low", -kInfinity, 90,
     [](const Joint& j) { return std::get<D6Joint>(j.kind).limits.at(0).limit.lower; }},
    {"PhysicsJoint", "PhysicsLimitAPI:transY", "float", "limit:transY:physics:high", kInfinity, -90,
     [](const Joint& j) { return std::get<D6Joint>(j.kind).limits.at(0).limit.upper; }},
    {"PhysicsJoint", "PhysicsDriveAPI:rotX", "float", "drive:rotX:physics:maxForce", kInfinity,
     kLargest,
     [](const Joint& j) { return std::get<D6Joint>(j.kind).drives.at(0).drive.force_limit; }},
    {"PhysicsRevoluteJoint", "PhysicsDriveAPI:angular", "float", "drive:angular:physics:stiffness",
     0, 0, [](const Joint& j) { return std::get<RevoluteJoint>(j.kind).drive.stiffness; }},
    {"PhysicsRevoluteJoint", "PhysicsDriveAPI:angular", "float", "drive:angular:physics:maxForce",
     kInfinity, kLargest,
     [](const Joint& j) { return std::get<RevoluteJoint>(j.kind).drive.force_limit; }},
};

class BlockedValues : public ::testing::TestWithParam<Rules> {};

TEST_P(BlockedValues, OfJointsLeaveWhatADescriptorStartsFrom) {
  for (const BlockedValue& value : kBlockedValues) {
    SCOPED_TRACE(value.name);
    const auto joint = [&](const std::vector<std::string>& layers) {
      Diagnostics diagnostics;
      const PhysicsModel model = read_layers(layers, GetParam(), diagnostics);
      EXPECT_EQ(model.joints.size(), 1U);
      return model.joints.empty() ? Joint{} : model.joints[0];
    };
    const std::string apis = *value.apis == 0 ? "" : "\"" + std::string(value.apis) + "\"";
    const std::string def =
        std::string("def ") + value.type + " \"j\" (apiSchemas = [" + apis + "])";
    const std::string some_value = value.value_type == "bool"    ? "true"
                                   : value.value_type == "token" ? "\"Z\""
                                                                 : "7";
    const std::string opinion = " { " + value.value_type + " " + value.name + " = ";
    const std::string other_type = "over \"j\" { string[] " + value.name + " = [\"what\"]; }\n";
    const std::string block = "over \"j\"" + opinion + "None; }\n";
    const std::string weak = def + opinion + some_value + "; }\n";

    EXPECT_EQ(value.read(joint({def + " { }\n"})), value.unauthored);
    EXPECT_EQ(value.read(joint({def + opinion + "None; }\n"})), value.blocked);
    EXPECT_EQ(value.read(joint({block, weak})), value.blocked) << "over a weaker value";
    EXPECT_EQ(value.read(joint({other_type, block, weak})), value.blocked)
        << "under a value of another type";
    EXPECT_EQ(value.read(joint({other_type, def + " { }\n"})), value.unauthored);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, BlockedValues, ::testing::Values(Rules::documented, Rules::openusd),
                         [](const auto& tested) {
                           return tested.param == Rules::documented ? "Documented" : "OpenUsd";
                         });

TEST(BlockedAxis, LeavesX) {
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    const PhysicsModel model =
        read(prim("Capsule", "none", "Collision") +
                 prim("Capsule", "blocked", "Collision", "uniform token axis = None") +
                 prim("Capsule", "empty", "Collision", "uniform token axis = \"\"") +
                 prim("Capsule", "typed", "Collision", "int axis = 1"),
             rules);
    const auto axis = [&](const char* path) {
      return std::get<CapsuleShape>(at(model.shapes, path).geometry).axis;
    };
    EXPECT_EQ(axis("/none"), Axis::z);
    EXPECT_EQ(axis("/blocked"), Axis::x);
    EXPECT_EQ(axis("/empty"), Axis::x);
    EXPECT_EQ(axis("/typed"), Axis::z);
  }
}

TEST(TypedValues, AWeakerOpinionOfTheSchemasTypeHoldsUnderOneOfAnother) {
  const std::vector<std::string> layers = {
      "over \"s\" { string physics:gravityMagnitude = \"strong\"; }\n",
      "def PhysicsScene \"s\" { float physics:gravityMagnitude = 6; "
      "vector3f physics:gravityDirection = (1, 0, 0); }\n"};
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    Diagnostics diagnostics;
    const PhysicsModel model = read_layers(layers, rules, diagnostics);
    ASSERT_EQ(model.scenes.size(), 1U);
    EXPECT_EQ(model.scenes[0].gravity_magnitude, 6.0F);
    const auto said = [](const Diagnostic& d) { return d.code == "physics-attribute-type"; };
    const auto found = std::find_if(diagnostics.begin(), diagnostics.end(), said);
    ASSERT_EQ(found != diagnostics.end(), rules == Rules::documented);
    if (found != diagnostics.end()) {
      EXPECT_THAT(found->message, ::testing::HasSubstr("a weaker opinion holds instead"));
    }
  }
}

TEST(TypedValues, OtherPrecisionsConvertOnlyByTheDocumentedRules) {
  const std::vector<std::string> layers = {"over \"s\" { int physics:gravityMagnitude = 3; }\n",
                                           "def PhysicsScene \"s\" {"
                                           " float physics:gravityMagnitude = 6; }\n"};
  Diagnostics diagnostics;
  EXPECT_EQ(read_layers(layers, Rules::openusd, diagnostics).scenes.at(0).gravity_magnitude, 6.0F);
  EXPECT_EQ(read_layers(layers, Rules::documented, diagnostics).scenes.at(0).gravity_magnitude,
            3.0F);
}

// The strongest opinion that is a block or of a type that the rules read, found by hand.
TEST(TypedValues, AgreeWithASimpleSearchOnRandomStacks) {
  struct Opinion {
    const char* type;
    bool documented_only;
    bool readable;
  };
  const std::array<Opinion, 5> kOpinions = {{{"float", false, true},
                                             {"double", true, true},
                                             {"int", true, true},
                                             {"float3", false, false},
                                             {"string", false, false}}};
  std::mt19937 random(41);
  std::size_t passed_over = 0;
  for (int round = 0; round < 300; ++round) {
    const Rules rules = round % 2 == 0 ? Rules::openusd : Rules::documented;
    std::vector<std::string> layers;
    std::optional<float> expected;
    bool decided = false;
    for (int layer = 0; layer < 4; ++layer) {
      const Opinion& opinion = kOpinions[random() % kOpinions.size()];
      const bool block = random() % 6 == 0;
      const int number = static_cast<int>(1 + random() % 90);
      std::string value = std::to_string(number);
      if (std::string(opinion.type) == "float3") value = "(" + value + ", 0, 0)";
      if (std::string(opinion.type) == "string") value = "\"" + value + "\"";
      layers.push_back(std::string(layer == 3 ? "def PhysicsFixedJoint" : "over") + " \"j\" { " +
                       opinion.type + " physics:breakForce = " + (block ? "None" : value) +
                       "; }\n");
      if (decided) continue;
      if (block) {
        decided = true;
        expected = kLargest;
      } else if (opinion.readable && (!opinion.documented_only || rules == Rules::documented)) {
        decided = true;
        expected = static_cast<float>(number);
        passed_over += layer > 0 ? 1 : 0;
      }
    }
    Diagnostics diagnostics;
    const PhysicsModel model = read_layers(layers, rules, diagnostics);
    ASSERT_EQ(model.joints.size(), 1U);
    EXPECT_EQ(model.joints[0].break_force, expected.value_or(kInfinity))
        << layers[0] << layers[1] << layers[2] << layers[3];
  }
  EXPECT_GT(passed_over, 30U);
}

TEST(ReadMass, StopsAtABodyThatIsReadAsAMaterial) {
  const std::string text =
      prim("Xform", "b", "RigidBody",
           prim("Cube", "own", "Collision") +
               prim("Xform", "rubber", "Material RigidBody", prim("Sphere", "ball", "Collision")));
  const PhysicsModel model = read(text, Rules::openusd);
  ASSERT_EQ(model.rigid_bodies.size(), 1U);
  EXPECT_EQ(model.rigid_bodies[0].shape_paths.size(), 2U) << "the ball still belongs to the body";
  EXPECT_EQ(model.mass_nodes.size(), 2U) << "the body and its cube";
  // By the documented rules bodies inside a body are no bodies, and mass goes on below them.
  EXPECT_EQ(read(text, Rules::documented).mass_nodes.size(), 3U);
}

// physics 10.3: mass asks for PhysicsCollisionAPI alone, whatever a prim is read as.
TEST(ReadMass, CountsCollidersThatAreReadAsMaterials) {
  const std::string text =
      prim("Xform", "b", "RigidBody",
           prim("Cube", "rubber", "Material Mass Collision",
                "float physics:mass = 3\n" +
                    prim("Cube", "inner", "Collision Mass", "float physics:mass = 2\n")) +
               prim("Cube", "other", "Material RigidBody Collision"));
  const PhysicsModel model = read(text, Rules::openusd);
  EXPECT_EQ(test::paths(model.materials), (std::vector<std::string>{"/b/rubber", "/b/other"}));
  EXPECT_EQ(test::paths(model.shapes), (std::vector<std::string>{"/b/rubber/inner"}));
  EXPECT_EQ(test::paths(model.unreported_shapes), (std::vector<std::string>{"/b/rubber"}));
  EXPECT_EQ(model.mass_nodes.size(), 3U);
  Diagnostics diagnostics;
  const std::vector<BodyMass> masses = body_masses(model, diagnostics);
  ASSERT_EQ(masses.size(), 1U);
  EXPECT_NEAR(masses[0].mass, 5.0, 1e-6);
  EXPECT_TRUE(diagnostics.empty());
  // By the documented rules the body inside the body is none, and the mass of the outer cube is
  // that of both.
  const PhysicsModel documented = read(text, Rules::documented);
  EXPECT_EQ(test::paths(documented.unreported_shapes),
            (std::vector<std::string>{"/b/rubber", "/b/other"}));
  EXPECT_NEAR(body_masses(documented, diagnostics).at(0).mass, 3.0 + 0.008, 1e-6);
}

TEST(ReadGroups, PassOverWhatAnAncestorSaysOfItselfAlone) {
  const PhysicsModel model = read(
      "def Xform \"arm\" { def Xform \"hand\" {\n" + prim("Sphere", "ball", "Collision") +
      "}\n}\n"
      "def PhysicsCollisionGroup \"both\" { rel collection:colliders:includes = [</arm>, "
      "</only.collection:colliders>]; }\n"
      "def PhysicsCollisionGroup \"only\" { uniform token collection:colliders:expansionRule = "
      "\"explicitOnly\"\n rel collection:colliders:includes = </arm/hand>; }\n"
      "def PhysicsCollisionGroup \"odd\" { uniform token collection:colliders:expansionRule = "
      "\"everything\"\n rel collection:colliders:includes = [</arm>, </arm/hand/ball>]; }\n");
  EXPECT_THAT(at(model.shapes, "/arm/hand/ball").collision_group_paths,
              ::testing::ElementsAre(Text("/both")));
}

TEST(ReadMaterials, OfACollectionCountOnlyWhereItsSchemaIsApplied) {
  const auto cone = [](const std::string& name, const std::string& apis) {
    return "def Cone \"" + name + "\" (apiSchemas = [\"MaterialBindingAPI\", " + apis +
           "\"PhysicsCollisionAPI\"]) { rel collection:all:includes = </" + name +
           ">\n rel material:binding:collection:physics:all = [</" + name +
           ".collection:all>, </rubber>]; }\n";
  };
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    const PhysicsModel model =
        read(prim("Material", "rubber", "Material") + cone("with", "\"CollectionAPI:all\", ") +
                 cone("without", ""),
             rules);
    EXPECT_EQ(at(model.shapes, "/with").bound_material_path, "/rubber");
    EXPECT_EQ(at(model.shapes, "/without").bound_material_path, "");
  }
}

}  // namespace
}  // namespace sinew::physics::typed_values_test
