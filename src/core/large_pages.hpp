// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sinew {

/// Tells the operating system that memory about to be filled is large and will be used as a whole,
/// so that it may give it in large pages: filling it then stops once in 2 MiB and not once in
/// 4 KiB. A hint that changes nothing else, and does nothing for small blocks.
inline void expect_large(void* memory, std::size_t size) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + size) & ~(kPage - 1);
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)size;
#endif
}

/// Reserves the elements of a vector that is about to be filled.
template <typename Vector>
void reserve_large(Vector& vector, std::size_t count) {
  vector.reserve(count);
  expect_large(vector.data(), vector.capacity() * sizeof(typename Vector::value_type));
}

}  // namespace sinew
