// SPDX-License-Identifier: CC0-1.0
// Runs the physics of any file in Bullet and prints time, body, x, y, z as CSV, 10 times a second.
// Run: simulate_bullet FILE.usda [SECONDS]
#include "bullet_world.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sinew/physics/read/read_physics.hpp"

using namespace sinew;

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: simulate_bullet FILE.usda [SECONDS]\n"), 2;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) return std::fprintf(stderr, "%s\n", stage.error().message.c_str()), 1;
  ReadOptions options;
  options.nested_bodies = NestedBodies::keep;
  const auto model = read_physics(**stage, diagnostics, options).to_si();
  BulletWorld world(model, diagnostics);
  for (const Diagnostic& d : diagnostics) std::fprintf(stderr, "%s\n", format(d).c_str());

  const int steps = int((argc > 2 ? std::atof(argv[2]) : 2.0) * 240.0);
  for (int step = 0; step <= steps; ++step, world.bullet.stepSimulation(1.0F / 240.0F, 0)) {
    for (std::size_t i = 0; i < model.rigid_bodies.size() && step % 24 == 0; ++i) {
      const btVector3 p = world.pose(i + 1).getOrigin();
      std::printf("%.1f,%s,%.5f,%.5f,%.5f\n", step / 240.0, model.rigid_bodies[i].path.c_str(),
                  double(p.x()), double(p.y()), double(p.z()));
    }
  }
}
