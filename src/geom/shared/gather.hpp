// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/layer/value.hpp"

namespace sinew::geom {

/// Which indices name none of `count` elements: their places, ascending.
std::vector<std::size_t> out_of_range(std::span<const std::int32_t> indices, std::size_t count);

/// Chooses elements of an array: element i of the result is element indices[i], where one element
/// is `element_size` array values; all zeros where the index is out of range.
/// @par Cost  O(result); one allocation.
layer::Value gather(const layer::Value& values, std::span<const std::int32_t> indices,
                    std::size_t element_size = 1);

}  // namespace sinew::geom
