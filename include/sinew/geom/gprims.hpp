// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "sinew/core/axis.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

// The shapes of UsdGeom, centred at the origin of their prim, in stage units. The initial values
// are the schema's fallbacks.

/// Sphere.
struct Sphere {
  double radius = 1.0;  ///< Stage units, in the space of the prim.
};

/// Cube: its edges are this long.
struct Cube {
  double size = 2.0;  ///< Of an edge, not half of it.
};

/// Cylinder, and Cylinder_1 with a radius for each end; of a Cylinder both radii are `radius`.
struct Cylinder {
  double height = 2.0;         ///< From end to end.
  double radius_top = 1.0;     ///< At the positive end of the axis.
  double radius_bottom = 1.0;  ///< At the negative end of the axis.
  Axis axis = Axis::z;         ///< From the bottom to the top.
};

/// Capsule, and Capsule_1 with a radius for each end; of a Capsule both radii are `radius`.
struct Capsule {
  double height = 1.0;         ///< Between the centres of the caps.
  double radius_top = 0.5;     ///< Of the cap at the positive end of the axis.
  double radius_bottom = 0.5;  ///< Of the cap at the negative end.
  Axis axis = Axis::z;         ///< Along which the centres of the caps lie.
};

/// Cone: the tip is at the positive end of the axis.
struct Cone {
  double height = 2.0;  ///< From the base to the tip.
  double radius = 1.0;  ///< Of the base.
  Axis axis = Axis::z;  ///< From the base to the tip.
};

/// Plane: a rectangle across the axis. Its width lies along x (along z if the axis is x), its
/// length along y (along z if the axis is y).
struct Plane {
  double width = 2.0;        ///< First edge of the rectangle.
  double length = 2.0;       ///< Second edge.
  Axis axis = Axis::z;       ///< The normal.
  bool double_sided = true;  ///< (doubleSided) Whether its back is seen too.
};

/// Whatever read_shape() reads.
using Shape = std::variant<Sphere, Cube, Cylinder, Capsule, Cone, Plane>;

/// The shape of a prim at a time, by its type.
///
/// What is not authored has the schema's fallback. So has what cannot be used (another type of
/// value, a number that is not finite, an axis other than X, Y or Z), which is reported as
/// "geom-shape-value". Numbers of another precision are converted under Rules::documented, which is
/// reported too. Negative sizes are kept.
/// @return Nothing for other types.
/// @par Source  UsdGeomSphere, Cube, Cylinder, Cylinder_1, Capsule, Capsule_1, Cone, Plane.
SINEW_API std::optional<Shape> read_shape(const stage::Prim& prim, stage::Time time = {},
                                          Diagnostics* diagnostics = nullptr);

}  // namespace sinew::geom
