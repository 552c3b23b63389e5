// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/mesh_geometry.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sinew::physics {
namespace {

TEST(MeshGeometryTest, CopyOwnsItsArrays) {
  std::vector<Vector3f> points = {{1, 2, 3}, {4, 5, 6}};
  const std::vector<std::int32_t> counts = {2};
  const std::vector<std::int32_t> indices = {0, 1};

  const auto mesh = MeshGeometry::copy_of(points, counts, indices);
  points.assign(2, Vector3f::Zero());

  EXPECT_EQ(mesh->points[1], Vector3f(4, 5, 6));
  EXPECT_EQ(mesh->face_indices[1], 1);
  EXPECT_EQ(MeshGeometry::copy_of({}, {}, {})->points.size(), 0U);
}

}  // namespace
}  // namespace sinew::physics
