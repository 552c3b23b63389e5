// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/volumes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "support/codes.hpp"

namespace sinew::physics::volumes_test {
namespace {

constexpr double kPi = std::numbers::pi;

// A solid of revolution about z, integrated disc by disc: the independent judge of closed forms.
Solid integrate(double low, double high, const std::function<double(double)>& radius) {
  constexpr int kSteps = 200'000;
  const double dz = (high - low) / kSteps;
  double volume = 0.0;
  double moment = 0.0;
  double along = 0.0;
  double across = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double z = low + (i + 0.5) * dz;
    const double r2 = std::pow(radius(z), 2);
    const double disc = kPi * r2 * dz;
    volume += disc;
    moment += disc * z;
    along += disc * r2 / 2.0;
    across += disc * (r2 / 4.0 + z * z);
  }
  Solid solid;
  solid.volume = volume;
  solid.center = Vector3d(0, 0, moment / volume);
  const double about_center = across - moment * moment / volume;
  solid.inertia = Vector3d(about_center, about_center, along).asDiagonal();
  return solid;
}

void expect_same(const Solid& actual, const Solid& expected, double tolerance) {
  EXPECT_NEAR(actual.volume, expected.volume, tolerance * expected.volume);
  EXPECT_LT((actual.center - expected.center).norm(), tolerance * 10);
  EXPECT_LT((actual.inertia - expected.inertia).norm(), tolerance * expected.inertia.norm());
}

double ball_at(double z, double center, double radius) {
  return std::sqrt(std::max(0.0, radius * radius - (z - center) * (z - center)));
}

// physics 10.6, closed forms against numeric integration.
TEST(Volumes, SphereAgreesWithIntegration) {
  expect_same(solid_sphere(1.3), integrate(-1.3, 1.3, [](double z) { return ball_at(z, 0, 1.3); }),
              1e-7);
}

TEST(Volumes, CylinderAgreesWithIntegration) {
  expect_same(solid_cylinder(0.7, 1.9, Axis::z), integrate(-1.9, 1.9, [](double) { return 0.7; }),
              1e-7);
}

TEST(Volumes, CapsuleAgreesWithIntegration) {
  const auto radius = [](double z) {
    return std::abs(z) <= 1.5 ? 0.6 : ball_at(std::abs(z), 1.5, 0.6);
  };
  expect_same(solid_capsule(0.6, 1.5, Axis::z), integrate(-2.1, 2.1, radius), 1e-7);
}

TEST(Volumes, ConeAgreesWithIntegration) {
  const auto radius = [](double z) { return 0.8 * (1.2 - z) / 2.4; };
  expect_same(solid_cone(0.8, 1.2, Axis::z), integrate(-1.2, 1.2, radius), 1e-7);
}

TEST(Volumes, FrustumAgreesWithIntegration) {
  const auto radius = [](double z) { return 0.5 + (1.1 - 0.5) * (1.4 - z) / 2.8; };
  expect_same(solid_frustum(0.5, 1.1, 1.4, Axis::z), integrate(-1.4, 1.4, radius), 1e-7);
}

TEST(Volumes, TaperedCapsuleAgreesWithIntegration) {
  const double b = 0.9;
  const double t = 0.4;
  const double h = 1.3;
  const double kappa = (b - t) / (2 * h);
  const double n = std::sqrt(1 + kappa * kappa);
  const auto radius = [&](double z) {
    if (z > h) return ball_at(z, h - kappa * t, t * n);
    if (z < -h) return ball_at(z, -h - kappa * b, b * n);
    return t + (b - t) * (h - z) / (2 * h);
  };
  const Solid reference = integrate(-h - kappa * b - b * n, h - kappa * t + t * n, radius);

  expect_same(solid_tapered_capsule(t, b, h, Axis::z), reference, 1e-6);
}

// physics 10.6 check
TEST(Volumes, TaperedCapsuleGivesTheDocumentedFigures) {
  const Solid s = solid_tapered_capsule(0.4, 0.9, 1.3, Axis::y);

  EXPECT_NEAR(s.volume, 5.786711, 1e-6);
  EXPECT_NEAR(s.center.y(), -0.788130, 1e-6);
  EXPECT_NEAR(s.inertia(1, 1), 1.683058, 1e-6);
  EXPECT_NEAR(s.inertia(0, 0), 5.841364, 1e-6);
}

TEST(Volumes, TaperedFormsWithEqualRadiiAreThePlainOnes) {
  expect_same(solid_tapered_capsule(0.6, 0.6, 1.5, Axis::x), solid_capsule(0.6, 1.5, Axis::x),
              1e-14);
  expect_same(solid_frustum(0.6, 0.6, 1.5, Axis::x), solid_cylinder(0.6, 1.5, Axis::x), 1e-14);
}

TEST(Volumes, FrustumWithoutTopIsACone) {
  expect_same(solid_frustum(0.0, 0.8, 1.2, Axis::y), solid_cone(0.8, 1.2, Axis::y), 1e-14);
}

// physics 10.6: h = 0
TEST(Volumes, FlatTaperedCapsuleIsTwoHalfBalls) {
  const Solid s = solid_tapered_capsule(0.5, 0.5, 0.0, Axis::x);

  expect_same(s, solid_sphere(0.5), 1e-14);
  EXPECT_EQ(solid_frustum(0.5, 0.7, 0.0, Axis::x).volume, 0.0);
}

TEST(Volumes, AxisMovesTheFiguresWithIt) {
  const Solid x = solid_cone(0.8, 1.2, Axis::x);
  const Solid z = solid_cone(0.8, 1.2, Axis::z);

  EXPECT_EQ(x.center.x(), z.center.z());
  EXPECT_EQ(x.inertia(0, 0), z.inertia(2, 2));
  EXPECT_EQ(x.inertia(1, 1), z.inertia(1, 1));
}

// physics 4.4: a mirrored box has negative half extents.
TEST(Volumes, MirroredBoxWeighsAsMuch) {
  expect_same(solid_box({-1, -2, -3}), solid_box({1, 2, 3}), 1e-15);
  EXPECT_EQ(solid_box({1, 2, 3}).volume, 48.0);
  EXPECT_LT((solid_box({1, 2, 3}).inertia.diagonal() - Vector3d(208, 160, 80)).norm(), 1e-12);
}

TEST(Volumes, SpherePointsAreCountedWhereTheyOverlap) {
  const std::array<SpherePoint, 2> twice = {SpherePoint{{9, 9, 9}, {1, 0, 0}, 0.5F},
                                            SpherePoint{{9, 9, 9}, {1, 0, 0}, 0.5F}};

  const Solid s = solid_sphere_points(twice);

  EXPECT_NEAR(s.volume, 2 * solid_sphere(0.5).volume, 1e-12);
  EXPECT_LT((s.center - Vector3d(1, 0, 0)).norm(), 1e-12);
}

struct TestMesh {
  std::vector<Vector3f> points;
  std::vector<std::int32_t> counts;
  std::vector<std::int32_t> indices;

  geom::Mesh view() const {
    geom::Mesh geometry;
    geometry.points = points;
    geometry.face_counts = counts;
    geometry.face_indices = indices;
    return geometry;
  }
};

// A box of half extents (1, 2, 3) around (offset, 0, 0).
TestMesh box_mesh(float offset = 0.0F) {
  TestMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.points.push_back({offset + ((i & 1) != 0 ? 1.0F : -1.0F), (i & 2) != 0 ? 2.0F : -2.0F,
                           (i & 4) != 0 ? 3.0F : -3.0F});
  }
  mesh.counts = {4, 4, 4, 4, 4, 4};
  mesh.indices = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return mesh;
}

TestMesh corner_tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {3, 3, 3, 3},
          {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}};
}

Solid solid_of_mesh(const TestMesh& mesh, MeshApproximation approximation, Diagnostics& diagnostics,
                    const Vector3d& scale = Vector3d::Ones()) {
  return solid_mesh(mesh.view(), approximation, scale, "/Mesh", diagnostics);
}

// physics 10.6 checks
TEST(MeshVolume, BoxMeshIsTheBox) {
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(box_mesh(5.0F), MeshApproximation::none, diagnostics);

  EXPECT_NEAR(s.volume, 48.0, 1e-12);
  EXPECT_LT((s.center - Vector3d(5, 0, 0)).norm(), 1e-13);
  EXPECT_LT((s.inertia - solid_box({1, 2, 3}).inertia).norm(), 1e-10);
  EXPECT_TRUE(diagnostics.empty());
}

TEST(MeshVolume, CornerTetrahedronHasItsTextbookFigures) {
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(corner_tetrahedron(), MeshApproximation::none, diagnostics);

  EXPECT_NEAR(s.volume, 1.0 / 6.0, 1e-15);
  EXPECT_LT((s.center - Vector3d::Constant(0.25)).norm(), 1e-15);
  EXPECT_NEAR(s.inertia(0, 0), 0.0125, 1e-15);
  EXPECT_NEAR(s.inertia(0, 1), 1.0 / 480.0, 1e-15);
}

TEST(MeshVolume, InwardFacesAndMirroringDoNotMatter) {
  TestMesh inward = corner_tetrahedron();
  for (std::size_t face = 0; face < 4; ++face) {
    std::swap(inward.indices[3 * face], inward.indices[3 * face + 1]);
  }
  Diagnostics diagnostics;

  const Solid out = solid_of_mesh(corner_tetrahedron(), MeshApproximation::none, diagnostics);
  const Solid in = solid_of_mesh(inward, MeshApproximation::none, diagnostics);
  const Solid mirrored =
      solid_of_mesh(corner_tetrahedron(), MeshApproximation::none, diagnostics, {-1, 1, 1});

  expect_same(in, out, 1e-14);
  EXPECT_NEAR(mirrored.volume, out.volume, 1e-15);
  EXPECT_NEAR(mirrored.center.x(), -0.25, 1e-15);
  EXPECT_NEAR(mirrored.inertia(0, 1), -1.0 / 480.0, 1e-15);
}

TEST(MeshVolume, ScalingTheIntegralsIsScalingThePoints) {
  TestMesh scaled = corner_tetrahedron();
  for (Vector3f& point : scaled.points) point = point.cwiseProduct(Vector3f(2, 3, 0.5F));
  Diagnostics diagnostics;

  for (const auto approximation :
       {MeshApproximation::none, MeshApproximation::convex_hull, MeshApproximation::bounding_cube,
        MeshApproximation::bounding_sphere}) {
    expect_same(solid_of_mesh(corner_tetrahedron(), approximation, diagnostics, {2, 3, 0.5}),
                solid_of_mesh(scaled, approximation, diagnostics), 1e-12);
  }
}

TEST(MeshVolume, FarFromTheOriginNothingCancels) {
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(box_mesh(1048576.0F), MeshApproximation::none, diagnostics);

  EXPECT_NEAR(s.volume, 48.0, 1e-9);
  EXPECT_LT((s.inertia - solid_box({1, 2, 3}).inertia).norm(), 1e-6);
}

TEST(MeshVolume, HullOfABoxIsTheBox) {
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(box_mesh(5.0F), MeshApproximation::convex_hull, diagnostics);

  EXPECT_NEAR(s.volume, 48.0, 1e-10);
  EXPECT_LT((s.center - Vector3d(5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((s.inertia - solid_box({1, 2, 3}).inertia).norm(), 1e-9);
}

TEST(MeshVolume, HullIgnoresPointsInside) {
  TestMesh mesh = box_mesh();
  mesh.points.push_back({0.25F, 0.5F, 0});
  mesh.points.push_back({1, 0, 0});  // On a face.
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(mesh, MeshApproximation::convex_hull, diagnostics);

  EXPECT_NEAR(s.volume, 48.0, 1e-10);
}

TEST(MeshVolume, HullOfAThinPlateKeepsItsVolume) {
  TestMesh mesh = box_mesh();
  for (Vector3f& point : mesh.points) point.z() *= 1e-7F;
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(mesh, MeshApproximation::convex_hull, diagnostics);

  EXPECT_NEAR(s.volume / 48e-7, 1.0, 1e-6);
}

TEST(MeshVolume, OpenMeshFallsBackToItsHullWithAWarning) {
  TestMesh mesh = box_mesh();
  mesh.counts.pop_back();
  mesh.indices.resize(20);
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(mesh, MeshApproximation::none, diagnostics);

  EXPECT_NEAR(s.volume, 48.0, 1e-10);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "physics-open-mesh-volume");
  EXPECT_EQ(diagnostics[0].path, "/Mesh");
}

TEST(MeshVolume, HoleFacesOpenTheMesh) {
  const TestMesh mesh = box_mesh();
  geom::Mesh geometry = mesh.view();
  const std::array<std::int32_t, 1> holes = {2};

  EXPECT_TRUE(is_closed(geometry));
  geometry.hole_faces = holes;
  EXPECT_FALSE(is_closed(geometry));
}

TEST(MeshVolume, SaysThatTheCageOfASubdividedMeshIsTaken) {
  const TestMesh mesh = box_mesh();
  geom::Mesh geometry = mesh.view();
  const auto codes = [&] {
    Diagnostics diagnostics;
    solid_mesh(geometry, MeshApproximation::none, Vector3d::Ones(), "/Mesh", diagnostics);
    return sinew::test::codes_of(diagnostics);
  };
  geometry.subdivision = geom::SubdivisionScheme::catmull_clark;
  EXPECT_EQ(codes(), "") << "The fallback of the schema.";
  geometry.subdivision_authored = true;
  EXPECT_EQ(codes(), "physics-subdivided-mesh /Mesh;");
  geometry.subdivision = geom::SubdivisionScheme::none;
  EXPECT_EQ(codes(), "");
}

TEST(MeshVolume, OneFlippedFaceOpensTheMesh) {
  TestMesh mesh = corner_tetrahedron();
  std::swap(mesh.indices[0], mesh.indices[1]);

  EXPECT_FALSE(is_closed(mesh.view()));
}

TEST(MeshVolume, DegenerateFacesDoNotOpenTheMesh) {
  TestMesh mesh = corner_tetrahedron();
  mesh.counts.insert(mesh.counts.end(), {3, 2, 1, 0, 4});
  mesh.indices.insert(mesh.indices.end(), {0, 1, 0, 2, 3, 1, 2, 2, 3, 3});

  EXPECT_TRUE(is_closed(mesh.view()));
}

TEST(MeshVolume, NonManifoldEdgesAreNotClosed) {
  TestMesh mesh = corner_tetrahedron();
  const TestMesh again = corner_tetrahedron();
  mesh.counts.insert(mesh.counts.end(), again.counts.begin(), again.counts.end());
  mesh.indices.insert(mesh.indices.end(), again.indices.begin(), again.indices.end());

  EXPECT_FALSE(is_closed(mesh.view()));
}

// physics 10.6: flat or empty geometry has volume 0.
TEST(MeshVolume, FlatAndEmptyMeshesHaveNoVolume) {
  TestMesh square{
      {{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {0, 1, 0}, {0.5F, 0.5F, 0.5F}}, {4}, {0, 1, 2, 3}};
  TestMesh line{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, {3}, {0, 1, 2}};
  TestMesh point{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {4}, {0, 1, 2, 3}};
  for (const TestMesh& mesh : {TestMesh{}, square, line, point}) {
    for (const auto approximation : {MeshApproximation::none, MeshApproximation::convex_hull,
                                     MeshApproximation::convex_decomposition}) {
      Diagnostics diagnostics;
      const Solid s = solid_of_mesh(mesh, approximation, diagnostics);
      EXPECT_EQ(s.volume, 0.0);
      EXPECT_EQ(s.inertia.norm(), 0.0);
    }
  }
}

TEST(MeshVolume, WrongIndicesAndCountsAreReportedAndSurvived) {
  TestMesh far = box_mesh();
  far.indices[0] = 800;
  TestMesh negative = box_mesh();
  negative.indices[5] = -1;
  TestMesh counts = box_mesh();
  counts.counts[0] = -4;
  TestMesh long_count = box_mesh();
  long_count.counts[5] = 1 << 30;
  for (const TestMesh& mesh : {far, negative, counts, long_count}) {
    Diagnostics diagnostics;
    const Solid s = solid_of_mesh(mesh, MeshApproximation::none, diagnostics);
    EXPECT_NEAR(s.volume, 48.0, 1e-10);  // The hull of the points.
    ASSERT_EQ(diagnostics.size(), 2U);
    EXPECT_EQ(diagnostics[1].code, "physics-mesh-bad-topology");
  }
}

TEST(MeshVolume, PointsThatAreNotNumbersAreLeftOut) {
  TestMesh mesh = box_mesh();
  mesh.points.push_back({std::nanf(""), 0, 0});
  mesh.points.push_back({std::numeric_limits<float>::infinity(), 0, 0});
  for (const auto approximation : {MeshApproximation::none, MeshApproximation::convex_hull,
                                   MeshApproximation::bounding_cube}) {
    Diagnostics diagnostics;
    EXPECT_NEAR(solid_of_mesh(mesh, approximation, diagnostics).volume, 48.0, 1e-10);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].code, "physics-mesh-not-finite");
  }
}

TEST(MeshVolume, BoundingSphereReachesTheFarthestPointFromTheBoxCentre) {
  Diagnostics diagnostics;

  const Solid s =
      solid_of_mesh(corner_tetrahedron(), MeshApproximation::bounding_sphere, diagnostics);

  // Box centre (0.5, 0.5, 0.5); the origin is the farthest point.
  EXPECT_LT((s.center - Vector3d::Constant(0.5)).norm(), 1e-15);
  EXPECT_NEAR(s.volume, 4.0 / 3.0 * kPi * std::pow(0.75, 1.5), 1e-14);
}

TEST(MeshVolume, UnknownApproximationMeansTheMeshAndIsReported) {
  Diagnostics diagnostics;

  const Solid s = solid_of_mesh(corner_tetrahedron(), mesh_approximation("voxels"), diagnostics);

  EXPECT_NEAR(s.volume, 1.0 / 6.0, 1e-15);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "physics-unknown-approximation");
}

TEST(SolidOf, CustomInvalidAndInfiniteShapesHaveNoKnownVolume) {
  Diagnostics diagnostics;
  Shape custom;
  custom.geometry = CustomShape{"Blob"};
  Shape invalid;
  invalid.is_valid = false;
  Shape infinite;
  infinite.geometry = SphereShape{std::numeric_limits<float>::infinity()};
  Shape nan;
  nan.geometry = CubeShape{{std::nanf(""), 1, 1}};

  EXPECT_FALSE(solid_of(custom, diagnostics));
  EXPECT_FALSE(solid_of(invalid, diagnostics));
  EXPECT_FALSE(solid_of(infinite, diagnostics));
  EXPECT_FALSE(solid_of(nan, diagnostics));
}

TEST(SolidOf, PlaneHasNoVolume) {
  Diagnostics diagnostics;
  Shape plane;
  plane.geometry = PlaneShape{Axis::z};

  ASSERT_TRUE(solid_of(plane, diagnostics));
  EXPECT_EQ(solid_of(plane, diagnostics)->volume, 0.0);
}

TEST(MeshVolume, IndicesThatNoFaceUsesAreReported) {
  TestMesh mesh = box_mesh();
  mesh.indices.push_back(0);
  Diagnostics diagnostics;
  EXPECT_NEAR(solid_of_mesh(mesh, MeshApproximation::none, diagnostics).volume, 48.0, 1e-10);
  EXPECT_EQ(sinew::test::codes_of(diagnostics),
            "physics-open-mesh-volume /Mesh;physics-mesh-bad-topology /Mesh;");
  EXPECT_FALSE(is_closed(mesh.view()));
}

TEST(MeshVolume, FacesOfOnePointDoNotOpenTheMesh) {
  TestMesh mesh = corner_tetrahedron();
  mesh.counts.insert(mesh.counts.end(), {3, 4});
  mesh.indices.insert(mesh.indices.end(), {2, 2, 2, 1, 3, 1, 1});
  EXPECT_TRUE(is_closed(mesh.view()));
  Diagnostics diagnostics;
  EXPECT_NEAR(solid_of_mesh(mesh, MeshApproximation::none, diagnostics).volume, 1.0 / 6.0, 1e-15);
  EXPECT_TRUE(diagnostics.empty());
}

// Of bounds it does not matter whether the mesh is closed, nor what its faces are.
TEST(MeshVolume, BoundsOfAnOpenMeshAreNotReported) {
  TestMesh mesh = corner_tetrahedron();
  mesh.counts.pop_back();
  mesh.indices.resize(mesh.indices.size() - 3);
  Diagnostics diagnostics;
  const Solid cube = solid_of_mesh(mesh, MeshApproximation::bounding_cube, diagnostics);
  EXPECT_NEAR(cube.volume, 1.0, 1e-15);
  EXPECT_LT((cube.center - Vector3d::Constant(0.5)).norm(), 1e-15);
  EXPECT_NEAR(solid_of_mesh(mesh, MeshApproximation::bounding_sphere, diagnostics).volume,
              4.0 / 3.0 * kPi * std::pow(0.75, 1.5), 1e-14);
  EXPECT_NEAR(solid_of_mesh(mesh, MeshApproximation::convex_hull, diagnostics).volume, 1.0 / 6.0,
              1e-14);
  EXPECT_TRUE(diagnostics.empty());
  solid_of_mesh(mesh, MeshApproximation::mesh_simplification, diagnostics);
  EXPECT_EQ(sinew::test::codes_of(diagnostics), "physics-open-mesh-volume /Mesh;");
}

TEST(MeshVolume, BoundingSpheresLeaveOutPointsThatAreNotNumbers) {
  TestMesh mesh = corner_tetrahedron();
  mesh.points.insert(mesh.points.begin(), {std::nanf(""), 5, 5});
  mesh.points.push_back({5, std::numeric_limits<float>::infinity(), 5});
  for (std::int32_t& index : mesh.indices) ++index;
  Diagnostics diagnostics;
  const Solid s = solid_of_mesh(mesh, MeshApproximation::bounding_sphere, diagnostics);
  EXPECT_NEAR(s.volume, 4.0 / 3.0 * kPi * std::pow(0.75, 1.5), 1e-14);
  EXPECT_LT((s.center - Vector3d::Constant(0.5)).norm(), 1e-15);
  EXPECT_EQ(sinew::test::codes_of(diagnostics), "physics-mesh-not-finite /Mesh;");
}

TEST(SolidOf, AMeshWithoutGeometryHasNoVolume) {
  Diagnostics diagnostics;
  Shape shape;
  shape.geometry = MeshShape{};
  const std::optional<Solid> solid = solid_of(shape, diagnostics);
  ASSERT_TRUE(solid.has_value());
  EXPECT_EQ(solid->volume, 0.0);
  EXPECT_TRUE(diagnostics.empty());
}

}  // namespace
}  // namespace sinew::physics::volumes_test
