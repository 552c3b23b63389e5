// SPDX-License-Identifier: Apache-2.0
#include "skel/shape_tiles.hpp"

#include "skel/packed_floats.hpp"

namespace sinew::skel {

namespace {

/// Lanes per offset that tiles may have: more cost more than adding offsets point by point.
constexpr std::size_t kMostLanesPerOffset = 4;

/// Calls visit(block, is_new, offset), is_new where a tile begins.
template <typename Visit>
void for_offsets(std::span<const PlacedOffset> offsets, std::size_t width, const Visit& visit) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const PlacedOffset& placed = offsets[i];
    const std::size_t block = placed.point / width;
    const bool is_new = i == 0 || offsets[i - 1].sub_shape != placed.sub_shape ||
                        offsets[i - 1].point / width != block;
    visit(block, is_new, placed);
  }
}

}  // namespace

ShapeTiles OffsetTiles::with_weights(std::span<const float> weights) const {
  if (width == 0) return {};
  return {first_tile.data(), sub_shapes.data(), reinterpret_cast<const float*>(tiles.data()),
          weights.data()};
}

OffsetTiles make_offset_tiles(std::span<const PlacedOffset> offsets, std::size_t point_count,
                              std::size_t width) {
  if (!kHasWideBlocks || width < kWideBlock || offsets.empty()) return {};
  OffsetTiles result;
  result.first_tile.assign((point_count + width - 1) / width + 1, 0);
  for_offsets(offsets, width, [&](std::size_t block, bool is_new, const PlacedOffset&) {
    result.first_tile[block + 1] += is_new ? 1U : 0U;
  });
  for (std::size_t b = 1; b < result.first_tile.size(); ++b) {
    result.first_tile[b] += result.first_tile[b - 1];
  }
  const std::size_t count = result.first_tile.back();
  if (count * width > kMostLanesPerOffset * offsets.size()) return {};

  result.width = width;
  result.sub_shapes.resize(count);
  result.tiles = zeroed_floats(count * 3 * width);
  float* const floats = floats_of(result.tiles);
  // Of each block the next tile, by sub-shape.
  std::vector<std::uint32_t> next(result.first_tile.begin(), result.first_tile.end() - 1);
  for_offsets(offsets, width, [&](std::size_t block, bool is_new, const PlacedOffset& placed) {
    if (is_new) result.sub_shapes[next[block]++] = placed.sub_shape;
    float* const tile = floats + std::size_t{next[block] - 1} * 3 * width;
    put_lane(placed.offset, placed.point % width, width, tile);
  });
  return result;
}

}  // namespace sinew::skel
