// SPDX-License-Identifier: Apache-2.0
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

#include "sinew/core/one_line.hpp"

namespace sinew::tool {

namespace {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : one_line(text)) {  // XML has no control characters.
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
}

// Distinct undirected edges in the order of their first point, so that output is repeatable.
std::vector<std::pair<std::int32_t, std::int32_t>> edges_of(std::size_t point_count,
                                                            std::span<const std::int32_t> counts,
                                                            std::span<const std::int32_t> indices) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  std::size_t first = 0;
  for (const std::int32_t count : counts) {
    if (count < 0 || static_cast<std::size_t>(count) > indices.size() - first) break;
    const auto corners = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < corners; ++i) {
      const std::int32_t a = indices[first + i];
      const std::int32_t b = indices[first + (i + 1) % corners];
      const auto in_range = [&](std::int32_t index) {
        return index >= 0 && static_cast<std::size_t>(index) < point_count;
      };
      if (a != b && in_range(a) && in_range(b)) edges.emplace_back(std::minmax(a, b));
    }
    first += corners;
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

SvgView SvgView::three_quarter(std::string_view up_axis) {
  // Turned 30 degrees about the vertical and tilted 20 degrees down.
  Vector3f up(0, 1, 0);
  Vector3f side(1, 0, 0);
  if (up_axis == "Z" || up_axis == "z") up = Vector3f(0, 0, 1);
  if (up_axis == "X" || up_axis == "x") {
    up = Vector3f(1, 0, 0);
    side = Vector3f(0, 1, 0);
  }
  const Vector3f front = side.cross(up);
  constexpr float turn = 0.5235988F;
  constexpr float tilt = 0.3490659F;
  SvgView view;
  view.right = std::cos(turn) * side - std::sin(turn) * front;
  const Vector3f horizontal = std::cos(turn) * front + std::sin(turn) * side;
  view.up = std::cos(tilt) * up - std::sin(tilt) * horizontal;
  return view;
}

SvgPicture::Item SvgPicture::make_item(Item::Kind kind, const SvgStyle& style) const {
  Item item;
  item.kind = kind;
  item.stroke = style.stroke;
  item.fill = style.fill;
  item.width = style.width;
  item.opacity = style.opacity;
  return item;
}

void SvgPicture::add_line(const Vector3f& from, const Vector3f& to, const SvgStyle& style) {
  const Vector3f points[] = {from, to};
  add_polyline(points, false, style);
}

void SvgPicture::add_polyline(std::span<const Vector3f> points, bool closed,
                              const SvgStyle& style) {
  Item item = make_item(closed ? Item::Kind::polygon : Item::Kind::polyline, style);
  for (const Vector3f& point : points) {
    if (point.allFinite()) item.points.push_back(view_.project(point));
  }
  if (item.points.size() >= 2) items_.push_back(std::move(item));
}

void SvgPicture::add_dot(const Vector3f& point, float radius, const SvgStyle& style) {
  if (!point.allFinite()) return;
  Item item = make_item(Item::Kind::dot, style);
  item.points.push_back(view_.project(point));
  item.radius = radius;
  items_.push_back(std::move(item));
}

void SvgPicture::add_label(const Vector3f& point, std::string_view text, const SvgStyle& style) {
  if (!point.allFinite()) return;
  Item item = make_item(Item::Kind::label, style);
  item.points.push_back(view_.project(point));
  item.text = text;
  items_.push_back(std::move(item));
}

void SvgPicture::add_wireframe(std::span<const Vector3f> points,
                               std::span<const std::int32_t> face_vertex_counts,
                               std::span<const std::int32_t> face_vertex_indices,
                               const SvgStyle& style) {
  struct Edge {
    float depth;
    std::int32_t a;
    std::int32_t b;
  };
  std::vector<Edge> sorted;
  float nearest = -std::numeric_limits<float>::max();
  float farthest = std::numeric_limits<float>::max();
  for (const auto& [a, b] : edges_of(points.size(), face_vertex_counts, face_vertex_indices)) {
    const Vector3f& pa = points[static_cast<std::size_t>(a)];
    const Vector3f& pb = points[static_cast<std::size_t>(b)];
    if (!pa.allFinite() || !pb.allFinite()) continue;
    const float depth = view_.depth(0.5F * (pa + pb));
    nearest = std::max(nearest, depth);
    farthest = std::min(farthest, depth);
    sorted.push_back({depth, a, b});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Edge& x, const Edge& y) { return x.depth < y.depth; });
  const float range = std::max(nearest - farthest, 1e-20F);
  for (const Edge& edge : sorted) {
    // A few steps are enough for the eye, and let neighbours share one path.
    const float step = std::round(4.0F * (edge.depth - farthest) / range) / 4.0F;
    SvgStyle faded = style;
    faded.opacity = style.opacity * (0.35F + 0.65F * step);
    add_line(points[static_cast<std::size_t>(edge.a)], points[static_cast<std::size_t>(edge.b)],
             faded);
  }
}

std::string SvgPicture::write(int size, std::string_view title) const {
  Vector2f low = Vector2f::Constant(std::numeric_limits<float>::max());
  Vector2f high = -low;
  for (const Item& item : items_) {
    for (const Vector2f& point : item.points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
  }
  if (items_.empty()) low = high = Vector2f::Zero();
  const float margin = 16.0F;
  const Vector2f extent = high - low;
  const float longest = std::max({extent.x(), extent.y(), 1e-20F});
  const float scale = (static_cast<float>(size) - 2.0F * margin) / longest;
  const float width = extent.x() * scale + 2.0F * margin;
  const float height = extent.y() * scale + 2.0F * margin;
  const auto place = [&](const Vector2f& p) {
    return Vector2f((p.x() - low.x()) * scale + margin, (high.y() - p.y()) * scale + margin);
  };

  std::string out;
  const auto append = [&](auto format, const auto&... arguments) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(format), arguments...);
  };
  append(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\">\n",
      width, height, width, height);
  if (!title.empty()) {
    out += "<title>";
    append_escaped(out, title);
    out += "</title>\n";
  }
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  const auto is_line = [](const Item& item) {
    return item.kind == Item::Kind::polyline && item.points.size() == 2 && item.fill.empty();
  };
  const auto same_style = [](const Item& a, const Item& b) {
    return a.stroke == b.stroke && a.width == b.width && a.opacity == b.opacity;
  };
  for (std::size_t n = 0; n < items_.size(); ++n) {
    const Item& item = items_[n];
    const Vector2f first = place(item.points.front());
    if (is_line(item)) {
      // Lines of one style follow one another as one path.
      out += "<path d=\"";
      for (;; ++n) {
        const Vector2f a = place(items_[n].points[0]);
        const Vector2f b = place(items_[n].points[1]);
        append("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x(), a.y(), b.x(), b.y());
        const bool more =
            n + 1 < items_.size() && is_line(items_[n + 1]) && same_style(item, items_[n + 1]);
        if (!more) break;
      }
      out += '"';
    } else if (item.kind == Item::Kind::dot) {
      append("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"", first.x(), first.y(), item.radius);
    } else if (item.kind == Item::Kind::label) {
      append("<text x=\"{:.2f}\" y=\"{:.2f}\" font-family=\"sans-serif\" font-size=\"11\"",
             first.x(), first.y());
    } else {
      out += item.kind == Item::Kind::polygon ? "<polygon points=\"" : "<polyline points=\"";
      for (std::size_t i = 0; i < item.points.size(); ++i) {
        const Vector2f p = place(item.points[i]);
        append("{}{:.2f},{:.2f}", i == 0 ? "" : " ", p.x(), p.y());
      }
      out += '"';
    }
    append(" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\"",
           item.fill.empty() ? "none" : item.fill, item.stroke.empty() ? "none" : item.stroke,
           item.width);
    if (item.opacity < 1.0F) append(" opacity=\"{:.2f}\"", item.opacity);
    if (item.kind == Item::Kind::label) {
      out += '>';
      append_escaped(out, item.text);
      out += "</text>\n";
    } else {
      out += "/>\n";
    }
  }
  out += "</svg>\n";
  return out;
}

}  // namespace sinew::tool
