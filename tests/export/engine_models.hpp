// SPDX-License-Identifier: Apache-2.0
/// @file
/// Small models of physics, and what the writers for engines make of them.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::exporter::engine_models {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Write = EngineFile (*)(const physics::PhysicsModel&, const EngineOptions&, Diagnostics&);

struct Written {
  std::string text;
  std::string codes;                // Of this module.
  std::vector<std::string> told;    // Code, path and message.
  std::vector<std::string> became;  // Of each prim, and why if not exactly that.
};

inline Written write(const physics::PhysicsModel& model, Write writer = write_mjcf,
                     const EngineOptions& options = {}) {
  Diagnostics diagnostics;
  const EngineFile file = writer(model, options, diagnostics);
  Written result;
  result.text = file.text;
  std::erase_if(diagnostics, [](const Diagnostic& d) { return !d.code.starts_with("engine-"); });
  result.codes = test::codes_of(diagnostics);
  for (const Diagnostic& d : diagnostics) {
    result.told.push_back(d.code + " " + d.path + ": " + d.message);
  }
  for (const EngineMapping& mapping : file.mapping) {
    result.became.push_back(mapping.path + ": " + mapping.became +
                            (mapping.is_exact ? "" : " by " + mapping.diagnostic));
  }
  return result;
}

inline physics::PhysicsModel read(const std::string& prims) {
  Diagnostics reading;
  const std::string text = "(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n" + prims;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, reading);
  if (!stage) return {};
  physics::ReadOptions options;
  options.dialects = physics::all_dialects();
  options.nested_bodies = physics::NestedBodies::keep;
  return physics::read_physics(*stage, reading, options).to_si();
}

inline const std::string kScene = "def PhysicsScene \"S\" {}\n";

// A ball of 2 kg.
inline std::string ball(const std::string& name, const std::string& more = "") {
  return "def Sphere \"" + name +
         "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\", "
         "\"PhysicsCollisionAPI\"]) {\ndouble radius = 0.1\nfloat physics:mass = 2\n" +
         more + "\n}\n";
}

inline std::string joint(const std::string& type, const std::string& name, const std::string& more,
                         const std::string& apis = "") {
  return "def Physics" + type + "Joint \"" + name + "\" (apiSchemas = [" + apis + "]) {\n" + more +
         "\n}\n";
}

inline const std::string kToA = "rel physics:body1 = </a>\n";
inline const std::string kToB = "rel physics:body1 = </b>\n";
inline const std::string kBetween = "rel physics:body0 = </a>\nrel physics:body1 = </b>\n";

// A generic joint that locks these.
inline std::string locking(const std::string& name, const std::string& ends,
                           const std::vector<std::string>& axes, const std::string& more = "",
                           const std::string& more_apis = "") {
  std::string apis = more_apis;
  std::string limits;
  for (const std::string& axis : axes) {
    apis += (apis.empty() ? "\"" : ", \"") + ("PhysicsLimitAPI:" + axis + "\"");
    limits +=
        "float limit:" + axis + ":physics:low = 1\nfloat limit:" + axis + ":physics:high = -1\n";
  }
  return joint("", name, ends + limits + more, apis);
}

}  // namespace sinew::exporter::engine_models
