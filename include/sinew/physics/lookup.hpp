// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Finds the objects of a model by their paths: each search is logarithmic, after one sort.
///
/// Keeps a reference to the model, whose paths and numbers of objects must not change.
/// Const functions may run concurrently.
class Lookup {
 public:
  /// @par Cost  O(objects), times log.
  SINEW_API explicit Lookup(const PhysicsModel& model);

  /// Indices of the object with exactly this path, the first of several; kNone if there is none.
  SINEW_API std::int32_t body(std::string_view path) const noexcept;
  /// Index into PhysicsModel::joints, by the same rule.
  SINEW_API std::int32_t joint(std::string_view path) const noexcept;
  /// Index into PhysicsModel::shapes, by the same rule.
  SINEW_API std::int32_t shape(std::string_view path) const noexcept;
  /// Index into PhysicsModel::scenes, by the same rule.
  SINEW_API std::int32_t scene(std::string_view path) const noexcept;
  /// Index into PhysicsModel::materials, by the same rule.
  SINEW_API std::int32_t material(std::string_view path) const noexcept;

 private:
  const PhysicsModel& model_;
  std::vector<std::int32_t> bodies_;
  std::vector<std::int32_t> joints_;
  std::vector<std::int32_t> shapes_;
  std::vector<std::int32_t> scenes_;
  std::vector<std::int32_t> materials_;
};

}  // namespace sinew::physics
