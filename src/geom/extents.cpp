// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/extents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

#include "core/format_text.hpp"
#include "geom/read_value.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::SchemaType;
using stage::Time;

constexpr float kLargest = std::numeric_limits<float>::max();

float narrow(double x) noexcept {
  constexpr auto kLimit = static_cast<double>(kLargest);
  return static_cast<float>(std::clamp(x, -kLimit, kLimit));
}

// Growing may have left the range of float.
Range3f limited(Range3f range) {
  range.min = range.min.cwiseMax(-kLargest);
  range.max = range.max.cwiseMin(kLargest);
  return range;
}

Range3f around(const Vector3d& half) {
  const Vector3f h(narrow(std::abs(half.x())), narrow(std::abs(half.y())),
                   narrow(std::abs(half.z())));
  return {-h, h};
}

// Half sizes along an axis and across it.
Range3f around_axis(Axis axis, double along, double across) {
  Vector3d half = Vector3d::Constant(across);
  half[static_cast<int>(axis)] = along;
  return around(half);
}

struct ShapeExtent {
  Range3f operator()(const Sphere& s) const { return around(Vector3d::Constant(s.radius)); }
  Range3f operator()(const Cube& s) const { return around(Vector3d::Constant(0.5 * s.size)); }
  Range3f operator()(const Cylinder& s) const {
    return around_axis(s.axis, 0.5 * s.height, widest(s.radius_top, s.radius_bottom));
  }
  Range3f operator()(const Capsule& s) const {
    const double radius = widest(s.radius_top, s.radius_bottom);
    return around_axis(s.axis, 0.5 * std::abs(s.height) + radius, radius);
  }
  Range3f operator()(const Cone& s) const { return around_axis(s.axis, 0.5 * s.height, s.radius); }
  Range3f operator()(const Plane& s) const {
    const double w = 0.5 * s.width;
    const double l = 0.5 * s.length;
    if (s.axis == Axis::x) return around({0.0, l, w});
    if (s.axis == Axis::y) return around({w, 0.0, l});
    return around({w, l, 0.0});
  }
  static double widest(double a, double b) { return std::max(std::abs(a), std::abs(b)); }
};

bool is_finite(const Vector3f& p) noexcept {
  return std::isfinite(p.x()) && std::isfinite(p.y()) && std::isfinite(p.z());
}

template <typename T>
stage::ArrayValue<T> array(const Prim& prim, std::string_view name, Time time) {
  const stage::Attribute attribute = prim.attribute(name);
  return attribute ? attribute.get_array<T>(time).value_or(stage::ArrayValue<T>())
                   : stage::ArrayValue<T>();
}

enum class Authored : std::uint8_t { no, at_other_times, yes };

// The authored extent. `authored` says whether there is one, valid or not.
std::optional<Range3f> authored_extent(const Prim& prim, Time time, Diagnostics* diagnostics,
                                       Authored& authored) {
  const stage::Attribute attribute = prim.attribute("extent");
  const layer::Value value = read_value(attribute, time, stage::ValueTypes::array_of<Vector3f>());
  authored = Authored::no;
  if (!value.has_value() && attribute && time.is_default() && attribute.has_authored_value()) {
    authored = Authored::at_other_times;
  }
  if (!value.has_value() || value.is_block()) return std::nullopt;
  authored = Authored::yes;
  const std::span<const Vector3f> corners = value.as_array<Vector3f>();
  if (corners.size() == 2 && is_finite(corners[0]) && is_finite(corners[1])) {
    return Range3f{corners[0], corners[1]};
  }
  if (diagnostics != nullptr) {
    stage::Reporter(prim, diagnostics)
        .add(Severity::warning, "geom-extent-invalid", attribute,
             corners.size() == 2
                 ? "The extent has numbers that are not finite; it is ignored."
                 : format_text("The extent is a {} of {} elements instead of a float3[] "
                               "of two; it is ignored.",
                               stage::told_type(attribute, value), value.size()));
  }
  return std::nullopt;
}

}  // namespace

Range3f shape_extent(const Shape& shape) {
  return std::visit(ShapeExtent{}, shape);
}

Range3f points_extent(std::span<const Vector3f> points) {
  Range3f range;
  for (const Vector3f& point : points) {
    if (is_finite(point)) range.add(point);
  }
  return range;
}

Range3f points_extent(std::span<const Vector3f> points, const Matrix4d& transform) {
  Range3f range;
  for (const Vector3f& point : points) {
    const Vector3d moved =
        transform.topLeftCorner<3, 3>() * point.cast<double>() + transform.topRightCorner<3, 1>();
    if (!std::isfinite(moved.sum())) continue;
    range.add(Vector3f(narrow(moved.x()), narrow(moved.y()), narrow(moved.z())));
  }
  return range;
}

Result<Range3f> points_extent(std::span<const Vector3f> points, std::span<const float> widths) {
  if (widths.empty()) return points_extent(points);
  if (widths.size() != points.size()) {
    return {ErrorCode::size_mismatch,
            format_text("there are {} widths for {} points", widths.size(), points.size())};
  }
  Range3f range;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) continue;
    const float half = std::isfinite(widths[i]) ? 0.5F * std::abs(widths[i]) : 0.0F;
    range.add(Vector3f(points[i].array() - half));
    range.add(Vector3f(points[i].array() + half));
  }
  return limited(range);
}

Range3f curves_extent(std::span<const Vector3f> points, std::span<const float> widths) {
  Range3f range = points_extent(points);
  if (range.empty()) return range;
  float widest = 0.0F;
  for (const float width : widths) {
    if (std::isfinite(width)) widest = std::max(widest, width);
  }
  range.min.array() -= 0.5F * widest;
  range.max.array() += 0.5F * widest;
  return limited(range);
}

Range3f moved_range(const Range3f& range, const Matrix4d& transform) {
  if (range.empty()) return range;
  std::array<Vector3f, 8> corners;
  for (unsigned corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool high = ((corner >> axis) & 1U) != 0;
      corners[corner][axis] = high ? range.max[axis] : range.min[axis];
    }
  }
  return points_extent(corners, transform);
}

std::optional<Range3f> fallback_extent(SchemaType type) {
  switch (type) {
    case SchemaType::sphere:
      return shape_extent(Sphere());
    case SchemaType::cube:
      return shape_extent(Cube());
    case SchemaType::cylinder:
    case SchemaType::cylinder_1:
      return shape_extent(Cylinder());
    case SchemaType::capsule:
    case SchemaType::capsule_1:
      return shape_extent(Capsule());
    case SchemaType::cone:
      return shape_extent(Cone());
    case SchemaType::plane:
      return shape_extent(Plane());
    default:
      return std::nullopt;
  }
}

std::optional<Range3f> read_extent(const Prim& prim, Time time, Diagnostics* diagnostics) {
  Authored authored = Authored::no;
  const std::optional<Range3f> found = authored_extent(prim, time, diagnostics, authored);
  return authored == Authored::yes ? found : fallback_extent(prim.schema_type());
}

std::optional<Range3f> compute_extent(const Prim& prim, std::span<const Vector3f> points, Time time,
                                      Diagnostics* diagnostics) {
  if (!prim.is_a(SchemaType::point_based)) return std::nullopt;
  if (prim.is_a(SchemaType::curves)) {
    return curves_extent(points, array<float>(prim, "widths", time).span());
  }
  if (!prim.is_a(SchemaType::points)) return points_extent(points);
  const Result<Range3f> balls = points_extent(points, array<float>(prim, "widths", time).span());
  if (balls) return *balls;
  if (diagnostics != nullptr) {
    stage::Reporter(prim, diagnostics)
        .add(Severity::warning, "geom-extent-widths", prim,
             format_text("No extent can be computed: {}.", balls.error().message));
  }
  return std::nullopt;
}

std::optional<Range3f> compute_extent(const Prim& prim, Time time, Diagnostics* diagnostics) {
  if (const std::optional<Shape> shape = read_shape(prim, time, diagnostics)) {
    return shape_extent(*shape);
  }
  if (!prim.is_a(SchemaType::point_based)) return std::nullopt;
  const stage::Attribute attribute = prim.attribute("points");
  const auto points = attribute ? attribute.get_array<Vector3f>(time) : std::nullopt;
  if (!points) return std::nullopt;
  return compute_extent(prim, points->span(), time, diagnostics);
}

std::optional<Range3f> extent(const Prim& prim, Time time, Diagnostics* diagnostics) {
  if (!prim.is_a(SchemaType::boundable)) return std::nullopt;
  Authored authored = Authored::no;
  if (auto found = authored_extent(prim, time, diagnostics, authored)) return found;
  // OpenUSD computes nothing where an extent is animated: at the default time it has the fallback.
  if (authored == Authored::at_other_times) {
    if (auto fallback = fallback_extent(prim.schema_type())) return fallback;
  }
  // Whatever has a fallback can be computed.
  return compute_extent(prim, time, diagnostics);
}

}  // namespace sinew::geom
