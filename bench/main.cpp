// SPDX-License-Identifier: Apache-2.0
// The main function of every benchmark program: says what machine this is, then measures.
#include <string>

#include <benchmark/benchmark.h>

#include "bench/machine.hpp"
#include "sinew/core/simd.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext("ghz", std::to_string(sinew::bench::clock_ghz()));
  benchmark::AddCustomContext("simd", std::string(sinew::to_string(sinew::best_simd_level())));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
