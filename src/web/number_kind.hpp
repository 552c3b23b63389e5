// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sinew/layer/value.hpp"

namespace sinew::web {

/// What numbers an array holds that cross to JavaScript as they lie in memory.
enum class NumberKind : std::uint8_t {
  none,     ///< Nothing that does: it crosses as JSON.
  float32,  ///< Float32Array.
  float64,  ///< Float64Array.
  int32,    ///< Int32Array.
  uint32,   ///< Uint32Array.
  uint8,    ///< Uint8Array.
};

/// The numbers of an array; `none` for everything else, scalars included.
NumberKind number_kind(const layer::Value& value) noexcept;

}  // namespace sinew::web
