// SPDX-License-Identifier: Apache-2.0
//
// Adds runs of offsets. A run is a plain array of floats, whatever the points are: whole registers
// first, then halves. Masked stores are avoided, because the next shape would load wider than they
// were written and wait for them. Normals are divided by their lengths afterwards.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/disabled_targets.hpp"
#include "skel/kernels/blend_kernels.hpp"
#include "skel/kernels/skin_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skel/kernels/add_offsets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "skel/kernels/triples-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::skel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many whole vectors of `lanes` as fit.
template <std::size_t kMax>
HWY_INLINE void add_vectors(const float* from, float* to, float weight, std::size_t count,
                            std::size_t& i) {
  const hn::CappedTag<float, kMax> d;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  const auto w = hn::Set(d, weight);
  for (; i + kStep <= count; i += kStep) {
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

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void normalize_triples(float*, std::size_t) {}

#else

void normalize_triples(float* triples, std::size_t count) {
  const TripleOrder order = triple_order();
  const std::size_t end = 3 * count;
  std::size_t i = 0;
  for (; i + 3 * kLanes <= end; i += 3 * kLanes) {
    store_triples(order, normalised(load_triples(order, triples + i)), triples + i);
  }
  if (i == end) return;
  ShortBlock rest;
  zero_floats(rest.values, 3 * kLanes);
  copy_floats(triples + i, rest.values, end - i);
  store_triples(order, normalised(load_triples(order, rest.values)), rest.values);
  copy_floats(rest.values, triples + i, end - i);
}

#endif  // vectors

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

void normalize_triples_scalar(float* triples, std::size_t count) {
  for (float* t = triples; t != triples + 3 * count; t += 3) {
    const float length = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    const float factor = 1.0F / std::max(length, 1e-10F);
    for (int i = 0; i < 3; ++i) t[i] *= factor;
  }
}

}  // namespace

BlendKernel blend_kernel(SimdLevel level) noexcept {
  const BlendKernel kernel = SINEW_SELECT_KERNEL(BlendKernel, level, add_offsets);
  return kernel == nullptr ? add_offsets_scalar : kernel;
}

NormalizeKernel normalize_kernel(SimdLevel level) noexcept {
  const NormalizeKernel kernel = SINEW_SELECT_KERNEL(NormalizeKernel, level, normalize_triples);
  return kernel == nullptr ? normalize_triples_scalar : kernel;
}

}  // namespace sinew::skel

#endif  // HWY_ONCE
