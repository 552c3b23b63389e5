// SPDX-License-Identifier: Apache-2.0
// Skinning: kernels of every level beside the loops most people write.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/machine.hpp"
#include "bench/skin_mesh.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/executor_std_thread.hpp"
#include "sinew/skel/skinning.hpp"

namespace {

using namespace sinew;
using namespace sinew::skel;
using bench::SkinMesh;
using bench::Weights;

enum class Kind { lbs, lbs_normals, dqs };

struct Case {
  Kind kind = Kind::lbs;
  std::size_t points = 0;
  std::size_t influences = 0;
  Weights weights = Weights::dense;
  PointOrder order = PointOrder::keep;
  SimdLevel level = SimdLevel::best;
  OutputUse output = OutputUse::cached;
  bool packed = false;  // Points and normals at rest, too.
  std::size_t threads = 1;
};

std::string arguments(const Case& c) {
  return "/points:" + std::to_string(c.points) + "/influences:" + std::to_string(c.influences) +
         "/weights:" + bench::to_string(c.weights);
}

/// The same mesh for every benchmark of one shape. All are kept: repetitions come in any order.
const SkinMesh& mesh(const Case& c) {
  static std::map<std::string, SkinMesh> meshes;
  const auto found = meshes.find(arguments(c));
  if (found != meshes.end()) return found->second;
  return meshes.try_emplace(arguments(c), c.points, c.influences, c.weights).first->second;
}

Vector3d reference_point(const SkinMesh& mesh, std::size_t i) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d p = mesh.points[i].cast<double>();
  for (std::size_t k = 0; k < mesh.influences; ++k) {
    const Matrix4d& m =
        mesh.skinning[static_cast<std::size_t>(mesh.indices[i * mesh.influences + k])];
    const auto w = static_cast<double>(mesh.weights[i * mesh.influences + k]);
    sum += w * (m.topLeftCorner<3, 3>() * p + m.topRightCorner<3, 1>());
  }
  return sum;
}

/// Whether `out` is the mesh deformed linearly, in its own order or moved by `new_from_old`.
bool is_right(const SkinMesh& mesh, std::span<const Vector3f> out,
              std::span<const std::uint32_t> new_from_old = {}) {
  for (std::size_t i = 0; i < mesh.point_count(); ++i) {
    const Vector3f& p = out[new_from_old.empty() ? i : new_from_old[i]];
    if (!((p.cast<double>() - reference_point(mesh, i)).norm() < 1e-5)) return false;
  }
  return true;
}

std::span<Vector3f> vectors(Buffer& buffer, std::size_t count) {
  return {reinterpret_cast<Vector3f*>(buffer.mutable_data()), count};
}

void run_skinning(benchmark::State& state, const Case& c) {
  const SkinMesh& source = mesh(c);
  const PackedInfluences influences = *PackedInfluences::pack({.joint_indices = source.indices,
                                                               .joint_weights = source.weights,
                                                               .influences = c.influences,
                                                               .joint_count = SkinMesh::kJoints,
                                                               .order = c.order,
                                                               .level = c.level});
  SkinPalette palette;
  palette.prepare(c.kind == Kind::dqs ? SkinningMethod::dual_quaternion : SkinningMethod::linear,
                  source.skinning, Matrix4d::Identity());
  const std::size_t n = c.points;
  Buffer in(n * 12), out(n * 12), normals_in(n * 12), normals_out(n * 12);
  const std::span<Vector3f> points = vectors(in, n), normals = vectors(normals_in, n);
  std::copy(source.points.begin(), source.points.end(), points.begin());
  std::copy(source.normals.begin(), source.normals.end(), normals.begin());
  if (c.order == PointOrder::by_joint) {
    remap_values<Vector3f>(points, source.points, influences.new_from_old());
    remap_values<Vector3f>(normals, source.normals, influences.new_from_old());
  }
  std::memset(out.mutable_data(), 0, out.size());
  SkinPointsJob job = {.influences = &influences,
                       .palette = palette.view(),
                       .points = points,
                       .points_out = vectors(out, n),
                       .output_use = c.output};
  if (c.kind == Kind::lbs_normals) {
    job.normals = normals;
    job.normals_out = vectors(normals_out, n);
  }
  PackedVectors packed_points, packed_normals;
  if (c.packed) {
    packed_points = *PackedVectors::pack(points, influences);
    job.packed_points = &packed_points;
    if (c.kind == Kind::lbs_normals) {
      packed_normals = *PackedVectors::pack(normals, influences);
      job.packed_normals = &packed_normals;
    }
  }
  StdThreadPool pool(c.threads);
  const Executor executor = c.threads > 1 ? pool.executor() : Executor{};
  if (!job.run(executor) ||
      (c.kind != Kind::dqs && !is_right(source, job.points_out, influences.new_from_old()))) {
    state.SkipWithError("wrong result");
    return;
  }
  const double ghz = bench::clock_ghz();
  for (auto _ : state) {
    if (!job.run(executor)) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  const double joints = influences.joints_per_block();
  const auto total = static_cast<double>(state.iterations()) * static_cast<double>(n);
  state.counters["points_per_second"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  // Read: point, weights of the block, joint rows. Written: point. Twice without streaming: a line
  // is read before it is written.
  const double bytes =
      24.0 + 4.0 * joints + 8.0 * joints / static_cast<double>(influences.block_width());
  state.counters["bytes_per_second"] =
      benchmark::Counter(total * bytes, benchmark::Counter::kIsRate);
  state.counters["joints_per_block"] = joints;
  state.counters["joints_per_register"] = influences.joints_per_register();
  state.counters["ghz"] = ghz;
}

enum class EigenForm {
  matrix34,  ///< p += w * (M * v) with 3x4 matrices, the form that kernels read.
  affine,    ///< The same with Eigen's own transform type.
  blend,     ///< A += w * M; p = A * v.
};

template <EigenForm kForm, typename Matrix>
void deform_with_eigen(const SkinMesh& mesh, const std::vector<Matrix>& matrices, bool normals,
                       std::vector<Vector3f>& out, std::vector<Vector3f>& normals_out) {
  const auto linear = [](const Matrix& m) {
    if constexpr (kForm == EigenForm::affine)
      return m.linear();
    else
      return m.template topLeftCorner<3, 3>();
  };
  for (std::size_t i = 0; i < mesh.point_count(); ++i) {
    const std::int32_t* joints = mesh.indices.data() + i * mesh.influences;
    const float* weights = mesh.weights.data() + i * mesh.influences;
    if constexpr (kForm == EigenForm::blend) {
      Matrix sum = Matrix::Zero();
      for (std::size_t k = 0; k < mesh.influences; ++k) {
        sum += weights[k] * matrices[static_cast<std::size_t>(joints[k])];
      }
      out[i] = (sum * mesh.points[i].homogeneous()).template head<3>();
      if (normals) normals_out[i] = (linear(sum) * mesh.normals[i]).normalized();
    } else {
      Vector3f p = Vector3f::Zero(), normal = Vector3f::Zero();
      for (std::size_t k = 0; k < mesh.influences; ++k) {
        const Matrix& m = matrices[static_cast<std::size_t>(joints[k])];
        if constexpr (kForm == EigenForm::affine)
          p += weights[k] * (m * mesh.points[i]);
        else
          p += weights[k] * (m * mesh.points[i].homogeneous());
        if (normals) normal += weights[k] * (linear(m) * mesh.normals[i]);
      }
      out[i] = p;
      if (normals) normals_out[i] = normal.normalized();
    }
  }
}

/// The loops most people write.
template <EigenForm kForm, typename Matrix>
void run_eigen(benchmark::State& state, const Case& c) {
  const SkinMesh& source = mesh(c);
  std::vector<Matrix> matrices;
  for (const Matrix4d& m : source.skinning) {
    if constexpr (kForm == EigenForm::matrix34)
      matrices.emplace_back(m.topRows<3>().cast<float>());
    else
      matrices.emplace_back(Eigen::Matrix4f(m.cast<float>()));
  }
  std::vector<Vector3f> out(c.points), normals_out(c.points);
  const bool normals = c.kind == Kind::lbs_normals;
  deform_with_eigen<kForm>(source, matrices, normals, out, normals_out);
  if (!is_right(source, out)) {
    state.SkipWithError("wrong result");
    return;
  }
  for (auto _ : state) {
    deform_with_eigen<kForm>(source, matrices, normals, out, normals_out);
    benchmark::ClobberMemory();
  }
  state.counters["points_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(c.points),
                         benchmark::Counter::kIsRate);
}

void run_scalar_double(benchmark::State& state, const Case& c) {
  const SkinMesh& source = mesh(c);
  std::vector<Vector3f> out(c.points);
  for (auto _ : state) {
    for (std::size_t i = 0; i < c.points; ++i) out[i] = reference_point(source, i).cast<float>();
    benchmark::ClobberMemory();
  }
  state.counters["points_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(c.points),
                         benchmark::Counter::kIsRate);
}

void run_bake(benchmark::State& state, const Case& c) {
  const SkinMesh& source = mesh(c);
  for (auto _ : state) {
    benchmark::DoNotOptimize(PackedInfluences::pack({.joint_indices = source.indices,
                                                     .joint_weights = source.weights,
                                                     .influences = c.influences,
                                                     .joint_count = SkinMesh::kJoints,
                                                     .order = c.order}));
  }
  state.counters["points_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(c.points),
                         benchmark::Counter::kIsRate);
}

/// One mesh on many agents: blocks outside, agents inside, so that weights and rest points are read
/// from cache and only results travel to memory.
void run_crowd(benchmark::State& state, std::size_t agents, OutputUse output) {
  constexpr std::size_t kPoints = 3264, kTurn = 16;
  const Case c = {.points = kPoints, .influences = 4, .weights = Weights::real};
  const SkinMesh& source = mesh(c);
  const PackedInfluences influences = *PackedInfluences::pack({.joint_indices = source.indices,
                                                               .joint_weights = source.weights,
                                                               .influences = 4,
                                                               .joint_count = SkinMesh::kJoints,
                                                               .order = PointOrder::by_joint});
  std::vector<Vector3f> points(kPoints);
  remap_values<Vector3f>(points, source.points, influences.new_from_old());
  std::vector<SkinPalette> palettes(agents);
  Buffer out(agents * kPoints * 12);
  std::vector<SkinPointsJob> jobs;
  for (std::size_t a = 0; a < agents; ++a) {
    palettes[a].prepare_linear(source.skinning, Matrix4d::Identity());
    jobs.push_back({.influences = &influences,
                    .palette = palettes[a].view(),
                    .points = points,
                    .points_out = vectors(out, agents * kPoints).subspan(a * kPoints, kPoints),
                    .output_use = output});
  }
  const std::size_t blocks = influences.block_count();
  for (auto _ : state) {
    for (std::size_t block = 0; block < blocks; block += kTurn) {
      for (const SkinPointsJob& job : jobs) job.run_blocks(block, std::min(block + kTurn, blocks));
    }
    benchmark::ClobberMemory();
  }
  if (!is_right(source, jobs.back().points_out, influences.new_from_old())) {
    state.SkipWithError("wrong result");
  }
  const auto total =
      static_cast<double>(state.iterations()) * static_cast<double>(agents * kPoints);
  state.counters["points_per_second"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["bytes_per_second"] = benchmark::Counter(12 * total, benchmark::Counter::kIsRate);
}

void add_skinning(const char* name, const Case& c) {
  std::string full = std::string(name) + arguments(c) +
                     "/order:" + (c.order == PointOrder::keep ? "keep" : "by_joint") +
                     "/level:" + std::string(to_string(c.level));
  if (c.output == OutputUse::streamed) full += "/output:streamed";
  if (c.packed) full += "/packed";
  if (c.threads > 1) full += "/threads:" + std::to_string(c.threads);
  auto* b =
      benchmark::RegisterBenchmark(full.c_str(), [c](benchmark::State& s) { run_skinning(s, c); });
  if (c.threads > 1) b->UseRealTime();
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::lbs:
      return "Skinning/lbs";
    case Kind::lbs_normals:
      return "Skinning/lbs_normals";
    case Kind::dqs:
      return "Skinning/dqs";
  }
  return "";
}

/// One mesh: the references first, then the kernels in every order and level asked for.
void add_mesh(const Case& c, const std::vector<SimdLevel>& levels) {
  const std::string args = arguments(c);
  const bool normals = c.kind == Kind::lbs_normals;
  const std::string suffix = normals ? "_normals" : "";
  if (c.kind != Kind::dqs) {
    benchmark::RegisterBenchmark(("Reference/eigen" + suffix + args).c_str(),
                                 [c](benchmark::State& s) {
                                   run_eigen<EigenForm::matrix34, Eigen::Matrix<float, 3, 4>>(s, c);
                                 });
    benchmark::RegisterBenchmark(
        ("Reference/eigen_affine" + suffix + args).c_str(),
        [c](benchmark::State& s) { run_eigen<EigenForm::affine, Eigen::Affine3f>(s, c); });
    benchmark::RegisterBenchmark(
        ("Reference/eigen_blend" + suffix + args).c_str(),
        [c](benchmark::State& s) { run_eigen<EigenForm::blend, Eigen::Matrix4f>(s, c); });
  }
  if (c.kind == Kind::lbs) {
    benchmark::RegisterBenchmark(("Reference/scalar_double" + args).c_str(),
                                 [c](benchmark::State& s) { run_scalar_double(s, c); });
  }
  for (const PointOrder order : {PointOrder::keep, PointOrder::by_joint}) {
    if (order == PointOrder::by_joint && c.weights == Weights::random) continue;
    Case variant = c;
    variant.order = order;
    for (const SimdLevel level : levels) {
      variant.level = level;
      add_skinning(name_of(c.kind), variant);
    }
    if (c.kind == Kind::lbs && c.points >= 1'000'000) {
      variant.level = SimdLevel::best;
      variant.output = OutputUse::streamed;
      add_skinning(name_of(c.kind), variant);
    }
  }
}

void add_all() {
  std::vector<SimdLevel> all = supported_simd_levels();
  all.push_back(SimdLevel::best);
  for (const std::size_t points : {10'000U, 100'000U, 1'000'000U}) {
    for (const Weights weights : {Weights::dense, Weights::real}) {
      for (const std::size_t influences : {1U, 4U, 8U}) {
        add_mesh({.points = points, .influences = influences, .weights = weights}, all);
      }
    }
  }
  add_mesh({.points = 100'000, .influences = 4, .weights = Weights::random}, all);
  for (const Weights weights : {Weights::dense, Weights::real}) {
    add_mesh({.kind = Kind::lbs_normals, .points = 100'000, .influences = 4, .weights = weights},
             all);
    add_mesh({.kind = Kind::dqs, .points = 100'000, .influences = 4, .weights = weights}, all);
  }
  for (const Kind kind : {Kind::lbs, Kind::lbs_normals}) {
    for (const Weights weights : {Weights::dense, Weights::real}) {
      add_skinning(
          name_of(kind),
          {.kind = kind, .points = 100'000, .influences = 4, .weights = weights, .packed = true});
    }
  }
  for (const Kind kind : {Kind::lbs_normals, Kind::dqs}) {
    add_skinning(name_of(kind),
                 {.kind = kind, .points = 1'000'000, .influences = 4, .weights = Weights::real});
  }
  for (const std::size_t threads : {1U, 2U, 4U, 8U}) {
    add_skinning("Skinning/lbs_threads", {.points = 1'000'000,
                                          .influences = 4,
                                          .weights = Weights::real,
                                          .order = PointOrder::by_joint,
                                          .threads = threads});
  }
  for (const std::size_t points : {10'000U, 100'000U, 1'000'000U}) {
    for (const PointOrder order : {PointOrder::keep, PointOrder::by_joint}) {
      const Case c = {.points = points, .influences = 4, .weights = Weights::real, .order = order};
      benchmark::RegisterBenchmark(("Skinning/bake/points:" + std::to_string(points) +
                                    "/order:" + (order == PointOrder::keep ? "keep" : "by_joint"))
                                       .c_str(),
                                   [c](benchmark::State& s) { run_bake(s, c); });
    }
  }
  for (const std::size_t agents : {100U, 1000U}) {
    for (const OutputUse output : {OutputUse::cached, OutputUse::streamed}) {
      benchmark::RegisterBenchmark(
          ("Skinning/crowd/agents:" + std::to_string(agents) +
           "/points:3264/output:" + (output == OutputUse::cached ? "cached" : "streamed"))
              .c_str(),
          [agents, output](benchmark::State& s) { run_crowd(s, agents, output); });
    }
  }
}

[[maybe_unused]] const bool registered = (add_all(), true);

}  // namespace
