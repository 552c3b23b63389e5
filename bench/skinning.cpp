// SPDX-License-Identifier: Apache-2.0
// Skinning throughput beside a plain loop over Eigen matrices and a copy of the same points.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "sinew/skel/skin_binding.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"

namespace {

using namespace sinew;

constexpr std::size_t kJoints = 100;

// Points along a limb: neighbours share joints, as in a real mesh.
struct Mesh {
  std::size_t influences;
  std::vector<Vector3f> points;
  std::vector<Vector3f> normals;
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  std::vector<Matrix4d> skinning;

  Mesh(std::size_t count, std::size_t k, bool sparse) : influences(k) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    for (std::size_t i = 0; i < count; ++i) {
      const float along = static_cast<float>(i) / static_cast<float>(count);
      points.emplace_back(uniform(random), uniform(random), 20.0F * along);
      normals.push_back(Vector3f(uniform(random), uniform(random), 1.0F).normalized());
      const auto first = static_cast<std::size_t>(along * static_cast<float>(kJoints - k));
      const std::size_t used = sparse ? 1 + random() % 3 : k;
      float sum = 0.0F;
      for (std::size_t j = 0; j < k; ++j) {
        indices.push_back(static_cast<std::int32_t>(first + j));
        weights.push_back(j < used ? 0.05F + uniform(random) : 0.0F);
        sum += weights.back();
      }
      for (std::size_t j = 0; j < k; ++j) weights[i * k + j] /= sum;
    }
    for (std::size_t j = 0; j < kJoints; ++j) {
      Matrix4d m = Matrix4d::Identity();
      const double angle = 0.01 * static_cast<double>(j);
      m(0, 0) = m(1, 1) = std::cos(angle);
      m(0, 1) = -std::sin(angle);
      m(1, 0) = std::sin(angle);
      m(2, 3) = 0.02 * static_cast<double>(j);
      skinning.push_back(m);
    }
  }

  std::vector<Vector3f> expected() const {
    std::vector<Vector3f> out;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vector3d sum = Vector3d::Zero();
      for (std::size_t j = 0; j < influences; ++j) {
        const Matrix4d& m = skinning[static_cast<std::size_t>(indices[i * influences + j])];
        const Vector3d p = points[i].cast<double>();
        sum += static_cast<double>(weights[i * influences + j]) *
               (m.topLeftCorner<3, 3>() * p + m.topRightCorner<3, 1>());
      }
      out.push_back(sum.cast<float>());
    }
    return out;
  }
};

void count_points(benchmark::State& state, std::size_t points) {
  state.counters["points_per_second"] = benchmark::Counter(
      static_cast<double>(points), benchmark::Counter::kIsIterationInvariantRate);
}

struct Case {
  std::size_t points;
  std::size_t influences;
  bool sparse;
  explicit Case(const benchmark::State& state)
      : points(static_cast<std::size_t>(state.range(0))),
        influences(static_cast<std::size_t>(state.range(1))),
        sparse(state.range(2) != 0) {}
};

void skin(benchmark::State& state, skel::SkinningMethod method, bool normals,
          skel::VertexOrder order) {
  const Case c(state);
  const Mesh mesh(c.points, c.influences, c.sparse);
  const auto binding = skel::SkinBinding::bake({.joint_indices = mesh.indices,
                                                .joint_weights = mesh.weights,
                                                .influences = mesh.influences,
                                                .joint_count = kJoints,
                                                .order = order});
  if (!binding) return state.SkipWithError("baking failed");
  skel::SkinPalette palette;
  palette.prepare(method, mesh.skinning, Matrix4d::Identity());
  std::vector<Vector3f> out(c.points);
  std::vector<Vector3f> normals_out(normals ? c.points : 0);
  skel::SkinPointsJob job;
  job.binding = &*binding;
  job.palette = palette.view();
  job.points = mesh.points;
  job.points_out = out;
  if (normals) {
    job.normals = mesh.normals;
    job.normals_out = normals_out;
  }
  if (!job.run()) return state.SkipWithError("the job is not valid");
  if (method == skel::SkinningMethod::linear && order == skel::VertexOrder::keep) {
    const std::vector<Vector3f> expected = mesh.expected();
    for (std::size_t i = 0; i < c.points; ++i) {
      if ((expected[i] - out[i]).norm() > 1e-4F) return state.SkipWithError("wrong result");
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(job.run().has_value());
    benchmark::ClobberMemory();
  }
  count_points(state, c.points);
}

void lbs(benchmark::State& state) {
  skin(state, skel::SkinningMethod::linear, false, skel::VertexOrder::keep);
}
void lbs_reordered(benchmark::State& state) {
  skin(state, skel::SkinningMethod::linear, false, skel::VertexOrder::by_joint);
}
void lbs_normals(benchmark::State& state) {
  skin(state, skel::SkinningMethod::linear, true, skel::VertexOrder::keep);
}
void dqs(benchmark::State& state) {
  skin(state, skel::SkinningMethod::dual_quaternion, false, skel::VertexOrder::keep);
}

// What most people write: one Eigen product per influence.
void eigen(benchmark::State& state) {
  const Case c(state);
  const Mesh mesh(c.points, c.influences, c.sparse);
  std::vector<Eigen::Matrix4f> matrices;
  for (const Matrix4d& m : mesh.skinning) matrices.push_back(m.cast<float>());
  std::vector<Vector3f> out(c.points);
  for (auto _ : state) {
    for (std::size_t i = 0; i < c.points; ++i) {
      Vector3f sum = Vector3f::Zero();
      for (std::size_t j = 0; j < c.influences; ++j) {
        const Eigen::Matrix4f& m =
            matrices[static_cast<std::size_t>(mesh.indices[i * c.influences + j])];
        sum += mesh.weights[i * c.influences + j] *
               (m.topLeftCorner<3, 3>() * mesh.points[i] + m.topRightCorner<3, 1>());
      }
      out[i] = sum;
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  count_points(state, c.points);
}

void bake(benchmark::State& state) {
  const Case c(state);
  const Mesh mesh(c.points, c.influences, c.sparse);
  for (auto _ : state) {
    benchmark::DoNotOptimize(skel::SkinBinding::bake({.joint_indices = mesh.indices,
                                                      .joint_weights = mesh.weights,
                                                      .influences = mesh.influences,
                                                      .joint_count = kJoints}));
  }
  count_points(state, c.points);
}

void copy(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::vector<Vector3f> from(count, Vector3f::Ones());
  std::vector<Vector3f> to(count);
  for (auto _ : state) {
    std::memcpy(static_cast<void*>(to.data()), from.data(), count * sizeof(Vector3f));
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  count_points(state, count);
}

void cases(benchmark::internal::Benchmark* b) {
  b->ArgNames({"points", "influences", "sparse"});
  for (const std::int64_t points : {10'000, 100'000}) {
    b->Args({points, 4, 0})->Args({points, 8, 0})->Args({points, 4, 1})->Args({points, 8, 1});
  }
}
BENCHMARK(eigen)->Name("Skinning/Baseline/eigen")->Apply(cases);
BENCHMARK(lbs)->Name("Skinning/lbs")->Apply(cases);
BENCHMARK(lbs_reordered)->Name("Skinning/lbs_by_joint")->Apply(cases);
BENCHMARK(lbs_normals)->Name("Skinning/lbs_normals")->Apply(cases);
BENCHMARK(dqs)->Name("Skinning/dqs")->Apply(cases);
BENCHMARK(bake)
    ->Name("Skinning/bake")
    ->Args({100'000, 4, 1})
    ->ArgNames({"points", "influences", "sparse"});
BENCHMARK(copy)->Name("Memory/copy")->ArgName("points")->Arg(10'000)->Arg(100'000);

}  // namespace
