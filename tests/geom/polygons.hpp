// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/core/types.hpp"
#include "support/random.hpp"

namespace sinew::test {

/// The corners of a polygon, counter-clockwise.
using Polygon = std::vector<Vector2d>;

inline double area_of(const Polygon& polygon) {
  double twice = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d& a = polygon[i];
    const Vector2d& b = polygon[(i + 1) % polygon.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return twice / 2.0;
}

/// A star: corners all around a centre, at random distances.
inline Polygon random_star(Random& random, std::size_t corners) {
  Polygon polygon;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners);
    const double radius = 1.0 + random.eighths(0, 8);
    polygon.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return polygon;
}

/// A comb: narrow teeth on a thin back.
inline Polygon comb(std::size_t teeth) {
  Polygon polygon = {{0.0, 0.0}, {2.0 * static_cast<double>(teeth), 0.0}};
  for (std::size_t i = teeth; i-- > 0;) {
    const double x = 2.0 * static_cast<double>(i);
    polygon.emplace_back(x + 2.0, 1.0);
    polygon.emplace_back(x + 1.5, 100.0);
    polygon.emplace_back(x + 1.0, 1.0);
  }
  polygon.emplace_back(0.0, 1.0);
  return polygon;
}

/// A band that is wound up.
inline Polygon spiral(std::size_t corners) {
  Polygon polygon;
  const auto at = [](double turn, double radius) {
    return Vector2d(radius * std::cos(turn), radius * std::sin(turn));
  };
  const std::size_t half = corners / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double turn = 0.3 * static_cast<double>(i);
    polygon.push_back(at(turn, 2.0 + turn));
  }
  for (std::size_t i = half; i-- > 0;) {
    const double turn = 0.3 * static_cast<double>(i);
    polygon.push_back(at(turn, 1.0 + turn));
  }
  std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

/// The outline of a random maze without loops on a grid: a corner at every lattice point that it
/// passes, so that most lie on straight sides. Its area is 2 * size^2 - 1.
inline Polygon maze(Random& random, int size) {
  const int width = 2 * size - 1;
  std::vector<char> open(static_cast<std::size_t>(width * width), 0);
  const auto is_open = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < width &&
           open[static_cast<std::size_t>(y * width + x)] != 0;
  };
  const auto dig = [&](int x, int y) { open[static_cast<std::size_t>(y * width + x)] = 1; };
  // Rooms lie at even places, the doors between them at odd ones.
  constexpr std::array<std::pair<int, int>, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  std::vector<std::pair<int, int>> stack = {{0, 0}};
  dig(0, 0);
  while (!stack.empty()) {
    const auto [x, y] = stack.back();
    std::vector<std::pair<int, int>> ways;
    for (const auto& [dx, dy] : kSteps) {
      const int to_x = x + 2 * dx;
      const int to_y = y + 2 * dy;
      if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= width) continue;
      if (!is_open(to_x, to_y)) ways.emplace_back(dx, dy);
    }
    if (ways.empty()) {
      stack.pop_back();
      continue;
    }
    const auto [dx, dy] = random.of(ways);
    dig(x + dx, y + dy);
    dig(x + 2 * dx, y + 2 * dy);
    stack.emplace_back(x + 2 * dx, y + 2 * dy);
  }
  // Along the outline with the maze on the left: turn right where possible.
  Polygon polygon;
  int x = 0;
  int y = 0;
  std::size_t way = 0;
  const auto left_is_open = [&](std::size_t heading) {
    constexpr std::array<std::pair<int, int>, 4> kLeft = {{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};
    return is_open(x + kLeft[heading].first, y + kLeft[heading].second);
  };
  do {
    polygon.emplace_back(x, y);
    x += kSteps[way].first;
    y += kSteps[way].second;
    const std::size_t right = (way + 3) % 4;
    if (left_is_open(right)) {
      way = right;
    } else if (!left_is_open(way)) {
      way = (way + 1) % 4;
    }
  } while (x != 0 || y != 0);
  return polygon;
}

}  // namespace sinew::test
