// SPDX-License-Identifier: CC0-1.0
// Runs the physics of any file in Jolt and prints time, body, x, y, z as CSV, 10 times a second.
// Run: simulate_jolt FILE.usda [SECONDS]
#include "jolt_world.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/RegisterTypes.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sinew/physics/read/read_physics.hpp"

using namespace sinew;

void simulate(const PhysicsModel& model, Diagnostics& diagnostics, double seconds) {
  JoltWorld world(model, diagnostics);
  for (const Diagnostic& d : diagnostics) std::fprintf(stderr, "%s\n", format(d).c_str());
  JPH::TempAllocatorImpl memory(32 << 20);
  JPH::JobSystemSingleThreaded jobs(JPH::cMaxPhysicsJobs);
  const int steps = int(seconds * 240.0);
  for (int step = 0; step <= steps; ++step) {
    for (std::size_t i = 0; i < model.rigid_bodies.size() && step % 24 == 0; ++i) {
      const JPH::RVec3 p = world.bodies[i + 1]->GetPosition();
      std::printf("%.1f,%s,%.5f,%.5f,%.5f\n", step / 240.0, model.rigid_bodies[i].path.c_str(),
                  double(p.GetX()), double(p.GetY()), double(p.GetZ()));
    }
    world.jolt.Update(1.0F / 240.0F, 1, &memory, &jobs);
  }
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: simulate_jolt FILE.usda [SECONDS]\n"), 2;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) return std::fprintf(stderr, "%s\n", stage.error().message.c_str()), 1;
  ReadOptions options;
  options.nested_bodies = NestedBodies::keep;
  const auto model = read_physics(**stage, diagnostics, options).to_si();

  JPH::RegisterDefaultAllocator();
  JPH::Factory::sInstance = new JPH::Factory();
  JPH::RegisterTypes();
  simulate(model, diagnostics, argc > 2 ? std::atof(argv[2]) : 2.0);
  JPH::UnregisterTypes();
  delete JPH::Factory::sInstance;
}
