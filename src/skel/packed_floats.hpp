// SPDX-License-Identifier: Apache-2.0
// Memory that kernels read block by block.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/large_pages.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// `count` floats of zero.
inline Buffer zeroed_floats(std::size_t count) {
  Buffer buffer(count * sizeof(float));
  if (buffer.empty()) return buffer;
  expect_large(buffer.mutable_data(), buffer.size());
  std::memset(buffer.mutable_data(), 0, buffer.size());
  return buffer;
}

inline float* floats_of(Buffer& buffer) {
  return reinterpret_cast<float*>(buffer.mutable_data());
}

/// Puts a triple into a lane of a block of `width` x, as many y and as many z.
inline void put_lane(const Vector3f& triple, std::size_t lane, std::size_t width, float* block) {
  for (std::size_t c = 0; c < 3; ++c) {
    block[c * width + lane] = triple[static_cast<Eigen::Index>(c)];
  }
}

}  // namespace sinew::skel
