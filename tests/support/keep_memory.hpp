// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sinew {

// For tests that compare processor times: what is freed is used again rather than given back, as
// far as the C library can be asked. Where a system hands out memory slowly, the first use of new
// pages takes longer than the work, and work on little needs none.
inline void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace sinew
