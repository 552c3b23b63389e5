// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/core/export.hpp"

namespace sinew::geom {

/// What the elements of a primvar belong to.
enum class PrimvarInterpolation : std::uint8_t {
  constant,      ///< One element for the whole prim. The only kind that is inherited.
  uniform,       ///< One for each face of a mesh, or each curve.
  varying,       ///< One for each point of a mesh, or each end of a curve segment.
  vertex,        ///< One for each point.
  face_varying,  ///< One for each vertex of each face.
  unknown,       ///< A token that the schema does not have.
};

/// "constant", ... "faceVarying", as USD spells them; empty for unknown.
SINEW_API std::string_view to_string(PrimvarInterpolation interpolation) noexcept;

/// The interpolation that is spelled so; unknown for any other text.
SINEW_API PrimvarInterpolation parse_interpolation(std::string_view text) noexcept;

}  // namespace sinew::geom
