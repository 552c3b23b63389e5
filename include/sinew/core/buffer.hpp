// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sinew/core/bytes.hpp"
#include "sinew/core/export.hpp"

namespace sinew {

/// A block of bytes with shared ownership: where arrays live.
///
/// Aligned to 64 bytes, unless it is a view into bytes that others own, such as a mapped file.
///
/// Copying shares the block; the last owner frees it. Write through mutable_data() only while you
/// are the only owner, i.e. before the buffer is handed out. Counting is thread-safe, so buffers
/// may be copied and dropped on any thread.
class SINEW_API Buffer {
 public:
  /// Of every block that is no view, in bytes: a cache line, and the widest vectors.
  static constexpr std::size_t kAlignment = 64;

  constexpr Buffer() noexcept = default;
  /// A new block of `size` bytes, uninitialised. Size 0 allocates nothing.
  explicit Buffer(std::size_t size);
  /// Shares the block.
  Buffer(const Buffer& other) noexcept : block_(other.block_) { retain(); }
  /// Takes the block; `other` is empty afterwards.
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  /// Lets the own block go and shares or takes that of `other`.
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer() { release(); }

  /// A new block with a copy of `bytes`.
  static Buffer copy_of(std::span<const std::byte> bytes);

  /// A new block of `size` bytes, uninitialised, in pages of its own where the system has them:
  /// freed, they are the system's again at once, where an allocator may keep them. For what is
  /// large and goes before the program's peak; each new page costs a fault. Below 256 KiB as any
  /// other.
  static Buffer in_pages(std::size_t size);

  /// The bytes themselves, not copied, aligned as they are; their owner is kept. Read only.
  static Buffer view_of(const Bytes& bytes);

  /// Changes the size of a block that has one owner, keeping its contents; grows by moving. Pages
  /// that are not needed any more are the system's again. Not of a view.
  void resize(std::size_t size);

  /// Bytes in use; 0 if there is no block.
  std::size_t size() const noexcept { return block_ == nullptr ? 0 : block_->size; }
  /// Bytes that fit without a new allocation; of a view, its size.
  std::size_t capacity() const noexcept { return block_ == nullptr ? 0 : block_->capacity; }
  /// True without a block, and for a block of no bytes.
  bool empty() const noexcept { return size() == 0; }
  /// The first byte; null if there is no block. Valid as long as an owner is.
  const std::byte* data() const noexcept { return block_ == nullptr ? nullptr : block_->bytes; }
  /// Null for a view.
  std::byte* mutable_data() noexcept {
    return block_ == nullptr || is_view() ? nullptr : block_->own_bytes();
  }
  /// Whether these bytes have no other owner; never true of a view.
  bool unique() const noexcept {
    return block_ != nullptr && !is_view() && block_->owners.load(std::memory_order_acquire) == 1;
  }
  /// Whether the bytes belong to somebody else, see view_of(): they cannot be written or resized.
  bool is_view() const noexcept { return block_ != nullptr && block_->is_view(); }

 private:
  struct alignas(kAlignment) Block {
    std::atomic<std::size_t> owners;
    std::size_t size;
    std::size_t capacity;
    void* memory;  // What was allocated; the block begins at the next multiple of 64. Null: pages.
    const std::byte* bytes;
    std::shared_ptr<const void> viewed;  // Owns the bytes of a view.
    std::byte* own_bytes() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    bool is_view() const noexcept { return bytes != reinterpret_cast<const std::byte*>(this + 1); }
  };
  static_assert(sizeof(Block) == kAlignment);
  static Block* allocate(std::size_t size, std::size_t capacity);
  static Block* begin(void* memory, std::byte* aligned, std::size_t size, std::size_t capacity);
  static void give_back_pages(Block* block) noexcept;
  static void free(Block* block) noexcept;
  void retain() noexcept {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  void release() noexcept {
    if (block_ != nullptr && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      free(block_);
    }
  }

  Block* block_ = nullptr;
};

}  // namespace sinew
