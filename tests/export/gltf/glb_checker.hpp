// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/buffer.hpp"

namespace sinew::test {

/// A .glb file taken apart by a reader of its own.
struct GlbParts {
  nlohmann::json json;
  std::span<const std::byte> binary;

  /// The floats of an accessor, sparse ones filled in.
  std::vector<float> floats(std::size_t accessor) const;
  /// The whole numbers of an accessor.
  std::vector<std::uint32_t> integers(std::size_t accessor) const;
  /// The first node of that name; null if there is none.
  const nlohmann::json* node(const std::string& name) const;
};

/// @param problem  What keeps it from being a .glb file; empty if nothing does.
GlbParts open_glb(const Buffer& file, std::string& problem);

/// What is wrong with the container, the accessors and the indices of a file; empty if nothing is.
std::string check_glb(const Buffer& file);

}  // namespace sinew::test
