// SPDX-License-Identifier: Apache-2.0
// Stages as .glb files: bytes of the binary chunk per second, and memory.
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/peak_memory.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;

enum class Corners { shared, split };

// `count` meshes of size * size quads, with normals per point, and texture coordinates per point or
// per corner.
std::string sheets(int count, int size, Corners corners) {
  std::string text = "#usda 1.0\n(metersPerUnit = 1)\n";
  const auto out = std::back_inserter(text);
  for (int m = 0; m < count; ++m) {
    fmt::format_to(out, "def Mesh \"M{}\" {{\nuniform token subdivisionScheme = \"none\"\n", m);
    std::string points, normals, counts, indices, uvs;
    for (int y = 0; y <= size; ++y) {
      for (int x = 0; x <= size; ++x) {
        fmt::format_to(std::back_inserter(points), "({},{},{}),", x, y, m + std::sin(0.1 * x * y));
        fmt::format_to(std::back_inserter(normals), "(0,{},1),", 0.01 * (x % 7));
        if (corners == Corners::shared) {
          fmt::format_to(std::back_inserter(uvs), "({},{}),", 0.01 * x, 0.01 * (y + m));
        }
        if (x == size || y == size) continue;
        const int p = y * (size + 1) + x;
        counts += "4,";
        fmt::format_to(std::back_inserter(indices), "{},{},{},{},", p, p + 1, p + size + 2,
                       p + size + 1);
        for (int i = 0; i < 4 && corners == Corners::split; ++i) {
          fmt::format_to(std::back_inserter(uvs), "({},{}),", 0.01 * (x + i % 2),
                         0.01 * (y + m + i / 2));
        }
      }
    }
    fmt::format_to(
        out,
        "point3f[] points = [{}]\nnormal3f[] normals = [{}] (interpolation = \"vertex\")\n"
        "int[] faceVertexCounts = [{}]\nint[] faceVertexIndices = [{}]\n"
        "texCoord2f[] primvars:st = [{}] (interpolation = \"{}\")\n}}\n",
        points, normals, counts, indices, uvs,
        corners == Corners::shared ? "vertex" : "faceVarying");
  }
  return text;
}

void BM_ExportSheets(benchmark::State& state, Corners corners) {
  stage::MemoryResolver resolver;
  resolver.add("a.usda", sheets(8, static_cast<int>(state.range(0)), corners));
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, options);
  if (!stage) return state.SkipWithError("the stage does not open");
  double bytes = 0.0, peak = 0.0;
  for (auto _ : state) {
    const bench::PeakMemory memory;
    const auto file = exporter::write_glb(**stage, {}, diagnostics);
    if (!file) return state.SkipWithError("nothing was written");
    bytes = static_cast<double>(file->bytes.size());
    peak = memory.peak();
  }
  state.counters["bytes_per_second"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes"] = bytes;
  state.counters["peak_per_byte"] = bytes > 0.0 ? peak / bytes : 0.0;
}
BENCHMARK_CAPTURE(BM_ExportSheets, per_point, Corners::shared)
    ->Name("Export/Glb/sheets/uvs:points")
    ->Arg(300)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ExportSheets, per_corner, Corners::split)
    ->Name("Export/Glb/sheets/uvs:corners")
    ->Arg(300)
    ->Unit(benchmark::kMillisecond);

}  // namespace
