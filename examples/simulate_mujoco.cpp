// SPDX-License-Identifier: CC0-1.0
// Runs the physics of any file in MuJoCo: prints where bodies end up, writes their paths as CSV.
// Run: simulate_mujoco FILE.usda [SECONDS [OUT.csv]]

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "sinew/export/mjcf.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace {

using namespace sinew;

using ModelPtr = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using DataPtr = std::unique_ptr<mjData, void (*)(mjData*)>;

// Robots as converters write them: bodies inside bodies are kept, vendors' attributes are read.
physics::ReadOptions robot_options() {
  physics::ReadOptions options;
  options.nested_bodies = physics::NestedBodies::keep;
  options.dialects = {physics::Dialect::newton, physics::Dialect::mjc, physics::Dialect::physx};
  return options;
}

// MuJoCo reads files; its virtual file system holds one in memory. It has grown another call since.
ModelPtr compile(const std::string& text) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
#if mjVERSION_HEADER >= 300
  mj_addBufferVFS(files.get(), "world.xml", text.data(), static_cast<int>(text.size()));
#else
  mj_makeEmptyFileVFS(files.get(), "world.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "world.xml")], text.data(), text.size());
#endif
  char error[1000] = "";
  ModelPtr model(mj_loadXML("world.xml", files.get(), error, sizeof error), mj_deleteModel);
  if (error[0] != '\0') std::fprintf(stderr, "MuJoCo: %s\n", error);
  mj_deleteVFS(files.get());
  return model;
}

void write_row(std::FILE* csv, const mjModel& m, const mjData& d) {
  if (csv == nullptr) return;
  std::fprintf(csv, "%.4f", d.time);
  for (int body = 1; body < m.nbody; ++body) {
    const mjtNum* p = d.xpos + 3 * body;
    std::fprintf(csv, ",%.6f,%.6f,%.6f", p[0], p[1], p[2]);
  }
  std::fputc('\n', csv);
}

void print_result(const mjModel& m, const mjData& d) {
  for (int body = 1; body < m.nbody; ++body) {
    const mjtNum* p = d.xpos + 3 * body;
    std::printf("%s: %.3f kg at (%.4f, %.4f, %.4f)\n", mj_id2name(&m, mjOBJ_BODY, body),
                m.body_mass[body], p[0], p[1], p[2]);
  }
  for (int i = 0; i < m.nu; ++i) {
    const int joint = m.actuator_trnid[2 * i];
    if (m.actuator_biasprm[mjNBIAS * i + 1] == 0.0) continue;  // It holds a speed, not a place.
    const mjtNum q = d.qpos[m.jnt_qposadr[joint]];
    std::printf("drive %s: at %.5f, %.1e from its target\n", mj_id2name(&m, mjOBJ_ACTUATOR, i), q,
                std::abs(q - d.ctrl[i]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: simulate_mujoco FILE.usda [SECONDS [OUT.csv]]\n");
    return 2;
  }
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  const auto model = physics::read_physics(**stage, diagnostics, robot_options());
  const exporter::EngineFile file = exporter::write_mjcf(model, {}, diagnostics);
  for (const Diagnostic& d : diagnostics) std::fprintf(stderr, "%s\n", format(d).c_str());

  const ModelPtr m = compile(file.text);
  if (m == nullptr) return 1;
  const DataPtr d(mj_makeData(m.get()), mj_deleteData);
  if (m->nkey > 0) mj_resetDataKeyframe(m.get(), d.get(), 0);  // Where the file starts.
  const double seconds = argc > 2 ? std::atof(argv[2]) : 2.0;
  std::FILE* csv = argc > 3 ? std::fopen(argv[3], "w") : nullptr;
  mj_forward(m.get(), d.get());
  for (double next = 0.0; d->time < seconds; mj_step(m.get(), d.get())) {
    if (d->time < next) continue;
    write_row(csv, *m, *d);
    next += 0.02;
  }
  mj_forward(m.get(), d.get());
  write_row(csv, *m, *d);
  if (csv != nullptr) std::fclose(csv);
  print_result(*m, *d);
}
