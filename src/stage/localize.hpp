// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "stage/shared/local_value.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// A time code, or an array of them, with every time put through a function.
template <typename Map>
layer::Value map_times(const layer::Value& value, Map map) {
  constexpr auto kType = layer::ElementType::timecode;
  if (!value.is_array()) return layer::Value::scalar(kType, map(*value.get<double>()));
  const std::span<const double> times = value.as_array<double>();
  std::vector<double> mapped(times.begin(), times.end());
  for (double& time : mapped) time = map(time);
  return layer::Value::array<double>(kType, mapped);
}

/// What a value of a layer means on the stage: times are put through an offset, asset paths that
/// are expressions are evaluated, and the paths of path expressions are mapped by the arcs, also
/// inside dictionaries and array edits. An asset's expression that gives no text stays as it is.
/// @param mapping  Of the site that the value is written at; its arcs define the variables.
layer::Value localize(const Stage::Impl& impl, layer::Value value, const layer::LayerOffset& offset,
                      std::uint32_t mapping);

}  // namespace sinew::stage
