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

}  // namespace
}  // namespace sinew::physics::describe_test
