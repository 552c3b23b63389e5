// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// The shape that a blend shape takes at one weight other than 0 and 1.
struct InbetweenShape {
  std::string name;                          ///< Of the attribute, without "inbetweens:".
  float weight = 0.0F;                       ///< Neither 0 nor 1; may lie outside them.
  std::span<const Vector3f> offsets;         ///< As BlendShape::offsets.
  std::span<const Vector3f> normal_offsets;  ///< As BlendShape::normal_offsets.
};

/// One blend shape: offsets that are added to points, scaled by a weight.
///
/// The arrays are borrowed: they must live as long as the BlendShapeSet made of the shape, or be
/// kept alive by `owner`.
struct BlendShape {
  std::string name;                             ///< As it stands in skel:blendShapes.
  std::span<const Vector3f> offsets;            ///< At weight 1; one per point or per index.
  std::span<const Vector3f> normal_offsets;     ///< Likewise, for normals.
  std::span<const std::int32_t> point_indices;  ///< Which points move; empty: all, in order.
  std::vector<InbetweenShape> inbetweens;       ///< In any order.
  bool valid = true;                            ///< False: contributes nothing.
  std::shared_ptr<const void> owner;  ///< Whatever holds the arrays; null: somebody else does.
};

/// One of the shapes that a weight is made of: the primary shape or an in-between.
struct SubShapeWeight {
  float weight = 0.0F;  ///< Of the sub-shape; for in-betweens a part of the weight of the shape.
  std::uint32_t shape = 0;      ///< Index of the blend shape.
  std::uint32_t sub_shape = 0;  ///< Index among all sub-shapes of the set.
};

/// Offsets of all sub-shapes for a shader that works on one point:
/// p += sum over k in ranges[p] of weight[int(offsets[k].w)] * offsets[k].xyz.
struct ShaderOffsets {
  std::vector<Vector4f> offsets;  ///< Offset, and the index of its sub-shape.
  std::vector<Vector2i> ranges;   ///< Per point: first and one past last entry of `offsets`.
};

/// The blend shapes of one mesh, in the order of its weights.
///
/// Immutable after construction; safe to share between threads.
class SINEW_API BlendShapeSet {
 public:
  BlendShapeSet() = default;

  /// Sorts the in-betweens of every shape by weight, together with the shape itself at weight 1 and
  /// nothing at weight 0. In-betweens at 0 or 1 (to within 1e-6) are left out, and under
  /// Rules::documented so is the later of two with one weight.
  /// @param ignored  If not null, gets the "shape.inbetween" names of those left out.
  explicit BlendShapeSet(std::vector<BlendShape> shapes, Rules rules = Rules::documented,
                         std::vector<std::string>* ignored = nullptr);

  /// As they were given, in-betweens included.
  std::span<const BlendShape> shapes() const noexcept { return shapes_; }
  /// Number of weights that sub_shape_weights() takes.
  std::size_t shape_count() const noexcept { return shapes_.size(); }
  /// Primary shapes, null shapes and in-betweens together.
  std::size_t sub_shape_count() const noexcept { return sub_shapes_.size(); }
  /// The offsets of one sub-shape, none for null shapes, and the points they move, empty for all.
  /// Precondition: index < sub_shape_count().
  struct Offsets {
    std::span<const Vector3f> offsets;            ///< As BlendShape::offsets.
    std::span<const Vector3f> normal_offsets;     ///< As BlendShape::normal_offsets.
    std::span<const std::int32_t> point_indices;  ///< As BlendShape::point_indices.
  };
  /// Those of a shape follow each other by weight, nothing at weight 0 and the shape itself
  /// included.
  Offsets sub_shape(std::size_t index) const;
  /// Whether any sub-shape moves points.
  bool has_offsets() const noexcept { return has_offsets_; }
  /// Whether any sub-shape changes normals.
  bool has_normal_offsets() const noexcept { return has_normal_offsets_; }

  /// Splits weights of shapes into weights of their sub-shapes: between two neighbouring
  /// in-betweens linearly, and beyond the outermost ones along the same line.
  ///
  /// @param weights  One per shape.
  /// @param result   Replaced; shape by shape, the lower neighbour first. At most
  ///                 2 * shape_count() entries.
  /// @return ok, or size_mismatch.
  /// @par Source  UsdSkel, blend shape in-betweens.
  Status sub_shape_weights(std::span<const float> weights,
                           std::vector<SubShapeWeight>& result) const;

  /// One weight per sub-shape, 0 where `weights` has none: what a shader takes with
  /// shader_offsets().
  /// @param result  sub_shape_count() entries, overwritten.
  /// @return ok, size_mismatch, or index_out_of_range for an entry of another set.
  Status flatten(std::span<const SubShapeWeight> weights, std::span<float> result) const;

  /// All offsets in one table, point by point; those of points that do not exist are left out.
  /// O(points + offsets), for load time.
  ShaderOffsets shader_offsets(std::size_t point_count) const;

  /// Adds weighted offsets to points, in the order of `weights`. Shapes without offsets and weights
  /// below 1e-6 do nothing.
  /// @return ok; size_mismatch if offsets fit neither the points nor the shape's indices; or
  ///         index_out_of_range, for points and for entries of another set. What came before a
  ///         failing shape stays applied.
  Status deform_points(std::span<const SubShapeWeight> weights, std::span<Vector3f> points) const;

  /// The same with the offsets of normals.
  Status add_normal_offsets(std::span<const SubShapeWeight> weights,
                            std::span<Vector3f> normals) const;

  /// add_normal_offsets(), then makes every normal unit length.
  Status deform_normals(std::span<const SubShapeWeight> weights, std::span<Vector3f> normals) const;

 private:
  Status check(std::span<const SubShapeWeight> weights) const;

  struct SubShape {
    float weight = 0.0F;
    bool is_null = false;
    std::span<const Vector3f> offsets;
    std::span<const Vector3f> normal_offsets;
  };
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t primary = 0;
  };

  std::vector<BlendShape> shapes_;
  std::vector<SubShape> sub_shapes_;
  std::vector<Range> ranges_;  // Of the sub-shapes of every shape.
  bool has_offsets_ = false;
  bool has_normal_offsets_ = false;
};

/// Adds `offsets[i] * weight` to `points[indices[i]]`, or to `points[i]` without indices. Repeated
/// indices add up. A weight below 1e-6 does nothing, whatever the other arguments.
/// Nothing is changed if it fails.
/// @return ok, size_mismatch, or index_out_of_range with the first offending position.
SINEW_API Status apply_blend_shape(float weight, std::span<const Vector3f> offsets,
                                   std::span<const std::int32_t> indices,
                                   std::span<Vector3f> points);

/// Makes every vector unit length; those shorter than 1e-10 are divided by that.
SINEW_API void normalize_vectors(std::span<Vector3f> vectors);

}  // namespace sinew::skel
