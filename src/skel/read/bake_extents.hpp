// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <unordered_map>

#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"
#include "skel/read/bake_plan.hpp"
#include "skel/read/overlay.hpp"

namespace sinew::skel {

/// Extents of baked prims by time, for the boxes of the models that hold them.
class BakedExtents {
 public:
  /// @param writes_extents  Whether extents go to the baked layer; if not, those that are authored
  ///                        stay in force.
  explicit BakedExtents(bool writes_extents) : writes_extents_(writes_extents) {}

  void add(const stage::Prim& prim, stage::Time time, const Range3f& extent);
  /// A prim that moves as one piece: its baked transform.
  void add_transform(const stage::Prim& prim, stage::Time time, const Matrix4d& parent_from_prim);

  /// Writes `extentsHint` of every model that has one and holds a baked prim, at the baked times,
  /// as it is where the layer lies on top of the stage.
  Status write_hints(std::span<const BakePlan> plans, Overlay& overlay) const;

 private:
  struct Frame {
    std::unordered_map<stage::Prim, Range3f> extents;
    std::unordered_map<stage::Prim, Matrix4d> parent_from_prim;
  };
  class Measuring;
  Frame& frame(stage::Time time) { return time.is_default() ? at_default_ : at_time_[time.code()]; }

  bool writes_extents_;
  Frame at_default_;
  std::map<double, Frame> at_time_;
};

}  // namespace sinew::skel
