// SPDX-License-Identifier: Apache-2.0
// From text, and from an open stage, to resolved physics with mass: robots of ten links, each with
// two shapes and a joint to the link before or to the world.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <string>

#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/usda/parser.hpp"

#include <fmt/format.h>

namespace {

using namespace sinew;

constexpr std::int64_t kLinks = 10;

void add_link(std::string& text, std::int64_t link) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"(        def Xform "link{0}" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
        )
        {{
            float physics:mass = {1}
            double3 xformOp:translate = (0, 0, {0})
            quatf xformOp:orient = (0.9238795, 0, 0.3826834, 0)
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
            def Capsule "bone" (
                prepend apiSchemas = ["PhysicsCollisionAPI"]
            )
            {{
                double radius = 0.05
                double height = 0.8
                uniform token axis = "Z"
            }}
            def Cube "motor" (
                prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"]
            )
            {{
                float physics:density = 7800
                double size = 0.1
                double3 xformOp:translate = (0, 0, 0.4)
                uniform token[] xformOpOrder = ["xformOp:translate"]
            }}
        }}
)",
                 link, 1 + link);
}

void add_joint(std::string& text, std::int64_t robot, std::int64_t link) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "        def PhysicsRevoluteJoint \"joint{}\"\n        {{\n", link);
  if (link > 0) {
    fmt::format_to(out, "            rel physics:body0 = </World/robot{}/link{}>\n", robot,
                   link - 1);
  }
  fmt::format_to(out, R"(            rel physics:body1 = </World/robot{}/link{}>
            uniform token physics:axis = "Y"
            point3f physics:localPos0 = (0, 0, 0.5)
            point3f physics:localPos1 = (0, 0, -0.5)
            float physics:lowerLimit = -90
            float physics:upperLimit = 90
        }}
)",
                 robot, link);
}

std::string robots(std::int64_t bodies) {
  std::string text =
      "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n"
      "def PhysicsScene \"Scene\"\n{\n}\ndef Xform \"World\"\n{\n";
  for (std::int64_t robot = 0; robot < bodies / kLinks; ++robot) {
    fmt::format_to(std::back_inserter(text),
                   "    def Xform \"robot{}\" (\n        prepend apiSchemas = "
                   "[\"PhysicsArticulationRootAPI\"]\n    )\n    {{\n        double3 "
                   "xformOp:translate = ({}, {}, 0)\n        uniform token[] xformOpOrder = "
                   "[\"xformOp:translate\"]\n",
                   robot, robot % 100, robot / 100);
    for (std::int64_t link = 0; link < kLinks; ++link) add_link(text, link);
    for (std::int64_t link = 0; link < kLinks; ++link) add_joint(text, robot, link);
    text += "    }\n";
  }
  return text + "}\n";
}

stage::StagePtr open(const std::string& text, Diagnostics& diagnostics) {
  const auto layer = usda::parse(text, "bench.usda", diagnostics);
  return layer ? stage::Stage::open(*layer, diagnostics).value_or(nullptr) : nullptr;
}

std::int64_t descriptors(const physics::PhysicsModel& model) {
  return static_cast<std::int64_t>(model.scenes.size() + model.rigid_bodies.size() +
                                   model.shapes.size() + model.joints.size() +
                                   model.articulations.size());
}

// Items are descriptors.
void read_stage(benchmark::State& state, bool from_text, bool with_mass) {
  const std::string text = robots(state.range(0));
  Diagnostics diagnostics;
  stage::StagePtr stage = open(text, diagnostics);
  std::int64_t count = 0;
  for (auto _ : state) {
    if (from_text) stage = open(text, diagnostics);
    const physics::PhysicsModel model = physics::read_physics(*stage, diagnostics);
    if (with_mass) benchmark::DoNotOptimize(physics::body_masses(model, diagnostics));
    count = descriptors(model);
  }
  if (!diagnostics.empty()) state.SkipWithError(diagnostics.front().message.c_str());
  state.SetItemsProcessed(state.iterations() * count);
}

void read_from_text(benchmark::State& state) {
  read_stage(state, true, true);
}
void read_from_stage(benchmark::State& state) {
  read_stage(state, false, false);
}
void read_with_mass(benchmark::State& state) {
  read_stage(state, false, true);
}

void check(benchmark::State& state) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open(robots(state.range(0)), diagnostics);
  for (auto _ : state) physics::check_physics(*stage, diagnostics);
  if (!diagnostics.empty()) state.SkipWithError(diagnostics.front().message.c_str());
  state.SetItemsProcessed(state.iterations() * state.range(0) * 4);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bodies")->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(
      benchmark::kMillisecond);
}

BENCHMARK(read_from_text)->Name("Physics/Read/FromText")->Apply(sizes);
BENCHMARK(read_from_stage)->Name("Physics/Read/FromStage")->Apply(sizes);
BENCHMARK(read_with_mass)->Name("Physics/Read/FromStageWithMass")->Apply(sizes);
BENCHMARK(check)->Name("Physics/Check")->Apply(sizes);

}  // namespace
