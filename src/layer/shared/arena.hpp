// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/large_pages.hpp"

namespace sinew::layer {

/// Memory for objects that live as long as their layer. Blocks never move. They grow with what is
/// there already, so that large layers fill large pages.
class Arena {
 public:
  Arena() = default;
  ~Arena() {
    for (const std::span<std::byte> block : blocks_)
      Memory().deallocate(block.data(), block.size());
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Tells how many bytes will be asked for, so that the next block is large from the start.
  void expect(std::size_t bytes) noexcept { expected_ = bytes; }

  /// Uninitialised memory for `count` objects of type T.
  template <typename T>
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    std::size_t start = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (blocks_.empty() || start + bytes > blocks_.back().size()) {
      add_block(bytes);
      start = 0;
    }
    used_ = start + bytes;
    return reinterpret_cast<T*>(blocks_.back().data() + start);
  }

  /// Moves `items` to the arena. The caller is responsible for destroying them.
  template <typename T>
  std::span<T> move_in(std::span<T> items) {
    if (items.empty()) return {};
    T* memory = allocate<T>(items.size());
    std::uninitialized_move(items.begin(), items.end(), memory);
    return {memory, items.size()};
  }

 private:
  using Memory = LargePageAllocator<std::byte>;
  static constexpr std::size_t kBlockBytes = 256 * 1024;
  static constexpr std::size_t kMostBlockBytes = 16 * 1024 * 1024;
  // A block may be so many times smaller than all before it. Where memory comes when it is first
  // written, what is unused of a block costs nothing.
  static constexpr std::size_t kGrowth = kHasLargePages ? 1 : 4;
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= alignof(double));

  void add_block(std::size_t bytes) {
    const std::size_t grown = std::min(kMostBlockBytes, std::max(all_ / kGrowth, expected_));
    std::size_t size = std::max({kBlockBytes, bytes, grown});
    if (size > kLargePageBytes) {
      size = (size + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
    }
    expected_ = 0;
    blocks_.reserve(blocks_.size() + 1);
    blocks_.emplace_back(Memory().allocate(size), size);
    all_ += size;
  }

  std::vector<std::span<std::byte>> blocks_;
  std::size_t used_ = 0;      // Of the last one.
  std::size_t all_ = 0;       // Bytes of all blocks.
  std::size_t expected_ = 0;  // Bytes that someone has announced.
};

}  // namespace sinew::layer
