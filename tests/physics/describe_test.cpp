// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/read_scene.hpp"

namespace sinew::physics::describe_test {
namespace {

using test::prim;
using test::read;
using ::testing::HasSubstr;

TEST(Describe, NamesTypePathAndEveryField) {
  RigidBodyMaterial material;
  material.path = "/m";
  material.static_friction = 0.5F;
  material.density = 1000.0F;
  EXPECT_EQ(describe(material),
            "RigidBodyMaterial </m>\n"
            "  staticFriction: 0.5\n"
            "  dynamicFriction: 0\n"
            "  restitution: 0\n"
            "  density: 1000\n");
}

TEST(Describe, MarksInvalidObjects) {
  Articulation articulation;
  articulation.path = "/a";
  articulation.is_valid = false;
  EXPECT_THAT(describe(articulation), HasSubstr("Articulation </a> (invalid)\n"));
}

TEST(Describe, WritesQuaternionsRealPartFirst) {
  Shape shape;
  shape.local_pose.rotation = Quatf(0.5F, 0.1F, 0.2F, 0.3F);
  EXPECT_THAT(describe(shape), HasSubstr("localRot: (0.5, 0.1, 0.2, 0.3)\n"));
}

TEST(Describe, WritesTheFieldsOfTheGeometryAndTheKind) {
  Shape shape;
  shape.geometry = Capsule1Shape{1.0F, 2.0F, 3.0F, Axis::z};
  EXPECT_THAT(describe(shape), HasSubstr("Capsule1 <>"));
  EXPECT_THAT(describe(shape),
              HasSubstr("topRadius: 1\n  bottomRadius: 2\n  halfHeight: 3\n  axis: Z\n"));
  Joint joint;
  D6Joint d6;
  d6.limits.push_back({JointDof::rot_y, {true, 30.0F, -30.0F}});
  joint.kind = d6;
  EXPECT_THAT(describe(joint), HasSubstr("limit rotY: enabled 30 to -30\n"));
}

TEST(Describe, WritesAWholeModelByType) {
  const std::string text =
      describe(read(prim("Cube", "c", "Collision RigidBody") + "def PhysicsScene \"s\" {}\n"));
  EXPECT_EQ(text.rfind("Scene </s>\n", 0), 0u);
  const std::size_t shape = text.find("Cube </c>\n");
  const std::size_t body = text.find("RigidBody </c>\n");
  EXPECT_NE(shape, std::string::npos);
  EXPECT_NE(body, std::string::npos);
  EXPECT_LT(shape, body);
}

TEST(Describe, WritesWhatOnlyAnApplicationKnows) {
  Shape shape;
  shape.path = "/s";
  shape.geometry = CustomShape{"Blob"};
  EXPECT_THAT(describe(shape), HasSubstr("  customGeometryToken: Blob\n"));
  Joint joint;
  joint.path = "/j";
  joint.kind = CustomJoint{"MyJoint"};
  EXPECT_THAT(describe(joint), HasSubstr("  typeName: MyJoint\n"));
}

TEST(Describe, WritesTheMaterialsOfAMeshAndTheBallsOfPoints) {
  Shape mesh;
  MeshShape geometry;
  geometry.approximation = "convexHull";
  geometry.mesh_scale = {1, 2, 3};
  geometry.double_sided = true;
  geometry.subset_materials = {{"/m/left", "/Steel"}, {"/m/right", ""}};
  mesh.geometry = geometry;
  EXPECT_THAT(describe(mesh), HasSubstr("  approximation: convexHull\n"
                                        "  meshScale: (1, 2, 3)\n"
                                        "  doubleSided: true\n"
                                        "  subset: /m/left material /Steel\n"));
  Shape points;
  SpherePointsShape balls;
  balls.sphere_points.push_back({{1, 2, 3}, {4, 5, 6}, 0.5F});
  points.geometry = balls;
  EXPECT_THAT(describe(points), HasSubstr("  spherePoint: (1, 2, 3) radius 0.5\n"));
}

TEST(Describe, WritesTheLimitOfASphericalJoint) {
  Joint joint;
  SphericalJoint spherical;
  spherical.limit = {true, 12.5F, 20.0F};
  joint.kind = spherical;
  EXPECT_THAT(describe(joint), HasSubstr("12.5"));
}

TEST(Describe, WritesAllOfABodyAndItsGroups) {
  RigidBody body;
  body.path = "/b";
  body.shape_paths = {"/b/s", "/b/t"};
  body.simulation_owner_paths = {"/scene"};
  body.pose = {{1, 2, 3}, Quatf(0.5F, 0.5F, 0.5F, 0.5F)};
  body.scale = {4, 5, 6};
  body.starts_asleep = true;
  body.linear_velocity = {0, 0, -1};
  body.angular_velocity = {7, 8, 9};
  EXPECT_EQ(describe(body),
            "RigidBody </b>\n"
            "  collisions: [/b/s, /b/t]\n"
            "  filteredCollisions: []\n"
            "  simulationOwners: [/scene]\n"
            "  position: (1, 2, 3)\n"
            "  rotation: (0.5, 0.5, 0.5, 0.5)\n"
            "  scale: (4, 5, 6)\n"
            "  rigidBodyEnabled: true\n"
            "  kinematicBody: false\n"
            "  startsAsleep: true\n"
            "  linearVelocity: (0, 0, -1)\n"
            "  angularVelocity: (7, 8, 9)\n");
  CollisionGroup group;
  group.path = "/g";
  group.filtered_group_paths = {"/h"};
  group.merged_group_paths = {"/g", "/i"};
  EXPECT_EQ(describe(group),
            "CollisionGroup </g>\n"
            "  invertFilteredGroups: false\n"
            "  filteredGroups: [/h]\n"
            "  mergeGroupName: none\n"
            "  mergedGroups: [/g, /i]\n");
  Articulation articulation;
  articulation.path = "/a";
  articulation.is_valid = true;
  articulation.root_prim_paths = {"/b"};
  articulation.joint_paths = {"/j"};
  articulation.body_paths = {"/b", "/c"};
  articulation.filtered_collision_paths = {"/d"};
  EXPECT_EQ(describe(articulation),
            "Articulation </a>\n"
            "  rootPrims: [/b]\n"
            "  articulatedJoints: [/j]\n"
            "  articulatedBodies: [/b, /c]\n"
            "  filteredCollisions: [/d]\n");
}

TEST(Describe, WritesAllOfAJointWithItsLimitsAndDrives) {
  Joint joint;
  joint.path = "/j";
  joint.ends[0].prim_path = "/b/pin";
  joint.ends[0].body_path = "/b";
  joint.ends[0].frame.position = {1, 2, 3};
  joint.ends[1].frame.rotation = Quatf(0, 1, 0, 0);
  joint.break_force = 4.0F;
  joint.break_torque = 5.0F;
  joint.collision_enabled = true;
  RevoluteJoint hinge;
  hinge.axis = Axis::y;
  hinge.limit = {true, -10.0F, 20.0F};
  hinge.drive.enabled = true;
  hinge.drive.target_position = 1.0F;
  hinge.drive.target_velocity = 2.0F;
  hinge.drive.force_limit = 3.0F;
  hinge.drive.stiffness = 4.0F;
  hinge.drive.damping = 5.0F;
  joint.kind = hinge;
  const std::string common =
      " </j>\n"
      "  rel0: /b/pin\n"
      "  rel1: none\n"
      "  body0: /b\n"
      "  body1: none\n"
      "  localPose0Position: (1, 2, 3)\n"
      "  localPose0Orientation: (1, 0, 0, 0)\n"
      "  localPose1Position: (0, 0, 0)\n"
      "  localPose1Orientation: (0, 1, 0, 0)\n"
      "  jointEnabled: true\n"
      "  collisionEnabled: true\n"
      "  excludeFromArticulation: false\n"
      "  breakForce: 4\n"
      "  breakTorque: 5\n";
  const std::string force =
      "enabled, position 1, velocity 2, stiffness 4, damping 5, limit 3, force\n";
  EXPECT_EQ(describe(joint),
            "Revolute" + common + "  axis: Y\n  limit: enabled -10 to 20\n  drive: " + force);
  hinge.drive.enabled = false;
  hinge.drive.acceleration = true;
  joint.kind = PrismaticJoint{Axis::x, {false, 1.0F, 2.0F}, hinge.drive};
  EXPECT_EQ(describe(joint),
            "Prismatic" + common +
                "  axis: X\n  limit: not enabled 1 to 2\n  drive: not enabled, position 1, "
                "velocity 2, stiffness 4, damping 5, limit 3, acceleration\n");
  hinge.drive.enabled = true;
  hinge.drive.acceleration = false;
  D6Joint six;
  six.limits.push_back({JointDof::trans_x, {true, 1.0F, -1.0F}});
  six.drives.push_back({JointDof::rot_z, hinge.drive});
  joint.kind = six;
  EXPECT_EQ(describe(joint),
            "D6" + common + "  limit transX: enabled 1 to -1\n  drive rotZ: " + force);
  DistanceJoint rope;
  rope.max_enabled = true;
  rope.limit = {true, 0.5F, 2.0F};
  joint.kind = rope;
  EXPECT_EQ(describe(joint), "Distance" + common +
                                 "  minEnabled: false\n  maxEnabled: true\n"
                                 "  limit: enabled 0.5 to 2\n");
}

}  // namespace
}  // namespace sinew::physics::describe_test
