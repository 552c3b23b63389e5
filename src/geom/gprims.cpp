// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/gprims.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "core/format_text.hpp"
#include "geom/shared/shape_attributes.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

constexpr std::string_view kCode = "geom-shape-value";

// Reads the attributes of one prim: what cannot be used leaves the schema's fallback.
class ShapeReader {
 public:
  ShapeReader(const stage::Prim& prim, stage::Time time, Diagnostics* diagnostics)
      : prim_(prim), time_(time), reporter_(prim, diagnostics) {}

  double number(ShapeAttribute attribute, double fallback) {
    const std::optional<double> found = read<double>(attribute);
    if (!found || std::isfinite(*found)) return found.value_or(fallback);
    complain(attribute, "is not a finite number");
    return fallback;
  }

  Axis axis(Axis fallback) {
    const stage::Attribute attribute = prim_.attribute(to_string(ShapeAttribute::axis));
    const std::optional<std::string> text = values_.token(attribute, time_);
    if (!text) return fallback;
    const std::optional<Axis> axis = parse_axis(*text);
    if (!axis) complain(ShapeAttribute::axis, "is not X, Y or Z");
    return axis.value_or(fallback);
  }

  bool flag(ShapeAttribute attribute, bool fallback) {
    return read<bool>(attribute).value_or(fallback);
  }

 private:
  template <typename T>
  std::optional<T> read(ShapeAttribute attribute) const {
    return values_.scalar<T>(prim_.attribute(to_string(attribute)), time_);
  }
  void complain(ShapeAttribute attribute, std::string_view what) {
    const std::string_view name = to_string(attribute);
    reporter_.add(
        Severity::warning, kCode, prim_.attribute(name),
        format_text("The value of {} {}; the fallback of the schema is used.", name, what));
  }

  const stage::Prim& prim_;
  stage::Time time_;
  stage::Reporter reporter_;
  stage::TypedReader values_{reporter_, kCode};
};

}  // namespace

std::optional<Shape> read_shape(const stage::Prim& prim, stage::Time time,
                                Diagnostics* diagnostics) {
  return shape_of(prim.schema_type(), ShapeReader(prim, time, diagnostics));
}

}  // namespace sinew::geom
