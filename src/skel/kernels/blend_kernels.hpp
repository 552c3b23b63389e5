// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the blend shape kernel reads; compiled for every instruction set.

#include <cstddef>
#include <cstdint>

#include "sinew/core/simd.hpp"

namespace sinew::skel {

/// Consecutive points of one block that one sub-shape moves.
struct BlendRun {
  std::uint16_t point;  ///< First point, within its block.
  std::uint16_t point_count;
  std::uint32_t first_offset;  ///< Its offset; those of the other points follow.
};

/// block[run] += weight * offsets[run], for every run.
using BlendKernel = void (*)(const BlendRun* runs, std::size_t run_count, const float* offsets,
                             float weight, float* block);

/// The kernel of a level, or of plain C++ if the build lacks it.
BlendKernel blend_kernel(SimdLevel level) noexcept;

/// Divides `count` triples by their lengths, which are taken to be at least 1e-10.
using NormalizeKernel = void (*)(float* triples, std::size_t count);

/// Likewise.
NormalizeKernel normalize_kernel(SimdLevel level) noexcept;

}  // namespace sinew::skel
