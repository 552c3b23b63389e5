// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::geom {

/// How the points of BasisCurves make segments.
struct CurveLayout {
  bool linear = false;
  bool bezier = true;  ///< Points advance by three from one segment to the next, not by one.
  bool periodic = false;
  bool pinned = false;

  static CurveLayout read(const stage::Prim& prim) {
    const auto is = [&](std::string_view name, std::string_view value, std::string_view fallback) {
      const stage::Attribute attribute = prim.attribute(name);
      const auto text = attribute ? attribute.get_text() : std::nullopt;
      return value == (text ? *text : std::string(fallback));
    };
    return {is("type", "linear", "cubic"), is("basis", "bezier", "bezier"),
            is("wrap", "periodic", "nonperiodic"), is("wrap", "pinned", "nonperiodic")};
  }

  /// Segments of a curve of n points.
  std::int32_t segments(std::int32_t n) const {
    if (n <= 0) return 0;
    if (periodic) return linear || !bezier ? n : n / 3;
    if (linear || (pinned && !bezier)) return n - 1;
    return n < 4 ? 0 : (n - 4) / (bezier ? 3 : 1) + 1;
  }

  /// Ends of the segments of a curve of n points: what is neither closed nor broken has one more
  /// than segments.
  std::int32_t ends(std::int32_t n) const {
    const std::int32_t count = segments(n);
    if (linear || (pinned && !bezier)) return std::max(n, 0);
    return periodic || count == 0 ? count : count + 1;
  }
};

}  // namespace sinew::geom
