// SPDX-License-Identifier: Apache-2.0
// A crowd read from a file, beside PoseCrowdJob on the same clips by hand; and what reading costs.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/machine.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/crowd.hpp"
#include "sinew/skel/read/pack.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;
using namespace sinew::skel;

constexpr int kJoints = 100;
constexpr int kSamples = 60;

std::string list(int count, const auto& element) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += std::string(element(i)) + ", ";
  return text + "]";
}

/// A character of 100 joints in limbs of 12, which waves them all.
std::string character_text() {
  std::vector<std::string> joints;
  for (int j = 0; j < kJoints; ++j) {
    const std::string above = j == 0        ? std::string()
                              : j % 12 == 0 ? joints[static_cast<std::size_t>(j / 24)] + "/"
                                            : joints.back() + "/";
    joints.push_back(above + fmt::format("j{}", j));
  }
  const auto names =
      list(kJoints, [&](int j) { return "\"" + joints[static_cast<std::size_t>(j)] + "\""; });
  const auto matrices = [](double step) {
    return list(kJoints, [step](int j) {
      return fmt::format("((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,{},0,1))", step * j);
    });
  };
  const auto rotation = [](int sample, int joint) {
    const double half = 0.3 * std::sin(0.2 * sample + joint);
    return fmt::format("({:.7g},{:.7g},0,0)", std::cos(half), std::sin(half));
  };
  std::string text =
      "#usda 1.0\nclass SkelRoot \"Character\" (prepend apiSchemas = "
      "[\"SkelBindingAPI\"])\n{\nrel skel:skeleton = </Character/S>\n";
  text += "def Skeleton \"S\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n";
  text += "uniform token[] joints = " + names +
          "\nuniform matrix4d[] bindTransforms = " + matrices(0.01) +
          "\nuniform matrix4d[] restTransforms = " + matrices(0.0) +
          "\nrel skel:animationSource = </Character/A>\n}\ndef SkelAnimation \"A\"\n{\n";
  text += "uniform token[] joints = " + names +
          "\nhalf3[] scales = " + list(kJoints, [](int) { return "(1,1,1)"; }) +
          "\nfloat3[] translations = " + list(kJoints, [](int) { return "(0,0.1,0)"; }) +
          "\nquatf[] rotations.timeSamples = {\n";
  for (int i = 0; i < kSamples; ++i) {
    text += fmt::format("{}: {},\n", i, list(kJoints, [&](int j) { return rotation(i, j); }));
  }
  return text +
         "}\n}\ndef Mesh \"M\"\n{\npoint3f[] points = [(0,0,0)]\n"
         "int[] primvars:skel:jointIndices = [0] (interpolation = \"vertex\"\n"
         "elementSize = 1)\nfloat[] primvars:skel:jointWeights = [1] (interpolation = "
         "\"vertex\"\nelementSize = 1)\n}\n}\n";
}

struct Scene {
  stage::StagePtr stage;
  std::vector<SkeletonBinding> bindings;
  Diagnostics diagnostics;

  explicit Scene(std::size_t agents) {
    std::string text = character_text() + "def Xform \"World\"\n{\n";
    for (std::size_t i = 0; i < agents; ++i) {
      text += fmt::format(
          "def SkelRoot \"A{}\" (\ninstanceable = true\ninherits = </Character>)\n{{\n}}\n", i);
    }
    stage::MemoryResolver resolver;
    resolver.add("crowd.usda", text + "}\n");
    stage::OpenOptions options;
    options.resolver = &resolver;
    auto opened = stage::Stage::open(std::string("crowd.usda"), diagnostics, options);
    if (!opened) return;
    stage = *opened;
    bindings = read_bindings(*stage, diagnostics);
  }
};

Scene& scene_of(std::size_t agents) {
  static Scene small(1'000);
  static Scene large(10'000);
  return agents == 1'000 ? small : large;
}

void count_agents(benchmark::State& state, std::size_t agents) {
  const double total = static_cast<double>(state.iterations()) * static_cast<double>(agents);
  state.counters["us_per_agent"] =
      benchmark::Counter(total * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["ghz"] = bench::clock_ghz();
}

/// Where an agent is in its clip: all at different places, going round.
double place_of(std::size_t agent, double time) {
  return std::fmod(static_cast<double>(agent % 997) * 0.059 + time, kSamples - 1.0);
}

/// Everything a frame needs: clocks, samples, poses, palettes.
void crowd_of_a_file(benchmark::State& state) {
  const auto agents = static_cast<std::size_t>(state.range(0));
  Scene& scene = scene_of(agents);
  auto crowd = Crowd::open(scene.bindings, scene.diagnostics);
  if (!crowd || crowd->member_count() != agents) return state.SkipWithError("no crowd");
  for (std::size_t i = 0; i < agents; ++i) {
    Playback playback = crowd->members(0)[i].playback;
    playback.offset = place_of(i, 0.0);
    crowd->set_playback(0, i, playback);
  }
  double time = 0.0;
  for (auto _ : state) {
    if (!crowd->pose(time += 0.4)) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_agents(state, agents);
}
BENCHMARK(crowd_of_a_file)
    ->Name("Crowd/from_file/joints:100")
    ->ArgName("agents")
    ->Arg(1'000)
    ->Arg(10'000);

/// The same poses by hand: a job on arrays of the program's own.
void crowd_by_hand(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  Scene& scene = scene_of(count);
  const SkeletonBinding& binding = scene.bindings.at(0);
  const auto skeleton = pack_skeleton(binding);
  const auto clip = read_clip(binding, scene.diagnostics);
  if (!skeleton || !clip) return state.SkipWithError("no clip");
  std::vector<CrowdAgent> agents(count);
  std::vector<Affine34f> palettes(count * static_cast<std::size_t>(kJoints));
  const PoseCrowdJob job = {.skeleton = &*skeleton, .agents = agents, .palettes = palettes};
  double time = 0.0;
  for (auto _ : state) {
    time += 0.4;
    for (std::size_t i = 0; i < count; ++i) agents[i] = {&clip->joints, place_of(i, time)};
    if (!job.run()) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_agents(state, count);
}
BENCHMARK(crowd_by_hand)
    ->Name("Crowd/by_hand/joints:100")
    ->ArgName("agents")
    ->Arg(1'000)
    ->Arg(10'000);

/// One clip of 60 samples.
void read_one_clip(benchmark::State& state) {
  Scene& scene = scene_of(1'000);
  for (auto _ : state) {
    auto clip = read_clip(scene.bindings.at(0), scene.diagnostics);
    if (!clip || clip->joints.sample_count() != kSamples) state.SkipWithError("wrong result");
    benchmark::DoNotOptimize(clip);
  }
}
BENCHMARK(read_one_clip)->Name("Crowd/read_clip/joints:100/samples:60");

}  // namespace
