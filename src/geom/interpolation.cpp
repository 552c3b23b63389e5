// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/interpolation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew::geom {
namespace {

// In the order of PrimvarInterpolation.
constexpr std::array<std::string_view, 5> kInterpolations = {"constant", "uniform", "varying",
                                                             "vertex", "faceVarying"};

}  // namespace

std::string_view to_string(PrimvarInterpolation interpolation) noexcept {
  const auto i = static_cast<std::size_t>(interpolation);
  return i < kInterpolations.size() ? kInterpolations[i] : std::string_view();
}

PrimvarInterpolation parse_interpolation(std::string_view text) noexcept {
  const auto found = std::find(kInterpolations.begin(), kInterpolations.end(), text);
  return static_cast<PrimvarInterpolation>(found - kInterpolations.begin());
}

}  // namespace sinew::geom
