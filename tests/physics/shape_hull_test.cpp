// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/shape_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "physics/random_values.hpp"
#include "physics/read_scene.hpp"
#include "sinew/physics/volumes.hpp"
#include "support/random.hpp"

namespace sinew::physics::shape_hull_test {
namespace {

using sinew::test::Random;
using test::rotation;
using test::uniform;
using test::vector;

double volume(const HullMesh& mesh) {
  double sum = 0.0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(t[i])]; };
    sum += p(0).dot(p(1).cross(p(2))) / 6.0;
  }
  return sum;
}

TEST(ShapeHull, RoundShapesLoseLittleAndFaceOutwards) {
  const auto shape = [](auto geometry) {
    Shape s;
    s.geometry = geometry;
    return s;
  };
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    for (const Shape& s :
         {shape(SphereShape{0.7F}), shape(CubeShape{{0.1F, -0.2F, 0.3F}}),
          shape(CapsuleShape{0.3F, 0.5F, axis}), shape(CylinderShape{0.3F, 0.5F, axis}),
          shape(ConeShape{0.3F, 0.5F, axis}), shape(Capsule1Shape{0.2F, 0.4F, 0.5F, axis}),
          shape(Capsule1Shape{0.4F, 0.2F, 0.5F, axis}),
          shape(Cylinder1Shape{0.2F, 0.4F, 0.5F, axis})}) {
      Diagnostics unused;
      const double exact = solid_of(s, unused)->volume;
      const HullMesh hull = hull_of(s);
      EXPECT_GT(volume(hull), 0.99 * exact);
      EXPECT_LT(volume(hull), (1.0 + 1e-9) * exact);
      EXPECT_NEAR(hull.volume_ratio, volume(hull) / exact, 1e-9);
      EXPECT_GT(volume(hull), volume(hull_of(s, 12)) * (1.0 - 1e-12));
    }
  }
  EXPECT_TRUE(hull_of(shape(PlaneShape{})).is_flat);
  EXPECT_TRUE(hull_of(shape(SphereShape{0.0F})).is_flat);
}

// A tetrahedron, and beside it, in the same mesh, a box.
Shape mesh_shape(const Vector3f& scale, bool left_handed) {
  static const std::vector<Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                               {2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0},
                                               {2, 0, 1}, {3, 0, 1}, {3, 1, 1}, {2, 1, 1}};
  static const std::vector<std::int32_t> counts = {3, 3, 3, 3, 4, 4, 4, 4, 4, 4};
  static const std::vector<std::int32_t> faces = {0, 2, 1,  0, 1, 3, 1,  2,  3, 2, 0, 3,
                                                  4, 7, 6,  5, 8, 9, 10, 11, 4, 5, 9, 8,
                                                  5, 6, 10, 9, 6, 7, 11, 10, 7, 4, 8, 11};
  static std::vector<std::int32_t> turned;
  if (turned.empty()) {
    turned = faces;
    std::size_t first = 0;
    for (const std::int32_t count : counts) {
      std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(first),
                   turned.begin() + static_cast<std::ptrdiff_t>(first) + count);
      first += static_cast<std::size_t>(count);
    }
  }
  auto mesh = std::make_shared<geom::Mesh>();
  mesh->points = points;
  mesh->face_counts = counts;
  mesh->face_indices = left_handed ? turned : faces;
  mesh->left_handed = left_handed;
  Shape shape;
  MeshShape geometry;
  geometry.mesh_scale = scale;
  geometry.geometry = mesh;
  shape.geometry = geometry;
  return shape;
}

TEST(ShapeHull, OfSpherePointsReachesAroundAllOfThem) {
  Shape shape;
  SpherePointsShape balls;
  balls.sphere_points.push_back({{}, {-1, 0, 0}, 0.5F});
  balls.sphere_points.push_back({{}, {2, 0, 0}, -0.25F});  // Widths may be negative.
  shape.geometry = balls;
  Vector3d low = Vector3d::Zero();
  Vector3d high = Vector3d::Zero();
  for (const Vector3d& point : hull_of(shape).points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  EXPECT_NEAR(low.x(), -1.5, 1e-6);
  EXPECT_NEAR(high.x(), 2.25, 1e-6);
  EXPECT_NEAR(high.y(), 0.5, 1e-6);
  EXPECT_NEAR(low.z(), -0.5, 1e-6);
}

TEST(ShapeHull, HolesOfAMeshAreNoTriangles) {
  Shape shape = mesh_shape(Vector3f::Ones(), false);
  auto mesh = std::make_shared<geom::Mesh>(*std::get<MeshShape>(shape.geometry).geometry);
  static const std::vector<std::int32_t> holes = {0, 9, -1, 10};
  mesh->hole_faces = holes;
  const std::size_t all = triangles_of(shape).triangles.size();
  std::get<MeshShape>(shape.geometry).geometry = mesh;
  EXPECT_EQ(triangles_of(shape).triangles.size(), all - 1 - 2);  // A triangle and a quad.
}

TEST(ShapeHull, TrianglesOfAShapeWithoutAMeshAreThoseOfItsHull) {
  Shape shape;
  shape.geometry = CubeShape{{0.5F, 1.0F, 1.5F}};
  const HullMesh mesh = triangles_of(shape);
  EXPECT_EQ(mesh.triangles, hull_of(shape).triangles);
  EXPECT_NEAR(volume(mesh), 6.0, 1e-9);
}

TEST(ShapeHull, MeshesFaceOutwardsHoweverTheyAreMirrored) {
  for (const bool left_handed : {false, true}) {
    for (int signs = 0; signs < 8; ++signs) {
      const Vector3f scale((signs & 1) != 0 ? -1.0F : 1.0F, (signs & 2) != 0 ? -2.0F : 2.0F,
                           (signs & 4) != 0 ? -0.5F : 0.5F);
      const Shape shape = mesh_shape(scale, left_handed);
      EXPECT_NEAR(volume(triangles_of(shape)), 1.0 / 6.0 + 1.0, 1e-9);
      EXPECT_GT(volume(hull_of(shape)), 7.0 / 6.0);
      EXPECT_NEAR(hull_of(shape).volume_ratio, volume(hull_of(shape)) * 6.0 / 7.0, 1e-9);
      const std::vector<HullMesh> parts = parts_of(shape);
      ASSERT_EQ(parts.size(), 2U);
      EXPECT_NEAR(volume(parts[0]) + volume(parts[1]), 7.0 / 6.0, 1e-9);
      EXPECT_NEAR(parts[0].volume_ratio, 1.0, 1e-9);
    }
  }
}

TEST(ShapeHull, FlatMeshesGetABoxBelowTheirPlane) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Quatd turn = rotation(random);
    const Vector3d place = vector(random, 2.0);
    const double width = uniform(random, 0.5, 2.0);
    const double depth = uniform(random, 0.5, 2.0);
    HullMesh mesh;
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {width, 0.0}, {width, depth}, {0.0, depth}}) {
      mesh.points.push_back(place + turn * Vector3d(x, y, 0.0));
    }
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const HullBox box = flat_box(mesh, 0.001);
    EXPECT_NEAR(8.0 * box.half_extents.prod(), width * depth * 0.001, 1e-9);
    const Vector3d up = box.pose.rotation * Vector3d::UnitZ();
    EXPECT_LT((up - turn * Vector3d::UnitZ()).norm(), 1e-6);
    EXPECT_NEAR(up.dot(box.pose.position + 0.0005 * up - place), 0.0, 1e-9);
  }
}

// The faces of a mesh that has its own copy of everything.
struct OwnMesh {
  std::vector<Vector3f> points;
  std::vector<std::int32_t> counts;
  std::vector<std::int32_t> indices;

  Shape shape() const {
    auto mesh = std::make_shared<geom::Mesh>();
    mesh->points = points;
    mesh->face_counts = counts;
    mesh->face_indices = indices;
    Shape result;
    MeshShape geometry;
    geometry.geometry = mesh;
    result.geometry = geometry;
    return result;
  }
};

const OwnMesh kTetrahedron = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                              {3, 3, 3, 3},
                              {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}};

TEST(ShapeHull, FacesThatAreNoneAreLeftOutOfTheTriangles) {
  const auto triangles = [](const std::vector<std::int32_t>& counts,
                            const std::vector<std::int32_t>& indices) {
    OwnMesh mesh = kTetrahedron;
    mesh.points.emplace_back(NAN, 0, 0);
    mesh.counts = counts;
    mesh.indices = indices;
    return triangles_of(mesh.shape()).triangles.size();
  };
  EXPECT_EQ(triangles({3, 3}, {0, 1, 2, 0, 2, 3}), 2U);
  EXPECT_EQ(triangles({3, 3}, {0, 1, -1, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 3}, {0, 5, 1, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 3}, {4, 0, 1, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 3}, {0, 0, 1, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 3}, {0, 1, 1, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 3}, {0, 1, 0, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({2, 0, 1, 3}, {0, 1, 3, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, -1, 3}, {0, 1, 2, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3, 4}, {0, 1, 2, 0, 2, 3}), 1U);
  EXPECT_EQ(triangles({3}, {0, 1, 2, 0, 2, 3}), 1U);
}

TEST(ShapeHull, OnlyOfAClosedMeshItIsToldWhatTheHullAdds) {
  OwnMesh dented = kTetrahedron;  // The face of the slope is pushed in.
  dented.points.emplace_back(0.2F, 0.2F, 0.2F);
  dented.counts = {3, 3, 3, 3, 3, 3};
  dented.indices = {0, 2, 1, 0, 1, 3, 2, 0, 3, 1, 2, 4, 2, 3, 4, 3, 1, 4};
  EXPECT_NEAR(hull_of(dented.shape()).volume_ratio, 1.0 / 0.6, 1e-6);
  EXPECT_NEAR(parts_of(dented.shape()).at(0).volume_ratio, 1.0 / 0.6, 1e-6);
  OwnMesh open = dented;
  open.counts.pop_back();
  open.indices.resize(15);
  EXPECT_EQ(hull_of(open.shape()).volume_ratio, 1.0);
  EXPECT_EQ(parts_of(open.shape()).at(0).volume_ratio, 1.0);
  OwnMesh twice = dented;
  twice.counts.push_back(3);
  twice.indices.insert(twice.indices.end(), {3, 1, 4});
  EXPECT_EQ(hull_of(twice.shape()).volume_ratio, 1.0);
  EXPECT_EQ(parts_of(twice.shape()).at(0).volume_ratio, 1.0);
}

TEST(ShapeHull, OfPointsWithoutFacesIsTheOnlyPart) {
  OwnMesh cloud = kTetrahedron;
  cloud.counts.clear();
  cloud.indices.clear();
  const std::vector<HullMesh> parts = parts_of(cloud.shape());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_NEAR(volume(parts[0]), 1.0 / 6.0, 1e-9);
  cloud.points.clear();
  EXPECT_TRUE(parts_of(cloud.shape()).empty());
  Shape none;
  none.geometry = MeshShape{};
  EXPECT_TRUE(hull_of(none).points.empty());
  EXPECT_TRUE(triangles_of(none).points.empty());
  EXPECT_TRUE(parts_of(none).empty());
  Shape cube;
  cube.geometry = CubeShape{{1, 1, 1}};
  ASSERT_EQ(parts_of(cube).size(), 1U);
  EXPECT_NEAR(volume(parts_of(cube)[0]), 8.0, 1e-9);
}

TEST(ShapeHull, BoundsOfAMeshAreOfThePointsThatAreNumbers) {
  OwnMesh mesh;
  mesh.points = {{NAN, 50, 0}, {-1, 0, 2}, {0, INFINITY, 0}, {3, 4, 2}};
  Shape shape = mesh.shape();
  MeshShape& geometry = std::get<MeshShape>(shape.geometry);
  geometry.mesh_scale = {2, -1, 1};
  const HullBox box = bounding_box(geometry);
  EXPECT_EQ(box.pose.position, Vector3d(2, -2, 2));
  EXPECT_EQ(box.half_extents, Vector3d(4, 2, 0));
  EXPECT_NEAR(bounding_radius(geometry), std::sqrt(20.0), 1e-12);
  mesh.points = {{NAN, 50, 0}};
  const Shape lost = mesh.shape();
  for (const MeshShape& nothing : {MeshShape{}, std::get<MeshShape>(lost.geometry)}) {
    EXPECT_EQ(bounding_box(nothing).pose.position, Vector3d(0, 0, 0));
    EXPECT_EQ(bounding_box(nothing).half_extents, Vector3d(0, 0, 0));
    EXPECT_EQ(bounding_radius(nothing), 0.0);
  }
}

TEST(ShapeHull, FlatBoxesOfPointsInALineHoldThemAll) {
  Random random(9);
  const double thickness = 1e-3;
  for (int i = 0; i < 300; ++i) {
    const Vector3d place = vector(random, 2.0);
    const Vector3d along = vector(random, 1.0);
    HullMesh mesh;
    for (int k = i % 5; k > 0; --k) {
      mesh.points.push_back(place + along * (k == 1 ? 0.0 : uniform(random, -1.0, 1.0)));
    }
    if (i % 2 == 0 && !mesh.points.empty()) mesh.points.push_back(mesh.points.front());
    const HullBox box = flat_box(mesh, thickness);
    const Matrix3d axes = box.pose.rotation.toRotationMatrix();
    EXPECT_LT((axes.transpose() * axes - Matrix3d::Identity()).norm(), 1e-9) << i;
    EXPECT_NEAR(box.half_extents.y(), thickness / 2.0, 1e-9) << i;
    EXPECT_NEAR(box.half_extents.z(), thickness / 2.0, 1e-9) << i;
    for (const Vector3d& point : mesh.points) {
      const Vector3d local = axes.transpose() * (point - box.pose.position);
      EXPECT_TRUE((local.cwiseAbs().array() <= box.half_extents.array() + 1e-9).all()) << i;
    }
  }
}

// A tube of ten thousand corners on either end. Qhull, which makes the hulls of few points, would
// take a minute.
TEST(ShapeHull, OfManyPointsIsMadeAsThatOfFew) {
  Shape tube;
  tube.geometry = CylinderShape{0.3F, 0.5F, Axis::z};
  // Either side of where one way to make hulls gives way to the other, too.
  for (const int segments : {249, 250, 251, 252, 10'000}) {
    const HullMesh hull = hull_of(tube, segments);
    ASSERT_EQ(hull.points.size(), 2 * static_cast<std::size_t>(segments));
    EXPECT_EQ(hull.triangles.size(), 2 * hull.points.size() - 4);
    const double turn = 2.0 * std::numbers::pi / segments;
    EXPECT_NEAR(volume(hull), 0.5 * segments * std::sin(turn) * 0.3 * 0.3, 1e-7) << segments;
  }
}

}  // namespace
}  // namespace sinew::physics::shape_hull_test
