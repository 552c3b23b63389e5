// SPDX-License-Identifier: Apache-2.0
// Stages as .glb files: bytes of the binary chunk per second, and memory.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

#include <benchmark/benchmark.h>

#include "sinew/export/glb.hpp"
#include "sinew/stage/stage.hpp"
#include "tests/export/gltf/sheets.hpp"
#include "tests/support/peak_memory.hpp"

namespace {

using namespace sinew;

enum class To { memory, file };

void BM_ExportSheets(benchmark::State& state, test::Corners corners, To to) {
  stage::MemoryResolver resolver;
  resolver.add("a.usda", test::sheets(static_cast<int>(state.range(0)),
                                      static_cast<int>(state.range(1)), corners));
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, options);
  if (!stage) return state.SkipWithError("the stage does not open");
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "sinew_bench.glb";
  double bytes = 0.0, peak = 0.0;
  for (auto _ : state) {
    const test::PeakMemory memory;
    if (to == To::memory) {
      const auto file = exporter::write_glb(**stage, {}, diagnostics);
      if (!file) return state.SkipWithError("nothing was written");
      bytes = static_cast<double>(file->bytes.size());
      peak = std::max(peak, memory.peak());
    } else {
      const auto written = exporter::write_glb_file(**stage, path.string(), {}, diagnostics);
      if (!written) return state.SkipWithError("nothing was written");
      bytes = static_cast<double>(std::filesystem::file_size(path));
      peak = std::max(peak, memory.peak());
    }
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  state.counters["bytes_per_second"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes"] = bytes;
  state.counters["peak_per_byte"] = bytes > 0.0 ? peak / bytes : 0.0;
}

void sheets_of(benchmark::internal::Benchmark* rows) {
  rows->ArgNames({"meshes", "quads_per_side"})->Unit(benchmark::kMillisecond);
  rows->Args({8, 300})->Args({1, 890});
}
BENCHMARK_CAPTURE(BM_ExportSheets, per_point, test::Corners::shared, To::memory)
    ->Name("Export/Glb/sheets/uvs:points")
    ->Apply(sheets_of);
BENCHMARK_CAPTURE(BM_ExportSheets, per_corner, test::Corners::split, To::memory)
    ->Name("Export/Glb/sheets/uvs:corners")
    ->Apply(sheets_of);
BENCHMARK_CAPTURE(BM_ExportSheets, per_point_to_file, test::Corners::shared, To::file)
    ->Name("Export/GlbFile/sheets/uvs:points")
    ->Apply(sheets_of);
BENCHMARK_CAPTURE(BM_ExportSheets, per_corner_to_file, test::Corners::split, To::file)
    ->Name("Export/GlbFile/sheets/uvs:corners")
    ->Apply(sheets_of);

}  // namespace
