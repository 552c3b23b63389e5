// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/types.hpp"
#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

/// One offset at its place in the mesh.
struct PlacedOffset {
  std::uint32_t point;
  std::uint32_t sub_shape;
  Vector3f offset;
};

/// Offsets in the blocks of packed influences: what the kernels add to points at rest before they
/// skin them.
struct OffsetTiles {
  std::size_t width = 0;  ///< Points per block; 0: there are none.
  std::vector<std::uint32_t> first_tile;
  std::vector<std::uint32_t> sub_shapes;
  Buffer tiles;

  /// As kernels read them.
  ShapeTiles with_weights(std::span<const float> weights) const;
};

/// Tiles of `offsets`, which are in the order of sub-shapes and within one of points, none twice.
/// None where kernels read none, or where so few offsets lie together that tiles would be largely
/// empty.
OffsetTiles make_offset_tiles(std::span<const PlacedOffset> offsets, std::size_t point_count,
                              std::size_t width);

}  // namespace sinew::skel
