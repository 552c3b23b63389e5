// SPDX-License-Identifier: Apache-2.0
#include "skel/shape_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::skel::shape_tiles_test {
namespace {

using Offsets = std::vector<PlacedOffset>;

/// Of sub-shapes that each move runs of points, in the order that tiles are made from.
Offsets random_offsets(std::mt19937& engine, std::uint32_t point_count, std::uint32_t longest) {
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(engine() % bound);
  };
  Offsets result;
  for (std::uint32_t shape = 0; shape < 7; ++shape) {
    if (shape == 3) continue;  // Moves nothing.
    for (std::uint32_t point = below(point_count); point < point_count;) {
      const std::uint32_t end = std::min(point + 1 + below(longest), point_count);
      for (; point < end; ++point) {
        const auto value = static_cast<float>(result.size() + 1);
        result.push_back({point, shape, {value, -value, 0.5F * value}});
      }
      point += below(longest);
    }
  }
  return result;
}

/// The tile of every block and sub-shape that moves any of its points, straight from the offsets.
using Tiles = std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>>;

Tiles expected_tiles(const Offsets& offsets, std::size_t width) {
  Tiles result;
  for (const PlacedOffset& placed : offsets) {
    std::vector<float>& tile = result[{placed.point / width, placed.sub_shape}];
    tile.resize(3 * width);
    for (int c = 0; c < 3; ++c) {
      tile[static_cast<std::size_t>(c) * width + placed.point % width] = placed.offset[c];
    }
  }
  return result;
}

TEST(OffsetTiles, HoldEveryOffsetInItsBlock) {
  std::mt19937 engine(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t width = round % 2 == 0 ? 16 : 32;
    const auto points = static_cast<std::uint32_t>(1 + engine() % 400);
    const Offsets offsets = random_offsets(engine, points, 90);
    const Tiles expected = expected_tiles(offsets, width);
    SCOPED_TRACE(std::to_string(round) + ", " + std::to_string(points) + " points");

    const OffsetTiles made = make_offset_tiles(offsets, points, width);

    if (expected.size() * width > 4 * offsets.size()) {
      EXPECT_EQ(made.width, 0U);
      continue;
    }
    ASSERT_EQ(made.width, width);
    const std::vector<float> weights(7, 1.0F);
    const ShapeTiles read = made.with_weights(weights);
    EXPECT_EQ(read.weights, weights.data());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.tiles) % 64, 0U);
    ASSERT_EQ(made.first_tile.size(), (points + width - 1) / width + 1);
    ASSERT_EQ(made.first_tile.back(), expected.size());
    std::size_t tile = 0;  // The map is by block, then by sub-shape, as tiles are.
    for (const auto& [place, values] : expected) {
      EXPECT_LE(read.first_tile[place.first], tile);
      EXPECT_GT(read.first_tile[place.first + 1], tile);
      EXPECT_EQ(read.sub_shapes[tile], place.second);
      const float* const floats = read.tiles + tile * 3 * width;
      EXPECT_EQ(std::vector<float>(floats, floats + 3 * width), values);
      ++tile;
    }
  }
}

TEST(OffsetTiles, AreNoneWhereTheyWouldBeLargelyEmpty) {
  const auto every = [](std::uint32_t step) {
    Offsets offsets;
    for (std::uint32_t point = 0; point < 320; point += step) offsets.push_back({point, 0, {}});
    return make_offset_tiles(offsets, 320, 16).width;
  };
  EXPECT_EQ(every(1), 16U);
  EXPECT_EQ(every(4), 16U);
  EXPECT_EQ(every(5), 0U);
}

TEST(OffsetTiles, AreNoneWhereKernelsReadNone) {
  const Offsets offsets = {{0, 0, {1, 2, 3}}, {1, 0, {1, 2, 3}}, {2, 0, {1, 2, 3}}};
  EXPECT_EQ(make_offset_tiles(offsets, 3, 8).width, 0U);
  EXPECT_EQ(make_offset_tiles({}, 3, 16).width, 0U);
  EXPECT_EQ(make_offset_tiles({}, 3, 8).with_weights({}).tiles, nullptr);
}

}  // namespace
}  // namespace sinew::skel::shape_tiles_test
