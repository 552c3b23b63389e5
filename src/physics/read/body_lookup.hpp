// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Finds the bodies that the ends of joints name by path.
///
/// Joints mostly come in the order of their bodies, so the last one found for the same end, and the
/// one after it, are tried before any path is hashed.
class BodyLookup {
 public:
  /// @param distinct  No two bodies have the same path.
  BodyLookup(const PhysicsModel& model, bool distinct) : model_(model), distinct_(distinct) {}

  /// The body of that path, if it is easily found; the model may still be growing.
  std::int32_t guess(std::string_view path, int end) {
    if (!distinct_) return kNone;
    std::int32_t& last = last_found_[end];
    for (const std::int32_t body : {last + 1, last, last_found_[1 - end]}) {
      if (model_.has_body(body) && model_.body(body).path == path) return last = body;
    }
    return kNone;
  }

  /// The first body of that path, kNone if there is none; all bodies are there.
  std::int32_t find(std::string_view path, int end) {
    const std::int32_t guessed = guess(path, end);
    if (guessed != kNone) return guessed;
    if (by_path_.empty()) {
      by_path_.reserve(model_.rigid_bodies.size());
      std::int32_t index = 0;
      for (const RigidBody& body : model_.rigid_bodies) by_path_.try_emplace(body.path, index++);
    }
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? kNone : last_found_[end] = found->second;
  }

 private:
  const PhysicsModel& model_;
  bool distinct_;
  std::int32_t last_found_[2] = {kNone, kNone};
  std::unordered_map<std::string_view, std::int32_t> by_path_;
};

}  // namespace sinew::physics
