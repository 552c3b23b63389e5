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
/// there already, so that large layers fill large pages and at most a quarter is unused.
class Arena {
 public:
  /// Uninitialised memory for `count` objects of type T.
  template <typename T>
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    std::size_t start = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (blocks_.empty() || start + bytes > size_) {
      size_ = std::max({kBlockBytes, bytes, std::min(kMostBlockBytes, all_ / 4)});
      all_ += size_;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size_));
      expect_large(blocks_.back().get(), size_);
      start = 0;
    }
    used_ = start + bytes;
    return reinterpret_cast<T*>(blocks_.back().get() + start);
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
  static constexpr std::size_t kBlockBytes = 256 * 1024;
  static constexpr std::size_t kMostBlockBytes = 16 * 1024 * 1024;
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= alignof(double));

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t all_ = 0;  // Bytes of all blocks.
};

}  // namespace sinew::layer
