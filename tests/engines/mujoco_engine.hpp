// SPDX-License-Identifier: Apache-2.0
// MuJoCo with what write_mjcf() makes of a model.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/scenes.hpp"
#include "sinew/export/mjcf.hpp"

namespace sinew::mujoco_test {

namespace fs = std::filesystem;
using physics::PhysicsModel;
using physics::Posed;

// Complaints of the engine, which it hands to functions without context.
inline std::vector<std::string>& complaints() {
  static std::vector<std::string> list;
  return list;
}

/// What the engine makes of a model, at its start.
struct Engine {
  PhysicsModel model;  // SI.
  exporter::EngineFile file;
  Diagnostics diagnostics;
  std::unique_ptr<mjModel, void (*)(mjModel*)> m{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> d{nullptr, mj_deleteData};

  /// Nothing before load().
  Engine() = default;
  explicit Engine(PhysicsModel from) : model(std::move(from)) {
    file = exporter::write_mjcf(model, {}, diagnostics);
    load(file.text, ".xml");
  }
  void load(const std::string& text, const std::string& extension);

  int body(const std::string& name) const { return mj_name2id(m.get(), mjOBJ_BODY, name.c_str()); }
  int joint(const std::string& name) const {
    return mj_name2id(m.get(), mjOBJ_JOINT, name.c_str());
  }
  Posed pose(const std::string& name) const {
    const int id = body(name);
    return {
        Vector3d(d->xpos[3 * id], d->xpos[3 * id + 1], d->xpos[3 * id + 2]),
        Quatd(d->xquat[4 * id], d->xquat[4 * id + 1], d->xquat[4 * id + 2], d->xquat[4 * id + 3])};
  }
  double& coordinate(const std::string& name) { return d->qpos[m->jnt_qposadr[joint(name)]]; }
  void start() {
    if (m->nkey > 0) mj_resetDataKeyframe(m.get(), d.get(), 0);
    mj_forward(m.get(), d.get());
  }
  void run(double seconds) {
    const double end = d->time + seconds;
    while (d->time < end) mj_step(m.get(), d.get());
  }
};

inline void Engine::load(const std::string& text, const std::string& extension) {
  static int number = 0;
  const fs::path folder =
      fs::path(::testing::TempDir()) /
      ("sinew_engines_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
  fs::create_directories(folder);
  const fs::path path = folder / ("world" + extension);
  std::ofstream(path) << text;
  for (const exporter::EngineMesh& mesh : file.meshes) {
    std::ofstream(folder / mesh.name) << mesh.text;
  }
  mju_user_warning = [](const char* message) { complaints().emplace_back(message); };
  mju_user_error = [](const char* message) {
    ADD_FAILURE() << message;
    std::abort();
  };
  char error[1000] = "";
  m.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  ASSERT_NE(m, nullptr) << error << "\n" << text.substr(0, 4000);
  EXPECT_STREQ(error, "");
  d.reset(mj_makeData(m.get()));
  start();
  fs::remove_all(folder);
}

}  // namespace sinew::mujoco_test
