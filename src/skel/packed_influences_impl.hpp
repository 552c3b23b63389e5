// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

/// Row of a point without a largest weight, because all its weights are zero.
inline constexpr std::uint32_t kNoPivot = 0xffffffffU;

/// Influences as kernels read them.
struct PackedInfluences::Impl {
  std::size_t point_count = 0;
  std::size_t joint_count = 0;
  std::size_t width = 8;
  SimdLevel level = SimdLevel::scalar;
  InfluenceForm form = InfluenceForm::rows;

  // InfluenceForm::blocks.
  std::vector<SkinBlock> blocks;
  std::vector<SkinRow> rows;
  std::vector<std::uint32_t> matrices;  // Per row: where its matrix begins in a palette, in floats.
  Buffer tiles;                         // One row of `width` floats per entry of `rows`.

  // InfluenceForm::rows; the constant form has one row.
  std::vector<std::uint32_t> offsets;
  std::vector<SkinInfluence> influences;
  std::vector<std::uint32_t> pivots;

  std::vector<std::uint32_t> new_from_old;

  /// Some weight is infinite: rows in plain C++ at every level, so that results are the same.
  bool has_infinite_weight = false;
};

struct PackedInfluencesAccess {
  using Impl = PackedInfluences::Impl;
  /// Null for default-constructed influences.
  static const Impl* impl(const PackedInfluences& influences) noexcept {
    return influences.impl_.get();
  }
};

}  // namespace sinew::skel
