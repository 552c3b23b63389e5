// SPDX-License-Identifier: Apache-2.0
// Cube, Sphere and so on in exported files: where they end, what they hold, and which way they
// face.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "export/gltf/written.hpp"
#include "sinew/core/types.hpp"

namespace sinew::test::shapes_test {
namespace {

constexpr double kPi = std::numbers::pi;
/// Of a circle that 32 sides stand for, the part that they enclose.
const double kDisc = 16.0 / kPi * std::sin(kPi / 16.0);

/// The triangles of the only primitive of the only mesh.
struct Surface {
  std::vector<Vector3d> points, normals;
  std::vector<std::uint32_t> corners;

  explicit Surface(const Written& written) {
    if (written.json()["meshes"].size() != 1 ||
        written.json()["meshes"][0]["primitives"].size() != 1) {
      ADD_FAILURE() << written.json();
      return;
    }
    const Json& primitive = written.json()["meshes"][0]["primitives"][0];
    points = vectors(written.parts.floats(primitive["attributes"]["POSITION"]));
    if (primitive["attributes"].contains("NORMAL")) {
      normals = vectors(written.parts.floats(primitive["attributes"]["NORMAL"]));
    }
    corners = written.parts.integers(primitive["indices"]);
  }

  static std::vector<Vector3d> vectors(const std::vector<float>& floats) {
    std::vector<Vector3d> result;
    for (std::size_t i = 0; i + 2 < floats.size(); i += 3) {
      result.emplace_back(floats[i], floats[i + 1], floats[i + 2]);
    }
    return result;
  }

  /// Positive where triangles face outwards.
  double volume() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      sum += corner(i).dot(corner(i + 1).cross(corner(i + 2))) / 6.0;
    }
    return sum;
  }
  /// The vector area: nothing of a closed surface.
  Vector3d area() const {
    Vector3d sum = Vector3d::Zero();
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      sum += 0.5 * (corner(i + 1) - corner(i)).cross(corner(i + 2) - corner(i));
    }
    return sum;
  }
  Vector3d least() const {
    Vector3d low = points.front();
    for (const Vector3d& p : points) low = low.cwiseMin(p);
    return low;
  }
  Vector3d most() const {
    Vector3d high = points.front();
    for (const Vector3d& p : points) high = high.cwiseMax(p);
    return high;
  }
  const Vector3d& corner(std::size_t i) const { return points[corners[i]]; }

  /// Normals have length 1 and are on the side that the triangles face.
  void expect_normals_face_out() const {
    ASSERT_EQ(normals.size(), points.size());
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      const Vector3d face =
          (corner(i + 1) - corner(i)).cross(corner(i + 2) - corner(i)).normalized();
      for (std::size_t c = i; c < i + 3; ++c) {
        const Vector3d& normal = normals[corners[c]];
        EXPECT_NEAR(normal.norm(), 1.0, 1e-6);
        EXPECT_GT(normal.dot(face), 0.9);
      }
    }
  }
};

struct Dice {
  std::mt19937 random{20261123};
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
};

constexpr const char* kAxes[] = {"X", "Y", "Z"};

Written written(const std::string& shape, double meters) {
  return write_text(
      fmt::format("#usda 1.0\n(metersPerUnit = {}\nupAxis = \"Y\")\n{}", meters, shape));
}

/// A round shape stands on its axis: from -half to half there, `radius` around.
void expect_box(const Surface& surface, int axis, double half, double radius) {
  Vector3d expected = Vector3d::Constant(radius);
  expected[axis] = half;
  EXPECT_LT((surface.most() - expected).norm(), 1e-5 * expected.norm());
  EXPECT_LT((surface.least() + expected).norm(), 1e-5 * expected.norm());
  EXPECT_LT(surface.area().norm(), 1e-4 * expected.squaredNorm());
  surface.expect_normals_face_out();
}

TEST(GltfShapes, RoundShapesStandOnTheirAxisAndHoldWhatTheyShould) {
  Dice dice;
  for (int round = 0; round < 30; ++round) {
    const int axis = round % 3;
    const double meters = round % 2 == 0 ? 1.0 : 0.01;
    const double radius = dice.between(0.2, 3.0), height = dice.between(0.2, 5.0);
    const double r = radius * meters, h = height * meters;
    const auto made = [&](const char* type) {
      SCOPED_TRACE(type);
      const Written file =
          written(fmt::format("def {0} \"S\" {{ double radius = {1}\ndouble height = {2}\n"
                              "uniform token axis = \"{3}\" }}\n",
                              type, radius, height, kAxes[axis]),
                  meters);
      EXPECT_EQ(file.error, "");
      return Surface(file);
    };
    SCOPED_TRACE(fmt::format("radius {} height {} axis {}", radius, height, kAxes[axis]));

    const Surface cylinder = made("Cylinder");
    expect_box(cylinder, axis, h / 2, r);
    EXPECT_NEAR(cylinder.volume() / (kDisc * kPi * r * r * h), 1.0, 1e-5);

    const Surface cone = made("Cone");
    expect_box(cone, axis, h / 2, r);
    EXPECT_NEAR(cone.volume() / (kDisc * kPi * r * r * h / 3.0), 1.0, 1e-5);
    // The top is a point.
    for (const Vector3d& p : cone.points) {
      if (p[axis] > 0.0) {
        EXPECT_NEAR(p.norm(), h / 2, 1e-5 * h);
      }
    }

    // Between the ball that touches its faces from inside and the one around its corners.
    const double ball = 4.0 / 3.0 * kPi * r * r * r;
    const Surface capsule = made("Capsule");
    expect_box(capsule, axis, h / 2 + r, r);
    const double whole = ball + kPi * r * r * h;
    EXPECT_LT(capsule.volume(), whole);
    EXPECT_GT(capsule.volume(), 0.97 * whole);

    const Written sphere_file =
        written(fmt::format("def Sphere \"S\" {{ double radius = {} }}\n", radius), meters);
    const Surface sphere(sphere_file);
    expect_box(sphere, axis, r, r);
    EXPECT_LT(sphere.volume(), ball);
    EXPECT_GT(sphere.volume(), 0.97 * ball);
    for (std::size_t i = 0; i < sphere.points.size(); ++i) {
      EXPECT_NEAR(sphere.points[i].norm(), r, 1e-5 * r);
      EXPECT_LT((sphere.normals[i] - sphere.points[i].normalized()).norm(), 1e-5);
    }
  }
}

TEST(GltfShapes, EndsOfOtherRadiiKeepTheirOrder) {
  for (const int axis : {0, 1, 2}) {
    const auto made = [&](const char* type) {
      return Surface(written(fmt::format("def {} \"S\" {{ double radiusBottom = 2\n"
                                         "double radiusTop = 0.5\ndouble height = 3\n"
                                         "uniform token axis = \"{}\" }}\n",
                                         type, kAxes[axis]),
                             1.0));
    };
    for (const char* type : {"Cylinder_1", "Capsule_1"}) {
      SCOPED_TRACE(fmt::format("{} along {}", type, kAxes[axis]));
      const Surface surface = made(type);
      const bool is_capsule = type[1] == 'a';
      double bottom = 0.0, top = 0.0;
      for (const Vector3d& p : surface.points) {
        const double around = std::sqrt(p.squaredNorm() - p[axis] * p[axis]);
        (p[axis] < 0.0 ? bottom : top) = std::max(p[axis] < 0.0 ? bottom : top, around);
      }
      EXPECT_NEAR(bottom, 2.0, 1e-5);
      EXPECT_NEAR(top, 0.5, 1e-5);
      EXPECT_NEAR(surface.most()[axis], is_capsule ? 2.0 : 1.5, 1e-5);
      EXPECT_NEAR(surface.least()[axis], is_capsule ? -3.5 : -1.5, 1e-5);
      EXPECT_GT(surface.volume(), 0.0);
      if (!is_capsule) {
        EXPECT_NEAR(surface.volume(), kDisc * kPi * 3.0 / 3.0 * (4.0 + 1.0 + 0.25), 1e-4);
      }
    }
  }
}

TEST(GltfShapes, CubesReachTheirSize) {
  const Surface cube(written("def Cube \"S\" { double size = 3 }\n", 0.1));
  EXPECT_LT((cube.most() - Vector3d::Constant(0.15)).norm(), 1e-7);
  EXPECT_LT((cube.least() + Vector3d::Constant(0.15)).norm(), 1e-7);
  EXPECT_NEAR(cube.volume(), 0.027, 1e-8);
  EXPECT_LT(cube.area().norm(), 1e-8);
  EXPECT_EQ(cube.corners.size(), 36U);
  EXPECT_TRUE(cube.normals.empty());  // Flat without.
}

// Width and length lie along X and Y for a plane along Z, X and Z along Y, Z and Y along X.
TEST(GltfShapes, PlanesFaceAlongTheirAxis) {
  const Vector3d halves[] = {{0.0, 2.0, 1.0}, {1.0, 0.0, 2.0}, {1.0, 2.0, 0.0}};
  for (const int axis : {0, 1, 2}) {
    SCOPED_TRACE(kAxes[axis]);
    const Written file =
        written(fmt::format("def Plane \"S\" {{ double width = 20\ndouble length = 40\n"
                            "uniform token axis = \"{}\" }}\n",
                            kAxes[axis]),
                0.1);
    const Surface plane(file);
    EXPECT_LT((plane.most() - halves[axis]).norm(), 1e-6);
    EXPECT_LT((plane.least() + halves[axis]).norm(), 1e-6);
    Vector3d area = Vector3d::Zero();
    area[axis] = 8.0;
    EXPECT_LT((plane.area() - area).norm(), 1e-5);
    for (const Vector3d& p : plane.points) {
      EXPECT_LT((p.cwiseAbs() - halves[axis]).norm(), 1e-6);  // Corners all of them.
    }
    EXPECT_EQ(plane.corners.size(), 6U);
    EXPECT_TRUE(plane.normals.empty());  // Flat without.
  }
}

// A body does not scale: what it shows moves to a node below it, and its collider is that mesh.
TEST(GltfShapes, CollidersAreTheMeshThatAScaledBodyShows) {
  const Written file = written(
      "def Mesh \"M\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\", "
      "\"PhysicsMeshCollisionAPI\"]) {\n"
      "float3 xformOp:scale = (2, 3, 4)\n"
      "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n"
      "point3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\n"
      "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n",
      1.0);
  ASSERT_EQ(file.error, "");
  EXPECT_EQ(file.json()["meshes"].size(), 1U);
  int shown = 0;
  int colliders = 0;
  for (const Json& node : file.json()["nodes"]) {
    if (node.contains("mesh")) {
      ++shown;
      EXPECT_EQ(node["scale"], Json({2, 3, 4}));
    }
    if (!node.contains("extensions")) continue;
    const Json& physics = node["extensions"]["KHR_physics_rigid_bodies"];
    if (!physics.contains("collider")) continue;
    ++colliders;
    EXPECT_EQ(physics["collider"]["geometry"]["mesh"], 0);
  }
  EXPECT_EQ(shown, 1);
  EXPECT_EQ(colliders, 1);
}

}  // namespace
}  // namespace sinew::test::shapes_test
