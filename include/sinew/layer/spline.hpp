// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/layer/value.hpp"

namespace sinew::layer {

/// An animation curve of a scalar attribute, kept as written. Not evaluated by this library.
struct Spline {
  enum class CurveType : std::uint8_t { bezier, hermite };
  enum class Interpolation : std::uint8_t { none, held, linear, curve };
  enum class TangentAlgorithm : std::uint8_t { none, custom, auto_ease };
  enum class Extrapolation : std::uint8_t {
    unset,
    none,
    held,
    linear,
    sloped,
    loop_repeat,
    loop_reset,
    loop_oscillate
  };

  struct Tangent {
    std::optional<double> width;  ///< Bezier only.
    double slope = 0.0;
    TangentAlgorithm algorithm = TangentAlgorithm::none;
    friend bool operator==(const Tangent&, const Tangent&) = default;
  };
  struct Knot {
    double time = 0.0;
    double value = 0.0;
    std::optional<double> pre_value;  ///< `a & b`: the value on the left side.
    std::optional<Tangent> pre_tangent;
    std::optional<Interpolation> interpolation;  ///< Of the segment after the knot.
    std::optional<Tangent> post_tangent;
    Value custom_data;  ///< Dictionary; no value if not authored.
    friend bool operator==(const Knot&, const Knot&) = default;
  };
  struct Extrapolate {
    Extrapolation mode = Extrapolation::unset;
    std::optional<double> parameter;  ///< Slope, or the boundary time of a loop.
    friend bool operator==(const Extrapolate&, const Extrapolate&) = default;
  };
  struct InnerLoop {
    double prototype_start = 0.0;
    double prototype_end = 0.0;
    double pre_loops = 0.0;
    double post_loops = 0.0;
    double value_offset = 0.0;
    friend bool operator==(const InnerLoop&, const InnerLoop&) = default;
  };

  std::optional<CurveType> curve_type;
  Extrapolate pre;
  Extrapolate post;
  std::optional<InnerLoop> loop;
  std::vector<Knot> knots;  ///< Ascending, distinct times.
  friend bool operator==(const Spline&, const Spline&) = default;
};

}  // namespace sinew::layer
