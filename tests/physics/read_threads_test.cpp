// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

#include "physics/read_scene.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/check_physics.hpp"

namespace sinew::physics::read_threads_test {
namespace {

// Bodies in instances, bound materials, groups, joints and an articulation.
constexpr const char* kScene = R"(
def PhysicsScene "Scene" {}
def Material "Steel" (apiSchemas = ["PhysicsMaterialAPI"]) {
    float physics:density = 7800
}
def PhysicsCollisionGroup "Group" (apiSchemas = ["CollectionAPI:colliders"]) {
    rel collection:colliders:includes = </World>
}
class Xform "Link" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    def Sphere "Ball" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
        rel material:binding:physics = </Steel>
        double radius = 0.5
    }
    def Mesh "Hull" (apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]) {
        uniform token physics:approximation = "convexHull"
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        int[] faceVertexCounts = [3, 3, 3, 3]
        int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]
    }
}
def Xform "World" (apiSchemas = ["PhysicsArticulationRootAPI"]) {
    def Xform "A" (
        instanceable = true
        inherits = </Link>
    ) {}
    def Xform "B" (
        instanceable = true
        inherits = </Link>
    ) {
        float3 xformOp:translate = (1, 2, 3)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsRevoluteJoint "Hinge" {
        rel physics:body0 = </World/A>
        rel physics:body1 = </World/B/Ball>
    }
}
)";

std::string read_and_weigh(const stage::Stage& stage) {
  Diagnostics diagnostics;
  const PhysicsModel model = read_physics(stage, diagnostics);
  std::string text = describe(model);
  for (const BodyMass& mass : body_masses(model, diagnostics)) text += explain_mass(model, mass);
  check_physics(stage, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) text += diagnostic.message + "\n";
  return text;
}

// A stage has no caches that reading would fill.
TEST(ReadPhysics, ThreadsThatShareAStageReadTheSame) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", kScene}}, diagnostics, {});
  ASSERT_TRUE(stage);
  const std::string expected = read_and_weigh(*stage);
  ASSERT_NE(expected.find("/World/B/Hull"), std::string::npos);

  std::array<std::string, 8> texts;
  std::array<std::thread, 8> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, i] { texts[i] = read_and_weigh(*stage); });
  }
  for (std::thread& thread : threads) thread.join();

  for (const std::string& text : texts) EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace sinew::physics::read_threads_test
