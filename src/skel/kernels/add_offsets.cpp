// SPDX-License-Identifier: Apache-2.0
//
// Adds runs of offsets. A run is a plain array of floats, whatever the points are: whole registers
// first, then halves. Masked stores are avoided, because the next shape would load wider than they
// were written and wait for them.

#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/blend_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/add_offsets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many whole vectors of `lanes` as fit.
template <std::size_t kMax>
HWY_INLINE void add_vectors(const float* from, float* to, float weight, std::size_t count,
                            std::size_t& i) {
  const hn::CappedTag<float, kMax> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto w = hn::Set(d, weight);
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(hn::MulAdd(w, hn::LoadU(d, from + i), hn::LoadU(d, to + i)), d, to + i);
  }
}

void add_offsets(const BlendRun* runs, std::size_t run_count, const float* offsets, float weight,
                 float* block) {
  for (std::size_t r = 0; r < run_count; ++r) {
    const float* from = offsets + std::size_t{runs[r].first_offset} * 3;
    float* to = block + std::size_t{runs[r].point} * 3;
    const std::size_t count = std::size_t{runs[r].point_count} * 3;
    std::size_t i = 0;
    add_vectors<16>(from, to, weight, count, i);
    add_vectors<8>(from, to, weight, count, i);
    add_vectors<4>(from, to, weight, count, i);
    // Of the same kind as the vectors, fused or not: a point's result must not depend on its place.
    add_vectors<1>(from, to, weight, count, i);
  }
}

}  // namespace sinew::skel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::skel {

namespace {

void add_offsets_scalar(const BlendRun* runs, std::size_t run_count, const float* offsets,
                        float weight, float* block) {
  for (std::size_t r = 0; r < run_count; ++r) {
    const float* from = offsets + std::size_t{runs[r].first_offset} * 3;
    float* to = block + std::size_t{runs[r].point} * 3;
    const std::size_t count = std::size_t{runs[r].point_count} * 3;
    for (std::size_t i = 0; i < count; ++i) to[i] += weight * from[i];
  }
}

}  // namespace

BlendKernel blend_kernel(SimdLevel level) noexcept {
  const BlendKernel kernel = SINEW_SELECT_KERNEL(BlendKernel, level, add_offsets);
  return kernel == nullptr ? add_offsets_scalar : kernel;
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
