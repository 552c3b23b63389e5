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

/// Memory for objects that live as long as their layer. Blocks never move. They are small, so that
/// whoever reads one layer after the other gets the same memory again, unless large ones are asked
/// for: those begin where large pages do.
class Arena {
 public:
  Arena() = default;
  ~Arena() {
    for (const std::span<std::byte> block : blocks_)
      Memory().deallocate(block.data(), block.size());
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Tells how many bytes will be asked for, so that the next blocks are large.
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
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= alignof(double));

  void add_block(std::size_t bytes) {
    std::size_t size = std::max({kBlockBytes, bytes, std::min(kMostBlockBytes, expected_)});
    if (size > kLargePageBytes) {
      size = (size + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
    }
    expected_ -= std::min(size, expected_);
    blocks_.reserve(blocks_.size() + 1);
    blocks_.emplace_back(Memory().allocate(size), size);
  }

  std::vector<std::span<std::byte>> blocks_;
  std::size_t used_ = 0;      // Of the last one.
  std::size_t expected_ = 0;  // Bytes that were announced and have no block yet.
};

}  // namespace sinew::layer
