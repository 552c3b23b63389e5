// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/gprims.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "geom/read_value.hpp"
#include "sinew/stage/schema.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::SchemaType;

// Reads the attributes of one prim.
class ShapeReader {
 public:
  ShapeReader(const Prim& prim, stage::Time time, Diagnostics* diagnostics)
      : prim_(prim), time_(time), diagnostics_(diagnostics) {}

  double number(std::string_view name, double fallback) const {
    const layer::Value value = value_of(name, kNumber);
    if (!value.has_value()) return fallback;
    std::optional<double> found = value.get<double>();
    if (const auto single = value.get<float>()) found = static_cast<double>(*single);
    if (found && std::isfinite(*found)) return *found;
    complain(name, "is no finite number");
    return fallback;
  }

  Axis axis() const {
    const layer::Value value = value_of("axis", stage::ValueTypes::scalar_of<Token>());
    if (!value.has_value()) return Axis::z;
    const std::string_view text = value.text().value_or("");
    if (text == "X") return Axis::x;
    if (text == "Y") return Axis::y;
    if (text != "Z") complain("axis", "is none of X, Y and Z");
    return Axis::z;
  }

  bool flag(std::string_view name, bool fallback) const {
    const layer::Value value = value_of(name, stage::ValueTypes::scalar_of<bool>());
    if (value.has_value() && !value.get<bool>()) complain(name, "is no bool");
    return value.get<bool>().value_or(fallback);
  }

 private:
  static constexpr stage::ValueTypes kNumber =
      stage::ValueTypes::scalar_of<double>() | stage::ValueTypes::scalar_of<float>();

  layer::Value value_of(std::string_view name, stage::ValueTypes wanted) const {
    return read_value(prim_.attribute(name), time_, wanted);
  }
  void complain(std::string_view name, std::string_view what) const {
    if (diagnostics_ == nullptr) return;
    stage::Reporter(prim_.stage(), diagnostics_)
        .add(Severity::warning, "geom-shape-value", prim_.attribute(name),
             fmt::format("{} {}; the fallback of the schema is used", name, what));
  }

  const Prim& prim_;
  stage::Time time_;
  Diagnostics* diagnostics_;
};

// Both kinds of cylinders and of capsules: one radius for both ends, or one each.
template <typename Round>
Shape read_round(const ShapeReader& read, bool two_radii) {
  Round shape;
  shape.height = read.number("height", shape.height);
  shape.radius_top = read.number(two_radii ? "radiusTop" : "radius", shape.radius_top);
  shape.radius_bottom =
      two_radii ? read.number("radiusBottom", shape.radius_bottom) : shape.radius_top;
  shape.axis = read.axis();
  return shape;
}

}  // namespace

std::optional<Shape> read_shape(const Prim& prim, stage::Time time, Diagnostics* diagnostics) {
  const ShapeReader read(prim, time, diagnostics);
  switch (prim.schema_type()) {
    case SchemaType::sphere:
      return Sphere{read.number("radius", Sphere().radius)};
    case SchemaType::cube:
      return Cube{read.number("size", Cube().size)};
    case SchemaType::cylinder:
      return read_round<Cylinder>(read, false);
    case SchemaType::cylinder_1:
      return read_round<Cylinder>(read, true);
    case SchemaType::capsule:
      return read_round<Capsule>(read, false);
    case SchemaType::capsule_1:
      return read_round<Capsule>(read, true);
    case SchemaType::cone:
      return Cone{read.number("height", Cone().height), read.number("radius", Cone().radius),
                  read.axis()};
    case SchemaType::plane:
      return Plane{read.number("width", Plane().width), read.number("length", Plane().length),
                   read.axis(), read.flag("doubleSided", true)};
    default:
      return std::nullopt;
  }
}

}  // namespace sinew::geom
