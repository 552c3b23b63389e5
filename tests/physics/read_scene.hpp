// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"

namespace sinew::test {}

/// Beside what all tests share.
namespace sinew::physics::test {
using namespace sinew::test;

/// Reads the physics of a layer's text, given without its header line.
inline PhysicsModel read(const std::string& text, Diagnostics& diagnostics,
                         Rules rules = Rules::openusd, const ReadOptions& options = {}) {
  stage::OpenOptions open;
  open.rules = rules;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics, open);
  return stage ? read_physics(*stage, diagnostics, options) : PhysicsModel{};
}

inline PhysicsModel read(const std::string& text, Rules rules = Rules::openusd,
                         const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  return read(text, diagnostics, rules, options);
}

/// Options that ask for dialects.
inline ReadOptions asking(std::vector<Dialect> dialects) {
  ReadOptions options;
  options.dialects = std::move(dialects);
  return options;
}

/// A prim with applied physics schemas given as "RigidBody Collision", to nest and concatenate.
inline std::string prim(const std::string& type, const std::string& name, const std::string& apis,
                        const std::string& content = "") {
  std::string quoted;
  std::size_t start = 0;
  while (start < apis.size()) {
    const std::size_t end =
        apis.find(' ', start) == std::string::npos ? apis.size() : apis.find(' ', start);
    quoted += quoted.empty() ? "\"Physics" : ", \"Physics";
    quoted += apis.substr(start, end - start) + "API\"";
    start = end + 1;
  }
  return "def " + type + " \"" + name + "\" (apiSchemas = [" + quoted + "]) {\n" + content +
         "\n}\n";
}

/// Opinions for a translation, a rotation about x, y and z in degrees, and a scale.
inline std::string transform(const std::string& translate, const std::string& rotate,
                             const std::string& scale) {
  return "double3 xformOp:translate = " + translate + "\nfloat3 xformOp:rotateXYZ = " + rotate +
         "\nfloat3 xformOp:scale = " + scale +
         "\nuniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\", "
         "\"xformOp:scale\"]\n";
}

inline std::string scaled(const std::string& scale) {
  return "float3 xformOp:scale = " + scale +
         "\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
}

/// Adds a joint between two bodies, or with kNone the world.
template <typename Kind>
Joint& add_joint(PhysicsModel& model, std::int32_t from, std::int32_t to, Kind kind) {
  Joint& joint = model.joints.emplace_back();
  joint.path = "/j" + std::to_string(model.joints.size());
  joint.ends[0].body = from;
  joint.ends[1].body = to;
  joint.kind = kind;
  return joint;
}

/// The element whose path it is; a failed expectation and an empty one if there is none.
template <typename T>
const T& at(const std::vector<T>& list, std::string_view path) {
  static const T kNothing;
  for (const T& element : list) {
    if (element.path == path) return element;
  }
  ADD_FAILURE() << "nothing at " << path;
  return kNothing;
}

/// The paths of a list, in its order.
template <typename T>
std::vector<std::string> paths(const std::vector<T>& list) {
  std::vector<std::string> result;
  for (const T& element : list) result.push_back(element.path.str());
  return result;
}

}  // namespace sinew::physics::test
