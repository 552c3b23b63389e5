// SPDX-License-Identifier: Apache-2.0
#include "support/count_allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__GLIBC__) || defined(_WIN32)
#include <malloc.h>
#endif

// Sanitizers have allocation functions of their own; there, nothing is counted.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_TEST_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_TEST_SANITIZED
#endif

namespace {

std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

[[maybe_unused]] std::size_t size_of([[maybe_unused]] void* memory) {
#if defined(__GLIBC__)
  return malloc_usable_size(memory);
#else
  return 0;
#endif
}

#if defined(_WIN32)  // Has no aligned_alloc.
void* allocate(std::size_t alignment, std::size_t size) {
  return _aligned_malloc(size, alignment);
}
void deallocate(void* memory) {
  _aligned_free(memory);
}
#else
[[maybe_unused]] void* allocate(std::size_t alignment, std::size_t size) {
  return std::aligned_alloc(alignment, size);
}
[[maybe_unused]] void deallocate(void* memory) {
  std::free(memory);
}
#endif

[[maybe_unused]] void* counted(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = allocate(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) std::abort();
  const std::size_t bytes = size_of(memory);
  const std::size_t now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::size_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
  return memory;
}

[[maybe_unused]] void release(void* memory) noexcept {
  live.fetch_sub(size_of(memory), std::memory_order_relaxed);
  deallocate(memory);
}

}  // namespace

namespace sinew::test {

std::size_t allocation_count() noexcept {
  return allocations.load(std::memory_order_relaxed);
}

std::size_t live_bytes() noexcept {
  return live.load(std::memory_order_relaxed);
}

std::size_t peak_bytes() noexcept {
  return peak.load(std::memory_order_relaxed);
}

void forget_peak() noexcept {
  peak.store(live_bytes(), std::memory_order_relaxed);
}

}  // namespace sinew::test

#ifndef SINEW_TEST_SANITIZED
void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
#endif
