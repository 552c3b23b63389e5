// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/layer/value.hpp"
#include "web/json_writer.hpp"

namespace sinew::web {

/// Writes any value of a layer: numbers, texts, lists of them; null for no value and for blocks.
/// Dictionaries become objects, list edits lists of what they add.
void write_value(JsonWriter& json, const layer::Value& value);

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
