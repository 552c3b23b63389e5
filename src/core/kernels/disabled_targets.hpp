// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include before any Highway header: instruction sets that no SimdLevel stands for are not
// compiled. Kernels use fixed-size vectors, so Arm machines with SVE run the NEON code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
