// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

// Extents are boxes in the space of their prim, in stage units. Numbers that are not finite never
// get into one: points with such a coordinate are left out, sizes beyond the range of float end at
// its limits.

/// The box around a shape. Negative sizes count by their magnitude.
SINEW_API Range3f shape_extent(const Shape& shape);

/// The box around points; empty if there are none.
SINEW_API Range3f points_extent(std::span<const Vector3f> points);

/// The box around points that a transform has moved: tighter than moving their box.
SINEW_API Range3f points_extent(std::span<const Vector3f> points, const Matrix4d& transform);

/// The box around balls: each point grown by half its width.
/// @param widths  One for each point, or none: plain points.
/// @return The box; size_mismatch if the numbers differ.
/// @par Source  UsdGeomPoints::ComputeExtent.
SINEW_API Result<Range3f> points_extent(std::span<const Vector3f> points,
                                        std::span<const float> widths);

/// The box around the control points of curves, grown by half the largest width.
/// @par Source  UsdGeomCurves::ComputeExtent.
SINEW_API Range3f curves_extent(std::span<const Vector3f> points, std::span<const float> widths);

/// The axis-aligned box around a box that a transform has moved; empty stays empty.
SINEW_API Range3f moved_range(const Range3f& range, const Matrix4d& transform);

/// The fallback of the attribute `extent` of a type: of the shapes that have one.
SINEW_API std::optional<Range3f> fallback_extent(stage::SchemaType type);

/// What the attribute `extent` says: as authored, or the fallback of the type.
///
/// An authored one must be float3[] of two elements, all finite; any other is reported as
/// "geom-extent-invalid", and the answer is nothing. Where min is above max the box is empty.
SINEW_API std::optional<Range3f> read_extent(const stage::Prim& prim, stage::Time time = {},
                                             Diagnostics* diagnostics = nullptr);

/// The extent that the geometry has, whatever is authored: of shapes and of everything point-based.
/// Control points stand for curves, patches and subdivided surfaces.
///
/// @return Nothing for other types, for point-based prims whose points have no value, and, reported
///         as "geom-extent-widths", for Points with another number of widths than points.
/// @par Cost    O(points); allocates nothing.
/// @par Source  UsdGeomBoundable::ComputeExtentFromPlugins.
SINEW_API std::optional<Range3f> compute_extent(const stage::Prim& prim, stage::Time time = {},
                                                Diagnostics* diagnostics = nullptr);

/// The extent that a point-based prim has with other points than its own, e.g. deformed ones. The
/// widths of Points and curves count as in compute_extent().
SINEW_API std::optional<Range3f> compute_extent(const stage::Prim& prim,
                                                std::span<const Vector3f> points,
                                                stage::Time time = {},
                                                Diagnostics* diagnostics = nullptr);

/// The extent to use for a Boundable prim: the authored one if it is valid, else the computed one.
/// A shape whose extent has samples but no default has the fallback at the default time.
/// @return Nothing if there is neither: e.g. SkelRoot (see skel::skel_root_extent()),
///         PointInstancer without an authored extent (see BoundsCache), and lights; and for prims
///         that are not Boundable.
/// @par Source  UsdGeomBoundable::ComputeExtent.
SINEW_API std::optional<Range3f> extent(const stage::Prim& prim, stage::Time time = {},
                                        Diagnostics* diagnostics = nullptr);

}  // namespace sinew::geom
