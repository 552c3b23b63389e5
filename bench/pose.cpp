// SPDX-License-Identifier: Apache-2.0
// Posing: one character, and crowds with an agent per lane, beside the loop most people write.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/machine.hpp"
#include "sinew/skel/crowd.hpp"

namespace {

using namespace sinew;
using namespace sinew::skel;

constexpr std::size_t kJoints = 100;

/// A skeleton of 100 joints with limbs, and a few clips of 60 samples.
struct Character {
  std::mt19937 engine{99};
  std::vector<std::int32_t> parents;
  std::vector<Matrix4d> joint_from_bind;
  PackedSkeleton skeleton, scalar_skeleton;
  std::vector<PackedClip> clips;

  Character() {
    for (std::size_t j = 0; j < kJoints; ++j) {
      parents.push_back(j == 0        ? -1
                        : j % 12 == 0 ? static_cast<std::int32_t>(j / 24)
                                      : static_cast<std::int32_t>(j) - 1);
      Matrix4d m = Matrix4d::Identity();
      m(1, 3) = -0.01 * static_cast<double>(j);
      joint_from_bind.push_back(m);
    }
    skeleton = *PackedSkeleton::pack({.parents = parents, .joint_from_bind = joint_from_bind});
    scalar_skeleton = *PackedSkeleton::pack(
        {.parents = parents, .joint_from_bind = joint_from_bind, .level = SimdLevel::scalar});
    for (int clip = 0; clip < 8; ++clip) clips.push_back(make_clip());
  }

  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(engine() >> 8) * 0x1p-24F;
  }

  PackedClip make_clip() {
    constexpr std::size_t kSamples = 60;
    std::vector<double> times;
    std::vector<Vector3f> translations;
    std::vector<Quatf> rotations;
    for (std::size_t i = 0; i < kSamples; ++i) {
      times.push_back(static_cast<double>(i) / 30.0);
      for (std::size_t j = 0; j < kJoints; ++j) {
        translations.emplace_back(0.0F, 0.1F, real(-0.01F, 0.01F));
        rotations.push_back(
            Quatf(1.0F, real(-0.3F, 0.3F), real(-0.3F, 0.3F), real(-0.3F, 0.3F)).normalized());
      }
    }
    return *PackedClip::pack({.joint_count = kJoints,
                              .times = times,
                              .translations = translations,
                              .rotations = rotations});
  }

  std::vector<CrowdAgent> agents(std::size_t count) {
    std::vector<CrowdAgent> result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back({&clips[engine() % clips.size()], static_cast<double>(real(0, 2))});
    }
    return result;
  }
};

Character& character() {
  static Character instance;
  return instance;
}

void count_agents(benchmark::State& state, std::size_t agents) {
  const double total = static_cast<double>(state.iterations()) * static_cast<double>(agents);
  state.counters["joints_per_second"] =
      benchmark::Counter(total * static_cast<double>(kJoints), benchmark::Counter::kIsRate);
  state.counters["us_per_agent"] =
      benchmark::Counter(total * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["ghz"] = bench::clock_ghz();
}

/// Whether the crowd's kernels and plain C++ agree on the first and the last agent.
bool is_right(const Character& source, std::span<const CrowdAgent> agents,
              std::span<const Affine34f> palettes) {
  for (const std::size_t i : {std::size_t{0}, agents.size() - 1}) {
    std::vector<Affine34f> palette(kJoints), skeleton(kJoints);
    const PoseAgentJob job = {.skeleton = &source.scalar_skeleton,
                              .agent = agents[i],
                              .skel_from_joint = skeleton,
                              .palette = palette};
    if (!job.run()) return false;
    for (std::size_t j = 0; j < kJoints; ++j) {
      const Matrix4d difference = palettes[i * kJoints + j].matrix() - palette[j].matrix();
      if (!(difference.cwiseAbs().maxCoeff() < 1e-4)) return false;
    }
  }
  return true;
}

/// Sample, pose and palette of one character.
void one_character(benchmark::State& state) {
  Character& source = character();
  std::vector<CrowdAgent> agents = source.agents(64);
  std::vector<Affine34f> palette(kJoints), skeleton(kJoints);
  std::size_t next = 0;
  PoseAgentJob job = {
      .skeleton = &source.skeleton, .skel_from_joint = skeleton, .palette = palette};
  for (auto _ : state) {
    job.agent = agents[next++ % agents.size()];
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  if (!is_right(source, std::span(&job.agent, 1), palette)) state.SkipWithError("wrong result");
  count_agents(state, 1);
}
BENCHMARK(one_character)->Name("Pose/sample_to_palette/joints:100/agents:1");

/// Sample, pose and palettes of a crowd.
void crowd(benchmark::State& state) {
  Character& source = character();
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::vector<CrowdAgent> agents = source.agents(count);
  std::vector<Affine34f> palettes(count * kJoints);
  const PoseCrowdJob job = {.skeleton = &source.skeleton, .agents = agents, .palettes = palettes};
  for (auto _ : state) {
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  if (!is_right(source, agents, palettes)) state.SkipWithError("wrong result");
  count_agents(state, count);
}
BENCHMARK(crowd)
    ->Name("Pose/sample_to_palette/joints:100")
    ->ArgName("agents")
    ->Arg(16)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000);

/// Sampling alone is measured as posing a skeleton without hierarchy into skeleton transforms.
void sample(benchmark::State& state) {
  Character& source = character();
  const std::vector<std::int32_t> roots(kJoints, -1);
  const PackedSkeleton flat =
      *PackedSkeleton::pack({.parents = roots, .joint_from_bind = source.joint_from_bind});
  const std::vector<CrowdAgent> agents = source.agents(1024);
  std::vector<Affine34f> out(agents.size() * kJoints);
  const PoseCrowdJob job = {.skeleton = &flat, .agents = agents, .skel_from_joint = out};
  for (auto _ : state) {
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_agents(state, agents.size());
}
BENCHMARK(sample)->Name("Pose/sample/joints:100/agents:1024");

/// Local to skeleton space, lanes in and lanes out.
void local_to_skeleton(benchmark::State& state) {
  Character& source = character();
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::size_t groups = (count + 15) / 16;
  std::vector<float> local(groups * kJoints * 10 * 16), out(groups * kJoints * 12 * 16);
  for (float& value : local) value = source.real(-0.5F, 0.5F);
  const LocalToSkeletonJob job = {
      .skeleton = &source.skeleton, .local = local, .skel_from_joint = out};
  for (auto _ : state) {
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_agents(state, count);
}
BENCHMARK(local_to_skeleton)
    ->Name("Pose/local_to_skeleton/joints:100")
    ->ArgName("agents")
    ->Arg(1)
    ->Arg(16)
    ->Arg(1'024)
    ->Arg(100'000);

/// The same with Eigen, one agent after the other: what most people write.
void eigen_local_to_skeleton(benchmark::State& state) {
  Character& source = character();
  std::vector<Vector3f> translations(kJoints, Vector3f(0, 0.1F, 0));
  std::vector<Quatf> rotations;
  for (std::size_t j = 0; j < kJoints; ++j) {
    rotations.push_back(Quatf(1, source.real(-1, 1), source.real(-1, 1), 0).normalized());
  }
  std::vector<Eigen::Affine3f> out(kJoints);
  for (auto _ : state) {
    for (std::size_t j = 0; j < kJoints; ++j) {
      Eigen::Affine3f local;
      local.linear() = rotations[j].toRotationMatrix();
      local.translation() = translations[j];
      local.makeAffine();
      const std::int32_t parent = source.parents[j];
      out[j] = parent < 0 ? local : out[static_cast<std::size_t>(parent)] * local;
    }
    benchmark::ClobberMemory();
  }
  count_agents(state, 1);
}
BENCHMARK(eigen_local_to_skeleton)
    ->Name("Pose/baseline_eigen_local_to_skeleton/joints:100/agents:1");

}  // namespace
