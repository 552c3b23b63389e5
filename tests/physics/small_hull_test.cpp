// SPDX-License-Identifier: Apache-2.0
#include "physics/small_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "physics/shared/hull_triangles.hpp"

namespace sinew::physics::small_hull_test {
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

TEST(SmallHull, HasTheVolumeOfQhull) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto points = cloud(random, 4 + random() % 300, round % 4);
    Facets mine;
    Facets theirs;
    const HullStatus status = small_hull(points, mine);
    ASSERT_EQ(status, hull_triangles(points, theirs)) << round;
    EXPECT_NEAR(volume(points, mine), volume(points, theirs), 1e-9) << round;
  }
}

// Wherever the points are, on either side of every plane through the origin.
TEST(SmallHull, IsTheSameElsewhere) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    auto points = cloud(random, 4 + random() % 60, round % 4);
    Facets here;
    const HullStatus status = small_hull(points, here);
    Vector3d way(round % 3 - 1, round / 3 % 3 - 1, round / 9 % 3 - 1);
    const double volume_here = volume(points, here);
    for (Vector3d& point : points) point += 8.0 * way;
    Facets there;
    ASSERT_EQ(small_hull(points, there), status) << round;
    EXPECT_NEAR(volume(points, there), volume_here, 1e-9) << round;
  }
}

TEST(SmallHull, LeavesNoPointOutside) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const auto points = cloud(random, 100, round % 3);
    Facets facets;
    ASSERT_EQ(small_hull(points, facets), HullStatus::ok);
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

TEST(SmallHull, TellsFlatPoints) {
  std::mt19937 random(3);
  auto points = cloud(random, 50, 0);
  for (Vector3d& point : points) point.z() = 0.25 * point.x() - 0.5 * point.y();
  Facets facets;
  EXPECT_EQ(small_hull(points, facets), HullStatus::flat);
  EXPECT_TRUE(facets.empty());
}

TEST(SmallHull, TellsSinglePoints) {
  const std::vector<Vector3d> points(5, Vector3d(0.5, 0.5, 0.5));
  Facets facets;
  EXPECT_EQ(small_hull(points, facets), HullStatus::flat);
}

}  // namespace
}  // namespace sinew::physics::small_hull_test
