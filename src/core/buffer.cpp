// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "sinew/core/assert.hpp"

#if defined(__unix__) || defined(__APPLE__)
#define SINEW_HAS_PAGES 1
#include <sys/mman.h>
#include <unistd.h>
#else
#define SINEW_HAS_PAGES 0
#endif

namespace sinew {

Buffer::Block* Buffer::begin(void* memory, std::byte* aligned, std::size_t size,
                             std::size_t capacity) {
  auto* block = ::new (aligned) Block;
  block->memory = memory;
  block->owners.store(1, std::memory_order_relaxed);
  block->size = size;
  block->capacity = capacity;
  block->bytes = block->own_bytes();
  return block;
}

Buffer::Block* Buffer::allocate(std::size_t size, std::size_t capacity) {
  // Aligned by hand: aligned allocation splits what the allocator has and is many times slower,
  // which counts where a layer has a hundred thousand short arrays.
  constexpr std::size_t kSlack = kAlignment - __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void* const memory = ::operator new(sizeof(Block) + capacity + kSlack);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto* const aligned =
      static_cast<std::byte*>(memory) + (kAlignment - address % kAlignment) % kAlignment;
  return begin(memory, aligned, size, capacity);
}

Buffer Buffer::in_pages([[maybe_unused]] std::size_t size) {
#if SINEW_HAS_PAGES
  constexpr std::size_t kFewest = std::size_t{256} << 10;
  if (size >= kFewest) {
    void* const pages = ::mmap(nullptr, sizeof(Block) + size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) {
      Buffer result;
      result.block_ = begin(nullptr, static_cast<std::byte*>(pages), size, size);
      return result;
    }
  }
#endif
  return Buffer(size);
}

// Pages behind those that a block needs.
void Buffer::give_back_pages([[maybe_unused]] Block* block) noexcept {
#if SINEW_HAS_PAGES
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto up = [](std::size_t bytes) { return (bytes + page - 1) / page * page; };
  const std::size_t needed = up(sizeof(Block) + block->size);
  const std::size_t held = up(sizeof(Block) + block->capacity);
  if (needed == held) return;
  ::munmap(reinterpret_cast<std::byte*>(block) + needed, held - needed);
  block->capacity = needed - sizeof(Block);
#endif
}

void Buffer::free(Block* block) noexcept {
  void* const memory = block->memory;
  [[maybe_unused]] const std::size_t bytes = sizeof(Block) + block->capacity;
  block->~Block();
#if SINEW_HAS_PAGES
  if (memory == nullptr) {
    ::munmap(block, bytes);
    return;
  }
#endif
  ::operator delete(memory);
}

Buffer::Buffer(std::size_t size) : block_(size == 0 ? nullptr : allocate(size, size)) {}

Buffer Buffer::copy_of(std::span<const std::byte> bytes) {
  Buffer result(bytes.size());
  if (!bytes.empty()) std::memcpy(result.mutable_data(), bytes.data(), bytes.size());
  return result;
}

Buffer Buffer::view_of(const Bytes& bytes) {
  Buffer result;
  if (bytes.empty()) return result;
  result.block_ = allocate(bytes.size(), 0);
  result.block_->bytes = bytes.data();
  result.block_->viewed = bytes.owner();
  return result;
}

void Buffer::resize(std::size_t size) {
  SINEW_ASSERT(block_ == nullptr || unique());
  if (size <= capacity()) {
    if (block_ == nullptr) return;
    block_->size = size;
    if (block_->memory == nullptr) give_back_pages(block_);
    return;
  }
  Block* grown = allocate(size, size);
  if (block_ != nullptr) std::memcpy(grown->own_bytes(), block_->bytes, block_->size);
  release();
  block_ = grown;
}

}  // namespace sinew
