// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "sinew/core/assert.hpp"

namespace sinew {

Buffer::Block* Buffer::allocate(std::size_t size, std::size_t capacity) {
  // Aligned by hand: aligned allocation splits what the allocator has and is many times slower,
  // which counts where a layer has a hundred thousand short arrays.
  constexpr std::size_t kSlack = kAlignment - __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void* const memory = ::operator new(sizeof(Block) + capacity + kSlack);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto* const aligned =
      static_cast<std::byte*>(memory) + (kAlignment - address % kAlignment) % kAlignment;
  auto* block = ::new (aligned) Block;
  block->memory = memory;
  block->owners.store(1, std::memory_order_relaxed);
  block->size = size;
  block->capacity = capacity;
  block->bytes = block->own_bytes();
  return block;
}

void Buffer::free(Block* block) noexcept {
  void* const memory = block->memory;
  block->~Block();
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
    if (block_ != nullptr) block_->size = size;
    return;
  }
  Block* grown = allocate(size, size);
  if (block_ != nullptr) std::memcpy(grown->own_bytes(), block_->bytes, block_->size);
  release();
  block_ = grown;
}

}  // namespace sinew
