// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "sinew/core/text.hpp"

namespace sinew {

/// Makes many texts with few allocations: they share blocks. Not thread-safe; use one per thread.
class TextArena {
 public:
  TextArena() = default;
  ~TextArena() {
    if (block_ != nullptr) Text::release(block_);
  }
  TextArena(const TextArena&) = delete;
  TextArena& operator=(const TextArena&) = delete;

  Text make(std::string_view text) {
    if (text.empty()) return {};
    // With the NUL, up to an offset where another entry may begin.
    const std::size_t bytes = (sizeof(Text::Entry) + text.size() + 1 + 7) & ~std::size_t{7};
    if (bytes > Text::kBlockBytes / 8) return Text(text);
    if (block_ == nullptr || used_ + bytes > Text::kBlockBytes) {
      if (block_ != nullptr) Text::release(block_);
      block_ = Text::new_block(Text::kBlockBytes);
      used_ = sizeof(Text::Block);
    }
    Text made(Text::put(block_, used_, text));
    used_ += bytes;
    made.retain();
    return made;
  }

 private:
  Text::Block* block_ = nullptr;  // One of its owners is the arena.
  std::size_t used_ = 0;          // Bytes of the block.
};

}  // namespace sinew
