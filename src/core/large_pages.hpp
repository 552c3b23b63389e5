// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sinew {

/// Of the pages that operating systems have beside those of 4 KiB, the ones that they give unasked.
inline constexpr std::size_t kLargePageBytes = std::size_t{1} << 21;

#if defined(__linux__) && defined(MADV_HUGEPAGE)
inline constexpr bool kHasLargePages = true;
#else
inline constexpr bool kHasLargePages = false;
#endif

/// Tells the operating system that memory about to be filled is large and will be used as a whole,
/// so that it may give it in large pages: filling it then stops once in 2 MiB and not once in
/// 4 KiB. A hint that changes nothing else, and does nothing for small blocks.
inline void expect_large(void* memory, std::size_t size) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = kLargePageBytes;
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

/// For vectors that may become large and are filled as a whole: memory with room for a large page
/// begins where such a page does, so that it has as many of them as it can. What resize() adds is
/// not set to 0 but left as it is, as it is about to be filled.
template <typename T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>().allocate(count);
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new (bytes, std::align_val_t{kLargePageBytes});
    expect_large(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (!is_large(count)) return std::allocator<T>().deallocate(memory, count);
    ::operator delete (memory, std::align_val_t{kLargePageBytes});
  }

  template <typename U>
  void construct(U* place) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(place)) U;
  }

  friend bool operator==(LargePageAllocator, LargePageAllocator) noexcept { return true; }

 private:
  static bool is_large(std::size_t count) noexcept {
    return kHasLargePages && count >= kLargePageBytes / sizeof(T) &&
           count <= static_cast<std::size_t>(-1) / 2 / sizeof(T);
  }
};

/// Where there are no large pages it is a vector like any other, whose code there is already.
template <typename T>
using LargeVector =
    std::conditional_t<kHasLargePages, std::vector<T, LargePageAllocator<T>>, std::vector<T>>;

}  // namespace sinew
