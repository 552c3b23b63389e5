// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"
#include "skel/read/overlay.hpp"

namespace sinew::skel {

/// The extent of a point-based prim with these points: what its type adds around them included
/// (the widths of points and curves).
Range3f extent_of_points(const stage::Prim& prim, const std::vector<Vector3f>& points,
                         stage::Time time);

/// Extents of baked prims by time, for the boxes of the models that hold them.
class BakedExtents {
 public:
  void add(const stage::Prim& prim, stage::Time time, const Range3f& extent);
  /// A prim that moves as one piece: where it stands instead of where the stage has it.
  void add_transform(const stage::Prim& prim, stage::Time time, const Matrix4d& world_from_prim);

  /// Writes `extentsHint` of every model that has one and holds a baked prim, at the baked times.
  Status write_hints(Overlay& overlay) const;

 private:
  struct Frame {
    std::unordered_map<stage::Prim, Range3f> extents;
    std::unordered_map<stage::Prim, Matrix4d> world_from_prim;
  };
  Frame& frame(stage::Time time) { return time.is_default() ? at_default_ : at_time_[time.code()]; }

  Frame at_default_;
  std::map<double, Frame> at_time_;
};

}  // namespace sinew::skel
