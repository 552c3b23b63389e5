// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include after hwy/highway.h.

#include "sinew/core/simd.hpp"

namespace sinew {

/// The entry of a level among the functions that foreach_target made. Vectors of unknown length
/// (SVE) run the fixed-size NEON code, which every such machine has.
template <typename Function>
Function select_kernel(SimdLevel level, Function sse4, Function avx2, Function avx512,
                       Function neon, Function wasm) noexcept {
  switch (level) {
    case SimdLevel::sse4:
      return sse4;
    case SimdLevel::avx2:
      return avx2;
    case SimdLevel::avx512:
      return avx512;
    case SimdLevel::neon:
    case SimdLevel::sve:
      return neon;
    case SimdLevel::wasm:
      return wasm;
    case SimdLevel::best:
    case SimdLevel::scalar:
      break;
  }
  return nullptr;
}

}  // namespace sinew

/// What is inlined where it is called from several places. WebAssembly modules, which every visitor
/// of a page loads, have it once.
#if defined(__wasm__)
#define SINEW_KERNEL_INLINE HWY_NOINLINE
#else
#define SINEW_KERNEL_INLINE HWY_INLINE
#endif

// Newer versions of Highway compile NEON with and without AES. No kernel uses AES, so one code does
// for all machines.
#if defined(HWY_NEON_WITHOUT_AES) && (HWY_TARGETS & HWY_NEON_WITHOUT_AES)
#define SINEW_CHOOSE_NEON(FUNCTION) HWY_CHOOSE_NEON_WITHOUT_AES(FUNCTION)
#else
#define SINEW_CHOOSE_NEON(FUNCTION) HWY_CHOOSE_NEON(FUNCTION)
#endif

/// select_kernel() for a function that HWY_NAMESPACE defines for every target.
#define SINEW_SELECT_KERNEL(TYPE, LEVEL, FUNCTION)                                          \
  ::sinew::select_kernel<TYPE>(LEVEL, HWY_CHOOSE_SSE4(FUNCTION), HWY_CHOOSE_AVX2(FUNCTION), \
                               HWY_CHOOSE_AVX3(FUNCTION), SINEW_CHOOSE_NEON(FUNCTION),      \
                               HWY_CHOOSE_WASM(FUNCTION))

/// Follows the parameters of a lambda: compiled for this instruction set and inlined, or else what
/// it captures would have to be in memory.
#if defined(__wasm__) || HWY_COMPILER_MSVC
#define SINEW_KERNEL_LAMBDA HWY_ATTR
#else
#define SINEW_KERNEL_LAMBDA HWY_ATTR __attribute__((always_inline))
#endif
