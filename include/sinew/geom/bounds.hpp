// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// An axis-aligned box in double precision. Empty (nothing contained) until something is added.
struct Range3d {
  Vector3d min = Vector3d::Constant(std::numeric_limits<double>::max());
  Vector3d max = Vector3d::Constant(-std::numeric_limits<double>::max());

  /// Also if a number is NaN.
  bool empty() const { return !(min.array() <= max.array()).all(); }
};

/// A box with a matrix: the box as it is where it was measured, and how it stands. Turning it does
/// not make it larger, as it would an axis-aligned box.
/// @par Source  GfBBox3d.
struct BoundingBox {
  Range3d range;                           ///< In the space of the box.
  Matrix4d matrix = Matrix4d::Identity();  ///< To the space that was asked for. Affine.

  bool empty() const { return range.empty(); }
};

/// The axis-aligned box around a box, in the space that its matrix leads to.
SINEW_API Range3d aligned_range(const BoundingBox& box);

/// A box around two boxes: in the space of one of them, whichever is smaller; if one is flattened
/// by its matrix, in the space of the other.
SINEW_API BoundingBox combine(const BoundingBox& a, const BoundingBox& b);

/// The purposes that count.
struct PurposeSet {
  bool default_ = true;
  bool render = false;
  bool proxy = false;
  bool guide = false;

  static constexpr PurposeSet all() noexcept { return {true, true, true, true}; }
  bool contains(Purpose purpose) const noexcept;
};

/// What BoundsCache counts and how.
struct BoundsOptions {
  PurposeSet purposes = {};
  /// The box of a model is its `extentsHint`, if it has one; what is inside is not visited.
  bool use_extents_hint = false;
  bool ignore_visibility = false;
  /// Asked first for the extent of each Boundable prim, in its own space; nothing: as
  /// geom::extent() has it. For what this module cannot compute, e.g. with
  /// skel::skel_root_extent(). Null: nobody.
  std::function<std::optional<Range3f>(const stage::Prim&, stage::Time)> extent_of = {};
  /// Problems, once per prim and time; null: not reported. Must outlive the cache.
  Diagnostics* diagnostics = nullptr;
};

/// Bounds of prims with all that they hold, at one time, each computed once.
///
/// A Boundable prim has its extent; its children are not visited. Any other Imageable prim, and any
/// prim without a known type, has the bounds of its children. Children that are invisible,
/// inactive, unloaded, undefined, abstract or not Imageable are left out with everything below; the
/// extent of a prim whose purpose was not asked for is left out alone. Whether an ancestor of the
/// prim asked for is invisible does not matter. Instances share what lies below them.
///
/// Boundable prims without any extent are reported as "geom-no-extent", boxes whose transform is
/// not finite, or cannot be undone where it must, as "geom-bounds-transform"; both are left out.
///
/// Belongs to whoever makes it. Fills as it is asked; about 300 bytes per prim. Not thread-safe;
/// use one per thread. Valid as long as the stage.
/// @par Cost    Once per prim: its extent, one look at visibility, purpose and transform. No deep
///              stack for deep trees.
/// @par Source  UsdGeomBBoxCache.
class SINEW_API BoundsCache {
 public:
  explicit BoundsCache(stage::Time time = {}, BoundsOptions options = {});

  stage::Time time() const noexcept { return transforms_.time(); }
  /// Another time forgets everything; the same one does nothing.
  void set_time(stage::Time time);
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
  struct Key {
    std::uint32_t node;
    std::uint64_t context;
    PurposeInfo inherited;  // From the parent.
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Entry {
    BoundingBox box;
    bool depends_on_place = false;  // Not the same for every instance.
  };
  struct Frame {
    stage::Prim prim;
    stage::Prim next;
    PurposeInfo inherited;
    PurposeInfo purpose;
    Entry entry;
  };

  const Entry* find(const stage::Prim& prim, PurposeInfo inherited) const;
  void store(const stage::Prim& prim, PurposeInfo inherited, const Entry& entry);
  bool is_included(const stage::Prim& prim) const;
  std::optional<Entry> own_box(const stage::Prim& prim, PurposeInfo purpose);
  std::optional<BoundingBox> hint(const stage::Prim& prim) const;
  void begin(const stage::Prim& prim, PurposeInfo inherited, Entry& result);
  void add_child(const stage::Prim& child, const Entry& of_child, Entry& parent);
  Entry compute(const stage::Prim& prim);
  BoundingBox placed(const stage::Prim& prim, const BoundingBox& box,
                     const Matrix4d& transform) const;
  void complain(const stage::Prim& prim, const char* code, const char* message) const;

  BoundsOptions options_;
  TransformCache transforms_;
  std::unordered_map<Key, Entry, KeyHash> entries_;
  std::vector<Frame> frames_;
};

}  // namespace sinew::geom
