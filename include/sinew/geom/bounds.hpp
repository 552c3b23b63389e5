// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// An axis-aligned box in double precision. Empty (nothing contained) until something is added.
struct Range3d {
  /// Lower corner; greater than `max` in an empty box.
  Vector3d min = Vector3d::Constant((std::numeric_limits<double>::max)());
  Vector3d max = Vector3d::Constant(-(std::numeric_limits<double>::max)());  ///< Upper corner.

  /// Also if a number is NaN.
  bool empty() const { return !(min.array() <= max.array()).all(); }
};

/// A box with a matrix: the box in the space it was measured in, and how it is placed. Turning it
/// does not make it larger, as it would an axis-aligned box.
/// @par Source  GfBBox3d.
struct BoundingBox {
  Range3d range;                           ///< In the space of the box.
  Matrix4d matrix = Matrix4d::Identity();  ///< To the space that was asked for.

  /// Whether nothing is contained.
  bool empty() const { return range.empty(); }
};

/// The axis-aligned box around a box, in the space that its matrix leads to.
SINEW_API Range3d aligned_range(const BoundingBox& box);

/// A box around two boxes: in the space of one of them, whichever is smaller; if one is flattened
/// by its matrix, in the space of the other.
SINEW_API BoundingBox combine(const BoundingBox& a, const BoundingBox& b);

/// The purposes that count.
struct PurposeSet {
  bool default_ = true;  ///< What has no purpose of its own, and belongs to every picture.
  bool render = false;   ///< What only the final picture shows.
  bool proxy = false;    ///< Stand-ins for what is rendered.
  bool guide = false;    ///< Aids for the eye.

  /// Whatever the purpose is.
  static constexpr PurposeSet all() noexcept { return {true, true, true, true}; }
  /// False for Purpose::unknown.
  bool contains(Purpose purpose) const noexcept;
};

/// What BoundsCache counts and how.
struct BoundsOptions {
  PurposeSet purposes = {};  ///< By default the purpose `default` alone.
  /// The box of a model is its `extentsHint`, if it has one; what is inside is not visited.
  bool use_extents_hint = false;
  /// What is invisible counts too, and what is below prims that are not Imageable.
  bool ignore_visibility = false;
  /// Asked first for the extent of each Boundable prim, in its own space; nothing: as
  /// geom::extent() has it. For what this module cannot compute, e.g. with
  /// skel::skel_root_extent(). May be empty.
  std::function<std::optional<Range3f>(const stage::Prim&, stage::Time)> extent_of = {};
  /// Problems, once per prim and time; null: not reported. Must outlive the cache.
  Diagnostics* diagnostics = nullptr;
};

/// Bounds of prims with all that they hold, at one time, each computed once.
///
/// A Boundable prim has its extent; its children are not visited. Any other Imageable prim, and any
/// prim without a known type, has the bounds of its children. Children that are invisible,
/// inactive, undefined, abstract or not Imageable are left out with everything below; the extent of
/// a prim whose purpose was not asked for is left out alone. Whether the prim asked for or an
/// ancestor of it is invisible does not matter. What the stage shows of a prim whose payload was
/// skipped counts, its `extentsHint` above all. Instances share what lies below them.
///
/// Boxes of children are aligned and united in the space of the nearest component or subcomponent,
/// else in the world: what is turned further down grows once. Below an instance they are united in
/// its space, unless a prim there is asked for itself; below a transform that flattens space, in
/// that of the prim.
///
/// A PointInstancer without an extent has the boxes of its prototypes at each instance, of all
/// purposes but guides, without hints and without what is invisible; none if its arrays do not fit
/// each other, see PointInstances::consistent.
///
/// Boundable prims without any extent are reported as "geom-no-extent", boxes whose transform is
/// not finite, or cannot be undone where it must, as "geom-bounds-transform"; both are left out.
///
/// Owned by its caller. Fills as it is asked; about 300 bytes per prim. Not thread-safe;
/// use one per thread. Valid as long as the stage. A cache that was moved from may only be assigned
/// to or destroyed.
/// @par Cost    Once per prim: its extent, one look at visibility, purpose and transform. No deep
///              stack for deep trees.
/// @par Source  UsdGeomBBoxCache.
class SINEW_API BoundsCache {
 public:
  /// Nothing is computed yet.
  explicit BoundsCache(stage::Time time = {}, BoundsOptions options = {});
  /// Takes all that is computed; `other` may only be assigned to or destroyed afterwards.
  BoundsCache(BoundsCache&& other) noexcept;
  /// The same; what this one held is gone.
  BoundsCache& operator=(BoundsCache&& other) noexcept;
  ~BoundsCache();

  /// At which bounds are computed.
  stage::Time time() const noexcept;
  /// Another time forgets everything; the same one does nothing.
  void set_time(stage::Time time);
  /// Forgets everything, for stages that have gone.
  void clear();

  /// In the space of the prim. Empty if there is nothing in it.
  BoundingBox untransformed_bound(const stage::Prim& prim);
  /// In the space of the parent; in world space if the prim resets the transform stack.
  BoundingBox local_bound(const stage::Prim& prim);
  /// In world space.
  BoundingBox world_bound(const stage::Prim& prim);
  /// In the space of another prim, an ancestor as a rule.
  /// @return The box; or not_invertible if that prim's transform flattens space.
  Result<BoundingBox> relative_bound(const stage::Prim& prim, const stage::Prim& space);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::geom
