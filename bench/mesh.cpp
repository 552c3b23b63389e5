// SPDX-License-Identifier: Apache-2.0
// From the faces of a mesh to the buffers of a renderer.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"

namespace {

namespace geom = sinew::geom;
using sinew::Vector2f;
using sinew::Vector3f;

// A wavy sheet of size * size cells; each is one quad, two triangles or half a hexagon.
struct Sheet {
  std::vector<Vector3f> points;
  std::vector<std::int32_t> counts;
  std::vector<std::int32_t> indices;
  std::vector<Vector2f> corner_uvs;
  geom::Mesh mesh;

  Sheet(int size, int corners) {
    for (int y = 0; y <= size; ++y) {
      for (int x = 0; x <= size; ++x) {
        const auto fx = static_cast<float>(x);
        const auto fy = static_cast<float>(y);
        points.emplace_back(fx, fy, std::sin(0.1F * fx) * std::cos(0.13F * fy));
      }
    }
    const int row = size + 1;
    const int width = corners == 6 ? 2 : 1;
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x + width <= size; x += width) {
        const int p = y * row + x;
        if (corners == 3) {
          add({p, p + 1, p + row + 1});
          add({p, p + row + 1, p + row});
        } else if (corners == 4) {
          add({p, p + 1, p + row + 1, p + row});
        } else {
          add({p, p + 1, p + 2, p + row + 2, p + row + 1, p + row});
        }
      }
    }
    // A seam in every tenth column.
    for (const std::int32_t point : indices) {
      const Vector3f& at = points[static_cast<std::size_t>(point)];
      const bool seam = point % row % 10 == 0 && corner_uvs.size() % 2 == 0;
      corner_uvs.emplace_back(at.x() + (seam ? 0.5F : 0.0F), at.y());
    }
    mesh.points = points;
    mesh.face_counts = counts;
    mesh.face_indices = indices;
    mesh.uvs.values = corner_uvs;
    mesh.uvs.interpolation = geom::PrimvarInterpolation::face_varying;
  }

 private:
  void add(std::initializer_list<int> corners) {
    counts.push_back(static_cast<std::int32_t>(corners.size()));
    indices.insert(indices.end(), corners.begin(), corners.end());
  }
};

void count_corners(benchmark::State& state, const Sheet& sheet) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sheet.indices.size()));
}

void triangulate(benchmark::State& state, int size, int corners) {
  const Sheet sheet(size, corners);
  for (auto _ : state) benchmark::DoNotOptimize(geom::triangulate(sheet.mesh));
  count_corners(state, sheet);
}

// One face of many corners: a star.
void triangulate_star(benchmark::State& state, int corners) {
  std::vector<Vector3f> points;
  std::vector<std::int32_t> indices;
  for (int i = 0; i < corners; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / static_cast<float>(corners);
    const float radius = i % 2 == 0 ? 2.0F : 1.0F;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0F);
    indices.push_back(i);
  }
  const std::vector<std::int32_t> counts = {corners};
  geom::Mesh mesh;
  mesh.points = points;
  mesh.face_counts = counts;
  mesh.face_indices = indices;
  for (auto _ : state) benchmark::DoNotOptimize(geom::triangulate(mesh));
  state.SetItemsProcessed(state.iterations() * corners);
}

void split(benchmark::State& state) {
  const Sheet sheet(1000, 4);
  const geom::Triangles triangles = geom::triangulate(sheet.mesh);
  const geom::VertexAttribute uvs = sheet.mesh.uvs;
  for (auto _ : state) {
    benchmark::DoNotOptimize(geom::split_corners(sheet.mesh, triangles, {&uvs, 1}));
  }
  count_corners(state, sheet);
}

void interleave(benchmark::State& state) {
  const Sheet sheet(1000, 4);
  const geom::Triangles triangles = geom::triangulate(sheet.mesh);
  const geom::VertexAttribute uvs = sheet.mesh.uvs;
  const auto vertices = geom::split_corners(sheet.mesh, triangles, {&uvs, 1});
  if (!vertices) return state.SkipWithError("not split");
  const geom::VertexField fields[] = {{{sheet.mesh.points, geom::PrimvarInterpolation::vertex}, 0},
                                      {uvs, 12}};
  std::vector<std::byte> out(20 * vertices->size());
  for (auto _ : state) {
    if (!geom::write_vertices(*vertices, fields, 20, out)) state.SkipWithError("not written");
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(vertices->size()));
}

void normals(benchmark::State& state) {
  const Sheet sheet(1000, 4);
  const geom::Triangles triangles = geom::triangulate(sheet.mesh);
  for (auto _ : state) benchmark::DoNotOptimize(geom::smooth_normals(sheet.mesh, triangles));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sheet.points.size()));
}

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
  };
  for (const int corners : {3, 4, 6}) {
    add("Mesh/triangulate/cells:1000000/corners:" + std::to_string(corners),
        [corners](benchmark::State& state) { triangulate(state, 1000, corners); });
  }
  for (const int corners : {100, 100'000}) {
    add("Mesh/triangulate/star:" + std::to_string(corners),
        [corners](benchmark::State& state) { triangulate_star(state, corners); });
  }
  add("Mesh/split_corners/cells:1000000", split);
  add("Mesh/write_vertices/cells:1000000", interleave);
  add("Mesh/smooth_normals/cells:1000000", normals);
  return true;
}();

}  // namespace
