// SPDX-License-Identifier: Apache-2.0
// Reading text: arrays of numbers and many small prims, beside the standard library's conversion
// and a copy of the same bytes.
#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "sinew/usda/parser.hpp"

#include <fmt/format.h>

namespace {

using namespace sinew;

constexpr int kNumbers = 1'500'000;

std::string layer_of(const std::string& type, const std::string& array) {
  return "#usda 1.0\ndef \"A\"\n{\n    " + type + "[] values = " + array + "\n}\n";
}

std::string points_text() {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-100.0F, 100.0F);
  std::string text = "[";
  for (int i = 0; i < kNumbers / 3; ++i) {
    fmt::format_to(std::back_inserter(text), "{}({}, {}, {})", i == 0 ? "" : ", ", uniform(random),
                   uniform(random), uniform(random));
  }
  return layer_of("point3f", text + "]");
}

std::string weights_text() {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  std::string text = "[";
  for (int i = 0; i < kNumbers; ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ", ", uniform(random));
  }
  return layer_of("float", text + "]");
}

std::string integers_text() {
  std::mt19937 random(3);
  std::string text = "[";
  for (int i = 0; i < kNumbers; ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ", ", random() % 100'000);
  }
  return layer_of("int", text + "]");
}

std::string prims_text(int count) {
  std::string text = "#usda 1.0\n";
  for (int i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(text),
                   "def Xform \"prim_{}\" (kind = \"component\")\n{{\n"
                   "    double3 xformOp:translate = ({}, 2, 3.5)\n"
                   "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}}\n",
                   i, i % 100);
  }
  return text;
}

void measure(benchmark::State& state, const std::string& text) {
  Diagnostics check;
  if (!usda::parse(text, "bench", check)) {
    state.SkipWithError("the generated text does not parse");
    return;
  }
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usda::parse(text, "bench", diagnostics));
  }
  state.counters["bytes_per_second"] = benchmark::Counter(
      static_cast<double>(text.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void parse_points(benchmark::State& state) {
  measure(state, points_text());
}
void parse_weights(benchmark::State& state) {
  measure(state, weights_text());
}
void parse_integers(benchmark::State& state) {
  measure(state, integers_text());
}
void parse_prims(benchmark::State& state) {
  measure(state, prims_text(static_cast<int>(state.range(0))));
}
BENCHMARK(parse_points)->Name("Parse/points3f/numbers:1500000")->Unit(benchmark::kMillisecond);
BENCHMARK(parse_weights)->Name("Parse/weights/numbers:1500000")->Unit(benchmark::kMillisecond);
BENCHMARK(parse_integers)->Name("Parse/ints/numbers:1500000")->Unit(benchmark::kMillisecond);
BENCHMARK(parse_prims)
    ->Name("Parse/prims")
    ->ArgName("count")
    ->Arg(60'000)
    ->Unit(benchmark::kMillisecond);

// What a loop over std::from_chars reaches on the same text.
void baseline_from_chars(benchmark::State& state) {
  const std::string text = weights_text();
  std::vector<float> values(kNumbers);
  for (auto _ : state) {
    const char* p = text.data() + text.find('[', text.find('=')) + 1;
    const char* const end = text.data() + text.size();
    for (float& value : values) {
      p = std::from_chars(p, end, value).ptr;
      while (p < end && (*p == ',' || *p == ' ')) ++p;
    }
    benchmark::DoNotOptimize(values.data());
  }
  state.counters["bytes_per_second"] = benchmark::Counter(
      static_cast<double>(text.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(baseline_from_chars)
    ->Name("Parse/Baseline/from_chars/numbers:1500000")
    ->Unit(benchmark::kMillisecond);

void baseline_copy(benchmark::State& state) {
  const std::string text = weights_text();
  std::string copy(text.size(), ' ');
  for (auto _ : state) {
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::DoNotOptimize(copy.data());
  }
  state.counters["bytes_per_second"] = benchmark::Counter(
      static_cast<double>(text.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(baseline_copy)->Name("Memory/copy")->Unit(benchmark::kMillisecond);

}  // namespace
