// SPDX-License-Identifier: Apache-2.0
// How many multiply-adds of whole vectors a core does in a second: what bounds skinning in the
// cache. Counted, not derived from the clock: cores slow down under wide vectors.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include "sinew/core/simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

namespace {

using sinew::SimdLevel;

// More sums than are under way at any time: two units take four or five cycles each.
constexpr int kSums = 12;
constexpr std::int64_t kRounds = 100'000;

// A macro, since a function for one instruction set inlines no template for all of them. The empty
// assembly keeps the compiler from leaving out unused results.
#define SINEW_MULTIPLY_ADD(Vector, zero, multiply_add)     \
  Vector factor = zero, sums[kSums];                       \
  asm volatile("" : "+v"(factor));                         \
  for (Vector & sum : sums) sum = zero;                    \
  for (std::int64_t round = 0; round < kRounds; ++round) { \
    for (Vector & sum : sums) {                            \
      sum = multiply_add(factor, factor, sum);             \
      asm volatile("" : "+v"(sum));                        \
    }                                                      \
  }

__attribute__((target("avx512f"))) void multiply_add_avx512() {
  SINEW_MULTIPLY_ADD(__m512, _mm512_setzero_ps(), _mm512_fmadd_ps)
}

__attribute__((target("avx2,fma"))) void multiply_add_avx2() {
  SINEW_MULTIPLY_ADD(__m256, _mm256_setzero_ps(), _mm256_fmadd_ps)
}

#undef SINEW_MULTIPLY_ADD

void add(SimdLevel level, void (*multiply_add)()) {
  if (!sinew::is_supported(level)) return;
  const std::string name = "Reference/multiply_add/level:" + std::string(to_string(level));
  benchmark::RegisterBenchmark(name.c_str(), [multiply_add](benchmark::State& state) {
    for (auto _ : state) multiply_add();
    state.SetItemsProcessed(state.iterations() * kRounds * kSums);
  });
}

[[maybe_unused]] const bool registered =
    (add(SimdLevel::avx512, multiply_add_avx512), add(SimdLevel::avx2, multiply_add_avx2), true);

}  // namespace

#endif
