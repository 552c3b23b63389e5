// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// World transforms of many prims at one time, each computed once.
///
/// Owned by its caller. Fills as it is asked; about 200 bytes for each prim asked for and
/// each of its ancestors. Not thread-safe; use one per thread. Valid as long as the stage.
/// @par Source  UsdGeomXformCache.
class SINEW_API TransformCache {
 public:
  /// @param diagnostics  Problems of transform operations, once per prim and time; null: not
  ///                     reported. Must outlive the cache.
  explicit TransformCache(stage::Time time = {}, Diagnostics* diagnostics = nullptr)
      : time_(time), diagnostics_(diagnostics) {}

  /// At which transforms are computed.
  stage::Time time() const noexcept { return time_; }
  /// Another time forgets everything; the same one does nothing.
  void set_time(stage::Time time);
  /// Forgets everything, for stages that have gone.
  void clear() noexcept { entries_.clear(); }
  /// Number of prims whose transform is known.
  std::size_t size() const noexcept { return entries_.size(); }

  /// World from prim, as geom::world_from_prim() gives it; identity for the root.
  /// @return Valid until the time changes or the cache is cleared.
  /// @par Cost  One composition of operations for the prim and each ancestor not asked for before.
  ///            Deep trees need no deep stack.
  const Matrix4d& world_from_prim(const stage::Prim& prim);

  /// World from the parent of the prim; identity if the prim resets the stack, and for the root.
  Matrix4d world_from_parent(const stage::Prim& prim);

  /// Whether the prim's own operations reset the stack, so that its ancestors do not move it.
  bool resets_stack(const stage::Prim& prim);

 private:
  struct Entry {
    Matrix4d world_from_prim = Matrix4d::Identity();
    bool resets_stack = false;
  };
  const Entry& entry(const stage::Prim& prim);

  stage::Time time_;
  Diagnostics* diagnostics_;
  std::unordered_map<stage::Prim, Entry> entries_;
  std::vector<stage::Prim> pending_;  // Kept to save allocations.
};

}  // namespace sinew::geom
