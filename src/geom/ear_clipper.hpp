// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.hpp"

namespace sinew::geom {

/// Cuts polygons in a plane into triangles by their ears: corners whose neighbours see each other.
/// Keeps its memory between polygons.
///
/// Polygons that do not cross themselves are cut without overlaps. Where it can choose, it takes no
/// ear that is flat to within the tolerance, so corners in the middle of a straight side end up in
/// proper triangles. What is left of other polygons when no ear remains is cut
/// regardless.
///
/// Only reflex corners can lie in an ear. They are kept in a grid, so a test looks at those nearby.
class EarClipper {
 public:
  /// @param polygon    At least three finite corners, counter-clockwise on the whole.
  /// @param tolerance  How far corners may be from where they are meant to be.
  /// @param out        Receives three corners of each of the n - 2 triangles.
  /// @return Whether the triangles neither overlap nor face backwards, as far as this can be
  /// checked.
  bool clip(std::span<const Vector2d> polygon, double tolerance, std::uint32_t* out);

 private:
  // What is asked of an ear: less and less, as none is left.
  enum class Demand : std::uint8_t {
    proper,  // Not flat, and no corner in it or closer to it than the tolerance.
    closed,  // No corner in it or on its sides.
    open,    // No corner in it.
    flat,    // Flat.
    none,
  };

  struct Corner {
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    std::uint32_t stamp = 0;  // The round after which it is examined again.
    bool clipped = false;
    bool reflex = false;
  };

  void start();
  void index_reflex_corners();
  void clip_ears();
  void lower_demand();
  void remove(std::uint32_t corner);
  bool is_ear(std::uint32_t corner);
  bool holds_reflex_corner(std::uint32_t ear);
  bool lies_in_ear(std::uint32_t corner, std::uint32_t ear) const;
  bool is_reflex(std::uint32_t corner) const;
  double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  bool is_flat(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  std::uint32_t cell(double offset, double scale) const;

  std::span<const Vector2d> polygon_;
  double tolerance_ = 0.0;
  std::uint32_t* out_ = nullptr;
  std::uint32_t left_ = 0;  // Corners that are not clipped.
  std::uint32_t round_ = 0;
  bool sound_ = true;
  std::size_t budget_ = 0;  // Corners that may still be looked at.
  Demand demand_ = Demand::proper;
  std::uint32_t last_ = 0;  // A corner that is left, or was once.
  std::vector<Corner> corners_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> next_candidates_;

  // The grid: `side_` cells along x and y, each a range of `entries_`.
  std::uint32_t side_ = 0;
  Vector2d origin_ = Vector2d::Zero();
  Vector2d scale_ = Vector2d::Zero();
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint32_t> cell_begins_;  // And one past the last.
  std::vector<std::uint32_t> cell_ends_;
};

}  // namespace sinew::geom
