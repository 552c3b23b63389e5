// SPDX-License-Identifier: Apache-2.0
#include "geom/shared/gather.hpp"

#include <cstring>
#include <utility>

namespace sinew::geom {

namespace {

bool is_in_range(std::int32_t index, std::size_t count) noexcept {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

}  // namespace

std::vector<std::size_t> out_of_range(std::span<const std::int32_t> indices, std::size_t count) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!is_in_range(indices[i], count)) places.push_back(i);
  }
  return places;
}

layer::Value gather(const layer::Value& values, std::span<const std::int32_t> indices,
                    std::size_t element_size) {
  const std::size_t count = values.size() / element_size;
  const std::size_t block = element_size * layer::element_size(values.type());
  Buffer buffer(indices.size() * block);
  const std::byte* in = values.bytes().data();
  std::byte* out = buffer.mutable_data();
  for (const std::int32_t index : indices) {
    if (is_in_range(index, count)) {
      std::memcpy(out, in + static_cast<std::size_t>(index) * block, block);
    } else {
      std::memset(out, 0, block);
    }
    out += block;
  }
  return layer::Value::array_from_buffer(values.type(), std::move(buffer));
}

}  // namespace sinew::geom
