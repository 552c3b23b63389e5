// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/text.hpp"

#include <cstring>
#include <new>
#include <ostream>

#include "sinew/core/assert.hpp"

namespace sinew {

namespace {

constexpr std::uint64_t kMostCharacters = (std::uint64_t{1} << 40) - 1;

}  // namespace

Text::Block* Text::new_block(std::size_t bytes) {
  auto* block = ::new (::operator new(bytes)) Block;
  block->owners.store(1, std::memory_order_relaxed);
  return block;
}

void Text::free(Block* block) noexcept {
  ::operator delete(block);
}

Text::Entry* Text::put(Block* block, std::size_t offset, std::string_view text) noexcept {
  std::byte* at = reinterpret_cast<std::byte*>(block) + offset;
  auto* entry = ::new (at) Entry{};
  entry->size = text.size() & kMostCharacters;
  entry->offset = offset & 0xFFFFFF;
  char* characters = reinterpret_cast<char*>(entry + 1);
  std::memcpy(characters, text.data(), text.size());
  characters[text.size()] = '\0';
  return entry;
}

Text::Text(std::string_view text) {
  if (text.empty()) return;
  SINEW_ASSERT(std::uint64_t{text.size()} <= kMostCharacters);
  Block* block = new_block(sizeof(Block) + sizeof(Entry) + text.size() + 1);
  entry_ = put(block, sizeof(Block), text);
}

std::ostream& operator<<(std::ostream& out, const Text& text) {
  return out << text.view();
}

}  // namespace sinew
