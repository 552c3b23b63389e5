// SPDX-License-Identifier: Apache-2.0
// From text to composed stage: flat scenes and instanced characters.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <string>

#include "sinew/stage/stage.hpp"
#include "sinew/usda/parser.hpp"
#include "tests/support/peak_memory.hpp"

#include <fmt/format.h>

namespace {

using namespace sinew;

// About 280 bytes of text per prim. The reader shares values that repeat, as most of these do;
// `distinct` gives every prim lists of its own.
std::string flat_scene(std::int64_t prims, bool distinct) {
  std::string text = "#usda 1.0\ndef Xform \"World\"\n{\n";
  for (std::int64_t i = 1; i < prims; ++i) {
    fmt::format_to(std::back_inserter(text),
                   "    def Cube \"cube_{0}\" (\n        prepend apiSchemas = "
                   "[\"PhysicsCollision{4}API\"]\n    )\n    {{\n        double size = {1}\n"
                   "        double3 xformOp:translate = ({2}, {3}, 0)\n"
                   "        uniform token[] xformOpOrder = [\"xformOp:translate{4}\"]\n"
                   "        rel material:binding = </World/cube_{5}>\n    }}\n",
                   i, 1 + i % 7, i % 100, i / 100, distinct ? fmt::to_string(i) : "",
                   distinct ? i : 1);
  }
  return text + "}\n";
}

std::string crowd(std::int64_t instances) {
  std::string text = "#usda 1.0\ndef Xform \"Character\"\n{\n";
  for (int i = 0; i < 100; ++i) {
    fmt::format_to(std::back_inserter(text), "    def Xform \"part_{}\"\n    {{\n    }}\n", i);
  }
  text += "}\ndef Xform \"Crowd\"\n{\n";
  for (std::int64_t i = 0; i < instances; ++i) {
    fmt::format_to(std::back_inserter(text),
                   "    def \"agent_{}\" (instanceable = true; references = </Character>)\n    {{\n"
                   "        double3 xformOp:translate = ({}, 0, 0)\n    }}\n",
                   i, i);
  }
  return text + "}\n";
}

void measure(benchmark::State& state, const std::string& text) {
  test::PeakMemory memory;
  {
    Diagnostics diagnostics;
    const auto layer = usda::parse(text, "bench.usda", diagnostics);
    const auto stage = stage::Stage::open(*layer, diagnostics);
    if (!stage || !diagnostics.empty()) state.SkipWithError("the generated scene has problems");
    const double held = static_cast<double>(text.size()) + memory.peak();  // The text counts too.
    state.counters["peak_to_text"] = held / static_cast<double>(text.size());
    state.counters["peak_bytes_per_prim"] = held / static_cast<double>(state.range(0));
  }
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto layer = usda::parse(text, "bench.usda", diagnostics);
    const auto stage = stage::Stage::open(*layer, diagnostics);
    if (!stage || !diagnostics.empty()) state.SkipWithError("the generated scene has problems");
    benchmark::DoNotOptimize(stage);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_second"] = benchmark::Counter(
      static_cast<double>(text.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void open_flat(benchmark::State& state) {
  measure(state, flat_scene(state.range(0), false));
}
void open_flat_distinct(benchmark::State& state) {
  measure(state, flat_scene(state.range(0), true));
}
void open_crowd(benchmark::State& state) {
  measure(state, crowd(state.range(0)));
}
BENCHMARK(open_flat)
    ->Name("Stage/flat")
    ->ArgName("prims")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_flat_distinct)
    ->Name("Stage/flat_distinct")
    ->ArgName("prims")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_crowd)
    ->Name("Stage/instances")
    ->ArgName("instances")
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
