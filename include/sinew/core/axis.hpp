// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sinew/core/export.hpp"

namespace sinew {

/// A coordinate axis: of a shape, of a joint frame, or the one that points upwards.
enum class Axis : std::uint8_t { x, y, z };

/// "X", "Y" or "Z", as USD spells it.
SINEW_API std::string_view to_string(Axis axis) noexcept;

/// The axis that is spelled so; nothing for any other text, lower case included.
SINEW_API std::optional<Axis> parse_axis(std::string_view text) noexcept;

}  // namespace sinew
