// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/enums.hpp"

#include <gtest/gtest.h>

namespace sinew::physics::enums_test {
namespace {

// physics 3.7: the order is the numeric value.
TEST(ObjectTypeTest, OrderIsTheDocumentedOne) {
  EXPECT_EQ(static_cast<int>(ObjectType::undefined), 0);
  EXPECT_EQ(static_cast<int>(ObjectType::scene), 1);
  EXPECT_EQ(static_cast<int>(ObjectType::mesh_shape), 10);
  EXPECT_EQ(static_cast<int>(ObjectType::sphere_points_shape), 13);
  EXPECT_EQ(static_cast<int>(ObjectType::custom_joint), 20);
  EXPECT_EQ(static_cast<int>(ObjectType::collision_group), 23);
  EXPECT_EQ(static_cast<int>(ObjectType::last), 24);
  EXPECT_EQ(static_cast<int>(JointDof::rot_z), kJointDofCount - 1);
}

TEST(ObjectTypeTest, NamesAreThoseOfTheTool) {
  EXPECT_EQ(to_string(ObjectType::sphere_shape), "Sphere");
  EXPECT_EQ(to_string(ObjectType::custom_shape), "Custom");
  EXPECT_EQ(to_string(ObjectType::sphere_points_shape), "SpherePoints");
  EXPECT_EQ(to_string(ObjectType::d6_joint), "D6");
  EXPECT_EQ(to_string(ObjectType::custom_joint), "Custom");
  EXPECT_EQ(to_string(ObjectType::rigid_body_material), "RigidBodyMaterial");
  EXPECT_EQ(to_string(ObjectType::last), "");
  EXPECT_EQ(to_string(Axis::z), "Z");
  EXPECT_EQ(to_string(JointDof::trans_x), "transX");
}

}  // namespace
}  // namespace sinew::physics::enums_test
