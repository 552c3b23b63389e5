// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sinew/layer/value_type.hpp"

namespace sinew::usdc {

/// The 32 bits that stand for a scalar inside its rep, if reading them gives back the same bits.
std::optional<std::uint32_t> inline_value(layer::ElementType type,
                                          std::span<const std::byte> bytes) noexcept;

}  // namespace sinew::usdc
