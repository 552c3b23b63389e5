// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sinew/geom/gprims.hpp"
#include "sinew/stage/schema.hpp"

namespace sinew::geom {

/// The attributes that say what a shape is like.
enum class ShapeAttribute : std::uint8_t {
  axis,
  double_sided,
  height,
  length,
  radius,
  radius_bottom,
  radius_top,
  size,
  width,
};

constexpr std::string_view to_string(ShapeAttribute attribute) noexcept {
  constexpr std::string_view kNames[] = {"axis",      "doubleSided", "height",
                                         "length",    "radius",      "radiusBottom",
                                         "radiusTop", "size",        "width"};
  return kNames[static_cast<std::uint8_t>(attribute)];
}

namespace shape_attributes {

// Both kinds of cylinders and of capsules: one radius for both ends, or one each.
template <typename Round, typename Read>
Round round(Read& read, bool two_radii) {
  using A = ShapeAttribute;
  Round shape;
  shape.axis = read.axis(shape.axis);
  shape.height = read.number(A::height, shape.height);
  shape.radius_top = read.number(two_radii ? A::radius_top : A::radius, shape.radius_top);
  shape.radius_bottom =
      two_radii ? read.number(A::radius_bottom, shape.radius_bottom) : shape.radius_top;
  return shape;
}

template <typename Read>
Cone cone(Read& read) {
  Cone shape;
  shape.axis = read.axis(shape.axis);
  shape.height = read.number(ShapeAttribute::height, shape.height);
  shape.radius = read.number(ShapeAttribute::radius, shape.radius);
  return shape;
}

template <typename Read>
Plane plane(Read& read) {
  Plane shape;
  shape.axis = read.axis(shape.axis);
  shape.width = read.number(ShapeAttribute::width, shape.width);
  shape.length = read.number(ShapeAttribute::length, shape.length);
  shape.double_sided = read.flag(ShapeAttribute::double_sided, shape.double_sided);
  return shape;
}

}  // namespace shape_attributes

/// The shape of a schema type: which attributes it has, and what holds where one is not authored.
/// How a value is read, and what becomes of one that cannot be used, is the business of `read`:
///
///     double number(ShapeAttribute attribute, double fallback);
///     bool flag(ShapeAttribute attribute, bool fallback);
///     Axis axis(Axis fallback);
///
/// @return Nothing for other types.
template <typename Read>
std::optional<Shape> shape_of(stage::SchemaType type, Read&& read) {
  using stage::SchemaType;
  switch (type) {
    case SchemaType::sphere:
      return Sphere{read.number(ShapeAttribute::radius, Sphere().radius)};
    case SchemaType::cube:
      return Cube{read.number(ShapeAttribute::size, Cube().size)};
    case SchemaType::cylinder:
    case SchemaType::cylinder_1:
      return shape_attributes::round<Cylinder>(read, type == SchemaType::cylinder_1);
    case SchemaType::capsule:
    case SchemaType::capsule_1:
      return shape_attributes::round<Capsule>(read, type == SchemaType::capsule_1);
    case SchemaType::cone:
      return shape_attributes::cone(read);
    case SchemaType::plane:
      return shape_attributes::plane(read);
    default:
      return std::nullopt;
  }
}

}  // namespace sinew::geom
