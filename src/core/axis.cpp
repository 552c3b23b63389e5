// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/axis.hpp"

#include "core/short_text.hpp"

namespace sinew {

std::string_view to_string(Axis axis) noexcept {
  switch (axis) {
    case Axis::x:
      return "X";
    case Axis::y:
      return "Y";
    case Axis::z:
      return "Z";
  }
  return {};
}

std::optional<Axis> parse_axis(std::string_view text) noexcept {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    if (equal_text(text, to_string(axis))) return axis;
  }
  return std::nullopt;
}

}  // namespace sinew
