// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include <benchmark/benchmark.h>

namespace sinew::bench {

/// Clock of this core in GHz, right now: a chain of additions, each waiting for the one before,
/// takes one cycle per addition. About a millisecond.
inline double clock_ghz() {
  constexpr std::int64_t kSteps = 4'000'000;
  double best = 0.0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    std::uint64_t value = 1;
    std::uint64_t step = 3;
    benchmark::DoNotOptimize(step);
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < kSteps; i += 8) {
#if defined(__GNUC__)
      // The compiler would otherwise multiply.
      for (int k = 0; k < 8; ++k) {
        value += step;
        asm volatile("" : "+r"(value));
      }
#else
      for (int k = 0; k < 8; ++k) value += step;
      benchmark::DoNotOptimize(value);
#endif
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    const double ghz = static_cast<double>(kSteps) / time.count();
    best = ghz > best ? ghz : best;
  }
  return best;
}

}  // namespace sinew::bench
