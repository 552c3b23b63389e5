// SPDX-License-Identifier: Apache-2.0
// Blend shapes, alone and with skinning, beside the loop over indices that most people write.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/skin_mesh.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/skinning.hpp"

namespace {

using namespace sinew;
using namespace sinew::skel;
using bench::SkinMesh;

/// Fifty shapes that move 2,000 points each, in stretches as sculpted shapes do.
struct Shapes {
  static constexpr std::size_t kShapes = 50, kOffsets = 2000, kPoints = 100'000;
  std::vector<std::vector<Vector3f>> offsets;
  std::vector<std::vector<std::int32_t>> indices;
  std::vector<SubShapeDesc> sub_shapes;
  std::vector<float> weights;

  Shapes() {
    std::mt19937 engine(5);
    for (std::size_t s = 0; s < kShapes; ++s) {
      std::vector<std::int32_t> moved;
      auto point = static_cast<std::int32_t>(engine() % (kPoints - 3 * kOffsets));
      while (moved.size() < kOffsets) {
        const std::size_t run = 1 + engine() % 40;
        for (std::size_t i = 0; i < run && moved.size() < kOffsets; ++i) moved.push_back(point++);
        point += static_cast<std::int32_t>(engine() % 20);
      }
      offsets.emplace_back(kOffsets, Vector3f(0.01F, -0.02F, 0.005F));
      indices.push_back(std::move(moved));
      weights.push_back(0.1F + 0.01F * static_cast<float>(s));
    }
    for (std::size_t s = 0; s < kShapes; ++s) {
      sub_shapes.push_back({.offsets = offsets[s], .point_indices = indices[s]});
    }
  }
};

const Shapes& shapes() {
  static const Shapes instance;
  return instance;
}

void count_offsets(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(Shapes::kShapes * Shapes::kOffsets));
}

void run_blend(benchmark::State& state) {
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes().sub_shapes, .point_count = Shapes::kPoints});
  std::vector<Vector3f> points(Shapes::kPoints, Vector3f::Zero());
  const BlendShapesJob job = {
      .shapes = &packed, .weights = shapes().weights, .points = points, .points_out = points};
  for (auto _ : state) {
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_offsets(state);
}

/// points[index] += weight * offset, what most people write.
void run_indexed_blend(benchmark::State& state) {
  std::vector<Vector3f> points(Shapes::kPoints, Vector3f::Zero());
  for (auto _ : state) {
    for (std::size_t s = 0; s < Shapes::kShapes; ++s) {
      for (std::size_t i = 0; i < Shapes::kOffsets; ++i) {
        points[static_cast<std::size_t>(shapes().indices[s][i])] +=
            shapes().weights[s] * shapes().offsets[s][i];
      }
    }
    benchmark::ClobberMemory();
  }
  count_offsets(state);
}

/// Blended and skinned, fused or one after the other.
void run_blend_and_skin(benchmark::State& state, bool fused) {
  static const SkinMesh source(Shapes::kPoints, 4, bench::Weights::real);
  const PackedInfluences influences = *PackedInfluences::pack({.joint_indices = source.indices,
                                                               .joint_weights = source.weights,
                                                               .influences = 4,
                                                               .joint_count = SkinMesh::kJoints});
  SkinPalette palette;
  palette.prepare_linear(source.skinning, Matrix4d::Identity());
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes().sub_shapes, .point_count = Shapes::kPoints});
  std::vector<Vector3f> out(Shapes::kPoints), blended(Shapes::kPoints);
  const BlendAndSkinJob job = {.skin = {.influences = &influences,
                                        .palette = palette.view(),
                                        .points = source.points,
                                        .points_out = out},
                               .shapes = &packed,
                               .weights = shapes().weights};
  const BlendShapesJob blend = {.shapes = &packed,
                                .weights = shapes().weights,
                                .points = source.points,
                                .points_out = blended};
  SkinPointsJob skin = job.skin;
  skin.points = blended;
  for (auto _ : state) {
    const bool good = fused ? job.run().has_value() : blend.run() && skin.run();
    if (!good) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  state.counters["points_per_second"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(Shapes::kPoints),
      benchmark::Counter::kIsRate);
}

void add_blend_shapes() {
  const std::string args = "/shapes:50/offsets:2000/points:100000";
  benchmark::RegisterBenchmark(("BlendShape/baseline_indexed" + args).c_str(), run_indexed_blend);
  benchmark::RegisterBenchmark(("BlendShape/sparse" + args).c_str(), run_blend);
  benchmark::RegisterBenchmark(("BlendShape/then_lbs" + args).c_str(),
                               [](benchmark::State& s) { run_blend_and_skin(s, false); });
  benchmark::RegisterBenchmark(("BlendShape/fused_with_lbs" + args).c_str(),
                               [](benchmark::State& s) { run_blend_and_skin(s, true); });
}

[[maybe_unused]] const bool registered = (add_blend_shapes(), true);

}  // namespace
