// SPDX-License-Identifier: Apache-2.0
#include "geom/ear_clipper.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::geom {
namespace {

// So many corners are looked at for each corner of a polygon, at most: a bound for those that are
// made to be slow. Polygons of up to some hundred corners cannot reach it.
constexpr std::size_t kStepsPerCorner = 2048;
constexpr std::uint32_t kLargestSide = 1024;

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace

// Twice the area of a triangle; positive if it turns left.
double EarClipper::turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  return cross(polygon_[b] - polygon_[a], polygon_[c] - polygon_[b]);
}

// Whether a corner is no further from the longer of its sides than the tolerance.
bool EarClipper::is_flat(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  const Vector2d in = polygon_[b] - polygon_[a];
  const Vector2d out = polygon_[c] - polygon_[b];
  const double area = cross(in, out);
  return area * area <= tolerance_ * tolerance_ * std::max(in.squaredNorm(), out.squaredNorm());
}

// Flat corners count as reflex: they must not end up on the side of an ear.
bool EarClipper::is_reflex(std::uint32_t corner) const {
  const Corner& c = corners_[corner];
  return turn(c.previous, corner, c.next) <= 0.0 || is_flat(c.previous, corner, c.next);
}

bool EarClipper::clip(std::span<const Vector2d> polygon, double tolerance, std::uint32_t* out) {
  polygon_ = polygon;
  tolerance_ = tolerance;
  out_ = out;
  start();
  while (left_ > 3) {
    clip_ears();
    if (left_ > 3) lower_demand();
  }
  while (corners_[last_].clipped) last_ = corners_[last_].next;
  remove(last_);
  return sound_;
}

void EarClipper::start() {
  const auto n = static_cast<std::uint32_t>(polygon_.size());
  left_ = n;
  round_ = 0;
  sound_ = true;
  budget_ = kStepsPerCorner * polygon_.size();
  demand_ = Demand::proper;
  last_ = 0;
  corners_.resize(n);
  candidates_.resize(n);
  next_candidates_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    corners_[i] = {i == 0 ? n - 1 : i - 1, i + 1 == n ? 0 : i + 1, 0, false, false};
    candidates_[i] = i;
  }
  for (std::uint32_t i = 0; i < n; ++i) corners_[i].reflex = is_reflex(i);
  index_reflex_corners();
}

std::uint32_t EarClipper::cell(double offset, double scale) const {
  const double place = offset * scale;
  if (!(place > 0.0)) return 0;
  return place < static_cast<double>(side_) ? static_cast<std::uint32_t>(place) : side_ - 1;
}

void EarClipper::index_reflex_corners() {
  std::size_t count = 0;
  Vector2d min = polygon_[0];
  Vector2d max = polygon_[0];
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    if (!corners_[i].reflex) continue;
    ++count;
    min = min.cwiseMin(polygon_[i]);
    max = max.cwiseMax(polygon_[i]);
  }
  // About two corners to a cell.
  side_ = std::clamp(static_cast<std::uint32_t>(std::sqrt(static_cast<double>(count) / 2.0)), 1U,
                     kLargestSide);
  origin_ = min;
  for (int axis = 0; axis < 2; ++axis) {
    const double scale = static_cast<double>(side_) / (max[axis] - min[axis]);
    scale_[axis] = std::isfinite(scale) ? scale : 0.0;
  }
  const auto cell_of = [&](std::uint32_t corner) {
    const Vector2d offset = polygon_[corner] - origin_;
    return cell(offset.y(), scale_.y()) * side_ + cell(offset.x(), scale_.x());
  };
  cell_begins_.assign(std::size_t{side_} * side_ + 1, 0);
  const auto n = static_cast<std::uint32_t>(polygon_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    if (corners_[i].reflex) ++cell_begins_[cell_of(i) + 1];
  }
  for (std::size_t i = 1; i < cell_begins_.size(); ++i) cell_begins_[i] += cell_begins_[i - 1];
  cell_ends_.assign(cell_begins_.begin(), cell_begins_.end() - 1);
  entries_.resize(count);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (corners_[i].reflex) entries_[cell_ends_[cell_of(i)]++] = i;
  }
}

// Whether a corner keeps a triangle from being an ear, because it is inside it.
bool EarClipper::lies_in_ear(std::uint32_t corner, std::uint32_t ear) const {
  const Vector2d& p = polygon_[corner];
  const Vector2d& a = polygon_[corners_[ear].previous];
  const Vector2d& b = polygon_[ear];
  const Vector2d& c = polygon_[corners_[ear].next];
  if (p == b) {
    // The outline passes here twice; the second time it must not run into the ear.
    for (const std::uint32_t i : {corners_[corner].previous, corners_[corner].next}) {
      const Vector2d& q = polygon_[i];
      if (cross(b - a, q - b) > 0.0 && cross(c - b, q - b) > 0.0) return true;
    }
    return false;
  }
  // What runs into the ear from one of its other corners has a corner of its own in it.
  if (p == a || p == c) return false;
  const auto inside = [&](const Vector2d& from, const Vector2d& to) {
    const Vector2d side = to - from;
    const double area = cross(side, p - from);
    if (area > 0.0) return true;
    if (demand_ == Demand::closed) return area == 0.0;
    return demand_ == Demand::proper && area * area <= tolerance_ * tolerance_ * side.squaredNorm();
  };
  return inside(a, b) && inside(b, c) && inside(c, a);
}

bool EarClipper::holds_reflex_corner(std::uint32_t ear) {
  const std::uint32_t before = corners_[ear].previous;
  const std::uint32_t after = corners_[ear].next;
  const Vector2d& a = polygon_[before];
  const Vector2d& b = polygon_[ear];
  const Vector2d& c = polygon_[after];
  Vector2d min = a.cwiseMin(b).cwiseMin(c);
  Vector2d max = a.cwiseMax(b).cwiseMax(c);
  const Vector2d margin = Vector2d::Constant(tolerance_);
  min -= margin + origin_;
  max += margin - origin_;
  const std::uint32_t last_x = cell(max.x(), scale_.x());
  const std::uint32_t last_y = cell(max.y(), scale_.y());
  for (std::uint32_t y = cell(min.y(), scale_.y()); y <= last_y; ++y) {
    for (std::uint32_t x = cell(min.x(), scale_.x()); x <= last_x; ++x) {
      const std::size_t index = std::size_t{y} * side_ + x;
      std::uint32_t i = cell_begins_[index];
      budget_ -= std::min<std::size_t>(budget_, cell_ends_[index] - i + 1);
      while (i < cell_ends_[index]) {
        const std::uint32_t corner = entries_[i];
        if (corners_[corner].clipped || !corners_[corner].reflex) {
          entries_[i] = entries_[--cell_ends_[index]];
          continue;
        }
        if (corner != before && corner != ear && corner != after && lies_in_ear(corner, ear)) {
          return true;
        }
        ++i;
      }
    }
  }
  return false;
}

bool EarClipper::is_ear(std::uint32_t corner) {
  const std::uint32_t before = corners_[corner].previous;
  const std::uint32_t after = corners_[corner].next;
  switch (demand_) {
    case Demand::proper:
      if (is_reflex(corner)) return false;
      break;
    case Demand::closed:
    case Demand::open:
      if (!(turn(before, corner, after) > 0.0)) return false;
      break;
    case Demand::flat:
      return is_flat(before, corner, after);
    case Demand::none:
      return true;
  }
  if (budget_ == 0) {
    sound_ = false;
    return true;
  }
  return !holds_reflex_corner(corner);
}

// Writes the triangle of a corner and its neighbours, and joins these.
void EarClipper::remove(std::uint32_t corner) {
  Corner& c = corners_[corner];
  *out_++ = c.previous;
  *out_++ = corner;
  *out_++ = c.next;
  if (turn(c.previous, corner, c.next) < 0.0 && !is_flat(c.previous, corner, c.next)) {
    sound_ = false;
  }
  c.clipped = true;
  --left_;
  corners_[c.previous].next = c.next;
  corners_[c.next].previous = c.previous;
  for (const std::uint32_t neighbour : {c.previous, c.next}) {
    Corner& n = corners_[neighbour];
    // Not the other way: ears that are proper make no corner reflex, and it is not in the grid.
    n.reflex = n.reflex && is_reflex(neighbour);
    if (n.stamp == round_) continue;
    n.stamp = round_;
    next_candidates_.push_back(neighbour);
  }
}

// In rounds. What becomes of the neighbours of a clipped ear is seen in the next round, so that a
// round takes every second corner of a convex polygon, and slivers around one corner are rare.
void EarClipper::clip_ears() {
  while (!candidates_.empty()) {
    ++round_;
    for (const std::uint32_t corner : candidates_) {
      if (left_ == 3) return;
      const Corner& c = corners_[corner];
      if (!c.clipped && c.stamp != round_ && is_ear(corner)) remove(corner);
    }
    candidates_.swap(next_candidates_);
    next_candidates_.clear();
  }
}

// Looks at all corners again. Only clipping its neighbour can make an ear of a corner, so the work
// at each demand is linear.
void EarClipper::lower_demand() {
  demand_ = static_cast<Demand>(static_cast<int>(demand_) + 1);
  while (corners_[last_].clipped) last_ = corners_[last_].next;
  for (std::uint32_t i = 0, corner = last_; i < left_; ++i, corner = corners_[corner].next) {
    candidates_.push_back(corner);
  }
}

}  // namespace sinew::geom
