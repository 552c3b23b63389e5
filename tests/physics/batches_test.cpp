// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/batches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/read_scene.hpp"

namespace sinew::physics::batches_test {
namespace {

using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One of every kind, in an order that is not that of the batches.
std::string zoo() {
  std::string text = "def PhysicsJoint \"d6\" {}\n";
  for (const char* type : {"Mesh", "Plane", "Cone", "Cylinder_1", "Cylinder", "Capsule_1",
                           "Capsule", "Cube", "Sphere", "Points"}) {
    text += prim(type, type, "Collision");
  }
  text += "def Sphere \"Custom\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MyAPI\"]) {}\n";
  for (const char* type : {"Distance", "Spherical", "Prismatic", "Revolute", "Fixed"}) {
    text += std::string("def Physics") + type + "Joint \"" + type + "\" {}\n";
  }
  return text + "def MyJoint \"mine\" {}\n" + prim("Xform", "body", "RigidBody ArticulationRoot") +
         prim("Material", "material", "Material") +
         "def PhysicsCollisionGroup \"group\" {}\ndef PhysicsScene \"scene\" {}\n";
}

PhysicsModel read_zoo() {
  ReadOptions options;
  options.shape_tokens = {"MyAPI"};
  options.joint_tokens = {"MyJoint"};
  return read(zoo(), Rules::openusd, options);
}

TEST(Batches, ComeInTheOrderOfTypes) {  // physics 3.6
  const PhysicsModel model = read_zoo();
  std::vector<std::string> seen;
  for_each_batch(model, [&](const Batch& batch) {
    EXPECT_EQ(batch.size(), 1u);
    seen.emplace_back(batch.path(model, 0));
  });
  EXPECT_THAT(
      seen, ElementsAre("/scene", "/group", "/material", "/Sphere", "/Cube", "/Capsule",
                        "/Capsule_1", "/Cylinder", "/Cylinder_1", "/Cone", "/Plane", "/Mesh",
                        "/Points", "/Custom", "/body", "/body", "/Fixed", "/Revolute", "/Prismatic",
                        "/Spherical", "/Distance", "/d6", "/mine"));
}

TEST(Batches, KeepInvalidObjectsAndTheOrderOfTheModel) {  // physics 3.6
  const PhysicsModel model =
      read(prim("Points", "a", "Collision") + prim("Cube", "c", "Collision") +
           prim("Points", "b", "Collision"));
  const std::vector<Batch> all = batches(model);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].type, ObjectType::cube_shape);
  EXPECT_EQ(all[1].type, ObjectType::sphere_points_shape);
  EXPECT_THAT(all[1].indices, ElementsAre(0, 2));
}

TEST(Batches, NothingMakesNone) {  // physics 3.1
  EXPECT_THAT(batches(PhysicsModel{}), IsEmpty());
}

TEST(Batches, AreTheSameOnEveryRun) {  // physics 3.6
  const std::string text = zoo();
  const auto types = [&] {
    std::vector<std::vector<std::int32_t>> result;
    for (const Batch& batch : batches(read(text))) result.push_back(batch.indices);
    return result;
  };
  EXPECT_EQ(types(), types());
}

TEST(Batches, PathsOfWhatThereIsNotAreEmpty) {
  const PhysicsModel model = read_zoo();
  for_each_batch(model, [&](const Batch& batch) {
    Batch other = batch;
    EXPECT_NE(other.path(model, 0), "");
    other.indices = {1000, kNone};
    EXPECT_EQ(other.path(model, 0), "");
    EXPECT_EQ(other.path(model, 1), "");
  });
  EXPECT_EQ((Batch{ObjectType::undefined, {0}}).path(model, 0), "");
  EXPECT_EQ((Batch{ObjectType::last, {0}}).path(model, 0), "");
}

}  // namespace
}  // namespace sinew::physics::batches_test
