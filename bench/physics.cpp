// SPDX-License-Identifier: Apache-2.0
// Physics: resolving mass and asking the pair filter, on a model of many small robots.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sinew/physics/articulation.hpp"
#include "sinew/physics/decompose.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace {

using namespace sinew;
using namespace sinew::physics;

constexpr int kLinks = 10;

// Robots of ten links in a chain, two shapes per link, in eight collision groups.
PhysicsModel robots(int bodies) {
  PhysicsModel model;
  for (int g = 0; g < 8; ++g) {
    CollisionGroupPrim group;
    group.path = "/World/Groups/g" + std::to_string(g);
    group.filtered_group_paths = {"/World/Groups/g" + std::to_string((g + 3) % 8)};
    model.group_prims.push_back(group);
  }
  for (std::int32_t i = 0; i < bodies; ++i) {
    const std::string robot = "/World/robot" + std::to_string(i / kLinks);
    RigidBody body;
    body.path = robot + "/link" + std::to_string(i % kLinks);
    body.first_mass_node = static_cast<std::uint32_t>(model.mass_nodes.size());
    body.mass_node_count = 3;
    MassNode node;
    model.mass_nodes.push_back(node);
    for (int k = 0; k < 2; ++k) {
      Shape shape;
      shape.path = body.path.str() + "/shape" + std::to_string(k);
      shape.body_path = body.path;
      shape.body = i;
      shape.collision_group_paths = {model.group_prims[static_cast<std::size_t>(i % 8)].path};
      if (k == 0) {
        shape.geometry = CapsuleShape{0.1F, 0.5F, Axis::z};
      } else {
        shape.geometry = CubeShape{{0.1F, 0.2F, 0.3F}};
      }
      node.parent = 0;
      node.is_collider = true;
      node.shape = static_cast<std::int32_t>(model.shapes.size());
      node.local_pose.position = {0.1F * static_cast<float>(k), 0, 0};
      model.mass_nodes.push_back(node);
      model.shapes.push_back(std::move(shape));
    }
    if (i % kLinks != 0) {
      Joint joint;
      joint.path = body.path.str() + "_joint";
      joint.ends[0].prim_path = joint.ends[0].body_path = model.rigid_bodies.back().path;
      joint.ends[1].prim_path = joint.ends[1].body_path = body.path;
      joint.ends[0].body = i - 1;
      joint.ends[1].body = i;
      model.joints.push_back(joint);
    }
    model.rigid_bodies.push_back(std::move(body));
  }
  return model;
}

void mass_of_every_body(benchmark::State& state) {
  const PhysicsModel model = robots(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(body_masses(model, diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(mass_of_every_body)
    ->Name("Physics/Mass")
    ->ArgName("bodies")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

void build_filter(benchmark::State& state) {
  const PhysicsModel model = robots(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(PairFilter::build(model, diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(model.shapes.size()));
}
BENCHMARK(build_filter)
    ->Name("Physics/PairFilter/Build")
    ->ArgName("bodies")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

// Random pairs, and pairs of one robot, most of which joints or groups decide.
void ask_filter(benchmark::State& state) {
  const PhysicsModel model = robots(static_cast<int>(state.range(0)));
  Diagnostics diagnostics;
  const PairFilter filter = PairFilter::build(model, diagnostics);
  std::mt19937 random(1);
  const auto count = static_cast<std::uint32_t>(model.shapes.size());
  const std::uint32_t near = state.range(1) != 0 ? 2 * kLinks : count;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs(4096);
  for (auto& [a, b] : pairs) {
    const auto start = static_cast<std::uint32_t>(random()) % count / near * near;
    a = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(random()) % near);
    b = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(random()) % near);
  }
  for (auto _ : state) {
    int collisions = 0;
    for (const auto& [a, b] : pairs) collisions += filter.collides(a, b) ? 1 : 0;
    benchmark::DoNotOptimize(collisions);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
}
BENCHMARK(ask_filter)
    ->Name("Physics/PairFilter/Query")
    ->ArgNames({"bodies", "same_robot"})
    ->Args({10'000, 0})
    ->Args({10'000, 1});

void find_articulations(benchmark::State& state) {
  const PhysicsModel model = robots(static_cast<int>(state.range(0)));
  std::vector<Text> roots;
  for (int i = 0; i < state.range(0) / kLinks; ++i) {
    roots.push_back("/World/robot" + std::to_string(i));
  }
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(resolve_articulations(model, roots, diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(find_articulations)
    ->Name("Physics/Articulations")
    ->ArgName("bodies")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

void decompose_matrices(benchmark::State& state) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Matrix4d> matrices(1024, Matrix4d::Identity());
  for (Matrix4d& matrix : matrices) {
    const Quatd turn = Quatd(uniform(random), uniform(random), uniform(random), 1.0).normalized();
    matrix.block<3, 3>(0, 0) = turn.toRotationMatrix() * 2.0;
  }
  for (auto _ : state) {
    for (const Matrix4d& matrix : matrices) benchmark::DoNotOptimize(world_pose(matrix));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(matrices.size()));
}
BENCHMARK(decompose_matrices)->Name("Physics/Decompose");

}  // namespace
