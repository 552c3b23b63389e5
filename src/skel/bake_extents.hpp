// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"
#include "skel/overlay.hpp"

namespace sinew::skel {

/// The extent of a point-based prim with these points: what its type adds around them included
/// (the widths of points and curves).
Range3f extent_of_points(const stage::Prim& prim, const std::vector<Vector3f>& points,
                         stage::Time time);

/// Extents of baked prims by time, for the boxes of the models that hold them.
class BakedExtents {
 public:
  void add(const stage::Prim& prim, stage::Time time, const Range3f& extent);

  /// Writes `extentsHint` of every model that has one and holds a baked prim, at the baked times.
  Status write_hints(Overlay& overlay) const;

 private:
  using ByPrim = std::unordered_map<stage::Prim, Range3f>;

  ByPrim at_default_;
  std::map<double, ByPrim> at_time_;
};

}  // namespace sinew::skel
