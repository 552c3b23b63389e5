// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::layer {

/// An animation curve of a scalar attribute, kept as written; see evaluate().
struct Spline {
  /// How tangents of the curve are given: with widths, or by slope alone.
  enum class CurveType : std::uint8_t { bezier, hermite };
  /// The shape of the segment behind a knot; `none`: no value there.
  enum class Interpolation : std::uint8_t { none, held, linear, curve };
  /// How a slope comes about: as written, or from neighbouring knots.
  enum class TangentAlgorithm : std::uint8_t { none, custom, auto_ease };
  /// What lies before the first knot and behind the last.
  enum class Extrapolation : std::uint8_t {
    unset,          ///< Nothing is written.
    none,           ///< No value.
    held,           ///< The value of the nearest knot.
    linear,         ///< Along the curve as it ends.
    sloped,         ///< Along Extrapolate::parameter.
    loop_repeat,    ///< The curve again, moved so that it goes on where it ended.
    loop_reset,     ///< The curve again, from the value it began with.
    loop_oscillate  ///< The curve again, every second time backwards.
  };

  /// The direction of the curve on one side of a knot.
  struct Tangent {
    std::optional<double> width;  ///< Bezier only.
    /// Change of the value for one time code.
    double slope = 0.0;
    TangentAlgorithm algorithm = TangentAlgorithm::none;  ///< `none`: as written.
    /// Whether every member is equal.
    friend bool operator==(const Tangent&, const Tangent&) = default;
  };
  /// A point that the curve passes through.
  struct Knot {
    double time = 0.0;  ///< In time codes.
    /// Of the attribute at that time, on the right side if there is a pre_value.
    double value = 0.0;
    std::optional<double> pre_value;             ///< `a & b`: the value on the left side.
    std::optional<Tangent> pre_tangent;          ///< On the left side; absent: none is written.
    std::optional<Interpolation> interpolation;  ///< Of the segment after the knot.
    std::optional<Tangent> post_tangent;         ///< On the right side; absent: none is written.
    Value custom_data;                           ///< Dictionary; no value if not authored.
    /// Whether every member is equal.
    friend bool operator==(const Knot&, const Knot&) = default;
  };
  /// What lies outside of the knots on one side.
  struct Extrapolate {
    Extrapolation mode = Extrapolation::unset;  ///< `unset`: nothing is written, which means held.
    std::optional<double> parameter;            ///< Slope, or the boundary time of a loop.
    /// Whether both members are equal.
    friend bool operator==(const Extrapolate&, const Extrapolate&) = default;
  };
  /// A part of the curve that repeats to both sides.
  struct InnerLoop {
    double prototype_start = 0.0;  ///< Time of the first knot that repeats.
    double prototype_end = 0.0;    ///< Time at which the next repetition begins.
    double pre_loops = 0.0;        ///< Repetitions before the prototype.
    double post_loops = 0.0;       ///< Repetitions behind it.
    double value_offset = 0.0;     ///< Added to the value with each repetition.
    /// Whether every member is equal.
    friend bool operator==(const InnerLoop&, const InnerLoop&) = default;
  };

  std::optional<CurveType> curve_type;  ///< Absent: not written, which means Bezier.
  Extrapolate pre;                      ///< Before the first knot.
  Extrapolate post;                     ///< Behind the last knot.
  std::optional<InnerLoop> loop;        ///< Absent: nothing repeats inside.
  std::vector<Knot> knots;              ///< Ascending, distinct times.
  /// Whether every member is equal.
  friend bool operator==(const Spline&, const Spline&) = default;
};

/// The value of a curve.
///
/// At a knot with two values it is the right one. A Bezier curve that would go back in time has
/// both tangents of the segment made shorter, in proportion, until it only just does not.
/// @param time  In the time codes of the layer that the spline is written in.
/// @return  Nothing where the curve has no value: without knots, in a segment or beyond an end of
///          kind `none`, at a time that is not finite, and where numbers overflow.
/// @par Cost  O(log n) of knots, however often they repeat.
/// @par Source  OpenUSD's Ts. A boundary of a loop is taken to mean that what lies between it and
///              the end of the curve repeats.
SINEW_API std::optional<double> evaluate(const Spline& spline, double time) noexcept;

/// Whether the value may depend on the time.
SINEW_API bool might_vary(const Spline& spline) noexcept;

/// Times to sample a curve at where only samples will do: its knots and every whole time code
/// between them, ascending. Knots alone where that would be more than 100,000 times.
SINEW_API std::vector<double> sample_times(const Spline& spline);

}  // namespace sinew::layer
