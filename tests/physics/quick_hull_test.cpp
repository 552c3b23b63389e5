// SPDX-License-Identifier: Apache-2.0
#include "physics/quick_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <set>
#include <utility>
#include <vector>

#ifdef SINEW_WITH_QHULL
#include "physics/qhull_facets.hpp"
#endif

namespace sinew::physics::quick_hull_test {
namespace {

using Facets = std::vector<std::array<std::int32_t, 3>>;

double volume(const std::vector<Vector3d>& points, const Facets& facets) {
  double sum = 0.0;
  for (const auto& [a, b, c] : facets) {
    const auto at = [&](std::int32_t i) { return points[static_cast<std::size_t>(i)]; };
    sum += at(a).dot(at(b).cross(at(c))) / 6.0;
  }
  return sum;
}

/// Points in the cube, on a grid of `steps` or, with 0, anywhere.
std::vector<Vector3d> cloud(std::mt19937& random, std::size_t count, int steps) {
  std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
  std::vector<Vector3d> points(count);
  for (Vector3d& point : points) {
    for (int i = 0; i < 3; ++i) {
      const double x = anywhere(random);
      point[i] = steps == 0 ? x : std::round(x * steps) / steps;
    }
  }
  return points;
}

/// `count` points around a circle in the plane z, rounded to floats as those of files are.
void add_circle(std::vector<Vector3d>& points, int count, double z) {
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / count;
    points.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)),
                        z);
  }
}

/// Points of which all are corners, many of them in one plane or on one curve.
std::vector<Vector3d> round_points(int kind, int count) {
  std::vector<Vector3d> points;
  switch (kind) {
    case 0:  // A tube.
      add_circle(points, count / 2, -1.0);
      add_circle(points, count / 2, 1.0);
      break;
    case 1:  // A cone.
      points.emplace_back(0.0, 0.0, 1.0);
      add_circle(points, count, -1.0);
      break;
    case 2:  // Two curves across each other.
      for (int i = 0; i < count / 2; ++i) {
        const double t = 4.0 * i / count - 1.0;
        points.emplace_back(t, t * t, 1.0);
        points.emplace_back(t * t, t, -1.0);
      }
      break;
    default:  // A spindle of circles.
      for (int i = 1; i < 10; ++i) add_circle(points, count / 9, 0.2 * i - 1.0);
      for (Vector3d& point : points) {
        const double width = std::sqrt(1.0 - point.z() * point.z());
        point.x() *= width;
        point.y() *= width;
      }
  }
  return points;
}

#ifdef SINEW_WITH_QHULL
TEST(QuickHull, HasTheVolumeOfQhull) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const bool is_round = round % 5 == 4;
    const auto points = is_round
                            ? round_points(round / 5 % 4, 20 + static_cast<int>(random() % 300))
                            : cloud(random, 4 + random() % 300, round % 4);
    Facets mine;
    Facets theirs;
    const HullStatus status = quick_hull(points, mine);
    ASSERT_EQ(status, qhull_facets(points, theirs)) << round;
    EXPECT_NEAR(volume(points, mine), volume(points, theirs), 1e-9) << round;
  }
}
#endif

// Fans of faces around circles of points would be made again for each of them.
TEST(QuickHull, TakesManyPointsOfOneFaceWithinTwiceTheWorkOfFew) {
  for (int kind = 0; kind < 4; ++kind) {
    const auto least_work = [&](int count) {
      const auto points = round_points(kind, count);
      Facets facets;
      std::uint64_t work = 1;
      while (work < 1000 && quick_hull(points, facets, work) != HullStatus::ok)
        work += 1 + work / 8;
      EXPECT_GE(facets.size(), points.size()) << kind;
      EXPECT_LE(facets.size(), 2 * points.size() - 4) << kind;
      return work;
    };
    const std::uint64_t few = least_work(500);
    EXPECT_LE(least_work(16'000), 2 * few + 10) << kind;
  }
}

TEST(QuickHull, StopsWhereItsWorkEnds) {
  const auto points = round_points(0, 1000);
  Facets facets;
  EXPECT_EQ(quick_hull(points, facets, 2), HullStatus::failed);
  EXPECT_TRUE(facets.empty());
  EXPECT_EQ(quick_hull(points, facets, 0), HullStatus::failed);
  EXPECT_EQ(quick_hull(points, facets), HullStatus::ok);
  EXPECT_NEAR(volume(points, facets), 2.0 * 500.0 * std::sin(std::numbers::pi / 250.0) / 2.0, 1e-6);
}

// Wherever the points are, on either side of every plane through the origin.
TEST(QuickHull, IsTheSameElsewhere) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    auto points = cloud(random, 4 + random() % 60, round % 4);
    for (Vector3d& point : points) point *= 0.25;
    Facets here;
    const HullStatus status = quick_hull(points, here);
    Vector3d way(round % 3 - 1, round / 3 % 3 - 1, round / 9 % 3 - 1);
    const double volume_here = volume(points, here);
    for (Vector3d& point : points) point += 0.75 * way;
    Facets there;
    ASSERT_EQ(quick_hull(points, there), status) << round;
    EXPECT_NEAR(volume(points, there), volume_here, 1e-9) << round;
  }
}

TEST(QuickHull, LeavesNoPointOutside) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const auto points = cloud(random, 100, round % 3);
    Facets facets;
    ASSERT_EQ(quick_hull(points, facets), HullStatus::ok);
    for (const auto& [a, b, c] : facets) {
      const Vector3d& first = points[static_cast<std::size_t>(a)];
      const Vector3d normal = (points[static_cast<std::size_t>(b)] - first)
                                  .cross(points[static_cast<std::size_t>(c)] - first);
      if (normal.norm() < 1e-9) continue;
      for (const Vector3d& point : points) {
        EXPECT_LT(normal.normalized().dot(point - first), 1e-8) << round;
      }
    }
  }
}

/// Points whose faces are planes but for the rounding of floats, turned anyhow.
std::vector<Vector3d> tilted(std::mt19937& random, int kind) {
  std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
  const Quatd turn =
      Quatd(anywhere(random), anywhere(random), anywhere(random), anywhere(random)).normalized();
  std::vector<Vector3d> points;
  const int steps = 3 + static_cast<int>(random() % 12);
  const auto at = [&](int i) { return 2.0 * i / steps - 1.0; };
  if (kind == 0) {  // A box whose sides are divided.
    for (int side = 0; side < 6; ++side) {
      for (int i = 0; i <= steps; ++i) {
        for (int k = 0; k <= steps; ++k) {
          Vector3d p(side < 3 ? -1.0 : 1.0, at(i), at(k));
          points.emplace_back(p[side % 3], p[(side + 1) % 3], p[(side + 2) % 3]);
        }
      }
    }
  } else if (kind == 1) {  // A cylinder with rings in its caps.
    for (int ring = 1; ring <= steps; ++ring) {
      std::vector<Vector3d> circle;
      add_circle(circle, 24, 0.0);
      for (const Vector3d& p : circle) {
        points.push_back(p * (static_cast<double>(ring) / steps) + Vector3d(0, 0, 1));
        points.push_back(p * (static_cast<double>(ring) / steps) - Vector3d(0, 0, 1));
      }
    }
  } else {  // A plate, or the grid of a tetrahedron.
    for (int i = 0; i <= steps; ++i) {
      for (int k = 0; k <= steps; ++k) {
        if (kind == 2) points.insert(points.end(), {{at(i), at(k), 0.01}, {at(i), at(k), -0.01}});
        for (int l = 0; kind == 3 && l + k + i <= steps; ++l) {
          points.emplace_back(at(i), at(k), at(l));
        }
      }
    }
  }
  for (Vector3d& p : points) p = (turn * (p / 1.8)).cast<float>().cast<double>();
  return points;
}

// Planes of floats are bumpy: what lies on which side must be told without rounding.
TEST(QuickHull, IsClosedAndConvexWhereFloatsLieInTiltedPlanes) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> anywhere(-1.0, 1.0);
  for (int round = 0; round < 120; ++round) {
    const auto points = tilted(random, round % 4);
    Facets facets;
    ASSERT_EQ(quick_hull(points, facets), HullStatus::ok) << round;
    // Each edge has a face on either side.
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (const auto& facet : facets) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_TRUE(edges.emplace(facet[k], facet[(k + 1) % 3]).second) << round;
      }
    }
    for (const auto& [from, to] : edges) EXPECT_TRUE(edges.contains({to, from})) << round;
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& point : points) middle += point / static_cast<double>(points.size());
    for (const auto& facet : facets) {
      const auto corner = [&](std::size_t i) -> Vector3d {
        return points[static_cast<std::size_t>(facet[i])] - middle;
      };
      // A fold has an area; what is as thin as floats are apart may be turned by the grid's
      // rounding.
      const double outwards = corner(0).dot(corner(1).cross(corner(2)));
      EXPECT_GT(outwards, -1e-8) << round;
    }
    for (int k = 0; k < 20; ++k) {
      const Vector3d way(anywhere(random), anywhere(random), anywhere(random));
      double reach = -10.0;
      for (const Vector3d& point : points) reach = std::max(reach, way.dot(point));
      double found = -10.0;
      for (const auto& facet : facets) {
        for (const std::int32_t i : facet) {
          found = std::max(found, way.dot(points[static_cast<std::size_t>(i)]));
        }
      }
      EXPECT_NEAR(found, reach, 1e-8) << round;
    }
  }
}

TEST(QuickHull, TellsFlatPoints) {
  std::mt19937 random(3);
  auto points = cloud(random, 50, 0);
  for (Vector3d& point : points) point.z() = 0.25 * point.x() - 0.5 * point.y();
  Facets facets;
  EXPECT_EQ(quick_hull(points, facets), HullStatus::flat);
  EXPECT_TRUE(facets.empty());
}

TEST(QuickHull, TellsSinglePoints) {
  const std::vector<Vector3d> points(5, Vector3d(0.5, 0.5, 0.5));
  Facets facets;
  EXPECT_EQ(quick_hull(points, facets), HullStatus::flat);
}

}  // namespace
}  // namespace sinew::physics::quick_hull_test
