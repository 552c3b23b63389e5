// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sinew::physics::model_test {
namespace {

template <typename Geometry>
ObjectType type_of_shape() {
  Shape shape;
  shape.geometry = Geometry{};
  return shape.type();
}

template <typename Kind>
ObjectType type_of_joint() {
  Joint joint;
  joint.kind = Kind{};
  return joint.type();
}

TEST(ShapeTest, TypeFollowsTheGeometry) {
  EXPECT_EQ(type_of_shape<SphereShape>(), ObjectType::sphere_shape);
  EXPECT_EQ(type_of_shape<CubeShape>(), ObjectType::cube_shape);
  EXPECT_EQ(type_of_shape<CapsuleShape>(), ObjectType::capsule_shape);
  EXPECT_EQ(type_of_shape<Capsule1Shape>(), ObjectType::capsule1_shape);
  EXPECT_EQ(type_of_shape<CylinderShape>(), ObjectType::cylinder_shape);
  EXPECT_EQ(type_of_shape<Cylinder1Shape>(), ObjectType::cylinder1_shape);
  EXPECT_EQ(type_of_shape<ConeShape>(), ObjectType::cone_shape);
  EXPECT_EQ(type_of_shape<PlaneShape>(), ObjectType::plane_shape);
  EXPECT_EQ(type_of_shape<MeshShape>(), ObjectType::mesh_shape);
  EXPECT_EQ(type_of_shape<SpherePointsShape>(), ObjectType::sphere_points_shape);
  EXPECT_EQ(type_of_shape<CustomShape>(), ObjectType::custom_shape);
}

TEST(JointTest, TypeFollowsTheKind) {
  EXPECT_EQ(type_of_joint<FixedJoint>(), ObjectType::fixed_joint);
  EXPECT_EQ(type_of_joint<RevoluteJoint>(), ObjectType::revolute_joint);
  EXPECT_EQ(type_of_joint<PrismaticJoint>(), ObjectType::prismatic_joint);
  EXPECT_EQ(type_of_joint<SphericalJoint>(), ObjectType::spherical_joint);
  EXPECT_EQ(type_of_joint<DistanceJoint>(), ObjectType::distance_joint);
  EXPECT_EQ(type_of_joint<D6Joint>(), ObjectType::d6_joint);
  EXPECT_EQ(type_of_joint<CustomJoint>(), ObjectType::custom_joint);
}

// physics 6.4: initial values.
TEST(Descriptors, StartWithTheDocumentedValues) {
  const JointLimit limit;
  const JointDrive drive;
  const Joint joint;
  const Shape shape;

  EXPECT_FALSE(limit.enabled);
  EXPECT_EQ(limit.lower, 90.0F);
  EXPECT_EQ(limit.upper, -90.0F);
  EXPECT_EQ(drive.force_limit, std::numeric_limits<float>::max());
  EXPECT_TRUE(joint.joint_enabled);
  EXPECT_FALSE(joint.collision_enabled);
  EXPECT_TRUE(shape.collision_enabled);
  EXPECT_TRUE(std::isinf(Scene{}.gravity_magnitude));
}

TEST(PhysicsModelTest, UnreportedShapesFollowTheReportedOnes) {
  PhysicsModel model;
  model.shapes.emplace_back().path = "/a";
  model.unreported_shapes.emplace_back().path = "/b";
  MassNode node;

  node.shape = 0;
  EXPECT_EQ(model.node_shape(node)->path, "/a");
  node.shape = 1;
  EXPECT_EQ(model.node_shape(node)->path, "/b");
  EXPECT_EQ(model.node_path(0, node), "/b");
  for (const std::int32_t bad : {2, -1, -7}) {
    node.shape = bad;
    EXPECT_EQ(model.node_shape(node), nullptr);
  }
}

TEST(PhysicsModelTest, NodeRangesOutOfBoundsAreEmpty) {
  PhysicsModel model;
  model.mass_nodes.resize(3);
  model.rigid_bodies.resize(1);
  model.rigid_bodies[0].first_mass_node = 1;
  model.rigid_bodies[0].mass_node_count = 2;

  EXPECT_EQ(model.mass_nodes_of(0).size(), 2U);
  model.rigid_bodies[0].mass_node_count = 3;
  EXPECT_TRUE(model.mass_nodes_of(0).empty());
  model.rigid_bodies[0].first_mass_node = 0xFFFFFFFFU;
  EXPECT_TRUE(model.mass_nodes_of(0).empty());
  EXPECT_TRUE(model.mass_nodes_of(1).empty());
  EXPECT_TRUE(model.mass_nodes_of(-1).empty());
}

PhysicsModel model_of_bodies(const std::vector<Text>& paths) {
  PhysicsModel model;
  for (const Text& path : paths) model.rigid_bodies.emplace_back().path = path;
  return model;
}

TEST(FindBody, IsTheNearestAtOrAbove) {
  const PhysicsModel model = model_of_bodies({"/arm", "/arm/hand", "/arm/hand/finger"});

  EXPECT_EQ(model.find_body("/arm"), 0);
  EXPECT_EQ(model.find_body("/arm/visuals/cover"), 0);
  EXPECT_EQ(model.find_body("/arm/hand/skin"), 1);
  EXPECT_EQ(model.find_body("/arm/hand/finger/nail"), 2);
}

TEST(FindBody, NamesThatBeginAlikeAreNotBelow) {
  const PhysicsModel model = model_of_bodies({"/arm", "/arm/hand"});

  EXPECT_EQ(model.find_body("/armor"), kNone);
  EXPECT_EQ(model.find_body("/arm/handle"), 0);
}

TEST(FindBody, IsNoneWithoutABodyAbove) {
  EXPECT_EQ(model_of_bodies({"/arm"}).find_body("/table"), kNone);
  EXPECT_EQ(model_of_bodies({"/arm"}).find_body(""), kNone);
  EXPECT_EQ(model_of_bodies({}).find_body("/arm"), kNone);
}

TEST(HasBody, IsFalseForIndicesOfNoBody) {
  const PhysicsModel model = model_of_bodies({"/arm"});

  EXPECT_TRUE(model.has_body(0));
  EXPECT_FALSE(model.has_body(1));
  EXPECT_FALSE(model.has_body(kNone));
  EXPECT_EQ(model.body(0).path, "/arm");
}

}  // namespace
}  // namespace sinew::physics::model_test
