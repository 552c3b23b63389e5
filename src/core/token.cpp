// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/token.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "core/prefetch.hpp"
#include "core/short_text.hpp"
#include "sinew/core/assert.hpp"

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace sinew {

namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;

std::uint64_t read64(const char* p) noexcept {
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
  std::uint64_t high = 0;
  const std::uint64_t low = _umul128(a, b, &high);
  return low ^ high;
#else
  // The same product, from halves.
  constexpr std::uint64_t kLow = 0xFFFFFFFF;
  const std::uint64_t low = (a & kLow) * (b & kLow);
  const std::uint64_t left = (a >> 32) * (b & kLow) + (low >> 32);
  const std::uint64_t right = (a & kLow) * (b >> 32) + (left & kLow);
  const std::uint64_t high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
  return (right << 32 | (low & kLow)) ^ high;
#endif
}

// Multiply-and-fold over 16 bytes at a time, with two numbers that the author of the text does not
// know. Without them, names that all land on one slot could be computed beforehand.
std::uint64_t hash_of(std::string_view text, const std::uint64_t (&seeds)[2]) noexcept {
  const std::uint64_t k1 = seeds[1];
  std::uint64_t h = seeds[0] ^ text.size();
  const char* p = text.data();
  std::size_t left = text.size();
  while (left > 16) {
    h = mix(read64(p) ^ k1, read64(p + 8) ^ h);
    p += 16;
    left -= 16;
  }
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  if (left >= 8) {
    a = read64(p);
    b = read64(p + left - 8);
  } else if (left > 0) {
    std::memcpy(&a, p, left);
  }
  return mix(a ^ k1, b ^ h);
}

}  // namespace

struct TokenTable::Block {
  Block* next;
};

// Where the operating system places memory differs from run to run.
TokenTable::TokenTable() : TokenTable(reinterpret_cast<std::uintptr_t>(this)) {}

TokenTable::TokenTable(std::uint64_t seed) noexcept
    : seeds_{mix(seed ^ 0xA0761D6478BD642FULL, 0x9E3779B97F4A7C15ULL),
             mix(seed ^ 0xE7037ED1A0B428DBULL, 0xD6E8FEB86659FD93ULL)} {}

TokenTable::~TokenTable() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    ::operator delete(blocks_);
    blocks_ = next;
  }
}

Token TokenTable::find(std::string_view text) const noexcept {
  if (text.empty() || slot_count_ == 0) return {};
  const std::uint64_t hash = hash_of(text, seeds_);
  for (std::size_t i = hash & (slot_count_ - 1);; i = (i + 1) & (slot_count_ - 1)) {
    const Token::Entry* entry = slots_[i];
    if (entry == nullptr) return {};
    if (entry->hash == hash && equal_text(Token(entry).view(), text)) return Token(entry);
  }
}

std::uint64_t TokenTable::hash(std::string_view text) const noexcept {
  return text.empty() ? 0 : hash_of(text, seeds_);
}

// Inline, as functions that a shared library exports are not for others of their file.
inline Token TokenTable::put(std::string_view text, std::uint64_t hash) {
  if (text.empty()) return {};
  if (2 * (count_ + 1) > slot_count_) reserve(count_ + 1);
  std::size_t i = hash & (slot_count_ - 1);
  for (; slots_[i] != nullptr; i = (i + 1) & (slot_count_ - 1)) {
    if (slots_[i]->hash == hash && equal_text(Token(slots_[i]).view(), text))
      return Token(slots_[i]);
  }

  constexpr std::size_t align = alignof(Token::Entry);
  const std::size_t bytes = (sizeof(Token::Entry) + text.size() + 1 + align - 1) / align * align;
  if (bytes > left_) {
    const std::size_t size = std::max(kBlockBytes, bytes);
    auto* block = static_cast<Block*>(::operator new(sizeof(Block) + size));
    block->next = blocks_;
    blocks_ = block;
    next_ = reinterpret_cast<char*>(block + 1);
    left_ = size;
  }
  auto* entry = ::new (next_) Token::Entry{hash, static_cast<std::uint32_t>(text.size())};
  char* chars = reinterpret_cast<char*>(entry + 1);
  copy_few(text.data(), text.size(), chars);
  chars[text.size()] = '\0';
  next_ += bytes;
  left_ -= bytes;
  slots_[i] = entry;
  ++count_;
  return Token(entry);
}

Token TokenTable::intern(std::string_view text) {
  return put(text, text.empty() ? 0 : hash_of(text, seeds_));
}

Token TokenTable::intern(std::string_view text, std::uint64_t hash) {
  SINEW_ASSERT(hash == this->hash(text));
  return put(text, hash);
}

void TokenTable::prefetch(std::uint64_t hash) const noexcept {
  if (slot_count_ != 0) prefetch_memory(&slots_[hash & (slot_count_ - 1)]);
}

void TokenTable::reserve(std::size_t count) {
  count = std::min(count, std::numeric_limits<std::size_t>::max() / 4);  // More than there can be.
  std::size_t slot_count = std::max<std::size_t>(slot_count_, 256);
  while (slot_count / 2 < count) slot_count *= 2;
  if (slot_count != slot_count_) resize(slot_count);
}

void TokenTable::resize(std::size_t slot_count) {
  auto slots = std::make_unique<const Token::Entry*[]>(slot_count);
  for (std::size_t s = 0; s < slot_count_; ++s) {
    // Slots are scattered over memory; eight look-ups are in flight at any time.
    if (s + 8 < slot_count_) prefetch_memory(slots_[s + 8]);
    if (slots_[s] == nullptr) continue;
    std::size_t i = slots_[s]->hash & (slot_count - 1);
    while (slots[i] != nullptr) i = (i + 1) & (slot_count - 1);
    slots[i] = slots_[s];
  }
  slots_ = std::move(slots);
  slot_count_ = slot_count;
}

}  // namespace sinew
