// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sinew/core/limits.hpp"
#include "sinew/core/rules.hpp"

/// What every fuzz target defines: one run of one part of the library on some bytes. Whatever they
/// are, it returns 0; anything else that happens is a defect.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sinew::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(data), size};
}

/// Both rule sets are covered: inputs of odd size are read by OpenUSD's.
inline Rules rules_for(std::size_t size) noexcept {
  return size % 2 == 0 ? Rules::documented : Rules::openusd;
}

/// What an input of a few kilobytes may ask for. The defaults of the library are meant for scenes
/// of gigabytes: composing as much as they allow takes longer than a fuzzer has.
inline Limits small_limits() noexcept {
  Limits limits;
  limits.layers = 64;
  limits.arcs_per_prim = 100;
  limits.arcs_per_stage = 2'000;
  limits.prims = 2'000;
  limits.clip_entries = 20'000;
  return limits;
}

/// Ends the program, as a sanitizer would, if a claim about any input does not hold.
inline void require(bool claim, const char* sentence) {
  if (claim) return;
  std::fprintf(stderr, "Not so: %s\n", sentence);
  std::abort();
}

}  // namespace sinew::fuzz
