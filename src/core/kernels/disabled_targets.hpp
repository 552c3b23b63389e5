// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include before any Highway header: instruction sets that no SimdLevel stands for are not
// compiled. Kernels use fixed-size vectors, so Arm machines with SVE run the NEON code.
//
// GCC for Windows does not align the stack for registers of 32 and 64 bytes (its bug 54412), so
// there they are left out unless SINEW_MINGW_WIDE asks for them.
#if defined(__MINGW32__) && !defined(__clang__) && !defined(SINEW_MINGW_WIDE)
#define SINEW_DISABLED_WIDE (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)
#elif defined(SINEW_NO_AVX512)
#define SINEW_DISABLED_WIDE (HWY_AVX3 | HWY_AVX3_DL)
#else
#define SINEW_DISABLED_WIDE 0
#endif

#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | SINEW_DISABLED_WIDE)
