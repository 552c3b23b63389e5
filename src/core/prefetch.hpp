// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew {

/// Begins to fetch the line of memory of an address, which need not be one that may be read. A hint
/// that changes nothing else. Where there is no such instruction, what only leads to it goes too.
inline void prefetch_memory(const void* address) noexcept {
#if defined(__GNUC__) && !defined(__wasm__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace sinew
