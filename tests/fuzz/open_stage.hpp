// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/target.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::fuzz {

/// Opens the input as the only layer of a stage, which is added to `resolver` by that name.
/// @return null if it cannot be opened.
inline stage::StagePtr open_stage(const std::uint8_t* data, std::size_t size,
                                  stage::MemoryResolver& resolver, Diagnostics& diagnostics,
                                  const char* name = "a.usda") {
  resolver.add(name, std::string(as_text(data, size)));
  stage::OpenOptions options;
  options.rules = rules_for(size);
  options.limits = small_limits();
  options.resolver = &resolver;
  const auto stage = stage::Stage::open(name, diagnostics, options);
  return stage ? *stage : nullptr;
}

}  // namespace sinew::fuzz
