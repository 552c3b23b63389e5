// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.hpp"

namespace sinew::tool {

/// A view of a scene for drawing: parallel projection along a direction.
///
/// The picture's right, up and towards-the-viewer axes are unit vectors in scene space.
struct SvgView {
  Vector3f right = Vector3f(1, 0, 0);
  Vector3f up = Vector3f(0, 1, 0);

  /// Looking down slightly from the front right, with `up_axis` ("X", "Y" or "Z") upwards.
  static SvgView three_quarter(std::string_view up_axis);

  Vector2f project(const Vector3f& point) const { return {right.dot(point), up.dot(point)}; }
  /// Distance towards the viewer; larger is nearer.
  float depth(const Vector3f& point) const { return right.cross(up).dot(point); }
};

/// How something is drawn. Colours are CSS, e.g. "#336699"; an empty one draws nothing.
struct SvgStyle {
  std::string_view stroke = "#333333";
  std::string_view fill;
  float width = 1.0F;    ///< Line width in pixels.
  float opacity = 1.0F;  ///< 0 to 1.
};

/// Collects lines and shapes in scene space and writes them as one SVG picture, scaled to fit.
/// Drawn in the order in which they were added. Points that are not finite are left out.
class SvgPicture {
 public:
  explicit SvgPicture(SvgView view = {}) : view_(view) {}

  void add_line(const Vector3f& from, const Vector3f& to, const SvgStyle& style);
  /// Joins the points in order; `closed` joins the last to the first.
  void add_polyline(std::span<const Vector3f> points, bool closed, const SvgStyle& style);
  /// A disc of `radius` pixels.
  void add_dot(const Vector3f& point, float radius, const SvgStyle& style);
  /// All distinct edges of a mesh, far ones first and paler. Bad indices are left out.
  void add_wireframe(std::span<const Vector3f> points,
                     std::span<const std::int32_t> face_vertex_counts,
                     std::span<const std::int32_t> face_vertex_indices, const SvgStyle& style);
  void add_label(const Vector3f& point, std::string_view text, const SvgStyle& style);

  bool empty() const noexcept { return items_.empty(); }

  /// The picture; the longer side is `size` pixels. Deterministic.
  std::string write(int size = 720, std::string_view title = {}) const;

 private:
  struct Item {
    enum class Kind : std::uint8_t { polyline, polygon, dot, label };
    Kind kind = Kind::polyline;
    std::vector<Vector2f> points;
    std::string text;
    float radius = 0.0F;
    std::string stroke;
    std::string fill;
    float width = 1.0F;
    float opacity = 1.0F;
  };
  Item make_item(Item::Kind kind, const SvgStyle& style) const;

  SvgView view_;
  std::vector<Item> items_;
};

}  // namespace sinew::tool
