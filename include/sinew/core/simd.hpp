// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"

namespace sinew {

/// Instruction sets that kernels are compiled for. Jobs take one, so that tests and support can
/// force it; results of different levels may differ in the last bits (fused multiply-add).
enum class SimdLevel : std::uint8_t {
  best,    ///< The best that this machine has.
  scalar,  ///< Plain C++, always available.
  sse4,    ///< x86 SSE4.
  avx2,    ///< x86 AVX2 with FMA.
  avx512,  ///< x86 AVX-512 (Skylake server and later).
  neon,    ///< Arm NEON.
  sve,     ///< Arm SVE; kernels are those of NEON, whose registers have a known size.
  wasm,    ///< WebAssembly with 128-bit SIMD.
};

/// The best level this machine has; never SimdLevel::best. A pure function of the machine.
SINEW_API SimdLevel best_simd_level() noexcept;

/// Whether this machine has a level and this build has kernels for it. True for SimdLevel::best.
/// Never allocates.
SINEW_API bool is_supported(SimdLevel level) noexcept;

/// All levels that this machine and this build can run, scalar first.
SINEW_API std::vector<SimdLevel> supported_simd_levels();

/// "best", "scalar", "sse4", "avx2", "avx512", "neon", "sve" or "wasm".
SINEW_API std::string_view to_string(SimdLevel level) noexcept;

}  // namespace sinew
