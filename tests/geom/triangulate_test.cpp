// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "geom/polygons.hpp"
#include "sinew/geom/triangles.hpp"
#include "support/count_allocations.hpp"

namespace sinew::geom::triangulate_test {
namespace {

using test::Polygon;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A mesh with its arrays.
struct OwnMesh {
  std::vector<Vector3f> points;
  std::vector<std::int32_t> counts;
  std::vector<std::int32_t> indices;
  std::vector<std::int32_t> holes;
  Mesh mesh;

  const Mesh& view() {
    mesh.points = points;
    mesh.face_counts = counts;
    mesh.face_indices = indices;
    mesh.hole_faces = holes;
    return mesh;
  }
};

// One face with a point for each corner.
OwnMesh one_face(std::vector<Vector3f> points) {
  OwnMesh own;
  own.points = std::move(points);
  own.counts = {static_cast<std::int32_t>(own.points.size())};
  own.indices.resize(own.points.size());
  std::iota(own.indices.begin(), own.indices.end(), 0);
  return own;
}

OwnMesh one_face(const Polygon& polygon) {
  std::vector<Vector3f> points;
  for (const Vector2d& p : polygon) {
    points.emplace_back(static_cast<float>(p.x()), static_cast<float>(p.y()), 0.0F);
  }
  return one_face(std::move(points));
}

Triangles cut(OwnMesh own) {
  return triangulate(own.view());
}

std::vector<Vector3d> areas(const OwnMesh& own, const Triangles& triangles) {
  std::vector<Vector3d> result;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    Vector3d p[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = triangles.corners[3 * i + k];
      p[k] = own.points[static_cast<std::size_t>(own.indices[corner])].cast<double>();
    }
    result.emplace_back((p[1] - p[0]).cross(p[2] - p[0]) / 2.0);
  }
  return result;
}

// Whether triangles are put together as those of one polygon must be: each of its sides is the side
// of one triangle, and all other sides are shared by two, that pass them in opposite directions.
void expect_sides_match(const Triangles& triangles, std::size_t corners) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::size_t i = 0; i < triangles.corners.size(); i += 3) {
    const std::uint32_t* t = &triangles.corners[i];
    for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  }
  std::size_t outer = 0;
  for (const auto& [side, uses] : sides) {
    ASSERT_EQ(uses, 1);
    if ((side.first + 1) % corners == side.second) {
      ++outer;
    } else {
      ASSERT_TRUE(sides.contains({side.second, side.first}));
    }
  }
  EXPECT_EQ(outer, corners);
}

// Together with matching sides, positive areas prove that a polygon that does not cross itself is
// covered once.
void expect_covers(const OwnMesh& own, double smallest_area, const std::string& what) {
  SCOPED_TRACE(what);
  OwnMesh copy = own;
  const Triangles triangles = triangulate(copy.view());
  const std::size_t n = own.points.size();
  ASSERT_EQ(triangles.size(), n - 2);
  EXPECT_EQ(triangles.flat_faces, 0U);
  EXPECT_EQ(triangles.folded_faces, 0U);
  expect_sides_match(triangles, n);
  Vector3d normal = Vector3d::Zero();
  for (const Vector3d& area : areas(own, triangles)) normal += area;
  for (const Vector3d& area : areas(own, triangles)) {
    ASSERT_GT(area.dot(normal.normalized()), smallest_area);
  }
}

// Turned into a plane that no axis lies in.
OwnMesh tilted(const OwnMesh& own) {
  const Eigen::Matrix3f turn =
      Eigen::AngleAxisf(0.7F, Vector3f(1, 2, 3).normalized()).toRotationMatrix();
  OwnMesh result = own;
  for (Vector3f& p : result.points) p = turn * p + Vector3f(3, -5, 7);
  return result;
}

TEST(Triangulate, LeavesTrianglesAlone) {
  OwnMesh own;
  own.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  own.counts = {3, 3};
  own.indices = {0, 1, 2, 3, 2, 1};
  const Triangles triangles = cut(own);
  EXPECT_THAT(triangles.corners, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(triangles.faces, ElementsAre(0, 1));
}

TEST(Triangulate, CutsSquaresAlongTheFirstDiagonal) {
  EXPECT_THAT(cut(one_face(Polygon{{0, 0}, {1, 0}, {1, 1}, {0, 1}})).corners,
              ElementsAre(0, 1, 2, 0, 2, 3));
}

TEST(Triangulate, CutsTurnedSquaresAsTheyAreCutUnturned) {
  const OwnMesh square = one_face(Polygon{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  for (int i = 0; i < 100; ++i) {
    OwnMesh turned = square;
    const Eigen::Matrix3f turn =
        Eigen::AngleAxisf(0.1F * static_cast<float>(i), Vector3f(1, 2, -1).normalized())
            .toRotationMatrix();
    for (Vector3f& p : turned.points) p = turn * p;
    ASSERT_THAT(cut(turned).corners, ElementsAre(0, 1, 2, 0, 2, 3)) << i;
  }
}

TEST(Triangulate, CutsQuadsAlongTheShorterDiagonal) {
  EXPECT_THAT(cut(one_face(Polygon{{0, 0}, {2, 1}, {4, 4}, {1, 2}})).corners,
              ElementsAre(0, 1, 3, 1, 2, 3));
  EXPECT_THAT(cut(one_face(Polygon{{1, 2}, {0, 0}, {2, 1}, {4, 4}})).corners,
              ElementsAre(0, 1, 2, 0, 2, 3));
}

TEST(Triangulate, CutsConcaveQuadsAtTheReflexCornerWhereverItIs) {
  // The reflex corner is (1, 1); its diagonal is the longer one.
  const Polygon arrow = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    Polygon turned;
    for (std::size_t i = 0; i < 4; ++i) turned.push_back(arrow[(i + turn) % 4]);
    expect_covers(one_face(turned), 0.1, "turned by " + std::to_string(turn));
    expect_covers(tilted(one_face(turned)), 0.1, "tilted, turned by " + std::to_string(turn));
  }
}

TEST(Triangulate, CutsQuadsWithACornerOnASideAtThatCorner) {
  const Polygon quad = {{0, 0}, {1, 0}, {2, 0}, {0, 9}};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    Polygon turned;
    for (std::size_t i = 0; i < 4; ++i) turned.push_back(quad[(i + turn) % 4]);
    expect_covers(one_face(turned), 1.0, "turned by " + std::to_string(turn));
  }
}

TEST(Triangulate, TurnsFacesOfLeftHandedMeshes) {
  OwnMesh own = one_face(Polygon{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  own.mesh.left_handed = true;
  EXPECT_THAT(cut(own).corners, ElementsAre(0, 2, 1, 0, 3, 2));
}

TEST(Triangulate, CutsRandomStars) {
  test::Random random(7);
  for (int i = 0; i < 300; ++i) {
    const OwnMesh star = one_face(test::random_star(random, 5 + random.below(60)));
    expect_covers(star, 0.0, "star " + std::to_string(i));
    expect_covers(tilted(star), 0.0, "tilted star " + std::to_string(i));
  }
}

TEST(Triangulate, CutsMazesWithoutTrianglesOnStraightSides) {
  test::Random random(11);
  for (int i = 0; i < 100; ++i) {
    const int size = random.between(2, 9);
    const Polygon polygon = test::maze(random, size);
    ASSERT_EQ(test::area_of(polygon), 2.0 * size * size - 1.0);
    // The least that a triangle of lattice points can have.
    expect_covers(one_face(polygon), 0.49, "maze " + std::to_string(i));
    expect_covers(tilted(one_face(polygon)), 0.49, "tilted maze " + std::to_string(i));
  }
}

TEST(Triangulate, CutsCombsAndSpirals) {
  expect_covers(one_face(test::comb(200)), 0.0, "comb");
  expect_covers(one_face(test::spiral(400)), 0.0, "spiral");
  expect_covers(tilted(one_face(test::comb(200))), 0.0, "tilted comb");
  expect_covers(tilted(one_face(test::spiral(400))), 0.0, "tilted spiral");
}

TEST(Triangulate, CutsFacesFromWhicheverCornerTheyBegin) {
  test::Random random(19);
  Polygon polygon = test::maze(random, 7);
  for (std::size_t first = 0; first < polygon.size(); ++first) {
    expect_covers(one_face(polygon), 0.49, "corner " + std::to_string(first));
    std::rotate(polygon.begin(), polygon.begin() + 1, polygon.end());
  }
}

TEST(Triangulate, CutsPolygonsOfVeryManyCorners) {
  test::Random random(3);
  expect_covers(one_face(test::maze(random, 150)), 0.49, "maze");
  expect_covers(one_face(test::comb(1500)), 0.0, "comb");
  expect_covers(one_face(test::spiral(20'000)), 0.0, "spiral");
}

TEST(Triangulate, CutsFacesWithAHoleThatACutConnectsToTheOutside) {
  // A frame: around the outside, along the cut, around the inside, back along the cut.
  const Polygon frame = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                         {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
  for (std::size_t turn = 0; turn < frame.size(); ++turn) {
    Polygon turned;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      turned.push_back(frame[(i + turn) % frame.size()]);
    }
    expect_covers(one_face(turned), 0.1, "turned by " + std::to_string(turn));
  }
}

TEST(Triangulate, CutsNonplanarFacesWithoutFlips) {
  test::Random random(5);
  for (int i = 0; i < 100; ++i) {
    OwnMesh own = tilted(one_face(test::random_star(random, 12)));
    const Vector3f up = Eigen::AngleAxisf(0.7F, Vector3f(1, 2, 3).normalized()) * Vector3f::UnitZ();
    for (Vector3f& p : own.points) p += up * static_cast<float>(random.eighths(-1, 1)) * 0.2F;
    expect_covers(own, 0.0, "star " + std::to_string(i));
  }
}

TEST(Triangulate, CutsFlatFacesAsFansAndCountsThem) {
  const Polygon lines[] = {{{0, 0}, {1, 0}, {2, 0}, {3, 0}},
                           {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 0}},
                           {{1, 1}, {1, 1}, {1, 1}, {1, 1}},
                           {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}};
  for (const Polygon& line : lines) {
    const Triangles triangles = cut(one_face(line));
    EXPECT_EQ(triangles.size(), line.size() - 2);
    EXPECT_EQ(triangles.flat_faces, 1U);
    EXPECT_EQ(triangles.folded_faces, 0U);
  }
}

TEST(Triangulate, CutsFacesThatCrossThemselvesSomehowAndCountsThem) {
  // A bow tie with one large wing, and a star drawn in one line.
  Polygon pentagram;
  for (int i = 0; i < 5; ++i) {
    pentagram.emplace_back(std::cos(4.0 * std::numbers::pi * i / 5.0),
                           std::sin(4.0 * std::numbers::pi * i / 5.0));
  }
  const Polygon bow_ties[] = {{{0, 0}, {9, 9}, {9, 0}, {0, 1}},
                              {{0, 0}, {5, 5}, {9, 9}, {9, 0}, {0, 1}}};
  for (const Polygon& polygon : bow_ties) {
    const Triangles triangles = cut(one_face(polygon));
    EXPECT_EQ(triangles.size(), polygon.size() - 2);
    EXPECT_EQ(triangles.folded_faces, 1U);
  }
  EXPECT_EQ(cut(one_face(pentagram)).size(), 3U);
}

TEST(Triangulate, SurvivesPointsThatCoincideOrLieOnSides) {
  test::Random random(13);
  for (int i = 0; i < 2000; ++i) {
    Polygon polygon;
    const std::size_t n = 3 + random.below(20);
    for (std::size_t k = 0; k < n; ++k) {
      polygon.emplace_back(random.between(0, 3), random.between(0, 3));
    }
    const OwnMesh own = one_face(polygon);
    const Triangles triangles = cut(own);
    ASSERT_EQ(triangles.size(), n - 2) << i;
    expect_sides_match(triangles, n);
    EXPECT_EQ(triangles.corners, cut(own).corners);
  }
}

TEST(Triangulate, EndsSoonOnFacesThatAreMadeToBeSlow) {
  // All corners but two in one cell of the grid, on an outline that crosses itself everywhere.
  test::Random random(17);
  Polygon polygon;
  for (int i = 0; i < 20'000; ++i)
    polygon.emplace_back(random.eighths(0, 99), random.eighths(0, 99));
  polygon.emplace_back(1e30, 0.0);
  polygon.emplace_back(1e30, 1e30);
  EXPECT_EQ(cut(one_face(polygon)).size(), polygon.size() - 2);
  // A spiral in the same place.
  polygon = test::spiral(20'000);
  polygon.emplace_back(1e20, 1e20);
  EXPECT_EQ(cut(one_face(polygon)).size(), polygon.size() - 2);
}

TEST(Triangulate, CopesWithTheLargestAndSmallestNumbers) {
  for (const double scale : {1e-44, 1e-30, 1e30, 3e38}) {
    Polygon polygon = {{0, 0}, {1, 0}, {1, 1}, {0.5, 0.25}, {0, 1}};
    Polygon quad = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (Vector2d& p : polygon) p *= scale;
    for (Vector2d& p : quad) p *= scale;
    expect_covers(one_face(polygon), 0.0, std::to_string(scale));
    expect_covers(one_face(quad), 0.0, std::to_string(scale));
  }
}

TEST(Triangulate, LeavesHolesOut) {
  OwnMesh own;
  own.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  own.counts = {3, 3, 3};
  own.indices = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  own.holes = {2, 0, 2, -1, 3, 2147483647};
  const Triangles triangles = cut(own);
  EXPECT_THAT(triangles.faces, ElementsAre(1));
  EXPECT_THAT(triangles.corners, ElementsAre(3, 4, 5));
  EXPECT_EQ(triangles.hole_faces, 2U);
}

TEST(Triangulate, LeavesOutAndCountsFacesThatCannotBeCut) {
  OwnMesh own;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  own.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 0}, {0, inf, 0}, {0, -inf, 0}};
  own.counts = {2, 0, 3, 1, 3, 4, 3, 3, 3, 9, 3};
  own.indices = {0, 1, 0, 1, 2, 0, 0, 1, 3, 0, 4, 5, 1, 0, 1, 6, 0, -1, 1, 2, 1, 0};
  const Triangles triangles = cut(own);
  EXPECT_THAT(triangles.faces, ElementsAre(2, 8));
  EXPECT_THAT(triangles.corners, ElementsAre(2, 3, 4, 19, 20, 21));
  EXPECT_EQ(triangles.small_faces, 3U);
  EXPECT_EQ(triangles.not_finite_faces, 2U);
  EXPECT_EQ(triangles.broken_faces, 4U) << "two indices, and the faces from the one of 9 corners";
}

TEST(Triangulate, StopsAtNegativeCounts) {
  OwnMesh own;
  own.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  own.counts = {3, -3, 3};
  own.indices = {0, 1, 2, 0, 1, 2};
  const Triangles triangles = cut(own);
  EXPECT_THAT(triangles.faces, ElementsAre(0));
  EXPECT_EQ(triangles.broken_faces, 2U);
}

TEST(Triangulate, MakesNothingOfNothing) {
  const Triangles triangles = triangulate(Mesh());
  EXPECT_EQ(triangles.size(), 0U);
  EXPECT_THAT(triangles.corners, IsEmpty());
  Mesh without_points;
  const std::vector<std::int32_t> counts = {3};
  const std::vector<std::int32_t> indices = {0, 1, 2};
  without_points.face_counts = counts;
  without_points.face_indices = indices;
  EXPECT_EQ(triangulate(without_points).broken_faces, 1U);
}

TEST(TrianglePoints, AreThoseOfTheCorners) {
  OwnMesh own;
  own.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  own.counts = {4};
  own.indices = {2, 0, 1, 3};
  const Triangles triangles = triangulate(own.view());
  EXPECT_THAT(triangle_points(own.mesh, triangles), ElementsAre(2, 0, 1, 2, 1, 3));
}

TEST(SmoothNormals, AreTheMeanOfTheFacesByArea) {
  // A square of area 4 upwards and a triangle of area 1 towards x meet at points 0 and 1.
  OwnMesh own;
  own.points = {{0, 0, 0}, {0, 2, 0}, {-2, 2, 0}, {-2, 0, 0}, {0, 1, -1}, {9, 9, 9}};
  own.counts = {4, 3};
  own.indices = {0, 1, 2, 3, 1, 0, 4};
  const Triangles triangles = triangulate(own.view());
  const std::vector<Vector3f> normals = smooth_normals(own.mesh, triangles);
  ASSERT_EQ(normals.size(), 6U);
  const Vector3f mixed = Vector3f(1, 0, 4).normalized();
  EXPECT_TRUE(normals[0].isApprox(mixed, 1e-6F)) << normals[0].transpose();
  EXPECT_TRUE(normals[1].isApprox(mixed, 1e-6F));
  EXPECT_EQ(normals[2], Vector3f::UnitZ());
  EXPECT_EQ(normals[3], Vector3f::UnitZ());
  EXPECT_EQ(normals[4], Vector3f::UnitX());
  EXPECT_EQ(normals[5], Vector3f::Zero());
}

TEST(SmoothNormals, FaceTheOtherWayOnLeftHandedMeshes) {
  OwnMesh own = one_face(Polygon{{0, 0}, {1, 0}, {1, 1}, {0.5, 2}, {0, 1}});
  own.mesh.left_handed = true;
  const Triangles triangles = triangulate(own.view());
  EXPECT_THAT(smooth_normals(own.mesh, triangles), Each(Vector3f(0, 0, -1)));
}

// As many copies of one face.
OwnMesh repeated(const Polygon& polygon, int count) {
  OwnMesh own = one_face(polygon);
  const std::vector<std::int32_t> face = own.indices;
  for (int i = 1; i < count; ++i) {
    own.counts.push_back(own.counts.front());
    own.indices.insert(own.indices.end(), face.begin(), face.end());
  }
  return own;
}

TEST(Triangulate, AllocatesAsOftenForManyFacesAsForFew) {
  const auto allocations = [](const Polygon& polygon, int count) {
    OwnMesh own = repeated(polygon, count);
    const Mesh& mesh = own.view();
    std::size_t triangles = 0;
    const std::size_t result =
        test::count_allocations([&] { triangles = triangulate(mesh).size(); });
    EXPECT_EQ(triangles, static_cast<std::size_t>(count) * (polygon.size() - 2));
    return result;
  };
  test::Random random(5);
  for (const Polygon& polygon : {Polygon{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, test::comb(4),
                                 test::random_star(random, 30), test::random_star(random, 300)}) {
    EXPECT_EQ(allocations(polygon, 1000), allocations(polygon, 10)) << polygon.size();
  }
}

}  // namespace
}  // namespace sinew::geom::triangulate_test
